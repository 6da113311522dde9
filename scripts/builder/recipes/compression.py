"""Compressed sections (Compression.md)."""

import zlib

from ..bases import chunk, column, flat, nullable
from ..compression import gzip, snappy, zstd
from ..metadata import GZIP, INT32, RLE_DICTIONARY, SNAPPY, ZSTD
from ..pages import Dictionary, V1, V2
from ..schema import required
from ..witness import Stored

FIRST = (0, 0, 0)


def packed(codec, compress, page=V1):
    """One page whose codec does as it is told."""
    return flat(chunk(page(), codec=codec, compress=compress))


def behind(codec, honest, tail, page=V1):
    """One page with bytes behind its stream, and the place of these."""
    length = len(honest(bytes(12)))
    return packed(codec, lambda data: honest(data) + tail, page), Stored(FIRST, plus=length)


def witnesses(c):
    c.rule("compression/stream")
    here = Stored(FIRST)
    c.fail("GZIP: a zlib stream", packed(GZIP, lambda data: b"\x78\x01" + gzip.stored(data) + zlib.adler32(data).to_bytes(4, "big")), here)
    c.fail("GZIP: bare deflate", packed(GZIP, gzip.stored), here)
    c.fail("GZIP: the crc of the member is wrong", packed(GZIP, lambda data: gzip.member(data, crc=1)), here)
    c.fail("GZIP: the size of the member is wrong", packed(GZIP, lambda data: gzip.member(data, size=13)), here)
    c.fail("GZIP: the stream is cut", packed(GZIP, lambda data: gzip.member(data)[:-1]), here)
    c.fail("SNAPPY: the framing format", packed(SNAPPY, lambda data: b"\xff\6\0\0sNaPpY\1\x10\0\0" + bytes(4) + data), here)
    c.fail("SNAPPY: a copy from before the beginning",
           packed(SNAPPY, lambda data: snappy.stream(12, snappy.literal(data[:4]), snappy.copy(5, 8))), here)
    c.fail("SNAPPY: the stream is cut", packed(SNAPPY, lambda data: snappy.compress(data)[:-1]), here)
    c.fail("ZSTD: another magic number", packed(ZSTD, lambda data: b"\x27" + zstd.compress(data)[1:]), here)
    c.fail("ZSTD: the last block is cut", packed(ZSTD, lambda data: zstd.compress(data)[:-1]), here)
    c.fail("ZSTD: a block of the reserved type",
           packed(ZSTD, lambda data: zstd.frame((len(data) << 3 | 7).to_bytes(3, "little") + data, content_size=len(data))), here)
    c.fail("GZIP: the values of a v2 page behind its levels are no stream",
           nullable(chunk(V2(), codec=GZIP, compress=lambda data: data)), Stored(FIRST, plus=2))
    c.fail("GZIP: the dictionary page is not compressed",
           flat(chunk(Dictionary([1, 2, 3], stored=b"\1\0\0\0\2\0\0\0\3\0\0\0"), V1(encoding=RLE_DICTIONARY), codec=GZIP)), here)
    c.ok("GZIP: one member", packed(GZIP, gzip.compress))
    c.ok("SNAPPY: literals and copies", column(required("a", INT32), [7] * 40, chunk(V1(), codec=SNAPPY)))
    c.ok("ZSTD: one frame", packed(ZSTD, zstd.compress))
    c.ok("GZIP: a dictionary page and a v2 page",
         flat(chunk(Dictionary([1, 2, 3]), V2(encoding=RLE_DICTIONARY), codec=GZIP)))

    c.rule("compression/trailing-bytes")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"GZIP: two bytes behind the member, {about}", *behind(GZIP, gzip.compress, b"\0\0", page))
    c.fail("ZSTD: four bytes behind the frame", *behind(ZSTD, zstd.compress, b"\0\0\0\0"))
    c.ok("GZIP: the stream ends with the section", packed(GZIP, gzip.compress))
    c.ok("ZSTD: the stream ends with the section", packed(ZSTD, zstd.compress))
