"""Delta streams: integer pages, and the lengths inside the byte array encodings (Encodings.md, DELTAENC)."""

from builder.codec import delta
from builder.codec.marked import Marked, cut
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, DOUBLE,
                                    FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32, INT64, INT96)
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.codec.thrift import uleb, varint
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import chunk, column
from builder.recipes.values.delta_headers import FIRST, NUMBERS, everywhere, fixed, integers, shaped, sparse, words

LONG = tuple(range(130))  # two blocks of 128 deltas are needed
SMALL = (0,) * 130
HEADERS = ((V1, "data_page_header.encoding", "v1"), (V2, "data_page_header_v2.encoding", "v2"))
TYPED = (("BOOLEAN", BOOLEAN, True), ("INT96", INT96, bytes(12)), ("FLOAT", FLOAT, 1.0), ("DOUBLE", DOUBLE, 1.0),
         ("BYTE_ARRAY", BYTE_ARRAY, b"x"), ("FIXED_LEN_BYTE_ARRAY", FIXED_LEN_BYTE_ARRAY, b"x"), ("INT32", INT32, 1), ("INT64", INT64, 1))
OLD = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the column is of type INT96")


def mistyped(c, name, encoding, section, right, **more):
    """Fail files for every type that an encoding does not support, in both page versions."""
    c.rule(f"{name}/types")
    for about, kind, item in TYPED:
        if kind in right:
            continue
        attributes = {"type_length": 1} if kind == FIXED_LEN_BYTE_ARRAY else {}
        for page, field, version in HEADERS:
            c.fail(f"values of {about}, {version}", column(required("x", kind, **attributes), (item,), chunk(page(encoding=encoding, values=section))),
                   V(field, page=FIRST), *((OLD,) if kind == INT96 and not more else ()), **more)


def witnesses(c):
    mistyped(c, "delta-binary-packed", DELTA_BINARY_PACKED, b"\x80\1\4\1\2", (INT32, INT64))
    c.ok("values of INT32", integers(None, NUMBERS))
    c.ok("values of INT64, in a v2 page", integers(None, NUMBERS, INT64, V2))
    header(c)
    shape(c)
    blocks(c)
    widths(c)
    ends(c)
    legal(c)


