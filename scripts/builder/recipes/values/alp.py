"""ALP: decimal floats as integers (AlpEncoding.md)."""

import struct

from builder.codec import alp
from builder.codec.marked import replaced
from builder.codec.metadata import ALP, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also
from builder.recipes.base_files import FIRST, chunk, column, flat

BOTH = (("v1", V1, "data_page_header.encoding"), ("v2", V2, "data_page_header_v2.encoding"))
FIELD = {page: V(field, page=FIRST) for _, page, field in BOTH}
PREVIEW = {page: Also("alp/preview", field, "the encoding itself is in preview") for page, field in FIELD.items()}
VALUES = (1.5, 2.5, 3.0, -0.25)
NAN, INF = float("nan"), float("inf")
# Offsets of the parts of a section of one vector: header, offset, then e, f, number of exceptions, reference, width, deltas.
OFFSET, VECTOR = 7, 11
WIDTH = {DOUBLE: VECTOR + 12, FLOAT: VECTOR + 8}
PACKED = {kind: at + 1 for kind, at in WIDTH.items()}


def vector(kind=DOUBLE, items=VALUES, e=2, f=0, exceptions=(), **overrides):
    """A vector of values that are integer multiples of 10^f / 10^e; exceptions are replaced by the first integer."""
    apart = dict(exceptions)
    integers = [None if i in apart else round(item * 10 ** e / 10 ** f) for i, item in enumerate(items)]
    first = next((number for number in integers if number is not None), 0)
    return alp.vector(kind, [first if number is None else number for number in integers], e, f, exceptions, **overrides)


def section(*vectors, count=len(VALUES), **overrides):
    return alp.section(count, list(vectors) or [vector()], **overrides)


def stored(values, page=V1, kind=DOUBLE, items=VALUES, **more):
    """One page of this value section."""
    return column(required("d", kind), items, chunk(page(encoding=ALP, values=values), **more))


def at(place, **more):
    """A byte of the value section."""
    return Body(FIRST, "values", plus=place, **more)


class Cases:
    """The witnesses of one rule: value sections of one page, v1 and DOUBLE unless stated otherwise."""

    def __init__(self, c, rule, **values):
        self.c = c
        c.rule(rule, **values)

    def fail(self, about, values, place, page=V1, kind=DOUBLE, items=VALUES, found=None, expected=None, **more):
        self.c.fail(about, stored(values, page, kind, items, **more), at(place), PREVIEW[page], found=found, expected=expected)

    def ok(self, about, values, page=V1, kind=DOUBLE, items=VALUES, **more):
        self.c.ok(about, stored(values, page, kind, items, **more), PREVIEW[page])


def witnesses(c):
    pages(c)
    headers(c)
    offsets(c)
    vector_headers(c)
    packed(c)
    exceptions(c)
    legal(c)


def pages(c):
    c.rule("alp/preview")
    for about, page, _ in BOTH:
        for name, kind in (("DOUBLE", DOUBLE), ("FLOAT", FLOAT)):
            c.fail(f"a {about} page of {name} in ALP",
                   stored(section(vector(kind)), page, kind), FIELD[page])
    c.fail("all is null and nothing is stored", column(optional("d", DOUBLE), (None, None), chunk(V1(encoding=ALP, values=b""))), FIELD[V1])
    c.fail("all is null and a header is stored", column(optional("d", DOUBLE), (None, None), chunk(V2(
        encoding=ALP, values=alp.section(0, [])))), FIELD[V2])
    c.ok("the same values in PLAIN", column(required("d", DOUBLE), VALUES))

    c.rule("alp/types")
    for about, page, _ in BOTH:
        c.fail(f"INT32, {about}", flat(chunk(page(encoding=ALP, values=section()))), FIELD[page])
    c.fail("BYTE_ARRAY", column(required("s", BYTE_ARRAY), [b"x"], chunk(V1(encoding=ALP, values=section()))), FIELD[V1])
    c.fail("FLOAT16, which is FIXED_LEN_BYTE_ARRAY", column(
        required("h", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}), [b"\0\x3c"],
        chunk(V1(encoding=ALP, values=section()))), FIELD[V1])
    for name, kind in (("FLOAT", FLOAT), ("DOUBLE", DOUBLE)):
        c.ok(name, stored(section(vector(kind)), kind=kind), PREVIEW[V1])


