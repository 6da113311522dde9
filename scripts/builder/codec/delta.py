"""DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and DELTA_BYTE_ARRAY (Encodings.md), with control of every header field."""

import os.path

from builder.codec.cursor import Refused, counted
from builder.codec.hybrid import pack, unpack
from builder.codec.marked import Marked
from builder.codec.thrift import uleb, varint


def binary_packed(items, bits=32, block_size=128, miniblocks=4, count=None, widths=None, unused_width=0, fill=0, min_delta=None,
                  head=None):
    """One delta stream; `bits` is the width of the type, in which deltas wrap. `widths` replaces the width of the
    miniblocks in use, in order; `fill` are the padding values, `unused_width` the widths of miniblocks without values,
    `min_delta` the smallest delta of every block, or of some by their numbers, `head` the bytes of header numbers by their marks.

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
        base = min_delta.get(number) if isinstance(min_delta, dict) else min_delta
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


def _header(cursor, bits):
    """(block size, miniblocks, count, first value)."""
    size, miniblocks = cursor.uleb("block size"), cursor.uleb("miniblocks in a block")
    count = cursor.uleb("count of values", 31)
    first = cursor.zigzag("first value", bits)
    if not size or size % 128 or not miniblocks or size % miniblocks or size // miniblocks % 32:
        raise Refused(f"a block of {size} values in {miniblocks} miniblocks")
    return size, miniblocks, count, first


def decode_binary_packed(cursor, bits, wanted):
    """The `wanted` values of one stream."""
    size, miniblocks, count, value = _header(cursor, bits)
    if count != wanted:
        raise Refused(f"{count} values instead of {wanted}")
    items, half = [value][:count], 1 << bits - 1
    while len(items) < count:
        min_delta = cursor.zigzag("smallest delta")
        widths = cursor.take(miniblocks, "bit widths")
        cursor.say("bit widths " + " ".join(str(width) for width in widths))
        for width in widths:
            used = min(size // miniblocks, count - len(items))
            if not used:
                break
            if width > 64:
                raise Refused(f"deltas of {width} bits")
            body = cursor.take(size // miniblocks * width // 8, f"{counted(used, 'delta')} of {counted(width, 'bit')}")
            for delta in unpack(body, width, used):
                value = (value + min_delta + delta + half & 2 * half - 1) - half
                items.append(value)
    return items


def decode_length_byte_array(cursor, wanted):
    """Values from lengths and all bytes up to the end."""
    lengths = decode_binary_packed(cursor, 32, wanted)
    if any(length < 0 for length in lengths) or sum(lengths) != cursor.left:
        raise Refused(f"lengths of {sum(lengths)} bytes in all, {cursor.left} are there")
    return [cursor.take(length, f"value {index}") for index, length in enumerate(lengths)]


def decode_byte_array(cursor, wanted, type_length=None):
    """Values from prefix lengths and suffixes."""
    prefixes = decode_binary_packed(cursor, 32, wanted)
    items, last = [], b""
    for index, (prefix, suffix) in enumerate(zip(prefixes, decode_length_byte_array(cursor, wanted))):
        if not 0 <= prefix <= len(last):
            raise Refused(f"{prefix} bytes of the {len(last)} bytes of the value before")
        last = last[:prefix] + suffix
        if type_length not in (None, len(last)):
            raise Refused(f"value {index} has {len(last)} bytes instead of {type_length}")
        items.append(last)
    return items
