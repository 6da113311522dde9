"""One field is wrong and the rest of the file shows which: only that field is reported, without consequences."""

from builder.codec import plain
from builder.codec.compression import gzip
from builder.codec.file import Chunk, File, Group
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import (BIT_PACKED, BOOLEAN, DATA_PAGE, DATA_PAGE_V2, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY,
                                    DICTIONARY_PAGE, DROP, FLOAT, GZIP, INT32, PLAIN, RLE, RLE_DICTIONARY, SNAPPY, ZSTD, edit)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import CODED, FIRST, META, SECOND, chunk, column, flat, lists, nullable
from builder.recipes.combined.lost_data import lost

COUNT, COUNT2 = "data_page_header.num_values", "data_page_header_v2.num_values"


def witnesses(c):
    counts(c)
    sizes(c)
    kinds(c)
    compression(c)
    dictionaries(c)
    starts(c)
    runs(c)
    structures(c)
    unknown(c)


def page(g, leaf, ordinal):
    return lost("page", g, leaf, ordinal)


def counts(c):
    c.rule("page/num-values")

    def fail(about, file, place, ordinal=0):
        c.fail(about, file, place, rows=None, lost=[page(0, 0, ordinal)])

    first, first2 = V(COUNT, page=FIRST), V(COUNT2, page=FIRST)
    fail("a v1 page of three values counts four", flat(chunk(V1(header={COUNT: 4}))), first)
    fail("a v1 page of three values counts two", flat(chunk(V1(header={COUNT: 2}))), first)
    fail("a v1 page of three values counts none", flat(chunk(V1(header={COUNT: 0}))), first)
    fail("a v2 page of three values counts four", flat(chunk(V2(header={COUNT2: 4}))), first2)
    fail("a v2 page of three entries counts two", nullable(chunk(V2(header={COUNT2: 2}))), first2)
    fail("a v1 page whose levels are padded to eight counts two of three entries",
         nullable(chunk(V1(header={COUNT: 2}, defs=[Packed([1, 1, 1])])), (1, 2, 3)), first)
    fail("the second of three pages counts two values too many",
         flat(chunk(V1(1), V1(1, header={COUNT: 3}), V1(1))), V(COUNT, page=SECOND), 1)
    fail("a v1 page of lists counts an entry less", lists(chunk(V1(header={COUNT: 5})), ([1, 2], [], None, [3, 4])), first)
    for made, path in ((V1, COUNT), (V2, COUNT2)):
        c.fail(f"two of three {made.__name__} pages count a value too many and two too many",
               flat(chunk(made(1, header={path: 2}), made(1, header={path: 3}), made(1))), V(path, page=FIRST, times=2).with_values(expected="1"), rows=None,
               lost=[page(*FIRST), page(*SECOND)])
    c.fail("a v2 page of two entries counts four, and the next of one entry counts none", nullable(
        chunk(V2(2, header={COUNT2: 4}), V2(header={COUNT2: 0}))), V(COUNT2, page=FIRST, times=2).with_values(expected="2"), rows=None,
           lost=[page(*FIRST), page(*SECOND)])
    c.ok("the counts are true", flat(chunk(V1(1), V1(1), V1(1))))
    c.ok("nulls and empty lists count", lists())


