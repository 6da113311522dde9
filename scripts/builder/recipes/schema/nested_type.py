"""The shapes of LIST and MAP groups, and the interpretation of the older ones (LogicalTypes.md, Nested Types)."""

from builder.codec.file import File
from builder.codec.metadata import BYTE_ARRAY, INT32, MAP, MAP_KEY_VALUE
from builder.codec.schema import list_of, optional, repeated, required, text
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import LISTED, lists

MAPPED = {"converted_type": MAP, "logicalType": {"MAP": {}}}
E = "schema[{}]".format


def listed(children, value, make=optional, **more):
    """A LIST group `l` of these children; `value` is its value in the only row."""
    return File([make("l", children, **(more or LISTED))], [{"l": value}])


def key(name="key", make=required):
    return text(make(name, BYTE_ARRAY))


def value(name="value", make=optional):
    return make(name, INT32)


def mapped(fields, entries, name="key_value", make=optional, **more):
    """A MAP group `m` around a repeated group of these fields, with these entries in the only row."""
    held = {name: entries}
    return File([make("m", [repeated(name, fields)], **(more or MAPPED))], [{"m": [held] if make is repeated else held}])


PAIR = [{"key": b"k", "value": 1}, {"key": b"l", "value": None}]


def witnesses(c):
    list_groups(c)
    older_lists(c)
    map_groups(c)
    entries(c)
    older_maps(c)
    reading(c)


def list_groups(c):
    leaf, other = required("a", INT32), required("b", INT32)
    c.rule("nested-type/list-group")
    c.fail("two children", listed([repeated("a", INT32), other], {"a": [1], "b": 2}), V(E(1) + ".num_children"), expected="1")
    c.fail("the only child is optional", listed([optional("list", [leaf])], {"list": {"a": 1}}), V(E(2) + ".repetition_type"), expected="REPEATED")
    c.fail("the only child is a required leaf", listed([leaf], {"a": 1}), V(E(2) + ".repetition_type"), expected="REPEATED")
    c.fail("no child, by the ConvertedType", File([required("l", [], **LISTED), leaf], [{"l": {}, "a": 1}]), V(E(1) + ".num_children"),
           expected="1", rows=None)
    c.ok("one repeated child", lists())

    c.rule("nested-type/list-outer-repetition")
    element = repeated("list", [required("element", INT32)])
    c.fail("a LIST is repeated", File([repeated("l", [element], **LISTED)], [{"l": [{"list": [{"element": 1}]}, {"list": []}]}]),
           V(E(1) + ".repetition_type"))
    c.fail("a LIST is repeated inside a group", File([optional("g", [repeated("l", [element], **LISTED)])],
                                                     [{"g": {"l": [{"list": [{"element": 1}]}]}}]), V(E(2) + ".repetition_type"))
    c.fail("the entries of a MAP are annotated LIST", File(
        [optional("m", [repeated("key_value", [key(), value()], **LISTED)], **MAPPED)], [{"m": {"key_value": PAIR}}]),
        V(E(2) + ".repetition_type"))
    c.fail("the element of a LIST is a repeated LIST", File([list_of("l", repeated("element", [element], **LISTED))],
                                                            [{"l": {"list": [{"element": [{"list": [{"element": 1}]}]}]}}]),
           V(E(3) + ".repetition_type"))
    c.ok("a LIST is required", listed([element], {"list": [{"element": 1}]}, required))
    c.ok("a LIST is repeated as the element of an older LIST",
         listed([repeated("array", [repeated("array", INT32)], **LISTED)], {"array": [{"array": [1, 2]}, {"array": []}]}),
         Also("nested-type/list-element-repetition", V(E(3) + ".repetition_type"), "the older shape of a list of lists"))


