"""The bytes of a variant value: primitives, strings, objects and arrays (VariantEncoding.md, Value encoding)."""

from builder.codec import variant
from builder.codec.file import File
from builder.codec.metadata import BYTE_ARRAY, INT32, MAP
from builder.codec.schema import list_of, optional, repeated, required
from builder.codec.shredding import variant_node
from builder.codec.variant import Array, Object, Raw, Tag, encode, text
from builder.expect.places import Body, V
from builder.expect.witness import Also
from builder.recipes.variant.variants import Fault, Pair, fail, ok, plain

AB = {"a": 1, "b": 2}
SAMPLES = {"int8": Tag("int8", -1), "int16": Tag("int16", -300), "int32": Tag("int32", 70_000), "int64": Tag("int64", -2**40), "double": 1.5,
           "decimal4": Tag("decimal4", (-150, 2)), "decimal8": Tag("decimal8", (10**12, 3)), "decimal16": Tag("decimal16", (-10**30, 38)),
           "date": Tag("date", 19_782), "timestamp": Tag("timestamp", 1_700_000_000_123_456), "timestamp_ntz": Tag("timestamp_ntz", -1),
           "float": Tag("float", 0.1), "time": Tag("time", 86_399_999_999), "timestamp_nanos": Tag("timestamp_nanos", 1_700_000_000_123_456_789),
           "timestamp_ntz_nanos": Tag("timestamp_ntz_nanos", -1), "uuid": Tag("uuid", bytes(range(16)))}
OTHERS = {"null": None, "true": True, "false": False, "binary": Tag("binary", b"\0\xff"), "short string": "n/a", "long string": Tag("string", "x" * 64),
          "object": AB, "array": [1, "x", None], "empty object": {}, "empty array": []}
DIGITS = {"decimal4": 9, "decimal8": 18, "decimal16": 38}


def witnesses(c):
    complete(c)
    fields(c)
    offsets(c)
    decimals(c)
    texts(c)
    times(c)
    shapes(c)
    depth(c)
    legal(c)


def broken(rule, about, value, mark, length, found, expected=None, names=None, plus=0, **shape):
    return Fault(rule, about, Pair(value, names=names, **shape), "value", mark, length, found, expected, plus)


def in_array(value):
    """[1, value, "x"], with the bytes of the value as they are."""
    return Array([1, value, "x"])


