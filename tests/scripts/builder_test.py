"""The builder compared with constants of the specification and with libraries, and the committed corpus compared with the builder."""

import ctypes
import ctypes.util
import hashlib
import os
import subprocess
import sys
import unittest
import zlib

from program import ROOT

from builder.codec import (alp, bit_packed, bloom, byte_stream_split, checksums, delta, group_var_int, hybrid,
                           index_pages, metadata, plain, schema, thrift)
from builder.codec.compression import brotli, gzip, lz4, snappy
from builder.codec.file import Chunk, File
from builder.codec.hybrid import Packed, Repeated
from builder.codec.metadata import BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96
from builder.codec.pages import V1, V2
from builder.recipes import base_files
from builder.vectors import compression


class Encodings(unittest.TestCase):
    """Encodings.md, anchors in the names."""

    def same(self, data, text):
        self.assertEqual((data.data if hasattr(data, "data") else data).hex(), text)

    def test_plain(self):
        self.same(plain.booleans([1, 0, 1, 1, 0, 0, 0, 1, 1, 0]), "8d01")
        self.same(plain.encode(INT32, [1, -1, 2**31 - 1, -2**31]), "01000000ffffffffffffff7f00000080")
        self.same(plain.encode(INT64, [1, -1]), "0100000000000000ffffffffffffffff")
        self.same(plain.encode(INT96, [bytes(range(12))]), bytes(range(12)).hex())
        self.same(plain.encode(FLOAT, [1.0, -0.0]), "0000803f00000080")
        self.same(plain.encode(DOUBLE, [1.0, -2.5]), "000000000000f03f00000000000004c0")
        self.same(plain.encode(BYTE_ARRAY, [b"Hello", b"", b"A"]), "0500000048656c6c6f000000000100000041")
        self.same(plain.encode(FIXED_LEN_BYTE_ARRAY, [b"abc", b"def"]), "616263646566")

    def test_rle(self):
        self.same(hybrid.encode([Packed(range(8))], 3), "0388c6fa")
        self.same(hybrid.encode([Repeated(10, 5), Packed([1, 2, 3])], 3), "140503d10000")
        self.same(hybrid.encode([Repeated(4, 300)], 9), "082c01")
        self.same(hybrid.encode([Repeated(5, 0)], 0), "0a")
        self.same(hybrid.encode([Repeated(1000, 0)], 1), "d00f00")
        self.same(hybrid.booleans([True] * 8), "020000001001")
        self.same(hybrid.indices([0, 0, 1, 2], 3), "02039000")
        self.same(hybrid.indices([0] * 1000, 1), "00d00f")

    def test_marks_of_runs_are_at_their_headers(self):
        marks = hybrid.encode([Repeated(10, 5, extra=1), Packed([1])], 3).marks
        self.assertEqual((marks["run0"], marks["run0.value"], marks["run1"], marks["run1.value"]), (0, 2, 3, 4))

    def test_bit_packed(self):
        self.same(bit_packed.encode(range(8), 3), "053977")
        self.same(bit_packed.encode([3] * 30, 2), "fffffffffffffff0")

    def test_delta(self):
        self.same(delta.binary_packed([1, 2, 3, 4, 5]), "80010405020200000000")
        self.same(delta.binary_packed([7, 5, 3, 1, 2, 3, 4, 5]), "800104080e0302000000c03f000000000000")
        self.same(delta.binary_packed([42]), "8001040154")
        self.same(delta.binary_packed([]), "8001040000")
        self.assertTrue(delta.binary_packed([2**31 - 1, -2**31, 0, -1]).data.hex().startswith(
            "80010404feffffff0fffffffff0f200000000100008000000000ffffff7f"))
        self.same(delta.length_byte_array([b"Hello", b"World", b"Foobar", b"ABCDEF"]),
                  "800104040a00010000000200000048656c6c6f576f726c64466f6f626172414243444546")
        self.same(delta.byte_array([b"axis", b"axle", b"babble", b"babyhood"]),
                  "8001040400030300000044010000000000000000000080010404080303000000700000000000000000000000"
                  "617869736c65626162626c6579686f6f64")

    def test_byte_stream_split(self):
        items = [bytes.fromhex(text) for text in ("aabbccdd", "00112233", "a3b4c5d6")]
        self.same(byte_stream_split.encode(FIXED_LEN_BYTE_ARRAY, items), "aa00a3bb11b4cc22c5dd33d6")

    def test_alp(self):
        nan = bytes.fromhex("000000000000f87f")
        vector = alp.vector(DOUBLE, [15000, 15000, 25000, 3335], 4, 3, [(1, nan)])
        self.same(alp.section(4, [vector]),
                  "00000a040000000400000004030100070d0000000000000f91adc856281500000100" + nan.hex())
        self.same(alp.section(0, []), "00000a00000000")

    def test_group_var_int(self):
        self.same(group_var_int.encode32([0xFF, 0xFFFFFF, 0xFFFFFFFF, 0xFFFF]), "2d" + "ff" * 10)
        self.same(group_var_int.encode32([1, 2, 3, 4, 5]), "00010203040005000000")
        self.same(group_var_int.encode64([1, 511, 2, 3, -1]), "020701ff010203ffffffffffffffff")


