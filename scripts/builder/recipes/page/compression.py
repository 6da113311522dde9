"""Compressed sections (Compression.md)."""

import struct
import zlib

from builder.codec.compression import brotli, gzip, lz4, lzo, snappy, zstd
from builder.codec.file import Chunk
from builder.codec.metadata import BROTLI, GZIP, INT32, LZ4, LZ4_RAW, LZO, RLE_DICTIONARY, SNAPPY, ZSTD
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.expect.places import V, Stored
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, SECOND, chunk, column, flat, nullable, two

HERE = Stored(FIRST)
CODEC = V("row_groups[0].columns[0].meta_data.codec")
WARNED = {LZ4: (Also("compression/lz4-deprecated", CODEC, "the codec itself is deprecated"),),
          LZO: (Also("compression/lzo", CODEC, "the codec itself is discouraged"),)}
DATA = struct.pack("<3i", 1, 2, 3)


def packed(codec, compress, page=V1):
    """One page that is compressed by the given function."""
    return flat(chunk(page(), codec=codec, compress=compress))


def zlib_stream(data):
    return b"\x78\x01" + gzip.stored(data) + zlib.adler32(data).to_bytes(4, "big")


def framed_snappy(data):
    """The framing format: its identifier, then a chunk that is not compressed."""
    return b"\xff\6\0\0sNaPpY\1\x10\0\0" + bytes(4) + data


def witnesses(c):
    formats(c)
    streams(c)
    trailing(c)
    several(c)
    discouraged(c)


def formats(c):
    c.rule("compression/format")
    for codec, name, form, compress, found in (
            (GZIP, "GZIP", "a zlib stream", zlib_stream, "zlib"),
            (GZIP, "GZIP", "bare deflate", gzip.stored, "bare deflate"),
            (SNAPPY, "SNAPPY", "the framing format", framed_snappy, "framed Snappy"),
            (LZ4_RAW, "LZ4_RAW", "an LZ4 frame", lz4.frame, "an LZ4 frame"),
            (LZ4_RAW, "LZ4_RAW", "a Hadoop block", lz4.hadoop, "LZ4 in Hadoop's blocks"),
            (LZO, "LZO", "LZ4 in a Hadoop block", lz4.hadoop, "LZ4 in Hadoop's blocks")):
        c.fail(f"{name}: {form}", packed(codec, compress), HERE, *WARNED.get(codec, ()), found=found)
    for codec, name, form, compress, found in (
            (ZSTD, "ZSTD", "a gzip member", gzip.member, "gzip"),
            (SNAPPY, "SNAPPY", "a Zstandard frame", zstd.compress, "Zstandard"),
            (GZIP, "GZIP", "raw Snappy", snappy.compress, "raw Snappy"),
            (BROTLI, "BROTLI", "a gzip member", gzip.member, "gzip"),
            (LZ4, "LZ4", "a Zstandard frame", zstd.compress, "Zstandard")):
        c.fail(f"{name}: the second page is {form}", flat(chunk(V1(1), V1(stored=compress(DATA[4:])), codec=codec)),
               Stored(SECOND), *WARNED.get(codec, ()), found=found)
    c.fail("GZIP: a zlib stream after the levels of a v2 page", nullable(chunk(V2(), codec=GZIP, compress=zlib_stream)),
           Stored(FIRST, plus=2), found="zlib")
    c.fail("LZ4_RAW: the dictionary page is an LZ4 frame", flat(chunk(
        Dictionary([1, 2, 3], stored=lz4.frame(DATA)), V1(encoding=RLE_DICTIONARY), codec=LZ4_RAW)), HERE, found="an LZ4 frame")
    for codec, name in ((GZIP, "gzip"), (SNAPPY, "raw Snappy"), (ZSTD, "Zstandard"), (BROTLI, "Brotli"),
                        (LZ4_RAW, "a bare LZ4 block")):
        c.ok(f"{name} under its own codec", flat(Chunk(codec=codec)))


