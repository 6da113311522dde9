"""The OffsetIndex of a chunk, compared with its pages (parquet.thrift, OffsetIndex and PageLocation)."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import DROP, INT32, RLE_DICTIONARY, SNAPPY, edit, make
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import chunk, flat, lists, nullable, strings, two

LOCATIONS = "page_locations"
SIZES = "unencoded_byte_array_data_bytes"
FOUR_LISTS = ([1, 2], [3, 4], [5, 6], [7, 8])


def at(path, chunk_=(0, 0), **more):
    """The value of a field of the OffsetIndex."""
    return V(path, index="offset_index", chunk=chunk_, **more)


def of(location, field, **more):
    return at(f"{LOCATIONS}[{location}].{field}", **more)


def by(amounts):
    """An edit that adds to numbers of the index: {path: amount}."""
    def change(index):
        edit(index, {path: index.at(path) + amount for path, amount in amounts.items()})
    return change


def moved(field, amounts):
    """An edit that adds to a field of some locations: {location: amount}."""
    return by({f"{LOCATIONS}[{i}].{field}": amount for i, amount in amounts.items()})


def listed(change):
    """An edit by a function of the list of locations, which may change it."""
    return lambda index: change(index.at(LOCATIONS).items)


def three(edits=True, page=V1, **more):
    """A column of six numbers in three pages."""
    return flat(chunk(page(2), page(2), page(), offset_index=edits, **more), n=6)


def coded(edits=True):
    """A dictionary page before three data pages."""
    return flat(chunk(Dictionary([1, 2, 3]), *(V1(1, encoding=RLE_DICTIONARY) for _ in range(2)), V1(encoding=RLE_DICTIONARY), offset_index=edits))


def rows_of_lists(edits=True, page=V1, **more):
    """Four lists of two elements, one a page, and two in the last page."""
    return lists(chunk(page(2), page(2), page(), offset_index=edits, **more), items=FOUR_LISTS)


def swap(one, other):
    def change(locations):
        locations[one], locations[other] = locations[other], locations[one]
    return listed(change)


def second_group(edits):
    """Two row groups of six numbers; the edits are to the index of the second."""
    node = required("a", INT32)
    rows = [{"a": i} for i in range(6)]
    pages = lambda: [V1(2), V1(2), V1()]
    return File([node], groups=[Group(rows, Chunk(pages(), offset_index=True)), Group(rows, Chunk(pages(), offset_index=edits))])


def witnesses(c):
    count(c)
    offsets(c)
    sizes(c)
    rows(c)
    boundaries(c)
    unencoded(c)


def count(c):
    c.rule("offset-index/page-count")
    for about, change in (("the location of the first page is missing", lambda them: them.pop(0)),
                          ("the location of the second page is missing", lambda them: them.pop(1)),
                          ("the location of the last page is missing", lambda them: them.pop()),
                          ("the location of the last page occurs twice", lambda them: them.append(them[-1])),
                          ("there is no location", lambda them: them.clear())):
        c.fail(about, three(listed(change)), at(LOCATIONS))
    c.fail("the dictionary page has a location too", coded(front), at(LOCATIONS))
    c.fail("the index of the second row group lacks a page", second_group(listed(lambda them: them.pop(1))), at(LOCATIONS, chunk_=(1, 0)))
    c.fail("the location of a page is missing, and its size with it",
           strings(chunk(V1(1), V1(1), V1(), offset_index=lambda index: (index.at(LOCATIONS).items.pop(1), index.at(SIZES).items.pop(1)),
                         sizes=True)), at(LOCATIONS))
    c.fail("a chunk without pages has a location", File([required("a", INT32)], [], [Chunk([], offset_index=front)]),
           at(LOCATIONS), *no_rows())
    c.ok("each page has a location", three())
    c.ok("the dictionary page has no location", coded())
    c.ok("a chunk without pages has an index without locations", File([required("a", INT32)], [], [Chunk([], offset_index=True)]), *no_rows())


def no_rows():
    return [Also("row-group/empty", V("row_groups[0].num_rows"), "a chunk without pages has no rows")]


def front(index):
    """Inserts a location of the first page in the file before the others."""
    index.at(LOCATIONS).items[:0] = make("OffsetIndex", {LOCATIONS: [
        {"offset": 4, "compressed_page_size": 29, "first_row_index": 0}]}).at(LOCATIONS).items


def offsets(c):
    c.rule("offset-index/offset")
    for about, amounts in (("the first", {0: 1}), ("the second", {1: 1}), ("the last", {2: -1})):
        c.fail(f"{about} of three offsets is a byte off", three(moved("offset", amounts)), of(next(iter(amounts)), "offset"))
    for about, edits, place in (("the second of three offsets is 0", {f"{LOCATIONS}[1].offset": 0}, 1),
                                ("the last of three offsets is -1", {f"{LOCATIONS}[2].offset": -1}, 2),
                                ("the last of three offsets is after the end of the file", {f"{LOCATIONS}[2].offset": 1 << 20}, 2)):
        c.fail(about, three(edits), of(place, "offset"))
    c.fail("the second offset is that of the third page", three(lambda index: edit(index, {
        f"{LOCATIONS}[1].offset": index.at(f"{LOCATIONS}[2].offset")})), of(1, "offset"))
    c.fail("offsets count from the beginning of the chunk", three(moved("offset", {0: -4, 1: -4, 2: -4})), of(0, "offset", times=3))
    c.fail("the locations of the second and the third page have changed places", three(swap(1, 2)), of(1, "offset", times=2))
    c.fail("the first location is that of the dictionary page", coded({f"{LOCATIONS}[0].offset": 4}), of(0, "offset"))
    c.fail("the index of the second row group is that of the first", second_group(moved("offset", {0: -75, 1: -75, 2: -75})),
           of(0, "offset", chunk_=(1, 0), times=3))
    c.fail("v2 pages: the second offset is a byte off", three(moved("offset", {1: 1}), V2), of(1, "offset"))
    c.fail("the only offset is 4 too small", flat(chunk(offset_index=moved("offset", {0: -4}))), of(0, "offset"))
    pages = lambda: [V1(1), V1(1), V1()]
    c.fail("the second column has the index of the first", two([Chunk(pages(), offset_index=True), Chunk(pages(), offset_index=lambda index: [
        edit(index, {f"{LOCATIONS}[{i}].offset": index.at(f"{LOCATIONS}[{i}].offset") - 63}) for i in range(3)])]),
           of(0, "offset", chunk_=(0, 1), times=3))
    c.ok("each offset is that of a page header", three())
    c.ok("the first offset is after the dictionary page", coded())
    c.ok("each row group has the offsets of its own pages", second_group(True))


def sizes(c):
    c.rule("offset-index/page-size")
    field = "compressed_page_size"
    for about, amounts in (("the first", {0: 1}), ("the second", {1: -1}), ("the last", {2: 100})):
        c.fail(f"{about} of three sizes is wrong by {abs(next(iter(amounts.values())))}", three(moved(field, amounts)), of(next(iter(amounts)), field))
    for number in (0, -1):
        c.fail(f"the second of three sizes is {number}", three({f"{LOCATIONS}[1].{field}": number}), of(1, field))
    c.fail("sizes leave out the headers", three(moved(field, {0: -17, 1: -17, 2: -17})), of(0, field, times=3))
    c.fail("sizes are those of uncompressed pages", three(moved(field, {0: -2, 1: -2, 2: -2}), codec=SNAPPY), of(0, field, times=3))
    c.ok("each size is that of a page with its header", three())
    c.ok("each size is that of a compressed page with its header", three(codec=SNAPPY))


def rows(c):
    field = "first_row_index"
    c.rule("offset-index/first-row")
    for about, amounts in (("the first is 1", {0: 1}), ("the second is one more", {1: 1}), ("the last is one less", {2: -1})):
        c.fail(f"first rows of three pages: {about}", three(moved(field, amounts)), of(next(iter(amounts)), field))
    for about, number in (("that of the page before", 0), ("that of the next page", 4), ("-1", -1), ("the number of rows", 6), ("far after the last row", 600)):
        c.fail(f"first rows of three pages: the second is {about}", three({f"{LOCATIONS}[1].{field}": number}), of(1, field))
    c.fail("first rows count from the beginning of the file", second_group(moved(field, {0: 6, 1: 6, 2: 6})), of(0, field, chunk_=(1, 0), times=3))
    c.fail("first rows leave out nulls", nullable(chunk(V1(2), V1(2), V1(), offset_index=moved(field, {1: -1, 2: -1})), items=(1, None, 3, 4, 5)),
           of(1, field, times=2))
    for page in (V1, V2):
        c.fail(f"first rows count elements of lists, {page.__name__.lower()} pages", rows_of_lists(moved(field, {1: 1, 2: 2}), page), of(1, field, times=2))
    c.fail("the index of the dictionary's chunk counts from 1", coded(moved(field, {0: 1, 1: 1, 2: 1})), of(0, field, times=3))
    c.ok("first rows count the rows before", three())
    c.ok("first rows of lists count lists", rows_of_lists())
    c.ok("first rows of lists count lists, v2 pages", rows_of_lists(page=V2))
    c.ok("first rows count from the beginning of the row group", second_group(True))

    c.rule("offset-index/first-row-order")
    by_headers = {"tier": "pages"}  # v1 pages of lists do not state their rows
    for about, number, expected in (("that of the page before", 1, "more than 1"), ("0", 0, "more than 1"), ("-1", -1, "more than 1"),
                                ("after the last row", 5, "at most 4")):
        c.fail(f"at tier pages: the third first row is {about}", rows_of_lists({f"{LOCATIONS}[2].{field}": number}), of(2, field),
               expected=expected, **by_headers)
    c.fail("at tier pages: the first rows of the second and the third page are 0", rows_of_lists(moved(field, {1: -1, 2: -2})),
           of(1, field, times=2), expected="more than 0", **by_headers)
    c.ok("at tier pages: first rows ascend", rows_of_lists(), **by_headers)
    c.ok("at tier pages: first rows ascend, and are wrong", rows_of_lists(moved(field, {2: 1})), **by_headers)
    for page in (V1, V2):
        version = page.__name__.lower()
        empty = lambda *counts: flat(chunk(*(page(count) for count in counts), offset_index=True), n=4)
        c.fail(f"the second of three pages is empty, {version}", empty(2, 0, None), of(2, field), expected="more than 2")
        c.fail(f"the first of two pages is empty, {version}", empty(0, None), of(1, field), expected="more than 0")
        c.fail(f"two of five pages are empty, {version}", empty(1, 0, 1, 0, None), of(2, field, times=2), expected="more than 1")
        c.ok(f"the last page is empty, {version}", empty(2, 2, None))
        c.ok(f"the second page is empty, and there is no OffsetIndex, {version}", flat(chunk(page(2), page(0), page()), n=4))
    c.fail("the second of three pages of lists is empty", lists(chunk(V2(2), V2(0), V2(), offset_index=True), items=([1], [2], [3])), of(2, field),
           expected="more than 2")


def boundaries(c):
    c.rule("offset-index/row-boundary")
    items = ([1, 2, 3], [4], [5, 6])
    c.fail("the second v1 page begins inside a list", lists(chunk(V1(1), V1(), offset_index=True), items=items), Body((0, 0, 1), "rep.run0"))
    c.fail("the last v1 page begins inside a list", lists(chunk(V1(3), V1(2), V1(), offset_index=True), items=items), Body((0, 0, 2), "rep.run0"))
    c.fail("the second and the third v1 page begin inside the first list", lists(chunk(V1(1), V1(1), V1(), offset_index=True), items=items),
           Body((0, 0, 1), "rep.run0", times=2))
    c.fail("the second v1 page begins inside a list, and its first_row_index is that of the list",
           lists(chunk(V1(1), V1(), offset_index={f"{LOCATIONS}[1].first_row_index": 0}), items=items), Body((0, 0, 1), "rep.run0"))
    c.fail("the second v1 page begins inside a list, in a chunk with size statistics", lists(chunk(V1(1), V1(), offset_index=True, column_index=True, sizes=True), items=items,
                                                     column_orders=True), Body((0, 0, 1), "rep.run0"))
    c.ok("all v1 pages begin with a list", rows_of_lists())
    c.ok("without an OffsetIndex the second v1 page begins inside a list", lists(chunk(V1(1), V1()), items=items))


def unencoded(c):
    def sized(edits=True, *pages, **more):
        return strings(chunk(*(pages or (V1(1), V1(1), V1())), offset_index=edits, sizes=True, **more))

    c.rule("offset-index/unencoded-length")
    for about, change in (("lacks the first", lambda them: them.pop(0)), ("lacks the last", lambda them: them.pop()),
                          ("has one too many", lambda them: them.append(0)), ("is empty", lambda them: them.clear())):
        c.fail(f"the list of sizes {about}", sized(lambda index, change=change: change(index.at(SIZES).items)), at(SIZES))
    c.ok("each page has a size", sized())
    c.ok("there is no list of sizes", sized({SIZES: DROP}))

    c.rule("offset-index/unencoded-bytes")
    for place, number in ((0, 2), (1, 0), (2, 7)):
        c.fail(f"size {place} of three is {number}", sized({f"{SIZES}[{place}]": number}), at(f"{SIZES}[{place}]"))
    c.fail("sizes include length words", sized(by({f"{SIZES}[{i}]": 4 for i in range(3)})), at(f"{SIZES}[0]", times=3))
    c.fail("sizes add up from page to page", sized({f"{SIZES}[1]": 3, f"{SIZES}[2]": 6}), at(f"{SIZES}[1]", times=2))
    often = (b"x", b"yy", b"x", b"x", b"yy")
    entries = lambda edits: strings(chunk(Dictionary([b"x", b"yy"]), V1(3, encoding=RLE_DICTIONARY), V2(encoding=RLE_DICTIONARY),
                                          offset_index=edits, sizes=True), items=often)
    c.fail("an entry of the dictionary that occurs twice is counted once", entries({f"{SIZES}[0]": 3}), at(f"{SIZES}[0]"))
    c.ok("each page has the bytes of its values", sized())
    c.ok("an entry of the dictionary counts as often as it occurs", entries(True))
