"""Compressed streams (Compression.md), of each codec."""

import struct
import zlib

from builder.codec import checksums
from builder.codec.compression import brotli, brotli_block, gzip, huffman, lz4, lzo, prefix_code, snappy, zstd
from builder.codec.compression.brotli_block import HIGH, LOW, SIGNED, Command, Layout
from builder.codec.compression.zstd_block import Alone, Before, Common, Described, coded, repeated, sequences, stored
from builder.codec.cursor import repeat
from builder.vectors.golden import Streams
from builder.vectors import stream_copies, stream_frames

DATA = struct.pack("<3i", 1, 2, 3)
TWELVE = 12  # bytes of DATA
MAGIC = b"\x28\xb5\x2f\xfd"  # of a Zstandard frame
SEVENS = b"\7\0\0\0" * 40
LONG = bytes(index % 251 for index in range(300))
TEXT = b"a writer writes what a reader reads; what the writer repeats, the reader repeats; " * 4


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
    whole = snappy.literal(LONG)
    v.image("snappy-short-copy-300", snappy.stream(304, whole, snappy.short_copy(300, 4)), LONG + LONG[:4], note="the offset takes more than eight bits")
    v.image("snappy-copy-300", snappy.stream(364, whole, snappy.copy(300, 64)), LONG + LONG[:64])
    v.image("snappy-long-copy-300", snappy.stream(365, whole, snappy.long_copy(300, 64), snappy.literal(b"x")), LONG + LONG[:64] + b"x")
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
            LONG[:20] + LONG[:8] + b"x" + LONG[2:4] + b"yz" + b"zz", note="matches of two bytes, behind literals of a match")
    v.image("lzo-run", head + lzo.short_match(20, 8) + lzo.run(LONG[40:44]) + lzo.short_match(1, 3) + lzo.run(LONG[50:90]) + lzo.END,
            LONG[:20] + LONG[:8] + LONG[40:44] + LONG[43:44] * 3 + LONG[50:90], note="runs of literals behind matches, short and long")
    v.image("lzo-first-literals", bytes([17 + 3]) + b"abc" + lzo.pair(3) + lzo.END, b"abcab", note="three literals at the beginning, then a pair")
    far = bytes(index * 7 % 256 for index in range(256)) * 9
    v.image("lzo-triple", lzo.literals(far) + lzo.pair(2050, b"x", 2049) + lzo.END, far + far[-2050:-2047] + b"x",
            note="three bytes from 2050 bytes back, behind a run of literals")
    v.image("lzo-far", lzo.literals(LONG[:100]) + lzo.match(100, 288) * 57 + lzo.far_match(16385, 9, b"x") + lzo.END,
            (LONG[:100] * 166)[:100 + 288 * 57] + (LONG[:100] * 166)[100 + 288 * 57 - 16385:][:9] + b"x", note="nine bytes from 16,385 bytes back")
    v.image("lzo-hadoop", lzo.hadoop(DATA), DATA, note="in Hadoop's blocks")
    v.reject("lzo-distance-5", lzo.literals(DATA[:4]) + lzo.match(5, 34) + lzo.END, 38)
    v.reject("lzo-no-end", lzo.literals(DATA), TWELVE)


def of_brotli(v):
    v.image("brotli-window-22", b"\x3b", b"", note="the empty stream with a window of 22 bits, as encoders write it")
    v.image("brotli-metadata", brotli.metadata(b"no part of the image"), b"")
    v.reject("brotli-window", b"\x11" + DATA, TWELVE, note="a window of a size that is reserved")

    def meta(name, *commands, note=None, **layout):
        v.image(name, *brotli.stream((commands, Layout(**layout)), last=True), note=note)

    of_brotli_codes(v, meta)
    of_brotli_copies(meta)
    of_brotli_types(meta)
    text, letters = Command(TEXT), Command(b"abcdefgh", 4, 8)
    v.image("brotli-empty-last", *brotli.stream(([text], Layout())), note="an empty last meta-block behind the compressed one")
    v.image("brotli-two-meta-blocks", *brotli.stream(([text], Layout()), ([letters, Command(b"x")], Layout()), last=True))
    v.image("brotli-distances-of-before", *brotli.stream(
        ([letters, Command(b"x", 5, 7), Command(b"", 3, 6), Command(b"y", 4, 5)], Layout()), DATA,
        ([Command(b"z", 3, ("last", code)) for code in range(4)], Layout()), last=True), note="the last four distances outlast their meta-block, and one that is not compressed")
    for name, block, note in (
            ("distance", [Command(b"abcd", 3, 5, refused=True)], "a copy from before the beginning, and of a length that no word has"),
            ("distance-0", [Command(b"abcdef", 4, 2), Command(b"x", 4, ("last", 6), refused=True)], "a distance of 0")):
        data, image = brotli.stream((block, Layout()), last=True)
        v.reject(f"brotli-{name}", data, len(image), note=note)
    data, image = brotli.stream(([text], Layout()), last=True)
    v.reject("brotli-bits-behind", data[:-1] + bytes([data[-1] | 0x80]), len(image), note="bits behind the last meta-block that are not 0")


