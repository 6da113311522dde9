"""The metadata structures of parquet.thrift: enumerators, field tables, and structs built from dicts."""

from builder.codec import thrift
from builder.codec.thrift import DROP, Field, List, Long, Struct, Typed

BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY = range(8)
REQUIRED, OPTIONAL, REPEATED = range(3)
(UTF8, MAP, MAP_KEY_VALUE, LIST, ENUM, DECIMAL, DATE, TIME_MILLIS, TIME_MICROS, TIMESTAMP_MILLIS, TIMESTAMP_MICROS,
 UINT_8, UINT_16, UINT_32, UINT_64, INT_8, INT_16, INT_32, INT_64, JSON, BSON, INTERVAL) = range(22)
PLAIN, GROUP_VAR_INT, PLAIN_DICTIONARY, RLE, BIT_PACKED = range(5)
DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY, DELTA_BYTE_ARRAY, RLE_DICTIONARY, BYTE_STREAM_SPLIT, ALP = range(5, 11)
UNCOMPRESSED, SNAPPY, GZIP, LZO, BROTLI, LZ4, ZSTD, LZ4_RAW = range(8)
DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = range(4)
UNORDERED, ASCENDING, DESCENDING = range(3)

#: The enumerators of parquet.thrift by their numbers.
ENUMERATORS = {
    "Type": "BOOLEAN INT32 INT64 INT96 FLOAT DOUBLE BYTE_ARRAY FIXED_LEN_BYTE_ARRAY",
    "ConvertedType": "UTF8 MAP MAP_KEY_VALUE LIST ENUM DECIMAL DATE TIME_MILLIS TIME_MICROS TIMESTAMP_MILLIS TIMESTAMP_MICROS "
                     "UINT_8 UINT_16 UINT_32 UINT_64 INT_8 INT_16 INT_32 INT_64 JSON BSON INTERVAL",
    "FieldRepetitionType": "REQUIRED OPTIONAL REPEATED",
    "Encoding": "PLAIN GROUP_VAR_INT PLAIN_DICTIONARY RLE BIT_PACKED DELTA_BINARY_PACKED DELTA_LENGTH_BYTE_ARRAY "
                "DELTA_BYTE_ARRAY RLE_DICTIONARY BYTE_STREAM_SPLIT ALP",
    "CompressionCodec": "UNCOMPRESSED SNAPPY GZIP LZO BROTLI LZ4 ZSTD LZ4_RAW",
    "PageType": "DATA_PAGE INDEX_PAGE DICTIONARY_PAGE DATA_PAGE_V2",
    "BoundaryOrder": "UNORDERED ASCENDING DESCENDING",
    "EdgeInterpolationAlgorithm": "SPHERICAL VINCENTY THOMAS ANDOYER KARNEY",
}
ENUMERATORS = {kind: names.split() for kind, names in ENUMERATORS.items()}

_WIRES = {"bool": thrift.TRUE, "i8": thrift.I8, "i16": thrift.I16, "i32": thrift.I32, "i64": thrift.I64,
          "double": thrift.DOUBLE, "binary": thrift.BINARY, "string": thrift.BINARY}