def streams(c):
    c.rule("compression/stream")

    def fail(about, codec, compress):
        c.fail(about, packed(codec, compress), HERE, *WARNED.get(codec, ()))

    fail("GZIP: the crc of the member is wrong", GZIP, lambda data: gzip.member(data, crc=1))
    fail("GZIP: the size of the member is wrong", GZIP, lambda data: gzip.member(data, size=13))
    fail("GZIP: the stream is cut", GZIP, lambda data: gzip.member(data)[:-1])
    fail("GZIP: the second of two members is cut", GZIP, lambda data: gzip.member(data) + gzip.member(b"")[:-1])
    fail("SNAPPY: a copy from before the beginning", SNAPPY,
         lambda data: snappy.stream(12, snappy.literal(data[:4]), snappy.copy(5, 8)))
    fail("SNAPPY: the stream is cut", SNAPPY, lambda data: snappy.compress(data)[:-1])
    fail("ZSTD: another magic number", ZSTD, lambda data: b"\x27" + zstd.compress(data)[1:])
    fail("ZSTD: the last block is cut", ZSTD, lambda data: zstd.compress(data)[:-1])
    fail("ZSTD: a block of the reserved type", ZSTD,
         lambda data: zstd.frame((len(data) << 3 | 7).to_bytes(3, "little") + data, content_size=len(data)))
    fail("ZSTD: the second of two frames is cut", ZSTD, lambda data: zstd.compress(data) + zstd.compress(b"")[:-1])
    fail("BROTLI: the stream is cut", BROTLI, lambda data: brotli.compress(data)[:-1])
    fail("BROTLI: a window size that is reserved", BROTLI, lambda data: b"\x11" + data)
    fail("LZ4_RAW: a match from before the beginning", LZ4_RAW,
         lambda data: lz4.sequence(data[:3], 4, 4) + lz4.sequence(data[7:]))
    fail("LZ4_RAW: a match at distance 0", LZ4_RAW, lambda data: lz4.sequence(data[:3], 0, 4) + lz4.sequence(data[7:]))
    fail("LZ4_RAW: the block is cut", LZ4_RAW, lambda data: lz4.block(data)[:-1])
    fail("LZ4: the stored size of a Hadoop block is beyond the page", LZ4, lambda data: lz4.hadoop(data)[:-1])
    fail("LZ4: the sizes before the block are little-endian", LZ4,
         lambda data: struct.pack("<II", len(data), len(lz4.block(data))) + lz4.block(data))
    fail("LZO: a match from before the beginning", LZO, lambda data: lzo.literals(data[:4]) + lzo.match(5, 34) + lzo.END)
    fail("LZO: the end marker is missing", LZO, lambda data: lzo.literals(data))
    c.fail("GZIP: the values of a v2 page, after its levels, are no stream",
           nullable(chunk(V2(), codec=GZIP, compress=lambda data: b"\0" + data)), Stored(FIRST, plus=2))
    c.fail("GZIP: the levels of a v1 page are before the stream instead of in it",
           nullable(chunk(V1(), codec=GZIP, compress=lambda data: data[:6] + gzip.compress(data[6:]))), HERE)
    c.fail("GZIP: the dictionary page is not compressed",
           flat(chunk(Dictionary([1, 2, 3], stored=DATA), V1(encoding=RLE_DICTIONARY), codec=GZIP)), HERE)
    c.ok("GZIP: one member", packed(GZIP, gzip.compress))
    c.ok("SNAPPY: literals and copies", column(required("a", INT32), [7] * 40, chunk(V1(), codec=SNAPPY)))
    c.ok("ZSTD: one frame", packed(ZSTD, zstd.compress))
    c.ok("BROTLI: one stream", packed(BROTLI, brotli.compress))
    c.ok("LZ4_RAW: one block", packed(LZ4_RAW, lz4.block))
    c.ok("GZIP: a dictionary page and a v2 page",
         flat(chunk(Dictionary([1, 2, 3]), V2(encoding=RLE_DICTIONARY), codec=GZIP)))


