"""DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (Encodings.md), with control of every header field."""

import os.path

from .hybrid import pack
from .marked import Marked
from .thrift import uleb, varint


def binary_packed(items, bits=32, block_size=128, miniblocks=4, count=None, widths=None, unused_width=0, fill=0, least=None,
                  head=None):
    """One delta stream; `bits` is the width of the type, in which deltas wrap. `widths` replaces the width of the
    miniblocks in use, in order; `fill` are the padding values, `unused_width` the widths of miniblocks without values,
    `least` the smallest delta of every block, or of some by their numbers, `head` the bytes of header numbers by their marks.

    Marks: `size`, `miniblocks`, `count`, `first`; of block N `blockN`, `blockN.widths`, and `blockN.bodyM`."""
    mask, half = (1 << bits) - 1, 1 << (bits - 1)
    items = list(items)

    def signed(n):
        return (n + half & mask) - half

    deltas = [signed(b - a) for a, b in zip(items, items[1:])]
    numbers = {"size": uleb(block_size), "miniblocks": uleb(miniblocks), "count": uleb(len(items) if count is None else count),
               "first": varint(items[0] if items else 0), **(head or {})}
    out = Marked()
    for name, data in numbers.items():
        out += Marked(data, {name: 0})
    size, used = block_size // miniblocks, 0
    for number, at in enumerate(range(0, len(deltas), block_size)):
        block = deltas[at:at + block_size]
        base = least.get(number) if isinstance(least, dict) else least
        base = min(block) if base is None else base
        heads, bodies = b"", Marked()
        for place in range(0, block_size, size):
            part = [delta - base & mask for delta in block[place:place + size]]
            if not part:
                heads += bytes([unused_width])
                continue
            width = max(part).bit_length() if widths is None else widths[used]
            used += 1
            heads += bytes([width])
            body = pack(part + [fill] * (size - len(part)), width) if width else b""
            bodies += Marked(body, {f"block{number}.body{place // size}": 0})
        out += Marked(varint(base), {f"block{number}": 0}) + Marked(heads, {f"block{number}.widths": 0}) + bodies
    return out


def length_byte_array(items, **shape):
    """Lengths as one delta stream, then the bytes of all; marks `lengths` and `data`."""
    return binary_packed([len(item) for item in items], **shape).named("lengths") + Marked(b"".join(items), {"data": 0})


def byte_array(items, prefixes=None, **shape):
    """Prefix lengths (the longest common ones if None), then the suffixes as DELTA_LENGTH_BYTE_ARRAY; marks `prefixes`,
    and of the suffixes `lengths` and `data`."""
    if prefixes is None:
        prefixes = [len(os.path.commonprefix([a, b])) for a, b in zip([b""] + list(items), items)]
    suffixes = [item[prefix:] for item, prefix in zip(items, prefixes)]
    return binary_packed(prefixes, **shape).named("prefixes") + length_byte_array(suffixes, **shape)
