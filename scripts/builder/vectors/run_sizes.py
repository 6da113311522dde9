"""Runs of the hybrid that are long enough for a decoder's fast paths, and lengths around the limits of these paths."""

import struct

from builder.codec import bit_packed, hybrid
from builder.codec.encodings import LEVEL
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import BOOLEAN, INT32
from builder.vectors.golden import Sections
from builder.vectors.hybrid import BITPACKED, DICTIONARY, RLE

LONG = 264 + 5  # 33 groups of eight, and five values of another
EDGES = (1, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32)  # widths at which a value spans one more byte
MIXED = (0, 1, 8, 9, 17, 32)
REPEATS = (7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 504, 505)
PACKS = (56, 64, 248, 256, 504, 512)  # a header of one byte counts 63 groups at most, which are 504 values


def scattered(count, width, seed=1):
    """Values of `width` bits in which each bit is set sometimes."""
    return [((index + seed) * 0x9E3779B97F4A7C15 & 2**64 - 1) >> 64 - width if width else 0 for index in range(count)]


def long_sections(encoding, name=None):
    """Sections of which only the first parts are listed one by one."""
    v = Sections(encoding, name)
    v.most = 8
    return v


def vectors():
    made = []
    for encoding, name in (("RLE", "levels"), ("RLE_DICTIONARY", None), ("PLAIN_DICTIONARY", None)):
        v = long_sections(encoding, name)
        of = Form(v, encoding)
        widths(of)
        if encoding != "PLAIN_DICTIONARY":
            lengths(of)
            sequences(of)
            faults(of)
            made_of_nothing(of)
        made.append(v)
    high_bits_first(made[0])
    return [*made, booleans()]


class Form:
    """Sections of runs, with or without a width byte before them."""

    def __init__(self, vectors, encoding):
        self.vectors, self.levels = vectors, encoding == "RLE"
        self.name = {"RLE": "levels", "RLE_DICTIONARY": "dict", "PLAIN_DICTIONARY": "plain-dict"}[encoding]

    def of(self, width):
        self.width = width
        self.vectors.of(*((RLE, LEVEL) if self.levels else (DICTIONARY, INT32)), **({"bit_width": width} if self.levels else {}))

    def encode(self, *runs):
        return hybrid.encode(runs, self.width) if self.levels else hybrid.indices(None, 0, list(runs), self.width)

    def runs(self, name, *runs, **more):
        """A section of these runs; all values of a bit-packed one count."""
        values = [value for run in runs for value in (run.items if isinstance(run, Packed) else [run.value] * run.count)]
        self.vectors.values(f"{self.name}-{name}", self.encode(*runs), values, **more)

    def reject(self, name, runs, count, rule, offset, **more):
        self.vectors.reject(f"{self.name}-{name}", self.encode(*runs), count, rule, offset, **more)


def widths(form):
    """One long bit-packed run of each width; repeated runs before and after it shift its borders."""
    everything = form.name == "dict"
    for width in range(1, 33):
        form.of(width)
        if everything or width in (1, 9, 32) or form.levels and (width < 9 or width in (16, 17)):
            form.runs(f"269-of-{width}-bits", Packed(scattered(LONG, width)))
        if width in EDGES and (everything or form.levels and width < 10):
            one = Repeated(3, scattered(1, width, 9)[0])
            form.runs(f"269-of-{width}-bits-after-a-run", one, Packed(scattered(77, width)), note="three equal values, then 77 others")
            form.runs(f"269-of-{width}-bits-before-a-run", Packed(scattered(72, width)), one, note="72 values, then three equal ones")


def lengths(form):
    """Lengths around the powers of two, and at which the header takes one more byte."""
    form.of(2)
    for count in REPEATS:
        form.runs(f"repeated-{count}", Repeated(count, 2), Packed([3, 0, 1]))
    if not form.levels:
        form.runs("repeated-8192", Repeated(8192, 1), Packed([3, 0, 1]), note="the header of the first run takes three bytes")
    for count in PACKS:
        form.runs(f"packed-{count}", Packed(scattered(count, 2)), Repeated(3, 1))


