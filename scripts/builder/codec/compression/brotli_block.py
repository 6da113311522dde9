"""Compressed meta-blocks of Brotli (RFC 7932, sections 4 to 7 and 9): commands, each some literals and a copy."""

from builder.codec.cursor import Refused, repeat
from builder.codec.compression import prefix_code


def _ranges(first, sizes):
    """[(least number, bits behind the code)] of codes whose extra bits these are."""
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

# Contexts of text: what the last byte is, and what the one before is.
_ONE = ([0] * 9 + [4, 4, 0, 0, 4] + [0] * 18 + [8, 12, 16, 12, 12, 20, 12, 16, 24, 28, 12, 12, 32, 12, 36, 12] + [44] * 10 + [32, 32, 24, 40, 28, 12, 12]
        + [48 if letter in "aeiou" else 52 for letter in "abcdefghijklmnopqrstuvwxyz"] + [24, 12, 28, 12, 12, 12]
        + [56 if letter in "aeiou" else 60 for letter in "abcdefghijklmnopqrstuvwxyz"] + [24, 12, 28, 12, 0] + [0, 1] * 32 + [2, 3] * 32)
_TWO = [0] * 33 + [1] * 15 + [2] * 10 + [1] * 7 + [2] * 26 + [1] * 6 + [3] * 26 + [1] * 4 + [0] * 97 + [2] * 32
_SIGN = [0] + [1] * 15 + [2] * 48 + [3] * 64 + [4] * 64 + [5] * 48 + [6] * 15 + [7]

_WORDS = {(4, 0): b"time", (4, 1): b"down", (4, 2): b"life"}  # of the static dictionary, those that vectors use
_INDEX_BITS = {4: 10}
_TRANSFORMS = {0: lambda word: word, 1: lambda word: word + b" ", 4: lambda word: word[:1].upper() + word[1:] + b" "}


def context(mode, last, before):
    """The context of a literal, 0 to 63, from the two bytes before it."""
    return (last & 63, last >> 2, _ONE[last] | _TWO[before], _SIGN[last] << 3 | _SIGN[before])[mode]


class Distances:
    """What the codes of distances mean: the last four, so many direct ones, and ranges whose lowest bits stand in the code."""

    def __init__(self, postfix, direct, last):
        self.postfix, self.direct, self.last = postfix, direct, last
        self.alphabet = 16 + direct + (48 << postfix)

    def size(self, code):
        """Bits behind the code."""
        return 0 if code < 16 + self.direct else 1 + (code - self.direct - 16 >> self.postfix + 1)

    def distance(self, code, extra):
        if code < 16:
            nth, plus = _LAST[code]
            return self.last[nth - 1] + plus
        if code < 16 + self.direct:
            return code - 15
        number, size = code - self.direct - 16, self.size(code)
        least = (2 + (number >> self.postfix & 1) << size) - 4
        return (least + extra << self.postfix) + (number & (1 << self.postfix) - 1) + self.direct + 1

    def code(self, distance):
        """(code, extra bits) of a distance that is none of the last."""
        for code in range(16, self.alphabet):
            least = self.distance(code, 0)
            extra = distance - least >> self.postfix
            if distance >= least and extra < 1 << self.size(code) and self.distance(code, extra) == distance:
                return code, extra
        raise AssertionError(distance)


class Blocks:
    """Where the meta-block changes from one type of symbols to another."""

    def __init__(self, bits):
        self.bits, self.types = bits, _count(bits)
        self.type, self.before, self.left = 0, 1, 1 << 24
        if self.types > 1:
            self.type_code = prefix_code.read(bits, self.types + 2)
            self.count_code = prefix_code.read(bits, len(COUNTS))
            self.left = self._number()

    def _number(self):
        least, size = COUNTS[self.count_code.read(self.bits)]
        return least + self.bits.number(size)

    def next(self):
        """The type of the next symbol."""
        if not self.left:
            code = self.type_code.read(self.bits)
            self.before, self.type = self.type, (self.before if code == 0 else (self.type + 1) % self.types if code == 1 else code - 2)
            self.left = self._number()
        self.left -= 1
        return self.type


