"""BROTLI (RFC 7932): a decoder, and streams of uncompressed meta-blocks."""

from builder.codec.compression import prefix_code
from builder.codec.compression.bits import Reader, Writer
from builder.codec.cursor import Refused, counted, repeat


def _ranges(first, sizes):
    """[(first number, extra bits)] of codes with these numbers of extra bits."""
    ranges = []
    for size in sizes:
        ranges.append((first, size))
        first += 1 << size
    return ranges


INSERTS = _ranges(0, [0] * 6 + [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 12, 14, 24])
COPIES = _ranges(2, [0] * 8 + [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 24])
COUNTS = _ranges(1, [2] * 4 + [3] * 4 + [4] * 4 + [5] * 4 + [6, 6, 7, 8, 9, 10, 11, 12, 13, 24])
_CELLS = ((0, 0), (0, 1), (0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2))  # of eight insert and eight copy codes
_LAST = ((1, 0), (2, 0), (3, 0), (4, 0), (1, -1), (1, 1), (1, -2), (1, 2), (1, -3), (1, 3), (2, -1), (2, 1), (2, -2), (2, 2), (2, -3), (2, 3))
FIRST_DISTANCES = (4, 11, 15, 16)  # the last four, before the first
LITERAL, COMMAND, DISTANCE = range(3)
LOW, HIGH, TEXT, SIGNED = range(4)  # modes of contexts of literals

# Contexts of text: the class of the last byte, and of the byte before it.
_ONE = ([0] * 9 + [4, 4, 0, 0, 4] + [0] * 18 + [8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12] + [44] * 10 + [32, 32, 24, 40, 28, 12, 12]
        + [48 if letter in "aeiou" else 52 for letter in "abcdefghijklmnopqrstuvwxyz"] + [24, 12, 28, 12, 12, 12]
        + [56 if letter in "aeiou" else 60 for letter in "abcdefghijklmnopqrstuvwxyz"] + [24, 12, 28, 12, 0] + [0, 1] * 32 + [2, 3] * 32)
_TWO = [0] * 33 + [1] * 15 + [2] * 10 + [1] * 7 + [2] * 26 + [1] * 6 + [3] * 26 + [1] * 4 + [0] * 97 + [2] * 32
_SIGN = [0] + [1] * 15 + [2] * 48 + [3] * 64 + [4] * 64 + [5] * 48 + [6] * 15 + [7]

_WORDS = {(4, 0): b"time", (4, 1): b"down", (4, 2): b"life"}  # the words of the static dictionary that vectors use
_INDEX_BITS = {4: 10}
_TRANSFORMS = {0: lambda word: word, 1: lambda word: word + b" ", 4: lambda word: word[:1].upper() + word[1:] + b" "}


def context(mode, last, before):
    """The context of a literal, 0 to 63, from the two bytes before it."""
    return (last & 63, last >> 2, _ONE[last] | _TWO[before], _SIGN[last] << 3 | _SIGN[before])[mode]


class Distances:
    """The meaning of distance codes: the last four, the direct ones, and ranges whose lowest bits are part of the code."""

    def __init__(self, postfix, direct, last):
        self.postfix, self.direct, self.last = postfix, direct, last
        self.alphabet = 16 + direct + (48 << postfix)

    def size(self, code):
        """Extra bits of a code."""
        return 0 if code < 16 + self.direct else 1 + (code - self.direct - 16 >> self.postfix + 1)

    def distance(self, code, extra):
        if code < 16:
            nth, plus = _LAST[code]
            return self.last[nth - 1] + plus
        if code < 16 + self.direct:
            return code - 15
        number, size = code - self.direct - 16, self.size(code)
        base = (2 + (number >> self.postfix & 1) << size) - 4
        return (base + extra << self.postfix) + (number & (1 << self.postfix) - 1) + self.direct + 1


class Blocks:
    """The changes from one block type to another in the meta-block."""

    def __init__(self, bits):
        self.bits, self.types = bits, _count(bits)
        self.type, self.before, self.left = 0, 1, 1 << 24
        if self.types > 1:
            self.type_code = prefix_code.read(bits, self.types + 2)
            self.count_code = prefix_code.read(bits, len(COUNTS))
            self.left = self._number()

    def _number(self):
        base, size = COUNTS[self.count_code.read(self.bits)]
        return base + self.bits.number(size)

    def next(self):
        """The type of the next symbol."""
        if not self.left:
            code = self.type_code.read(self.bits)
            self.before, self.type = self.type, (self.before if code == 0 else (self.type + 1) % self.types if code == 1 else code - 2)
            self.left = self._number()
        self.left -= 1
        return self.type


def _count(bits):
    """Reads a number of types or codes, 1 to 256."""
    if not bits.number(1):
        return 1
    size = bits.number(3)
    return 1 + (1 << size) + bits.number(size)


def _read_map(bits, size):
    """Reads the code of each context, and the number of codes."""
    codes = _count(bits)
    if codes == 1:
        return [0] * size, 1
    longest = bits.number(4) + 1 if bits.number(1) else 0
    code, contexts = prefix_code.read(bits, codes + longest), []
    while len(contexts) < size:
        symbol = code.read(bits)
        contexts += [0] * ((1 << symbol) + bits.number(symbol)) if 0 < symbol <= longest else [symbol and symbol - longest]
    if len(contexts) > size:
        raise Refused("a run of contexts that is too long")
    if bits.number(1):
        order = list(range(256))
        for at, index in enumerate(contexts):
            order.insert(0, order.pop(index))
            contexts[at] = order[0]
    return contexts, codes


