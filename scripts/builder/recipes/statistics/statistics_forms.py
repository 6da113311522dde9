"""The fields of Statistics that are required, forbidden or discouraged, regardless of the values (parquet.thrift, Statistics)."""

import struct

from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import chunk, column
from builder.recipes.statistics.statistics import AT, IEEE, NAN, coded, stated

TEXT = {"logicalType": {"STRING": {}}, "converted_type": 0}
UINT_32 = {"logicalType": {"INTEGER": {"bitWidth": 32, "isSigned": False}}, "converted_type": 13}
HALF = {"type_length": 2, "logicalType": {"FLOAT16": {}}}
OLD_TYPE = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated in every order")


def at(name):
    return V(f"{AT}.{name}")


def half(value):
    return struct.pack("<e", value)


def witnesses(c):
    presence(c)
    legality(c)
    distinct(c)
    nothing_to_bound(c)
    orders(c)
    comparators(c)
    deprecated(c)
    floats(c)


def presence(c):
    node, items = required("a", INT32), [1, 2, 3]
    both = {"min_value": 1, "max_value": 3}
    c.rule("statistics/null-count-present")
    c.fail("null_count is not stated", stated(node, items, {**both, "null_count": None}), V(AT))
    c.fail("null_count of a column with nulls is not stated", stated(optional("o", INT32), [None, 2, 3], {"min_value": 2, "max_value": 3, "null_count": None}), V(AT))
    c.ok("null_count is 0", stated(node, items, both))

    c.rule("statistics/pair")
    c.fail("min_value is present alone", stated(node, items, {"min_value": 1}), at("min_value"))
    c.fail("max_value is present alone", stated(node, items, {"max_value": 3}), at("max_value"))
    c.ok("both bounds are present", stated(node, items, both))
    c.ok("no bound is present", stated(node, items, {}))

    c.rule("statistics/exact-without-bound")
    for name in ("max_value", "min_value"):
        c.fail(f"there is a flag for {name}, which is absent", stated(node, items, {f"is_{name}_exact": True}), at(f"is_{name}_exact"))
        c.fail(f"there is a false flag for {name}, which is absent", stated(node, items, {f"is_{name}_exact": False}), at(f"is_{name}_exact"))
    c.ok("flags and bounds are present", stated(node, items, {**both, "is_min_value_exact": True, "is_max_value_exact": True}))

    c.rule("statistics/exact-false")
    for name, changed in (("min_value", 0), ("max_value", 4)):
        flag = f"is_{name}_exact"
        for about, pages in (("PLAIN", (V1(),)), ("a dictionary", coded(items))):
            c.fail(f"{name} is a value of {about}, and is flagged inexact", stated(node, items, {**both, flag: False}, *pages), at(flag))
            c.ok(f"{name} is no value of {about}, and is flagged inexact", stated(node, items, {**both, name: changed, flag: False}, *pages))
    c.ok("a bound that occurs only in the dictionary is flagged inexact",
         stated(node, items[1:], {**both, "is_min_value_exact": False}, *coded(items)))

    c.rule("statistics/bound-size")
    long = b"x" * 1025
    word = required("s", BYTE_ARRAY)
    for name, sibling in (("min_value", {"max_value": b"y"}), ("max_value", {"min_value": b"w"})):
        c.fail(f"{name} has 1,025 bytes", stated(word, [long], {**sibling, name: long}), at(name))
        c.ok(f"{name} has 1,024 bytes", stated(word, [long[1:]], {**sibling, name: long[1:]}))

    c.rule("statistics/boolean-bound")
    flag = required("b", BOOLEAN)
    for name, byte in (("min_value", b"\2"), ("max_value", b"\xff")):
        values = [False, True]
        bounds = {"min_value": b"\0", "max_value": b"\1"}
        c.fail(f"the byte of {name} is {byte[0]}", stated(flag, values, {**bounds, name: byte}), at(name))
    c.fail("the byte of the deprecated max is 3", stated(flag, [True], {"max": b"\3"}), at("max"))
    c.ok("false is 0, and true is 1", stated(flag, [False, True], {"min_value": b"\0", "max_value": b"\1"}))


