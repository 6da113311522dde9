"""The walk along a chunk of five pages, with a fault in the first, a middle or the last page; and the same fault in several
chunks of a file, each of which is reported."""

from builder.codec import checksums, plain
from builder.codec.file import Chunk, File, Group
from builder.codec.hybrid import Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import BYTE_ARRAY, DROP, INT32, RLE_DICTIONARY, edit
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import optional, required
from builder.expect.losses import lost
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import column, lists, strings

ORDINALS = ("first", "second", "third", "fourth", "last")
PAGES = (0, 2, 4)
H = "data_page_header_v2."


def shifted(name, by):
    """An edit that adds to a number."""
    return lambda root: edit(root, {name: root.at(name) + by})


def five(valid, faulty, at):
    """Five pages; the one at that place has the fault."""
    return [faulty() if place == at else valid() for place in range(5)]


def numbers(pages, n=10, **more):
    return column(required("a", INT32), range(1, n + 1), Chunk(pages, **more.pop("chunk", {})), **more)


def walks(c, rule, about, make, place, gone=False, pages=PAGES, **more):
    """A fail file for each of the places of the faulty page: `make` returns the file, `place` the finding; if the page is
    `gone`, only that page is lost."""
    c.rule(rule)
    for at in pages:
        c.fail(f"{about.format(ORDINALS[at])}, of five", make(at), place((0, 0, at)), lost=[lost("page", 0, 0, at)] if gone else [], **more)


def witnesses(c):
    headers(c)
    bodies(c)
    sizes(c)
    several_chunks(c)


def headers(c):
    def v2(header, base):
        return lambda at: base(Chunk(five(lambda: V2(2), lambda: V2(2, header=header), at)))

    some = [1, None] * 5
    walks(c, "page/v2-num-nulls", "num_nulls of the {} page is 2, one entry is null",
          v2({H + "num_nulls": 2}, lambda stored: column(optional("o", INT32), some, stored)), lambda page: V(H + "num_nulls", page=page))
    pairs = [[1, 2]] * 5
    walks(c, "page/v2-num-rows", "num_rows of the {} page is 2, one row begins",
          v2({H + "num_rows": 2}, lambda stored: lists(stored, items=pairs)), lambda page: V(H + "num_rows", page=page))

    known = [{"a": i} for i in range(1, 11)]

    def unknown(at, crc=None, **more):
        data = [V1(2) for _ in range(4)] + [V1()]
        return numbers(data[:at] + [Other(17, b"\x2a", crc=crc)] + data[at + 1:], chunk=more)

    walks(c, "page/unknown-type", "the {} page is of type 17", unknown, lambda page: V("type", page=page), pages=(1, 2), rows=known)
    # An OffsetIndex lists data pages alone: a page of unknown type is no damage.
    c.rule("page/unknown-type")
    for about, index in (("", None), (", with an offset index", True)):
        c.fail("the last page is of type 17, of five" + about, unknown(4, offset_index=index), V("type", page=(0, 0, 4)),
               reader=("may", "parquet.thrift#PageType"), rows=None)  # it may hold the last two rows
    for at in (1, 2):
        c.fail(f"the {ORDINALS[at]} page is of type 17, of five, with an offset index", unknown(at, offset_index=True),
               V("type", page=(0, 0, at)), lost=[], rows=known)
    c.rule("crc/match")
    c.fail("the crc of a page of unknown type is 1, between data pages with an offset index", unknown(2, crc=1, offset_index=True),
           V("crc", page=(0, 0, 2)), Also("page/unknown-type", V("type", page=(0, 0, 2)), "the type is unknown"), lost=[], rows=known)
    walks(c, "page/header-member", "the {} page has no data_page_header",
          lambda at: numbers(five(lambda: V1(2), lambda: V1(2, header={"data_page_header": DROP}), at)),
          lambda page: S("", page=page, field="data_page_header"), gone=True)

    walks(c, "page/empty", "the {} page has no entries", lambda at: numbers(five(lambda: V1(2), lambda: V1(0), at), n=8),
          lambda page: V("data_page_header.num_values", page=page))


