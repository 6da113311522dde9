"""The page index of a file (PageIndex.md): the indexes of each chunk, and their places."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import DROP, INT32
from builder.codec.schema import required
from builder.expect.places import S, V
from builder.recipes.base_files import flat, two

COLUMN, SECOND = "row_groups[0].columns[0]", "row_groups[0].columns[1]"
BOTH = dict(column_index=True, offset_index=True)


def indexed(*edits, chunk=None, **more):
    """Two columns with both indexes; `edits` are those of the first ColumnChunk."""
    return two([chunk or Chunk(column=list(edits), **BOTH), Chunk(**BOTH)], column_orders=True, **more)


def grouped(arrange=lambda places: places, early=(), chunk=None):
    """Two row groups of two columns with both indexes."""
    rows = [[{"a": 10 * g + i, "b": 100 * g + i} for i in (1, 2, 3)] for g in range(2)]
    return File([required("a", INT32), required("b", INT32)], groups=[Group(some, [chunk or Chunk(**BOTH)] * 2) for some in rows],
                column_orders=True, arrange=arrange, early=early)


def witnesses(c):
    pairs(c)
    companions(c)
    places(c)


def pairs(c):
    c.rule("page-index/offset-length-pair")
    for name in ("offset_index_length", "offset_index_offset", "column_index_length", "column_index_offset"):
        c.fail(f"{name} is absent, though the other of the two is set", indexed({name: DROP}), S(COLUMN, field=name))
    c.fail("neither index has a length; at tier footer", indexed({"offset_index_length": DROP, "column_index_length": DROP}),
           S(COLUMN, field="offset_index_length", times=2), tier="footer")
    last = "row_groups[1].columns[1]"
    made = grouped()
    made.footer = {last + ".offset_index_length": DROP}
    c.fail("the offset index of the last chunk of four has no length", made, S(last, field="offset_index_length"))
    c.ok("offsets and lengths of both indexes are set", indexed())
    c.ok("neither offset nor length is set", two())

    c.rule("page-index/column-needs-offset")
    c.fail("a column index without an offset index", indexed(chunk=Chunk(column_index=True)), S(COLUMN, field="offset_index_offset"))
    c.fail("a column index without an offset index, in the second row group; at tier footer",
           File([required("a", INT32)], groups=[Group([{"a": 1}], Chunk(**BOTH)), Group([{"a": 2}], Chunk(column_index=True))], column_orders=True),
           S("row_groups[1].columns[0]", field="offset_index_offset"), tier="footer")
    c.ok("an offset index without a column index", flat(Chunk(offset_index=True)))


def companions(c):
    c.rule("page-index/offset-alone")
    c.fail("three of four chunks have an offset index alone", grouped_alone(), S(COLUMN, field="column_index_offset", times=3))
    c.ok("both indexes", indexed())

    c.rule("page-index/all-columns")
    c.fail("the second of two columns has no offset index", two([Chunk(**BOTH), None], column_orders=True), S(SECOND, field="offset_index_offset"))
    c.ok("no column has an offset index", two())
    c.ok("all columns have an offset index in one row group, none in the other",
         File([required("a", INT32)], groups=[Group([{"a": 1}], Chunk(**BOTH)), Group([{"a": 2}])], column_orders=True))


def grouped_alone():
    made = grouped(chunk=Chunk(offset_index=True))
    made.groups[1].chunks = [Chunk(offset_index=True), Chunk(**BOTH)]
    return made


def places(c):
    c.rule("page-index/location")
    c.fail("both indexes are right after each chunk", grouped(early=("column_index", "offset_index")), V(COLUMN + ".offset_index_offset", times=3))
    c.fail("the column indexes are right after each chunk; at tier footer", grouped(early=("column_index",)),
           V(COLUMN + ".column_index_offset", times=3), tier="footer")
    c.ok("all indexes are after the last chunk", grouped())

    c.rule("page-index/grouping")
    chunkwise = lambda places: sorted(places, key=lambda one: one[1:])
    c.fail("the two indexes of each chunk are adjacent", grouped(chunkwise), V(SECOND + ".offset_index_offset"),
           V("row_groups[1].columns[1].offset_index_offset"), found="a column index")
    columnwise = lambda places: sorted(places, key=lambda one: (one[0], one[2]))
    c.fail("the offset indexes of one column are adjacent", grouped(columnwise), V(SECOND + ".offset_index_offset").with_values("an offset index of row group 1"),
           V("row_groups[1].columns[1].offset_index_offset").with_values("an offset index of row group 0"))
    c.ok("the offset indexes are grouped by row group", grouped())
    c.ok("the offset indexes of a row group are in the reverse order of its columns",
         grouped(lambda places: sorted(places, key=lambda one: (one[0], one[1], -one[2]))))