def complete(c):
    rule = "variant/value"
    c.rule(rule)
    fails = [broken(rule, "a number without its last byte", Raw(encode(70_000).data[:-1]), 0, 4, 4, "5"),
             broken(rule, "no byte", Raw(b""), 0, 0, 0, "at least 1")]
    for kind in (21, 22, 31, 63):
        fails.append(broken(rule, f"primitive {kind}", Raw(bytes([kind << 2])), 0, 1, kind, "0 to 20"))
        fails.append(broken(rule, f"primitive {kind} in an array", in_array(Raw(bytes([kind << 2]))), "1", 1, kind, "0 to 20"))
    for kind, value in SAMPLES.items():
        data = encode(value).data
        for count in sorted({1, len(data) - 1}):
            fails.append(broken(rule, f"{kind}: {count} byte{'s' * (count > 1)} of {len(data)}", Raw(data[:count]), 0, count, count, str(len(data))))
        fails.append(broken(rule, f"{kind}: a byte too many", Raw(data + b"\0"), len(data), 1, len(data) + 1, str(len(data))))
        if len(data) > 2:
            short = Array([1, Raw(data[:-1])])
            fails.append(broken(rule, f"{kind}: the last element of an array, without its last byte", short, "1", len(data) - 1, len(data) - 1, str(len(data))))
    for name, data in (("null", b"\0"), ("true", b"\4"), ("false", b"\x08")):
        fails.append(broken(rule, f"{name}: a byte too many", Raw(data + b"\0"), 1, 1, 2, "1"))
    short = encode("n/a").data
    fails.append(broken(rule, "a short string without its last byte", Raw(short[:-1]), 0, 3, 3, "4"))
    fails.append(broken(rule, "a short string of which only the header is there", Raw(b"\xfd"), 0, 1, 1, "64"))
    fails.append(broken(rule, "a byte after a short string", Raw(short + b"!"), 4, 1, 5, "4"))
    fails.append(broken(rule, "13 6E 2F 61, as the text prints `n/a`: an array with a count of 4 bytes", Raw(b"\x13\x6e\x2f\x61"), 0, 4, 4, "at least 5"))
    for kind in ("string", "binary"):
        data = encode(Tag(kind, b"abc")).data
        fails.append(broken(rule, f"a {kind} whose length is cut short", Raw(data[:4]), 0, 4, 4, "at least 5"))
        fails.append(broken(rule, f"a {kind} without its length", Raw(data[:1]), 0, 1, 1, "at least 5"))
        fails.append(broken(rule, f"a {kind} without its last byte", Raw(data[:-1]), 0, 7, 7, "8"))
        fails.append(broken(rule, f"a {kind} of the largest length", Raw(data[:1] + b"\xff" * 4 + b"abc"), 0, 8, 8, str(5 + 2**32 - 1)))
        fails.append(broken(rule, f"a byte after a {kind}", Raw(data + b"d"), 8, 1, 9, "8"))
    for width in (1, 2, 3, 4):
        for noun, value, ids in (("an object", Object(AB, id_width=width, offset_width=width), 2 * width), ("an array", Array([1, 2], offset_width=width), 0)):
            data = encode(value, ["a", "b"]).data
            tables, by = 2 + ids + 3 * width, f", numbers of {width} byte{'s' * (width > 1)}"
            more = {"names": ["a", "b"]} if ids else {}
            fails.append(broken(rule, f"{noun}: the header alone{by}", Raw(data[:1]), 0, 1, 1, "at least 2", **more))
            fails.append(broken(rule, f"{noun}: header and count{by}", Raw(data[:2]), 0, 2, 2, f"at least {tables}", **more))
            fails.append(broken(rule, f"{noun}: the last offset is cut short{by}", Raw(data[:tables - 1]), 0, tables - 1, tables - 1, f"at least {tables}", **more))
            fails.append(broken(rule, f"{noun}: no value{by}", Raw(data[:tables]), 0, tables, tables, str(tables + 4), **more))
            fails.append(broken(rule, f"{noun}: the last value is cut short{by}", Raw(data[:-1]), 0, tables + 3, tables + 3, str(tables + 4), **more))
            fails.append(broken(rule, f"{noun}: a byte too many{by}", Raw(data + b"\0"), tables + 4, 1, tables + 5, str(tables + 4), **more))
            fails.append(broken(rule, f"{noun}: the last offset is 5 of 4 bytes{by}", type(value)(AB if ids else [1, 2], offsets={2: 5}, offset_width=width,
                                **({"id_width": width} if ids else {})), 0, tables + 4, tables + 4, str(tables + 5), **more))
            fails.append(broken(rule, f"{noun}: the count is 200{by}", type(value)(AB if ids else [1, 2], count=200, offset_width=width,
                                **({"id_width": width} if ids else {})), 0, tables + 4, tables + 4, f"at least {2 + 200 * (width if ids else 0) + 201 * width}", **more))
    for noun, make, ids in (("an object", lambda **shape: Object(AB, **shape), 1), ("an array", lambda **shape: Array([1, 2], **shape), 0)):
        more, size = ({"names": ["a", "b"]} if ids else {}), 9 + 2 * ids + 3
        data = encode(make(is_large=True), ["a", "b"]).data
        fails.append(broken(rule, f"{noun}: a count of 4 bytes that is cut short", Raw(data[:4]), 0, 4, 4, "at least 5", **more))
        fails.append(broken(rule, f"{noun}: the largest count", make(is_large=True, count=2**32 - 1), 0, len(data), len(data),
                            f"at least {5 + ids * (2**32 - 1) + 2**32}", **more))
    fails.append(broken(rule, "an array: the last offset is 0, so its value is left over", Array([None], offsets={1: 0}), 4, 1, 5, "4"))
    fails.append(broken(rule, "an empty object without its offset", Raw(b"\x02\0"), 0, 2, 2, "at least 3"))
    fails.append(broken(rule, "an empty array without its offset", Raw(b"\x03\0"), 0, 2, 2, "at least 3"))
    fails.append(broken(rule, "a number that is cut short in an object in an array in an object", {"a": [1, {"b": Raw(encode(70_000).data[:-1])}]},
                        "0.1.0", 4, 4, "5", names=["a", "b"]))
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 0)
    c.ok("each kind of primitive", plain([*SAMPLES.values(), *OTHERS.values()]))
    c.ok("each kind of primitive in an array and in an object", plain([list(SAMPLES.values()) + list(OTHERS.values()), {**SAMPLES, **OTHERS}]))
    c.ok("strings of 0, 1, 63, 64 and 300 bytes, and long ones of 0 and 5", plain([*("x" * size for size in (0, 1, 63, 64, 300)), Tag("string", ""), Tag("string", "hello")]))
    c.ok("binaries of 0 and 1,000 bytes", plain([Tag("binary", b""), Tag("binary", b"\xff" * 1000)]))
    c.ok("the ends of the numbers", plain([Tag(f"int{bits}", end) for bits in (8, 16, 32, 64) for end in (-1 << bits - 1, (1 << bits - 1) - 1)]))
    c.ok("numbers in wider kinds than they need", plain([Tag("int64", 1), Tag("int32", 1), Tag("int16", 1), Tag("decimal16", (1, 0)), Tag("decimal8", (1, 0))]))
    c.ok("floats and doubles that are not finite, and zeros", plain([Tag(kind, number) for kind in ("float", "double")
                                                                  for number in (0.0, -0.0, float("inf"), float("-inf"), float("nan"))]))
    c.ok("dates, times and timestamps at their ends", plain([
        *(Tag("date", day) for day in (0, -719_162, 2_932_896, 2**31 - 1, -2**31)), Tag("time", 0), Tag("time", 86_399_999_999),
        *(Tag(kind, number) for kind in ("timestamp", "timestamp_ntz", "timestamp_nanos", "timestamp_ntz_nanos") for number in (0, -1, 2**63 - 1, -2**63))]))