def _copy(image, length, distances, code, extra, window):
    distance = distances.distance(code, extra)
    most = min(window, len(image))
    if distance <= 0:
        raise Refused(f"{distance} bytes back")
    if distance > most:
        index_bits = _INDEX_BITS.get(length)
        if not 4 <= length <= 24:
            raise Refused(f"a word of {length} bytes")
        number = distance - most - 1
        word = _WORDS.get((length, number & (1 << index_bits) - 1)) if index_bits else None
        transform = _TRANSFORMS.get(number >> index_bits) if index_bits else None
        if not word or not transform:
            raise NotImplementedError("a word of the static dictionary")
        image += transform(word)
        return
    if code:
        distances.last = [distance, *distances.last[:3]]
    repeat(image, distance, length)


def decode(bits, size, out, last, window):
    """Appends the image of a meta-block of so many bytes, read after its header. `last` are the last four distances before it; returns
    those after it."""
    end = len(out) + size
    blocks = [Blocks(bits) for _ in range(3)]
    postfix = bits.number(2)
    distances = Distances(postfix, bits.number(4) << postfix, last)
    modes = [bits.number(2) for _ in range(blocks[LITERAL].types)]
    contexts, literal_codes = _read_map(bits, 64 * blocks[LITERAL].types)
    far, distance_codes = _read_map(bits, 4 * blocks[DISTANCE].types)
    literals = [prefix_code.read(bits, 256) for _ in range(literal_codes)]
    commands = [prefix_code.read(bits, 704) for _ in range(blocks[COMMAND].types)]
    codes = [prefix_code.read(bits, distances.alphabet) for _ in range(distance_codes)]
    while len(out) < end:
        symbol = commands[blocks[COMMAND].next()].read(bits)
        insert, copy = (8 * cell + low for cell, low in zip(_CELLS[symbol >> 6], (symbol >> 3 & 7, symbol & 7)))
        count, length = (base + bits.number(more) for base, more in (INSERTS[insert], COPIES[copy]))
        if count > end - len(out):
            raise Refused("more literals than the meta-block has bytes")
        for _ in range(count):
            kind = blocks[LITERAL].next()
            around = (out[-1] if out else 0, out[-2] if len(out) > 1 else 0)
            out.append(literals[contexts[64 * kind + context(modes[kind], *around)]].read(bits))
        if len(out) == end:
            break
        code = extra = 0
        if symbol >= 128:
            code = codes[far[4 * blocks[DISTANCE].next() + min(length, 5) - 2]].read(bits)
            extra = bits.number(distances.size(code))
        _copy(out, length, distances, code, extra, window)
    if len(out) > end:
        raise Refused("a copy that goes beyond its meta-block")
    return distances.last


def compress(data):
    """Window 16 bits; each piece of up to 65,536 bytes is an uncompressed meta-block; then the empty last one."""
    out = Writer()
    out.put(0, 1)
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        nibbles = max(((len(piece) - 1).bit_length() + 3) // 4, 4)
        out.put(0, 1), out.put(nibbles - 4, 2), out.put(len(piece) - 1, 4 * nibbles), out.put(1, 1)
        out.align()
        out.append(piece)
    out.put(0b11, 2)
    return out.bytes()


def metadata(data):
    """A stream of one meta-block of up to 256 bytes of metadata, which do not belong to the image, and the empty last one."""
    bits = 0 | 0 << 1 | 0b11 << 2 | 0 << 4 | 1 << 5 | len(data) - 1 << 7
    return bits.to_bytes(2, "little") + data + b"\3"


def decompress(cursor):
    """The image of a stream; only few words of the static dictionary are supported."""
    bits, out, distances = Reader(cursor), bytearray(), FIRST_DISTANCES
    window = (1 << _window_bits(bits)) - 16
    while True:
        last = bits.number(1)
        if last and bits.number(1):
            _align(bits, "bits of the empty last meta-block")
            return bytes(out)
        nibbles = bits.number(2)
        if nibbles == 3:
            if bits.number(1):
                raise Refused("a reserved bit")
            width = bits.number(2)
            size = bits.number(8 * width) + 1 if width else 0
            if width > 1 and size - 1 < 1 << 8 * (width - 1):
                raise Refused("a size of metadata that is too long")
            _align(bits, "bits of a meta-block of metadata")
            cursor.take(size, "metadata")
            bits = Reader(cursor)
            continue
        size = bits.number(4 * (nibbles + 4)) + 1
        if nibbles and size - 1 < 1 << 4 * (nibbles + 3):
            raise Refused("a size of a meta-block that is too long")
        if not last and bits.number(1):
            _align(bits, "bits of a meta-block that is not compressed")
            out += cursor.take(size, counted(size, "byte"))
            bits = Reader(cursor)
            continue
        distances = decode(bits, size, out, distances, window)
        if last:
            _align(bits, "bits of compressed meta-blocks")
            return bytes(out)


def _align(bits, what):
    if bits.take(what):
        raise Refused("bits at the end of a byte that are not 0")


def _window_bits(bits):
    if not bits.number(1):
        return 16
    if size := bits.number(3):
        return 17 + size
    size = bits.number(3)
    if size == 1:
        raise Refused("a window of a size that is reserved")
    return 8 + size if size else 17
