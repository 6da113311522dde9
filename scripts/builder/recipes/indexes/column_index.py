"""The ColumnIndex of a chunk, compared with its data pages (parquet.thrift, ColumnIndex)."""

import struct

from builder.codec import plain
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import (ASCENDING, BOOLEAN, BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DESCENDING, DOUBLE,
                                    DROP, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT96, RLE_DICTIONARY, UNORDERED)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import S, V
from builder.expect.witness import Also
from builder.recipes.base_files import IEEE, INDEX, NAN, column, lists
from builder.recipes.statistics.statistics import kinds

INT96_ORDER = [{"INT96_TIMESTAMP_ORDER": {}}]
OFFSET = "row_groups[0].columns[0].column_index_offset"
WORDS = dict(logicalType={"STRING": {}}, converted_type=0)
DECIMAL = {"logicalType": {"DECIMAL": {"scale": 0, "precision": 4}}, "converted_type": 5, "precision": 4, "scale": 0}
INTERVAL = dict(type_length=12, converted_type=21)


def at(path, **more):
    return V(path, **INDEX, **more)


def le(number):
    return struct.pack("<i", number)


def real(number):
    return struct.pack("<d", number)


def indexed(node, values, pages, index=True, column_orders=True, offset_index=True, **more):
    """One column in these pages, with a ColumnIndex."""
    return column(node, values, Chunk(list(pages), column_index=index, offset_index=offset_index, **more), column_orders=column_orders)


def three(index=True, node=None, values=(1, 2, None, None, 3, None), **more):
    """Three pages of an optional column, with the second one null."""
    return indexed(node or optional("o", INT32), values, [V1(2), V1(2), V1()], index, **more)


def with_bounds(kind, minima, maxima, index=None):
    """An index with these bounds instead of the builder's, which ignores annotations."""
    bound = lambda item: item if isinstance(item, bytes) else plain.bare(kind, item)
    return {"min_values": [bound(item) for item in minima], "max_values": [bound(item) for item in maxima], **(index or {})}


def shorter(*names):
    """Lists without their last entry."""
    def change(root):
        for name in names:
            root.at(name).items.pop()
    return change


def witnesses(c):
    lengths(c)
    null_pages(c)
    null_counts(c)
    forms(c)
    bounds(c)
    exchanged(c)
    orders(c)
    nans(c)
    without_order(c)
    advice(c)


def lengths(c):
    c.rule("column-index/list-length", found="2", expected="3")
    counted = {"nan_counts": [0, 0, 0]}
    doubles = dict(node=optional("d", DOUBLE), values=(1.0, 2.0, None, None, 3.0, None))
    for name in ("null_pages", "min_values", "max_values", "null_counts"):
        c.fail(f"{name} lacks the entry of the last page", three(shorter(name)), at(name))
    c.fail("nan_counts lacks the entry of the last page", three([counted, shorter("nan_counts")], **doubles), at("nan_counts"))
    c.fail("null_pages lacks an entry, and there is no OffsetIndex", three(shorter("null_pages"), offset_index=None), at("null_pages"),
           Also("page-index/column-needs-offset", S("row_groups[0].columns[0]", field="offset_index_offset"), "there is none"))
    c.fail("every list lacks the entry of the last page",
           three(shorter("null_pages", "min_values", "max_values", "null_counts")), at("null_pages", times=4))
    c.fail("the lists are those of a chunk of one page",
           three({"null_pages": [False], "min_values": [le(7)], "max_values": [le(9)], "null_counts": [0]}),
           at("null_pages", times=4), found="1")
    c.fail("min_values has an entry for the dictionary page",
           indexed(required("a", INT32), [1, 2, 1, 2], [Dictionary([1, 2]), V1(2, RLE_DICTIONARY), V1(None, RLE_DICTIONARY)],
                   {"min_values": [le(1), le(1), le(1)]}), at("min_values"), found="3", expected="2")
    c.ok("each list has one entry per data page", three([]))
    c.ok("nan_counts has one entry per data page", three(counted, **doubles))
    c.ok("a dictionary page has no entry",
         indexed(required("a", INT32), [1, 2, 1, 2], [Dictionary([1, 2]), V1(2, RLE_DICTIONARY), V1(None, RLE_DICTIONARY)]))