def headers(c):
    case = Cases(c, "alp/header")
    case.fail("six of the seven bytes", section()[:6], 0)
    case.fail("six of the seven bytes, v2", section()[:6], 0, V2)
    case.fail("nothing", b"", 0)
    case.fail("one byte, under GZIP", b"\0", 0, codec=GZIP)
    case.ok("a header, an offset and a vector", section())

    case = Cases(c, "alp/compression-mode")
    case.fail("mode 1", section(mode=1), 0)
    case.fail("mode 255, and nothing else makes sense", b"\xff" * 7, 0, V2)
    c.fail("mode 1, and no values",
           column(optional("d", DOUBLE), [None], chunk(V1(encoding=ALP, values=alp.section(0, [], mode=1)))), at(0), PREVIEW[V1])
    case.ok("mode 0", section())

    case = Cases(c, "alp/integer-encoding")
    case.fail("integer encoding 1", section(integer_encoding=1), 1)
    case.fail("integer encoding 255, v2", section(integer_encoding=255), 1, V2)
    case.ok("integer encoding 0", section())

    case = Cases(c, "alp/log-vector-size")
    for size in (2, 16, 0, 255):
        case.fail(f"vectors of 2^{size}", section(log2_size=size), 2)
    for size in (3, 15):
        case.ok(f"vectors of 2^{size}", section(log2_size=size))

    case = Cases(c, "alp/vector-size")
    for size in (9, 11, 3, 15):
        case.fail(f"vectors of 2^{size}", section(log2_size=size), 2)
    case.ok("vectors of 2^10", section())

    case = Cases(c, "alp/num-elements")
    case.fail("one more than the page stores", section(count=5), 3)
    case.fail("one less than the page stores, v2", section(count=3), 3, V2)
    case.fail("-1", section(count=-1), 3)
    case.fail("-2^31", section(count=-2 ** 31), 3)
    c.fail("nulls are counted too", column(optional("d", DOUBLE), (1.5, None, 2.5), chunk(V1(encoding=ALP, values=section(
        vector(items=(1.5, 1.5, 2.5)), count=3)))), at(3), PREVIEW[V1])
    c.ok("nulls are not counted", column(optional("d", DOUBLE), (1.5, None, 2.5), chunk(V1(encoding=ALP, values=section(
        vector(items=(1.5, 2.5)), count=2)))), PREVIEW[V1])


EIGHT = tuple(range(8))
NINE = tuple(range(9))


def two_vectors(**more):
    """Nine values in vectors of eight."""
    return section(vector(items=EIGHT, e=0), vector(items=(8,), e=0), count=9, log2_size=3, **more)


def offsets(c):
    case = Cases(c, "alp/offset-array", expected="4")
    case.fail("nothing after the header", section()[:7], OFFSET)
    case.fail("three bytes of the offset", section()[:10], OFFSET, V2)
    case.fail("one and a half of two offsets", two_vectors()[:13], OFFSET, items=NINE, expected="8")
    case.ok("two offsets", two_vectors(), items=NINE)

    case = Cases(c, "alp/first-offset", expected="4")
    case.fail("counted from the vectors", section(offsets=[0]), OFFSET)
    case.fail("counted from the header", section(offsets=[11]), OFFSET, V2)
    case.fail("the first offset is that of the second vector", two_vectors(offsets=[24, 8]), OFFSET, items=NINE, expected="8")
    case.ok("four times the number of vectors", two_vectors(offsets=[8, 24]), items=NINE)

    case = Cases(c, "alp/offsets-contiguous", expected="24")
    case.fail("the second offset is one too large", two_vectors(offsets=[8, 25]), OFFSET + 4, items=NINE)
    case.fail("the second offset is one too small", two_vectors(offsets=[8, 23]), OFFSET + 4, V2, items=NINE)
    case.fail("the second offset is that of the first vector", two_vectors(offsets=[8, 8]), OFFSET + 4, items=NINE)
    case.fail("a byte of padding between two vectors, which the offsets know of", section(
        vector(items=EIGHT, e=0) + b"\0", vector(items=(8,), e=0), count=9, log2_size=3), OFFSET + 4, items=NINE)
    case.ok("two vectors in sequence", two_vectors(), items=NINE)


