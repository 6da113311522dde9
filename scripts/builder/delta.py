"""DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (Encodings.md), with control of every header field."""

import os.path

from .hybrid import pack
from .thrift import uleb, varint


def binary_packed(items, bits=32, block_size=128, miniblocks=4, count=None, widths=None, unused_width=0, fill=0):
    """One delta stream; `bits` is the width of the type, in which deltas wrap. `widths` replaces the width of the
    miniblocks in use, in order; `fill` are the padding values, `unused_width` the widths of miniblocks without values."""
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    items = list(items)

    def signed(n):
        return (n + half & mask) - half

    deltas = [signed(b - a) for a, b in zip(items, items[1:])]
    out = uleb(block_size) + uleb(miniblocks) + uleb(len(items) if count is None else count) + varint(items[0] if items else 0)
    size, used = block_size // miniblocks, 0
    for at in range(0, len(deltas), block_size):
        block = deltas[at:at + block_size]
        least = min(block)
        out += varint(least)
        heads, bodies = b"", b""
        for place in range(0, block_size, size):
            part = [delta - least & mask for delta in block[place:place + size]]
            if not part:
                heads += bytes([unused_width])
                continue
            width = max(part).bit_length() if widths is None else widths[used]
            used += 1
            heads += bytes([width])
            bodies += pack(part + [fill] * (size - len(part)), width)
        out += heads + bodies
    return out


def length_byte_array(items, **shape):
    """Lengths as one delta stream, then the bytes of all."""
    return binary_packed([len(item) for item in items], **shape) + b"".join(items)


def byte_array(items, prefixes=None, **shape):
    """Prefix lengths (the longest common ones if None), then the suffixes as DELTA_LENGTH_BYTE_ARRAY."""
    if prefixes is None:
        prefixes = [len(os.path.commonprefix([a, b])) for a, b in zip([b""] + list(items), items)]
    suffixes = [item[prefix:] for item, prefix in zip(items, prefixes)]
    return binary_packed(prefixes, **shape) + length_byte_array(suffixes, **shape)