def sizes(c):
    c.rule("page/compressed-size")
    size = "compressed_page_size"

    def fail(about, file, place=FIRST, gone=None):
        c.fail(about, file, V(size, page=place), rows=None, lost=gone or [page(*place)])

    fail("the stated size of the only page is a byte too small", flat(chunk(V1(header={size: 11}))))
    fail("the stated size of the first of two pages is a byte too small, under GZIP",
         flat(chunk(V1(1, header=less(size)), V1(), codec=GZIP)))
    fail("the stated size of the first of two pages is 0, under GZIP",
         flat(chunk(V1(1, header={size: 0}), V1(), codec=GZIP)))
    fail("the stated size of a v2 page is 0, under GZIP", nullable(chunk(V2(header={size: 0}), codec=GZIP)))
    fail("the stated size of the dictionary page is a byte too large",
         flat(chunk(Dictionary([1, 2, 3], header={size: 13}), CODED)), gone=[page(0, 0, 0), page(0, 0, 1)])
    c.ok("the sizes are correct, under GZIP", flat(chunk(V1(1), V1(), codec=GZIP)))

    c.rule("page/v2-level-lengths")
    length = "data_page_header_v2.definition_levels_byte_length"
    c.fail("the stated length of the definition levels is a byte too large", nullable(chunk(V2(header={length: 3}))),
           V(length, page=FIRST).with_values(expected="2"), lost=[page(0, 0, 0)])
    length = "data_page_header_v2.repetition_levels_byte_length"
    c.fail("the stated length of repetition levels is 1 in a page without values and without lists",
           nullable(chunk(V2(header={length: 1})), (None, None)), V(length, page=FIRST).with_values(expected="0"), lost=[page(0, 0, 0)])
    c.ok("the length of the definition levels is correct", nullable(chunk(V2())))

    c.rule("page/uncompressed-size")
    c.ok("compressed_page_size of an empty page is 0", flat(chunk(V1(0), V1())))
    size = "uncompressed_page_size"
    for wrong in (0, 1):
        c.fail(f"GZIP: the stated size of the second of two v2 pages is {wrong}, and its levels take two bytes",
               nullable(chunk(V2(1), V2(header={size: wrong}), codec=GZIP)), V(size, page=SECOND).with_values(expected="6"), lost=[page(*SECOND)])
    c.fail("GZIP: the stated size of a v2 page of lists is 0", lists(chunk(V2(header={size: 0}), codec=GZIP)),
           V(size, page=FIRST).with_values(expected="17"), lost=[page(*FIRST)])
    c.ok("GZIP: the size of a v2 page is correct", nullable(chunk(V2(1), V2(), codec=GZIP)))
    c.rule("page/uncompressed-equals-compressed")
    c.fail("the stated size of an uncompressed v2 page is 0, and its levels take two bytes",
           nullable(chunk(V2(1), V2(header={size: 0}))), V(size, page=SECOND), lost=[page(*SECOND)])


def runs(c):
    c.rule("rle/run-length")
    for made in (V1, V2):
        c.fail(f"all is null in a {made.__name__} page, and the indices are a run of no values",
               nullable(chunk(Dictionary([7]), made(encoding=RLE_DICTIONARY, values=b"\0\0")), [None, None]),
               Body(SECOND, "values", plus=1))
    c.fail("all is null, and the booleans are a run of no values",
           column(optional("b", BOOLEAN), [None, None], chunk(V1(encoding=RLE, values=b"\2\0\0\0\0\0"))),
           Body(FIRST, "values", plus=4))
    c.ok("all is null, and no indices follow the width byte",
         nullable(chunk(Dictionary([7]), V1(encoding=RLE_DICTIONARY, values=b"\0")), [None, None]))


def less(path):
    return lambda header: header.field(path).__setattr__("value", header.at(path) - 1)