def sequences(form):
    for width in MIXED:
        form.of(width)
        one, two = (Repeated(count, value) for count, value in zip((3, 9), scattered(2, width, 5)))
        first, second = Packed(scattered(16, width)), Packed(scattered(24, width, 20))
        for name, runs in (("pr", (first, two)), ("pp", (first, second)), ("rpr", (one, first, two)), ("prp", (first, one, second))):
            form.runs(f"{name}-of-{width}-bits", *runs)
        many = [Repeated(index % 13 + 9, value) if index % 2 else Packed(scattered(8 * (index % 3 + 1), width and min(width, 7), index))
                for index, value in enumerate(scattered(50, width))]
        if width < 9 or not form.levels and width != 9:
            form.runs(f"50-runs-of-{width}-bits", *many, note="bit-packed and repeated runs in turn")


def faults(form):
    """Faults of a run after others, or of the last one of a long section."""
    width, start = 2, 0 if form.levels else 1
    form.of(width)
    fronts = (("after-packed", [Packed(scattered(16, width))], 16), ("after-repeated", [Repeated(20, 1)], 20),
              ("last", [run for index in range(12) for run in (Packed(scattered(16, width, index)), Repeated(9, index % 4))], 12 * 25))
    for name, front, count in fronts:
        at, more = start + len(hybrid.encode(front, width)), count + 12
        form.reject(f"{name}-header-cut", [*front, b"\x86"], more, "rle/header-varint", at)
        form.reject(f"{name}-header-large", [*front, Repeated(12, 0, header=2**32)], more, "rle/header-varint", at)
        form.reject(f"{name}-repeated-none", [*front, Repeated(0, 0), Repeated(12, 1)], more, "rle/run-length", at)
        form.reject(f"{name}-packed-none", [*front, Packed([], groups=0), Repeated(12, 1)], more, "rle/run-length", at)
        form.reject(f"{name}-value-large", [*front, Repeated(12, 4, data=b"\4")], more, "rle/repeated-value-range", at + 1)
        form.reject(f"{name}-value-missing", [*front, Repeated(12, 1, data=b"")], more, "rle/truncated", at)
        form.reject(f"{name}-group-missing", [*front, Packed([1] * 12, data=hybrid.pack([1] * 8, width))], more, "rle/truncated", at)
        form.reject(f"{name}-no-run", front, more, "levels/count" if form.levels else "rle/value-count", at)


def made_of_nothing(form):
    """Sections without values that have bytes nevertheless."""
    form.of(2)
    if form.levels:
        form.vectors.values("levels-none-trailing-run", b"\2\1", [], warnings=[("levels/section-consumed", 0)])
    else:
        form.reject("none-and-a-group", [Packed([0])], 0, "page/zero-values-section", 0)


def high_bits_first(v):
    for width in range(1, 9):
        v.of(BITPACKED, LEVEL, "BIT_PACKED", bit_width=width)
        for count in (8, 9, 64, 65, 200):
            items = scattered(count, width)
            v.values(f"bitpacked-{count}-of-{width}-bits", bit_packed.encode(items, width), items)


def booleans():
    v = long_sections("RLE")
    v.of(RLE, BOOLEAN)
    for count in REPEATS[:8]:
        v.values(f"rle-bool-repeated-{count}", hybrid.booleans(None, [Repeated(count, 1), Packed([0, 1, 1])]), [True] * count + [False, True, True])
    for count in (*PACKS[:3], LONG):
        bits = scattered(count, 1)
        runs = [Packed(bits)] + [Repeated(3, 1)] * (count != LONG)
        v.values(f"rle-bool-packed-{count}", hybrid.booleans(None, runs), [bool(bit) for bit in bits] + [True] * (3 * (count != LONG)))
    many = [Repeated(index % 13 + 1, index % 3 % 2) if index % 2 else Packed(scattered(8 * (index % 3 + 1), 1, index)) for index in range(50)]
    values = [bool(value) for run in many for value in (run.items if isinstance(run, Packed) else [run.value] * run.count)]
    v.values("rle-bool-50-runs", hybrid.booleans(None, many), values, note="bit-packed and repeated runs in turn")
    v.reject("rle-bool-none-trailing-byte", struct.pack("<I", 0) + b"\0", 0, "page/zero-values-section")
    return v
