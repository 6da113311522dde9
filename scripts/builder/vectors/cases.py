"""The cases of each encoding and type, from the empty section to the longest varint; a case that does not apply has a reason."""

import math

from builder.codec import alp, bit_packed, delta, group_var_int, hybrid, plain
from builder.codec.encodings import LEVEL, NAMES, encode
from builder.codec.hybrid import Packed, Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96
from builder.codec.thrift import uleb, varint
from builder.vectors.golden import CLAUSES

CASES = ("empty", "one", "equal", "extremes", "wrap", "widths", "partial", "unneeded", "padding", "long")

ENCODINGS = {
    "PLAIN": (BOOLEAN, INT32, INT64, INT96, FLOAT, DOUBLE, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY),
    "PLAIN_DICTIONARY": (INT32,),
    "RLE_DICTIONARY": (INT32,),
    "RLE": (BOOLEAN, LEVEL),
    "BIT_PACKED": (LEVEL,),
    "DELTA_BINARY_PACKED": (INT32, INT64),
    "DELTA_LENGTH_BYTE_ARRAY": (BYTE_ARRAY,),
    "DELTA_BYTE_ARRAY": (BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY),
    "BYTE_STREAM_SPLIT": (INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY),
    "ALP": (FLOAT, DOUBLE),
    "GROUP_VAR_INT": (INT32, INT64),
}

# Reasons why a case does not apply.
REASONS = {
    "arithmetic": "nothing is added or subtracted, so nothing wraps around",
    "width": "no number states the width of the values",
    "groups": "values do not come in groups that could be partly filled",
    "miniblocks": "there are no places for miniblocks without values",
    "spare": "every bit belongs to a value",
    "varint": "no number has a longer form",
}
_DICTIONARY = {"wrap": "arithmetic", "unneeded": "miniblocks"}
_SPLIT = {"wrap": "arithmetic", "widths": "width", "partial": "groups", "unneeded": "miniblocks", "padding": "spare", "long": "varint"}
_FIXED = {case: reason for case, reason in _SPLIT.items() if case != "widths"}
ABSENT = {
    "PLAIN": _SPLIT,
    ("PLAIN", BOOLEAN): {case: reason for case, reason in _SPLIT.items() if case not in ("partial", "padding")},
    ("PLAIN", FIXED_LEN_BYTE_ARRAY): _FIXED,
    ("BYTE_STREAM_SPLIT", FIXED_LEN_BYTE_ARRAY): _FIXED,
    "PLAIN_DICTIONARY": _DICTIONARY,
    "RLE_DICTIONARY": _DICTIONARY,
    "RLE": _DICTIONARY,
    "BIT_PACKED": {**_DICTIONARY, "long": "varint"},
    "DELTA_BINARY_PACKED": {},
    "DELTA_LENGTH_BYTE_ARRAY": {},
    "DELTA_BYTE_ARRAY": {},
    "BYTE_STREAM_SPLIT": _SPLIT,
    "ALP": {"unneeded": "miniblocks", "long": "varint"},
    "GROUP_VAR_INT": _DICTIONARY,
}

LENGTH = 3  # default size of a FIXED_LEN_BYTE_ARRAY value
MANY = 37   # values that leave the last byte, group, miniblock and vector partly filled
SAME = 130  # values that take two blocks of deltas
_NAN = {FLOAT: "0100c07f", DOUBLE: "010000000000f87f"}
_BYTES = [bytes([index % 7]) * LENGTH for index in range(MANY)]


