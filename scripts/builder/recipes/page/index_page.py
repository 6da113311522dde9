"""Index pages, which the 2013 edition describes: checked only under the historical profile."""

import itertools

from builder.codec.compression import snappy
from builder.codec.file import File, Group
from builder.codec.index_pages import Tree
from builder.codec.marked import Marked
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, GZIP, INT32, INT64, INT96,
                                    PLAIN_DICTIONARY, RLE_DICTIONARY, SNAPPY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import HISTORICAL, chunk, column

UNNAMED = {"found": "no index entry names the data page", "expected": "one entry for each page"}
META = "row_groups[0].columns[{}].meta_data"
BY_A = {"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": False}]}
NULLS_FIRST = {"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": True}]}
ITEMS = (1, 3, 5, 7, 9, 11)
TOP = (0, 0, 3)  # the index page after three data pages
SIDE = (0, 1, 3)


def pages(page=V1, **more):
    """Three pages of two rows each."""
    return page(2, **more), page(2, **more), page(**more)


def by_values(tree, items=ITEMS, kind=INT32, data=None, make=required, edits=BY_A, codec=0, compress=None, **node):
    """A column `a` that the rows are sorted by, with an index by values."""
    return column(make("a", kind, **node), items, chunk(*(data or pages()), index=tree, codec=codec, compress=compress), edits=edits)


def by_ordinals(tree, items=(9, 2, 7, 4, 1, 8), data=None, codec=0, meta=None):
    """A column `b` with an index by ordinals, and `a`, by which the rows are sorted."""
    return File([required("a", INT32), required("b", INT32)], [{"a": i, "b": item} for i, item in enumerate(items)],
                {"b": chunk(*(data or pages()), index=tree, codec=codec, meta=meta)}, edits=BY_A)


def wrong(entry, number=0, **changes):
    """An edit of one entry: key, offset or length becomes a number, or a function of the correct one."""
    def edit(which, entries, keys):
        if which == number:
            for index, name in enumerate(("key", "offset", "length")):
                if name in changes:
                    value = changes[name]
                    entries[entry][index] = value(entries[entry][index]) if callable(value) else value
    return edit


def rekey(entry, key, number=0):
    """An edit that gives an entry another key."""
    def edit(which, entries, keys):
        if which == number:
            keys[entry] = key
    return edit


def swap(which, entries, keys):
    """Swaps the first two entries, with their keys."""
    if which == 0:
        entries[:2] = entries[1::-1]
        keys[:2] = keys[1::-1]


def word(number):
    return number.to_bytes(4, "little")


def values(**overrides):
    return Tree("values", **overrides)


def ordinals(**overrides):
    return Tree("ordinals", **overrides)


def witnesses(c):
    unused(c)
    entries(c)
    keys(c)
    keys_true(c)
    readings(c)
    order(c)
    ordinal(c)
    child(c)
    post_order(c)
    size(c)
    legal(c)


def unused(c):
    c.rule("index-page/unused")
    c.fail("an index by values", by_values(values()), V("type", page=TOP))
    c.fail("an index by ordinals, with a root above two index pages", by_ordinals(ordinals(fanout=2)), V("type", page=(0, 1, 2), times=3))
    c.fail("an index by values, at tier pages", by_values(values()), V("type", page=TOP), tier="pages")
    c.ok("the same under the historical profile", by_values(values()), **HISTORICAL)
    c.ok("no index page", by_values(None))


