"""Damaged files with the exact losses in their sidecars (README.md, Error recovery), and the intact files that `tests/recovery/` damages
byte by byte.
"""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, INT32, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.losses import lost
from builder.expect.places import V, At
from builder.expect.witness import Also
from builder.recipes.base_files import flat

ITEMS = [b"x", b"yy", b"zzz"]
SCHEMA = [required("a", INT32), optional("s", BYTE_ARRAY), list_of("l", optional("e", INT32))]


def row(i):
    return {"a": i, "s": None if i % 3 == 2 else ITEMS[i % 3], "l": {"list": [{"e": i}, {"e": None}]}}


def group(first, index=None):
    """A row group of six rows: pages of two rows, those of `s` after a dictionary, the last of them PLAIN."""
    more = {"offset_index": index}
    return Group([row(first + i) for i in range(6)], {
        "a": Chunk([V1(2, crc=True), V2(2, crc=True), V1(crc=True)], **more),
        "s": Chunk([Dictionary(ITEMS, crc=True), V2(2, RLE_DICTIONARY, crc=True), V1(2, RLE_DICTIONARY, crc=True),
                    V1(crc=True)], codec=SNAPPY, **more),
        "l.list.element": Chunk([V1(4, crc=True), V1(4, crc=True), V2(crc=True)], **more)})


def three(index=None, **more):
    return File(SCHEMA, groups=[group(6 * g, index) for g in range(3)], **more)


def bounded():
    """Four pages of a value each, with its bounds in the page header and in the column index."""
    bounds = [{"null_count": 0, "min_value": bytes([i, 0, 0, 0]), "max_value": bytes([i, 0, 0, 0])} for i in (1, 2, 3, 4)]
    return flat(Chunk([V1(1, statistics=one) for one in bounds], column_index=True, offset_index=True), n=4, column_orders=True)


def spoilt(*page):
    """The first byte of the header of a page (row group, leaf, ordinal) is no field header."""
    def damage(built):
        data = bytearray(built.data)
        data[built.chunks[page[0]][page[1]].pages[page[2]].offset] = 0x0F
        return bytes(data)
    return damage


def header(*page):
    """The header of that page, as a place."""
    g, leaf, ordinal = page
    return At(lambda built: built.chunks[g][leaf].pages[ordinal].offset, row_group=g, leaf=leaf, page=ordinal)


def pages(g, leaf, *ordinals):
    return [lost("page", g, leaf, page) for page in ordinals]


def witnesses(c):
    c.rule("legal/several-pages")
    c.ok("three row groups of three columns, several pages in each chunk, without page index", three())
    c.ok("the same with offset indexes", three(True))
    metadata(c)
    headers(c)
    data(c)
    footers(c)


def metadata(c):
    c.rule("thrift/compact-protocol")
    c.fail("the first byte of the footer is no field header; the file is lost", three(), At(lambda b: b.footer_start),
           data=lambda b: b.data[:b.footer_start] + b"\x0f" + b.data[b.footer_start + 1:], lost=[lost("file")])

    c.rule("file/region-inside")
    groups = [group(6 * g) for g in range(3)]
    groups[1].chunks["a"].meta = {"data_page_offset": 1 << 20}
    c.fail("the data pages of one chunk begin after the end of the file; that chunk is lost", File(SCHEMA, groups=groups),
           V("row_groups[1].columns[0].meta_data.data_page_offset"), lost=[lost("column chunk", 1, 0)])


