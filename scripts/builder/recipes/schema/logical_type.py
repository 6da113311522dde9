"""Values, compared with their logical types (LogicalTypes.md)."""

from builder.codec.metadata import (BYTE_ARRAY, DECIMAL, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, ENUM, FIXED_LEN_BYTE_ARRAY,
                                    INT32, INT64, JSON, RLE_DICTIONARY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required, text
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, column

#: Bytes that are not UTF-8, by the kind of fault.
BROKEN = (("a lead byte without its continuation, at the end", b"caf\xc3"), ("a continuation without a lead byte", b"\xa9t\xc3\xa9"),
          ("an overlong form of two bytes", b"a\xc0\xafb"), ("an overlong form of three bytes", b"\xe0\x9f\xbf"),
          ("a surrogate", b"\xed\xa0\x80"), ("a number above U+10FFFF", b"\xf4\x90\x80\x80"), ("Latin-1", b"caf\xe9 au lait"))
VALID = (b"", b"plain", "caf\xe9".encode(), "\u20ac 1".encode(), "\U0001f600".encode(), b"\x00", "\ud7ff\ue000\uffff".encode(),
         "\U0010ffff".encode())


def enum(node):
    node.attributes.update(converted_type=ENUM, logicalType={"ENUM": {}})
    return node


def json(node):
    node.attributes.update(converted_type=JSON, logicalType={"JSON": {}})
    return node


def utf8_only(node):
    """An annotation by the converted type only, as old writers do."""
    text(node)
    del node.attributes["logicalType"]
    return node


def leaf(make=text):
    return make(required("s", BYTE_ARRAY))


def witnesses(c):
    utf8(c)
    decimals(c)


LEAF, TYPE = "schema[1]", "schema[1].logicalType.DECIMAL"


def decimal(precision, scale=0, kind=INT32, value=1, old=True, new=True, **more):
    """One DECIMAL column, by the converted type, the logical type, or both."""
    attributes = dict(more)
    if old:
        attributes.update(converted_type=DECIMAL, scale=scale, precision=precision)
    if new:
        attributes["logicalType"] = {"DECIMAL": {"scale": scale, "precision": precision}}
    return column(required("d", kind, **{name: one for name, one in attributes.items() if one is not None}), [value])


def fixed(length, precision, **more):
    return decimal(precision, kind=FIXED_LEN_BYTE_ARRAY, value=bytes(length), type_length=length, **more)


#: The findings of a DECIMAL with only one annotation.
NO_OLD = Also("logical-type/converted-present", S(LEAF, field=LEAF + ".converted_type", leaf=0).with_values(expected="DECIMAL"),
              "only the LogicalType is DECIMAL")
NO_NEW = Also("logical-type/logical-present", S(LEAF, field=LEAF + ".logicalType", leaf=0).with_values(expected="DECIMAL"),
              "only the ConvertedType is DECIMAL")


def decimals(c):
    c.rule("logical-type/decimal-precision")
    c.fail("precision 0, stated twice", decimal(0), V(TYPE + ".precision"))
    c.fail("precision -1 of the logical type alone", decimal(-1, old=False), V(TYPE + ".precision"), NO_OLD)
    c.fail("precision -1 of the converted type alone", decimal(-1, new=False), V(LEAF + ".precision"), NO_NEW)
    c.fail("the converted type without a precision", decimal(None, new=False), S(LEAF, field=LEAF + ".precision"))
    c.fail("precision of the LogicalType is 9, that of the element 0",
           column(required("d", INT32, converted_type=DECIMAL, scale=0, precision=0,
                           logicalType={"DECIMAL": {"scale": 0, "precision": 9}}), [1]), V(LEAF + ".precision"))
    c.ok("precision 1", decimal(1))
    c.ok("precision 1 of the logical type alone", decimal(1, old=False), NO_OLD)
    c.ok("precision 1 of the converted type alone, without a scale", decimal(1, None, new=False), NO_NEW)

    c.rule("logical-type/decimal-precision-limit")
    c.fail("20 digits in 2 bytes", fixed(2, 20), V(TYPE + ".precision"))
    c.fail("20 digits in 2 bytes, by the converted type", fixed(2, 20, new=False), V(LEAF + ".precision"), NO_NEW)
    c.fail("10 digits in INT32", decimal(10), V(TYPE + ".precision"))
    c.fail("19 digits in INT64", decimal(19, kind=INT64), V(TYPE + ".precision"))
    for length, digits in ((1, 2), (2, 4), (4, 9), (8, 18), (16, 38)):
        c.fail(f"{digits + 1} digits in {length} bytes", fixed(length, digits + 1), V(TYPE + ".precision"))
        c.ok(f"{digits} digits in {length} bytes", fixed(length, digits))
    c.ok("9 digits in INT32", decimal(9))
    c.ok("18 digits in INT64", decimal(18, kind=INT64))
    c.ok("1,000 digits in BYTE_ARRAY", decimal(1000, kind=BYTE_ARRAY, value=b"\0"))

    c.rule("logical-type/decimal-scale")
    c.fail("scale -1", decimal(5, -1), V(TYPE + ".scale"))
    c.fail("scale -1 of the converted type alone", decimal(5, -1, new=False), V(LEAF + ".scale"), NO_NEW)
    c.fail("scale 6 of precision 5", decimal(5, 6), V(TYPE + ".scale"))
    c.fail("scale 6 of precision 5, by the converted type", decimal(5, 6, new=False), V(LEAF + ".scale"), NO_NEW)
    c.ok("scale 5 of precision 5", decimal(5, 5))
    c.ok("scale 0", decimal(5))
    c.ok("the converted type without a scale", decimal(5, None, new=False), NO_NEW)


def utf8(c):
    second = Body(FIRST, "values.value1", plus=4)
    c.rule("logical-type/utf8")
    for name, value in BROKEN:
        c.fail(f"{name}, in a STRING", column(leaf(), (b"ok", value, b"ok")), second)
    value = b"caf\xe9"
    for name, make in (("an ENUM", enum), ("a JSON document", json)):
        c.fail(f"Latin-1 in {name}", column(leaf(make), (b"10", value)), second)
    c.fail("Latin-1 in a UTF8 without LogicalType", column(leaf(utf8_only), (b"ok", value)), second,
           Also("logical-type/logical-present", S(LEAF, field=LEAF + ".logicalType", leaf=0).with_values(expected="STRING"), "as old files say it"))
    c.fail("Latin-1 in a v2 page", column(leaf(), (b"ok", value), chunk(V2())), second)
    c.fail("an entry of the dictionary that is used", column(leaf(), (b"ok", value, value),
           chunk(Dictionary((b"ok", value)), V1(encoding=RLE_DICTIONARY))), second)
    c.fail("a lead byte at the end, which the length of the next value, 169, would continue",
           column(leaf(), (b"ok", b"caf\xc3", b"x" * 0xA9)), second)
    c.fail("the same, with a short value after the long one",
           column(leaf(), (b"ok", b"caf\xc3", b"x" * 0xA9, b"ok")), second)
    c.ok("text of one to four bytes a character", column(leaf(), VALID))
    c.ok("the same values without an annotation", column(required("s", BYTE_ARRAY), [value for _, value in BROKEN]))
    c.ok("text of more than 128 bytes a value", column(leaf(), [("\xe9" * n).encode() for n in (64, 100, 200)]))
    c.ok("one character after the other in DELTA_LENGTH_BYTE_ARRAY", column(leaf(), VALID, chunk(V1(encoding=DELTA_LENGTH_BYTE_ARRAY))))
    c.ok("prefixes that end inside a character", column(leaf(), ["\xe9".encode(), "\xea".encode()], chunk(V1(encoding=DELTA_BYTE_ARRAY))))
    c.ok("an entry of the dictionary that no value refers to", column(leaf(), (b"ok", b"ok"),
         chunk(Dictionary((b"ok", value)), V1(encoding=RLE_DICTIONARY))))
    c.ok("JSON and ENUM in UTF-8", column(enum(optional("s", BYTE_ARRAY)), (b"RED", None)))
