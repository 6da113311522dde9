"""Page headers, compared with their bodies (README.md, Data Pages; parquet.thrift PageHeader)."""

from builder.codec import alp, hybrid, plain, thrift
from builder.codec.marked import Marked
from builder.codec.metadata import (ALP, BIT_PACKED, BOOLEAN, BROTLI, BYTE_ARRAY, DOUBLE, DROP, GZIP, INDEX_PAGE, LZ4_RAW, PLAIN,
                                    RLE, RLE_DICTIONARY, SNAPPY, ZSTD, edit)
from builder.codec.pages import V1, V2, Dictionary, Other
from builder.codec.schema import optional, required
from builder.codec.thrift import Field
from builder.expect.losses import lost
from builder.expect.places import S, V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import CODED, FIRST, META, SECOND, chunk, column, flat, lists, nullable, strings

GZIPPED = {"codec": GZIP}


def paged(header=None, page=V1, base=flat, **more):
    """One column of one page with edits to its header."""
    return base(chunk(page(header=header), **more))


def dictionary(**overrides):
    return flat(chunk(Dictionary([1, 2, 3], **overrides), CODED))


def add(header_path, by):
    """An edit that adds to a number of a page header."""
    return lambda header: edit(header, {header_path: header.at(header_path) + by})


def both_sizes(value):
    return {"uncompressed_page_size": value, "compressed_page_size": value}


def witnesses(c):
    kinds(c)
    sizes(c)
    counts(c)
    level_encodings(c)
    second_version(c)
    rows(c)
    values(c)


def kinds(c):
    c.rule("page/unknown-type")
    for number in (4, 17, -1):
        other = Other(number, b"\x2a\x2b")
        c.fail(f"a page of type {number} between two data pages", flat(chunk(V1(1), other, V1())), V("type", page=SECOND),
               rows=[{"a": 1}, {"a": 2}, {"a": 3}])
    c.ok("two data pages", flat(chunk(V1(1), V1())))

    c.rule("page/header-member")
    c.fail("a v1 page without data_page_header", paged({"data_page_header": DROP}), S("", page=FIRST, field="data_page_header"))
    c.fail("a v2 page without data_page_header_v2", paged({"data_page_header_v2": DROP}, V2),
           S("", page=FIRST, field="data_page_header_v2"))
    c.fail("a dictionary page without dictionary_page_header", dictionary(header={"dictionary_page_header": DROP}),
           S("", page=FIRST, field="dictionary_page_header"))
    c.fail("an index page without index_page_header", flat(chunk(V1(1), Other(INDEX_PAGE), V1())),
           S("", page=SECOND, field="index_page_header"), reader=("may", "parquet.thrift#IndexPageHeader"))
    c.ok("a v1 page with data_page_header", paged())
    c.ok("a v2 page with data_page_header_v2", paged(page=V2))
    c.ok("a dictionary page with dictionary_page_header", dictionary())

    c.rule("page/extra-header-member")
    c.fail("a v1 page with dictionary_page_header too", paged({"dictionary_page_header": {"num_values": 0, "encoding": PLAIN}}),
           V("dictionary_page_header", page=FIRST))
    c.fail("a v2 page with index_page_header too", paged({"index_page_header": {}}, V2), V("index_page_header", page=FIRST))
    c.fail("a dictionary page with data_page_header too", dictionary(header={"data_page_header": {
        "num_values": 3, "encoding": PLAIN, "definition_level_encoding": RLE, "repetition_level_encoding": RLE}}),
        V("data_page_header", page=FIRST))
    c.ok("only data_page_header", paged())

    c.rule("page/header-size")
    c.fail("a page header of 65537 bytes", flat(chunk(V1(header=fill(65537)))), S("", page=FIRST))
    c.ok("a page header of 65536 bytes", flat(chunk(V1(header=fill(65536)))))


def fill(size):
    """An edit that extends a page header to this size with an unknown field."""
    def change(header):
        header.fields.append(Field(9, "9", thrift.BINARY, b""))
        short = len(thrift.write(header)[0])
        header.fields[-1].value = bytes(size - short - 2)
        assert len(thrift.write(header)[0]) == size
    return change


