"""ALP (AlpEncoding.md)."""

from builder.codec import alp
from builder.codec.hybrid import pack
from builder.codec.marked import replaced
from builder.codec.metadata import DOUBLE, FLOAT
from builder.vectors.golden import Sections

LAYOUT = "AlpEncoding.md#page-layout"
KINDS = (("double", DOUBLE, 18, 64, 13), ("float", FLOAT, 10, 32, 9))
FOUR = [1.5, 2.5, 3.0, -0.25]  # hundredths: 150, 250, 300, -25
NINE = [float(i) for i in range(9)]
NAN, INF = float("nan"), float("inf")
VECTOR = 11  # offset of the only vector of a section: after 7 bytes of header and an offset


def vectors():
    v = Sections("ALP")
    examples(v)
    for name, kind, most, bits, head in KINDS:
        v.of(LAYOUT, kind)
        accepted(v, f"alp-{name}", kind)
        sections(v, f"alp-{name}", kind, head)
        faults(v, f"alp-{name}", kind, most, bits, head)
    return [v]


def examples(v):
    v.of("AlpEncoding.md, frame of reference example", DOUBLE)
    v.reject("alp-for", pack([111, 444, 777, 0], 10), 4, "alp/header", kind="schematic",
             note="the packed deltas of 123, 456, 789, 12 alone: no section, not even a header")
    v.of("AlpEncoding.md, worked example", DOUBLE)
    quiet = bytes.fromhex("000000000000f87f")
    vector = alp.vector(DOUBLE, [15000, 15000, 25000, 3335], 4, 3, [(1, quiet)])
    v.reject("alp-worked-vector", vector, 4, "alp/compression-mode", kind="schematic",
             note="the vector of the next one without header and offset; its exponent 4 is in the place of the mode")
    v.values("alp-worked-page", alp.section(4, [vector]), [1500.0, "NaN", 2500.0, 333.5])
    v.of(LAYOUT, DOUBLE)
    half = alp.vector(DOUBLE, [5] * 8, 1, 0)
    v.values("alp-const", alp.section(9, [half, alp.vector(DOUBLE, [5], 1, 0)], 3), [0.5] * 9, note="deltas of no bits")
    v.values("alp-empty", alp.section(0, []), [])
    v.values("alp-wrap", alp.section(2, [alp.vector(DOUBLE, [-2**63, 2**63 - 1], 0, 0)]), [-2.0**63, 2.0**63],
             note="the largest delta is 2^64-1")


def four(kind, **overrides):
    return alp.vector(kind, [150, 250, 300, -25], 2, 0, **overrides)


def two(**overrides):
    """Nine values in vectors of eight."""
    return lambda kind: alp.section(9, [alp.vector(kind, list(range(8)), 0, 0), alp.vector(kind, [8], 0, 0)], 3, **overrides)


def excepted(kind):
    """1.5, NaN, Infinity, 3.0: two exceptions after four deltas of eight bits."""
    return alp.section(4, [alp.vector(kind, [150, 150, 150, 300], 2, 0, [(1, NAN), (2, INF)])])


def accepted(v, name, kind):
    intact = alp.section(4, [four(kind)])
    v.values(f"{name}-four", intact, FOUR)
    v.values(f"{name}-two-vectors", two()(kind), NINE)
    v.values(f"{name}-exceptions", excepted(kind), [1.5, "NaN", "Infinity", 3.0])
    v.values(f"{name}-none", b"", [])
    v.values(f"{name}-vectors-of-2^15", alp.section(4, [four(kind)], log2_size=15), FOUR, note="the largest vector size")
    most, wide = (18, 1e18) if kind == DOUBLE else (10, 1e10)
    v.values(f"{name}-exponent-{most}", alp.section(2, [alp.vector(kind, [3, -7], most, 0)]),
             [alp.scaled(kind, number, most, 0) for number in (3, -7)], note=f"the integers times 1e-{most}")
    v.values(f"{name}-factor-{most}", alp.section(2, [alp.vector(kind, [3, -7], most, most)]),
             [alp.scaled(kind, number, most, most) for number in (3, -7)], note=f"the integers times {wide:.0e}, and back in a second step")
    v.values(f"{name}-one-bit", alp.section(1, [alp.vector(kind, [8], 0, 0, reference=7, width=1)]), [8.0], note="one bit takes a byte")
    v.values(f"{name}-wide", alp.section(4, [four(kind, width=64 if kind == DOUBLE else 32)]), FOUR,
             note="more bits than the deltas need")
    v.values(f"{name}-reference", alp.section(4, [four(kind, reference=-26)]), FOUR, note="the reference is below all integers")
    again = alp.section(2, [alp.vector(kind, [150, 150], 2, 0, [(1, NAN), (1, INF)])])
    place = VECTOR + (13 if kind == DOUBLE else 9) + 2
    v.values(f"{name}-duplicate", again, [1.5, "Infinity"], warnings=[("alp/exception-duplicate", place)],
             note="two exceptions at one position: the last one holds")


