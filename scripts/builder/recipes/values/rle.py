"""The RLE/bit-packing hybrid in indices, booleans and levels (Encodings.md, RLE)."""

from builder.codec import hybrid
from builder.codec.compression import snappy
from builder.codec.file import File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import BOOLEAN, GZIP, INT32, RLE, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.losses import lost
from builder.expect.places import V, Body
from builder.recipes.base_files import BOTH, FIRST, SECOND, chunk, column, flat, nullable

ONES = (1, 1, 1)
INDEX, FLAG, LEVEL = Body(SECOND, "values.run0"), Body(FIRST, "values.run0"), Body(FIRST, "def.run0")


def coded(runs, items=(1, 2, 3), page=V1, tail=b"", codec=0):
    """Indices into a dictionary of three entries at width 2, from runs; `after` marks what follows them."""
    data = hybrid.indices(None, 3, runs, 2)
    values = Marked(data.data + tail, {**data.marks, "after": len(data)})
    return column(required("a", INT32), items,
                  chunk(Dictionary([1, 2, 3]), page(encoding=RLE_DICTIONARY, values=values), codec=codec))


def flags(runs=None, items=(True, True, True), page=V1, values=None, **more):
    """RLE booleans from runs, or a custom section."""
    return column(required("b", BOOLEAN), items, chunk(page(encoding=RLE, runs=runs, values=values), **more))


def levels(runs, page=V1, items=(1, 2, 3)):
    """Definition levels of width 1 from runs."""
    return nullable(chunk(page(defs=runs)), items=items)


def pair(runs, page=V1, items=(1, 2, None)):
    """Definition levels of width 2, from runs."""
    return File([optional("g", [optional("e", INT32)])], [{"g": None if one is None else {"e": one}} for one in items],
                chunk(page(defs=runs)))


def witnesses(c):
    prefix(c)
    headers(c)
    ends(c)