def bodies(c):
    word = plain.encode(INT32, [1, 2]).data
    walks(c, "crc/match", "one bit of the crc of the {} page is wrong",
          lambda at: column(required("a", INT32), [1, 2] * 5, Chunk(five(
              lambda: V1(2, crc=True), lambda: V1(2, crc=checksums.signed(checksums.crc32(word) ^ 1)), at))),
          lambda page: V("crc", page=page), rows=None)

    words = plain.encode(BYTE_ARRAY, [b"x", b"yy"])
    more = Marked(words.data + b"\0\0", {"after": len(words)})
    for about, page_class in (("v1", V1), ("v2", V2)):
        walks(c, "page/trailing-bytes", f"two bytes after the last value of the {{}} page, {about}",
              lambda at, page_class=page_class: strings(Chunk(five(lambda: page_class(2), lambda: page_class(2, values=more), at)),
                                                        items=(b"x", b"yy") * 5), lambda page: Body(page, "values.after"))

    def after_a_dictionary(at):
        pages = five(lambda: V1(2, RLE_DICTIONARY), lambda: V1(2, RLE_DICTIONARY, runs=[Repeated(1, 0), Repeated(1, 3)]), at - 1)
        return column(required("a", INT32), [1, 2, 3, 1, 2, 3, 1, 2, 3, 1], Chunk([Dictionary([1, 2, 3]), *pages]))

    c.rule("dictionary/index-range")
    for at in PAGES:
        c.fail(f"index 3 of three entries in the {ORDINALS[at]} data page, of five", after_a_dictionary(at + 1),
               Body((0, 0, at + 1), "values.run1"), lost=[lost("page", 0, 0, at + 1)], found="3")

    def level(at):
        group = [optional("g", [optional("e", INT32)])]
        rows = [{"g": {"e": i}} for i in range(10)]
        return File(group, rows, Chunk(five(lambda: V2(2), lambda: V2(2, defs=[Repeated(1, 2), Repeated(1, 3)]), at)))

    walks(c, "levels/definition-range", "level 3 of at most 2 in the {} page", level, lambda page: Body(page, "def.run1"), gone=True)


def sizes(c):
    """Wrong sizes in headers. The builder sums up the headers, so the edits restore the totals."""
    def mistaken(at, by, indexed, both=True):
        """The compressed size of the page at that place is off `by` so many bytes, the uncompressed one too if `both`."""
        names = ["compressed_page_size"] + ["uncompressed_page_size"] * both
        header = {name: 8 + by for name in names}
        back = shifted("total_uncompressed_size", -by if both else 0)
        return numbers(five(lambda: V1(2), lambda: V1(2, header=header), at),
                       chunk={"offset_index": indexed or None, "meta": back}, edits=shifted("total_byte_size", -by if both else 0))

    c.rule("page/within-chunk")
    for at in PAGES:
        about = f"the body of the {ORDINALS[at]} page of five extends past the end of the file; "
        place = V("compressed_page_size", page=(0, 0, at))
        c.fail(about + "with the offset index only that page is lost", mistaken(at, 900, True), place, lost=[lost("page", 0, 0, at)])
        is_last = at == PAGES[-1]
        c.fail(about + ("it is the last page" if is_last else "the next pages end where the chunk ends"),
               mistaken(at, 900, False), place, lost=[lost("rest of chunk" if is_last else "pages", 0, 0, at)])

    c.rule("page/compressed-size")
    for at in PAGES:
        c.fail(f"compressed_page_size of the {ORDINALS[at]} page of five is 4 less than its values take; with the offset index only that page is lost",
               mistaken(at, -4, True, both=False), V("compressed_page_size", page=(0, 0, at)), rows=None, lost=[lost("page", 0, 0, at)])


def several_chunks(c):
    """Two row groups of two columns, and the fault in the first and the third of three pages of each chunk."""
    spots = [(g, leaf, 0) for g in (0, 1) for leaf in (0, 1)]
    rows = [{"a": i, "b": 10 * i} for i in range(6)]

    def file(faulty, page):
        nodes = [optional("a", INT32), optional("b", INT32)]
        return File(nodes, groups=[Group(rows, [Chunk([faulty(), page(2), faulty()]) for _ in (0, 1)]) for _ in (0, 1)])

    c.rule("page/v2-num-nulls")
    c.fail("num_nulls is 1, no entry is null, in two pages of each of four chunks", file(lambda: V2(2, header={H + "num_nulls": 1}), V2),
           *(V(H + "num_nulls", page=spot, times=2) for spot in spots))
    c.rule("crc/match")
    c.fail("the crc is 1 in two pages of each of four chunks", file(lambda: V1(2, crc=1), V1),
           *(V("crc", page=spot, times=2) for spot in spots), rows=None)
    c.rule("levels/overshoot")
    c.fail("the last run repeats a definition level five times for two entries in two pages of each of four chunks",
           file(lambda: V1(2, defs=[Repeated(5, 1)]), V1), *(Body(spot, "def.run0", times=2) for spot in spots), expected="2")