def null_pages(c):
    flags = lambda *values: {"null_pages": list(values)}
    c.rule("column-index/null-pages")
    for where, wrong, path in (("first", flags(True, True, False), 0), ("last", flags(False, True, True), 2)):
        c.fail(f"the {where} page is marked null and has values", three(wrong), at(f"null_pages[{path}]"), found="true", expected="false")
    c.fail("a null page is not marked", three(flags(False, False, False)), at("null_pages[1]"), found="false", expected="true")
    c.fail("every page is marked null, without bounds",
           three({"null_pages": [True] * 3, "min_values": [b""] * 3, "max_values": [b""] * 3}), at("null_pages[0]", times=2),
           found="true", expected="false")
    c.fail("every page is marked null, and the nulls were not counted",
           three({"null_pages": [True] * 3, "min_values": [b""] * 3, "max_values": [b""] * 3, "null_counts": [-1] * 3}),
           at("null_pages[0]", times=2),
           Also("column-index/null-counts-range", at("null_counts[0]", times=3).with_values("-1", "0 to 2"), "-1 means not counted"),
           found="true", expected="false")
    c.fail("a page of an empty list and a null list is not marked",
           lists(Chunk([V1(2), V1()], column_index={"null_pages": [False, False], "min_values": [le(1), b""], "max_values": [le(2), b""]},
                       offset_index=True), items=([1, 2], [], None), column_orders=True),
           at("null_pages[1]"), found="false", expected="true")
    c.ok("the null page alone is marked", three([]))
    c.ok("a page of an empty list and a null list is marked",
         lists(Chunk([V1(2), V1()], column_index=True, offset_index=True), items=([1, 2], [], None), column_orders=True))

    c.rule("column-index/null-page-counts")
    none = dict(tier="pages")
    c.fail("a null page without bounds has no null", three({"null_counts": [0, 0, 1]}), at("null_counts[1]"),
           found="null_counts says 0", expected="the number of entries of a null page", **none)
    c.fail("a page with bounds and no null is marked null", three(flags(True, True, False)), at("null_pages[0]"),
           found="null_pages says true", expected="false", **none)
    c.fail("two pages with bounds and no null are marked null",
           indexed(optional("o", INT32), (1, 2, 3), [V1(1), V1(1), V1()], flags(True, False, True)), at("null_pages[0]", times=2),
           found="null_pages says true", expected="false", **none)
    c.fail("a page without bounds whose entries are all null is not marked",
           three(flags(False, False, False)), at("null_pages[1]"), found="null_pages says false", expected="true", **none)
    c.fail("all entries of a page with bounds are null", three({"null_counts": [2, 2, 1]}), at("null_counts[0]"),
           found="null_counts says 2", expected="less than the entries of the page", **none)
    c.ok("null_pages and null_counts agree", three([]), **none)

    c.rule("column-index/null-page-bounds", found="4", expected="0")
    for name in ("min_values", "max_values"):
        c.fail(f"{name} of a null page has a value", three({f"{name}[1]": le(0)}), at(f"{name}[1]"))
    c.fail("both bounds of a null page are those of the page before", three({"min_values[1]": le(1), "max_values[1]": le(2)}),
           at("min_values[1]", times=2))
    c.ok("both bounds of a null page are empty", three([]))


def null_counts(c):
    counts = lambda *values: {"null_counts": list(values)}
    c.rule("column-index/null-counts")
    for about, wrong, found, expected, path in (
            ("of the first page is 1 too many", (1, 2, 1), 1, 0, 0), ("of a null page is 1 too few", (0, 1, 1), 1, 2, 1),
            ("of the last page is 0", (0, 2, 0), 0, 1, 2)):
        c.fail(f"the null count {about}", three(counts(*wrong)), at(f"null_counts[{path}]"), found=str(found), expected=str(expected))
    c.fail("the null counts of two pages are exchanged", three(counts(1, 2, 0)), at("null_counts[0]", times=2), found="1", expected="0")
    c.fail("a null page has no null", three(counts(0, 0, 1)), at("null_counts[1]"), found="0", expected="2")
    c.fail("all entries of a page with values are null", three(counts(0, 2, 2)), at("null_counts[2]"), found="2", expected="1")
    c.fail("the null count of a v2 page is 1 too few",
           indexed(optional("o", INT32), (1, None, None), [V2()], counts(1)), at("null_counts[0]"), found="1", expected="2")
    c.ok("each null count is that of its page", three([]))

    nested = [[1, 2], [], None, [3, None]]
    two_pages = lambda *values: lists(Chunk([V1(4), V1()], column_index=counts(*values), offset_index=True), items=nested, column_orders=True)
    c.rule("column-index/null-counts-leaf")
    c.fail("the null count of a list leaves out the list that is null and the empty one", two_pages(0, 1), at("null_counts[0]"),
           found="0", expected="2")
    c.fail("the null counts of two pages leave out the lists that are null",
           lists(Chunk([V1(2), V1(1), V1()], column_index=counts(0, 0, 0), offset_index=True), items=([1], None, None, [2]), column_orders=True),
           at("null_counts[0]", times=2), found="0", expected="1")
    c.ok("the null count of a list counts both as well", two_pages(2, 1))

    c.rule("column-index/null-counts-range")
    c.fail("a null count is -1", three(counts(-1, 2, 1)), at("null_counts[0]"), found="-1", expected="0 to 2")
    c.fail("a null count is above the entries of its page", three(counts(0, 2, 3)), at("null_counts[2]"), found="3", expected="0 to 2")
    c.fail("no null count was counted", three(counts(-1, -1, -1)), at("null_counts[0]", times=3), found="-1", expected="0 to 2")
    c.fail("the null count of a required column is 1",
           indexed(required("a", INT32), (1, 2, 3), [V1(2), V1()], counts(0, 1)), at("null_counts[1]"), found="1", expected="0")
    c.fail("a null count is -1; seen without the pages' bodies", three(counts(-1, 2, 1)), at("null_counts[0]"), found="-1",
           expected="0 or more", tier="pages")
    c.ok("each null count is between 0 and the entries of its page", three([]))
    c.ok("the null counts of a required column are 0", indexed(required("a", INT32), (1, 2, 3), [V1(2), V1()]))

    c.rule("column-index/null-counts-missing", found="absent", expected="one count per page")
    c.fail("there are no null_counts", three({"null_counts": DROP}),
           V("", **INDEX, field="column_index.null_counts"))
    c.ok("there are null_counts", three([]))


