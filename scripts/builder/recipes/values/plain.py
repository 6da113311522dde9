"""PLAIN value sections (Encodings.md, PLAIN)."""

import struct

from builder.codec import plain
from builder.codec.marked import Marked
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32, INT64, INT96,
                                    RLE_DICTIONARY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, column, strings

SECTION = Body(FIRST, "values")
TYPES = (("INT32", INT32, 4, (1, 2)), ("INT64", INT64, 8, (1, 2)), ("FLOAT", FLOAT, 4, (1.0, 2.0)), ("DOUBLE", DOUBLE, 8, (1.0, 2.0)),
         ("INT96", INT96, 12, (bytes(12), bytes(12))), ("FIXED_LEN_BYTE_ARRAY(3)", FIXED_LEN_BYTE_ARRAY, 3, (b"abc", b"def")))
OLD = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the column is of type INT96")


def fixed(kind, width, items, *pages, **more):
    """A required column `f` of a type of fixed width."""
    attributes = {"type_length": width} if kind == FIXED_LEN_BYTE_ARRAY else {}
    return column(required("f", kind, **attributes), items, chunk(*pages, **more))


def timestamp(nanos):
    return struct.pack("<qi", nanos, 2440588)


def swapped(nanos, day=2440588):
    """A timestamp with its Julian day first."""
    return struct.pack("<iq", day, nanos)


def witnesses(c):
    flags = (True, False, True)
    c.rule("plain/boolean-length")
    c.fail("one byte for nine values", column(required("b", BOOLEAN), flags * 3, chunk(V1(values=b"\5"))), SECTION)
    c.fail("nothing for one value, in a v2 page", column(required("b", BOOLEAN), (True,), chunk(V2(values=b""))), SECTION)
    c.fail("nothing for three values after levels", column(optional("b", BOOLEAN), flags, chunk(V2(values=b""))), SECTION)
    c.ok("one byte for eight values", column(required("b", BOOLEAN), flags + flags + (True, True), chunk(V1())))
    c.ok("two bytes for nine values", column(required("b", BOOLEAN), flags * 3, chunk(V1())))

    c.rule("plain/boolean-padding")
    c.fail("the spare bits are set", column(required("b", BOOLEAN), flags, chunk(V1(values=b"\xfd"))), SECTION)
    c.fail("the highest bit of the second byte is set", column(required("b", BOOLEAN), flags * 3, chunk(V2(values=b"\x6d\x81"))),
           Body(FIRST, "values", plus=1))
    c.ok("the spare bits are zero", column(required("b", BOOLEAN), flags, chunk(V1())))

    c.rule("plain/fixed-width-length")
    for name, kind, width, items in TYPES:
        data = plain.encode(kind, items).data
        old = (OLD,) if kind == INT96 else ()
        c.fail(f"one byte less than two values of {name} take, v1", fixed(kind, width, items, V1(values=data[:-1])), SECTION, *old)
        c.fail(f"one byte less than two values of {name} take, v2", fixed(kind, width, items, V2(values=data[:-1])), SECTION, *old)
    c.fail("no second value under GZIP", fixed(INT32, 4, (1, 2), V1(values=bytes(4)), codec=GZIP), SECTION)
    c.fail("one value of two entries, none of which is null",
           column(optional("f", INT32), (1, 2), chunk(V1(values=bytes(4)))), SECTION)
    for name, kind, width, items in TYPES:
        c.ok(f"two values of {name}", fixed(kind, width, items, V1()), *((OLD,) if kind == INT96 else ()))

    surplus(c, flags)

    words = plain.encode(BYTE_ARRAY, (b"x", b"yy"))
    c.rule("plain/byte-array-length")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"the second length runs one byte past the section, {about}",
               strings(chunk(page(values=Marked(words.data[:-1], words.marks))), items=(b"x", b"yy")), Body(FIRST, "values.value1"))
    c.fail("the second length is 2^31", strings(chunk(V1(values=Marked(words.data[:5] + b"\0\0\0\x80yy", words.marks))), items=(b"x", b"yy")),
           Body(FIRST, "values.value1"))
    c.fail("the section ends before the third value", strings(chunk(V1(values=words)), items=(b"x", b"yy", b"")),
           Body(FIRST, "values.end"))
    c.fail("two bytes are left for the third length",
           strings(chunk(V1(values=words + Marked(b"\0\0", {"cut": 0}))), items=(b"x", b"yy", b"")), Body(FIRST, "values.cut"))
    c.fail("the second length runs past the section, under GZIP",
           strings(chunk(V1(values=Marked(words.data[:-1], words.marks)), codec=GZIP), items=(b"x", b"yy")), Body(FIRST, "values.value1"))
    c.ok("the last value ends with the section", strings(chunk(V1()), items=(b"x", b"yy")))
    c.ok("the last value is empty", strings(chunk(V1()), items=(b"x", b"")))

    day = 86400 * 10**9
    c.rule("plain/int96-halves")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"a Julian day, then the nanoseconds, {about}", fixed(INT96, 12, (timestamp(0), swapped(1)), page()), Body(FIRST, "values.value1"), OLD)
    c.fail("midnight and the last nanosecond of the day, in a dictionary",
           fixed(INT96, 12, (swapped(0), swapped(day - 1)), Dictionary([swapped(0), swapped(day - 1)]), V1(encoding=RLE_DICTIONARY)),
           Body(FIRST, "values.value0", times=2), OLD)
    c.fail("the last day of the year 9999", fixed(INT96, 12, (swapped(5, 5373484),)), Body(FIRST, "values.value0"), OLD)
    c.ok("the nanoseconds, then the Julian day", fixed(INT96, 12, (timestamp(1),)), OLD)
    c.ok("twelve bytes of zeros", fixed(INT96, 12, (bytes(12),)), OLD)
    c.rule("plain/int96-nanos")
    c.fail("a whole day of nanoseconds", fixed(INT96, 12, (timestamp(0), timestamp(day))), Body(FIRST, "values.value1"), OLD)
    c.fail("-1 nanoseconds, in a v2 page", fixed(INT96, 12, (timestamp(-1),), V2()), Body(FIRST, "values.value0"), OLD)
    c.fail("a whole day of nanoseconds in a dictionary",
           fixed(INT96, 12, (timestamp(0), timestamp(day)), Dictionary([timestamp(0), timestamp(day)]), V1(encoding=RLE_DICTIONARY)),
           Body(FIRST, "values.value1"), OLD)
    c.ok("the last nanosecond of a day", fixed(INT96, 12, (timestamp(day - 1),)), OLD)


