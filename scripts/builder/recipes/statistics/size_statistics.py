"""Sizes and level histograms, of a chunk and of its pages (parquet.thrift, SizeStatistics and ColumnIndex)."""

from builder.codec.file import File
from builder.codec.metadata import BYTE_ARRAY, DROP, INT32, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional
from builder.codec.thrift import I64, List
from builder.expect.places import S, V
from builder.recipes.base_files import chunk, column, flat, lists, nullable, strings
from builder.recipes.indexes.offset_index import SIZES, at, by

AT = "row_groups[0].columns[0].meta_data.size_statistics"
REPETITION, DEFINITION = "repetition_level_histogram", "definition_level_histogram"
UNENCODED = "unencoded_byte_array_data_bytes"
BY_HEADERS = {"tier": "pages"}
BY_FOOTER = {"tier": "footer"}
FIVE = ([1, 2], [], None, [3, None], [4, 5, 6])


def in_chunk(field, **more):
    """The value of a field of the SizeStatistics."""
    return V(f"{AT}.{field}", **more)


def in_pages(field, **more):
    """The value of a field of the ColumnIndex."""
    return V(field, index="column_index", chunk=(0, 0), **more)


def sized(edits=None, page=V1, index=None, offset=None, **more):
    """Five lists in three pages, with sizes. `edits` are to the SizeStatistics, `index` to the ColumnIndex."""
    pages = [page(2), page(4), page()]
    return lists(chunk(*pages, sizes=True, meta=stated(edits), column_index=index, offset_index=offset or index and True),
                 items=FIVE, column_orders=True, **more)


def stated(edits):
    return {f"size_statistics.{path}": value for path, value in (edits or {}).items()} or None


def texts(edits=None, offset=True, pages=None, items=(b"x", b"yy", b"zzz", b"yy", b""), **more):
    """A column of strings in three pages, with sizes."""
    return strings(chunk(*(pages or (V1(2), V1(2), V1())), sizes=True, meta=stated(edits), offset_index=offset, **more), items=items)


def deep(edits=None, index=None, page=V1):
    """Lists of lists, with nulls at every level: maximum repetition level 2, definition level 5."""
    inner = list_of("e", optional("e", INT32))
    node = list_of("l", inner)
    values = [None, [], [None], [[]], [[None]], [[1], [2, 3]], [[4, None], [], [5]]]
    row = lambda item: None if item is None else {"list": [{"e": None if one is None else {"list": [{"e": x} for x in one]}} for one in item]}
    return File([node], [{"l": row(one)} for one in values],
                chunk(page(4), page(4), page(), sizes=True, meta=stated(edits), column_index=index, offset_index=index and True),
                column_orders=True)


def witnesses(c):
    shapes(c)
    histograms(c)
    sums(c)
    pages(c)
    unencoded(c)