def sizes(c):
    c.rule("page/size-negative")
    for name in ("compressed_page_size", "uncompressed_page_size"):
        c.fail(f"{name} of a v1 page is -1", paged({name: -1}, **GZIPPED), V(name, page=FIRST))
    c.fail("compressed_page_size of a v2 page is -1", paged({"compressed_page_size": -1}, V2, **GZIPPED),
           V("compressed_page_size", page=FIRST))
    c.fail("uncompressed_page_size of a v2 page is -1", paged({"uncompressed_page_size": -1}, V2, **GZIPPED),
           V("uncompressed_page_size", page=FIRST))
    c.fail("uncompressed_page_size of a dictionary page is -2^31",
           flat(chunk(Dictionary([1, 2, 3], header={"uncompressed_page_size": -2**31}), CODED, **GZIPPED)),
           V("uncompressed_page_size", page=FIRST))
    c.ok("both sizes are 0, in an empty page", flat(chunk(V1(0), V1())))

    c.rule("page/within-chunk")
    size = V("compressed_page_size", page=FIRST)
    c.fail("the body of a v1 page extends past the end of the file", paged(both_sizes(100000)), size)
    c.fail("the body of a v2 page extends into the footer", paged(both_sizes(13), V2), size)
    c.fail("the body of a dictionary page extends past the end of the file", dictionary(header=both_sizes(100000)), size,
           lost=[lost("page", 0, 0, 0), lost("page", 0, 0, 1)])
    c.ok("the body ends where the chunk does", paged())

    size = V("uncompressed_page_size", page=FIRST)
    c.rule("page/uncompressed-size")
    c.fail("a v1 page expands to less than uncompressed_page_size", paged({"uncompressed_page_size": 13}, **GZIPPED), size)
    c.fail("a v1 page expands to more than uncompressed_page_size", paged({"uncompressed_page_size": 11}, **GZIPPED), size)
    c.fail("the values of a v2 page expand to less than uncompressed_page_size", paged({"uncompressed_page_size": 13}, V2, **GZIPPED), size)
    c.fail("uncompressed_page_size of a v2 page leaves the levels out", paged({"uncompressed_page_size": 8}, V2, nullable, **GZIPPED), size)
    c.fail("a dictionary page expands to more than uncompressed_page_size",
           flat(chunk(Dictionary([1, 2, 3], header={"uncompressed_page_size": 8}), CODED, **GZIPPED)), size)
    for name, codec in (("SNAPPY", SNAPPY), ("BROTLI", BROTLI), ("LZ4_RAW", LZ4_RAW), ("ZSTD", ZSTD)):
        for about, wrong in (("less", 13), ("more", 11)):
            c.fail(f"{name}: a v1 page expands to {about} than uncompressed_page_size", paged({"uncompressed_page_size": wrong}, codec=codec), size)
    c.ok("pages expand to uncompressed_page_size", flat(chunk(Dictionary([1, 2, 3]), CODED, **GZIPPED)))
    c.ok("uncompressed_page_size of a v2 page counts its levels", paged(None, V2, nullable, **GZIPPED))

    c.rule("page/uncompressed-equals-compressed")
    c.fail("a v1 page without compression has two sizes", paged({"uncompressed_page_size": 13}), size)
    c.fail("a v2 page without compression has two sizes", paged({"uncompressed_page_size": 11}, V2), size)
    c.fail("a dictionary page without compression has two sizes", dictionary(header={"uncompressed_page_size": 0}), size)
    c.fail("a v2 page that is not compressed under GZIP has two sizes",
           flat(chunk(V2(is_compressed=False, header={"uncompressed_page_size": 13}), **GZIPPED)), size)
    c.ok("one size without compression", paged())
    c.ok("one size in a v2 page that is not compressed under GZIP", flat(chunk(V2(is_compressed=False), **GZIPPED)))


