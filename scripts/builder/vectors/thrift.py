"""Structures in the Thrift compact protocol (parquet.thrift)."""

from builder.codec import thrift
from builder.codec.metadata import DROP
from builder.codec.thrift import Binary, Field, List, Long, Map, Padded, Raw, Struct, Typed, adding, write
from builder.vectors import thrift_forms
from builder.vectors.golden import Structs
from builder.vectors.thrift_forms import Maker, plainly

PAGE = {"type": 0, "uncompressed_page_size": 12, "compressed_page_size": 12,
        "data_page_header": {"num_values": 3, "encoding": 0, "definition_level_encoding": 3, "repetition_level_encoding": 3}}
V2 = {"type": 3, "uncompressed_page_size": 20, "compressed_page_size": 18, "crc": -1,
      "data_page_header_v2": {"num_values": 3, "num_nulls": 1, "num_rows": 3, "encoding": 5, "definition_levels_byte_length": 2,
                              "repetition_levels_byte_length": 0, "is_compressed": False}}
DICTIONARY = {"type": 2, "uncompressed_page_size": 12, "compressed_page_size": 12,
              "dictionary_page_header": {"num_values": 3, "encoding": 0, "is_sorted": True}}
INDEX = {"type": 1, "uncompressed_page_size": 0, "compressed_page_size": 0, "index_page_header": {}}
COLUMN_INDEX = {"null_pages": [False, True], "min_values": [b"\1\0\0\0", b""], "max_values": [b"\3\0\0\0", b""], "boundary_order": 1,
                "null_counts": [0, 3]}
OFFSET_INDEX = {"page_locations": [{"offset": 4, "compressed_page_size": 33, "first_row_index": 0},
                                   {"offset": 37, "compressed_page_size": 33, "first_row_index": 2**40}]}
BLOOM = {"numBytes": 32, "algorithm": {"BLOCK": {}}, "hash": {"XXHASH": {}}, "compression": {"UNCOMPRESSED": {}}}
META = {"type": 1, "encodings": [0], "path_in_schema": ["a"], "codec": 0, "num_values": 3, "total_uncompressed_size": 33,
        "total_compressed_size": 33, "data_page_offset": 4}
FOOTER = {"version": 1, "schema": [{"name": "schema", "num_children": 1}, {"type": 1, "repetition_type": 0, "name": "a"}], "num_rows": 3,
          "row_groups": [{"columns": [{"file_offset": 0, "meta_data": META}], "total_byte_size": 33, "num_rows": 3}],
          "created_by": "x version 1 (build 0)"}
TEXTS = {"DuckDB": "plain-name", "Parquet.Net v4.4.6": "no-build", "parquet-cpp-bolt": "no-version", "": "empty", "\u00e9\U0010ffff\0": "any-characters"}


def vectors():
    v = Structs()
    for name, source, struct, values in (
            ("v1", "parquet.thrift#PageHeader", "PageHeader", PAGE), ("v2", "parquet.thrift#PageHeader", "PageHeader", V2),
            ("dictionary", "parquet.thrift#PageHeader", "PageHeader", DICTIONARY),
            ("index-page", "parquet.thrift#PageHeader", "PageHeader", INDEX),
            ("column-index", "parquet.thrift#ColumnIndex", "ColumnIndex", COLUMN_INDEX),
            ("offset-index", "parquet.thrift#OffsetIndex", "OffsetIndex", OFFSET_INDEX),
            ("bloom", "parquet.thrift#BloomFilterHeader", "BloomFilterHeader", BLOOM),
            ("footer", "parquet.thrift#FileMetaData", "FileMetaData", FOOTER)):
        Maker(v, source, struct, values, name).intact("plain")
    pages(Maker(v, "parquet.thrift#PageHeader", "PageHeader", PAGE, "page"))
    unknown(Maker(v, "parquet.thrift#PageHeader", "PageHeader", PAGE, "unknown"))
    lists(Maker(v, "parquet.thrift#ColumnIndex", "ColumnIndex", COLUMN_INDEX, "lists"))
    footers(Maker(v, "parquet.thrift#FileMetaData", "FileMetaData", FOOTER, "file"))
    elements(v)
    thrift_forms.further(v)
    return [v]


