"""Modular encryption (Encryption.md): parameters, lengths, places and tags of modules; what remains visible of encrypted columns."""

import base64
import json
import struct

from builder.codec.encryption import (BLOOM_FILTER_BITSET, BLOOM_FILTER_HEADER, COLUMN_INDEX, COLUMN_METADATA, CTR, DATA_PAGE, DATA_PAGE_HEADER,
                                      DICTIONARY_PAGE, DICTIONARY_PAGE_HEADER, FOOTER, GCM, OFFSET_INDEX, Crypto, seal_gcm)
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, DROP, INT32, RLE, RLE_DICTIONARY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import optional, required
from builder.codec.thrift import STRUCT, Struct, adding
from builder.expect.losses import lost
from builder.expect.places import At, S, V
from builder.expect.witness import Also
from builder.recipes.base_files import COLUMN, META

FOOTER_KEY, KEY, OTHER_KEY, MASTER_KEY = b"0123456789012345", b"1234567890123450", b"5432109876543210", b"masters have keys too, 32 bytes."
ROWS = [{"a": i, "b": b"v%d" % i} for i in range(1, 7)]
TAG = "the tag of its content and AAD"
#: The keys that are given for the files of this module.
KEYS = {"footer_key": FOOTER_KEY.hex(), "column_keys": {"a": KEY.hex(), "b": OTHER_KEY.hex()}}
WITH_KEYS = {"keys": KEYS, "reader": ("may", "Encryption.md#43-key-metadata")}


#: Bytes of these pages.
SIZES = [24, 5, 5, 5]


