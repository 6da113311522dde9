"""Dictionary pages and the indices into them (Encodings.md, Dictionary Encoding)."""

import struct

from builder.codec import delta, hybrid
from builder.codec.file import File, Group
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DECIMAL, DELTA_BINARY_PACKED, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP,
                                    INT32, INT64, PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY, UINT_32)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.expect.losses import lost
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import BOTH, FIRST, SECOND, chunk, column, flat, nullable, strings



def coded(items=(1, 2, 3), page=V1, entries=None, codec=0, count=None, **shape):
    """A dictionary page and a page of its indices."""
    return flat(chunk(Dictionary(list(entries or items)), page(count, RLE_DICTIONARY, **shape), codec=codec), n=len(items))


def labelled(dictionary, data, page=V1):
    return flat(chunk(Dictionary([1, 2, 3], encoding=dictionary), page(encoding=data)))


def sorted_of(kind, items, **attributes):
    return column(required("d", kind, **attributes), items, chunk(Dictionary(list(items), is_sorted=True), V1(encoding=RLE_DICTIONARY)))


def ordered(c):
    """Entries in each column order."""
    decimal = dict(converted_type=DECIMAL, scale=0, precision=4, logicalType={"DECIMAL": {"scale": 0, "precision": 4}})
    unsigned = dict(converted_type=UINT_32, logicalType={"INTEGER": {"bitWidth": 32, "isSigned": False}})
    half = lambda number: struct.pack("<e", number)
    of_half = dict(kind=FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}})
    for name, items, more, found, expected in (
            ("UINT_32", (-1, 1), {"kind": INT32, **unsigned}, "1", "4294967295 or more"),
            ("INT64", (1, -1), {"kind": INT64}, "-1", "1 or more"),
            ("FLOAT", (1.0, -2.0), {"kind": FLOAT}, "-2", "1 or more"),
            ("FLOAT16", (half(1), half(-2)), of_half, "-2", "1 or more"),
            ("DECIMAL in BYTE_ARRAY", (b"\1", b"\xff"), {"kind": BYTE_ARRAY, **decimal}, "-1", "1 or more"),
            ("DECIMAL in FIXED_LEN_BYTE_ARRAY", (b"\0\1", b"\xff\xff"), {"kind": FIXED_LEN_BYTE_ARRAY, "type_length": 2, **decimal}, "-1", "1 or more"),
            ("FIXED_LEN_BYTE_ARRAY", (b"\x80\0", b"\x7f\0"), {"kind": FIXED_LEN_BYTE_ARRAY, "type_length": 2}, "0x7f00", "0x8000 or more")):
        c.fail(f"{name} entries descend", sorted_of(items=items, **more), V("dictionary_page_header.is_sorted", page=FIRST), found=found, expected=expected)
        c.ok(f"{name} entries ascend", sorted_of(items=items[::-1], **more))


def witnesses(c):
    pages(c)
    entries(c)
    indices(c)


def pages(c):
    c.rule("dictionary/page-first", found="page 1")
    for about, page in BOTH:
        c.fail(f"a dictionary page after a {about} page", flat(chunk(page(1), Dictionary([2, 3]), page(encoding=RLE_DICTIONARY))),
               V("type", page=SECOND))
    c.ok("the dictionary page is the first, PLAIN follows", flat(chunk(Dictionary([2, 3]), V1(1), V1(encoding=RLE_DICTIONARY))))

    c.rule("dictionary/at-most-one")
    c.fail("two dictionary pages in a row", flat(chunk(Dictionary([1, 2, 3]), Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY))),
           V("type", page=SECOND))
    c.fail("a second dictionary page between data pages",
           flat(chunk(Dictionary([1, 2, 3]), V1(1, RLE_DICTIONARY), Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY))),
           V("type", page=(0, 0, 2)))
    c.ok("one dictionary page", coded())

    c.rule("dictionary/page-encoding")
    label = V("dictionary_page_header.encoding", page=FIRST)
    c.fail("the dictionary page has the encoding RLE_DICTIONARY", labelled(RLE_DICTIONARY, RLE_DICTIONARY), label)
    c.fail("the dictionary page has the encoding RLE", labelled(RLE, RLE_DICTIONARY), label)
    c.fail("the dictionary page has the encoding DELTA_BINARY_PACKED, and its entries too",
           flat(chunk(Dictionary([1, 2, 3], encoding=DELTA_BINARY_PACKED, image=delta.binary_packed([1, 2, 3])),
                      V1(encoding=RLE_DICTIONARY))), label, lost=[lost("page", 0, 0, 0), lost("page", 0, 0, 1)])
    c.ok("the dictionary page is PLAIN", coded())

    c.rule("dictionary/plain-dictionary-deprecated")
    old = V("data_page_header.encoding", page=SECOND)
    c.fail("indices have the old encoding PLAIN_DICTIONARY", labelled(PLAIN, PLAIN_DICTIONARY), old)
    c.fail("indices of a v2 page have the old encoding PLAIN_DICTIONARY", labelled(PLAIN, PLAIN_DICTIONARY, V2),
           V("data_page_header_v2.encoding", page=SECOND))
    c.fail("the dictionary page has the old encoding PLAIN_DICTIONARY", labelled(PLAIN_DICTIONARY, RLE_DICTIONARY), label)
    c.fail("both have the old encoding PLAIN_DICTIONARY", labelled(PLAIN_DICTIONARY, PLAIN_DICTIONARY), V("dictionary_page_header.encoding", page=FIRST))
    c.fail("two row groups of two columns have the old encoding PLAIN_DICTIONARY, reported once", File(
        [required("a", INT32), required("b", INT32)],
        groups=[Group([{"a": 1, "b": 2}, {"a": 1, "b": 2}], chunk(Dictionary([1, 2]), V1(encoding=PLAIN_DICTIONARY))) for _ in range(2)]),
           V("data_page_header.encoding", page=SECOND, times=4))
    c.ok("PLAIN and RLE_DICTIONARY", coded())

    c.rule("dictionary/label-pairing")
    c.fail("an old label on the dictionary page, a new one on the indices", labelled(PLAIN_DICTIONARY, RLE_DICTIONARY), old,
           Also("dictionary/plain-dictionary-deprecated", label, "one of the labels is the old one"))
    c.fail("a new label on the dictionary page, an old one on the indices", labelled(PLAIN, PLAIN_DICTIONARY), old,
           Also("dictionary/plain-dictionary-deprecated", old, "one of the labels is the old one"))
    c.ok("two new labels", coded())
    c.ok("two old labels", labelled(PLAIN_DICTIONARY, PLAIN_DICTIONARY),
         Also("dictionary/plain-dictionary-deprecated", V("dictionary_page_header.encoding", page=FIRST), "both labels are old ones"))

    c.rule("dictionary/boolean")
    flags = column(required("b", BOOLEAN), (True, False, True), chunk(Dictionary([False, True]), V1(encoding=RLE_DICTIONARY)))
    c.fail("a dictionary of booleans", flags, old)
    c.ok("PLAIN booleans", column(required("b", BOOLEAN), (True, False, True)))


