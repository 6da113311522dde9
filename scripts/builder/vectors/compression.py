"""Compressed streams (Compression.md), of each codec."""

import base64
import hashlib
import pathlib
import struct
import zlib

from builder.codec import checksums
from builder.codec.compression import brotli, decompress, gzip, lz4, lzo, snappy, zstd
from builder.codec.cursor import Cursor
from builder.codec.metadata import BROTLI, ZSTD
from builder.vectors import stream_copies, stream_frames
from builder.vectors.golden import Streams

CODECS = {"brotli": BROTLI, "zstd": ZSTD}
DATA = struct.pack("<3i", 1, 2, 3)
TWELVE = 12  # bytes of DATA
MAGIC = b"\x28\xb5\x2f\xfd"  # of a Zstandard frame
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
    stream_copies.add(v)
    stream_frames.add(v)
    return [v]


def common(v, name, compress):
    """The common vectors of all codecs."""
    v.image(f"{name}-twelve", compress(DATA), DATA)
    v.image(f"{name}-empty", compress(b""), b"", note="a stream that expands to nothing")
    v.image(f"{name}-one", compress(b"x"), b"x")
    v.image(f"{name}-long", compress(LONG), LONG)
    intact = compress(DATA)
    v.reject(f"{name}-cut", intact[:-1], TWELVE)
    v.reject(f"{name}-image-too-short", intact, TWELVE + 1, "page/uncompressed-size", bugs="CompressedSize")
    v.reject(f"{name}-image-too-long", intact, TWELVE - 1, "page/uncompressed-size", bugs="CompressedSize")
    if not name.startswith("lz4"):
        v.reject(f"{name}-trailing-byte", intact + b"\0", TWELVE, "compression/trailing-bytes", len(intact), bugs="CompressedTooLong")
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
    intact = snappy.literal(LONG)
    v.image("snappy-short-copy-300", snappy.stream(304, intact, snappy.short_copy(300, 4)), LONG + LONG[:4], note="the offset takes more than eight bits")
    v.image("snappy-copy-300", snappy.stream(364, intact, snappy.copy(300, 64)), LONG + LONG[:64])
    v.image("snappy-long-copy-300", snappy.stream(365, intact, snappy.long_copy(300, 64), snappy.literal(b"x")), LONG + LONG[:64] + b"x")
    v.image("snappy-copy-of-1", snappy.stream(41, parts, snappy.copy(1, 1)), LONG[:40] + LONG[39:40])
    v.image("snappy-literals", snappy.stream(61, snappy.literal(LONG[:60]), snappy.literal(b"x")), LONG[:60] + b"x",
            note="the longest literal whose length is in the tag")
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
    v.image("gzip-dynamic-code", gzip.member(b"x" * 100, gzip.dynamic), b"x" * 100, note="a code of its own, in which x takes a bit")
    v.image("gzip-name", gzip.member(DATA, flags=8, optional=b"page\0"), DATA, note="the header has a file name")
    v.image("gzip-extra", gzip.member(DATA, flags=4, optional=b"\3\0abc"), DATA, note="the header has an extra field")
    v.image("gzip-comment", gzip.member(DATA, flags=16, optional=b"a page\0"), DATA, note="the header has a comment")
    checked = b"\x1f\x8b\x08\2\0\0\0\0\0\xff"
    v.image("gzip-header-crc", gzip.member(DATA, flags=2, optional=struct.pack("<H", zlib.crc32(checked) & 0xFFFF)), DATA,
            note="the header has a checksum of its own")
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
    head = lzo.literals(LONG[:20])
    v.image("lzo-shortest-match", head + lzo.short_match(1, 3) + lzo.END, LONG[:20] + LONG[19:20] * 3, note="three bytes from one byte back")
    v.image("lzo-middle-match", head + lzo.middle_match(20, 33, b"x") + lzo.END, (LONG[:20] * 2)[:53 - 13] + LONG[:13] + b"x")
    v.image("lzo-pair", head + lzo.short_match(20, 8, b"x") + lzo.pair(7, b"yz") + lzo.pair(1) + lzo.END,
            LONG[:20] + LONG[:8] + b"x" + LONG[2:4] + b"yz" + b"zz", note="matches of two bytes, after the literals of a match")
    v.image("lzo-run", head + lzo.short_match(20, 8) + lzo.run(LONG[40:44]) + lzo.short_match(1, 3) + lzo.run(LONG[50:90]) + lzo.END,
            LONG[:20] + LONG[:8] + LONG[40:44] + LONG[43:44] * 3 + LONG[50:90], note="runs of literals after matches, short and long")
    v.image("lzo-first-literals", bytes([17 + 3]) + b"abc" + lzo.pair(3) + lzo.END, b"abcab", note="three literals at the beginning, then a pair")
    far = bytes(index * 7 % 256 for index in range(256)) * 9
    v.image("lzo-triple", lzo.literals(far) + lzo.pair(2050, b"x", 2049) + lzo.END, far + far[-2050:-2047] + b"x",
            note="three bytes from 2050 bytes back, after a run of literals")
    v.image("lzo-far", lzo.literals(LONG[:100]) + lzo.match(100, 288) * 57 + lzo.far_match(16385, 9, b"x") + lzo.END,
            (LONG[:100] * 166)[:100 + 288 * 57] + (LONG[:100] * 166)[100 + 288 * 57 - 16385:][:9] + b"x", note="nine bytes from 16,385 bytes back")
    v.image("lzo-hadoop", lzo.hadoop(DATA), DATA, note="in Hadoop's blocks")
    v.reject("lzo-distance-5", lzo.literals(DATA[:4]) + lzo.match(5, 34) + lzo.END, 38)
    v.reject("lzo-no-end", lzo.literals(DATA), TWELVE)


