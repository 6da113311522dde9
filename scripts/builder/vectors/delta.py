"""The delta encodings (Encodings.md, DELTAENC, DELTALENGTH, DELTASTRING)."""

from builder.codec import delta
from builder.codec.hybrid import pack
from builder.codec.marked import Marked, cut, marked
from builder.codec.metadata import BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, INT32, INT64
from builder.codec.thrift import uleb, varint
from builder.vectors.golden import Sections

CLAUSE = "Encodings.md#DELTAENC"
LENGTH = "Encodings.md#DELTALENGTH"
STRINGS = "Encodings.md#DELTASTRING"
OLD = "edition of 2013, delta encoding"
NUMBERS = [0, 1, 3, 2, 5, 4]
ROW = [1, 2, 3, 4, 5]
VALLEY = [7, 5, 3, 1, 2, 3, 4, 5]


def vectors():
    return [binary_packed(), length_byte_array(), byte_array()]


def binary_packed():
    v = Sections("DELTA_BINARY_PACKED")
    examples(v)
    tolerated(v)
    for kind, bits, name in ((INT32, 32, "delta-32"), (INT64, 64, "delta-64")):
        v.of(CLAUSE, kind)
        streams(v, name, bits)
    v.of(CLAUSE, INT32)
    v.reject("delta-first-value-2^31", delta.binary_packed((1, 2), head={"first": varint(2**31)}), 2,
             "delta-binary-packed/number-range", "first")
    v.reject("delta-33-bits", delta.binary_packed((1, 5, 2), widths=[33]), 3, "delta-binary-packed/bit-width", "block0.widths",
             bugs="DeltaTooWide", note="all values can be decoded; editions before 2024 did not forbid it")
    v.reject("delta-34-bits", delta.binary_packed([2**31 - 1, -2**31, 0, -1], widths=[34]), 4, "delta-binary-packed/bit-width",
             "block0.widths", bugs="DeltaTooWide", note="the sums leave the type unless they are cut to 32 bits")
    return v


def examples(v):
    v.of(CLAUSE + ", first example", INT32)
    v.reject("delta-ex1-schematic", bytes.fromhex("080105020200"), 5, "delta-binary-packed/block-size", kind="schematic",
             note="as printed: 1,2,3,4,5 with a block size of 8, which is no multiple of 128")
    v.values("delta-ex1", delta.binary_packed(ROW), ROW, note="the same numbers with a block of 128 in four miniblocks")
    v.values("delta-ex1-vlq-reading", bytes.fromhex("80010405020100000000"), [1, 0, -1, -2, -3], kind="misprint", source=OLD,
             note="the edition calls the smallest delta a plain varint; written so, 1 reads as the zigzag number -1")
    v.of(CLAUSE + ", second example", INT32)
    v.reject("delta-ex2-schematic", bytes.fromhex("0801080e0302c03f"), 8, "delta-binary-packed/block-size", kind="schematic",
             note="as printed: 7,5,3,1,2,3,4,5 with a block size of 8")
    v.values("delta-ex2", delta.binary_packed(VALLEY), VALLEY)
    v.reject("delta-ex2-old-print", bytes.fromhex("0801080e0002c00f"), 8, "delta-binary-packed/block-size", kind="misprint", source=OLD,
             note="the smallest delta is printed as 0 instead of -2, and one delta is missing; the block size is 8")
    v.of(CLAUSE, INT64)
    v.values("delta-ex1-64", delta.binary_packed(ROW, 64), ROW)
    v.values("delta-wrap64", delta.binary_packed([2**63 - 1, -2**63, 0], 64), [2**63 - 1, -2**63, 0], note="the deltas wrap")
    wide = [i**7 - 5**i for i in range(27)] * 20
    v.values("delta-64-many", delta.binary_packed(wide, 64), wide)
    v.of(CLAUSE, INT32)
    wrap = [2**31 - 1, -2**31, 0, -1]
    v.values("delta-wrap32", delta.binary_packed(wrap), wrap, note="the deltas wrap")
    v.values("delta-single", delta.binary_packed([42]), [42], note="a header and no block")
    v.values("delta-none", b"", [])
    v.values("delta-empty", delta.binary_packed([]), [], note="a header that counts no values")
    many = list(range(0, 1002, 3)) + [5]
    v.values("delta-multiblock", delta.binary_packed(many), many, note="three blocks")
    v.values("delta-block-384", delta.binary_packed(many, block_size=384), many, note="miniblocks of 96 values")
    v.values("delta-32-bits", delta.binary_packed([1, 5, 2], widths=[32]), [1, 5, 2])


