"""The constraints of annotations on single values: ranges, digits, documents, keys of maps (LogicalTypes.md)."""

import struct

from builder.codec.file import File
from builder.codec.metadata import (BSON, BYTE_ARRAY, DECIMAL, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY,
                                    DOUBLE, FIXED_LEN_BYTE_ARRAY, INT32, INT64, INT_16, INT_8, LIST, MAP, RLE_DICTIONARY,
                                    TIME_MICROS, TIME_MILLIS, UINT_16, UINT_32, UINT_64, UINT_8)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, repeated, required, text
from builder.expect.places import S, Body
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, column, row
from builder.recipes.schema.logical_type import json

SECOND = Body(FIRST, "values.value1")
SECOND_BYTES = Body(FIRST, "values.value1", plus=4)


def witnesses(c):
    integers(c)
    times(c)
    decimals(c)
    decimal_bytes(c)
    json_documents(c)
    bson_documents(c)
    unknown(c)
    maps(c)


def bare(annotation):
    """The additional finding for a ConvertedType without its LogicalType."""
    return Also("logical-type/logical-present", S("schema[1]", field="schema[1].logicalType", leaf=0).with_values(expected=annotation), "as old files say it")


def of_dictionary(node, entries, used):
    """A column of a dictionary with these entries, and of these values."""
    return column(node, used, chunk(Dictionary(entries), V1(encoding=RLE_DICTIONARY)))


def integer(bits, signed, old=None, new=True, kind=INT32):
    """An INT column by its ConvertedType, its LogicalType, or both."""
    attributes = {} if old is None else {"converted_type": old}
    if new:
        attributes["logicalType"] = {"INTEGER": {"bitWidth": bits, "isSigned": signed}}
    return required("i", kind, **attributes)


def integers(c):
    c.rule("logical-type/integer-range")
    for bits, signed, old in ((8, True, INT_8), (16, True, INT_16), (8, False, UINT_8), (16, False, UINT_16)):
        low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        name, expected = f"INT({bits}, {str(signed).lower()})", {"expected": f"{low} to {high}"}
        c.fail(f"{high + 1} in {name}", column(integer(bits, signed, old), (high, high + 1, low)), SECOND, **expected)
        c.fail(f"{low - 1} in {name}", column(integer(bits, signed, old), (low, low - 1)), SECOND, **expected)
        c.fail(f"{high + 1} in {name}, by the converted type alone", column(integer(bits, signed, old, False), (0, high + 1)), SECOND, bare("INTEGER"), **expected)
        c.ok(f"{low} and {high} in {name}", column(integer(bits, signed, old), (low, high)))
    node, expected = integer(8, False, UINT_8), {"expected": "0 to 255"}
    c.fail("two values outside of UINT_8 in a v2 page", column(node, (1, -256, 2**31 - 1), chunk(V2())), SECOND.with_values(times=2), **expected)
    c.fail("an entry of the dictionary that is used", of_dictionary(node, (7, 256), (7, 256, 256)), SECOND, **expected)
    c.fail("a delta adds up to 256", column(node, (255, 256), chunk(V1(encoding=DELTA_BINARY_PACKED))),
           Body(FIRST, "values"), found="256", length=0, **expected)
    c.ok("an entry of the dictionary that no value refers to", of_dictionary(node, (7, 256), (7, 7)))
    c.ok("every number of 32 bits in UINT_32", column(integer(32, False, UINT_32), (-1, 0, 2**31 - 1, -2**31)))
    c.ok("every number of 64 bits in INT(64, false)", column(integer(64, False, UINT_64, kind=INT64), (-1, 2**63 - 1, -2**63)))
    c.ok("the same values without an annotation", column(required("i", INT32), (128, -129, 65536, -1)))


def time(unit, old=None, new=True, utc=True):
    attributes = {} if old is None else {"converted_type": old}
    if new:
        attributes["logicalType"] = {"TIME": {"isAdjustedToUTC": utc, "unit": {unit: {}}}}
    return required("t", INT32 if unit == "MILLIS" else INT64, **attributes)


