"""ALP vectors that are long enough for a decoder's fast paths, exceptions at many positions, and faults after the first vector."""

import struct

from builder.codec import alp
from builder.codec.marked import replaced
from builder.codec.metadata import DOUBLE, FLOAT
from builder.vectors.alp import INF, KINDS, LAYOUT, NAN
from builder.vectors.run_sizes import long_sections, scattered

WIDTHS = (1, 5, 8, 13, 16, 17, 25, 31, 32, 33, 40, 53, 63, 64)
PAIRS = ((0, 0), (1, 0), (1, 1), (2, 1), (5, 3), (7, 7), (9, 1), (10, 0), (10, 10), (12, 4), (15, 15), (17, 2), (18, 0), (18, 9), (18, 18))
PAYLOADS = {FLOAT: ("0100c07f", "ffffff7f", "0000c0ff", "0100807f", "00000080"),
            DOUBLE: ("010000000000f87f", "ffffffffffffff7f", "000000000000f8ff", "010000000000f07f", "0000000000000080")}


def vectors():
    v = long_sections("ALP")
    for name, kind, most, bits, head in KINDS:
        v.of(LAYOUT, kind)
        sizes(v, f"alp-{name}", kind, bits)
        exceptions(v, f"alp-{name}", kind)
        pairs(v, f"alp-{name}", kind, most)
        faults(v, f"alp-{name}", kind, most, bits, head)
    return [v]


def numbers(count):
    """Halves, as tenths."""
    return [5 * (index * index % 61 - 20) for index in range(count)]


def section(kind, integers, log2_size, exponent=1, factor=0, places=()):
    """A section of these integers; `places` are (ordinal of a value, its exception)."""
    size, parts = 1 << log2_size, []
    for at in range(0, len(integers), size):
        here = [(place - at, value) for place, value in places if at <= place < at + size]
        parts.append(alp.vector(kind, integers[at:at + size], exponent, factor, here))
    return alp.section(len(integers), parts, log2_size)


def floats(kind, integers, exponent=1, factor=0, places=()):
    """The decoded values as bytes; the last exception at a place wins."""
    form = "<d" if kind == DOUBLE else "<f"
    items = [struct.pack(form, alp.scaled(kind, number, exponent, factor)) for number in integers]
    for place, value in places:
        items[place] = value if isinstance(value, bytes) else struct.pack(form, value)
    return items


def add(v, name, kind, integers, log2_size, *shape, **more):
    v.values(name, section(kind, integers, log2_size, *shape), floats(kind, integers, *shape), **more)


def sizes(v, name, kind, bits):
    for width in WIDTHS:
        if width <= bits:
            low = -(1 << width - 1)
            integers = [low, -low - 1, *(low + number for number in scattered(33, width))]
            add(v, f"{name}-35-of-{width}-bits", kind, integers, 10, 0)
    for count in (1024, 1025) if kind == FLOAT else (1025, 2048):
        add(v, f"{name}-{count}", kind, numbers(count), 10)
    for log2_size in (4, 5, 6, 7, 8, 9, 11):
        if log2_size < 9 or (log2_size == 11) == (kind == FLOAT):
            count = (1 << log2_size) + 1
            add(v, f"{name}-{count}-in-vectors-of-2^{log2_size}", kind, numbers(count), log2_size, note="a full vector, and one value more")


def exceptions(v, name, kind):
    """In vectors of 32: the last of 70 values are a vector of six."""
    for what, places in (("first", [0]), ("last", [31]), ("first-and-last", [0, 31]), ("second-vector", [32, 47, 63]),
                         ("short-vector", [64, 69]), ("each-vector", [31, 32, 63, 64, 69]), ("neighbours", list(range(5, 22)))):
        add(v, f"{name}-exceptions-{what}", kind, numbers(70), 5, 1, 0, [(place, place + 1 / 3) for place in places])
    add(v, f"{name}-exceptions-all", kind, [0] * 35, 5, 1, 0, [(place, place * 1e9 + 0.7) for place in range(35)],
        note="no value is a decimal")
    add(v, f"{name}-exceptions-of-all-bits", kind, numbers(40), 5, 1, 0,
        [(7 * place, bytes.fromhex(data)) for place, data in enumerate(PAYLOADS[kind])], note="NaNs with payloads, and -0.0")
    add(v, f"{name}-exceptions-backwards", kind, numbers(12), 4, 1, 0, [(9, NAN), (4, INF), (0, -0.0)], note="the last position comes first")


def pairs(v, name, kind, most):
    for exponent, factor in PAIRS:
        if exponent <= most:
            integers = [0, 1, -1, 7, -12345, 99999, 2**31 - 1, -2**31]
            add(v, f"{name}-exponent-{exponent}-factor-{factor}", kind, integers, 3, exponent, factor)


def faults(v, name, kind, most, bits, head):
    """Faults in the second vector of three, and in the last: 20 values in vectors of eight, two exceptions in each."""
    places = [(place, NAN) for place in (1, 3, 9, 11, 17, 19)]
    intact = section(kind, numbers(20), 3, 1, 0, places)
    for what, index, size in (("second", 1, 8), ("last", 2, 4)):
        offset = 7 + 4 * index
        at = 7 + int.from_bytes(intact[offset:offset + 4], "little")
        packed = at + head
        bit_width = intact[packed - 1]
        positions = packed + (size * bit_width + 7) // 8

        def reject(fault, data, rule, place):
            v.reject(f"{name}-{what}-vector-{fault}", data, 20, "alp/" + rule, place)

        reject("exponent-large", replaced(intact, at, bytes([most + 1])), "exponent", at)
        reject("factor-large", replaced(intact, at + 1, b"\2"), "factor", at + 1)
        reject("exceptions-many", replaced(intact, at + 2, struct.pack("<H", size + 1)), "num-exceptions", at + 2)
        reject("bit-width-large", replaced(intact, packed - 1, bytes([bits + 1])), "bit-width", packed - 1)
        reject("position-large", replaced(intact, positions + 2, struct.pack("<H", size)), "exception-position", positions + 2)
        reject("offset-large", replaced(intact, offset, struct.pack("<I", at - 6)), "offsets-contiguous", offset)
        reject("offset-small", replaced(intact, offset, struct.pack("<I", at - 8)), "offsets-contiguous", offset)
        v.values(f"{name}-{what}-vector-duplicate", replaced(intact, positions + 2, intact[positions:positions + 2]),
                 floats(kind, numbers(20), 1, 0, [one for one in places if one[0] != places[2 * index + 1][0]]),
                 warnings=[("alp/exception-duplicate", positions + 2)])
    reject("header-cut", intact[:packed - 1], "vector-header", at)
    reject("packed-cut", intact[:positions - 1], "packed-length", packed)
    reject("exceptions-cut", intact[:-1], "exceptions-complete", positions)
    reject("missing", intact[:at], "vector-header", at)
    reject("offset-missing", intact[:7 + 8], "offset-array", 7)
    v.reject(f"{name}-none-trailing-byte", alp.section(0, []) + b"\0", 0, "page/zero-values-section")
    v.reject(f"{name}-last-vector-trailing-byte", intact + b"\0", 20, "page/trailing-bytes", len(intact))
