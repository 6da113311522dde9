"""The Statistics of a column chunk, compared with its values (parquet.thrift, Statistics)."""

import struct

from builder.codec import plain
from builder.codec.file import File
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DOUBLE,
                                    FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, INTERVAL, RLE, RLE_DICTIONARY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, IEEE, NAN, chunk, column, lists

AT = "row_groups[0].columns[0].meta_data.statistics"
UNSIGNED = {"logicalType": {"INTEGER": {"bitWidth": 32, "isSigned": False}}, "converted_type": 13}


def is_half(node):
    return "FLOAT16" in node.attributes.get("logicalType", {})


def encoded(node, values, statistics, column_orders=True):
    """Statistics of these values: bounds are values, or stored bytes. Required counts are correct;
    None leaves a count out."""
    bounds = ("min", "max", "min_value", "max_value")
    out = {name: plain.bare(node.type, value) if name in bounds and not isinstance(value, bytes) else value
           for name, value in statistics.items() if value is not None}
    if "null_count" not in statistics:
        out["null_count"] = sum(value is None for value in values)
    if (node.type in (FLOAT, DOUBLE) or is_half(node)) and column_orders and "nan_count" not in statistics:
        numbers = [struct.unpack("<e", value)[0] if is_half(node) else value for value in values if value is not None]
        out["nan_count"] = sum(number != number for number in numbers)
    return out


def stated(node, values, statistics, *pages, column_orders=True, **more):
    """One column with these Statistics of its chunk, as encoded() has them."""
    values = list(values)
    meta = {"statistics": encoded(node, values, statistics, column_orders)}
    return column(node, values, chunk(*pages, meta=meta, **more), column_orders=column_orders)


def coded(items, encoding=RLE_DICTIONARY, page=V1):
    return Dictionary(items), page(encoding=encoding)


def witnesses(c):
    counts(c)
    bounds(c)
    exact(c)
    deprecated(c)
    nans(c)
    shapes(c)


def counts(c):
    node = optional("o", INT32)
    some = [1, None, 3, None]
    at = V(AT + ".null_count")
    c.rule("statistics/null-count")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"null_count leaves out a null of a {about} page", stated(node, some, {"null_count": 1}, page()), at)
    c.fail("null_count of two pages is that of the first", stated(node, some, {"null_count": 1}, V1(2), V1()), at)
    c.fail("null_count is wrong, and correct in the copy of the metadata after the chunk", stated(
        node, some, {"null_count": 1}, copy={"statistics.null_count": 2}), at)
    c.fail("null_count of a list counts its elements",
           lists(chunk(meta={"statistics": {"null_count": 4}}), column_orders=True), at)
    c.ok("null_count counts the nulls of both pages", stated(node, some, {"null_count": 2}, V1(2), V2()))
    c.ok("null_count of a list counts every entry without a value",
         lists(chunk(meta={"statistics": {"null_count": 3}}), column_orders=True))

    c.rule("statistics/null-count-leaf")
    c.fail("null_count of a list leaves out the list that is null and the empty one",
           lists(chunk(meta={"statistics": {"null_count": 1}}), column_orders=True), at)
    group = optional("g", [required("x", INT32)])
    held = [{"g": None}, {"g": {"x": 1}}]
    c.fail("null_count of a required leaf leaves out the group that is null",
           File([group], held, chunk(meta={"statistics": {"null_count": 0}}), column_orders=True), at)
    c.fail("null_count of a list of groups counts the group that is null, and leaves out the lists that are empty and null",
           File([list_of("l", group)], [{"l": {"list": held}}, {"l": {"list": []}}, {"l": None}],
                chunk(meta={"statistics": {"null_count": 1}}), column_orders=True), at)
    c.ok("null_count of a list counts both as well", lists(chunk(meta={"statistics": {"null_count": 3}}), column_orders=True))

    c.rule("statistics/distinct-count-range")
    distinct, values = V(AT + ".distinct_count"), [1, None, 3]
    c.fail("distinct_count is -1", stated(optional("o", INT32), values, {"distinct_count": -1}), distinct)
    c.fail("distinct_count is more than the entries", stated(optional("o", INT32), values, {"distinct_count": 4}), distinct)
    c.fail("distinct_count is more than the values and null", stated(optional("o", INT32), values, {"distinct_count": 4, "null_count": 1}), distinct)
    c.fail("distinct_count is one more than the values, and none is null",
           stated(required("a", INT32), [1, 2], {"distinct_count": 3, "null_count": 0}), distinct)
    c.ok("distinct_count counts null", stated(optional("o", INT32), values, {"distinct_count": 3, "null_count": 1}),
         Also("statistics/distinct-count-null", distinct, "null is no value to most readers"))
    c.ok("distinct_count does not count null", stated(optional("o", INT32), values, {"distinct_count": 2, "null_count": 1}))

    c.rule("statistics/null-count-range")
    c.fail("null_count is -1", stated(node, some, {"null_count": -1}), at)
    c.fail("null_count is above num_values", stated(node, some, {"null_count": 5}), at)
    c.fail("null_count of a required column is 1", stated(required("a", INT32), [1, 2], {"null_count": 1}), at)
    c.ok("all is null, and null_count equals num_values", stated(node, [None, None], {"null_count": 2}))
    c.ok("null_count of a required column is 0", stated(required("a", INT32), [1, 2], {"null_count": 0}))


