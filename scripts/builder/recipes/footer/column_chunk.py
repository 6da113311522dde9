"""Column chunks: places, contents and metadata (parquet.thrift ColumnChunk, ColumnMetaData)."""

from builder.codec.file import Chunk, File
from builder.codec.index_pages import Tree
from builder.codec.metadata import (BIT_PACKED, DATA_PAGE, DATA_PAGE_V2, DELTA_BINARY_PACKED, DICTIONARY_PAGE, DROP, FLOAT, GZIP,
                                    INDEX_PAGE, INT32, PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY, edit)
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import list_of, optional, required
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, chunk, flat, lists, nullable, two

META = COLUMN + ".meta_data"
SECOND = "row_groups[0].columns[1]"
DICT = V(META + ".dictionary_page_offset")
DATA = V(META + ".data_page_offset")
NOTHING = {"pages": [], "entries": []}


def coded(*data, **more):
    """A dictionary page of 1, 2, 3 and data pages (by default one of indices)."""
    return chunk(Dictionary([1, 2, 3]), *(data or [V1(encoding=RLE_DICTIONARY)]), **more)


def offsets(**functions):
    """An edit of the ColumnMetaData by functions of it."""
    def change(meta):
        values = {name: function(meta) for name, function in functions.items()}
        edit(meta, values)
    return change


def more(name, by):
    """An edit that adds to a number of the ColumnMetaData."""
    return offsets(**{name: lambda meta: meta.at(name) + by})


def stats(*triples):
    """encoding_stats of (page type, encoding, count)."""
    return [{"page_type": kind, "encoding": encoding, "count": count} for kind, encoding, count in triples]


def elsewhere(**column_edits):
    """A chunk whose pages are in another file, by its path."""
    meta = {"num_values": 3, "total_uncompressed_size": 40, "total_compressed_size": 40, "data_page_offset": 4}
    return Chunk(meta=meta, column=column_edits, **NOTHING)


def add_up(footer):
    """Makes total_byte_size of the first row group agree with its chunks."""
    columns = footer.at("row_groups[0].columns").items
    edit(footer, {"row_groups[0].total_byte_size": sum(one.at("meta_data.total_uncompressed_size") for one in columns)})


#: The repetition levels of the second column: two bytes.
LEVELS = Body((0, 1, 0), "rep.run0").with_values(found="2", expected="3", length=2)
LEVELS_OF_SECOND = Body((0, 1, 1), "rep.run0").with_values(found="2", expected="3", length=2)


def with_list(*pages):
    """A flat column of three rows, and a LIST of two."""
    return File([required("a", INT32), list_of("l", optional("e", INT32))], [{"a": i, "l": None} for i in (1, 2, 3)],
                [None, Chunk(list(pages), entries=[(0, 3, 1), (0, 3, 2), (1, 3, 3)])])


def witnesses(c):
    place(c)
    identity(c)
    sizes(c)
    offset_fields(c)
    encodings(c)
    encoding_stats(c)


