"""Rules that a column chunk breaks more than once: the finding is at the first place, and counts the others.

For each rule that rules.def counts per page, a witness with one faulty page is repeated with two faulty pages of four; other
repetitions are written by hand. recipes.MODULES must list this module after those whose witnesses it repeats.
"""

from builder.codec import thrift
from builder.codec.file import Chunk, File, Group
from builder.codec.hybrid import Repeated
from builder.codec.metadata import BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, DOUBLE, INT32, PLAIN, RLE, RLE_DICTIONARY, SNAPPY, edit
from builder.codec.pages import V1, V2, Data, Dictionary
from builder.codec.schema import required
from builder.codec.thrift import List, Raw, Struct, adding
from builder.expect.losses import lost
from builder.expect.places import H, S, V, Body, End
from builder.expect.rules import per
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, flat, lists
from builder.recipes.file.limit import constant
from builder.recipes.footer.thrift import INDEX, META, nested, tail
from builder.recipes.page.index_page import HISTORICAL, SIDE, TOP, by_ordinals, by_values, ordinals, squeeze, swap, values, wrong
from builder.recipes.repeated_pages import Unfit, repeated
from builder.recipes.statistics.statistics import NAN, stated

#: The faulty ones of four pages: in the first repeated witness of a rule, and in the second.
PLACES = ((0, 2), (1, 3))
#: Rules that need another fail witness than the first, or arguments of repeated(): (index of the fail witness, arguments).
SPECIAL = {
    "limit/memory": (0, {"valid": 1}),
    "limit/page-size": (0, {"valid": 1}),
    **{f"logical-type/{rule}": (0, {"valid": 1}) for rule in (
        "bson", "decimal-bytes-empty", "decimal-bytes-minimal", "decimal-digits", "integer-range", "json", "map-duplicate-keys",
        "time-range", "unknown-values", "utf8")},
    "page/header-member": (0, {"faulty": (1, 3)}),
    "page/size-negative": (0, {"faulty": (1, 3), "indexed": True}),
    "page/within-chunk": (0, {"faulty": (1, 3), "indexed": True}),
    "plain/int96-halves": (0, {"valid": 1}),
    "plain/int96-nanos": (0, {"valid": 1}),
    "schema/type-length-bits": (2, {"valid": 1}),
    **{f"shredding/{rule}": (0, {"valid": 1}) for rule in (
        "array-not-typed", "conflict", "disjoint-fields", "missing", "name", "object-not-typed")},
    **{f"variant/{rule}": (0, {"valid": 1}) for rule in (
        "decimal", "depth", "field-id", "field-order", "field-unique", "metadata", "metadata-sorted", "metadata-utf8", "offsets", "time-range", "utf8", "value",
        "value-area")},
    "geo/coordinate-range": (0, {"valid": 1}),
    **{f"file-type/{rule}": (0, {"valid": 1}) for rule in (
        "checksum", "checksum-algorithm", "checksum-form", "content-type", "inline-and-uri", "inline-offset", "negative", "offset-without-size", "resolves", "uri")},
    **{f"wkb/{rule}": (0, {"valid": 1}) for rule in (
        "byte-order", "count", "depth", "dimension", "ewkb", "line-points", "part-type", "ring-closed", "ring-points", "trailing-bytes", "truncated", "type",
        "type-unsupported")},
    **{rule: (0, {"valid": 1, "encoding": DELTA_LENGTH_BYTE_ARRAY}) for rule in (
        "shredding/could-be-typed", "variant/metadata-unsorted", "variant/reserved-bits", "variant/unused-name", "variant/wide")},
    "thrift/binary-length": (4, {"faulty": (1, 3), "indexed": True}),
    "thrift/compact-protocol": (4, {"faulty": (1, 3), "indexed": True}),
}
#: Rules counted per page whose repeated witnesses are written below.
BY_HAND = {"limit/work", "statistics/bound-without-orders", "thrift/stop-byte"}


def witnesses(c):
    repeats(c)
    limits_and_levels(c)
    dictionaries(c)
    index_pages(c)
    metadata(c)
    thrift_structs(c)


