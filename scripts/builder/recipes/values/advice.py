"""Advice about encodings and sizes: columns that take fewer bytes in another encoding, and their neighbours, where too little is saved.

The bytes in another encoding are those of the same column, built in it."""

import hashlib
import math
import struct

from builder.codec.compression import zstd
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, BYTE_STREAM_SPLIT, DELTA_BINARY_PACKED, DELTA_BYTE_ARRAY, DELTA_LENGTH_BYTE_ARRAY, DOUBLE,
                                    ENUMERATORS, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32, INT64, PLAIN, RLE, RLE_DICTIONARY, ZSTD)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.expect.places import S, V
from builder.recipes.base_files import GROUP, META, chunk, column

N = 4000
SORTED = [1_700_000_000_000 + 37 * i + i * i % 29 for i in range(N)]
MIXED = [int.from_bytes(hashlib.sha256(b"%d" % i).digest()[:8], "little", signed=True) for i in range(16_000)]  # without any order
FEW = [MIXED[i * i % 7] for i in range(N)]
FIELD = f"{META}.encodings"


def bytes_of(file):
    """The bytes of the pages of the only column."""
    return sum(len(page.header_bytes) + len(page.stored) for group in file.build().chunks for page in group[0].pages)


def noun(encoding):
    return "bytes as " + ENUMERATORS["Encoding"][encoding]


def about(number):
    """Two significant digits."""
    unit = 10 ** max(0, int(math.log10(number)) - 1)
    return round(number / unit) * unit


def better(c, what, node, values, now, then):
    """A column with pages of `now` that takes fewer bytes with pages of `then`; each is its encoding and its pages."""
    file, other = column(node, values, chunk(*now[1])), column(node, values, chunk(*then[1]))
    saved = 1 - bytes_of(other) / bytes_of(file)
    assert saved > 0.2, (what, saved)
    c.fail(what, file, V(FIELD), found=f"{bytes_of(file)} {noun(now[0])}", expected=f"{about(bytes_of(other))} {noun(then[0])}")


def pages(encoding, page=V1):
    return encoding, (page(encoding=encoding, crc=True),)


def indexed(values, page=V1):
    return RLE_DICTIONARY, (Dictionary(list(dict.fromkeys(values)), crc=True), page(encoding=RLE_DICTIONARY, crc=True))


#: Values of 4 KB, three of which cannot be compressed.
WIDE = [struct.pack("<512q", *MIXED[512 * i:512 * i + 512]) if i < 3 else bytes(4096) for i in range(400)]


def frame(data):
    """The first 12 KB as they are; the others are zeros."""
    most, end = 128 * 1024, len(data)
    starts = range(3 * 4096, end, most)
    zeros = [zstd.repeated(0, min(most, end - at), last=at == starts[-1]) for at in starts]
    return zstd.frame(zstd.block(data[:3 * 4096], last=False), *zeros, content_size=end)


def wide(count):
    return column(required("s", FIXED_LEN_BYTE_ARRAY, type_length=4096), WIDE[:count], Chunk([V1()], codec=ZSTD, compress=frame))


def witnesses(c):
    integers(c)
    strings(c)
    repeats(c)
    numbers(c)
    booleans(c)
    fallbacks(c)
    sizes(c)


def integers(c):
    c.rule("delta-binary-packed/smaller")
    better(c, "sorted INT64 values are PLAIN", required("x", INT64), SORTED, pages(PLAIN), pages(DELTA_BINARY_PACKED))
    better(c, "the same in a v2 page", required("x", INT64), SORTED, pages(PLAIN, V2), pages(DELTA_BINARY_PACKED, V2))
    better(c, "sorted INT32 values with a dictionary", required("x", INT32), range(N), indexed(range(N)), pages(DELTA_BINARY_PACKED))
    better(c, "sorted values with nulls", optional("x", INT64), [None if i % 5 == 0 else SORTED[i] for i in range(N)],
           pages(PLAIN), pages(DELTA_BINARY_PACKED))
    c.ok("sorted values are DELTA_BINARY_PACKED", column(required("x", INT64), SORTED, chunk(*pages(DELTA_BINARY_PACKED)[1])))
    c.ok("values without order are PLAIN", column(required("x", INT64), MIXED, chunk(*pages(PLAIN)[1])))
    c.ok("1,000 sorted values: less than 8 KB would be saved", column(required("x", INT64), SORTED[:1000], chunk(*pages(PLAIN)[1])))