def place(c):
    c.rule("column-chunk/meta-data")
    c.fail("a chunk without meta_data", two([None, Chunk(**NOTHING)], footer={SECOND + ".meta_data": DROP}),
           S(SECOND, field="meta_data"))
    c.ok("both chunks have meta_data", two())

    c.rule("column-chunk/file-path")
    c.fail("the second chunk is in another file, the first in this one", two([None, Chunk(file="b.data")]), V(SECOND + ".file_path"))
    intact = flat().build()
    c.fail("file_path of the only chunk names another file, and its pages are in both", flat(Chunk(column={"file_path": "c.data"})),
           V(COLUMN + ".file_path"), further=lambda _: {"c.data": bytes(4) + intact.data[4:intact.footer_start]})
    c.ok("no chunk has a file_path", two())

    c.rule("column-chunk/file-path-relative")
    elsewhere_may = ("may", "parquet.thrift#ColumnChunk.file_path")  # the named file does not exist
    for about, path in (("absolute", "/b.parquet"), ("a URI", "s3://b/c.parquet"), ("above the folder", "../b.parquet"),
                        ("with a backslash", "b\\c.parquet")):
        c.fail(f"a file of metadata alone, the path of its chunk is {about}", flat(elsewhere(file_path=path), footer=add_up),
               V(COLUMN + ".file_path"), tier="footer", profile="historical", rows=None, reader=elsewhere_may)
    c.ok("a file of metadata alone, the path of its chunk is relative",
         flat(elsewhere(file_path="b/c..d.parquet"), footer=add_up), tier="footer", profile="historical", rows=None,
         reader=elsewhere_may)

    c.rule("column-chunk/file-path-empty")
    c.fail("file_path is empty", flat(Chunk(column={"file_path": ""})), V(COLUMN + ".file_path"))
    c.ok("file_path is absent", flat())

    c.rule("column-chunk/file-offset")
    c.fail("file_offset is the first page", flat(Chunk(column={"file_offset": 4})), V(COLUMN + ".file_offset"))
    c.fail("file_offset is -1", flat(Chunk(column={"file_offset": -1})), V(COLUMN + ".file_offset"))
    c.ok("file_offset is 0", flat())

    c.rule("column-chunk/metadata-copy")
    where = {"index": "copy", "chunk": (0, 0)}
    c.fail("num_values differs in the copy after the chunk", flat(Chunk(copy={"num_values": 4})), V("num_values", **where))
    c.fail("data_page_offset differs in the copy after the chunk", flat(Chunk(copy={"data_page_offset": 0})),
           V("data_page_offset", **where))
    old = {"profile": "historical"}
    c.fail("codec differs in the second copy, under the historical profile", two([Chunk(copy=True), Chunk(copy={"codec": GZIP})]),
           V("codec", index="copy", chunk=(0, 1)), **old)
    c.fail("index_page_offset is absent from the copy", flat(Chunk(index=Tree(), copy={"index_page_offset": DROP})),
           S("", field="meta_data.index_page_offset", **where), **old)
    c.fail("index_page_offset of the copy is the first page", flat(Chunk(index=Tree(), copy={"index_page_offset": 4})),
           V("index_page_offset", **where), **old)
    c.ok("the copy after the chunk is equal", flat(Chunk(copy=True)))
    c.ok("the copy knows nothing of the bloom filter, which was placed later", flat(Chunk(bloom=True, copy=True)))
    c.ok("the copies after both chunks are equal, under the historical profile", two([Chunk(copy=True), Chunk(copy=True)]), **old)
    c.ok("the copy after a chunk with an index page is equal", flat(Chunk(index=Tree(), copy=True)), **old)


def identity(c):
    c.rule("column-chunk/type")
    c.fail("the type of the chunk is FLOAT, that of the schema INT32", flat(Chunk(meta={"type": FLOAT})), V(META + ".type"), rows=None)
    c.ok("chunk and schema say INT32", flat())

    c.rule("column-chunk/path")
    c.fail("the path is that of no leaf", flat(Chunk(meta={"path_in_schema": ["x"]})), V(META + ".path_in_schema"))
    c.fail("the path begins with the root", flat(Chunk(meta={"path_in_schema": ["r", "a"]})), V(META + ".path_in_schema"))
    c.fail("the path is empty", flat(Chunk(meta={"path_in_schema": []})), V(META + ".path_in_schema"))
    c.fail("the path is joined by dots", lists(Chunk(meta={"path_in_schema": ["l.list.element"]})), V(META + ".path_in_schema"))
    c.fail("the path is that of no leaf, in row groups before the schema",
           flat(Chunk(meta={"path_in_schema": ["x"]}), footer=lambda f: f.fields.insert(0, f.fields.pop(3))),
           V(META + ".path_in_schema"))
    c.ok("the path is that of the leaf", lists())


