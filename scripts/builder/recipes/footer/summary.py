"""Metadata in one file, column chunks in others (README.md Separating metadata and column data; ColumnChunk.file_path)."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import DROP, INT32, RLE_DICTIONARY
from builder.codec.pages import V1, Dictionary
from builder.codec.schema import required
from builder.expect.losses import lost
from builder.expect.places import S, V, In
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, chunk, flat, two

SECOND = "row_groups[0].columns[1]"
PATH = V(COLUMN + ".file_path")
INFORMAL = Also("summary/not-formal", PATH, "the data is in other files")


def summary(prefix, second=None, pages=None, edits=None, **more):
    """The metadata of two files of one column `a`: three rows in the first, two in the second, which may be another, and
    of other pages; `edits` are of the first chunk."""
    names = [f"{prefix}.{i}.data" for i in range(2)]
    parts = [flat(), second or flat(chunk(*(pages or [V1()])), n=2)]
    groups = [Group([{"a": i} for i in (1, 2, 3)], Chunk(file=names[0], at=(0, 0), meta=edits)),
              Group([{"a": i} for i in (1, 2)], Chunk(pages, file=names[1], at=(0, 0)))]
    return File([required("a", INT32)], groups=groups, parts=dict(zip(names, parts)), **more)


def ordinals(prefix, first, second):
    """The same, with ordinals of the row groups."""
    return summary(prefix, footer={"row_groups[0].ordinal": first, "row_groups[1].ordinal": second})


def split(one, other, **more):
    """Two columns, each in a file of pages only."""
    return two([Chunk(file=one), Chunk(file=other)], **more)


def witnesses(c):
    c.rule("summary/file-path")
    c.fail("the first chunk is in another file, the second has no file_path", split("a.data", "a.lost.data", footer={
        SECOND + ".file_path": DROP}), S(SECOND, field="file_path"), INFORMAL, rows=None,
           further=lambda files: {"a.data": files["a.data"]}, lost=[lost("column chunk", 0, 1)])
    c.ok("both chunks are in another file", split("b.data", "b.data"), INFORMAL)

    c.rule("summary/file-path-differs")
    c.fail("each column has a file of its own", split("a.a.data", "a.b.data"), V(SECOND + ".file_path"), INFORMAL, expected="a.a.data")
    c.ok("both columns are in one file", split("b.data", "b.data"), INFORMAL)

    c.rule("summary/not-formal")
    c.fail("the metadata of two files", summary("a"), PATH)
    c.fail("the metadata of a file of pages", flat(Chunk(file="b.data")), PATH)
    c.fail("the metadata of two files, the page of the second has a wrong checksum", summary("c", pages=[V1(crc=1)]), PATH,
            Also("crc/match", In("c.1.data", V("crc", page=(0, 0, 0))), "the other file is checked on its own"), rows=None)
    c.fail("the metadata of a file of pages, the first of which has a wrong checksum",
           flat(chunk(V1(2, crc=1), V1(crc=True), file="d.data")), PATH,
           Also("crc/match", In("d.data", V("crc", page=(0, 0, 0))), "its pages are checked with this metadata"), rows=None)
    c.ok("the data is in the file", flat())

    c.rule("row-group/ordinal")
    c.fail("the row group of the second of two files has ordinal 2", ordinals("a", 0, 2), V("row_groups[1].ordinal"), INFORMAL)
    c.ok("the row groups of two files have ordinal 0", ordinals("b", 0, 0), INFORMAL)

    c.rule("summary/chunk-metadata")
    for field, stem, expected, gone in (("num_values", "a", "3", []), ("total_compressed_size", "b", "29", []),
                                        ("data_page_offset", "c", "no chunk of the column", [lost("column chunk", 0, 0)])):
        c.fail(f"{field} is one more than in the file of the chunk",
               summary(stem, edits=lambda meta, field=field: setattr(meta.field(field), "value", meta.at(field) + 1)),
               V(COLUMN + ".meta_data." + field), INFORMAL, rows=None if gone else ..., expected=expected, lost=gone)
    c.ok("the metadata is that of the files", summary("d"), INFORMAL)

    c.rule("summary/schema")
    wider = File([required("a", INT32), required("b", INT32)], [{"a": 1, "b": 10}, {"a": 2, "b": 20}])
    c.fail("the second file has a column more", summary("a", wider), V("row_groups[1].columns[0].file_path"), INFORMAL, found="2 columns", expected="1")
    other = File([required("b", INT32)], [{"b": 1}, {"b": 2}])
    c.fail("the second file has a column of another name", summary("c", other), V("row_groups[1].columns[0].file_path"), INFORMAL,
           Also("summary/chunk-metadata", V("row_groups[1].columns[0].meta_data.data_page_offset").with_values(expected="no chunk of the column"), "no chunk of the column begins there"), found="another column b", expected="a")
    c.ok("both files have the schema of the summary", summary("b"), INFORMAL)

    c.rule("summary/common-metadata")
    c.fail("a _common_metadata with a row group", flat(), V("row_groups"), name="_common_metadata", found="1 row group")
    c.ok("a _common_metadata with the schema alone", File([required("a", INT32)], groups=[]), name="_common_metadata")

    c.rule("legal/summary")
    c.ok("the metadata of two files", summary("a"), profile="historical")
    c.ok("ordinals count in each of two files", ordinals("b", 0, 0), profile="historical")
    c.ok("ordinals count in the summary", ordinals("c", 0, 1), profile="historical")
    c.ok("the schema that files share", File([required("a", INT32)], groups=[]), name="_common_metadata")

    c.rule("legal/split-columns")
    c.ok("each column is in a file of its own", split("a.a.data", "a.b.data"), profile="historical")
    c.ok("a column with a dictionary, four bytes into its file", two([
        chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY), file="b.a.data", before=b"\0\0\0\0"), Chunk(file="b.b.data")]),
         profile="historical")
    c.ok("one column of two row groups in one file", File([required("a", INT32)], groups=[
        Group([{"a": 1}], Chunk(file="c.data")), Group([{"a": 2}, {"a": 3}], Chunk(file="c.data"))]), profile="historical")
