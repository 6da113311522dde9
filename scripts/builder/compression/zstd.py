"""ZSTD: RFC 8878 frames from raw and repeated-byte blocks."""

import struct

from ..cursor import Refused, counted, repeat


def block(data, last=True, size=None):
    """A raw block."""
    return ((len(data) if size is None else size) << 3 | last).to_bytes(3, "little") + data


def repeated(byte, count, last=True):
    """A block that repeats one byte."""
    return (count << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])


def frame(*blocks, content_size=None):
    """A frame: a single segment of `content_size` bytes, or without that a window of 1 KiB."""
    if content_size is None:
        head = b"\0\0"
    elif content_size < 256:
        head = bytes([0x20, content_size])
    elif content_size < 65792:
        head = b"\x60" + struct.pack("<H", content_size - 256)
    else:
        head = b"\xa0" + struct.pack("<I", content_size)
    return b"\x28\xb5\x2f\xfd" + head + b"".join(blocks)


def skippable(data, kind=0):
    """A skippable frame."""
    return struct.pack("<II", 0x184D2A50 + kind, len(data)) + data


def compress(data):
    """One frame of one raw block, for up to 128 KiB."""
    return frame(block(data), content_size=len(data))


def compressed(literals, offset=None, length=0, last=True):
    """A compressed block: up to 31 literals as they are, or one byte and how often; then a match of 3 to 34 bytes from 1 to
    4 bytes back, where one is asked for."""
    if isinstance(literals, bytes):
        data, count = bytes([len(literals) << 3]) + literals, len(literals)
    else:
        data, count = bytes([literals[1] << 3 | 1, literals[0]]), literals[1]
    if offset is None:
        data += b"\0"
    else:
        value = offset + 3
        code = value.bit_length() - 1  # all three codes stand alone in their tables; the offset has bits of its own
        data += b"\x01\x54" + bytes([count, code, length - 3, value])
    return (len(data) << 3 | 4 | last).to_bytes(3, "little") + data


def decompress(cursor):
    """The image of all frames; what follows them and is none is left."""
    out = None
    while cursor.left >= 4:
        magic = int.from_bytes(cursor.data[cursor.at:cursor.at + 4], "little")
        if magic & ~0xF == 0x184D2A50:
            cursor.take(4, "magic number of a skippable frame")
            cursor.take(cursor.number(4, "size"), "skippable frame")
            out = b"" if out is None else out
        elif magic == 0xFD2FB528:
            out = (out or b"") + _frame(cursor)
        else:
            break
    if out is None:
        raise Refused("no frame")
    return out


def _frame(cursor):
    cursor.take(4, "magic number")
    flags = cursor.number(1, "flags")
    single = flags >> 5 & 1
    if not single:
        cursor.take(1, "window")
    cursor.take((0, 1, 2, 4)[flags & 3], "dictionary id")
    size_bytes = (single, 2, 4, 8)[flags >> 6]
    size = cursor.number(size_bytes, "size of the image") + (256 if size_bytes == 2 else 0) if size_bytes else None
    out, last = bytearray(), 0
    while not last:
        head = cursor.number(3, "block")
        last, kind, length = head & 1, head >> 1 & 3, head >> 3
        words = ("raw", "repeated byte", "compressed", "reserved")[kind]
        cursor.say(f"block, {words}, {length}" + (", the last" if last else ""))
        if kind == 3:
            raise Refused("a block of the reserved type")
        if kind == 2:
            _compressed(cursor, length, out)
        else:
            out += cursor.take(length, "bytes") if kind == 0 else cursor.take(1, "byte") * length
    cursor.take(4 * (flags >> 2 & 1), "checksum")
    if size is not None and size != len(out):
        raise Refused(f"{len(out)} bytes instead of {size}")
    return bytes(out)


def _compressed(cursor, length, out):
    """Blocks as compressed() makes them."""
    end = cursor.at + length
    head = cursor.number(1, "literals")
    if head >> 1 & 1 or head >> 2 & 1:
        raise NotImplementedError("Huffman codes, or more than 31 literals")
    count = head >> 3
    cursor.say(counted(count, "literal") + (", one byte" if head & 1 else ""))
    literals = cursor.take(1, "literal") * count if head & 1 else cursor.take(count, "literals")
    if cursor.number(1, "sequences"):
        if cursor.take(1, "modes: one symbol in each table") != b"\x54":
            raise NotImplementedError("tables of several symbols")
        before, code = cursor.number(1, "code of the literal length"), cursor.number(1, "code of the offset")
        match = cursor.number(1, "code of the match length") + 3
        value = int.from_bytes(cursor.take(end - cursor.at, "bits of the offset behind the highest 1"), "little")
        out += literals[:before]
        repeat(out, value - 3, match)
        literals = literals[before:]
        assert value.bit_length() == code + 1
    out += literals
