"""Rows of shredded variants: which of value and typed_value is set, and the fields and names in them (VariantShredding.md)."""

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, LIST, SNAPPY
from builder.codec.pages import V1, V2
from builder.codec.schema import leaves, list_of, optional, repeated, required, shred
from builder.codec.shredding import decimal, typed_value, variant_node, variant_row
from builder.codec.variant import Object, Tag, encode, kind_of, metadata, names_of
from builder.expect.places import Body, V
from builder.expect.witness import Also
from builder.recipes.variant.schema import SHREDDED, shape_of
from builder.recipes.variant.values import OTHERS
from builder.recipes.variant.variants import ok

NULL = encode(None).data


def witnesses(c):
    conflict(c)
    disjoint(c)
    not_typed(c)
    missing(c)
    names(c)
    could_be_typed(c)
    never_typed(c)
    out_of_range(c)
    documented(c)
    skipping(c)


def filled(row, shape):
    """A row with the groups of all fields of the shape; those that it lacks are missing fields."""
    typed = row.get("typed_value")
    if isinstance(shape, dict) and typed is not None:
        typed = {name: filled(typed.get(name, {}), one) for name, one in shape.items()}
    if isinstance(shape, list) and typed is not None:
        typed = {"list": [{"element": filled(item["element"], shape[0])} for item in typed["list"]]}
    return {**row, "typed_value": typed}


class Wrong:
    """A row that breaks a rule: `row` is that of the VARIANT group, the leaf at `path` (below the group) has the bytes at fault, of which the
    rule finds `length` from `plus` on; without a length it finds the levels. `nth` is the ordinal of the value in the row."""

    def __init__(self, shape, row, path, found, expected, length=None, plus=0, nth=0, good=None, node=None):
        self.shape, self.row, self.path, self.found, self.expected = shape, filled(row, shape), path, found, expected
        self.length, self.plus, self.nth, self.good, self.node = length, plus, nth, good or [], node

    def group(self):
        return self.node() if self.node else variant_node("v", self.shape)

    def place(self, children, rows, at, page=0, group=0, times=None, skip=0, path=("v",), nth=None):
        """The place in the row `at`, in a page that begins with the row `skip`."""
        all_leaves = leaves(children)
        index = next(i for i, leaf in enumerate(all_leaves) if leaf.path == [*path, *self.path.split(".")])
        if self.length is None:
            return Body((group, index, page), "def", times=times).with_values(self.found, self.expected, 0)
        count = lambda some: sum(level == all_leaves[index].max_def for _, level, _ in shred(children, some)[index])
        ordinal = count(rows[skip:at]) + (self.nth if nth is None else nth)
        return Body((group, index, page), f"values.value{ordinal}", plus=4 + self.plus, times=times).with_values(self.found, self.expected, self.length)


def fail(c, about, wrong, everywhere=False, **more):
    """Adds the fail files of a wrong row, between two rows of `good` values."""
    good = [variant_row(value, wrong.shape) for value in (wrong.good or [None, None])]
    one, two, bad = good[0], good[-1], wrong.row

    def add(words, rows, at, chunk=None, **place):
        rows = [{"v": row} for row in rows]
        chunks = {".".join(leaf.path): chunk() for leaf in leaves([wrong.group()])} if chunk else {f"v.{wrong.path}": Chunk()}
        file = File([wrong.group()], rows, chunks)
        c.fail(about + words, file, wrong.place([wrong.group()], rows, at, **place), **more)

    add("", [one, bad, two], 1)
    if not everywhere:
        return
    add(", in the only row", [bad], 0)
    add(", in the first row", [bad, one, two], 0)
    add(", in the last row", [one, two, bad], 2)
    add(", after nulls", [None, one, None, bad], 3)
    add(", in compressed pages", [one, bad, two], 1, lambda: Chunk(codec=SNAPPY))
    is_flat = all(leaf.max_rep == 0 for leaf in leaves([wrong.group()]))
    if is_flat:
        add(", in the second page", [one, two, bad], 2, lambda: Chunk([V1(2), V1()]), page=1, skip=2)
        add(", in the first of two pages, which are v2", [one, bad, two], 1, lambda: Chunk([V2(2), V2()]))
        add(", three times in two pages", [one, bad, bad, two, bad], 1, lambda: Chunk([V1(3), V1()]), times=3)
    else:
        add(", in v2 pages", [one, bad, two], 1, lambda: Chunk([V2()]))
        add(", twice", [one, bad, bad, two], 1, times=2)
    rows = [{"v": row} for row in (one, bad)]
    file = File([wrong.group()], groups=[Group([{"v": one}, {"v": two}]), Group(rows)])
    c.fail(about + ", in the second row group", file, wrong.place([wrong.group()], rows, 1, group=1), **more)
    nested = lambda: [optional("g", [wrong.group()])]
    rows = [{"g": {"v": one}}, {"g": None}, {"g": {"v": bad}}]
    file = File(nested(), rows)
    c.fail(about + ", in a group", file, wrong.place(nested(), rows, 2, path=("g", "v")), **more)
    listed = lambda: [list_of("l", wrong.group())]
    rows = [{"l": None}, {"l": {"list": [{"v": one}, {"v": None}, {"v": bad}]}}]
    children = listed()
    before = shred(children, [{"l": {"list": [{"v": one}]}}])
    at = next(i for i, leaf in enumerate(leaves(children)) if leaf.path == ["l", "list", "element", *wrong.path.split(".")])
    held = sum(level == leaves(children)[at].max_def for _, level, _ in before[at])
    file = File(listed(), rows)
    place = wrong.place(children, rows, 1, path=("l", "list", "element"), nth=held + wrong.nth)
    c.fail(about + ", in the third element of a list", file, place, **more)