def of_brotli_codes(v, meta):
    """Meta-blocks of literals: what codes there are, and how they are described."""
    for letters in ("a", "ab", "abc", "abcd"):
        meta(f"brotli-{len(letters)}-literals", Command(letters.encode() * 5), note="the one literal takes no bits" if letters == "a" else None)
    unequal = prefix_code.Code({ord("b"): 1, ord("d"): 2, ord("a"): 3, ord("c"): 3})
    meta("brotli-4-unequal-literals", Command(b"abacbdbb"), literal_codes=[unequal], note="codes of 1, 2, 3 and 3 bits")
    meta("brotli-text", Command(TEXT), note="more literals than a simple code has")
    meta("brotli-256-literals", Command(bytes(range(256))), note="the lengths of the codes are one run of 8, which nothing stands before")
    long = prefix_code.Code({65: 1, 66: 2, 70: 3, 80: 4, 100: 5, 150: 6, 200: 7, 254: 8, 255: 8})
    meta("brotli-far-literals", Command(bytes([65, 66, 255, 100, 80, 254, 70, 200, 150])), literal_codes=[long], note="long runs of literals that there are not")
    for skipped, used in ((2, b"abcdefgh"), (3, b"abcdefghijklmnop")):
        meta(f"brotli-{skipped}-lengths-left-out", Command(used[::-1]), describe=literals_as(lambda out, code, skipped=skipped: prefix_code.put_long(out, code, skipped)),
             note=f"the first {skipped} lengths of the code of lengths are left out")
    refused = {"equal-symbols": (equal_symbols, "a simple code of equal symbols"),
               "too-few": (lengths_as({97: 1, 98: 2, 255: 3}), "lengths that leave codes without a symbol"),
               "too-many": (lengths_as({97: 1, 98: 2, 99: 1}), "lengths that want more codes than there are")}
    for name, (describe, note) in refused.items():
        v.reject(f"brotli-{name}", brotli.stream(([Command(b"abba")], Layout(describe=literals_as(describe))), last=True)[0], 4, note=note)


def equal_symbols(out, _):
    """A simple code of two symbols, both `a`."""
    out.put(0b0101, 4), out.put(97, 8), out.put(97, 8)


def lengths_as(lengths):
    """A way to describe codes: these lengths, whatever the code."""
    return lambda out, _: prefix_code.put_long(out, prefix_code.Lengths(lengths))


def literals_as(describe):
    """A way to describe codes: those of literals by `describe`, others as always."""
    return lambda out, code, alphabet: describe(out, code) if alphabet == 256 else prefix_code.put(out, code, alphabet)


def of_brotli_copies(meta):
    """Lengths and distances."""
    meta("brotli-copy", Command(b"abc", 30, 3), note="a copy that overlaps itself")
    meta("brotli-lengths-of-copies", *(Command(b"x" if copy % 2 else b"yz", copy, 1) for copy in (2, 9, 10, 11, 12, 15, 22, 40, 54, 101, 135)))
    meta("brotli-lengths-of-literals", *(Command(LONG[:size], 2, 1) for size in (5, 6, 7, 8, 9, 13, 14, 33, 65, 97, 133, 0)))
    first = [Command(LONG[:60], 4, 50), Command(b"", 4, 40), Command(b"", 4, 30), Command(b"", 4, 20)]
    meta("brotli-last-distances", *first, *(Command(b"x", 3, ("last", code)) for code in range(16)))
    meta("brotli-no-distance", *first, Command(b"x", 5), Command(b"yz", 17), Command(b"end"), note="copies from the last distance, without a code of it")
    far = [Command(LONG[:200], 4, 190), *(Command(b"x", 4, distance) for distance in (1, 2, 3, 15, 16, 17, 18, 33, 60, 61, 62, 63, 64, 120, 200, 260))]
    for postfix in range(4):
        for direct in (0, 15):
            meta(f"brotli-distances-{postfix}-{direct << postfix}", *far, postfix=postfix, direct=direct << postfix,
                 note=f"{postfix} bits of the distance stand in its code; {direct << postfix} distances have a code of their own")
    for name, transform in (("word", 0), ("word-and-space", 1), ("word-with-capital", 4)):
        meta(f"brotli-{name}", Command(b"the ", 4, 4 + 1 + (transform << 10)), Command(b"."), note="a word of the static dictionary" + (
            ", which transform " + str(transform) + " changes" if transform else ""))
    meta("brotli-words", Command(b"", 4, 1), Command(b"", 4, 4 + 1 + 1), Command(b" ", 4, 9 + 1 + 2), Command(b"", 4, 12), note="words move no distance to the last four")


