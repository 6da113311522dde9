"""Schema elements and their tree (README.md, Metadata; parquet.thrift SchemaElement)."""

from builder.codec import plain
from builder.codec.file import Chunk, File, Group
from builder.codec.marked import Marked
from builder.codec.metadata import BYTE_ARRAY, DECIMAL, DROP, FIXED_LEN_BYTE_ARRAY, INT32, INT64, INT96, INTERVAL, MAP, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, repeated, required
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import chunk, column, flat, lists, nullable, two

LEAF, ROOT = "schema[1]", "schema[0]"


def bare(elements, **more):
    """A file without row groups, its schema written out."""
    return File([], groups=[], footer={"schema": elements}, **more)


def leaf(**more):
    return {"name": "a", "type": INT32, "repetition_type": 0, **more}


def root(children=1, **more):
    return {"name": "r", "num_children": children, **more}


def grouped(**attributes):
    """A group `g` of one leaf."""
    return File([required("g", [required("a", INT32)], **attributes)], [{"g": {"a": 1}}])


def pair(**more):
    """A group of two leaves, and a leaf after it."""
    return File([optional("g", [required("a", INT32), required("b", INT32)]), required("c", INT32)],
                [{"g": {"a": i, "b": 2 * i}, "c": 3 * i} for i in (1, 2, 3)], **more)


def groups(*children, **more):
    """A file of two row groups of these leaves."""
    rows = [[{node.name: i + k for i, node in enumerate(children)} for k in range(3)] for _ in range(2)]
    return File(list(children), groups=[Group(one) for one in rows], **more)


def deep(levels):
    """A leaf below as many optional groups as make its maximum definition level `levels`; no row group."""
    node = optional("x", INT32)
    for _ in range(levels - 1):
        node = optional("x", [node])
    return File([node], groups=[])


def witnesses(c):
    at_root(c)
    tree(c)
    pages_know_better(c)
    names(c)
    renamed(c)
    types(c)
    collections(c)


def at_root(c):
    c.rule("schema/root-type")
    c.fail("the root has a type", flat(footer={ROOT + ".type": INT32}), V(ROOT + ".type"))
    c.fail("the root has a type, and two children", File([required("a", INT32), required("b", INT64)], [{"a": 1, "b": 2}],
           footer={ROOT + ".type": 6}), V(ROOT + ".type"))
    c.ok("the root has no type", flat())

    c.rule("schema/root-is-group")
    c.fail("the root has a type in place of num_children", bare([{"name": "r", "type": INT32}]), S(ROOT, field=ROOT + ".num_children"))
    c.fail("the root has no num_children", bare([{"name": "r"}]), S(ROOT, field=ROOT + ".num_children"))
    c.ok("the root is a group", bare([root(), leaf()]))

    c.rule("schema/root-repetition-required")
    c.fail("the root is REQUIRED", flat(footer={ROOT + ".repetition_type": 0}), V(ROOT + ".repetition_type"))
    c.ok("the root has no repetition", flat())

    c.rule("schema/root-repetition")
    c.fail("the root is OPTIONAL", flat(footer={ROOT + ".repetition_type": 1}), V(ROOT + ".repetition_type"))
    c.fail("the root is REPEATED", flat(footer={ROOT + ".repetition_type": 2}), V(ROOT + ".repetition_type"))
    c.ok("the root is REQUIRED", flat(footer={ROOT + ".repetition_type": 0}))

    c.rule("schema/root-annotation")
    c.fail("the root has a converted_type", flat(footer={ROOT + ".converted_type": 0}), V(ROOT + ".converted_type"))
    c.fail("the root has a logicalType", flat(footer={ROOT + ".logicalType": {"STRING": {}}}), V(ROOT + ".logicalType"))
    c.ok("the root has neither", flat())