def repeats(c):
    fails = {}
    for one in c.witnesses:
        if one.kind == "fail":
            fails.setdefault(one.rule, []).append(one)
    for rule, those in fails.items():
        if rule in SPECIAL:
            number, how = SPECIAL[rule]
            c.witnesses.append(repeated(those[number], **how))
        elif per(rule) == "page" and rule not in BY_HAND:
            c.witnesses += repeated_for_each_version(those)


def repeated_for_each_version(those):
    """Repeats at most two witnesses of a rule: the first possible one, and the first with data pages of the other version."""
    by_version = {}
    for one in those:
        if len(by_version) == 2:
            break
        try:
            again = repeated(one, PLACES[len(by_version)])
        except Unfit:
            continue
        group, leaf, _ = next(place.page for place in one.findings if not isinstance(place, Also))
        stored = one.file.build().chunks[group][leaf].pages
        version = next((isinstance(page.page, V2) for page in stored if isinstance(page.page, Data)), False)
        by_version.setdefault(version, again)
    return by_version.values()


def limits_and_levels(c):
    c.rule("limit/work")
    n = 2**31 - 127  # the first value, and a miniblock of the largest multiple of 128 below 2**31
    huge = constant(n, n - 1).groups[0]
    page = huge.chunks.pages[0]
    c.fail("two pages of 2,147,483,521 values in one miniblock without bits each",
           File([required("a", INT32)], groups=[Group(huge.rows * 2, chunk(_one(page), _one(page), meta={"num_values": 2 * n}), {"num_rows": 2 * n})],
                footer={"num_rows": 2 * n}), Body(FIRST, "values", times=2), rows=None)

    c.rule("levels/repetition-needs-defined")
    # Entries: repetition and definition level, value. An empty list that continues a list, three times in two pages.
    items = [[1], [2]] * 2
    broken, valid = [(0, 3, 1), (1, 1, None), (0, 3, 2), (1, 1, None)], [(0, 3, 1), (0, 3, 2)]
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"an empty list continues a list: twice in the second of four pages, once in the last, {about}",
               lists(chunk(page(2, entries=valid), page(2, entries=broken), page(2, entries=valid), page(entries=broken[:3])), items=items * 2),
               Body((0, 0, 1), "def.run0", times=3), rows=None, found="1")

    five = [(0, 3, 1), *[(1, 1, None)] * 5, (0, 3, 2)]
    of_runs = {"reps": [Repeated(1, 0), Repeated(5, 1), Repeated(1, 0)], "defs": [Repeated(1, 3), Repeated(5, 1), Repeated(1, 3)]}
    for about, shape in (("in bit-packed runs", {}), ("in repeated runs", of_runs)):
        c.fail(f"five empty lists continue a list, {about}", lists(chunk(V2(entries=five, **shape)), items=([1], [2])),
               Body(FIRST, "def.run0", times=5), rows=None, found="1")

    c.rule("levels/repetition-after-empty")
    after = [(0, 3, 1), (0, 1, None), (1, 3, 2), (0, 0, None), (1, 3, 2)]
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"an element follows in an empty or null list: twice in the first of four pages, once in the third, {about}",
               lists(chunk(page(3, entries=after), page(2, entries=valid), page(2, entries=after[:3]), page(entries=valid)),
                     items=[[1]] * 9), Body(FIRST, "rep.run0", times=3), rows=None, found="1")
    ends = [(0, 3, 1), (0, 1, None)]
    c.fail("the second and the third of three pages begin inside a list, and the page before each ends with an empty one",
           lists(chunk(V1(2, entries=ends), V1(3, entries=[(1, 3, 2), *ends]), V1(entries=[(1, 3, 2), (0, 3, 3)])), items=[[1], [2], [3], [4], [5, 6, 7]]),
           Body((0, 0, 1), "rep.run0", times=2), rows=None, found="1")


def _one(page):
    """The same page, of one entry."""
    return V1(1, page.encoding, values=page.values, header=page.header)


def dictionaries(c):
    c.rule("dictionary/entries-distinct")
    c.fail("the third and the fourth entry equal the first, the sixth the second",
           flat(chunk(Dictionary([1, 2, 1, 1, 3, 2]), V1(encoding=RLE_DICTIONARY))), Body(FIRST, "values.value2", times=3))

    c.rule("dictionary/page-encoding")
    label = {"encoding": RLE}
    c.fail("two dictionary pages have the encoding RLE",
           flat(chunk(Dictionary([1, 2, 3], **label), V1(2, RLE_DICTIONARY), Dictionary([1, 2, 3], **label), V1(encoding=RLE_DICTIONARY))),
           V("dictionary_page_header.encoding", page=FIRST, times=2),
           Also("dictionary/at-most-one", V("type", page=(0, 0, 2)), "one dictionary page has one label"))


