"""LogicalType and ConvertedType of schema elements: their physical types, and their agreement (LogicalTypes.md)."""

import struct

from builder.codec.file import Chunk, File
from builder.codec.metadata import (BOOLEAN, BSON, BYTE_ARRAY, DATE, DECIMAL, DOUBLE, ENUM, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32,
                                    INT64, INT96, INTERVAL, INT_16, INT_32, INT_64, INT_8, JSON, LIST, MAP, MAP_KEY_VALUE,
                                    TIMESTAMP_MICROS, TIMESTAMP_MILLIS, TIME_MICROS, TIME_MILLIS, UINT_16, UINT_32, UINT_64,
                                    UINT_8, UTF8)
from builder.codec.schema import list_of, optional, repeated, required
from builder.expect.places import S, V
from builder.expect.witness import Also
from builder.recipes.base_files import column, lists

A = "schema[1]"
LOGICAL, CONVERTED = A + ".logicalType", A + ".converted_type"
EMPTY_BSON = b"\5\0\0\0\0"
FIXED = FIXED_LEN_BYTE_ARRAY


def of(kind, value, logical=None, converted=None, make=required, **more):
    """One column of one value (or of several, in a list) with these annotations; a logical type is its name or a struct."""
    attributes = {**more}
    if converted is not None:
        attributes["converted_type"] = converted
    if logical is not None:
        attributes["logicalType"] = {logical: {}} if isinstance(logical, str) else logical
    return column(make("v", kind, **attributes), value if isinstance(value, list) else [value])


def fixed(length, *annotations, value=None, **more):
    return of(FIXED, bytes(length) if value is None else value, *annotations, type_length=length, **more)


def clock(name, unit, utc=True):
    return {name: {"isAdjustedToUTC": utc, "unit": {unit: {}}}}


def integer(width, signed=True):
    return {"INTEGER": {"bitWidth": width, "isSigned": signed}}


def decimal(precision, scale=0):
    return {"DECIMAL": {"scale": scale, "precision": precision}}


def at(path, **more):
    """The value of a field of the only column."""
    return V(path, leaf=0, **more)


def lacks(field, **more):
    """The element of the only column, without that field."""
    return S(A, field=f"{A}.{field}", leaf=0, **more)


def witnesses(c):
    bytes_alone(c)
    fixed_lengths(c)
    times(c)
    integers(c)
    decimals(c)
    nodes(c)
    pairs(c)
    missing(c)
    unknown(c)


def bytes_alone(c):
    for rule, name, converted, valid in (("string", "STRING", UTF8, b"text"), ("enum", "ENUM", ENUM, b"RED"), ("json", "JSON", JSON, b"{}"),
                                         ("bson", "BSON", BSON, EMPTY_BSON)):
        older = "UTF8" if name == "STRING" else name
        c.rule(f"logical-type/{rule}-type")
        c.fail(f"{name} and {older} on INT32", of(INT32, 1, name, converted), at(LOGICAL))
        c.fail(f"{older} alone on a FIXED_LEN_BYTE_ARRAY of 4 bytes", fixed(4, None, converted, value=b"true"), at(CONVERTED))
        c.fail(f"{name} alone on BOOLEAN", of(BOOLEAN, True, name), at(LOGICAL))
        c.ok(f"{name} and {older} on BYTE_ARRAY", of(BYTE_ARRAY, valid, name, converted))


