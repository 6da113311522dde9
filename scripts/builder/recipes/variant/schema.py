"""The group of a VARIANT (LogicalTypes.md, VARIANT), and the schema of shredded ones (VariantShredding.md)."""

from builder.codec.file import File
from builder.codec.metadata import (BOOLEAN, BSON, BYTE_ARRAY, DECIMAL, DOUBLE, ENUM, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, INTERVAL, JSON,
                                    LIST, MAP, TIME_MICROS, TIME_MILLIS, TIMESTAMP_MILLIS, UINT_16, UINT_32, UINT_64, UINT_8, UTF8)
from builder.codec.schema import Node, list_of, optional, repeated, required
from builder.codec.shredding import TYPES, VARIANT, decimal, parts, typed_value, variant_node, variant_row
from builder.codec.variant import Tag, encode, metadata
from builder.expect.places import S, V
from builder.expect.witness import Also
from builder.recipes.variant.variants import plain

E = "schema[{}]".format
EMPTY = metadata().data
NULL = encode(None).data
META, ONLY = lambda make=required, kind=BYTE_ARRAY, **more: make("metadata", kind, **more), lambda make=required, kind=BYTE_ARRAY, **more: make("value", kind, **more)


def group(children, row=None, **attributes):
    """A VARIANT group of these children; `row` is its only row."""
    return File([optional("v", children, **(attributes or VARIANT))], [{"v": row or {"metadata": EMPTY, "value": NULL}}])


def witnesses(c):
    groups(c)
    others(c)
    types(c)
    shapes(c)
    objects(c)


def groups(c):
    c.rule("variant/group")
    unread = {"rows": None}
    absent = lambda name: {"found": f"no field {name}", "expected": f"a field {name}", **unread}
    c.fail("no metadata", group([ONLY()]), V(E(1) + ".num_children"), **absent("metadata"))
    c.fail("no value", group([META()]), V(E(1) + ".num_children"), **absent("value"))
    c.fail("no metadata of a shredded value", group([ONLY(optional), typed_value("int32")], {"typed_value": 1}), V(E(1) + ".num_children"), **absent("metadata"))
    c.fail("no metadata in a group", File([required("g", [optional("v", [ONLY()], **VARIANT)])], [{"g": {"v": {"value": NULL}}}]), V(E(2) + ".num_children"),
           **absent("metadata"))
    c.fail("no value in a LIST", File([list_of("l", optional("v", [META()], **VARIANT))], [{"l": {"list": [{"v": {"metadata": EMPTY}}]}}]), V(E(3) + ".num_children"),
           **absent("value"))
    c.fail("metadata is optional", group([META(optional), ONLY()]), V(E(2) + ".repetition_type"), expected="REQUIRED", found="OPTIONAL", **unread)
    c.fail("metadata of a shredded value is optional", group([META(optional), *parts("int32")], {"metadata": EMPTY, "typed_value": 1}), V(E(2) + ".repetition_type"),
           expected="REQUIRED", found="OPTIONAL", **unread)
    c.fail("metadata is repeated", group([META(repeated), ONLY()], {"metadata": [EMPTY], "value": NULL}), V(E(2) + ".repetition_type"),
           found="REPEATED", expected="REQUIRED", **unread)
    c.fail("value is repeated", group([META(), ONLY(repeated)], {"metadata": EMPTY, "value": [NULL]}), V(E(3) + ".repetition_type"),
           found="REPEATED", expected="REQUIRED", **unread)
    for kind, name, item, more in ((INT32, "INT32", 1, {}), (FIXED_LEN_BYTE_ARRAY, "FIXED_LEN_BYTE_ARRAY", EMPTY, {"type_length": 3}), (DOUBLE, "DOUBLE", 1.5, {})):
        c.fail(f"metadata is {name}", group([META(kind=kind, **more), ONLY()], {"metadata": item, "value": NULL}), V(E(2) + ".type"), found=name, expected="BYTE_ARRAY",
               **unread)
        c.fail(f"value is {name}", group([META(), ONLY(kind=kind, **more)], {"metadata": EMPTY, "value": item}), V(E(3) + ".type"), found=name, expected="BYTE_ARRAY",
               **unread)
        c.fail(f"value of a shredded value is {name}", group([META(), ONLY(optional, kind, **more), typed_value("int32")], {"metadata": EMPTY, "value": item}),
               V(E(3) + ".type"), found=name, expected="BYTE_ARRAY", **unread)
    inner = [required("bytes", BYTE_ARRAY)]
    c.fail("metadata is a group", group([META(kind=inner), ONLY()], {"metadata": {"bytes": EMPTY}, "value": NULL}), V(E(2) + ".num_children"), found="a group",
           expected="BYTE_ARRAY", **unread)
    c.fail("value is a group", group([META(), ONLY(kind=inner)], {"metadata": EMPTY, "value": {"bytes": NULL}}), V(E(3) + ".num_children"), found="a group",
           expected="BYTE_ARRAY", **unread)
    text, expected = {"converted_type": UTF8, "logicalType": {"STRING": {}}}, "no annotation"
    row = {"metadata": metadata("a").data, "value": NULL}
    c.fail("metadata is a STRING", group([META(**text), ONLY()], row), V(E(2) + ".logicalType"), found="STRING", expected=expected)
    c.fail("value is a STRING", group([META(), ONLY(**text)], row), V(E(3) + ".logicalType"), found="STRING", expected=expected)
    c.fail("Metadata, with a capital", group([required("Metadata", BYTE_ARRAY), ONLY()], {"Metadata": EMPTY, "value": NULL}), V(E(1) + ".num_children"),
           **absent("metadata"))
    c.ok("metadata and value", plain([1]))
    c.ok("value and metadata", group([ONLY(), META()]))
    c.ok("metadata, value and typed_value", plain_shredded([1, None], "int8"))
    c.ok("typed_value, value and metadata", group([typed_value("int8"), ONLY(optional), META()], {"metadata": EMPTY, "typed_value": 1}))
    c.ok("the same group without the annotation", File([optional("v", [META(), ONLY()])], [{"v": {"metadata": b"x", "value": b""}}]))