def kinds(c):
    c.rule("page/type")
    for about, made, stated in (("v1 page has the type of v2", V1, DATA_PAGE_V2), ("v2 page has the type of v1", V2, DATA_PAGE),
                                ("v1 page has the type of a dictionary page", V1, DICTIONARY_PAGE),
                                ("v2 page has type 9", V2, 9)):
        c.fail(f"a {about}", flat(chunk(made(1), made(header={"type": stated}))), V("type", page=SECOND),
               lost=[page(0, 0, 1)])
    c.fail("a dictionary page has the type of a data page; the page that refers to it is lost too",
           flat(chunk(Dictionary([1, 2, 3], header={"type": DATA_PAGE}), CODED)), V("type", page=FIRST),
           lost=[page(0, 0, 0), page(0, 0, 1)])
    c.ok("the types are those of the members", flat(chunk(Dictionary([1, 2, 3]), CODED)))

    c.rule("page/encoding")
    both = {"encodings": [PLAIN, RLE, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY]}
    for made, path in ((V1, "data_page_header.encoding"), (V2, "data_page_header_v2.encoding")):
        c.fail(f"PLAIN values have the stated encoding DELTA_BINARY_PACKED in a {made.__name__} page",
               flat(chunk(made(header={path: DELTA_BINARY_PACKED}), meta=both)), V(path, page=FIRST), lost=[page(0, 0, 0)])
    path = "data_page_header.definition_level_encoding"
    c.fail("RLE levels have the stated encoding BIT_PACKED", nullable(chunk(V1(header={path: BIT_PACKED}, defs=[Repeated(3, 1)])), (1, 2, 3)),
           V(path, page=FIRST),
           lost=[page(0, 0, 0)], reader=("may", "parquet.thrift#DataPageHeader.definition_level_encoding"))
    for made, path, about, number in ((V1, "data_page_header.encoding", "11", 11), (V2, "data_page_header_v2.encoding", "-1", -1)):
        c.fail(f"PLAIN values in the second of two {made.__name__} pages have the undefined encoding {about}, which the chunk does not list",
               flat(chunk(made(1), made(header={path: number}))), V(path, page=SECOND), lost=[page(*SECOND)])
    for about, field, base in (("definition", "definition_level_encoding", nullable), ("repetition", "repetition_level_encoding", lists)):
        path = f"data_page_header.{field}"
        c.fail(f"{about} levels have the undefined encoding 11, which the chunk does not list", base(chunk(V1(header={path: 11}))),
               V(path, page=FIRST), lost=[page(0, 0, 0)], expected="RLE")
    c.ok("the values are in the encoding of the header", flat(chunk(V1())))
    c.rule("dictionary/page-encoding")
    c.fail("the dictionary page has the undefined encoding -1, which the chunk does not list",
           flat(chunk(Dictionary([1, 2, 3], header={"dictionary_page_header.encoding": -1}), CODED)), V("dictionary_page_header.encoding", page=FIRST))


def compression(c):
    c.rule("page/v2-is-compressed")
    flag = V("data_page_header_v2.is_compressed", page=FIRST)
    c.fail("GZIP: the values are not compressed, and is_compressed is true", nullable(chunk(V2(is_compressed=True), codec=GZIP, compress=lambda data: data)), flag,
           lost=[page(0, 0, 0)])
    c.fail("GZIP: the values are compressed, and is_compressed is false",
           flat(chunk(V2(is_compressed=False, stored=gzip.compress(plain.encode(INT32, [1, 2, 3]).data)), codec=GZIP)), flag,
           lost=[page(0, 0, 0)])
    c.ok("GZIP: compressed values", nullable(chunk(V2(), codec=GZIP)))
    c.ok("GZIP: values that are not compressed", nullable(chunk(V2(is_compressed=False), codec=GZIP)))

    c.rule("column-chunk/codec")
    codec = V(META + ".codec")
    all_lost = {"rows": None, "lost": [lost("column chunk", 0, 0)]}
    by_sizes = ("may", "parquet.thrift#ColumnMetaData.codec")  # only the sizes show that the bytes are no PLAIN values
    for made, stated, about, reader in ((ZSTD, GZIP, "Zstandard under GZIP", None), (GZIP, SNAPPY, "gzip under SNAPPY", None),
                                        (SNAPPY, ZSTD, "Snappy under ZSTD", None), (GZIP, 0, "gzip under UNCOMPRESSED", by_sizes)):
        c.fail(about, flat(chunk(V1(1), V1(), codec=made, meta={"codec": stated})), codec, reader=reader, **all_lost)
    c.fail("a dictionary and its indices under GZIP, which are not compressed",
           flat(chunk(Dictionary([1, 2, 3]), CODED, codec=GZIP, compress=lambda data: data)), codec.with_values(expected="UNCOMPRESSED"), **all_lost)
    for about, made, stated in (("Zstandard under the undefined codec 8", ZSTD, 8), ("gzip under the undefined codec -1", GZIP, -1)):
        c.fail(about, flat(chunk(V1(1), V1(), codec=made, meta={"codec": stated})), codec, **all_lost)
    c.fail("the undefined codec 8, and the other row group is not compressed",
           File([required("a", INT32)], groups=[Group([{"a": 1}], Chunk(meta={"codec": 8})), Group([{"a": 2}])]), codec, **all_lost)
    c.ok("gzip under GZIP", flat(chunk(V1(1), V1(), codec=GZIP)))