def pages_know_better(c):
    """The schema states a property of an element that the pages of its columns contradict."""
    c.rule("schema/type", found="INT64", expected="INT32")
    c.fail("the type in the schema is INT64, that of the chunks of both row groups and of their pages INT32",
           groups(required("a", INT32), required("b", INT32), footer={"schema[2].type": INT64}), V("schema[2].type"))
    c.fail("the type in the schema is INT64, that of the only chunk and its page INT32", flat(footer={LEAF + ".type": INT64}), V(LEAF + ".type"))
    c.ok("the type in the schema and the chunks is INT32", groups(required("a", INT32), required("b", INT32)))

    c.rule("schema/levels", found="REQUIRED", expected="OPTIONAL")
    c.fail("a column with nulls is REQUIRED in the schema", nullable(chunk(V1(1), V1()), footer={LEAF + ".repetition_type": 0}),
           V(LEAF + ".repetition_type"))
    c.fail("a column with nulls in v2 pages is REQUIRED in the schema", nullable(chunk(V2(1), V2()), footer={LEAF + ".repetition_type": 0}),
           V(LEAF + ".repetition_type"))
    c.fail("a required column is OPTIONAL in the schema", groups(required("a", INT32), required("b", INT32), footer={LEAF + ".repetition_type": 1}),
           V(LEAF + ".repetition_type"), found="OPTIONAL", expected="REQUIRED")
    c.fail("a group of two columns is REPEATED in the schema", pair(footer={LEAF + ".repetition_type": 2}), V(LEAF + ".repetition_type"),
           found="REPEATED", expected="OPTIONAL")
    for made in (V1, V2):
        name = made.__name__
        c.fail(f"a column of one {name} page is OPTIONAL in the schema, and has no levels",
               flat(chunk(made()), footer={LEAF + ".repetition_type": 1}), V(LEAF + ".repetition_type"), found="OPTIONAL", expected="REQUIRED")
        c.fail(f"a column of one {name} page is REPEATED in the schema, and has no levels",
               flat(chunk(made()), footer={LEAF + ".repetition_type": 2}), V(LEAF + ".repetition_type"), found="REPEATED", expected="REQUIRED")
        c.fail(f"a column of one {name} page with nulls is REQUIRED in the schema",
               nullable(chunk(made()), footer={LEAF + ".repetition_type": 0}), V(LEAF + ".repetition_type"))
    words = plain.encode(BYTE_ARRAY, [b"x", b"y", b"z"])
    c.fail("a column with nulls is REQUIRED in the schema, in a group whose other column has bytes after its values",
           File([required("g", [optional("a", INT32), required("b", BYTE_ARRAY)])],
                [{"g": {"a": a, "b": b}} for a, b in ((1, b"x"), (None, b"y"), (3, b"z"))],
                {"g.b": chunk(V1(values=Marked(words.data + b"\0\0", {"after": len(words)})))},
                footer={"schema[2].repetition_type": 0}),
           V("schema[2].repetition_type"),
           Also("page/trailing-bytes", Body((0, 1, 0), "values.after"), "an independent fault"))
    c.fail("a column with nulls is REQUIRED in the schema, and the footer counts a row too many",
           nullable(footer={LEAF + ".repetition_type": 0, "num_rows": 4}), V(LEAF + ".repetition_type"),
           Also("footer/num-rows", V("num_rows"), "an independent fault"))
    c.ok("the columns of an optional group", pair())