def counts(c):
    c.rule("page/num-values-negative")
    c.fail("a v1 page of -1 entries", paged({"data_page_header.num_values": -1}), V("data_page_header.num_values", page=FIRST))
    c.fail("a v2 page of -1 entries", paged({"data_page_header_v2.num_values": -1}, V2),
           V("data_page_header_v2.num_values", page=FIRST))
    c.ok("an empty page", flat(chunk(V1(0), V1())))

    c.rule("dictionary/num-values-negative")
    c.fail("a dictionary page of -1 entries", dictionary(count=-1), V("dictionary_page_header.num_values", page=FIRST))
    c.ok("a dictionary page without entries", nullable(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=b"")), (None, None)))

    c.rule("page/empty")
    c.fail("an empty v1 page before one with values", flat(chunk(V1(0), V1())), V("data_page_header.num_values", page=FIRST))
    c.fail("an empty v2 page after one with values", flat(chunk(V2(), V2(0))), V("data_page_header_v2.num_values", page=SECOND))
    c.fail("an empty v1 page with a length word for its levels", nullable(chunk(V1(0), V1())),
           V("data_page_header.num_values", page=FIRST))
    c.ok("an empty page in a chunk without values", flat(chunk(V1()), n=0),
         Also("row-group/empty", V("row_groups[0].num_rows"), "without values there are no rows"))

    c.rule("page/unknown-encoding", expected="an encoding that is supported")
    named = "encodings of the chunk has to list each value encoding"
    element = Also("thrift/unknown-enum-value", V(META + ".encodings[1]"), named)
    c.fail("a v1 page of encoding 12", flat(chunk(V1(1), V1(1, 12, values=b"abcd"), V1())), V("data_page_header.encoding", page=SECOND),
           element)
    c.fail("a v2 page of encoding 77", flat(chunk(V2(1), V2(1, 77, values=b"abcd"), V2())),
           V("data_page_header_v2.encoding", page=SECOND), element)
    c.fail("a dictionary page of encoding 77", dictionary(encoding=77), V("dictionary_page_header.encoding", page=FIRST), element, expected="PLAIN")
    c.ok("a v1 page of encoding 0", flat(chunk(V1(1), V1())))


def level_encodings(c):
    definition, repetition = "data_page_header.definition_level_encoding", "data_page_header.repetition_level_encoding"
    c.rule("page/level-encoding")
    c.fail("stored definition levels have the stated encoding PLAIN", paged({definition: PLAIN}, base=nullable), V(definition, page=FIRST))
    c.fail("stored repetition levels have the stated encoding PLAIN", paged({repetition: PLAIN}, base=lists), V(repetition, page=FIRST))
    c.ok("stored levels are RLE", paged(base=lists))

    c.rule("page/unknown-level-encoding")
    because = "encodings of the chunk has to list the encodings of stored levels"
    for about, name, base in (("definition", definition, nullable), ("repetition", repetition, lists)):
        c.fail(f"stored {about} levels have the unknown encoding 12",
               paged({name: 12}, base=base, meta={"encodings": [PLAIN, RLE, 12]}), V(name, page=FIRST),
               Also("thrift/unknown-enum-value", V(META + ".encodings[2]"), because))
    c.ok("stored levels are RLE", paged(base=lists))

    c.rule("page/absent-level-encoding")
    c.fail("definition levels that are not stored have the encoding PLAIN", paged({definition: PLAIN}), V(definition, page=FIRST))
    c.fail("repetition levels that are not stored have the encoding PLAIN", paged({repetition: PLAIN}, base=nullable),
           V(repetition, page=FIRST))
    c.fail("definition levels that are not stored have the encoding 99", paged({definition: 99}), V(definition, page=FIRST))
    c.ok("levels that are not stored have the encoding BIT_PACKED", paged({definition: BIT_PACKED, repetition: BIT_PACKED}))


