"""ZSTD (RFC 8878): a decoder of frames, and frames of raw and RLE blocks."""

import struct

from builder.codec import checksums
from builder.codec.compression import zstd_block
from builder.codec.cursor import Refused


def block(data, last=True, size=None):
    """A raw block."""
    return ((len(data) if size is None else size) << 3 | last).to_bytes(3, "little") + data


def repeated(byte, count, last=True):
    """A block that repeats one byte."""
    return (count << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])


def frame(*blocks, content_size=None, window=(0, 0)):
    """A frame: a single segment of `content_size` bytes, or without a size a window of 2^(10 + n) bytes and some eighths."""
    if content_size is None:
        head = bytes([0, window[0] << 3 | window[1]])
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


def decompress(cursor):
    """The image of all frames; bytes after them are not consumed."""
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
    if flags & 8:
        raise Refused("the reserved bit of the frame header")
    single = flags >> 5 & 1
    window = 0 if single else cursor.number(1, "window")
    if flags & 3 and cursor.number((0, 1, 2, 4)[flags & 3], "dictionary id"):
        raise Refused("a dictionary, which no page has")
    size_bytes = (single, 2, 4, 8)[flags >> 6]
    size = cursor.number(size_bytes, "size of the image") + (256 if size_bytes == 2 else 0) if size_bytes else None
    window = size if single else (8 + (window & 7)) << 7 + (window >> 3)
    out, last, state = bytearray(), 0, zstd_block.State()
    while not last:
        head = cursor.number(3, "block")
        last, kind, length = head & 1, head >> 1 & 3, head >> 3
        words = ("raw", "repeated byte", "compressed", "reserved")[kind]
        cursor.say(f"block, {words}, {length}" + (", the last" if last else ""))
        if kind == 3:
            raise Refused("a block of the reserved type")
        before, most = len(out), min(window, 1 << 17)
        if kind == 2:
            zstd_block.decode(cursor, length, out, state)
        else:
            out += cursor.take(length, "bytes") if kind == 0 else cursor.take(1, "byte") * length
        if max(length, len(out) - before) > most:
            raise Refused(f"a block of more than {most} bytes")
    if flags & 4 and cursor.number(4, "checksum") != checksums.xxh64(bytes(out)) & 0xFFFFFFFF:
        raise Refused("another checksum than that of the image")
    if size is not None and size != len(out):
        raise Refused(f"{len(out)} bytes instead of {size}")
    return bytes(out)
