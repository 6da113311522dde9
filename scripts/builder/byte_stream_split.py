"""BYTE_STREAM_SPLIT (Encodings.md): the k-th byte of every value, stream after stream."""

from . import plain


def encode(kind, items):
    """For the types of fixed width except INT96 and BOOLEAN."""
    data = [plain.value(kind, item) for item in items]
    return b"".join(bytes(column) for column in zip(*data))
