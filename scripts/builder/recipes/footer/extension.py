"""Binary protocol extensions: field 32767 of any struct (BinaryProtocolExtensions.md)."""

from builder.codec import thrift
from builder.codec.file import Chunk
from builder.codec.pages import V1, V2
from builder.codec.thrift import adding
from builder.expect.places import H, V
from builder.recipes.base_files import chunk, flat, nullable
from builder.recipes.footer.thrift import FIRST, INDEX, META, indexed, paged

NAMED = bytes(range(16))
PRINTED = {"head": bytes.fromhex("08ffff01")}


def extended(path="", data=NAMED, **form):
    """An edit that extends the struct at a path."""
    return adding(32767, thrift.BINARY, data, path=path, **form)


def witnesses(c):
    c.rule("extension/field-type")
    c.fail("field 32767 of FileMetaData is an i32", flat(footer=adding(32767, thrift.I32, 7)), H("32767"))
    c.fail("field 32767 of a page header is a struct", paged(adding(32767, thrift.STRUCT, thrift.Struct())), H("32767", page=FIRST))
    c.fail("field 32767 of a column index is a bool", indexed(adding(32767, thrift.TRUE, True)), H("32767", **INDEX))
    c.ok("field 32767 of FileMetaData is a binary", flat(footer=extended()))

    c.rule("extension/wire-id")
    c.fail("the header of an extension is that which the document prints", flat(footer=adding(-16384, thrift.BINARY, NAMED, **PRINTED)),
           H("-16384"))
    c.ok("the header of an extension is that of field 32767", flat(footer=extended(head=bytes.fromhex("08feff03"))))

    c.rule("extension/disambiguation")
    c.fail("an extension of 15 bytes", flat(footer=extended(META, NAMED[:15])), V(META + ".32767"))
    c.fail("an empty extension of a page header", paged(extended(data=b"")), V("32767", page=FIRST))
    c.ok("an extension of 16 bytes", flat(footer=extended(META)))

    c.rule("extension/last-field", found="created_by")
    c.fail("created_by is after the extension", flat(footer=lambda root: extended(at=len(root.fields) - 1)(root)), H("32767"))
    c.ok("the extension is the last field", flat(footer=extended()))

    c.rule("extension/present", found=f"16 bytes: {NAMED.hex()}", expected="DataPageHeader")
    c.fail("a schema element is extended", flat(footer=extended("schema[1]")), H("schema[1].32767"), expected="SchemaElement")
    c.fail("a data page header is extended", paged(extended("data_page_header")), H("data_page_header.32767", page=FIRST))
    c.ok("no struct is extended", flat())

    c.rule("legal/extensions")
    places = ("", "schema[0]", "schema[1]", "row_groups[0]", "row_groups[0].columns[0]", META, META + ".statistics")
    c.ok("each struct of the footer is extended",
         flat(Chunk(meta={"statistics": {"null_count": 0}}), footer=[extended(path) for path in places]))
    c.ok("the header of a v1 page, and the data page header in it, are extended by 2,000 bytes",
         flat(chunk(V1(header=[extended(data=NAMED * 125), extended("data_page_header", NAMED * 125)]))))
    c.ok("the header of a v2 page, and the data page header in it, are extended",
         nullable(chunk(V2(header=[extended(), extended("data_page_header_v2")]))))
    c.ok("column index and offset index are extended", indexed(extended(), extended()))
