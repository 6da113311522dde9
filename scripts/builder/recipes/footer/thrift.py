"""The compact protocol in every structure (Thrift compact protocol; parquet.thrift)."""

from builder.codec import thrift
from builder.codec.file import Chunk, File
from builder.codec.metadata import (BYTE_ARRAY, DROP, FIXED_LEN_BYTE_ARRAY, INT32, INT64, JSON, PLAIN, RLE_DICTIONARY, UTF8, edit, make,
                                    make_field)
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import optional, required
from builder.codec.thrift import Binary, Field, List, Long, Map, Padded, Raw, Struct, Typed, adding
from builder.expect.losses import lost
from builder.expect.places import H, S, V, At, End, footer_place
from builder.recipes.base_files import BLOOM, COLUMN, FIRST, INDEX, META, chunk, column, flat, nullable, strings
from builder.recipes.indexes import bloom_filter

OFFSETS = {"index": "offset_index", "chunk": (0, 0)}


def indexed(column_index=True, offset_index=True, **more):
    """One column with both indexes, and edits to them."""
    return flat(Chunk(column_index=column_index, offset_index=offset_index, **more), column_orders=True)


def paged(header=None, page=V1, **more):
    """One column of one page with edits to its header."""
    return flat(chunk(page(header=header, **more)))


def annotated(logical, kind=BYTE_ARRAY, values=(b"1",), **more):
    return column(required("s", kind, logicalType=logical, **more), values)


def tail(data, path=""):
    """An edit that puts bytes in place of a stop byte."""
    def change(root):
        (root.at(path) if path else root).tail = data
    return change


def cut_page(fields):
    """A chunk whose only page header ends early, at the footer, without a body."""
    def change(header):
        header.fields, header.tail = fields, b""

    return flat(chunk(V1(header=change, stored=b"", image=b"")))


def witnesses(c):
    framing(c)
    required_fields(c)
    field_headers(c)
    varints(c)
    containers(c)
    strings_and_unions(c)
    unknown(c)


def framing(c):
    c.rule("thrift/compact-protocol")
    c.fail("type 14 in a field header of the footer", flat(footer=adding(7, 14, Raw(b""))), H("7", field=None))
    c.fail("type 0 with an id delta in the footer", flat(footer=adding(7, 0, Raw(b""))), H("7", field=None))
    c.fail("type 15 in the header of the key/value list",
           flat(footer=lambda f: f.fields.insert(4, make_field("FileMetaData", "key_value_metadata", List(15, [Raw(b"\0")])))),
           V("key_value_metadata"))
    c.fail("type 14 in the header of an unknown map", flat(footer=adding(99, thrift.MAP, Map(14, thrift.I32, [(Raw(b""), 1)]))),
           V("99", plus=1), found="type 14")
    c.fail("type 15 in a field header of a page header", paged(adding(9, 15, Raw(b""))), H("9", page=FIRST, field=None))
    c.fail("type 14 in a field header of a column index", indexed(adding(9, 14, Raw(b""))), H("9", **INDEX, field="column_index"))
    c.fail("type 0 with an id delta in an offset index", indexed(offset_index=adding(3, 0, Raw(b""))),
           H("3", **OFFSETS, field="offset_index"))
    c.ok("type 12, a struct, in an unknown field", flat(footer=adding(99, thrift.STRUCT, Struct())))
    c.ok("type 13, a UUID, in an unknown field", flat(footer=adding(99, thrift.UUID, Raw(bytes(range(16))))))

    c.rule("thrift/stop-byte")
    c.fail("the footer has no stop byte", flat(footer=tail(b"")), At(lambda b: len(b.data) - 8), found="0 bytes", expected="a stop byte", length=0)
    c.fail("the footer ends in the middle of num_rows, its last field",
           flat(footer=lambda f: (f.fields.append(f.fields.pop(2)), setattr(f.fields[-1], "value", Raw(b"\x80")),
                                  setattr(f, "tail", b""))), H("num_rows"), found="1 byte", expected="the rest of a number", length=3)
    c.fail("a page header has no stop byte, and nothing follows it in the data area",
           cut_page(make("PageHeader", {"type": 0, "uncompressed_page_size": 0, "compressed_page_size": 0}).fields),
           At(lambda b: b.footer_start, row_group=0, leaf=0, page=0), found="0 bytes", expected="a stop byte", length=0)
    c.fail("a page header ends in the middle of a number",
           cut_page(make("PageHeader", {"type": 0, "uncompressed_page_size": 0, "compressed_page_size": Raw(b"\x80")}).fields),
           H("compressed_page_size", page=FIRST), found="1 byte", expected="the rest of a number", length=2)
    c.fail("an offset index has no stop byte", indexed(offset_index=tail(b"")), End("", **OFFSETS), found="0 bytes", expected="a stop byte", length=0)
    c.fail("a column index has no stop byte", indexed(column_index=tail(b"")), End("", **INDEX), found="0 bytes", expected="a stop byte", length=0)
    c.ok("every struct has its stop byte", indexed())