def plain_shredded(values, shape, **more):
    return File([variant_node("v", shape)], [{"v": None if value is ... else variant_row(value, shape)} for value in values], **more)


def others(c):
    c.rule("variant/fields")
    row = {"metadata": EMPTY, "value": NULL, "more": 1}
    c.fail("a further field", group([META(), ONLY(), optional("more", INT32)], row), V(E(4) + ".name"))
    c.fail("a further field before the others", group([required("more", INT32), META(), ONLY()], row), V(E(2) + ".name"))
    c.fail("a further group", group([META(), ONLY(), optional("more", [required("x", INT32)])], {**row, "more": {"x": 1}}), V(E(4) + ".name"))
    c.fail("a further field of a shredded value", group([META(), *parts("int32"), optional("more", INT32)], {"metadata": EMPTY, "typed_value": 1, "more": 1}),
           V(E(5) + ".name"))
    c.fail("typed_Value, with a capital", group([META(), ONLY(), optional("typed_Value", INT32)], {"metadata": EMPTY, "value": NULL}), V(E(4) + ".name"))
    c.ok("no further field", plain([1]))

    c.rule("variant/specification-version")
    stated = E(1) + ".logicalType.VARIANT"
    c.fail("no version", group([META(), ONLY()], logicalType={"VARIANT": {}}), S(stated, field=stated + ".specification_version"), found="absent")
    for version in (2, 0, -1, 127):
        c.fail(f"version {version}", group([META(), ONLY()], logicalType={"VARIANT": {"specification_version": version}}), V(stated + ".specification_version"),
               found=str(version))
    c.ok("version 1", plain([1]))

    c.rule("variant/value-field")
    no_value = {"found": "no field value", "expected": "a field value"}
    c.fail("typed_value without value", group([META(), typed_value("int32")], {"metadata": EMPTY, "typed_value": 7}), V(E(1) + ".num_children"), **no_value)
    c.fail("an object without value", group([META(), typed_value({"a": "int8"})], {"metadata": metadata("a").data, "typed_value": {"a": {"typed_value": 7}}}),
           V(E(1) + ".num_children"), **no_value)
    field = optional("typed_value", [required("a", [typed_value("int8")]), required("b", parts("int8"))])
    c.fail("a field of an object without value", group([META(), ONLY(optional), field], {"metadata": metadata("ab").data, "typed_value": {
        "a": {"typed_value": 7}, "b": {}}}), V(E(5) + ".num_children"), **no_value)
    c.fail("value is optional, without typed_value", group([META(), ONLY(optional)]), V(E(3) + ".repetition_type"), found="OPTIONAL", expected="REQUIRED")
    element = optional("typed_value", [repeated("list", [required("element", [typed_value("int8")])])], converted_type=LIST, logicalType={"LIST": {}})
    c.ok("an element of an array without value", group([META(), ONLY(optional), element], {"metadata": EMPTY, "typed_value": {"list": [
        {"element": {"typed_value": 1}}, {"element": {"typed_value": 2}}]}}))
    c.ok("a field of an object without typed_value", plain_shredded([{"a": 1}, {"b": 2}], {"a": None}))
    c.ok("value is required", plain([1]))


