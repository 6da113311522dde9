"""BIT_PACKED levels (Encodings.md, BIT_PACKED): fixed width, from the highest bit downwards, no length."""


def encode(items, width):
    """ceil(n * width / 8) bytes, padding zero."""
    bits = 0
    for item in items:
        bits = bits << width | item
    spare = -len(items) * width % 8
    return (bits << spare).to_bytes((len(items) * width + 7) // 8, "big")