def entries(c):
    number = V("dictionary_page_header.num_values", page=FIRST)
    c.rule("dictionary/entry-count", expected="3")
    c.fail("three entries, four are counted", flat(chunk(Dictionary([1, 2, 3], count=4), V1(encoding=RLE_DICTIONARY))), number)
    c.fail("three entries, two are counted", flat(chunk(Dictionary([1, 2, 3], count=2), V1(encoding=RLE_DICTIONARY)), n=2), number)
    words = [b"x", b"yy", b"zzz"]
    c.fail("three entries of BYTE_ARRAY, four are counted",
           strings(chunk(Dictionary(words, count=4), V1(encoding=RLE_DICTIONARY))), number)
    c.fail("three entries of BYTE_ARRAY, two are counted",
           strings(chunk(Dictionary(words, count=2), V1(encoding=RLE_DICTIONARY)), items=words[:2]), number)
    c.fail("a byte after the last entry, under GZIP",
           flat(chunk(Dictionary([1, 2, 3], image=bytes(13)), V1(encoding=RLE_DICTIONARY), codec=GZIP)), number, expected="3 and a part of one")
    c.fail("two entries of FIXED_LEN_BYTE_ARRAY, three are counted",
           column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=3), (b"abc", b"def"),
                  chunk(Dictionary([b"abc", b"def"], count=3), V1(encoding=RLE_DICTIONARY))), number, expected="2")
    c.ok("three entries are counted", coded())

    c.rule("dictionary/entries-distinct")
    c.fail("the third entry equals the first", flat(chunk(Dictionary([1, 2, 1]), V1(encoding=RLE_DICTIONARY)), n=2),
           Body(FIRST, "values.value2"))
    c.fail("the second BYTE_ARRAY entry equals the first",
           strings(chunk(Dictionary([b"x", b"x"]), V1(encoding=RLE_DICTIONARY)), items=(b"x",)), Body(FIRST, "values.value1"))
    c.ok("two zeros that differ in sign", column(required("d", DOUBLE), (0.0, -0.0), chunk(
        Dictionary([0.0, -0.0]), V1(encoding=RLE_DICTIONARY, values=hybrid.indices([0, 1], 2)))))

    c.rule("dictionary/sorted")
    flag = V("dictionary_page_header.is_sorted", page=FIRST)
    c.fail("INT32 entries descend", sorted_of(INT32, (3, 2, 1)), flag, found="2", expected="3 or more")
    c.fail("a negative INT32 after a positive one", sorted_of(INT32, (1, -1)), flag, found="-1", expected="1 or more")
    c.fail("BYTE_ARRAY entries that ascend as signed bytes only", sorted_of(BYTE_ARRAY, (b"\x80", b"\x7f")), flag, found="0x7f", expected="0x80 or more")
    c.fail("a BYTE_ARRAY entry after one of which it is a prefix", sorted_of(BYTE_ARRAY, (b"ab", b"a")), flag, found='"a"', expected='"ab" or more')
    c.fail("DOUBLE entries descend", sorted_of(DOUBLE, (1.0, -1.0)), flag, found="-1", expected="1 or more")
    c.fail("DOUBLE entries descend in the total order of the column",
           column(required("d", DOUBLE), (0.0, -0.0), chunk(Dictionary((0.0, -0.0), is_sorted=True),
                                                           V1(encoding=RLE_DICTIONARY, values=b"\1\3\2")),
                  column_orders=[{"IEEE_754_TOTAL_ORDER": {}}]), flag, found="-0", expected="0 or more")
    nan = float("nan")
    c.fail("DOUBLE entries descend around a NaN", sorted_of(DOUBLE, (2.0, nan, 1.0)), flag, found="1", expected="2 or more", rows=None)
    ordered(c)
    c.ok("DOUBLE entries ascend around a NaN", sorted_of(DOUBLE, (1.0, nan, 2.0)), rows=None)
    c.ok("INT32 entries ascend", sorted_of(INT32, (-1, 0, 1)))
    c.ok("BYTE_ARRAY entries ascend as unsigned bytes", sorted_of(BYTE_ARRAY, (b"", b"\x7f", b"\x80")))
    c.ok("entries do not ascend, and is_sorted is absent",
         flat(chunk(Dictionary([3, 2, 1], is_sorted=False), V1(encoding=RLE_DICTIONARY))))

    c.rule("dictionary/unused-entries", found="1")
    c.fail("the last entry is never used", flat(chunk(Dictionary([1, 2, 3, 4]), V1(encoding=RLE_DICTIONARY))), number)
    c.fail("no page uses the dictionary", flat(chunk(Dictionary([1, 2, 3]), V1())), number, found="3")
    c.ok("every entry is used", coded())


