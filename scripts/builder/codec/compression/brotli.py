"""BROTLI (RFC 7932): a decoder, and streams of uncompressed meta-blocks."""

from builder.codec.compression import brotli_block
from builder.codec.compression.bits import Reader, Writer
from builder.codec.cursor import Refused, counted


def compress(data):
    """Window 16 bits; each piece of up to 65,536 bytes is an uncompressed meta-block; then the empty last one."""
    out = Writer()
    out.put(0, 1)
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        nibbles = max(((len(piece) - 1).bit_length() + 3) // 4, 4)
        out.put(0, 1), out.put(nibbles - 4, 2), out.put(len(piece) - 1, 4 * nibbles), out.put(1, 1)
        out.align()
        out.append(piece)
    out.put(0b11, 2)
    return out.bytes()


def metadata(data):
    """A stream of one meta-block of up to 256 bytes of metadata, which do not belong to the image, and the empty last one."""
    bits = 0 | 0 << 1 | 0b11 << 2 | 0 << 4 | 1 << 5 | len(data) - 1 << 7
    return bits.to_bytes(2, "little") + data + b"\3"


def decompress(cursor):
    """The image of a stream; only few words of the static dictionary are supported."""
    bits, out, distances = Reader(cursor), bytearray(), brotli_block.FIRST_DISTANCES
    window = (1 << _window_bits(bits)) - 16
    while True:
        last = bits.number(1)
        if last and bits.number(1):
            _align(bits, "bits of the empty last meta-block")
            return bytes(out)
        nibbles = bits.number(2)
        if nibbles == 3:
            if bits.number(1):
                raise Refused("a reserved bit")
            width = bits.number(2)
            size = bits.number(8 * width) + 1 if width else 0
            if width > 1 and size - 1 < 1 << 8 * (width - 1):
                raise Refused("a size of metadata that is too long")
            _align(bits, "bits of a meta-block of metadata")
            cursor.take(size, "metadata")
            bits = Reader(cursor)
            continue
        size = bits.number(4 * (nibbles + 4)) + 1
        if nibbles and size - 1 < 1 << 4 * (nibbles + 3):
            raise Refused("a size of a meta-block that is too long")
        if not last and bits.number(1):
            _align(bits, "bits of a meta-block that is not compressed")
            out += cursor.take(size, counted(size, "byte"))
            bits = Reader(cursor)
            continue
        distances = brotli_block.decode(bits, size, out, distances, window)
        if last:
            _align(bits, "bits of compressed meta-blocks")
            return bytes(out)


def _align(bits, what):
    if bits.take(what):
        raise Refused("bits at the end of a byte that are not 0")


def _window_bits(bits):
    if not bits.number(1):
        return 16
    if size := bits.number(3):
        return 17 + size
    size = bits.number(3)
    if size == 1:
        raise Refused("a window of a size that is reserved")
    return 8 + size if size else 17
