"""The framing of compressed blocks: members of GZIP, frames of Zstandard and LZ4, Hadoop's blocks; and blocks of deflate."""

import struct
import zlib

from builder.codec import checksums
from builder.codec.compression import deflate, gzip, lz4, zstd
from builder.codec.compression.bits import Writer
from builder.codec.compression.prefix_code import Code
from builder.vectors.stream_copies import DATA, HEAD, TAIL, image_of, lz4_of

SIZE = len(DATA)
TEXT = list(b"a page of values, ") + [(9, 9), 46, (30, 11), *b"values of a page", (258, 40), (3, 300), 33]
MAGIC = b"\x28\xb5\x2f\xfd"
ALL = 2 | 4 | 8 | 16  # fields of a GZIP header


def add(v):
    v.of("GZIP")
    of_gzip(v)
    of_deflate(v)
    v.of("ZSTD")
    of_zstd(v)
    v.of("LZ4")
    of_hadoop(v)
    of_lz4_frame(v)


def optional(flags):
    """The optional fields of these flags."""
    out = (b"\4\0ab\1\0" if flags & 4 else b"") + (b"page\0" if flags & 8 else b"") + (b"of values\0" if flags & 16 else b"")
    return out + struct.pack("<H", zlib.crc32(b"\x1f\x8b\x08" + bytes([flags]) + b"\0\0\0\0\0\xff" + out) & 0xFFFF)


def of_gzip(v):
    v.image("gzip-all-fields", gzip.member(DATA, flags=ALL, optional=optional(ALL)), DATA, note="extra field, name, comment and checksum of the header")
    # A decompressor may ignore this checksum (RFC 1952, 2.3.1.2).
    wrong = gzip.member(DATA, flags=2, optional=b"\0\0")
    v.reject("gzip-header-crc-wrong", wrong, SIZE, readable=True, note="the checksum of the header")
    v.reject("gzip-header-crc-wrong-after-fields", gzip.member(DATA, flags=ALL, optional=optional(ALL)[:-1] + b"\0"), SIZE, readable=True)
    v.reject("gzip-header-crc-wrong-later", gzip.member(DATA) + gzip.member(DATA) + wrong, 3 * SIZE, readable=True, note="in the third member")
    v.image("gzip-text", gzip.member(DATA, flags=1), DATA, note="the flag for text, which has no effect")
    for bit in (5, 6, 7):
        v.reject(f"gzip-reserved-flag-{bit}", gzip.member(DATA, flags=1 << bit), SIZE)
    intact = gzip.member(DATA)
    v.reject("gzip-method-7", intact[:2] + b"\7" + intact[3:], SIZE)
    for flags, name, fields in ((8, "name", b"page"), (16, "comment", b"page"), (4, "extra", b"\xff\xff")):
        v.reject(f"gzip-{name}-without-end", intact[:3] + bytes([flags]) + intact[4:10] + fields, SIZE)
    for cut in (4, 8):
        v.reject(f"gzip-trailer-cut-{cut}", intact[:-cut], SIZE, note=f"{cut} bytes of the trailer are missing")