def strings(c):
    prefixed = [b"https://example.com/items/%08d" % (97 * i) for i in range(1000)]
    short = [struct.pack("<Q", MIXED[i] % 2**64)[:1 + i % 5] for i in range(N)]
    c.rule("delta-byte-array/smaller")
    better(c, "sorted byte arrays with a common prefix are PLAIN", required("s", BYTE_ARRAY), prefixed, pages(PLAIN), pages(DELTA_BYTE_ARRAY))
    fixed = [one[-16:] for one in prefixed]
    better(c, "FIXED_LEN_BYTE_ARRAY values with a common prefix are PLAIN", required("s", FIXED_LEN_BYTE_ARRAY, type_length=16), fixed,
           pages(PLAIN), pages(DELTA_BYTE_ARRAY))
    c.ok("they are DELTA_BYTE_ARRAY", column(required("s", BYTE_ARRAY), prefixed, chunk(*pages(DELTA_BYTE_ARRAY)[1])))

    c.rule("delta-length-byte-array/preferred")
    better(c, "short byte arrays are PLAIN", required("s", BYTE_ARRAY), short, pages(PLAIN), pages(DELTA_LENGTH_BYTE_ARRAY))
    better(c, "short byte arrays are PLAIN, in a v2 page", required("s", BYTE_ARRAY), short, pages(PLAIN, V2), pages(DELTA_LENGTH_BYTE_ARRAY, V2))
    c.ok("they are DELTA_LENGTH_BYTE_ARRAY", column(required("s", BYTE_ARRAY), short, chunk(*pages(DELTA_LENGTH_BYTE_ARRAY)[1])))
    c.ok("long byte arrays without a common prefix are PLAIN: little would be saved", column(
        required("s", BYTE_ARRAY), [struct.pack("<8q", *MIXED[i:i + 8]) for i in range(400)], chunk(*pages(PLAIN)[1])))


def repeats(c):
    c.rule("dictionary/smaller")
    better(c, "INT64 with 4 different values is PLAIN", required("x", INT64), FEW, pages(PLAIN), indexed(FEW))
    words = [b"%020d" % one for one in (value % 10**20 for value in FEW)]
    better(c, "BYTE_ARRAY with 4 different values is DELTA_LENGTH_BYTE_ARRAY", required("s", BYTE_ARRAY), words,
           pages(DELTA_LENGTH_BYTE_ARRAY), indexed(words))
    c.ok("it has a dictionary", column(required("x", INT64), FEW, chunk(*indexed(FEW)[1])))

    c.rule("plain/smaller")
    values = [one % 2**32 - 2**31 for one in MIXED[:8000]]
    better(c, "INT32 without repetition has a dictionary", required("x", INT32), values, indexed(values), pages(PLAIN))
    better(c, "INT32 without repetition has a dictionary, v2", required("x", INT32), values, indexed(values, V2), pages(PLAIN, V2))
    c.ok("it is PLAIN", column(required("x", INT32), values, chunk(*pages(PLAIN)[1])))


def numbers(c):
    c.rule("byte-stream-split/smaller")
    for name, kind, form, size in (("FLOAT", FLOAT, "<f", 4), ("DOUBLE", DOUBLE, "<d", 8)):
        # The two lowest bytes are random, and no codec makes them smaller; the others are equal, so they take nearly nothing.
        items = [struct.unpack(form, struct.pack("<H", MIXED[i] % 2**16) + struct.pack(form, 1.0)[2:])[0] for i in range(len(MIXED))]
        plain = column(required("x", kind), items, Chunk([V1()], codec=GZIP))
        c.fail(f"{name} values with equal high bytes are PLAIN, under GZIP", plain, V(FIELD), found=f"{bytes_of(plain)} {noun(PLAIN)}",
               expected=f"{about(2 * len(items))} {noun(BYTE_STREAM_SPLIT)}")
        c.ok(f"the same {name} values without compression, which BYTE_STREAM_SPLIT needs", column(required("x", kind), items, Chunk([V1()])))