def vector_headers(c):
    case = Cases(c, "alp/vector-header")
    case.fail("nothing after the offsets", section()[:VECTOR], VECTOR)
    case.fail("twelve of thirteen bytes", section()[:VECTOR + 12], VECTOR, V2)
    case.fail("FLOAT: eight of nine bytes", section(vector(FLOAT))[:VECTOR + 8], VECTOR, kind=FLOAT)
    case.fail("the second of two vectors is missing", two_vectors()[:31], 31, items=NINE)
    same = vector(items=(1.5,) * 4)
    case.ok("a header and no deltas", section(same), items=(1.5,) * 4)

    case = Cases(c, "alp/exponent")
    intact = section()
    case.fail("DOUBLE: 19", replaced(intact, VECTOR, b"\x13"), VECTOR)
    case.fail("DOUBLE: 255, v2", replaced(intact, VECTOR, b"\xff"), VECTOR, V2)
    case.fail("FLOAT: 11", replaced(section(vector(FLOAT)), VECTOR, b"\x0b"), VECTOR, kind=FLOAT)
    ones = (0.0,) * 4
    case.ok("DOUBLE: 18", section(vector(items=ones, e=18)), items=ones)
    case.ok("FLOAT: 10", section(vector(FLOAT, items=ones, e=10)), kind=FLOAT, items=ones)

    case = Cases(c, "alp/factor", expected="at most 2")
    case.fail("factor 3, exponent 2", replaced(intact, VECTOR + 1, b"\3"), VECTOR + 1)
    case.fail("factor 255, exponent 2, v2", replaced(intact, VECTOR + 1, b"\xff"), VECTOR + 1, V2)
    case.fail("FLOAT: factor 3, exponent 2", replaced(section(vector(FLOAT)), VECTOR + 1, b"\3"), VECTOR + 1, kind=FLOAT)
    tens = (1000.0, 2000.0, 3000.0, -4000.0)
    case.ok("factor 2, exponent 2", section(vector(items=tens, e=2, f=2)), items=tens)

    case = Cases(c, "alp/num-exceptions", expected="at most 4")
    case.fail("five exceptions among four values", replaced(intact, VECTOR + 2, b"\5\0"), VECTOR + 2)
    case.fail("65535 exceptions among four values, v2", replaced(intact, VECTOR + 2, b"\xff\xff"), VECTOR + 2, V2)
    last = vector(items=(8,), e=0, exceptions=[(0, NAN)])
    case.fail("two exceptions in the last vector, of one value",
              section(vector(items=EIGHT, e=0), replaced(last, 2, b"\2\0"), count=9, log2_size=3), 31 + 2, items=NINE, expected="at most 1")
    case.ok("as many exceptions as values", section(vector(items=(NAN, INF), exceptions=[(0, NAN), (1, INF)]), count=2),
            items=(NAN, INF))


def packed(c):
    case = Cases(c, "alp/bit-width")
    case.fail("DOUBLE: 65", replaced(section(), WIDTH[DOUBLE], b"\x41"), WIDTH[DOUBLE])
    case.fail("DOUBLE: 255, v2", replaced(section(), WIDTH[DOUBLE], b"\xff"), WIDTH[DOUBLE], V2)
    case.fail("FLOAT: 33", replaced(section(vector(FLOAT)), WIDTH[FLOAT], b"\x21"), WIDTH[FLOAT], kind=FLOAT)
    case.ok("DOUBLE: 64", section(vector(width=64)))
    case.ok("FLOAT: 32", section(vector(FLOAT, width=32)), kind=FLOAT)

    case = Cases(c, "alp/bit-width-minimal", expected="9")
    case.fail("one bit more than the largest delta needs", section(vector(width=10)), WIDTH[DOUBLE])
    case.fail("64 bits, v2", section(vector(width=64)), WIDTH[DOUBLE], V2)
    case.fail("one bit for equal values", section(vector(items=(1.5,) * 4, width=1)), WIDTH[DOUBLE], items=(1.5,) * 4, expected="0")
    case.fail("FLOAT: 32 bits", section(vector(FLOAT, width=32)), WIDTH[FLOAT], kind=FLOAT)
    case.ok("nine bits for deltas up to 325", section(vector(width=9)))

    case = Cases(c, "alp/packed-length", expected="5")
    case.fail("the last byte is missing", section()[:-1], PACKED[DOUBLE])
    case.fail("no byte is there, v2", section()[:PACKED[DOUBLE]], PACKED[DOUBLE], V2)
    case.fail("FLOAT: the last byte is missing", section(vector(FLOAT))[:-1], PACKED[FLOAT], kind=FLOAT)
    case.fail("under GZIP: the last byte is missing", section()[:-1], PACKED[DOUBLE], codec=GZIP)
    case.ok("five bytes for four values of nine bits", section())

    case = Cases(c, "alp/packed-padding")
    end = len(section()) - 1
    case.fail("the highest bit of the last byte is set", replaced(section(), end, bytes([section()[end] | 0x80])), end)
    case.fail("all four bits of padding are set, v2", replaced(section(), end, bytes([section()[end] | 0xf0])), end, V2)
    case.ok("the padding is zero", section())
    case.ok("there is no padding: four values of ten bits", section(vector(width=10)))

    case = Cases(c, "alp/frame-of-reference", found="1")
    case.fail("one below the smallest integer", section(vector(reference=-26)), VECTOR + 4)
    case.fail("0, and all integers are above it, v2", section(vector(items=(1.5, 2.5, 3.0, 1.0), reference=0)), VECTOR + 4, V2,
              items=(1.5, 2.5, 3.0, 1.0), found="100")
    case.fail("FLOAT: one below the smallest integer", section(vector(FLOAT, reference=-26)), VECTOR + 4, kind=FLOAT)
    case.ok("the smallest integer", section())


