"""PLAIN for the eight physical types (Encodings.md, PLAIN)."""

import struct

from builder.codec.cursor import counted
from builder.codec.marked import Marked
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96

_FORMATS = {INT32: "<i", INT64: "<q", FLOAT: "<f", DOUBLE: "<d"}


def value(kind, item):
    """The PLAIN bytes of one value that is not a BOOLEAN; BYTE_ARRAY with its length prefix."""
    if kind in _FORMATS:
        return item if isinstance(item, bytes) else struct.pack(_FORMATS[kind], item)
    if kind == BYTE_ARRAY:
        return struct.pack("<I", len(item)) + item
    return item


def bare(kind, item):
    """The bytes that bounds and the bloom hash use: PLAIN, but BYTE_ARRAY without its length prefix."""
    if kind == BOOLEAN:
        return bytes([item])
    return item if kind == BYTE_ARRAY else value(kind, item)


def booleans(items):
    """Bits from the lowest upwards, ceil(n/8) bytes, padding zero."""
    out = bytearray((len(items) + 7) // 8)
    for index, item in enumerate(items):
        out[index // 8] |= bool(item) << index % 8
    return bytes(out)


def encode(kind, items):
    """A section of values; the mark `valueN` is the first byte of the N-th (BYTE_ARRAY: of its length prefix)."""
    if kind == BOOLEAN:
        return Marked(booleans(items))
    out, marks = bytearray(), {}
    for index, item in enumerate(items):
        marks[f"value{index}"] = len(out)
        out += value(kind, item)
    return Marked(out, marks)


def width(kind, type_length=None):
    """Bytes of one value, None for BOOLEAN and BYTE_ARRAY."""
    return {INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8, FIXED_LEN_BYTE_ARRAY: type_length}.get(kind)


def decode(cursor, kind, count, type_length=None):
    """`count` values from the front; FLOAT and DOUBLE as bytes, which keeps the payload of a NaN."""
    if kind == BOOLEAN:
        data = cursor.take((count + 7) // 8, f"{counted(count, 'value')}, the first the lowest bit")
        return [bool(data[index // 8] >> index % 8 & 1) for index in range(count)]
    if kind == BYTE_ARRAY:
        return [cursor.take(cursor.number(4, "length"), f"value {index}") for index in range(count)]
    size, items = width(kind, type_length), []
    for index in range(count):
        item = cursor.take(size, f"value {index}")
        items.append(struct.unpack(_FORMATS[kind], item)[0] if kind in (INT32, INT64) else item)
    return items
