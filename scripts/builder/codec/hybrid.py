"""The RLE/bit-packing hybrid (Encodings.md, RLE) with full control of its runs, and the sections that use it."""

import struct

from builder.codec.cursor import Refused, counted
from builder.codec.marked import Marked, marked
from builder.codec.thrift import uleb


def pack(items, width):
    """Values of `width` bits from the lowest bit upwards, padded to full bytes."""
    bits = 0
    for index, item in enumerate(items):
        bits |= item << index * width
    return bits.to_bytes((len(items) * width + 7) // 8, "little")


class Repeated:
    """A run of `count` times `value`; `header` is the run header as a number, `extra` its redundant bytes, `data` the value bytes."""

    def __init__(self, count, value, header=None, extra=0, data=None):
        self.count, self.value, self.header, self.extra, self.data = count, value, header, extra, data

    def encode(self, width):
        head = uleb(self.count << 1 if self.header is None else self.header, self.extra)
        data = self.value.to_bytes((width + 7) // 8, "little") if self.data is None else self.data
        return Marked(head) + Marked(data, {"value": 0})


class Packed:
    """Bit-packed values, filled up to groups of eight with `fill`; `groups` replaces the count in the header, `data` the body."""

    def __init__(self, items, fill=0, groups=None, extra=0, data=None):
        self.items, self.fill, self.groups, self.extra, self.data = list(items), fill, groups, extra, data

    def encode(self, width):
        items = self.items + [self.fill] * (-len(self.items) % 8)
        groups = len(items) // 8 if self.groups is None else self.groups
        body = pack(items, width) if self.data is None else self.data
        return Marked(uleb(groups << 1 | 1, self.extra)) + Marked(body, {"value": 0})


def encode(runs, width):
    """Runs one after another; `runN` marks the N-th header, `runN.value` its value bytes."""
    out = Marked()
    for index, run in enumerate(runs):
        part = run.encode(width) if isinstance(run, (Repeated, Packed)) else marked(run)
        names = {f"run{index}.{name}": place for name, place in part.marks.items()}
        out = out + Marked(part.data, {**names, f"run{index}": 0})
    return out


def runs_of(items):
    """One repeated run if all are equal, else one bit-packed run; empty for no items."""
    if not items:
        return []
    if all(item == items[0] for item in items):
        return [Repeated(len(items), items[0])]
    return [Packed(items)]


def width_of(maximum):
    """The bit width of the numbers 0 to maximum."""
    return maximum.bit_length()


def indices(items, dictionary_size, runs=None, width=None):
    """Dictionary indices: the width byte, then runs to the end of the section."""
    width = width_of(max(dictionary_size - 1, 0)) if width is None else width
    return Marked(bytes([width])) + encode(runs_of(items) if runs is None else runs, width)


def booleans(items, runs=None, length=None):
    """RLE booleans: the 4-byte length, then runs of width 1."""
    data = encode(runs_of([int(item) for item in items]) if runs is None else runs, 1)
    return Marked(struct.pack("<I", len(data) if length is None else length), {"length": 0}) + data


def unpack(data, width, count):
    """The first `count` values of `width` bits."""
    bits = int.from_bytes(data, "little")
    return [bits >> index * width & (1 << width) - 1 for index in range(count)]


def decode(cursor, width, count):
    """`count` values from runs. The last run may be longer, and a bit-packed one may lack the bytes of its padding."""
    items = []
    while len(items) < count:
        header = cursor.uleb("header", 32)
        size, wanted = header >> 1, count - len(items)
        if not header & 1:
            cursor.say(f"run of {size} times the value")
            value = int.from_bytes(cursor.take((width + 7) // 8, "value"), "little") if width else 0
            if width:
                cursor.say(f"value {value}")
            if value >> width:
                raise Refused(f"{value} takes more than {width} bits")
            items += [value] * min(size, wanted)
            continue
        cursor.say(f"bit-packed run of {counted(size, 'group')} of 8")
        wanted = min(size * 8, wanted)
        intact = size * width
        fewest = (wanted * width + 7) // 8 if size * 8 < wanted + 8 else intact  # only padding may be missing
        data = cursor.take(min(intact, max(cursor.left, fewest)), f"{counted(wanted, 'value')} of {counted(width, 'bit')}")
        if len(data) < intact:
            cursor.say(f"{counted(wanted, 'value')} of {counted(width, 'bit')}; of the last group {counted(intact - len(data), 'byte')} missing")
        items += unpack(data, width, wanted)
    return items


def decode_indices(cursor, count):
    """Indices from the width byte and runs."""
    width = cursor.number(1, "bit width")
    if width > 32:
        raise Refused(f"indices of {width} bits")
    return decode(cursor, width, count)


def decode_booleans(cursor, count):
    """Booleans from the length prefix, which counts all bytes after it, and runs."""
    length = cursor.number(4, "length")
    if length != cursor.left:
        raise Refused(f"{length} bytes of runs, {cursor.left} are there")
    return [bool(item) for item in decode(cursor, 1, count)]