def header(c):
    c.rule("delta-binary-packed/header")
    everywhere(c, "the section ends before the stream", lambda n, b: Marked(), None, tail=False)
    for mark, name in (("size", "block size"), ("miniblocks", "number of miniblocks"), ("count", "count"), ("first", "first value")):
        c.fail(f"the section ends before the {name}", integers(cut(delta.binary_packed((1, 2)), mark), (1, 2)), Body(FIRST, f"values.{mark}"))
        broken = delta.binary_packed((1, 2), head={mark: b"\x80"})
        c.fail(f"the {name} is cut", integers(cut(broken, mark, 1), (1, 2), page=V2), Body(FIRST, f"values.{mark}"))
    everywhere(c, "the first value is cut", lambda n, b: cut(delta.binary_packed(n, b, head={"first": b"\x80"}), "first", 1), "first",
               tail=False)
    c.ok("a header and nothing else, for one value", integers(None, (42,)))

    c.rule("delta-binary-packed/number-range", found=str(2**31))
    everywhere(c, "the count is 2^31", shaped(count=2**31), "count")
    everywhere(c, "the first value is 2^31", shaped(head={"first": varint(2**31)}), "first", wide=False)
    c.fail("the first value is -2^31-1", integers(delta.binary_packed((1, 2), head={"first": varint(-2**31 - 1)}), (1, 2)),
           Body(FIRST, "values.first"), found=str(-2**31 - 1), expected=f"at least {-2**31}")
    for mark in ("size", "miniblocks", "count", "first"):
        c.fail(f"a number of 70 bits ({mark})", integers(delta.binary_packed((1, 2), 64, head={mark: b"\xff" * 9 + b"\x7f"}), (1, 2), INT64),
               Body(FIRST, f"values.{mark}"), found="more than 64 bits", expected="at most 64 bits")
    c.fail("a smallest delta of 71 bits", integers(Marked(b"\x80\1\4\2\2") + Marked(uleb(2**70), {"block": 0}) + bytes(4), (1, 2), INT64),
           Body(FIRST, "values.block"), found="more than 64 bits", expected="at most 64 bits")
    c.ok("the first value is 2^31-1", integers(None, (2**31 - 1, 0)))
    c.ok("the first value is -2^31", integers(None, (-2**31, 0)))
    c.ok("the first value is -2^63", integers(None, (-2**63, 0), INT64))

    c.rule("delta-binary-packed/number-oversized")
    everywhere(c, "the block size is 2^31", shaped(block_size=2**31, miniblocks=1, widths=[0]), "size", numbers=(0, 0, 0))
    c.fail("2^31 miniblocks, for a single value", integers(delta.binary_packed((7,), block_size=2**31 - 128, head={
        "size": uleb(2**36), "miniblocks": uleb(2**31)}), (7,)), Body(FIRST, "values.size", times=2))
    everywhere(c, "the smallest delta is outside the type", shaped(min_delta=2**32 + 1), "block0", numbers=(0, 1, 2, 3), wide=False)
    c.ok("the block size is 2^31-128", integers(delta.binary_packed((7, 7), block_size=2**31 - 128, miniblocks=1, widths=[0]), (7, 7)))
    c.ok("the smallest delta is -2^31", integers(None, (0, -2**31)))
    c.ok("the smallest delta is -2^63", integers(None, (0, -2**63), INT64, V2))

    c.rule("delta-binary-packed/varint-long")
    everywhere(c, "the block size takes six bytes", shaped(head={"size": uleb(128, 4)}), "size")
    for mark, number in (("miniblocks", 4), ("count", 2)):
        c.fail(f"six bytes where one is enough ({mark})", integers(delta.binary_packed((1, 2), head={mark: uleb(number, 5)}), (1, 2)),
               Body(FIRST, f"values.{mark}"))
    c.fail("the first value of INT32 takes six bytes", integers(delta.binary_packed((1, 2), head={"first": uleb(2, 5)}), (1, 2)),
           Body(FIRST, "values.first"))
    c.fail("the smallest delta of INT32 takes six bytes", integers(Marked(b"\x80\1\4\2\2") + Marked(uleb(2, 5), {"block": 0}) + bytes(4), (1, 2)),
           Body(FIRST, "values.block"))
    for mark, number in (("size", 128), ("first", 2)):
        c.fail(f"300 bytes of zero groups ({mark})", integers(delta.binary_packed((1, 2), head={mark: uleb(number, 300)}), (1, 2)),
               Body(FIRST, f"values.{mark}"))
    c.ok("the block size takes five bytes", integers(delta.binary_packed((1, 2), head={"size": uleb(128, 3)}), (1, 2)))
    c.ok("the first value of INT64 takes ten bytes", integers(delta.binary_packed((1, 2), 64, head={"first": uleb(2, 9)}), (1, 2), INT64))


def shape(c):
    c.rule("delta-binary-packed/block-size")
    everywhere(c, "the block size is 8", shaped(head={"size": b"\x08"}), "size")
    for size in (0, 32, 127, 129, 192):
        c.fail(f"the block size is {size}", integers(delta.binary_packed((1, 2), head={"size": uleb(size)}), (1, 2)), Body(FIRST, "values.size"))
    c.ok("the block size is 128", integers(None, NUMBERS))
    c.ok("the block size is 384", integers(delta.binary_packed(NUMBERS, block_size=384), NUMBERS))

    c.rule("delta-binary-packed/miniblock-count")
    everywhere(c, "no miniblocks", shaped(head={"miniblocks": b"\0"}), "miniblocks")
    for count in (3, 129, 256):
        c.fail(f"{count} miniblocks in a block of 128", integers(delta.binary_packed((1, 2), head={"miniblocks": uleb(count)}), (1, 2)),
               Body(FIRST, "values.miniblocks"))
    c.ok("one miniblock in a block of 128", integers(delta.binary_packed(NUMBERS, miniblocks=1), NUMBERS))

    c.rule("delta-binary-packed/miniblock-size")
    everywhere(c, "miniblocks of 16 values", shaped(miniblocks=8), "miniblocks")
    c.fail("miniblocks of one value", integers(delta.binary_packed((1, 2), miniblocks=128), (1, 2)), Body(FIRST, "values.miniblocks"))
    c.fail("miniblocks of 48 values", integers(delta.binary_packed((1, 2), block_size=384, miniblocks=8), (1, 2)), Body(FIRST, "values.miniblocks"))
    c.ok("miniblocks of 32 values", integers(delta.binary_packed(NUMBERS, block_size=256, miniblocks=8), NUMBERS))
    c.ok("miniblocks of 96 values", integers(delta.binary_packed(NUMBERS, block_size=384), NUMBERS))

    c.rule("delta-binary-packed/total-count")
    at = Body(FIRST, "values.count")
    for about, kind, bits, page in (("INT32, v1", INT32, 32, V1), ("INT64, v2", INT64, 64, V2)):
        for count in (0, 2, 4):
            c.fail(f"the count is {count} for three values: {about}", integers(delta.binary_packed((1, 2, 3), bits, count=count), (1, 2, 3), kind, page), at)
        c.fail(f"nulls are counted: {about}", sparse(delta.binary_packed((1, 3), bits, count=3), (1, None, 3), kind, page), at)
    c.ok("nulls are not counted, v1", sparse(None, (1, None, 3)))
    c.ok("nulls are not counted, v2", sparse(None, (1, None, 3), INT64, V2))