def forms(c):
    c.rule("column-index/bound-length")
    for name in ("min_values", "max_values"):
        c.fail(f"{name} of INT32 has 8 bytes", three({f"{name}[0]": bytes(8)}), at(f"{name}[0]"), found="8", expected="4")
    c.fail("a bound of a page with values is empty", three({"max_values[2]": b""}), at("max_values[2]"), found="0", expected="4")
    c.fail("a bound of FIXED_LEN_BYTE_ARRAY is longer than the type",
           indexed(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), (b"abc", b"abd"), [V1(1), V1()], {"max_values[0]": b"abcd"}),
           at("max_values[0]"), found="4", expected="3")
    c.fail("a bound of DECIMAL in FIXED_LEN_BYTE_ARRAY is shortened",
           indexed(required("f", FIXED_LEN_BYTE_ARRAY, type_length=2, **DECIMAL), (b"\0\1", b"\0\2"), [V1(1), V1()], {"max_values[0]": b"\1"}),
           at("max_values[0]"), found="1", expected="2")
    c.fail("two bounds of BOOLEAN have no byte",
           indexed(required("b", BOOLEAN), (True, False), [V1(1), V1()], {"min_values[0]": b"", "min_values[1]": b""}),
           at("min_values[0]", times=2), found="0", expected="1")
    c.ok("a bound of BYTE_ARRAY is empty, and a value is", indexed(required("s", BYTE_ARRAY), (b"", b"a"), [V1()]))
    c.ok("a bound of BOOLEAN has one byte", indexed(required("b", BOOLEAN), (True, False), [V1(1), V1()]))

    fixed = lambda wrong: indexed(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), (b"abc", b"abd"), [V1(1), V1()], wrong)
    c.rule("column-index/bound-shortened", expected="3")
    c.fail("an upper bound of FIXED_LEN_BYTE_ARRAY is shortened, and raised", fixed({"max_values[0]": b"b", "boundary_order": UNORDERED}),
           at("max_values[0]"), found="1")
    c.fail("two lower bounds of FIXED_LEN_BYTE_ARRAY are shortened", fixed({"min_values[0]": b"ab", "min_values[1]": b"ab"}),
           at("min_values[0]", times=2), found="2")
    c.ok("a bound of FIXED_LEN_BYTE_ARRAY is no value, and has its length", fixed({"max_values[0]": b"abd"}))

    flags = lambda wrong: indexed(required("b", BOOLEAN), (True, False, True), [V1(1), V1()], wrong)
    c.rule("column-index/boolean-bound")
    c.fail("an upper bound of BOOLEAN is the byte 255", flags({"max_values[0]": b"\xff"}), at("max_values[0]"), found="255", expected="1")
    c.fail("two upper bounds of BOOLEAN are the byte 3", flags({"max_values[0]": b"\3", "max_values[1]": b"\3"}), at("max_values[0]", times=2),
           found="3", expected="1")
    c.ok("bounds of BOOLEAN are the bytes 0 and 1", flags([]))

    c.rule("column-index/bound-value")
    text = lambda *overrides, **kind: indexed(required("s", BYTE_ARRAY, **kind), [b"caf\xc3\xa9", b"caf\xc3\xaf"], [V1(1), V1()], *overrides)
    cut = {"min_values[0]": b"caf\xc3"}
    for name, kind in (("STRING", WORDS), ("ENUM", {"logicalType": {"ENUM": {}}, "converted_type": 4})):
        c.fail(f"a bound of {name} is cut inside of a character", text(cut, **kind), at("min_values[0]"), found="0x636166c3",
               expected="well-formed UTF-8")
    c.fail("a bound of JSON is cut inside of a character", indexed(
        required("s", BYTE_ARRAY, logicalType={"JSON": {}}, converted_type=19), [b'"caf\xc3\xa9"'], [V1()], {"min_values[0]": b'"caf\xc3'}),
           at("min_values[0]"), found="0x22636166c3", expected="well-formed UTF-8")
    c.fail("the last bytes of two upper bounds are raised beyond the character",
           text({"max_values[0]": b"caf\xc4", "max_values[1]": b"caf\xc4"}, **WORDS), at("max_values[0]", times=2), found="0x636166c4",
           expected="well-formed UTF-8")
    small = required("a", INT32, logicalType={"INTEGER": {"bitWidth": 8, "isSigned": True}}, converted_type=15)
    c.fail("a bound of INT(8) needs nine bits", indexed(small, [1, 127], [V1()], {"max_values[0]": le(128)}), at("max_values[0]"),
           found="128", expected="-128 to 127")
    digits = required("a", INT32, **DECIMAL)
    c.fail("a bound of DECIMAL(4) has five digits", indexed(digits, [1, 9999], [V1()], {"max_values[0]": le(10000)}), at("max_values[0]"),
           found="10000", expected="at most 4 digits")
    c.ok("bounds of STRING are cut between characters, and raised to another one",
         text({"min_values[0]": b"caf", "max_values[0]": b"cag", "boundary_order": UNORDERED}, **WORDS))
    c.ok("bounds without an annotation are any bytes", text(cut))
    c.ok("bounds of INT(8) and DECIMAL are as wide as can be", indexed(small, [-128, 127], [V1()]))


