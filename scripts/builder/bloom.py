"""The split block bloom filter (BloomFilter.md)."""

import struct

from . import plain
from .checksums import xxh64

_SALT = (0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D, 0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31)


def bitset(kind, items, blocks=1):
    """The bitset of `blocks` blocks of 32 bytes over the values."""
    words = [[0] * 8 for _ in range(blocks)]
    for item in items:
        h = xxh64(plain.bare(kind, item))
        block = words[(h >> 32) * blocks >> 32]
        for i, salt in enumerate(_SALT):
            block[i] |= 1 << (((h & 0xFFFFFFFF) * salt & 0xFFFFFFFF) >> 27)
    return b"".join(struct.pack("<8I", *block) for block in words)


def header(size):
    """The values of a BloomFilterHeader for a bitset of that many bytes."""
    return {"numBytes": size, "algorithm": {"BLOCK": {}}, "hash": {"XXHASH": {}}, "compression": {"UNCOMPRESSED": {}}}
