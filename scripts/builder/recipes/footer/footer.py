"""FileMetaData: version, counts, writer, key/value pairs, column orders."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import DOUBLE, DROP, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT96
from builder.codec.pages import V1, V2
from builder.codec.schema import required
from builder.expect.places import S, V, End
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, column, flat

IEEE, INT96_ORDER, TYPE_ORDER = [{"IEEE_754_TOTAL_ORDER": {}}], [{"INT96_TIMESTAMP_ORDER": {}}], [{"TYPE_ORDER": {}}]
ONE = b"\x01\0\0\0"
THREE = b"\x03\0\0\0"


def halves(**more):
    return column(required("h", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}), [b"\0\x3c", b"\0\x40"], **more)


def int96(**more):
    return column(required("t", INT96), [bytes(8) + b"\x8d\x3d\x25\0"], **more)


def groups(**more):
    return File([required("a", INT32)], groups=[Group([{"a": 1}, {"a": 2}]), Group([{"a": 3}])], **more)


def witnesses(c):
    intact(c)
    writer(c)
    orders(c)


def intact(c):
    c.rule("footer/exact-length")
    c.fail("three zero bytes between the stop byte of the footer and its end", flat(footer_tail=b"\0\0\0"), End(""))
    c.fail("a nonzero byte after the stop byte", flat(footer_tail=b"\x2a"), End(""))
    c.ok("the footer ends with its stop byte", flat())

    c.rule("footer/version")
    for number in (0, 3, -1):
        c.fail(f"version {number}", flat(footer={"version": number}), V("version"))
    c.ok("version 2", flat(footer={"version": 2}))
    c.ok("version 1", flat())

    c.rule("footer/version-one")
    c.fail("version 2", flat(footer={"version": 2}), V("version"))
    c.ok("version 1", flat())

    c.rule("footer/schema-nonempty")
    c.fail("a schema without an element", File([], groups=[], footer={"schema": []}), V("schema"))
    c.ok("a schema of a root and a leaf", File([required("a", INT32)], groups=[]))

    c.rule("footer/num-rows-negative")
    c.fail("num_rows is -1", flat(footer={"num_rows": -1}), V("num_rows"), rows=None)
    c.fail("num_rows is the smallest number there is", flat(footer={"num_rows": -2**63}), V("num_rows"), rows=None)
    c.ok("num_rows is 0 and there is no row", File([required("a", INT32)], groups=[]))

    c.rule("footer/num-rows")
    c.fail("num_rows is one more than the row groups have", groups(footer={"num_rows": 4}), V("num_rows"), rows=None)
    c.fail("num_rows counts the first row group alone", groups(footer={"num_rows": 2}), V("num_rows"), rows=None)
    c.fail("num_rows is 1 and there is no row group", File([required("a", INT32)], groups=[], footer={"num_rows": 1}),
           V("num_rows"), rows=None)
    c.ok("num_rows is the sum over two row groups", groups())

    c.rule("footer/key-unique")
    pairs = [{"key": "k", "value": "1"}, {"key": "k", "value": "2"}]
    c.fail("a key occurs twice in the footer", flat(footer={"key_value_metadata": pairs}), V("key_value_metadata[1].key"))
    c.fail("a key occurs twice in a column chunk", flat(Chunk(meta={"key_value_metadata": pairs})),
           V(COLUMN + ".meta_data.key_value_metadata[1].key"))
    c.ok("keys that differ in case, one without a value; the footer's again in a chunk",
         flat(Chunk(meta={"key_value_metadata": pairs[:1]}), footer={"key_value_metadata": [pairs[0], {"key": "K"}]}))


def writer(c):
    c.rule("footer/created-by-missing")
    c.fail("created_by is absent", flat(footer={"created_by": DROP}), S("", field="created_by"))
    c.fail("created_by is empty", flat(footer={"created_by": ""}), V("created_by"))
    c.ok("created_by names the writer", flat())

    c.rule("footer/created-by-format")
    c.fail("created_by has a name alone", flat(footer={"created_by": "writer"}), V("created_by"))
    c.fail("created_by has a number without the word version", flat(footer={"created_by": "writer 1.0 (build 0)"}),
           V("created_by"))
    c.ok("created_by has name and version", flat(footer={"created_by": "writer version 1.0"}))

    c.rule("footer/created-by-build")
    c.fail("created_by has no build", flat(footer={"created_by": "writer version 1.0"}), V("created_by"))
    c.ok("created_by has a build", flat(footer={"created_by": "writer version 1.0 (build abc)"}))


def orders(c):
    c.rule("footer/column-orders-length")
    c.fail("two column orders for one leaf", flat(column_orders=TYPE_ORDER * 2), V("column_orders"))
    c.fail("no column order for one leaf", flat(column_orders=[]), V("column_orders"))
    c.ok("one column order for one leaf", flat(column_orders=TYPE_ORDER))

    c.rule("footer/column-orders-present")
    bounds = {"null_count": 0, "max_value": THREE, "min_value": ONE}
    c.fail("bounds of a chunk without column orders", flat(Chunk(meta={"statistics": bounds})),
           V(COLUMN + ".meta_data.statistics.max_value"))
    c.fail("a lower bound without column orders", flat(Chunk(meta={"statistics": {"null_count": 0, "min_value": ONE}})),
           V(COLUMN + ".meta_data.statistics.min_value"))
    c.fail("a column index without column orders", flat(Chunk(column_index=True, offset_index=True)),
           V(COLUMN + ".column_index_offset"))
    for about, page, header in (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2")):
        c.fail(f"bounds of a page without column orders, {about}", flat(Chunk([page(statistics=bounds)])),
               V(header + ".statistics.max_value", page=(0, 0, 0)))
    both = File([required("a", INT32), required("b", INT32)], [{"a": 1, "b": 1}, {"a": 3, "b": 3}], Chunk([V1(statistics=bounds)]))
    c.fail("bounds of pages of two columns without column orders, reported once", both,
           V("data_page_header.statistics.max_value", page=(0, 0, 0), times=2))
    c.ok("bounds of a page, and column orders", flat(Chunk([V1(statistics=bounds)]), column_orders=TYPE_ORDER))
    c.ok("bounds, column index and column orders",
         flat(Chunk(meta={"statistics": bounds}, column_index=True, offset_index=True), column_orders=TYPE_ORDER))
    c.ok("neither bounds nor column orders", flat(Chunk(meta={"statistics": {"null_count": 0}})))

    order = V("column_orders[0]", leaf=0)
    double = required("d", DOUBLE)
    c.rule("footer/column-order-ieee754")
    c.fail("the total order of floating point on INT32", flat(column_orders=IEEE), order)
    c.fail("the total order of floating point on FIXED_LEN_BYTE_ARRAY(2) without annotation",
           column(required("h", FIXED_LEN_BYTE_ARRAY, type_length=2), [b"\0\x3c"], column_orders=IEEE), order)
    c.fail("the total order of floating point on INT96", int96(column_orders=IEEE), order,
           Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the column is of type INT96"))
    c.ok("the total order on DOUBLE", column(double, [1.0], column_orders=IEEE))
    c.ok("the total order on FLOAT", column(required("f", FLOAT), [1.0], column_orders=IEEE))
    c.ok("the total order on FLOAT16", halves(column_orders=IEEE))

    c.rule("footer/column-order-int96")
    c.fail("the order of INT96 on INT32", flat(column_orders=INT96_ORDER), order)
    c.fail("the order of INT96 on FIXED_LEN_BYTE_ARRAY(12)",
           column(required("t", FIXED_LEN_BYTE_ARRAY, type_length=12), [bytes(12)], column_orders=INT96_ORDER), order)
    c.ok("the order of INT96 on INT96", int96(column_orders=INT96_ORDER),
         Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the column is of type INT96"))

    c.rule("footer/column-order-float")
    c.fail("the type-defined order on DOUBLE", column(double, [1.0], column_orders=TYPE_ORDER), order)
    c.fail("the type-defined order on FLOAT", column(required("f", FLOAT), [1.0], column_orders=TYPE_ORDER), order)
    c.fail("the type-defined order on FLOAT16", halves(column_orders=TYPE_ORDER), order)
    c.ok("the total order on DOUBLE", column(double, [1.0], column_orders=IEEE))