def _count(bits):
    """1 to 256: of types, or of codes."""
    if not bits.number(1):
        return 1
    size = bits.number(3)
    return 1 + (1 << size) + bits.number(size)


def _put_count(out, count):
    out.put(count > 1, 1)
    if count > 1:
        size = (count - 1).bit_length() - 1
        out.put(size, 3), out.put(count - 1 - (1 << size), size)


def _read_map(bits, size):
    """Which code each context has, and how many codes there are."""
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


def _put_map(out, contexts, longest=0, moved=False):
    codes = max(contexts) + 1
    _put_count(out, codes)
    if codes == 1:
        return
    out.put(longest > 0, 1)
    if longest:
        out.put(longest - 1, 4)
    if moved:
        order, contexts = list(range(256)), list(contexts)
        for at, index in enumerate(contexts):
            contexts[at] = order.index(index)
            order.insert(0, order.pop(contexts[at]))
    symbols, at = [], 0
    while at < len(contexts):
        zeros = next((i for i in range(at, len(contexts)) if contexts[i]), len(contexts)) - at
        size = min(zeros.bit_length() - 1, longest)
        if size > 0:
            run = min(zeros, (2 << size) - 1)
            symbols.append((size, run - (1 << size), size))
            at += run
        else:
            symbols.append((contexts[at] and contexts[at] + longest, 0, 0))
            at += 1
    code = prefix_code.fair({symbol for symbol, _, _ in symbols})
    prefix_code.put(out, code, codes + longest)
    for symbol, extra, size in symbols:
        code.put(out, symbol)
        out.put(extra, size)
    out.put(moved, 1)


class Command:
    """Literals, then a copy: from so far back, from one of the last distances ("last", code), or, with no distance, from the
    last one without a code of its own. The last command of a meta-block, without a distance, is its literals alone. Of a copy
    that is to be `refused`, zeros stand for the image."""

    def __init__(self, literals, copy=2, distance=None, refused=False):
        self.literals, self.copy, self.distance, self.refused = literals, copy, distance, refused


class Layout:
    """How a meta-block writes its commands. `switches` are, for each kind of symbol, (type, how many symbols) one behind the
    other; `contexts` are the codes of literals by type and context, and `modes` the mode of each type; `far` the codes of distances.
    `describe` says how a code is described."""

    def __init__(self, postfix=0, direct=0, switches=(None, None, None), modes=(LOW,), contexts=None, far=None, longest=0, moved=False,
                 literal_codes=None, describe=prefix_code.put):
        self.postfix, self.direct, self.switches, self.modes = postfix, direct, switches, modes
        self.contexts, self.far = contexts or [0] * 64 * len(modes), far
        self.longest, self.moved, self.literal_codes, self.describe = longest, moved, literal_codes, describe


