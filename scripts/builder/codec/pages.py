"""Pages: the request of a recipe, and the resulting page in a chunk."""

import struct

from builder.codec import bit_packed, encodings, encryption, hybrid, plain
from builder.codec.checksums import crc32, signed
from builder.codec.encodings import ENCODINGS
from builder.codec.marked import Marked, marked
from builder.codec.metadata import (BIT_PACKED, BOOLEAN, DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE, PLAIN, PLAIN_DICTIONARY, RLE,
                                    RLE_DICTIONARY, UNCOMPRESSED, edit, make)
from builder.codec.thrift import write

#: Types of modules of data pages and of dictionary pages.
BODIES = (encryption.DATA_PAGE, encryption.DICTIONARY_PAGE)
HEADERS = (encryption.DATA_PAGE_HEADER, encryption.DICTIONARY_PAGE_HEADER)


class Page:
    """The overrides of every page: `image` is the body before compression, `stored` the body in the file,
    `crc` True for the correct checksum, or a number, `header` edits to the PageHeader, `header_bytes` a replacement of it."""

    type = None

    def __init__(self, image=None, stored=None, crc=None, header=None, header_bytes=None):
        self.image, self.stored, self.crc, self.header, self.header_bytes = image, stored, crc, header, header_bytes

    def take(self, chunk, entries):
        """The number of the chunk's remaining entries that the page takes."""
        return 0

    def build(self, context):
        """(image as Marked, stored bytes, whether they equal the image, values of the PageHeader)."""
        image = marked(b"" if self.image is None else self.image)
        stored = context.compress(image.data) if self.stored is None else self.stored
        return image, stored, context.codec == UNCOMPRESSED, {}


class Other(Page):
    """A page of any type: its header has only the fields of `header`."""

    def __init__(self, type_, image=b"", **overrides):
        super().__init__(image=image, **overrides)
        self.type = type_


class Dictionary(Page):
    """A dictionary page of these entries; `count` replaces their number in the header."""

    type = DICTIONARY_PAGE

    def __init__(self, items, encoding=PLAIN, is_sorted=None, count=None, **overrides):
        super().__init__(**overrides)
        self.items, self.encoding, self.is_sorted, self.count = items, encoding, is_sorted, count

    def build(self, context):
        image = marked(plain.encode(context.leaf.type, self.items) if self.image is None else self.image)
        count = len(self.items) if self.count is None else self.count
        values = {"dictionary_page_header": {"num_values": count, "encoding": self.encoding, "is_sorted": self.is_sorted}}
        stored = context.compress(image.data) if self.stored is None else self.stored
        return image.named("values"), stored, context.codec == UNCOMPRESSED, values


class Data(Page):
    """A data page of the chunk's next `count` entries (all that are left if None), or of its own `entries`.

    `reps`, `defs` and `values` replace the level streams (runs for the hybrid, or bytes) and the value section
    (bytes); `runs` and `width` shape dictionary indices and RLE booleans; `statistics` go to the header.
    """

    def __init__(self, count=None, encoding=PLAIN, entries=None, reps=None, defs=None, values=None, runs=None,
                 width=None, statistics=None, **overrides):
        super().__init__(**overrides)
        self.count, self.encoding, self.entries = count, encoding, entries
        self.reps, self.defs, self.values, self.runs, self.width = reps, defs, values, runs, width
        self.statistics = statistics

    def take(self, chunk, entries):
        return len(entries) if self.count is None else self.count

    def level_stream(self, levels, override, maximum):
        if not maximum and override is None:
            return None
        if isinstance(override, (bytes, Marked)):
            return marked(override)
        return hybrid.encode(hybrid.runs_of(levels) if override is None else override, hybrid.width_of(maximum))

    def section(self, context, entries):
        """The value section."""
        if self.values is not None:
            return marked(self.values)
        leaf = context.leaf
        items = [value for _, level, value in entries if level == leaf.max_def]
        if self.encoding in (RLE_DICTIONARY, PLAIN_DICTIONARY):
            known = context.dictionary
            return hybrid.indices([known.index(item) for item in items], len(known), self.runs, self.width)
        if self.encoding == RLE and leaf.type == BOOLEAN:
            return hybrid.booleans(items, self.runs)
        return marked(encodings.encode(ENCODINGS[self.encoding], leaf.type, items))