def entries(c):
    c.rule("index-page/entries", expected="12")
    longer = {0: lambda image: image + b"\0"}
    c.fail("an index by ordinals has a byte too many", by_ordinals(ordinals(bodies=longer)), Body(SIDE, ""), **HISTORICAL)
    c.fail("an index by values has a byte too many", by_values(values(bodies=longer)), Body(TOP, ""), **HISTORICAL, expected="16")
    c.fail("an index by INT64 values has a key too few", by_values(
        values(bodies={0: lambda image: Marked(image.data[:-8], image.marks)}), kind=INT64), Body(TOP, ""), **HISTORICAL, expected="20")
    words = (b"a", b"b", b"cc", b"d", b"ee", b"f")
    c.fail("an index by BYTE_ARRAY values ends inside the last key", by_values(
        values(bodies={0: lambda image: Marked(image.data[:-1], image.marks)}), words, BYTE_ARRAY), Body(TOP, ""), **HISTORICAL)
    c.fail("an index page under GZIP has a byte too many", by_ordinals(ordinals(bodies=longer), codec=GZIP), Body(SIDE, ""), **HISTORICAL)
    c.fail("the lower of two levels has a byte too many", by_ordinals(ordinals(fanout=2, bodies=longer)), Body((0, 1, 2), ""), **HISTORICAL)
    c.ok("three entries of 12 bytes", by_ordinals(ordinals()), **HISTORICAL)
    c.ok("three entries of 12 bytes, and three keys of 4", by_values(values()), **HISTORICAL)
    c.ok("three entries and keys of BYTE_ARRAY", by_values(values(), words, BYTE_ARRAY), **HISTORICAL)


def keys(c):
    c.rule("index-page/keys")
    for about, key in (("after the values buffer", 12), ("at 9, inside the last key", 9), ("before the values buffer", -1)):
        c.fail(f"a key is {about}", by_values(values(edit=wrong(1, key=key))), Body(TOP, "entry1"), **HISTORICAL)
    words = (b"a", b"b", b"cc", b"d", b"ee", b"f")
    c.fail("a length word after the last key", by_values(values(edit=wrong(2, key=lambda _: 17)), words, BYTE_ARRAY), Body(TOP, "entry2"), **HISTORICAL)
    c.fail("a key under GZIP is after the values buffer", by_values(values(edit=wrong(1, key=40)), codec=GZIP), Body(TOP, "entry1"), **HISTORICAL)
    c.ok("the last key ends with the values buffer", by_values(values()), **HISTORICAL)
    c.ok("two entries share a key", by_values(values(edit=wrong(1, key=0)), (1, 1, 1, 1, 1, 1)), **HISTORICAL)


def keys_true(c):
    c.rule("index-page/keys-true", found="6", expected="7 or more", length=4)
    c.fail("a key is below the largest value of its page", by_values(values(edit=rekey(1, word(6)))), Body(TOP, "key1"), **HISTORICAL)
    c.fail("a key is above the smallest value of the next page", by_values(values(edit=rekey(1, word(10)))), Body(TOP, "key1"), **HISTORICAL, found='10', expected='9 or less')
    c.fail("a key is above the smallest value of its page, unlike the other keys", by_values(
        values(key=min, edit=rekey(1, word(6)))), Body(TOP, "key1"), **HISTORICAL, found='6', expected='5 or less')
    c.fail("a key is below the largest value of the page before, unlike the other keys", by_values(
        values(key=min, edit=rekey(1, word(2)))), Body(TOP, "key1"), **HISTORICAL, found='2', expected='3 or more')
    c.fail("the rows are not sorted", by_values(values(edit=rekey(1, word(11))), (1, 3, 2, 7, 9, 11)),
           Body(TOP, "key0", times=2),
           Also("sorting/order", V("row_groups[0].sorting_columns[0].column_idx").with_values("2 in row 2, page 1 of column a", "3 or more"),
                "sorting_columns states that the rows are sorted"), **HISTORICAL, found='3', expected='2 or less')
    c.fail("a key of the root is below the keys of its index page", by_values(values(fanout=2, edit=rekey(0, word(6), 2))),
           Body((0, 0, 5), "key0"), **HISTORICAL)
    words = (b"a", b"b", b"cc", b"d", b"ee", b"f")
    c.fail("a BYTE_ARRAY key is below the largest value of its page", by_values(
        values(edit=rekey(2, word(2) + b"ee")), words, BYTE_ARRAY), Body(TOP, "key2"), **HISTORICAL, found='"ee"', expected='"f" or more', length=6)
    c.fail("values are in a dictionary", by_values(values(edit=rekey(1, word(6))), data=(
        Dictionary(ITEMS), *pages(encoding=RLE_DICTIONARY))), Body((0, 0, 4), "key1"), **HISTORICAL)
    c.fail("an optional column with v2 pages", by_values(
        values(edit=rekey(0, word(0))), (None, 1, 3, 4, 5, 7), data=pages(V2), make=optional, edits=NULLS_FIRST), Body(TOP, "key0"), **HISTORICAL, found='0', expected='1 or more')
    c.fail("an index of booleans", by_values(values(edit=rekey(2, b"\0")), (False, False, False, True, True, True), BOOLEAN),
           Body(TOP, "key2"), **HISTORICAL, found='false', expected='true or more', length=1)
    c.ok("keys are the largest values of their pages", by_values(values()), **HISTORICAL)
    c.ok("a key is between the values of two pages", by_values(values(edit=rekey(1, word(8)))), **HISTORICAL)
    c.ok("a key is the smallest value of the next page", by_values(values(edit=rekey(1, word(9)))), **HISTORICAL)
    c.ok("keys are the smallest values of their pages", by_values(values(key=min)), **HISTORICAL)
    c.ok("the last key is above all values", by_values(values(edit=rekey(2, word(99)))), **HISTORICAL)
    c.ok("equal values continue in the next page", by_values(values(), (1, 3, 3, 3, 3, 4)), **HISTORICAL)