def trailing(c):
    c.rule("compression/trailing-bytes")

    def fail(about, codec, unedited, tail, page=V1):
        c.fail(about, packed(codec, lambda data: unedited(data) + tail, page), Stored(FIRST, plus=len(unedited(DATA))),
               *WARNED.get(codec, ()))

    for about, page in (("v1", V1), ("v2", V2)):
        fail(f"GZIP: two bytes after the member, {about}", GZIP, gzip.compress, b"\0\0", page)
    fail("ZSTD: four bytes after the frame", ZSTD, zstd.compress, b"\0\0\0\0")
    fail("SNAPPY: an element after the last", SNAPPY, snappy.compress, snappy.literal(b"x"))
    fail("BROTLI: a byte after the stream", BROTLI, brotli.compress, b"\0")
    fail("LZO: a byte after the end marker", LZO, lzo.compress, b"\0")
    c.ok("GZIP: the stream ends with the section", packed(GZIP, gzip.compress))
    c.ok("ZSTD: the stream ends with the section", packed(ZSTD, zstd.compress))
    c.ok("SNAPPY: the stream ends with the section", packed(SNAPPY, snappy.compress))
    c.ok("BROTLI: the stream ends with the section", packed(BROTLI, brotli.compress))


def several(c):
    c.rule("compression/gzip-members", found="2")
    half = len(gzip.member(DATA[:5]))
    both = {"codec": GZIP, "compress": lambda data: gzip.member(data[:5]) + gzip.member(data[5:])}
    c.fail("two members in a page", flat(Chunk(**both)), Stored(FIRST, plus=half))
    c.fail("two members in a v2 page", flat(chunk(V2(), **both)), Stored(FIRST, plus=half))
    c.fail("two members in a dictionary page", flat(chunk(
        Dictionary([1, 2, 3], stored=both["compress"](DATA)), V1(encoding=RLE_DICTIONARY), codec=GZIP)), Stored(FIRST, plus=half))
    c.fail("an empty member between two others", flat(Chunk(codec=GZIP, compress=lambda data: (
        gzip.member(data[:5]) + gzip.member(b"") + gzip.member(data[5:], gzip.literals)))), Stored(FIRST, plus=half), found="3")
    c.fail("an empty member after the first", flat(Chunk(codec=GZIP, compress=lambda data: (
        gzip.member(data) + gzip.member(b"")))), Stored(FIRST, plus=len(gzip.member(DATA))))
    c.ok("one member in each of two pages", flat(chunk(V1(1), V1(), codec=GZIP)))
    c.ok("one member of two deflate blocks", flat(Chunk(codec=GZIP, compress=lambda data: gzip.member(
        data, lambda intact: b"\0" + gzip.stored(intact[:5])[1:] + gzip.stored(intact[5:])))))

    c.rule("compression/zstd-frames", found="2")
    c.fail("two frames in a page", packed(ZSTD, lambda data: zstd.compress(data[:7]) + zstd.compress(data[7:])),
           Stored(FIRST, plus=len(zstd.compress(DATA[:7]))))
    c.fail("two frames without content size in a v2 page",
           packed(ZSTD, lambda data: zstd.frame(zstd.block(data[:7])) + zstd.frame(zstd.block(data[7:])), V2),
           Stored(FIRST, plus=len(zstd.frame(zstd.block(DATA[:7])))))
    c.fail("a skippable frame before the other", packed(ZSTD, lambda data: zstd.skippable(b"abc") + zstd.compress(data)), HERE, length=len(zstd.skippable(b"abc")))
    c.fail("a skippable frame after the other", packed(ZSTD, lambda data: zstd.compress(data) + zstd.skippable(b"", 15)),
           Stored(FIRST, plus=len(zstd.compress(DATA))))
    c.ok("one frame of two blocks", packed(ZSTD, lambda data: zstd.frame(
        zstd.block(data[:7], last=False), zstd.block(data[7:]), content_size=len(data))))

    c.rule("compression/zstd-window", found="150994944")
    c.fail("a window of 2^27 bytes and an eighth", packed(ZSTD, lambda data: zstd.frame(zstd.block(data), window=(17, 1))), Stored(FIRST, plus=5))
    c.fail("a window of 2^41 bytes and seven eighths in a v2 page", packed(ZSTD, lambda data: zstd.frame(zstd.block(data), window=(31, 7)), V2),
           Stored(FIRST, plus=5), found="4123168604160")
    first = len(zstd.compress(DATA[:7]))
    c.fail("the window of the second frame", packed(ZSTD, lambda data: zstd.compress(data[:7]) + zstd.frame(zstd.block(data[7:]), window=(18, 0))),
           Stored(FIRST, plus=first + 5), found="268435456")
    c.ok("a window of 2^27 bytes", packed(ZSTD, lambda data: zstd.frame(zstd.block(data), window=(17, 0))))