class V1(Data):
    """A DATA_PAGE; `rep_length` and `def_length` replace the 4-byte length prefixes (an int, or bytes); `rep_encoding` and
    `def_encoding` BIT_PACKED store levels so, without a length prefix."""

    type = DATA_PAGE

    def __init__(self, *args, rep_length=None, def_length=None, rep_encoding=RLE, def_encoding=RLE, **overrides):
        super().__init__(*args, **overrides)
        self.rep_length, self.def_length = rep_length, def_length
        self.rep_encoding, self.def_encoding = rep_encoding, def_encoding

    def levels(self, levels, override, maximum, encoding, length, name):
        """The stored form of the levels of one kind."""
        if encoding == BIT_PACKED and maximum:
            packed = bit_packed.encode(levels, hybrid.width_of(maximum)) if override is None else override
            return marked(packed).named(name)
        stream = self.level_stream(levels, override, maximum)
        if stream is None:
            return Marked()
        length = len(stream) if length is None else length
        word = length if isinstance(length, bytes) else struct.pack("<I", length)
        return Marked(word, {f"{name}.length": 0}) + stream.named(name)

    def build(self, context):
        entries, leaf = context.entries, context.leaf
        reps = self.levels([rep for rep, _, _ in entries], self.reps, leaf.max_rep, self.rep_encoding, self.rep_length, "rep")
        defs = self.levels([level for _, level, _ in entries], self.defs, leaf.max_def, self.def_encoding, self.def_length, "def")
        image = reps + defs + self.section(context, entries).named("values")
        image = image if self.image is None else marked(self.image)
        stored = context.compress(image.data) if self.stored is None else self.stored
        values = {"data_page_header": {"num_values": len(entries), "encoding": self.encoding,
                                       "definition_level_encoding": self.def_encoding,
                                       "repetition_level_encoding": self.rep_encoding, "statistics": self.statistics}}
        return image, stored, context.codec == UNCOMPRESSED, values


class V2(Data):
    """A DATA_PAGE_V2; `is_compressed` None leaves the field out."""

    type = DATA_PAGE_V2

    def __init__(self, *args, is_compressed=None, **overrides):
        super().__init__(*args, **overrides)
        self.is_compressed = is_compressed

    def build(self, context):
        entries, leaf = context.entries, context.leaf
        reps = self.level_stream([rep for rep, _, _ in entries], self.reps, leaf.max_rep) or Marked()
        defs = self.level_stream([level for _, level, _ in entries], self.defs, leaf.max_def) or Marked()
        section = self.section(context, entries)
        image = reps.named("rep") + defs.named("def") + section.named("values")
        plainly = self.is_compressed is False or context.codec == UNCOMPRESSED
        stored = self.stored
        if stored is None:
            stored = reps.data + defs.data + (section.data if plainly else context.compress(section.data))
        values = {"data_page_header_v2": {
            "num_values": len(entries), "num_nulls": sum(level < leaf.max_def for _, level, _ in entries),
            "num_rows": sum(rep == 0 for rep, _, _ in entries), "encoding": self.encoding,
            "definition_levels_byte_length": len(defs), "repetition_levels_byte_length": len(reps),
            "is_compressed": self.is_compressed, "statistics": self.statistics}}
        return image, stored, plainly, values


class Context:
    """The parameters that a page needs from its chunk."""

    def __init__(self, leaf, codec, compress, entries, dictionary, sealer=None):
        self.leaf, self.codec, self.compress = leaf, codec, compress
        self.entries, self.dictionary, self.sealer = entries, dictionary, sealer


class Sealer:
    """Encrypts the modules of the pages of one chunk."""

    def __init__(self, crypto, leaf, group, column):
        self.crypto, self.key, self.group, self.column, self.page = crypto, crypto.key(leaf), group, column, 0

    def module(self, kinds, is_dictionary, text):
        """The module of a page (`kinds`: its type for data pages and for dictionary pages)."""
        place = (kinds[is_dictionary], self.group, self.column, 0 if is_dictionary else self.page)
        return self.crypto.module(self.key, place, text)


class BuiltPage:
    """A page in bytes: its header tree, its image with marks, its stored body, and after `place` its position."""

    def __init__(self, page, context):
        self.page, self.entries = page, context.entries
        self.image, self.stored, self.plainly, values = page.build(context)
        self.sealer, is_dictionary = context.sealer, page.type == DICTIONARY_PAGE
        if self.sealer and page.stored is None:
            levels = values.get("data_page_header_v2", {})
            clear = levels.get("definition_levels_byte_length", 0) + levels.get("repetition_levels_byte_length", 0)
            clear = clear if self.sealer.crypto.v2_values_only else 0
            self.stored = self.stored[:clear] + self.sealer.module(BODIES, is_dictionary, self.stored[clear:])
        crc = signed(crc32(self.stored)) if page.crc is True else page.crc
        self.values = {"type": page.type, "uncompressed_page_size": len(self.image),
                       "compressed_page_size": len(self.stored), "crc": crc, **values}
        self.header = self.unedited()
        edit(self.header, page.header)
        self.header_bytes = write(self.header)[0] if page.header_bytes is None else page.header_bytes
        self.header_at = 0
        if self.sealer and page.header_bytes is None:
            self.header_bytes, self.header_at = self.sealer.module(HEADERS, is_dictionary, self.header_bytes), encryption.HEAD
            self.sealer.page += 0 if is_dictionary else 1
        self.offset, self.is_root = None, False

    def __len__(self):
        return len(self.header_bytes) + len(self.stored)

    def unedited(self):
        """The header without the edits of the recipe."""
        return make("PageHeader", self.values)

    def uncompressed_size(self):
        """A number of the header if it is possible; the chunk sums these up."""
        field = self.header.field("uncompressed_page_size")
        return field.value if field and isinstance(field.value, int) and field.value >= 0 else len(self.image)

    def place(self, offset):
        """Puts the page at a file offset; `spans` then has its header's fields."""
        self.offset = offset
        self.spans = write(self.header, offset + self.header_at)[1]
        self.body = offset + len(self.header_bytes)
