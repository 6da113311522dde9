"""BYTE_STREAM_SPLIT (Encodings.md, BYTESTREAMSPLIT)."""

from builder.codec import byte_stream_split
from builder.codec.metadata import BYTE_STREAM_SPLIT, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32, INT64
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.recipes.base_files import FIRST, chunk, column
from builder.recipes.values.delta_binary_packed import HEADERS, mistyped

TYPES = (("FLOAT", FLOAT, (1.0, -2.5, 0.0)), ("DOUBLE", DOUBLE, (1.0, -2.5, 0.0)), ("INT32", INT32, (1, -2, 2**31 - 1)),
         ("INT64", INT64, (1, -2, 2**63 - 1)), ("FIXED_LEN_BYTE_ARRAY", FIXED_LEN_BYTE_ARRAY, (b"abc", b"def", b"\0\xff\0")))


def split(kind, items, page=V1, values=None, make=required, **more):
    attributes = {"type_length": 3} if kind == FIXED_LEN_BYTE_ARRAY else {}
    return column(make("x", kind, **attributes), items, chunk(page(encoding=BYTE_STREAM_SPLIT, values=values), **more))


def witnesses(c):
    mistyped(c, "byte-stream-split", BYTE_STREAM_SPLIT, b"x", [kind for _, kind, _ in TYPES])
    for name, kind, items in TYPES:
        c.ok(f"values of {name}", split(kind, items))

    c.rule("byte-stream-split/extended-types")
    for name, kind, items in TYPES[2:]:
        for page, field, version in HEADERS:
            c.fail(f"values of {name}, {version}", split(kind, items, page), V(field, page=FIRST))
    for name, kind, items in TYPES[:2]:
        c.ok(f"values of {name}", split(kind, items))

    c.rule("byte-stream-split/length")
    at = Body(FIRST, "values")
    for name, kind, items in TYPES:
        data = byte_stream_split.encode(kind, items)
        for page, version in ((V1, "v1"), (V2, "v2")):
            c.fail(f"a byte less than three values of {name}, {version}", split(kind, items, page, data[:-1]), at)
        c.fail(f"a byte more than three values of {name}", split(kind, items, V1, data + b"\0"), at)
    c.fail("nothing for three values", split(FLOAT, (1.0, 2.0, 3.0), values=b""), at)
    c.fail("one value for each entry, nulls too", split(FLOAT, (1.0, None, 3.0), V2, bytes(12), optional), at)
    c.fail("a byte less than three values, under GZIP", split(DOUBLE, (1.0, 2.0, 3.0), V1, bytes(23), codec=GZIP), at)
    c.ok("no value for a null", split(FLOAT, (1.0, None, 3.0), V2, make=optional))

    c.rule("legal/byte-stream-split")
    c.ok("the k-th bytes of all values make stream k", split(FIXED_LEN_BYTE_ARRAY, (b"\xaa\xbb\xcc", b"\x00\x11\x22", b"\xa3\xb4\xc5"),
                                                            values=bytes.fromhex("aa00a3bb11b4cc22c5")))
    c.ok("nulls over several pages", column(optional("x", FLOAT), (1.0, None, None, None, 5.0, 6.0, None), chunk(
        V1(2, BYTE_STREAM_SPLIT), V2(2, BYTE_STREAM_SPLIT), V1(3, BYTE_STREAM_SPLIT))))
    c.ok("all null, v1", column(optional("x", FLOAT), (None, None, None), chunk(V1(encoding=BYTE_STREAM_SPLIT))))
    c.ok("all null, v2", column(optional("x", FLOAT), (None, None, None), chunk(V2(encoding=BYTE_STREAM_SPLIT))))
    c.ok("many values", split(DOUBLE, [i / 8 for i in range(5000)]))