def discouraged(c):
    c.rule("compression/lz4-deprecated")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"a {about} page under LZ4", flat(chunk(page(), codec=LZ4)), CODEC)
    c.fail("the second of two columns is under LZ4; at tier footer", two([None, Chunk(codec=LZ4)]),
           V("row_groups[0].columns[1].meta_data.codec"), tier="footer")
    c.fail("a page of nulls under LZ4, its stream expands to nothing", nullable(chunk(V2(), codec=LZ4), [None]), CODEC)
    c.fail("a page without entries under LZ4 stores nothing", flat(chunk(V1(), V1(0, stored=b""), codec=LZ4)), CODEC)
    c.ok("LZ4_RAW", flat(Chunk(codec=LZ4_RAW)))
    c.ok("LZ4 under the historical profile", flat(Chunk(codec=LZ4)), profile="historical")

    warned = WARNED[LZ4]
    c.rule("compression/lz4-frame")
    c.fail("a frame", packed(LZ4, lz4.frame), HERE, *warned)
    c.fail("a frame after the levels of a v2 page", nullable(chunk(V2(), codec=LZ4, compress=lz4.frame)),
           Stored(FIRST, plus=2), *warned)
    c.fail("a frame that expands to nothing", nullable(chunk(V2(), codec=LZ4, compress=lz4.frame), [None]),
           Stored(FIRST, plus=2), *warned)
    c.ok("a bare block", packed(LZ4, lz4.block), *warned)
    c.ok("a Hadoop block", packed(LZ4, lz4.hadoop), *warned)

    c.rule("compression/lz4-layout", found="a bare LZ4 block")
    c.fail("a bare block", packed(LZ4, lz4.block), HERE, *warned)
    c.fail("a bare block after the levels of a v2 page", nullable(chunk(V2(), codec=LZ4, compress=lz4.block)),
           Stored(FIRST, plus=2), *warned)
    c.fail("a bare block that expands to nothing", nullable(chunk(V2(), codec=LZ4, compress=lz4.block), [None]),
           Stored(FIRST, plus=2), *warned)
    c.ok("a Hadoop block", packed(LZ4, lz4.hadoop), *warned)
    c.ok("two Hadoop blocks", packed(LZ4, lambda data: lz4.hadoop(data[:5]) + lz4.hadoop(data[5:])), *warned)
    c.ok("a Hadoop block of two parts", packed(LZ4, lambda data: lz4.hadoop(data, data[:5], data[5:])), *warned)
    c.ok("a Hadoop block that expands to nothing", nullable(chunk(V2(), codec=LZ4), [None]), *warned)
    c.ok("a Hadoop block of nothing, without a part", nullable(chunk(V2(), codec=LZ4, compress=lambda data: bytes(4)), [None]),
         *warned)

    c.rule("compression/lzo")
    for about, compress in (("a bare stream", lzo.compress), ("a Hadoop block", lzo.hadoop)):
        c.fail(f"{about}, v1", packed(LZO, compress), CODEC)
        c.fail(f"{about}, v2", packed(LZO, compress, V2), CODEC)
        c.fail(f"{about} that expands to nothing", nullable(chunk(V2(), codec=LZO, compress=compress), [None]), CODEC)
    c.fail("a match that overlaps itself", column(required("a", INT32), [7] * 40, chunk(
        V1(), codec=LZO, compress=lambda data: lzo.literals(data[:4]) + lzo.match(4, len(data) - 4) + lzo.END)), CODEC)
    c.fail("the second of two columns is under LZO; at tier footer", two([None, Chunk(codec=LZO)]),
           V("row_groups[0].columns[1].meta_data.codec"), tier="footer")
    c.ok("GZIP", flat(Chunk(codec=GZIP)))
    c.ok("LZO under the historical profile", packed(LZO, lzo.compress), profile="historical")
