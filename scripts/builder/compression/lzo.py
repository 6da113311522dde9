"""LZO: an LZO1X stream of literals alone, with its end marker."""


def compress(data):
    """The first run of literals (4 to 238 bytes in the first byte, else zeros and a rest), then the end marker."""
    size = len(data)
    if not size:
        head = b""
    elif size <= 238:
        head = bytes([size + 17])
    else:
        rest = size - 18
        head = b"\0" * (1 + (rest - 1) // 255) + bytes([(rest - 1) % 255 + 1])
    return head + data + b"\x11\0\0"
