"""A small file whose check takes some time."""
import pathlib
import zlib

from builder.codec.file import Chunk
from builder.codec.metadata import GZIP
from builder.codec.pages import V1
from builder.recipes.base_files import strings


def gzip(data):
    deflate = zlib.compressobj(wbits=31)
    return deflate.compress(data) + deflate.flush()


def long_file(folder, pages):
    """A small file that takes some time: pages of one value, which is 4 MiB of zeros under GZIP."""
    value = bytes(4 << 20)
    image = len(value).to_bytes(4, "little") + value
    stored = gzip(image)
    chunk = Chunk([V1(count=1, values=image, stored=stored) for _ in range(pages)], codec=GZIP)
    path = pathlib.Path(folder) / "long.parquet"
    path.write_bytes(strings(chunk, [b""] * pages).build().data)
    return str(path)
