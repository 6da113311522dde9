"""GZIP: RFC 1952 members around RFC 1951 blocks that are stored or carry fixed-code literals."""

import struct
import zlib


def stored(data):
    """Deflate with stored blocks."""
    out, pieces = b"", [data[i:i + 65535] for i in range(0, len(data), 65535)] or [b""]
    for index, piece in enumerate(pieces):
        out += bytes([index == len(pieces) - 1]) + struct.pack("<HH", len(piece), len(piece) ^ 0xFFFF) + piece
    return out


def literals(data):
    """Deflate with one block of the fixed code, every byte a literal."""
    bits, count = 0b011, 3
    for byte in data:
        code, size = (0x30 + byte, 8) if byte < 144 else (0x190 + byte - 144, 9)
        for bit in reversed(range(size)):
            bits |= (code >> bit & 1) << count
            count += 1
    count += 7
    return bits.to_bytes((count + 7) // 8, "little")


def member(data, deflate=stored, crc=None, size=None):
    """One member; crc and size of its trailer may lie."""
    tail = struct.pack("<II", zlib.crc32(data) if crc is None else crc, len(data) if size is None else size)
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + deflate(data) + tail


def compress(data):
    return member(data)