def of_brotli_types(meta):
    """Several codes in a meta-block: by the context of a literal or a distance, and by types that change."""
    text = [Command(TEXT[:40], 4, 20), Command(TEXT[40:80], 3, 30), Command(TEXT[:20])]
    byte = [Command(bytes([200, 3, 255, 64, 16, 128, 0, 1] * 4), 4, 8), Command(bytes([9, 250, 9]))]
    for name, mode in (("low", LOW), ("high", HIGH), ("text", brotli_block.TEXT), ("signed", SIGNED)):
        for what, commands in (("", text), ("-bytes", byte)):
            meta(f"brotli-context-{name}{what}", *commands, modes=[mode], contexts=[at % 3 for at in range(64)], note="the code of a literal depends on the two bytes before it")
    runs = [0] * 9 + [1] + [0] * 30 + [2, 2] + [0] * 22
    meta("brotli-map-runs", *text, contexts=runs, longest=5, note="runs of zeros in the map of contexts")
    meta("brotli-map-moved", *text, contexts=[at // 16 for at in range(64)], moved=True, note="the map of contexts names the codes by how lately they were named")
    meta("brotli-map-runs-moved", *text, contexts=[at // 16 for at in range(64)], longest=3, moved=True)
    meta("brotli-distance-codes", Command(b"abcdefgh", 2, 8), Command(b"", 3, 7), Command(b"", 4, 6), Command(b"", 5, 5), Command(b"", 9, 4), far=[0, 1, 2, 1],
         note="the code of a distance depends on the length of the copy")
    meta("brotli-types-of-literals", *text, modes=[LOW, HIGH, brotli_block.TEXT], contexts=[0] * 64 + [1] * 64 + [at % 2 for at in range(64)],
         switches=([(0, 7), (1, 20), (2, 30), (0, 5), (2, 9), (1, 40)], None, None), note="three types, each with a mode and codes of its own")
    several = [Command(bytes([97 + at]), 2 + at % 4, 1) for at in range(12)]
    meta("brotli-types-of-commands", *several, switches=(None, [(0, 3), (1, 4), (0, 2), (1, 8)], None))
    meta("brotli-types-of-distances", *several, switches=(None, None, [(0, 3), (1, 4), (0, 2), (1, 8)]), far=[0, 0, 1, 1, 2, 2, 0, 1])


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
    for size, head in ((4, b"\xa0" + struct.pack("<I", TWELVE)), (8, b"\xe0" + struct.pack("<Q", TWELVE))):
        v.image(f"zstd-size-of-{size}-bytes", MAGIC + head + zstd.block(DATA), DATA, note=f"the size of the image takes {size} bytes")
    v.image("zstd-dictionary-0", MAGIC + b"\x21\0" + bytes([TWELVE]) + zstd.block(DATA), DATA, note="dictionary 0, which means none")
    right = struct.pack("<I", checksums.xxh64(DATA) & 0xFFFFFFFF)
    v.image("zstd-checksum", MAGIC + b"\x24" + bytes([TWELVE]) + zstd.block(DATA) + right, DATA)
    v.reject("zstd-checksum-lies", MAGIC + b"\x24" + bytes([TWELVE]) + zstd.block(DATA) + struct.pack("<I", 1), TWELVE)
    v.image("zstd-two-frames", zstd.compress(DATA[:7]) + zstd.compress(DATA[7:]), DATA)
    v.image("zstd-skippable", zstd.skippable(b"abc") + zstd.compress(DATA) + zstd.skippable(b"", 15), DATA)
    v.reject("zstd-magic", b"\x27" + zstd.compress(DATA)[1:], TWELVE)
    v.reject("zstd-reserved", zstd.frame((TWELVE << 3 | 7).to_bytes(3, "little") + DATA, content_size=TWELVE), TWELVE,
             note="a block of the reserved type")
    v.reject("zstd-content-size", zstd.frame(zstd.block(DATA), content_size=13), 13)
    v.reject("zstd-gzip", gzip.compress(DATA), TWELVE, "compression/format", note="a gzip member")
    of_zstd_literals(v)
    of_zstd_sequences(v)


def whole(*blocks, size=None):
    """A frame of compressed blocks: the literals of each, or its literals and sequences."""
    blocks = [block if isinstance(block, tuple) else (block,) for block in blocks]
    return zstd.frame(*(zstd.compressed(*block, last=block is blocks[-1]) for block in blocks), content_size=size)


def of_zstd_literals(v):
    """Compressed blocks of literals alone."""
    v.image("zstd-literals", whole(stored(DATA)), DATA, note="a compressed block of literals alone")
    v.image("zstd-one-literal", whole(repeated(7, 31)), b"\7" * 31, note="31 literals stored as one byte")
    for bits in (12, 20):
        v.image(f"zstd-literals-{bits}-bits", whole(stored(LONG, bits)), LONG, note=f"the number of literals takes {bits} bits")
        v.image(f"zstd-one-literal-{bits}-bits", whole(repeated(7, 300, bits)), b"\7" * 300)
    weights = huffman.weights_of(TEXT)
    code = huffman.direct(weights)
    v.image("zstd-huffman", whole(coded(TEXT, weights, code)), TEXT, note="literals in a Huffman code, as one stream")
    v.image("zstd-huffman-4-streams", whole(coded(TEXT, weights, code, 4)), TEXT)
    v.image("zstd-huffman-41-literals", whole(coded(TEXT[:41], weights, code, 4)), TEXT[:41], note="the fourth stream has 8 literals, the others 11")
    for bits, data in ((14, TEXT * 4), (18, TEXT)):
        v.image(f"zstd-huffman-{bits}-bits", whole(coded(data, weights, code, 4, bits), size=len(data)), data, note=f"the number of literals takes {bits} bits")
    skewed = b"".join(bytes([index]) * count for index, count in enumerate((1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)))
    deep = huffman.weights_of(skewed)
    v.image("zstd-huffman-11-bits", whole(coded(skewed, deep, huffman.direct(deep))), skewed, note="the longest code there is")
    two, image = huffman.weights_of(b"ab"), b"abbab" * 32
    v.image("zstd-huffman-weights-as-states", whole(coded(image, two, huffman.by_states(two, [31, 1], 5))), image,
            note="the weights are a stream of two states that take turns")
    sparse, image = huffman.weights_of(b"\0\0\0\0ee\xc8"), b"\0\0e\0\xc8\0e" * 30
    v.image("zstd-huffman-64-states", whole(coded(image, sparse, huffman.by_states(sparse, [60, 2, 2], 6))), image,
            note="weights of 0 for all bytes between those that there are")
    v.image("zstd-huffman-code-of-before", whole(coded(TEXT, weights, code), coded(TEXT, weights, b"")), TEXT * 2,
            note="the second block goes by the code of the first")
    v.image("zstd-huffman-code-of-the-first", zstd.frame(
        zstd.compressed(coded(TEXT, weights, code), last=False), zstd.block(DATA, last=False), zstd.compressed(stored(DATA), last=False),
        zstd.compressed(coded(TEXT, weights, b""))), TEXT + DATA * 2 + TEXT, note="two blocks that have no code stand between")
    v.reject("zstd-huffman-no-code-before", whole(coded(TEXT, weights, b"")), len(TEXT))
    v.reject("zstd-huffman-weights", whole(coded(TEXT, weights, b"\x81\x21")), len(TEXT), note="weights that make no code")
    v.reject("zstd-huffman-no-end", whole(coded(TEXT, weights, code)[:-1] + b"\0"), len(TEXT), note="no bit marks the end of the stream")
    section = coded(TEXT, weights, code)
    v.reject("zstd-huffman-one-too-many", whole(bytes([section[0] - 16]) + section[1:]), len(TEXT) - 1,
             note="the stream has a literal more than the section says")


def of_zstd_sequences(v):
    """Compressed blocks of sequences, each some literals and a match."""
    def match(name, literals, triples, *tables, **more):
        v.image(name, whole((stored(literals), sequences(triples, tables or (Common,) * 3))), image_of(literals, triples), **more)

    match("zstd-match", DATA[:4], [(4, 7, 34)], Alone(4), Alone(2), Alone(31), note="a match that overlaps itself; each table has one code")
    match("zstd-common-tables", DATA[:4], [(4, 7, 34)], note="the tables that every decoder has")
    letters, triples = b"abcdefgh", [(4, 7, 8), (2, 5, 5), (1, 16, 3), (0, 11, 4)]
    match("zstd-sequences", letters, triples, note="four sequences, and a literal behind them")
    tables = (Described([8, 8, 8, 0, 8], 5), Described([0, 8, 8, 8, 8], 5), Described([8, 8, 8, 0, 0, 8], 5))
    match("zstd-tables", letters, triples, *tables, note="tables that the block describes")
    match("zstd-rare-codes", letters, triples, Described([28, -1, 2, 0, -1], 5), Described([0, -1, 60, 2, -1], 6), Described([60, -1, -1, 0, 0, 2], 6),
          note="codes with a chance of less than one")
    match("zstd-large-tables", letters, triples, Described([502, 2, 2, 0, 2] + [0] * 19 + [4], 9), Described([0, 1, 249, 4, 2], 8),
          Described([500, 2, 2, 0, 0, 2] + [0] * 6 + [6], 9), note="tables of 512, 256 and 512 states")
    first = image_of(letters, triples)
    again = (stored(letters), sequences(triples, [Before(table.states) for table in tables]))
    v.image("zstd-tables-of-before", whole((stored(letters), sequences(triples, tables)), again), image_of(letters, triples, first),
            note="the second block goes by the tables of the first")
    match("zstd-mixed-tables", letters, [(4, 7, 8), (2, 5, 8), (1, 16, 8)], tables[0], Common, Alone(5),
          note="a table described, one that all have, one of a code")
    match("zstd-128-sequences", b"x", [(1, 4, 3)] + [(0, 4, 3)] * 127, note="the number of sequences takes two bytes")
    varied = bytes(index * 7 % 253 for index in range(450))
    triples = [(70, 60, 300), (300, 403, 40), (20, 700, 45), (18, 20, 36), (23, 13, 70), (19, 13, 131)]
    image = image_of(varied, triples)
    v.image("zstd-long-numbers", whole((stored(varied, 12), sequences(triples)), size=len(image)), image, note="lengths whose codes take bits of their own")
    before = [(5, 8, 3), (1, 7, 3), (1, 6, 3)]  # offsets 5, 4 and 3
    for value, with_literals, without in ((1, "the last offset", "the last but one"), (2, "the last but one", "the last but two"),
                                          (3, "the last but two", "the last less one")):
        for literals, what in ((1, with_literals), (0, without)):
            match(f"zstd-offset-value-{value}" + ("" if literals else "-no-literals"), b"abcdefghijklm",
                  [*before, (literals, value, 4), (1, 1, 3), (1, 2, 3), (1, 3, 3)], note=f"behind {literals} literals it means {what}")
    match("zstd-first-offsets", b"abcdefghi", [(1, 1, 3), (3, 2, 3), (5, 3, 3)], note="the offsets before the first are 1, 4 and 8")
    offsets, more = [1, 4, 8], [(1, 3, 4), (1, 3, 4)]
    image = image_of(b"xyz", more, image_of(letters, before, offsets=offsets) + DATA, offsets)
    v.image("zstd-offsets-of-before", zstd.frame(
        zstd.compressed(stored(letters), sequences(before), last=False), zstd.block(DATA, last=False), zstd.compressed(stored(b"xyz"), sequences(more))),
        image, note="the last three offsets outlast their block and a raw one behind it")
    common = sequences([(4, 7, 8)])
    v.reject("zstd-offset-behind", whole((stored(b"abcd"), sequences([(4, 8, 4)]))), 8, note="a match from before the beginning")
    v.reject("zstd-too-few-literals", whole((stored(b"abcd"), sequences([(5, 4, 4)]))), 9)
    v.reject("zstd-no-tables-before", whole((stored(b"abcd"), sequences([(4, 4, 4)], [Before([(4, 0, 0)]), Alone(2), Alone(1)]))), 8)
    v.reject("zstd-sequences-no-end", whole((stored(DATA[:4]), common[:-1] + b"\0")), TWELVE, note="no bit marks the end of the stream")
    v.reject("zstd-table", whole((stored(b"a"), b"\1\x94\xf0\xff\xff\2\0\1")), 4, note="chances that do not add up")


def image_of(literals, triples, image=b"", offsets=None):
    """What sequences make of these literals, behind an image that is there; `offsets` are the last three before, and then those here."""
    out, offsets = bytearray(image), [1, 4, 8] if offsets is None else offsets
    for count, value, length in triples:
        out += literals[:count]
        literals = literals[count:]
        if value > 3:
            offsets.insert(0, value - 3)
        else:
            value += count == 0
            offsets.insert(0, offsets[0] - 1 if value == 4 else offsets.pop(value - 1))
        del offsets[3:]
        repeat(out, offsets[0], length)
    return bytes(out) + literals


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
