"""Complete pages: header and body (parquet.thrift; README.md, data pages)."""

from builder.codec import hybrid, plain
from builder.codec.file import File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.index_pages import Tree
from builder.codec.marked import Marked
from builder.codec.metadata import (BIT_PACKED, BOOLEAN, BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY,
                                    DELTA_LENGTH_BYTE_ARRAY, DROP, FIXED_LEN_BYTE_ARRAY, GZIP, INT32, INT64, PLAIN,
                                    PLAIN_DICTIONARY, RLE, RLE_DICTIONARY, SNAPPY, ZSTD)
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import optional, required
from builder.recipes.base_files import chunk, column, flat, lists, nullable, strings
from builder.vectors import page_faults, page_kinds
from builder.vectors.golden import Pages

VERSIONS = (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2"))
NULLS = (None, None)
SORTED = {"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": False}]}


def vectors():
    v = Pages()
    for name, page, header in VERSIONS:
        v.of("parquet.thrift#" + ("DataPageHeader" if page is V1 else "DataPageHeaderV2"))
        plainly(v, f"page-{name}", page, header)
        wrong(v, f"page-{name}", page, header)
    first(v)
    second(v)
    others(v)
    page_kinds.add(v)
    page_faults.add(v)
    return [v]


def coded(page=V1, entries=None, **more):
    """A dictionary page of 1, 2, 3 and a page of indices."""
    return flat(chunk(entries or Dictionary([1, 2, 3]), page(encoding=RLE_DICTIONARY, **more)))


def plainly(v, name, page, header):
    """The common vectors of both kinds of data pages."""
    v.file(f"{name}-required", flat(chunk(page())), note="no levels are stored")
    v.file(f"{name}-optional", nullable(chunk(page())))
    v.file(f"{name}-no-null", nullable(chunk(page()), items=(1, 2, 3)))
    v.file(f"{name}-nulls", nullable(chunk(page()), items=NULLS), note="levels, and no byte of values")
    v.file(f"{name}-lists", lists(chunk(page())), note="an empty list, a null list and a null element", bugs="NullsNotCounted")
    v.file(f"{name}-two-pages", flat(chunk(page(2), page())))
    v.file(f"{name}-empty-page", flat(chunk(page(0), page())), note="a page without entries before one that has some")
    v.file(f"{name}-dictionary", coded(page))
    v.file(f"{name}-dictionary-nulls", nullable(chunk(Dictionary([1]), page(encoding=RLE_DICTIONARY)), items=NULLS))
    v.file(f"{name}-fallback", flat(chunk(Dictionary([1, 2]), page(2, encoding=RLE_DICTIONARY), page())),
           note="a page of indices, then one of values")
    v.file(f"{name}-empty-page-with-levels", nullable(chunk(page(0), page())), note="the first page has no entry, and a v1 page a length word of 0")
    v.file(f"{name}-crc", flat(chunk(page(crc=True))))
    v.file(f"{name}-strings", strings(chunk(page())))
    for kind, encoding, items, attributes in (
            (BOOLEAN, RLE, (True, False, True), {}), (INT64, DELTA_BINARY_PACKED, (5, -7, 2**62), {}), (BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, (b"x", b""), {}),
            (BYTE_ARRAY, DELTA_BYTE_ARRAY, (b"axis", b"axle"), {}), (FIXED_LEN_BYTE_ARRAY, BYTE_STREAM_SPLIT, (b"abc", b"def"), {"type_length": 3})):
        v.file(f"{name}-encoding-{encoding}", column(optional("o", kind, **attributes), (items[0], None, *items[1:]), chunk(page(encoding=encoding))))
    for codec, what in ((SNAPPY, "snappy"), (GZIP, "gzip"), (ZSTD, "zstd")):
        v.file(f"{name}-{what}", nullable(chunk(page(), codec=codec)))
        v.file(f"{name}-{what}-dictionary", flat(chunk(Dictionary([1, 2, 3]), page(encoding=RLE_DICTIONARY), codec=codec)))


