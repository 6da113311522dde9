"""File frame and regions: magic, footer length, and the places of structures (README.md, File format)."""

import struct

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, DROP, INT32, PLAIN, RLE_DICTIONARY, edit, make
from builder.codec.pages import V1
from builder.codec.schema import required
from builder.codec.thrift import write
from builder.expect.places import S, V, At
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, META, column, flat, two

EMPTY_GROUP = Also("schema/empty-group", V("schema[0].num_children"), "the smallest footer has a root without children")
#: Bytes of a value that make a file of one column 512 bytes long.
PADDED = 377


def smallest():
    """26 bytes: no column, no row group, a root without a name."""
    return File([], groups=[], footer={"schema": [{"name": "", "num_children": 0}], "created_by": DROP})


def encrypted_footer(built):
    """The same rows with an encrypted footer: FileCryptoMetaData, then a module without its key."""
    crypto = write(make("FileCryptoMetaData", {"encryption_algorithm": {"AES_GCM_V1": {"aad_file_unique": b"12345678"}}}))[0]
    footer = crypto + struct.pack("<I", 60) + bytes(range(60))
    return built.data[:built.footer_start] + footer + struct.pack("<I", len(footer)) + b"PARE"


def module(size):
    """Bytes in the form of a GCM module: length, nonce, ciphertext, tag. Modules of different sizes have different nonces."""
    return struct.pack("<I", size) + bytes((7 * i + size) % 251 for i in range(size))


def indexed(**edits):
    """One column with an offset index, and edits to its ColumnChunk."""
    return flat(Chunk(offset_index=True, column=edits or None))


def witnesses(c):
    frame(c)
    encryption(c)
    inside(c)
    between(c)
    unreferenced(c)