def required_fields(c):
    c.rule("thrift/required-field")

    def lacking(path, struct, file, **where):
        """A fail file in which the field at `path` is missing in the struct at `struct`."""
        if "index" in where:
            about, field = f"{path} is absent in {where['index']}", f"{where['index']}.{path}"
        else:
            about, field = f"{path} is absent", path if "page" in where else footer_place(path)["field"]
        c.fail(about, file, S(struct, field=field, **where))

    lacking("version", "", flat(footer={"version": DROP}))
    lacking("schema[0].name", "schema[0]", flat(footer={"schema[0].name": DROP}))
    lacking("row_groups[0].total_byte_size", "row_groups[0]", flat(footer={"row_groups[0].total_byte_size": DROP}))
    lacking(COLUMN + ".file_offset", COLUMN, flat(footer={COLUMN + ".file_offset": DROP}))
    lacking(META + ".total_uncompressed_size", META, flat(footer={META + ".total_uncompressed_size": DROP}))
    lacking("key_value_metadata[0].key", "key_value_metadata[0]", flat(footer={"key_value_metadata": [{"value": "v"}]}))
    lacking("row_groups[0].sorting_columns[0].nulls_first", "row_groups[0].sorting_columns[0]",
            flat(edits={"sorting_columns": [{"column_idx": 0, "descending": False}]}))
    lacking(META + ".encoding_stats[0].count", META + ".encoding_stats[0]",
            flat(Chunk(meta={"encoding_stats": [{"page_type": 0, "encoding": PLAIN}]})))
    lacking("schema[1].logicalType.INTEGER.isSigned", "schema[1].logicalType.INTEGER",
            annotated({"INTEGER": {"bitWidth": 32}}, INT32, [1]))
    lacking("uncompressed_page_size", "", paged({"uncompressed_page_size": DROP}), page=FIRST)
    lacking("data_page_header.encoding", "data_page_header", paged({"data_page_header.encoding": DROP}), page=FIRST)
    lacking("data_page_header_v2.num_rows", "data_page_header_v2",
            paged({"data_page_header_v2.num_rows": DROP}, V2), page=FIRST)
    lacking("dictionary_page_header.num_values", "dictionary_page_header",
            flat(chunk(Dictionary([1, 2, 3], header={"dictionary_page_header.num_values": DROP}), V1(encoding=RLE_DICTIONARY))),
            page=FIRST)
    lacking("boundary_order", "", indexed({"boundary_order": DROP}), **INDEX)
    lacking("page_locations[0].first_row_index", "page_locations[0]",
            indexed(offset_index={"page_locations[0].first_row_index": DROP}), **OFFSETS)
    lacking("compression", "", flat(Chunk(bloom={"compression": DROP})), **BLOOM)
    gap = Other(1, header_bytes=bytes(3), stored=b"")
    c.fail("three zero bytes between two pages", flat(chunk(V1(1), gap, V1())),
           At(lambda built: built.chunks[0][0].pages[1].offset, row_group=0, leaf=0, page=1, field="type", length=1).with_values(
               "absent", "type, uncompressed_page_size, compressed_page_size"), lost=[lost("pages", 0, 0, 1)])
    c.ok("every required field is there, and no optional one", flat(footer={"created_by": DROP}))
    c.ok("indexes and filter with every required field", indexed(bloom=True))


