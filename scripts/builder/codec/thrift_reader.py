"""Structures of parquet.thrift, read from the compact protocol."""

import struct

from builder.codec import thrift
from builder.codec.cursor import Refused
from builder.codec.metadata import FIELDS, wire_of

REQUIRED = {
    "BloomFilterHeader": "numBytes algorithm hash compression", "BoundingBox": "xmin xmax ymin ymax", "ColumnChunk": "file_offset",
    "ColumnIndex": "null_pages min_values max_values boundary_order",
    "ColumnMetaData": "type encodings path_in_schema codec num_values total_uncompressed_size total_compressed_size data_page_offset",
    "DataPageHeader": "num_values encoding definition_level_encoding repetition_level_encoding",
    "DataPageHeaderV2": "num_values num_nulls num_rows encoding definition_levels_byte_length repetition_levels_byte_length",
    "DecimalType": "scale precision", "DictionaryPageHeader": "num_values encoding", "EncryptionWithColumnKey": "path_in_schema",
    "FileCryptoMetaData": "encryption_algorithm", "FileMetaData": "version schema num_rows row_groups", "IntType": "bitWidth isSigned",
    "KeyValue": "key", "OffsetIndex": "page_locations", "PageEncodingStats": "page_type encoding count",
    "PageHeader": "type uncompressed_page_size compressed_page_size", "PageLocation": "offset compressed_page_size first_row_index",
    "RowGroup": "columns total_byte_size num_rows", "SchemaElement": "name", "SortingColumn": "column_idx descending nulls_first",
    "TimestampType": "isAdjustedToUTC unit", "TimeType": "isAdjustedToUTC unit",
}
_WIRES = {thrift.TRUE: "true", thrift.FALSE: "false", thrift.I8: "i8", thrift.I16: "i16", thrift.I32: "i32", thrift.I64: "i64",
          thrift.DOUBLE: "double", thrift.BINARY: "binary", thrift.LIST: "list", thrift.SET: "set", thrift.MAP: "map",
          thrift.STRUCT: "struct", thrift.UUID: "uuid"}
_BOOLEANS = (thrift.TRUE, thrift.FALSE)


def read(cursor, kind, name=None, needed=REQUIRED):
    """The fields of one struct of the named kind, by name; None for an unknown struct. Unknown fields,
    and optional ones of another type, are skipped. A struct without one of the `needed` fields is refused."""
    name = name or kind
    known = {ident: (field, declared) for field, (ident, declared) in FIELDS.get(kind, {}).items()}
    fields, last = {}, 0
    while True:
        head = cursor.number(1, "field header")
        if not head:
            cursor.say(f"end of {name}")
            break
        wire, delta = head & 15, head >> 4
        if wire not in _WIRES:
            raise Refused(f"a field of the type {wire}")
        last = last + delta if delta else cursor.zigzag("id of the field", 16, 3)
        field, declared = known.get(last, (f"field {last}", None))
        cursor.say(f"{field}, {_WIRES[wire]}")
        same = declared and (wire_of(declared) == wire or declared == "bool" and wire in _BOOLEANS)
        if declared and not same and field in needed.get(kind, "").split():
            raise Refused(f"{field} is of the type {_WIRES[wire]}")
        value = wire == thrift.TRUE if wire in _BOOLEANS else _value(cursor, wire, declared if same else None, field, needed)
        if same:
            fields[field] = value
    if FIELDS.get(kind):
        for field in needed.get(kind, "").split():
            if field not in fields:
                raise Refused(f"{field} is missing")
    return fields


def _value(cursor, wire, declared, name, needed):
    """Reads a value that is not a boolean field."""
    if wire in _BOOLEANS:  # an element of a list
        value = cursor.number(1, name)
        if value > 2:
            raise Refused(f"{name} is {value}, and no boolean")
        return value == 1
    if wire == thrift.I8:
        return cursor.number(1, name, signed=True)
    if wire in (thrift.I16, thrift.I32, thrift.I64):
        bits = {thrift.I16: 16, thrift.I32: 32, thrift.I64: 64}[wire]
        return cursor.zigzag(name, bits, -(-bits // 7))
    if wire == thrift.DOUBLE:
        return struct.unpack("<d", cursor.take(8, name))[0]
    if wire == thrift.UUID:
        return cursor.take(16, name).hex()
    if wire == thrift.BINARY:
        data = cursor.take(cursor.uleb(f"length of {name}", 32, 5), name)
        try:
            return data.decode() if declared == "string" else data.hex()
        except UnicodeDecodeError:
            return data.hex()
    if wire == thrift.STRUCT:
        return read(cursor, declared, name, needed)
    if wire == thrift.MAP:
        size = cursor.uleb(f"size of {name}", 32, 5)
        types = cursor.number(1, f"types of {name}") if size else 0
        for _ in range(size):
            _value(cursor, types >> 4, None, "key", needed)
            _value(cursor, types & 15, None, "value", needed)
        return None
    return _list(cursor, declared, name, needed)


def _list(cursor, declared, name, needed):
    """Reads a list or a set."""
    head = cursor.number(1, f"header of {name}")
    size, wire, element = head >> 4, head & 15, declared and declared[1:-1]
    if wire not in _WIRES and head:  # an empty list may omit the type
        raise Refused(f"elements of the type {wire}")
    cursor.say(f"{name}, of {_WIRES.get(wire, 'nothing')}")
    if size == 15:
        size = cursor.uleb(f"size of {name}", 31, 5)
    if element and size and wire_of(element) != wire and not (element == "bool" and wire in _BOOLEANS):
        raise Refused(f"the elements of {name} are of the type {_WIRES[wire]}")
    return [_value(cursor, wire, element, f"{name}[{index}]", needed) for index in range(size)]
