"""Values that are stored once, and take work in each row."""

from builder.codec.compression import zstd
from builder.codec.file import Chunk
from builder.codec.metadata import RLE_DICTIONARY, ZSTD
from builder.codec.pages import V1, Dictionary
from builder.expect.places import S
from builder.recipes.variant.variants import Pair, plain


def short(data):
    """A frame in which the bytes at the end that are equal are one block."""
    count = len(data) - len(data.rstrip(data[-1:]))
    return zstd.frame(zstd.block(data[:-count], last=False), zstd.repeated(data[-1], count), content_size=len(data))


def under_other_names(rows):
    """A VARIANT with one value of 60 KB in all rows, which is judged anew under the metadata of each row."""
    values = [Pair({"b": "x" * 60_000}, names=["b", f"a{row}"]) for row in range(rows)]
    return plain(values,
                 {"v.value": Chunk([Dictionary([values[0].value.data]), V1(encoding=RLE_DICTIONARY)], codec=ZSTD, compress=short)})


class Overdone(S):
    """The first column chunk, as a struct. The values may take 4 MiB, and 16 times the bytes of the file; the chunks are read before, and once more for them."""

    def __init__(self):
        super().__init__("row_groups[0].columns[0]")

    def keys(self, built):
        span = built.spans[self.path]
        most, (chunks,) = (4 << 20) + 16 * len(built.data), built.chunks
        work = 2 * sum(page.body + len(page.stored) - page.offset for chunk in chunks for page in chunk.pages)
        while work <= most:
            work += len(chunks[1].pages[0].image.data) - 4
        return {**super().keys(built), "length": span.end - span.value, "found": f"{work} bytes of values of VARIANT", "expected": str(most)}


def witnesses(c):
    c.rule("limit/work")
    c.fail("a value of 60 KB in 100 rows, each of which has a metadata of its own", under_other_names(100), Overdone(), rows=None)
    c.ok("a value of 60 KB in 20 rows, each of which has a metadata of its own", under_other_names(20), rows=None)