def sizes(c):
    number = V(META + ".num_values")
    c.rule("column-chunk/num-values")
    c.fail("num_values is one more than the page has", flat(Chunk(meta={"num_values": 4})), number, rows=None)
    c.fail("num_values is that of the first of two pages", flat(chunk(V1(2), V1(), meta={"num_values": 2})), number, rows=None)
    c.fail("num_values of a nested column counts rows", lists(Chunk(meta={"num_values": 4})), number, rows=None)
    c.fail("num_values does not count nulls", nullable(chunk(V2(), meta={"num_values": 2})), number, rows=None)
    c.fail("num_values is one less than the nulls that the statistics count", nullable(
        chunk(meta={"num_values": 2, "statistics": {"null_count": 3}}), items=(None, None, None), column_orders=True), number, rows=None)
    c.fail("num_values is one more than the only page has; the OffsetIndex does not give its last row",
           flat(chunk(offset_index=True, meta={"num_values": 4})), number, rows=None)
    c.ok("num_values is the sum over two pages", flat(chunk(V1(2), V1())))

    c.rule("column-chunk/rows")
    c.fail("the second column has two values, the first and the row group three rows",
           two([None, Chunk(entries=[(0, 0, 10), (0, 0, 20)])]), V(SECOND + ".meta_data.num_values"), rows=None)
    c.fail("a LIST column has two rows, the first column and the row group three",
           with_list(V1()), LEVELS, rows=None)
    c.fail("a LIST column has two rows in a v2 page, the first column and the row group three", with_list(V2()), LEVELS, rows=None)
    c.fail("the second v2 page of a LIST column has a row less than its header, the first column and the row group",
           with_list(V2(1), V2(header={"data_page_header_v2.num_rows": 2})), LEVELS_OF_SECOND, rows=None)
    c.fail("a LIST column of two v1 pages has two rows, the first column and the row group three", with_list(V1(1), V1()),
           LEVELS.with_values(page=None), rows=None)
    c.fail("the second column has four values", two([None, Chunk(entries=[(0, 0, 10)] * 4)]),
           V(SECOND + ".meta_data.num_values"), rows=None)
    c.fail("the second column counts four values everywhere; its page is too short for them",
           two([None, Chunk([V1(count=3, header={"data_page_header.num_values": 4})], meta={"num_values": 4})]), V(SECOND + ".meta_data.num_values").with_values(found="4"),
           Also("plain/fixed-width-length", Body((0, 1, 0), "values").with_values(expected="16"), "the page holds three values"))
    c.ok("both columns have three values", two())

    c.rule("column-chunk/sizes-negative")
    for name in ("num_values", "total_uncompressed_size", "total_compressed_size"):
        c.fail(f"{name} is -1; at tier footer", flat(Chunk(meta={name: -1})), V(f"{META}.{name}"), tier="footer")
    c.fail("total_compressed_size is 0 though there are values; at tier footer",
           flat(Chunk(meta={"total_compressed_size": 0})), V(META + ".total_compressed_size"), tier="footer", expected="more than 0", lost=[])
    c.fail("total_compressed_size is 0 though there are values",
           flat(Chunk(meta={"total_compressed_size": 0})), V(META + ".total_compressed_size"),
           expected="more than 0", lost=[])
    c.ok("sizes are what they are", flat())

    c.rule("column-chunk/no-page")
    c.fail("a chunk without values and without a page", flat(Chunk([]), n=0), number,
           Also("row-group/empty", V("row_groups[0].num_rows"), "without values there are no rows"))
    c.ok("a chunk without values has a page", flat(chunk(V1()), n=0),
         Also("row-group/empty", V("row_groups[0].num_rows"), "without values there are no rows"))

    c.rule("column-chunk/total-compressed-size")
    size = V(META + ".total_compressed_size")
    c.fail("the last page ends two bytes before the chunk does, and these form no page",
           flat(Chunk(after=b"\xff\xff", meta=more("total_compressed_size", 2))), size)
    c.fail("total_compressed_size is one too large", flat(Chunk(meta=more("total_compressed_size", 1))), size)
    c.fail("total_compressed_size is one too small", flat(Chunk(meta=more("total_compressed_size", -1))), size)
    c.fail("total_compressed_size leaves out the second page", flat(chunk(V1(1), V1(), meta=offsets(
        total_compressed_size=lambda meta: meta.at("total_compressed_size") // 2)), n=2), size)
    c.fail("total_compressed_size is the uncompressed one", flat(Chunk(codec=GZIP, meta=offsets(
        total_compressed_size=lambda meta: meta.at("total_uncompressed_size")))), size)
    c.ok("total_compressed_size is the sum over two pages", flat(chunk(V1(2), V1())))

    c.rule("column-chunk/total-uncompressed-size")
    size = V(META + ".total_uncompressed_size")
    c.fail("total_uncompressed_size is one too large", flat(Chunk(meta=more("total_uncompressed_size", 1))), size)
    c.fail("total_uncompressed_size leaves out the headers", flat(Chunk(meta={"total_uncompressed_size": 12})), size)
    c.fail("total_uncompressed_size is the compressed one", flat(Chunk(codec=GZIP, meta=offsets(
        total_uncompressed_size=lambda meta: meta.at("total_compressed_size")))), size)
    c.ok("total_uncompressed_size is the sum over two pages, headers included", flat(chunk(V1(2), V1(), codec=GZIP)))


def offset_fields(c):
    c.rule("column-chunk/index-offset-zero")
    for name in ("bloom_filter", "offset_index", "column_index"):
        path = (META if name == "bloom_filter" else COLUMN) + f".{name}_offset"
        which = "meta" if name == "bloom_filter" else "column"
        for about, edits in (("and its length", {f"{name}_offset": 0, f"{name}_length": 0}), ("and no length", {f"{name}_offset": 0})):
            c.fail(f"{name}_offset is 0 {about}", two([Chunk(**{which: edits}), None]), V(path))
    zero = {"offset_index_offset": 0, "offset_index_length": 0, "column_index_offset": 0, "column_index_length": 0}
    c.fail("both indexes are at offset 0; at tier footer", flat(Chunk(column=zero)), V(COLUMN + ".offset_index_offset", times=2), tier="footer")
    second = {name: zero[name] for name in ("column_index_offset", "column_index_length")}
    c.fail("the column index of one of two columns with an offset index is at offset 0",
           two([Chunk(offset_index=True, column_index=True), Chunk(offset_index=True, column=second)], column_orders=True),
           V(SECOND + ".column_index_offset"))
    c.ok("the offsets are not set", flat())

    split = (V1(1, RLE_DICTIONARY), V1(encoding=RLE_DICTIONARY))
    c.rule("column-chunk/data-page-offset")
    c.fail("data_page_offset is the second data page, the dictionary page is first",
           flat(coded(*split), n=2, footer=second_page), DATA)
    c.fail("data_page_offset is one byte after the first data page", flat(coded(meta=more("data_page_offset", 1))), DATA)
    c.ok("data_page_offset is the first data page, after the dictionary page", flat(coded(*split)))

    c.rule("column-chunk/data-page-offset-at-dictionary")
    c.fail("data_page_offset is the dictionary page, dictionary_page_offset is absent",
           flat(coded(meta=[offsets(data_page_offset=lambda meta: meta.at("dictionary_page_offset")),
                            {"dictionary_page_offset": DROP}])), DATA)
    c.fail("both offsets are the dictionary page",
           flat(coded(meta=offsets(data_page_offset=lambda meta: meta.at("dictionary_page_offset")))), DATA)
    c.ok("each offset is its own page", flat(coded()))

    c.rule("column-chunk/dictionary-page-offset")
    index = Other(INDEX_PAGE, b"", header={"index_page_header": {}})
    c.fail("dictionary_page_offset is an index page", flat(chunk(index, V1(), meta={"dictionary_page_offset": 4})), DICT,
           Also("index-page/unused", V("type", page=(0, 0, 0)), "index pages are no part of the format any more"))
    late = chunk(V1(1), Dictionary([2, 3]), V1(encoding=RLE_DICTIONARY), meta={"dictionary_page_offset": DROP})
    c.fail("a dictionary page after a data page, dictionary_page_offset is absent", flat(late),
           S(META, field="meta_data.dictionary_page_offset"),
           Also("dictionary/page-first", V("type", page=(0, 0, 1)).with_values("page 1"), "a dictionary page without its offset can only be found after a data page"))
    c.ok("dictionary_page_offset is the dictionary page", flat(coded()))
    c.ok("no dictionary page and no dictionary_page_offset", flat())

    c.rule("column-chunk/dictionary-before-data")
    c.fail("dictionary_page_offset equals data_page_offset; at tier footer",
           flat(Chunk(meta=offsets(dictionary_page_offset=lambda meta: meta.at("data_page_offset")))), DICT, tier="footer")
    c.fail("the two offsets have changed places; at tier footer",
           flat(coded(meta=offsets(dictionary_page_offset=lambda meta: meta.at("data_page_offset"),
                                   data_page_offset=lambda meta: meta.at("dictionary_page_offset")))), DICT, tier="footer")
    c.ok("dictionary_page_offset is the smaller", flat(coded()), tier="footer")

    c.rule("column-chunk/dictionary-offset-zero")
    for number in (0, -1):
        c.fail(f"dictionary_page_offset is {number}, for none", flat(Chunk(meta={"dictionary_page_offset": number})), DICT)
    c.ok("dictionary_page_offset is absent", flat())

    c.rule("column-chunk/index-page-offset")
    c.fail("index_page_offset is a data page", flat(Chunk(meta={"index_page_offset": 4})), V(META + ".index_page_offset"))
    c.fail("index_page_offset is after the last page", flat(Chunk(meta=offsets(
        index_page_offset=lambda meta: meta.at("data_page_offset") + meta.at("total_compressed_size")))),
        V(META + ".index_page_offset"))
    c.ok("index_page_offset is 0, for none", flat(Chunk(meta={"index_page_offset": 0})))
    c.ok("index_page_offset is -1, for none", flat(Chunk(meta={"index_page_offset": -1})))


def second_page(footer):
    """An edit of the footer: data_page_offset becomes that of the second of two data pages of equal size."""
    meta = footer.at(META)
    first, end = meta.at("data_page_offset"), meta.at("dictionary_page_offset") + meta.at("total_compressed_size")
    edit(meta, {"data_page_offset": (first + end) // 2})


def encodings(c):
    field = V(META + ".encodings")
    c.rule("column-chunk/encodings", found="no PLAIN", expected="PLAIN")
    c.fail("RLE_DICTIONARY is missing", flat(coded(meta={"encodings": [PLAIN]})), field, found="no RLE_DICTIONARY", expected="RLE_DICTIONARY")
    c.fail("PLAIN is missing", flat(chunk(V2(), meta={"encodings": [RLE]})), field)
    c.fail("encodings is empty", flat(Chunk(meta={"encodings": []})), field)
    c.fail("PLAIN, of the second data page, is missing; the dictionary page has the old encoding PLAIN_DICTIONARY",
           flat(chunk(Dictionary([1, 2], encoding=2), V1(2, RLE_DICTIONARY), V1(), meta={"encodings": [2, RLE_DICTIONARY]})), field,
           Also("dictionary/plain-dictionary-deprecated", V("dictionary_page_header.encoding", page=(0, 0, 0)),
                "with the label PLAIN it would name PLAIN itself"))
    c.ok("every value encoding is named", flat(coded(V1(2, RLE_DICTIONARY), V1())))

    c.rule("column-chunk/encodings-levels", found="no PLAIN", expected="PLAIN")
    c.fail("RLE of the stored v1 levels is missing", nullable(chunk(V1(), meta={"encodings": [PLAIN]})), field, found="no RLE", expected="RLE")
    c.fail("PLAIN of the dictionary page is missing", flat(coded(meta={"encodings": [RLE_DICTIONARY]})), field)
    c.ok("levels of v2 pages do not count", nullable(chunk(V2(), meta={"encodings": [PLAIN]})))
    c.ok("levels that are not stored do not count", flat(Chunk(meta={"encodings": [PLAIN]})))

    c.rule("column-chunk/encodings-unused")
    c.fail("DELTA_BINARY_PACKED is named, and no page has it", flat(Chunk(meta={"encodings": [PLAIN, DELTA_BINARY_PACKED]})), field, found="DELTA_BINARY_PACKED")
    c.fail("RLE_DICTIONARY is named, and no page has it", flat(Chunk(meta={"encodings": [PLAIN, RLE_DICTIONARY]})), field, found="RLE_DICTIONARY")
    c.ok("PLAIN, RLE and BIT_PACKED may be named without need", flat(Chunk(meta={"encodings": [PLAIN, RLE, BIT_PACKED]})))
    c.ok("PLAIN is named and only indices are stored, with a PLAIN dictionary page", flat(coded()))

    c.rule("column-chunk/encodings-duplicate", found="PLAIN twice")
    c.fail("PLAIN is named twice", flat(Chunk(meta={"encodings": [PLAIN, PLAIN]})), field)
    c.fail("PLAIN is named twice in both chunks", two([Chunk(meta={"encodings": [PLAIN, PLAIN]}) for _ in range(2)]), field,
           V(field.path.replace("columns[0]", "columns[1]")))
    c.ok("each is named once", flat(Chunk(meta={"encodings": [PLAIN, RLE]})))


def encoding_stats(c):
    field = V(META + ".encoding_stats")
    mixed = (V1(2, RLE_DICTIONARY), V1())
    c.rule("column-chunk/encoding-stats")
    c.fail("two PLAIN pages are counted, there is one", flat(Chunk(meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 2))})), field)
    c.fail("the PLAIN page after one of indices is not counted", flat(coded(*mixed, meta={"encoding_stats": stats(
        (DICTIONARY_PAGE, PLAIN, 1), (DATA_PAGE, RLE_DICTIONARY, 2))})), field)
    c.fail("the dictionary page is not counted",
           flat(coded(meta={"encoding_stats": stats((DATA_PAGE, RLE_DICTIONARY, 1))})), field)
    c.fail("the dictionary page is counted as one more data page", flat(coded(meta={"encoding_stats": stats(
        (DATA_PAGE, RLE_DICTIONARY, 1), (DATA_PAGE, RLE_DICTIONARY, 1))})), field, found="2 x DATA_PAGE RLE_DICTIONARY")
    c.fail("no page is counted", flat(Chunk(meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 0))})), field)
    old = dict(encodings=[PLAIN_DICTIONARY, RLE], encoding_stats=stats((DICTIONARY_PAGE, PLAIN_DICTIONARY, 1), (DATA_PAGE, PLAIN_DICTIONARY, 1)))
    label = "dictionary_page_header.encoding"
    c.fail("the dictionary page is labelled PLAIN, and encodings and encoding_stats have the old label", flat(chunk(
        Dictionary([1, 2, 3], header={label: PLAIN}), V1(encoding=PLAIN_DICTIONARY), meta=old)), V(label, page=(0, 0, 0)),
        Also("dictionary/plain-dictionary-deprecated", V("data_page_header.encoding", page=(0, 0, 1)), "the old label of the data page"),
        found="1 x DATA_PAGE PLAIN_DICTIONARY, 1 x DICTIONARY_PAGE PLAIN_DICTIONARY", expected="1 x DATA_PAGE PLAIN_DICTIONARY, 1 x DICTIONARY_PAGE PLAIN")
    c.ok("every page is counted", flat(coded(*mixed, meta={"encoding_stats": stats(
        (DICTIONARY_PAGE, PLAIN, 1), (DATA_PAGE, RLE_DICTIONARY, 1), (DATA_PAGE, PLAIN, 1))})))
    c.ok("a count of 0 for what does not occur",
         flat(Chunk(meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 1), (DICTIONARY_PAGE, PLAIN, 0))})))

    c.rule("column-chunk/encoding-stats-unique")
    c.fail("PLAIN data pages are counted twice", flat(Chunk(meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 1), (DATA_PAGE, PLAIN, 0))})),
           field)
    c.ok("PLAIN data and dictionary pages are counted apart",
         flat(coded(V1(), meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 1), (DICTIONARY_PAGE, PLAIN, 1))})))

    c.rule("column-chunk/encoding-stats-subset", found="DELTA_BINARY_PACKED")
    c.fail("encoding_stats count a DELTA_BINARY_PACKED page, encodings do not name it; at tier footer",
           flat(Chunk(meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 1), (DATA_PAGE, DELTA_BINARY_PACKED, 1))})), field, tier="footer")
    c.fail("the same for v2 pages",
           flat(chunk(V2(), meta={"encoding_stats": stats((DATA_PAGE_V2, DELTA_BINARY_PACKED, 1))})), field, tier="footer")
    c.ok("encodings name what encoding_stats count; a count of 0 needs no name", flat(Chunk(meta={"encoding_stats": stats(
        (DATA_PAGE, PLAIN, 1), (DATA_PAGE, DELTA_BINARY_PACKED, 0))})), tier="footer")

    c.rule("column-chunk/encoding-stats-v2")
    c.fail("a v2 page is counted as DATA_PAGE", flat(chunk(V2(), meta={"encoding_stats": stats((DATA_PAGE, PLAIN, 1))})), field)
    c.ok("a v2 page is counted as DATA_PAGE_V2", flat(chunk(V2(), meta={"encoding_stats": stats((DATA_PAGE_V2, PLAIN, 1))})))

    c.rule("column-chunk/mixed-page-versions")
    c.fail("a v2 page follows a v1 page", flat(chunk(V1(1), V1(1), V2())), V("type", page=(0, 0, 2)))
    c.fail("a v1 page follows a v2 page", flat(chunk(V2(1), V1())), V("type", page=(0, 0, 1)))
    c.ok("two v1 pages", flat(chunk(V1(1), V1())))