def fields(c):
    rule = "variant/field-id"
    c.rule(rule)
    fails = [broken(rule, "an id beyond the dictionary", Object(AB, ids={1: 2}), "id1", 1, 2, "less than 2", names=["a", "b"]),
             broken(rule, "an id of an empty dictionary", Object({"a": 1}, ids={0: 0}), "id0", 1, 0, "less than 0", names=[]),
             broken(rule, "in an object in an array", [1, Object({"a": 1}, ids={0: 1})], "1.id0", 1, 1, "less than 1", names=["a"]),
             broken(rule, "in an object in an object", {"a": Object({"b": 1}, ids={0: 9})}, "0.id0", 1, 9, "less than 2", names=["a", "b"]),
             broken(rule, "the first id", Object(AB, ids={0: 255}), "id0", 1, 255, "less than 2", names=["a", "b"])]
    for width in (1, 2, 3, 4):
        fails.append(broken(rule, f"the largest id of {width} byte{'s' * (width > 1)}", Object(AB, ids={1: 256**width - 1}, id_width=width), "id1", width,
                            256**width - 1, "less than 2", names=["a", "b"]))
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 0)
    c.ok("the last id of a dictionary of 256 strings", plain([Pair({"255": 1}, names=[f"{i:03}" for i in range(256)])]))
    c.ok("ids of one to four bytes", plain([Object(AB, id_width=width) for width in (1, 2, 3, 4)]))

    rule = "variant/field-order"
    c.rule(rule)
    fails = [broken(rule, "b before a", Object([("b", 1), ("a", 2)]), "id1", 1, '"a"', 'more than "b"', names=["a", "b"]),
             broken(rule, "by id instead of name", Object([("b", 1), ("a", 2)]), "id1", 1, '"a"', 'more than "b"', names=["b", "a"]),
             broken(rule, "the last of three", Object([("a", 1), ("c", 2), ("b", 3)]), "id2", 1, '"b"', 'more than "c"', names=["a", "b", "c"]),
             broken(rule, "a name again after another one", Object([("a", 1), ("b", 2), ("a", 3)]), "id2", 1, '"a"', 'more than "b"', names=["a", "b"]),
             broken(rule, "small letters before capitals", Object([("a", 1), ("B", 2)]), "id1", 1, '"B"', 'more than "a"', names=["B", "a"]),
             broken(rule, "sorted as signed bytes", Object([("\u00e9", 1), ("a", 2)]), "id1", 1, '"a"', 'more than "\u00e9"', names=["a", "\u00e9"]),
             broken(rule, "sorted as UTF-16", Object([("\U0001f600", 1), ("\uff5e", 2)]), "id1", 1, '"\uff5e"', 'more than "\U0001f600"', names=["\uff5e", "\U0001f600"]),
             broken(rule, "sorted by length", Object([("b", 1), ("aa", 2)]), "id1", 1, '"aa"', 'more than "b"', names=["aa", "b"]),
             broken(rule, "in an object in an array", [Object([("b", 1), ("a", 2)], id_width=3)], "0.id1", 3, '"a"', 'more than "b"', names=["a", "b"])]
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 0)
    c.ok("ids that descend, as the dictionary is not sorted", plain([Pair(AB, names=["b", "a"])]))
    c.ok("values in another order than their fields", plain([Object({"a": 1, "b": "x", "c": None}, order=order) for order in ((2, 1, 0), (1, 2, 0), (0, 2, 1))]))
    c.ok("names in the order of unsigned bytes", plain([{"": 0, "A": 1, "a": 2, "aa": 3, "b": 4, "\u00e9": 5, "\uff5e": 6, "\U0001f600": 7}]))

    rule = "variant/field-unique"
    c.rule(rule)
    fails = [broken(rule, "a field twice", Object([("a", 1), ("a", 2)]), "id1", 1, '"a"', "a name of its own", names=["a"]),
             broken(rule, "a name twice by two ids", Object([("a", 1), ("a", 2)], ids={1: 1}), "id1", 1, '"a"', "a name of its own", names=["a", "a"]),
             broken(rule, "the last of three", Object([("a", 1), ("b", 2), ("b", 2)], id_width=2), "id2", 2, '"b"', "a name of its own", names=["a", "b"]),
             broken(rule, "in an object in an object", {"a": Object([("b", 1), ("b", 2)])}, "0.id1", 1, '"b"', "a name of its own", names=["a", "b"]),
             broken(rule, "the empty name twice", Object([("", 1), ("", 2)]), "id1", 1, '""', "a name of its own", names=[""])]
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 0)
    c.ok("a name in an object and in one that it holds", plain([{"a": {"a": {"a": 1}}}]))
    c.ok("names that differ in case alone", plain([{"A": 1, "a": 2}]))
    c.ok("a string twice in the dictionary", plain([Pair({"a": 1}, names=["a", "a"]), Pair(Object({"a": 1}, ids={0: 1}), names=["a", "a"])]))