def orders(c):
    c.rule("column-index/min-max-order", found="2", expected="1")
    none = dict(tier="pages")
    flat = lambda index=True: indexed(required("a", INT32), (1, 2, 3, 4), [V1(2), V1()], index)
    exchanged = {"min_values[0]": le(2), "max_values[0]": le(1)}
    c.fail("the bounds of the first page are exchanged; seen without values", flat(exchanged), at("min_values[0]"), **none)
    c.fail("the bounds of both pages are exchanged; seen without values",
           flat({**exchanged, "min_values[1]": le(4), "max_values[1]": le(3)}), at("min_values[0]", times=2), **none)
    c.ok("both bounds are the same", indexed(required("a", INT32), (2, 2), [V1()]), **none)

    def ordered(stated, pages, kind=INT32, node=None, **more):
        values = [item for page in pages for item in page]
        return indexed(node or optional("o", kind), values, [V1(len(page)) for page in pages],
                       [more.pop("index", {}), {"boundary_order": stated}], **more)

    rising, falling, both = [[1, 2], [3, 4], [5, 6]], [[5, 6], [3, 4], [1, 2]], [[1, 2], [5, 6], [3, 4]]
    c.rule("column-index/boundary-order")
    names = {ASCENDING: "ASCENDING", DESCENDING: "DESCENDING", UNORDERED: "UNORDERED"}
    for stated, pages, correct in ((ASCENDING, falling, DESCENDING), (DESCENDING, rising, ASCENDING), (ASCENDING, both, UNORDERED),
                                (DESCENDING, both, UNORDERED), (ASCENDING, [[1, 9], [2, 3], [4, 5]], UNORDERED),
                                (DESCENDING, [[5, 6], [1, 8]], UNORDERED)):
        c.fail(f"boundary_order is {names[stated]} for pages {pages}", ordered(stated, pages), at("boundary_order"), found=names[stated], expected=names[correct])
    c.fail("boundary_order is ASCENDING for descending pages around a null page", ordered(ASCENDING, [[3], [None], [1]]), at("boundary_order"),
           found="ASCENDING", expected="DESCENDING")
    c.fail("strings that rise as signed bytes",
           ordered(ASCENDING, [[b"\xc3\xa9"], [b"a"]], node=required("s", BYTE_ARRAY)), at("boundary_order"), found="ASCENDING",
           expected="DESCENDING")
    for name, wrong in (("min_values[2]", le(2)), ("max_values[0]", le(5))):
        c.fail(f"{name} is no value of its page, and breaks the order that the values have", ordered(ASCENDING, rising, index={name: wrong}),
               at(name), found="ASCENDING", expected="UNORDERED")
    for name, wrong in (("min_values[0]", le(2)), ("max_values[2]", le(5))):
        c.fail(f"{name} is no value of its page, and breaks the falling order that the values have",
               ordered(DESCENDING, falling, index={name: wrong}), at(name), found="DESCENDING", expected="UNORDERED")
    c.ok("pages rise, and overlap", ordered(ASCENDING, [[1, 5], [2, 6], [2, 9]]))
    c.ok("pages fall", ordered(DESCENDING, falling))
    c.ok("pages ascend, with null pages before, between and after them", ordered(ASCENDING, [[None], [1], [None], [2], [None]]))
    c.ok("pages are all the same, and fall", ordered(DESCENDING, [[1, 2], [2, 1]]))
    c.ok("pages are unordered", ordered(UNORDERED, both))

    c.rule("column-index/boundary-order-unused", found="UNORDERED")
    c.fail("pages rise", ordered(UNORDERED, rising), at("boundary_order"), expected="ASCENDING")
    c.fail("pages fall", ordered(UNORDERED, falling), at("boundary_order"), expected="DESCENDING")
    c.ok("there is one page with values", ordered(UNORDERED, [[1, 2], [None]]))
    c.ok("the lower bounds rise and the upper ones fall", ordered(UNORDERED, [[1, 9], [2, 8]]))