def fixed_lengths(c):
    c.rule("logical-type/uuid-type")
    uuid = bytes.fromhex("00112233445566778899aabbccddeeff")
    c.fail("UUID on 15 bytes", fixed(15, "UUID"), at(LOGICAL))
    c.fail("UUID on BYTE_ARRAY", of(BYTE_ARRAY, uuid, "UUID"), at(LOGICAL))
    c.ok("UUID on 16 bytes: 00112233-4455-6677-8899-aabbccddeeff, in this order", fixed(16, "UUID", value=uuid))

    c.rule("logical-type/float16-type")
    c.fail("FLOAT16 on 1 byte", fixed(1, "FLOAT16"), at(LOGICAL))
    c.fail("FLOAT16 on 3 bytes", fixed(3, "FLOAT16"), at(LOGICAL))
    c.fail("FLOAT16 on FLOAT", of(FLOAT, 1.0, "FLOAT16"), at(LOGICAL))
    halves = [b"\x00\x3c", b"\x00\x80", b"\x01\x00", b"\xff\x7b"]
    c.ok("FLOAT16 on 2 bytes: 1, -0, the smallest number above 0, 65504", fixed(2, "FLOAT16", value=halves))

    c.rule("logical-type/interval-type")
    c.fail("INTERVAL on 8 bytes", fixed(8, None, INTERVAL), at(CONVERTED))
    c.fail("INTERVAL on BYTE_ARRAY", of(BYTE_ARRAY, bytes(12), None, INTERVAL), at(CONVERTED))
    c.fail("INTERVAL on INT96", of(INT96, bytes(12), None, INTERVAL), at(CONVERTED),
           Also("schema/int96-deprecated", V(A + ".type", leaf=0), "twelve bytes alone are no interval, and the type is deprecated"))
    spans = [struct.pack("<III", *one) for one in ((1, 2, 3), (2**31, 0, 0), (0, 2**31 + 1, 0), (0, 0, 2**32 - 1), (0, 400, 90_000_000))]
    c.ok("months, days, milliseconds; numbers above 2^31, more than 31 days, more than a day of milliseconds",
         fixed(12, None, INTERVAL, value=spans))


def times(c):
    c.rule("logical-type/date-type")
    c.fail("DATE on INT64", of(INT64, 1, "DATE", DATE), at(LOGICAL))
    c.fail("DATE on BYTE_ARRAY", of(BYTE_ARRAY, b"1970-01-02", "DATE", DATE), at(LOGICAL))
    c.fail("the ConvertedType DATE alone on INT64", of(INT64, 1, None, DATE), at(CONVERTED))
    c.ok("DATE on INT32, a day before 1970 among the days", of(INT32, [-1, 0, 19000], "DATE", DATE))

    c.rule("logical-type/time-type")
    c.fail("milliseconds in INT64", of(INT64, 1, clock("TIME", "MILLIS"), TIME_MILLIS), at(LOGICAL + ".TIME.unit"), expected="INT32")
    c.fail("microseconds in INT32", of(INT32, 1, clock("TIME", "MICROS"), TIME_MICROS), at(LOGICAL + ".TIME.unit"), expected="INT64")
    c.fail("nanoseconds in INT32", of(INT32, 1, clock("TIME", "NANOS", False)), at(LOGICAL + ".TIME.unit"), expected="INT64")
    c.fail("TIME on BYTE_ARRAY", of(BYTE_ARRAY, b"12:00", clock("TIME", "MILLIS"), TIME_MILLIS), at(LOGICAL), expected="INT32")
    c.fail("TIME_MILLIS alone on INT64", of(INT64, 1, None, TIME_MILLIS), at(CONVERTED), expected="INT32")
    c.fail("TIME_MICROS alone on INT32", of(INT32, 1, None, TIME_MICROS), at(CONVERTED), expected="INT64")
    c.ok("milliseconds in INT32", of(INT32, [0, 86_399_999], clock("TIME", "MILLIS"), TIME_MILLIS))
    c.ok("microseconds in INT64", of(INT64, [0, 86_399_999_999], clock("TIME", "MICROS"), TIME_MICROS))
    c.ok("nanoseconds in INT64", of(INT64, [0, 86_399_999_999_999], clock("TIME", "NANOS")))

    c.rule("logical-type/timestamp-type")
    c.fail("TIMESTAMP on INT32", of(INT32, 1, clock("TIMESTAMP", "MILLIS"), TIMESTAMP_MILLIS), at(LOGICAL))
    c.fail("TIMESTAMP on INT96", of(INT96, bytes(12), clock("TIMESTAMP", "NANOS")), at(LOGICAL),
           Also("schema/int96-deprecated", V(A + ".type", leaf=0), "an INT96 is no number of nanoseconds, and deprecated"))
    c.fail("TIMESTAMP_MICROS alone on INT32", of(INT32, 1, None, TIMESTAMP_MICROS), at(CONVERTED))
    ends = [-2**63, -1, 0, 2**63 - 1]
    for unit, converted in (("MILLIS", TIMESTAMP_MILLIS), ("MICROS", TIMESTAMP_MICROS), ("NANOS", None)):
        c.ok(f"the smallest and the largest number of {unit}", of(INT64, ends, clock("TIMESTAMP", unit), converted))