def bare(**row):
    return {"metadata": metadata().data, **row}


def named(names, **row):
    return {"metadata": metadata(names).data, **row}


def conflict(c):
    c.rule("shredding/conflict")
    both = {"found": "value and typed_value", "expected": "value or typed_value"}
    text = encode("x").data
    fail(c, "value next to a number", Wrong("int64", bare(value=text, typed_value=5), "value", length=len(text), good=[Tag("int64", 1), Tag("int64", 2)], **both), True)
    for kind, value in SHREDDED.items():
        shape = shape_of(kind)
        row = variant_row(value, shape)
        for about, stored in (("null", None), ("the same value", value)):
            data = encode(stored).data
            fail(c, f"{kind}, and {about} in value", Wrong(shape, {**row, "value": data}, "value", length=len(data), good=[value, value], **both))
    listed = variant_row([Tag("int8", 1)], ["int8"])
    for about, stored in (("null", None), ("an array", [2]), ("the empty array", []), ("a text", "x")):
        data = encode(stored).data
        fail(c, f"value next to an array: {about}", Wrong(["int8"], {**listed, "value": data}, "value", length=len(data), good=[[1], []], **both))
    empty = {**bare(), "typed_value": {"list": []}, "value": NULL}
    fail(c, "value next to an empty array", Wrong(["int8"], empty, "value", length=1, good=[[1], []], **both))
    in_object = {"found": both["found"], "expected": both["expected"]}
    fail(c, "in a field of an object", Wrong({"a": "int8", "b": "int8"}, named("ab", typed_value={"a": {"typed_value": 1}, "b": {"typed_value": 2, "value": text}}),
                                             "typed_value.b.value", length=len(text), good=[{"a": 1}, {"a": 1, "b": "y"}], **in_object), True)
    row = bare(typed_value={"list": [{"element": {"typed_value": 1}}, {"element": {"value": NULL}}, {"element": {"typed_value": 1, "value": text}}]})
    fail(c, "in the third element of an array", Wrong(["int8"], row, "typed_value.list.element.value", length=len(text), nth=1, good=[[1], ["y"]], **both), True)
    row = named("a", typed_value={"list": [{"element": {"typed_value": {"a": {"typed_value": 1, "value": NULL}}}}]})
    fail(c, "in a field of an object in an array", Wrong([{"a": "int8"}], row, "typed_value.list.element.typed_value.a.value", length=1, good=[[{"a": 1}], []], **both))

    shape, good = {"a": "int8"}, [{"a": 1}, {"a": 2, "b": 3}]
    for kind, value in {**SHREDDED, **OTHERS}.items():
        if kind_of(value) == "object":
            continue
        data = encode(value).data
        fail(c, f"an object, and {kind} in value", Wrong(shape, named("a", value=data, typed_value={"a": {"typed_value": 1}}), "value", kind_of(value), "object",
                                                          length=len(data), good=good), kind == "string")
    fail(c, "an empty object, and a text in value", Wrong(shape, bare(value=text, typed_value={}), "value", "string", "object", length=len(text), good=good))
    row = named("ab", typed_value={"a": {"value": NULL, "typed_value": {"b": {"typed_value": 1}}}})
    fail(c, "an object in a field, and null in its value", Wrong({"a": {"b": "int8"}}, row, "typed_value.a.value", "null", "object", length=1, good=[{"a": {"b": 1}}, {}]))
    rows = [{"a": 1}, {"a": 2, "b": 3}, {}, 5, None, {"b": 1}]
    c.ok("objects of which value has the other fields", File([variant_node("v", shape)], [{"v": variant_row(value, shape)} for value in rows]))
    c.ok("numbers in one of the two", File([variant_node("v", "int64")], [{"v": variant_row(value, "int64")} for value in (Tag("int64", 1), "x", None)]))