class IndexPages(unittest.TestCase):
    """The edition of 2013."""

    def test_example(self):
        places = [(0, 65536), (65536, 65536), (131072, 65536)]
        keys = plain.encode(INT32, [100, 500, 502]).data
        self.assertEqual(index_pages.body([(4 * i, *place) for i, place in enumerate(places)], keys).data.hex(),
                         "000000000000000000000100" "040000000000010000000100" "080000000000020000000100" "64000000f4010000f6010000")
        self.assertEqual(index_pages.body([(row, *place) for row, place in zip((0, 1000, 2500), places)]).data.hex(),
                         "000000000000000000000100" "e80300000000010000000100" "c40900000000020000000100")

    def types(self, tree, pages):
        built = base_files.flat(Chunk([V1(1) for _ in range(pages)], index=tree), n=pages).build()
        return [page.page.type for page in built.chunks[0][0].pages], built.chunks[0][0]

    def test_post_order(self):
        types, chunk = self.types(index_pages.Tree(fanout=3), 5)
        self.assertEqual(types, [0, 0, 0, 1, 0, 0, 1, 1])
        self.assertEqual(chunk.metadata()["index_page_offset"], chunk.pages[-1].offset)

    def test_roll_over(self):
        """65,536 bytes hold 4,096 entries of 12 bytes with keys of 4."""
        types, chunk = self.types(index_pages.Tree(), 4097)
        self.assertEqual(types, [0] * 4096 + [1, 0, 1, 1])
        self.assertEqual(len(chunk.pages[4096].stored), 65536)
        types, _ = self.types(index_pages.Tree("ordinals"), 4097)
        self.assertEqual(types, [0] * 4097 + [1])


class Checksums(unittest.TestCase):
    """README.md, Checksumming; BloomFilter.md."""

    def test_crc(self):
        self.assertEqual(checksums.crc32(b"123456789"), 0xCBF43926)
        self.assertEqual(checksums.crc32c(b"123456789"), 0xE3069283)
        self.assertEqual(checksums.signed(0xCBF43926), -873187034)

    def test_xxh64(self):
        for text, value in (("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"), ("hello", "26c7827d889f6da3")):
            self.assertEqual(f"{checksums.xxh64(text.encode()):016x}", value)

    def test_bloom(self):
        self.assertEqual(bloom.bitset(BYTE_ARRAY, [b"hello", b"parquet", b"bloom", b"filter"]).hex(),
                         "0400b000000a4010010540008000083020028004002020881001005002100808")
        header = thrift.write(metadata.make("BloomFilterHeader", bloom.header(32)))[0]
        self.assertEqual(header.hex(), "15401c1c00001c1c00001c1c000000")


class Compression(unittest.TestCase):
    def test_zlib_reads_gzip(self):
        for data in (b"", b"abc", bytes(range(256)) * 3):
            for deflate in (gzip.stored, gzip.literals):
                self.assertEqual(zlib.decompress(gzip.member(data, deflate), wbits=31), data)

    def test_installed_libraries_expand_recorded_streams_to_the_stated_image(self):
        """Each row of recorded_streams.tsv: the stated image, or an error."""
        expand = {"brotli": brotli_library(), "zstd": zstd_library()}
        if not any(expand.values()):
            self.skipTest("neither libbrotlidec nor libzstd is installed")
        count = dict.fromkeys(expand, 0)
        for name, size, digest, _, _, data in compression.streams():
            codec = name.split("-")[0]
            if expand[codec]:
                count[codec] += 1
                image = expand[codec](data, size)
                self.assertEqual("-" if image is None else hashlib.sha256(image).hexdigest()[:16], digest, name)
        self.assertEqual(count, {codec: {"brotli": 51, "zstd": 43}[codec] if expand[codec] else 0 for codec in count})

    def test_streams_of_three_bytes(self):
        self.assertEqual(snappy.compress(b"abc").hex(), "0308616263")
        self.assertEqual(lz4.block(b"abc").hex(), "30616263")
        self.assertEqual(brotli.compress(b"abc").hex(), "200010" "616263" "03")