def of_brotli(v):
    v.image("brotli-window-22", b"\x3b", b"", note="the empty stream with a window of 22 bits, as encoders write it")
    v.image("brotli-metadata", brotli.metadata(b"no part of the image"), b"")
    v.reject("brotli-window", b"\x11" + DATA, TWELVE, note="a window of a size that is reserved")

    recorded(v, "brotli")


def of_lz4(v):
    v.image("lz4-two-blocks", lz4.hadoop(DATA[:5]) + lz4.hadoop(DATA[5:]), DATA)
    v.image("lz4-two-parts", lz4.hadoop(DATA, DATA[:5], DATA[5:]), DATA)
    v.image("lz4-nothing", bytes(4), b"", note="a block of nothing, without a part")
    v.allow("lz4-bare", lz4.block(DATA), DATA.hex(), options={"size": TWELVE}, bugs="Lz4Layouts", note="a bare block")
    v.allow("lz4-frame", lz4.frame(DATA), DATA.hex(), [("compression/lz4-frame", 0)], options={"size": TWELVE}, bugs="Lz4Layouts", note="a frame")
    v.reject("lz4-little-endian", struct.pack("<II", 12, len(lz4.block(DATA))) + lz4.block(DATA), TWELVE, bugs="Lz4Layouts",
             note="the sizes before the block have their lowest byte first")


def of_zstd(v):
    v.image("zstd-window", zstd.frame(zstd.block(DATA)), DATA, note="a frame that does not state the size of its image")
    v.image("zstd-two-blocks", zstd.frame(zstd.block(DATA[:7], last=False), zstd.block(DATA[7:]), content_size=TWELVE), DATA)
    v.image("zstd-repeated", zstd.frame(zstd.repeated(7, 1000), content_size=1000), b"\7" * 1000, note="a block that repeats a byte")
    for size, head in ((4, b"\xa0" + struct.pack("<I", TWELVE)), (8, b"\xe0" + struct.pack("<Q", TWELVE))):
        v.image(f"zstd-size-of-{size}-bytes", MAGIC + head + zstd.block(DATA), DATA, note=f"the size of the image takes {size} bytes")
    v.image("zstd-dictionary-0", MAGIC + b"\x21\0" + bytes([TWELVE]) + zstd.block(DATA), DATA, note="dictionary 0, which means none")
    right = struct.pack("<I", checksums.xxh64(DATA) & 0xFFFFFFFF)
    v.image("zstd-checksum", MAGIC + b"\x24" + bytes([TWELVE]) + zstd.block(DATA) + right, DATA)
    v.reject("zstd-checksum-wrong", MAGIC + b"\x24" + bytes([TWELVE]) + zstd.block(DATA) + struct.pack("<I", 1), TWELVE)
    v.image("zstd-two-frames", zstd.compress(DATA[:7]) + zstd.compress(DATA[7:]), DATA)
    v.image("zstd-skippable", zstd.skippable(b"abc") + zstd.compress(DATA) + zstd.skippable(b"", 15), DATA)
    v.reject("zstd-magic", b"\x27" + zstd.compress(DATA)[1:], TWELVE)
    v.reject("zstd-reserved", zstd.frame((TWELVE << 3 | 7).to_bytes(3, "little") + DATA, content_size=TWELVE), TWELVE,
             note="a block of the reserved type")
    v.reject("zstd-content-size", zstd.frame(zstd.block(DATA), content_size=13), 13)
    v.reject("zstd-gzip", gzip.compress(DATA), TWELVE, "compression/format", note="a gzip member")
    recorded(v, "zstd")


def recorded(v, codec):
    """The streams of recorded_streams.tsv; the builder's decoder has to agree with the stated image."""
    for name, size, digest, note, _, data in streams():
        if not name.startswith(codec):
            continue
        if digest == "-":
            v.reject(name, data, size, note=note)
            continue
        image = decompress(Cursor(data), CODECS[codec], size)
        if hashlib.sha256(image).hexdigest()[:16] != digest:
            raise AssertionError(f"{name}: another image than the one that is recorded")
        v.image(name, data, image, note=note)


def streams():
    """(id, size of the image, the beginning of its SHA-256 or "-", note or None, origin, stream) of each row."""
    for line in pathlib.Path(__file__).with_name("recorded_streams.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, size, digest, note, made_of, data = line.split("\t")
            yield name, int(size), digest, note or None, made_of, base64.b64decode(data)


def of_lz4_raw(v):
    v.image("lz4-raw-match", lz4.sequence(SEVENS[:4], 4, 151) + lz4.sequence(SEVENS[155:]), SEVENS, note="a match that overlaps itself")
    for size in (14, 15, 269, 270):
        v.image(f"lz4-raw-literals-{size}", lz4.block(LONG[:size]), LONG[:size])
    for size in (18, 19, 273, 274):
        v.image(f"lz4-raw-match-{size}", lz4.sequence(LONG[:30], 30, size) + lz4.sequence(b"12345"), (LONG[:30] * 11)[:30 + size] + b"12345")
    v.reject("lz4-raw-offset-0", lz4.sequence(DATA[:3], 0, 4) + lz4.sequence(DATA[7:]), TWELVE)
    v.reject("lz4-raw-offset-4", lz4.sequence(DATA[:3], 4, 4) + lz4.sequence(DATA[7:]), TWELVE, note="a match from before the beginning")
    v.reject("lz4-raw-frame", lz4.frame(DATA), TWELVE, "compression/format", bugs="Lz4Layouts")
    v.reject("lz4-raw-hadoop", lz4.hadoop(DATA), TWELVE, "compression/format", bugs="Lz4Layouts")