def tolerated(v):
    """Forms that writers should avoid and readers have to accept, and overlong or oversized numbers."""
    padded = pack([0, 0, 0, 3, 3, 3, 3] + [3] * 25, 2)
    data = bytes.fromhex("800104080e0302ff3780") + padded
    v.values("delta-pad", data, VALLEY, warnings=[("delta-binary-packed/unneeded-width", 7), ("delta-binary-packed/padding", 11)],
             note="all padding bits are 1, and miniblocks without values have widths")
    v.values("delta-size-six-bytes", delta.binary_packed([1, 2], head={"size": uleb(128, 4)}), [1, 2],
             warnings=[("delta-binary-packed/varint-long", 0)])
    v.values("delta-size-2^31", delta.binary_packed([7], block_size=2**31 - 128, head={"size": uleb(2**31)}), [7],
             warnings=[("delta-binary-packed/number-oversized", 0)])


def streams(v, name, bits):
    """Every fault of a stream."""
    def reject(what, data, count, rule, offset, **more):
        v.reject(f"{name}-{what}", data, count, "delta-binary-packed/" + rule, offset, **more)

    pair, intact = delta.binary_packed((1, 2), bits), delta.binary_packed(NUMBERS, bits)
    reject("nothing", b"", 1, "header", 0)
    for mark in ("miniblocks", "count", "first"):
        reject(f"ends-before-{mark}", cut(pair, mark), 2, "header", mark)
    reject("first-cut", cut(delta.binary_packed((1, 2), bits, head={"first": b"\x80"}), "first", 1), 2, "header", "first")
    for mark in ("size", "miniblocks", "count", "first"):
        reject(f"{mark}-of-70-bits", delta.binary_packed((1, 2), bits, head={mark: b"\xff" * 9 + b"\x7f"}), 2, "number-range", mark)
    reject("count-2^31", delta.binary_packed((1, 2), bits, count=2**31), 2, "number-range", "count")
    for size in (0, 8, 127, 192):
        reject(f"block-size-{size}", delta.binary_packed((1, 2), bits, head={"size": uleb(size)}), 2, "block-size", "size",
               bugs="DeltaBlockShape")
    for count in (0, 3, 256):
        reject(f"{count}-miniblocks", delta.binary_packed((1, 2), bits, head={"miniblocks": uleb(count)}), 2, "miniblock-count",
               "miniblocks", bugs="DeltaBlockShape")
    reject("miniblocks-of-16", delta.binary_packed((1, 2), bits, miniblocks=8), 2, "miniblock-size", "miniblocks")
    for count in (0, 5, 7):
        reject(f"count-{count}", delta.binary_packed(NUMBERS, bits, count=count), 6, "total-count", "count", bugs="DeltaCount")
    reject("no-block", cut(pair, "block0"), 2, "block", "block0")
    reject("second-block-missing", cut(delta.binary_packed([0] * 130, bits), "block1"), 130, "block", "block1")
    reject("min-delta-cut", Marked(b"\x80\1\4\2\2") + Marked(b"\x80", {"block": 0}), 2, "block", "block")
    reject("three-widths", cut(pair, "block0.widths", 3), 2, "width-bytes", "block0.widths")
    reject("65-bits", delta.binary_packed(NUMBERS, bits, widths=[65]), 6, "bit-width-range", "block0.widths")
    reject("miniblock-cut", cut(intact, "block0.body0", 11), 6, "miniblock-full", "block0.body0")
    reject("miniblock-not-padded", cut(intact, "block0.body0", 2), 6, "miniblock-full", "block0.body0")
    v.reject(f"{name}-trailing-byte", intact + b"\0", 6, "page/trailing-bytes", len(intact))
    v.reject(f"{name}-empty-miniblocks-have-bodies", intact + bytes(36), 6, "page/trailing-bytes", len(intact))
    v.reject(f"{name}-zero-values", delta.binary_packed([0], bits), 0, "page/zero-values-section")
    v.reject(f"{name}-zero-values-trailing-byte", delta.binary_packed([], bits) + b"\0", 0, "page/zero-values-section")