def disjoint(c):
    c.rule("shredding/disjoint-fields")
    name = lambda text: {"found": f'"{text}"', "expected": "a field that is not shredded"}
    shape, good = {"a": "int8", "b": "string"}, [{"a": 1, "b": "x"}, {"a": 2, "c": 3}]

    def residual(rest, typed, field, found, names, **more):
        value = encode(rest, names)
        return Wrong(shape, named(names, value=value.data, typed_value=typed), "value", length=more.pop("width", 1), plus=value.marks[f"id{field}"], good=good, **name(found), **more)

    fail(c, "a field in both", residual({"a": 2}, {"a": {"typed_value": 1}}, 0, "a", ["a"]), True)
    fail(c, "the second of three fields in both", residual({"A": 0, "b": 2, "c": 3}, {"b": {"typed_value": b"x"}}, 1, "b", ["A", "b", "c"]))
    fail(c, "the last of three fields in both, ids of two bytes", residual(Object({"A": 0, "B": 2, "b": 3}, id_width=2), {"b": {"typed_value": b"x"}}, 2, "b", ["A", "B", "b"],
                                                                           width=2))
    fail(c, "a field in value, its columns null", residual({"a": 2}, {}, 0, "a", ["a"]), rows=None)
    fail(c, "a null in value, its columns null", residual({"b": None}, {"a": {"typed_value": 1}}, 0, "b", ["a", "b"]), rows=None)
    fail(c, "a field of the same value in both", residual({"a": 1}, {"a": {"typed_value": 1}}, 0, "a", ["a"]))
    fail(c, "a field in both, which is a null in its columns", residual({"a": 2}, {"a": {"value": NULL}}, 0, "a", ["a"]))
    value = encode({"b": 2}, ["a", "b"])
    row = named("ab", typed_value={"a": {"value": value.data, "typed_value": {"b": {"typed_value": 1}}}})
    fail(c, "in an object in a field", Wrong({"a": {"b": "int8"}}, row, "typed_value.a.value", length=1, plus=value.marks["id0"], good=[{"a": {"b": 1}}, {"a": {"c": 1}}],
                                             **name("b")))
    value = encode({"a": 2}, ["a"])
    row = named("a", typed_value={"list": [{"element": {"typed_value": {"a": {"typed_value": 1}}}}, {"element": {"value": value.data, "typed_value": {"a": {"typed_value": 1}}}}]})
    fail(c, "in an object in an array", Wrong([{"a": "int8"}], row, "typed_value.list.element.value", length=1, plus=value.marks["id0"], good=[[{"a": 1}], []], **name("a")))
    rows = [{"a": 1, "A": 2}, {"b": "x", "c": {"a": 1}}, {"d": [{"b": 1}]}, {"a": {"a": 1}}]
    c.ok("names that differ in case, and fields of the name in other objects", File([variant_node("v", shape)], [{"v": variant_row(value, shape)} for value in rows]))