def samples(kind, case):
    """The values of the common cases of all encodings."""
    extremes = {
        BOOLEAN: [False, True],
        INT32: [2**31 - 1, -2**31, 0, -1, 1],
        INT64: [2**63 - 1, -2**63, 0, -1, 1],
        INT96: [b"\xff" * 8 + bytes(4), bytes(8) + b"\xff\xff\xff\x7f", bytes(8) + b"\0\0\0\x80", bytes(12)][1:],
        FLOAT: [(2 - 2**-23) * 2.0**127, -(2 - 2**-23) * 2.0**127, 2.0**-149, -0.0, math.inf, -math.inf, bytes.fromhex(_NAN[FLOAT])],
        DOUBLE: [(2 - 2**-52) * 2.0**1023, -(2 - 2**-52) * 2.0**1023, 2.0**-1074, -0.0, math.inf, -math.inf, bytes.fromhex(_NAN[DOUBLE])],
        BYTE_ARRAY: [b"", b"\0", bytes(range(256)) * 2, b"\xff\xff", b""],
        FIXED_LEN_BYTE_ARRAY: [bytes(LENGTH), b"\xff" * LENGTH, b"\0\xff\0"],
        LEVEL: [0, 3, 3, 0],
    }
    many = {
        BOOLEAN: [index % 3 == 0 for index in range(MANY)],
        INT32: [index * index - 7 for index in range(MANY)], INT64: [index ** 5 - 7 for index in range(MANY)],
        FLOAT: [index / 4 for index in range(MANY)], DOUBLE: [index / 100 for index in range(MANY)],
        BYTE_ARRAY: [b"abcdefg"[:index % 7] for index in range(MANY)], FIXED_LEN_BYTE_ARRAY: _BYTES,
        LEVEL: [index % 4 for index in range(MANY)],
    }
    return {"empty": [], "one": extremes[kind][1:2], "equal": extremes[kind][1:2] * SAME, "extremes": extremes[kind],
            "partial": many.get(kind)}[case]


