"""BROTLI: an RFC 7932 stream of uncompressed meta-blocks."""


def compress(data):
    """Window 16 bits; each piece of up to 65,536 bytes is an uncompressed meta-block; then the empty last one."""
    out, bits, count = bytearray(), 0, 1
    for at in range(0, len(data), 65536):
        piece = data[at:at + 65536]
        bits |= (len(piece) - 1) << count + 3 | 1 << count + 19
        count += 20
        out += bits.to_bytes((count + 7) // 8, "little") + piece
        bits = count = 0
    bits |= 0b11 << count
    return bytes(out) + bits.to_bytes((count + 2 + 7) // 8, "little")