def frame(c):
    c.rule("file/min-size")
    c.fail("the smallest file has lost its first byte", smallest(), At(0), data=lambda b: b.data[1:])
    c.fail("a file without any byte", smallest(), At(0), data=lambda b: b"")
    c.fail("two magic strings around a length of zero", smallest(), At(0), data=lambda b: b"PAR1\0\0\0\0PAR1")
    c.ok("26 bytes, the smallest file there is", smallest(), EMPTY_GROUP)

    c.rule("file/head-magic")
    c.fail("the head magic is PAR0", flat(head=b"PAR0"), At(0))
    c.fail("the head magic is four zero bytes", flat(head=b"\0\0\0\0"), At(0))
    c.ok("the head magic is PAR1", flat())

    c.rule("file/tail-magic")
    c.fail("the tail magic is PAR3, of no edition", flat(tail=b"PAR3"), At(lambda b: len(b.data) - 4))
    c.fail("a line feed follows the tail magic", flat(tail=b"PAR1\n"), At(lambda b: len(b.data) - 4))
    long = column(required("a", INT32), range(1000))
    c.fail("a file that was cut off at 4,096 bytes", long, At(4092), data=lambda b: b.data[:4096], rows=None)
    c.fail("a file that was cut off at 512 bytes", long, At(508), data=lambda b: b.data[:512], rows=None)
    c.fail("bytes that are no known kind of file", flat(), At(96), data=lambda b: bytes(range(128, 228)))
    c.ok("the tail magic is PAR1", flat())
    c.ok("a whole file of 512 bytes", column(required("a", BYTE_ARRAY), [bytes(PADDED)]))

    c.rule("file/magic-agree")
    c.fail("PARE at the head, PAR1 at the tail", flat(head=b"PARE"), At(0))
    c.fail("PAR1 at the head, PARE at the tail", flat(), At(0),
           Also("file/encrypted-footer", At(lambda b: len(encrypted_footer(b)) - 4), "the tail decides how the footer is read"),
           data=encrypted_footer, rows=None)
    c.ok("PAR1 at both ends", flat())

    c.rule("file/footer-length")
    c.fail("the footer length is 0", flat(footer_length=0), At(lambda b: len(b.data) - 8))
    c.fail("the footer length is one byte more than there is after the head magic", File([], groups=[]),
           At(lambda b: len(b.data) - 8), data=lambda b: with_length(b, len(b.data) - 11))
    c.fail("the footer length is 2^32-1", flat(footer_length=0xFFFFFFFF), At(lambda b: len(b.data) - 8))
    c.fail("the footer length is big-endian", flat(), At(lambda b: len(b.data) - 8),
           data=lambda b: with_length(b, int.from_bytes(b.data[-8:-4], "big")))
    c.fail("the footer length is one less than the FileMetaData has bytes", flat(), At(lambda b: len(b.data) - 8),
           data=lambda b: with_length(b, len(b.data) - 9 - b.footer_start))
    c.fail("the footer length is 0, and there is no FileMetaData", flat(), At(lambda b: len(b.data) - 8), expected="1 to 126",
           data=lambda b: b.data[:b.footer_start] + bytes(len(b.data) - 4 - b.footer_start) + b"PAR1")
    c.fail("the footer length is 20, and the FileMetaData has more", flat(), At(lambda b: len(b.data) - 8),
           data=lambda b: with_length(b, 20))
    c.fail("the footer length counts itself and the magic", flat(), At(lambda b: len(b.data) - 8),
           data=lambda b: with_length(b, len(b.data) - b.footer_start))
    fields = bytes((3, 0x16, 0xD4, 8, 0, 0))  # field 11, an i8, and field 0, an empty binary
    c.fail("the footer length counts six bytes in front, which can be read as two unknown fields",
           column(required("a", BYTE_ARRAY), [fields]), At(lambda b: len(b.data) - 8),
           data=lambda b: with_length(b, len(b.data) - 2 - b.footer_start))
    c.ok("the footer begins right after the head magic", smallest(), EMPTY_GROUP)
    c.ok("bytes before the footer that parse as two unknown fields", column(required("a", BYTE_ARRAY), [fields]))

    first = column(required("a", BYTE_ARRAY), [bytes(200)]).build().data
    c.rule("file/joined", found=str(len(first)))
    c.fail("a file of two columns after a file of one", two(), At(len(first)), data=lambda b: first + b.data, rows=None)
    c.fail("a file of three columns after a file of one", File([required("a", INT32), required("b", INT32), required("c", INT32)],
           [{"a": 1, "b": 2, "c": 3}]), At(len(first)), data=lambda b: first + b.data, rows=None)
    c.ok("the bytes of a tail and a head in a value", column(required("a", BYTE_ARRAY), [b"PAR1PAR1"]))


def with_length(built, length):
    return built.data[:-8] + struct.pack("<I", length) + built.data[-4:]


def encryption(c):
    c.rule("file/encrypted-footer")
    c.fail("the footer is encrypted", flat(head=b"PARE"), At(lambda b: len(encrypted_footer(b)) - 4), data=encrypted_footer)
    c.ok("the footer is in the clear", flat())

    c.rule("file/encrypted-column")
    page = V1(header_bytes=module(50), stored=module(40))
    crypto = {"crypto_metadata": {"ENCRYPTION_WITH_FOOTER_KEY": {}}, "encrypted_column_metadata": module(70)}
    c.fail("the first column is encrypted with the footer key, the footer is in the clear and signed",
           two([Chunk([page], column=crypto), None], edits={"ordinal": 0}, footer_tail=bytes(range(28)),
               footer={"encryption_algorithm": {"AES_GCM_V1": {"aad_file_unique": b"12345678"}}}),
           V(COLUMN + ".crypto_metadata"))
    c.ok("neither column is encrypted", two())


