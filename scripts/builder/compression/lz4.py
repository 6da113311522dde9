"""LZ4: the bare block of LZ4_RAW, and the framings that the deprecated codec 5 was seen with."""

import struct


def _length(n):
    """The bytes that follow a length nibble of 15."""
    return b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) if n >= 15 else b""


def block(data):
    """One block of literals alone."""
    return bytes([min(len(data), 15) << 4]) + _length(len(data)) + data


def hadoop(data):
    """One Hadoop frame: sizes big-endian, expanded then stored."""
    inner = block(data)
    return struct.pack(">II", len(data), len(inner)) + inner
