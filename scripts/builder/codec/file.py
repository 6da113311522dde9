"""Files: from schema, rows and pages to bytes and all positions."""

import struct

from builder.codec import bloom, compression, encryption, page_indexes, schema
from builder.codec.metadata import DICTIONARY_PAGE, DROP, PLAIN, UNCOMPRESSED, edit, make
from builder.codec.pages import V1, BuiltPage, Context, Data, Dictionary, Sealer
from builder.codec.thrift import write

#: The structures outside the pages, by the arguments of Chunk that request them.
STRUCTURES = {"column_index": "column_index", "offset_index": "offset_index", "bloom": "bloom_filter_header"}
CREATED_BY = "parqproof-builder version 1.0.0 (build 0)"


class Chunk:
    """The storage of one leaf in one row group.

    `pages` default to one V1 page; `meta` and `column` are edits to ColumnMetaData and ColumnChunk; `compress`
    replaces the codec's own function; `before` and `after` are bytes around the pages; `entries` replaces the shredded
    ones; `column_index`, `offset_index` and `bloom` are True, or edits to the correct structure, the `_tail` bytes
    inside their recorded length; `bits` is a function that changes the bitset of the filter, a bytearray; `copy` is True,
    or edits, for a ColumnMetaData after the pages; a chunk that `shares` the pages of another (row group, leaf) has none
    of its own; `index` is a Tree of index pages over the data pages.
    With `sizes` the chunk has SizeStatistics, and its page index those of each page.
    `file` names another file that holds the pages: they are appended to it, or it is one of the File's `parts`, and the
    pages are those of its (row group, leaf) `at`.
    """

    def __init__(self, pages=None, codec=UNCOMPRESSED, meta=None, column=None, compress=None, before=b"", after=b"",
                 entries=None, column_index=None, offset_index=None, bloom=None, blocks=1, copy=None,
                 column_index_tail=b"", offset_index_tail=b"", shares=None, index=None, file=None, at=None, sizes=False,
                 bits=None):
        self.pages, self.codec, self.meta, self.column = pages, codec, meta, column
        self.compress = compress or compression.COMPRESS.get(codec, lambda data: data)
        self.before, self.after, self.entries = before, after, entries
        self.column_index, self.offset_index, self.bloom, self.blocks = column_index, offset_index, bloom, blocks
        self.copy, self.shares, self.index, self.file, self.at, self.sizes = copy, shares, index, file, at, sizes
        self.column_index_tail, self.offset_index_tail, self.bits = column_index_tail, offset_index_tail, bits


class Group:
    """One row group: rows, the chunks (one for all leaves, or a list, or by leaf path), edits to RowGroup."""

    def __init__(self, rows, chunks=None, edits=None):
        self.rows, self.chunks, self.edits = rows, chunks, edits

    def chunk(self, leaf, index):
        chunks = self.chunks
        if isinstance(chunks, dict):
            chunks = chunks.get(".".join(leaf.path))
        elif isinstance(chunks, list):
            chunks = chunks[index]
        return chunks or Chunk()