def inside(c):
    c.rule("file/region-inside")
    c.fail("the data pages begin at byte 3, inside the head magic", flat(Chunk([], entries=[], meta={
        "num_values": 3, "encodings": [PLAIN], "total_uncompressed_size": 40, "total_compressed_size": 40,
        "data_page_offset": 3}), edits={"total_byte_size": 40}, before_footer=bytes(40)), V(META + ".data_page_offset"))
    c.fail("the data pages begin in the middle of the footer", File([required("a", INT32)], [{"a": 1}], Chunk([], entries=[], meta={
        "num_values": 1, "encodings": [PLAIN], "total_uncompressed_size": 20, "total_compressed_size": 20,
        "data_page_offset": 50}), edits={"total_byte_size": 20}, before_footer=bytes(20)), V(META + ".data_page_offset"))
    c.fail("the dictionary page begins at byte 3", flat(Chunk([], entries=[], meta={
        "num_values": 3, "encodings": [PLAIN, RLE_DICTIONARY], "total_uncompressed_size": 40, "total_compressed_size": 40,
        "data_page_offset": 30, "dictionary_page_offset": 3}), edits={"total_byte_size": 40}, before_footer=bytes(40)),
        V(META + ".dictionary_page_offset"))
    c.fail("the offset index begins at byte 3",
           flat(Chunk(column={"offset_index_offset": 3, "offset_index_length": 11})), V(COLUMN + ".offset_index_offset"))
    c.fail("the offset index has a negative length", flat(footer=at_end("offset_index", -1)),
           V(COLUMN + ".offset_index_length"))
    c.fail("the offset index reaches into the footer", flat(footer=at_end("offset_index", 1)), V(COLUMN + ".offset_index_length"))
    ordered = {"column_orders": True}
    c.fail("the column index begins at byte 3",
           flat(Chunk(offset_index=True, column={"column_index_offset": 3, "column_index_length": 11}), **ordered),
           V(COLUMN + ".column_index_offset"))
    c.fail("the column index has a negative length",
           flat(Chunk(offset_index=True), footer=at_end("column_index", -1), **ordered), V(COLUMN + ".column_index_length"))
    c.fail("the column index reaches into the footer",
           flat(Chunk(offset_index=True), footer=at_end("column_index", 1), **ordered), V(COLUMN + ".column_index_length"))
    c.fail("the bloom filter begins at byte 3", flat(Chunk(meta={"bloom_filter_offset": 3, "bloom_filter_length": 47})),
           V(META + ".bloom_filter_offset"))
    c.fail("the bloom filter begins at byte 3, its length is not stated", flat(Chunk(meta={"bloom_filter_offset": 3})),
           V(META + ".bloom_filter_offset"), Also("bloom-filter/length-absent", S(META, field="meta_data.bloom_filter_length"), "the length is left out"))
    c.fail("the bloom filter has a negative length", flat(footer=at_end("meta_data.bloom_filter", -1)),
           V(META + ".bloom_filter_length"))
    c.fail("the bloom filter reaches into the footer", flat(footer=at_end("meta_data.bloom_filter", 1)),
           V(META + ".bloom_filter_length"))
    c.fail("the stated size of the chunk is larger than the file; at tier footer",
           flat(Chunk(meta={"total_compressed_size": 1000})), V(META + ".total_compressed_size"), tier="footer")
    c.ok("the chunk begins at byte 4, right after the head magic", flat())
    c.ok("the offset index ends right before the footer", indexed())
    c.ok("column index, offset index and Bloom filter are before the footer",
         flat(Chunk(column_index=True, offset_index=True, bloom=True), column_orders=True))


def at_end(name, length):
    """Edits a region without bytes into the footer: it begins where the footer does and has this length."""
    def change(footer):
        column = footer.at(COLUMN)
        start = column.at("meta_data.data_page_offset") + column.at("meta_data.total_compressed_size")
        if column.field("offset_index_length"):
            start += column.at("offset_index_length")
        edit(column, {f"{name}_offset": start, f"{name}_length": length})
    return change