def times(c):
    c.rule("logical-type/time-range")
    for unit, old, digits in (("MILLIS", TIME_MILLIS, 3), ("MICROS", TIME_MICROS, 6), ("NANOS", None, 9)):
        day = 86400 * 10**digits
        expected = {"expected": f"0 to {day - 1}"}
        c.fail(f"exactly one day in {unit}", column(time(unit, old), (0, day)), SECOND, **expected)
        c.fail(f"one before midnight in {unit}", column(time(unit, old), (0, -1)), SECOND, **expected)
        c.ok(f"midnight and the last of the {unit} before the next", column(time(unit, old), (0, day - 1)))
        if old is not None:
            c.fail(f"exactly one day in {unit}, by the converted type alone", column(time(unit, old, False), (0, day)), SECOND, bare("TIME"), **expected)
    c.fail("exactly one day of local time", column(time("MICROS", TIME_MICROS, utc=False), (0, 86400 * 10**6)), SECOND,
           expected="0 to 86399999999")
    c.fail("an entry of the dictionary that is used", of_dictionary(time("MILLIS", TIME_MILLIS), (0, 86400000), (0, 86400000)), SECOND,
           expected="0 to 86399999")
    c.ok("an entry of the dictionary that no value refers to", of_dictionary(time("MILLIS", TIME_MILLIS), (0, 86400000), (0, 0)))


def decimal(precision, kind=INT32, old=True, new=True, scale=0, **more):
    if old:
        more.update(converted_type=DECIMAL, scale=scale, precision=precision)
    if new:
        more["logicalType"] = {"DECIMAL": {"scale": scale, "precision": precision}}
    return required("d", kind, **more)