def bounds(c):
    c.rule("column-index/bounds")
    for about, node, items in kinds():
        low, high = items[0], items[-1]
        pages = [V1(len(items)), V1()]
        twice = [*items, *items]
        for name, wrong in (("min_values", with_bounds(node.type, [low, high], [high, high])), ("max_values", with_bounds(node.type, [low, low], [high, low]))):
            c.fail(f"an entry of {name} of {about} excludes a value of its page", indexed(node, twice, pages, wrong), at(f"{name}[1]"))
        c.ok(f"the bounds of {about} are the extreme values", indexed(node, twice, pages, with_bounds(node.type, [low, low], [high, high])))
    node, items = required("a", INT32), [5, 6, 7, 8, 9, 10]
    three_pages = lambda wrong: indexed(node, items, [V1(2), V1(2), V1()], wrong)
    c.fail("the lower bound of the first of three pages is 1 too high", three_pages({"min_values[0]": le(6)}), at("min_values[0]"))
    c.fail("the upper bound of the last of three pages is 1 too low", three_pages({"max_values[2]": le(9)}), at("max_values[2]"))
    c.fail("the bounds of two pages are exchanged", three_pages(
        {"min_values[0]": le(7), "max_values[0]": le(8), "min_values[1]": le(5), "max_values[1]": le(6)}), at("min_values[0]", times=2))
    c.fail("every bound is that of another chunk", three_pages(with_bounds(INT32, [20, 22, 24], [21, 23, 25])), at("min_values[0]", times=3))
    c.fail("the bounds of a page contradict each other, and one of them its values", three_pages({"min_values[1]": le(9)}), at("min_values[1]"))
    c.fail("the bounds of a page are exchanged", three_pages({"min_values[1]": le(8), "max_values[1]": le(7)}), at("min_values[1]", times=2))
    c.fail("a bound of the second page breaks the order of the pages", three_pages({"max_values[1]": le(5)}), at("max_values[1]"))
    for about, pages in (("a dictionary", (Dictionary(items), V1(3, RLE_DICTIONARY), V1(None, RLE_DICTIONARY))),
                         ("a dictionary of v2 pages", (Dictionary(items), V2(3, RLE_DICTIONARY), V2(None, RLE_DICTIONARY))),
                         ("a dictionary, and of PLAIN pages after it", (Dictionary(items), V1(3, RLE_DICTIONARY), V1())),
                         ("DELTA_BINARY_PACKED", (V1(3, DELTA_BINARY_PACKED), V2(None, DELTA_BINARY_PACKED))),
                         ("BYTE_STREAM_SPLIT", (V1(3, BYTE_STREAM_SPLIT), V1(None, BYTE_STREAM_SPLIT)))):
        c.fail(f"an entry of max_values excludes a value of {about}", indexed(node, items, pages, {"max_values[1]": le(9)}), at("max_values[1]"))
        c.ok(f"the bounds of pages of {about}", indexed(node, items, pages))
    c.fail("the checksum of the second page is wrong, and bounds before and after it exclude values", indexed(
        node, items, [V1(2, crc=True), V1(2, crc=1), V1(crc=True)], {"max_values[0]": le(5), "min_values[1]": le(20), "min_values[2]": le(10)}),
        at("min_values[2]", times=2), Also("crc/match", V("crc", page=(0, 0, 1)), "the page is not checked, and neither is its entry"), rows=None)
    words = [b"apple", b"apricot", b"cherry"]
    text = required("s", BYTE_ARRAY)
    c.fail("an upper bound is shortened and not raised", indexed(text, words, [V1(2), V1()], {"max_values[0]": b"apr"}), at("max_values[0]"))
    c.fail("an upper bound of a dictionary of text is shortened and not raised", indexed(
        text, words, [Dictionary(words), V1(2, RLE_DICTIONARY), V1(None, RLE_DICTIONARY)], {"max_values[0]": b"apr"}), at("max_values[0]"))
    c.ok("bounds are shortened, and the upper ones raised", indexed(
        text, words, [V1(2), V1()], {"min_values": [b"ap", b"c"], "max_values": [b"aps", b"d"]}))
    c.ok("a dictionary has an entry beyond the bounds of the page that does not refer to it",
         indexed(node, [1, 2, 9], [Dictionary([1, 2, 9]), V1(2, RLE_DICTIONARY), V1(None, RLE_DICTIONARY)]))
    c.ok("page headers have statistics as well", indexed(
        node, [1, 2, 3], [V1(statistics={"min_value": le(1), "max_value": le(3), "null_count": 0})]))

    double = required("d", DOUBLE)
    total = dict(column_orders=IEEE)
    of = lambda minima, maxima, **more: with_bounds(DOUBLE, minima, maxima, {"boundary_order": UNORDERED, **more})
    c.fail("under the total order 0.0 excludes -0.0", indexed(double, [-0.0, 1.0], [V1()], of([0.0], [1.0]), **total), at("min_values[0]"))
    c.fail("under the total order NaN bounds values that are numbers",
           indexed(double, [1.0, 2.0, NAN], [V1()], of([1.0], [NAN]), **total), at("max_values[0]"))
    c.fail("under the total order a number bounds NaNs from below",
           indexed(double, [1.0, NAN, NAN], [V1(1), V1()], of([1.0, 1.0], [1.0, NAN]), **total), at("min_values[1]"))
    c.ok("under the total order NaNs bound NaNs", indexed(double, [1.0, NAN, NAN], [V1(1), V1()], of([1.0, NAN], [1.0, NAN]), **total))
    c.ok("under the total order bounds of numbers leave NaNs out",
         indexed(double, [1.0, 2.0, NAN], [V1()], of([1.0], [2.0], nan_counts=[1]), **total))

    c.rule("column-index/chunk-bounds")
    exact = lambda low, high: {"statistics": {"min_value": le(low), "max_value": le(high), "null_count": 0,
                                              "is_min_value_exact": True, "is_max_value_exact": True}}
    flat = lambda low, high: indexed(node, [3, 4, 5], [V1(2), V1()], meta=exact(low, high))
    none = dict(tier="pages")
    c.fail("the exact min_value of the chunk is below all pages", flat(2, 5), at("min_values[0]"), found="3", expected="2", **none)
    c.fail("the exact max_value of the chunk is above all pages", flat(3, 6), at("max_values[1]"), found="5", expected="6", **none)
    c.fail("both exact bounds of the chunk are outside of the pages", flat(2, 6), at("min_values[0]", times=2), found="3", expected="2", **none)
    c.ok("the exact bounds of the chunk are those of its pages", flat(3, 5), **none)


