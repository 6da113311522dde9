"""Compression codecs (Compression.md), each with its own decoder, and an encoder without search: literals, copies and stored blocks, so that every byte is known."""

from builder.codec.compression import brotli, gzip, lz4, lzo, snappy, zstd
from builder.codec.cursor import Cursor, Refused
from builder.codec.metadata import BROTLI, GZIP, LZ4, LZ4_RAW, LZO, SNAPPY, UNCOMPRESSED, ZSTD

COMPRESS = {
    UNCOMPRESSED: lambda data: data,
    SNAPPY: snappy.compress,
    GZIP: gzip.compress,
    LZO: lzo.compress,
    BROTLI: brotli.compress,
    LZ4: lz4.hadoop,
    ZSTD: zstd.compress,
    LZ4_RAW: lz4.block,
}


def _lz4(cursor, size):
    """The image by the LZ4 layout that gives so many bytes."""
    why = None
    for layout in (lz4.decode_hadoop, lz4.decode_block, lz4.decode_frame):
        attempt = Cursor(cursor.data)
        try:
            image = layout(attempt)
        except Refused as refused:
            why = refused
            continue
        if len(image) == size and not attempt.left:
            cursor.at, cursor.parts = attempt.at, attempt.parts
            return image
    raise Refused(str(why))


def _lzo(cursor, _):
    """The image by Hadoop's blocks if their sizes fit, else by the bare stream."""
    attempt = Cursor(cursor.data)
    try:
        image = lzo.decode_hadoop(attempt)
        cursor.at, cursor.parts = attempt.at, attempt.parts
        return image
    except Refused:
        return lzo.decompress(cursor)


_DECOMPRESS = {
    SNAPPY: lambda cursor, _: snappy.decompress(cursor),
    GZIP: lambda cursor, _: gzip.decompress(cursor),
    LZO: _lzo,
    BROTLI: lambda cursor, _: brotli.decompress(cursor),
    LZ4: _lz4,
    ZSTD: lambda cursor, _: zstd.decompress(cursor),
    LZ4_RAW: lambda cursor, _: lz4.decode_block(cursor),
}


def decompress(cursor, codec, size):
    """The image of a stream, which has `size` bytes."""
    image = _DECOMPRESS[codec](cursor, size)
    if len(image) != size:
        raise Refused(f"{len(image)} bytes instead of {size}")
    return image