def not_typed(c):
    c.rule("shredding/object-not-typed", found="an object in value", expected="an object in typed_value")
    words = {"found": "an object in value", "expected": "an object in typed_value"}
    shape, good = {"a": "int8"}, [{"a": 1}, 5]
    for index, (about, value) in enumerate((("an object of other fields", {"b": 1}), ("an empty object", {}), ("an object with a shredded field", {"a": 1}))):
        data = encode(value, names_of(value)).data
        fail(c, about, Wrong(shape, named(names_of(value), value=data), "value", length=len(data), good=good, **words), index == 0)
    data = encode({"c": 1}, ["a", "b", "c"]).data
    fail(c, "an object in a field", Wrong({"a": {"b": "int8"}}, named("abc", typed_value={"a": {"value": data}}), "typed_value.a.value", length=len(data),
                                          good=[{"a": {"b": 1}}, {"a": 5}], **words))
    data = encode({"c": 1}, ["a", "c"]).data
    row = named("ac", typed_value={"list": [{"element": {"typed_value": {"a": {}}}}, {"element": {"value": data}}]})
    fail(c, "an object in an array", Wrong([{"a": "int8"}], row, "typed_value.list.element.value", length=len(data), good=[[{"a": 1}], []], **words))
    rows = [{"b": 1}, {}, 5, [{"a": 1}], None, "x"]
    c.ok("objects in typed_value, and what is no object in value", File([variant_node("v", shape)], [{"v": variant_row(value, shape)} for value in rows]))
    c.ok("an object in value next to a typed_value of numbers", File([variant_node("v", "int8")], [{"v": variant_row(value, "int8")} for value in ({"a": 1}, 1)]))

    c.rule("shredding/array-not-typed")
    words = {"found": "an array in value", "expected": "an array in typed_value"}
    for index, (about, value) in enumerate((("an array of texts", ["x"]), ("an empty array", []), ("an array of the type of the elements", [1, 2]))):
        data = encode(value).data
        fail(c, about, Wrong(["int8"], bare(value=data), "value", length=len(data), good=[[1], 5], **words), index == 0)
    data = encode(["x"]).data
    fail(c, "an array in a field", Wrong({"a": ["int8"]}, named("a", typed_value={"a": {"value": data}}), "typed_value.a.value", length=len(data),
                                         good=[{"a": [1]}, {"a": 5}], **words))
    row = bare(typed_value={"list": [{"element": {"typed_value": {"list": []}}}, {"element": {"value": data}}]})
    fail(c, "an array in an array", Wrong([["int8"]], row, "typed_value.list.element.value", length=len(data), good=[[[1]], []], **words))
    rows = [["x"], [], [1, None], 5, None, {"a": [1]}]
    c.ok("arrays in typed_value, and what is no array in value", File([variant_node("v", ["int8"])], [{"v": variant_row(value, ["int8"])} for value in rows]))
    c.ok("an array in value next to an object, or a number", File([variant_node("v", {"a": "int8"}), variant_node("w", "int8")], [
        {"v": variant_row([1], {"a": "int8"}), "w": variant_row([1], "int8")}]))


def missing(c):
    c.rule("shredding/missing")
    words = {"found": "neither value nor typed_value", "expected": "value or typed_value"}
    fail(c, "a number", Wrong("int64", bare(), "value", good=[Tag("int64", 1), "x"], **words), True)
    fail(c, "an object", Wrong({"a": "int8"}, bare(), "value", good=[{"a": 1}, {}], **words))
    fail(c, "an array", Wrong(["int8"], bare(), "value", good=[[1], []], **words))
    for kind in SHREDDED:
        fail(c, kind, Wrong(shape_of(kind), bare(), "value", good=[SHREDDED[kind], None], **words))
    row = bare(typed_value={"list": [{"element": {"typed_value": 1}}, {"element": {}}, {"element": {"value": NULL}}]})
    fail(c, "the second of three elements", Wrong(["int8"], row, "typed_value.list.element.value", good=[[1], []], **words), True)
    row = bare(typed_value={"list": [{"element": {}}]})
    fail(c, "the only element of an array of objects", Wrong([{"a": "int8"}], row, "typed_value.list.element.value", good=[[{"a": 1}], []], **words))
    row = named("a", typed_value={"a": {"typed_value": {"list": [{"element": {}}]}}})
    fail(c, "an element in a field of an object", Wrong({"a": ["int8"]}, row, "typed_value.a.typed_value.list.element.value", good=[{"a": [1]}, {}], **words))
    node = lambda: variant_node("v", optional("typed_value", [repeated("list", [required("element", [typed_value("int8")])])], converted_type=LIST,
                                              logicalType={"LIST": {}}))
    rows = [{"v": bare(typed_value={"list": [{"element": {"typed_value": 1}}]})}, {"v": bare(typed_value={"list": [{"element": {}}]})}]
    wrong = Wrong(None, rows[1]["v"], "typed_value.list.element.typed_value", node=node, **words)
    c.fail("an element that has no value", File([node()], rows), wrong.place([node()], rows, 1))
    optional_element = lambda: variant_node("v", optional("typed_value", [repeated("list", [optional("element", [optional("value", BYTE_ARRAY), typed_value("int8")])])],
                                                          converted_type=LIST, logicalType={"LIST": {}}))
    rows = [{"v": bare(typed_value={"list": [{"element": {"typed_value": 1}}, {"element": None}]})}, {"v": bare(typed_value={"list": []})}]
    wrong = Wrong(None, rows[0]["v"], "typed_value.list.element.value", node=optional_element, **words)
    shape_too = Also("shredding/shape", V("schema[6].repetition_type").with_values("OPTIONAL", "REQUIRED"), "the element is a group that can be null")
    c.fail("an optional element that is null", File([optional_element()], rows), wrong.place([optional_element()], rows, 0), shape_too, rows=None)
    c.ok("fields that are missing", File([variant_node("v", {"a": "int8", "b": {"c": "int8"}})], [{"v": variant_row(value, {"a": "int8", "b": {"c": "int8"}})}
                                                                                               for value in ({}, {"a": 1}, {"b": {}}, {"b": 1})]))
    c.ok("nulls of a Variant, and of the group", File([variant_node("v", ["int8"])], [{"v": variant_row(value, ["int8"])} for value in (None, [None], [])] + [{"v": None}]))