def offsets(c):
    rule = "variant/offsets"
    c.rule(rule)
    fails = [broken(rule, "an offset after the values", Array([1, 2], offsets={1: 9}), "offset1", 1, 9, "less than 4"),
             broken(rule, "an offset at the end of the values", Array([1, 2], offsets={1: 4}), "offset1", 1, 4, "less than 4"),
             broken(rule, "the first offset is that of the end", Array([1, 2], offsets={0: 4}), "offset0", 1, 4, "less than 4"),
             # The second value would be the byte 01 of the first, an empty short string.
             broken(rule, "an offset inside another value", Array([1, 2, 3], offsets={1: 1}), "offset1", 1, 1, "2"),
             broken(rule, "a byte after the last value", Array([1, 2], gaps={-1: b"\0"}), "offset2", 1, 5, "4"),
             broken(rule, "in an object", Object(AB, offsets={1: 7}), "offset1", 1, 7, "less than 4", names=["a", "b"]),
             broken(rule, "an object: a byte after the last value", Object(AB, gaps={-1: b"\0"}), "offset2", 1, 5, "4", names=["a", "b"]),
             broken(rule, "an empty array of one byte", Array([], gaps={-1: b"\0"}), "offset0", 1, 1, "0"),
             broken(rule, "an empty object of one byte", Object([], gaps={-1: b"\0"}), "offset0", 1, 1, "0"),
             broken(rule, "in an array in an object", {"a": Array([1, 2], offsets={0: 4})}, "0.offset0", 1, 4, "less than 4", names=["a"])]
    for width in (1, 2, 3, 4):
        by = f"of {width} byte{'s' * (width > 1)}"
        fails.append(broken(rule, f"the largest offset {by}", Array([1, 2], offsets={1: 256**width - 1}, offset_width=width), "offset1", width,
                            256**width - 1, "less than 4"))
        fails.append(broken(rule, f"an object: the largest offset {by}", Object(AB, offsets={0: 256**width - 1}, offset_width=width), "offset0", width,
                            256**width - 1, "less than 4", names=["a", "b"]))
    fails += [broken(rule, "the offset of another element, so that a value has none", Array([Tag("int16", 1), 2], shared={1: 0}), "offset1", 1, 0, "3"),
              broken(rule, "an object: the offset of another field, so that a value has none", Object({"a": Tag("int16", 1), "b": 2}, shared={1: 0}),
                     "offset1", 1, 0, "3", names=["a", "b"])]
    for index, fault in enumerate(fails):
        fail(c, fault, everywhere=index == 0)
    c.ok("offsets of one to four bytes", plain([kind(AB if kind is Object else [1, 2], offset_width=width) for width in (1, 2, 3, 4) for kind in (Object, Array)]))
    c.ok("offsets of an array that descend", plain([Array([1, "x", None], order=(2, 1, 0))]))
    c.ok("values of 255, 256, 65,535 and 65,536 bytes in an array", plain([["x" * (size - 5)] for size in (255, 256, 65_535, 65_536)]))

    rule = "variant/value-area"
    c.rule(rule)
    fails = [broken(rule, "a byte between two values", Array([1, 2], gaps={1: b"\0"}), "offset1", 1, 3, "2"),
             broken(rule, "a byte before the first value", Array([1, 2], gaps={0: b"\0"}), "offset0", 1, 1, "0"),
             broken(rule, "an object: four bytes between two values", Object(AB, gaps={1: b"\0\0\0\0"}), "offset1", 1, 6, "2", names=["a", "b"]),
             broken(rule, "an object: values in another order, a byte between them", Object(AB, order=(1, 0), gaps={1: b"\0"}), "offset0", 1, 3, "2", names=["a", "b"]),
             broken(rule, "two elements at one offset", Array([1, 1], order=(0,), shared={1: 0}), "offset1", 1, 0, "2"),
             broken(rule, "two fields at one offset", Object({"a": 1, "b": 1}, order=(0,), shared={1: 0}), "offset1", 1, 0, "2", names=["a", "b"]),
             broken(rule, "in an array in an array", [Array([1, 2], gaps={1: b"\0"})], "0.offset1", 1, 3, "2")]
    for index, fault in enumerate(fails):
        fail(c, fault, readable=True, everywhere=index == 0)
    c.ok("values one after the other, in any order", plain([Array([1, "x"], order=(1, 0)), Object(AB, order=(1, 0)), [1, "x"], AB]))
    c.ok("two equal values, each in its own bytes", plain([[1, 1], {"a": 1, "b": 1}]))


