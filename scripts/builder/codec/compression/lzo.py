"""LZO: LZO1X streams with their end marker, bare or in Hadoop's blocks."""

import struct

from builder.codec.cursor import Refused, counted, repeat

END = b"\x11\0\0"


def match(distance, length):
    """A match of 34 to 288 bytes from 1 to 16384 bytes back, without literals."""
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
    """A stream of literals only."""
    return literals(data) + END


def hadoop(data):
    """One Hadoop block of one part."""
    inner = compress(data)
    return struct.pack(">II", len(data), len(inner)) + inner


def short_match(distance, length, literals=b""):
    """A match of 3 to 8 bytes from 1 to 2048 bytes back, and up to three literals after it."""
    return bytes([length - 1 << 5 | (distance - 1 & 7) << 2 | len(literals), distance - 1 >> 3]) + literals


def middle_match(distance, length, literals=b""):
    """A match of 3 to 33 bytes from 1 to 16384 bytes back."""
    return bytes([0x20 | length - 2]) + struct.pack("<H", distance - 1 << 2 | len(literals)) + literals


def far_match(distance, length, literals=b""):
    """A match of 3 to 9 bytes from 16385 to 49151 bytes back."""
    far = distance - 16384
    return bytes([0x10 | far >> 11 & 8 | length - 2]) + struct.pack("<H", (far & 0x3FFF) << 2 | len(literals)) + literals


def any_match(distance, length, literals=b""):
    """A match of 3 bytes or more from 1 to 49151 bytes back, and up to three literals after it."""
    if distance <= 2048 and length <= 8:
        return short_match(distance, length, literals)
    far = max(distance - 16384, 0)
    back, most = (far, 9) if far else (distance - 1, 33)
    head = (0x10 | far >> 11 & 8) if far else 0x20
    size = bytes([head | length - 2]) if length <= most else bytes([head]) + _rest(length - most)
    return size + struct.pack("<H", (back & 0x3FFF) << 2 | len(literals)) + literals


def _rest(size):
    """The continuation of a length of 0: a zero byte for each 255."""
    return b"\0" * ((size - 1) // 255) + bytes([(size - 1) % 255 + 1])


def pair(distance, literals=b"", nearest=1):
    """After a match with literals: two bytes from 1 to 1024 bytes back. After a run of literals, with `nearest` 2049: three bytes."""
    back = distance - nearest
    return bytes([(back & 3) << 2 | len(literals), back >> 2]) + literals


def run(data):
    """After a match without literals: 4 to 18 literals, or more."""
    size = len(data) - 3
    head = bytes([size]) if size <= 15 else b"\0" * (1 + (size - 16) // 255) + bytes([(size - 16) % 255 + 1])
    return head + data


def decompress(cursor):
    """The image of an LZO1X stream."""
    out, state = bytearray(), 0
    if cursor.left and cursor.data[cursor.at] > 17:
        size = cursor.number(1, "literals") - 17
        cursor.say(counted(size, "literal"))
        out += cursor.take(size, "literals")
        state = min(size, 4)
    while True:
        first = cursor.number(1, "instruction")
        if first < 16 and not state:
            size = (first or 15 + _more(cursor)) + 3
            cursor.say(counted(size, "literal"))
            out += cursor.take(size, "literals")
            state = 4
            continue
        if first >= 64:
            length, distance = (first >> 5) + 1, (first >> 2 & 7) + 8 * cursor.number(1, "distance") + 1
            literals = first & 3
        elif first >= 16:
            mask = 31 if first >= 32 else 7
            length = (first & mask or mask + _more(cursor)) + 2
            word = cursor.number(2, "distance and literals")
            literals, distance = word & 3, (word >> 2) + 1
            if first < 32:
                distance += ((first & 8) << 11) - 1
                if not distance:
                    cursor.say("end marker")
                    return bytes(out)
                distance += 16384
        else:
            literals = first & 3
            length = 3 if state == 4 else 2
            distance = (first >> 2) + 4 * cursor.number(1, "distance") + (2049 if state == 4 else 1)
        cursor.say(f"match of {length} from {distance} bytes back")
        repeat(out, distance, length)
        out += cursor.take(literals, "literals")
        state = literals


def _more(cursor):
    """The rest of a length: a zero byte for each 255."""
    size = 0
    while not (byte := cursor.number(1, "more of the length")):
        size += 255
    return size + byte


def decode_hadoop(cursor):
    """The image of Hadoop's blocks of one part."""
    out, end = b"", cursor.end
    while cursor.left:
        left, size = cursor.number(4, "size of the image", "big"), cursor.number(4, "size of the block", "big")
        if size > cursor.left:
            raise Refused(f"a block of {size} bytes, {cursor.left} are there")
        cursor.end = cursor.at + size
        part = decompress(cursor)
        if len(part) != left or cursor.left:
            raise Refused(f"{len(part)} bytes of {left}")
        cursor.end = end
        out += part
    return out