def index_pages(c):
    def both(*edits):
        def edit_all(*node):
            for one in edits:
                one(*node)
        return edit_all

    def swap_all(which, entries, keys):
        if len(entries) == 2:
            swap(0, entries, keys)

    c.rule("index-page/entries")
    longer = {number: lambda image: image + b"\0" for number in (0, 1)}
    c.fail("both index pages below the root have a byte too many", by_ordinals(ordinals(fanout=2, bodies=longer)),
           Body((0, 1, 2), "", times=2), lost=[lost("page", 0, 1, 2), lost("page", 0, 1, 4)], **HISTORICAL, expected="12")
    c.rule("index-page/keys")
    c.fail("the keys of two entries are after the values buffer", by_values(values(edit=both(wrong(1, key=12), wrong(2, key=40)))),
           Body(TOP, "entry1", times=2), **HISTORICAL)
    c.rule("index-page/sorted")
    c.fail("the entries have changed places in an index page and in the root",
           by_ordinals(ordinals(fanout=2, edit=swap_all)), Body((0, 1, 2), "entry1", times=2), **HISTORICAL, found="ordinal 0", expected="2 or more")
    c.rule("index-page/ordinal")
    c.fail("two ordinals are one too large", by_ordinals(ordinals(edit=both(wrong(1, key=3), wrong(2, key=5)))), Body(SIDE, "entry1", times=2), **HISTORICAL, expected="2")
    c.rule("index-page/child")
    c.fail("the pages of two entries are a byte too short",
           by_ordinals(ordinals(edit=both(wrong(0, length=lambda n: n - 1), wrong(2, length=lambda n: n - 1)))),
           Body(SIDE, "entry0.child", times=2), **HISTORICAL)
    c.rule("index-page/size")
    zeros = [bytes(65537 + i) for i in range(3)]
    c.fail("three index pages of more than 65,536 bytes", by_values(
        values(fanout=2, roll_over=1 << 20), zeros, BYTE_ARRAY, data=[V1(1), V1(1), V1()], codec=SNAPPY, compress=squeeze),
        V("uncompressed_page_size", page=(0, 0, 2), times=3), rows=None, **HISTORICAL)


def metadata(c):
    field = META + ".{}"
    c.rule("column-chunk/sizes-negative")
    c.fail("num_values and total_uncompressed_size are -1; at tier footer",
           flat(Chunk(meta={"num_values": -1, "total_uncompressed_size": -1})), V(field.format("num_values"), times=2), tier="footer")
    for rule, count in (("nan-bound", {"nan_count": 1}), ("nan-bound-undated", {"nan_count": None})):
        c.rule(f"statistics/{rule}")
        c.fail("both bounds are NaN", stated(required("d", DOUBLE), [1.0, NAN], {"max_value": NAN, "min_value": NAN, **count}),
               V(field.format("statistics.max_value"), times=2))
    c.rule("footer/key-unique")
    keys = [{"key": key} for key in ("k", "l", "k", "l", "k")]
    c.fail("of the keys of a chunk, one occurs three times and one twice", flat(Chunk(meta={"key_value_metadata": keys})),
           V(field.format("key_value_metadata[2].key"), times=3))


