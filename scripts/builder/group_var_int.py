"""GROUP_VAR_INT of 2013: groups of four 32-bit or five 64-bit numbers behind a selector of their lengths."""


def _body(number, bits):
    number &= (1 << bits) - 1
    return number.to_bytes(max((number.bit_length() + 7) // 8, 1), "little")


def encode32(items):
    """Groups of 4: one selector byte, 2 bits a number from the top, each the length less 1; the last group is filled with 0."""
    items, out = list(items) + [0] * (-len(items) % 4), b""
    for at in range(0, len(items), 4):
        bodies = [_body(item, 32) for item in items[at:at + 4]]
        out += bytes([sum(len(body) - 1 << 6 - 2 * i for i, body in enumerate(bodies))]) + b"".join(bodies)
    return out


def encode64(items, byteorder="big"):
    """Groups of 5: two selector bytes, the top bit unused, 3 bits a number from the top."""
    items, out = list(items) + [0] * (-len(items) % 5), b""
    for at in range(0, len(items), 5):
        bodies = [_body(item, 64) for item in items[at:at + 5]]
        selector = sum(len(body) - 1 << 12 - 3 * i for i, body in enumerate(bodies))
        out += selector.to_bytes(2, byteorder) + b"".join(bodies)
    return out
