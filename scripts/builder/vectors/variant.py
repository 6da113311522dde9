"""Variants (VariantEncoding.md): a metadata and a value after it, each kind of value, and each fault that their witnesses have."""

import re

from builder.codec.variant import Array, Object, Tag, metadata
from builder.recipes.variant import metadata as of_metadata, values as of_values
from builder.recipes.variant.values import OTHERS, SAMPLES
from builder.recipes.variant.variants import Pair, faults_of
from builder.vectors.golden import Variants

TYPES, VALUE, STRINGS = "VariantEncoding.md#encoding-types", "VariantEncoding.md#value-encoding", "VariantEncoding.md#metadata-encoding"
ORDER, GRAMMAR = "VariantEncoding.md#object-field-id-order-and-uniqueness", "VariantEncoding.md#value-encoding-grammar"
TABLES = "VariantShredding.md#value-shredding"
AB = {"a": 1, "b": 2}


def slug(words):
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def vectors():
    v = Variants()
    kinds(v)
    shapes(v)
    documented(v)
    faults(v)
    return [v]


def kinds(v):
    v.of(TYPES)
    for name, value in {**SAMPLES, **OTHERS}.items():
        v.pair(f"variant-{slug(name)}", Pair(value))
        v.pair(f"variant-array-of-{slug(name)}", Pair([value, None, value]))
        v.pair(f"variant-object-of-{slug(name)}", Pair({"a": value, "b": 1}))
    for bits in (8, 16, 32, 64):
        for name, number in (("min", -1 << bits - 1), ("max", (1 << bits - 1) - 1), ("one", 1)):
            v.pair(f"variant-int{bits}-{name}", Pair(Tag(f"int{bits}", number)))
    for kind, digits in of_values.DIGITS.items():
        for scale in sorted({0, 1, digits, 38}):
            v.pair(f"variant-{kind}-scale-{scale}", Pair(Tag(kind, (10**digits - 1, scale))))
        v.pair(f"variant-{kind}-min", Pair(Tag(kind, (1 - 10**digits, 2))))
        v.pair(f"variant-{kind}-zero", Pair(Tag(kind, (0, 2))))
    for kind, form in (("float", 4), ("double", 8)):
        for name, number in (("zero", 0.0), ("minus-zero", -0.0), ("infinity", float("inf")), ("minus-infinity", float("-inf")), ("nan", float("nan"))):
            v.pair(f"variant-{kind}-{name}", Pair(Tag(kind, number)))
        payload = b"\1" + bytes(form - 3) + (b"\xc0\x7f" if form == 4 else b"\xf8\x7f")
        v.pair(f"variant-{kind}-nan-payload", Pair(Tag(kind, payload)))
    for kind in ("date", "timestamp", "timestamp_ntz", "timestamp_nanos", "timestamp_ntz_nanos"):
        bits = 32 if kind == "date" else 64
        for name, number in (("epoch", 0), ("min", -1 << bits - 1), ("max", (1 << bits - 1) - 1)):
            v.pair(f"variant-{slug(kind)}-{name}", Pair(Tag(kind, number)))
    for size in (0, 1, 63, 64, 255, 256):
        v.pair(f"variant-text-of-{size}", Pair("x" * size))
        v.pair(f"variant-array-of-text-of-{size}", Pair(["x" * size]))
    v.pair("variant-array-of-text-of-65536", Pair(["x" * 65_536]), note="The last offset takes three bytes.")
    for size in (0, 5, 63):
        v.pair(f"variant-long-text-of-{size}", Pair(Tag("string", "x" * size)), note="The long form of a string that would fit the short one.")
    v.pair("variant-text-unicode", Pair("a\u00e9\u20ac\U0001f600\U0010ffff"))
    v.pair("variant-binary-empty", Pair(Tag("binary", b"")))


