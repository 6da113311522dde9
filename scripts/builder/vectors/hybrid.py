"""The hybrid in booleans, levels and dictionary indices, and BIT_PACKED levels (Encodings.md, RLE, BITPACKED)."""

import struct

from builder.codec import bit_packed, hybrid
from builder.codec.encodings import LEVEL
from builder.codec.hybrid import Packed, Repeated
from builder.codec.marked import marked
from builder.codec.metadata import BOOLEAN, INT32
from builder.vectors.golden import Sections

RLE = "Encodings.md#RLE"
BITPACKED = "Encodings.md#BITPACKED"
DICTIONARY = "Encodings.md#DICTIONARY"
BARE = "Encodings.md#RLE, without the length word or the header before it"


def vectors():
    rle, both = Sections("RLE"), Sections("RLE", "levels")
    booleans(rle)
    levels(both)
    bits(both)
    return [rle, both, indices("PLAIN_DICTIONARY"), indices("RLE_DICTIONARY")]


def booleans(v):
    v.of(RLE, BOOLEAN)
    three = [True] * 3
    v.values("rle-bool", hybrid.booleans([True] * 8), [True] * 8)
    v.values("rle-bool-packed", hybrid.booleans([True, False, True]), [True, False, True])
    v.values("rle-bool-two-runs", hybrid.booleans(None, [Repeated(9, 1), Packed([0, 1, 0])]), [True] * 9 + [False, True, False])
    v.values("rle-bool-none", b"", [])
    v.values("rle-bool-empty", bytes(4), [], note="a length word of 0 and nothing else")
    v.values("rle-bool-overshoot", hybrid.booleans(None, [Repeated(4, 1)]), three, warnings=[("rle/overshoot", 4)])
    v.values("rle-bool-header-long", hybrid.booleans(None, [Repeated(3, 1, extra=5)]), three, warnings=[("rle/header-long", 4)])
    word = "rle/boolean-length"
    v.reject("rle-bool-length-large", b"\3\0\0\0\6\1", 3, word, bugs="BooleanCountWord")
    v.reject("rle-bool-length-counts-values", hybrid.booleans([True] * 100, length=100), 100, word, bugs="BooleanCountWord")
    v.reject("rle-bool-length-small", b"\2\0\0\0\6\1\0", 3, word, readable=True)
    v.reject("rle-bool-length-cut", b"\2\0\0", 3, word)
    v.reject("rle-bool-no-length", b"\6\1", 3, word, note="the runs begin at once")
    v.reject("rle-bool-nothing", b"", 3, word)
    v.reject("rle-bool-zero-values", b"\2\0\0\0\6\1", 0, "page/zero-values-section")
    runs(v, "rle-bool", lambda *parts: hybrid.booleans(None, list(parts)), 1, 4, "rle/value-count")
    v.reject("rle-bool-trailing-bytes", hybrid.booleans(None, [Repeated(3, 1), b"\0\0"]), 3, "rle/trailing-bytes", 6)


def levels(v):
    v.of(RLE, LEVEL, bit_width=3)
    eight = hybrid.encode([Packed(range(8))], 3)
    v.values("rle-0..7-run", eight, list(range(8)))
    v.values("rle-mixed", hybrid.encode([Repeated(10, 5), Packed([1, 2, 3])], 3), [5] * 10 + [1, 2, 3])
    v.reject("rle-0..7-packed", hybrid.pack(range(8), 3), 8, "rle/header-varint", kind="schematic", source=BARE,
             note="the three bytes that the text prints are the body of a run; its header 03 is left out")
    v.reject("rle-0..7-v1-levels", struct.pack("<I", len(eight)) + eight.data, 8, "rle/run-length", 2, kind="schematic",
             source=RLE, note="the levels of a v1 page with their length word, which is no part of the hybrid")
    v.of(RLE, LEVEL, bit_width=9)
    v.values("rle-width9", hybrid.encode([Repeated(4, 300)], 9), [300] * 4)
    v.of(RLE, LEVEL, bit_width=0)
    v.values("rle-width0", hybrid.encode([Repeated(5, 0)], 0), [0] * 5)
    v.of("README.md#nulls", LEVEL, bit_width=1)
    nulls = hybrid.encode([Repeated(1000, 0)], 1)
    v.values("levels-1000-nulls-v2", nulls, [0] * 1000)
    v.reject("levels-1000-nulls-v1", struct.pack("<I", len(nulls)) + nulls.data, 1000, "rle/run-length", 2, kind="schematic",
             also=[("levels/overshoot", 4)], note="the body of a v1 page: the length word of the levels is no part of the hybrid")
    v.of(RLE, LEVEL, bit_width=32)
    v.values("rle-width32", hybrid.encode([Repeated(2, 2**32 - 1), Packed([0, 2**31])], 32), [2**32 - 1] * 2 + [0, 2**31])
    v.of(RLE, LEVEL, bit_width=1)
    v.values("levels-none", b"", [])
    v.values("levels-trailing-byte", hybrid.encode([Repeated(3, 1), b"\0"], 1), [1] * 3, warnings=[("levels/section-consumed", 2)])
    v.values("levels-run-of-2^31-1", hybrid.encode([Repeated(2**31 - 1, 1)], 1), [1] * 3, warnings=[("levels/overshoot", 0)],
             note="the longest run that a header can state")
    v.values("levels-header-of-ten-bytes", hybrid.encode([Packed([1, 0, 1], extra=9)], 1), [1, 0, 1], warnings=[("rle/header-long", 0)])
    v.values("levels-overshoot", hybrid.encode([Repeated(4, 1)], 1), [1] * 3, warnings=[("levels/overshoot", 0)])
    v.values("levels-header-long", hybrid.encode([Packed([1, 0, 1], extra=5)], 1), [1, 0, 1], warnings=[("rle/header-long", 0)])
    runs(v, "levels", lambda *parts: hybrid.encode(parts, 1), 1, 0, "levels/count")
    v.of(RLE, LEVEL, bit_width=2)
    v.reject("levels-last-group", hybrid.encode([Packed([2, 2, 0], data=b"\x0a")], 2), 3, "rle/last-group",
             bugs="PackedRunCutShort", note="one of two bytes: all values are there, the padding is not")
    v.reject("levels-truncated-groups", hybrid.encode([Packed([2, 2, 0], groups=2, data=b"\x0a\0")], 2), 3, "rle/truncated",
             note="more is missing than the padding of the last group: its header was damaged, or its values are others")
    v.of(RLE, LEVEL, bit_width=1)
    v.values("levels-trailing-run", hybrid.encode([Repeated(5, 1), Packed([0] * 256)], 1), [1] * 5, bugs="LevelsAfterEnd",
             warnings=[("levels/section-consumed", 2)], note="33 bytes of a run that no entry needs")
    prefixed(v)