def readings(c):
    c.rule("index-page/key-reading")
    c.fail("keys are the largest values of their pages", by_values(values()), Body(TOP, ""), **HISTORICAL, found="largest")
    c.fail("keys are the smallest values of their pages", by_values(values(key=min)), Body(TOP, ""), **HISTORICAL, found="smallest")
    c.fail("keys are the largest values on two levels", by_values(values(fanout=2)), Body((0, 0, 5), ""), **HISTORICAL, found="largest")
    c.ok("pages of equal values, whose keys are both", by_values(values(), (1, 1, 2, 2, 3, 3)), **HISTORICAL)
    c.ok("ordinals", by_ordinals(ordinals()), **HISTORICAL)

    c.rule("index-page/offset-base")
    c.fail("page offsets count from the beginning of the file", by_values(values(base=4)), Body(TOP, ""), **HISTORICAL)
    c.ok("page offsets count from the first data page", by_values(values()), **HISTORICAL)
    c.ok("page offsets count from the first data page, which is after a dictionary", by_values(values(), data=(
        Dictionary(ITEMS), *pages(encoding=RLE_DICTIONARY))), **HISTORICAL)

    c.rule("index-page/first-sort-column")
    aside = File([required("a", INT32), required("b", INT32)], [{"a": i, "b": item} for i, item in enumerate(ITEMS)],
                 {"b": chunk(*pages(), index=values())}, edits=BY_A)
    c.fail("the second column is indexed by values, the rows are sorted by the first", aside, V("type", page=SIDE), **HISTORICAL)
    c.ok("the column that the rows are sorted by is indexed by values", by_values(values()), **HISTORICAL)
    c.ok("sorting_columns is absent", by_values(values(), edits=None), **HISTORICAL)
    c.ok("the second column is indexed by ordinals", by_ordinals(ordinals()), **HISTORICAL)


def order(c):
    c.rule("index-page/sorted", found="key 3", expected="7 or more")
    c.fail("two entries of an index by values have changed places", by_values(values(edit=swap)), Body(TOP, "entry1"), **HISTORICAL)
    c.fail("two entries of an index by ordinals have changed places", by_ordinals(ordinals(edit=swap)), Body(SIDE, "entry1"), **HISTORICAL, found="ordinal 0", expected="2 or more")
    words = (b"a", b"b", b"cc", b"d", b"ee", b"f")
    c.fail("two entries of an index by BYTE_ARRAY values have changed places", by_values(values(edit=swap), words, BYTE_ARRAY),
           Body(TOP, "entry1"), **HISTORICAL, found='key "b"', expected='"d" or more')
    c.fail("the same under GZIP", by_values(values(edit=swap), codec=GZIP), Body(TOP, "entry1"), **HISTORICAL)
    c.ok("entries ascend", by_values(values()), **HISTORICAL)
    c.ok("two keys are equal", by_values(values(), (1, 3, 3, 3, 3, 4)), **HISTORICAL)
    c.ok("ordinals ascend", by_ordinals(ordinals()), **HISTORICAL)
    c.ok("unsigned values ascend", by_values(values(), (1, 2, 3, 4, -2, -1), converted_type=13), **HISTORICAL)