def decimals(c):
    rule = "variant/decimal"
    c.rule(rule)
    fails = []
    for kind, digits in DIGITS.items():
        fails.append(broken(rule, f"{kind}: {digits + 1} digits", Tag(kind, (10**digits, 2)), 2, variant.SIZES[kind] - 1,
                            "1" + "0" * (digits - 2) + ".00", f"at most {digits} digits"))
        fails.append(broken(rule, f"{kind}: {digits + 1} digits below zero", Tag(kind, (-10**digits, 0)), 2, variant.SIZES[kind] - 1, "-1" + "0" * digits,
                            f"at most {digits} digits"))
        for scale in (39, 128, 255):
            fails.append(broken(rule, f"{kind}: a scale of {scale}", Tag(kind, (1, scale)), 1, 1, scale, "0 to 38"))
        fails.append(broken(rule, f"{kind}: in an array", in_array(Tag(kind, (1, 39))), "1", 1, 39, "0 to 38", plus=1))
        fails.append(broken(rule, f"{kind}: in an object", {"a": Tag(kind, (10**digits, 0))}, "0", variant.SIZES[kind] - 1, "1" + "0" * digits,
                            f"at most {digits} digits", plus=2))
    largest = {"decimal4": 2**31 - 1, "decimal8": 2**63 - 1, "decimal16": 2**127 - 1}
    for kind, number in largest.items():
        fails.append(broken(rule, f"{kind}: the largest number of its bytes", Tag(kind, (number, 0)), 2, variant.SIZES[kind] - 1, number, f"at most {DIGITS[kind]} digits"))
        fails.append(broken(rule, f"{kind}: the smallest number of its bytes", Tag(kind, (~number, 0)), 2, variant.SIZES[kind] - 1, ~number, f"at most {DIGITS[kind]} digits"))
    for index, fault in enumerate(fails):
        fail(c, fault, readable=True, everywhere=index == 0)
    c.ok("the ends of each kind, with scales of 0 to 38", plain([Tag(kind, (sign * (10**digits - 1), scale)) for kind, digits in DIGITS.items()
                                                                for sign in (1, -1) for scale in (0, 1, digits, 38)]))
    c.ok("few digits in a wide kind", plain([Tag("decimal16", (1, 0)), Tag("decimal8", (-1, 2)), Tag("decimal4", (0, 38))]))