def prefixed(v):
    """The levels of a v1 page: their length word, then the runs."""
    def word(size, data):
        return struct.pack("<I", size) + marked(data).data

    v.of(RLE, LEVEL, bit_width=3, length_word=True)
    eight = hybrid.encode([Packed(range(8))], 3)
    v.values("levels-v1-eight", word(len(eight), eight), list(range(8)))
    v.of("README.md#nulls", LEVEL, bit_width=1, length_word=True)
    v.values("levels-v1-1000-nulls", word(3, hybrid.encode([Repeated(1000, 0)], 1)), [0] * 1000)
    v.of(RLE, LEVEL, bit_width=1, length_word=True)
    three = hybrid.encode([Packed([1, 0, 1])], 1)
    prefix = "levels/length-prefix"
    v.reject("levels-v1-nothing", b"", 3, prefix)
    v.reject("levels-v1-word-cut", b"\2\0\0", 3, prefix)
    v.reject("levels-v1-word-large", word(3, three), 3, prefix)
    v.reject("levels-v1-no-word", three, 3, prefix, note="the runs begin at once, as in a v2 page")
    v.reject("levels-v1-word-0", word(0, three), 3, "levels/count", 4, note="the levels are after the end of the section by the length word")
    v.reject("levels-v1-word-small", word(1, three), 3, "rle/truncated", 4)
    v.reject("levels-v1-trailing-byte", word(2, three) + b"\0", 3, "page/trailing-bytes", 6, note="the values of a page would begin here")
    v.values("levels-v1-trailing-run", word(4, three + hybrid.encode([Repeated(1, 0)], 1)), [1, 0, 1], bugs="LevelsAfterEnd",
             warnings=[("levels/section-consumed", 6)])
    batches = word(2, hybrid.encode([Repeated(2, 1)], 1)) * 2
    v.reject("levels-v1-word-per-batch", batches, 4, "levels/count", 6, bugs="LevelPrefixPerBatch",
             note="two levels, a second length word, and two levels more")
    v.reject("levels-v1-word-of-all-batches", word(8, batches[4:]), 4, "rle/run-length", 8, bugs="LevelPrefixPerBatch",
             also=[("levels/overshoot", 10)], note="the length word counts the second one, which begins with a run header of 2")


def runs(v, name, encode, width, start, short):
    """Faults of runs in any kind of section: `start` is the offset of the first, `short` the rule about their number."""
    v.reject(f"{name}-header-large", encode(Repeated(3, 0, header=2**32)), 3, "rle/header-varint", start)
    v.reject(f"{name}-header-cut", encode(b"\x86"), 3, "rle/header-varint", start)
    v.reject(f"{name}-repeated-none", encode(Repeated(0, 0), Repeated(3, 1)), 3, "rle/run-length", start)
    v.reject(f"{name}-packed-none", encode(Packed([], groups=0), Repeated(3, 1)), 3, "rle/run-length", start)
    v.reject(f"{name}-value-large", encode(Repeated(3, 1 << width, data=bytes([1 << width]))), 3, "rle/repeated-value-range", start + 1)
    v.reject(f"{name}-value-missing", encode(Repeated(3, 1, data=b"")), 3, "rle/truncated", start)
    v.reject(f"{name}-group-missing", encode(Packed([1] * 9, data=hybrid.pack([1] * 8, width))), 9, "rle/truncated", start)
    few = encode(Repeated(2, 1))
    v.reject(f"{name}-too-few", few, 3, short, len(few))


