"""BIT_PACKED levels of v1 pages (Encodings.md, BITPACKED)."""

from builder.codec.file import File
from builder.codec.metadata import BIT_PACKED, BYTE_ARRAY, DELTA_BINARY_PACKED, GZIP, INT32
from builder.codec.pages import V1, V2
from builder.codec.schema import list_of, optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, column, flat, lists, nullable

DEFINITION, REPETITION = "data_page_header.definition_level_encoding", "data_page_header.repetition_level_encoding"
OLD = Also("bit-packed/deprecated", V(DEFINITION, page=FIRST), "BIT_PACKED levels are deprecated")
BOTH = Also("bit-packed/deprecated", V(DEFINITION, page=FIRST, times=2), "BIT_PACKED levels are deprecated")


def packed(defs=None, items=(1, None, 3), **more):
    """One optional column with BIT_PACKED levels."""
    return nullable(chunk(V1(def_encoding=BIT_PACKED, defs=defs), **more), items=items)


def nested(reps=None, defs=None, **more):
    """Lists with BIT_PACKED levels of both kinds: widths 1 and 2."""
    return lists(chunk(V1(rep_encoding=BIT_PACKED, def_encoding=BIT_PACKED, reps=reps, defs=defs), **more))


def deep(levels, **more):
    """Seven optional groups around a value: definition levels of three bits, each the number of present groups."""
    node = required("v", INT32)
    for i in range(7):
        node = optional(f"g{7 - i}", [node])

    def row(level):
        value = {"v": 1}
        for i in range(7, 0, -1):
            value = {f"g{i}": value if i <= level else None}
        return value

    return File([node], [row(level) for level in levels], chunk(V1(def_encoding=BIT_PACKED, **more)))


def witnesses(c):
    c.rule("bit-packed/deprecated")
    c.fail("definition levels are BIT_PACKED", packed(), V(DEFINITION, page=FIRST))
    c.fail("repetition levels are BIT_PACKED", lists(chunk(V1(rep_encoding=BIT_PACKED))), V(REPETITION, page=FIRST))
    c.fail("both are BIT_PACKED", nested(), V(DEFINITION, page=FIRST, times=2))
    c.fail("those of the second page are BIT_PACKED", nullable(chunk(V1(1), V1(def_encoding=BIT_PACKED))), V(DEFINITION, page=(0, 0, 1)))
    c.fail("definition levels are BIT_PACKED, under GZIP", packed(codec=GZIP), V(DEFINITION, page=FIRST))
    c.ok("both are RLE", lists())
    c.ok("levels that are not stored have the encoding BIT_PACKED", flat(chunk(V1(header={DEFINITION: BIT_PACKED, REPETITION: BIT_PACKED}))))

    c.rule("bit-packed/only-levels")
    for page, field in ((V1, "data_page_header.encoding"), (V2, "data_page_header_v2.encoding")):
        c.fail(f"BIT_PACKED values of INT32, {'v1' if page is V1 else 'v2'}", flat(chunk(page(encoding=BIT_PACKED, values=b"\x6c"))), V(field, page=FIRST))
    c.fail("BIT_PACKED values of BYTE_ARRAY", column(required("s", BYTE_ARRAY), (b"x",), chunk(V1(encoding=BIT_PACKED, values=b"x"))),
           V("data_page_header.encoding", page=FIRST))
    c.ok("BIT_PACKED levels", packed(), OLD)

    c.rule("bit-packed/length")
    many = [1] * 9
    c.fail("one byte for nine definition levels", nullable(chunk(
        V1(def_encoding=BIT_PACKED, defs=b"\xff", values=b"")), items=many), Body(FIRST, "def"), OLD)
    c.fail("nothing for definition levels", nullable(chunk(V1(def_encoding=BIT_PACKED, defs=b"", values=b"")), items=many), Body(FIRST, "def"), OLD)
    c.fail("nothing for repetition levels", lists(chunk(V1(rep_encoding=BIT_PACKED, def_encoding=BIT_PACKED, image=b""))),
           Body(FIRST, None), BOTH)
    c.fail("one byte for both levels", lists(chunk(V1(rep_encoding=BIT_PACKED, def_encoding=BIT_PACKED, reps=b"\x44", defs=b"", values=b""))),
           Body(FIRST, "def"), BOTH)
    c.fail("one byte for nine definition levels, under GZIP", nullable(chunk(V1(def_encoding=BIT_PACKED, defs=b"\xff", values=b""), codec=GZIP), items=many),
           Body(FIRST, "def"), OLD)
    c.ok("two bytes for nine definition levels", packed(items=many), OLD)

    c.rule("bit-packed/padding")
    c.fail("the lowest bit of definition levels is set", packed(b"\xa1"), Body(FIRST, "def"), OLD)
    c.fail("all spare bits of the second byte are set", packed(b"\xff\xff", many), Body(FIRST, "def", plus=1), OLD)
    c.fail("a spare bit of repetition levels is set", nested(reps=b"\x45"), Body(FIRST, "rep"), BOTH)
    c.ok("the spare bits are 0", packed(), OLD)
    c.ok("there are no spare bits", packed(items=[1, None] * 4), OLD)

    c.rule("legal/bit-packed-levels")
    c.ok("definition levels 0 to 7 of three bits, highest bit first", deep(range(8), defs=bytes.fromhex("053977")), OLD)
    c.ok("30 definition levels of two bits in eight bytes", File(
        [optional("g", [optional("h", [optional("e", INT32)])])], [{"g": {"h": {"e": i}}} for i in range(30)],
        chunk(V1(def_encoding=BIT_PACKED, defs=bytes.fromhex("fffffffffffffff0")))), OLD)
    c.ok("repetition and definition levels", nested(), BOTH)
    c.ok("repetition levels alone", lists(chunk(V1(rep_encoding=BIT_PACKED))),
         Also("bit-packed/deprecated", V(REPETITION, page=FIRST), "BIT_PACKED levels are deprecated"))
    c.ok("before DELTA_BINARY_PACKED values", nullable(chunk(V1(encoding=DELTA_BINARY_PACKED, def_encoding=BIT_PACKED))), OLD)
    c.ok("more than a batch of levels", File([list_of("l", required("e", INT32), required)], [
        {"l": {"list": [{"e": i}] * (i % 4)}} for i in range(6000)], chunk(V1(rep_encoding=BIT_PACKED, def_encoding=BIT_PACKED))), BOTH)
