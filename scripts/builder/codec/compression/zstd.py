"""ZSTD (RFC 8878): a decoder of frames, and frames of raw and RLE blocks."""

import struct

from builder.codec import checksums
from builder.codec.compression import fse, huffman
from builder.codec.compression.bits import Backward, Reader
from builder.codec.cursor import Refused, counted, repeat


LENGTHS = [(code, 0) for code in range(16)] + [
    (16, 1), (18, 1), (20, 1), (22, 1), (24, 2), (28, 2), (32, 3), (40, 3), (48, 4), (64, 6)] + [(1 << size, size) for size in range(7, 17)]
MATCHES = [(code + 3, 0) for code in range(32)] + [
    (35, 1), (37, 1), (39, 1), (41, 1), (43, 2), (47, 2), (51, 3), (59, 3), (67, 4), (83, 4), (99, 5)] + [((1 << size) + 3, size) for size in range(7, 17)]
OFFSETS = [(1 << size, size) for size in range(32)]


class Kind:
    """One of the three numbers of a sequence: the baselines and extra bits of its codes, and its tables."""

    def __init__(self, name, codes, most_accuracy, accuracy, chances):
        self.name, self.codes, self.most_accuracy, self.common = name, codes, most_accuracy, fse.build(chances, accuracy)

LITERAL = Kind("literal lengths", LENGTHS, 9, 6, [4, 3] + [2] * 11 + [1] * 3 + [2] * 9 + [3, 2] + [1] * 5 + [-1] * 4)
OFFSET = Kind("offsets", OFFSETS, 8, 5, [1] * 6 + [2] * 3 + [1] * 15 + [-1] * 5)
MATCH = Kind("match lengths", MATCHES, 9, 6, [1, 4, 3] + [2] * 6 + [1] * 37 + [-1] * 7)
KINDS = (LITERAL, OFFSET, MATCH)  # in the order of their tables in a block


def _literals(cursor, state):
    head = cursor.number(1, "literals")
    kind, form = head & 3, head >> 2 & 3
    if kind < 2:
        size, shift = {0: (0, 3), 1: (1, 4), 2: (0, 3), 3: (2, 4)}[form]
        count = (head | (cursor.number(size, "more of their number") << 8 if size else 0)) >> shift
        cursor.say(counted(count, "literal") + (", one byte" if kind else ""))
        return cursor.take(1, "literal") * count if kind else cursor.take(count, "literals")
    bits = (10, 10, 14, 18)[form]
    head |= cursor.number(2 + max(form - 1, 0), "more of their numbers") << 8
    count, size, end = head >> 4 & (1 << bits) - 1, head >> 4 + bits, cursor.end
    cursor.say(f"{counted(count, 'literal')} in {counted(size, 'byte')}")
    if size > cursor.left:
        cursor.take(size, "literals")
    cursor.end = cursor.at + size
    if kind == 2:
        state.code = huffman.table(huffman.read_weights(cursor))
    elif not state.code:
        raise Refused("literals in the code of a block before, which has none")
    if form == 0:
        out = huffman.decode(cursor.take(cursor.left, "stream of literals"), state.code, count)
    else:
        sizes = [cursor.number(2, "size of a stream") for _ in range(3)]
        share, out = (count + 3) // 4, b""
        if 3 * share > count:
            raise Refused(f"{count} literals in four streams")
        for at in range(4):
            data = cursor.take(sizes[at] if at < 3 else cursor.left, f"stream {at + 1} of literals")
            out += huffman.decode(data, state.code, share if at < 3 else count - 3 * share)
    cursor.end = end
    return out


class State:
    """State from one block to the next: the code of literals, the tables, the last three offsets."""

    def __init__(self):
        self.code, self.tables, self.offsets = None, [None] * 3, [1, 4, 8]


def _tables(cursor, state):
    modes = cursor.number(1, "modes of the tables")
    if modes & 3:
        raise Refused("reserved bits of the modes")
    for at, kind in enumerate(KINDS):
        mode = modes >> 6 - 2 * at & 3
        if mode == 0:
            state.tables[at] = kind.common
        elif mode == 1:
            state.tables[at] = [(cursor.number(1, f"the one code of {kind.name}"), 0, 0)]
        elif mode == 2:
            bits = Reader(cursor)
            state.tables[at] = fse.read(bits, kind.most_accuracy, len(kind.codes) - 1)
            bits.take(f"table of {kind.name}")
        if not state.tables[at]:
            raise Refused(f"the table of {kind.name} of a block before, which has none")
        if max(code for code, _, _ in state.tables[at]) >= len(kind.codes):
            raise Refused(f"a code of {kind.name} that there is not")


def _offset(state, value, no_literals):
    if value > 3:
        state.offsets = [value - 3, *state.offsets[:2]]
        return value - 3
    value += no_literals
    if value == 4:
        state.offsets = [state.offsets[0] - 1, *state.offsets[:2]]
    else:
        state.offsets.insert(0, state.offsets.pop(value - 1))
    return state.offsets[0]