def integers(c):
    c.rule("logical-type/int-type")
    c.fail("64 bits in INT32", of(INT32, 1, integer(64), INT_64), at(LOGICAL + ".INTEGER.bitWidth"), expected="INT64")
    c.fail("8 bits in INT64", of(INT64, 1, integer(8), INT_8), at(LOGICAL + ".INTEGER.bitWidth"), expected="INT32")
    c.fail("32 bits without sign in INT64", of(INT64, 1, integer(32, False), UINT_32), at(LOGICAL + ".INTEGER.bitWidth"), expected="INT32")
    c.fail("INTEGER on BYTE_ARRAY", of(BYTE_ARRAY, b"1", integer(16), INT_16), at(LOGICAL), expected="INT32")
    c.fail("UINT_64 alone on INT32", of(INT32, 1, None, UINT_64), at(CONVERTED), expected="INT64")
    c.fail("UINT_8 alone on DOUBLE", of(DOUBLE, 1.0, None, UINT_8), at(CONVERTED), expected="INT32")
    for width, signed, converted in ((8, True, INT_8), (16, True, INT_16), (32, True, INT_32), (8, False, UINT_8), (16, False, UINT_16),
                                     (32, False, UINT_32)):
        c.ok(f"{width} bits {'with' if signed else 'without'} sign in INT32", of(INT32, 1, integer(width, signed), converted))
    c.fail("64 bits without sign in INT32, with bounds by the sign", column(
        required("v", INT32, converted_type=UINT_64, logicalType=integer(64, False)), [-1, 5],
        Chunk(meta={"statistics": {"min_value": b"\xff\xff\xff\xff", "max_value": b"\5\0\0\0", "null_count": 0}}), column_orders=True),
        at(LOGICAL + ".INTEGER.bitWidth"), expected="INT64")
    c.ok("64 bits with sign in INT64", of(INT64, 1, integer(64), INT_64))
    c.ok("64 bits without sign in INT64", of(INT64, 1, integer(64, False), UINT_64))

    c.rule("logical-type/int-width")
    for width in (0, 7, 24, -8, 65):
        c.fail(f"a width of {width} bits", of(INT32, 1, integer(width)), at(LOGICAL + ".INTEGER.bitWidth"))
    c.ok("a width of 8 bits", of(INT32, 1, integer(8), INT_8))
    c.ok("a width of 64 bits", of(INT64, 1, integer(64), INT_64))