def older_lists(c):
    a, b = required("a", INT32), optional("b", INT32)
    c.rule("nested-type/list-three-level", expected="a group of one field")
    c.fail("rule 1: the repeated child is a leaf", listed([repeated("element", INT32)], {"element": [1, 2]}), V(E(2) + ".type"), found="a leaf")
    c.fail("rule 2: a group of two fields", listed([repeated("element", [a, b])], {"element": [{"a": 1, "b": None}, {"a": 2, "b": 3}]}),
           V(E(2) + ".num_children"), found="a group of 2 fields")
    for name in ("array", "l_tuple"):
        c.fail(f"rule 4: a group named {name}", listed([repeated(name, [a])], {name: [{"a": 1}, {"a": 2}]}), V(E(2) + ".name"),
               found=f"a group named {name}", expected="a group named list")
    c.fail("two such lists, reported once", File([optional(name, [repeated("element", INT32)], **LISTED) for name in "lm"],
                                             [{"l": {"element": [1]}, "m": {"element": [2]}}]), V(E(2) + ".type", times=2), found="a leaf")
    c.ok("a repeated leaf is advice under interop", listed([repeated("element", INT32)], {"element": [1]}), profile="interop")
    c.ok("a group of one field", lists())
    c.ok("a group of one field that is a group of two", listed([repeated("list", [optional("element", [a, b])])],
                                                               {"list": [{"element": {"a": 1, "b": 2}}, {"element": None}]}))

    c.rule("nested-type/list-element-repetition")
    c.fail("rule 3: the only field of the repeated group is repeated", listed([repeated("list", [repeated("element", INT32)])],
                                                                             {"list": [{"element": [1, 2]}, {"element": []}]}),
           V(E(3) + ".repetition_type"))
    c.fail("rule 3: the repeated child is a MAP", listed([repeated("array", [repeated("key_value", [key(), value()])], **MAPPED)],
                                                         {"array": [{"key_value": PAIR}]}), V(E(3) + ".repetition_type"))
    c.ok("an optional field", listed([repeated("list", [optional("element", INT32)])], {"list": [{"element": None}]}))
    c.ok("a required field", listed([repeated("list", [required("element", INT32)])], {"list": [{"element": 1}]}))

    c.rule("nested-type/list-names")
    c.fail("bag and array_element", listed([repeated("bag", [optional("array_element", INT32)])],
                                           {"bag": [{"array_element": 1}, {"array_element": None}]}), V(E(2) + ".name"), expected="list")
    c.fail("list and item", listed([repeated("list", [optional("item", INT32)])], {"list": [{"item": 1}]}), V(E(3) + ".name"), expected="element")
    c.fail("element and str", listed([repeated("element", [text(required("str", BYTE_ARRAY))])], {"element": [{"str": b"x"}]}), V(E(2) + ".name"),
           expected="list")
    c.fail("List, with a capital", listed([repeated("List", [optional("element", INT32)])], {"List": [{"element": 1}]}), V(E(2) + ".name"),
           expected="list")
    c.fail("two such lists, reported once", File([optional(name, [repeated("list", [optional("item", INT32)])], **LISTED) for name in "lm"],
                                             [{"l": {"list": [{"item": 1}]}, "m": None}]), V(E(3) + ".name", times=2), expected="element")
    c.ok("list and element", listed([repeated("list", [optional("element", INT32)])], {"list": [{"element": 1}]}))
    c.ok("the LIST itself is named array", File([list_of("array", optional("element", INT32))], [{"array": {"list": [{"element": 1}]}}]))


def map_groups(c):
    fields = [key(), value()]
    c.rule("nested-type/map-group")
    c.fail("two children", File([optional("m", [repeated("key_value", fields), required("b", INT32)], **MAPPED)],
                                [{"m": {"key_value": PAIR, "b": 1}}]), V(E(1) + ".num_children"), expected="1")
    c.fail("the only child is optional", File([optional("m", [optional("key_value", fields)], **MAPPED)], [{"m": {"key_value": PAIR[0]}}]),
           V(E(2) + ".repetition_type"), expected="REPEATED")
    c.fail("the only child is a leaf", File([optional("m", [repeated("key", INT32)], **MAPPED)], [{"m": {"key": [1]}}]), V(E(2) + ".type"),
           expected="a group")
    c.ok("one repeated group", mapped(fields, PAIR))

    c.rule("nested-type/map-outer-repetition")
    c.fail("a MAP is repeated", mapped(fields, PAIR, make=repeated), V(E(1) + ".repetition_type"))
    c.fail("the entries of a MAP are annotated MAP", File([optional("m", [repeated("key_value", fields, **MAPPED)], **MAPPED)],
                                                          [{"m": {"key_value": PAIR}}]), V(E(2) + ".repetition_type"))
    c.ok("a MAP is required", mapped(fields, PAIR, make=required))
    c.ok("a MAP in a LIST", File([list_of("l", optional("element", [repeated("key_value", fields)], **MAPPED))],
                                 [{"l": {"list": [{"element": {"key_value": PAIR}}, {"element": None}]}}]))


