"""What only some editions of the format define: additions, and the rules that come with them."""

import struct

from builder.codec.file import File, Group
from builder.codec.metadata import ALP, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, INT32, INT96, TIMESTAMP_MILLIS
from builder.codec.checksums import crc32
from builder.codec.pages import V1, V2, Other
from builder.codec.schema import optional, required
from builder.codec.thrift import I32, STRUCT, Struct, adding
from builder.expect.places import At, V
from builder.expect.witness import Also
from builder.recipes.base_files import META, chunk, column, flat
from builder.recipes.footer.extension import extended
from builder.recipes.values.alp import FIELD, section, stored

OLD, NEXT = {"options": {"edition": "2.13"}}, {"options": {"edition": "next"}}
LOGICAL = "schema[1].logicalType"
OLD_TYPE = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated in every order")
UNKNOWN_12 = "TIMESTAMP on FIXED_LEN_BYTE_ARRAY of 12 bytes"


def number(units):
    """A count of 96 bits, little-endian."""
    return (units % 2**96).to_bytes(12, "little")


def moments(values, unit="NANOS", bounds=None, **more):
    """A column of TIMESTAMP on 12 bytes, with min and max of these values in its statistics."""
    node = required("t", FIXED_LEN_BYTE_ARRAY, type_length=12, logicalType={"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {unit: {}}}})
    if bounds is None:
        return column(node, [number(value) for value in values], **more)
    statistics = {"min_value": number(bounds[0]), "max_value": number(bounds[1]), "null_count": 0}
    return column(node, [number(value) for value in values], chunk(V1(), meta={"statistics": statistics}), column_orders=[{"TYPE_ORDER": {}}], **more)


def files(inline=b"x"):
    return File([optional("f", [optional("inline", BYTE_ARRAY)], logicalType={"FILE": {}})], [{"f": {"inline": inline}}])


def days(**more):
    return column(required("t", INT96), [bytes(8) + struct.pack("<i", 1)], column_orders=[{"INT96_TIMESTAMP_ORDER": {}}], **more)


def flatbuffer(data=b"\x10\0\0\0" + bytes(range(40)), crc=0):
    """The extension of FileMetaData in ExtensionExamples.md: a flatbuffer, its checksum and size, the checksum of that, and a UUID."""
    size = struct.pack("<I", len(data))
    return data + struct.pack("<I", crc32(data) ^ crc) + size + struct.pack("<I", crc32(size)) + b"a UUID, 16 bytes"


class Flatbuffer(At):
    """The flatbuffer footer in the extension that ends the footer."""

    def __init__(self):
        super().__init__(lambda built: len(built.data) - 8 - 1 - len(flatbuffer()), length=len(flatbuffer()))


def vectors(**more):
    """A list of two numbers in each row, as VECTOR has it: the group `list` is repeated so often, without levels."""
    group = required("v", [required("list", [required("element", INT32)])])
    return File([group], [{"v": {"list": {"element": 1}}}], footer=[{"schema[2].repetition_type": 3}, adding(11, I32, 2, path="schema[2]")], **more)


def proposals(c):
    """What proposals have, by their numbers in the implementations of the proposals."""
    proposal, listed = {"expected": "a proposal"}, V(META + ".encodings")
    table = Other(4, b"symbols", header=[adding(9, STRUCT, Struct())])
    lost_value = {"rows": None}
    strings = lambda page: column(required("s", BYTE_ARRAY), [b"a", b"b"], chunk(table, page))
    c.fail("FSST, with a page of symbols", strings(V2(2, 11, values=b"ab")), listed, found="the encoding FSST", **proposal, **lost_value)
    c.fail("FSST in three pages", column(required("s", BYTE_ARRAY), [b"a", b"b", b"c"], chunk(table, *(V1(1, 11, values=b"a") for _ in range(3)))), listed,
           found="the encoding FSST", **proposal, **lost_value)
    c.fail("PFOR", flat(chunk(V1(1), V1(1, 11, values=b"abcd"), V1())), listed, found="the encoding PFOR", **proposal, **lost_value)
    c.fail("VECTOR", vectors(), V("schema[2].repetition_type"), found="the repetition VECTOR", **proposal, **lost_value)
    c.fail("a flatbuffer footer", flat(footer=extended(data=flatbuffer())), Flatbuffer(), found="a flatbuffer footer", **proposal)
    fsst = {"s": chunk(table, V2(2, 11, values=b"ab"))}
    row, wrong = [{"s": b"a"}, {"s": b"b"}], {"total_byte_size": 1000}
    for at in range(3):
        for other in range(3):
            if at != other:
                groups = [Group(row, fsst if i == at else None, wrong if i == other else None) for i in range(3)]
                size = Also("row-group/total-byte-size", V(f"row_groups[{other}].total_byte_size"), "the size of a row group without the proposal")
                c.fail(f"FSST in row group {at} of three, and a wrong size of row group {other}", File([required("s", BYTE_ARRAY)], groups=groups),
                       V(f"row_groups[{at}].columns[0].meta_data.encodings"), size, found="the encoding FSST", **proposal, **lost_value)
    c.fail("FSST in the second column, and a wrong size of the first one", File([required("n", INT32), required("s", BYTE_ARRAY)], [{"n": 1, **one} for one in row], {
        **fsst, "n": chunk(meta={"total_uncompressed_size": 1000})}), V("row_groups[0].columns[1].meta_data.encodings"),
        Also("column-chunk/total-uncompressed-size", V(META + ".total_uncompressed_size"), "the size of another column chunk"),
        found="the encoding FSST", **proposal, **lost_value)


#: Around the epoch, beyond 64 bits on both sides, and in year 9999 in nanoseconds.
FAR = [-(2**64), -1, 0, 1, 2**63, 253_402_300_799 * 10**9]


def witnesses(c):
    c.rule("edition/undefined")
    c.fail("TIMESTAMP on 12 bytes, which came after 2.14", moments([0]), V(LOGICAL, leaf=0), found=UNKNOWN_12, expected="the edition after 2.14")
    c.fail("the same under 2.13, with bounds of no order", moments([1, 0], bounds=(1, 0)), V(LOGICAL, leaf=0),
           found=UNKNOWN_12, expected="the edition after 2.14", **OLD)
    c.fail("FILE under 2.13", files(), V(LOGICAL, leaf=-1), found="the annotation FILE", expected="edition 2.14", **OLD)
    c.fail("ALP under 2.13", stored(section()), V(META + ".encodings"), found="the encoding ALP", expected="edition 2.14", **OLD)
    c.fail("INT96_TIMESTAMP_ORDER under 2.13", days(), V("column_orders[0]", leaf=0), OLD_TYPE,
           found="the order INT96_TIMESTAMP_ORDER", expected="edition 2.14", **OLD)
    c.fail("a PARX footer", flat(head=b"PARX", tail=b"PARX"), At(lambda b: len(b.data) - 4, length=4), found="a PARX footer", expected="a proposal")
    c.fail("a PARX footer behind PAR1, with its checksum where the length is", flat(tail=b"\1\0\0\0" + b"\xC1\xF2\xB3\xA4" + b"PARX"),
           At(lambda b: len(b.data) - 4, length=4), found="a PARX footer", expected="a proposal")
    proposals(c)
    c.fail("ALP under 2.13 whose bytes are damaged", stored(b"ab"), V(META + ".encodings"), found="the encoding ALP", expected="edition 2.14", rows=None, **OLD)
    c.fail("ALP under 2.13, on BYTE_ARRAY", column(required("s", BYTE_ARRAY), [b"a", b"b"], chunk(V1(1), V2(1, ALP, values=b"ab"))), V(META + ".encodings"),
           found="the encoding ALP", expected="edition 2.14", rows=None, **OLD)
    c.fail("FILE on a leaf under 2.13", column(optional("f", BYTE_ARRAY, logicalType={"FILE": {}}), [b"x"]), V(LOGICAL, leaf=0), found="the annotation FILE",
           expected="edition 2.14", **OLD)
    c.ok("TIMESTAMP on 12 bytes under the next edition", moments([0]), **NEXT)
    c.ok("FILE", files())
    c.ok("ALP under the next edition", stored(section()), Also("alp/preview", FIELD[V1], "the encoding itself is in preview"), **NEXT)
    c.ok("INT96_TIMESTAMP_ORDER", days(), OLD_TYPE)

    c.ok("a flatbuffer footer whose checksum is not that of its bytes is an extension", flat(footer=extended(data=flatbuffer(crc=1))))

    c.rule("logical-type/converted-match")
    c.fail("a ConvertedType beside TIMESTAMP on 12 bytes", column(required("t", FIXED_LEN_BYTE_ARRAY, type_length=12, converted_type=TIMESTAMP_MILLIS,
           logicalType={"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {"MILLIS": {}}}}), [number(0)]), V("schema[1].converted_type", leaf=0),
           found="TIMESTAMP_MILLIS", expected="absent", **NEXT)

    c.rule("logical-type/timestamp-type")
    utc = {"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {"NANOS": {}}}}
    either = "INT64 or FIXED_LEN_BYTE_ARRAY of 12 bytes"
    c.fail("TIMESTAMP on 13 bytes", column(required("t", FIXED_LEN_BYTE_ARRAY, type_length=13, logicalType=utc), [bytes(13)]), V(LOGICAL, leaf=0),
           found="FIXED_LEN_BYTE_ARRAY of 13 bytes", expected=either, **NEXT)
    c.fail("TIMESTAMP on INT32 under the next edition", column(required("t", INT32, logicalType=utc), [0]), V(LOGICAL, leaf=0), found="INT32",
           expected=either, **NEXT)
    c.fail("TIMESTAMP on 13 bytes under 2.13", column(required("t", FIXED_LEN_BYTE_ARRAY, type_length=13, logicalType=utc), [bytes(13)]), V(LOGICAL, leaf=0),
           found="FIXED_LEN_BYTE_ARRAY", expected="INT64", **OLD)

    at = V(META + ".statistics.max_value")
    c.rule("statistics/max-value")
    for unit in ("MILLIS", "MICROS", "NANOS"):
        c.ok(f"TIMESTAMP on 12 bytes in {unit}, ordered as signed numbers", moments(FAR, unit, (FAR[0], FAR[-1])), **NEXT)
    c.fail("the max of TIMESTAMP on 12 bytes is the max of the bytes", moments([-1, 5], bounds=(-1, -1)), at, found="1969-12-31T23:59:59.999999999Z",
           expected="1970-01-01T00:00:00.000000005Z", **NEXT)
    c.fail("the max of TIMESTAMP on 12 bytes ignores its upper 32 bits", moments([2**64, 7], bounds=(7, 7)), at,
           found="1970-01-01T00:00:00.000000007Z", expected="2554-07-21T23:34:33.709551616Z", **NEXT)
