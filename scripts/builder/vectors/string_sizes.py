"""DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY: long values and prefixes, and faults far from the first value."""

from builder.codec import delta
from builder.codec.marked import Marked, cut
from builder.codec.metadata import BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY
from builder.vectors.delta import LENGTH, STRINGS
from builder.vectors.plain_sizes import text
from builder.vectors.run_sizes import long_sections

PREFIXES = (7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000)
FIXED = (1, 2, 8, 16, 17, 32, 64)
MANY = 250                  # values, in two blocks
FAR = (40, 200, MANY - 1)   # ordinals of a wrong value


def vectors():
    plainly, shared = long_sections("DELTA_LENGTH_BYTE_ARRAY"), long_sections("DELTA_BYTE_ARRAY")
    plainly.of(LENGTH, BYTE_ARRAY)
    lengths(plainly)
    lengths_at_fault(plainly)
    shared.of(STRINGS, BYTE_ARRAY)
    prefixes(shared)
    prefixes_at_fault(shared)
    streams_at_fault(shared)
    tolerated(plainly, "dlba")
    tolerated(shared, "dba")
    fixed(shared)
    return [plainly, shared]


def of(starts, sizes, data=None, **shape):
    """Prefixes and suffixes of these lengths, which may not match."""
    after = b"x" * sum(max(size, 0) for size in sizes) if data is None else data
    return delta.binary_packed(starts, **shape).named("prefixes") + delta.binary_packed(sizes, **shape).named("lengths") + after


def lengths(v):
    for bits in (5, 6, 7, 8, 9, 10, 12):
        items = [text(index % 3, index) for index in range(40)]
        items[20] = text((1 << bits - 1) + 3)
        v.values(f"dlba-lengths-of-{bits}-bits", delta.length_byte_array(items, block_size=256, miniblocks=2), items)
    v.reject("dlba-none-and-a-byte", delta.binary_packed([]) + b"x", 0, "page/zero-values-section")


def lengths_at_fault(v):
    for place in FAR:
        sizes = [1] * MANY
        sizes[place] = -1
        stream = delta.binary_packed(sizes).named("lengths")
        v.reject(f"dlba-negative-at-{place}", stream + b"x" * (MANY - 1), MANY, "delta-length-byte-array/negative-length", "lengths")
        sizes[place] = -2**31
        stream = delta.binary_packed(sizes).named("lengths")
        v.reject(f"dlba-smallest-number-at-{place}", stream + b"x" * (MANY - 1), MANY, "delta-length-byte-array/negative-length", "lengths")
        sizes[place] = 2**31 - 1
        stream = delta.binary_packed(sizes).named("lengths")
        v.reject(f"dlba-huge-at-{place}", stream + b"x" * MANY, MANY, "delta-length-byte-array/data-length", "lengths.end")
    stream = delta.binary_packed([index % 3 for index in range(MANY)]).named("lengths")
    intact = sum(index % 3 for index in range(MANY))
    for count, name in ((intact - 1, "one-less"), (intact + 1, "one-more"), (0, "none")):
        v.reject(f"dlba-250-data-{name}", stream + b"x" * count, MANY, "delta-length-byte-array/data-length", "lengths.end", readable=count > intact)
    huge = delta.binary_packed([2**31 - 1] * 4).named("lengths")
    v.reject("dlba-sum-of-2^33", huge + b"x" * 4, 4, "delta-length-byte-array/data-length", "lengths.end", note="32 bits make -4 of the sum")
    wraps = delta.binary_packed([2**31 - 1, 2**31 - 1, 6]).named("lengths")
    v.reject("dlba-sum-wraps", wraps + b"abcd", 3, "delta-length-byte-array/data-length", "lengths.end", note="32 bits make 4 of the sum")
    faults(v, "dlba", "lengths", lambda: delta.binary_packed([index % 3 for index in range(MANY)]).named("lengths"))


def prefixes(v):
    for length in PREFIXES:
        base = text(length + 5)
        items = [base, base[:length], base[:length] + b"\xff", base[:length] + text(40, 9)]
        v.values(f"dba-prefix-{length}", delta.byte_array(items, [0, length, length, length]), items, note="suffixes of 0, 1 and 40 bytes")
    for bits in (5, 6, 7, 8, 9, 10, 11):
        items = [text(index % 3, index) for index in range(40)]
        items[20] = text((1 << bits - 1) + 3)
        items[21] = items[20][:-1] + b"\xff"
        v.values(f"dba-prefixes-of-{bits}-bits", delta.byte_array(items, block_size=256, miniblocks=2), items)
    longer = [text(length, 3) for length in (*range(0, 40, 3), 80, 160)]
    v.values("dba-longer-and-longer", delta.byte_array(longer), longer, note="each prefix is the complete value before")
    shorter = longer[::-1]
    v.values("dba-shorter-and-shorter", delta.byte_array(shorter), shorter, note="no suffix has a byte, but the first")
    turns = [text(40 if index % 2 else 9, 3) for index in range(20)]
    v.values("dba-long-and-short", delta.byte_array(turns), turns)
    v.values("dba-prefixes-shorter-than-they-could", delta.byte_array(turns, [0] + [5] * 19), turns)
    none = delta.binary_packed([])
    v.reject("dba-none-and-a-byte", none + none + b"x", 0, "page/zero-values-section")


