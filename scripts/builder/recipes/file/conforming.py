"""Unusual but legal files, which some readers do not support."""

from builder.codec import thrift
from builder.codec.compression import gzip, lz4, snappy, zstd
from builder.codec.file import Chunk, File, Group
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import (BIT_PACKED, BOOLEAN, BROTLI, BYTE_ARRAY, DOUBLE, DROP, FLOAT, GZIP, INT32, LZ4_RAW, MAP,
                                    MAP_KEY_VALUE, RLE, RLE_DICTIONARY, SNAPPY, ZSTD)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, repeated, required, text
from builder.codec.thrift import Binary, Field, List, Map, Padded, Struct
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.base_files import LISTED, chunk, column, flat, lists, nullable, two

NONE = (None, None, None)


def legal(c, name, *files):
    """One folder of pass files: (what is unusual, file) each, optionally with expected warnings."""
    c.rule(f"legal/{name}")
    for about, file, *warnings in files:
        c.ok(about, file, *warnings)


def coded(*pages, **more):
    return flat(chunk(Dictionary([1, 2, 3]), *pages, **more))


def witnesses(c):
    groups(c)
    dictionaries(c)
    nulls(c)
    nesting(c)
    compression(c)
    runs(c)
    metadata(c)


def groups(c):
    a = [required("a", INT32)]
    empty = "a row group without rows is legal, but a hazard"
    legal(c, "zero-rows",
          ("a row group without rows between two others, its chunk without pages",
           File(a, groups=[Group([{"a": 1}]), Group([], Chunk([])), Group([{"a": 2}])]),
           Also("row-group/empty", V("row_groups[1].num_rows"), empty)),
          ("a row group without rows, its chunk has a dictionary page alone",
           File(a, groups=[Group([], chunk(Dictionary([7])))]), Also("row-group/empty", V("row_groups[0].num_rows"), empty)),
          ("no row group", File(a, groups=[])))
    legal(c, "zero-columns",
          ("a root without children and a row group without chunks", File([], [{}, {}]),
           Also("schema/empty-group", V("schema[0].num_children"), "a file without columns is legal, but a hazard")))
    ab = [required("a", INT32), required("b", INT32)]
    legal(c, "layout",
          ("chunks of two row groups are interleaved",
           File(ab, groups=[Group([{"a": 1, "b": 2}]), Group([{"a": 3, "b": 4}])], order=[(0, 0), (1, 0), (0, 1), (1, 1)])),
          ("chunks are in reverse order", two(order=[(0, 1), (0, 0)])),
          ("the second row group is first", File(a, groups=[Group([{"a": 1}]), Group([{"a": 2}])], order=[(1, 0), (0, 0)])))


    legal(c, "sorting-columns-subset",
          ("the rows are sorted by the second of two columns, downwards", File(
              ab, [{"a": 1, "b": 9}, {"a": 3, "b": 5}, {"a": 2, "b": 5}],
              edits={"sorting_columns": [{"column_idx": 1, "descending": True, "nulls_first": False}]})))


def dictionaries(c):
    legal(c, "dictionary-width-zero",
          ("one entry at width 0", flat(chunk(Dictionary([1]), V1(encoding=RLE_DICTIONARY)), n=1)),
          ("one entry at width 0, in a bit-packed run", flat(chunk(Dictionary([1]), V1(encoding=RLE_DICTIONARY, runs=[Packed([0])])), n=1)),
          ("a page that uses only the first of three entries, at width 0",
           coded(V1(1, encoding=RLE_DICTIONARY, width=0), V1(encoding=RLE_DICTIONARY))))
    legal(c, "dictionary-width-above",
          ("one entry at width 1", flat(chunk(Dictionary([1]), V1(encoding=RLE_DICTIONARY, width=1)), n=1)),
          ("three entries at width 8", coded(V1(encoding=RLE_DICTIONARY, width=8))),
          ("three entries at width 32", coded(V2(encoding=RLE_DICTIONARY, width=32))))
    legal(c, "dictionary-fallback",
          ("pages of indices, then PLAIN pages", coded(V1(1, RLE_DICTIONARY), V1(1, RLE_DICTIONARY), V1())),
          ("PLAIN and indices take turns", coded(V1(1), V1(1, RLE_DICTIONARY), V1())),
          ("a v2 page of indices, then a v1 PLAIN page", coded(V2(2, RLE_DICTIONARY), V1())),
          ("a dictionary page and no page that uses it", coded(V1())))