_TABLES = """
SizeStatistics: 1 unencoded_byte_array_data_bytes i64, 2 repetition_level_histogram [i64], 3 definition_level_histogram [i64]
BoundingBox: 1 xmin double, 2 xmax double, 3 ymin double, 4 ymax double, 5 zmin double, 6 zmax double, 7 mmin double, 8 mmax double
GeospatialStatistics: 1 bbox BoundingBox, 2 geospatial_types [i32]
Statistics: 1 max binary, 2 min binary, 3 null_count i64, 4 distinct_count i64, 5 max_value binary, 6 min_value binary, 7 is_max_value_exact bool, 8 is_min_value_exact bool, 9 nan_count i64
DecimalType: 1 scale i32, 2 precision i32
TimeUnit: 1 MILLIS Empty, 2 MICROS Empty, 3 NANOS Empty
TimestampType: 1 isAdjustedToUTC bool, 2 unit TimeUnit
TimeType: 1 isAdjustedToUTC bool, 2 unit TimeUnit
IntType: 1 bitWidth i8, 2 isSigned bool
VariantType: 1 specification_version i8
GeometryType: 1 crs string
GeographyType: 1 crs string, 2 algorithm EdgeInterpolationAlgorithm
LogicalType: 1 STRING Empty, 2 MAP Empty, 3 LIST Empty, 4 ENUM Empty, 5 DECIMAL DecimalType, 6 DATE Empty, 7 TIME TimeType, 8 TIMESTAMP TimestampType, 10 INTEGER IntType, 11 UNKNOWN Empty, 12 JSON Empty, 13 BSON Empty, 14 UUID Empty, 15 FLOAT16 Empty, 16 VARIANT VariantType, 17 GEOMETRY GeometryType, 18 GEOGRAPHY GeographyType, 19 FILE Empty
SchemaElement: 1 type Type, 2 type_length i32, 3 repetition_type FieldRepetitionType, 4 name string, 5 num_children i32, 6 converted_type ConvertedType, 7 scale i32, 8 precision i32, 9 field_id i32, 10 logicalType LogicalType
DataPageHeader: 1 num_values i32, 2 encoding Encoding, 3 definition_level_encoding Encoding, 4 repetition_level_encoding Encoding, 5 statistics Statistics
IndexPageHeader:
DictionaryPageHeader: 1 num_values i32, 2 encoding Encoding, 3 is_sorted bool
DataPageHeaderV2: 1 num_values i32, 2 num_nulls i32, 3 num_rows i32, 4 encoding Encoding, 5 definition_levels_byte_length i32, 6 repetition_levels_byte_length i32, 7 is_compressed bool, 8 statistics Statistics
BloomFilterAlgorithm: 1 BLOCK Empty
BloomFilterHash: 1 XXHASH Empty
BloomFilterCompression: 1 UNCOMPRESSED Empty
BloomFilterHeader: 1 numBytes i32, 2 algorithm BloomFilterAlgorithm, 3 hash BloomFilterHash, 4 compression BloomFilterCompression
PageHeader: 1 type PageType, 2 uncompressed_page_size i32, 3 compressed_page_size i32, 4 crc i32, 5 data_page_header DataPageHeader, 6 index_page_header IndexPageHeader, 7 dictionary_page_header DictionaryPageHeader, 8 data_page_header_v2 DataPageHeaderV2
KeyValue: 1 key string, 2 value string
SortingColumn: 1 column_idx i32, 2 descending bool, 3 nulls_first bool
PageEncodingStats: 1 page_type PageType, 2 encoding Encoding, 3 count i32
ColumnMetaData: 1 type Type, 2 encodings [Encoding], 3 path_in_schema [string], 4 codec CompressionCodec, 5 num_values i64, 6 total_uncompressed_size i64, 7 total_compressed_size i64, 8 key_value_metadata [KeyValue], 9 data_page_offset i64, 10 index_page_offset i64, 11 dictionary_page_offset i64, 12 statistics Statistics, 13 encoding_stats [PageEncodingStats], 14 bloom_filter_offset i64, 15 bloom_filter_length i32, 16 size_statistics SizeStatistics, 17 geospatial_statistics GeospatialStatistics
EncryptionWithColumnKey: 1 path_in_schema [string], 2 key_metadata binary
ColumnCryptoMetaData: 1 ENCRYPTION_WITH_FOOTER_KEY Empty, 2 ENCRYPTION_WITH_COLUMN_KEY EncryptionWithColumnKey
ColumnChunk: 1 file_path string, 2 file_offset i64, 3 meta_data ColumnMetaData, 4 offset_index_offset i64, 5 offset_index_length i32, 6 column_index_offset i64, 7 column_index_length i32, 8 crypto_metadata ColumnCryptoMetaData, 9 encrypted_column_metadata binary
RowGroup: 1 columns [ColumnChunk], 2 total_byte_size i64, 3 num_rows i64, 4 sorting_columns [SortingColumn], 5 file_offset i64, 6 total_compressed_size i64, 7 ordinal i16
ColumnOrder: 1 TYPE_ORDER Empty, 2 IEEE_754_TOTAL_ORDER Empty, 3 INT96_TIMESTAMP_ORDER Empty
PageLocation: 1 offset i64, 2 compressed_page_size i32, 3 first_row_index i64
OffsetIndex: 1 page_locations [PageLocation], 2 unencoded_byte_array_data_bytes [i64]
ColumnIndex: 1 null_pages [bool], 2 min_values [binary], 3 max_values [binary], 4 boundary_order BoundaryOrder, 5 null_counts [i64], 6 repetition_level_histograms [i64], 7 definition_level_histograms [i64], 8 nan_counts [i64]
AesGcmV1: 1 aad_prefix binary, 2 aad_file_unique binary, 3 supply_aad_prefix bool
AesGcmCtrV1: 1 aad_prefix binary, 2 aad_file_unique binary, 3 supply_aad_prefix bool
EncryptionAlgorithm: 1 AES_GCM_V1 AesGcmV1, 2 AES_GCM_CTR_V1 AesGcmCtrV1
FileMetaData: 1 version i32, 2 schema [SchemaElement], 3 num_rows i64, 4 row_groups [RowGroup], 5 key_value_metadata [KeyValue], 6 created_by string, 7 column_orders [ColumnOrder], 8 encryption_algorithm EncryptionAlgorithm, 9 footer_signing_key_metadata binary
FileCryptoMetaData: 1 encryption_algorithm EncryptionAlgorithm, 2 key_metadata binary
Empty:
"""