def shapes(c):
    c.rule("size-statistics/unencoded-type")
    c.fail("a chunk of INT32 states the size of its values", flat(chunk(sizes=True, meta=stated({UNENCODED: 12}))), in_chunk(UNENCODED))
    c.fail("a list of INT32 states a wrong size of its values", sized({UNENCODED: -1}), in_chunk(UNENCODED))
    c.fail("the pages of a chunk of INT32 say how many bytes their values have",
           flat(chunk(V1(2), V1(), sizes=True, offset_index={SIZES: List(I64, [8, 4])})), at(SIZES))
    c.fail("a chunk of INT32 and its pages state the size of their values",
           flat(chunk(V1(2), V1(), sizes=True, meta=stated({UNENCODED: 12}), offset_index={SIZES: List(I64, [8, 4])})), at(SIZES, times=2))
    c.ok("a chunk of BYTE_ARRAY states the size of its values", texts())
    c.ok("a chunk of INT32 does not", flat(chunk(sizes=True)))

    c.rule("size-statistics/histogram-length")
    for field, items, about in ((REPETITION, [9], "repetition histogram has one counter"), (REPETITION, [5, 4, 0], "repetition histogram has three counters"),
                                (DEFINITION, [1, 1, 1], "definition histogram has three counters"),
                                (DEFINITION, [1, 1, 1, 6, 0], "definition histogram has five counters")):
        c.fail(f"the {about}", sized({field: List(I64, items)}), in_chunk(field))
    c.fail("the histograms of a required column have two counters each", flat(chunk(sizes=True, meta=stated({
        REPETITION: List(I64, [3, 0]), DEFINITION: List(I64, [0, 3])}))), in_chunk(REPETITION, times=2))
    c.ok("each level has a counter", sized())
    c.ok("each level of lists of lists has a counter", deep())
    c.ok("the histograms of a required column have a counter", flat(chunk(sizes=True)))

    c.rule("size-statistics/histogram-empty")
    c.fail("the repetition histogram is empty", sized({REPETITION: List(I64, [])}), in_chunk(REPETITION))
    c.fail("the definition histogram of a nullable column is empty", nullable(chunk(sizes=True, meta=stated({DEFINITION: List(I64, [])}))),
           in_chunk(DEFINITION))
    c.fail("the repetition histograms of the pages are empty", sized(index={REPETITION + "s": List(I64, [])}), in_pages(REPETITION + "s"))
    c.fail("both histograms of the pages are empty", sized(index={REPETITION + "s": List(I64, []), DEFINITION + "s": List(I64, [])}),
           in_pages(REPETITION + "s", times=2))
    c.ok("the histograms of the pages are left out", sized(index={REPETITION + "s": DROP, DEFINITION + "s": DROP}))
    c.ok("the histograms of a nullable column are left out", nullable(chunk(meta={"size_statistics": {}})))

    c.rule("size-statistics/histogram-omitted")
    missing = lambda field: S(AT, field=f"meta_data.size_statistics.{field}")
    c.fail("a list lacks its repetition histogram", sized({REPETITION: DROP}), missing(REPETITION))
    c.fail("a list lacks its definition histogram", sized({DEFINITION: DROP}), missing(DEFINITION))
    node = list_of("l", optional("e", BYTE_ARRAY))
    of_texts = lambda edits: File([node], [{"l": {"list": [{"e": b"x"}, {"e": None}]}}], chunk(sizes=True, meta=stated(edits)))
    c.fail("a list of strings lacks both histograms", of_texts({REPETITION: DROP, DEFINITION: DROP}),
           S(AT, field=f"meta_data.size_statistics.{REPETITION}", times=2))
    c.ok("a nullable column of strings has no histogram", column(optional("s", BYTE_ARRAY), (b"x", None),
                                                                 chunk(sizes=True, meta=stated({REPETITION: DROP, DEFINITION: DROP}))))
    c.ok("a list has no size statistics", lists(chunk()))

    c.rule("size-statistics/negative")
    for field in (f"{REPETITION}[0]", f"{REPETITION}[1]", f"{DEFINITION}[2]"):
        c.fail(f"{field} is -1", sized({field: -1}), in_chunk(field))
    c.fail("two counters are -1", sized({f"{DEFINITION}[0]": -1, f"{DEFINITION}[3]": -1}), in_chunk(f"{DEFINITION}[0]", times=2))
    c.fail("the bytes of the values are -1", texts({UNENCODED: -1}), in_chunk(UNENCODED))
    c.fail("the bytes of the values of the second page are -1", texts(offset={f"{SIZES}[1]": -1}), at(f"{SIZES}[1]"))
    c.fail("a counter of the last page is -1", sized(index={f"{DEFINITION}s[11]": -1}), in_pages(f"{DEFINITION}s[11]"))
    c.fail("the repetition counters of all pages are -1", sized(index={f"{REPETITION}s": List(I64, [-1] * 6)}), in_pages(f"{REPETITION}s[0]", times=6))
    c.ok("levels that do not occur have the counter 0", sized(index=True))


