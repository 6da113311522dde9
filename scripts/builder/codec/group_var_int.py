"""GROUP_VAR_INT of 2013: groups of four 32-bit or five 64-bit numbers after a selector of their lengths."""


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


def _decode(cursor, count, group, size, length_bits, number_bits, byteorder):
    items = []
    while len(items) < count:
        selector = int.from_bytes(cursor.take(size, "selector"), byteorder)
        lengths = [(selector >> (group - 1 - i) * length_bits & (1 << length_bits) - 1) + 1 for i in range(group)]
        cursor.say("selector of lengths " + " ".join(map(str, lengths)))
        for length in lengths:
            number = cursor.number(length, "padding" if len(items) >= count else f"value {len(items)}:")
            items.append(number - (1 << number_bits) if number >> number_bits - 1 else number)
    return items[:count]


def decode32(cursor, count):
    return _decode(cursor, count, 4, 1, 2, 32, "big")


def decode64(cursor, count, byteorder="big"):
    return _decode(cursor, count, 5, 2, 3, 64, byteorder)