def legality(c):
    c.rule("statistics/bound-value")
    text = required("s", BYTE_ARRAY, **TEXT)
    words = [b"caf\xc3\xa9", b"cof"]
    c.fail("min_value of text ends inside a character", stated(text, words, {"min_value": b"caf\xc3", "max_value": b"cof"}), at("min_value"),
           expected="well-formed UTF-8")
    c.fail("max_value of text is a byte that no character has", stated(text, words, {"min_value": b"caf", "max_value": b"\xff"}, *coded(words)),
           at("max_value"), expected="well-formed UTF-8")
    c.ok("bounds of text are cut between characters", stated(text, words, {"min_value": b"caf", "max_value": b"cog"}))
    c.ok("bounds of bytes end anywhere", stated(required("s", BYTE_ARRAY), words, {"min_value": b"caf\xc3", "max_value": b"\xff"}))
    small = lambda bits, signed, converted: required("a", INT32, converted_type=converted, logicalType={"INTEGER": {"bitWidth": bits, "isSigned": signed}})
    for about, node, low, high, range_ in (("INT(8, signed)", small(8, True, 15), -129, 128, "-128 to 127"),
                                            ("INT(16, signed)", small(16, True, 16), -32769, 32768, "-32768 to 32767"),
                                            ("INT(8, unsigned)", small(8, False, 11), None, 256, "0 to 255"),
                                            ("INT(16, unsigned)", small(16, False, 12), None, 65536, "0 to 65535")):
        if low is not None:
            c.fail(f"min_value of {about} is {low}", stated(node, [1, 2], {"min_value": low, "max_value": 2}), at("min_value"), expected=range_)
            c.ok(f"min_value of {about} is {low + 1}", stated(node, [1, 2], {"min_value": low + 1, "max_value": 2}))
        c.fail(f"max_value of {about} is {high}", stated(node, [1, 2], {"min_value": 1, "max_value": high}), at("max_value"), expected=range_)
        c.ok(f"max_value of {about} is {high - 1}", stated(node, [1, 2], {"min_value": 1, "max_value": high - 1}))
    def digits(count):
        return {"logicalType": {"DECIMAL": {"scale": 0, "precision": count}}, "converted_type": 5, "precision": count, "scale": 0}

    decimal = digits(2)
    for about, node, items, low, high, beyond in (
            ("INT32", required("a", INT32, **decimal), [1, 2], 1, 99, 100),
            ("BYTE_ARRAY", required("a", BYTE_ARRAY, **decimal), [b"\1", b"\2"], b"\1", b"\x63", b"\x64"),
            ("FIXED_LEN_BYTE_ARRAY", required("a", FIXED_LEN_BYTE_ARRAY, type_length=1, **decimal), [b"\1", b"\2"], b"\1", b"\x63", b"\x64")):
        c.fail(f"max_value of a DECIMAL of two digits in {about} is 100", stated(node, items, {"min_value": low, "max_value": beyond}), at("max_value"),
               expected="at most 2 digits")
        c.ok(f"max_value of a DECIMAL of two digits in {about} is 99", stated(node, items, {"min_value": low, "max_value": high}))
    wide = required("a", INT64, **digits(10))
    c.fail("max_value of a DECIMAL of ten digits in INT64 is 10^10", stated(wide, [1, 2], {"min_value": 1, "max_value": 10**10}), at("max_value"),
           expected="at most 10 digits")
    c.ok("max_value of a DECIMAL of ten digits in INT64 is 10^10 - 1", stated(wide, [1, 2], {"min_value": 1, "max_value": 10**10 - 1}))

    c.rule("statistics/bound-document", expected="a whole document")
    for about, kind, converted, items, cut, beyond in (
            ("JSON", "JSON", 19, [b'{"a": "{1"}', b'{"b": 2}'], b'{"a": "{1"', b'{"c'),
            ("BSON", "BSON", 20, [b"\5\0\0\0\0", b"\x0c\0\0\0\x10a\0\1\0\0\0\0"], b"\5\0\0\0", b"\x0d")):
        node = required("j", BYTE_ARRAY, converted_type=converted, logicalType={kind: {}})
        c.fail(f"min_value of {about} is shortened", stated(node, items, {"min_value": cut, "max_value": items[1]}), at("min_value"), found="0x" + cut.hex())
        c.fail(f"max_value of {about} is shortened", stated(node, items, {"min_value": items[0], "max_value": beyond}), at("max_value"), found="0x" + beyond.hex())
        c.fail(f"both bounds of {about} are shortened", stated(node, items, {"min_value": cut, "max_value": beyond}), V(AT + ".max_value", times=2),
               found="0x" + beyond.hex())
        c.ok(f"bounds of {about} are complete documents", stated(node, items, {"min_value": items[0], "max_value": items[1]}))