def length_byte_array():
    v = Sections("DELTA_LENGTH_BYTE_ARRAY")
    v.of(LENGTH, BYTE_ARRAY)
    items = [b"Hello", b"World", b"Foobar", b"ABCDEF"]
    data = b"".join(items)
    v.values("dlba-1", delta.length_byte_array(items), items)
    v.values("dlba-empty-values", delta.length_byte_array([b"", b"x", b""]), [b"", b"x", b""])
    v.values("dlba-none", b"", [])
    v.values("dlba-empty", delta.length_byte_array([]), [])
    many = [bytes([65 + i % 26]) * (i % 7) for i in range(300)]
    v.values("dlba-many", delta.length_byte_array(many), many)

    def of(lengths, after=data):
        return delta.binary_packed(lengths).named("lengths") + after

    for count in (0, 3, 5):
        v.reject(f"dlba-{count}-lengths", of(([5, 5, 6, 6, 0])[:count]), 4, "delta-length-byte-array/length-count", "lengths.count",
                 bugs="DeltaCount")
    v.reject("dlba-negative", of([5, 5, -1, 6]), 4, "delta-length-byte-array/negative-length", "lengths")
    v.reject("dlba-first-negative", of([-2**31, 5, 6, 6]), 4, "delta-length-byte-array/negative-length", "lengths")
    for name, after in (("short", data[:-1]), ("long", data + b"x"), ("nothing", b"")):
        v.reject(f"dlba-data-{name}", of([5, 5, 6, 6], after), 4, "delta-length-byte-array/data-length", "lengths.end", readable=len(after) > len(data))
    v.reject("dlba-data-huge", of([5, 5, 6, 2**31 - 1]), 4, "delta-length-byte-array/data-length", "lengths.end")
    v.reject("dlba-no-stream", b"", 1, "delta-binary-packed/header")
    v.reject("dlba-lengths-cut", cut(delta.binary_packed(NUMBERS), "block0"), 6, "delta-binary-packed/block", "block0")
    v.reject("dlba-zero-values", delta.length_byte_array([b""]), 0, "page/zero-values-section")
    return v


def byte_array():
    v = Sections("DELTA_BYTE_ARRAY")
    v.of(STRINGS, BYTE_ARRAY)
    items = [b"axis", b"axle", b"babble", b"babyhood"]
    parts = [0, 2, 0, 3], [b"axis", b"le", b"babble", b"yhood"]
    v.values("dba-1", delta.byte_array(items), items)
    v.values("dba-no-prefixes", delta.byte_array(items, [0] * 4), items, note="prefixes may be shorter than they could be")
    v.values("dba-same", delta.byte_array([b"same"] * 200), [b"same"] * 200)
    v.values("dba-none", b"", [])
    v.values("dba-empty", delta.byte_array([]), [])

    def of(prefixes, suffixes):
        return delta.binary_packed(prefixes).named("prefixes") + delta.length_byte_array(suffixes)

    counts = "delta-byte-array/stream-counts"
    v.reject("dba-three-prefixes", of(parts[0][:3], parts[1]), 4, counts, "prefixes.count", bugs="DeltaStreamCounts")
    v.reject("dba-five-prefixes", of(parts[0] + [0], parts[1]), 4, counts, "prefixes.count", bugs="DeltaStreamCounts")
    v.reject("dba-three-suffixes", of(parts[0], parts[1][:3]), 4, counts, "lengths.count", bugs="DeltaStreamCounts")
    v.reject("dba-five-suffixes", of(parts[0], parts[1] + [b""]), 4, counts, "lengths.count", bugs="DeltaStreamCounts")
    for first in (1, -1):
        v.reject(f"dba-first-prefix-{first}", of([first, 0], [b"x", b"y"]), 2, "delta-byte-array/first-prefix", "prefixes.first",
                 bugs="DeltaOldPrefix")
    v.reject("dba-prefix-long", of([0, 3], [b"ax", b"e"]), 2, "delta-byte-array/prefix-range", "prefixes")
    v.reject("dba-prefix-negative", of([0, 1, -1], [b"ax", b"b", b"c"]), 3, "delta-byte-array/prefix-range", "prefixes")
    v.reject("dba-suffix-negative", delta.binary_packed([0, 0]).named("prefixes") + delta.binary_packed([1, -1]).named("lengths") + b"x",
             2, "delta-length-byte-array/negative-length", "lengths")
    short = of(parts[0], parts[1])
    v.reject("dba-data-short", Marked(short.data[:-1], short.marks), 4, "delta-length-byte-array/data-length", "lengths.end")
    v.reject("dba-data-long", short + b"x", 4, "delta-length-byte-array/data-length", "lengths.end", readable=True)
    v.reject("dba-no-stream", b"", 1, "delta-binary-packed/header")
    v.reject("dba-no-suffixes", marked(delta.binary_packed([0, 0])), 2, "delta-binary-packed/header",
             len(delta.binary_packed([0, 0])))
    v.reject("dba-zero-values", delta.binary_packed([]), 0, "page/zero-values-section", note="one header instead of two")
    v.of(STRINGS, FIXED_LEN_BYTE_ARRAY, type_length=4)
    v.values("dba-flba", delta.byte_array([b"abcd", b"abce"]), [b"abcd", b"abce"])
    fixed = "delta-byte-array/fixed-length"
    v.reject("dba-flba-three-bytes", of([0, 2], [b"abcd", b"e"]), 2, fixed, "lengths")
    v.reject("dba-flba-five-bytes", of([0, 3], [b"abcd", b"ef"]), 2, fixed, "lengths")
    return v