def _parse(text):
    tables = {}
    for line in text.strip().splitlines():
        name, _, rest = line.partition(":")
        rows = [entry.split() for entry in rest.split(",") if entry.strip()]
        tables[name] = {field: (int(ident), kind) for ident, field, kind in rows}
    return tables


FIELDS = _parse(_TABLES)


def wire_of(kind):
    """The wire type of a declared type; a list is written `[element]`."""
    if kind.startswith("["):
        return thrift.LIST
    if kind in ENUMERATORS:
        return thrift.I32
    return _WIRES.get(kind, thrift.STRUCT)


def value_of(kind, value):
    """The tree of the Thrift writer for a Python value: dicts become structs, lists become lists."""
    if kind.startswith("[") and isinstance(value, (list, tuple)):
        element = kind[1:-1]
        return List(wire_of(element), [value_of(element, item) for item in value])
    if isinstance(value, dict):
        return make(kind, value)
    return value


def make(kind, values):
    """A struct of the named kind from a dict, its fields in the order of their ids; None leaves a field out."""
    fields = [make_field(kind, name, value) for name, value in values.items() if value is not None]
    return Struct(sorted(fields, key=lambda field: field.id), kind=kind)


def make_field(kind, name, value):
    """One field of a struct of that kind; Long and Typed change its header."""
    ident, declared = FIELDS[kind][name]
    long = isinstance(value, Long)
    value = value.value if long else value
    if isinstance(value, Typed):
        return Field(ident, name, value.wire, value.value, long)
    return Field(ident, name, wire_of(declared), value_of(declared, value), long)


def edit(root, edits):
    """Applies edits to a struct: `{path: value}` (DROP removes), a callable that gets the struct, or a list of these."""
    if edits is None:
        return
    if callable(edits):
        edits(root)
        return
    if isinstance(edits, (list, tuple)):
        for one in edits:
            edit(root, one)
        return
    for path, value in edits.items():
        owner, name = root.owner(path)
        if isinstance(name, int):
            if value is DROP:
                del owner.items[name]
            else:
                old = owner.items[name]
                owner.items[name] = make(old.kind, value) if isinstance(value, dict) else value
            continue
        index = next((i for i, field in enumerate(owner.fields) if field.name == name), None)
        if index is not None:
            del owner.fields[index]
        if value is DROP:
            continue
        field = make_field(owner.kind, name, value)
        if index is None:
            index = sum(1 for other in owner.fields if other.id < field.id)
        owner.fields.insert(index, field)