def tree(c):
    c.rule("schema/tree", found="fewer elements than num_children asks for", expected="as many")
    c.fail("num_children of the root is two, one child follows", bare([root(2), leaf()]), V(ROOT + ".num_children"))
    c.fail("num_children of an inner group is two, one child follows",
           bare([root(), {"name": "g", "repetition_type": 0, "num_children": 2}, leaf()]), V(LEAF + ".num_children"))
    c.fail("num_children of the root is one, two children follow", bare([root(), leaf(), leaf(name="b")]), S("schema[2]"), found="1 element left over", expected="none")
    c.fail("num_children of the root is 2^31-1", bare([root(2**31 - 1), leaf()]), V(ROOT + ".num_children"))
    c.fail("num_children of the root is three, and the paths of the chunks have two", two(footer={ROOT + ".num_children": 3}),
           V(ROOT + ".num_children"), found="3", expected="2")
    c.fail("num_children of a group is one less than its two children", pair(footer={LEAF + ".num_children": 1}), V(LEAF + ".num_children"), found="1", expected="2")
    c.ok("child counts use up the list", bare([root(2), leaf(), leaf(name="b")]))

    c.rule("schema/group-or-leaf")
    c.fail("a type and a child", bare([root(), {"name": "g", "repetition_type": 0, "num_children": 1, "type": INT32}, leaf()]),
           V(LEAF + ".num_children"), found="both type and num_children")
    c.fail("neither type nor num_children", bare([root(), leaf(type=None)]), S(LEAF), found="neither type nor num_children")
    c.ok("a group and a leaf in it", bare([root(), {"name": "g", "repetition_type": 0, "num_children": 1}, leaf()]))

    c.rule("schema/num-children-negative")
    c.fail("a group of -1 children", bare([root(), {"name": "g", "repetition_type": 0, "num_children": -1}]),
           V(LEAF + ".num_children"))
    c.fail("a root of -1 children", bare([root(-1)]), V(ROOT + ".num_children"))
    c.ok("a root without children", bare([root(0)]),
         Also("schema/empty-group", V(ROOT + ".num_children"), "no child is legal, but a hazard"))

    c.rule("schema/repetition")
    c.fail("a leaf has no repetition", bare([root(), leaf(repetition_type=None)]), S(LEAF, field=LEAF + ".repetition_type"))
    c.fail("a group has no repetition", bare([root(), {"name": "g", "num_children": 1}, leaf()]),
           S(LEAF, field=LEAF + ".repetition_type"))
    c.ok("only the root has no repetition", bare([root(), leaf()]))

    c.rule("schema/empty-group")
    c.fail("a group without children next to a leaf", File([required("g", []), required("a", INT32)], [{"g": {}, "a": 1}]),
           V(LEAF + ".num_children"), rows=None)
    c.fail("a root without children", bare([root(0)]), V(ROOT + ".num_children"))
    c.ok("a group with one child", grouped())

    c.rule("schema/leaf-zero-children")
    c.fail("num_children of a leaf is 0", flat(footer={LEAF + ".num_children": 0}), V(LEAF + ".num_children"))
    c.ok("a leaf has no num_children", flat())

    c.rule("schema/level-limit")
    c.fail("a leaf of definition level 256", deep(256), S("schema[256]"))
    c.ok("a leaf of definition level 255", deep(255))


def names(c):
    c.rule("schema/name-empty")
    c.fail("a leaf has an empty name", column(required("", INT32), [1]), V(LEAF + ".name"))
    c.fail("a group has an empty name", File([required("", [required("a", INT32)])], [{"": {"a": 1}}]), V(LEAF + ".name"))
    c.ok("a name of one space", column(required(" ", INT32), [1]))

    c.rule("schema/sibling-names")
    c.fail("two columns have one name", File([required("a", INT32), required("a", INT32)], [{"a": 1}]), V("schema[2].name"),
           rows=None)
    c.fail("two fields of a group have one name",
           File([required("g", [required("a", INT32), required("b", INT32), required("a", INT32)])], [{"g": {"a": 1, "b": 2}}]),
           V("schema[4].name"), rows=None)
    c.ok("names that differ in case, and the name of a group's child again outside",
         File([required("g", [required("a", INT32)]), required("a", INT32), required("A", INT32)],
              [{"g": {"a": 1}, "a": 2, "A": 3}]))

    c.rule("schema/sibling-names-alike")
    c.fail("two columns differ in case", File([required("a", INT32), required("A", INT32)], [{"a": 1, "A": 2}]), V("schema[2].name"),
           found="A", expected='a path that differs from "a" in more than case and dots')
    c.fail("a column a.b next to a group a with a column b",
           File([required("a", [required("b", INT32)]), required("a.b", INT32)], [{"a": {"b": 1}, "a.b": 2}]), V("schema[3].name"),
           found="a.b", expected='a path that differs from "a.b" in more than case and dots')
    c.fail("two groups differ in case only, and their columns are the same",
           File([required("g", [required("a", INT32)]), required("G", [required("a", INT32)])], [{"g": {"a": 1}, "G": {"a": 2}}]),
           V("schema[4].name"), found="G.a", expected='a path that differs from "g.a" in more than case and dots')
    c.ok("names that differ in more than case", File([required("a", INT32), required("a_", INT32)], [{"a": 1, "a_": 2}]))

    c.rule("schema/name-dot")
    c.fail("a name with a dot", column(required("a.b", INT32), [1]), V(LEAF + ".name"))
    c.ok("a path of two names", File([required("a", [required("b", INT32)])], [{"a": {"b": 1}}]))

    c.rule("schema/field-id-unique")
    c.fail("two leaves have field_id 7", File([required("a", INT32, field_id=7), required("b", INT32, field_id=7)],
                                             [{"a": 1, "b": 2}]), V("schema[2].field_id"))
    c.fail("field_id is -1", column(required("a", INT32, field_id=-1), [1]), V(LEAF + ".field_id"))
    c.ok("field_ids 0 and 7", File([required("a", INT32, field_id=0), required("b", INT32, field_id=7)], [{"a": 1, "b": 2}]))