def pages(n=3):
    """A dictionary and `n` data pages."""
    return [Dictionary([1, 2, 3, 4, 5, 6]), *(V1(6 // n, encoding=RLE_DICTIONARY) for _ in range(n))]


def pages_of(name):
    """A dictionary of the values of a column, and three data pages."""
    return [Dictionary([row[name] for row in ROWS]), *pages()[1:]]


def sealed(columns=None, chunk=None, groups=1, rows=ROWS, edits=None, more=None, in_groups=None, **crypto):
    """Columns `a`, which is encrypted, and `b`, which is not."""
    chunk = chunk or {"a": Chunk(pages(), offset_index=True, column_index=True, bloom=True)}
    return File([required("a", INT32), required("b", BYTE_ARRAY)], chunks=None, groups=[Group(rows, chunk, edits[g] if isinstance(edits, list) else edits) for g in range(groups)],
                crypto=Crypto({"a": KEY} if columns is None else columns, groups=in_groups, **crypto), column_orders=True, **(more or {}))


def page_at(page, group=0, leaf=0, body=False, plus=0):
    """A byte of a header module, or of the body module, of a page."""
    def offset(built):
        one = built.chunks[group][leaf].pages[page]
        return (one.body if body else one.offset) + plus
    return offset


def size_of(page, body=False, group=0, leaf=0):
    """Bytes of such a module, in a file that is built to find out."""
    return lambda built: len(built.chunks[group][leaf].pages[page].stored if body else built.chunks[group][leaf].pages[page].header_bytes)


class Module(At):
    """The module of a page or a structure; its length follows from the file."""

    def __init__(self, offset, size, **override):
        super().__init__(offset, **override)
        self.size = size

    def keys(self, built):
        return {**super().keys(built), "length": self.size(built) if callable(self.size) else self.size}


def flipped(*place, at=20):
    """A change of one byte of the module at a place."""
    def change(where, module):
        return module[:at] + bytes([module[at] ^ 1]) + module[at + 1:] if where == place else module
    return change


def with_change(data, at):
    """The bytes of a file with another bit at an offset."""
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


def swapped(one, other):
    """Encrypts the modules at two places as if they were at the other one."""
    return lambda place: other if place == one else one if place == other else place


def header_of(page, leaf=0, group=0):
    return f"the header of data page {page} of column {leaf} in row group {group}"


DICTIONARY_HEADER = "the header of the dictionary page of column 0 in row group 0"


def dictionary_as_data(place):
    """Pages are counted from the dictionary page on."""
    if place[0] in (DICTIONARY_PAGE, DICTIONARY_PAGE_HEADER):
        return (place[0] - 1, *place[1:3], 0)
    return (*place[:3], place[3] + 1) if place[0] in (DATA_PAGE, DATA_PAGE_HEADER) else place


class Copied:
    """A change: the module of one place is at another one, too."""

    def __init__(self, source, target):
        self.source, self.target, self.module = source, target, None

    def __call__(self, place, module):
        if place == self.source:
            self.module = module
        return self.module if place == self.target else module


def data_as_dictionary(place):
    return (place[0] + 1, *place[1:3], 0) if place[0] in (DATA_PAGE, DATA_PAGE_HEADER) else place


def metadata_of(group):
    return f"the metadata of column 0 in row group {group}"


def witnesses(c):
    parameters(c)
    forms(c)
    lengths(c)
    tags(c)
    visible(c)


def parameters(c):
    for name, plain in (("an encrypted", False), ("a plaintext", True)):
        path = "encryption_algorithm.AES_GCM_V1"
        c.rule("encryption/aad-file-unique") if not plain else None
        place = V if plain else Crypt
        c.fail(f"the identifier is empty, with {name} footer", sealed(unique=b"", plain=plain),
               place(path + ".aad_file_unique", found="empty"), **WITH_KEYS)
    for name, plain in (("an encrypted", False), ("a plaintext", True)):
        # No module authenticates without it: that follows.
        place = S(path, field=path + ".aad_file_unique", found="absent") if plain else Crypt(path, path + ".aad_file_unique", found="absent")
        c.fail(f"the identifier that the AADs have is absent, with {name} footer", sealed(parameters={}, plain=plain), place, **WITH_KEYS)
    c.fail("the same with AES_GCM_CTR_V1, and columns with keys of their own and with that of the footer",
           sealed({"a": KEY, "b": None}, parameters={}, plain=True, algorithm=CTR), S("encryption_algorithm.AES_GCM_CTR_V1",
           field="encryption_algorithm.AES_GCM_CTR_V1.aad_file_unique", found="absent"), **WITH_KEYS)
    c.ok("the identifier has one byte", sealed(unique=b"1"), **WITH_KEYS)

    c.rule("encryption/aad-prefix")
    both = {"aad_prefix": b"pre", "aad_file_unique": b"12345678", "supply_aad_prefix": True}
    c.fail("the prefix is stored and has to be supplied", sealed(stored=b"pre", parameters=both, plain=True),
           V("encryption_algorithm.AES_GCM_V1.aad_prefix"), **WITH_KEYS)
    c.ok("the prefix is stored", sealed(stored=b"pre"), **WITH_KEYS)
    c.ok("the prefix is supplied", sealed(supplied=b"pre"), **{**WITH_KEYS, "keys": {**KEYS, "aad_prefix": "pre"}})

    c.rule("encryption/algorithm-place")
    c.fail("an encrypted footer has the algorithm too",
           sealed(more={"footer": {"encryption_algorithm": {"AES_GCM_V1": {"aad_file_unique": b"12345678"}}}}),
           V("encryption_algorithm", found="set in an encrypted footer", expected="absent"), **WITH_KEYS)
    c.ok("a plaintext footer has it", sealed(plain=True), **WITH_KEYS)

    c.rule("encryption/signing-key-place")
    c.fail("an encrypted footer has the metadata of a signing key", sealed(more={"footer": {"footer_signing_key_metadata": b"k"}}),
           V("footer_signing_key_metadata", found="set in an encrypted footer"), **WITH_KEYS)
    c.ok("a signed footer has it", sealed(plain=True, key_metadata=b"k"), **WITH_KEYS)

    c.rule("encryption/algorithm")
    other = [{"encryption_algorithm.AES_GCM_V1": DROP}, adding(3, STRUCT, Struct(), path="encryption_algorithm")]
    c.fail("the algorithm is member 3 of the union", sealed({}, plain=True, more={"footer": other}),
           V("encryption_algorithm", found="member 3"), **WITH_KEYS)
    c.ok("it is AES_GCM_CTR_V1", sealed({}, plain=True, algorithm=CTR), **WITH_KEYS)
    c.fail("the algorithm of an encrypted column is member 3 of the union", sealed(plain=True, more={"footer": other}),
           V("encryption_algorithm", found="member 3"), **WITH_KEYS)
    c.fail("the algorithm of an encrypted footer is member 3 of the union", sealed(crypto_edits=other), Crypt("encryption_algorithm", found="member 3"), **WITH_KEYS)

    c.rule("encryption/ordinal-limit")
    c.fail("the schema of a signed footer has 32769 columns", wide(32769), V("schema", found="columns is 32769"), **WITH_KEYS)
    c.ok("it has 32768 columns", wide(32768), **WITH_KEYS)

    c.rule("encryption/row-group-ordinal")
    c.fail("the row groups of an encrypted file have no ordinal", sealed(edits={"ordinal": DROP}),
           S("row_groups[0]", field="ordinal"), **WITH_KEYS)
    c.ok("they have ordinals", sealed(groups=2), **WITH_KEYS)

    c.rule("encryption/page-size")
    for about, form in (("", {}), (", with AES_GCM_CTR_V1", {"algorithm": CTR})):
        for page in range(4):
            own = SIZES[page]
            sized = pages()
            sized[page].header = {"compressed_page_size": own}
            c.fail(f"compressed_page_size of page {page} is the size of its content{about}", sealed(chunk={"a": Chunk(sized)}, **form),
                   V("compressed_page_size", page=(0, 0, page), expected=str(own + (16 if form else 32))), **WITH_KEYS)
    wrong = [Dictionary([1, 2, 3, 4, 5, 6], header={"compressed_page_size": 24}), *(V1(2, encoding=RLE_DICTIONARY, header={"compressed_page_size": 1000}) for _ in range(3))]
    c.fail("compressed_page_size of all pages is wrong, larger and smaller", sealed(chunk={"a": Chunk(wrong)}),
           V("compressed_page_size", page=(0, 0, 0), times=4, expected=str(SIZES[0] + 32)), **WITH_KEYS)
    c.fail("compressed_page_size of a v2 page is the size of its content", sealed(chunk={"a": Chunk([V2(3), V2(3, header={"compressed_page_size": 12})])}),
           V("compressed_page_size", page=(0, 0, 1), expected="44"), **WITH_KEYS)
    c.ok("it is the size of the module", sealed(), **WITH_KEYS)

    c.rule("row-group/ordinal")
    stated = {"groups": 3, "place_of": lambda place: (place[0], place[1] + 1, *place[2:]), "edits": [{"ordinal": g + 1} for g in range(3)]}
    wrong = [V(f"row_groups[{g}].ordinal") for g in range(3)]
    for about, form in (("and columns their own keys", {}), ("with a plaintext footer", {"plain": True}), ("and one key for all", {"columns": {"a": None, "b": None}}),
                        ("with one key and no dictionary", {"columns": {"a": None}, "chunk": {"a": Chunk([V1(3), V1(3)])}})):
        c.fail(f"row groups are counted from 1 in the footer and in all AADs, {about}", sealed(**form, **stated), *wrong, **WITH_KEYS)
    c.fail("the second of three row groups states ordinal 7, and so do its AADs", sealed(
        groups=3, place_of=lambda place: (place[0], 7 if place[1] == 1 else place[1], *place[2:]), edits=[None, {"ordinal": 7}, None]),
        V("row_groups[1].ordinal"), **WITH_KEYS)
    c.fail("the second of three row groups states ordinal 7, but its AADs have its position", sealed(groups=3, edits=[None, {"ordinal": 7}, None]),
           V("row_groups[1].ordinal"), **WITH_KEYS)


def wide(columns):
    """A signed footer without row groups."""
    return File([required(str(i), INT32) for i in range(columns)], groups=[], crypto=Crypto({}, plain=True))


class Crypt(At):
    """A field of the FileCryptoMetaData."""

    def __init__(self, path, field=None, **override):
        super().__init__(lambda built: built.crypto_spans[path].value, field=field or path, **override)
        self.path = path

    def keys(self, built):
        span = built.crypto_spans[self.path]
        return {**super().keys(built), "length": span.end - span.value}


def forms(c):
    c.rule("encryption/column-path")
    other = {"a": Chunk(pages(), column={"crypto_metadata.ENCRYPTION_WITH_COLUMN_KEY.path_in_schema": ["b"]})}
    c.fail("the crypto metadata names another column", sealed(chunk=other, plain=True),
           V(COLUMN + ".crypto_metadata.ENCRYPTION_WITH_COLUMN_KEY.path_in_schema", found="b", expected="a"), **WITH_KEYS)
    c.ok("it names its own", sealed(plain=True), **WITH_KEYS)

    c.rule("encryption/column-partly")
    c.fail("the second row group of an encrypted column is not encrypted", sealed(groups=2, in_groups=(0,)),
           S("row_groups[1].columns[0]", field="crypto_metadata", found="not encrypted", expected="encrypted with a key of its own"),
           **WITH_KEYS)
    for at in range(3):
        c.fail(f"row group {at} of three is not encrypted", sealed(groups=3, in_groups=[i for i in range(3) if i != at]),
               S(f"row_groups[{at}].columns[0]", field="crypto_metadata", found="not encrypted", expected="encrypted with a key of its own"), **WITH_KEYS)
    c.fail("the first row group of an encrypted column is not encrypted, in a plaintext footer", sealed(groups=2, in_groups=(1,), plain=True),
           S("row_groups[0].columns[0]", field="crypto_metadata", found="not encrypted", expected="encrypted with a key of its own"), **WITH_KEYS)
    c.ok("both row groups are encrypted", sealed(groups=2), **WITH_KEYS)

    c.rule("encryption/clear-pages")
    marked = {"crypto_metadata": {"ENCRYPTION_WITH_FOOTER_KEY": {}}}
    c.fail("a column with the key of an encrypted footer has open pages",
           sealed({}, {"a": Chunk(pages(), column=marked)}),
           Module(page_at(0), size_of(0), row_group=0, leaf=0, page=0), lost=[lost("rest of chunk", 0, 0, 0)], **WITH_KEYS)
    c.ok("its pages are encrypted", sealed({"a": None}), **WITH_KEYS)
    for name, kinds, struct_name, part in (("Bloom filter", (BLOOM_FILTER_HEADER, BLOOM_FILTER_BITSET), "a BloomFilterHeader", "bloom_filter_header"),
                                           ("column index", (COLUMN_INDEX,), "a ColumnIndex", "column_index"),
                                           ("offset index", (OFFSET_INDEX,), "an OffsetIndex", "offset_index")):
        for algorithm, plain in ((GCM, False), (CTR, True)):
            c.fail(f"the {name} of an encrypted column is not encrypted, with {algorithm}", sealed(clear=kinds, algorithm=algorithm, plain=plain),
                   Open(part, found=struct_name), lost=[lost(name.lower(), 0, 0)], **WITH_KEYS)

    c.rule("encryption/metadata-form")
    c.fail("a plaintext footer has no encrypted metadata of a column with the key of the footer",
           sealed({"a": None}, {"a": Chunk(pages(), column={"encrypted_column_metadata": DROP})}, plain=True),
           S(COLUMN, field="encrypted_column_metadata", found="no encrypted_column_metadata",
             expected="encrypted_column_metadata"), **WITH_KEYS)
    lacks = {"found": "no crypto_metadata", "expected": "crypto_metadata"}
    dropped = lambda: {"a": Chunk(pages(), column={"crypto_metadata": DROP}, offset_index=True, column_index=True)}
    for name, plain in (("an encrypted", False), ("a plaintext", True)):
        c.fail(f"encrypted metadata without crypto_metadata, in {name} footer", sealed(chunk=dropped(), plain=plain),
               S(COLUMN, field="crypto_metadata", **lacks), **WITH_KEYS)
        for at in range(3):
            groups = [Group(ROWS, dropped() if i == at else {"a": Chunk(pages())}) for i in range(3)]
            c.fail(f"the same in row group {at} of three, in {name} footer", File([required("a", INT32), required("b", BYTE_ARRAY)], groups=groups,
                   crypto=Crypto({"a": KEY}, plain=plain), column_orders=True), S(f"row_groups[{at}].columns[0]", field="crypto_metadata", **lacks), **WITH_KEYS)
    c.ok("an encrypted footer has none of a column with its key", sealed({"a": None}), **WITH_KEYS)

    c.rule("encryption/metadata-copy")
    c.fail("the visible total size differs from the encrypted one",
           sealed(plain=True, chunk={"a": Chunk(pages(), column={"meta_data.total_uncompressed_size": 999})}),
           Sealed("total_uncompressed_size", 999), **WITH_KEYS)
    shown = lambda name, value: sealed(plain=True, chunk={"a": Chunk(pages(), column={f"meta_data.{name}": value})})
    c.fail("the visible path is that of another column", shown("path_in_schema", ["b"]),
           V(META + ".path_in_schema", found="path_in_schema b", expected="path_in_schema a"), **WITH_KEYS)
    c.fail("the visible metadata lists fewer encodings", shown("encodings", [RLE]),
           V(META + ".encodings", found="encodings RLE", expected="encodings PLAIN, RLE_DICTIONARY"), **WITH_KEYS)
    c.fail("the visible metadata has a longer Bloom filter", sealed(plain=True, chunk={"a": Chunk(pages(), column={"meta_data.bloom_filter_length": 999}, bloom=True)}),
           Sealed("bloom_filter_length", 999), **WITH_KEYS)
    c.ok("both are equal", sealed(plain=True), **WITH_KEYS)


class Open(At):
    """A structure of the first chunk that is not encrypted."""

    def __init__(self, part, **override):
        super().__init__(lambda built: built.structures[part, 0, 0][0], row_group=0, leaf=0, **override)
        self.part = part

    def keys(self, built):
        bitset = 32 * built.chunks[0][0].chunk.blocks if self.part == "bloom_filter_header" else 0
        return {**super().keys(built), "length": built.structures[self.part, 0, 0][1] - bitset}


class Sealed(V):
    """A number of the visible metadata of the first chunk, which differs from that of the encrypted metadata."""

    def __init__(self, name, visible):
        super().__init__(f"{META}.{name}", found=f"{name} {visible}")
        self.name = name

    def keys(self, built):
        sealed = built.structures["bloom_filter_header", 0, 0][1] if self.name == "bloom_filter_length" else built.chunks[0][0].metadata()[self.name]
        return {**super().keys(built), "expected": f"{self.name} {sealed}"}


class FooterModule(At):
    """The module of an encrypted footer."""

    def __init__(self, **override):
        super().__init__(lambda built: built.module_start, **override)

    def keys(self, built):
        return {**super().keys(built), "length": len(built.data) - 8 - built.module_start}


class NoIdentifier(At):
    """The algorithm of a FileCryptoMetaData, which has no identifier of the file."""

    PATH = "encryption_algorithm.AES_GCM_V1"

    def __init__(self):
        super().__init__(lambda built: built.crypto_spans[self.PATH].value, field=self.PATH + ".aad_file_unique", found="absent")

    def keys(self, built):
        span = built.crypto_spans[self.PATH]
        return {**super().keys(built), "length": span.end - span.value}


class NeededLength(At):
    """The footer length, and what FileCryptoMetaData and its module need."""

    def keys(self, built):
        length = struct.unpack("<I", built.data[-8:-4])[0]
        return {**super().keys(built), "found": str(length), "expected": str(length + 1)}


def lengths(c):
    c.rule("encryption/footer-length")
    longer = lambda place, module: struct.pack("<I", len(module) - 3) + module[4:] if place[0] == FOOTER else module
    c.fail("the module of the footer has one byte more than the footer length leaves for it", sealed(change=longer),
           NeededLength(lambda b: len(b.data) - 8), lost=[lost("file")], **WITH_KEYS)
    c.ok("the footer length covers the module", sealed(), **WITH_KEYS)

    c.rule("encryption/footer-rest")
    c.fail("two bytes follow the encrypted footer", sealed(more={"footer_tail": b"\0\0"}),
           At(lambda b: len(b.data) - 10, found="2", length=2), **WITH_KEYS)
    c.ok("none follows", sealed(), **WITH_KEYS)

    c.rule("encryption/signature-length")
    c.fail("the signature lacks its last byte", sealed(plain=True, signature=lambda made: made[:-1]),
           At(lambda b: len(b.data) - 35, found="27", length=27), **WITH_KEYS)
    c.ok("it has 28 bytes", sealed(plain=True), **WITH_KEYS)

    c.rule("encryption/module-length")
    short = lambda place, module: struct.pack("<I", 27) + module[4:] if place == (DATA_PAGE_HEADER, 0, 0, 1) else module
    c.fail("the length of the module of a page header is 27", sealed(change=short),
           OtherLength(page_at(2), row_group=0, leaf=0, page=2, found="27"), lost=[], **WITH_KEYS)
    less = lambda place, module: struct.pack("<I", len(module) - 5) + module[4:] if place[0] == DATA_PAGE and place[3] > 0 else module
    c.fail("the lengths of the modules of two data pages are smaller by one", sealed(change=less),
           SmallerByOne(page_at(2, body=True), row_group=0, leaf=0, page=2, times=2),
           lost=[lost("page", 0, 0, 2), lost("page", 0, 0, 3)], **WITH_KEYS)
    shorter = lambda place, module: struct.pack("<I", len(module) - 5) + module[4:] if place[0] == COLUMN_METADATA else module
    c.fail("the length of the module of column metadata is smaller by one", sealed(change=shorter),
           MetadataLength(), lost=[lost("column chunk", 0, 0)], **WITH_KEYS)
    huge = lambda place, module: struct.pack("<I", 2 ** 31) + module[4:] if place == (DATA_PAGE, 0, 0, 1) else module
    c.fail("the length of the module of a data page is 2147483648", sealed(change=huge),
           Room(page_at(2, body=True), row_group=0, leaf=0, page=2, found="2147483648"), lost=[lost("page", 0, 0, 2)], **WITH_KEYS)
    c.fail("the length of the module of column metadata is smaller by one, and there are no keys", sealed(change=shorter, plain=True), MetadataLength(), lost=[lost("column chunk", 0, 0)],
           reader=("may", "Encryption.md#43-key-metadata"))
    for length in (1000, 2**31):
        stated = lambda place, module, length=length: struct.pack("<I", length) + module[4:] if place == (DATA_PAGE_HEADER, 0, 0, 1) else module
        c.fail(f"the length of the module of a page header is {length}", sealed(change=stated),
               OtherLength(page_at(2), row_group=0, leaf=0, page=2, found=str(length)), lost=[], **WITH_KEYS)
    headers = (((DICTIONARY_PAGE_HEADER, 0, 0, 0), 0), ((DATA_PAGE_HEADER, 0, 0, 0), 1), ((DATA_PAGE_HEADER, 0, 0, 2), 3))
    bodies = (((DICTIONARY_PAGE, 0, 0, 0), 0), ((DATA_PAGE, 0, 0, 1), 2), ((DATA_PAGE, 0, 0, 2), 3))
    no_key = Also("file/encrypted-column", V(COLUMN + ".crypto_metadata"), "there is no key")
    for by, than in ((1, "larger"), (-1, "smaller")):
        for place, page in headers:
            c.fail(f"the length of the header of page {page} is {than} by one", sealed(change=Longer(place, by)),
                   OtherLength(page_at(page), by, row_group=0, leaf=0, page=page), lost=[], **WITH_KEYS)
        for algorithm in (GCM, CTR):
            for place, page in (*headers, *bodies[:2]):
                is_body = (place, page) in bodies
                c.fail(f"without keys, the length of the {'body' if is_body else 'header'} of page {page} is {than} by one, {algorithm}",
                       sealed(change=Longer(place, by), plain=True, algorithm=algorithm),
                       OtherLength(page_at(page, body=is_body), by, row_group=0, leaf=0), no_key, lost=[lost("column chunk", 0, 0)],
                       reader=("may", "Encryption.md#43-key-metadata"))
    c.ok("it is that of nonce, ciphertext and tag", sealed(), **WITH_KEYS)


class Longer:
    """A change: the module of a place states another length."""

    def __init__(self, place, by):
        self.place, self.by = place, by

    def __call__(self, place, module):
        return struct.pack("<I", len(module) - 4 + self.by) + module[4:] if place == self.place else module


class OtherLength(At):
    """The length of a header or body, which differs by `by`, or is anything."""

    def __init__(self, offset, by=0, **override):
        super().__init__(offset, **override)
        self.by = by

    def keys(self, built):
        at = super().keys(built)
        sizes = {page.offset: len(page.header_bytes) for page in built.chunks[0][0].pages} | {page.body: len(page.stored) for page in built.chunks[0][0].pages}
        length = sizes[at["offset"]] - 4
        return {"found": str(length + self.by), **at, "expected": str(length)}


class SmallerByOne(At):
    """The length of a module, which is one smaller than the room for it."""

    def keys(self, built):
        at = super().keys(built)["offset"]
        length = struct.unpack("<I", built.data[at:at + 4])[0]
        return {**super().keys(built), "found": str(length), "expected": str(length + 1)}


class MetadataLength(V):
    """encrypted_column_metadata, whose module has one byte less than the field."""

    def __init__(self, **override):
        super().__init__(COLUMN + ".encrypted_column_metadata", **override)

    def keys(self, built):
        length = len(built.tree("footer").at(self.path)) - 4
        return {**super().keys(built), "found": str(length - 1), "expected": str(length), "length": length + 5}


class Room(At):
    """The length of the module of page 2, and the room for it."""

    def keys(self, built):
        return {**super().keys(built), "expected": f"at most {built.chunks[0][0].pages[2].header.at('compressed_page_size') - 4}"}


def tags(c):
    c.rule("encryption/tag")
    c.fail("a byte of a page header was changed", sealed(change=flipped(DATA_PAGE_HEADER, 0, 0, 1)),
           Module(page_at(2), size_of(2), row_group=0, leaf=0, page=2, found=header_of(1)),
           lost=[lost("page", 0, 0, 2)], **WITH_KEYS)
    c.fail("bytes of two data pages were changed",
           sealed(change=lambda place, module: flipped(DATA_PAGE, 0, 0, 2)(place, flipped(DATA_PAGE, 0, 0, 0)(place, module))),
           Module(page_at(1, body=True), size_of(1, body=True), row_group=0, leaf=0, page=1, times=2,
                  found="data page 0 of column 0 in row group 0"), lost=[lost("page", 0, 0, 1), lost("page", 0, 0, 3)], **WITH_KEYS)
    c.fail("a byte of a data page was changed", sealed(change=flipped(DATA_PAGE, 0, 0, 2)),
           Module(page_at(3, body=True), size_of(3, body=True), row_group=0, leaf=0, page=3,
                  found="data page 2 of column 0 in row group 0"), lost=[lost("page", 0, 0, 3)], **WITH_KEYS)
    c.fail("a byte of the dictionary page was changed", sealed(change=flipped(DICTIONARY_PAGE, 0, 0, 0)),
           Module(page_at(0, body=True), size_of(0, body=True), row_group=0, leaf=0, page=0,
                  found="the dictionary page of column 0 in row group 0"),
           lost=[lost("page", 0, 0, page) for page in range(4)], **WITH_KEYS)
    c.fail("a data page is encrypted with the key of another column",
           sealed({"a": KEY, "b": OTHER_KEY}, key_of=lambda place, key: OTHER_KEY if place == (DATA_PAGE, 0, 0, 1) else key),
           Module(page_at(2, body=True), size_of(2, body=True), row_group=0, leaf=0, page=2, found="data page 1 of column 0 in row group 0"),
           lost=[lost("page", 0, 0, 2)], **WITH_KEYS)
    c.fail("a byte of the metadata of a column was changed", sealed(change=flipped(COLUMN_METADATA, 0, 0, 0)),
           V(COLUMN + ".encrypted_column_metadata", found=metadata_of(0)), lost=[lost("column chunk", 0, 0)], **WITH_KEYS)
    c.fail("the same of a file whose footer was signed before", sealed(plain=True), V(COLUMN + ".encrypted_column_metadata", found=metadata_of(0)),
           lost=[lost("column chunk", 0, 0)], data=lambda b: with_change(b.data, b.spans[COLUMN + ".encrypted_column_metadata"].end - 1), **WITH_KEYS)
    c.ok("with AES_GCM_CTR_V1 the pages have no tags", sealed(algorithm=CTR), **WITH_KEYS)
    c.ok("with AES_GCM_V1 each module has the tag of its content", sealed(groups=2), **WITH_KEYS)
    # The entries of both columns are needed for the bounds of their pages; the dictionaries are read again for that, each with its key.
    for algorithm in (GCM, CTR):
        c.ok(f"two columns have dictionaries, page indexes and keys of their own, with {algorithm}",
             sealed({"a": KEY, "b": OTHER_KEY}, {name: Chunk(pages_of(name), offset_index=True, column_index=True) for name in "ab"},
                    groups=2, algorithm=algorithm), **WITH_KEYS)

    # Only the footer is encrypted, so nothing but this AAD shows that the key is right.
    for about, crypto, keys in (
            ("is the stored AAD prefix alone", {"stored": b"pre", "footer_aad": lambda bound: b"pre"}, KEYS),
            ("is the supplied AAD prefix alone", {"supplied": b"pre", "footer_aad": lambda bound: b"pre"}, {**KEYS, "aad_prefix": "pre"}),
            ("is a longer AAD prefix than the identifier, alone", {"stored": b"a long prefix", "footer_aad": lambda bound: b"a long prefix"}, KEYS),
            ("lacks the type of the module", {"footer_aad": lambda bound: bound[:-1]}, KEYS),
            ("has a stored prefix, but not the type of the module", {"stored": b"pre", "footer_aad": lambda bound: bound[:-1]}, KEYS),
            ("is the type of the module alone", {"footer_aad": lambda bound: bound[-1:]}, KEYS),
            ("is empty", {"footer_aad": lambda bound: b""}, KEYS)):
        c.fail("the AAD of the footer " + about, sealed({}, **crypto), FooterModule(found="the footer"), lost=[lost("file")],
               **{**WITH_KEYS, "keys": keys})
    for about, crypto in (("is empty", {"parameters": {}, "footer_aad": lambda bound: b""}),
                          ("is the stored AAD prefix alone", {"stored": b"pre", "parameters": {"aad_prefix": b"pre"}, "footer_aad": lambda bound: b"pre"})):
        c.fail(f"the file has no identifier, and the AAD of the footer {about}", sealed({}, unique=b"", **crypto),
               FooterModule(found="the footer"), Also("encryption/aad-file-unique", NoIdentifier(), "the identifier would be in the AAD"),
               lost=[lost("file")], **WITH_KEYS)

    c.rule("encryption/module-place")
    c.fail("data pages 0 and 1 changed places, with their headers",
           sealed(place_of=lambda place: (*place[:3], 1 - place[3]) if place[0] in (DATA_PAGE, DATA_PAGE_HEADER) and place[3] < 2 else place),
           Module(page_at(1), size_of(1), row_group=0, leaf=0, page=1, found=header_of(1), expected=header_of(0), times=2),
           lost=[lost("page", 0, 0, 1), lost("page", 0, 0, 2)], **WITH_KEYS)
    c.fail("the metadata of a column of two row groups changed places",
           sealed(groups=2, place_of=swapped((COLUMN_METADATA, 0, 0, 0), (COLUMN_METADATA, 1, 0, 0))),
           *(V(f"row_groups[{g}].columns[0].encrypted_column_metadata", found=metadata_of(1 - g), expected=metadata_of(g)) for g in range(2)),
           lost=[lost("column chunk", g, 0) for g in range(2)], **WITH_KEYS)
    for plain in (False, True):
        c.fail(f"the metadata of a column was copied over that of the next row group, with {'a plaintext' if plain else 'an encrypted'} footer",
               sealed(groups=3, plain=plain, change=Copied((COLUMN_METADATA, 0, 0, 0), (COLUMN_METADATA, 1, 0, 0))),
               V("row_groups[1].columns[0].encrypted_column_metadata", found=metadata_of(0), expected=metadata_of(1)),
               lost=[lost("column chunk", 1, 0)], **WITH_KEYS)
    coded = {"a": Chunk([Dictionary([1, 2, 3, 4, 5, 6]), *(V1(1, RLE_DICTIONARY) for _ in range(3)), V1(encoding=RLE_DICTIONARY)])}
    for algorithm in (GCM, CTR):
        c.fail(f"the dictionary page is encrypted as data page 0, and data pages are counted on, with {algorithm}",
               sealed(chunk=coded, algorithm=algorithm, place_of=dictionary_as_data),
               Module(page_at(0), size_of(0), row_group=0, leaf=0, page=0, found=header_of(0), expected=DICTIONARY_HEADER), lost=[], **WITH_KEYS)
        c.fail(f"data pages are encrypted as dictionary pages, with {algorithm}", sealed(chunk=coded, algorithm=algorithm, place_of=data_as_dictionary),
               Module(page_at(1), size_of(1), row_group=0, leaf=0, page=1, found=DICTIONARY_HEADER, expected=header_of(0), times=4),
               lost=[], **WITH_KEYS)
    bodies_changed_places(c, 1, 3, [V1(500) for _ in range(5)], " of 2,000 bytes")
    c.fail("the first dictionary page is encrypted as that of the other row group", sealed(
        chunk=coded, groups=2, place_of=swapped((DICTIONARY_PAGE_HEADER, 0, 0, 0), (DICTIONARY_PAGE_HEADER, 1, 0, 0))),
        *(Module(page_at(0, group=g), size_of(0, group=g), row_group=g, leaf=0, page=0,
                 found=f"the header of the dictionary page of column 0 in row group {1 - g}", expected=f"the header of the dictionary page of column 0 in row group {g}")
          for g in range(2)), lost=[lost("page", g, 0, page) for g in range(2) for page in range(5)], **WITH_KEYS)
    c.fail("all pages of the second row group are encrypted for the first one", sealed(
        chunk=coded, groups=2, place_of=lambda place: (place[0], 0, *place[2:]) if DATA_PAGE <= place[0] <= DICTIONARY_PAGE_HEADER else place),
        Module(page_at(0, group=1), size_of(0, group=1), row_group=1, leaf=0, page=0, times=5,
               found=DICTIONARY_HEADER, expected="the header of the dictionary page of column 0 in row group 1"),
        lost=[lost("page", 1, 0, page) for page in range(5)], **WITH_KEYS)
    bodies_changed_places(c, 70, 72, [V1(1) for _ in range(80)])
    for body, kind, about in ((False, DATA_PAGE_HEADER, "the header of "), (True, DATA_PAGE, "")):
        c.fail(f"{about}data page 1 was copied over {about and 'that of '}data page 2", sealed(
            chunk={"a": Chunk(pages())}, change=Copied((kind, 0, 0, 1), (kind, 0, 0, 2))),
            Module(page_at(3, body=body), size_of(3, body=body), row_group=0, leaf=0, page=3, found=about + header_of(1).removeprefix("the header of "),
                   expected=about + header_of(2).removeprefix("the header of ")), lost=[lost("page", 0, 0, 3)], **WITH_KEYS)
    c.ok("each page is encrypted for its place", sealed(), **WITH_KEYS)
    c.ok("a dictionary page and data pages are encrypted for their places", sealed(chunk=coded), **WITH_KEYS)

    c.rule("encryption/signature")
    c.fail("the tag of the footer has another last byte",
           sealed({"a": None}, plain=True, signature=lambda made: made[:-1] + bytes([made[-1] ^ 1])),
           Tag(), **WITH_KEYS)
    c.ok("the tag is that of the footer", sealed({"a": None}, plain=True), **WITH_KEYS)

    c.rule("encryption/key")
    c.fail("another key for the column is given", sealed(), KeyPlace(),
           **{**WITH_KEYS, "keys": {**KEYS, "column_keys": {"a": OTHER_KEY.hex()}}})
    c.ok("its key is given", sealed(), **WITH_KEYS)
    c.fail("the footer authenticates under no AAD that is tried, and nothing else shows that its key is right",
           sealed({}, footer_aad=lambda bound: b"\1\2\3"), FooterModule(found="the footer", expected="a module that authenticates"), **WITH_KEYS)
    c.fail("the AAD prefix is to be supplied, and none is given", sealed({"a": None}, supplied=b"prefix"),
           FooterModule(found="the footer", expected="a module that authenticates"), **WITH_KEYS)
    for is_double in (False, True):
        c.ok(f"a master key is given, which has wrapped the key {'of the key ' if is_double else ''}in the key material",
             sealed({"a": None}, key_metadata=material(FOOTER_KEY, is_double)), **{**WITH_KEYS, "keys": {"master_keys": {"kf": MASTER_KEY.hex()}}})

    other = {"master_keys": {"kf": MASTER_KEY[::-1].hex()}}
    c.rule("file/encrypted-footer")
    for is_double in (False, True):
        c.fail(f"the given master key does not unwrap the key {'of the key ' if is_double else ''}in the key material", sealed(
            {"a": None}, key_metadata=material(FOOTER_KEY, is_double)), At(lambda b: len(b.data) - 4), **{**WITH_KEYS, "keys": other})
    c.rule("file/encrypted-column")
    for is_double in (False, True):
        c.fail(f"the key of the column is wrapped by a master key that {'does not unwrap it' if is_double else 'is not given'}", sealed(
            column_key_metadata={"a": material(KEY, is_double)}), V(COLUMN + ".crypto_metadata"),
            **{**WITH_KEYS, "keys": {"footer_key": FOOTER_KEY.hex(), **(other if is_double else {})}})

    c.rule("encryption/nonce")
    same = lambda place, nonce: b"same nonce.." if place[0] in (OFFSET_INDEX, COLUMN_INDEX) else nonce
    c.fail("column index and offset index have the same nonce", sealed(nonce_of=same),
           NoncePlace(), **WITH_KEYS)
    c.fail("the metadata of a column was copied over that of the next row group, and another key for the column is given",
           sealed(groups=2, plain=True, change=Copied((COLUMN_METADATA, 0, 0, 0), (COLUMN_METADATA, 1, 0, 0))), CopiedNonce(),
           Also("encryption/key", KeyPlace(), "the key of the column is wrong, so nothing shows that the module was copied"),
           **{**WITH_KEYS, "keys": {**KEYS, "column_keys": {"a": OTHER_KEY.hex()}}})
    c.ok("each module has its own", sealed(), **WITH_KEYS)


def material(key, is_double):
    """Key material of the key tools of parquet-java: the key is wrapped by a master key, or by a key that a master key wraps."""
    def wrap(wrapping, text, bound):
        nonce = bytes(range(12))
        return base64.b64encode(nonce + b"".join(seal_gcm(wrapping, nonce, text, bound))).decode()

    about = {"keyMaterialType": "PKMT1", "internalStorage": True, "isFooterKey": True, "kmsInstanceID": "DEFAULT", "kmsInstanceURL": "DEFAULT",
             "masterKeyID": "kf", "doubleWrapping": is_double}
    if is_double:
        ident = b"sixteen bytes id"
        about.update(keyEncryptionKeyID=base64.b64encode(ident).decode(), wrappedKEK=wrap(MASTER_KEY, OTHER_KEY, b"kf"),
                     wrappedDEK=wrap(OTHER_KEY, key, ident))
    else:
        about["wrappedDEK"] = wrap(MASTER_KEY, key, b"kf")
    return json.dumps(about, separators=(",", ":")).encode()


def bodies_changed_places(c, one, other, data_pages, about=""):
    """Two data pages of a chunk without dictionary have the body of each other."""
    c.fail(f"the bodies of data pages {one} and {other}{about} changed places", sealed(
        chunk={"a": Chunk(data_pages)}, rows=[{"a": i, "b": b""} for i in range(sum(page.count for page in data_pages))],
        place_of=swapped((DATA_PAGE, 0, 0, one), (DATA_PAGE, 0, 0, other))),
        Module(page_at(one, body=True), size_of(one, body=True), row_group=0, leaf=0, page=one, times=2,
               found=f"data page {other} of column 0 in row group 0", expected=f"data page {one} of column 0 in row group 0"),
        lost=[lost("page", 0, 0, one), lost("page", 0, 0, other)], **WITH_KEYS)


class Tag(At):
    """The tag of the signature, with both values."""

    def __init__(self):
        super().__init__(lambda b: len(b.data) - 24, length=16)

    def keys(self, built):
        tag = built.data[-24:-8]
        return {**super().keys(built), "found": tag.hex(), "expected": (tag[:-1] + bytes([tag[-1] ^ 1])).hex()}


class KeyPlace(V):
    """encrypted_column_metadata as a module."""

    def __init__(self):
        super().__init__(COLUMN + ".encrypted_column_metadata", found="the metadata of column 0 in row group 0",
                         expected="a module that authenticates")


class NoncePlace(At):
    """The nonce of the offset index, which the column index has too."""

    def __init__(self):
        super().__init__(lambda b: b.structures["offset_index", 0, 0][0] + 4, row_group=0, leaf=0, length=12)

    def keys(self, built):
        first = built.structures["column_index", 0, 0][0]
        return {**super().keys(built), "found": f"{b'same nonce..'.hex()}, which the module at byte {first} has too"}


class CopiedNonce(At):
    """The nonce of the metadata of a column in the second row group, which that in the first one has too."""

    def __init__(self):
        super().__init__(lambda b: self.module(b, 1) + 4, row_group=1, leaf=0, length=12)

    @staticmethod
    def module(built, group):
        return built.spans[f"row_groups[{group}].columns[0].encrypted_column_metadata"].value + 1  # the size of the field has one byte

    def keys(self, built):
        first = self.module(built, 0)
        nonce = built.data[first + 4:first + 16].hex()
        return {**super().keys(built), "found": f"{nonce}, which the module at byte {first} has too"}


def visible(c):
    c.rule("encryption/open-statistics")
    shown = {"a": Chunk(pages(), meta={"statistics": {"null_count": 0}})}
    c.fail("the visible metadata has statistics", sealed(chunk=shown, plain=True, strip=False), V(META + ".statistics"), **WITH_KEYS)
    c.ok("only the encrypted metadata has them", sealed(chunk=shown, plain=True), **WITH_KEYS)

    c.rule("encryption/open-details")
    named = {"a": Chunk(pages(), meta={"key_value_metadata": [{"key": "k", "value": "v"}]})}
    c.fail("the visible metadata has key-value pairs", sealed(chunk=named, plain=True),
           V(META + ".key_value_metadata", found="key_value_metadata"), **WITH_KEYS)
    c.ok("an encrypted footer hides them", sealed(chunk=named), **WITH_KEYS)

    c.rule("encryption/plaintext-footer")
    place = V("encryption_algorithm")
    c.fail("the footer is signed", sealed(plain=True), place, **WITH_KEYS)
    c.fail("two row groups with sorting columns and key-value pairs, one column with the key of the footer",
           sealed({"a": None}, plain=True, groups=2, algorithm=CTR, edits={"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": False}]},
                  more={"footer": {"key_value_metadata": [{"key": "k", "value": "v"}]}}), place, **WITH_KEYS)
    c.ok("the footer is encrypted", sealed(), **WITH_KEYS)
    c.ok("the footer is signed, and no column is encrypted", sealed({}, plain=True), **WITH_KEYS)

    c.rule("encryption/v2-levels")
    page = {"o": Chunk([V2()])}
    nulls = lambda **crypto: File([optional("o", INT32)], [{"o": 1}, {"o": None}, {"o": 3}], page,
                                  crypto=Crypto({"o": None}, **crypto), column_orders=True)
    c.fail("the levels of a v2 page are not encrypted", nulls(v2_values_only=True), V("data_page_header_v2", page=(0, 0, 0)), **WITH_KEYS)
    c.ok("they are", nulls(), **WITH_KEYS)
    c.rule("encryption/module-length")
    c.ok("without keys, levels of a v2 page that are not encrypted", nulls(v2_values_only=True, plain=True),
         Also("file/encrypted-column", V(COLUMN + ".crypto_metadata"), "there is no key"))