def second_version(c):
    H = "data_page_header_v2."
    definition, repetition = H + "definition_levels_byte_length", H + "repetition_levels_byte_length"
    c.rule("page/v2-level-lengths")
    c.fail("the definition levels take -1 bytes", paged({definition: -1}, V2, nullable), V(definition, page=FIRST))
    c.fail("the definition levels take more bytes than the page has", paged({definition: 1000}, V2, nullable),
           V(definition, page=FIRST))
    c.fail("the repetition levels take -1 bytes", paged({repetition: -1}, V2, lists), V(repetition, page=FIRST))
    c.fail("the repetition levels take more bytes than the page has", paged({repetition: 1000}, V2, lists),
           V(repetition, page=FIRST))
    c.ok("the levels take the whole page, all is null", nullable(chunk(V2()), items=(None, None)))

    c.rule("page/v2-absent-levels")
    c.fail("definition levels of a required column", flat(chunk(V2(defs=b"\6\0"))), V(definition, page=FIRST))
    c.fail("repetition levels of a flat column", nullable(chunk(V2(reps=b"\6\0"))), V(repetition, page=FIRST))
    c.ok("no levels of a required column", flat(chunk(V2())))

    c.rule("page/v2-levels-present")
    c.fail("no definition levels of an optional column", nullable(chunk(V2(1), V2(2, defs=b"")), items=(1, 2, 3)), V(definition, page=SECOND))
    c.fail("no repetition levels of a list", lists(chunk(V2(reps=b""))), V(repetition, page=FIRST))
    c.ok("levels of an optional column", nullable(chunk(V2()), items=(1, 2, 3)))
    c.ok("no levels in a page without entries", nullable(chunk(V2(), V2(0))))

    c.rule("page/v2-num-rows")
    c.fail("num_rows is one more than rows begin", paged(add(H + "num_rows", 1), V2, lists), V(H + "num_rows", page=FIRST))
    c.fail("num_rows is the number of entries", paged({H + "num_rows": 6}, V2, lists), V(H + "num_rows", page=FIRST))
    c.fail("num_rows of the second page is 0", lists(chunk(V2(3), V2(header={H + "num_rows": 0}))), V(H + "num_rows", page=SECOND))
    c.ok("num_rows counts the rows", paged(None, V2, lists))

    c.rule("page/v2-num-rows-range")
    c.fail("num_rows of a flat column is not num_values", paged({H + "num_rows": 2}, V2), V(H + "num_rows", page=FIRST))
    c.fail("num_rows is -1", paged({H + "num_rows": -1}, V2, lists), V(H + "num_rows", page=FIRST))
    c.fail("num_rows is more than num_values", paged({H + "num_rows": 7}, V2, lists), V(H + "num_rows", page=FIRST))
    c.ok("num_rows is num_values", paged(None, V2))

    c.rule("page/v2-num-nulls")
    c.fail("num_nulls is 0, one entry is null", paged({H + "num_nulls": 0}, V2, nullable), V(H + "num_nulls", page=FIRST))
    c.fail("num_nulls counts the null leaf alone, not the empty and the null list", paged({H + "num_nulls": 1}, V2, lists),
           V(H + "num_nulls", page=FIRST))
    c.ok("num_nulls counts entries without a value", paged(None, V2, lists))

    c.rule("page/v2-num-nulls-range")
    c.fail("num_nulls is -1", paged({H + "num_nulls": -1}, V2, nullable), V(H + "num_nulls", page=FIRST))
    c.fail("num_nulls is more than num_values", paged({H + "num_nulls": 4}, V2, nullable), V(H + "num_nulls", page=FIRST))
    c.fail("num_nulls of a required column is 1", paged({H + "num_nulls": 1}, V2), V(H + "num_nulls", page=FIRST))
    c.ok("num_nulls is num_values", nullable(chunk(V2()), items=(None, None)))

    c.rule("page/v2-zero-body")
    nothing = nullable(chunk(V2(stored=b"\4\0"), **GZIPPED), items=(None, None))
    c.fail("all is null, is_compressed is true for zero bytes of values", nothing,
           S("", page=FIRST, field="data_page_header_v2.is_compressed"))
    c.fail("the same with is_compressed written out",
           nullable(chunk(V2(is_compressed=True, stored=b"\4\0"), **GZIPPED), items=(None, None)),
           S("", page=FIRST, field="data_page_header_v2.is_compressed"))
    c.ok("is_compressed is false for zero bytes of values",
         nullable(chunk(V2(is_compressed=False), **GZIPPED), items=(None, None)))
    c.ok("a GZIP stream that expands to zero bytes", nullable(chunk(V2(), **GZIPPED), items=(None, None)))


def rows(c):
    stray = [(1, 3, 9), (0, 3, 1), (0, 3, 2)]
    c.rule("page/first-repetition-level")
    for about, page in (("v1", V1), ("v2", V2)):
        c.fail(f"the first entry of a chunk continues a list, {about}", lists(chunk(page(), entries=stray), items=([1], [2])),
               Body(FIRST, "rep.run0"), rows=None)
    c.ok("the first entry of a chunk begins a row", lists(chunk(V1()), items=([1], [2])))

    c.rule("page/v2-row-boundary")
    items = ([1, 2], [3])
    c.fail("the second v2 page begins inside a list", lists(chunk(V2(1), V2()), items=items), Body(SECOND, "rep.run0"))
    c.fail("a v2 page after a v1 page begins inside a list", lists(chunk(V1(1), V2()), items=items), Body(SECOND, "rep.run0"))
    c.ok("the second v2 page begins with a row", lists(chunk(V2(2), V2()), items=items))
    c.ok("the second v1 page begins inside a list", lists(chunk(V1(1), V1()), items=items))


