"""A file as a list of structures and bodies, which can be rewritten with one changed field.

`FileStructures(data)` finds every structure of a file that is not encrypted. `with_change` sets one field of one structure, and moves
and resizes everything that depends on the new length, so that only that field is wrong."""

import copy
import struct

from builder.codec import metadata, thrift
from builder.codec.cursor import Cursor, Refused
from builder.codec.thrift import Field, List, Struct, split

# Fields that hold an offset in the file.
OFFSETS = {"file_offset", "data_page_offset", "index_page_offset", "dictionary_page_offset", "bloom_filter_offset", "offset_index_offset",
           "column_index_offset", "offset"}


class Piece:
    """A part of the file: unchanged bytes, or a structure (`tree`) of the named kind; `chunk` is (row group, column)."""

    def __init__(self, start, data, kind=None, tree=None, chunk=None, page=None):
        self.start, self.data, self.kind, self.tree, self.chunk, self.page = start, data, kind, tree, chunk, page

    @property
    def end(self):
        return self.start + len(self.data)


def parse(cursor, kind):
    """The tree of a struct of the named kind; Refused if it has another form than `thrift.write` gives."""
    names = {ident: (name, declared) for name, (ident, declared) in metadata.FIELDS.get(kind, {}).items()}
    fields, last = [], 0
    while True:
        head = cursor.number(1, "field header")
        if not head:
            return Struct(fields, kind=kind)
        wire, delta = head & 15, head >> 4
        last = last + delta if delta else cursor.zigzag("id of a field")
        name, declared = names.get(last, (str(last), None))
        value = wire == thrift.TRUE if wire in (thrift.TRUE, thrift.FALSE) else value_at(cursor, wire, declared)
        fields.append(Field(last, name, thrift.TRUE if wire == thrift.FALSE else wire, value, long=not delta))


def value_at(cursor, wire, declared):
    """A value that is not a boolean field."""
    if wire == thrift.STRUCT:
        return parse(cursor, declared)
    if wire == thrift.BINARY:
        return cursor.take(cursor.uleb("length"), "bytes")
    if wire == thrift.I8:
        return cursor.number(1, "i8", signed=True)
    if wire in (thrift.I16, thrift.I32, thrift.I64):
        return cursor.zigzag("number")
    if wire in (thrift.TRUE, thrift.FALSE):
        byte = cursor.number(1, "boolean")
        return thrift.Raw(b"\0") if byte == 0 else byte == thrift.TRUE  # 0 for false is an old form
    if wire == thrift.DOUBLE:
        return struct.unpack("<d", cursor.take(8, "double"))[0]
    if wire != thrift.LIST:
        raise Refused(f"a value of the type {wire}")
    head = cursor.number(1, "header of a list")
    size, element = head >> 4, head & 15
    size = cursor.uleb("size") if size == 15 else size
    return List(element, [value_at(cursor, element, declared and declared[1:-1]) for _ in range(size)])