def ordinal(c):
    c.rule("index-page/ordinal", expected="2")
    c.fail("an ordinal is one too large", by_ordinals(ordinals(edit=wrong(1, key=3))), Body(SIDE, "entry1"), **HISTORICAL)
    c.fail("an ordinal is that of the page before", by_ordinals(ordinals(edit=wrong(1, key=0))), Body(SIDE, "entry1"), **HISTORICAL)
    c.fail("an ordinal is negative", by_ordinals(ordinals(edit=wrong(0, key=-1))), Body(SIDE, "entry0"), **HISTORICAL, expected="0")
    c.fail("an ordinal is the number of rows", by_ordinals(ordinals(edit=wrong(2, key=6))), Body(SIDE, "entry2"), **HISTORICAL, expected="4")
    c.fail("an ordinal of the root", by_ordinals(ordinals(fanout=2, edit=wrong(1, 2, key=5))), Body((0, 1, 5), "entry1"), **HISTORICAL, expected="4")
    lists = [required("a", INT32), list_of("l", required("e", INT32))]
    rows = [{"a": i, "l": {"list": [{"e": i}] * 2}} for i in range(3)]
    c.fail("an ordinal counts the elements of lists", File(
        lists, rows, {"l.list.element": chunk(V1(2), V1(2), V1(), index=ordinals(edit=wrong(1, key=2)))}, edits=BY_A), Body(SIDE, "entry1"), **HISTORICAL, expected="1")
    c.ok("ordinals are those of the first rows", by_ordinals(ordinals()), **HISTORICAL)
    c.ok("ordinals count lists", File(lists, rows, {"l.list.element": chunk(V1(2), V1(2), V1(), index=ordinals())}, edits=BY_A), **HISTORICAL)
    c.ok("ordinals on two levels", by_ordinals(ordinals(fanout=2)), **HISTORICAL)


def child(c):
    c.rule("index-page/child")
    for entry, about, changes in (
            (1, "begins inside a page", {"offset": lambda at: at + 1}), (1, "is a byte too short", {"length": lambda n: n - 1}),
            (1, "has only the length of the body", {"length": 8}), (2, "is after the chunk", {"offset": 1000}),
            (0, "has a negative offset", {"offset": -4}), (0, "has a negative length", {"length": -1})):
        c.fail(f"the page of an entry {about}", by_ordinals(ordinals(edit=wrong(entry, **changes))), Body(SIDE, f"entry{entry}.child"), **HISTORICAL)
    c.fail("the page of an entry of an index by values begins inside a page", by_values(
        values(edit=wrong(2, offset=lambda at: at + 1))), Body(TOP, "entry2.child"), **HISTORICAL)
    c.fail("the page of an entry is the dictionary page", by_values(
        values(edit=lambda _, entries, keys: entries[0].__setitem__(slice(1, 3), [-39, 39])),
        data=(Dictionary(ITEMS), *pages(encoding=RLE_DICTIONARY))), Body((0, 0, 4), "entry0.child"), **HISTORICAL)

    def twice(number, entries, keys):
        entries[1][1:] = entries[0][1:]

    c.fail("two entries name one page", by_ordinals(ordinals(edit=twice)), Body(SIDE, "entry1.child"), **HISTORICAL, found="a second index entry names 25 bytes at offset 0", expected="one entry for each page")
    c.fail("the page of an entry is the first of the next row group", by_two_groups(beyond=True), Body((0, 0, 3), "entry2.child"), **HISTORICAL)

    def left_out(number, entries, keys):
        del entries[1], keys[1]

    c.fail("no entry names the second data page", by_ordinals(ordinals(edit=left_out)), V("type", page=(0, 1, 1)), **HISTORICAL, **UNNAMED)
    c.fail("no entry names the second data page, by values", by_values(values(edit=left_out)), V("type", page=(0, 0, 1)), **HISTORICAL, **UNNAMED)

    def cut(number, entries, keys):
        if number == 2:
            del entries[1], keys[1]

    c.fail("the root does not name its second index page", by_ordinals(ordinals(fanout=2, edit=cut)), V("type", page=(0, 1, 3)), **HISTORICAL, **UNNAMED)
    c.ok("each entry names a page of its own", by_ordinals(ordinals()), **HISTORICAL)
    c.ok("the index of each row group names its own pages", by_two_groups(), **HISTORICAL)