def between(header=None, copy=True):
    """Two row groups with a copy of the metadata after each chunk; a fault in the dictionary page of the second."""
    items = [7, 8, 9]

    def coded(**overrides):
        return Chunk([Dictionary(items, **overrides), V1(2, encoding=RLE_DICTIONARY), V1(1, encoding=RLE_DICTIONARY)], copy=copy)

    rows = [{"a": item} for item in items]
    return File([required("a", INT32)], groups=[Group(rows, coded()), Group(rows, coded(header=header))])


def dictionaries(c):
    """dictionary_page_offset is correct and is not reported."""
    place = (1, 0, 0)
    gone = {"rows": None, "lost": [page(1, 0, ordinal) for ordinal in range(3)]}
    c.rule("dictionary/num-values-negative")
    path = "dictionary_page_header.num_values"
    c.fail("a dictionary page after a copy of other metadata has -22 entries", between({path: -22}), V(path, page=place), **gone)
    c.rule("page/header-member")

    def damaged(header):
        header.field("dictionary_page_header").id = 12

    c.fail("a dictionary page after a copy of other metadata has its member under another field id", between(damaged),
           S("", page=place, field="dictionary_page_header"), **gone)
    c.rule("page/type")
    c.fail("a dictionary page after a copy of other metadata has type 9", between({"type": 9}),
           V("type", page=place), **gone)
    c.rule("column-chunk/dictionary-page-offset")
    offset = "row_groups[1].columns[0].meta_data.dictionary_page_offset"
    for about, wrong in (("a byte after the start of the dictionary page", lambda at: at + 1), ("a byte before the dictionary page", lambda at: at - 1),
                       ("after the data pages", lambda at: 2 * at), ("0", lambda at: 0)):
        def edit(footer, wrong=wrong):
            owner, name = footer.owner(offset)
            owner.field(name).value = wrong(footer.at(offset))

        c.fail(f"dictionary_page_offset of the second row group is {about}",
               File([required("a", INT32)], groups=between(copy=None).groups, footer=edit), V(offset))
    c.ok("two row groups with copies between their chunks", between())


