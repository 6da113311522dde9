"""Limits that a caller sets; they are no faults of the file."""

from builder.codec.compression import zstd
from builder.codec.file import File, Group
from builder.codec.metadata import DELTA_BINARY_PACKED, INT32, OPTIONAL, RLE_DICTIONARY, ZSTD
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import Node, optional, required
from builder.codec.thrift import uleb
from builder.expect.places import S, V, At, Body
from builder.recipes.base_files import chunk, column, flat

SIZE = V("uncompressed_page_size", page=(0, 0, 0))


def packed(n):
    """A page of n zeros in ten bytes or a few more."""
    return column(required("a", INT32), [0] * n,
                  chunk(V1(), codec=ZSTD, compress=lambda data: zstd.frame(zstd.repeated(0, len(data)), content_size=len(data))))


def constant(n, block, row_groups=1):
    """n zeros in DELTA_BINARY_PACKED, in each row group: one block of one miniblock, which takes no bits."""
    section = uleb(block) + uleb(1) + uleb(n) + bytes(3)
    page = V1(encoding=DELTA_BINARY_PACKED, values=section, header={"data_page_header.num_values": n})
    group = Group([{"a": 0}], chunk(page, meta={"num_values": n}), {"num_rows": n})
    return File([required("a", INT32)], groups=[group] * row_groups, footer={"num_rows": n * row_groups})


def nested(depth):
    """One leaf, `depth` nodes below the root."""
    node, row = optional("a", INT32), {"a": 1}
    for _ in range(depth - 1):
        node, row = Node("a", [node], OPTIONAL), {"a": row}
    return File([node], [row])


def witnesses(c):
    c.rule("limit/page-size", expected="11")
    c.fail("a v1 page that expands from 10 bytes to 12, the ceiling is 11", packed(3), SIZE, options={"max_page": 11})
    c.fail("a v2 page of 12 bytes, the ceiling is 11", flat(chunk(V2())), SIZE, options={"max_page": 11})
    c.fail("a dictionary page of 12 bytes, the ceiling is 11", flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY))), SIZE,
           options={"max_page": 11})
    c.ok("a v1 page that expands from 10 bytes to 12, the ceiling is 12", packed(3), options={"max_page": 12})

    zeros = packed(25000)
    c.rule("limit/memory", expected="65536")
    c.fail("a page of 100,000 bytes, the ceiling is 65,536", zeros, SIZE, options={"max_memory": 65536})
    c.ok("a page of 100,000 bytes, the ceiling is 64 MiB", zeros, options={"max_memory": 67108864})

    small = flat()
    length = len(small.build().data) - small.build().footer_start - 8
    c.rule("limit/footer-size")
    c.fail("the footer has a byte more than a quarter of the ceiling", small, At(lambda built: len(built.data) - 8), rows=None,
           options={"max_memory": 4 * (length - 1)}, found=str(length), expected=str(length - 1))
    c.ok("the footer has a quarter of the ceiling", small, options={"max_memory": 4 * length})

    c.rule("limit/schema-depth")
    c.fail("a leaf 1,001 nodes below the root", nested(1001), S("schema[1001]"), rows=None)
    c.ok("a leaf 1,000 nodes below the root", nested(1000))

    c.rule("limit/work")
    c.fail("2,147,483,521 values in one miniblock without bits", constant(2**31 - 127, 2**31 - 128), Body((0, 0, 0), "values"), rows=None)
    many = 2**22 + 1
    c.fail("16 row groups share what is free of charge, and each has 4,194,305 values without bits", constant(many, 2**22, 16),
           *(Body((group, 0, 0), "values") for group in range(16)), rows=None)
    c.ok("4,194,305 values in one miniblock without bits, in one row group", constant(many, 2**22), rows=None)
    c.ok("4,097 values in one miniblock without bits", constant(4097, 4096), rows=[{"a": 0}] * 4097)