def kinds():
    """(about, node, values in ascending order)."""
    decimal = {"logicalType": {"DECIMAL": {"scale": 0, "precision": 4}}, "converted_type": 5, "precision": 4, "scale": 0}
    unsigned = {"logicalType": {"INTEGER": {"bitWidth": 32, "isSigned": False}}, "converted_type": 13}
    yield "INT32", required("a", INT32), [-5, 0, 7]
    yield "INT64", required("a", INT64), [-1 << 40, 3, 1 << 40]
    yield "unsigned INT32", required("a", INT32, **unsigned), [1, 5, -2]
    yield "BOOLEAN", required("a", BOOLEAN), [False, True]
    yield "FLOAT", required("a", FLOAT), [-1.5, 0.25, 2.0]
    yield "DOUBLE", required("a", DOUBLE), [-1.5, 0.25, 2.0]
    yield "FLOAT16", required("a", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}), [
        struct.pack("<e", value) for value in (-2.0, -1.0, 1.0)]
    yield "BYTE_ARRAY", required("a", BYTE_ARRAY), [b"a", b"ab", b"\xff"]
    yield "byte arrays with one beginning", required("a", BYTE_ARRAY), [b"beginning-a", b"beginning-b", b"beginning-c"]
    yield "FIXED_LEN_BYTE_ARRAY", required("a", FIXED_LEN_BYTE_ARRAY, type_length=3), [b"\x01zz", b"\x7f\0\0", b"\x80\0\0"]
    yield "DECIMAL in FIXED_LEN_BYTE_ARRAY", required("a", FIXED_LEN_BYTE_ARRAY, type_length=2, **decimal), [
        b"\xff\x00", b"\xff\xff", b"\x00\x01"]
    yield "DECIMAL in BYTE_ARRAY", required("a", BYTE_ARRAY, **decimal), [b"\xff\x00", b"\xff", b"\x01"]


