"""The sections that contain delta streams: integer pages of both types and versions, and the streams of the byte array encodings."""

from builder.codec import delta
from builder.codec.marked import Marked
from builder.codec.metadata import (BYTE_ARRAY, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY,
                                    FIXED_LEN_BYTE_ARRAY, INT32, INT64)
from builder.codec.pages import V1, V2
from builder.codec.schema import optional, required
from builder.expect.places import Body
from builder.recipes.base_files import FIRST, chunk, column

NUMBERS = (0, 1, 3, 2, 5, 4)


def integers(stream, items, kind=INT32, page=V1, **more):
    """A required integer column of one DELTA_BINARY_PACKED page."""
    return column(required("i", kind), items, chunk(page(encoding=DELTA_BINARY_PACKED, values=stream), **more))


def sparse(stream, items, kind=INT32, page=V1):
    """An optional integer column of one DELTA_BINARY_PACKED page."""
    return column(optional("i", kind), items, chunk(page(encoding=DELTA_BINARY_PACKED, values=stream)))


def words(values, items, encoding, page=V1, **more):
    """A required BYTE_ARRAY column of one page."""
    return column(required("s", BYTE_ARRAY), items, chunk(page(encoding=encoding, values=values), **more))


def fixed(values, items, length, page=V1, encoding=DELTA_BYTE_ARRAY):
    """A required FIXED_LEN_BYTE_ARRAY column of one page."""
    return column(required("f", FIXED_LEN_BYTE_ARRAY, type_length=length), items, chunk(page(encoding=encoding, values=values)))


def of_lengths(lengths):
    """Byte arrays of these lengths with distinct first bytes."""
    return [bytes([97 + i % 26]) * length for i, length in enumerate(lengths)]


def of_prefixes(prefixes, length=None):
    """Byte arrays with these common prefixes: each with suffixes of six bytes, or of `length` bytes in all."""
    out, before = [], b""
    for i, prefix in enumerate(prefixes):
        rest = 6 if length is None else length - prefix
        before = before[:prefix] + bytes([65 + i % 26]) * rest
        out.append(before)
    return out


def sites(make, numbers=NUMBERS, tail=True, wide=True):
    """The same stream everywhere: (about, file, a function from its marks to places) each. `make` gets the numbers and the
    bits of their type; `tail` False leaves out the bytes after the stream. `wide` False leaves INT64 out."""
    def place(prefix):
        return lambda mark, plus=0, **more: Body(FIRST, f"{prefix}.{mark}" if mark else prefix, plus=plus, **more)

    for about, kind, bits, page in (("INT32, v1", INT32, 32, V1), ("INT32, v2", INT32, 32, V2), ("INT64, v1", INT64, 64, V1),
                                    ("INT64, v2", INT64, 64, V2)):
        if wide or kind == INT32:
            yield about, integers(make(numbers, bits), numbers, kind, page), place("values")
    stream = make(numbers, 32)
    items = of_lengths(numbers)
    data = b"".join(items) if tail else b""
    yield ("lengths of DELTA_LENGTH_BYTE_ARRAY", words(stream.named("lengths") + data, items, DELTA_LENGTH_BYTE_ARRAY),
           place("values.lengths"))
    none = delta.binary_packed([0] * len(items)).named("prefixes")
    yield ("suffix lengths of DELTA_BYTE_ARRAY", words(none + stream.named("lengths") + data, items, DELTA_BYTE_ARRAY, V2),
           place("values.lengths"))
    for about, length in (("BYTE_ARRAY", None), ("FIXED_LEN_BYTE_ARRAY", 6)):
        items = of_prefixes(numbers, length)
        suffixes = delta.length_byte_array([item[prefix:] for item, prefix in zip(items, numbers)]) if tail else Marked()
        values = stream.named("prefixes") + suffixes
        file = words(values, items, DELTA_BYTE_ARRAY) if length is None else fixed(values, items, length)
        yield f"prefix lengths of {about}", file, place("values.prefixes")


def everywhere(c, about, make, mark, numbers=NUMBERS, plus=0, also=(), times=None, **more):
    """A fail file for every site, with so many findings at the mark (None: the start of the stream)."""
    for site, file, place in sites(make, numbers, **more):
        c.fail(f"{about}: {site}", file, place(mark, plus, times=times), *also)


def shaped(**shape):
    """A maker of streams for `sites`."""
    return lambda numbers, bits: delta.binary_packed(numbers, bits, **shape)