def decode(cursor, length, out, state):
    """Appends the image of a compressed block of so many bytes."""
    end = cursor.end
    if length > cursor.left:
        cursor.take(length, "compressed block")
    cursor.end = cursor.at + length
    literals = _literals(cursor, state)
    count = cursor.number(1, "sequences")
    if count == 255:
        count = 0x7F00 + cursor.number(2, "more of their number")
    elif count > 127:
        count = (count - 128 << 8) + cursor.number(1, "more of their number")
    cursor.say(f"sequences {count}")
    if count:
        _tables(cursor, state)
        stream = Backward(cursor.take(cursor.left, "bits of the sequences"))
        now = [stream.number(len(table).bit_length() - 1) for table in state.tables]
        for index in range(count):
            numbers = [0, 0, 0]
            for at in (1, 2, 0):
                base, size = KINDS[at].codes[state.tables[at][now[at]][0]]
                numbers[at] = base + stream.number(size)
            if index + 1 < count:
                for at in (0, 2, 1):
                    _, size, plus = state.tables[at][now[at]]
                    now[at] = plus + stream.number(size)
            if stream.left < 0 or numbers[0] > len(literals):
                raise Refused("a sequence without its bits or literals")
            out += literals[:numbers[0]]
            literals = literals[numbers[0]:]
            repeat(out, _offset(state, numbers[1], numbers[0] == 0), numbers[2])
        if stream.left:
            raise Refused("bits after the last sequence")
    elif cursor.left:
        raise Refused("bytes after an empty list of sequences")
    out += literals
    cursor.end = end


def block(data, last=True, size=None):
    """A raw block."""
    return ((len(data) if size is None else size) << 3 | last).to_bytes(3, "little") + data


def repeated(byte, count, last=True):
    """A block that repeats one byte."""
    return (count << 3 | 2 | last).to_bytes(3, "little") + bytes([byte])


def frame(*blocks, content_size=None, window=(0, 0)):
    """A frame: a single segment of `content_size` bytes, or without a size a window of 2^(10 + n) bytes and some eighths."""
    if content_size is None:
        head = bytes([0, window[0] << 3 | window[1]])
    elif content_size < 256:
        head = bytes([0x20, content_size])
    elif content_size < 65792:
        head = b"\x60" + struct.pack("<H", content_size - 256)
    else:
        head = b"\xa0" + struct.pack("<I", content_size)
    return b"\x28\xb5\x2f\xfd" + head + b"".join(blocks)


def skippable(data, kind=0):
    """A skippable frame."""
    return struct.pack("<II", 0x184D2A50 + kind, len(data)) + data


def compress(data):
    """One frame of one raw block, for up to 128 KiB."""
    return frame(block(data), content_size=len(data))


def decompress(cursor):
    """The image of all frames; bytes after them are not consumed."""
    out = None
    while cursor.left >= 4:
        magic = int.from_bytes(cursor.data[cursor.at:cursor.at + 4], "little")
        if magic & ~0xF == 0x184D2A50:
            cursor.take(4, "magic number of a skippable frame")
            cursor.take(cursor.number(4, "size"), "skippable frame")
            out = b"" if out is None else out
        elif magic == 0xFD2FB528:
            out = (out or b"") + _frame(cursor)
        else:
            break
    if out is None:
        raise Refused("no frame")
    return out


def _frame(cursor):
    cursor.take(4, "magic number")
    flags = cursor.number(1, "flags")
    if flags & 8:
        raise Refused("the reserved bit of the frame header")
    single = flags >> 5 & 1
    window = 0 if single else cursor.number(1, "window")
    if flags & 3 and cursor.number((0, 1, 2, 4)[flags & 3], "dictionary id"):
        raise Refused("a dictionary, which no page has")
    size_bytes = (single, 2, 4, 8)[flags >> 6]
    size = cursor.number(size_bytes, "size of the image") + (256 if size_bytes == 2 else 0) if size_bytes else None
    window = size if single else (8 + (window & 7)) << 7 + (window >> 3)
    out, last, state = bytearray(), 0, State()
    while not last:
        head = cursor.number(3, "block")
        last, kind, length = head & 1, head >> 1 & 3, head >> 3
        words = ("raw", "repeated byte", "compressed", "reserved")[kind]
        cursor.say(f"block, {words}, {length}" + (", the last" if last else ""))
        if kind == 3:
            raise Refused("a block of the reserved type")
        before, most = len(out), min(window, 1 << 17)
        if kind == 2:
            decode(cursor, length, out, state)
        else:
            out += cursor.take(length, "bytes") if kind == 0 else cursor.take(1, "byte") * length
        if max(length, len(out) - before) > most:
            raise Refused(f"a block of more than {most} bytes")
    if flags & 4 and cursor.number(4, "checksum") != checksums.xxh64(bytes(out)) & 0xFFFFFFFF:
        raise Refused("another checksum than that of the image")
    if size is not None and size != len(out):
        raise Refused(f"{len(out)} bytes instead of {size}")
    return bytes(out)
