"""Compressed streams (Compression.md), of each codec."""

import struct
import zlib

from ..compression import brotli, gzip, lz4, lzo, snappy, zstd
from ..golden import Streams

DATA = struct.pack("<3i", 1, 2, 3)
TWELVE = 12  # bytes of DATA
SEVENS = b"\7\0\0\0" * 40
LONG = bytes(index % 251 for index in range(300))


def vectors():
    v = Streams()
    for codec, name, compress in (("SNAPPY", "snappy", snappy.compress), ("GZIP", "gzip", gzip.compress), ("LZO", "lzo", lzo.compress),
                                  ("BROTLI", "brotli", brotli.compress), ("LZ4", "lz4", lz4.hadoop), ("ZSTD", "zstd", zstd.compress),
                                  ("LZ4_RAW", "lz4-raw", lz4.block)):
        v.of(codec)
        common(v, name, compress)
        globals()["of_" + name.replace("-", "_")](v)
    return [v]


def common(v, name, compress):
    """What every codec has to do."""
    v.image(f"{name}-twelve", compress(DATA), DATA)
    v.image(f"{name}-empty", compress(b""), b"", note="a stream that expands to nothing")
    v.image(f"{name}-one", compress(b"x"), b"x")
    v.image(f"{name}-long", compress(LONG), LONG)
    whole = compress(DATA)
    v.reject(f"{name}-cut", whole[:-1], TWELVE)
    v.reject(f"{name}-image-too-short", whole, TWELVE + 1, "page/uncompressed-size", bugs="CompressedSize")
    v.reject(f"{name}-image-too-long", whole, TWELVE - 1, "page/uncompressed-size", bugs="CompressedSize")
    if not name.startswith("lz4"):
        v.reject(f"{name}-behind", whole + b"\0", TWELVE, "compression/trailing-bytes", len(whole), bugs="CompressedTooLong")
        if name == "snappy":
            v.reject(f"{name}-not-compressed", DATA, TWELVE, "page/uncompressed-size", also=[("compression/trailing-bytes", 3)],
                     bugs="NotCompressed", note="by chance the bytes begin with a stream of one byte")
        else:
            v.reject(f"{name}-not-compressed", DATA, TWELVE, bugs="NotCompressed")


def of_snappy(v):
    v.image("snappy-copies", snappy.compress(SEVENS), SEVENS, note="copies that overlap what they copy")
    parts = snappy.literal(LONG[:40])
    v.image("snappy-short-copy", snappy.stream(51, parts, snappy.short_copy(40, 11)), LONG[:40] + LONG[:11])
    v.image("snappy-long-copy", snappy.stream(104, parts, snappy.long_copy(40, 64)), (LONG[:40] * 3)[:104])
    v.image("snappy-copy-of-1", snappy.stream(41, parts, snappy.copy(1, 1)), LONG[:40] + LONG[39:40])
    v.image("snappy-literals", snappy.stream(61, snappy.literal(LONG[:60]), snappy.literal(b"x")), LONG[:60] + b"x",
            note="the longest literal whose length stands in the tag")
    v.image("snappy-literal-61", snappy.stream(61, snappy.literal(LONG[:61])), LONG[:61], note="the length takes a byte of its own")
    for what, offset in (("0", 0), ("5", 5)):
        v.reject(f"snappy-offset-{what}", snappy.stream(12, snappy.literal(DATA[:4]), snappy.copy(offset, 8)), TWELVE,
                 note="a copy from before the beginning" if offset else "a copy of what is not there yet")
    v.reject("snappy-element-too-long", snappy.stream(11, snappy.literal(DATA)), 11)
    v.reject("snappy-framed", b"\xff\6\0\0sNaPpY\1\x10\0\0" + bytes(4) + DATA, TWELVE, "compression/format",
             note="the framing format, which is another one")


def of_gzip(v):
    v.image("gzip-fixed-code", gzip.member(LONG, gzip.literals), LONG, note="literals in the fixed code")
    v.image("gzip-matches", gzip.member(b"\0" * 1000, gzip.repeated), b"\0" * 1000, note="matches of 258 bytes from one byte back")
    v.image("gzip-name", gzip.member(DATA, flags=8, optional=b"page\0"), DATA, note="the header has a file name")
    v.image("gzip-extra", gzip.member(DATA, flags=4, optional=b"\3\0abc"), DATA, note="the header has an extra field")
    first = gzip.member(DATA[:5])
    several = [("compression/gzip-members", len(first))]
    v.image("gzip-two-members", first + gzip.member(DATA[5:]), DATA, warnings=several)
    v.image("gzip-empty-member", first + gzip.member(b"") + gzip.member(DATA[5:]), DATA, warnings=several)
    v.reject("gzip-crc", gzip.member(DATA, crc=1), TWELVE)
    v.reject("gzip-size", gzip.member(DATA, size=13), TWELVE, note="the size in the trailer")
    v.reject("gzip-second-member-cut", first + gzip.member(DATA[5:])[:-1], TWELVE)
    v.reject("gzip-zlib", b"\x78\x01" + gzip.stored(DATA) + zlib.adler32(DATA).to_bytes(4, "big"), TWELVE, "compression/format",
             note="a zlib stream")
    v.reject("gzip-deflate", gzip.stored(DATA), TWELVE, "compression/format", note="deflate without a member around it")


