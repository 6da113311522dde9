"""Prefix codes of Brotli (RFC 7932, section 3), by the length of each symbol's code."""

from builder.codec.cursor import Refused

_ORDER = (1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15)
_LENGTHS = {0: (0b00, 2), 4: (0b01, 2), 3: (0b10, 2), 2: (0b011, 3), 1: (0b0111, 4), 5: (0b1111, 4)}  # the code of lengths of the code of lengths
_SIMPLE = {1: (0,), 2: (1, 1), 3: (1, 2, 2), 4: (2, 2, 2, 2), 5: (1, 2, 3, 3)}  # 5: four symbols of different lengths


class Lengths:
    """{symbol: length of its code}, which need not make a code."""

    def __init__(self, lengths):
        self.lengths = lengths


class Code(Lengths):
    """Both ways, from {symbol: length of its code}: a code of one symbol takes no bits."""

    def __init__(self, lengths):
        super().__init__(lengths)
        self.codes, number, before = {}, 0, 0
        for symbol, length in sorted(lengths.items(), key=lambda item: (item[1], item[0])):
            number <<= length - before
            self.codes[symbol] = (number, length)
            number, before = number + 1, length
        if number != 1 << before:
            raise Refused("lengths that make no code")
        self.symbols = {(length, number): symbol for symbol, (number, length) in self.codes.items()}

    def put(self, out, symbol):
        out.code(*self.codes[symbol])

    def read(self, bits):
        """The next symbol."""
        number = length = 0
        while (length, number) not in self.symbols:
            number, length = number << 1 | bits.number(1), length + 1
        return self.symbols[length, number]


def fair(symbols):
    """A code of these symbols, all about as long."""
    symbols = sorted(symbols)
    size = (len(symbols) - 1).bit_length()
    short = (1 << size) - len(symbols)
    return Code({symbol: size - (at < short) for at, symbol in enumerate(symbols)})


def put(out, code, alphabet):
    """The shorter description of a code."""
    if len(code.lengths) < 5:
        put_simple(out, code, alphabet)
    else:
        put_long(out, code)


def put_simple(out, code, alphabet):
    """The description of a code of up to four symbols."""
    symbols = sorted(code.lengths, key=lambda symbol: (code.lengths[symbol], symbol))
    lengths = tuple(code.lengths[symbol] for symbol in symbols)
    assert lengths in _SIMPLE.values()
    out.put(1, 2), out.put(len(symbols) - 1, 2)
    for symbol in symbols:
        out.put(symbol, (alphabet - 1).bit_length())
    if len(symbols) == 4:
        out.put(lengths == _SIMPLE[5], 1)


def put_long(out, code, skipped=0):
    """The description of a code of two symbols or more by their lengths, runs of equal ones short; the first `skipped` of the
    lengths of the code of lengths, none, 2 or 3, are left out as 0."""
    runs, before, at = [], 8, 0
    lengths = [code.lengths.get(symbol, 0) for symbol in range(max(code.lengths) + 1)]
    while at < len(lengths):
        length = lengths[at]
        count = next((i for i in range(at, len(lengths)) if lengths[i] != length), len(lengths)) - at
        at += count
        if length and length != before:
            runs.append((length, 0, 0))
            before, count = length, count - 1
        kind, size = (16, 2) if length else (17, 3)
        digits = []
        if count > 2:
            left = count - 3
            while True:
                digits.append(left & (1 << size) - 1)
                left = (left >> size) - 1
                if left < 0:
                    break
        runs += [(kind, digit, size) for digit in reversed(digits)] if digits else [(length, 0, 0)] * count
    used = {run[0] for run in runs}
    inner = fair(used)
    described = inner.lengths if len(used) > 1 else dict.fromkeys(used, 3)  # a code of one symbol takes no bits, whatever its length
    assert not used & set(_ORDER[:skipped])
    out.put(skipped, 2)
    left = 32
    for symbol in _ORDER[skipped:]:
        length = described.get(symbol, 0)
        if left:
            out.put(*_LENGTHS[length])
            left -= 32 >> length if length else 0
    for symbol, extra, size in runs:
        inner.put(out, symbol)
        out.put(extra, size)


def read(bits, alphabet):
    """The code of an alphabet as it is described."""
    kind = bits.number(2)
    if kind == 1:
        count = bits.number(2) + 1
        symbols = [bits.number((alphabet - 1).bit_length()) for _ in range(count)]
        if count == 4 and bits.number(1):
            count = 5
        if len(set(symbols)) < len(symbols) or max(symbols) >= alphabet:
            raise Refused("a simple code of equal symbols, or of one that there is not")
        return Code(dict(zip(symbols, _SIMPLE[count])))
    inner, left = {}, 32
    for symbol in _ORDER[kind:]:
        if left <= 0:
            break
        length = next(length for length, (number, size) in _LENGTHS.items() if bits.peek(size) == number)
        bits.skip(_LENGTHS[length][1])
        if length:
            inner[symbol] = length
            left -= 32 >> length
    if len(inner) == 1:
        inner = dict.fromkeys(inner, 0)
    inner = Code(inner)
    lengths, before, left, last, count = [], 8, 1 << 15, None, 0
    while left > 0 and len(lengths) < alphabet:
        symbol = inner.read(bits)
        if symbol < 16:
            lengths.append(symbol)
            before = symbol or before
            left -= 1 << 15 - symbol if symbol else 0
            last = None
            continue
        size, length = (2, before) if symbol == 16 else (3, 0)
        more = (count - 2 << size if last == symbol else 0) + bits.number(size) + 3
        new, last, count = more - (count if last == symbol else 0), symbol, more
        lengths += [length] * new
        left -= new << 15 - length if length else 0
    if left or len(lengths) > alphabet:
        raise Refused("lengths that make no code of the alphabet")
    return Code({symbol: length for symbol, length in enumerate(lengths) if length})