def decimals(c):
    def number(kind, value, precision, scale=0, logical=None, **more):
        own = {"precision": precision, "scale": scale, **more}
        return of(kind, value, logical or decimal(precision, scale), DECIMAL, **{name: one for name, one in own.items() if one is not None})

    c.rule("logical-type/decimal-type")
    c.fail("DECIMAL on DOUBLE", number(DOUBLE, 1.5, 5, 2), at(LOGICAL))
    c.fail("DECIMAL alone on FLOAT", of(FLOAT, 1.5, None, DECIMAL, precision=5, scale=2), at(CONVERTED))
    c.fail("DECIMAL on INT96", number(INT96, bytes(12), 5, 2), at(LOGICAL),
           Also("schema/int96-deprecated", V(A + ".type", leaf=0), "INT96 holds timestamps, and is deprecated"))
    c.ok("DECIMAL on INT32", number(INT32, [-99999, 99999], 5, 2))
    c.ok("DECIMAL on INT64", number(INT64, [-10**18 + 1, 10**18 - 1], 18, 2))
    big = [one.to_bytes(4, "big", signed=True) for one in (-128, 255, -10**9 + 1, 10**9 - 1)]
    c.ok("DECIMAL on 4 bytes, the highest first and the sign in front: -1.28, 2.55, the smallest, the largest",
         number(FIXED, big, 9, 2, type_length=4))
    c.ok("DECIMAL on BYTE_ARRAY in as few bytes as each takes: 0, -0.01, 1.28, -1.29",
         number(BYTE_ARRAY, [b"\0", b"\xff", b"\0\x80", b"\xff\x7f"], 9, 2))

    c.rule("logical-type/decimal-element-fields")
    c.fail("precision 5 of the LogicalType, 6 of the element", number(INT32, 1, 6, 2, decimal(5, 2)), at(A + ".precision"))
    c.fail("scale 2 of the LogicalType, 1 of the element", number(INT32, 1, 5, 1, decimal(5, 2)), at(A + ".scale"))
    c.fail("both numbers are others", number(INT32, 1, 6, 1, decimal(5, 2)), at(A + ".precision"), at(A + ".scale"))
    c.fail("the element has no precision", number(INT32, 1, None, 2, decimal(5, 2)), lacks("precision"))
    c.fail("the element has no scale, and that is not 0", number(INT32, 1, 5, None, decimal(5, 2)), lacks("scale"))
    c.ok("the element has no scale, which is 0", number(INT32, 1, 5, None, decimal(5)))

    c.rule("logical-type/decimal-int64-small")
    c.fail("9 digits in INT64", number(INT64, 1, 9), at(LOGICAL + ".DECIMAL.precision"))
    c.fail("1 digit in INT64, by the ConvertedType", of(INT64, 1, None, DECIMAL, precision=1), at(A + ".precision"),
           Also("logical-type/logical-present", lacks("logicalType").with_values(expected="DECIMAL"), "old files say it by the ConvertedType alone"))
    c.ok("10 digits in INT64", number(INT64, 1, 10))
    c.ok("1 digit in INT32", number(INT32, 1, 1))


def group(logical=None, converted=None):
    """A group of one leaf."""
    attributes = {"converted_type": converted, "logicalType": logical and {logical: {}}}
    return File([optional("g", [required("a", INT32)], **{name: one for name, one in attributes.items() if one is not None})],
                [{"g": {"a": 1}}, {"g": None}])


def nodes(c):
    c.rule("logical-type/leaf-annotation")
    for name, converted in (("STRING", UTF8), ("DATE", DATE), ("UNKNOWN", None), ("UUID", None)):
        c.fail(f"{name} on a group", group(name, converted), V(LOGICAL), found=f"{name} on a group", expected="a leaf")
    c.fail("INTERVAL on a group", group(None, INTERVAL), V(CONVERTED), found="INTERVAL on a group", expected="a leaf")
    c.fail("UTF8 alone on a group", group(None, UTF8), V(CONVERTED), found="STRING on a group", expected="a leaf")
    for name, converted in (("LIST", LIST), ("MAP", MAP)):
        c.fail(f"{name} on a leaf", of(BYTE_ARRAY, b"[]", name, converted), at(LOGICAL), found=f"{name} on a leaf", expected="a group")
        c.fail(f"the ConvertedType {name} alone on a leaf", of(BYTE_ARRAY, b"[]", None, converted), at(CONVERTED), found=f"{name} on a leaf",
               expected="a group")
    c.fail("MAP_KEY_VALUE on a leaf", of(BYTE_ARRAY, b"", None, MAP_KEY_VALUE), at(CONVERTED), found="MAP_KEY_VALUE on a leaf", expected="a group")
    c.fail("STRING on a group that may have been a LIST",
           File([optional("l", [repeated("list", [required("element", INT32)])], logicalType={"STRING": {}}, converted_type=UTF8)],
                [{"l": {"list": [{"element": 1}]}}]), V(LOGICAL), found="STRING on a group", expected="a leaf")
    c.ok("LIST on a group", lists())
    c.ok("a group without annotation", group())