def starts(c):
    """Pages without a dictionary: only data_page_offset has their offset."""
    c.rule("column-chunk/data-page-offset")
    for g, copied in ((1, None), (0, True), (1, True)):
        path = f"row_groups[{g}].columns[1].meta_data.data_page_offset"
        for about, wrong in (("a byte before its page", lambda at: at - 1), ("a byte after the start of its page", lambda at: at + 1),
                           ("a byte after that of the chunk before", lambda at: at // 2)):
            c.fail(f"data_page_offset in row group {g} is {about}{', with copies of the metadata between chunks' if copied else ''}",
                   columns(faulty(path, wrong), copied), V(path))
    for (g, k), other, which in (((0, 1), (0, 0), "before"), ((1, 2), (1, 1), "before"), ((1, 0), (0, 2), "before"), ((0, 1), (1, 1), "later")):
        path = f"row_groups[{g}].columns[{k}].meta_data.data_page_offset"
        c.fail(f"data_page_offset of column {k} in row group {g} is that of a chunk {which} it, whose pages are as large",
               columns(leading_to(path, "row_groups[%d].columns[%d].meta_data.data_page_offset" % other), None), V(path))
    path = "row_groups[0].columns[{}].meta_data.data_page_offset"
    for k, other in ((1, 0), (1, 2), (0, 2)):
        c.fail(f"data_page_offset of column {k} is that of column {other}, whose pages are of another size",
               uneven(leading_to(path.format(k), path.format(other))), V(path.format(k)))
    c.ok("data_page_offset of each chunk is correct, with copies of the metadata between", columns(lambda footer: None, True))
    c.rule("column-chunk/dictionary-page-offset")
    path = "row_groups[0].columns[2].meta_data.dictionary_page_offset"
    c.fail("dictionary_page_offset is the first page of another chunk",
           uneven(leading_to(path, "row_groups[0].columns[0].meta_data.data_page_offset")), V(path))
    c.rule("column-chunk/total-compressed-size")
    path = "row_groups[0].columns[1].meta_data.total_compressed_size"
    for step in (1, -1):
        c.fail(f"total_compressed_size is one {'more' if step > 0 else 'less'} than in the copy of the metadata after the chunk",
               columns(faulty(path, lambda size, step=step: size + step), True), V(path))
    c.rule("column-chunk/type", found="FLOAT", expected="INT32")
    c.fail("the type of the chunk is FLOAT, that of the schema and of the copy of the metadata INT32", columns(faulty(META + ".type", lambda kind: FLOAT), True), V(META + ".type"))


def leading_to(path, other):
    """An edit of the footer: the offset at the path is that at another one."""
    def change(footer):
        owner, name = footer.owner(path)
        owner.field(name).value = footer.at(other)
    return change


def uneven(wrong):
    """Three columns: of two pages, of one, and of a dictionary and a page."""
    rows = [{name: 3 * i + c for c, name in enumerate("abc")} for i in range(3)]
    return File([required(name, INT32) for name in "abc"], footer=wrong, groups=[Group(rows, [
        Chunk([V1(1), V1()]), Chunk([V1()]), Chunk([Dictionary([2, 5, 8]), CODED])])])


def columns(wrong, copied):
    """Two row groups of three columns in two pages each."""
    rows = [{name: 3 * i + c for c, name in enumerate("abc")} for i in range(3)]
    return File([required(name, INT32) for name in "abc"], footer=wrong,
                groups=[Group(rows, [Chunk([V1(1), V1()], copy=copied) for _ in "abc"]) for _ in range(2)])


#: The second finding of a filter that has an offset and no length.
NO_LENGTH = Also("bloom-filter/length-absent", S("row_groups[0].columns[0].meta_data", field="meta_data.bloom_filter_length"),
                 "the length is left out")
#: The structures outside the pages, by the prefix of their fields in a ColumnChunk.
STRUCTURES = {"column_index": "column index", "offset_index": "offset index", "meta_data.bloom_filter": "bloom filter"}


def faulty(path, wrong):
    """An edit of the footer: the number at the path becomes `wrong` of it."""
    def change(footer):
        owner, name = footer.owner(path)
        owner.field(name).value = wrong(footer.at(path))
    return change


def all_of_them(*overrides):
    """Two row groups of three columns, each with page indexes and a filter: first all column indexes, then all offset
    indexes, then all filters."""
    rows = [[{name: 3 * i + c for c, name in enumerate("abc")} for i in range(2 + g)] for g in range(2)]
    chunks = [Chunk(column_index=True, offset_index=True, bloom=True) for _ in "abc"]
    return File([required(name, INT32) for name in "abc"], groups=[Group(some, chunks) for some in rows], column_orders=True,
                footer=lambda tree: [wrong(tree) for wrong in overrides])


def one_of_them(part, *overrides, meta=None, tail=b""):
    """One column with a single structure, before the footer or before unreferenced bytes; a column index follows
    the offset index that it needs."""
    wanted = {part.split(".")[-1].replace("bloom_filter", "bloom"): True, "meta": meta}
    if part == "column_index":
        wanted["offset_index"] = True
    return flat(Chunk(**wanted), column_orders=True, before_footer=tail, arrange=lambda places: places[::-1], footer=lambda tree: [wrong(tree) for wrong in overrides])


def structures(c):
    c.rule("file/structure-place")
    reader = ("may", "parquet.thrift#ColumnChunk.offset_index_offset")

    def fail(about, part, field, wrong, *also, g=0, leaf=0, intact=False, make=None):
        path = f"row_groups[{g}].columns[{leaf}].{part}_{field}"
        c.fail(f"the {field} of the {STRUCTURES[part]} {about}", (make or all_of_them)(faulty(path, wrong)), V(path), *also,
               lost=[] if intact else [lost(STRUCTURES[part], g, leaf)], reader=reader)

    for part, (g, leaf) in zip(STRUCTURES, ((0, 0), (0, 1), (1, 2))):  # the first, one between others, the last
        fail("is a byte too large", part, "offset", lambda at: at + 1, g=g, leaf=leaf)
        fail("is a byte too small", part, "offset", lambda at: at - 1, g=g, leaf=leaf)
        fail("is a byte too small", part, "length", lambda size: size - 1, g=g, leaf=leaf)
        fail("is a byte too large", part, "length", lambda size: size + 1, leaf=leaf, intact=True)
        fail("is twice as large", part, "length", lambda size: 2 * size, leaf=1, intact=True)
        fail("is 0", part, "length", lambda size: 0, g=1, leaf=leaf)
        fail("is inside the first page", part, "offset", lambda at: 9, g=1, leaf=1)
        fail("is half as large", part, "offset", lambda at: at // 2, g=1, leaf=0)

    def alone(part, **more):
        return lambda wrong: one_of_them(part, wrong, **more)

    for part in STRUCTURES:
        fail("before the footer is a byte too large", part, "offset", lambda at: at + 1, make=alone(part))
        fail("before the footer is a byte too small", part, "length", lambda size: size - 1, make=alone(part))
    unsized = {"meta": {"bloom_filter_length": DROP}}
    for about, wrong in (("too small", lambda at: at - 1), ("too large", lambda at: at + 1)):
        fail(f"without a length is a byte {about}", "meta_data.bloom_filter", "offset", wrong, NO_LENGTH, make=alone("meta_data.bloom_filter", **unsized))
    fail("before unreferenced bytes is a byte too small", "offset_index", "length", lambda size: size - 1,
         make=alone("offset_index", tail=b"\1\2\3"))
    column = "row_groups[0].columns[0]."
    c.fail("offset of the column index and length of the filter of one chunk are a byte too large",
           all_of_them(faulty(column + "column_index_offset", lambda at: at + 1),
                       faulty(column + "meta_data.bloom_filter_length", lambda size: size + 1)),
           V(column + "meta_data.bloom_filter_length", times=2), lost=[lost("column index", 0, 0)], reader=reader)
    first, last = "row_groups[0].columns[0]", "row_groups[1].columns[2]"
    for part in STRUCTURES:
        for g, leaf, other in ((0, 1, first), (0, 0, last), (1, 2, first)):
            if part == "offset_index" and (g, leaf) != (0, 1):
                continue  # the other offset indexes have other lengths
            path, there = f"row_groups[{g}].columns[{leaf}].{part}_offset", f"{other}.{part}_offset"
            c.fail(f"the offset of the {STRUCTURES[part]} is that of another chunk",
                   all_of_them(lambda footer, path=path, there=there: edit(footer, {path: footer.at(there)})), V(path),
                   lost=[lost(STRUCTURES[part], g, leaf)], reader=reader)
    c.ok("every structure is at its place", all_of_them())
    c.ok("the only offset index ends where the footer begins", one_of_them("offset_index"))
    c.ok("the length of the filter is not stated", one_of_them("meta_data.bloom_filter", **unsized), NO_LENGTH)


def unknown(c):
    """Statistics are not checked if their values cannot be read."""
    word = lambda number: plain.encode(INT32, [number]).data
    stated = {"statistics": {"null_count": 1, "max_value": word(3), "min_value": word(1), "is_max_value_exact": True,
                             "is_min_value_exact": True}}
    because = "encodings of the chunk has to list each encoding of its pages"
    c.rule("page/unknown-level-encoding")
    path = "data_page_header.definition_level_encoding"
    c.fail("the definition levels of a chunk with statistics have the unknown encoding 12",
           nullable(chunk(V1(header={path: 12}), meta={**stated, "encodings": [PLAIN, RLE, 12]}), column_orders=True), V(path, page=FIRST),
           Also("thrift/unknown-enum-value", V(META + ".encodings[2]"), because))
    c.rule("page/unknown-encoding")
    path = "dictionary_page_header.encoding"
    c.fail("the dictionary of a chunk with statistics has the unknown encoding 77",
           nullable(chunk(Dictionary([1, 3], header={path: 77}), CODED, meta={**stated, "encodings": [77, RLE, RLE_DICTIONARY]}),
                    column_orders=True),
           V(path, page=FIRST), Also("thrift/unknown-enum-value", V(META + ".encodings[0]"), because), expected="PLAIN")