def between(c):
    B = "row_groups[0].columns[1]"
    c.rule("file/regions-disjoint")
    c.fail("the chunk of the second column begins inside that of the first; at tier footer",
           two([None, Chunk(meta={"data_page_offset": 10})]), V(B + ".meta_data.data_page_offset"), tier="footer")
    c.fail("an offset index begins inside the chunk; at tier footer",
           flat(Chunk(column={"offset_index_offset": 10, "offset_index_length": 11})), V(COLUMN + ".offset_index_offset"),
           tier="footer")
    c.fail("a column index begins inside the chunk; at tier footer",
           flat(Chunk(offset_index=True, column={"column_index_offset": 10, "column_index_length": 5}), column_orders=True),
           V(COLUMN + ".column_index_offset"), tier="footer")
    c.fail("a bloom filter begins inside the chunk; at tier footer",
           flat(Chunk(meta={"bloom_filter_offset": 10, "bloom_filter_length": 11})), V(META + ".bloom_filter_offset"),
           tier="footer")
    c.ok("the second chunk begins where the first ends", two(), tier="footer")
    c.ok("the offset index begins where the chunk ends", indexed())

    c.rule("file/region-shared")
    same = File([required("a", INT32), required("b", INT32)], [{"a": i, "b": i} for i in (1, 2, 3)],
                [None, Chunk(shares=(0, 0))])
    c.fail("both columns have the same chunk", same, V(B + ".meta_data.data_page_offset"))

    def share(name):
        """An edit of the footer: the second column gets the index of the first."""
        names = (name + "_offset", name + "_length")
        return lambda footer: edit(footer.at(B), {one: footer.at(COLUMN).at(one) for one in names})

    c.fail("both columns have the same column index, each a chunk and an offset index of its own",
           File([required("a", INT32), required("b", INT32)], [{"a": i, "b": i} for i in (1, 2, 3)],
                [Chunk(column_index=True, offset_index=True), Chunk(offset_index=True)], footer=share("column_index"),
                column_orders=True), V(B + ".column_index_offset"))
    c.fail("two chunks without pages have the same offset index",
           File([required("a", INT32), required("b", INT32)], [], [Chunk([], offset_index=True), Chunk([])], footer=share("offset_index")),
           V(B + ".offset_index_offset"),
           Also("row-group/empty", V("row_groups[0].num_rows"), "only chunks without values can share an offset index"))
    c.ok("equal chunks, each with bytes of its own",
         File([required("a", INT32), required("b", INT32)], [{"a": i, "b": i} for i in (1, 2, 3)],
              [Chunk(offset_index=True), Chunk(offset_index=True)]))

    c.rule("file/layout-order")
    c.fail("the chunk of the second column is before that of the first", two(order=[(0, 1), (0, 0)]),
           V(B + ".meta_data.data_page_offset"))
    groups = [Group([{"a": 1}]), Group([{"a": 2}])]
    c.fail("the second row group is before the first", File([required("a", INT32)], groups=groups, order=[(1, 0), (0, 0)]),
           V("row_groups[1].columns[0].meta_data.data_page_offset"))
    c.ok("chunks are in the order of the columns", two())

    c.rule("file/no-row-groups")
    c.fail("no row group at all", File([required("a", INT32)], groups=[]), V("row_groups"))
    c.ok("one row group", flat())


def unreferenced(c):
    for rule, fill in (("file/unreferenced-bytes", b"\0\x2a"), ("file/unreferenced-zero-bytes", b"\0\0")):
        c.rule(rule, length=2)
        c.fail("two unreferenced bytes before the first chunk", flat(Chunk(before=fill)), At(4))
        c.fail("two unreferenced bytes between two chunks", two([Chunk(after=fill), None]),
               At(lambda b: b.chunks[0][0].end))
        c.fail("two unreferenced bytes before the footer", flat(before_footer=fill), At(lambda b: b.footer_start - 2))
        c.ok("every byte is referenced", two([Chunk(offset_index=True), None]))
    c.rule("file/unreferenced-bytes")
    c.ok("a copy of the ColumnMetaData after the chunk is referenced by file_offset", flat(Chunk(copy=True)))
    empty = Also("row-group/empty", V("row_groups[0].num_rows"), "without values there are no rows")
    c.ok("a Bloom filter belongs to a chunk without pages", flat(Chunk([], bloom=True), n=0), empty)
    c.ok("copies of the ColumnMetaData of two chunks without pages, where the pages would be",
         File([required("a", INT32), required("b", INT32)], [], [Chunk([], copy=True, column={"file_offset": 0})] * 2), empty)