def blocks(c):
    c.rule("delta-binary-packed/block")
    everywhere(c, "the first block is missing", lambda n, b: cut(delta.binary_packed(n, b), "block0"), "block0", tail=False)
    everywhere(c, "the second block is missing", lambda n, b: cut(delta.binary_packed(n, b), "block1"), "block1", numbers=SMALL, tail=False)
    c.fail("a smallest delta is cut", integers(Marked(b"\x80\1\4\2\2") + Marked(b"\x80", {"block": 0}), (1, 2)), Body(FIRST, "values.block"))
    c.fail("a block of 2^31-128 values, and none of them", integers(cut(delta.binary_packed((1, 2), block_size=2**31 - 128, miniblocks=1, widths=[0]), "block0"),
           (1, 2)), Body(FIRST, "values.block0"))
    c.ok("129 values in one block", integers(None, LONG[:129]))
    c.ok("130 values in two blocks", integers(None, LONG))

    c.rule("delta-binary-packed/width-bytes", expected="4")
    everywhere(c, "three bit widths for four miniblocks", lambda n, b: cut(delta.binary_packed(n, b), "block0.widths", 3), "block0.widths",
               numbers=(0, 0, 0), tail=False)
    c.fail("no bit width", integers(cut(delta.binary_packed((1, 2)), "block0.widths"), (1, 2)), Body(FIRST, "values.block0.widths"))
    c.fail("2^26 miniblocks, and four bit widths", integers(delta.binary_packed((1, 1), head={"size": uleb(2**31), "miniblocks": uleb(2**26)}), (1, 1)),
           Body(FIRST, "values.block0.widths"), Also("delta-binary-packed/number-oversized", Body(FIRST, "values.size"), "so many miniblocks take a block of 2^31"), expected=str(2**26))
    c.ok("a bit width for each miniblock", integers(delta.binary_packed((1, 2), miniblocks=2), (1, 2)))