def library(name):
    """A shared library, None if it is not installed."""
    found = ctypes.util.find_library(name)
    return ctypes.CDLL(found) if found else None


def zstd_library():
    """Expands a stream by libzstd: None if it reports an error or another size."""
    library_ = library("zstd")

    def expand(data, size):
        image = ctypes.create_string_buffer(max(size, 1))
        library_.ZSTD_decompress.restype = ctypes.c_size_t
        done = library_.ZSTD_decompress(image, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
        return image.raw[:size] if done == size else None
    return expand if library_ else None


def brotli_library():
    """The same by libbrotlidec."""
    library_ = library("brotlidec")

    def expand(data, size):
        image, done = ctypes.create_string_buffer(max(size, 1)), ctypes.c_size_t(size)
        succeeded = library_.BrotliDecoderDecompress(ctypes.c_size_t(len(data)), data, ctypes.byref(done), image) == 1
        return image.raw[:size] if succeeded and done.value == size else None
    return expand if library_ else None


class Metadata(unittest.TestCase):
    def test_varints(self):
        self.assertEqual(thrift.varint(-1), b"\x01")
        self.assertEqual(thrift.varint(2**31 - 1).hex(), "feffffff0f")
        self.assertEqual(thrift.varint(thrift.Padded(1, 2)).hex(), "828000")

    def test_smallest_file(self):
        """README.md, File format: a root without children, no rows."""
        file = File([], groups=[], root="schema", footer={"created_by": metadata.DROP})
        self.assertEqual(file.build().data.hex(),
                         "504152311502191c4806736368656d611500001600190c001400000050415231")

    def test_positions(self):
        built = base_files.two().build()
        for path, value in (("version", 2), ("row_groups[0].columns[1].meta_data.num_values", 6)):
            span = built.spans[path]
            self.assertEqual(built.data[span.value], value)
            self.assertEqual(span.header + 1, span.value)
        page = built.chunks[0][1].pages[0]
        self.assertEqual(built.data[page.spans["compressed_page_size"].value], 24)
        self.assertEqual(built.data[page.body + page.image.marks["values.value2"]], 30)

    def test_positions_of_fields_in_unusual_forms(self):
        built = base_files.flat(footer={"version": thrift.Long(thrift.Padded(1, 3))}).build()
        span = built.spans["version"]
        self.assertEqual(built.data[span.header:span.end].hex(), "0502" "82808000")

    def test_a_page_index_is_correct_by_default(self):
        built = base_files.nullable(Chunk([V1(1), V2(1), V1()], column_index=True, offset_index=True), (5, None, 3)).build()
        self.assertIn(("column_index", 0, 0), built.structures)
        pages = built.chunks[0][0].pages
        start, size, spans = built.structures["offset_index", 0, 0]
        for number, page in enumerate(pages):
            place = spans[f"page_locations[{number}].offset"].value
            self.assertEqual(built.data[place:place + len(thrift.varint(page.offset))], thrift.varint(page.offset))
        self.assertEqual(built.data[start + size - 1], 0)


class Nesting(unittest.TestCase):
    """README.md, Nested Encoding."""

    def test_lists(self):
        node = schema.list_of("l", schema.optional("e", INT32))
        entries = schema.shred([node], [base_files.row(one) for one in ([1, None], [], None, [2])])[0]
        self.assertEqual(entries, [(0, 3, 1), (1, 2, None), (0, 1, None), (0, 0, None), (0, 3, 2)])

    def test_lists_of_lists(self):
        leaf = schema.required("e", INT32)
        node = schema.repeated("a", [schema.repeated("b", [leaf])])
        rows = [{"a": [{"b": [{"e": 1}, {"e": 2}]}, {"b": []}, {"b": [{"e": 3}]}]}, {"a": []}]
        self.assertEqual(schema.shred([node], rows)[0],
                         [(0, 2, 1), (2, 2, 2), (1, 1, None), (1, 2, 3), (0, 0, None)])


class Corpus(unittest.TestCase):
    def test_the_committed_corpus_equals_the_output_of_the_builder(self):
        """PARQPROOF_MADE_CORPUS names a folder that `build --into` has written, which is then compared."""
        build = ROOT / "scripts/builder/build"
        made = os.environ.get("PARQPROOF_MADE_CORPUS")
        run = subprocess.run([sys.executable, build, "--check", *(["--made", made] if made else [])], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