def names(c):
    c.rule("shredding/name", found="absent")
    shape, good = {"a": "int8", "b": "string"}, [{"a": 1, "b": "x"}, {"a": 2, "c": 3}]

    def wrong(shape, dictionary, row, name, good):
        data = metadata(dictionary).data
        return Wrong(shape, {"metadata": data, **row}, "metadata", "absent", f'"{name}"', length=len(data), good=good)

    fail(c, "the name of a field, in an empty dictionary", wrong(shape, [], {"typed_value": {"a": {"typed_value": 1}}}, "a", good), True)
    fail(c, "the name of the second field", wrong(shape, ["a"], {"typed_value": {"a": {"typed_value": 1}, "b": {"typed_value": b"x"}}}, "b", good))
    fail(c, "the name in another case", wrong(shape, ["A"], {"typed_value": {"a": {"typed_value": 1}}}, "a", good))
    fail(c, "the name of a field that is null", wrong(shape, ["b"], {"typed_value": {"a": {"value": NULL}}}, "a", good))
    fail(c, "the name of a field in an object in a field", wrong({"a": {"b": "int8"}}, ["a"], {"typed_value": {"a": {"typed_value": {"b": {"typed_value": 1}}}}}, "b",
                                                                 [{"a": {"b": 1}}, {}]))
    fail(c, "the name of a field of an element", wrong([{"a": "int8"}], [], {"typed_value": {"list": [{"element": {"typed_value": {"a": {"typed_value": 1}}}}]}}, "a",
                                                       [[{"a": 1}], []]))
    c.ok("the names of missing fields are not in the dictionary", File([variant_node("v", shape)], [{"v": variant_row(value, shape)} for value in ({}, {"a": 1}, {"b": "x"}, 5)]))
    c.ok("the names of missing fields are in the dictionary", File([variant_node("v", shape)], [{"v": variant_row(value, shape, ["a", "b"])} for value in ({}, {"a": 1})]))


def could_be_typed(c):
    c.rule("shredding/could-be-typed", expected="typed_value")
    for index, (kind, value) in enumerate(SHREDDED.items()):
        data = encode(value).data
        fail(c, kind, Wrong(shape_of(kind), bare(value=data), "value", kind_of(value), "typed_value", length=len(data), good=[value, None]), index == 0)
    data = encode(Tag("string", "text")).data
    fail(c, "a long string of four bytes", Wrong("string", bare(value=data), "value", "string", "typed_value", length=len(data), good=["x", None]))
    data = encode(5).data
    fail(c, "in a field", Wrong({"a": "int8"}, named("a", typed_value={"a": {"value": data}}), "typed_value.a.value", "int8", "typed_value", length=len(data), good=[{"a": 1}, {}]))
    row = bare(typed_value={"list": [{"element": {"typed_value": 1}}, {"element": {"value": data}}]})
    fail(c, "in an element", Wrong(["int8"], row, "typed_value.list.element.value", "int8", "typed_value", length=len(data), good=[[1], []]))
    rows = [{"v": bare(value=encode(value).data)} for value in (Tag("int16", 1), Tag("int64", 1), 1.5, "x", None, Tag("decimal4", (1, 0)))]
    ok(c, "values of other kinds, next to int8", File([variant_node("v", "int8")], rows))
    rows = [{"v": bare(value=encode(value).data)} for value in (Tag("decimal4", (150, 1)), Tag("decimal8", (150, 2)), 1)]
    ok(c, "decimals of another scale or kind", File([variant_node("v", shape_of("decimal4"))], rows))
    rows = [{"v": bare(value=encode(value).data)} for value in (Tag("timestamp_ntz", 1), Tag("timestamp_nanos", 1), Tag("date", 1))]
    ok(c, "timestamps of another kind", File([variant_node("v", "timestamp")], rows))