def bounds(c):
    for rule, name, other, take in (("min-value", "min_value", "max_value", -1), ("max-value", "max_value", "min_value", 0)):
        at = V(f"{AT}.{name}")
        right, sibling = (0, "largest") if name == "min_value" else (-1, "smallest")
        c.rule(f"statistics/{rule}")
        for about, node, items in kinds():
            c.fail(f"{name} of {about} is the {sibling} value",
                   stated(node, items, {name: items[take], other: items[take]}), at)
            c.ok(f"{name} of {about} is correct", stated(node, items, {name: items[right], other: items[take]}))
        node, items = required("a", INT32), [1, 2, 3]
        wrong = {name: items[take], other: items[take]}
        for about, pages in (("a dictionary", coded(items)), ("a dictionary of a v2 page", coded(items, page=V2)),
                             ("a dictionary and of PLAIN pages after it", (Dictionary(items), V1(1, RLE_DICTIONARY), V1())),
                             ("DELTA_BINARY_PACKED", (V1(encoding=DELTA_BINARY_PACKED),)),
                             ("BYTE_STREAM_SPLIT", (V1(encoding=BYTE_STREAM_SPLIT),))):
            c.fail(f"{name} excludes values of {about}", stated(node, items, wrong, *pages), at)
            c.ok(f"{name} and the values of {about}", stated(node, items, {name: items[right], other: items[take]}, *pages))
        words = [b"apple", b"apricot", b"cherry"]
        c.fail(f"{name} excludes words of DELTA_BYTE_ARRAY",
               stated(required("s", BYTE_ARRAY), words, {name: words[take], other: words[take]}, V1(encoding=DELTA_BYTE_ARRAY)), at)
        long = [bytes(39) + b"\1", bytes(39) + b"\2"]
        text = "0x" + bytes(32).hex() + "... (40 bytes), byte 39 is "
        c.fail(f"{name} differs from the correct one in its last byte of 40", stated(
            required("s", BYTE_ARRAY), long, {name: long[take], other: long[take]}), at,
            found=f"{text}{long[take][-1]}", expected=f"{text}{long[right][-1]}")
        beyond = {"min_value": {"min_value": 4, "max_value": 3}, "max_value": {"min_value": 1, "max_value": 0}}[name]
        for about, pages in (("values", ()), ("a dictionary", coded(items))):
            c.fail(f"{name} contradicts the other bound, which holds for {about}", stated(node, items, beyond, *pages), at)
        c.fail(f"{name} of a page contradicts the other bound, which holds", column(
            node, items + items, chunk(V1(3), V2(statistics=encoded(node, items, beyond))), column_orders=True),
            V(f"data_page_header_v2.statistics.{name}", page=(0, 0, 1)))
        flags = [False, True, False]
        c.fail(f"{name} excludes booleans of RLE",
               stated(required("b", BOOLEAN), flags, {name: take == -1, other: take == -1}, V1(encoding=RLE)), at)
        c.ok(f"{name} excludes an entry of the dictionary that no value refers to",
             stated(node, items[1:2], {name: 2, other: 2}, Dictionary(items), V1(encoding=RLE_DICTIONARY)))
        zero = {"min_value": -0.0, "max_value": 0.0}
        c.ok("zeros of the other sign are equal under the type-defined order", stated(required("d", DOUBLE), [0.0, -0.0], zero))
    at = V(AT + ".min_value")
    c.rule("statistics/min-value")
    c.fail("under the total order 0.0 excludes -0.0",
           stated(required("d", DOUBLE), [-0.0, 1.0], {"min_value": 0.0, "max_value": 1.0, "nan_count": 0}, column_orders=IEEE), at)
    c.fail("under the total order NaN bounds values that are numbers",
           stated(required("d", DOUBLE), [1.0, 2.0], {"min_value": struct.pack("<Q", 0xFFF8 << 48), "max_value": 2.0, "nan_count": 0},
                  column_orders=IEEE), at)
    c.fail("under the total order a number bounds NaNs from below",
           stated(required("d", DOUBLE), [NAN, NAN], {"min_value": 1.0, "max_value": NAN, "nan_count": 2}, column_orders=IEEE), at)
    c.ok("under the total order NaNs bound NaNs",
         stated(required("d", DOUBLE), [NAN, NAN], {"min_value": NAN, "max_value": NAN, "nan_count": 2}, column_orders=IEEE))
    c.ok("INT96 in its chronological order",
         stated(required("t", INT96), [bytes(8) + b"\x02\0\0\0", b"\x05" + bytes(7) + b"\x01\0\0\0"],
                {"min_value": b"\x05" + bytes(7) + b"\x01\0\0\0", "max_value": bytes(8) + b"\x02\0\0\0"},
                column_orders=[{"INT96_TIMESTAMP_ORDER": {}}]),
         Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the type is deprecated in every order"))
    c.ok("a bound that was shortened", stated(required("s", BYTE_ARRAY), [b"pear", b"plum"],
                                              {"min_value": b"pe", "max_value": b"pm", "is_min_value_exact": False}))


    foreign = [*range(1, 9), 1000, 2000, 3000, *range(9, 17)]
    c.rule("statistics/max-value")
    for about, crc in (("without checksum", None), ("with a checksum", True)):
        c.fail(f"three values inside a page {about} are above max_value",
               stated(required("a", INT32), foreign, {"min_value": 1, "max_value": 16}, V1(crc=crc)), V(AT + ".max_value"))


def exact(c):
    for rule, name, wrong, correct in (("min-exact", "min_value", 0, 1), ("max-exact", "max_value", 4, 3)):
        other = {"max_value": 9} if name == "min_value" else {"min_value": -9}
        flag = f"is_{name}_exact"
        at = V(f"{AT}.{flag}")
        node, items = required("a", INT32), [2, 1, 3]
        c.rule(f"statistics/{rule}")
        bound = V(f"{AT}.{name}")
        c.fail(f"{name} is flagged exact and does not occur", stated(node, items, {name: wrong, **other, flag: True}), bound)
        c.fail(f"{name} is flagged exact and occurs only in the dictionary",
               stated(node, items, {name: wrong, **other, flag: True}, Dictionary([wrong, *items]), V1(encoding=RLE_DICTIONARY)), bound)
        c.fail(f"{name} is flagged exact and there is no value",
               stated(optional("o", INT32), [None, None], {name: correct, **other, flag: True}), at,
               Also("statistics/all-null-bounds", V(f"{AT}.{next(iter(other))}"), "the other bound has no value to bound either"))
        c.fail(f"{name} is flagged exact and all values are NaN", stated(
            required("d", DOUBLE), [NAN, NAN], {name: 1.0, **{key: float(value) for key, value in other.items()}, flag: True, "nan_count": None}), at,
            Also("statistics/nan-count-undated", V(AT), "with nan_count the bounds would break another rule"))
        words = {"min_value": b"b", "max_value": b"d"}
        c.fail(f"{name} of byte arrays is flagged exact and was shortened", stated(
            required("s", BYTE_ARRAY), [b"bb", b"cc"], {**words, flag: True}), at)
        intact = {"min_value": b"ba", "max_value": b"cd"}
        c.fail(f"{name} of byte arrays is flagged exact, and is too long to be a shortened one", stated(
            required("s", BYTE_ARRAY), [b"bb", b"cc"], {**intact, flag: True}), bound)
        c.ok(f"{name} is flagged exact and occurs", stated(node, items, {name: correct, **other, flag: True}))
        c.ok(f"{name} does not occur and is not flagged exact", stated(node, items, {name: wrong, **other, flag: False}))
        c.ok(f"{name} is flagged exact and occurs in the dictionary and in values",
             stated(node, items, {name: correct, **other, flag: True}, *coded([1, 2, 3])))


def deprecated(c):
    for name, other, wrong, correct in (("min", "max", 2, 1), ("max", "min", 2, 3)):
        at = V(f"{AT}.{name}")
        node, items = required("a", INT32), [1, 2, 3]
        c.rule(f"statistics/{name}")
        c.fail(f"{name} excludes a value", stated(node, items, {name: wrong, other: 4 - correct}, column_orders=None), at)
        c.ok(f"{name} is correct", stated(node, items, {name: correct, other: 4 - correct}, column_orders=None))
        c.ok(f"{name} of byte arrays has no order common to all readers",
             stated(required("s", BYTE_ARRAY), [b"\x7f", b"\x80"], {"min": b"\x80", "max": b"\x7f"}, column_orders=None),
             Also("statistics/legacy-order", V(AT + ".max", times=2), "the deprecated bounds are for signed orders"))
        false_in_any_order(c, name)
    without_orders(c)


def false_in_any_order(c, name):
    """Deprecated bounds of columns without a signed order that no reading makes correct."""
    at, legacy = V(f"{AT}.{name}"), deprecated_bytes(name)
    items, wrong = [b"apple", b"pear"], {"min": b"b", "max": b"b"}
    text = required("s", BYTE_ARRAY)
    c.fail(f"{name} of byte arrays excludes a value in every order", stated(text, items, {name: wrong[name]}, column_orders=None), at, *legacy)
    c.fail(f"{name} of byte arrays excludes an entry of the dictionary in every order",
           stated(text, items, {name: wrong[name]}, *coded(items), column_orders=None), at, *legacy)
    for about, page, header in (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2")):
        place = f"{header}.statistics.{name}"
        c.fail(f"{name} of a {about} page of byte arrays excludes a value in every order",
               column(text, items, chunk(page(statistics={name: wrong[name], "null_count": 0}))), V(place, page=FIRST),
               Also("statistics/legacy-order", V(place, page=FIRST), "the deprecated bounds are for signed orders"))
    c.fail(f"{name} of unsigned integers excludes a value in both orders",
           stated(required("a", INT32, **UNSIGNED), [1, 2, 3], {name: 2}, column_orders=None), at, *legacy)
    c.ok(f"{name} of unsigned integers excludes a value in one order",
         stated(required("a", INT32, **UNSIGNED), [1, -3], {name: {"min": 1, "max": -3}[name]}, column_orders=None), *legacy)
    c.ok(f"{name} of unsigned integers is correct in signed order",
         stated(required("a", INT32, **UNSIGNED), [1, -3], {name: {"min": -3, "max": 1}[name]}, column_orders=None), *legacy)
    shown = lambda byte: '{{"months":{0},"days":{0},"milliseconds":{0}}}'.format(byte * 0x01010101)
    interval = required("i", FIXED_LEN_BYTE_ARRAY, type_length=12, converted_type=INTERVAL)
    c.fail(f"{name} of INTERVAL excludes a value in every order",
           stated(interval, [b"\1" * 12, b"\3" * 12], {name: b"\2" * 12}, column_orders=None), at,
           Also("statistics/undefined-order", at, "the column has no order"), found=shown(2), expected=shown({"min": 1, "max": 3}[name]))


def without_orders(c):
    """Bounds without column_orders are judged by the order of the type."""
    c.rule("statistics/bound-without-orders")
    node, items = required("a", INT32), [1, 2, 3]
    for name, wrong, other in (("min_value", 2, {"max_value": 3}), ("max_value", 2, {"min_value": 1})):
        absent = Also("footer/column-orders-present", V(AT + ".max_value"), "there is no column_orders")
        c.fail(f"{name} excludes a value", stated(node, items, {name: wrong, **other}, column_orders=None), V(f"{AT}.{name}"), absent)
        c.fail(f"{name} of byte arrays excludes an entry of the dictionary",
               stated(required("s", BYTE_ARRAY), [b"a", b"c"], {"min_value": b"a", "max_value": b"c", name: b"b"}, *coded([b"a", b"c"]), column_orders=None),
               V(f"{AT}.{name}"), absent)
    c.fail("strings in the order of signed bytes",
           stated(required("s", BYTE_ARRAY), [b"a", b"\xc3\xa9"], {"min_value": b"\xc3\xa9", "max_value": b"a"}, column_orders=None),
           V(AT + ".max_value", times=2), Also("footer/column-orders-present", V(AT + ".max_value"), "there is no column_orders"))
    for about, page, header in (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2")):
        bounds_ = {"null_count": 0, "max_value": plain.bare(INT32, 2), "min_value": plain.bare(INT32, 1)}
        place = V(header + ".statistics.max_value", page=FIRST)
        c.fail(f"max_value of a page excludes a value, {about}", column(node, items, chunk(page(statistics=bounds_))), place,
               Also("footer/column-orders-present", place, "there is no column_orders"))
    c.ok("bounds without column orders enclose the values", stated(node, items, {"min_value": 0, "max_value": 3}, column_orders=None),
         Also("footer/column-orders-present", V(AT + ".max_value"), "there is no column_orders"))
    c.ok("bounds with column orders enclose the values", stated(node, items, {"min_value": 1, "max_value": 3}))


def nans(c):
    node = required("d", DOUBLE)
    c.rule("statistics/nan-count")
    at = V(AT + ".nan_count")
    for about, pages in (("PLAIN", (V1(),)), ("BYTE_STREAM_SPLIT", (V1(encoding=BYTE_STREAM_SPLIT),))):
        c.fail(f"nan_count leaves out a NaN of {about}", stated(node, [NAN, 1.0, NAN], {"nan_count": 1}, *pages), at)
        c.ok(f"nan_count counts the NaNs of {about}", stated(node, [NAN, 1.0, NAN], {"nan_count": 2}, *pages))
    c.fail("nan_count counts the NaN of a dictionary once",
           stated(node, [1.0, NAN, NAN], {"nan_count": 1}, *coded([1.0, NAN])), at)
    c.fail("nan_count is 0 where FLOAT has one", stated(required("f", FLOAT), [1.0, NAN], {"nan_count": 0}), at)
    c.ok("nan_count is 0 and there is none", stated(node, [1.0, 2.0], {"nan_count": 0}))
    c.ok("NaNs stay out of bounds", stated(node, [1.0, NAN, 2.0], {"min_value": 1.0, "max_value": 2.0, "nan_count": 1}))

    for rule, count in (("nan-bound", {"nan_count": 1}), ("nan-bound-undated", {"nan_count": None})):
        c.rule(f"statistics/{rule}")
        for name, rest in (("min_value", {"max_value": 1.0}), ("max_value", {"min_value": 1.0})):
            c.fail(f"{name} is NaN", stated(node, [1.0, NAN], {name: NAN, **rest, **count}), V(f"{AT}.{name}"))
        for name in ("min", "max"):
            c.fail(f"the deprecated {name} of DOUBLE is NaN", stated(node, [1.0, NAN], {name: NAN, **count}), V(f"{AT}.{name}"))
            c.fail(f"the deprecated {name} of FLOAT is NaN, and there is no column_orders",
                   stated(required("f", FLOAT), [1.0, NAN], {name: NAN, **count}, column_orders=None), V(f"{AT}.{name}"))
        c.ok("the deprecated bounds are numbers", stated(node, [1.0, NAN], {"min": 1.0, "max": 1.0, "nan_count": 1}))
        c.ok("both bounds are numbers", stated(node, [1.0, NAN], {"min_value": 1.0, "max_value": 1.0, "nan_count": 1}))


def sibling(name, value):
    """The other bound of a pair."""
    return {{"min_value": "max_value", "max_value": "min_value"}[name]: value} if name.endswith("_value") else {}


def deprecated_bytes(name):
    """The additional finding for deprecated bounds of byte arrays."""
    return [] if name.endswith("_value") else [Also("statistics/legacy-order", V(f"{AT}.{name}"), "the deprecated bounds are for signed orders")]


def shapes(c):
    c.rule("statistics/bound-length")
    for name in ("min", "max", "min_value", "max_value"):
        c.fail(f"{name} of INT32 has 8 bytes", stated(required("a", INT32), [1], {**sibling(name, 1), name: bytes(8)}), V(f"{AT}.{name}"))
    words = [b"pear", b"plum"]
    word = lambda item: plain.value(BYTE_ARRAY, item)
    for name, item in (("min", words[0]), ("max", words[1]), ("min_value", words[0]), ("max_value", words[1])):
        for about, pages in (("values", (V1(),)), ("a dictionary", coded([b"apple", *words, b"quince"]))):
            c.fail(f"{name} of BYTE_ARRAY in {about} begins with a length word",
                   stated(required("s", BYTE_ARRAY), words, {**sibling(name, b"\1" if "max" in name else words[1]), name: word(item)}, *pages),
                   V(f"{AT}.{name}"), *deprecated_bytes(name))
    c.fail("both bounds of BYTE_ARRAY begin with length words, and contradict each other by them",
           stated(required("s", BYTE_ARRAY), [b"apple", b"pear"], {"min_value": word(b"apple"), "max_value": word(b"pear")}),
           V(AT + ".max_value", times=2))
    c.ok("values of BYTE_ARRAY begin with length words of their own",
         stated(required("s", BYTE_ARRAY), [word(b"pear"), word(b"plum")], {"min_value": word(b"pear"), "max_value": word(b"plum")}))
    c.ok("max_value of INT32 has 4 bytes", stated(required("a", INT32), [1], {"min_value": 1, "max_value": 1}))
    c.ok("max_value of BOOLEAN has one byte", stated(required("b", BOOLEAN), [True], {"min_value": True, "max_value": True}))
    c.fail("max_value of FIXED_LEN_BYTE_ARRAY is longer than a value",
           stated(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), [b"abc"], {"min_value": b"abc", "max_value": b"abcd"}), V(AT + ".max_value"))
    c.fail("max_value of UUID is shortened",
           stated(required("u", FIXED_LEN_BYTE_ARRAY, type_length=16, logicalType={"UUID": {}}), [bytes(16)], {"min_value": bytes(16), "max_value": b"b"}), V(AT + ".max_value"))

    c.rule("statistics/bound-shortened")
    fixed = lambda wrong: stated(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), [b"abc"], wrong)
    c.fail("max_value of FIXED_LEN_BYTE_ARRAY is shortened, and raised", fixed({"min_value": b"abc", "max_value": b"b"}), V(AT + ".max_value"))
    c.fail("min_value of FIXED_LEN_BYTE_ARRAY is shortened", fixed({"min_value": b"ab", "max_value": b"abc"}), V(AT + ".min_value"))
    c.ok("bounds of FIXED_LEN_BYTE_ARRAY are no values, and have their length", fixed({"min_value": b"ab\0", "max_value": b"abd"}))

    c.rule("statistics/min-max-order")
    at = V(AT + ".min_value")
    c.fail("min_value is above max_value", stated(required("a", INT32), [2], {"min_value": 3, "max_value": 1}), at)
    c.fail("max_value is below min_value, and below the deprecated min", stated(
        required("a", INT32), [2, 3], {"min": 2, "max": 3, "min_value": 3, "max_value": 1}), V(AT + ".max_value"), expected="3")
    c.fail("min_value is above max_value, and above the deprecated max", stated(
        required("a", INT32), [2, 3], {"min": 2, "max": 3, "min_value": 4, "max_value": 2}), at)
    c.fail("strings in the order of signed bytes",
           stated(required("s", BYTE_ARRAY), [b"a", b"\xc3\xa9"], {"min_value": b"\xc3\xa9", "max_value": b"a"}), at)
    c.fail("0.0 is above -0.0 in the total order",
           stated(required("d", DOUBLE), [-0.0, 0.0], {"min_value": 0.0, "max_value": -0.0, "nan_count": 0}, column_orders=IEEE), at)
    c.ok("0.0 and -0.0 are equal in the order of the type",
         stated(required("d", DOUBLE), [0.0], {"min_value": 0.0, "max_value": -0.0, "nan_count": 0}),
         Also("statistics/zero-max", V(AT + ".max_value"), "its sign is recommended"),
         Also("statistics/zero-min", V(AT + ".min_value"), "its sign is recommended"))
    c.ok("min_value equals max_value", stated(required("a", INT32), [2], {"min_value": 2, "max_value": 2}))
