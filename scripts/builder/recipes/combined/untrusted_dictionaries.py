"""Dictionary pages with a wrong crc, whose entries are no evidence of other faults (README.md, Checksumming)."""

from builder.codec import bloom
from builder.codec.metadata import BYTE_ARRAY, INT32, RLE_DICTIONARY, UTF8
from builder.codec.pages import V1, Dictionary
from builder.codec.schema import required
from builder.expect.places import V
from builder.recipes.base_files import FIRST, chunk, column, flat
from builder.recipes.geo.geometries import node


def coded(entries, **more):
    return chunk(Dictionary(entries, crc=1), V1(encoding=RLE_DICTIONARY), **more)


def of_another_value(bits):
    bits[:] = bloom.bitset(INT32, [-1], len(bits) // bloom.BLOCK)


def witnesses(c):
    c.rule("crc/match")
    crc = V("crc", page=FIRST)
    text = required("s", BYTE_ARRAY, converted_type=UTF8, logicalType={"STRING": {}})
    c.fail("the crc of a dictionary page is 1, and the filter lacks its entries", flat(coded([1, 2, 3], bloom=True, bits=of_another_value)), crc, rows=None)
    c.fail("the crc of a dictionary page is 1, and an entry is not UTF-8", column(text, [b"\xff"], coded([b"\xff"])), crc, rows=None)
    c.fail("the crc of a dictionary page is 1, and an entry is no WKB", column(node(make=required), [b"\1"], coded([b"\1"])), crc, rows=None)
