"""Faults in the third of three pages, and rules about pages, dictionaries and levels."""

from builder.codec import hybrid, plain
from builder.codec.compression import gzip
from builder.codec.file import File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import (BIT_PACKED, BOOLEAN, BYTE_ARRAY, DATA_PAGE_V2, DELTA_BINARY_PACKED, DICTIONARY_PAGE, DOUBLE,
                                    FIXED_LEN_BYTE_ARRAY, GZIP, INT32, INT64, PLAIN, RLE, RLE_DICTIONARY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.recipes.base_files import chunk, column, flat, lists, nullable, strings
from builder.vectors.page_kinds import BOTH


def add(v):
    for name, page, header in BOTH:
        v.of("parquet.thrift#" + ("DataPageHeader" if page is V1 else "DataPageHeaderV2"))
        third(v, f"page-{name}-third", page, header)
        headers(v, f"page-{name}", page, header)
        v.of("README.md#nested-encoding")
        levels(v, f"page-{name}", page)
    v.of("parquet.thrift#DataPageHeaderV2")
    second(v)
    v.of("parquet.thrift#DictionaryPageHeader")
    dictionaries(v)


def three(page, base=flat, codec=0, items=None, **overrides):
    """Three pages of one entry, the third with the faults."""
    more = {} if items is None else {"items": items}
    return base(chunk(page(1), page(1), page(**overrides), codec=codec), **more)


def third(v, name, page, header):
    """Faults far from the beginning of the chunk, after valid pages."""
    def wrong(what, rule, place, file, **more):
        v.file(f"{name}-{what}", file, rule, (2, *place), note="the two pages before are intact", **more)

    def field(path):
        return path, "value"

    wrong("num-values", "page/num-values", field(header + ".num_values"), three(page, header={header + ".num_values": 2}))
    wrong("trailing-bytes", "page/trailing-bytes", ("values", 4), three(page, values=plain.encode(INT32, [3]) + b"\0\0"))
    wrong("cut", "plain/fixed-width-length", ("values",), three(page, nullable, values=bytes(3), items=(1, None, 3)))
    wrong("stream", "compression/stream", ("",), three(page, codec=GZIP, stored=gzip.member(plain.encode(INT32, [3]).data, crc=1)))
    wrong("definition", "levels/definition-range", ("def.run0",), pair(page(1), page(1), page(defs=[Repeated(1, 3)])))
    wrong("level-count", "levels/count", ("def.end",), nullable(chunk(page(1), page(1), page(defs=[Repeated(2, 1)])), items=(1, 2, 3, 4, 5)))
    if page is V1:
        wrong("crc", "crc/match", field("crc"), three(page, crc=1))
        wrong("within-chunk", "page/within-chunk", field("compressed_page_size"),
              three(page, header={"compressed_page_size": 100000, "uncompressed_page_size": 100000}))
        wrong("size-negative", "page/size-negative", field("compressed_page_size"), three(page, codec=GZIP, header={"compressed_page_size": -1}))
        wrong("image-longer", "page/uncompressed-size", field("uncompressed_page_size"), three(page, codec=GZIP, header={"uncompressed_page_size": 5}))
        wrong("num-values-negative", "page/num-values-negative", field(header + ".num_values"), three(page, header={header + ".num_values": -1}))
        wrong("strings-cut", "plain/byte-array-length", ("values",), three(page, strings, values=b"\4\0\0\0zzz"))
    coded = page(1, encoding=RLE_DICTIONARY)
    v.file(f"{name}-index", flat(chunk(Dictionary([1, 2, 3]), coded, coded, page(encoding=RLE_DICTIONARY, runs=[Repeated(1, 3)]))),
           "dictionary/index-range", (3, "values.run0"), bugs="IndexRange", note="the two pages before are intact")
    if page is V2:
        wrong("num-nulls", "page/v2-num-nulls", field(header + ".num_nulls"), three(page, nullable, items=(1, 2, None), header={header + ".num_nulls": 0}))
        wrong("num-rows", "page/v2-num-rows", field(header + ".num_rows"), lists(chunk(page(2), page(1), page(header={header + ".num_rows": 3}))))
        wrong("row-boundary", "page/v2-row-boundary", ("rep.run0",), lists(chunk(page(1), page(1), page()), items=([1], [2, 3], [4])))
        wrong("level-lengths", "page/v2-level-lengths", field(header + ".definition_levels_byte_length"),
              three(page, nullable, header={header + ".definition_levels_byte_length": 1000}))


def pair(*pages):
    """An optional leaf in an optional group: levels 0 to 2 in two bits, so that 3 can be written."""
    return File([optional("g", [optional("e", INT32)])], [{"g": {"e": index}} for index in range(3)], chunk(*pages))


def matrix(page):
    """Lists of lists, nothing optional: levels 0 to 2 in two bits; three rows of one element."""
    inner = list_of("m", required("e", INT32), required)
    return File([list_of("l", inner, required)], [{"l": {"list": [{"m": {"list": [{"e": index}]}}]}} for index in range(3)], chunk(page))


def headers(v, name, page, header):
    """Faults in a header whose body is valid."""
    def wrong(what, rule, path, file, **more):
        v.file(f"{name}-{what}", file, rule, (0, path, "value"), **more)

    count = header + ".num_values"
    wrong("counts-4", "page/num-values", count, flat(chunk(page(header={count: 4}))), note="three values, and the header counts four")
    wrong("size-of-11", "page/compressed-size", "compressed_page_size", flat(chunk(page(header={"compressed_page_size": 11}))), note="a byte less than there is")
    wrong("size-of-0", "page/compressed-size", "compressed_page_size", nullable(chunk(page(header={"compressed_page_size": 0}), codec=GZIP)))
    wrong("beyond-chunk", "page/within-chunk", "compressed_page_size",
          flat(chunk(page(header={"compressed_page_size": 100000, "uncompressed_page_size": 100000}))))
    other = {"encodings": [PLAIN, RLE, DELTA_BINARY_PACKED]}
    wrong("values-not-delta", "page/encoding", header + ".encoding", flat(chunk(page(header={header + ".encoding": DELTA_BINARY_PACKED}), meta=other)))
    v.file(f"{name}-encoding-unknown-77", flat(chunk(page(1), page(1, 77, values=b"abcd"), page())), "page/unknown-encoding",
           (1, header + ".encoding", "value"), also=[("thrift/unknown-enum-value", (None, "row_groups[0].columns[0].meta_data.encodings[1]", "value"))])
    for what, kind in (("other-version", DATA_PAGE_V2 if page is V1 else 0), ("dictionary", DICTIONARY_PAGE)):
        v.file(f"{name}-type-of-{what}", flat(chunk(page(1), page(header={"type": kind}))), "page/type", (1, "type", "value"))
    wrong("two-members", "page/extra-header-member", "dictionary_page_header",
          flat(chunk(page(header={"dictionary_page_header": {"num_values": 0, "encoding": PLAIN}}))))
    wrong("index-member", "page/extra-header-member", "index_page_header", flat(chunk(page(header={"index_page_header": {}}))))
    for what, kind, items, data, attributes in () if page is V2 else (
            ("boolean", BOOLEAN, (True,) * 9, b"\xff", {}), ("int64", INT64, (1, 2), bytes(15), {}), ("double", DOUBLE, (0.5, 1.0), bytes(15), {}),
            ("fixed", FIXED_LEN_BYTE_ARRAY, (b"abc", b"def"), bytes(5), {"type_length": 3})):
        rule = "plain/boolean-length" if kind == BOOLEAN else "plain/fixed-width-length"
        v.file(f"{name}-{what}-cut", column(required("o", kind, **attributes), items, chunk(page(values=data))), rule, (0, "values"))


def levels(v, name, page):
    """Levels that are out of range, too few or too many."""
    v.file(f"{name}-repetition-3-repeated", matrix(page(reps=[Repeated(2, 0), Repeated(1, 3)])), "levels/repetition-range", (0, "rep.run1"), bugs="LevelAboveMaximum")
    v.file(f"{name}-repetition-3-packed", matrix(page(reps=[Packed([0, 3, 0])])), "levels/repetition-range", (0, "rep.run0"), bugs="LevelAboveMaximum")
    v.file(f"{name}-level-padding", matrix(page(reps=[Packed([0, 0, 0], fill=3)])), note="a level above the maximum in a slot that no entry has")
    if page is V1:
        v.file(f"{name}-two-groups", nullable(chunk(page(defs=[Packed([1, 0, 1] + [0] * 6)]))), also=[("levels/overshoot", (0, "def.run0"))])
        v.file(f"{name}-repetition-run-too-long", lists(chunk(page(reps=[Repeated(3, 0)])), items=([1], [2])), also=[("levels/overshoot", (0, "rep.run0"))])
        v.file(f"{name}-no-levels-in-section", nullable(chunk(page(defs=b"")), items=(1, 2, 3)), "levels/count", (0, "def.end"))
        v.file(f"{name}-repetition-3-bit-packed", matrix(page(rep_encoding=BIT_PACKED, reps=b"\x30")), "levels/repetition-range", (0, "rep"),
               also=[("bit-packed/deprecated", (0, "data_page_header.repetition_level_encoding", "value"))])
    v.file(f"{name}-definition-levels-2-of-3", nullable(chunk(page(defs=[Repeated(2, 1)])), items=(1, 2, 3)), "levels/count", (0, "def.end"))
    v.file(f"{name}-repetition-levels-5-of-6", lists(chunk(page(reps=[Repeated(5, 0)]))), "levels/count", (0, "rep.end"))
    v.file(f"{name}-run-too-long", nullable(chunk(page(defs=[Repeated(5, 1)])), items=(1, 2, 3)), also=[("levels/overshoot", (0, "def.run0"))])
    for what, base, which, stream, width in (("definition", nullable, "defs", [1, 0, 1], 1), ("repetition", lists, "reps", [0, 1, 0, 0, 0, 1], 1)):
        for about, more in (("zeros", b"\0\0"), ("a-run", b"\2\0")):
            data = hybrid.encode(hybrid.runs_of(stream), width)
            section = Marked(data.data + more, {"after": len(data)})
            v.file(f"{name}-{what}-levels-and-{about}", base(chunk(page(**{which: section}))), also=[("levels/section-consumed", (0, which[:3] + ".after"))])


def second(v):
    """The counts of a v2 page header."""
    flag = "data_page_header_v2.is_compressed"
    v.file("page-v2-is-compressed-wrong", nullable(chunk(V2(is_compressed=True), codec=GZIP, compress=lambda data: data)), "page/v2-is-compressed", (0, flag, "value"))
    head = "data_page_header_v2."
    for what, path, value, base, rule in (
            ("num-rows-of-flat", "num_rows", 2, flat, "num-rows-range"), ("num-rows-more", "num_rows", 7, lists, "num-rows-range"),
            ("num-nulls-more", "num_nulls", 4, nullable, "num-nulls-range"), ("num-nulls-of-required", "num_nulls", 1, flat, "num-nulls-range"),
            ("repetition-length-minus-1", "repetition_levels_byte_length", -1, lists, "level-lengths"),
            ("repetition-length-large", "repetition_levels_byte_length", 1000, lists, "level-lengths"),
            ("definition-length-3", "definition_levels_byte_length", 3, nullable, "level-lengths")):
        v.file(f"page-v2-{what}", base(chunk(V2(header={head + path: value}))), f"page/v2-{rule}", (0, head + path, "value"), bugs=())
    v.file("page-v2-no-repetition-levels", lists(chunk(V2(reps=b""))), "page/v2-levels-present", (0, head + "repetition_levels_byte_length", "value"))


def dictionaries(v):
    """The places of dictionary pages, and their headers."""
    three_, coded = Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY)
    for name, page, _ in BOTH:
        v.file(f"page-{name}-dictionary-after-data", flat(chunk(page(1), Dictionary([2, 3]), page(encoding=RLE_DICTIONARY))), "dictionary/page-first", (1, "type", "value"))
    v.file("page-dictionary-twice", flat(chunk(three_, three_, coded)), "dictionary/at-most-one", (1, "type", "value"))
    v.file("page-dictionary-twice-between", flat(chunk(three_, V1(1, RLE_DICTIONARY), three_, coded)), "dictionary/at-most-one", (2, "type", "value"))
    for label, name in ((RLE_DICTIONARY, "rle-dictionary"), (RLE, "rle")):
        v.file(f"page-dictionary-label-{name}", flat(chunk(Dictionary([1, 2, 3], encoding=label), coded)), "dictionary/page-encoding",
               (0, "dictionary_page_header.encoding", "value"))
    for name, kind, items in (("int32", INT32, (3, 2, 1)), ("negative", INT32, (1, -1)), ("strings", BYTE_ARRAY, (b"\x80", b"\x7f")), ("prefix", BYTE_ARRAY, (b"ab", b"a")),
                              ("doubles", DOUBLE, (1.0, -1.0))):
        sort = lambda order: column(required("o", kind), order, chunk(Dictionary(list(order), is_sorted=True), V1(encoding=RLE_DICTIONARY)))
        v.file(f"page-dictionary-not-sorted-{name}", sort(items), "dictionary/sorted", (0, "dictionary_page_header.is_sorted", "value"))
        v.file(f"page-dictionary-sorted-{name}", sort(items[::-1]))
    v.file("page-dictionary-booleans", column(required("b", BOOLEAN), (True, False, True), chunk(Dictionary([False, True]), V1(encoding=RLE_DICTIONARY))),
           also=[("dictionary/boolean", (1, "data_page_header.encoding", "value"))])
    v.file("page-dictionary-of-nothing", nullable(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=b"")), items=(None, None)))
    v.file("page-dictionary-not-used", flat(chunk(three_, V1())))
    v.file("page-dictionary-crc-1", flat(chunk(Dictionary([1, 2, 3], crc=1), coded)), "crc/match", (0, "crc", "value"))
    v.file("page-dictionary-strings-cut", strings(chunk(Dictionary([b"x", b"yy", b"zzz"], count=4), V1(encoding=RLE_DICTIONARY))), "dictionary/entry-count",
           (0, "dictionary_page_header.num_values", "value"))
    for width, name in ((33, "33"), (255, "255")):
        v.file(f"page-indices-of-{name}-bits", flat(chunk(three_, V1(encoding=RLE_DICTIONARY, values=bytes([width]) + bytes(6)))), "dictionary/bit-width", (1, "values"))
    v.file("page-indices-of-32-bits", flat(chunk(three_, V1(encoding=RLE_DICTIONARY, width=32))))
    v.file("page-index-2^32-1", flat(chunk(three_, V1(encoding=RLE_DICTIONARY, width=32, runs=[Repeated(3, 2**32 - 1)]))), "dictionary/index-range", (1, "values.run0"), bugs="IndexRange")
    v.file("page-indices-padding", flat(chunk(three_, V1(encoding=RLE_DICTIONARY, runs=[Packed([0, 1, 2], fill=3)]))), note="index 3 of three entries in a slot that no value has")