def by_two_groups(beyond=False):
    edit = wrong(2, offset=lambda at: at + 400) if beyond else None
    first = chunk(*pages(), index=values(edit=edit))
    group = [{"a": i} for i in ITEMS]
    return File([required("a", INT32)], groups=[Group(group, first, BY_A), Group(group, chunk(*pages(), index=values()), BY_A)])


def post_order(c):
    c.rule("index-page/post-order")
    root = V(META.format(1) + ".index_page_offset")
    inner = by_ordinals(ordinals(fanout=2), meta={"index_page_offset": 95})
    c.fail("index_page_offset is an index page below the root", inner, root, **HISTORICAL, **BELOW)
    c.fail("index_page_offset is an index page below the root, at tier pages", inner, root, tier="pages", **HISTORICAL, **BELOW)
    c.fail("the third data page is after the root, which names it", by_ordinals(ordinals(
        order=lambda nodes: nodes[:2] + nodes[3:] + nodes[2:3])),
           Body((0, 1, 2), "entry2", plus=4, times=2), **HISTORICAL)
    c.fail("a data page is after its index page, before the root", by_ordinals(ordinals(
        fanout=2, order=lambda nodes: [nodes[0], nodes[2], nodes[1], *nodes[3:]])), Body((0, 1, 1), "entry1", plus=4), **HISTORICAL)
    c.fail("the same in an index by values", by_values(values(
        fanout=2, order=lambda nodes: [nodes[0], nodes[2], nodes[1], *nodes[3:]])), Body((0, 0, 1), "entry1", plus=4), **HISTORICAL)
    c.fail("an entry of the root names the root", by_ordinals(ordinals(
        edit=lambda _, entries, keys: entries[2].__setitem__(slice(1, 3), [75, 45]))), Body(SIDE, "entry2", plus=4), **HISTORICAL)
    c.ok("the root is the last page", by_ordinals(ordinals()), **HISTORICAL)
    c.ok("the root is the last page, above two index pages", by_ordinals(ordinals(fanout=2)), **HISTORICAL)
    c.ok("all data pages are before all index pages", by_values(values(
        fanout=2, order=lambda nodes: [node for node in nodes if not node.children] + [node for node in nodes if node.children])), **HISTORICAL)


def repeats(data):
    """SNAPPY with a copy for each repetition of a byte."""
    parts = []
    for _, same in itertools.groupby(data):
        left = len(list(same))
        parts.append(snappy.literal(data[:1]))
        data, left = data[left:], left - 1
        while left:
            parts.append(snappy.copy(1, min(left, 64)))
            left -= min(left, 64)
    return parts


def squeeze(data):
    return snappy.stream(len(data), *repeats(data))


def large(length):
    """An index page of this size: one entry, and a key that is longer than the value that it bounds."""
    key = bytes(length - 16)
    return by_values(values(key=lambda items: key), (b"",), BYTE_ARRAY, data=[V1()], codec=SNAPPY, compress=squeeze)


