"""BIT_PACKED levels (Encodings.md, BIT_PACKED): fixed width, from the highest bit downwards, no length."""

from builder.codec.cursor import counted


def encode(items, width):
    """ceil(n * width / 8) bytes, padding zero."""
    bits = 0
    for item in items:
        bits = bits << width | item
    spare = -len(items) * width % 8
    return (bits << spare).to_bytes((len(items) * width + 7) // 8, "big")


def decode(cursor, width, count):
    """`count` values; padding is skipped."""
    size = (count * width + 7) // 8
    data = cursor.take(size, f"{counted(count, 'level')} of {counted(width, 'bit')}, the first the highest")
    bits = int.from_bytes(data, "big") >> size * 8 - count * width
    return [bits >> (count - 1 - index) * width & (1 << width) - 1 for index in range(count)]