def of_lzo(v):
    v.image("lzo-match", lzo.literals(SEVENS[:4]) + lzo.match(4, 156) + lzo.END, SEVENS, note="a match that overlaps itself")
    v.image("lzo-short-match", lzo.literals(LONG[:20]) + lzo.short_match(20, 8, b"xyz") + lzo.END, LONG[:20] + LONG[:8] + b"xyz",
            note="three literals belong to the match")
    v.image("lzo-hadoop", lzo.hadoop(DATA), DATA, note="in Hadoop's blocks")
    v.reject("lzo-distance-5", lzo.literals(DATA[:4]) + lzo.match(5, 34) + lzo.END, 38)
    v.reject("lzo-no-end", lzo.literals(DATA), TWELVE)


def of_brotli(v):
    v.image("brotli-metadata", brotli.metadata(b"no part of the image"), b"")
    v.reject("brotli-window", b"\x11" + DATA, TWELVE, note="a window of a size that is reserved")


def of_lz4(v):
    v.image("lz4-two-blocks", lz4.hadoop(DATA[:5]) + lz4.hadoop(DATA[5:]), DATA)
    v.image("lz4-two-parts", lz4.hadoop(DATA, DATA[:5], DATA[5:]), DATA)
    v.image("lz4-nothing", bytes(4), b"", note="a block of nothing, without a part")
    v.allow("lz4-bare", lz4.block(DATA), DATA.hex(), options={"size": TWELVE}, bugs="Lz4Layouts", note="a bare block")
    v.allow("lz4-frame", lz4.frame(DATA), DATA.hex(), options={"size": TWELVE}, bugs="Lz4Layouts", note="a frame")
    v.reject("lz4-little-endian", struct.pack("<II", 12, len(lz4.block(DATA))) + lz4.block(DATA), TWELVE, bugs="Lz4Layouts",
             note="the sizes before the block have their lowest byte first")


def of_zstd(v):
    v.image("zstd-window", zstd.frame(zstd.block(DATA)), DATA, note="a frame that does not state the size of its image")
    v.image("zstd-two-blocks", zstd.frame(zstd.block(DATA[:7], last=False), zstd.block(DATA[7:]), content_size=TWELVE), DATA)
    v.image("zstd-repeated", zstd.frame(zstd.repeated(7, 1000), content_size=1000), b"\7" * 1000, note="a block that repeats a byte")
    v.image("zstd-literals", zstd.frame(zstd.compressed(DATA), content_size=TWELVE), DATA, note="a compressed block of literals alone")
    v.image("zstd-one-literal", zstd.frame(zstd.compressed((7, 31)), content_size=31), b"\7" * 31, note="31 literals stored as one byte")
    v.image("zstd-match", zstd.frame(zstd.compressed(DATA[:4], 4, 34), content_size=38), (DATA[:4] * 10)[:38],
            note="a match that overlaps itself")
    v.image("zstd-two-frames", zstd.compress(DATA[:7]) + zstd.compress(DATA[7:]), DATA)
    v.image("zstd-skippable", zstd.skippable(b"abc") + zstd.compress(DATA) + zstd.skippable(b"", 15), DATA)
    v.reject("zstd-magic", b"\x27" + zstd.compress(DATA)[1:], TWELVE)
    v.reject("zstd-reserved", zstd.frame((TWELVE << 3 | 7).to_bytes(3, "little") + DATA, content_size=TWELVE), TWELVE,
             note="a block of the reserved type")
    v.reject("zstd-content-size", zstd.frame(zstd.block(DATA), content_size=13), 13)
    v.reject("zstd-gzip", gzip.compress(DATA), TWELVE, "compression/format", note="a gzip member")


def of_lz4_raw(v):
    v.image("lz4-raw-match", lz4.sequence(SEVENS[:4], 4, 151) + lz4.sequence(SEVENS[155:]), SEVENS, note="a match that overlaps itself")
    v.image("lz4-raw-long-literals", lz4.block(LONG[:15]), LONG[:15], note="the length of the literals takes another byte, which is 0")
    v.reject("lz4-raw-offset-0", lz4.sequence(DATA[:3], 0, 4) + lz4.sequence(DATA[7:]), TWELVE)
    v.reject("lz4-raw-offset-4", lz4.sequence(DATA[:3], 4, 4) + lz4.sequence(DATA[7:]), TWELVE, note="a match from before the beginning")
    v.reject("lz4-raw-frame", lz4.frame(DATA), TWELVE, "compression/format", bugs="Lz4Layouts")
    v.reject("lz4-raw-hadoop", lz4.hadoop(DATA), TWELVE, "compression/format", bugs="Lz4Layouts")
