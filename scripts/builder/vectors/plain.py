"""PLAIN (Encodings.md, PLAIN)."""

import struct

from builder.codec import plain
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96
from builder.vectors.golden import Sections

CLAUSE = "Encodings.md#PLAIN"
DAY = 86400 * 10**9
FIXED = (("int32", INT32, [1, -1, 2**31 - 1, -2**31]), ("int64", INT64, [1, -1, 2**63 - 1, -2**63]),
         ("int96", INT96, [bytes(12), bytes(range(5)) + bytes(7)]), ("float", FLOAT, [1.0, -0.0, 0.5]),
         ("double", DOUBLE, [1.0, -2.5, 0.1]), ("fixed", FIXED_LEN_BYTE_ARRAY, [b"abc", b"def"]))


def vectors():
    v = Sections("PLAIN")
    examples(v)
    refusals(v)
    return [v]


def examples(v):
    flags = [bool(bit) for bit in (1, 0, 1, 1, 0, 0, 0, 1, 1, 0)]
    v.of(CLAUSE, BOOLEAN)
    v.values("plain-bool", plain.booleans(flags), flags, note="the first value is the lowest bit; six bits are padding")
    v.values("plain-bool-none", b"", [])
    v.values("plain-bool-padding", b"\xfd", [True, False, True], note="readers skip padding bits of any value")
    v.of(CLAUSE, INT32)
    v.values("plain-int32", plain.encode(INT32, [1, -1, 2**31 - 1, -2**31]), [1, -1, 2**31 - 1, -2**31])
    v.of(CLAUSE, INT64)
    v.values("plain-int64", plain.encode(INT64, [1, -1]), [1, -1])
    v.values("plain-int64-limits", plain.encode(INT64, [2**63 - 1, -2**63]), [2**63 - 1, -2**63])
    v.of("parquet.thrift#ColumnOrder", INT96)
    stamp = struct.pack("<qi", 1, 2440589)
    v.values("plain-int96", stamp, [stamp], note="1970-01-02 00:00:00.000000001: nanoseconds of the day, then the Julian day")
    v.values("plain-int96-halves", struct.pack("<iq", 2440588, 1), [struct.pack("<iq", 2440588, 1)], warnings=[("plain/int96-halves", 0)],
             note="the Julian day, then the nanoseconds of the day")
    v.values("plain-int96-nanos", struct.pack("<qi", DAY, 2440588), [struct.pack("<qi", DAY, 2440588)],
             warnings=[("plain/int96-nanos", 0)])
    v.of(CLAUSE, FLOAT)
    v.values("plain-float", plain.encode(FLOAT, [1.0, -0.0]), [1.0, -0.0])
    v.values("plain-float-special", plain.encode(FLOAT, [float("nan"), float("inf"), float("-inf"), 2.0**-149]),
             ["NaN", "Infinity", "-Infinity", 1e-45])
    v.of(CLAUSE, DOUBLE)
    v.values("plain-double", plain.encode(DOUBLE, [1.0, -2.5]), [1.0, -2.5])
    v.values("plain-double-special", plain.encode(DOUBLE, [float("nan"), float("inf"), float("-inf"), -0.0, 5e-324, 0.1]),
             ["NaN", "Infinity", "-Infinity", -0.0, 5e-324, 0.1])
    v.of(CLAUSE, BYTE_ARRAY)
    v.values("plain-byte_array", plain.encode(BYTE_ARRAY, [b"Hello", b"", b"A"]), [b"Hello", b"", b"A"])
    v.values("dict-page", plain.encode(BYTE_ARRAY, [b"a", b"bc", b"cde"]), [b"a", b"bc", b"cde"],
             source="parquet.thrift#SizeStatistics.unencoded_byte_array_data_bytes", note="the entries of a dictionary page")
    v.of(CLAUSE, FIXED_LEN_BYTE_ARRAY, type_length=3)
    v.values("plain-flba", plain.encode(FIXED_LEN_BYTE_ARRAY, [b"abc", b"def"]), [b"abc", b"def"])


def refusals(v):
    v.of(CLAUSE, BOOLEAN)
    v.reject("plain-bool-cut", b"\5", 9, "plain/boolean-length", note="nine values take two bytes")
    v.reject("plain-bool-nothing", b"", 1, "plain/boolean-length")
    v.reject("plain-bool-trailing-byte", b"\5\0", 3, "page/trailing-bytes", 1, bugs="BooleanBatches",
             note="two batches of two and one values would begin a byte each")
    v.reject("plain-bool-zero-values", b"\0", 0, "page/zero-values-section")
    for name, kind, items in FIXED:
        v.of(CLAUSE, kind, **({"type_length": 3} if kind == FIXED_LEN_BYTE_ARRAY else {}))
        data = plain.encode(kind, items).data
        v.reject(f"plain-{name}-cut", data[:-1], len(items), "plain/fixed-width-length")
        v.reject(f"plain-{name}-trailing-byte", data + b"\0", len(items), "page/trailing-bytes", len(data))
        v.reject(f"plain-{name}-zero-values", data, 0, "page/zero-values-section")
    v.of(CLAUSE, BYTE_ARRAY)
    words = plain.encode(BYTE_ARRAY, [b"x", b"yy"])
    v.reject("plain-byte_array-cut", words.data[:-1], 2, "plain/byte-array-length", words.marks["value1"])
    v.reject("plain-byte_array-huge", b"\xff\xff\xff\xffx", 1, "plain/byte-array-length", note="the length is 2^32-1")
    v.reject("plain-byte_array-length-cut", words + b"\0\0", 3, "plain/byte-array-length", len(words))
    v.reject("plain-byte_array-missing", words, 3, "plain/byte-array-length", len(words))
    v.reject("plain-byte_array-trailing-byte", words + b"\0", 2, "page/trailing-bytes", len(words))