def of_deflate(v):
    def member(name, body, image, note):
        v.image(f"gzip-{name}", gzip.member(image, lambda _: body), image, note=note)

    image = deflate.image_of(TEXT)
    member("distances", deflate.blocks(TEXT), image, "a code of its own for literals, lengths and distances")
    member("two-codes", deflate.blocks(TEXT, list(b"xyz") + [(5, 330), (3, 2)]), deflate.image_of([*TEXT, *b"xyz", (5, 330), (3, 2)]),
           "two blocks, each with a code of its own; matches reach into the first")
    member("kinds-of-blocks", deflate.blocks(TEXT, DATA, [(12, 12)]), image + DATA * 2, "a stored block between two others")
    out = Writer()
    deflate.block(out, TEXT, last=False), deflate.stored(out), deflate.block(out, TEXT)
    member("flush", out.bytes(), image * 2, "a flush between two blocks: a stored one of nothing")
    every = list(TAIL) + [(length, 100) for length in range(3, 259, 9)] + [(3, distance) for distance in range(1, 3600, 61)]
    member("lengths", deflate.blocks(every), deflate.image_of(every), "lengths and distances with all their numbers of bits")
    longest = Code({symbol: size for symbol, size in zip([*b"abcdefghijklmn", deflate.END, 260], [*range(1, 15), 15, 15])})
    deep, out = list(b"aabanmlk") + [(6, 3), 98], Writer()
    deflate.block(out, deep, literals=longest)
    member("15-bits", out.bytes(), deflate.image_of(deep), "codes of 1 to 15 bits")
    v.reject("gzip-block-3", gzip.member(DATA, lambda _: b"\7" + gzip.stored(DATA)), SIZE, note="a block of the reserved type")
    v.reject("gzip-block-3-late", gzip.member(image, lambda _: gzip.stored(image)[:1].replace(b"\1", b"\0") + gzip.stored(image)[1:] + b"\7"),
             len(image), note="a block of the reserved type, after a valid one")
    stored = gzip.stored(DATA)
    v.reject("gzip-stored-length", gzip.member(DATA, lambda _: stored[:3] + b"\0" + stored[4:]), SIZE, note="a length that its complement contradicts")
    v.reject("gzip-no-last-block", gzip.member(DATA, lambda _: b"\0" + stored[1:]), SIZE, note="the trailer is in the place of a block")
    out = Writer()
    deflate.block(out, list(TAIL), last=False), out.put(3, 3), out.code(1, 7), out.code(6, 5), out.put(3, 2)
    v.reject("gzip-distance-too-far", gzip.member(TAIL, lambda _: out.bytes() + bytes(9)), 200, note="a match from before the beginning, after 100 valid bytes")


def of_zstd(v):
    block = zstd.block(DATA)
    # Decoders support windows of 8 MiB at least, and may reject larger ones (RFC 8878, 3.1.1.1.2).
    for exponent, eighths in ((0, 7), (11, 0), (13, 0)):
        v.image(f"zstd-window-{exponent + 10}-{eighths}", zstd.frame(block, window=(exponent, eighths)), DATA,
                note=f"a window of 2^{exponent + 10} bytes and {eighths} eighths")
    for exponent, eighths in ((13, 1), (17, 0), (21, 7), (22, 0), (31, 7)):
        v.allow(f"zstd-window-{exponent + 10}-{eighths}", zstd.frame(block, window=(exponent, eighths)), DATA.hex(),
                [("compression/zstd-window", 5)] if exponent > 17 else [], options={"size": SIZE},
                note=f"a window of 2^{exponent + 10} bytes and {eighths} eighths")
    vast = MAGIC + b"\x04\xff" + block
    v.allow("zstd-vast-window-checksum", vast + struct.pack("<I", checksums.xxh64(DATA) & 0xFFFFFFFF), DATA.hex(),
            [("compression/zstd-window", 5)], options={"size": SIZE})
    v.reject("zstd-vast-window-checksum-wrong", vast + struct.pack("<I", 1), SIZE)
    v.reject("zstd-vast-window-cut", MAGIC + b"\0\xff" + block[:-1], SIZE)
    v.image("zstd-unused-bit", MAGIC + b"\x30" + bytes([SIZE]) + block, DATA, note="the bit of the frame header that decoders ignore")
    v.reject("zstd-reserved-bit", MAGIC + b"\x28" + bytes([SIZE]) + block, SIZE, note="the bit of the frame header that has to be 0")
    for size in (1, 2, 4):
        head = bytes([0x20 | size.bit_length()])
        v.reject(f"zstd-dictionary-of-{size}-bytes", MAGIC + head + (7).to_bytes(size, "little") + bytes([SIZE]) + block, SIZE, note="dictionary 7, which no page has")
    v.image("zstd-dictionary-0-of-4-bytes", MAGIC + b"\x23" + bytes(4) + bytes([SIZE]) + block, DATA, note="dictionary 0 in four bytes, which means none")
    between = zstd.compress(DATA[:7]) + zstd.skippable(b"between", 9) + zstd.compress(DATA[7:])
    v.image("zstd-skippable-between", between, DATA)
    v.image("zstd-skippable-alone", zstd.skippable(b"alone"), b"", note="a skippable frame and no other")
    for cut, what in ((3, "bytes"), (10, "size")):
        v.reject(f"zstd-skippable-cut-{what}", zstd.compress(DATA) + zstd.skippable(b"behind")[:-cut], SIZE)
    v.reject("zstd-no-last-block", zstd.frame(zstd.block(DATA, last=False), content_size=SIZE), SIZE)
    right = struct.pack("<I", checksums.xxh64(DATA) & 0xFFFFFFFF)
    for cut in (1, 4):
        v.reject(f"zstd-checksum-cut-{cut}", MAGIC + b"\x24" + bytes([SIZE]) + block + right[:-cut], SIZE)
    v.image("zstd-repeated-0", zstd.frame(zstd.repeated(7, 0, last=False), block, content_size=SIZE), DATA, note="a block that repeats a byte not once")
    v.image("zstd-repeated-1024", zstd.frame(zstd.repeated(7, 1024, last=False), zstd.repeated(8, 1024)), b"\7" * 1024 + b"\x08" * 1024,
            note="blocks as large as the window")
    v.image("zstd-empty-blocks", zstd.frame(zstd.block(b"", last=False), zstd.block(DATA, last=False), zstd.block(b""), content_size=SIZE), DATA)
    v.reject("zstd-repeated-cut", zstd.frame(zstd.repeated(7, SIZE)[:-1], content_size=SIZE), SIZE)
    v.reject("zstd-late-cut", zstd.frame(zstd.block(TAIL, last=False), zstd.block(DATA)[:-1], content_size=112), 112, note="cut after 100 valid bytes")