def out_of_range(c):
    """Values in typed_value that its Variant type cannot have: the rows have them all the same."""
    c.rule("logical-type/integer-range")
    for kind, number, expected in (("int8", 300, "-128 to 127"), ("int8", -129, "-128 to 127"), ("int8", 70_000, "-128 to 127"), ("int16", 40_000, "-32768 to 32767"),
                                   ("int16", -(2**31), "-32768 to 32767")):
        fail(c, f"{number} in a shredded {kind}", Wrong(kind, bare(typed_value=number), "typed_value", str(number), expected, length=4, plus=-4, good=[Tag(kind, 1), "x"]))
    fail(c, "300 in a shredded int8 of an object", Wrong({"a": "int8"}, named("a", typed_value={"a": {"typed_value": 300}}), "typed_value.a.typed_value", "300", "-128 to 127",
                                                         length=4, plus=-4, good=[{"a": 1}, {}]))
    wide = decimal(38, 2, BYTE_ARRAY)
    c.rule("logical-type/decimal-digits")
    for number in (5 << 130, -(5 << 130), 1 << 127, -(1 << 127) - 1, 10**38):
        data = number.to_bytes(16 if number == 10**38 else 17, "big", signed=True)
        fail(c, f"a shredded decimal of {len(str(abs(number)))} digits and {len(data)} bytes: {number}",
             Wrong(wide, bare(typed_value=data), "typed_value", hundredths(number), "at most 38 digits", length=len(data), good=[Tag("decimal16", (1, 2)), "x"]))
    c.rule("logical-type/decimal-bytes-empty")
    fail(c, "a shredded decimal without bytes", Wrong(wide, bare(typed_value=b""), "typed_value", "0 bytes", "1 or more", length=0, good=[Tag("decimal16", (1, 2)), "x"]))


def hundredths(number):
    digits = str(abs(number))
    return f"{'-' * (number < 0)}{digits[:-2]}.{digits[-2:]}"


def never_typed(c):
    c.rule("shredding/never-typed")
    at = lambda leaf, found: V(f"row_groups[0].columns[{leaf}].meta_data.total_compressed_size", found=found)
    shredded = lambda shape, *groups: File([variant_node("v", shape)], groups=[
        Group([{"v": None if value is ... else variant_row(value, shape)} for value in values]) for values in groups])
    c.fail("texts, next to int8", shredded("int8", ["x", "y"]), at(2, "none of 2 values"))
    c.fail("one text", shredded("int8", ["x"]), at(2, "none of 1 value"))
    c.fail("texts and nulls in three row groups", shredded("int8", ["x", ...], [..., None], ["z"]), at(2, "none of 3 values"))
    c.fail("no object, next to an object of two fields", shredded({"a": "int8", "b": "string"}, ["x", 1]), at(2, "none of 2 values"))
    c.fail("no array, next to an array", shredded(["int8"], ["x", {"a": 1}, None]), at(2, "none of 3 values"))
    c.fail("a field of another type in all objects", shredded({"a": "int8", "b": "string"}, [{"a": "x", "b": "y"}, {"b": "z"}, {"a": None}]),
           at(3, "none of 2 values"))
    c.fail("a field that no object has", shredded({"a": "int8", "b": "string"}, [{"a": 1}], [{}, {"a": 2, "c": 3}, "text"]), at(4, "no such field of 3 objects"))
    c.fail("a field without a type that no object has", shredded({"a": "int8", "b": None}, [{"a": 1}]), at(4, "no such field of 1 object"))
    c.fail("a field of a field", shredded({"a": {"b": "int8"}}, [{"a": {"c": 1}}, {"a": {}}]), at(3, "no such field of 2 objects"))
    c.fail("elements of another type", shredded(["int8"], [["x", None], [], ["y"]]), at(3, "none of 3 values"))
    c.fail("two fields", shredded({"a": "int8", "b": "string"}, [{"a": "x", "c": 1}]), at(3, "none of 1 value"), at(4, "no such field of 1 object"))
    c.ok("int8, next to int8", shredded("int8", [1, "x"]))
    c.ok("int8 in the last row group alone", shredded("int8", ["x"], ["y"], [1]))
    c.ok("a field in the first row group alone, and one in the last", shredded({"a": "int8", "b": "int8"}, [{"a": 1}], [{}], [{"b": 1}]))
    c.ok("arrays without elements", shredded(["int8"], [[], []]))
    c.ok("nulls of the group alone", shredded("int8", [...], [...]))
    text = variant_row("x", "int8")
    c.ok("int8 in value: that is the fault", File([variant_node("v", "int8")], [{"v": bare(value=encode(5).data)}, {"v": text}]))


