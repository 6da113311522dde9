"""Bloom filters (BloomFilter.md): the hashed bytes of a value, and the block and bits of a hash."""

from builder.codec import bloom
from builder.codec.metadata import BYTE_ARRAY, DOUBLE, DROP, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96
from builder.vectors.golden import Filters, written

HASH, BLOCK = "parquet.thrift#BloomFilterHash", "BloomFilter.md#technical-approach"
WORDS = [b"hello", b"parquet", b"bloom", b"filter"]
#: Their filter of one block, computed independently of this program.
BITS = "0400b000000a4010010540008000083020028004002020881001005002100808"
TIME = lambda day: bytes(8) + day.to_bytes(4, "little")
KINDS = (("int32", INT32, None, [0, 1, -1, 2147483647, -2147483648], [2, 16777216]),
         ("int64", INT64, None, [0, 1, -1, 2**63 - 1, -2**63], [2, 2**56]),
         ("int96", INT96, None, [TIME(2440588), TIME(2440589), bytes(12)], [TIME(2440590)]),
         ("float", FLOAT, None, [0.0, 1.5, b"\0\0\xc0\x7f", float("inf")], [-0.0, b"\1\0\xc0\x7f"]),
         ("double", DOUBLE, None, [0.0, 0.1, bytes(6) + b"\xf8\x7f", float("-inf")], [-0.0, b"\1" + bytes(5) + b"\xf8\x7f"]),
         ("byte-array", BYTE_ARRAY, None, [b"", b"a", b"\0", bytes(range(31)), bytes(range(32)), bytes(range(100))], [b"b", b"\1\0\0\0a"]),
         ("fixed-1", FIXED_LEN_BYTE_ARRAY, 1, [b"\0", b"\x80"], [b"\1"]),
         ("fixed-16", FIXED_LEN_BYTE_ARRAY, 16, [bytes(range(16)), b"\xff" * 16], [bytes(16)]))


def vectors():
    v = Filters()
    v.of(HASH)
    for name, kind, length, inserted, others in KINDS:
        v.filter(f"bloom-hash-{name}", kind, 4, inserted, others, length,
                 note="The PLAIN bytes of a value are hashed, those of a byte array without the length word.")
    v.filter("bloom-hash-decimal-forms", BYTE_ARRAY, 4, [b"\1"], [b"\0\1"],
             note="As decimals both are 1: the bytes are hashed, not the numbers.")
    v.of(BLOCK)
    assert bloom.bitset(BYTE_ARRAY, WORDS).hex() == BITS
    v.filter("bloom-words-hello", BYTE_ARRAY, 1, WORDS, [b"Hello", b"hello "])
    v.filter("bloom-one-value", INT32, 1, [1], [2, 3, 4], note="One bit in each word, the words little-endian.")
    for word in range(8):
        lacks = lambda bits, word=word: bloom.change(bits, [bloom.bits_of_value(BYTE_ARRAY, b"hello")[word]], False)
        v.filter(f"bloom-lacks-word-{word}", BYTE_ARRAY, 1, WORDS, change=lacks, note=f"The bit of `hello` in word {word} is not set.")
    for blocks in (2, 3, 7, 64):
        v.filter(f"bloom-blocks-{blocks}", INT64, blocks, [10**k for k in range(4 * min(blocks, 4))], range(1000, 1010),
                 note="The upper half of the hash, times the number of blocks, chooses the block by its own upper half.")
    v.filter("bloom-bits-none", INT32, 2, [], [0, 1, 2])
    v.filter("bloom-bits-lost", INT32, 2, [0, 1, 2], change=lambda bits: bits.__setitem__(slice(None), bytes(len(bits))),
             bugs="BloomEmpty", note="No bit is set, so a reader skips the row groups that have these values.")
    v.filter("bloom-bits-all", INT32, 2, [], [0, 1, 2], change=lambda bits: bits.__setitem__(slice(None), b"\xff" * len(bits)))
    v.filter("bloom-blocks-other-bits", INT64, 2, [1], [2], change=lambda bits: bits.__setitem__(slice(None), bits[32:] + bits[:32]),
             note="The blocks are exchanged, so each value is looked up in the wrong one.")
    sizes(v)
    return [v]


def sizes(v):
    v.of("parquet.thrift#BloomFilterHeader")
    for size in (0, -32, 16, 33):
        v.reject(f"bloom-size-{str(size).replace('-', 'minus-')}", written(size) + bytes(32), "bloom-filter/num-bytes", 1)
    v.reject("bloom-size-beyond", written(64) + bytes(32), "bloom-filter/num-bytes", 1, note="The bitset ends too early.")
    v.reject("bloom-header-size-absent", written(32, {"numBytes": DROP}) + bytes(32), "thrift/required-field", 0)
    v.reject("bloom-header-cut", written(32)[:6], "thrift/stop-byte", 6)
