"""BROTLI: an RFC 7932 stream of uncompressed meta-blocks."""

from ..cursor import Refused, counted


def compress(data):
    """Window 16 bits; each piece of up to 65,536 bytes is an uncompressed meta-block; then the empty last one."""
    out, bits, count = bytearray(), 0, 1
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        bits |= (len(piece) - 1) << count + 3 | 1 << count + 19
        count += 20
        out += bits.to_bytes((count + 7) // 8, "little") + piece
        bits = count = 0
    bits |= 0b11 << count
    return bytes(out) + bits.to_bytes((count + 2 + 7) // 8, "little")


def metadata(data):
    """A stream of one meta-block of up to 256 bytes of metadata, which are no part of the image, and the empty last one."""
    bits = 0 | 0 << 1 | 0b11 << 2 | 0 << 4 | 1 << 5 | len(data) - 1 << 7
    return bits.to_bytes(2, "little") + data + b"\3"


def decompress(cursor):
    """The image of a stream whose meta-blocks are not compressed."""
    out, bit = bytearray(), 0

    def bits(count):
        nonlocal bit
        byte = cursor.at + (bit + count + 7) // 8
        if byte > cursor.end:
            cursor.take(cursor.left + 1, "bits of the stream")
        value = int.from_bytes(cursor.data[cursor.at:byte], "little") >> bit & (1 << count) - 1
        bit += count
        return value

    def align(what):
        nonlocal bit
        cursor.take((bit + 7) // 8, what)
        bit = 0

    if bits(1) and not bits(3) and bits(3) == 1:
        raise Refused("a window of a size that is reserved")
    while True:
        last = bits(1)
        if last and bits(1):
            align("bits of the empty last meta-block")
            return bytes(out)
        nibbles = bits(2)
        if nibbles == 3:
            size = bits(1) or bits(8 * bits(2)) + 1
            align("bits of a meta-block of metadata")
            cursor.take(size, "metadata")
            continue
        size = bits(4 * (nibbles + 4)) + 1
        if last or not bits(1):
            raise NotImplementedError("a compressed meta-block")
        align("bits of a meta-block that is not compressed")
        out += cursor.take(size, counted(size, "byte"))