def exchanged(c):
    """Two chunks of three pages of two values each, whose ColumnIndexes differ only in their bounds."""
    low, high = ({"min_values": [le(base + i) for i in (0, 2, 4)], "max_values": [le(base + i) for i in (1, 3, 5)]} for base in (1, 101))
    of = lambda index: Chunk([V1(2), V1(2), V1()], column_index=index, offset_index=True)
    rows = [{"a": i, "b": 100 + i} for i in range(1, 7)]
    columns = lambda first, second, **more: File([required("a", INT32), required("b", INT32)], rows, [of(first), of(second)], column_orders=True, **more)
    groups = lambda first, second, **more: File([required("a", INT32)], groups=[
        Group([{"a": row[name]} for row in rows], of(index)) for name, index in (("a", first), ("b", second))], column_orders=True, **more)

    def offsets(of_places, chunks):
        """Edits to the footer: each chunk has the ColumnIndex of the other one."""
        built = of_places(True, True).build()
        return {f"row_groups[{g}].columns[{k}].column_index_offset": built.structures["column_index", *other][0]
                for (g, k), other in zip(chunks, reversed(chunks))}

    c.rule("column-index/bounds")
    for about, make, chunks in (("columns", columns, ((0, 0), (0, 1))), ("row groups", groups, ((0, 0), (1, 0)))):
        place = lambda name, chunk: V(f"{name}[0]", index="column_index", chunk=chunk, times=3)
        c.fail(f"two {about} have the bounds of each other", make(high, low), place("min_values", chunks[0]),
               Also("column-index/bounds", place("max_values", chunks[1]), "the other ColumnIndex of the two"))
        named_by = lambda chunk: {"row_group": chunk[0], "leaf": chunk[1]}
        c.fail(f"two {about} name the ColumnIndex of each other", make(True, True, footer=offsets(make, chunks)),
               place("min_values", chunks[1]).with_values("101", "1", **named_by(chunks[0])),
               Also("column-index/bounds", place("max_values", chunks[0]).with_values("2", "102", **named_by(chunks[1])), "the other ColumnIndex of the two"))
        c.ok(f"two {about} have bounds of their own", make(low, high))