def pairs(c):
    c.rule("logical-type/converted-match")
    c.fail("ConvertedType ENUM with LogicalType STRING", of(BYTE_ARRAY, b"x", "STRING", ENUM), at(CONVERTED), expected="UTF8")
    c.fail("ConvertedType UTF8 with LogicalType JSON, which takes precedence", of(BYTE_ARRAY, b"{}", "JSON", UTF8), at(CONVERTED), expected="JSON")
    c.fail("ConvertedType DECIMAL with LogicalType DATE", of(INT32, 1, "DATE", DECIMAL, precision=5), at(CONVERTED), expected="DATE")
    c.fail("ConvertedType DECIMAL without precision, with LogicalType STRING", of(BYTE_ARRAY, b"x", "STRING", DECIMAL), at(CONVERTED), expected="UTF8")
    c.fail("ConvertedType INT_16 with an INTEGER of 8 bits", of(INT32, 1, integer(8), INT_16), at(CONVERTED), expected="INT_8")
    c.fail("ConvertedType INT_32 with an unsigned INTEGER of 32 bits", of(INT32, -1, integer(32, False), INT_32), at(CONVERTED), expected="UINT_32")
    c.fail("ConvertedType TIME_MILLIS with a TIME of microseconds", of(INT64, 1, clock("TIME", "MICROS"), TIME_MILLIS), at(CONVERTED), expected="TIME_MICROS")
    c.fail("ConvertedType TIMESTAMP_MILLIS with a TIMESTAMP of microseconds", of(INT64, 1, clock("TIMESTAMP", "MICROS"), TIMESTAMP_MILLIS), at(CONVERTED),
           expected="TIMESTAMP_MICROS")
    c.fail("ConvertedType TIMESTAMP_MICROS with a TIME of microseconds", of(INT64, 1, clock("TIME", "MICROS"), TIMESTAMP_MICROS), at(CONVERTED), expected="TIME_MICROS")
    for unit, converted in (("TIME", TIME_MICROS), ("TIMESTAMP", TIMESTAMP_MICROS)):
        c.fail(f"ConvertedType {unit}_MICROS with a {unit} of nanoseconds", of(INT64, 1, clock(unit, "NANOS"), converted), at(CONVERTED), expected="absent")
    c.fail("ConvertedType UTF8 with LogicalType UUID", fixed(16, "UUID", UTF8), at(CONVERTED), expected="absent")
    c.fail("ConvertedType DECIMAL with LogicalType FLOAT16", fixed(2, "FLOAT16", DECIMAL, precision=4), at(CONVERTED), expected="absent")
    c.fail("ConvertedType UTF8 with LogicalType UNKNOWN", of(BYTE_ARRAY, None, "UNKNOWN", UTF8, optional), at(CONVERTED), expected="absent")
    c.fail("ConvertedType BSON with LogicalType GEOMETRY", of(BYTE_ARRAY, EMPTY_BSON, "GEOMETRY", BSON), at(CONVERTED), expected="absent")
    def bounded(node, values, low, high):
        return column(node, values, Chunk(meta={"statistics": {"min_value": low, "max_value": high, "null_count": 0}}), column_orders=True)

    c.fail("ConvertedType INT_32 with an unsigned INTEGER of 32 bits, and bounds in the signed order", bounded(
        required("v", INT32, converted_type=INT_32, logicalType=integer(32, False)), [-1, 5], b"\xff\xff\xff\xff", b"\5\0\0\0"),
        at(CONVERTED), expected="UINT_32")
    c.fail("ConvertedType MAP with LogicalType LIST", File([optional("l", [repeated("list", [required("element", INT32)])], logicalType={"LIST": {}}, converted_type=MAP)],
                                   [{"l": {"list": [{"element": 1}]}}]), V(CONVERTED), expected="LIST")
    c.ok("ConvertedType UTF8 with LogicalType STRING", of(BYTE_ARRAY, b"x", "STRING", UTF8))
    c.ok("ConvertedType UINT_8 with an unsigned INTEGER of 8 bits", of(INT32, 1, integer(8, False), UINT_8))
    for utc in (True, False):
        c.ok(f"ConvertedType TIME_MILLIS with a TIME of milliseconds, isAdjustedToUTC {utc}", of(INT32, 1, clock("TIME", "MILLIS", utc), TIME_MILLIS))
        c.ok(f"ConvertedType TIMESTAMP_MICROS with a TIMESTAMP of microseconds, isAdjustedToUTC {utc}",
             of(INT64, 1, clock("TIMESTAMP", "MICROS", utc), TIMESTAMP_MICROS))