def histograms(c):
    c.rule("size-statistics/histogram")
    for page in (V1, V2):
        for level in range(2):
            c.fail(f"the counter of repetition level {level} is one more, {page.__name__.lower()} pages",
                   sized({f"{REPETITION}[{level}]": (6, 5)[level]}, page), in_chunk(f"{REPETITION}[{level}]"))
    for level, number in enumerate((2, 0, 2, 600)):
        c.fail(f"the counter of definition level {level} is {number}", sized({f"{DEFINITION}[{level}]": number}), in_chunk(f"{DEFINITION}[{level}]"))
    c.fail("two counters have changed places", sized({f"{REPETITION}[0]": 4, f"{REPETITION}[1]": 5}), in_chunk(f"{REPETITION}[0]", times=2))
    c.fail("the counters are those of the first page", sized({f"{REPETITION}[0]": 1, f"{REPETITION}[1]": 1, f"{DEFINITION}[0]": 0,
                                                             f"{DEFINITION}[1]": 0, f"{DEFINITION}[2]": 0, f"{DEFINITION}[3]": 2}),
           in_chunk(f"{REPETITION}[0]", times=6))
    c.fail("the counter of a required column is one more", flat(chunk(sizes=True, meta=stated({f"{DEFINITION}[0]": 4}))), in_chunk(f"{DEFINITION}[0]"))
    c.fail("the counter of values of a nullable column counts nulls too", nullable(chunk(sizes=True, meta=stated({f"{DEFINITION}[1]": 3}))),
           in_chunk(f"{DEFINITION}[1]"))
    node = optional("g", [optional("x", INT32)])
    rows = [{"g": None}, {"g": {"x": None}}, {"g": {"x": 1}}, {"g": {"x": 2}}]
    c.fail("the counter of nulls in a group counts those of the group too", File([node], rows, chunk(sizes=True, meta=stated({f"{DEFINITION}[1]": 2}))),
           in_chunk(f"{DEFINITION}[1]"))
    for level in range(6):
        c.fail(f"lists of lists: the counter of definition level {level} is 100", deep({f"{DEFINITION}[{level}]": 100}), in_chunk(f"{DEFINITION}[{level}]"))
    c.fail("lists of lists: the counter of repetition level 2 is 0", deep({f"{REPETITION}[2]": 0}), in_chunk(f"{REPETITION}[2]"))
    c.ok("each counter is how often its level occurs", sized())
    c.ok("each counter is how often its level occurs, v2 pages", sized(page=V2))
    c.ok("lists of lists: each counter is how often its level occurs", deep())
    c.ok("so it is in a group", File([node], rows, chunk(sizes=True)))


def sums(c):
    c.rule("size-statistics/histogram-sum")
    c.fail("by the footer alone: repetition levels add up to one more", sized({f"{REPETITION}[1]": 5}), in_chunk(REPETITION), **BY_FOOTER)
    c.fail("by the headers alone: definition levels add up to one less", sized({f"{DEFINITION}[3]": 5}), in_chunk(DEFINITION), **BY_HEADERS)
    c.fail("by the footer alone: both add up to the number of rows", sized({f"{REPETITION}[1]": 0, f"{DEFINITION}[3]": 2}),
           in_chunk(REPETITION, times=2), **BY_FOOTER)
    c.ok("by the footer alone: both add up to num_values", sized(), **BY_FOOTER)
    c.ok("by the headers alone: both add up to num_values", sized(), **BY_HEADERS)

    c.rule("size-statistics/rows")
    swapped = {f"{REPETITION}[0]": 4, f"{REPETITION}[1]": 5}
    c.fail("by the footer alone: two counters have changed places", sized(swapped), in_chunk(f"{REPETITION}[0]"), **BY_FOOTER)
    c.fail("by the headers alone: two counters have changed places", sized(swapped), in_chunk(f"{REPETITION}[0]"), **BY_HEADERS)
    c.ok("by the footer alone: repetition level 0 occurs once a row", sized(), **BY_FOOTER)

    c.rule("size-statistics/defined")
    nulls = lambda edits, count=1: nullable(chunk(sizes=True, meta={**(stated(edits) or {}), "statistics": {"null_count": count}}), column_orders=True)
    c.fail("by the footer alone: one null, but two by the histogram", nulls({f"{DEFINITION}[0]": 2, f"{DEFINITION}[1]": 1}),
           in_chunk(f"{DEFINITION}[1]"), **BY_FOOTER)
    c.fail("by the headers alone: one null, but none by the histogram", nulls({f"{DEFINITION}[0]": 0, f"{DEFINITION}[1]": 3}),
           in_chunk(f"{DEFINITION}[1]"), **BY_HEADERS)
    c.ok("by the footer alone: one null", nulls({}), **BY_FOOTER)
    of_lists = lambda count: lists(chunk(sizes=True, meta={"statistics": {"null_count": count}}), column_orders=True)
    c.ok("by the footer alone: null_count of a list counts every entry without a value", of_lists(3), **BY_FOOTER)
    c.ok("by the footer alone: null_count of a list counts elements alone", of_lists(1), **BY_FOOTER)

    c.rule("size-statistics/pages-sum")
    entry = "{} entries at level {}".format
    c.fail("by the headers alone: repetition levels of the pages add up to one more", sized(index={f"{REPETITION}s[0]": 2}), in_pages(REPETITION + "s"),
           found=entry(6, 0), expected="5", **BY_HEADERS)
    c.fail("by the headers alone: definition levels of the pages add up to one less", sized(index={f"{DEFINITION}s[11]": 2}), in_pages(DEFINITION + "s"),
           found=entry(5, 3), expected="6", **BY_HEADERS)
    c.fail("by the headers alone: both", sized(index={f"{REPETITION}s[1]": 2, f"{DEFINITION}s[3]": 1}),
           in_pages(REPETITION + "s", times=2), found=entry(5, 1), expected="4", **BY_HEADERS)
    c.fail("by the headers alone: sizes of the pages add up to one more", texts(offset=by({f"{SIZES}[2]": 1})), at(SIZES),
           found="9 bytes", expected="8", **BY_HEADERS)
    c.ok("by the headers alone: histograms of the pages add up", sized(index=True), **BY_HEADERS)
    c.ok("by the headers alone: sizes of the pages add up", texts(), **BY_HEADERS)


