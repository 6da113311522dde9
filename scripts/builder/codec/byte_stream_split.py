"""BYTE_STREAM_SPLIT (Encodings.md): the k-th byte of every value, stream after stream."""

from builder.codec import plain
from builder.codec.cursor import Cursor, Refused


def encode(kind, items):
    """The streams of values of any fixed-width type except INT96 and BOOLEAN."""
    data = [plain.value(kind, item) for item in items]
    return b"".join(bytes(column) for column in zip(*data))


def decode(cursor, kind, count, type_length=None):
    """The values; every byte belongs to one, so the size has to match."""
    size = plain.width(kind, type_length)
    if cursor.left != count * size:
        raise Refused(f"{cursor.left} bytes for {count} values of {size}")
    streams = [cursor.take(count, f"byte {index} of every value") for index in range(size)]
    items = Cursor(bytes(byte for item in zip(*streams) for byte in item))
    return plain.decode(items, kind, count, type_length)