def entries(c):
    c.rule("nested-type/map-fields")
    c.fail("three fields", mapped([key(), value(), optional("more", INT32)], PAIR), V(E(2) + ".num_children"))
    c.fail("no field", File([optional("m", [repeated("key_value", [])], **MAPPED), required("a", INT32)], [{"m": None, "a": 1}]),
           V(E(2) + ".num_children"), rows=None)
    c.ok("a key alone", mapped([key()], [{"key": b"k"}]))
    c.ok("a key and a value", mapped([key(), value()], PAIR))

    c.rule("nested-type/map-key-first")
    c.fail("the value is first", mapped([value(make=required), key()], [{"key": b"k", "value": 1}]), V(E(3) + ".name"))
    c.ok("the key is first", mapped([key(), value()], PAIR))

    c.rule("nested-type/map-key-required")
    c.fail("an optional key", mapped([key(make=optional), value()], PAIR), V(E(3) + ".repetition_type"))
    c.fail("a repeated key", mapped([key(make=repeated), value()], [{"key": [b"k", b"l"], "value": 1}]), V(E(3) + ".repetition_type"))
    c.ok("an optional key is advice under interop", mapped([key(make=optional), value()], PAIR), profile="interop")
    c.ok("a required key", mapped([key(), value()], PAIR))

    c.rule("nested-type/map-value-repetition")
    c.fail("a repeated value", mapped([key(), value(make=repeated)], [{"key": b"k", "value": [1, 2]}]), V(E(4) + ".repetition_type"))
    c.fail("a repeated value that is a LIST", mapped([key(), repeated("value", [repeated("list", [required("element", INT32)])], **LISTED)],
                                                     [{"key": b"k", "value": [{"list": [{"element": 1}]}]}]), V(E(4) + ".repetition_type"))
    c.ok("an optional value", mapped([key(), value()], PAIR))
    c.ok("a required value", mapped([key(), value(make=required)], PAIR[:1]))

    c.rule("nested-type/map-names")
    c.fail("the entries are named map", mapped([key(), value()], PAIR, "map"), V(E(2) + ".name"), expected="key_value")
    c.fail("the entries are named entries", mapped([key(), value()], PAIR, "entries"), V(E(2) + ".name"), expected="key_value")
    c.fail("the key is named k", mapped([key("k"), value()], [{"k": b"k", "value": 1}]), V(E(3) + ".name"), expected="key")
    c.fail("the value is named num", mapped([key(), value("num")], [{"key": b"k", "num": 1}]), V(E(4) + ".name"), expected="value")
    c.fail("map, str and num: key and value are known by position", mapped([key("str"), value("num")], [{"str": b"k", "num": 1}], "map"), V(E(2) + ".name"),
           expected="key_value")
    c.fail("two such maps, reported once", File([optional(name, [repeated("entries", [key(), value()])], **MAPPED) for name in "mn"],
                                            [{"m": {"entries": PAIR}, "n": None}]), V(E(2) + ".name", times=2), expected="key_value")
    c.ok("key_value, key and value", mapped([key(), value()], PAIR))


def older_maps(c):
    c.rule("nested-type/map-key-value-legacy")
    outside = {"converted_type": MAP_KEY_VALUE}
    c.fail("MAP_KEY_VALUE in place of MAP", mapped([key(), value()], PAIR, **outside), V(E(1) + ".converted_type"))
    c.fail("MAP_KEY_VALUE with the LogicalType MAP", mapped([key(), value()], PAIR, **outside, logicalType={"MAP": {}}),
           V(E(1) + ".converted_type"))
    marked = repeated("key_value", [key(), value()], **outside)
    c.ok("MAP_KEY_VALUE marks the entries of a MAP", File([optional("m", [marked], **MAPPED)], [{"m": {"key_value": PAIR}}, {"m": None}]))
    c.ok("MAP alone", mapped([key(), value()], PAIR))


def reading(c):
    """The interpretation of maps by readers."""
    c.rule("legal/map-of-keys")
    c.ok("a MAP without value: a set of keys, or a map of nulls", mapped([key()], [{"key": b"k"}, {"key": b"l"}]))
    c.rule("legal/map-duplicate-keys")
    c.ok("a MAP with one key twice: the last entry has its value", mapped([key(), value()], [{"key": b"k", "value": 1}, {"key": b"l", "value": 2},
                                                                                           {"key": b"k", "value": 3}]),
         Also("logical-type/map-duplicate-keys", Body((0, 0, 0), "values.value2", plus=4).with_values('"k"'), "legal, but a hazard"))