def sections(v, name, kind, head):
    intact = alp.section(4, [four(kind)])

    def reject(what, data, count, rule, offset=0, **more):
        v.reject(f"{name}-{what}", data, count, "alp/" + rule, offset, **more)

    reject("nothing", b"", 4, "header")
    reject("six-bytes", intact[:6], 4, "header")
    reject("mode-1", alp.section(4, [four(kind)], mode=1), 4, "compression-mode", note="a mode that may come to be defined")
    reject("integer-encoding-1", alp.section(4, [four(kind)], integer_encoding=1), 4, "integer-encoding", 1)
    for size in (2, 16):
        reject(f"vectors-of-2^{size}", alp.section(4, [four(kind)], log2_size=size), 4, "log-vector-size", 2)
    for count in (3, 5, -1):
        reject(f"num-elements-{count}", alp.section(count, [four(kind)]), 4, "num-elements", 3)
    reject("no-offsets", intact[:7], 4, "offset-array", 7)
    reject("offset-cut", intact[:10], 4, "offset-array", 7)
    reject("first-offset-0", alp.section(4, [four(kind)], offsets=[0]), 4, "first-offset", 7)
    reject("first-offset-11", alp.section(4, [four(kind)], offsets=[11]), 4, "first-offset", 7)
    second = 8 + head + 3  # the first vector has eight deltas of three bits
    for what, place in (("large", second + 1), ("small", second - 1), ("same", 8)):
        reject(f"second-offset-{what}", two(offsets=[8, place])(kind), 9, "offsets-contiguous", 11)
    reject("no-vector", intact[:VECTOR], 4, "vector-header", VECTOR)
    reject("vector-header-cut", intact[:VECTOR + head - 1], 4, "vector-header", VECTOR)
    v.reject(f"{name}-trailing-byte", intact + b"\0", 4, "page/trailing-bytes", len(intact))
    v.reject(f"{name}-zero-values", intact, 0, "page/zero-values-section")


def faults(v, name, kind, most, bits, head):
    intact, pair = alp.section(4, [four(kind)]), excepted(kind)
    places = VECTOR + head + 4

    def reject(what, data, rule, offset):
        v.reject(f"{name}-{what}", data, 4, "alp/" + rule, offset)

    reject("exponent-large", replaced(intact, VECTOR, bytes([most + 1])), "exponent", VECTOR)
    reject("factor-large", replaced(intact, VECTOR + 1, b"\3"), "factor", VECTOR + 1)
    reject("five-exceptions", replaced(intact, VECTOR + 2, b"\5\0"), "num-exceptions", VECTOR + 2)
    reject("bit-width-large", replaced(intact, VECTOR + head - 1, bytes([bits + 1])), "bit-width", VECTOR + head - 1)
    reject("packed-cut", intact[:-1], "packed-length", VECTOR + head)
    reject("exceptions-cut", pair[:-1], "exceptions-complete", places)
    reject("no-exceptions", pair[:places], "exceptions-complete", places)
    reject("position-4", replaced(pair, places + 2, b"\4\0"), "exception-position", places + 2)