def nulls(c):
    s = optional("s", BYTE_ARRAY)
    b = optional("b", BOOLEAN)
    legal(c, "all-null",
          ("v1, PLAIN", nullable(chunk(V1()), NONE)),
          ("v2, PLAIN", nullable(chunk(V2()), NONE)),
          ("v1, indices, nothing stored", nullable(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=b"")), NONE)),
          ("v1, indices, the width byte alone", nullable(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=b"\0")), NONE)),
          ("v2, indices, the width byte alone", nullable(chunk(Dictionary([]), V2(encoding=RLE_DICTIONARY, values=b"\1")), NONE)),
          ("v2, indices, without a dictionary page", nullable(chunk(V2(encoding=RLE_DICTIONARY, values=b"")), NONE)),
          ("v1, indices of a dictionary without entries, and a column index",
           nullable(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=b""), column_index=True, offset_index=True), NONE, column_orders=True)),
          ("v2, indices of a dictionary without entries, and distinct_count 0 in the page header", nullable(
              chunk(Dictionary([]), V2(encoding=RLE_DICTIONARY, values=b"", statistics={"null_count": 3, "distinct_count": 0})), NONE)),
          ("v1, RLE booleans, nothing stored", column(b, NONE, chunk(V1(encoding=RLE, values=b"")))),
          ("v2, RLE booleans, the length word 0", column(b, NONE, chunk(V2(encoding=RLE, values=bytes(4))))),
          ("v1, PLAIN BYTE_ARRAY", column(s, NONE, chunk(V1()))),
          *((f"{about}, in a page with statistics and a page index", nullable(Chunk(
              [*dictionary, page(encoding=RLE_DICTIONARY, statistics={"null_count": 3, "distinct_count": 0})],
              column_index=True, offset_index=True, meta={"statistics": {"null_count": 3, "distinct_count": 0}}), NONE, column_orders=True))
            for about, dictionary, page in (("v1, indices, a dictionary without entries", [Dictionary([])], V1),
                                            ("v2, indices, a dictionary without entries", [Dictionary([])], V2),
                                            ("v2, indices, no dictionary page", [], lambda **more: V2(values=b"", **more)))),
          ("v2 under GZIP, the stream expands to nothing", column(s, NONE, chunk(V2(), codec=GZIP))),
          ("v2 under ZSTD, zero bytes with is_compressed false", column(s, NONE, chunk(V2(is_compressed=False), codec=ZSTD))))
    legal(c, "null-pages",
          ("an all-null page between two others, v1", nullable(chunk(V1(1), V1(2), V1()), (1, None, None, 4))),
          ("an all-null page of indices between two others",
           nullable(chunk(Dictionary([1, 4]), *(V1(1, RLE_DICTIONARY), V1(2, RLE_DICTIONARY, values=b"\1"), V1(encoding=RLE_DICTIONARY))),
                    (1, None, None, 4))),
          ("an empty page between two others, v1", nullable(chunk(V1(1), V1(0), V1()), (1, None))),
          ("an empty page between two others, v2", lists(chunk(V2(2), V2(0), V2()))))


