"""LZ4: the bare block of LZ4_RAW, and the framings that the deprecated codec 5 was seen with."""

import struct

from ..cursor import Refused, counted, repeat


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


def _long(cursor, nibble, what):
    while nibble >= 15:
        byte = cursor.number(1, "more of the " + what)
        nibble += byte
        if byte < 255:
            break
    return nibble


def decode_block(cursor, out=None):
    """The image of a block that ends with the bytes; `out` is what stands before it."""
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
    if cursor.take(4, "magic number") != b"\x04\x22\x4d\x18":
        raise Refused("no frame")
    flags, out, end = cursor.number(1, "flags"), bytearray(), cursor.end
    cursor.take(1, "largest block")
    cursor.take(8 * bool(flags & 8) + 4 * (flags & 1), "size of the image and dictionary id")
    cursor.take(1, "checksum of the header")
    while True:
        size = cursor.number(4, "block")
        if not size:
            cursor.say("end mark")
            break
        cursor.say(f"block of {size & 0x7FFFFFFF} bytes, " + ("stored" if size >> 31 else "compressed"))
        size, stored = size & 0x7FFFFFFF, size >> 31
        if size > cursor.left:
            raise Refused(f"a block of {size} bytes, {cursor.left} are there")
        if stored:
            out += cursor.take(size, counted(size, "byte"))
        else:
            cursor.end = cursor.at + size
            decode_block(cursor, out)
            cursor.end = end
        cursor.take(4 * bool(flags & 16), "checksum of the block")
    cursor.take(4 * bool(flags & 4), "checksum of the image")
    return bytes(out)
