"""Faults in the bytes of shredded variants: in the value next to typed_value, of a field, of an element, and in their metadata."""

from builder.codec.file import File
from builder.codec.shredding import variant_node, variant_row
from builder.codec.variant import OBJECT, Tag, encode
from builder.expect.findings import severity_of
from builder.recipes.variant import metadata, values
from builder.recipes.variant.shredding import Wrong, fail
from builder.recipes.variant.variants import faults_of, ok


def witnesses(c):
    seen = set()
    for fault in faults_of(metadata, values):
        # One fault of each rule, and one in an object.
        kind = fault.rule, fault.part, is_object(fault)
        # If advice is shown, a name that only the replaced value used is advice too.
        if kind in seen or fault.part == "metadata" and severity_of(fault.rule) == "info" and "string0" in fault.broken.metadata.marks:
            continue
        seen.add(kind)
        c.rule(fault.rule)
        (in_metadata if fault.part == "metadata" else in_values)(c, fault)
    c.rule("variant/unused-name")
    shape = {"a": "int8", "b": ["string"]}
    ok(c, "the names of shredded fields that are missing", File([variant_node("v", shape)], [{"v": variant_row(value, shape, ["a", "b"])} for value in ({}, {"a": 1}, 5)]))


def is_object(fault):
    data = fault.broken.value.data
    return bool(data) and data[0] & 3 == OBJECT


def add(c, about, fault, shape, path, good, **row):
    wrong = Wrong(shape, {"metadata": fault.broken.metadata.data, **row}, path, fault.found, fault.expected, length=fault.length, plus=fault.offset(), good=good)
    fail(c, f"{about}: {fault.about}", wrong, **({} if fault.readable else {"rows": None}))


def in_values(c, fault):
    data = fault.broken.value.data
    held = {"value": data}
    number = Tag("int64", 1)
    add(c, "in the value of a number", fault, "int64", "value", [number, "x"], **held)
    row = {"list": [{"element": {"value": encode("x").data}}, {"element": {"typed_value": 1}}]}
    row["list"].append({"element": held})
    wrong = Wrong(["int64"], {"metadata": fault.broken.metadata.data, "typed_value": row}, "typed_value.list.element.value", fault.found, fault.expected,
                  length=fault.length, plus=fault.offset(), nth=1, good=[[number], ["y"]])
    fail(c, f"in the third element of an array: {fault.about}", wrong, **({} if fault.readable else {"rows": None}))
    if not is_object(fault):
        return
    add(c, "in the value of a partially shredded object", fault, {"z": "int8"}, "value", [{"z": 1}, {"z": 2, "y": 3}], typed_value={}, **held)
    if b"a" in fault.broken.metadata.data:
        add(c, "in the value of a field", fault, {"a": "int64"}, "typed_value.a.value", [{"a": number}, {"a": "x"}], typed_value={"a": held})


def in_metadata(c, fault):
    add(c, "in the metadata of a number", fault, "int64", "metadata", [Tag("int64", 1), "x"], typed_value=7)
    add(c, "in the metadata of an array", fault, ["int64"], "metadata", [[Tag("int64", 1)], []], typed_value={"list": [{"element": {"typed_value": 7}}]})