def field_headers(c):
    c.rule("thrift/field-type")
    c.fail("version is an i64", flat(footer={"version": Typed(thrift.I64, 1)}), H("version"))
    c.fail("total_uncompressed_size is an i32", flat(Chunk(meta={"total_uncompressed_size": Typed(thrift.I32, 33)})),
           H(META + ".total_uncompressed_size"))
    c.fail("num_values of a data page is an i64", paged({"data_page_header.num_values": Typed(thrift.I64, 3)}),
           H("data_page_header.num_values", page=FIRST))
    c.fail("boundary_order is an i64", indexed({"boundary_order": Typed(thrift.I64, 1)}), H("boundary_order", **INDEX))
    c.fail("the size in a page location is an i64", indexed(offset_index={"page_locations[0].compressed_page_size":
                                                                         Typed(thrift.I64, 33)}),
           H("page_locations[0].compressed_page_size", **OFFSETS))
    c.fail("row_groups are a set", flat(footer={"row_groups": Typed(thrift.SET, List(thrift.STRUCT, []))}), H("row_groups"))
    c.fail("schema is a set", flat(footer={"schema": Typed(thrift.SET, List(thrift.STRUCT, []))}), H("schema"))
    displaced(c)
    c.ok("every field has its declared type", indexed())
    c.ok("both wire types of a boolean", flat(chunk(Dictionary([1, 2, 3], is_sorted=True), V1(encoding=RLE_DICTIONARY))))

    c.rule("thrift/optional-field-type")
    c.fail("created_by is a list", flat(footer={"created_by": Typed(thrift.LIST, List(thrift.I8, [1, 2]))}), H("created_by"))
    c.fail("field_id of a schema element is a string", column(required("a", INT32, field_id=Typed(thrift.BINARY, "7")), [1]),
           H("schema[1].field_id"))
    c.fail("statistics are a binary", flat(Chunk(meta={"statistics": Typed(thrift.BINARY, b"\x16\0\0")})), H(META + ".statistics"))
    c.fail("ordinal is an i32", flat(edits={"ordinal": Typed(thrift.I32, 0)}), H("row_groups[0].ordinal"))
    c.fail("crc of a page is an i64", paged({"crc": Typed(thrift.I64, 1)}), H("crc", page=FIRST))
    c.fail("is_sorted of a dictionary page is an i8",
           flat(chunk(Dictionary([1, 2, 3], header={"dictionary_page_header.is_sorted": Typed(thrift.I8, 0)}),
                      V1(encoding=RLE_DICTIONARY))), H("dictionary_page_header.is_sorted", page=FIRST))
    as_i32 = lambda path: lambda footer: edit(footer, {path: Typed(thrift.I32, footer.at(path))})
    column_ = "row_groups[0].columns[0]"
    for name, path in (("bloom_filter_offset", META), ("offset_index_offset", column_), ("column_index_offset", column_)):
        c.fail(f"{name} is an i32, and its length an i32 as declared",
               flat(Chunk(bloom=True, offset_index=True, column_index=True), column_orders=True, footer=as_i32(f"{path}.{name}")), H(f"{path}.{name}"))
    c.fail("dictionary_page_offset is an i32", flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY)), footer=as_i32(META + ".dictionary_page_offset")),
           H(META + ".dictionary_page_offset"))
    c.fail("null_counts of a column index are a binary", indexed({"null_counts": Typed(thrift.BINARY, b"\0")}),
           H("null_counts", **INDEX))
    c.fail("two optional fields are an i32 instead of an i64", flat(Chunk(meta={"statistics": {
        "null_count": Typed(thrift.I32, 0), "distinct_count": Typed(thrift.I32, 3)}})),
           H(META + ".statistics.null_count", times=2))
    c.ok("optional fields have their declared types", flat(edits={"ordinal": 0}, footer={"created_by": "x version 1 (build 0)"}))

    c.rule("thrift/duplicate-field")
    c.fail("version occurs twice", flat(footer=adding(1, thrift.I32, 2, name="version", at=1)), H("version#2"))
    c.fail("created_by occurs twice, at the end", flat(footer=adding(6, thrift.BINARY, "x version 1 (build 0)", name="created_by")),
           H("created_by#2"))
    c.fail("num_values of a chunk occurs twice", flat(footer=adding(5, thrift.I64, 9, path=META, name="num_values", at=5)),
           H(META + ".num_values#2"))
    c.fail("name of a schema element occurs twice", flat(footer=adding(4, thrift.BINARY, "b", path="schema[1]", name="name", at=3)),
           H("schema[1].name#2"))
    c.fail("compressed_page_size occurs twice in a page header",
           paged(adding(3, thrift.I32, 5, name="compressed_page_size", at=3)), H("compressed_page_size#2", page=FIRST))
    c.fail("boundary_order occurs twice in a column index", indexed(adding(4, thrift.I32, 0, name="boundary_order", at=4)),
           H("boundary_order#2", **INDEX))
    c.fail("offset occurs twice in a page location",
           indexed(offset_index=adding(1, thrift.I64, 5, path="page_locations[0]", name="offset", at=1)),
           H("page_locations[0].offset#2", **OFFSETS))
    c.ok("every field occurs once", flat())

    c.rule("thrift/field-order")
    c.fail("schema is before version", flat(footer=lambda f: f.fields.insert(0, f.fields.pop(1))), H("version"), found="1", expected="more than 2")
    c.fail("row_groups are before the schema that they need", flat(footer=lambda f: f.fields.insert(0, f.fields.pop(3))),
           H("version"), found="1", expected="more than 4")
    c.fail("sizes of a page header in reverse", paged(lambda h: h.fields.insert(1, h.fields.pop(2))),
           H("uncompressed_page_size", page=FIRST), found="2", expected="more than 3")
    c.ok("fields ascend", flat())

    c.rule("thrift/short-field-header")
    c.fail("version has a long header", flat(footer={"version": Long(1)}), H("version"))
    c.fail("a field with a delta of 15 has a long header", flat(footer=adding(21, thrift.I32, 0, long=True)), H("21"))
    c.fail("type of a page header has a long header", paged({"type": Long(0)}), H("type", page=FIRST))
    c.ok("a field with a delta of 16 has a long header", flat(footer=adding(22, thrift.I32, 0)))

    c.rule("thrift/field-id")
    c.fail("a field with id 0", flat(footer=adding(0, thrift.I32, 0)), H("0"))
    c.fail("a field with id -5", flat(footer=adding(-5, thrift.I32, 0)), H("-5"))
    c.fail("a field with id -32768 in a page header", paged(adding(-32768, thrift.I32, 0)), H("-32768", page=FIRST))
    c.ok("a field with id 32766", flat(footer=adding(32766, thrift.I32, 0)))