def distinct(c):
    c.rule("statistics/distinct-count")
    node, where = required("a", INT32), at("distinct_count")
    items = [1, 2, 2, 3]
    for about, pages in (("PLAIN", (V1(),)), ("two pages", (V1(2), V2())), ("a dictionary", coded([1, 2, 3])),
                         ("a dictionary and a PLAIN page", (Dictionary([1, 2]), V1(2, RLE_DICTIONARY), V1()))):
        for count in (2, 4):
            c.fail(f"distinct_count is {count} where {about} has three values", stated(node, items, {"distinct_count": count}, *pages), where)
        c.ok(f"distinct_count is 3 where {about} has three values", stated(node, items, {"distinct_count": 3}, *pages))
    c.fail("distinct_count counts an entry that no value refers to", stated(node, [1, 2, 2], {"distinct_count": 3}, *coded([1, 2, 3])), where)
    c.fail("distinct_count of byte arrays", stated(required("s", BYTE_ARRAY), [b"a", b"b", b"a"], {"distinct_count": 3}), where)
    c.fail("distinct_count is 0 and there are values", stated(node, [1, 2], {"distinct_count": 0}), where)
    zeros = required("d", DOUBLE)
    for count in (0, 3):
        c.fail(f"distinct_count of zeros of both signs is {count}", stated(zeros, [0.0, -0.0, 0.0], {"distinct_count": count}), where)
    for count in (1, 2):
        c.ok(f"distinct_count of zeros of both signs is {count}", stated(zeros, [0.0, -0.0, 0.0], {"distinct_count": count}))
    for count in (1, 2):
        c.ok(f"distinct_count of NaN and a number is {count}", stated(zeros, [NAN, 1.0], {"distinct_count": count}))
    decimal = {"logicalType": {"DECIMAL": {"scale": 0, "precision": 4}}, "converted_type": 5, "precision": 4, "scale": 0}
    number = required("a", BYTE_ARRAY, **decimal)
    for count in (1, 2):
        c.ok(f"distinct_count of a decimal in one byte and in two is {count}", stated(number, [b"\1", b"\0\1"], {"distinct_count": count}),
             Also("logical-type/decimal-bytes-minimal", Body((0, 0, 0), "values.value1", plus=4), "one of two equal numbers takes more bytes"))

    c.rule("statistics/distinct-count-null")
    c.fail("distinct_count counts null as a value", stated(optional("o", INT32), [1, None, 2], {"distinct_count": 3}), where)
    c.fail("distinct_count counts null, the values are in a dictionary", stated(optional("o", INT32), [1, None, 2], {"distinct_count": 3}, *coded([1, 2])), where)
    c.ok("distinct_count leaves null out", stated(optional("o", INT32), [1, None, 2], {"distinct_count": 2}))


