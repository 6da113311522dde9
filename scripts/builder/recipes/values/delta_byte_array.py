"""DELTA_BYTE_ARRAY: prefixes and suffixes (Encodings.md, DELTASTRING)."""

from builder.codec import delta
from builder.codec.metadata import BYTE_ARRAY, DELTA_BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY, GZIP
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.expect.places import Body
from builder.recipes.base_files import BOTH, chunk, column
from builder.recipes.values.delta_binary_packed import mistyped
from builder.recipes.values.delta_headers import FIRST, fixed, words

ITEMS = (b"axis", b"axle", b"babble", b"babyhood")
FIXED = (b"abcd", b"abce", b"axyz")


def section(prefixes, suffixes, **shape):
    """Prefix lengths and suffixes, which may not match."""
    return delta.binary_packed(prefixes, **shape).named("prefixes") + delta.length_byte_array(suffixes)


def in_pages(items, *sections):
    """A BYTE_ARRAY column of one value per page."""
    return column(required("s", BYTE_ARRAY), items, chunk(*[V1(1, DELTA_BYTE_ARRAY, values=values) for values in sections]))


def witnesses(c):
    mistyped(c, "delta-byte-array", DELTA_BYTE_ARRAY, section((0,), (b"x",)), (BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY))
    for about, page in BOTH:
        c.ok(f"values of BYTE_ARRAY, {about}", words(None, ITEMS, DELTA_BYTE_ARRAY, page))
        c.ok(f"values of FIXED_LEN_BYTE_ARRAY, {about}", fixed(None, FIXED, 4, page))

    parts = ((0, 2, 0, 3), (b"axis", b"le", b"babble", b"yhood"))
    c.rule("delta-byte-array/stream-counts")
    for about, page in BOTH:
        c.fail(f"three prefixes for four values, {about}", words(section(parts[0][:3], parts[1]), ITEMS, DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.prefixes.count"))
        c.fail(f"five prefixes for four values, {about}", words(section(parts[0] + (0,), parts[1]), ITEMS, DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.prefixes.count"))
        c.fail(f"three suffixes for four values, {about}", words(section(parts[0], parts[1][:3]), ITEMS, DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.lengths.count"))
        c.fail(f"five suffixes for four values, {about}", words(section(parts[0], parts[1] + (b"",)), ITEMS, DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.lengths.count"))
    c.fail("two prefixes for three fixed values", fixed(section((0, 3), (b"abcd", b"e", b"axyz")), FIXED, 4), Body(FIRST, "values.prefixes.count"))
    c.fail("prefix and suffix for a null", column(optional("s", BYTE_ARRAY), (b"x", None), chunk(V1(
        encoding=DELTA_BYTE_ARRAY, values=delta.byte_array((b"x", b""))))), Body(FIRST, "values.prefixes.count"))
    c.ok("a prefix and a suffix for each value", words(None, ITEMS, DELTA_BYTE_ARRAY))
    c.ok("none for a null", column(optional("s", BYTE_ARRAY), (b"x", None), chunk(V1(encoding=DELTA_BYTE_ARRAY))))

    c.rule("delta-byte-array/first-prefix")
    for about, page in BOTH:
        for first in (1, -1):
            c.fail(f"the first prefix is {first}, {about}", words(section((first, 0), (b"x", b"y")), (b"x", b"y"), DELTA_BYTE_ARRAY, page),
                   Body(FIRST, "values.prefixes.first"))
    c.fail("the first prefix of fixed values is 1", fixed(section((1, 0), (b"x", b"yz")), (b"wx", b"yz"), 2), Body(FIRST, "values.prefixes.first"))
    c.fail("the first prefix refers to the page before", in_pages((b"axis", b"axle"), section((0,), (b"axis",)), section((2,), (b"le",))),
           Body((0, 0, 1), "values.prefixes.first"))
    c.ok("each page begins with a prefix of 0", in_pages((b"axis", b"axle"), None, None))

    c.rule("delta-byte-array/prefix-range", found="3", expected="0 to 2")
    for about, page in BOTH:
        c.fail(f"a prefix longer than the value before, {about}", words(section((0, 3), (b"ax", b"e")), (b"ax", b"axe"), DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.prefixes"))
        c.fail(f"a prefix of -1, {about}", words(section((0, 1, -1), (b"ax", b"b", b"c")), (b"ax", b"ab", b"c"), DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.prefixes"), found="-1")
    c.fail("a prefix after an empty value", words(section((0, 1), (b"", b"x")), (b"", b"x"), DELTA_BYTE_ARRAY), Body(FIRST, "values.prefixes"), found="1", expected="0")
    c.fail("a prefix longer than fixed values", fixed(section((0, 5), (b"abcd", b"")), (b"abcd", b"abcd"), 4), Body(FIRST, "values.prefixes"), found="5", expected="0 to 4")
    c.fail("a prefix longer than the value before, under GZIP", words(section((0, 3), (b"ax", b"e")), (b"ax", b"axe"), DELTA_BYTE_ARRAY, codec=GZIP),
           Body(FIRST, "values.prefixes"))
    c.ok("a prefix as long as the value before", words(None, (b"ax", b"axe", b"axe"), DELTA_BYTE_ARRAY))

    c.rule("delta-byte-array/fixed-length", found="3", expected="4")
    for about, page in BOTH:
        c.fail(f"three bytes of four, {about}", fixed(section((0, 2), (b"abcd", b"e")), FIXED[:2], 4, page), Body(FIRST, "values.lengths"))
        c.fail(f"five bytes of four, {about}", fixed(section((0, 3), (b"abcd", b"ef")), FIXED[:2], 4, page), Body(FIRST, "values.lengths"), found="5")
    c.fail("the first value has three bytes of four", fixed(section((0,), (b"abc",)), FIXED[:1], 4), Body(FIRST, "values.lengths"))
    c.ok("prefix and suffix have four bytes together", fixed(None, FIXED, 4))

    c.rule("delta-byte-array/prefix-maximal", found="0", expected="1 or more")
    for about, page in BOTH:
        c.fail(f"no prefix where there could be one, {about}", words(section((0, 0), (b"axis", b"axle")), (b"axis", b"axle"), DELTA_BYTE_ARRAY, page),
               Body(FIRST, "values.prefixes"))
    c.fail("a prefix of 2 where 3 bytes are common", fixed(section((0, 2), (b"abcd", b"ce")), FIXED[:2], 4), Body(FIRST, "values.prefixes"), found="2", expected="3 or more")
    c.ok("prefixes as long as they can be", words(None, ITEMS, DELTA_BYTE_ARRAY))

    c.rule("legal/delta-byte-array-growth")
    seed = bytes(range(256)) * 8
    c.ok("a thousand values that repeat almost all of the value before, and a byte more each",
         words(None, [seed + b"z" * i for i in range(1000)], DELTA_BYTE_ARRAY))
    c.ok("a thousand times the same value", words(None, [seed] * 1000, DELTA_BYTE_ARRAY, V2))
