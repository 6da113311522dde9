"""Row groups: their chunks, counts, sizes and ordinals (parquet.thrift RowGroup)."""

from builder.codec.compression import gzip
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import DROP, GZIP, INT32, edit
from builder.codec.pages import V1
from builder.codec.schema import required
from builder.expect.places import S, V
from builder.recipes.base_files import GROUP, chunk, flat, lists, two



def groups(first=None, second=None, **more):
    """Two row groups of one column, and edits to each."""
    return File([required("a", INT32)], groups=[Group([{"a": 1}, {"a": 2}], edits=first), Group([{"a": 3}], edits=second)], **more)


def start(footer, group=0, leaf=0):
    return footer.at(f"row_groups[{group}].columns[{leaf}].meta_data.data_page_offset")


def set_offset(group, value):
    """An edit that writes RowGroup.file_offset as a function of the footer."""
    def change(footer):
        edit(footer, {f"row_groups[{group}].file_offset": value(footer)})
    return change


def witnesses(c):
    columns(c)
    counts(c)
    sizes(c)
    ordinals(c)


def columns(c):
    none = Chunk([], entries=[])
    c.rule("row-group/column-count")
    c.fail("one chunk for two leaves", two([None, none], footer={GROUP + ".columns[1]": DROP}), V(GROUP + ".columns"), tier="footer")
    c.fail("two chunks for one leaf", two([None, none], footer=[{"schema[0].num_children": 1}, {"schema[2]": DROP}]),
           V(GROUP + ".columns"), tier="footer")
    c.ok("two chunks for two leaves", two(), tier="footer")

    c.rule("row-group/column-order")
    path = "row_groups[0].columns[{}].meta_data.path_in_schema"
    c.fail("two chunks have changed places", two([Chunk(meta={"path_in_schema": ["b"]}), Chunk(meta={"path_in_schema": ["a"]})]),
           V(path.format(0)), V(path.format(1)), rows=None)
    c.fail("the second chunk names the first column", two([None, Chunk(meta={"path_in_schema": ["a"]})]), V(path.format(1)),
           rows=None)
    c.ok("chunks in the order of the leaves", two())


def counts(c):
    c.rule("row-group/num-rows-negative")
    c.fail("num_rows is -1", flat(edits={"num_rows": -1}), V(GROUP + ".num_rows"), rows=None)
    c.ok("num_rows is 1", flat(n=1))

    empty = V(GROUP + ".num_rows")
    c.rule("row-group/empty")
    c.fail("a row group without rows, its chunk without pages", flat(Chunk([]), n=0), empty)
    c.fail("a row group without rows, its chunk has one empty page", flat(chunk(V1()), n=0), empty)
    c.ok("a row group of one row", flat(n=1))

    c.rule("row-group/num-rows")
    c.fail("num_rows is one more than the column has", flat(edits={"num_rows": 4}, footer={"num_rows": 4}), empty, rows=None)
    c.fail("num_rows is one less than both columns have", two(edits={"num_rows": 2}, footer={"num_rows": 2}), empty, rows=None)
    c.fail("num_rows of a nested column counts entries", lists(edits={"num_rows": 6}, footer={"num_rows": 6}), empty, rows=None)
    c.fail("num_rows of the second row group is 2", groups(None, {"num_rows": 2}, footer={"num_rows": 4}),
           V("row_groups[1].num_rows"), rows=None)
    c.fail("num_rows is 0 and the column has three", flat(edits={"num_rows": 0}, footer={"num_rows": 0}), empty, rows=None)
    c.ok("num_rows is what both columns have", two())
    c.ok("num_rows of a nested column counts rows", lists())


def sizes(c):
    c.rule("row-group/total-byte-size")
    field = V(GROUP + ".total_byte_size")
    c.fail("total_byte_size is 0", flat(edits={"total_byte_size": 0}), field)
    c.fail("total_byte_size is the size of the first of two chunks",
           two(footer=lambda f: total(f, f.at("row_groups[0].columns[0].meta_data.total_uncompressed_size"))), field)
    packed = Chunk(codec=GZIP, compress=lambda data: gzip.member(data, gzip.literals))
    c.fail("total_byte_size is the compressed sum",
           flat(packed, n=12, footer=lambda f: total(f, f.at("row_groups[0].columns[0].meta_data.total_compressed_size"))), field)
    c.ok("total_byte_size is the uncompressed sum", flat(packed, n=12))

    c.rule("row-group/total-compressed-size")
    field = V(GROUP + ".total_compressed_size")
    c.fail("total_compressed_size is 1", flat(edits={"total_compressed_size": 1}), field)
    c.fail("total_compressed_size is -1", flat(edits={"total_compressed_size": -1}), field)
    c.ok("total_compressed_size is the sum over two chunks", two(footer=compressed))

    c.rule("row-group/file-offset")
    c.fail("file_offset is one byte after the first page", flat(footer=set_offset(0, lambda f: start(f) + 1)),
           V(GROUP + ".file_offset"))
    c.fail("file_offset of the second row group is that of the first", groups(footer=set_offset(1, start)),
           V("row_groups[1].file_offset"))
    c.fail("file_offset is 0", flat(edits={"file_offset": 0}), V(GROUP + ".file_offset"))
    c.ok("file_offset is the first page", groups(footer=[set_offset(0, start), set_offset(1, lambda f: start(f, 1))]))
    c.ok("chunks in reverse, file_offset is the first page of the group",
         two(order=[(0, 1), (0, 0)], footer=set_offset(0, lambda f: start(f, 0, 1))))
    c.ok("chunks in reverse, file_offset is the first page of the first column",
         two(order=[(0, 1), (0, 0)], footer=set_offset(0, start)))


def total(footer, value):
    footer.at(GROUP).field("total_byte_size").value = value


def compressed(footer):
    """Writes the true total_compressed_size into the first row group."""
    columns = footer.at(GROUP + ".columns").items
    edit(footer, {GROUP + ".total_compressed_size": sum(one.at("meta_data.total_compressed_size") for one in columns)})


def ordinals(c):
    c.rule("row-group/ordinal")
    c.fail("the only row group has ordinal 1", flat(edits={"ordinal": 1}), V(GROUP + ".ordinal"))
    c.fail("the only row group has ordinal -1", flat(edits={"ordinal": -1}), V(GROUP + ".ordinal"))
    c.fail("both row groups have ordinal 0", groups({"ordinal": 0}, {"ordinal": 0}), V("row_groups[1].ordinal"))
    c.ok("ordinals 0 and 1", groups({"ordinal": 0}, {"ordinal": 1}))

    c.rule("row-group/ordinal-consistent")
    c.fail("the second row group has no ordinal", groups({"ordinal": 0}), S("row_groups[1]", field="ordinal"))
    c.fail("the first row group has no ordinal", groups(None, {"ordinal": 1}), S(GROUP, field="ordinal"))
    c.ok("no row group has an ordinal", groups())
    c.ok("both row groups have an ordinal", groups({"ordinal": 0}, {"ordinal": 1}))
