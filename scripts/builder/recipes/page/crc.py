"""Page checksums (README.md, Checksumming)."""

from builder.codec import checksums, plain
from builder.codec.checksums import signed
from builder.codec.metadata import GZIP, INDEX_PAGE, INT32, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import required
from builder.expect.places import S, V
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, SECOND, chunk, column, flat, nullable

THREE = b"\1\0\0\0\2\0\0\0\3\0\0\0"
ROWS = [{"a": 1}, {"a": 2}, {"a": 3}]


def witnesses(c):
    c.rule("crc/match")
    crc = V("crc", page=FIRST)
    c.fail("the crc of a v1 page is 1", flat(chunk(V1(crc=1))), crc, rows=None)
    c.fail("the crc of a v2 page is 1", flat(chunk(V2(crc=1))), crc, rows=None)
    c.fail("the crc of a dictionary page is 1", flat(chunk(Dictionary([1, 2, 3], crc=1), V1(encoding=RLE_DICTIONARY))), crc, rows=None)
    c.fail("one bit of the crc of the second page is wrong",
           flat(chunk(V1(2, crc=True), V1(crc=signed(checksums.crc32(THREE[8:]) ^ 1)))), V("crc", page=SECOND), rows=None)
    c.fail("the crc is a CRC-32C", flat(chunk(V1(crc=signed(checksums.crc32c(THREE))))), crc, rows=ROWS)
    c.fail("the crc is that of the expanded bytes", flat(chunk(V1(crc=signed(checksums.crc32(THREE))), codec=SNAPPY)), crc, rows=ROWS)
    c.fail("the crc is that of the expanded bytes of a v2 page",
           flat(chunk(V2(crc=signed(checksums.crc32(THREE))), codec=GZIP)), crc, rows=ROWS)
    index = {"header": {"index_page_header": {}}}
    c.fail("the crc of an index page is 1", flat(chunk(V1(2), Other(INDEX_PAGE, b"x", crc=1, **index), V1())), V("crc", page=SECOND),
           Also("index-page/unused", V("type", page=SECOND), "index pages are no longer specified"), rows=ROWS)
    c.fail("the crc of a page of unknown type is 1", flat(chunk(V1(2), Other(17, b"x", crc=1), V1())), V("crc", page=SECOND),
           Also("page/unknown-type", V("type", page=SECOND), "the type is unknown"), rows=ROWS)
    high = next(k for k in range(100) if checksums.crc32(plain.value(INT32, k)) >> 31)
    c.ok("the crc of a v1 page, negative as an i32", column(required("a", INT32), [high], chunk(V1(crc=True))))
    c.ok("the crc of a v1 page", flat(chunk(V1(crc=True))))
    c.ok("the crc of v2 pages, levels included, under GZIP", nullable(chunk(V2(crc=True), codec=GZIP)))
    c.ok("the crc of a dictionary page", flat(chunk(Dictionary([1, 2, 3], crc=True), V1(encoding=RLE_DICTIONARY, crc=True))))

    c.rule("crc/absent")
    c.fail("the second page has no crc", flat(chunk(V1(2, crc=True), V1())), S("", page=SECOND, field="crc"))
    c.fail("the dictionary page has no crc", flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY, crc=True))),
           S("", page=FIRST, field="crc"))
    c.ok("every page has a crc", flat(chunk(V1(2, crc=True), V1(crc=True))))
    c.ok("no page has a crc", flat(chunk(V1(2), V1())))
