"""SNAPPY: the raw format, from literals and copies that the caller chooses."""

from builder.codec.cursor import Refused, counted, repeat
from builder.codec.thrift import uleb


def literal(data):
    """One literal element of 1 to 2^32 bytes."""
    size = len(data) - 1
    if size < 60:
        return bytes([size << 2]) + data
    width = (size.bit_length() + 7) // 8
    return bytes([59 + width << 2]) + size.to_bytes(width, "little") + data


def copy(offset, length):
    """A copy of 1 to 64 bytes from `offset` bytes back, with a 2-byte offset."""
    return bytes([length - 1 << 2 | 2]) + offset.to_bytes(2, "little")


def stream(size, *parts):
    """The preamble with the expanded size, then elements."""
    return uleb(size) + b"".join(parts)


def compress(data):
    """A stream of literals; data that repeats its first four bytes becomes copies."""
    if len(data) > 8 and data == (data[:4] * len(data))[:len(data)]:
        left, parts = len(data) - 4, [literal(data[:4])]
        while left:
            parts.append(copy(4, min(left, 64)))
            left -= min(left, 64)
        return stream(len(data), *parts)
    return stream(len(data), *([literal(data)] if data else []))


def short_copy(offset, length):
    """A copy of 4 to 11 bytes from up to 2047 bytes back."""
    return bytes([offset >> 8 << 5 | length - 4 << 2 | 1, offset & 0xFF])


def long_copy(offset, length):
    """A copy of 1 to 64 bytes with a 4-byte offset."""
    return bytes([length - 1 << 2 | 3]) + offset.to_bytes(4, "little")


def decompress(cursor):
    """The image of a stream; elements end when it is complete."""
    size, out = cursor.uleb("size of the image", 32, 5), bytearray()
    while len(out) < size:
        tag = cursor.number(1, "tag")
        kind, length = tag & 3, tag >> 2
        if kind == 0:
            cursor.say("literal")
            if length >= 60:
                length = cursor.number(length - 59, "length less one")
            out += cursor.take(length + 1, counted(length + 1, "byte"))
        elif kind == 1:
            offset = (tag >> 5) << 8 | cursor.number(1, "low byte of the offset")
            repeat(out, offset, (length & 7) + 4)
        else:
            cursor.say(f"copy of {length + 1}")
            repeat(out, cursor.number(2 if kind == 2 else 4, "offset"), length + 1)
    if len(out) != size:
        raise Refused(f"{len(out)} bytes instead of {size}")
    return bytes(out)