def wrong(v, name, page, header):
    """The common faults of both kinds."""
    def field(path, part="value"):
        return 0, path, part

    def changed(what, rule, path, value, base=flat, bugs=(), **more):
        v.file(f"{name}-{what}", base(chunk(page(header={path: value}), **more)), rule, field(path), bugs=bugs)

    for size in ("compressed_page_size", "uncompressed_page_size"):
        changed(size.replace("_", "-") + "-minus-1", "page/size-negative", size, -1, bugs="NegativeCount", codec=GZIP)
    changed("num-values-minus-1", "page/num-values-negative", header + ".num_values", -1, bugs="NegativeCount")
    changed("image-longer", "page/uncompressed-size", "uncompressed_page_size", 14, bugs="CompressedSize", codec=GZIP)
    changed("two-sizes", "page/uncompressed-equals-compressed", "uncompressed_page_size", 14)
    v.file(f"{name}-no-member", flat(chunk(page(header={header: DROP}))), "page/header-member", (0, "", "header"))
    v.file(f"{name}-crc-1", flat(chunk(page(crc=1))), "crc/match", field("crc"))
    v.file(f"{name}-no-dictionary", flat(chunk(page(encoding=RLE_DICTIONARY, values=hybrid.indices([0] * 3, 1, width=1)))),
           "page/dictionary-missing", field(header + ".encoding"))
    v.file(f"{name}-index-3-repeated", coded(page, runs=[Repeated(2, 0), Repeated(1, 3)]), "dictionary/index-range", (1, "values.run1"),
           bugs="IndexRange")
    v.file(f"{name}-index-3-packed", coded(page, runs=[Packed([0, 3, 1])]), "dictionary/index-range", (1, "values.run0"), bugs="IndexRange")
    v.file(f"{name}-trailing-bytes", flat(chunk(page(values=plain.encode(INT32, [1, 2, 3]) + b"\0\0"))), "page/trailing-bytes", (0, "values", 12))
    v.file(f"{name}-nulls-with-values", nullable(chunk(page(values=bytes(4))), items=NULLS), "page/zero-values-section", (0, "values"))
    pair = column(optional("o", INT32), (1, 2, 3), chunk(page(defs=[Packed([1, 1, 1])])))
    v.file(f"{name}-packed-levels", pair)
    stray = [(1, 3, 9), (0, 3, 1), (0, 3, 2)]
    v.file(f"{name}-begins-inside-row", lists(chunk(page(), entries=stray), items=([1], [2])), "page/first-repetition-level", (0, "rep.run0"),
           bugs="PageInsideRow")
    v.file(f"{name}-null-list-goes-on", lists(chunk(page(), entries=[(0, 3, 1), (1, 0, None)]), items=([1],)), "levels/repetition-needs-defined",
           (0, "def.run0"), bugs="LevelOfNullList")
    v.file(f"{name}-null-list-has-elements", lists(chunk(page(), entries=[(0, 0, None), (1, 3, 2)]), items=([1],)),
           "levels/repetition-after-empty", (0, "rep.run0"), bugs="LevelOfNullList")


def first(v):
    """Vectors that only v1 pages can have."""
    definition, repetition = "data_page_header.definition_level_encoding", "data_page_header.repetition_level_encoding"
    v.of("parquet.thrift#DataPageHeader")
    v.file("page-v1-row-in-two-pages", lists(chunk(V1(1), V1()), items=([1, 2], [3])), bugs="PageInsideRow", note="the second page continues a list")
    v.file("page-v1-bit-packed", nullable(chunk(V1(def_encoding=BIT_PACKED))), also=[("bit-packed/deprecated", (0, definition, "value"))])
    v.file("page-v1-absent-levels-plain", flat(chunk(V1(header={definition: PLAIN}))), also=[("page/absent-level-encoding", (0, definition, "value"))],
           bugs="LevelEncodingLabel", note="levels that are not stored have no encoding")
    v.file("page-v1-levels-plain", nullable(chunk(V1(header={definition: PLAIN}))), "page/level-encoding", (0, definition, "value"),
           bugs="LevelEncodingLabel")
    v.file("page-v1-repetition-plain", lists(chunk(V1(header={repetition: PLAIN}))), "page/level-encoding", (0, repetition, "value"),
           bugs="LevelEncodingLabel")
    v.file("page-v1-length-large", nullable(chunk(V1(def_length=1000))), "levels/length-prefix", (0, "def.length"))
    v.file("page-v1-no-levels", nullable(chunk(V1(image=b""))), "levels/length-prefix", (0, ""))
    v.file("page-v1-plain-dictionary", flat(chunk(Dictionary([1, 2, 3], encoding=PLAIN_DICTIONARY), V1(encoding=PLAIN_DICTIONARY))),
           also=[("dictionary/plain-dictionary-deprecated", (0, "dictionary_page_header.encoding", "value"))],
           note="both labels of 2013, which many files have")