def shapes(v):
    v.of(STRINGS)
    for width in (1, 2, 3, 4):
        v.pair(f"variant-metadata-width-{width}", Pair(AB, width=width))
        v.pair(f"variant-metadata-empty-width-{width}", Pair(None, width=width))
    v.pair("variant-metadata-sorted", Pair(AB, is_sorted=True))
    v.pair("variant-metadata-not-sorted", Pair(AB, is_sorted=False), note="The strings ascend, and nothing says so.")
    v.pair("variant-metadata-descending", Pair(AB, names=["b", "a"]), note="The ids of the fields descend: they are in the order of their names.")
    v.pair("variant-metadata-string-twice", Pair(Object({"a": 1}, ids={0: 1}), names=["a", "a"]))
    v.pair("variant-metadata-unused", Pair({"b": 1}, names=["a", "b", "c"]))
    v.pair("variant-metadata-reserved-bit", Pair(AB, reserved=1), note="Readers ignore bit 5.")
    v.pair("variant-metadata-empty-string", Pair({"": 1, "a": {"": 2}}))
    v.pair("variant-metadata-256-strings", Pair({f"{i:03}": i for i in range(256)}))
    v.of(GRAMMAR)
    for width in (1, 2, 3, 4):
        v.pair(f"variant-object-id-width-{width}", Pair(Object(AB, id_width=width)))
        v.pair(f"variant-object-offset-width-{width}", Pair(Object(AB, offset_width=width)))
        v.pair(f"variant-array-offset-width-{width}", Pair(Array([1, 2], offset_width=width)))
    for count in (0, 1, 255, 256):
        v.pair(f"variant-array-of-{count}-elements", Pair([None] * count))
        v.pair(f"variant-array-is-large-{count}", Pair(Array([None] * count, is_large=True)))
        v.pair(f"variant-object-is-large-{count}", Pair(Object({f"{i:03}": None for i in range(count)}, is_large=True)))
    v.of(ORDER)
    v.pair("variant-object-values-reversed", Pair(Object({"a": 1, "b": "x", "c": None}, order=(2, 1, 0))), note="The values are in another order than their fields.")
    v.pair("variant-array-values-reversed", Pair(Array([1, "x", None], order=(2, 1, 0))))
    v.pair("variant-object-names-unsigned", Pair({"": 0, "A": 1, "a": 2, "aa": 3, "\u00e9": 4, "\uff5e": 5, "\U0001f600": 6}),
           note="Names are sorted as unsigned bytes of UTF-8, which is not the order of UTF-16.")
    v.pair("variant-nested", Pair({"a": [{"b": 1}, {"b": {"c": [[], {}]}}], "d": None}))
    v.of(VALUE)
    v.pair("variant-object-reserved-bit", Pair(Object({"a": 1}, reserved=1)), note="Readers ignore bit 5.")
    for bits in (1, 2, 4, 7):
        v.pair(f"variant-array-reserved-bits-{bits}", Pair(Array([1], reserved=bits)), note="Readers ignore bits 3 to 5.")


def documented(v):
    """What the documents print."""
    v.of("VariantEncoding.md#value-data-for-object-basic_type2")
    cba = {"a": 1, "b": 2, "c": 3}
    v.pair("variant-doc-object-as-written", Pair(Object(cba, order=(2, 1, 0)), names=["c", "b", "a"]), note="The object c: 3, b: 2, a: 1 of the text, its values as they are written there.")
    v.pair("variant-doc-object-sorted", Pair(cba))
    v.of(TYPES)
    v.pair("variant-doc-int8-of-1", Pair(Tag("int8", 1)), note="The same number as the decimal16 of scale 2 and unscaled value 100.")
    v.pair("variant-doc-decimal16-of-100", Pair(Tag("decimal16", (100, 2))), note="The same number as the int8 1.")
    v.pair("variant-doc-hello", Pair("hello"))
    v.pair("variant-doc-hello-long", Pair(Tag("string", "hello")), note="The same string as in the short form.")
    v.of(TABLES)
    v.pair("variant-doc-null", Pair(None), note="The row null of the table of measurements, with the one offset that its metadata lacks in print.")
    v.pair("variant-doc-n-a", Pair("n/a"), note="0D 6E 2F 61, where the table prints 13 6E 2F 61.")
    empty = metadata()
    v.misprint("variant-doc-empty-metadata", b"\1\0", "variant/metadata", 0, note="The table prints 01 00 as the empty metadata: even that has one offset.")
    v.misprint("variant-doc-n-a-printed", empty.data + b"\x13\x6e\x2f\x61", "variant/value", len(empty),
               note="The table prints this as n/a: it is the header of an array with a count of 4 bytes, of which 3 are there.")


def faults(v):
    v.of(None)
    for fault in faults_of(of_metadata, of_values):
        v.fault(f"{fault.rule.replace('/', '-')}-{slug(fault.about)}", fault)
