"""DELTA_LENGTH_BYTE_ARRAY: the lengths, then all bytes (Encodings.md, DELTALENGTH)."""

from builder.codec import delta
from builder.codec.metadata import BYTE_ARRAY, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, GZIP, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.recipes.base_files import chunk, column, strings
from builder.recipes.values.delta_binary_packed import HEADERS, mistyped
from builder.recipes.values.delta_headers import FIRST, words

ITEMS = (b"Hello", b"World", b"Foobar", b"ABCDEF")
DATA = b"".join(ITEMS)
NONE = delta.binary_packed([0] * 4).named("prefixes")


def both(numbers, data=DATA, page=V1, **shape):
    """The same lengths and bytes as values, and as the suffixes of values without prefixes."""
    section = delta.binary_packed(numbers, **shape).named("lengths") + data
    yield "DELTA_LENGTH_BYTE_ARRAY", words(section, ITEMS, DELTA_LENGTH_BYTE_ARRAY, page)
    yield "DELTA_BYTE_ARRAY", words(NONE + section, ITEMS, DELTA_BYTE_ARRAY, page)


def witnesses(c):
    mistyped(c, "delta-length-byte-array", DELTA_LENGTH_BYTE_ARRAY, b"\x80\1\4\1\2x", (BYTE_ARRAY,))
    c.ok("values of BYTE_ARRAY", words(None, ITEMS, DELTA_LENGTH_BYTE_ARRAY))
    c.ok("values of BYTE_ARRAY, in a v2 page", words(None, ITEMS, DELTA_LENGTH_BYTE_ARRAY, V2))

    c.rule("delta-length-byte-array/length-count")
    for about, page in (("v1", V1), ("v2", V2)):
        for numbers in ((5, 5, 6), (5, 5, 6, 6, 0), ()):
            c.fail(f"{len(numbers)} lengths for four values, {about}",
                   words(delta.binary_packed(numbers).named("lengths") + DATA, ITEMS, DELTA_LENGTH_BYTE_ARRAY, page), Body(FIRST, "values.lengths.count"))
    c.fail("a length for a null", column(optional("s", BYTE_ARRAY), (b"x", None), chunk(V2(
        encoding=DELTA_LENGTH_BYTE_ARRAY, values=delta.length_byte_array((b"x", b""))))), Body(FIRST, "values.lengths.count"))
    c.ok("no length for a null", column(optional("s", BYTE_ARRAY), (b"x", None), chunk(V2(encoding=DELTA_LENGTH_BYTE_ARRAY))))

    c.rule("delta-length-byte-array/negative-length", found="-1")
    for page in (V1, V2):
        for about, file in both((5, 5, -1, 6), page=page):
            c.fail(f"a length of -1, in {about}, {'v1' if page is V1 else 'v2'}", file, Body(FIRST, "values.lengths"))
    c.fail("the first length is -2^31", words(delta.binary_packed((-2**31, 5, 6, 6)).named("lengths") + DATA, ITEMS, DELTA_LENGTH_BYTE_ARRAY),
           Body(FIRST, "values.lengths"), found=str(-2**31))
    c.fail("a length of -1 after one that is larger than the bytes",
           words(delta.binary_packed((5, 500, 6, -1)).named("lengths") + DATA, ITEMS, DELTA_LENGTH_BYTE_ARRAY), Body(FIRST, "values.lengths"))
    c.ok("a length of 0", words(None, (b"x", b"", b"y"), DELTA_LENGTH_BYTE_ARRAY))

    c.rule("delta-length-byte-array/data-length", expected=str(len(DATA)))
    for page in (V1, V2):
        version = "v1" if page is V1 else "v2"
        for fault, data in (("one byte is missing", DATA[:-1]), ("one byte too many", DATA + b"x"), ("no byte", b"")):
            for about, file in both((5, 5, 6, 6), data, page):
                c.fail(f"{fault}, in {about}, {version}", file, Body(FIRST, "values.lengths.end"))
    c.fail("the last length is 2^31-1", words(delta.binary_packed((5, 5, 6, 2**31 - 1)).named("lengths") + DATA, ITEMS, DELTA_LENGTH_BYTE_ARRAY),
           Body(FIRST, "values.lengths.end"), expected=str(5 + 5 + 6 + 2**31 - 1))
    c.fail("an extra byte after empty values", words(delta.length_byte_array((b"", b"")) + b"x", (b"", b""), DELTA_LENGTH_BYTE_ARRAY),
           Body(FIRST, "values.lengths.end"), expected="0")
    c.fail("one byte is missing, under GZIP", words(delta.binary_packed((5, 5, 6, 6)).named("lengths") + DATA[:-1], ITEMS, DELTA_LENGTH_BYTE_ARRAY,
                                                  codec=GZIP), Body(FIRST, "values.lengths.end"))
    c.ok("the bytes end with the last value", words(None, ITEMS, DELTA_LENGTH_BYTE_ARRAY))
    c.ok("no bytes for empty values", words(None, (b"", b"", b""), DELTA_LENGTH_BYTE_ARRAY))