def exceptions(c):
    two = (1.5, NAN, INF, 3.0)
    places = PACKED[DOUBLE] + 4  # after four deltas of eight bits
    intact = section(vector(items=two, exceptions=[(1, NAN), (2, INF)]))
    case = Cases(c, "alp/exceptions-complete")
    case.fail("the last byte of the last value is missing", intact[:-1], places, items=two)
    case.fail("no byte of them is there, v2", intact[:places], places, V2, items=two)
    case.fail("a position and a half", intact[:places + 3], places, items=two)
    narrow = section(vector(FLOAT, items=two, exceptions=[(1, NAN), (2, INF)]))
    case.fail("FLOAT: the last byte of the last value is missing", narrow[:-1], PACKED[FLOAT] + 4, kind=FLOAT, items=two)
    case.ok("two positions and two values", intact, items=two)

    case = Cases(c, "alp/exception-position", expected="0 to 3")
    case.fail("position 4 in a vector of four", replaced(intact, places + 2, b"\4\0"), places + 2, items=two)
    case.fail("position 65535 in a vector of four, v2", replaced(intact, places, b"\xff\xff"), places, V2, items=two)
    last = vector(items=(8,), e=0, exceptions=[(0, NAN)])
    case.fail("position 1 in the last vector, of one value", section(
        vector(items=EIGHT, e=0), replaced(last, 13, b"\1\0"), count=9, log2_size=3), 31 + 13, items=NINE, expected="0")
    case.ok("positions 1 and 3 in a vector of four", section(vector(items=(1.5, NAN, 2.5, INF), exceptions=[(1, NAN), (3, INF)])),
            items=(1.5, NAN, 2.5, INF))

    case = Cases(c, "alp/exception-duplicate")
    again = (1.5, INF, 3.0, 2.5)
    for about, page, _ in BOTH:
        case.fail(f"two exceptions at position 1, of which the last holds, {about}",
                  section(vector(items=again, exceptions=[(1, NAN), (1, INF)])), PACKED[DOUBLE] + 4 + 2, page, items=again)
    case.ok("two exceptions at two positions", intact, items=two)

    case = Cases(c, "alp/exception-order", expected="more than 2")
    for about, page, _ in BOTH:
        case.fail(f"positions 2 and 1, {about}", section(vector(items=two, exceptions=[(2, INF), (1, NAN)])), places + 2, page, items=two)
    case.ok("positions 1 and 2", intact, items=two)

    case = Cases(c, "alp/exception-needless", found="250")
    case.fail("2.5 is an exception", section(vector(exceptions=[(1, 2.5)])), PACKED[DOUBLE] + 5 + 2)
    case.fail("0.0 is an exception, v2", section(vector(items=(1.5, 0.0, 3.0, 2.5), exceptions=[(1, 0.0)])), PACKED[DOUBLE] + 4 + 2, V2,
              items=(1.5, 0.0, 3.0, 2.5), found="0")
    case.fail("FLOAT: 2.5 is an exception", section(vector(FLOAT, exceptions=[(1, 2.5)])), PACKED[FLOAT] + 5 + 2, kind=FLOAT)
    exceptional = (1.5, -0.0, 1 / 3, 1e300)
    case.ok("-0.0, a third and 10^300 are exceptions", section(vector(items=exceptional, exceptions=[(1, -0.0), (2, 1 / 3), (3, 1e300)])), items=exceptional)