def booleans(c):
    runs = [i // 20_000 % 2 == 1 for i in range(140_000)]
    c.rule("rle/smaller")
    for page, version, more in ((V1, "v1", {}), (V2, "v2", {"is_compressed": False})):
        better(c, f"booleans in long runs are PLAIN, {version}", required("b", BOOLEAN), runs,
               (PLAIN, [page(20_000, crc=True) for _ in range(7)]), (RLE, [page(20_000, encoding=RLE, crc=True, **more) for _ in range(7)]))
    c.ok("they are RLE", column(required("b", BOOLEAN), runs, chunk(*(V1(20_000, encoding=RLE) for _ in range(7)))))
    c.ok("booleans without runs are PLAIN", column(required("b", BOOLEAN), [MIXED[i % 7919] >> i % 61 & 1 == 1 for i in range(100_000)]))


def fallbacks(c):
    values = [one % 2**32 - 2**31 for one in MIXED]
    first = values[:8000]
    c.rule("dictionary/fallback")
    for page, version in ((V1, "v1"), (V2, "v2")):
        file = column(required("x", INT32), values, chunk(Dictionary(first), page(8000, encoding=RLE_DICTIONARY), page(8000)))
        with_dictionary = column(required("x", INT32), first, chunk(Dictionary(first), page(8000, encoding=RLE_DICTIONARY)))
        c.fail(f"the dictionary of values without repetition is given up, {version}", file, V(FIELD),
               found=f"{bytes_of(with_dictionary)} {noun(RLE_DICTIONARY)}", expected=f"{about(4 * len(first))} {noun(PLAIN)}")
    few = FEW[:2000] + MIXED[:3000]
    c.ok("the dictionary of values that repeat is given up", column(
        required("x", INT64), few, chunk(Dictionary(list(dict.fromkeys(FEW))), V1(2000, encoding=RLE_DICTIONARY), V1(3000))))
    c.ok("the values have no dictionary", column(required("x", INT32), values))


def sizes(c):
    c.rule("page/size")
    for page, version in ((V1, "v1"), (V2, "v2")):
        c.fail(f"600 pages of ten values, {version}", column(required("x", INT32), range(6000), chunk(*(page(10) for _ in range(600)))),
               V(f"{META}.total_uncompressed_size"), found="40 bytes", tier="pages")
    c.fail("a page of 1.6 MB, under ZSTD", wide(400), V(f"{META}.total_uncompressed_size"), found=f"{400 * len(WIDE[0])} bytes", tier="pages")
    c.ok("40 pages of ten values: their headers have less than 8 KB", column(required("x", INT32), range(400), chunk(*(V1(10) for _ in range(40)))))
    c.ok("a page of 1 MB, under ZSTD", wide(256))
    c.ok("a page of 1.6 MB has 50 values", column(required("s", FIXED_LEN_BYTE_ARRAY, type_length=32768), [bytes(32768)] * 50,
                                                   Chunk([V1()], codec=ZSTD, compress=frame)))

    def groups(*counts):
        return File([required("a", INT32)], groups=[Group([{"a": i} for i in range(count)]) for count in counts])
    c.rule("row-group/size")
    for about_it, counts in (("two row groups", (N * 4, N)), ("three row groups", (N * 2, N * 2, N * 2))):
        c.fail(f"{about_it} of some thousand values", groups(*counts), S(GROUP), found=f"{bytes_of(groups(counts[0]))} bytes", tier="pages")
    c.ok("one row group", groups(N * 5))
    c.ok("two row groups in less than 64 KB", groups(N, N))
