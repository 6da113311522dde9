"""Ceilings that a caller sets; they say nothing about the file."""

from ..bases import chunk, column, flat
from ..compression import zstd
from ..metadata import INT32, RLE_DICTIONARY, ZSTD
from ..pages import Dictionary, V1, V2
from ..schema import required
from ..witness import V

SIZE = V("uncompressed_page_size", page=(0, 0, 0))


def packed(n):
    """A page of n zeros in ten bytes or a few more."""
    return column(required("a", INT32), [0] * n,
                  chunk(V1(), codec=ZSTD, compress=lambda data: zstd.frame(zstd.repeated(0, len(data)), content_size=len(data))))


def witnesses(c):
    c.rule("limit/page-size")
    c.fail("a v1 page that expands from 10 bytes to 12, the ceiling is 11", packed(3), SIZE, options={"max_page": 11})
    c.fail("a v2 page of 12 bytes, the ceiling is 11", flat(chunk(V2())), SIZE, options={"max_page": 11})
    c.fail("a dictionary page of 12 bytes, the ceiling is 11", flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY))), SIZE,
           options={"max_page": 11})
    c.ok("a v1 page that expands from 10 bytes to 12, the ceiling is 12", packed(3), options={"max_page": 12})

    zeros = packed(25000)
    c.rule("limit/memory")
    c.fail("a page of 100,000 bytes, the ceiling is 65,536", zeros, SIZE, options={"max_memory": 65536})
    c.ok("a page of 100,000 bytes, the ceiling is 64 MiB", zeros, options={"max_memory": 67108864})