def legal(c):
    def ok(about, values, page=V1, kind=DOUBLE, items=VALUES, **more):
        c.ok(about, stored(values, page, kind, items, **more), PREVIEW[page])

    c.rule("legal/alp-wraparound")
    low = -2.0 ** 63
    ok("the reference is -2^63, the largest delta 2^64-1", section(alp.vector(DOUBLE, [-2 ** 63, 2 ** 63 - 1], 0, 0), count=2),
       items=(low, -low))
    ok("FLOAT: the reference is -2^31, the largest delta 2^32-1", section(alp.vector(FLOAT, [-2 ** 31, 2 ** 31 - 1], 0, 0), count=2),
       kind=FLOAT, items=(-2.0 ** 31, 2.0 ** 31))
    ok("the reference plus a delta wraps to the smallest integer", section(
        alp.vector(DOUBLE, [2 ** 63 - 1, -2 ** 63], 0, 0, reference=2 ** 63 - 1), count=2), items=(-low, low))

    c.rule("legal/alp-rounding")
    scaled = tuple(float(i) * 1e3 * 1e-14 for i in (1, 3, 7, 12345678901234567))
    ok("factor 3 and exponent 14, two multiplications with two roundings",
       section(alp.vector(DOUBLE, [1, 3, 7, 12345678901234567], 14, 3)), items=scaled)
    ok("every power of ten", alp.section(19 * 8, [alp.vector(DOUBLE, [1, 3, -7, 999, 12345, 0, 2, 1], e, e // 2) for e in range(19)],
                                         log2_size=3),
       items=[float(i) * float(f"1e{e // 2}") * float(f"1e-{e}") for e in range(19) for i in (1, 3, -7, 999, 12345, 0, 2, 1)])

    c.rule("legal/alp-special-values")
    payloads = [struct.pack("<Q", bits) for bits in (0x7FF0000000000001, 0xFFF8DEADBEEF0001, 0x8000000000000000, 0x7FF0000000000000)]
    special = [struct.unpack("<d", one)[0] for one in payloads]
    ok("NaN of both signs with payloads, -0.0 and an infinity, bit for bit", section(
        alp.vector(DOUBLE, [0] * 4, 0, 0, list(enumerate(payloads)))), items=special)
    narrow = [struct.pack("<I", bits) for bits in (0x7F800001, 0xFFC0BEEF, 0x80000000, 0xFF800000)]
    ok("FLOAT: the same", section(alp.vector(FLOAT, [0] * 4, 0, 0, list(enumerate(narrow)))), kind=FLOAT,
       items=[struct.unpack("<f", one)[0] for one in narrow])
    unsorted = (1e300, 1.5, -1e300, INF)
    ok("each value belongs to the position of the same number, in any order", section(
        vector(items=unsorted, exceptions=[(3, INF), (0, 1e300), (2, -1e300)])), items=unsorted)

    c.rule("legal/alp-pages")
    halves = (1.5, None, 2.5, None)
    values = section(vector(items=(1.5, 2.5)), count=2)
    for about, page, _ in BOTH:
        c.ok(f"after levels and under GZIP, {about}", column(optional("d", DOUBLE), halves, chunk(
            page(encoding=ALP, values=values), codec=GZIP)), PREVIEW[page])
    many = [i * 0.01 for i in range(1025)]  # what the formula gives, and not i / 100
    ok("a full vector and one of a single value", section(vector(items=many[:1024]), vector(items=many[1024:]), count=1025), items=many)
    ok("each vector has its own exponent", section(vector(items=EIGHT, e=0), vector(items=(1.25,), e=2), count=9, log2_size=3),
       items=EIGHT + (1.25,))
    ok("another exponent than the smallest section would have", section(vector(e=12)))
