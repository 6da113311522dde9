"""Huffman codes of Zstandard (RFC 8878, section 4.2): a code follows from the weights of its symbols."""

from builder.codec.compression import fse
from builder.codec.compression.bits import Backward, Reader
from builder.codec.cursor import Cursor, Refused

MOST_BITS = 11


def table(weights):
    """The table from `bits` bits to (symbol, size of its code), and `bits`; the weight of the last symbol is the
    rest."""
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


def read_weights(cursor):
    """All weights except the last, from either description."""
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


def decode(data, code, count):
    """The `count` bytes of a stream."""
    (entries, bits), stream, out = code, Backward(data), bytearray()
    for _ in range(count):
        symbol, size = entries[stream.peek(bits)]
        stream.skip(size)
        out.append(symbol)
    if stream.left:
        raise Refused(f"{count} literals end {abs(stream.left)} bits " + ("after" if stream.left < 0 else "before") + " their stream")
    return bytes(out)