def displaced(c):
    """Lost or changed bytes: the following fields are misread, and only the first fault is reported."""
    c.fail("the length of num_values takes the next field header into the number",
           flat(Chunk(meta={"num_values": Raw(b"\x86")})), V(META + ".total_uncompressed_size", field="meta_data.key_value_metadata"),
           found="set", expected="list", lost=[lost("column chunk", 0, 0)], rows=None)
    c.fail("the length of num_values in the first of two columns takes the next field header into the number",
           File([required("a", INT32), required("b", INT32)], [{"a": 1, "b": 2}], {"a": Chunk(meta={"num_values": Raw(b"\x82")})}),
           V(META + ".total_uncompressed_size", field="meta_data.total_compressed_size"), found="set", expected="i64")


def varints(c):
    c.rule("thrift/varint-overflow")
    c.fail("version takes six bytes", flat(footer={"version": Padded(1, 5)}), V("version"))
    c.fail("version is 2^31", flat(footer={"version": 2**31}), V("version"))
    c.fail("version takes eleven bytes", flat(footer={"version": Padded(1, 10)}), V("version"), lost=[lost("file")])
    c.fail("ordinal of a row group is 40000", flat(edits={"ordinal": 40000}), V("row_groups[0].ordinal"))
    c.fail("ordinal of a row group takes four bytes", flat(edits={"ordinal": Padded(0, 3)}), V("row_groups[0].ordinal"))
    c.fail("total_compressed_size of a row group is 2^63", flat(edits={"total_compressed_size": 2**63}),
           V("row_groups[0].total_compressed_size"))
    c.fail("crc of a page takes six bytes", paged({"crc": Padded(0, 5)}), V("crc", page=FIRST))
    c.fail("a page location's first row takes eleven bytes",
           indexed(offset_index={"page_locations[0].first_row_index": Padded(0, 10)}),
           V("page_locations[0].first_row_index", **OFFSETS))
    c.fail("boundary_order takes six bytes", indexed({"boundary_order": Padded(1, 5)}), V("boundary_order", **INDEX))
    c.ok("version takes five bytes, more than it needs", flat(footer={"version": Padded(1, 4)}))
    c.ok("num_values takes ten bytes, more than it needs", flat(Chunk(meta={"num_values": Padded(3, 9)})))
    c.ok("field_id is the smallest i32", column(required("a", INT32, field_id=-2**31), [1]))

    c.rule("thrift/varint-canonical")
    c.fail("version takes two bytes", flat(footer={"version": Padded(1)}), V("version"))
    c.fail("the length of created_by takes two bytes",
           flat(footer={"created_by": Binary(b"x version 1 (build 0)", Padded(21))}), V("created_by"))
    c.fail("the size of the schema list takes two bytes", flat(footer=lambda f: setattr(f.at("schema"), "size", Padded(2))),
           V("schema", plus=1))
    c.fail("num_values of a page takes five bytes", paged({"data_page_header.num_values": Padded(3, 4)}),
           V("data_page_header.num_values", page=FIRST))
    c.ok("every varint is as short as it can be", flat())