def headers(c):
    c.rule("thrift/compact-protocol")
    bad = "the first byte of the header of page {} is no field header; {}"
    leads = "the next pages end where the chunk ends"
    c.fail(bad.format(1, leads), three(), header(1, 0, 1), data=spoilt(1, 0, 1), lost=[lost("pages", 1, 0, 1)])
    c.fail(bad.format(0, "a dictionary page, with the pages that refer to it"), three(), header(0, 1, 0), data=spoilt(0, 1, 0),
           lost=pages(0, 1, 0, 1, 2))
    c.fail(bad.format(1, "with the offset index only that page is lost"), three(True), header(1, 0, 1), data=spoilt(1, 0, 1),
           lost=pages(1, 0, 1))
    c.fail(bad.format(2, "the last page of its chunk, with an offset index"), three(True), header(2, 2, 2), data=spoilt(2, 2, 2),
           lost=pages(2, 2, 2))
    c.fail(bad.format(0, "a dictionary page; with the offset index the PLAIN page, which needs no dictionary, is intact"), three(True),
           header(0, 1, 0), data=spoilt(0, 1, 0), lost=pages(0, 1, 0, 1, 2))

    for ordinal, where in enumerate(("first", "second", "third")):
        c.fail(f"the first byte of the header of the {where} of four pages is no field header; the other pages are compared with their own bounds in both places",
               bounded(), header(0, 0, ordinal), data=spoilt(0, 0, ordinal), lost=pages(0, 0, ordinal))

    c.fail(bad.format(0, leads), three(), header(1, 0, 0), data=spoilt(1, 0, 0), lost=[lost("pages", 1, 0, 0)])
    c.fail(bad.format(2, "the last page of its chunk"), three(), header(1, 0, 2), data=spoilt(1, 0, 2),
           lost=[lost("rest of chunk", 1, 0, 2)])

    c.rule("page/within-chunk")
    long = flat(Chunk([V1(1), V1(1, header={"uncompressed_page_size": 900, "compressed_page_size": 900}), V1()], offset_index=True,
                      meta={"total_uncompressed_size": 75}), edits={"total_byte_size": 75})
    c.fail("the body of the second of three pages extends past the end of the file; with the offset index only that page is lost", long,
           V("compressed_page_size", page=(0, 0, 1)), lost=pages(0, 0, 1))


def data(c):
    c.rule("crc/match")
    c.fail("a byte in the body of the second page of three is not the one that was written", three(),
           V("crc", page=(1, 0, 1)), data=altered(1, 0, 1), rows=None)
    c.fail("a byte in the body of a dictionary page is not the one that was written",
           three(), V("crc", page=(1, 1, 0)), data=altered(1, 1, 0), rows=None)


def altered(*page):
    """The last byte of the body of a page is another one."""
    def damage(built):
        built_page = built.chunks[page[0]][page[1]].pages[page[2]]
        data = bytearray(built.data)
        data[built_page.offset + len(built_page) - 1] ^= 1
        return bytes(data)
    return damage


def footers(c):
    c.rule("recovery/earlier-footer", found="6", expected="12")
    unreferenced = "a replaced footer is not referenced"

    intact = File(SCHEMA, groups=[group(0)]).build()
    before, footer = intact.data, intact.data[intact.footer_start:]
    grown = File(SCHEMA, groups=[grown_by(group(0), footer), group(6)])
    place = At(len(before) - len(footer), length=len(footer))
    c.fail("a row group was appended after the footer, and a footer for both at the end", grown, place,
           Also("file/unreferenced-bytes", place.with_values(length=len(footer)), unreferenced))
    twice = File(SCHEMA, groups=[grown_by(group(0), footer + footer), group(6)])
    c.fail("the same footer twice", twice, place, At(len(before), length=len(footer)),
           Also("file/unreferenced-bytes", place.with_values(length=2 * len(footer)), unreferenced))
    c.ok("the bytes of a footer without its magic", File(SCHEMA, groups=[grown_by(group(0), footer[:-4] + b"PAR0"), group(6)]),
         Also("file/unreferenced-bytes", place.with_values(length=len(footer)), unreferenced))
    c.ok("a row group was appended where the footer had been", File(SCHEMA, groups=[group(0), group(6)]))


def grown_by(before, footer):
    """The row group with bytes after its last chunk."""
    before.chunks["l.list.element"].after = footer
    return before