def indices(encoding):
    v = Sections(encoding)
    v.of(DICTIONARY, INT32)
    example = "parquet.thrift#SizeStatistics.unencoded_byte_array_data_bytes"
    short = {"RLE_DICTIONARY": "dict", "PLAIN_DICTIONARY": "plain-dict"}[encoding]
    v.values(f"{short}-indices", hybrid.indices([0, 0, 1, 2], 3), [0, 0, 1, 2], source=example)
    v.values(f"{short}-indices-alt", hybrid.indices(None, 3, [Repeated(2, 0), Repeated(1, 1), Repeated(1, 2)]), [0, 0, 1, 2],
             source=example)
    v.values(f"{short}-single-w0", hybrid.indices([0] * 1000, 1), [0] * 1000)
    v.values(f"{short}-width32", hybrid.indices(None, 3, [Packed([2**32 - 1, 0])], 32), [2**32 - 1, 0])
    v.values(f"{short}-none", b"", [])
    v.values(f"{short}-empty", b"\2", [], note="the width byte and nothing else")
    v.values(f"{short}-overshoot", hybrid.indices(None, 3, [Repeated(4, 2)]), [2] * 3, warnings=[("rle/overshoot", 1)])
    v.values(f"{short}-padding", hybrid.indices(None, 3, [Packed([0, 1, 2], fill=3)]), [0, 1, 2],
             note="the padding slots of the last group hold 3")
    v.reject(f"{short}-width33", b"\x21\2" + bytes(5), 1, "dictionary/bit-width", note="a run of one value in five bytes follows")
    v.reject(f"{short}-nothing", b"", 1, "dictionary/bit-width", bugs="IndexStreamCut")
    v.reject(f"{short}-width-alone", b"\0", 1, "rle/value-count", 1, bugs="IndexStreamCut", note="a bit width of 0, and no run")
    v.reject(f"{short}-plain", struct.pack("<3i", 1, 0, 2), 3, "rle/repeated-value-range", 8, bugs="IndicesPlain",
             also=[("rle/run-length", 1)],
             note="1, 0 and 2 as PLAIN integers: a bit width of 1, and runs of nothing")
    for count in (1, 2, 3, 9, 10, 11):
        items = [index * 1000 for index in range(count)]
        intact = hybrid.indices(None, 0, [Packed(items)], 16)
        v.reject(f"{short}-last-group-{count}", intact.data[:2 + 2 * count], count, "rle/last-group", 1, bugs="PackedRunCutShort",
                 note="indices of 16 bits; the places after them are missing")
    many = [0, 1, 2, 3] * 300
    v.values(f"{short}-long-run", hybrid.indices(None, 0, [Packed(many + [0] * 8)], 8), many, bugs="PackedRunTooLong",
             warnings=[("rle/overshoot", 1)], note="151 groups of eight, of which 150 have values")
    v.reject(f"{short}-trailing-byte", hybrid.indices(None, 3, [Packed([0, 1, 2]), b"\0"]), 3, "rle/trailing-bytes", 4)
    v.reject(f"{short}-last-group", hybrid.indices(None, 3, [Packed([0, 1, 2], data=b"\x24")]), 3, "rle/last-group", 1, bugs="PackedRunCutShort")
    v.reject(f"{short}-zero-values", hybrid.indices([0], 1), 0, "page/zero-values-section")
    runs(v, short, lambda *parts: hybrid.indices(None, 3, list(parts)), 2, 1, "rle/value-count")
    return v


def bits(v):
    v.of(BITPACKED, LEVEL, "BIT_PACKED", bit_width=3)
    v.values("bitpacked-0..7", bit_packed.encode(range(8), 3), list(range(8)), note="the first level is the highest bits")
    v.of(BITPACKED, LEVEL, "BIT_PACKED", bit_width=2)
    v.values("bitpacked-30x2", bit_packed.encode([3] * 30, 2), [3] * 30)
    v.of(BITPACKED, LEVEL, "BIT_PACKED", bit_width=1)
    v.values("bitpacked-none", b"", [])
    v.values("bitpacked-padding", b"\xa1", [1, 0, 1], warnings=[("bit-packed/padding", 0)])
    v.values("bitpacked-trailing-byte", b"\xa0\0", [1, 0, 1], warnings=[("levels/section-consumed", 1)])
    v.reject("bitpacked-cut", b"\xff", 9, "bit-packed/length")
    v.reject("bitpacked-nothing", b"", 1, "bit-packed/length")