def containers(c):
    nulls = V("null_pages[0]", **INDEX)
    c.rule("thrift/bool-list-value")
    c.fail("an element of null_pages is 3", indexed({"null_pages[0]": Raw(b"\3")}), nulls)
    c.fail("an element of null_pages is 255", indexed({"null_pages[0]": Raw(b"\xff")}), nulls)
    c.ok("elements of null_pages are 1 and 2", nullable(
        Chunk([V1(2), V1()], column_index=True, offset_index=True), items=(None, None, 3), column_orders=True))

    c.rule("thrift/bool-list-zero")
    c.fail("an element of null_pages is 0, for false", indexed({"null_pages[0]": Raw(b"\0")}), nulls)
    c.ok("an element of null_pages is 2, for false", indexed())
    c.ok("null_pages has the element type 2", indexed(lambda i: setattr(i.at("null_pages"), "wire", thrift.FALSE)))

    def resize(path, size):
        def change(root):
            root.at(path).size = size
        return change

    c.rule("thrift/list-size")
    c.fail("the list size of schema is 200", flat(footer=resize("schema", 200)), V("schema"))
    c.fail("the list size of schema is 2^31-1", flat(footer=resize("schema", 2**31 - 1)), V("schema"))
    c.fail("the list size of schema is 2^31", flat(footer=resize("schema", 2**31)), V("schema"))
    c.fail("the list size of encodings is 1000", flat(footer=resize(META + ".encodings", 1000)), V(META + ".encodings"))
    c.fail("the list size of min_values of a column index is 200", indexed(resize("min_values", 200)), V("min_values", **INDEX))
    c.fail("the list size of page_locations is 200", indexed(offset_index=resize("page_locations", 200)),
           V("page_locations", **OFFSETS))
    c.ok("a list of fifteen elements in the long form",
         flat(footer={"key_value_metadata": [{"key": f"k{i}"} for i in range(15)]}))

    c.rule("thrift/list-element-type")
    c.fail("encodings are i64", flat(footer=lambda f: setattr(f.at(META + ".encodings"), "wire", thrift.I64)),
           V(META + ".encodings"))
    c.fail("key_value_metadata are binaries", flat(footer={"key_value_metadata": List(thrift.BINARY, [b"k", b"v"])}),
           V("key_value_metadata"))
    c.fail("null_pages are i8", indexed({"null_pages": List(thrift.I8, [2])}), V("null_pages", **INDEX))
    c.fail("null_counts are i32", indexed(lambda i: setattr(i.at("null_counts"), "wire", thrift.I32)),
           V("null_counts", **INDEX))
    c.fail("page_locations are i64", indexed(offset_index={"page_locations": List(thrift.I64, [4])}),
           V("page_locations", **OFFSETS))
    c.ok("an empty list with another element type", flat(footer={"key_value_metadata": List(thrift.BINARY, [])}))

    c.rule("thrift/binary-length")
    c.fail("the stated length of created_by is 100 bytes", flat(footer={"created_by": Binary(b"x version 1 (build 0)", 100)}),
           V("created_by"))
    c.fail("the stated length of created_by is 2^32-1 bytes",
           flat(footer={"created_by": Binary(b"x version 1 (build 0)", 2**32 - 1)}), V("created_by"))
    c.fail("the stated length of a leaf's name is 500 bytes", flat(footer={"schema[1].name": Binary(b"a", 500)}),
           V("schema[1].name"))
    c.fail("the stated length of a min value in a column index is 100 bytes", indexed({"min_values[0]": Binary(b"\1\0\0\0", 100)}),
           V("min_values[0]", **INDEX))
    c.fail("the stated length of a min_value in a page header is larger than the file",
           flat(chunk(V1(header={"data_page_header.statistics": {"min_value": Binary(b"\1\0\0\0", 1000)}})), column_orders=True),
           V("data_page_header.statistics.min_value", page=FIRST))
    c.ok("created_by ends one byte before the footer does", flat(footer={"created_by": "x version 1 (build 0)"}))


