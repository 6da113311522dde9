"""GZIP: RFC 1952 members around RFC 1951 blocks that are stored or carry fixed-code literals."""

import struct
import zlib

from builder.codec.cursor import Refused


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


def repeated(data):
    """Deflate with one block of the fixed code: the first byte, then it again 258 bytes at a time and one by one."""
    bits, count = 0b011, 3

    def put(code, size):
        nonlocal bits, count
        for bit in reversed(range(size)):
            bits |= (code >> bit & 1) << count
            count += 1

    put(0x30 + data[0], 8)
    for _ in range((len(data) - 1) // 258):
        put(0xC5, 8)  # length 258
        put(0, 5)     # distance 1
    for _ in range((len(data) - 1) % 258):
        put(0x30 + data[0], 8)
    count += 7
    return bits.to_bytes((count + 7) // 8, "little")


def dynamic(data):
    """Deflate with one dynamic block for a single repeated byte, 11 to 244, which takes one bit."""
    bits, count = 0b101, 3

    def put(number, size):
        nonlocal bits, count
        bits |= number << count
        count += size

    put(0, 5), put(0, 5), put(14, 4)  # 257 lengths of literals, one of distances, 18 of the code of lengths
    lengths = {18: 2, 0: 2, 1: 1}     # its codes are 0 for 1, 10 for 0, 11 for a run of zeros
    for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1):
        put(lengths.get(symbol, 0), 3)
    for zeros in (data[0], 255 - data[0]):
        while zeros:
            size = min(zeros, 138)
            size -= 11 if 0 < zeros - size < 11 else 0
            put(0b11, 2), put(size - 11, 7)
            zeros -= size
        put(0, 1)
    put(0b01, 2)                   # no distances
    put(1 << len(data), len(data) + 1)  # 0 for each byte, 1 for the end
    return bits.to_bytes((count + 7) // 8, "little")


def member(data, deflate=stored, crc=None, size=None, flags=0, optional=b""):
    """One member; crc and size replace those of its trailer. `flags` announce the `optional` fields of the header."""
    tail = struct.pack("<II", zlib.crc32(data) if crc is None else crc, len(data) if size is None else size)
    return b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\0\xff" + optional + deflate(data) + tail


def compress(data):
    return member(data)


def decompress(cursor):
    """The image of all members; bytes after them are not consumed."""
    out = _member(cursor)
    while cursor.data[cursor.at:cursor.at + 3] == b"\x1f\x8b\x08":
        out += _member(cursor)
    return out


def _member(cursor):
    if cursor.take(3, "magic number and method") != b"\x1f\x8b\x08":
        raise Refused("no gzip member")
    begin, flags = cursor.at - 3, cursor.number(1, "flags")
    if flags > 31:
        raise Refused("a flag that is reserved")
    cursor.take(6, "time, flags and system")
    if flags & 4:
        cursor.take(cursor.number(2, "length of the extra field"), "extra field")
    for flag, what in ((8, "name"), (16, "comment")):
        if flags & flag:
            end = cursor.data.find(0, cursor.at)
            cursor.take((end if end >= 0 else cursor.end) + 1 - cursor.at, what)
    head = cursor.data[begin:cursor.at]
    if flags & 2 and cursor.number(2, "checksum of the header") != zlib.crc32(head) & 0xFFFF:
        raise Refused("another checksum than that of the header")
    inflater = zlib.decompressobj(-15)
    try:
        image = inflater.decompress(cursor.data[cursor.at:])
    except zlib.error as why:
        raise Refused(str(why)) from why
    cursor.take(cursor.left - len(inflater.unused_data), "deflate blocks")
    if not inflater.eof or cursor.number(4, "CRC-32") != zlib.crc32(image) or cursor.number(4, "size") != len(image):
        raise Refused("the member is cut, or its checksum or size is wrong")
    return image