def big(number, width=None):
    """Big-endian two's complement in so many bytes, or in as few as possible."""
    return number.to_bytes(width or (number if number >= 0 else ~number).bit_length() // 8 + 1, "big", signed=True)


def decimals(c):
    c.rule("logical-type/decimal-digits")
    for kind, name, precision in ((INT32, "INT32", 9), (INT64, "INT64", 18), (INT32, "INT32", 1)):
        most = 10**precision
        c.fail(f"{precision + 1} digits in {name}", column(decimal(precision, kind), (0, most)), SECOND)
        c.fail(f"{precision + 1} digits below zero in {name}, by the converted type alone",
               column(decimal(precision, kind, new=False), (0, -most)), SECOND, bare("DECIMAL"))
        c.ok(f"{precision} digits in {name}", column(decimal(precision, kind), (most - 1, 1 - most)))
    for width, precision in ((1, 2), (5, 11), (8, 18), (9, 19), (16, 38), (16, 20), (17, 39)):
        most = 10**precision
        node = lambda: decimal(precision, FIXED_LEN_BYTE_ARRAY, type_length=width)
        c.fail(f"{precision + 1} digits in {width} bytes", column(node(), (big(0, width), big(most, width))), SECOND)
        c.fail(f"{precision + 1} digits below zero in {width} bytes", column(node(), (big(0, width), big(-most, width))), SECOND)
        c.ok(f"{precision} digits in {width} bytes", column(node(), (big(most - 1, width), big(1 - most, width), big(0, width))))
    for precision in (1, 2, 9, 38, 76, 90):
        most = 10**precision
        node = lambda: decimal(precision, BYTE_ARRAY)
        c.fail(f"{precision + 1} digits in BYTE_ARRAY", column(node(), (b"\0", big(most))), SECOND_BYTES)
        c.fail(f"{precision + 1} digits below zero in BYTE_ARRAY", column(node(), (b"\0", big(-most))), SECOND_BYTES)
        c.ok(f"{precision} digits in BYTE_ARRAY", column(node(), (big(most - 1), big(1 - most))))
    c.fail("an entry of the dictionary that is used", of_dictionary(decimal(3, BYTE_ARRAY), (b"\1", big(1000)), (b"\1", big(1000))),
           SECOND_BYTES)
    c.fail("10 where the precision is 1, with scale 1", column(decimal(1, scale=1), (0, 10)), SECOND, found="1.0")
    c.ok("1,000 digits in BYTE_ARRAY", column(decimal(1000, BYTE_ARRAY), (big(10**1000 - 1), big(1 - 10**1000))))
    c.ok("an entry of the dictionary that no value refers to", of_dictionary(decimal(3, BYTE_ARRAY), (b"\1", big(1000)), (b"\1",)))


def decimal_bytes(c):
    node = lambda: decimal(9, BYTE_ARRAY)
    c.rule("logical-type/decimal-bytes-empty")
    c.fail("a number without bytes", column(node(), (b"\1", b"")), SECOND_BYTES)
    c.fail("the same in DELTA_LENGTH_BYTE_ARRAY, at the end of the page", column(node(), (b"\1", b""), chunk(V1(encoding=DELTA_LENGTH_BYTE_ARRAY))),
           Body(FIRST, "values.end"))
    c.fail("an entry of the dictionary without bytes", of_dictionary(node(), (b"\1", b""), (b"\1", b"")), SECOND_BYTES)
    c.ok("the number 0 in one byte", column(node(), (b"\0", b"\1")))
    c.ok("a null", column(optional("d", BYTE_ARRAY, converted_type=DECIMAL, scale=0, precision=9,
                                   logicalType={"DECIMAL": {"scale": 0, "precision": 9}}), (b"\1", None)))

    c.rule("logical-type/decimal-bytes-minimal")
    for about, value in (("0 in two bytes", b"\0\0"), ("1 in four bytes", b"\0\0\0\1"), ("-1 in two bytes", b"\xff\xff"),
                         ("127 in two bytes", b"\0\x7f"), ("-128 in two bytes", b"\xff\x80")):
        c.fail(about, column(node(), (b"\1", value)), SECOND_BYTES)
    c.fail("an entry of the dictionary", of_dictionary(node(), (b"\1", b"\0\2"), (b"\1", b"\0\2")), SECOND_BYTES)
    c.ok("the smallest and the largest numbers of one and two bytes",
         column(node(), (b"\x7f", b"\x80", b"\0\x80", b"\xff\x7f", b"\x7f\xff", b"\x80\0")))
    c.ok("leading zeros in FIXED_LEN_BYTE_ARRAY", column(decimal(9, FIXED_LEN_BYTE_ARRAY, type_length=8), (big(1, 8), big(-1, 8))))


def json_documents(c):
    node = lambda: json(required("j", BYTE_ARRAY))
    valid = b'{"a": [1, -2.5e+3, true, false, null, "x"]}'
    nothing = "the end at byte {} of the value"
    c.rule("logical-type/json")
    for about, value, found, expected in (
            ("a bare word", b"word", "0x77 at byte 0 of the value", "a value"),
            ("no text", b"", nothing.format(0), "a value"),
            ("spaces alone", b" \n", nothing.format(2), "a value"),
            ("a byte order mark", b"\xef\xbb\xbf{}", "0xef at byte 0 of the value", "a value"),
            ("a comma after the last element", b"[1,]", "0x5d at byte 3 of the value", "a value"),
            ("a comma after the last member", b'{"a":1,}', "0x7d at byte 7 of the value", "a name in quotation marks"),
            ("a name in single quotes", b"{'a': 1}", "0x27 at byte 1 of the value", "a name in quotation marks"),
            ("a name without a value", b'{"a"}', "0x7d at byte 4 of the value", "a colon"),
            ("an array that does not end", b"[[1]", nothing.format(4), "a comma or a closing bracket"),
            ("an object that ends as an array", b'{"a":1]', "0x5d at byte 6 of the value", "a comma or a closing brace"),
            ("text after the document", b"{} {}", "0x7b at byte 3 of the value", "the end"),
            ("a number with a leading zero", b"01", "0x31 at byte 1 of the value", "the end"),
            ("a number without digits after the decimal point", b"1.", nothing.format(2), "a digit"),
            ("a plus sign", b"+1", "0x2b at byte 0 of the value", "a value"),
            ("NaN", b"NaN", "0x4e at byte 0 of the value", "a value"),
            ("a word that is cut off", b"tru", nothing.format(3), "true"),
            ("a line feed in a string", b'"a\nb"', "0x0a at byte 2 of the value", "an escaped control character"),
            ("an escape that is none", b'"\\x"', "0x78 at byte 2 of the value", "an escape"),
            ("an escape of three hex digits", b'"\\u12g4"', "0x67 at byte 5 of the value", "a hex digit"),
            ("a string that does not end", b'"abc', nothing.format(4), "a quotation mark")):
        c.fail(about, column(node(), (valid, value)), SECOND_BYTES, found=found, expected=expected)
    values = {"found": "0x77 at byte 0 of the value", "expected": "a value"}
    c.fail("two bare words in a v2 page", column(node(), (valid, b"word", b"x"), chunk(V2())), SECOND_BYTES.with_values(times=2), **values)
    c.fail("an entry of the dictionary that is used", of_dictionary(node(), (valid, b"word"), (valid, b"word")), SECOND_BYTES, **values)
    c.fail("a bare word in DELTA_BYTE_ARRAY, of which the page holds no copy",
           column(node(), (b'"w"', b'"wo'), chunk(V1(encoding=DELTA_BYTE_ARRAY))), Body(FIRST, "values"),
           found=nothing.format(3), expected="a quotation mark", length=0)
    c.ok("each kind of value", column(node(), (valid, b"0", b"-0.0E-7", b'""', b"null", b" [ ] ", b'{"":{}}', '"\u20ac\U0001f600"'.encode())))
    c.ok("a name twice", column(node(), (b'{"a":1,"a":2}',)))
    c.ok("numbers that no machine type holds", column(node(), (b"1e999", b"123456789012345678901234567890", b"0." + b"1" * 50)))
    c.ok("every escape, and half of a surrogate pair", column(node(), (rb'"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"', rb'"\ud800"')))
    c.ok("2,000 arrays in each other", column(node(), (b"[" * 2000 + b"]" * 2000,)))
    c.ok("words in a STRING", column(text(required("s", BYTE_ARRAY)), (b"word", b"")))
    c.ok("an entry of the dictionary that no value refers to", of_dictionary(node(), (valid, b"word"), (valid,)))


def document(*elements):
    """A BSON document of elements in bytes."""
    body = b"".join(elements)
    return struct.pack("<i", len(body) + 5) + body + b"\0"


def element(type_, value=b"", name=b"e"):
    return bytes([type_]) + name + b"\0" + value


def string(data):
    return struct.pack("<i", len(data) + 1) + data + b"\0"


def bson(node):
    node.attributes.update(converted_type=BSON, logicalType={"BSON": {}})
    return node


def bson_documents(c):
    node = lambda: bson(required("b", BYTE_ARRAY))
    valid = document(element(0x10, struct.pack("<i", 7)))
    c.rule("logical-type/bson")
    for about, value, at, expected in (
            ("no bytes", b"", 0, "a document of 5 bytes or more"),
            ("four bytes", b"\4\0\0\0", 0, "a document of 5 bytes or more"),
            ("a length that is one too small", b"\5\0\0\0\0\0", 0, "the length of the document"),
            ("a length that is one too large", b"\6\0\0\0\0", 0, "the length of the document"),
            ("a length below zero", b"\xff\xff\xff\xff\0", 0, "the length of the document"),
            ("JSON", b'{"a":1}', 0, "the length of the document"),
            ("no 00 at the end", b"\5\0\0\0\1", 4, "00 at the end of a document"),
            ("a type that there is not", document(element(0x14)), 4, "the type of an element"),
            ("00 where an element begins", document(b"\0\0"), 4, "an element up to the end of the document"),
            ("a name that does not end", document(b"\x0aabc")[:-1] + b"\0", 5, "a name that ends with 00"),
            ("a name that is no UTF-8", document(element(0x0A, name=b"\xe9")), 5, "UTF-8"),
            ("a number that is cut off", document(element(0x12, b"\1\2\3")), 7, "the whole value of the element"),
            ("a string length of 0", document(element(0x02, b"\0\0\0\0\0")), 7, "the length of a string"),
            ("a string that is longer than the document", document(element(0x02, b"\x09\0\0\0abc\0")), 7, "the length of a string"),
            ("a string without 00 at its end", document(element(0x02, b"\3\0\0\0abc")), 13, "00 at the end of a string"),
            ("a string that is no UTF-8", document(element(0x0D, string(b"caf\xe9"))), 14, "UTF-8"),
            ("a boolean of 2", document(element(0x08, b"\2")), 7, "00 or 01"),
            ("a nested document that is longer than the outer one", document(element(0x03, b"\6\0\0\0\0")), 7, "the length of the document"),
            ("a nested array without 00 at its end", document(element(0x04, b"\5\0\0\0\1")), 11, "00 at the end of a document"),
            ("a binary value that is cut off", document(element(0x05, b"\4\0\0\0\0abc")), 7, "the length of a binary value"),
            ("an old binary value with another inner length", document(element(0x05, b"\6\0\0\0\2\3\0\0\0ab")), 12, "the length of a binary value again"),
            ("code with a scope of another length", document(element(0x0F, struct.pack("<i", 4 + 6 + 5 + 1) + string(b"x") + document() + b"\0")), 17,
             "the length of the document")):
        found = f"0x{value[at]:02x} at byte {at} of the value" if at < len(value) else f"the end at byte {at} of the value"
        c.fail(about, column(node(), (valid, value)), SECOND_BYTES, found=found, expected=expected)
    c.fail("an entry of the dictionary that is used", of_dictionary(node(), (valid, b"x"), (valid, b"x")), SECOND_BYTES,
           found="0x78 at byte 0 of the value", expected="a document of 5 bytes or more")
    eight = struct.pack("<d", 1.5)
    nested = document(element(0x0A))
    deep = document()
    for _ in range(500):
        deep = document(element(0x04, deep, b"0"))
    c.ok("every type of element", column(node(), (valid, document(
        element(0x01, eight), element(0x02, string(b"caf\xc3\xa9 \0 x")), element(0x03, nested), element(0x04, document()),
        element(0x05, b"\2\0\0\0\x80ab"), element(0x05, b"\6\0\0\0\2\2\0\0\0ab"), element(0x06), element(0x07, bytes(12)), element(0x08, b"\1"),
        element(0x09, eight), element(0x0A), element(0x0B, b"a+\0i\0"), element(0x0C, string(b"db") + bytes(12)), element(0x0D, string(b"x")),
        element(0x0E, string(b"")), element(0x0F, struct.pack("<i", 4 + 6 + len(nested)) + string(b"x") + nested), element(0x10, b"\1\2\3\4"),
        element(0x11, eight), element(0x12, eight), element(0x13, bytes(16)), element(0x7F), element(0xFF)))))
    c.ok("an empty document, one without names, and one of two equal names",
         column(node(), (document(), document(element(0x0A, name=b"")), document(element(0x0A), element(0x0A)))))
    c.ok("500 arrays in each other", column(node(), (deep,)))
    c.ok("the same bytes without an annotation", column(required("b", BYTE_ARRAY), (b"", b"x")))


def unknown(c):
    node = lambda kind=INT32: optional("u", kind, logicalType={"UNKNOWN": {}})
    c.rule("logical-type/unknown-values", found="7")
    c.fail("a value in an UNKNOWN column", column(node(), (None, 7)), Body(FIRST, "values.value0"))
    c.fail("two values in a v2 page", column(node(), (None, 7, None, 8), chunk(V2())), Body(FIRST, "values.value0", times=2))
    c.fail("a DOUBLE", column(node(DOUBLE), (None, 1.5)), Body(FIRST, "values.value0"), found="1.5")
    c.fail("a BYTE_ARRAY without bytes", column(node(BYTE_ARRAY), (None, b"")), Body(FIRST, "values.value0", plus=4), found="there")
    c.fail("values of a dictionary", column(node(), (7, None, 7), chunk(Dictionary([7]), V1(encoding=RLE_DICTIONARY))),
           Body((0, 0, 1), "values", times=2), found="there", length=0)
    c.fail("a value in a list of UNKNOWN", File([list_of("l", required("e", INT32, logicalType={"UNKNOWN": {}}))], [row([]), row([7])]),
           Body(FIRST, "values.value0"))
    c.ok("nulls alone", column(node(), (None, None)))
    c.ok("only nulls, and a dictionary that is not used", column(node(), (None, None), chunk(Dictionary([7]), V1(encoding=RLE_DICTIONARY))))
    c.ok("values without an annotation", column(optional("u", INT32), (None, 7)))


def map_of(key):
    return optional("m", [repeated("key_value", [key, optional("value", INT32)])], converted_type=MAP, logicalType={"MAP": {}})


def entries(keys):
    return {"m": None if keys is None else {"key_value": [{"key": key, "value": i} for i, key in enumerate(keys)]}}


def mapped(key, rows, stored=None):
    """One MAP column of these keys by row; `stored` is their storage form."""
    return File([map_of(key)], [entries(keys) for keys in rows], {"m.key_value.key": stored} if stored else None)


def maps(c):
    named = lambda: text(required("key", BYTE_ARRAY))
    number = lambda kind=INT32: required("key", kind)
    at = lambda i, page=0, **more: Body((0, 0, page), f"values.value{i}", **more)
    word = lambda i, page=0, **more: at(i, page, plus=4, **more)
    c.rule("logical-type/map-duplicate-keys", expected="each key once")
    c.fail("a key twice in the second map", mapped(number(), ([1, 2], [3, 4, 3])), at(4), found="3")
    c.fail("a key three times", mapped(number(), ([1], [5, 5, 5])), at(2, times=2), found="5")
    c.fail("a text twice", mapped(named(), ([b"a"], [b"k", b"l", b"k"])), word(3), found='"k"')
    c.fail("a text of 20 bytes twice", mapped(named(), ([b"a"], [b"k" * 20, b"l" * 20, b"k" * 20])), word(3), found='"' + "k" * 20 + '"')
    c.fail("the empty text twice", mapped(named(), ([b"a"], [b"", b"x", b""])), word(3), found='""')
    c.fail("a DOUBLE twice", mapped(number(DOUBLE), ([0.5], [1.5, 1.5])), at(2), found="1.5")
    c.fail("a key twice by a dictionary", mapped(number(), ([1, 2], [2, 1, 2]), chunk(Dictionary([1, 2]), V1(encoding=RLE_DICTIONARY))),
           Body((0, 0, 1), "values"), found="2", length=0)
    long = b"k" * 20
    c.fail("a text of 20 bytes twice by a dictionary", mapped(named(), ([b"a"], [long, long]), chunk(Dictionary([b"a", long]), V1(encoding=RLE_DICTIONARY))),
           Body((0, 0, 1), "values"), found="a long entry of the dictionary", length=0)
    c.fail("one key five times by a run of the dictionary", mapped(number(), ([1], [2] * 5), chunk(Dictionary([1, 2]), V1(encoding=RLE_DICTIONARY))),
           Body((0, 0, 1), "values", times=4), found="2", length=0)
    c.fail("a map that continues in the next page", mapped(number(), ([1], [3, 4, 3]), chunk(V1(3), V1())), at(0, 1), found="3")
    c.fail("twice in the second of three pages", mapped(number(), ([1], [2, 2, 2], [3]), chunk(V1(1), V1(3), V1())), at(1, 1, times=2), found="2")
    coded = lambda *pages: chunk(Dictionary([1, 3, 4]), *pages)
    entries_ = lambda *more: V1(*more, encoding=RLE_DICTIONARY)
    c.fail("a map that continues in the next page, both with entries of the dictionary",
           mapped(number(), ([1], [3, 4, 3]), coded(entries_(3), entries_())), Body((0, 0, 2), "values"), found="3", length=0)
    c.fail("a map that begins with entries of the dictionary and continues without", mapped(number(), ([1], [3, 4, 3]), coded(entries_(3), V1())),
           at(0, 2), found="3")
    c.fail("a map that begins without the dictionary and continues with entries", mapped(number(), ([1], [3, 4, 3]), coded(V1(3), entries_())),
           Body((0, 0, 2), "values"), found="3", length=0)
    c.fail("a map of three pages, in the second without the dictionary",
           mapped(number(), ([1], [3, 4, 1, 3], [3]), coded(entries_(3), V1(1), entries_())), Body((0, 0, 3), "values"), found="3", length=0)
    c.ok("a key in each of two maps", mapped(number(), ([1, 2], [1, 2], [], None, [2, 1])))
    c.ok("a key in each of two maps, the pages between them", mapped(number(), ([1, 2], [1, 2]), chunk(V1(2), V1())))
    c.ok("the same in v2 pages", mapped(named(), ([b"a", b"b"], [b"a"], None, [b"a"]), chunk(V2(3), V2())))
    c.ok("one map for each entry of a run of the dictionary", mapped(number(), [[2]] * 5, chunk(Dictionary([1, 2]), V1(encoding=RLE_DICTIONARY))))
    c.ok("zeros that differ in sign", mapped(number(DOUBLE), ([0.0, -0.0],)))
    c.ok("40 keys", mapped(number(), (list(range(40)),)))
    c.ok("a value twice in a list", File([optional("l", [repeated("list", [optional("element", INT32)])], converted_type=LIST, logicalType={"LIST": {}})],
                                         [{"l": {"list": [{"element": 1}, {"element": 1}]}}]))
    c.ok("a key in each of two maps, with the dictionary and without",
         mapped(number(), ([1, 3], [3, 4, 1], [4, 3], [3, 1]), coded(entries_(3), V1(3), entries_())))
