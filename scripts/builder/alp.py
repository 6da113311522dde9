"""ALP (Encodings.md): decimal floats as integers, with exceptions."""

import struct

from .hybrid import pack
from .metadata import DOUBLE

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