def unit(name, is_utc, unit_):
    return {name: {"isAdjustedToUTC": is_utc, "unit": {unit_: {}}}}


def integer(bits, is_signed):
    return {"INTEGER": {"bitWidth": bits, "isSigned": is_signed}}


#: Types that typed_value cannot have: description, physical type, value, attributes, the found annotation or type, perhaps that which is expected.
WRONG = (
    *((f"INT({bits}, false)", INT64 if bits == 64 else INT32, 1, {"converted_type": old, "logicalType": integer(bits, False)}, f"INT({bits}, false)", f"INT({bits}, true)")
      for bits, old in ((8, UINT_8), (16, UINT_16), (32, UINT_32), (64, UINT_64))),
    ("INT96", INT96, bytes(12), {}, "INT96"),
    ("FIXED_LEN_BYTE_ARRAY of 16 bytes without UUID", FIXED_LEN_BYTE_ARRAY, bytes(16), {"type_length": 16}, "FIXED_LEN_BYTE_ARRAY"),
    ("FLOAT16", FIXED_LEN_BYTE_ARRAY, bytes(2), {"type_length": 2, "logicalType": {"FLOAT16": {}}}, "FLOAT16"),
    ("TIME(true, MICROS)", INT64, 1, {"converted_type": TIME_MICROS, "logicalType": unit("TIME", True, "MICROS")}, "TIME(true, MICROS)", "TIME(false, MICROS)"),
    ("TIME(false, MILLIS)", INT32, 1, {"converted_type": TIME_MILLIS, "logicalType": unit("TIME", False, "MILLIS")}, "TIME(false, MILLIS)", "TIME(false, MICROS)"),
    ("TIME(false, NANOS)", INT64, 1, {"logicalType": unit("TIME", False, "NANOS")}, "TIME(false, NANOS)", "TIME(false, MICROS)"),
    *((f"TIMESTAMP({str(utc).lower()}, MILLIS)", INT64, 1, {"converted_type": TIMESTAMP_MILLIS, "logicalType": unit("TIMESTAMP", utc, "MILLIS")},
       f"TIMESTAMP({str(utc).lower()}, MILLIS)", f"TIMESTAMP({str(utc).lower()}, MICROS or NANOS)")
      for utc in (True, False)),
    ("ENUM", BYTE_ARRAY, b"x", {"converted_type": ENUM, "logicalType": {"ENUM": {}}}, "ENUM"),
    ("JSON", BYTE_ARRAY, b"{}", {"converted_type": JSON, "logicalType": {"JSON": {}}}, "JSON"),
    ("BSON", BYTE_ARRAY, b"\5\0\0\0\0", {"converted_type": BSON, "logicalType": {"BSON": {}}}, "BSON"),
    ("UNKNOWN", INT32, None, {"logicalType": {"UNKNOWN": {}}}, "UNKNOWN"),
)