def widths(c):
    c.rule("delta-binary-packed/bit-width")
    everywhere(c, "33 bits", shaped(widths=[33]), "block0.widths", wide=False)
    c.fail("64 bits for INT32", integers(delta.binary_packed((1, 5, 2), widths=[64]), (1, 5, 2)), Body(FIRST, "values.block0.widths"))
    c.fail("40 bits in the second miniblock", integers(delta.binary_packed(LONG[:40], widths=[0, 40]), LONG[:40]),
           Body(FIRST, "values.block0.widths", plus=1))
    c.ok("32 bits for INT32", integers(delta.binary_packed((1, 5, 2), widths=[32]), (1, 5, 2)))
    c.ok("64 bits for INT64", integers(delta.binary_packed((1, 5, 2), 64, widths=[64]), (1, 5, 2), INT64))
    c.ok("33 bits, which editions before 2024 did not forbid", integers(delta.binary_packed((1, 5, 2), widths=[33]), (1, 5, 2)), profile="historical")

    c.rule("delta-binary-packed/bit-width-range")
    everywhere(c, "65 bits", shaped(widths=[65]), "block0.widths")
    c.fail("255 bits", integers(delta.binary_packed((1, 5, 2), 64, widths=[255]), (1, 5, 2), INT64), Body(FIRST, "values.block0.widths"))
    c.ok("64 bits", integers(delta.binary_packed((1, 5, 2), 64, widths=[64]), (1, 5, 2), INT64, V2))
    c.ok("65 bits in a miniblock without values", integers(delta.binary_packed((1, 5, 2), unused_width=65), (1, 5, 2)),
         Also("delta-binary-packed/unneeded-width", Body(FIRST, "values.block0.widths", plus=1, times=3), "the width of a miniblock without values should be 0"))

    c.rule("delta-binary-packed/bit-width-minimal")
    everywhere(c, "one bit more than needed", shaped(widths=[4]), "block0.widths")
    c.fail("one bit where none is needed", integers(delta.binary_packed((1, 2, 3), widths=[1]), (1, 2, 3)), Body(FIRST, "values.block0.widths"))
    c.ok("as many bits as needed", integers(None, NUMBERS))

    c.rule("delta-binary-packed/min-delta")
    everywhere(c, "the frame of reference is one too low", shaped(min_delta=-2), "block0")
    c.ok("the frame of reference is the smallest delta", integers(None, NUMBERS))

    c.rule("delta-binary-packed/unneeded-width")
    everywhere(c, "the widths of miniblocks without values are 255", shaped(unused_width=255), "block0.widths", plus=1, times=3)
    c.ok("the widths of miniblocks without values are 0", integers(None, NUMBERS))
    c.ok("all miniblocks have values", integers(delta.binary_packed(LONG[:98], unused_width=255), LONG[:98]))