def nothing_to_bound(c):
    c.rule("statistics/all-null-bounds")
    node = optional("o", INT32)
    for name in ("min", "max"):
        c.fail(f"{name} where all is null", stated(node, [None, None], {name: 1}, column_orders=None), at(name))
    c.fail("both bounds where all is null", stated(node, [None, None], {"min_value": 1, "max_value": 2}),
           V(AT + ".max_value", times=2))
    c.fail("both bounds where all of two pages is null", stated(node, [None] * 3, {"min_value": 1, "max_value": 2}, V1(1), V2()),
           V(AT + ".max_value", times=2))
    c.ok("no bound where all is null", stated(node, [None, None], {}))
    c.ok("bounds of the one value", stated(node, [None, 1], {"min_value": 1, "max_value": 1}))

    c.rule("statistics/all-nan-bounds")
    real = required("d", DOUBLE)
    for about, pages in (("PLAIN", (V1(),)), ("a dictionary", coded([NAN]))):
        c.fail(f"numbers bound a chunk of NaNs, {about}", stated(real, [NAN, NAN], {"min_value": 1.0, "max_value": 2.0}, *pages),
               V(AT + ".max_value", times=2))
    c.fail("numbers bound NaNs and null", stated(optional("f", FLOAT), [NAN, None], {"min_value": 1.0, "max_value": 2.0}),
           V(AT + ".max_value", times=2))
    c.ok("NaNs without bounds", stated(real, [NAN, NAN], {}))
    c.ok("bounds of the numbers leave NaN out", stated(real, [NAN, 1.0], {"min_value": 1.0, "max_value": 1.0}))


def orders(c):
    c.rule("statistics/undefined-order")
    interval = required("i", FIXED_LEN_BYTE_ARRAY, type_length=12, converted_type=21)
    item = struct.pack("<3I", 1, 2, 3)
    for pair in (("max", "min"), ("max_value", "min_value")):
        c.fail(f"{pair[1]} and {pair[0]} of INTERVAL", stated(interval, [item], {name: item for name in pair}),
               V(f"{AT}.{pair[0]}", times=2))
    c.ok("INTERVAL without bounds", stated(interval, [item], {}))

    c.rule("statistics/int96-order")
    moment = required("t", INT96)
    days = [bytes(8) + b"\x01\0\0\0", bytes(8) + b"\x02\0\0\0"]
    bounds = {"min_value": days[0], "max_value": days[1]}
    c.fail("bounds of INT96 under the type-defined order", stated(moment, days, bounds), V(AT + ".max_value", times=2), OLD_TYPE)
    c.fail("deprecated bounds of INT96", stated(moment, days, {"min": days[0], "max": days[1]}, column_orders=None), V(AT + ".max", times=2), OLD_TYPE)
    c.ok("bounds of INT96 in its own order", stated(moment, days, bounds, column_orders=[{"INT96_TIMESTAMP_ORDER": {}}]), OLD_TYPE)
    c.ok("INT96 without bounds", stated(moment, days, {}), OLD_TYPE)


def comparators(c):
    """Correct bounds that require the right order."""
    c.rule("statistics/min-value")
    moment = required("t", INT96)
    day = lambda number, nanos: struct.pack("<qi", nanos, number)
    beyond = 86_400 * 10**9
    times = [day(-1, 5), day(0, -1), day(0, 2), day(0, beyond + 1), day(1, 0)]
    c.ok("INT96 of a day before the first, of one day, with nanoseconds below and beyond it",
         stated(moment, times[2:] + times[:2], {"min_value": times[0], "max_value": times[-1]}, column_orders=[{"INT96_TIMESTAMP_ORDER": {}}]), OLD_TYPE,
         Also("plain/int96-nanos", Body((0, 0, 0), "values.value1", times=2).with_values("86400000000001"), "the order compares them as stored"))
    for about, node, form in (("DOUBLE", required("d", DOUBLE), "<d"), ("FLOAT", required("f", FLOAT), "<f"),
                              ("FLOAT16", required("h", FIXED_LEN_BYTE_ARRAY, **HALF), "<e")):
        wide = struct.calcsize(form)
        ones = (1 << 8 * wide) - 1
        quiet = {2: 0x7E00, 4: 0x7FC00000, 8: 0x7FF8 << 48}[wide]
        bits = lambda number: number.to_bytes(wide, "little")
        value = lambda data: data if wide == 2 else struct.unpack(form, data)[0]
        numbers = [struct.pack(form, number) for number in (float("-inf"), -1.5, -0.0, 0.0, 1.5, float("inf"))]
        nans_ = [bits(ones), bits(quiet | 1 << 8 * wide - 1), bits(quiet), bits(quiet + 1)]
        count = {"nan_count": 4}
        plain_page = lambda items: V1(values=b"".join(items))
        for kind, items, low, high in (("numbers, and NaNs of both signs", numbers + nans_, numbers[0], numbers[-1]),
                                       ("zeros of both signs, and NaNs", numbers[2:4] + nans_, numbers[2], numbers[3]),
                                       ("NaNs alone, of several payloads", nans_, nans_[0], nans_[3])):
            c.ok(f"{kind}, of {about} under the total order",
                 stated(node, [value(item) for item in items], {"min_value": low, "max_value": high, **count}, plain_page(items), column_orders=IEEE))