def nans(c):
    double = required("d", DOUBLE)
    of = lambda minima, maxima, **more: with_bounds(DOUBLE, minima, maxima, {"boundary_order": UNORDERED, **more})
    pages = [V1(1), V1()]
    c.rule("column-index/all-nan-page", found="no value but NaN", expected="no ColumnIndex")
    c.fail("a page of NaNs is bounded by NaN", indexed(double, [1.0, NAN], pages, of([1.0, NAN], [1.0, NAN])), at("min_values[1]"))
    c.fail("a page of NaNs is bounded by numbers", indexed(double, [1.0, NAN], pages, of([1.0, 0.0], [1.0, 0.0])), at("min_values[1]"))
    c.fail("a page of NaNs is marked null",
           indexed(double, [1.0, NAN], pages, of([1.0, b""], [1.0, b""], null_pages=[False, True])), at("min_values[1]"))
    c.fail("two pages are NaNs", indexed(double, [NAN, NAN], pages, of([NAN] * 2, [NAN] * 2)), at("min_values[0]", times=2))
    c.fail("a page refers to the NaN of a dictionary alone",
           indexed(double, [1.0, NAN], [Dictionary([1.0, NAN]), V1(1, RLE_DICTIONARY), V1(None, RLE_DICTIONARY)],
                   of([1.0, NAN], [1.0, NAN])), at("min_values[1]"))
    c.ok("each page has a number", indexed(double, [1.0, NAN, NAN, 2.0], [V1(2), V1()], of([1.0, 2.0], [1.0, 2.0])))

    c.rule("column-index/nan-bound", found="NaN", expected="a number")
    for name in ("min_values", "max_values"):
        c.fail(f"a bound of {name} is NaN, and its page has a number",
               indexed(double, [1.0, 2.0, NAN], pages, [of([1.0, 2.0], [1.0, 2.0]), {f"{name}[1]": real(NAN)}]), at(f"{name}[1]"))
    c.fail("the bounds of two pages are NaN", indexed(double, [NAN, 1.0, NAN, 2.0], [V1(2), V1()],
           of([NAN, NAN], [1.0, 2.0])), at("min_values[0]", times=2))
    c.fail("a bound of FLOAT16 is NaN", indexed(
        required("h", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}), [struct.pack("<e", 1.0)], [V1()],
        with_bounds(FIXED_LEN_BYTE_ARRAY, [b"\0\x7e"], [b"\0\x3c"])), at("min_values[0]"))
    c.ok("NaNs stay out of the bounds", indexed(double, [1.0, NAN, 2.0], [V1()], of([1.0], [2.0])))

    c.rule("column-index/nan-counts")
    counted = lambda *counts, **more: indexed(double, [1.0, NAN, NAN, 2.0, 3.0], [V1(3), V1()], of([1.0, 2.0], [1.0, 3.0], nan_counts=list(counts)), **more)
    c.fail("the NaN count of the first page leaves out one", counted(1, 0), at("nan_counts[0]"), found="1", expected="2")
    c.fail("the NaN count of the last page is 1 too many", counted(2, 1), at("nan_counts[1]"), found="1", expected="0")
    c.fail("the NaN counts of both pages are exchanged", counted(0, 2), at("nan_counts[0]", times=2), found="0", expected="2")
    c.fail("a NaN count is -1", counted(2, -1), at("nan_counts[1]"), found="-1", expected="0")
    c.fail("a NaN count is -1; seen without values", counted(2, -1), at("nan_counts[1]"), found="-1", expected="0 or more", tier="pages")
    c.fail("the NaN of a dictionary is counted once",
           indexed(double, [1.0, NAN, NAN], [Dictionary([1.0, NAN]), V1(None, RLE_DICTIONARY)], of([1.0], [1.0], nan_counts=[1])),
           at("nan_counts[0]"), found="1", expected="2")
    c.ok("each NaN count is that of its page", counted(2, 0))
    c.ok("the NaNs of a dictionary are counted as often as they occur",
         indexed(double, [1.0, NAN, NAN], [Dictionary([1.0, NAN]), V1(None, RLE_DICTIONARY)], of([1.0], [1.0], nan_counts=[2])))

    c.rule("column-index/nan-counts-type", expected="FLOAT, DOUBLE or FLOAT16")
    for node, item in ((required("a", INT32), 1), (required("s", BYTE_ARRAY), b"a"),
                       (required("f", FIXED_LEN_BYTE_ARRAY, type_length=2), b"ab")):
        name = {INT32: "INT32", BYTE_ARRAY: "BYTE_ARRAY", FIXED_LEN_BYTE_ARRAY: "FIXED_LEN_BYTE_ARRAY"}[node.type]
        c.fail(f"{name} has nan_counts", indexed(node, [item], [V1()], {"nan_counts": [0]}), at("nan_counts"), found=name)
    c.ok("FLOAT16 has nan_counts", indexed(
        required("h", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}), [struct.pack("<e", 1.0)], [V1()], {"nan_counts": [0]}))
    c.ok("FLOAT has nan_counts", indexed(required("f", FLOAT), [1.0], [V1()], {"nan_counts": [0]}))

    c.rule("column-index/zero-bound")
    zeros = lambda low, high, **more: indexed(double, [0.0, -0.0, 0.0, 1.0], [V1(2), V1()], of([low, low], [high, 1.0]), **more)
    c.fail("lower bounds of zero are 0.0", zeros(0.0, 0.0), at("min_values[0]", times=2), found="0.0", expected="-0.0")
    c.fail("an upper bound of zero is -0.0", zeros(-0.0, -0.0), at("max_values[0]"), found="-0.0", expected="0.0")
    c.ok("bounds of zero are -0.0 and 0.0", zeros(-0.0, 0.0))
    c.ok("under the total order bounds of zero are the zeros of the page",
         indexed(double, [0.0, -0.0], [V1(1), V1()], of([0.0, -0.0], [0.0, -0.0]), column_orders=IEEE))

    c.rule("column-index/bound-document", expected="a whole document")
    for about, converted, items, cut, beyond in (
            ("JSON", 19, [b'{"a": "{1"}', b'{"b": 2}'], b'{"a": "{1"', b'{"c'),
            ("BSON", 20, [b"\5\0\0\0\0", b"\x0c\0\0\0\x10a\0\1\0\0\0\0"], b"\5\0\0\0", b"\x0d")):
        node = required("j", BYTE_ARRAY, converted_type=converted, logicalType={about: {}})
        documents = lambda edits, page=V1: indexed(node, items, [page(1), page()], edits)
        for name, place, bound in (("min_values", 0, cut), ("max_values", 1, beyond)):
            for version, page in (("v1", V1), ("v2", V2)):
                c.fail(f"a bound of {about} in {name} is shortened, {version}", documents({f"{name}[{place}]": bound}, page), at(f"{name}[{place}]"),
                       found="0x" + bound.hex())
        c.fail(f"both upper bounds of {about} are shortened", documents({"max_values": [beyond, beyond]}), at("max_values[0]", times=2),
               found="0x" + beyond.hex())
        c.ok(f"bounds of {about} are complete documents", documents([]))
        c.ok(f"bounds of {about} are other documents", documents({"max_values": [items[1], items[1]]}))

    c.rule("column-index/bound-attained")
    payload = lambda bits: struct.pack("<Q", bits)
    wide, narrow = payload(0x7FFF << 48), payload(0x7FF8 << 48)
    c.fail("NaNs bound NaNs, and are none of them",
           indexed(double, [NAN], [V1()], of([narrow], [wide]), column_orders=IEEE), at("max_values[0]"),
           found="NaN, byte 6 is 255", expected="NaN, byte 6 is 248")
    day = lambda days, nanos=0: struct.pack("<qi", nanos, days)
    deprecated = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated, whatever its order")
    stamp = required("t", INT96)
    near = lambda low, high: indexed(stamp, [day(2440589, 5), day(2440590)], [V1()], with_bounds(INT96, [low], [high]), column_orders=INT96_ORDER)
    c.fail("timestamps are bounded by others below and above", near(day(2440589), day(2440591)), at("min_values[0]", times=2), deprecated,
           found="1970-01-02T00:00:00.000000000", expected="1970-01-02T00:00:00.000000005")
    c.fail("an upper bound of timestamps is rounded up", near(day(2440589, 5), day(2440590, 1)), at("max_values[0]"), deprecated,
           found="1970-01-03T00:00:00.000000001", expected="1970-01-03T00:00:00.000000000")
    c.ok("timestamps bound timestamps", near(day(2440589, 5), day(2440590)), deprecated)