def size(c):
    c.rule("index-page/size")
    c.fail("an index page of 65,537 bytes", large(65537), V("uncompressed_page_size", page=(0, 0, 1)), **HISTORICAL)
    c.ok("an index page of 65,536 bytes", large(65536), **HISTORICAL)


#: Found and expected of an index_page_offset that differs from the last page.
BELOW = {"found": "the root index page stands at byte 95", "expected": "the last page of the column chunk, at byte 174"}
LETTERS = [bytes([letter]) * (1 + letter % 5) for letter in range(97, 119)]
KINDS = (("INT32", INT32, range(-9, 13), {}), ("INT64", INT64, [i * 2**40 for i in range(-9, 13)], {}),
         ("DOUBLE", DOUBLE, [i / 4 for i in range(-9, 13)], {}), ("BYTE_ARRAY", BYTE_ARRAY, LETTERS, {}),
         ("FIXED_LEN_BYTE_ARRAY", FIXED_LEN_BYTE_ARRAY, [bytes([65 + i]) * 3 for i in range(22)], {"type_length": 3}),
         ("BOOLEAN", BOOLEAN, [i > 12 for i in range(22)], {}),
         ("INT96, which has no order", INT96, [bytes([i]) + bytes(11) for i in range(22)], {}))
NAMES = "the_{}th"


def table(kind, items, make=required, cut=V1, by=None, codec=0, copy=None, fanout=3, **node):
    """A complete file of that edition: a sorted column, two others, pages that end at different rows, metadata after each chunk."""
    nodes = [make("key", kind, **node), required("value", INT64), optional("text", BYTE_ARRAY)]
    rows = [{"key": item, "value": 1000 - i * i, "text": None if i % 3 == 2 else NAMES.format(i).encode()} for i, item in enumerate(items)]
    return File(nodes, rows, {
        "key": chunk(*[cut(3) for _ in range(7)], cut(), index=by or values(fanout=fanout), codec=codec, copy=copy),
        "value": chunk(*[cut(2) for _ in range(10)], cut(), index=ordinals(fanout=4), codec=codec, copy=copy),
        "text": chunk(cut(5), cut(10), cut(), index=ordinals(), codec=codec, copy=copy)}, edits=None if kind == INT96 else BY_A)


def legal(c):
    c.rule("legal/index-pages")
    for name, kind, items, node in KINDS:
        c.ok(f"a file of 2013, sorted by {name}, with a tree of two levels and more", table(kind, list(items), copy=True, **node), **HISTORICAL)
    c.ok("keys are the smallest values", table(INT32, list(range(22)), by=values(key=min, fanout=3)), **HISTORICAL)
    c.ok("equal keys on several pages", table(INT32, [i // 8 for i in range(22)]), **HISTORICAL)
    c.ok("pages under GZIP, the index pages too", table(INT32, list(range(22)), codec=GZIP), **HISTORICAL)
    c.ok("index pages are not compressed, the others are", table(BYTE_ARRAY, LETTERS, codec=GZIP, by=values(raw=True)), **HISTORICAL)
    c.ok("v2 pages, nulls last", table(INT32, [*range(17), *[None] * 5], make=optional, cut=V2), **HISTORICAL)
    c.ok("dictionary pages", by_values(values(fanout=2), data=(Dictionary(ITEMS), *pages(encoding=PLAIN_DICTIONARY))), **HISTORICAL)
    rows = [{"l": {"list": [{"e": item} for item in row]}} for row in ((1, 2), (3,), (4, 5, 5, 6), (6,), (7, 8))]
    c.ok("lists in order, one of them on two pages", File([list_of("l", required("e", INT32))], rows, {
        "l.list.element": chunk(V1(2), V1(3), V1(3), V1(), index=values(fanout=2))}), **HISTORICAL)
    words = [bytes([letter]) * 20_000 for letter in b"abcdefgh"]
    c.ok("index pages of long keys roll over at 64 KiB", by_values(values(), words, BYTE_ARRAY, data=[V1(1) for _ in words], codec=SNAPPY, compress=squeeze),
         rows=None, **HISTORICAL)