def prefix(c):
    c.rule("rle/allowed-data")
    for about, page, header in (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2")):
        c.fail(f"RLE values of INT32, {about}", flat(chunk(page(encoding=RLE, values=b"\2\0\0\0\6\1"))), V(header + ".encoding", page=FIRST))
    c.ok("RLE values of BOOLEAN, v1", flags())
    c.ok("RLE values of BOOLEAN, v2", flags(page=V2))

    word = Body(FIRST, "values")
    c.rule("rle/boolean-length")
    for about, page in BOTH:
        c.fail(f"the length is one more than the section has, {about}", flags(page=page, values=b"\3\0\0\0\6\1"), word)
        c.fail(f"the length is one less than the section has, {about}", flags(page=page, values=b"\2\0\0\0\6\1\0"), word)
        c.fail(f"there is no length, the runs begin at once, {about}", flags(page=page, values=b"\6\1"), word, lost=[])
    c.fail("the length counts itself", flags(values=b"\6\0\0\0\6\1"), word)
    c.fail("the length counts values", flags(values=b"\3\0\0\0\6\1"), word)
    c.ok("the length is that of the runs, v1", flags(values=b"\2\0\0\0\6\1"))
    c.ok("the length is that of the runs, v2", flags(page=V2, values=b"\2\0\0\0\6\1"))


def headers(c):
    c.rule("rle/header-varint")
    c.fail("a run header of 2^32 in indices", coded([Repeated(3, 0, header=2**32)]), INDEX)
    c.fail("a run header of indices is cut", coded([b"\x86"]), INDEX)
    c.fail("a run header of 2^32 in booleans", flags([Repeated(3, 1, header=2**32)]), FLAG)
    c.fail("a run header of booleans is cut, v2", flags([b"\x86"], page=V2), FLAG)
    for about, page in BOTH:
        c.fail(f"a run header of 2^32 in levels, {about}", levels([Repeated(3, 1, header=2**32)], page), LEVEL)
        c.fail(f"a run header of levels is cut, {about}", levels([b"\x86"], page), LEVEL)
    c.fail("BIT_PACKED definition levels in a v2 page", levels(b"\xff", V2, items=range(8)), Body(FIRST, "def"))
    c.ok("a run header of one byte", coded([Repeated(3, 0)], ONES))

    c.rule("rle/header-long")
    c.fail("a run header of six bytes in indices", coded([Repeated(3, 0, extra=5)], ONES), INDEX)
    c.fail("a run header of six bytes in booleans", flags([Repeated(3, 1, extra=5)]), FLAG)
    c.fail("a run header of six bytes in levels, v1", levels([Repeated(3, 1, extra=5)]), LEVEL)
    c.fail("a run header of six bytes in levels, v2", levels([Packed([1, 1, 1], extra=5)], V2), LEVEL)
    c.fail("a run header of 300 bytes in indices", coded([Repeated(3, 0, extra=299)], ONES), INDEX)
    c.ok("a run header of five bytes", flags([Repeated(3, 1, extra=4)]))

    c.rule("rle/header-canonical")
    c.fail("a run header of two bytes where one is enough, in indices", coded([Repeated(3, 0, extra=1)], ONES), INDEX)
    c.fail("a run header of five bytes where one is enough, in booleans", flags([Repeated(3, 1, extra=4)]), FLAG)
    c.fail("a run header of two bytes where one is enough, in levels", levels([Repeated(3, 1, extra=1)]), LEVEL)
    c.ok("a run header of two bytes where two are needed", flags([Repeated(64, 1)], items=(True,) * 64))

    c.rule("rle/run-length")
    c.fail("a repeated run of no value, in indices", coded([Repeated(0, 0), Packed([0, 1, 2])]), INDEX, lost=[lost("page", 0, 0, 1)])
    c.fail("a bit-packed run of no group, in indices", coded([Packed([], groups=0), Packed([0, 1, 2])], page=V2), INDEX, lost=[lost("page", 0, 0, 1)])
    c.fail("a repeated run of no value, in booleans", flags([Repeated(0, 0), Repeated(3, 1)]), FLAG, lost=[lost("page", 0, 0, 0)])
    c.fail("a repeated run of no value, in levels, v1", levels([Repeated(0, 0), Repeated(3, 1)]), LEVEL, lost=[lost("page", 0, 0, 0)])
    c.fail("a repeated run of no value, in levels, v2", levels([Repeated(0, 0), Repeated(3, 1)], V2), LEVEL, lost=[lost("page", 0, 0, 0)])
    c.fail("a length word after the width byte of indices, which reads as 1 x 0, a run of none, and 3 x 1",
           column(required("a", INT32), (1, 2, 2, 2), chunk(Dictionary([1, 2]), V1(encoding=RLE_DICTIONARY, values=b"\1\2\0\0\0\6\1"))),
           Body(SECOND, "values", plus=3), lost=[lost("page", 0, 0, 1)])
    c.ok("repeated runs of one value", coded([Repeated(1, 0), Repeated(1, 1), Repeated(1, 2)]))

    c.rule("rle/repeated-value-range", expected="0 to 1")
    c.fail("4 at width 2, in indices", coded([Repeated(3, 4)]), Body(SECOND, "values.run0.value"), expected="0 to 3")
    c.fail("2 at width 1, in booleans", flags([Repeated(3, 2, data=b"\2")]), Body(FIRST, "values.run0.value"))
    for about, page in BOTH:
        c.fail(f"2 at width 1, in levels, {about}", levels([Repeated(3, 2, data=b"\2")], page), Body(FIRST, "def.run0.value"))
    c.fail("compressed definition levels in a v2 page under SNAPPY",
           nullable(chunk(V2(defs=snappy.compress(b"\6\1")), codec=SNAPPY), items=(1, 2, 3)), Body(FIRST, "def", plus=1))
    c.ok("2 at width 2", coded([Repeated(1, 0), Repeated(1, 1), Repeated(1, 2)]))
    c.ok("1 at width 1", levels([Repeated(3, 1)]))


def ends(c):
    cut = hybrid.pack([0, 1, 2], 2)[:1]
    c.rule("rle/last-group")
    for about, page in BOTH:
        c.fail(f"one of two bytes of the last group of indices, {about}", coded([Packed([0, 1, 2], data=cut)], page=page), INDEX)
        c.fail(f"one of two bytes of the last group of levels, {about}",
               pair([Packed([2, 2, 0], data=hybrid.pack([2, 2, 0], 2)[:1])], page), LEVEL)
    c.fail("the same under GZIP", coded([Packed([0, 1, 2], data=cut)], codec=GZIP), INDEX)
    c.ok("both bytes of the last group", coded([Packed([0, 1, 2])]))
    c.ok("both bytes of the last group of levels", pair([Packed([2, 2, 0])]))

    c.rule("rle/truncated", found="0", expected="1")
    twelve = (1, 2, 3) * 4
    c.fail("the second group of indices is missing", coded([Packed([0, 1, 2] * 4, data=hybrid.pack([0, 1, 2, 0, 1, 2, 0, 1], 2))], twelve), INDEX, found="2", expected="4")
    c.fail("the repeated value of indices is missing", coded([Repeated(3, 0, data=b"")]), INDEX)
    c.fail("the repeated value of booleans is missing", flags([Repeated(3, 1, data=b"")]), FLAG)
    c.fail("the second group of booleans is missing, v2", flags([Packed([1] * 9, data=b"\xff")], items=(True,) * 9, page=V2), FLAG, found="1", expected="2")
    for about, page in BOTH:
        c.fail(f"the repeated value of levels is missing, {about}", levels([Repeated(3, 1, data=b"")], page), LEVEL)
        c.fail(f"the only group of levels is missing, {about}", levels([Packed([1, 1, 1], data=b"")], page), LEVEL)
    c.fail("the repeated value of indices of width 9 takes one byte",
           flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY, values=b"\x09\6\0"))), Body(SECOND, "values", plus=1), found="1", expected="2")
    c.ok("two groups of indices", coded([Packed([0, 1, 2] * 4)], twelve))

    c.rule("rle/value-count", found="2")
    for about, page in BOTH:
        c.fail(f"two indices for three values, {about}", coded([Repeated(2, 0)], page=page), Body(SECOND, "values.end"))
        c.fail(f"two booleans for three values, {about}", flags([Repeated(2, 1)], page=page), Body(FIRST, "values.end"))
    c.fail("nothing after the width byte", coded([]), Body(SECOND, "values.end"), found="0")
    c.fail("nothing after the length word of booleans", flags([]), Body(FIRST, "values.end"), found="0")
    c.ok("three indices for three values", coded([Repeated(1, 0), Repeated(1, 1), Repeated(1, 2)]))

    c.rule("rle/overshoot", expected="3")
    for about, page in BOTH:
        c.fail(f"the last run repeats an index once too often, {about}", coded([Repeated(2, 0), Repeated(2, 0)], ONES, page=page),
               Body(SECOND, "values.run1"), expected="1")
        c.fail(f"the last run repeats a boolean once too often, {about}", flags([Repeated(4, 1)], page=page), FLAG)
    c.fail("a whole group more than is needed", coded([Packed([0, 1, 2] + [0] * 6)]), INDEX)
    c.ok("five padding slots in the last group", coded([Packed([0, 1, 2])]))
    c.ok("seven padding slots in the last group", coded([Repeated(1, 0), Repeated(1, 1), Packed([2])]))

    c.rule("rle/trailing-bytes")
    for about, page in BOTH:
        c.fail(f"a byte after the last run of indices, {about}", coded([Packed([0, 1, 2])], page=page, tail=b"\0"),
               Body(SECOND, "values.after"))
    c.fail("a further run of indices", coded([Packed([0, 1, 2])], tail=b"\2\0"), Body(SECOND, "values.after"), lost=[lost("page", 0, 0, 1)])
    c.fail("two bytes after the last run of booleans, within their length", flags([Repeated(3, 1), b"\0\0"]),
           Body(FIRST, "values.run1"))
    c.ok("the section ends with the last run", coded([Packed([0, 1, 2])]))