def strings_and_unions(c):
    c.rule("thrift/string-utf8")
    prefix = b"x version 1 (build "
    for about, data in (("a byte that no character begins with", b"\xff"), ("a continuation byte alone", b"\x80"),
                        ("an overlong form", b"\xc0\x80"), ("a surrogate", b"\xed\xa0\x80"),
                        ("a character above U+10FFFF", b"\xf4\x90\x80\x80")):
        c.fail(f"created_by holds {about}", flat(footer={"created_by": prefix + data + b")"}), V("created_by", plus=20))
    c.fail("the value of a key is cut inside a character", flat(footer={"key_value_metadata": [{"key": "k", "value": b"e\xc3"}]}),
           V("key_value_metadata[0].value", plus=2))
    c.fail("the root's name", flat(footer={"schema[0].name": b"\xe9t\xe9"}), V("schema[0].name", plus=1))
    c.fail("a key in a column chunk", flat(Chunk(meta={"key_value_metadata": [{"key": b"\xfe"}]})),
           V(META + ".key_value_metadata[0].key", plus=1))
    c.ok("the last character, and U+0000", flat(footer={"created_by": "x version 1 (build \U0010ffff\0)"}))

    element = "schema[1].logicalType"
    c.rule("thrift/union-exactly-one", found="no member")
    c.fail("a LogicalType without member", annotated({}), S(element))
    c.fail("a LogicalType with two members", annotated({"STRING": {}, "JSON": {}}, converted_type=UTF8), H(element + ".JSON"), found="several members")
    c.fail("a ColumnOrder without member", flat(column_orders=[{}]), S("column_orders[0]"))
    c.fail("a ColumnOrder with two members", flat(column_orders=[{"TYPE_ORDER": {}, "IEEE_754_TOTAL_ORDER": {}}]),
           H("column_orders[0].IEEE_754_TOTAL_ORDER"), found="several members")
    c.fail("a TimeUnit without member", annotated({"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {}}}, INT64, [1]),
           S(element + ".TIMESTAMP.unit"))
    c.fail("numBytes of a filter header takes the next field header into the number",
           flat(Chunk(bloom={"numBytes": Raw(b"\xc0")})), V("algorithm.BLOCK", **{**BLOOM, "field": "bloom_filter_header.algorithm"}),
           found="no member", length=1, lost=[lost("bloom filter", 0, 0)])
    c.fail("a BloomFilterHash without member", flat(Chunk(bloom={"hash": {}})), S("hash", **BLOOM))
    c.ok("one member in each union", strings(Chunk(bloom=True), column_orders=True))

    c.rule("thrift/unknown-union-member")
    c.fail("a LogicalType with the unknown member 99",
           column(required("s", BYTE_ARRAY), [b"1"], footer={"schema[1].logicalType": Struct([Field(99, "99", 12, Struct())])}),
           H(element + ".99"))
    c.fail("a ColumnOrder with the unknown member 99",
           flat(column_orders=True, footer={"column_orders[0]": Struct([Field(99, "99", 12, Struct())])}), H("column_orders[0].99"),
           reader=("accept", "parquet.thrift#ColumnOrder"))
    c.fail("a LogicalType with the member 9, which is reserved for intervals",
           column(required("v", FIXED_LEN_BYTE_ARRAY, type_length=12), [bytes(12)],
                  footer={element: Struct([Field(9, "9", 12, Struct())])}), H(element + ".9"), found="9")
    c.fail("a TIMESTAMP in the unit 4, which is not known",
           column(required("s", INT64, logicalType={"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {"NANOS": {}}}}), [1],
                  footer={element + ".TIMESTAMP.unit": Struct([Field(4, "4", 12, Struct())])}), H(element + ".TIMESTAMP.unit.4"), found="4")
    c.fail("an unknown LogicalType, with bounds in an unknown order",
           column(required("v", INT32), [1, 2, 3], Chunk(meta={"statistics": {"min_value": b"\3\0\0\0", "max_value": b"\1\0\0\0", "null_count": 0}}),
                  column_orders=True, footer={element: Struct([Field(99, "99", 12, Struct())])}), H(element + ".99"))
    without = ("accept", "BloomFilter.md#technical-approach")  # the pages can be read without the filter
    other = lambda: Struct([Field(99, "99", 12, Struct())])
    for name in ("algorithm", "hash", "compression"):
        c.fail(f"a Bloom filter with an unknown {name}, whose bits are not checked",
               flat(Chunk(bloom={name: other()}, bits=bloom_filter.clear)), H(name + ".99", **BLOOM), reader=without)
    c.fail("a Bloom filter that is compressed in an unknown way, to 33 bytes",
           flat(Chunk(bloom={"compression": other(), "numBytes": 33}, bits=lambda bits: bits.append(1))), H("compression.99", **BLOOM),
           reader=without)
    later = {"logicalType": {"VARIANT": {"specification_version": 1}}}
    parts = lambda typed: [required("metadata", BYTE_ARRAY), optional("value", BYTE_ARRAY), typed]
    c.fail("a typed_value with an unknown LogicalType", File([optional("v", parts(optional("typed_value", INT32)), **later)], [
        {"v": {"metadata": b"\1\0\0", "typed_value": 1}}], footer={"schema[4].logicalType": other()}), H("schema[4].logicalType.99"), rows=None)
    fields = optional("typed_value", [required("a", [optional("value", BYTE_ARRAY)])])
    c.fail("a shredded object with an unknown LogicalType", File([optional("v", parts(fields), **later)], [{"v": {"metadata": b"\1\0\0", "value": b"\0"}}],
                                                                 footer={"schema[4].logicalType": other()}), H("schema[4].logicalType.99"), rows=None)
    c.fail("a field of FILE with an unknown LogicalType", File([optional("f", [optional("inline", BYTE_ARRAY)], logicalType={"FILE": {}})], [{"f": {"inline": b"x"}}],
                                                               footer={"schema[2].logicalType": other()}), H("schema[2].logicalType.99"), rows=None)
    c.ok("a LogicalType with a known member", annotated({"JSON": {}}, values=(b"{}",), converted_type=JSON))


def unknown(c):
    c.rule("thrift/unknown-enum-value")
    c.fail("converted_type 22", column(required("s", BYTE_ARRAY, converted_type=22), [b"1"]), V("schema[1].converted_type"))
    c.fail("the physical type 8, in schema and chunk", flat(footer={"schema[1].type": 8, META + ".type": 8}),
           V("schema[1].type"), V(META + ".type"))
    c.fail("repetition_type 4", flat(footer={"schema[1].repetition_type": 4}), V("schema[1].repetition_type"))
    c.fail("codec 8", flat(Chunk(codec=8)), V(META + ".codec"))
    c.fail("encoding 12 in the list of a chunk", flat(Chunk(meta={"encodings": [PLAIN, 12]})), V(META + ".encodings[1]"))
    c.fail("boundary_order 3", indexed({"boundary_order": 3}), V("boundary_order", **INDEX))
    c.ok("converted_type 19, JSON", column(required("s", BYTE_ARRAY, converted_type=JSON, logicalType={"JSON": {}}), [b"{}"]))
    c.ok("boundary_order 2 for one page", indexed({"boundary_order": 2}))

    c.rule("thrift/unknown-field")
    c.fail("field 10 in FileMetaData", flat(footer=adding(10, thrift.I32, 1)), H("10"))
    c.fail("field 11 in a schema element", flat(footer=adding(11, thrift.BINARY, b"x", path="schema[1]")), H("schema[1].11"))
    c.fail("field 1 in StringType", annotated({"STRING": Struct([Field(1, "1", thrift.I32, 0)])}, converted_type=UTF8),
           H("schema[1].logicalType.STRING.1"), expected="StringType")
    c.fail("field 9 in a page header", paged(adding(9, thrift.STRUCT, Struct())), H("9", page=FIRST))
    c.fail("field 9 in a column index", indexed(adding(9, thrift.I64, 0)), H("9", **INDEX))
    c.fail("field 3 in an offset index", indexed(offset_index=adding(3, thrift.DOUBLE, 0.5)), H("3", **OFFSETS))
    c.ok("field 32767, the extension", flat(footer=adding(32767, thrift.BINARY, bytes(range(16)))))

    c.rule("thrift/nesting-depth")
    c.fail("an unknown struct in which the 65th struct is open", flat(footer=adding(99, thrift.STRUCT, nested(64))),
           S("99" + ".1" * 63),)
    c.ok("an unknown struct in which 64 structs are open", flat(footer=adding(99, thrift.STRUCT, nested(63))))

    c.rule("thrift/module-exact")
    c.fail("two bytes after an offset index, within its length", flat(Chunk(offset_index=True, offset_index_tail=b"\0\0")),
           End("", **OFFSETS))
    c.fail("one byte after a column index, within its length",
           flat(Chunk(offset_index=True, column_index=True, column_index_tail=b"\1"), column_orders=True), End("", **INDEX))
    c.ok("both indexes fill their length", indexed())


def nested(depth):
    """A struct in a struct, `depth` in all."""
    inner = Struct()
    for _ in range(depth - 1):
        inner = Struct([Field(1, "1", thrift.STRUCT, inner)])
    return inner
