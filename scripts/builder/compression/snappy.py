"""SNAPPY: the raw format, from literals and copies that the caller chooses."""

from ..thrift import uleb


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
    """All of it as literals; a repetition of the first four bytes throughout becomes copies."""
    if len(data) > 8 and data == (data[:4] * len(data))[:len(data)]:
        left, parts = len(data) - 4, [literal(data[:4])]
        while left:
            parts.append(copy(4, min(left, 64)))
            left -= min(left, 64)
        return stream(len(data), *parts)
    return stream(len(data), *([literal(data)] if data else []))