def write(out, commands, layout, image, last):
    """A meta-block behind its header; `image` is what was before, and the image of the meta-block is put behind it; `last` are
    the last four distances. Returns the last four behind it."""
    distances = Distances(layout.postfix, layout.direct, last)
    symbols = []  # (kind, which of its codes, symbol, extra bits, their size); a change of type has no code, extra bits alone no kind
    types = [_Types(switches) for switches in layout.switches]
    far = layout.far or [0] * 4 * types[DISTANCE].count

    def put(kind, tree_of, symbol, extra=0, size=0):
        if types[kind].left == 0:
            symbols.append((kind, None, *types[kind].change()))
        types[kind].left -= 1
        symbols.append((kind, tree_of(types[kind].type), symbol, extra, size))

    for command in commands:
        insert = max(code for code, (least, _) in enumerate(INSERTS) if least <= len(command.literals))
        copy = max(code for code, (least, _) in enumerate(COPIES) if least <= command.copy)
        ends = command is commands[-1] and command.distance is None
        implied = command.distance is None and not ends
        cell = next(at for at, cell in enumerate(_CELLS) if cell == (insert >> 3, copy >> 3) and (at < 2) == implied)
        put(COMMAND, lambda kind: kind, cell << 6 | (insert & 7) << 3 | copy & 7)
        for number, (least, size) in ((len(command.literals), INSERTS[insert]), (command.copy, COPIES[copy])):
            symbols.append((None, None, None, number - least, size))
        for byte in command.literals:
            around = (image[-1] if image else 0, image[-2] if len(image) > 1 else 0)
            put(LITERAL, lambda kind: layout.contexts[64 * kind + context(layout.modes[kind], *around)], byte)
            image.append(byte)
        if ends:
            break
        code, extra = (0, 0) if implied else (command.distance[1], 0) if isinstance(command.distance, tuple) else distances.code(command.distance)
        if not implied:
            put(DISTANCE, lambda kind: far[4 * kind + min(command.copy, 5) - 2], code, extra, distances.size(code))
        if command.refused:
            image += bytes(command.copy)
        else:
            _copy(image, command.copy, distances, code, extra, 1 << 24)

    for kind in range(3):
        types[kind].describe(out)
    out.put(layout.postfix, 2), out.put(layout.direct >> layout.postfix, 4)
    for mode in layout.modes:
        out.put(mode, 2)
    _put_map(out, layout.contexts, layout.longest, layout.moved)
    _put_map(out, far)
    trees = (max(layout.contexts) + 1, types[COMMAND].count, max(far) + 1)
    codes = []
    for kind, (count, alphabet) in enumerate(zip(trees, (256, 704, distances.alphabet))):
        used = [{symbol for own, tree, symbol, _, _ in symbols if own == kind and tree == at} for at in range(count)]
        codes.append([prefix_code.fair(some or {0}) for some in used])
        if kind == LITERAL and layout.literal_codes:
            codes[kind] = layout.literal_codes
        for code in codes[kind]:
            layout.describe(out, code, alphabet)
    for kind, tree, symbol, extra, size in symbols:
        if kind is None:
            out.put(extra, size)
        elif tree is None:
            types[kind].put(out, symbol, extra)
        else:
            codes[kind][tree].put(out, symbol)
            out.put(extra, size)
    return distances.last


class _Types:
    """The types of one kind of symbol, as a writer goes through them."""

    def __init__(self, switches):
        self.switches = list(switches or [])
        self.count = max((kind for kind, _ in self.switches), default=0) + 1
        self.type, self.left, self.at = 0, self.switches[0][1] if self.switches else -1, 0
        if self.switches:
            self.count = max(self.count, 2)

    def change(self):
        before = self.switches[self.at - 1][0] if self.at else 1
        self.at += 1
        kind, self.left = self.switches[self.at]
        code = 0 if kind == before else 1 if kind == (self.type + 1) % self.count else kind + 2
        self.type = kind
        return code, self.left, 0

    def describe(self, out):
        _put_count(out, self.count)
        if self.count > 1:
            self.type_code = prefix_code.fair(range(self.count + 2))
            self.count_code = prefix_code.fair({self._code(count) for _, count in self.switches})
            prefix_code.put(out, self.type_code, self.count + 2)
            prefix_code.put(out, self.count_code, len(COUNTS))
            self._put_number(out, self.switches[0][1])

    @staticmethod
    def _code(count):
        return max(code for code, (least, _) in enumerate(COUNTS) if least <= count)

    def _put_number(self, out, count):
        least, size = COUNTS[self._code(count)]
        self.count_code.put(out, self._code(count))
        out.put(count - least, size)

    def put(self, out, code, count):
        self.type_code.put(out, code)
        self._put_number(out, count)


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
    """Appends the image of a meta-block of so many bytes, read behind its header. `last` are the last four distances; returns
    the last four behind it."""
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
        count, length = (least + bits.number(more) for least, more in (INSERTS[insert], COPIES[copy]))
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