def missing(c):
    c.rule("logical-type/converted-present")
    c.fail("STRING alone", of(BYTE_ARRAY, b"x", "STRING"), lacks("converted_type"), expected="UTF8")
    c.fail("DATE alone", of(INT32, 1, "DATE"), lacks("converted_type"), expected="DATE")
    c.fail("DECIMAL alone, with precision and scale only there", of(INT32, 1, decimal(5, 2)), lacks("converted_type"), expected="DECIMAL")
    c.fail("8 bits with sign alone", of(INT32, 1, integer(8)), lacks("converted_type"), expected="INT_8")
    c.fail("64 bits without sign alone", of(INT64, 1, integer(64, False)), lacks("converted_type"), expected="UINT_64")
    c.fail("a TIMESTAMP of microseconds alone", of(INT64, 1, clock("TIMESTAMP", "MICROS")), lacks("converted_type"), expected="TIMESTAMP_MICROS")
    c.fail("LIST alone", File([optional("l", [repeated("list", [required("element", INT32)])], logicalType={"LIST": {}})],
                              [{"l": {"list": [{"element": 1}]}}]), S(A, field=CONVERTED), expected="LIST")
    c.ok("STRING alone is advice under interop", of(BYTE_ARRAY, b"x", "STRING"), profile="interop")
    c.ok("INTEGER(32, true) on INT32 alone, which adds nothing to INT32", of(INT32, 1, integer(32)))
    c.ok("INTEGER(64, true) on INT64 alone", of(INT64, 1, integer(64)))
    c.ok("UUID, which has no ConvertedType", fixed(16, "UUID"))
    c.ok("a TIMESTAMP of nanoseconds, which has none", of(INT64, 1, clock("TIMESTAMP", "NANOS")))

    c.rule("logical-type/converted-present-local")
    noon = [172_800_000]
    c.fail("a local TIMESTAMP of milliseconds alone", of(INT64, noon, clock("TIMESTAMP", "MILLIS", False)), lacks("converted_type"),
           expected="TIMESTAMP_MILLIS")
    c.fail("a local TIME of microseconds alone", of(INT64, 1, clock("TIME", "MICROS", False)), lacks("converted_type"), expected="TIME_MICROS")
    c.fail("three such columns", File([required(name, INT64, logicalType=clock("TIMESTAMP", "MICROS", False)) for name in "abc"],
                                      [{"a": 1, "b": 2, "c": 3}]), lacks("converted_type", times=3), expected="TIMESTAMP_MICROS")
    c.ok("a local TIMESTAMP, 1970-01-03 00:00:00 in any zone, with its ConvertedType",
         of(INT64, noon, clock("TIMESTAMP", "MILLIS", False), TIMESTAMP_MILLIS))
    c.ok("a local TIMESTAMP of nanoseconds alone", of(INT64, noon, clock("TIMESTAMP", "NANOS", False)))

    c.rule("logical-type/logical-present")
    c.fail("UTF8 alone", of(BYTE_ARRAY, b"caf\xc3\xa9", None, UTF8), lacks("logicalType"), expected="STRING")
    c.fail("DECIMAL alone: 1.23", of(INT32, 123, None, DECIMAL, precision=5, scale=2), lacks("logicalType"), expected="DECIMAL")
    c.fail("TIMESTAMP_MILLIS alone, which is 1970-01-03 00:00:00 in UTC", of(INT64, noon, None, TIMESTAMP_MILLIS), lacks("logicalType"),
           expected="TIMESTAMP")
    c.fail("TIME_MICROS alone, which is a time of day in UTC", of(INT64, 1, None, TIME_MICROS), lacks("logicalType"), expected="TIME")
    c.fail("UINT_32 alone: 4294967295", of(INT32, -1, None, UINT_32), lacks("logicalType"), expected="INTEGER")
    c.fail("LIST alone", File([optional("l", [repeated("list", [required("element", INT32)])], converted_type=LIST)],
                              [{"l": {"list": [{"element": 1}]}}]), S(A, field=LOGICAL), expected="LIST")
    c.fail("two columns, reported once", File([required(name, BYTE_ARRAY, converted_type=UTF8) for name in "ab"], [{"a": b"x", "b": b"y"}]),
           lacks("logicalType", times=2), expected="STRING")
    c.ok("INTERVAL, which has no LogicalType", fixed(12, None, INTERVAL))
    c.ok("INT_32 on INT32 alone", of(INT32, 1, None, INT_32))
    c.ok("INT_64 on INT64 alone", of(INT64, 1, None, INT_64))
    c.ok("UTF8 alone, by the editions before LogicalType", of(BYTE_ARRAY, b"x", None, UTF8), profile="historical")