def types(c):
    c.rule("shredding/type", expected="a type of shredded values")
    deprecated = lambda found, index, leaf: [Also("schema/int96-deprecated", V(E(index) + ".type", leaf=leaf), "the type is deprecated")] if found == "INT96" else []
    expected = lambda more: {"expected": more[0]} if more else {}
    for about, kind, value, attributes, found, *more in WRONG:
        place = lambda index: V(E(index) + (".logicalType" if "logicalType" in attributes else ".type"))
        row = {"metadata": EMPTY, "typed_value": value, **({"value": NULL} if value is None else {})}
        c.fail(about, group([META(), ONLY(optional), optional("typed_value", kind, **attributes)], row), place(4), *deprecated(found, 4, 2), found=found,
               rows=None, **expected(more))
    for about, kind, value, attributes, found, *more in (WRONG[0], WRONG[4], WRONG[7], WRONG[11]):
        place = lambda index: V(E(index) + (".logicalType" if "logicalType" in attributes else ".type"))
        held = {"typed_value": value}
        typed = lambda: optional("typed_value", kind, **attributes)
        fields = optional("typed_value", [required("a", parts("int8")), required("b", [ONLY(optional), typed()])])
        c.fail(f"{about} in a field of an object", group([META(), ONLY(optional), fields], {"metadata": metadata("b").data, "typed_value": {"a": {}, "b": held}}), place(10),
               *deprecated(found, 10, 5), found=found, rows=None, **expected(more))
        items = optional("typed_value", [repeated("list", [required("element", [ONLY(optional), typed()])])], converted_type=LIST, logicalType={"LIST": {}})
        c.fail(f"{about} in the elements of an array", group([META(), ONLY(optional), items], {"metadata": EMPTY, "typed_value": {"list": [{"element": held}]}}), place(8),
               *deprecated(found, 8, 3), found=found, rows=None, **expected(more))
    interval = optional("typed_value", FIXED_LEN_BYTE_ARRAY, type_length=12, converted_type=INTERVAL)
    c.fail("INTERVAL, which has a ConvertedType alone", group([META(), ONLY(optional), interval], {"metadata": EMPTY, "typed_value": bytes(12)}),
           V(E(4) + ".converted_type"), found="INTERVAL", rows=None)
    wide = decimal(39, 0, BYTE_ARRAY)
    c.fail("DECIMAL(39, 0)", group([META(), ONLY(optional), optional("typed_value", wide[0], **wide[1])], {"metadata": EMPTY, "typed_value": b"\1"}),
           V(E(4) + ".logicalType.DECIMAL.precision"), found="DECIMAL(39, 0)", expected="a precision of at most 38", rows=None)
    for kind, value in SHREDDED.items():
        c.ok(f"{kind}", plain_shredded([value, "another" if kind != "string" else 1, None, ...], shape_of(kind)))
    c.ok("INT(32, true) and INT(64, true), which add nothing", File([
        variant_node("v", {"a": (INT32, {"logicalType": integer(32, True)}), "b": (INT64, {"logicalType": integer(64, True)})})],
        [{"v": {"metadata": metadata("ab").data, "typed_value": {"a": {"typed_value": 1}, "b": {"typed_value": 2}}}}]))
    c.ok("each type in a field of an object", plain_shredded([SHREDDED, {}, {"int8": "x"}], {kind: shape_of(kind) for kind in SHREDDED}))
    c.ok("each type in the elements of an array", plain_shredded([{kind: [value, "x", None, value] for kind, value in SHREDDED.items()}, {}],
                                                                 {kind: [shape_of(kind)] for kind in SHREDDED}))


SHREDDED = {"boolean": True, "int8": Tag("int8", -1), "int16": Tag("int16", -300), "int32": Tag("int32", 70_000), "int64": Tag("int64", -2**40), "double": 1.5,
            "decimal4": Tag("decimal4", (-150, 2)), "decimal8": Tag("decimal8", (10**12, 3)), "decimal16": Tag("decimal16", (-10**30, 8)),
            "decimal16 of 16 bytes": Tag("decimal16", (10**30, 8)), "date": Tag("date", 19_782), "timestamp": Tag("timestamp", 1_700_000_000_123_456),
            "timestamp_ntz": Tag("timestamp_ntz", -1), "float": Tag("float", 0.1), "time": Tag("time", 86_399_999_999),
            "timestamp_nanos": Tag("timestamp_nanos", 1_700_000_000_123_456_789), "timestamp_ntz_nanos": Tag("timestamp_ntz_nanos", -1),
            "uuid": Tag("uuid", bytes(range(16))), "binary": Tag("binary", b"\0\xff"), "string": "text"}


def shape_of(kind):
    return {"decimal4": decimal(9, 2, INT32), "decimal8": decimal(18, 3, INT64), "decimal16": decimal(38, 8, BYTE_ARRAY),
            "decimal16 of 16 bytes": decimal(38, 8, FIXED_LEN_BYTE_ARRAY, 16)}.get(kind, kind)