def prefixes_at_fault(v):
    rule = "delta-byte-array/prefix-range"
    for place in FAR:
        for name, wrong in (("long", 3), ("huge", 2**31 - 1), ("negative", -1), ("smallest-number", -2**31)):
            starts = [0] + [1] * (MANY - 1)
            starts[place] = wrong
            v.reject(f"dba-prefix-{name}-at-{place}", of(starts, [2] + [1] * (MANY - 1)), MANY, rule, "prefixes",
                     note="the value before has two bytes" if wrong == 3 else None)
        sizes = [2] + [1] * (MANY - 1)
        sizes[place] = -1
        v.reject(f"dba-suffix-negative-at-{place}", of([0] * MANY, sizes), MANY, "delta-length-byte-array/negative-length", "lengths")
    v.reject("dba-prefix-of-the-last-but-one", of([0, 2, 3], [3, 0, 1]), 3, rule, "prefixes",
             note="three bytes are those of the first value; the second has two")


def streams_at_fault(v):
    counts = [index % 3 for index in range(MANY)]
    starts = [0] + [index % 2 for index in range(1, MANY)]
    faults(v, "dba", "prefixes", lambda: of(starts, [2] * MANY))
    faults(v, "dba", "lengths", lambda: of([0] * MANY, counts))
    intact = sum(counts)
    for count, name in ((intact - 1, "one-less"), (intact + 1, "one-more")):
        v.reject(f"dba-250-data-{name}", of([0] * MANY, counts, b"x" * count), MANY, "delta-length-byte-array/data-length", "lengths.end",
                 readable=count > intact)


def faults(v, name, stream, build):
    """Faults in the second block of one of the streams."""
    data, block = build(), f"{stream}.block1"
    widths = data.marks[block + ".widths"]
    wide = Marked(data.data[:widths + 1] + b"\x41" + data.data[widths + 2:], data.marks)
    for what, wrong, rule, place in (("no-block", cut(data, block), "block", block), ("widths-cut", cut(data, block + ".widths", 2), "width-bytes", widths),
                                     ("width-65", wide, "bit-width-range", widths + 1),
                                     ("miniblock-cut", cut(data, block + ".body3", 5), "miniblock-full", block + ".body3")):
        v.reject(f"{name}-{stream}-second-block-{what}", wrong, MANY, "delta-binary-packed/" + rule, place)


def tolerated(v, name):
    """Junk in the last of three blocks; a checker reports a rule at its first place, so in the first stream with it."""
    count = 1 + 2 * 128 + 40
    items = [b"xyz"[:index % 3 + 1] for index in range(count)]
    shape = {"fill": 3, "unused_width": 165, "widths": [3] * 10, "min_delta": -2}
    sizes = [len(item) for item in items] if name == "dlba" else [1] * count
    both = delta.binary_packed(sizes, **shape).named("lengths") + b"".join(items) if name == "dlba" \
        else of([0] + [1] * (count - 1), sizes, **shape)
    first = "lengths" if name == "dlba" else "prefixes"
    values = items if name == "dlba" else [b"x"] + [b"xx"] * (count - 1)
    v.values(f"{name}-third-block-junk", both, values, bugs="DeltaUnusedWidths",
             warnings=[("delta-binary-packed/unneeded-width", both.marks[first + ".block2.widths"] + 2),
                       ("delta-binary-packed/padding", both.marks[first + ".block2.body1"] + 3)])


def fixed(v):
    rule = "delta-byte-array/fixed-length"
    for length in FIXED:
        v.of(STRINGS, FIXED_LEN_BYTE_ARRAY, type_length=length)
        base = text(length)
        items = [base[:keep] + text(length, 5)[keep:] for keep in sorted({0, 1, length // 2, length - 1, length})] + [base] * 2
        v.values(f"dba-fixed-{length}", delta.byte_array(items), items)
    for length in (1, 16, 17):
        v.of(STRINGS, FIXED_LEN_BYTE_ARRAY, type_length=length)
        for name, start, size in (("long", length, 1), ("short", length - 1, 0)):
            v.reject(f"dba-fixed-{length}-last-{name}", of([0] + [length] * 38 + [start], [length] + [0] * 38 + [size]), 40, rule, "lengths")
    v.of(STRINGS, FIXED_LEN_BYTE_ARRAY, type_length=4)
    for place in FAR:
        sizes = [4] + [1] * (MANY - 1)
        sizes[place] = 2
        v.reject(f"dba-fixed-long-at-{place}", of([0] + [3] * (MANY - 1), sizes), MANY, rule, "lengths")
