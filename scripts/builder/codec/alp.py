"""ALP (Encodings.md): decimal floats as integers, with exceptions."""

import struct
from fractions import Fraction

from builder.codec.cursor import Refused, counted
from builder.codec.hybrid import pack, unpack
from builder.codec.metadata import DOUBLE

_SHAPES = {True: ("<d", "<Q", 64), False: ("<f", "<I", 32)}


def vector(kind, integers, exponent, factor, exceptions=(), reference=None, width=None):
    """One vector from its integers; `exceptions` are (position, value as a float or as bytes)."""
    real, word, bits = _SHAPES[kind == DOUBLE]
    low = min(integers) if reference is None else reference
    mask = (1 << bits) - 1
    deltas = [number - low & mask for number in integers]
    width = max(deltas).bit_length() if width is None else width
    head = struct.pack("<BBH", exponent, factor, len(exceptions)) + struct.pack(word, low & mask) + bytes([width])
    places = b"".join(struct.pack("<H", place) for place, _ in exceptions)
    values = b"".join(value if isinstance(value, bytes) else struct.pack(real, value) for _, value in exceptions)
    return head + pack(deltas, width) + places + values


def section(count, vectors, log2_size=10, mode=0, integer_encoding=0, offsets=None):
    """The header, the offsets (counted from byte 7) and the vectors."""
    if offsets is None:
        offsets, at = [], 4 * len(vectors)
        for one in vectors:
            offsets.append(at)
            at += len(one)
    head = struct.pack("<BBBi", mode, integer_encoding, log2_size, count)
    return head + b"".join(struct.pack("<I", offset) for offset in offsets) + b"".join(vectors)


def scaled(kind, number, exponent, factor):
    """The float that an integer decodes to: number * 10^factor * 10^-exponent, each step in the precision of the type."""
    real = _SHAPES[kind == DOUBLE][0]

    def rounded(value):
        return struct.unpack(real, struct.pack(real, value))[0]

    up = rounded(rounded(float(number)) * rounded(float(f"1e{factor}")))
    return rounded(up * rounded(float(f"1e-{exponent}")))


def vector_of(kind, items, exponent, factor, **overrides):
    """A vector of floats (or their bytes): integers if these decode to the same float, else exceptions."""
    real, _, bits = _SHAPES[kind == DOUBLE]
    integers, exceptions = [], []
    for place, item in enumerate(items):
        data = item if isinstance(item, bytes) else struct.pack(real, item)
        value, number = struct.unpack(real, data)[0], None
        if value - value == 0:  # finite
            number = round(Fraction(value) * 10 ** exponent / 10 ** factor)
        if number is None or not -1 << bits - 1 <= number < 1 << bits - 1 \
                or struct.pack(real, scaled(kind, number, exponent, factor)) != data:
            exceptions.append((place, data))
            number = None
        integers.append(number)
    placeholder = next((number for number in integers if number is not None), 0)
    return vector(kind, [placeholder if number is None else number for number in integers], exponent, factor, exceptions, **overrides)


def decode(cursor, kind, count):
    """The bytes of `count` floats."""
    real, _, bits = _SHAPES[kind == DOUBLE]
    if cursor.number(1, "compression mode") or cursor.number(1, "integer encoding"):
        raise Refused("a mode or an integer encoding that is not known")
    log2_size, stated = cursor.number(1, "log2 of the vector size"), cursor.number(4, "count of values", signed=True)
    if not 3 <= log2_size <= 15 or stated != count:
        raise Refused(f"{stated} values instead of {count}, in vectors of 2^{log2_size}")
    vectors = -(-count >> log2_size)
    begin, items = cursor.at, []
    offsets = [cursor.number(4, f"offset of vector {index}") for index in range(vectors)]
    for index, offset in enumerate(offsets):
        if begin + offset != cursor.at:
            raise Refused(f"vector {index} at {offset}, and not where the one before ends")
        items += _decode_vector(cursor, kind, real, bits, min(1 << log2_size, count - len(items)))
    return items


def _decode_vector(cursor, kind, real, bits, size):
    exponent, factor = cursor.number(1, "exponent"), cursor.number(1, "factor")
    exceptions = cursor.number(2, "count of exceptions")
    reference = cursor.number(bits // 8, "frame of reference", signed=True)
    width = cursor.number(1, "bit width")
    if factor > exponent or exponent > (18 if kind == DOUBLE else 10) or exceptions > size or width > bits:
        raise Refused(f"exponent {exponent}, factor {factor}, {exceptions} exceptions of {size}, {width} bits")
    deltas = unpack(cursor.take((size * width + 7) // 8, f"{counted(size, 'delta')} of {counted(width, 'bit')}"), width, size)
    half = 1 << bits - 1
    integers = [(reference + delta + half & 2 * half - 1) - half for delta in deltas]
    items = [struct.pack(real, scaled(kind, number, exponent, factor)) for number in integers]
    places = [cursor.number(2, f"position of exception {index}:") for index in range(exceptions)]
    for index, place in enumerate(places):
        if place >= size:
            raise Refused(f"exception at {place} of {size}")
        items[place] = cursor.take(bits // 8, f"exception {index}")
    return items
