"""LZO: LZO1X streams with their end marker, bare or in Hadoop's blocks."""

import struct

END = b"\x11\0\0"


def match(distance, length):
    """A match of 34 to 288 bytes from 1 to 16384 bytes back, no literals behind it."""
    return bytes([0x20, length - 33]) + struct.pack("<H", distance - 1 << 2)


def literals(data):
    """The first run of literals (4 to 238 bytes in the first byte, else zeros and a rest)."""
    size = len(data)
    if not size:
        head = b""
    elif size <= 238:
        head = bytes([size + 17])
    else:
        rest = size - 18
        head = b"\0" * (1 + (rest - 1) // 255) + bytes([(rest - 1) % 255 + 1])
    return head + data


def compress(data):
    """Literals alone."""
    return literals(data) + END


def hadoop(data):
    """One Hadoop block of one part."""
    inner = compress(data)
    return struct.pack(">II", len(data), len(inner)) + inner