def nesting(c):
    legal(c, "row-over-two-pages",
          ("a list continues in the next v1 page", lists(chunk(V1(1), V1()), ([1, 2], [3]))),
          ("a list fills a whole v1 page of its own", lists(chunk(V1(1), V1(2), V1()), ([1, 2, 3, 4], [5]))))
    e = required("e", INT32)

    def shape(field, found, expected="a group of one field"):
        return Also("nested-type/list-three-level", V(f"schema[2].{field}").with_values(found, expected), "the shape is that of older files")

    legal(c, "legacy-lists",
          ("a LIST of a repeated leaf", File([optional("l", [repeated("element", INT32)], **LISTED)],
                                            [{"l": {"element": [1, 2]}}, {"l": None}, {"l": {"element": []}}]),
           shape("type", "a leaf")),
          ("a LIST of a repeated group of two fields",
           File([optional("l", [repeated("element", [required("a", INT32), optional("b", INT32)])], **LISTED)],
                [{"l": {"element": [{"a": 1, "b": None}, {"a": 2, "b": 3}]}}]),
           shape("num_children", "a group of 2 fields")),
          ("a LIST of a repeated group `array` of one field",
           File([optional("l", [repeated("array", [e])], **LISTED)], [{"l": {"array": [{"e": 1}]}}]),
           shape("name", "a group named array", "a group named list")),
          ("a LIST of a repeated group `l_tuple` of one field",
           File([optional("l", [repeated("l_tuple", [e])], **LISTED)], [{"l": {"l_tuple": [{"e": 1}]}}]),
           shape("name", "a group named l_tuple", "a group named list")),
          ("a LIST whose middle level is named bag", File([optional("l", [repeated("bag", [optional("array_element", INT32)])], **LISTED)],
                                                          [{"l": {"bag": [{"array_element": 1}, {"array_element": None}]}}]),
           Also("nested-type/list-names", V("schema[2].name").with_values(expected="list"), "the names are those of older files")))
    key, value = text(required("key", BYTE_ARRAY)), optional("value", INT32)
    mapped = {"converted_type": MAP, "logicalType": {"MAP": {}}}
    legal(c, "legacy-maps",
          ("a MAP whose middle level is named map and has converted_type MAP_KEY_VALUE",
           File([optional("m", [repeated("map", [key, value], converted_type=MAP_KEY_VALUE)], **mapped)],
                [{"m": {"map": [{"key": b"k", "value": None}]}}, {"m": None}]),
           Also("nested-type/map-names", V("schema[2].name").with_values(expected="key_value"), "the name is that of older files")),
          ("a MAP of keys alone", File([optional("m", [repeated("key_value", [key])], **mapped)], [{"m": {"key_value": [{"key": b"k"}]}}])))


def compression(c):
    legal(c, "v2-not-compressed",
          ("is_compressed is false under GZIP", flat(chunk(V2(is_compressed=False), codec=GZIP))),
          ("both kinds in one chunk", nullable(chunk(V2(1, is_compressed=False), V2(1), V2(is_compressed=True), codec=SNAPPY))),
          ("is_compressed is true without a codec", flat(chunk(V2(is_compressed=True)))))
    legal(c, "is-compressed-absent",
          ("a v2 page under SNAPPY does not say that it is compressed, and is", nullable(chunk(V2(), codec=SNAPPY))))
    legal(c, "gzip-blocks",
          ("a block of literals in the fixed code", flat(Chunk(codec=GZIP, compress=lambda d: gzip.member(d, gzip.literals)))))
    legal(c, "zstd-blocks",
          ("no content size", flat(Chunk(codec=ZSTD, compress=lambda d: zstd.frame(zstd.block(d))))),
          ("two blocks, the last of them empty",
           flat(Chunk(codec=ZSTD, compress=lambda d: zstd.frame(zstd.block(d, last=False), zstd.block(b""), content_size=len(d))))),
          ("a block that repeats one byte",
           column(required("a", INT32), [0] * 20, chunk(V1(), codec=ZSTD, compress=lambda d: zstd.frame(
               zstd.repeated(0, len(d)), content_size=len(d))))))
    legal(c, "snappy-elements",
          ("a copy that overlaps itself", column(required("a", INT32), [5] * 9, chunk(V1(), codec=SNAPPY))),
          ("a literal with its length in an extra byte", flat(Chunk(codec=SNAPPY, compress=lambda d: snappy.stream(
              len(d), bytes([60 << 2, len(d) - 1]) + d)))))
    same = [7] * 40
    legal(c, "lz4-sequences",
          ("a match that overlaps itself, and literals at the end", column(required("a", INT32), same, chunk(
              V1(), codec=LZ4_RAW, compress=lambda d: lz4.sequence(d[:4], 4, len(d) - 9) + lz4.sequence(d[-5:])))),
          ("literals whose number needs another byte", flat(Chunk(codec=LZ4_RAW), n=80)))
    legal(c, "codec-per-chunk",
          ("columns under GZIP, SNAPPY, ZSTD, BROTLI and LZ4_RAW, and one without compression",
           File([required(n, INT32) for n in "abcdef"], [dict(zip("abcdef", range(6)))],
                [Chunk(codec=GZIP), Chunk(codec=SNAPPY), Chunk(codec=ZSTD), Chunk(codec=BROTLI), Chunk(codec=LZ4_RAW), Chunk()])))
    codecs = (("GZIP", GZIP), ("SNAPPY", SNAPPY), ("ZSTD", ZSTD), ("BROTLI", BROTLI), ("LZ4_RAW", LZ4_RAW))
    legal(c, "empty-streams", *(
        (f"a v2 page of nulls under {name}, its stream expands to nothing", nullable(chunk(V2(), codec=codec), NONE))
        for name, codec in codecs))
    legal(c, "zero-byte-sections", *(
        (f"a page without entries under {name} stores nothing, not even an empty stream",
         flat(chunk(page(), page(0, stored=b"", **more), codec=codec)))
        for name, codec in codecs for page, more in ((V1, {}), (V2, {"is_compressed": False}))))