class BuiltChunk:
    """The bytes of one chunk and, after placing, its offsets."""

    def __init__(self, leaf, chunk, entries, sealer=None):
        self.leaf, self.chunk = leaf, chunk
        self.entries = entries if chunk.entries is None else chunk.entries
        self.pages, left, dictionary = [], list(self.entries), None
        for page in chunk.pages if chunk.pages is not None else [V1()]:
            count = page.take(chunk, left)
            mine, left = left[:count], left[count:]
            if isinstance(page, Data) and page.entries is not None:
                mine = page.entries
            if isinstance(page, Dictionary) and dictionary is None:
                dictionary = page.items
            self.pages.append(BuiltPage(page, Context(leaf, chunk.codec, chunk.compress, mine, dictionary, sealer)))
        if chunk.index:
            self.pages = chunk.index.grow(leaf, chunk, self.pages)

    def data_pages(self):
        return [page for page in self.pages if isinstance(page.page, Data)]

    def place(self, offset):
        """Places the pages one after another and returns the end."""
        self.offset = offset
        for page in self.pages:
            page.place(offset)
            offset += len(page)
        self.end = offset
        return offset

    def encodings(self):
        """The actual encodings: of values, of the dictionary page, and of stored v1 levels."""
        used = set()
        for page in self.pages:
            if isinstance(page.page, (Data, Dictionary)):
                used.add(page.page.encoding)
            if isinstance(page.page, V1) and self.leaf.max_def:
                used.add(page.page.def_encoding)
            if isinstance(page.page, V1) and self.leaf.max_rep:
                used.add(page.page.rep_encoding)
        return sorted(used) or [PLAIN]

    def metadata(self):
        """The values of a ColumnMetaData that agrees with the page headers."""
        data = self.data_pages()
        dictionary = next((page for page in self.pages if page.page.type == DICTIONARY_PAGE), None)
        root = next((page for page in self.pages if page.is_root), None)
        headers = sum(len(page.header_bytes) for page in self.pages)
        entries = [entry for page in data for entry in page.entries]
        return {
            "size_statistics": page_indexes.size_statistics(self.leaf, entries) if self.chunk.sizes else None,
            "type": self.leaf.type, "encodings": self.encodings(), "path_in_schema": self.leaf.path,
            "codec": self.chunk.codec, "num_values": sum(len(page.entries) for page in data),
            "total_uncompressed_size": headers + sum(page.uncompressed_size() for page in self.pages),
            "total_compressed_size": headers + sum(len(page.stored) for page in self.pages),
            "data_page_offset": data[0].offset if data else 0,
            "index_page_offset": root.offset if root else None,
            "dictionary_page_offset": dictionary.offset if dictionary else None,
        }


class File:
    """A file to build.

    `rows` (one row group) or `groups`; `chunks` as in Group; `footer` are edits to FileMetaData; `order` lists
    (row group, leaf) in the order of their bytes; `head`, `tail` are the magic, `footer_tail` bytes after the struct,
    `footer_length` the length prefix (an int); `column_orders` True writes TYPE_ORDER for every leaf; `parts` are other
    Files, by their names, that chunks are in. `arrange` gives the structures outside the pages, a list of (structure, row group,
    leaf), another order; those in `early` follow their own chunk. `crypto` encrypts it.
    """

    def __init__(self, children, rows=None, chunks=None, groups=None, edits=None, footer=None, order=None, head=b"PAR1",
                 tail=b"PAR1", footer_tail=b"", footer_length=None, column_orders=None, before_footer=b"", root="r",
                 parts=None, arrange=None, early=(), crypto=None):
        self.crypto = crypto
        self.arrange, self.early = arrange or (lambda places: places), early
        self.children, self.footer, self.order, self.head, self.tail = children, footer, order, head, tail
        self.groups = groups if groups is not None else [Group(rows, chunks, edits)]
        self.footer_tail, self.footer_length, self.root = footer_tail, footer_length, root
        self.column_orders, self.before_footer, self.parts = column_orders, before_footer, parts or {}

    def rows(self):
        return [row for group in self.groups for row in group.rows]

    def build(self):
        return Built(self)


