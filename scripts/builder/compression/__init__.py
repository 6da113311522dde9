"""Compression codecs (Compression.md), each written out by hand so that every byte is known."""

from ..metadata import BROTLI, GZIP, LZ4, LZ4_RAW, LZO, SNAPPY, UNCOMPRESSED, ZSTD
from . import brotli, gzip, lz4, lzo, snappy, zstd

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