def texts(c):
    rule = "variant/utf8"
    c.rule(rule)
    fails = []
    for about, data, found in (("a byte that no text has", b"ab\xff", "0xff at byte 2 of the value"), ("a text that is cut off", b"\xe2\x82", "0xe2 at byte 0 of the value"),
                               ("half of a surrogate pair", b"\xed\xa0\x80", "0xed at byte 0 of the value"), ("an overlong form", b"\xc0\x80", "0xc0 at byte 0 of the value"),
                               ("a code point above U+10FFFF", b"\xf4\x90\x80\x80", "0xf4 at byte 0 of the value")):
        fails.append(broken(rule, about, text(data), "text", len(data), found, "UTF-8"))
        fails.append(broken(rule, f"a long string: {about}", text(data, True), "text", len(data), found, "UTF-8"))
    fails.append(broken(rule, "in an array", in_array(text(b"\x80")), "1.text", 1, "0x80 at byte 0 of the value", "UTF-8"))
    fails.append(broken(rule, "in an object", {"a": text(b"x\x80", True)}, "0.text", 2, "0x80 at byte 1 of the value", "UTF-8", names=["a"]))
    fails.append(broken(rule, "the last of 64 bytes", text(b"x" * 63 + b"\xc3"), "text", 64, "0xc3 at byte 63 of the value", "UTF-8"))
    for index, fault in enumerate(fails):
        fail(c, fault, readable=True, everywhere=index == 0)
    c.ok("characters of one to four bytes", plain(["a\u00e9\u20ac\U0001f600\0\U0010ffff", Tag("string", "\u00e9"), ["\u20ac"]]))
    c.ok("the same bytes as binary", plain([Tag("binary", b"\xff\xc0\x80")]))


def times(c):
    rule = "variant/time-range"
    c.rule(rule)
    for index, number in enumerate((86_400_000_000, -1, 2**63 - 1, -2**63)):
        fail(c, broken(rule, f"{number} microseconds", Tag("time", number), "data", 8, number, "0 to 86399999999"), readable=True, everywhere=index == 0)
    fail(c, broken(rule, "in an array", in_array(Tag("time", -1)), "1.data", 8, -1, "0 to 86399999999"), readable=True)
    fail(c, broken(rule, "in an object", {"a": Tag("time", 86_400_000_000)}, "0.data", 8, 86_400_000_000, "0 to 86399999999"), readable=True)
    c.ok("midnight and the last microsecond before the next", plain([Tag("time", 0), Tag("time", 86_399_999_999)]))
    c.ok("such numbers in other kinds", plain([Tag("timestamp", 86_400_000_000), Tag("int64", -1)]))