def deprecated(c):
    c.rule("statistics/legacy-order")
    new = {"min_value": b"a", "max_value": b"b"}
    text = required("s", BYTE_ARRAY, **TEXT)
    c.fail("deprecated bounds of text", stated(text, [b"a", b"b"], {"min": b"a", "max": b"b"}, column_orders=None), V(AT + ".max", times=2))
    c.fail("deprecated bounds of text in addition to the new ones", stated(text, [b"a", b"b"], {"min": b"a", "max": b"b", **new}), V(AT + ".max", times=2))
    c.fail("a deprecated bound of unsigned integers", stated(required("a", INT32, **UINT_32), [1, 2], {"max": 2}, column_orders=None), at("max"))
    signed = {"min": b"\xc3\xa9", "max": b"a", "null_count": 0}
    c.fail("deprecated bounds of text by signed bytes, from a writer that is known for it",
           column(text, [b"a", b"\xc3\xa9"], chunk(meta={"statistics": signed}), footer={"created_by": "parquet-mr version 1.7.0 (build 8f4d2e1)"}),
           V(AT + ".max", times=2))
    identity = required("u", FIXED_LEN_BYTE_ARRAY, type_length=16, logicalType={"UUID": {}})
    c.fail("a deprecated bound of UUID", stated(identity, [bytes(16)], {"min": bytes(16)}, column_orders=None), at("min"))
    c.ok("deprecated bounds of signed integers", stated(required("a", INT32), [1, 2], {"min": 1, "max": 2}, column_orders=None))
    c.ok("new bounds of text", stated(text, [b"a", b"b"], new))

    c.rule("statistics/legacy-equals-new")
    node, items = required("a", INT64), [1, 2, 3]
    same = {"min": 1, "max": 3, "min_value": 1, "max_value": 3}
    for name, changed in (("min", 0), ("max", 4), ("min_value", 0), ("max_value", 4)):
        c.fail(f"{name} is wider than the bound of the other pair", stated(node, items, {**same, name: changed}), at(name))
    c.ok("both pairs are the same", stated(node, items, same))
    c.ok("both pairs of zeros are the same number", stated(required("d", DOUBLE), [0.0], {"min": 0.0, "max": 0.0, "min_value": -0.0, "max_value": 0.0}))
    c.rule("statistics/min-exact")
    c.fail("a bound that is flagged exact is wider than the deprecated one", stated(node, items, {**same, "min_value": 0, "is_min_value_exact": True}),
           at("min_value"))