def runs(c):
    flags = (True, False, True)
    legal(c, "packed-padding-nonzero",
          ("padding slots of definition levels are set", nullable(chunk(V1(defs=[Packed([1, 0, 1], fill=1)])))),
          ("padding slots of indices are beyond the dictionary", coded(V1(encoding=RLE_DICTIONARY, runs=[Packed([0, 1, 2], fill=3)]))),
          ("padding slots of RLE booleans are set", column(required("b", BOOLEAN), flags, chunk(V1(encoding=RLE, runs=[Packed([1, 0, 1], fill=1)])))),
          ("padding bits of PLAIN booleans are set", column(required("b", BOOLEAN), flags, chunk(V1(values=b"\xfd")))))
    legal(c, "mixed-runs",
          ("runs of one index, repeated and bit-packed in turn",
           column(required("a", INT32), (1, 2, 3, 1, 2, 3, 1, 2, 3, 3), chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY, runs=[
               Repeated(1, 0), Packed([1, 2, 0, 1, 2, 0, 1, 2]), Repeated(1, 2)])))),
          ("a repeated run where bit-packed ones are usual", nullable(chunk(V2(defs=[Repeated(1, 1), Repeated(1, 0), Repeated(1, 1)])))))
    both = [required("a", INT32), required("b", BOOLEAN)]
    rows = [{"a": a, "b": b} for a, b in zip((1, 2, 3, 1), (True, False, True, True))]
    legal(c, "encodings-in-either-page-version",
          ("indices and RLE booleans, each in v1 and v2 pages",
           File(both, rows, [chunk(Dictionary([1, 2, 3]), V1(2, RLE_DICTIONARY), V2(encoding=RLE_DICTIONARY)),
                             chunk(V2(2, RLE), V1(encoding=RLE))])),
          ("RLE booleans in a v2 page, with nulls", column(optional("b", BOOLEAN), (True, None, False), chunk(V2(encoding=RLE)))))
    legal(c, "empty-levels",
          ("no entry in a v1 page: the length words of both levels are 0", lists(chunk(V1(2), V1(0), V1()))),
          ("no entry in a v1 page and in its chunk", lists(chunk(V1()), ()),
           Also("row-group/empty", V("row_groups[0].num_rows"), "a page without entries fits a chunk without values best")))
    legal(c, "absent-levels",
          ("levels that are not stored have the encoding BIT_PACKED", flat(chunk(V1(header={
              "data_page_header.definition_level_encoding": BIT_PACKED, "data_page_header.repetition_level_encoding": BIT_PACKED})))))
    legal(c, "floats",
          ("NaN, infinities and zeros of both signs", column(required("d", DOUBLE), (
              float("nan"), float("inf"), float("-inf"), 0.0, -0.0, 1.5), column_orders=[{"IEEE_754_TOTAL_ORDER": {}}])),
          ("a FLOAT NaN with a payload", File([required("f", FLOAT)], [{"f": float("nan")}], Chunk(
              [V1(values=b"\1\0\xc0\x7f")]))))