def types(c):
    flba = {"name": "f", "type": FIXED_LEN_BYTE_ARRAY, "repetition_type": 0}
    c.rule("schema/type-length")
    c.fail("FIXED_LEN_BYTE_ARRAY without type_length", bare([root(), flba]), S(LEAF, field=LEAF + ".type_length"))
    c.fail("FIXED_LEN_BYTE_ARRAY(-1)", bare([root(), {**flba, "type_length": -1}]), V(LEAF + ".type_length"))
    bounds = {"null_count": 0, "min_value": b"abc", "max_value": b"xyz"}
    for coded in (False, True):
        pages = (Dictionary([b"abc", b"xyz"]), V1(encoding=RLE_DICTIONARY)) if coded else (V1(),)
        for length in (4, 2):
            c.fail(f"FIXED_LEN_BYTE_ARRAY({length}) of values of three bytes, which the bounds have too{', in a dictionary' if coded else ''}",
                   column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), [b"abc", b"xyz"], chunk(*pages, meta={"statistics": bounds}),
                          column_orders=True, footer={LEAF + ".type_length": length}), V(LEAF + ".type_length"), expected="3")
    wordy = required("f", FIXED_LEN_BYTE_ARRAY)
    c.fail("FIXED_LEN_BYTE_ARRAY without type_length, with values",
           column(wordy, [b"x", b"y"], chunk(meta={"statistics": {"null_count": 0, "min_value": b"x", "max_value": b"y"}}), column_orders=True),
           S(LEAF, field=LEAF + ".type_length"))
    c.fail("FIXED_LEN_BYTE_ARRAY(-1), with a dictionary",
           column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=-1), [b"x", b"y"],
                  chunk(Dictionary([b"x", b"y"]), V1(encoding=RLE_DICTIONARY))), V(LEAF + ".type_length"))
    letters = column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=4), [b"abcd", b"efgh"],
                     chunk(meta={"statistics": {"null_count": 0, "min_value": b"abcd", "max_value": b"efgh"}}), column_orders=True,
                     footer={LEAF + ".type_length": 0})
    c.fail("FIXED_LEN_BYTE_ARRAY(0), of which pages and bounds have values of 4 bytes", letters, V(LEAF + ".type_length"),
           found="0", expected="as many bytes as its values have",
           reader=("may", "parquet.thrift#SchemaElement.type_length"))
    for annotation, length, stated in (({"logicalType": {"FLOAT16": {}}}, 2, 3), ({"logicalType": {"UUID": {}}}, 16, 15),
                                       ({"converted_type": INTERVAL}, 12, 13)):
        c.fail(f"type_length {stated} of values of {length} bytes, which the annotation asks for; no bounds",
               column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=length, **annotation), [bytes([60, i] * (length // 2)) for i in range(4)],
                      footer={LEAF + ".type_length": stated}), V(LEAF + ".type_length"), expected=str(length))
    c.ok("FIXED_LEN_BYTE_ARRAY(1)", column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=1), [b"x"]))

    c.rule("schema/flba-zero-length")
    c.fail("FIXED_LEN_BYTE_ARRAY(0)", column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=0), [b"", b""]),
           V(LEAF + ".type_length"))
    c.ok("FIXED_LEN_BYTE_ARRAY(1)", column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=1), [b"x"]))

    c.rule("schema/type-length-bits")
    c.fail("INT32 of 33 bits", column(required("a", INT32, type_length=33), [1]), V(LEAF + ".type_length"))
    c.fail("INT64 of 65 bits", column(required("a", INT64, type_length=65), [1]), V(LEAF + ".type_length"))
    c.fail("4 bits are stated, the second value is 16", column(required("a", INT32, type_length=4), [15, 16]),
           Body((0, 0, 0), "values.value1"))
    c.fail("4 bits are stated, the third value is -9", column(required("a", INT32, type_length=4), [-8, -1, -9]),
           Body((0, 0, 0), "values.value2"))
    c.fail("40 bits are stated, a value of a v2 page has 41",
           column(required("a", INT64, type_length=40), [1, 2**40], chunk(V2())), Body((0, 0, 0), "values.value1"))
    c.fail("INT32 of -1 bits", column(required("a", INT32, type_length=-1), [1]), V(LEAF + ".type_length"))
    c.fail("4 bits are stated, an entry of the dictionary is 16",
           column(required("a", INT32, type_length=4), [15, 16], chunk(Dictionary([15, 16]), V1(encoding=RLE_DICTIONARY))),
           Body((0, 0, 0), "values.value1"))
    c.ok("INT32 of 32 bits, the smallest and the largest", column(required("a", INT32, type_length=32), [-2**31, 2**31 - 1]))
    c.ok("4 bits read as unsigned", column(required("a", INT32, type_length=4), [0, 15]))
    c.ok("4 bits read as signed", column(required("a", INT32, type_length=4), [-8, 7]))
    c.ok("0 bits count as none stated", column(required("a", INT32, type_length=0), [99]))

    c.rule("schema/group-type-length")
    c.fail("a group has type_length 4", grouped(type_length=4), V(LEAF + ".type_length"))
    c.fail("the root has type_length 4", flat(footer={ROOT + ".type_length": 4}), V(ROOT + ".type_length"))
    c.ok("a group has type_length 0", grouped(type_length=0))

    c.rule("schema/int96-deprecated")
    c.fail("a leaf of type INT96", column(required("t", INT96), [bytes(12)]), V(LEAF + ".type", leaf=0))
    c.ok("a leaf of type INT64", column(required("t", INT64), [0]))

    c.rule("schema/scale-precision-context")
    c.fail("scale without DECIMAL", column(required("a", INT32, scale=2), [1]), V(LEAF + ".scale"))
    c.fail("precision without DECIMAL", column(required("a", INT32, precision=5), [1]), V(LEAF + ".precision"))
    c.fail("precision on a group", grouped(precision=5), V(LEAF + ".precision"))
    c.ok("scale and precision of a DECIMAL",
         column(required("a", INT32, converted_type=DECIMAL, scale=2, precision=5,
                         logicalType={"DECIMAL": {"scale": 2, "precision": 5}}), [1]))
    c.ok("scale 0 and precision 0", column(required("a", INT32, scale=0, precision=0), [1]))


