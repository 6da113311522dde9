"""Sections without runs that are long enough for a decoder's fast paths: PLAIN, BYTE_STREAM_SPLIT and GROUP_VAR_INT."""

import struct

from builder.codec import byte_stream_split, group_var_int, plain
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96
from builder.vectors.others import GROUPS, SPLIT
from builder.vectors.plain import CLAUSE
from builder.vectors.run_sizes import long_sections, scattered

FIXED = (("int32", INT32), ("int64", INT64), ("int96", INT96), ("float", FLOAT), ("double", DOUBLE), ("fixed", FIXED_LEN_BYTE_ARRAY))
LENGTHS = (7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 255, 256)


def vectors():
    return [plainly(), streams(), groups()]


def text(length, seed=0):
    """A value of so many distinct bytes."""
    return bytes((97 * seed + 31 * index + 7) % 251 for index in range(length))


def items(kind, count, length=3):
    """Values of which every byte changes."""
    if kind in (INT32, INT64):
        bits = 32 if kind == INT32 else 64
        return [number - (1 << bits - 1) for number in scattered(count, bits)]
    if kind == INT96:
        return [struct.pack("<qi", number, 2440588 + index) for index, number in enumerate(scattered(count, 46))]
    if kind in (FLOAT, DOUBLE):
        return [(number - 2**15) / 2 ** (index % 9) for index, number in enumerate(scattered(count, 16))]
    return [text(length, index) for index in range(count)]


def plainly():
    v = long_sections("PLAIN")
    for name, kind in FIXED:
        v.of(CLAUSE, kind, **({"type_length": 3} if kind == FIXED_LEN_BYTE_ARRAY else {}))
        for count in (8, 31, 33) if kind == INT96 else (8, 31, 33, 64, 129):
            values = items(kind, count)
            v.values(f"plain-{name}-{count}", plain.encode(kind, values), values)
    v.of(CLAUSE, BOOLEAN)
    for count in (7, 63, 64, 65):
        flags = [bool(bit) for bit in scattered(count, 1)]
        v.values(f"plain-bool-{count}", plain.booleans(flags), flags)
    v.of(CLAUSE, BYTE_ARRAY)
    for length in LENGTHS:
        texts = [text(length, 1), text(length, 2), b"x", text(length, 3)]
        v.values(f"plain-byte_array-of-{length}", plain.encode(BYTE_ARRAY, texts), texts)
    texts = [text(length) for length in range(40)]
    v.values("plain-byte_array-longer-and-longer", plain.encode(BYTE_ARRAY, texts), texts)
    bad_length(v)
    return v


def bad_length(v):
    """A length past the end, at the 51st of 60 values, and at the last."""
    texts = [text(index % 11, index) for index in range(60)]
    intact = plain.encode(BYTE_ARRAY, texts)
    for place in (50, 59):
        at = intact.marks[f"value{place}"]
        left = len(intact) - at - 4
        for name, length in (("one-more", left + 1), ("2^31", 2**31), ("2^32-1", 2**32 - 1)):
            data = intact.data[:at] + struct.pack("<I", length) + intact.data[at + 4:]
            v.reject(f"plain-byte_array-length-{name}-at-{place}", data, 60, "plain/byte-array-length", at)
        v.reject(f"plain-byte_array-ends-at-{place}", intact.data[:at], 60, "plain/byte-array-length", at)
        v.reject(f"plain-byte_array-ends-in-length-{place}", intact.data[:at + 3], 60, "plain/byte-array-length", at)
    v.reject("plain-byte_array-none-trailing-value", bytes(4), 0, "page/zero-values-section", note="a value of no bytes, which the page does not count")


def streams():
    v = long_sections("BYTE_STREAM_SPLIT")
    for length in (*range(1, 18), 24, 32):
        v.of(SPLIT, FIXED_LEN_BYTE_ARRAY, type_length=length)
        for count in (1, 15, 16, 17, 33) if length in (2, 3, 8, 16) else (17, 33) if length < 9 else (17,):
            values = items(FIXED_LEN_BYTE_ARRAY, count, length)
            v.values(f"bss-{count}-of-{length}-bytes", byte_stream_split.encode(FIXED_LEN_BYTE_ARRAY, values), values)
    for name, kind in (("int32", INT32), ("int64", INT64), ("float", FLOAT), ("double", DOUBLE)):
        v.of(SPLIT, kind)
        for count in (15, 16, 17, 31, 32, 33, 65):
            values = items(kind, count)
            v.values(f"bss-{name}-{count}", byte_stream_split.encode(kind, values), values)
    return v


def groups():
    v = long_sections("GROUP_VAR_INT")
    v.of(GROUPS, INT32)
    for count in (2, 7, 8):
        values = [number >> 5 * index % 29 for index, number in enumerate(scattered(count, 31))]
        v.values(f"gvi-count-{count}", group_var_int.encode32(values), values)
    intact = group_var_int.encode32([1, 2, 3, 4, 5, 6])
    v.values("gvi-padding-of-the-last-group", intact[:-2] + b"\0\x09", [1, 2, 3, 4, 5, 6], warnings=[("group-var-int/padding", len(intact) - 1)],
             note="the second place after the values holds 9")
    for order, name in (("big", "be"), ("little", "le")):
        v.of(GROUPS + ", 64 bits", INT64, selector=name)
        for count in (2, 7, 8, 9, 10):
            values = [number >> 7 * index % 61 for index, number in enumerate(scattered(count, 63))]
            v.values(f"gvi-64-{name}-count-{count}", group_var_int.encode64(values, order), values)
        intact = group_var_int.encode64([1, 2, 3, 4, 5, 6, 7], order)
        v.values(f"gvi-64-{name}-padding-of-the-last-group", intact[:-1] + b"\x09", [1, 2, 3, 4, 5, 6, 7],
                 warnings=[("group-var-int/padding", len(intact) - 1)])
        for what, cut in (("selector-cut", 8), ("body-cut", len(intact) - 1)):
            v.reject(f"gvi-64-{name}-second-group-{what}", intact[:cut], 7, "group-var-int/group", 7)
    return v