def shapes(c):
    c.rule("shredding/shape")
    unread = {"rows": None}
    lists = {"converted_type": LIST, "logicalType": {"LIST": {}}}
    typed = lambda children, make=optional, **more: make("typed_value", children, **more)

    def add(about, children, row, place, found, expected, *also, names=""):
        c.fail(about, group([META(), *children], {"metadata": metadata(names).data, **row}), place, *also, found=found, expected=expected, **unread)

    one = {"typed_value": 1}
    for make, name, value in ((required, "REQUIRED", 1), (repeated, "REPEATED", [1])):
        add(f"typed_value is {name.lower()}", [ONLY(optional), make("typed_value", INT32)], {"typed_value": value}, V(E(4) + ".repetition_type"), name, "OPTIONAL")
    add("the typed_value of a field is required", [ONLY(optional), typed([required("a", [ONLY(optional), required("typed_value", INT32)])])],
        {"typed_value": {"a": one}}, V(E(7) + ".repetition_type"), "REQUIRED", "OPTIONAL", names="a")
    add("an object is required", [ONLY(optional), typed([required("a", parts("int32"))], required)], {"typed_value": {"a": one}}, V(E(4) + ".repetition_type"),
        "REQUIRED", "OPTIONAL", names="a")
    add("value is required next to typed_value", [ONLY(), typed_value("int32")], {"value": NULL}, V(E(3) + ".repetition_type"), "REQUIRED", "OPTIONAL")
    add("the value of a field is required next to typed_value", [ONLY(optional), typed([required("a", [ONLY(), typed_value("int32")])])],
        {"typed_value": {"a": {"value": NULL}}}, V(E(6) + ".repetition_type"), "REQUIRED", "OPTIONAL", names="a")
    add("the only value of a field is required", [ONLY(optional), typed([required("a", [ONLY()])])], {"typed_value": {"a": {"value": NULL}}},
        V(E(6) + ".repetition_type"), "REQUIRED", "OPTIONAL", names="a")
    for make, name in ((optional, "OPTIONAL"), (repeated, "REPEATED")):
        held = [one] if make is repeated else one
        add(f"a field is {name.lower()}", [ONLY(optional), typed([make("a", parts("int32"))])], {"typed_value": {"a": held}}, V(E(5) + ".repetition_type"), name,
            "REQUIRED", names="a")
    add("a field is optional, and null", [ONLY(optional), typed([optional("a", parts("int32")), required("b", parts("int32"))])],
        {"typed_value": {"a": None, "b": one}}, V(E(5) + ".repetition_type"), "OPTIONAL", "REQUIRED", names="b")
    add("the second field is optional", [ONLY(optional), typed([required("a", parts("int32")), optional("b", parts("int32"))])], {"typed_value": {"a": one, "b": one}},
        V(E(8) + ".repetition_type"), "OPTIONAL", "REQUIRED", names="ab")
    add("a field of an object in a field is optional", [ONLY(optional), typed([required("a", [ONLY(optional), typed([optional("b", parts("int32"))])])])],
        {"typed_value": {"a": {"typed_value": {"b": one}}}}, V(E(8) + ".repetition_type"), "OPTIONAL", "REQUIRED", names="ab")
    add("an element is optional", [ONLY(optional), typed([repeated("list", [optional("element", parts("int32"))])], **lists)],
        {"typed_value": {"list": [{"element": one}]}}, V(E(6) + ".repetition_type"), "OPTIONAL", "REQUIRED")
    for kind, name, item in ((INT32, "INT32", 1), (DOUBLE, "DOUBLE", 1.5)):
        add(f"the value of a field is {name}", [ONLY(optional), typed([required("a", [optional("value", kind), typed_value("int32")])])],
            {"typed_value": {"a": {"value": item}}}, V(E(6) + ".type"), name, "BYTE_ARRAY", names="a")
        add(f"the value of an element is {name}", [ONLY(optional), typed([repeated("list", [required("element", [optional("value", kind)])])], **lists)],
            {"typed_value": {"list": [{"element": {"value": item}}]}}, V(E(7) + ".type"), name, "BYTE_ARRAY")
        add(f"a field is {name}", [ONLY(optional), typed([required("a", kind)])], {"typed_value": {"a": item}}, V(E(5) + ".type"), name, "a group", names="a")
        add(f"an element is {name}", [ONLY(optional), typed([repeated("list", [required("element", kind)])], **lists)], {"typed_value": {"list": [{"element": item}]}},
            V(E(6) + ".type"), name, "a group")
    add("the value of a field is a group", [ONLY(optional), typed([required("a", [optional("value", [required("x", INT32)]), typed_value("int32")])])],
        {"typed_value": {"a": {"value": {"x": 1}}}}, V(E(6) + ".num_children"), "a group", "BYTE_ARRAY", names="a")
    add("metadata in a field", [ONLY(optional), typed([required("a", [META(), *parts("int32")])])], {"typed_value": {"a": {"metadata": EMPTY, **one}}},
        V(E(6) + ".name"), "metadata", "value or typed_value", names="a")
    add("metadata in an element", [ONLY(optional), typed([repeated("list", [required("element", [META(), *parts("int32")])])], **lists)],
        {"typed_value": {"list": [{"element": {"metadata": EMPTY, **one}}]}}, V(E(7) + ".name"), "metadata", "value or typed_value")
    add("another field in a field", [ONLY(optional), typed([required("a", [*parts("int32"), optional("more", INT32)])])], {"typed_value": {"a": one}}, V(E(8) + ".name"),
        "more", "value or typed_value", names="a")
    add("an annotated object: MAP", [ONLY(optional), typed([repeated("key_value", [required("key", INT32), required("value", parts("int32"))])], converted_type=MAP,
                                                         logicalType={"MAP": {}})],
        {"typed_value": {"key_value": [{"key": 1, "value": one}]}}, V(E(4) + ".logicalType"), "MAP", "LIST or no annotation")
    add("a VARIANT in a VARIANT", [ONLY(optional), typed([META(), ONLY()], **VARIANT)], {"typed_value": {"metadata": EMPTY, "value": NULL}}, V(E(4) + ".logicalType"), "VARIANT",
        "LIST or no annotation")
    add("a VARIANT in a field", [ONLY(optional), typed([required("a", [ONLY(optional), typed([META(), ONLY()], **VARIANT)])])],
        {"typed_value": {"a": {"typed_value": {"metadata": EMPTY, "value": NULL}}}}, V(E(7) + ".logicalType"), "VARIANT", "LIST or no annotation", names="a")
    add("an array of two levels: the repeated field is a leaf", [ONLY(optional), typed([repeated("element", INT32)], **lists)], {"typed_value": {"element": [1, 2]}},
        V(E(5) + ".type"), "a leaf", "a group of one field")
    add("an array of two levels: the repeated group is the element", [ONLY(optional), typed([repeated("element", parts("int32"))], **lists)],
        {"typed_value": {"element": [one]}}, V(E(5) + ".num_children"), "a group of 2 fields", "a group of one field")
    add("the value of a field is a STRING", [ONLY(optional), typed([required("a", [ONLY(optional, converted_type=UTF8, logicalType={"STRING": {}}), typed_value("int32")])])],
        {"typed_value": {"a": one}}, V(E(6) + ".logicalType"), "STRING", "no annotation", names="a")
    add("an array without LIST", [ONLY(optional), typed([repeated("list", [required("element", parts("int32"))])])], {"typed_value": {"list": [{"element": one}]}},
        V(E(5) + ".repetition_type"), "REPEATED", "REQUIRED")
    two_fields = [ONLY(optional), optional("typed_value", INT32)]
    add("a LIST in place of a field", [ONLY(optional), typed([required("a", two_fields, **lists)])], {"typed_value": {"a": one}}, V(E(5) + ".logicalType"), "LIST",
        "no annotation", names="a")
    c.ok("an object of each shape of fields", plain_shredded([{"a": 1, "b": [1], "c": {"d": "x"}, "e": 5}], {"a": None, "b": ["int8"], "c": {"d": "string"}, "e": "int8"}))
    c.ok("an array of each shape of elements", plain_shredded([{"a": [1, "x"], "b": [[1]], "c": [{"d": "x"}, 1]}], {"a": [None], "b": [["int8"]], "c": [{"d": "string"}]}))
    only = optional("typed_value", [repeated("list", [required("element", [ONLY()])])], **lists)
    c.ok("the only value of an element is required", group([META(), ONLY(optional), only], {"metadata": EMPTY, "typed_value": {"list": [{"element": {"value": NULL}}]}}))
    c.ok("a shredded field is named metadata, one value, one typed_value", plain_shredded([{"metadata": 1, "value": "x", "typed_value": True}], {
        "metadata": "int8", "value": "string", "typed_value": "boolean"}))
    c.ok("fields that are named list and element", plain_shredded([{"list": {"element": 1}}], {"list": {"element": "int8"}}))


def objects(c):
    c.rule("schema/empty-group")
    c.fail("the typed_value of an object without fields", group([META(), ONLY(optional), optional("typed_value", [])], {"metadata": EMPTY, "value": NULL}),
           V(E(4) + ".num_children"))
    field = optional("typed_value", [required("a", [ONLY(optional), optional("typed_value", [])])])
    c.fail("the typed_value of a field without fields", group([META(), ONLY(optional), field], {"metadata": metadata("a").data, "typed_value": {"a": {"value": NULL}}}),
           V(E(7) + ".num_children"))