def ends(c):
    c.rule("delta-binary-packed/miniblock-full", expected="12")
    everywhere(c, "the last byte of a miniblock is missing", lambda n, b: cut(delta.binary_packed(n, b), "block0.body0", 11), "block0.body0", tail=False)
    everywhere(c, "a miniblock ends with its values", lambda n, b: cut(delta.binary_packed(n, b), "block0.body0", 2), "block0.body0", tail=False)
    c.fail("the body is missing", integers(cut(delta.binary_packed(NUMBERS), "block0.body0"), NUMBERS), Body(FIRST, "values.block0.body0"))
    wave = tuple(i * i for i in range(40))
    c.fail("the body of the second miniblock is cut", integers(cut(delta.binary_packed(wave, 64), "block0.body1", 5), wave, INT64, V2),
           Body(FIRST, "values.block0.body1"), expected="28")
    c.fail("2^31-128 values of one bit, and no body", integers(cut(delta.binary_packed((1, 2), miniblocks=1, widths=[1], head={
        "size": uleb(2**31 - 128)}), "block0.body0"), (1, 2)), Body(FIRST, "values.block0.body0"), expected=str((2**31 - 128) // 8))
    c.ok("a miniblock in full length", integers(None, NUMBERS))
    c.ok("a miniblock of width 0 has no body", integers(None, (1, 2, 3)))

    c.rule("delta-binary-packed/padding", expected="8")
    everywhere(c, "all padding bits are set", shaped(fill=7), "block0.body0", plus=1)
    c.fail("one bit is set in the last byte", integers(Marked(b"\x80\1\4\3\2") + Marked(b"\2\1\0\0\0\2\0\0\x80", {"block": 0}), (1, 2, 4)),
           Body(FIRST, "values.block", plus=8), expected="0")
    c.ok("all padding bits are 0", integers(None, NUMBERS))
    c.ok("no padding: 33 values", integers(None, tuple(i % 3 for i in range(33))))

    c.rule("delta-binary-packed/zero-values")
    empty = delta.binary_packed((), head={"first": varint(5)})
    none = (None, None)
    for about, node, encoding, values, mark in (
            ("INT32", optional("x", INT32), DELTA_BINARY_PACKED, empty, "first"),
            ("INT64", optional("x", INT64), DELTA_BINARY_PACKED, empty, "first"),
            ("lengths", optional("x", BYTE_ARRAY), DELTA_LENGTH_BYTE_ARRAY, empty, "first"),
            ("prefix lengths", optional("x", BYTE_ARRAY), DELTA_BYTE_ARRAY, empty.named("p") + delta.binary_packed(()), "p.first"),
            ("suffix lengths", optional("x", BYTE_ARRAY), DELTA_BYTE_ARRAY, delta.binary_packed(()).named("p") + empty, "first")):
        for page in (V1, V2):
            c.fail(f"5 is the first of no values: {about}, {'v1' if page is V1 else 'v2'}",
                   column(node, none, chunk(page(encoding=encoding, values=values))), Body(FIRST, f"values.{mark}"))
    c.ok("0 is the first of no values", column(optional("x", INT32), none, chunk(V1(encoding=DELTA_BINARY_PACKED))))


def legal(c):
    c.rule("legal/delta-zero-values")
    none = (None, None)
    for name, kind, encoding in (("DELTA_BINARY_PACKED", INT32, DELTA_BINARY_PACKED), ("DELTA_BINARY_PACKED", INT64, DELTA_BINARY_PACKED),
                                 ("DELTA_LENGTH_BYTE_ARRAY", BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY), ("DELTA_BYTE_ARRAY", BYTE_ARRAY, DELTA_BYTE_ARRAY)):
        for page, version in ((V1, "v1"), (V2, "v2")):
            c.ok(f"no values, the header alone: {name}, {version}", column(optional("x", kind), none, chunk(page(encoding=encoding))))
            c.ok(f"no values, an empty section: {name}, {version}", column(optional("x", kind), none, chunk(page(encoding=encoding, values=b""))))
    c.rule("legal/delta-one-value")
    for page, version in ((V1, "v1"), (V2, "v2")):
        c.ok(f"one INT32 value, {version}", integers(None, (-42,), page=page))
        c.ok(f"one INT64 value, {version}", integers(None, (2**63 - 1,), INT64, page))
        c.ok(f"one byte array, DELTA_LENGTH_BYTE_ARRAY, {version}", words(None, (b"one",), DELTA_LENGTH_BYTE_ARRAY, page))
        c.ok(f"one byte array, DELTA_BYTE_ARRAY, {version}", words(None, (b"one",), DELTA_BYTE_ARRAY, page))
        c.ok(f"one fixed byte array, {version}", fixed(None, (b"one",), 3, page))
    c.rule("legal/delta-wrap-around")
    for page, version in ((V1, "v1"), (V2, "v2")):
        c.ok(f"deltas wrap in 32 bits, {version}", integers(None, (2**31 - 1, -2**31, 0, -1), page=page))
        c.ok(f"deltas wrap in 64 bits, {version}", integers(None, (2**63 - 1, -2**63, 0), INT64, page))
    widths_set = Also("delta-binary-packed/unneeded-width", Body(FIRST, "values.widths", plus=1, times=3), "these widths should be 0")
    bits_set = Also("delta-binary-packed/padding", Body(FIRST, "values.body", plus=1).with_values(expected="63"), "these bits should be 0")
    stale = Marked(b"\x80\1\4\x08\x0e\3") + Marked(b"\2\xff\x37\x80", {"widths": 0}) + Marked(b"\xc0" + b"\xff" * 7, {"body": 0})
    c.rule("legal/delta-padding")
    for kind, name in ((INT32, "INT32"), (INT64, "INT64")):
        c.ok(f"all padding bits are 1, and widths of miniblocks without values 255, 55 and 128: {name}",
             integers(stale, (7, 5, 3, 1, 2, 3, 4, 5), kind), widths_set, bits_set)
    c.rule("legal/delta-negative-deltas")
    c.ok("the smallest delta is negative, which the editions of 2013 had no way to write", integers(None, (7, 5, 3, 1, 2, 3, 4, 5)))
    c.ok("falling lengths", words(None, (b"abc", b"de", b"f", b""), DELTA_LENGTH_BYTE_ARRAY))
    c.rule("legal/delta-huge-block")
    c.ok("a block of 2^31-128 values, of which three are there",
         integers(delta.binary_packed((7, 7, 7), block_size=2**31 - 128, miniblocks=1, widths=[0]), (7, 7, 7)))
    c.rule("legal/delta-blocks")
    many = tuple(range(0, 1002, 3)) + (5,)
    c.ok("three blocks", integers(None, many))
    c.ok("three blocks under GZIP", integers(None, many, INT64, V2, codec=GZIP))
    c.ok("a block of 384 values in miniblocks of 96", integers(delta.binary_packed(many, block_size=384), many))
    c.ok("pages of nulls and values", column(optional("x", INT32), (1, None, 3, None, None, 6), chunk(
        V1(2, DELTA_BINARY_PACKED), V2(3, DELTA_BINARY_PACKED), V1(1, DELTA_BINARY_PACKED))))
