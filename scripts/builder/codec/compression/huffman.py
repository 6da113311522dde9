"""Huffman codes of Zstandard (RFC 8878, section 4.2): a code follows from the weights of its symbols."""

import heapq

from builder.codec.cursor import Cursor, Refused
from builder.codec.compression import fse
from builder.codec.compression.bits import Backward, Reader, Writer, backward

MOST_BITS = 11


def table(weights):
    """What each `bits` bits begin with, (symbol, size of its code), and `bits`; the weight of the last symbol is what the
    others leave."""
    total = sum(1 << weight - 1 for weight in weights if weight)
    bits = total.bit_length()
    rest = (1 << bits) - total
    if not total or rest & rest - 1 or bits > MOST_BITS:
        raise Refused("weights that make no code")
    weights = [*weights, rest.bit_length()]
    entries = []
    for weight in range(1, bits + 1):
        for symbol, own in enumerate(weights):
            entries += [(symbol, bits + 1 - weight)] * (1 << weight - 1) if own == weight else []
    return entries, bits


def weights_of(data):
    """Weights of a good code for these bytes, that of the last symbol included."""
    counts = {byte: data.count(byte) for byte in set(data)}
    trees = [(count, byte, {byte: 0}) for byte, count in counts.items()]
    heapq.heapify(trees)
    while len(trees) > 1:
        (a, key, left), (b, _, right) = heapq.heappop(trees), heapq.heappop(trees)
        heapq.heappush(trees, (a + b, key, {byte: depth + 1 for byte, depth in (left | right).items()}))
    depths = trees[0][2]
    deepest = max(depths.values())
    assert 0 < deepest <= MOST_BITS
    return [deepest + 1 - depths[byte] if byte in depths else 0 for byte in range(max(depths) + 1)]


def direct(weights):
    """The description of a code: half a byte for each weight but the last."""
    stored = [*weights[:-1], 0]
    return bytes([127 + len(weights) - 1]) + bytes(a << 4 | b for a, b in zip(stored[0:len(weights) - 1:2], stored[1::2]))


def by_states(weights, chances, accuracy):
    """The description of a code whose weights are a stream of two alternating states; `chances` are those of each weight."""
    stored, out = weights[:-1], Writer()
    states = fse.build(chances, accuracy)
    fse.write(out, chances, accuracy)
    first, second = fse.states_of(stored[0::2], states), fse.states_of(stored[1::2], states)
    numbers = [(first[0], accuracy), (second[0], accuracy)]
    for at in range(len(stored) - 2):
        mine = (first, second)[at % 2]
        numbers.append(fse.between(states, mine[at // 2], mine[at // 2 + 1]))
    data = out.bytes() + backward(numbers)
    assert len(data) < 128
    return bytes([len(data)]) + data


def read_weights(cursor):
    """The weights but the last, of either description."""
    head = cursor.number(1, "description of the code")
    if head > 127:
        cursor.say(f"{head - 127} weights, each half a byte")
        data = cursor.take((head - 126) // 2, "weights")
        return [weight for byte in data for weight in (byte >> 4, byte & 15)][:head - 127]
    cursor.say(f"weights in {head} bytes, as states")
    inner = Cursor(cursor.take(head, "table, and stream of weights"))
    bits = Reader(inner)
    states = fse.read(bits, 6, 255)
    bits.take("table")
    stream, weights = Backward(inner.take(inner.left, "stream of weights")), []
    accuracy = len(states).bit_length() - 1
    now, other = stream.number(accuracy), stream.number(accuracy)
    if stream.left < 0:
        raise Refused("a stream of weights without two states")
    while len(weights) < 255:
        symbol, size, plus = states[now]
        weights.append(symbol)
        if stream.left < size:
            return [*weights, states[other][0]]
        now, other = other, plus + stream.number(size)
    raise Refused("more than 255 weights")


def encode(data, weights):
    """The stream of these bytes."""
    entries, bits = table(weights[:-1])
    first = {}
    for at, (symbol, size) in enumerate(entries):
        first.setdefault(symbol, (at >> bits - size, size))
    return backward([first[byte] for byte in data])


def decode(data, code, count):
    """The `count` bytes of a stream."""
    (entries, bits), stream, out = code, Backward(data), bytearray()
    for _ in range(count):
        symbol, size = entries[stream.peek(bits)]
        stream.skip(size)
        out.append(symbol)
    if stream.left:
        raise Refused(f"{count} literals end {abs(stream.left)} bits " + ("behind" if stream.left < 0 else "before") + " their stream")
    return bytes(out)
