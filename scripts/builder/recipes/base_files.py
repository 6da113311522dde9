"""The small conforming files that most recipes start from, and shared constants."""

from builder.codec.file import Chunk, File
from builder.codec.metadata import BYTE_ARRAY, INT32, LIST, RLE_DICTIONARY
from builder.codec.pages import V1, V2
from builder.codec.schema import list_of, optional, required

#: Paths in the footer: the first row group, its first column chunk, and the metadata of that.
GROUP = "row_groups[0]"
COLUMN = f"{GROUP}.columns[0]"
META = f"{COLUMN}.meta_data"
#: Places of pages (row group, leaf, ordinal) and of structures of the first column chunk.
FIRST, SECOND = (0, 0, 0), (0, 0, 1)
INDEX = {"index": "column_index", "chunk": (0, 0)}
BLOOM = {"index": "bloom_filter_header", "chunk": (0, 0)}
#: Common parts of recipes: both versions of data pages, a page of dictionary indices, the annotations of a LIST, a column order.
BOTH = (("v1", V1), ("v2", V2))
CODED = V1(encoding=RLE_DICTIONARY)
LISTED = {"converted_type": LIST, "logicalType": {"LIST": {}}}
IEEE = [{"IEEE_754_TOTAL_ORDER": {}}]
NAN = float("nan")
#: The profile for a file that only an old edition allows.
HISTORICAL = {"profile": "historical"}


def column(node, values, chunk=None, **more):
    """One column of these values."""
    return File([node], [{node.name: value} for value in values], chunk, **more)


def flat(chunk=None, n=3, **more):
    """One required INT32 column `a` of 1 to n."""
    return column(required("a", INT32), range(1, n + 1), chunk, **more)


def strings(chunk=None, items=(b"x", b"yy", b"zzz"), **more):
    """One required BYTE_ARRAY column `s`."""
    return column(required("s", BYTE_ARRAY), items, chunk, **more)


def nullable(chunk=None, items=(1, None, 3), **more):
    """One optional INT32 column `o`."""
    return column(optional("o", INT32), items, chunk, **more)


def two(chunks=None, **more):
    """Two required INT32 columns `a` and `b` of three rows."""
    return File([required("a", INT32), required("b", INT32)], [{"a": i, "b": 10 * i} for i in (1, 2, 3)], chunks, **more)


def row(items):
    """One row of a `lists` file: None, or the elements."""
    return {"l": None if items is None else {"list": [{"e": item} for item in items]}}


LISTS = ([1, 2], [], None, [3, None])


def lists(chunk=None, items=LISTS, **more):
    """One optional LIST column `l` of optional INT32: maximum definition level 3, repetition level 1."""
    return File([list_of("l", optional("e", INT32))], [row(one) for one in items], chunk, **more)


def chunk(*pages, **more):
    return Chunk(list(pages) or None, **more)