class Cells:
    """The cells of one encoding and type."""

    def __init__(self, vectors, encoding, kind):
        self.vectors, self.encoding, self.kind, self.case = vectors, encoding, kind, None
        self.indices = encoding.endswith("DICTIONARY")
        self.name = f"{encoding}-{'indices' if self.indices else NAMES[kind]}".lower().replace("_", "-")

    def fill(self):
        """Adds the vectors; returns the empty cells without a reason."""
        complaints, absent = [], ABSENT.get((self.encoding, self.kind), ABSENT[self.encoding])
        for self.case in CASES:
            before, reason = len(self.vectors.list), absent.get(self.case)
            self.of()
            getattr(self, f"{self.case}_{self.family()}", getattr(self, self.case, lambda: None))()
            if (len(self.vectors.list) == before) != (reason is not None):
                complaints.append(f"{self.name}, case {self.case}: " + (
                    f"there are vectors, though {REASONS[reason]}" if reason else "no vector, and no reason"))
        return complaints

    def family(self):
        """Encodings with the same cells: booleans of PLAIN and fixed lengths have separate cells."""
        if self.encoding == "PLAIN" and self.kind == BOOLEAN:
            return "bits"
        if self.encoding in ("PLAIN", "BYTE_STREAM_SPLIT"):
            return "fixed" if self.kind == FIXED_LEN_BYTE_ARRAY else "bare"
        if self.encoding.endswith("BYTE_ARRAY"):
            return "strings"
        if self.indices or self.encoding == "RLE":
            return "booleans" if self.kind == BOOLEAN else "runs"
        return {"BIT_PACKED": "packed", "DELTA_BINARY_PACKED": "delta", "ALP": "alp", "GROUP_VAR_INT": "groups"}[self.encoding]

    def of(self, width=None, length=LENGTH, **options):
        """Sets the common options of the next vectors."""
        if self.kind == FIXED_LEN_BYTE_ARRAY:
            options["type_length"] = length
        if self.kind == LEVEL:
            options["bit_width"] = 2 if width is None else width
        self.vectors.of(CLAUSES[self.encoding], self.kind, self.encoding, **options)

    def add(self, data, values, name="", **more):
        self.vectors.values(self.name + "-" + self.case + (f"-{name}" if name != "" else ""), data, values, case=self.case, **more)

    def plainly(self, **more):
        """Adds the values of this case in the simplest form."""
        items = samples(LEVEL if self.indices else self.kind, self.case)
        self.add(encode(self.encoding, self.kind, items, 2), items, **more)
        if self.encoding == "GROUP_VAR_INT":
            self.add_little(items)

    def add_little(self, items, name=""):
        """The same with little-endian selectors if a selector has two bytes."""
        if self.kind == INT64:
            self.of(selector="le")
            self.add(group_var_int.encode64(items, "little"), items, f"{name}-le" if name != "" else "le")
            self.of()

    one = equal = extremes = plainly

    def empty(self):
        self.add(b"", [], bugs="DeltaEmpty" if self.encoding.startswith("DELTA") else ())

    def empty_runs(self):
        self.empty()
        if self.indices:
            self.add(b"\7", [], "width", note="a width byte, and no runs")

    def empty_delta(self):
        self.empty()
        self.add(delta.binary_packed([]), [], "header", bugs="DeltaEmpty", note="a header that counts no values")

    def empty_strings(self):
        self.empty()
        both = delta.length_byte_array([]) if self.encoding == "DELTA_LENGTH_BYTE_ARRAY" else delta.byte_array([])
        self.add(both, [], "header", bugs="DeltaEmpty", note="headers that count no values")

    # PLAIN and BYTE_STREAM_SPLIT

    def partial_bits(self):
        for count in (3, 8, 9, MANY):
            items = samples(BOOLEAN, "partial")[:count]
            self.add(plain.booleans(items), items, count, bugs="BooleanBatches" if count > 8 else ())

    def padding_bits(self):
        self.add(b"\xfa", [False, True, False], note="the five bits after the values are set")

    def widths_fixed(self):
        for length in (1, 2, 5, 7, 8, 9, 12, 16, 17):
            self.of(length=length)
            items = [bytes(range(16 * index, 16 * index + length)) for index in range(3)]
            self.add(encode(self.encoding, self.kind, items, None), items, length)

    # The hybrid

    def runs(self, *parts, width=None):
        if self.kind == BOOLEAN:
            return hybrid.booleans(None, list(parts))
        if self.indices:
            return hybrid.indices(None, 0, list(parts), 2 if width is None else width)
        return hybrid.encode(list(parts), 2 if width is None else width)

    def widths_runs(self):
        """Both kinds of runs; the largest value of the width, and all bits in turn."""
        for width in range(33):
            self.of(width)
            items = [(1 << width) - 1, *(1 << bit for bit in range(width))]
            bugs = ["IndicesAbove8Bits"] * (width > 8) + ["IndexWidthTooLarge"] * self.indices
            self.add(self.runs(Repeated(9, items[0]), Packed(items), width=width), [items[0]] * 9 + items, width, bugs=bugs)

    def partial_runs(self):
        for count in (1, 7, 8, 9, MANY):
            items = samples(LEVEL if self.kind == INT32 else self.kind, "partial")[:count]
            self.add(self.runs(Packed(items)), items, count)
        self.add(self.runs(Repeated(3, 1), Packed([2, 0, 3]), width=2), [1, 1, 1, 2, 0, 3], "after-run",
                 note="a bit-packed run begins where a repeated one of three values ends")
        items = [index % 3 for index in range(1000)]
        self.add(self.runs(Packed(items)), items, 1000, bugs="PackedRunTooLong", note="the header of the run takes two bytes")

    def padding_runs(self):
        self.add(self.runs(Packed([2, 0, 1], fill=3)), [2, 0, 1], note="the five places after the values hold 3")

    def long_runs(self):
        for extra in (1, 4):
            self.add(self.runs(Packed([2, 0, 1], extra=extra)), [2, 0, 1], f"packed-{extra}", note=f"the header has {extra} bytes too many")
            self.add(self.runs(Repeated(5, 1, extra=extra)), [1] * 5, f"repeated-{extra}", note=f"the header has {extra} bytes too many")

    def widths_booleans(self):
        items = [True] * 9 + [False, True, True]
        self.add(self.runs(Repeated(9, 1), Packed([0, 1, 1])), items, 1, bugs="BooleanRuns", note="one bit is the only width")

    def partial_booleans(self):
        for count in (3, 8, 9, MANY):
            items = samples(BOOLEAN, "partial")[:count]
            self.add(self.runs(Packed(map(int, items))), items, count, bugs="BooleanRuns")
        items = [index % 3 == 0 for index in range(1000)]
        self.add(self.runs(Packed(map(int, items))), items, 1000, bugs="PackedRunTooLong", note="the header of the run takes two bytes")

    def padding_booleans(self):
        self.add(self.runs(Packed([0, 1, 0], fill=1)), [False, True, False], note="the five places after the values hold 1")

    def long_booleans(self):
        for extra in (1, 4):
            self.add(self.runs(Packed([0, 1, 1], extra=extra)), [False, True, True], f"packed-{extra}")
            self.add(self.runs(Repeated(5, 1, extra=extra)), [True] * 5, f"repeated-{extra}")

    def widths_packed(self):
        for width in range(1, 33):
            self.of(width)
            items = [(1 << width) - 1, *(1 << bit for bit in range(width))]
            self.add(bit_packed.encode(items, width), items, width)

    def partial_packed(self):
        for count in (1, 3, 4, 5, MANY):
            items = samples(LEVEL, "partial")[:count]
            self.add(bit_packed.encode(items, 2), items, count)
        self.of(1)
        for count in (1, 9):
            self.add(bit_packed.encode([1] * count, 1), [1] * count, f"one-bit-{count}", note="one bit of the last byte")

    def padding_packed(self):
        self.add(b"\x87", [2, 0], warnings=[("bit-packed/padding", 0)], note="the four bits after the values hold 7")

    # Deltas

    def delta(self, items, **shape):
        return delta.binary_packed(items, 32 if self.kind == INT32 else 64, **shape)

    def wrap_delta(self):
        bits = 32 if self.kind == INT32 else 64
        low, high = -1 << bits - 1, (1 << bits - 1) - 1
        for name, items in (("down", [low, high, 0, -1]), ("up", [high, low, 0, -1]), ("both", [low, high] * 40 + [0]),
                            ("smallest", [0, low, 0, low, high])):
            self.add(self.delta(items), items, name, bugs="DeltaNegative")
        self.add(self.delta([7, 5, 6], min_delta=high), [7, 5, 6], "from-above", bugs="DeltaNegative",
                 note="the smallest delta is stated as the largest number, so that each sum wraps around")

    def widths_delta(self):
        """33 values: one miniblock of 32 deltas, among them the smallest and the largest of the width."""
        bits = 32 if self.kind == INT32 else 64
        half = 1 << bits - 1
        for width in range(bits + 1):
            top, items = (1 << width) - 1, [1]
            for index in range(32):
                relative = (0, top, index * 0x9E3779B97F4A7C15 & top)[index % 3]
                items.append((items[-1] + relative - (top + 1 >> 1) + half & 2 * half - 1) - half)
            data = self.delta(items)
            assert data.data[data.marks["block0.widths"]] == width
            self.add(data, items, width, bugs="DeltaNegative" if width > bits - 2 else ())

    def partial_delta(self):
        """Around the ends of miniblocks of 32 and of blocks of 128."""
        for count in (2, 32, 33, 34, 128, 129, 130):
            items = [index * index % 97 - 40 for index in range(count)]
            self.add(self.delta(items), items, count)
        items = [index * index % 97 - 40 for index in range(200)]
        self.add(self.delta(items, block_size=256, miniblocks=2), items, "miniblocks-of-128")

    def unneeded_delta(self):
        for width in (1, 165, 255):
            data = self.delta([5, 3, 9], unused_width=width)
            self.add(data, [5, 3, 9], width, bugs="DeltaUnusedWidths", note="no miniblock has these widths",
                     warnings=[("delta-binary-packed/unneeded-width", data.marks["block0.widths"] + 1)])

    def padding_delta(self):
        for fill in (1, 7):
            data = self.delta([5, 3, 8], fill=fill, widths=[3], min_delta=-2)
            self.add(data, [5, 3, 8], fill, note=f"the 30 places after the deltas hold {fill}",
                     warnings=[("delta-binary-packed/padding", data.marks["block0.body0"])])

    def long_delta(self):
        for mark, number in (("size", 128), ("miniblocks", 4), ("count", 3)):
            self.add(self.delta([5, 3, 9], head={mark: uleb(number, 5 - len(uleb(number)))}), [5, 3, 9], mark)
        self.add(self.delta([5, 3, 9], head={"first": varint(5) [:-1] + uleb(10, 4)}), [5, 3, 9], "first")
        data = self.delta([5, 3, 9])
        at = data.marks["block0"]
        self.add(data.data[:at] + bytes([data.data[at] | 0x80]) + b"\x80\0" + data.data[at + 1:], [5, 3, 9], "min-delta",
                 note="the smallest delta takes three bytes instead of one")

    # Strings: the streams of their lengths

    def streams(self, lengths=(3, 3, 3), **shape):
        """(name, section, values, start of the stream) with this shape for each stream in turn."""
        items = [bytes([97 + index]) * length for index, length in enumerate(lengths)]
        after = Marked(b"".join(items))
        stream = delta.binary_packed(lengths, **shape)
        if self.encoding == "DELTA_LENGTH_BYTE_ARRAY":
            return [("", stream + after, items, stream.marks, 0)]
        prefixes, suffixes = delta.binary_packed([0] * len(items)), delta.binary_packed(lengths)
        shaped = delta.binary_packed([0] * len(items), **shape)
        return [("prefixes", shaped + suffixes + after, items, shaped.marks, 0),
                ("suffixes", prefixes + stream + after, items, stream.marks, len(prefixes))]

    def wrap_strings(self):
        for lengths in ((3, 3, 3),) if self.kind == FIXED_LEN_BYTE_ARRAY else ((3, 3, 3), (0, 7, 1)):
            for name, data, items, _, _ in self.streams(lengths, min_delta=2**31 - 1):
                self.add(data, items, f"{name or 'lengths'}-{lengths[1]}", bugs="DeltaNegative",
                         note="the smallest delta is stated as the largest number, so that each sum wraps around")

    def widths_strings(self):
        for width in range(33):
            for name, data, items, _, _ in self.streams(widths=[width]):
                self.add(data, items, f"{name}-{width}" if name else width, note="the lengths take fewer bits" if width else None)

    def partial_strings(self):
        for count in (2, 33, 34, 129, 130):
            if self.kind == BYTE_ARRAY:
                items = [b"abcdefghij"[:index * 7 % 11] for index in range(count)]
            else:
                items = [bytes([97, 97 + index // 26, 97 + index % 26]) for index in range(count)]
            self.add(encode(self.encoding, self.kind, items, None), items, count)

    def unneeded_strings(self):
        for name, data, items, marks, start in self.streams(unused_width=165):
            self.add(data, items, name, bugs="DeltaUnusedWidths",
                     warnings=[("delta-binary-packed/unneeded-width", start + marks["block0.widths"] + 1)])

    def padding_strings(self):
        for name, data, items, marks, start in self.streams(widths=[3], fill=5):
            self.add(data, items, name, warnings=[("delta-binary-packed/padding", start + marks["block0.body0"])])

    def long_strings(self):
        """Each number of the header of each stream, and the smallest delta of its block."""
        for mark, number in (("size", 128), ("miniblocks", 4), ("count", 3)):
            for name, data, items, _, _ in self.streams(head={mark: uleb(number, 5 - len(uleb(number)))}):
                self.add(data, items, f"{name}-{mark}" if name else mark, note="the number takes five bytes")
        for name, data, items, marks, start in self.streams():
            for mark in ("first", "block0"):
                at = start + marks[mark]
                long = data.data[:at] + bytes([data.data[at] | 0x80]) + b"\x80\0" + data.data[at + 1:]
                number = {"first": "first", "block0": "min-delta"}[mark]
                self.add(long, items, f"{name}-{number}" if name else number, note="the number takes three bytes instead of one")

    # ALP

    def wrap_alp(self):
        half = 1 << (63 if self.kind == DOUBLE else 31)
        self.add(alp.section(3, [alp.vector(self.kind, [-half, half - 1, 0], 0, 0)]), [-float(half), float(half), 0.0],
                 note="the largest delta fills the type")

    def widths_alp(self):
        """At exponent 0 the integers are the values; above 24 or 53 bits these round."""
        real = 64 if self.kind == DOUBLE else 32
        for width in range(real + 1):
            low = -(1 << width - 1) if width else 7
            integers = [low, low + (1 << width) - 1, *(low + (1 << bit) for bit in range(0, width, 5))]
            values = [alp.scaled(self.kind, number, 0, 0) for number in integers]
            self.add(alp.section(len(values), [alp.vector(self.kind, integers, 0, 0)]), values, width)

    def partial_alp(self):
        for count in (1, 7, 8, 9, MANY):
            items = samples(self.kind, "partial")[:count]
            self.add(encode(self.encoding, self.kind, items, None), items, count)

    def padding_alp(self):
        data = alp.section(3, [alp.vector(self.kind, [1, 0, 2], 0, 0)]).ljust(1)
        self.add(data[:-1] + bytes([data[-1] | 0xC0]), [1.0, 0.0, 2.0], warnings=[("alp/packed-padding", len(data) - 1)],
                 note="the two bits after the values are set")

    # Groups

    def widths_groups(self):
        """Every number of bytes, in every place of a group."""
        group, size, code = (4, 4, group_var_int.encode32) if self.kind == INT32 else (5, 8, group_var_int.encode64)
        for length in range(1, size + 1):
            number = int.from_bytes(b"\x81" * length, "little")
            number -= (1 << 8 * size) if length == size else 0
            items = [item for place in range(group) for item in [1] * place + [number] + [1] * (group - 1 - place)]
            self.add(code(items), items, length)
            self.add_little(items, length)

    def partial_groups(self):
        for count in (1, 4, 5, 6, MANY):
            items = samples(self.kind, "partial")[:count]
            self.add(encode(self.encoding, self.kind, items, None), items, count)

    def padding_groups(self):
        data = (b"\0" if self.kind == INT32 else b"\0\0") + b"\1\2\0\7" + (b"" if self.kind == INT32 else b"\0")
        self.add(data, [1, 2, 0], warnings=[("group-var-int/padding", len(data) - (1 if self.kind == INT32 else 2))])

    def long_groups(self):
        if self.kind == INT32:
            self.add(b"\xff" + b"".join(n.to_bytes(4, "little") for n in (1, 0, 255, 2)), [1, 0, 255, 2], note="each number takes four bytes")
        else:
            numbers = b"".join(n.to_bytes(8, "little") for n in (1, 0, 255, 2, 3))
            self.add(b"\x7f\xff" + numbers, [1, 0, 255, 2, 3], note="each number takes eight bytes")
            self.of(selector="le")
            self.add(b"\xff\x7f" + numbers, [1, 0, 255, 2, 3], "le", note="each number takes eight bytes")


def fill(files):
    """Adds the cells of all encodings and types to the files; returns a line for each empty one without a reason."""
    complaints = []
    for encoding, kinds in ENCODINGS.items():
        for kind in kinds:
            name = "levels" if kind == LEVEL else encoding.lower()
            complaints += Cells(files[name + ".json"], encoding, kind).fill()
    return complaints


def table(vectors):
    """The vectors of each encoding, type and case, in Markdown; the reason if there are none, and those of no case at the end."""
    lines = ["| encoding | type | " + " | ".join(CASES) + " | others |", "|---|---|" + "---|" * (len(CASES) + 1)]
    for encoding, kinds in ENCODINGS.items():
        for kind in kinds:
            here = [one.get("case") for one in vectors if (one.get("encoding"), one.get("type")) == (encoding, NAMES[kind])]
            absent = ABSENT.get((encoding, kind), ABSENT[encoding])
            counts = [str(here.count(case)) if case not in absent else f"({absent[case]})" for case in CASES]
            lines.append(f"| {encoding} | {NAMES[kind]} | " + " | ".join(counts) + f" | {here.count(None)} |")
    return "\n".join([*lines, "", *(f"({name}): {words}" for name, words in REASONS.items())])