def second(v):
    """Vectors that only v2 pages can have."""
    head = "data_page_header_v2."
    nulls, rows = head + "num_nulls", head + "num_rows"
    v.of("parquet.thrift#DataPageHeaderV2")
    v.file("page-v2-not-compressed", nullable(chunk(V2(is_compressed=False), codec=GZIP)))
    v.file("page-v2-compressed", nullable(chunk(V2(is_compressed=True), codec=GZIP)), note="is_compressed is written though true is its default")
    v.file("page-v2-nulls-not-compressed", nullable(chunk(V2(is_compressed=False), codec=GZIP), items=NULLS), bugs="NothingCompressed")
    for codec, name in ((GZIP, "gzip"), (SNAPPY, "snappy"), (ZSTD, "zstd")):
        v.file(f"page-v2-nothing-compressed-{name}", nullable(chunk(V2(stored=b"\4\0"), codec=codec), items=NULLS),
               also=[("page/v2-zero-body", (0, "", "header"))], bugs="NothingCompressed")
    for name, field, value, base, rule, bug in (
            ("num-nulls-0", nulls, 0, nullable, "num-nulls", "NullsNotCounted"), ("num-nulls-of-leaf", nulls, 1, lists, "num-nulls", "NullsNotCounted"),
            ("num-nulls-minus-1", nulls, -1, nullable, "num-nulls-range", "NegativeCount"),
            ("num-rows-of-entries", rows, 6, lists, "num-rows", "RowsAreEntries"), ("num-rows-0", rows, 0, lists, "num-rows", "RowsAreEntries"),
            ("num-rows-minus-1", rows, -1, lists, "num-rows-range", "NegativeCount"),
            ("definition-length-minus-1", head + "definition_levels_byte_length", -1, nullable, "level-lengths", "NegativeCount"),
            ("definition-length-large", head + "definition_levels_byte_length", 1000, nullable, "level-lengths", ())):
        v.file(f"page-v2-{name}", base(chunk(V2(header={field: value}))), f"page/v2-{rule}", (0, field, "value"), bugs=bug)
    v.file("page-v2-row-in-two-pages", lists(chunk(V2(1), V2()), items=([1, 2], [3])), "page/v2-row-boundary", (1, "rep.run0"), bugs="PageInsideRow")
    v.file("page-v2-absent-levels", flat(chunk(V2(defs=b"\6\0"))), also=[("page/v2-absent-levels", (0, head + "definition_levels_byte_length", "value"))],
           note="definition levels of a required column")
    stream = hybrid.encode([Packed([1, 0, 1])], 1)
    v.file("page-v2-length-word", nullable(chunk(V2(defs=Marked(len(stream).to_bytes(4, "little") + stream.data)))), "levels/v2-prefix", (0, "def"),
           undefined=True, note="the levels begin with a length word, as in v1 pages")
    v.file("page-v2-no-levels", nullable(chunk(V2(defs=b"")), items=(1, 2, 3)), "page/v2-levels-present",
           (0, head + "definition_levels_byte_length", "value"))


def others(v):
    """Levels above their maximum, dictionary pages, and pages without values."""
    v.of("README.md#nested-encoding")
    group = [optional("g", [optional("e", INT32)])]
    for name, page, _ in VERSIONS:
        rows = [{"g": {"e": 1}}, {"g": {"e": 2}}, {"g": {"e": 3}}]
        v.file(f"page-{name}-definition-3-repeated", File(group, rows, chunk(page(defs=[Repeated(2, 2), Repeated(1, 3)]))), "levels/definition-range",
               (0, "def.run1"), bugs="LevelAboveMaximum")
        v.file(f"page-{name}-definition-3-packed", File(group, rows, chunk(page(defs=[Repeated(1, 2), Packed([1, 3])]))), "levels/definition-range",
               (0, "def.run1"), bugs="LevelAboveMaximum")
    v.of("parquet.thrift#DictionaryPageHeader")
    v.file("page-dictionary-counts-4", coded(entries=Dictionary([1, 2, 3], count=4)), "dictionary/entry-count",
           (0, "dictionary_page_header.num_values", "value"))
    v.file("page-dictionary-counts-2", flat(chunk(Dictionary([1, 2, 3], count=2), V1(encoding=RLE_DICTIONARY)), n=2), "dictionary/entry-count",
           (0, "dictionary_page_header.num_values", "value"), readable=True, note="an entry more than is counted")
    v.file("page-dictionary-counts-minus-1", coded(entries=Dictionary([1, 2, 3], count=-1)), "dictionary/num-values-negative",
           (0, "dictionary_page_header.num_values", "value"), bugs="NegativeCount")
    v.of("README.md#column-chunks")
    v.file("page-type-17", flat(chunk(V1(1), Other(17, b"\x2a\x2b"), V1())), also=[("page/unknown-type", (1, "type", "value"))],
           note="readers skip pages of unknown types")
    v.of("parquet.thrift#IndexPageHeader")
    for by in ("values", "ordinals"):
        indexed = column(required("a", INT32), (1, 3, 5, 7, 9, 11), chunk(V1(2), V1(2), V1(), index=Tree(by)), edits=SORTED)
        v.file(f"page-index-by-{by}", indexed, also=[("index-page/unused", (3, "type", "value"))], source="edition of 2013, index pages",
               note="an index page of 2013, after the pages that it indexes, is skipped")
    v.file("page-index", flat(chunk(V1(1), Other(1, header={"index_page_header": {}}), V1())), also=[("index-page/unused", (1, "type", "value"))],
           note="readers skip an index page")