def of_hadoop(v):
    matches = [(HEAD, 7, 30), (b"x", 40, 300)]
    image, inner = image_of(matches, TAIL), lz4_of(matches, TAIL)

    def framed(size, *parts):
        return struct.pack(">I", size) + b"".join(struct.pack(">I", len(part)) + part for part in parts)

    v.image("lz4-matches", framed(len(image), inner), image)
    v.image("lz4-parts-with-matches", framed(2 * len(image), inner, inner), image * 2, note="each part begins anew")
    halves = lz4.block(DATA[:5]), lz4.block(DATA[5:])
    for name, size in (("one-more", SIZE + 1), ("one-less", SIZE - 1)):
        v.reject(f"lz4-parts-{name}", framed(size, *halves), SIZE, note="the parts do not add up to the stated size of the block")
    intact = framed(SIZE, *halves)
    for at, part in ((7, "first"), (8 + len(halves[0]) + 3, "second")):
        for by in (1, -1):
            v.reject(f"lz4-{part}-part-{'longer' if by > 0 else 'shorter'}", intact[:at] + bytes([intact[at] + by]) + intact[at + 1:], SIZE,
                     note="a size of a part that is one off")
    v.reject("lz4-match-into-part-before", framed(SIZE + 25, lz4.block(DATA), lz4_of([(b"abcd", 10, 16)], b"12345")), SIZE + 25,
             note="a match does not reach into the part before")


def of_lz4_frame(v):
    """LZ4 frames, a layout of existing files that a reader may support."""
    matches = [(HEAD, 7, 30)]
    image, inner = image_of(matches, TAIL), lz4_of(matches, TAIL)
    linked = lz4_of([(b"abcd", 170, 30)], b"12345")
    both = image_of([*matches, (TAIL + b"abcd", 170, 30)], b"12345")
    for name, flags, blocks, out in (
            ("matches", 0x60, [inner], image), ("content-size", 0x68, [inner], image), ("checksum", 0x64, [inner], image),
            ("block-checksums", 0x70, [inner, inner], image * 2), ("all", 0x7C, [inner, inner], image * 2),
            ("linked", 0x40, [inner, linked], both), ("linked-all", 0x5C, [inner, linked], both), ("empty", 0x6C, [], b"")):
        v.allow(f"lz4-frame-{name}", lz4.frame_of(flags, blocks, out), out.hex(), [("compression/lz4-frame", 0)], options={"size": len(out)})
    for name, flags, wrong in (("header-checksum", 0x64, 6), ("checksum", 0x64, -1), ("block-checksum", 0x70, -5), ("content-size", 0x68, 6)):
        data = bytearray(lz4.frame_of(flags, [inner], image))
        data[wrong] ^= 1
        v.reject(f"lz4-frame-wrong-{name}", bytes(data), len(image))
    v.reject("lz4-frame-unlinked", lz4.frame_of(0x60, [inner, linked], both), len(both), note="blocks that say they are not linked, and are")
    v.reject("lz4-frame-no-end", lz4.frame_of(0x60, [inner], image)[:-4], len(image))