def without_order(c):
    node = required("t", INT96)
    deprecated = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated, whatever its order")
    day = lambda days, nanos=0: struct.pack("<qi", nanos, days)
    times = [day(1, 5), day(2), day(3), day(4)]
    index = with_bounds(INT96, [times[0], times[2]], [times[1], times[3]], {"boundary_order": ASCENDING})
    c.rule("column-index/int96", found="a ColumnIndex", expected="INT96_TIMESTAMP_ORDER, or none")
    c.fail("INT96 under the type-defined order has a ColumnIndex",
           indexed(node, times, [V1(2), V1()], index), V(OFFSET), deprecated)
    c.ok("INT96 under its own order has a ColumnIndex",
         indexed(node, times, [V1(2), V1()], index, column_orders=INT96_ORDER), deprecated)
    c.ok("INT96 under the type-defined order has an OffsetIndex alone",
         indexed(node, times, [V1(2), V1()], None), deprecated)

    spans = [bytes(12), bytes(11) + b"\1", bytes(11) + b"\2"]
    interval = optional("i", FIXED_LEN_BYTE_ARRAY, **INTERVAL)
    c.rule("column-index/undefined-order", expected="none")
    c.fail("INTERVAL has a ColumnIndex", indexed(interval, spans, [V1(2), V1()]), V(OFFSET), found="a ColumnIndex with bounds")
    c.ok("INTERVAL has an OffsetIndex alone", indexed(interval, spans, [V1(2), V1()], None))
    c.rule("column-index/undefined-order-empty", expected="none")
    c.fail("INTERVAL has a ColumnIndex of null pages", indexed(interval, [None] * 3, [V1(2), V1()]), V(OFFSET),
           found="a ColumnIndex of null pages")
    c.ok("INTERVAL of null pages has an OffsetIndex alone", indexed(interval, [None] * 3, [V1(2), V1()], None))
    c.rule("schema/levels", found="REQUIRED", expected="OPTIONAL")
    c.fail("statistics and ColumnIndex count nulls, and the column is REQUIRED in the schema", column(
        optional("o", INT32), [None] * 3, Chunk([V1(2), V1()], column_index=True, offset_index=True, meta={"statistics": {"null_count": 3}}),
        column_orders=True, footer={"schema[1].repetition_type": 0}), V("schema[1].repetition_type"))
    c.rule("logical-type/converted-match")
    c.fail("ConvertedType MAP with LogicalType STRING, in a column with a ColumnIndex", indexed(
        required("s", BYTE_ARRAY, logicalType={"STRING": {}}, converted_type=1), [b"a", b"b", b"c"], [V1(2), V1()]),
        V("schema[1].converted_type", leaf=0), expected="UTF8")


def advice(c):
    long = [bytes([0x61 + i]) * size for i, size in enumerate((1025, 1025, 3))]
    c.rule("column-index/entry-size", found="1025", expected="at most 1024")
    c.fail("four bounds of 1,025 bytes", indexed(required("s", BYTE_ARRAY), long, [V1(1), V1(1), V1()]), at("min_values[0]", times=4))
    c.ok("bounds of 1,024 bytes", indexed(required("s", BYTE_ARRAY), [item[:1024] for item in long], [V1(1), V1(1), V1()]))