class FileStructures:
    """`pieces` are all bytes of the file, in order; `footer` is the last one before the tail."""

    def __init__(self, data):
        self.data = data
        self.pieces = []
        size = int.from_bytes(data[-8:-4], "little")
        self.footer = self.structure("FileMetaData", len(data) - 8 - size, end=len(data) - 8)
        groups = self.footer.tree.at("row_groups").items
        for g, group in enumerate(groups):
            for c, chunk in enumerate(group.at("columns").items):
                self.chunk(chunk, (g, c))
        self.pieces.sort(key=lambda piece: piece.start)
        self.fill_gaps()

    def structure(self, kind, start, end=None, chunk=None, page=None):
        cursor = Cursor(self.data)
        cursor.at, cursor.end = start, len(self.data) if end is None else end
        tree = parse(cursor, kind)
        data = self.data[start:cursor.at]
        if thrift.write(tree)[0] != data:
            raise Refused(f"the {kind} at {start} is not in the shortest form")
        piece = Piece(start, data, kind, tree, chunk, page)
        self.pieces.append(piece)
        return piece

    def chunk(self, chunk, at):
        meta = {field.name: field.value for field in chunk.at("meta_data").fields}
        cursor = min(offset for offset in (meta["data_page_offset"], meta.get("dictionary_page_offset") or meta["data_page_offset"]))
        end, page = cursor + meta["total_compressed_size"], 0
        while cursor < end:
            header = self.structure("PageHeader", cursor, end, at, page)
            body = header.tree.at("compressed_page_size")
            self.pieces.append(Piece(header.end, self.data[header.end:header.end + body], "body", None, at, page))
            cursor, page = header.end + body, page + 1
        self.copy(end, at, chunk)
        fields = {field.name: field.value for field in chunk.fields}
        for kind, name in (("ColumnIndex", "column_index"), ("OffsetIndex", "offset_index")):
            if name + "_offset" in fields:
                start = fields[name + "_offset"]
                self.structure(kind, start, start + fields[name + "_length"], at)
        if "bloom_filter_offset" in meta:
            header = self.structure("BloomFilterHeader", meta["bloom_filter_offset"], None, at)
            size = header.tree.at("numBytes")
            self.pieces.append(Piece(header.end, self.data[header.end:header.end + size], "bitset", None, at))

    def copy(self, start, at, chunk):
        """The copy of the metadata that some writers put after a chunk, as a ColumnMetaData or a ColumnChunk."""
        for kind, meta in (("ColumnMetaData", ""), ("ColumnChunk", "meta_data.")):
            pieces = len(self.pieces)
            try:
                tree = self.structure(kind, start, chunk=at).tree
                if tree.at(meta + "num_values") == chunk.at("meta_data.num_values") and tree.at(meta + "data_page_offset") >= 0:
                    return
            except (Refused, AttributeError):
                pass
            del self.pieces[pieces:]

    def fill_gaps(self):
        at, filled = 0, []
        for piece in [*self.pieces, Piece(len(self.data), b"")]:
            if piece.start > at:
                filled.append(Piece(at, self.data[at:piece.start]))
            elif piece.start < at:
                raise Refused("two structures share bytes")
            if piece.data:
                filled.append(piece)
            at = piece.end
        self.pieces = filled

    def with_change(self, piece, path, value):
        """(bytes of the file with another value of that field, offset of the value, offset of its end)."""
        tree = with_field(piece.tree, path, value)
        body, spans = thrift.write(tree, piece.start)
        if len(body) == len(piece.data):
            return self.data[:piece.start] + body + self.data[piece.end:], spans[path].value, spans[path].end
        if piece is self.footer:
            tail = len(body).to_bytes(4, "little") + self.data[-4:]
            return self.data[:piece.start] + body + tail, spans[path].value, spans[path].end
        trees = [one.tree for one in self.pieces]
        index = self.pieces.index(piece)
        trees[index] = tree
        starts, sizes = [one.start for one in self.pieces], [len(one.data) for one in self.pieces]
        for _ in range(6):
            bodies = [thrift.write(tree)[0] if tree else one.data for tree, one in zip(trees, self.pieces)]
            new_sizes = [len(body) for body in bodies]
            at, new_starts = 0, []
            for size in new_sizes:
                new_starts.append(at)
                at += size
            if new_sizes == sizes and new_starts == starts:
                break
            sizes, starts = new_sizes, new_starts
            self.follow(trees, starts, sizes, (index, path))
        else:
            raise Refused("the offsets do not settle")
        out = b"".join(bodies)
        footer = self.pieces.index(self.footer)
        end = starts[footer] + sizes[footer]
        out = out[:end] + sizes[footer].to_bytes(4, "little") + out[end + 4:]
        span = thrift.write(trees[index], starts[index])[1][path]
        return out, span.value, span.end

    def follow(self, trees, starts, sizes, changed):
        """Sets offsets and sizes to those of the current pieces; the `changed` field (piece, path) keeps its value."""
        def moved(offset):
            for one, start in zip(reversed(self.pieces), reversed(starts)):
                if one.start <= offset:
                    return offset + start - one.start
            return offset

        def grown(*kinds, chunk=None, page=None):
            return sum(size - len(one.data) for one, size in zip(self.pieces, sizes)
                       if one.kind in kinds and (chunk is None or one.chunk == chunk or one.chunk and one.chunk[0] == chunk)
                       and (page is None or one.page == page))

        def change(index, path, to):
            if (index, path) != changed and path in spans:
                trees[index] = with_field(trees[index], path, to)

        for index, one in enumerate(self.pieces):
            if not one.tree:
                continue
            spans = thrift.write(one.tree)[1]
            for path in spans:
                if path.split(".")[-1] in OFFSETS and one.kind in ("FileMetaData", "OffsetIndex", "ColumnMetaData", "ColumnChunk"):
                    old = one.tree.at(path)
                    change(index, path, moved(old) if old > 0 else old)
            if one.kind == "OffsetIndex":
                pages = [other.page for other in self.pieces if other.kind == "PageHeader" and other.chunk == one.chunk
                         and other.tree.at("type") in (metadata.DATA_PAGE, metadata.DATA_PAGE_V2)]
                for at, page in enumerate(pages):
                    path = f"page_locations[{at}].compressed_page_size"
                    change(index, path, one.tree.at(path) + grown("PageHeader", chunk=one.chunk, page=page))
            if one.kind in ("ColumnMetaData", "ColumnChunk"):
                meta = "" if one.kind == "ColumnMetaData" else "meta_data."
                for path in (meta + "total_compressed_size", meta + "total_uncompressed_size"):
                    change(index, path, one.tree.at(path) + grown("PageHeader", chunk=one.chunk))
            if one.kind == "FileMetaData":
                for g, group in enumerate(one.tree.at("row_groups").items):
                    for name in ("total_byte_size", "total_compressed_size"):
                        path = f"row_groups[{g}].{name}"
                        if path in spans:
                            change(index, path, one.tree.at(path) + grown("PageHeader", chunk=g))
                    for c in range(len(group.at("columns").items)):
                        column = f"row_groups[{g}].columns[{c}]"
                        for path, kind in ((".meta_data.total_compressed_size", "PageHeader"), (".meta_data.total_uncompressed_size", "PageHeader"),
                                           (".meta_data.bloom_filter_length", "BloomFilterHeader"), (".column_index_length", "ColumnIndex"),
                                           (".offset_index_length", "OffsetIndex")):
                            if column + path in spans:
                                change(index, column + path, one.tree.at(column + path) + grown(kind, chunk=(g, c)))


def with_field(tree, path, value):
    """A tree with another value at a path; it shares all other nodes."""
    def changed(node, steps):
        if not steps:
            return value
        node = copy.copy(node)
        if isinstance(steps[0], int):
            node.items = list(node.items)
            node.items[steps[0]] = changed(node.items[steps[0]], steps[1:])
            return node
        at = next(at for at, field in enumerate(node.fields) if field.name == steps[0])
        node.fields = list(node.fields)
        node.fields[at] = copy.copy(node.fields[at])
        node.fields[at].value = changed(node.fields[at].value, steps[1:])
        return node
    return changed(tree, split(path))