def thrift_structs(c):
    two_pages = {"pages": [V1(2), V1()]}

    def of_two(column_index=True, offset_index=True, **more):
        return flat(Chunk(column_index=column_index, offset_index=offset_index, **two_pages), column_orders=True, **more)

    c.rule("thrift/bool-list-value")
    c.fail("both elements of null_pages are 3", of_two({"null_pages[0]": Raw(b"\3"), "null_pages[1]": Raw(b"\3")}),
           V("null_pages[0]", **INDEX, times=2))
    c.rule("thrift/bool-list-zero")
    c.fail("both elements of null_pages are 0, for false", of_two({"null_pages[0]": Raw(b"\0"), "null_pages[1]": Raw(b"\0")}),
           V("null_pages[0]", **INDEX, times=2))

    def with_list_size_200(path):
        def change(root):
            root.at(path).size = 200
        return change

    both_indexes = [lost("column index", 0, 0), lost("offset index", 0, 0)]
    c.rule("thrift/list-size")
    c.fail("min_values of a column index and page_locations have the list size 200", of_two(with_list_size_200("min_values"), with_list_size_200("page_locations")),
           V("min_values", **INDEX, times=2), lost=both_indexes)
    c.rule("thrift/list-element-type")
    c.fail("null_pages are i8, and page_locations i64",
           of_two({"null_pages": List(thrift.I8, [2])}, {"page_locations": List(thrift.I64, [4])}), V("null_pages", **INDEX, times=2),
           lost=both_indexes)
    c.rule("thrift/stop-byte")
    c.fail("column index and offset index have no stop byte", of_two(tail(b""), tail(b"")), End("", **INDEX, times=2), found="0 bytes", expected="a stop byte", length=0,
           lost=both_indexes)
    c.rule("thrift/module-exact")
    c.fail("a byte after each index of a chunk, within its length",
           flat(Chunk(column_index=True, offset_index=True, column_index_tail=b"\1", offset_index_tail=b"\1"), column_orders=True),
           End("", **INDEX, times=2))
    c.rule("thrift/string-utf8")
    c.fail("two keys in a column chunk", flat(Chunk(meta={"key_value_metadata": [{"key": b"\xfe"}, {"key": "k"}, {"key": b"k\xff"}]})),
           V(META + ".key_value_metadata[0].key", plus=1, times=2))
    c.rule("thrift/union-exactly-one")
    c.fail("a BloomFilterAlgorithm and a BloomFilterHash without member", flat(Chunk(bloom={"algorithm": {}, "hash": {}})),
           S("algorithm", index="bloom_filter_header", chunk=(0, 0), times=2), found="no member")
    c.rule("thrift/unknown-enum-value")
    c.fail("encodings 12 and 13 in the list of a chunk", flat(Chunk(meta={"encodings": [PLAIN, 12, 13]})), V(META + ".encodings[1]", times=2))
    c.rule("thrift/nesting-depth")
    deep = {"header": adding(9, thrift.STRUCT, nested(64))}
    c.fail("an unknown struct in which the 65th struct is open, in the second and the last of four page headers",
           flat(Chunk([V1(1), V1(1, **deep), V1(1), V1(**deep)], offset_index=True), n=4), S("9" + ".1" * 63, page=(0, 0, 1), times=2))
    c.rule("thrift/unknown-field")
    more = adding(99, thrift.STRUCT, Struct())
    c.fail("field 99 in the second page header of three, in both indexes, and in the column metadata",
           flat(Chunk([V1(1), V1(1, header=more), V1()], meta=more, column_index=more, offset_index=more), column_orders=True),
           H("99", page=(0, 0, 1), times=4))
    regions(c)


def regions(c):
    column, second = "row_groups[0].columns[0]", "row_groups[0].columns[1]"
    c.rule("file/regions-disjoint")
    c.fail("both indexes are inside the chunk, apart from each other; at tier footer",
           flat(Chunk(column={"offset_index_offset": 10, "offset_index_length": 11, "column_index_offset": 22, "column_index_length": 5}),
                column_orders=True), V(column + ".offset_index_offset", times=2), tier="footer")

    def shared(footer):
        for name in ("column_index_offset", "column_index_length", "offset_index_offset", "offset_index_length"):
            edit(footer.at(second), {name: footer.at(column).at(name)})

    c.rule("file/region-shared")
    c.fail("two chunks without pages share both indexes",
           File([required("a", INT32), required("b", INT32)], [], [Chunk([], column_index=True, offset_index=True), Chunk([])],
                footer=shared, column_orders=True), V(second + ".offset_index_offset", times=2),
           Also("row-group/empty", V("row_groups[0].num_rows"), "only chunks without values can share indexes"))
    c.rule("file/region-inside")
    c.fail("column index and offset index begin after the end of the file",
           flat(Chunk(column_index=True, offset_index=True, column={"column_index_offset": 1 << 20, "offset_index_offset": 1 << 20}), column_orders=True),
           V(column + ".offset_index_offset", times=2), lost=[lost("column index", 0, 0), lost("offset index", 0, 0)])
