"""Prefix codes of Brotli (RFC 7932, section 3), by the length of each symbol's code."""

from builder.codec.cursor import Refused

_ORDER = (1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15)
_LENGTHS = {0: (0b00, 2), 4: (0b01, 2), 3: (0b10, 2), 2: (0b011, 3), 1: (0b0111, 4), 5: (0b1111, 4)}  # the fixed code for the lengths of the code length code
_SIMPLE = {1: (0,), 2: (1, 1), 3: (1, 2, 2), 4: (2, 2, 2, 2), 5: (1, 2, 3, 3)}  # 5: four symbols of different lengths


class Code:
    """A code from {symbol: length of its code}; a single symbol takes no bits."""

    def __init__(self, lengths):
        self.lengths = lengths
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


def read(bits, alphabet):
    """Reads the description of the code of an alphabet."""
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