def unknown(c):
    entries = [repeated("key_value", [required("key", INT32), optional("value", INT32)], converted_type=MAP_KEY_VALUE,
                        logicalType={"UNKNOWN": {}})]
    c.rule("logical-type/unknown-beside-converted", expected="absent")
    c.fail("LogicalType UNKNOWN with ConvertedType INTERVAL", fixed(12, "UNKNOWN", INTERVAL), at(LOGICAL), found="UNKNOWN beside INTERVAL")
    c.fail("LogicalType UNKNOWN with ConvertedType MAP_KEY_VALUE inside a MAP",
           File([optional("m", entries, converted_type=MAP, logicalType={"MAP": {}})], [{"m": {"key_value": [{"key": 1, "value": 2}]}}]),
           V("schema[2].logicalType"), found="UNKNOWN beside MAP_KEY_VALUE")
    c.ok("UNKNOWN alone", of(INT32, [None, None], "UNKNOWN", make=optional))
    c.ok("INTERVAL alone", fixed(12, None, INTERVAL))

    c.rule("logical-type/unknown-not-required", found="required on its whole path", expected="a column that can be null")
    c.fail("a required UNKNOWN column of one row", of(INT32, 1, "UNKNOWN"), at(LOGICAL))
    c.fail("a required UNKNOWN column in a required group", File([required("g", [required("v", INT32, logicalType={"UNKNOWN": {}})])],
                                                                [{"g": {"v": 1}}]), V("schema[2].logicalType", leaf=0))
    c.ok("a required UNKNOWN column in a file without rows", File([required("v", INT32, logicalType={"UNKNOWN": {}})], groups=[]))
    c.ok("a required UNKNOWN column in a group that is null", File([optional("g", [required("v", INT32, logicalType={"UNKNOWN": {}})])],
                                                                  [{"g": None}]))