def floats(c):
    kinds = (("DOUBLE", required("d", DOUBLE), [1.0, 2.0]), ("FLOAT", required("f", FLOAT), [1.0, 2.0]),
             ("FLOAT16", required("h", FIXED_LEN_BYTE_ARRAY, **HALF), [half(1.0), half(2.0)]))
    for rule, orders_ in (("nan-count-present", IEEE), ("nan-count-undated", True)):
        c.rule(f"statistics/{rule}")
        for about, node, items in kinds:
            bounds = {"min_value": items[0], "max_value": items[1]}
            c.fail(f"nan_count of {about} is not stated", stated(node, items, {**bounds, "nan_count": None}, column_orders=orders_), V(AT))
            c.ok(f"nan_count of {about} is 0", stated(node, items, bounds, column_orders=orders_))
        c.fail("nan_count is not stated, and there is a NaN",
               stated(kinds[0][1], [1.0, NAN], {"min_value": 1.0, "max_value": 1.0, "nan_count": None}, column_orders=orders_), V(AT))
    c.ok("without column orders nan_count is not required", stated(kinds[0][1], kinds[0][2], {}, column_orders=None))

    c.rule("statistics/bound-attained")
    for about, node, items in (("DOUBLE", required("d", DOUBLE), [1.5, 2.5, NAN]), ("FLOAT", required("f", FLOAT), [1.5, 2.5, NAN]),
                               ("FLOAT16", kinds[2][1], [half(1.5), half(2.5), half(NAN)])):
        value = (lambda number: half(number)) if about == "FLOAT16" else float
        correct = {"min_value": items[0], "max_value": items[1]}
        c.fail(f"min_value of {about} is rounded down under the total order", stated(node, items, {**correct, "min_value": value(1)}, column_orders=IEEE),
               at("min_value"))
        c.fail(f"max_value of {about} is rounded up under the total order, and is flagged inexact",
               stated(node, items, {**correct, "max_value": value(3), "is_max_value_exact": False}, column_orders=IEEE), at("max_value"),
               expected="2.5")
        c.ok(f"bounds of {about} are numbers of the chunk under the total order", stated(node, items, correct, column_orders=IEEE))
        c.ok(f"rounded bounds of {about} under the type-defined order", stated(node, items, {"min_value": value(1), "max_value": value(3)}))
    c.fail("both bounds are infinite under the total order", stated(required("d", DOUBLE), [-1.0, 2.0], {"min_value": float("-inf"), "max_value": float("inf")}, column_orders=IEEE),
           V(AT + ".max_value", times=2), found="Infinity")
    quiet = struct.pack("<Q", 0x7FF8 << 48)
    c.fail("NaNs are bounded by one that does not occur under the total order",
           stated(required("d", DOUBLE), [NAN], {"min_value": quiet, "max_value": struct.pack("<Q", 0x7FFF << 48), "nan_count": 1}, column_orders=IEEE),
           at("max_value"), found="NaN, byte 6 is 255", expected="NaN, byte 6 is 248")
    c.ok("zeros bound zeros of their own sign under the total order",
         stated(required("d", DOUBLE), [0.0], {"min_value": 0.0, "max_value": 0.0}, column_orders=IEEE))
    stamp = lambda days: struct.pack("<qi", 0, days)
    c.ok("timestamps of INT96 are bounded by others", stated(required("t", INT96), [stamp(2440589)], {"min_value": stamp(2440588), "max_value": stamp(2440590)},
                                                             column_orders=[{"INT96_TIMESTAMP_ORDER": {}}]),
         Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated in every order"))

    c.rule("statistics/nan-count-type")
    c.fail("nan_count of INT32", stated(required("a", INT32), [1], {"nan_count": 0}), at("nan_count"))
    c.fail("nan_count of bytes that are no FLOAT16", stated(required("a", FIXED_LEN_BYTE_ARRAY, type_length=2), [b"ab"], {"nan_count": 0}), at("nan_count"))
    c.ok("nan_count of FLOAT16", stated(kinds[2][1], kinds[2][2], {"nan_count": 0}))

    c.rule("statistics/nan-count-range")
    node = required("d", DOUBLE)
    c.fail("nan_count is -1", stated(node, [1.0], {"nan_count": -1}), at("nan_count"))
    c.fail("nan_count is above the number of values", stated(node, [NAN], {"nan_count": 2}), at("nan_count"))
    c.fail("nan_count and null_count are more than the entries", stated(optional("o", DOUBLE), [NAN, None], {"nan_count": 2}), at("nan_count"))
    c.ok("nan_count is the number of values", stated(optional("o", DOUBLE), [NAN, None], {"nan_count": 1}))

    for rule, name, wrong in (("zero-max", "max_value", -0.0), ("zero-min", "min_value", 0.0)):
        right = {"min_value": -0.0, "max_value": 0.0}
        c.rule(f"statistics/{rule}")
        for about, leaf, form in (("DOUBLE", node, float), ("FLOAT", kinds[1][1], float), ("FLOAT16", kinds[2][1], half)):
            bounds = {key: form(value) for key, value in right.items()}
            c.fail(f"{name} of {about} is {wrong}", stated(leaf, [form(0.0), form(-0.0)], {**bounds, name: form(wrong)}), at(name))
            c.ok(f"{name} of {about} is {-wrong}", stated(leaf, [form(0.0), form(-0.0)], bounds))
