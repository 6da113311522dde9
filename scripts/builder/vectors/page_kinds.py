"""Pages of every encoding and codec, of deep columns, of many entries, and several kinds in a chunk."""

from builder.codec import alp
from builder.codec.compression import snappy
from builder.codec.file import File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import (ALP, BIT_PACKED, BOOLEAN, BROTLI, BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED,
                                    DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32,
                                    INT64, INT96, LZ4, LZ4_RAW, LZO, PLAIN, RLE, RLE_DICTIONARY, SNAPPY, ZSTD)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.recipes.base_files import chunk, column, flat, lists, nullable, strings

BOTH = (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2"))
ENCODED = (
    ("boolean", BOOLEAN, PLAIN, (True, False, True, True), {}), ("int64", INT64, PLAIN, (2**63 - 1, -2**63, 0), {}),
    ("int96", INT96, PLAIN, (b"\1\2\3\4\5\6\0\0\x8c\x3d\x25\0", bytes(12)), {}), ("float", FLOAT, PLAIN, (0.5, -2.25, 1e30), {}),
    ("double", DOUBLE, PLAIN, (0.1, -1e300, 3.0), {}), ("fixed", FIXED_LEN_BYTE_ARRAY, PLAIN, (b"abc", b"xyz"), {"type_length": 3}),
    ("delta-int32", INT32, DELTA_BINARY_PACKED, (2**31 - 1, -2**31, 7), {}),
    ("delta-fixed", FIXED_LEN_BYTE_ARRAY, DELTA_BYTE_ARRAY, (b"axis", b"axle", b"zone"), {"type_length": 4}),
    ("split-int32", INT32, BYTE_STREAM_SPLIT, (1, -2, 2**31 - 1), {}), ("split-int64", INT64, BYTE_STREAM_SPLIT, (1, -2, 2**63 - 1), {}),
    ("split-float", FLOAT, BYTE_STREAM_SPLIT, (0.5, -2.25, 1e30), {}), ("split-double", DOUBLE, BYTE_STREAM_SPLIT, (0.1, -1e300, 3.0), {}))
CODEC = "row_groups[0].columns[0].meta_data.codec"
OLD = {LZ4: [("compression/lz4-deprecated", (None, CODEC, "value"))], LZO: [("compression/lzo", (None, CODEC, "value"))]}
CODECS = ((LZ4_RAW, "lz4-raw"), (LZ4, "lz4"), (BROTLI, "brotli"), (LZO, "lzo"))


def add(v):
    for name, page, header in BOTH:
        v.of("parquet.thrift#" + ("DataPageHeader" if page is V1 else "DataPageHeaderV2"))
        encodings(v, f"page-{name}", page, header)
        codecs(v, f"page-{name}", page)
        nested(v, f"page-{name}", page)
    v.of("parquet.thrift#DataPageHeader")
    large(v)
    mixed(v)
    packed_levels(v)


def encodings(v, name, page, header):
    for what, kind, encoding, items, attributes in ENCODED:
        node, nulls = (optional, (items[0], None, *items[1:])) if page is V1 else (required, items)
        v.file(f"{name}-{what}", column(node("o", kind, **attributes), nulls, chunk(page(encoding=encoding))), also=old_type(kind))
    for what, kind, integers in (("float", FLOAT, (15, -25, 8)), ("double", DOUBLE, (15, -25, 8))):
        section = alp.section(3, [alp.vector(kind, integers, 1, 0)])
        v.file(f"{name}-alp-{what}", column(optional("o", kind), (1.5, None, -2.5, 0.8),
                                            chunk(page(encoding=ALP, values=section))), also=[("alp/preview", (0, header + ".encoding", "value"))])
    for what, kind, encoding, items in (
            ("delta", INT32, DELTA_BINARY_PACKED, ([1, 2], [], None, [3, None, -7])), ("split", INT32, BYTE_STREAM_SPLIT, ([1, 2], None, [3, None])),
            ("strings", BYTE_ARRAY, DELTA_BYTE_ARRAY, ([b"axis", b"axle"], [], [None, b"axles"])),
            ("lengths", BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, ([b"x", b""], [None], [b"yy"])), ("plain-strings", BYTE_ARRAY, PLAIN, ([b"x", b""], [None], [b"yy"])),
            ("booleans", BOOLEAN, RLE, ([True, False], None, [True])), ("plain-booleans", BOOLEAN, PLAIN, ([True, False], None, [True]))):
        v.file(f"{name}-lists-{what}", of_lists(kind, items, page(encoding=encoding)))
    v.file(f"{name}-lists-dictionary", lists(chunk(Dictionary([1, 2, 3]), page(encoding=RLE_DICTIONARY))))
    for what, kind, items, attributes in () if page is V2 else (("strings", BYTE_ARRAY, (b"x", b"", b"yy"), {}), ("doubles", DOUBLE, (0.5, -1.0), {}), ("int64", INT64, (2**62, -1), {}),
                                          ("fixed", FIXED_LEN_BYTE_ARRAY, (b"ab", b"cd"), {"type_length": 2}), ("int96", INT96, (bytes(12), b"\1" + bytes(11)), {})):
        v.file(f"{name}-dictionary-{what}", column(optional("o", kind, **attributes), (items[0], None, *items[1:], items[0]),
                                                   chunk(Dictionary(list(items)), page(encoding=RLE_DICTIONARY))), also=old_type(kind))


def old_type(kind):
    """The findings for a column of the type, regardless of its pages."""
    return [("schema/int96-deprecated", (None, "schema[1].type", "value"))] if kind == INT96 else []


def of_lists(kind, items, page, **more):
    """Lists of optional elements."""
    rows = [{"l": None if one is None else {"list": [{"e": item} for item in one]}} for one in items]
    return File([list_of("l", optional("e", kind))], rows, chunk(page, **more))


def codecs(v, name, page):
    for codec, what in CODECS:
        v.file(f"{name}-{what}", nullable(chunk(page(), codec=codec)), also=OLD.get(codec, ()))
        if page is V2:
            v.file(f"{name}-{what}-dictionary", flat(chunk(Dictionary([1, 2, 3]), page(encoding=RLE_DICTIONARY), codec=codec)), also=OLD.get(codec, ()))
    for codec, what in (*CODECS[::3], (SNAPPY, "snappy")) if page is V1 else (*CODECS[1:3], (GZIP, "gzip"), (ZSTD, "zstd")):
        v.file(f"{name}-{what}-lists", lists(chunk(page(), codec=codec)), also=OLD.get(codec, ()))
    equal = column(required("a", INT32), [7] * 40, chunk(page(), page(0), codec=SNAPPY, compress=snappy.compress))
    v.file(f"{name}-snappy-copies", equal, note="40 equal values, of which the stream copies 39; then an empty page")


def deep(depth):
    """A leaf in so many optional groups, and rows: null at each depth, not null, and the first again."""
    names = [f"g{at}" for at in range(depth)]
    node = optional("e", INT32)
    for name in reversed(names):
        node = optional(name, [node])
    rows = []
    for level in range(depth + 1):
        row = None if level < depth else {"e": None}
        for name in reversed(names[:level] if level == depth else names[:level + 1]):
            row = {name: row}
        rows.append(row)
    row = {"e": 5}
    for name in reversed(names):
        row = {name: row}
    return node, [*rows, row, *rows[::-1]]


def nested(v, name, page):
    """Levels that take more than two bits, and lists of lists."""
    for depth in (3, 8, 16) if page is V1 else (7, 15):
        node, rows = deep(depth)
        v.file(f"{name}-definition-{depth + 1}", File([node], rows, chunk(page())), note=f"the largest definition level is {depth + 1}")
    rows = [[[1, 2], [3]], [], None, [[], None, [4, None]], [[5]]]
    inner = lambda one: None if one is None else {"list": [{"e": item} for item in one]}
    matrix = lambda more: File([list_of("l", list_of("m", optional("e", INT32)))],
                               [{"l": None if row is None else {"list": [{"m": inner(one)} for one in row]}} for row in rows], chunk(*more))
    v.file(f"{name}-lists-of-lists", matrix([page()]), note="repetition levels to 2, definition levels to 5")
    if page is V1:
        v.file(f"{name}-lists-of-lists-dictionary", matrix([Dictionary([1, 2, 3, 4, 5]), page(4, encoding=RLE_DICTIONARY), page(encoding=RLE_DICTIONARY)]))
        return
    cube = list_of("a", list_of("b", list_of("c", required("e", INT32), required), required), required)
    values = [[[[1, 2], [3]], [[4]]], [[[5]]], []]
    of = lambda key, row, item: {"list": [{key: item(one)} for one in row]}
    rows = [{"a": of("b", row, lambda two: of("c", two, lambda one: of("e", one, lambda value: value)))} for row in values]
    v.file(f"{name}-lists-of-lists-of-lists", File([cube], rows, chunk(page())), note="repetition levels to 3")


def large(v):
    """A thousand entries, with levels in runs of both kinds."""
    items = [None if index % 97 in (0, 5, 6) else index % 11 for index in range(1000)]
    entries = sorted({item for item in items if item is not None})
    runs = mixed_runs([int(item is not None) for item in items])
    v.file("page-v1-1000-entries", nullable(chunk(Dictionary(entries), V1(encoding=RLE_DICTIONARY, defs=runs)), items=items))


def mixed_runs(levels):
    """Runs of 8 or more equal levels repeated, others packed."""
    runs, at = [], 0
    while at < len(levels):
        same = next((i for i in range(at, len(levels)) if levels[i] != levels[at]), len(levels)) - at
        if same >= 8:
            runs.append(Repeated(same, levels[at]))
            at += same
        else:
            runs.append(Packed(levels[at:at + 8]))
            at += 8
    return runs


def mixed(v):
    """Pages of both versions in a chunk, and three of one version."""
    v.of("README.md#data-pages")
    v.file("pages-v1-v2", nullable(chunk(V1(1), V2(1), V1(1)), items=(1, None, 3)))
    v.file("pages-v2-v1-v2", lists(chunk(V2(2), V1(1), V2())))
    v.file("pages-v1-v2-gzip", nullable(chunk(V1(1), V2(1), V2(1, is_compressed=False), V1(), codec=GZIP), items=(1, None, 3, 4)))
    v.file("pages-v1-v2-dictionary", strings(chunk(Dictionary([b"x", b"yy"]), V1(1, encoding=RLE_DICTIONARY), V2(1, encoding=RLE_DICTIONARY), V1()),
                                             items=(b"x", b"yy", b"zzz")), note="indices in pages of both versions, then values")
    v.file("pages-encodings", column(required("a", INT32), range(8), chunk(*(V1(2, encoding=encoding) for encoding in (PLAIN, DELTA_BINARY_PACKED, BYTE_STREAM_SPLIT)), V2(2, encoding=DELTA_BINARY_PACKED))),
           note="each page has an encoding of its own")
    for name, page, _ in BOTH:
        v.file(f"page-{name}-three-pages", nullable(chunk(page(2), page(1), page()), items=(1, None, None, 4, 5)))
        v.file(f"page-{name}-three-pages-of-nulls", nullable(chunk(page(2), page(1), page()), items=(None, None, 3, None)), note="the second page alone has a value")


def packed_levels(v):
    """Levels in BIT_PACKED, which only v1 pages can have."""
    v.of("Encodings.md#BITPACKED")
    definition, repetition = "data_page_header.definition_level_encoding", "data_page_header.repetition_level_encoding"
    old = [("bit-packed/deprecated", (0, definition, "value"))]
    v.file("page-v1-bit-packed-repetition", lists(chunk(V1(rep_encoding=BIT_PACKED))), also=[("bit-packed/deprecated", (0, repetition, "value"))],
           note="definition levels are RLE, with a length word")
    v.file("page-v1-bit-packed-both", lists(chunk(V1(rep_encoding=BIT_PACKED, def_encoding=BIT_PACKED))), also=[("bit-packed/deprecated", (0, definition, "value"))])
    v.file("page-v1-bit-packed-9", nullable(chunk(V1(def_encoding=BIT_PACKED)), items=(1, None, 3, 4, None, 6, 7, None, 9)), also=old, note="levels take a bit of a second byte")
    v.file("page-v1-bit-packed-gzip", nullable(chunk(V1(def_encoding=BIT_PACKED), codec=GZIP)), also=old)
    node, rows = deep(7)
    v.file("page-v1-bit-packed-4-bits", File([node], rows, chunk(V1(def_encoding=BIT_PACKED))), also=old)