class Built:
    """The bytes of a File, the Span of every footer field, every page, and the spans of the index structures. `tree` returns
    the structs as written, and without the edits of the recipe."""

    def __init__(self, file):
        self.file, self.trees = file, {}
        self.leaves = schema.leaves(file.children)
        self.chunks = []
        self.crypto = file.crypto
        for g, group in enumerate(file.groups):
            entries = schema.shred(file.children, group.rows)
            self.chunks.append([BuiltChunk(leaf, group.chunk(leaf, index), entries[index], self._sealer(leaf, g, index))
                                for index, leaf in enumerate(self.leaves)])
        self.parts = {name: part.build() for name, part in file.parts.items()}
        self.apart = {}
        is_hidden = self.crypto is not None and not self.crypto.plain
        out = bytearray(b"PARE" if is_hidden and file.head == b"PAR1" else file.head)
        self.structures = {}
        self._chunks(out)
        self._indexes(out)
        out += file.before_footer
        self.footer_start = len(out)
        footer = self._footer()
        edit(footer, file.footer)
        self.trees["footer"] = footer
        if is_hidden:
            self._hidden_footer(out, footer)
        else:
            data, self.spans = write(footer, len(out))
            out += data + (self._signature(data) if self.crypto else b"")
        out += file.footer_tail
        length = len(out) - self.footer_start if file.footer_length is None else file.footer_length
        out += struct.pack("<I", length) + (b"PARE" if is_hidden and file.tail == b"PAR1" else file.tail)
        self.data = bytes(out)

    def _sealer(self, leaf, group, column):
        return Sealer(self.crypto, leaf, group, column) if self.crypto and self.crypto.covers(leaf, group) else None

    def _hidden_footer(self, out, footer):
        """FileCryptoMetaData, and the module of the footer."""
        crypto = make("FileCryptoMetaData", {"encryption_algorithm": self.crypto.encryption_algorithm(),
                                             "key_metadata": self.crypto.key_metadata})
        edit(crypto, self.crypto.crypto_edits)
        self.trees["crypto"] = crypto
        head, self.crypto_spans = write(crypto, len(out))
        out += head
        data, self.spans = write(footer, len(out) + encryption.HEAD)
        self.module_start = len(out)
        out += self.crypto.module(self.crypto.footer, (encryption.FOOTER, 0, 0, 0), data)

    def _signature(self, data):
        """The nonce and the tag of a plaintext footer."""
        nonce, _, tag = self.crypto.parts(self.crypto.footer, (encryption.FOOTER, 0, 0, 0), data)
        return nonce + tag if self.crypto.signature is None else self.crypto.signature(nonce + tag)

    def tree(self, name, place=None, unedited=False):
        """The struct `footer`, or of the chunk at `place` the `copy`, or an index structure by its name."""
        if not unedited:
            return self.trees[(name, *place) if place else name]
        if name == "footer":
            return self._footer(unedited=True)
        g, c = place
        if name == "copy":
            return self._column(g, c).at("meta_data")
        return self._index(name, g, c)[0]

    def files(self):
        """The bytes of the other files that chunks are in, by their names."""
        return {**{name: part.data for name, part in self.parts.items()}, **{name: bytes(data) for name, data in self.apart.items()}}

    def _chunks(self, out):
        places = [(g, c) for g, row in enumerate(self.chunks) for c in range(len(row))]
        self.copies = {}
        for place in self.file.order or places:
            built = self.chunks[place[0]][place[1]]
            if built.chunk.shares:
                built.place(self.chunks[built.chunk.shares[0]][built.chunk.shares[1]].offset)
                continue
            if built.chunk.at:
                built.place(self.parts[built.chunk.file].chunks[built.chunk.at[0]][built.chunk.at[1]].offset)
                continue
            into = self.apart.setdefault(built.chunk.file, bytearray()) if built.chunk.file else out
            into += built.chunk.before
            built.place(len(into))
            for page in built.pages:
                into += page.header_bytes + page.stored
            if built.chunk.copy is not None:
                meta = make("ColumnMetaData", built.metadata())
                edit(meta, built.chunk.meta)
                edit(meta, built.chunk.copy if built.chunk.copy is not True else None)
                self.trees["copy", *place] = meta
                data, self.copies[place] = write(meta, len(out))
                out += data
            for wanted in self.file.early:
                self._structure(out, wanted, *place)
            out += built.chunk.after

    def _indexes(self, out):
        for wanted, g, c in self.file.arrange([(wanted, g, c) for wanted in STRUCTURES if wanted not in self.file.early
                                             for g, row in enumerate(self.chunks) for c in range(len(row))]):
            self._structure(out, wanted, g, c)

    def _structure(self, out, wanted, g, c):
        """Writes a structure if the chunk requests it."""
        edits = getattr(self.chunks[g][c].chunk, wanted)
        if edits is None:
            return
        kind = STRUCTURES[wanted]
        tree, rest = self._index(kind, g, c)
        edit(tree, None if edits is True else edits)
        self.trees[kind, g, c] = tree
        leaf = self.leaves[c]
        if self.crypto and self.crypto.covers(leaf, g):
            key, place = self.crypto.key(leaf), (encryption.TYPES[kind], g, c, 0)
            data, spans = write(tree, len(out) + encryption.HEAD)
            is_filter = kind == "bloom_filter_header"
            data = self.crypto.module(key, place, data if is_filter else data + rest)
            rest = self.crypto.module(key, (encryption.BLOOM_FILTER_BITSET, g, c, 0), rest) if is_filter else b""
        else:
            data, spans = write(tree, len(out))
        self.structures[kind, g, c] = (len(out), len(data) + len(rest), spans)
        out += data + rest

    def _index(self, kind, g, c):
        """The correct structure of a chunk, and the bytes after it within its length."""
        built = self.chunks[g][c]
        if kind != "bloom_filter_header":
            return page_indexes.BUILD[kind](built, len(self.file.groups[g].rows)), getattr(built.chunk, kind + "_tail")
        items = [v for _, level, v in built.entries if level == built.leaf.max_def]
        bits = bytearray(bloom.bitset(built.leaf.type, items, built.chunk.blocks))
        size = len(bits)
        if built.chunk.bits:
            built.chunk.bits(bits)
        return make("BloomFilterHeader", bloom.header(size)), bytes(bits)

    def _column(self, g, c, unedited=False):
        built = self.chunks[g][c]
        values = {"file_offset": built.end if (g, c) in self.copies else 0, "meta_data": built.metadata(),
                  "file_path": built.chunk.file}
        for name in ("offset_index", "column_index"):
            if (name, g, c) in self.structures:
                values[name + "_offset"], values[name + "_length"], _ = self.structures[name, g, c]
        if ("bloom_filter_header", g, c) in self.structures:
            start, size, _ = self.structures["bloom_filter_header", g, c]
            values["meta_data"].update(bloom_filter_offset=start, bloom_filter_length=size)
        column = make("ColumnChunk", values)
        if unedited:
            return column
        edit(column.at("meta_data"), built.chunk.meta)
        if self.crypto and self.crypto.covers(built.leaf, g):
            self._hide(column, g, c, built.leaf)
        edit(column, built.chunk.column)
        return column

    def _hide(self, column, g, c, leaf):
        """Encrypts the metadata of a column, and strips what remains visible."""
        crypto = self.crypto
        edit(column, {"crypto_metadata": crypto.crypto_metadata(leaf)})
        if not crypto.has_sealed_metadata(leaf):
            return
        data = write(column.at("meta_data"))[0]
        module = crypto.module(crypto.key(leaf), (encryption.COLUMN_METADATA, g, c, 0), data)
        edit(column, {"encrypted_column_metadata": module})
        if not crypto.plain:
            edit(column, {"meta_data": DROP})
        elif crypto.strip:
            edit(column, {"meta_data.statistics": DROP, "meta_data.size_statistics": DROP, "meta_data.encoding_stats": DROP})

    def _footer(self, unedited=False):
        groups = []
        for g, (group, row) in enumerate(zip(self.file.groups, self.chunks)):
            total = sum(built.metadata()["total_uncompressed_size"] for built in row)
            tree = make("RowGroup", {"columns": [], "total_byte_size": total, "num_rows": len(group.rows),
                                     "ordinal": g if self.crypto else None})
            tree.at("columns").items = [self._column(g, c, unedited) for c in range(len(row))]
            edit(tree, None if unedited else group.edits)
            groups.append(tree)
        orders = [{"TYPE_ORDER": {}}] * len(self.leaves) if self.file.column_orders is True else self.file.column_orders
        footer = make("FileMetaData", {
            "version": 1, "schema": schema.elements(self.file.root, self.file.children),
            "num_rows": len(self.file.rows()), "row_groups": [], "created_by": CREATED_BY, "column_orders": orders,
            "encryption_algorithm": self.crypto.encryption_algorithm() if self.crypto and self.crypto.plain else None,
            "footer_signing_key_metadata": self.crypto.key_metadata if self.crypto and self.crypto.plain else None})
        footer.at("row_groups").items = groups
        return footer