def renamed(c):
    """An element whose name is not that in the paths of the column chunks below it."""
    def of_lists(index, several=True):
        one = [{"l": {"list": [{"e": 1}, {"e": None}]}, "z": 2}]
        return File([list_of("l", optional("e", INT32)), required("z", INT32)], groups=[Group(one)] * (3 if several else 1),
                    footer={f"schema[{index}].name": "renamed"})

    def of_map(index, several=True):
        entries = repeated("key_value", [required("key", INT32), optional("value", INT32)])
        return File([optional("m", [entries], converted_type=MAP, logicalType={"MAP": {}})],
                    groups=[Group([{"m": {"key_value": [{"key": 1, "value": 5}]}}])] * (2 if several else 1),
                    footer={f"schema[{index}].name": "renamed"})

    name = lambda index: V(f"schema[{index}].name")
    c.rule("schema/name")
    for about, index in (("a LIST", 1), ("the repeated group of a LIST", 2), ("the element of a LIST", 3), ("a leaf below the root", 4)):
        c.fail(f"{about} has another name than in three row groups", of_lists(index), name(index), rows=None)
    for about, index in (("a MAP", 1), ("the repeated group of a MAP", 2), ("the key of a MAP", 3), ("the value of a MAP", 4)):
        c.fail(f"{about} has another name than in two row groups", of_map(index), name(index), rows=None)
    c.fail("the repeated group of a LIST has another name than in the one path below it", of_lists(2, False), name(2), rows=None)
    c.fail("the group of two columns has another name than in their paths", pair(footer={"schema[1].name": "h"}), name(1), rows=None)
    c.fail("the first of two renamed groups", groups(required("a", INT32), required("b", INT32), footer={"schema[1].name": "x", "schema[2].name": "y"}),
           name(1), Also("schema/name", name(2), "its column chunks have another name too"), rows=None)
    lost_name = {"schema[1].name": DROP}
    c.fail("the only column has no name", flat(footer=lost_name), S("schema[1]", field="schema[1].name"), found="absent", expected="a", rows=None)
    c.fail("the name of the only column is empty", flat(footer={"schema[1].name": ""}), name(1), found='""', expected="a", rows=None)
    c.fail("the group of two columns has no name", pair(footer=lost_name), S("schema[1]", field="schema[1].name"), found="absent", expected="g", rows=None)
    c.ok("one chunk has another path than the chunk of the other row group",
         File([required("a", INT32)], groups=[Group([{"a": 1}], Chunk(meta={"path_in_schema": ["x"]})), Group([{"a": 2}])]),
         Also("column-chunk/path", V("row_groups[0].columns[0].meta_data.path_in_schema"), "the schema and the other chunk agree"))
    c.ok("one chunk has another path than the schema",
         flat(footer={"schema[1].name": "x"}),
         Also("column-chunk/path", V("row_groups[0].columns[0].meta_data.path_in_schema").with_values(expected='"x"'),
              "either of the two can be wrong"), rows=None)
    c.ok("two columns have exchanged their names", groups(required("a", INT32), required("b", INT32), footer={"schema[1].name": "b", "schema[2].name": "a"}),
         *[Also("row-group/column-order", V(f"row_groups[{g}].columns[{k}].meta_data.path_in_schema").with_values(expected=f'"{"ba"[k]}"'),
                "each path is that of the other column") for g in range(2) for k in range(2)], rows=None)
    c.ok("the names are those in the paths", of_map(0))


def collections(c):
    c.rule("schema/bare-repeated")
    c.fail("a repeated leaf outside any LIST", File([repeated("a", INT32)], [{"a": [1, 2]}, {"a": []}]),
           V(LEAF + ".repetition_type"))
    c.fail("a repeated group outside any LIST", File([repeated("g", [required("a", INT32)])], [{"g": [{"a": 1}, {"a": 2}]}]),
           V(LEAF + ".repetition_type"))
    c.ok("a repeated group in a LIST", lists())

    c.rule("schema/mixed-list-styles")
    c.fail("a LIST next to a repeated leaf",
           File([list_of("l", optional("e", INT32)), repeated("a", INT32)], [{"l": {"list": [{"e": 1}]}, "a": [1, 2]}]),
           V("schema[4].repetition_type"))
    c.fail("a repeated leaf inside the element of a LIST",
           File([list_of("l", optional("e", [repeated("a", INT32)]))], [{"l": {"list": [{"e": {"a": [1, 2]}}]}}]),
           V("schema[4].repetition_type"))
    c.ok("two LISTs", File([list_of("l", optional("e", INT32)), list_of("m", required("e", INT32))],
                           [{"l": {"list": [{"e": 1}]}, "m": None}]))