def pages(c):
    c.rule("column-index/histogram-length")
    for field, wrong in ((REPETITION + "s", ([5, 4], [1, 1, 2, 2, 2], [1, 1, 2, 2, 2, 1, 0])), (DEFINITION + "s", ([1, 1, 1, 6], [0] * 11, [0] * 16))):
        for items in wrong:
            c.fail(f"{field} has {len(items)} counters", sized(index={field: List(I64, items)}), in_pages(field))
    c.fail("both lists lack a counter", sized(index=lambda root: [root.at(one + "s").items.pop() for one in (REPETITION, DEFINITION)]),
           in_pages(REPETITION + "s", times=2))
    c.ok("each page has its counters", sized(index=True))
    c.ok("each page has its counters, lists of lists", deep(index=True))

    c.rule("column-index/histogram")
    for place, number in ((0, 2), (2, 0), (5, 0)):
        c.fail(f"counter {place} of the repetition levels is {number}", sized(index={f"{REPETITION}s[{place}]": number}), in_pages(f"{REPETITION}s[{place}]"))
    for place, number in ((0, 1), (6, 3), (11, 300)):
        c.fail(f"counter {place} of the definition levels is {number}", sized(index={f"{DEFINITION}s[{place}]": number}), in_pages(f"{DEFINITION}s[{place}]"))
    c.fail("v2 pages: the counters of the second page are those of the first", sized(page=V2, index=lambda root: _copied(root)),
           in_pages(f"{DEFINITION}s[4]", times=4))
    c.fail("lists of lists: a counter of the second page is one more", deep(index=by({f"{REPETITION}s[5]": 1})), in_pages(f"{REPETITION}s[5]"))
    c.fail("the counter of nulls in the last page is one more", nullable(chunk(V1(2), V1(), sizes=True, column_index=by({f"{DEFINITION}s[2]": 1}),
                                                                          offset_index=True), column_orders=True), in_pages(f"{DEFINITION}s[2]"))
    c.fail("a counter of the last page is one less, and with it that of the chunk", sized({f"{DEFINITION}[3]": 5}, index={f"{DEFINITION}s[11]": 2}),
           in_pages(f"{DEFINITION}s[11]"))
    c.ok("each counter is how often the level occurs in its page", sized(index=True))
    c.ok("each counter is how often the level occurs in its page, v2 pages", sized(page=V2, index=True))
    c.ok("each counter is how often the level occurs in its page, lists of lists", deep(index=True))


def _copied(root):
    items = root.at(DEFINITION + "s").items
    items[4:8] = items[0:4]


def unencoded(c):
    c.rule("offset-index/unencoded-bytes")
    c.fail("the size of the second page is one less, and with it that of the chunk", texts({UNENCODED: 7}, offset={f"{SIZES}[1]": 4}),
           at(f"{SIZES}[1]"))

    c.rule("size-statistics/unencoded-bytes")
    for number, about in ((0, "are 0"), (7, "are one less"), (9, "are one more"), (28, "include length words"), (3, "are those of the first page")):
        c.fail(f"the bytes of the values {about}", texts({UNENCODED: number}), in_chunk(UNENCODED))
    often = (b"x", b"yy", b"x", b"x", b"yy")
    coded = lambda edits: texts(edits, pages=(Dictionary([b"x", b"yy"]), V1(3, encoding=RLE_DICTIONARY), V2(encoding=RLE_DICTIONARY)), items=often)
    c.fail("the bytes are those of the dictionary", coded({UNENCODED: 3}), in_chunk(UNENCODED))
    node = optional("s", BYTE_ARRAY)
    c.fail("nulls count as a byte each", column(node, (b"x", None, b"zzz"), chunk(sizes=True, meta=stated({UNENCODED: 5}))), in_chunk(UNENCODED))
    c.ok("the bytes are those of all values", texts())
    c.ok("an entry of the dictionary counts as often as it occurs", coded(None))
    c.ok("nulls have no bytes", column(node, (b"x", None, b"zzz"), chunk(sizes=True)))