def surplus(c, flags):
    """Bytes after the last value; all values can be read."""
    c.rule("page/trailing-bytes")
    c.fail("two bytes for three BOOLEAN values", column(required("b", BOOLEAN), flags, chunk(V1(values=b"\5\0"))),
           Body(FIRST, "values", plus=1))
    c.fail("two bytes for three BOOLEAN values after levels", column(optional("b", BOOLEAN), flags, chunk(V2(values=b"\5\0"))),
           Body(FIRST, "values", plus=1))
    for name, kind, width, items in TYPES:
        data = plain.encode(kind, items).data
        c.fail(f"one byte more than two values of {name} take", fixed(kind, width, items, V1(values=data + b"\0")),
               Body(FIRST, "values", plus=2 * width), *((OLD,) if kind == INT96 else ()))
    c.fail("a third value of INT32 under GZIP", fixed(INT32, 4, (0, 0), V1(values=bytes(12)), codec=GZIP),
           Body(FIRST, "values", plus=8))
    c.fail("values of two entries, one of which is null",
           column(optional("f", INT32), (0, None), chunk(V1(values=bytes(8)))), Body(FIRST, "values", plus=4))
    c.fail("a block of definition levels in a required column",
           fixed(INT32, 4, (1026, 262144), V1(values=b"\2\0\0\0\4\0" + bytes(8))), Body(FIRST, "values", plus=8), rows=None)
    c.ok("three BOOLEAN values take one byte", column(required("b", BOOLEAN), flags, chunk(V1())))
    c.ok("two values of INT32 take eight bytes", fixed(INT32, 4, (1, 2), V1()))