def documented(c):
    """The tables of the document: all valid rows, and the readings of invalid ones."""
    c.rule("legal/variant-tables")
    number = lambda value: Tag("int64", value)
    c.ok("the table of measurements", File([variant_node("measurement", "int64", required)], [
        {"measurement": variant_row(value, "int64")} for value in (number(34), None, "n/a", number(100))]))
    tags = (["comedy", "drama"], ["horror", None], ["comedy", "drama", "romance"], None)
    c.ok("the table of tags", File([variant_node("tags", ["string"])], [{"tags": variant_row(value, ["string"])} for value in tags]))
    shape = {"event_type": "string", "event_ts": "timestamp"}
    at = lambda value: Tag("timestamp", value * 1000)
    events = ({"event_type": "noop", "event_ts": at(1729794114937)}, {"event_type": "login", "event_ts": at(1729794146402), "email": "user@example.com"},
              {"error_msg": "malformed: ..."}, "malformed: not an object", {"event_ts": at(1729794240241), "click": "_button"},
              {"event_type": None, "event_ts": at(1729794954163)}, {"event_type": "noop", "event_ts": "2024-10-24"}, {}, None)
    c.ok("the table of events", File([variant_node("event", shape)], [{"event": variant_row(value, shape)} for value in events] + [{"event": None}]))
    nested = {**shape, "location": {"latitude": "double", "longitude": "double"}, "tags": ["string"]}
    values = ({"event_type": "noop", "location": {"latitude": 52.5, "longitude": 13.4}, "tags": ["a", None, 1]}, {"location": {"latitude": "north"}, "tags": "none"},
              {"location": {"latitude": 1.0, "altitude": 34}, "tags": []}, {"location": None, "other": [1]}, 5)
    c.ok("the nested schema of events", File([variant_node("event", nested)], [{"event": variant_row(value, nested)} for value in values]))
    c.rule("legal/variant-merged")
    shape = {"b": "int8", "d": "string"}
    values = ({"a": 1, "b": 2, "c": 3, "d": "x", "e": 5}, {"\u00e9": 1, "d": "y", "z": 2}, {"B": 1, "b": 2})
    c.ok("fields of value between those of typed_value: the object is sorted by name", File([variant_node("v", shape)], [{"v": variant_row(value, shape)} for value in values]))
    deep = {"a": {"b": [{"c": ["int8"]}]}}
    c.ok("arrays of objects of arrays", File([variant_node("v", deep)], [{"v": variant_row(value, deep)} for value in (
        {"a": {"b": [{"c": [1, 2, "x"]}, {"c": []}, {"d": 1}, 5]}}, {"a": {"b": []}}, {"a": {"x": 1}}, {}, {"a": {"b": [{"c": None}]}})]))


def skipping(c):
    c.rule("legal/variant-bounds")
    stated = {"min_value": (1).to_bytes(8, "little"), "max_value": (3).to_bytes(8, "little"), "null_count": 2}
    rows = [{"v": variant_row(value, "int64")} for value in (Tag("int64", 1), "a text", Tag("int64", 3), 9)]
    c.ok("the bounds of typed_value, some values in value: readers cannot skip the row group", File([variant_node("v", "int64")], rows, {
        "v.typed_value": Chunk(meta={"statistics": stated})}, column_orders=True))
