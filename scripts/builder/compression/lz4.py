"""LZ4: the bare block of LZ4_RAW, and the framings that the deprecated codec 5 was seen with."""

import struct


def _length(n):
    """The bytes that follow a length nibble of 15."""
    return b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) if n >= 15 else b""


def sequence(literals, offset=None, length=0):
    """One sequence: literals, and unless it is the last a match of at least 4 bytes from `offset` bytes back."""
    token = min(len(literals), 15) << 4 | (0 if offset is None else min(length - 4, 15))
    head = bytes([token]) + _length(len(literals)) + literals
    return head if offset is None else head + struct.pack("<H", offset) + _length(length - 4)


def block(data):
    """One block of literals alone."""
    return sequence(data)


def hadoop(data, *parts):
    """One Hadoop block: sizes big-endian, expanded then stored; `parts` are stored one by one."""
    inner = [block(part) for part in parts or (data,)]
    return struct.pack(">I", len(data)) + b"".join(struct.pack(">I", len(part)) + part for part in inner)


def frame(data):
    """One frame of up to 64 KiB in a stored block, without checksums; 0x82 is that of the header."""
    stored = struct.pack("<I", 0x80000000 | len(data)) + data if data else b""
    return b"\x04\x22\x4d\x18\x60\x40\x82" + stored + bytes(4)
