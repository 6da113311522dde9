"""The split block bloom filter (BloomFilter.md)."""

import math
import struct

from builder.codec import plain
from builder.codec.checksums import xxh64

SALT = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)
BLOCK, WORD = 32, 4


def bits_of(h, blocks):
    """The eight bits of a hash in a filter of so many blocks, as (block, word, bit)."""
    block, low = (h >> 32) * blocks >> 32, h & 0xFFFFFFFF
    return [(block, i, (low * salt & 0xFFFFFFFF) >> 27) for i, salt in enumerate(SALT)]


def bits_of_value(kind, item, blocks=1):
    return bits_of(xxh64(plain.bare(kind, item)), blocks)


def offset(block, word):
    """The offset of a word in the bitset."""
    return BLOCK * block + WORD * word


def change(bitset, bits, on):
    """Sets or clears bits in a bytearray."""
    for block, word, bit in bits:
        at = offset(block, word) + bit // 8
        bitset[at] = bitset[at] | 1 << bit % 8 if on else bitset[at] & ~(1 << bit % 8)


def has(bitset, bit):
    block, word, number = bit
    return bool(bitset[offset(block, word) + number // 8] >> number % 8 & 1)


def filled(hashes, blocks=1):
    """The bitset of `blocks` blocks of 32 bytes with these hashes."""
    out = bytearray(BLOCK * blocks)
    for h in hashes:
        change(out, bits_of(h, blocks), True)
    return bytes(out)


def bitset(kind, items, blocks=1):
    """The same with the values."""
    return filled([xxh64(plain.bare(kind, item)) for item in items], blocks)


def fill(bits):
    """The fill of a bitset in words: the share of set bits, the estimated number of distinct values, and the rate of
    false positives."""
    words = struct.unpack(f"<{len(bits) // WORD}I", bits)
    counts = [word.bit_count() for word in words]
    blocks = len(bits) // BLOCK
    share = sum(counts) / (8 * len(bits))
    passing = sum(math.prod(counts[8 * i:8 * i + 8]) for i in range(blocks)) / 2 ** 40 / blocks
    values = blocks * math.log(max(1 - share, 0.5 / (8 * len(bits)))) / math.log(31 / 32)
    return f"{100 * share:.3g} %, as by about {values:.0f} distinct values; {100 * passing:.3g} % of absent values pass"


def header(size):
    """The values of a BloomFilterHeader for a bitset of that many bytes."""
    return {"numBytes": size, "algorithm": {"BLOCK": {}}, "hash": {"XXHASH": {}}, "compression": {"UNCOMPRESSED": {}}}