def pages(m):
    for value, name in ((0, "0"), (-1, "minus-1"), (2**31 - 1, "largest"), (-2**31, "smallest")):
        m.intact(f"crc-{name}", {"crc": value}, {"crc": value})
    m.intact("long-header", {"type": Long(0), "compressed_page_size": Long(12)}, note="field headers in the long form")
    m.intact("other-order", lambda h: h.fields.insert(1, h.fields.pop(2)), note="fields do not ascend")
    m.intact("long-number", {"uncompressed_page_size": Padded(12, 4)}, note="a number takes five bytes")
    bound = {"min_value": b"\1\0\0\0", "max_value": b"", "null_count": 2**63 - 1, "is_max_value_exact": True, "is_min_value_exact": False}
    m.intact("statistics", {"data_page_header.statistics": bound}, {"data_page_header": {**PAGE["data_page_header"], "statistics": bound}})
    for name in ("type", "uncompressed_page_size", "compressed_page_size"):
        m.wrong(f"no-{name.replace('_', '-')}", {name: DROP}, "required-field", "")
    m.wrong("no-num-values", {"data_page_header.num_values": DROP}, "required-field", "data_page_header", bugs="PageHeaderLacks")
    m.wrong("type-i64", {"data_page_header.num_values": Typed(thrift.I64, 3)}, "field-type", "data_page_header.num_values", "header")
    m.wrong("crc-i64", {"crc": Typed(thrift.I64, 1)}, "optional-field-type", "crc", "header")
    m.wrong("twice", adding(3, thrift.I32, 5, name="compressed_page_size", at=3), "duplicate-field", "compressed_page_size#2", "header",
            undefined=True, note="the specification does not state which of the two is used")
    m.wrong("i32-of-six-bytes", {"crc": Padded(0, 5)}, "varint-overflow", "crc")
    m.wrong("i32-2^31", {"crc": 2**31}, "varint-overflow", "crc")
    m.wrong("i32-endless", {"crc": Padded(0, 10)}, "varint-overflow", "crc", note="eleven bytes")
    m.wrong("type-14", adding(9, 14, Raw(b"")), "compact-protocol", "9", "header")
    m.wrong("type-0", adding(9, 0, Raw(b"")), "compact-protocol", "9", "header")
    data, spans = write(m.tree(None))
    m.v.refuse("thrift-page-no-stop", data[:-1], "thrift/stop-byte", len(data) - 1)
    m.v.refuse("thrift-page-nothing", b"", "thrift/stop-byte", 0)
    m.v.refuse("thrift-page-cut-in-number", data[:spans["type"].value] + b"\x80", "thrift/stop-byte", spans["type"].header)
    m.v.accept("thrift-page-then-body", data + b"\1\2\3", plainly(PAGE), note="the body of the page begins where the header ends")


def unknown(m):
    for wire, name, value in ((thrift.TRUE, "true", True), (thrift.FALSE, "false", False), (thrift.I8, "i8", -1),
                              (thrift.I16, "i16", -2**15), (thrift.I32, "i32", -2**31), (thrift.I64, "i64", -2**63), (thrift.DOUBLE, "double", 0.5),
                              (thrift.BINARY, "binary", b"\xff\0"), (thrift.STRUCT, "struct", Struct([Field(1, "1", thrift.I32, 7)])),
                              (thrift.UUID, "uuid", Raw(bytes(range(16)))), (thrift.LIST, "list", List(thrift.I32, range(20))),
                              (thrift.LIST, "empty-list", List(thrift.STRUCT, [])), (thrift.LIST, "booleans", List(thrift.TRUE, [True, False])),
                              (thrift.SET, "set", List(thrift.BINARY, [b"a", b""])),
                              (thrift.MAP, "map", Map(thrift.I32, thrift.BINARY, [(300, b"xy"), (-1, b""), (77, b"z")])),
                              (thrift.MAP, "empty-map", Map(thrift.I32, thrift.I32, []))):
        m.intact(name, adding(99, wire, value), note="readers skip an unknown field")
    m.intact("id-32766", adding(32766, thrift.I32, 0))
    m.intact("id-0", adding(0, thrift.I32, 0), warnings=[("thrift/field-id", "0", "header")])
    m.intact("id-minus-5", adding(-5, thrift.I32, 0), warnings=[("thrift/field-id", "-5", "header")])
    m.intact("extension", adding(32767, thrift.BINARY, bytes(range(16))), note="the field of the binary protocol extension")
    m.wrong("binary-cut", adding(99, thrift.BINARY, Binary(b"x", 100)), "binary-length", "99")
    m.wrong("list-cut", adding(99, thrift.LIST, List(thrift.I32, [1], size=100)), "list-size", "99")
    m.wrong("map-type-14", adding(99, thrift.MAP, Map(14, thrift.I32, [(Raw(b""), 1)])), "compact-protocol", "99", plus=1)
    deep = Struct()
    for _ in range(62):
        deep = Struct([Field(1, "1", thrift.STRUCT, deep)])
    m.intact("63-deep", adding(99, thrift.STRUCT, deep), note="with the struct itself 64 are open at once")
    deeper = Struct([Field(1, "1", thrift.STRUCT, deep)])
    m.wrong("64-deep", adding(99, thrift.STRUCT, deeper), "nesting-depth", "99" + ".1" * 63)