def indices(c):
    section = Body(SECOND, "values")
    c.rule("dictionary/bit-width")
    for about, page in BOTH:
        c.fail(f"the width is 33, {about}", coded(page=page, values=b"\x21" + bytes(6)), section)
    c.fail("the width is 255", coded(values=b"\xff\6\0"), section)
    c.fail("there is no width byte and three values", coded(values=b""), section)
    c.ok("the width is 32", coded(width=32))
    c.ok("the width is 0, of one entry", coded(items=(1,)))

    c.rule("dictionary/indices-plain")
    for about, page in BOTH:
        c.fail(f"three indices are PLAIN INT32, {about}", coded(page=page, values=struct.pack("<3I", 0, 1, 2)), section)
    c.fail("400 indices are PLAIN INT32, under GZIP",
           coded([i % 3 for i in range(400)], entries=[0, 1, 2], values=struct.pack("<400I", *(i % 3 for i in range(400))), codec=GZIP), section)
    c.fail("the indices of two of three pages are PLAIN INT32",
           flat(chunk(Dictionary([1, 2, 3, 4, 5, 6]), V1(2, RLE_DICTIONARY, values=struct.pack("<2I", 0, 1)), V1(2, RLE_DICTIONARY),
                      V1(2, RLE_DICTIONARY, values=struct.pack("<2I", 4, 5))), n=6), Body(SECOND, "values", times=2), lost=[lost("page", 0, 0, 1), lost("page", 0, 0, 3)])
    c.fail("two indices after levels are PLAIN INT32",
           nullable(chunk(Dictionary([1, 3]), V1(encoding=RLE_DICTIONARY, values=struct.pack("<2I", 0, 1)))), section)
    c.ok("32 bits for each index, bit-packed", coded(width=32, runs=[Packed([0, 1, 2])]))
    c.ok("the indices are runs", coded())

    c.rule("dictionary/bit-width-minimal", expected="2")
    c.fail("width 3 for three entries", coded(width=3), section)
    c.fail("width 2 for one entry", coded(items=(1,), width=2), section, expected="1")
    c.ok("width 2 for three entries", coded())
    c.ok("width 1 for one entry", coded(items=(1,), width=1))

    c.rule("dictionary/index-range", found="3")
    for about, page in BOTH:
        c.fail(f"index 3 of three entries in a repeated run, {about}", coded(page=page, runs=[Repeated(2, 0), Repeated(1, 3)]),
               Body(SECOND, "values.run1"))
        c.fail(f"index 3 of three entries in a bit-packed run, {about}", coded(page=page, runs=[Packed([0, 3, 1])]),
               Body(SECOND, "values.run0"))
    c.fail("index 2^32-1 at width 32", coded(width=32, runs=[Repeated(3, 2**32 - 1)]), Body(SECOND, "values.run0"), found=str(2**32 - 1))
    c.fail("index 0 of a dictionary without entries",
           flat(chunk(Dictionary([]), V1(encoding=RLE_DICTIONARY, values=hybrid.indices([0, 0, 0], 0)))), Body(SECOND, "values.run0"), found="0")
    c.fail("index 3 of three entries after levels, under GZIP",
           nullable(chunk(Dictionary([1, 3, 5]), V1(encoding=RLE_DICTIONARY, runs=[Packed([0, 3])]), codec=GZIP)),
           Body(SECOND, "values.run0"))
    c.ok("index 2 of three entries", coded())
    c.ok("index 3 of three entries in a padding slot", coded(runs=[Packed([0, 1, 2], fill=3)]))