def values(c):
    words = plain.encode(BYTE_ARRAY, [b"x", b"yy", b"zzz"])
    more = Marked(words.data + b"\0\0", {"after": len(words)})
    c.rule("page/trailing-bytes")
    c.fail("two bytes after the last BYTE_ARRAY value, v1", strings(chunk(V1(values=more))), Body(FIRST, "values.after"))
    c.fail("two bytes after the last BYTE_ARRAY value, v2", strings(chunk(V2(values=more))), Body(FIRST, "values.after"))
    c.fail("two bytes after the last BYTE_ARRAY value, under GZIP", strings(chunk(V1(values=more), **GZIPPED)),
           Body(FIRST, "values.after"))
    preview = Also("alp/preview", V("data_page_header.encoding", page=FIRST), "ALP is in preview")
    halves = alp.section(2, [alp.vector(DOUBLE, [15, 25], 1, 0)])
    c.fail("a byte after the last ALP vector", column(required("d", DOUBLE), (1.5, 2.5), chunk(V1(
        encoding=ALP, values=Marked(halves) + Marked(b"\0", {"after": 0})))), Body(FIRST, "values.after"), preview)
    c.ok("the section ends with the last value", strings(chunk(V1())))

    none = (None, None)
    c.rule("page/zero-values-section")
    section = Body(FIRST, "values")
    c.fail("all is null, four bytes of PLAIN INT32", nullable(chunk(V1(values=bytes(4))), items=none), section)
    c.fail("all is null, four bytes of PLAIN INT32 in a v2 page", nullable(chunk(V2(values=bytes(4))), items=none), section)
    c.fail("all is null, an empty BYTE_ARRAY value",
           column(optional("s", BYTE_ARRAY), none, chunk(V1(values=bytes(4)))), section)
    c.fail("all is null, indices after the width byte",
           nullable(chunk(Dictionary([1]), V1(encoding=RLE_DICTIONARY, values=b"\1\4\0")), items=none), Body(SECOND, "values"))
    c.fail("all is null, a run of RLE booleans",
           column(optional("o", BOOLEAN), none, chunk(V1(encoding=RLE, values=b"\2\0\0\0\4\0"))), section)
    c.fail("all is null, a byte after the header of ALP",
           column(optional("d", DOUBLE), none, chunk(V1(encoding=ALP, values=alp.section(0, []) + b"\0"))), section,
           Also("alp/preview", V("data_page_header.encoding", page=FIRST), "ALP is in preview"))
    block = b"\2\0\0\0\6\0"
    c.fail("repetition levels of a flat column, which read as definition levels of nulls alone",
           nullable(chunk(V1(image=Marked(block + b"\2\0\0\0\6\1" + bytes(12), {"values": len(block)}))), items=(1, 2, 3)),
           section, rows=None)
    for about, header in (("a vector size of 2^16", {"log2_size": 16}), ("an integer encoding of 1", {"integer_encoding": 1})):
        c.fail(f"all is null, a header of ALP with {about}",
               column(optional("d", DOUBLE), none, chunk(V1(encoding=ALP, values=alp.section(0, [], **header)))), section,
               Also("alp/preview", V("data_page_header.encoding", page=FIRST), "ALP is in preview"))
    c.ok("all is null, nothing", nullable(chunk(V1()), items=none))
    c.ok("all is null, the width byte alone",
         nullable(chunk(Dictionary([1]), V1(encoding=RLE_DICTIONARY, values=b"\1")), items=none))
    c.ok("all is null, the length word 0 of RLE booleans",
         column(optional("o", BOOLEAN), none, chunk(V1(encoding=RLE, values=bytes(4)))))
    c.ok("all is null, nothing in a v2 page of indices",
         nullable(chunk(Dictionary([1]), V2(encoding=RLE_DICTIONARY, values=b"")), items=none))

    indices = hybrid.indices([0, 0, 0], 1, width=1)
    c.rule("page/dictionary-missing")
    for about, page, header in (("v1", V1, "data_page_header"), ("v2", V2, "data_page_header_v2")):
        c.fail(f"indices without a dictionary page, {about}", flat(chunk(page(encoding=RLE_DICTIONARY, values=indices))),
               V(header + ".encoding", page=FIRST))
    c.ok("no index is stored and there is no dictionary page",
         nullable(chunk(V1(encoding=RLE_DICTIONARY, values=b"")), items=none))
    c.ok("indices after a dictionary page", dictionary())