def lists(m):
    m.intact("long-header", lambda i: (setattr(i.at("null_pages"), "size", 2), setattr(i.at("null_counts"), "size", Padded(2, 1)),
                                      setattr(i.at("null_counts"), "head", b"\xf6\x82\0")), note="a size after the header, in two bytes")
    m.intact("longest-numbers", {"null_counts": List(thrift.I64, [0, 3], head=b"\xf6\x82\x80\x80\x80\0"), "min_values[0]": Binary(b"\1\0\0\0", Padded(4, 4))},
            note="the size of a list and the length of a binary in five bytes each")
    long = {"null_pages": [False] * 15, "min_values": [b"\1"] * 15, "max_values": [b"\1"] * 15, "null_counts": [2**63 - 1] * 15}
    m.intact("fifteen", long, long, note="fifteen elements need the long form")
    none = {"null_pages": [], "min_values": [], "max_values": [], "null_counts": []}
    m.intact("empty", none, none, bugs="EmptyLists")
    m.intact("false-type", lambda i: setattr(i.at("null_pages"), "wire", thrift.FALSE), note="booleans under either of their types")
    m.intact("zero-for-false", {"null_pages[0]": Raw(b"\0")}, warnings=[("thrift/bool-list-zero", "null_pages[0]", "value")])
    for value in (3, 255):
        m.wrong(f"boolean-{value}", {"null_pages[0]": Raw(bytes([value]))}, "bool-list-value", "null_pages[0]")
    m.wrong("i32-for-i64", lambda i: setattr(i.at("null_counts"), "wire", thrift.I32), "list-element-type", "null_counts")
    m.wrong("too-many", lambda i: setattr(i.at("min_values"), "size", 200), "list-size", "min_values")
    m.wrong("most", lambda i: setattr(i.at("min_values"), "size", 2**31 - 1), "list-size", "min_values")
    m.wrong("bound-too-long", {"min_values[0]": Binary(b"\1\0\0\0", 100)}, "binary-length", "min_values[0]")
    m.wrong("bound-longest", {"min_values[0]": Binary(b"\1\0\0\0", 2**32 - 1)}, "binary-length", "min_values[0]")
    m.wrong("no-order", {"boundary_order": DROP}, "required-field", "")
    m.unsure("order-3", "unknown-enum-value", "boundary_order", "value", {"boundary_order": 3}, {"boundary_order": 3})


def footers(m):
    for text, name in TEXTS.items():
        m.intact(f"created-by-{name}", {"created_by": text}, {"created_by": text}, bugs="CreatedBy")
    data, _ = write(m.tree({"created_by": DROP}))
    m.v.accept("thrift-file-no-created-by", data, plainly({name: value for name, value in FOOTER.items() if name != "created_by"}),
               bugs="CreatedBy")
    m.wrong("created-by-latin-1", {"created_by": b"\xe9t\xe9"}, "string-utf8", "created_by", plus=1, undefined=True)
    m.wrong("created-by-surrogate", {"created_by": b"\xed\xa0\x80"}, "string-utf8", "created_by", plus=1, undefined=True)
    m.wrong("no-version", {"version": DROP}, "required-field", "", bugs="FooterLacks")
    m.wrong("no-codec", {"row_groups[0].columns[0].meta_data.codec": DROP}, "required-field", "row_groups[0].columns[0].meta_data")
    empty = [{**FOOTER["row_groups"][0], "columns": [{"file_offset": 0, "meta_data": {**META, "encodings": []}}]}]
    m.intact("no-encodings", {"row_groups": empty}, {"row_groups": empty}, bugs="EmptyLists")
    m.wrong("schema-set", {"schema": Typed(thrift.SET, List(thrift.STRUCT, []))}, "field-type", "schema", "header")


def elements(v):
    m = Maker(v, "parquet.thrift#SchemaElement", "SchemaElement", {"type": 6, "repetition_type": 1, "name": "s"}, "element")
    for logical in ({"STRING": {}}, {"DECIMAL": {"scale": 2, "precision": 9}}, {"INTEGER": {"bitWidth": 8, "isSigned": False}},
                    {"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {"NANOS": {}}}}, {"UNKNOWN": {}}):
        name = next(iter(logical)).lower()
        m.intact(f"logical-{name}", {"logicalType": logical}, {"logicalType": logical})
    other = Struct([Field(99, "99", thrift.STRUCT, Struct())])
    m.unsure("logical-99", "unknown-union-member", "logicalType.99", "header", {"logicalType": other}, {"logicalType": {}})
    m.wrong("no-member", {"logicalType": {}}, "union-exactly-one", "logicalType", undefined=True)
    m.wrong("two-members", {"logicalType": {"STRING": {}, "JSON": {}}}, "union-exactly-one", "logicalType.JSON", "header", undefined=True)
    m.wrong("no-name", {"name": DROP}, "required-field", "")
    m.unsure("converted-22", "unknown-enum-value", "converted_type", "value", {"converted_type": 22}, {"converted_type": 22})
    m.intact("empty-name", {"name": ""}, {"name": ""}, bugs="EmptyNames")
