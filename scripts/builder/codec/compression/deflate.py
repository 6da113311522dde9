"""Deflate (RFC 1951), blocks with dynamic codes from tokens: a byte, or (length, distance) for repeated bytes."""

from builder.codec.compression.bits import Writer
from builder.codec.compression.prefix_code import fair
from builder.codec.cursor import repeat

_ORDER = (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15)
END = 256


def _steps(first, bits):
    """(first number, extra bits) of each code, from its extra bits."""
    for size in bits:
        yield first, size
        first += 1 << size


_LENGTHS = [*_steps(3, [0] * 8 + [size for size in range(1, 6) for _ in range(4)]), (258, 0)]
_DISTANCES = list(_steps(1, [0, 0] + [size for size in range(14) for _ in range(2)]))


def _code(steps, number):
    """(code, rest, bits of the rest) of a length or distance."""
    code = max(index for index, (first, _) in enumerate(steps) if first <= number)
    return code, number - steps[code][0], steps[code][1]


def symbols(tokens):
    """(symbol, rest, bits of the rest) of literals and lengths, each with its distance or None."""
    for token in tokens:
        if isinstance(token, int):
            yield (token, 0, 0), None
        else:
            code, rest, size = _code(_LENGTHS, token[0])
            yield (257 + code, rest, size), _code(_DISTANCES, token[1])


def image_of(tokens, before=b""):
    """The image of the tokens, after the image that they may copy from."""
    out = bytearray(before)
    for token in tokens:
        if isinstance(token, int):
            out.append(token)
        else:
            repeat(out, token[1], token[0])
    return bytes(out)


def block(out, tokens, last=True, literals=None):
    """A block with dynamic codes; `literals` is the code of literals and lengths, by default one of about equal lengths."""
    parts = list(symbols(tokens))
    literals = literals or fair({part[0][0] for part in parts} | {0, END})
    distances = fair({part[1][0] for part in parts if part[1]} | {0, 1})
    out.put(last, 1), out.put(2, 2)
    _describe(out, literals.lengths, distances.lengths)
    for literal, distance in parts:
        for code, part in ((literals, literal), (distances, distance)):
            if part:
                code.put(out, part[0])
                out.put(*part[1:])
    literals.put(out, END)


def stored(out, data=b"", last=False):
    """A stored block; without data it is the block of a flush."""
    out.put(last, 1), out.put(0, 2)
    out.align()
    out.put(len(data), 16), out.put(len(data) ^ 0xFFFF, 16)
    out.append(data)


def _describe(out, literals, distances):
    counts = [max(literals) + 1, max(distances) + 1]
    lengths = [literals.get(symbol, 0) for symbol in range(counts[0])] + [distances.get(symbol, 0) for symbol in range(counts[1])]
    runs = list(_runs(lengths))
    inner = fair({run[0] for run in runs} | {0, 1})
    out.put(counts[0] - 257, 5), out.put(counts[1] - 1, 5), out.put(len(_ORDER) - 4, 4)
    for symbol in _ORDER:
        out.put(inner.lengths.get(symbol, 0), 3)
    for symbol, rest, size in runs:
        inner.put(out, symbol)
        out.put(rest, size)


def _runs(lengths):
    """Single lengths and runs of equal lengths; a run may continue from literals to distances."""
    at = 0
    while at < len(lengths):
        count = next((i for i in range(at, len(lengths)) if lengths[i] != lengths[at]), len(lengths)) - at
        if not lengths[at] and count > 2:
            count = min(count, 138)
            yield (18, count - 11, 7) if count > 10 else (17, count - 3, 3)
        elif at and lengths[at] == lengths[at - 1] and count > 2:
            count = min(count, 6)
            yield 16, count - 3, 2
        else:
            count = 1
            yield lengths[at], 0, 0
        at += count


def blocks(*parts):
    """Deflate of blocks: tokens, or bytes for a stored one."""
    out = Writer()
    for index, part in enumerate(parts):
        (stored if isinstance(part, bytes) else block)(out, part, last=index == len(parts) - 1)
    return out.bytes()