def metadata(c):
    wires = [(thrift.TRUE, True), (thrift.TRUE, False), (thrift.I8, -1), (thrift.I16, -300), (thrift.I32, 2**31 - 1), (thrift.I64, -2**63),
             (thrift.DOUBLE, 1.5), (thrift.BINARY, b"\xff\0"), (thrift.LIST, List(thrift.TRUE, [True, False])),
             (thrift.LIST, List(thrift.I32, range(20))), (thrift.LIST, List(thrift.STRUCT, [Struct(), Struct()])),
             (thrift.SET, List(thrift.BINARY, [b"a", b""])), (thrift.MAP, Map(thrift.BINARY, thrift.I32, [(b"k", 1), (b"l", 2)])),
             (thrift.MAP, Map(thrift.I32, thrift.STRUCT, [])),
             (thrift.STRUCT, Struct([Field(1, "1", thrift.STRUCT, Struct([Field(3, "3", thrift.TRUE, True)])), Field(2, "2", thrift.I8, 7)]))]

    def every(root):
        for number, (wire, value) in enumerate(wires):
            root.add(100 + number, wire, value)

    legal(c, "unknown-fields",
          ("unknown fields of every wire type in the footer", flat(footer=every)),
          ("unknown fields of every wire type in a schema element", flat(footer=lambda f: every(f.at("schema[1]")))),
          ("unknown fields of every wire type in a page header", flat(chunk(V1(header=every)))),
          ("unknown fields of every wire type in a data page header", flat(chunk(V2(header=lambda h: every(h.at("data_page_header_v2")))))),
          ("unknown fields of every wire type in column index and offset index",
           flat(Chunk(column_index=every, offset_index=every), column_orders=True)))
    legal(c, "long-varints",
          ("a version of five bytes, num_rows of ten", flat(footer={"version": Padded(1, 4), "num_rows": Padded(3, 9)})),
          ("a string length and a list size of five bytes",
           flat(footer=[{"created_by": Binary(b"x version 1 (build 0)", Padded(21, 4))}, lambda f: setattr(f.at("schema"), "size", Padded(2, 4))])),
          ("sizes of a page header of five bytes", flat(chunk(V1(header={
              "uncompressed_page_size": Padded(12, 4), "compressed_page_size": Padded(12, 4), "data_page_header.num_values": Padded(3, 4)})))))
    legal(c, "field-headers",
          ("long field headers and fields in reverse",
           flat(footer=lambda f: (f.fields.reverse(), [setattr(one, "long", True) for one in f.fields]))))
    one, three = b"\1\0\0\0", b"\3\0\0\0"
    legal(c, "sparse-statistics",
          ("null_count alone", flat(Chunk(meta={"statistics": {"null_count": 0}}))),
          ("only a lower bound", flat(Chunk(meta={"statistics": {"null_count": 0, "min_value": one}}), column_orders=True)),
          ("only an upper bound, in the second of two row groups", File(
              [required("a", INT32)], groups=[Group([{"a": 1}]), Group([{"a": 2}, {"a": 3}], Chunk(meta={"statistics": {
                  "null_count": 0, "max_value": three}}))], column_orders=True)),
          ("statistics without a field", flat(Chunk(meta={"statistics": {}})),
           Also("statistics/null-count-present", V("row_groups[0].columns[0].meta_data.statistics"), "null_count is recommended")))
    legal(c, "metadata-copy",
          ("a ColumnMetaData after each chunk, at file_offset", two([Chunk(copy=True), Chunk(copy=True)])))
    legal(c, "key-value-without-value",
          ("a key without a value, an empty value, an empty key", flat(footer={"key_value_metadata": [
              {"key": "k"}, {"key": "l", "value": ""}, {"key": ""}]})))
    legal(c, "no-created-by", ("created_by is absent", flat(footer={"created_by": DROP})))
