"""LZ4: the bare block of LZ4_RAW, and the framings of the deprecated codec 5."""

import struct

from builder.codec.checksums import xxh32
from builder.codec.cursor import Refused, counted, repeat

_MAGIC = b"\x04\x22\x4d\x18"


def _length(n):
    """The bytes that follow a length nibble of 15."""
    return b"\xff" * ((n - 15) // 255) + bytes([(n - 15) % 255]) if n >= 15 else b""


def sequence(literals, offset=None, length=0):
    """One sequence: literals, and unless it is the last a match of at least 4 bytes from `offset` bytes back."""
    token = min(len(literals), 15) << 4 | (0 if offset is None else min(length - 4, 15))
    head = bytes([token]) + _length(len(literals)) + literals
    return head if offset is None else head + struct.pack("<H", offset) + _length(length - 4)


def block(data):
    """One block of literals only."""
    return sequence(data)


def hadoop(data, *parts):
    """One Hadoop block: sizes big-endian, expanded then stored; `parts` are stored one by one."""
    inner = [block(part) for part in parts or (data,)]
    return struct.pack(">I", len(data)) + b"".join(struct.pack(">I", len(part)) + part for part in inner)


def frame(data):
    """One frame of up to 64 KiB in a stored block, without checksums; 0x82 is the checksum of the header."""
    stored = struct.pack("<I", 0x80000000 | len(data)) + data if data else b""
    return _MAGIC + b"\x60\x40\x82" + stored + bytes(4)


def frame_of(flags, blocks, image):
    """One frame of compressed blocks of up to 64 KiB; the flags select the size of the image and checksums."""
    word = lambda data: struct.pack("<I", xxh32(data))
    head = bytes([flags, 0x40]) + (struct.pack("<Q", len(image)) if flags & 8 else b"")
    parts = [struct.pack("<I", len(one)) + one + (word(one) if flags & 16 else b"") for one in blocks]
    return _MAGIC + head + word(head)[1:2] + b"".join(parts) + bytes(4) + (word(image) if flags & 4 else b"")


def _long(cursor, nibble, what):
    while nibble >= 15:
        byte = cursor.number(1, "more of the " + what)
        nibble += byte
        if byte < 255:
            break
    return nibble


def decode_block(cursor, out=None):
    """The image of a block that ends with the bytes; `out` is the image before it."""
    out = bytearray() if out is None else out
    while True:
        token = cursor.number(1, "token")
        cursor.say(f"token: literals {token >> 4}, match {token & 15}")
        out += cursor.take(_long(cursor, token >> 4, "literals"), "literals")
        if not cursor.left:
            return bytes(out)
        distance = cursor.number(2, "offset")
        repeat(out, distance, _long(cursor, token & 15, "match") + 4)


def decode_hadoop(cursor):
    """The image of Hadoop's blocks up to the end of the bytes."""
    out, end = b"", cursor.end
    while cursor.left:
        left = cursor.number(4, "size of the image", "big")
        while left or cursor.left and not out:
            size = cursor.number(4, "size of the block", "big")
            if size > cursor.left:
                raise Refused(f"a block of {size} bytes, {cursor.left} are there")
            cursor.end = cursor.at + size
            part = decode_block(cursor)
            cursor.end = end
            if len(part) > left or left and not part:
                raise Refused(f"{len(part)} bytes of {left}")
            left -= len(part)
            out += part
            if not part:
                break
    return out


def decode_frame(cursor):
    """The image of one frame."""
    if cursor.take(4, "magic number") != _MAGIC:
        raise Refused("no frame")
    begin, end = cursor.at, cursor.end
    flags, out = cursor.number(1, "flags"), bytearray()
    cursor.take(1, "largest block")
    stated = cursor.number(8, "size of the image") if flags & 8 else None
    cursor.take(4 * (flags & 1), "dictionary id")
    head = cursor.data[begin:cursor.at]
    if cursor.take(1, "checksum of the header")[0] != xxh32(head) >> 8 & 0xFF:
        raise Refused("another checksum than that of the header")
    while size := cursor.number(4, "block"):
        cursor.say(f"block of {size & 0x7FFFFFFF} bytes, " + ("stored" if size >> 31 else "compressed"))
        size, stored, at = size & 0x7FFFFFFF, size >> 31, cursor.at
        if size > cursor.left:
            raise Refused(f"a block of {size} bytes, {cursor.left} are there")
        if stored:
            out += cursor.take(size, counted(size, "byte"))
        else:
            cursor.end, before = cursor.at + size, out if not flags & 32 else bytearray()
            part = decode_block(cursor, before)
            out = bytearray(part) if not flags & 32 else out + part
            cursor.end = end
        if flags & 16 and cursor.number(4, "checksum of the block") != xxh32(cursor.data[at:at + size]):
            raise Refused("another checksum than that of the block")
    cursor.say("end mark")
    if flags & 4 and cursor.number(4, "checksum of the image") != xxh32(out):
        raise Refused("another checksum than that of the image")
    if stated not in (None, len(out)):
        raise Refused(f"{len(out)} bytes instead of {stated}")
    return bytes(out)