def shapes(c):
    rule = "variant/reserved-bits"
    c.rule(rule)
    fails = [broken(rule, "bit 5 of an object", Object({"a": 1}, reserved=1), 0, 1, 0x82, "2", names=["a"]),
             *(broken(rule, f"the bits {bits:03b} of an array", Array([1], reserved=bits), 0, 1, 3 | bits << 5, "3") for bits in (1, 2, 4, 7)),
             broken(rule, "an empty array", Array([], reserved=4), 0, 1, 0x83, "3"),
             broken(rule, "in an array", [Object({}, reserved=1)], "0", 1, 0x82, "2"),
             Fault(rule, "bit 5 of the metadata", Pair({"a": 1}, reserved=1), "metadata", 0, 1, 0x31, "17"),
             Fault(rule, "bit 5 of an empty metadata", Pair(1, reserved=1, is_sorted=False), "metadata", 0, 1, 0x21, "1")]
    for index, fault in enumerate(fails):
        fail(c, fault, readable=True, everywhere=index in (0, 7))
    ok(c, "no such bit", plain([{"a": [1]}, []]))

    rule = "variant/wide"
    c.rule(rule)
    fails = []
    for width in (2, 3, 4):
        fails.append(broken(rule, f"offsets of {width} bytes in an array", Array([1], offset_width=width), 0, 1, 3 | width - 1 << 2, "3"))
        fails.append(broken(rule, f"offsets of {width} bytes in an object", Object({"a": 1}, offset_width=width), 0, 1, 2 | width - 1 << 2, "2", names=["a"]))
        fails.append(broken(rule, f"ids of {width} bytes", Object({"a": 1}, id_width=width), 0, 1, 2 | width - 1 << 4, "2", names=["a"]))
        fails.append(Fault(rule, f"metadata of {width} bytes", Pair({"a": 1}, width=width), "metadata", 0, 1, 0x11 | width - 1 << 6, "17"))
        fails.append(Fault(rule, f"an empty metadata of {width} bytes", Pair(1, width=width), "metadata", 0, 1, 1 | width - 1 << 6, "1"))
    fails += [broken(rule, "is_large in an array of one element", Array([1], is_large=True), 0, 1, 0x13, "3"),
              broken(rule, "is_large in an empty object", Object({}, is_large=True), 0, 1, 0x42, "2"),
              broken(rule, "is_large in an array of 255 elements", Array([None] * 255, is_large=True), 0, 1, 0x13, "3"),
              broken(rule, "all widths", Object({"a": 1}, id_width=4, offset_width=4, is_large=True), 0, 1, 0x7E, "2", names=["a"]),
              broken(rule, "in an array", [Array([1], offset_width=2)], "0", 1, 7, "3"),
              broken(rule, "offsets of 3 bytes for 256 bytes of values", Array(["x" * 251], offset_width=3), 0, 1, 0x0B, "7")]
    for index, fault in enumerate(fails):
        fail(c, fault, readable=True, everywhere=index in (0, 3))
    ok(c, "the smallest widths", plain([{"a": [1]}, [], {}, [None] * 255, [None] * 256, ["x" * 250], ["x" * 251], {f"{i:03}": i for i in range(300)}]))
    ok(c, "the smallest widths of a metadata of 256 strings, and of strings of 300 bytes", plain([{f"{i:03}": i for i in range(256)}, {"x" * 300: 1}]))
    ok(c, "wide numbers and long strings, which are other kinds", plain([Tag("int64", 1), Tag("string", "x")]))


def nest(depth, value=1):
    """Arrays in each other, so that the value is at this depth."""
    data = encode(value).data
    for _ in range(depth - 1):
        width = variant.width_of(len(data))
        data = bytes([3 | width - 1 << 2, 1]) + bytes(width) + len(data).to_bytes(width, "little") + data
    return Raw(data)


def depth(c):
    c.rule("variant/depth", found="1001", expected="1000")
    for about, value, deep in (("1,001 values in each other", 1, nest(1001)), ("1,002, the last two without a finding of their own", 1, nest(1002))):
        pair = Pair(deep)
        at = pair.value.data
        _, notes, _ = variant.judge([], at)
        assert [note.key()[0] for note in notes] == ["variant/depth"], notes
        place = Body((0, 1, 0), "values.value1", plus=4 + notes[0].offset).with_values(length=1)
        c.fail(about, plain([{"a": 1}, pair]), place, rows=None)
    c.ok("1,000 values in each other", plain([Pair(nest(1000))]))
    c.ok("100 values in each other", plain([Pair(nest(100))]))


def legal(c):
    row = lambda value: Pair(value).row()
    c.rule("legal/variant-repetition")
    c.ok("a required VARIANT", plain([1, {"a": 1}, None], node=variant_node(make=required)))
    c.ok("a repeated VARIANT", File([variant_node(make=repeated)], [{"v": [row(1), row({"a": "x"})]}, {"v": []}, {"v": [row(None)]}]),
         Also("schema/bare-repeated", V("schema[1].repetition_type"), "a repeated field outside of a LIST or MAP"))
    c.ok("a VARIANT in a LIST", File([list_of("l", variant_node())], [{"l": {"list": [{"v": row(1)}, {"v": None}, {"v": row(None)}]}}, {"l": None},
                                                                       {"l": {"list": []}}]))
    entries = optional("m", [repeated("key_value", [required("key", INT32), variant_node("value")])], converted_type=MAP, logicalType={"MAP": {}})
    c.ok("VARIANTs as the values of a MAP", File([entries], [{"m": {"key_value": [{"key": 1, "value": row([1])}, {"key": 2, "value": None}]}}]))
    c.rule("legal/variant-field-order")
    swapped = optional("v", [required("value", BYTE_ARRAY), required("metadata", BYTE_ARRAY)], **variant_node().attributes)
    c.ok("value before metadata: fields are found by name", plain([1, {"a": [True, "x"]}], node=swapped))
