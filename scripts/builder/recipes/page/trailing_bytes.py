"""Bytes after the last value, and sections without values, in the encodings with an end."""

from builder.codec import delta
from builder.codec.metadata import (BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY,
                                    FLOAT, INT32, INT64)
from builder.codec.pages import V1, V2
from builder.codec.schema import optional
from builder.codec.thrift import uleb
from builder.expect.losses import lost
from builder.expect.places import Body
from builder.recipes.base_files import chunk, column, flat
from builder.recipes.values.delta_headers import FIRST, integers
from builder.recipes.values.group_var_int import HISTORICAL, groups


def witnesses(c):
    after = Body(FIRST, "values.x.end")
    c.rule("page/trailing-bytes")
    c.fail("a block after the header of a single INT32 value", integers(delta.binary_packed((7,)).named("x") + b"\0\0\0\0\0", (7,)), after)
    wave = (0, 2, 1, 3)
    for kind, bits, page, about in ((INT32, 32, V1, "INT32, v1"), (INT64, 64, V2, "INT64, v2")):
        stream = delta.binary_packed(wave, bits).named("x")
        c.fail(f"a body for each miniblock without values: {about}", integers(stream + bytes(24), wave, kind, page), after,
               lost=[lost("page", 0, 0, 0)])
        c.fail(f"a byte after the last miniblock: {about}", integers(stream + b"\0", wave, kind, page), after)
    c.fail("a byte after the last group of GROUP_VAR_INT", groups((1, 2, 3, 4), values=b"\0\1\2\3\4\0"), Body(FIRST, "values", plus=5), **HISTORICAL)
    for page, header in ((V1, "data_page_header"), (V2, "data_page_header_v2")):
        two = {f"{header}.num_values": 2, **({"data_page_header_v2.num_rows": 2} if page is V2 else {})}
        agree = {"edits": {"num_rows": 2}, "footer": {"num_rows": 2}} if page is V1 else {}
        meta = {"num_values": 2} if page is V1 else None
        c.fail(f"a {'v1' if page is V1 else 'v2'} page counts two of its three values", flat(chunk(page(header=two), meta=meta), **agree),
               Body(FIRST, "values", plus=8), rows=None)
    c.ok("a single INT32 value is a header alone", integers(None, (7,)))
    c.ok("nothing after the last miniblock", integers(None, wave))

    c.rule("page/zero-values-section")
    intact = Body(FIRST, "values")
    one = delta.binary_packed((0,))
    cases = (("DELTA_BINARY_PACKED: a stream of one value", INT32, DELTA_BINARY_PACKED, one),
             ("DELTA_BINARY_PACKED: a byte after the header", INT64, DELTA_BINARY_PACKED, delta.binary_packed(()) + b"\0"),
             ("DELTA_BINARY_PACKED: a block size of 8", INT32, DELTA_BINARY_PACKED, delta.binary_packed((), head={"size": uleb(8)})),
             ("DELTA_LENGTH_BYTE_ARRAY: a length", BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, one),
             ("DELTA_BYTE_ARRAY: one header instead of two", BYTE_ARRAY, DELTA_BYTE_ARRAY, delta.binary_packed(())),
             ("BYTE_STREAM_SPLIT: a value", FLOAT, BYTE_STREAM_SPLIT, bytes(4)))
    for about, kind, encoding, values in cases:
        c.fail(about, column(optional("x", kind), (None, None), chunk(V2(encoding=encoding, values=values))), intact)
    c.ok("BYTE_STREAM_SPLIT: an empty section", column(optional("x", FLOAT), (None, None), chunk(V1(encoding=BYTE_STREAM_SPLIT))))
