"""The entries of a column chunk, read from its pages."""

from builder.codec import bit_packed, compression, hybrid, metadata, plain, thrift_reader
from builder.codec.cursor import Cursor, Refused

MEMBERS = {metadata.DATA_PAGE: "data_page_header", metadata.INDEX_PAGE: "index_page_header",
           metadata.DICTIONARY_PAGE: "dictionary_page_header", metadata.DATA_PAGE_V2: "data_page_header_v2"}


class TooMany(Refused):
    """More entries than the limit."""


class Pages:
    """The entries of the pages so far. `column` describes the column; `section` decodes values from a cursor, the
    number of the encoding and the number of values. More than `most` entries in a page are refused."""

    def __init__(self, column, section, most=None):
        self.column, self.section, self.codec = column, section, getattr(metadata, column["codec"])
        self.most = most
        self.kind = getattr(metadata, column["type"])
        self.dictionary, self.reps, self.defs, self.values = None, [], [], []

    def read(self, cursor):
        """Reads all pages up to the end of the bytes."""
        while cursor.left:
            self.page(cursor)
        return {"repetition_levels": self.reps, "definition_levels": self.defs, "values": self.values}

    def page(self, cursor):
        header = thrift_reader.read(cursor, "PageHeader")
        stored, expanded = header["compressed_page_size"], header["uncompressed_page_size"]
        member = MEMBERS.get(header["type"])
        if stored < 0 or expanded < 0 or stored > cursor.left:
            raise Refused(f"a page of {stored} bytes, {cursor.left} are there")
        if header["type"] not in MEMBERS or header["type"] == metadata.INDEX_PAGE:
            cursor.take(stored, "body of a page that holds no values")
            return
        if member not in header:
            raise Refused(f"{member} is missing")
        header, end = header[member], cursor.end
        if header["num_values"] < 0:
            raise Refused("a negative number of values")
        if self.most is not None and header["num_values"] > self.most:
            raise TooMany(f"{header['num_values']} values in a page")
        cursor.end = cursor.at + stored
        if member == "data_page_header_v2":
            self.second(cursor, header, expanded)
        else:
            body = self.body(cursor, expanded, self.codec != metadata.UNCOMPRESSED)
            if member == "dictionary_page_header":
                if header["encoding"] not in (metadata.PLAIN, metadata.PLAIN_DICTIONARY):
                    raise Refused(f"a dictionary of the encoding {header['encoding']}")
                self.dictionary = plain.decode(body, self.kind, header["num_values"], self.column.get("type_length"))
                if body.left:
                    raise Refused(f"{body.left} bytes after the entries of the dictionary")
            else:
                self.first(body, header)
        cursor.take(cursor.left, "bytes after the values")
        cursor.end = end

    def body(self, cursor, expanded, is_compressed):
        """A cursor over the image: the same one if nothing is compressed."""
        if not is_compressed:
            return cursor
        stored = cursor.take(cursor.left, "compressed body")
        if not stored and not expanded:
            return cursor
        return Cursor(compression.decompress(Cursor(stored), self.codec, expanded))

    def first(self, body, header):
        count = header["num_values"]
        reps = self.prefixed(body, count, self.column["max_repetition_level"], header["repetition_level_encoding"], "repetition")
        defs = self.prefixed(body, count, self.column["max_definition_level"], header["definition_level_encoding"], "definition")
        self.entries(body, reps, defs, header["encoding"])

    def prefixed(self, body, count, most, encoding, name):
        """The levels of a v1 page."""
        if not most:
            return [0] * count
        if encoding == metadata.BIT_PACKED:
            return bit_packed.decode(body, most.bit_length(), count)
        if encoding != metadata.RLE:
            raise Refused(f"{name} levels of the encoding {encoding}")
        return self.levels(body, body.number(4, f"length of the {name} levels"), most, count, name)

    def levels(self, body, size, most, count, name):
        if not 0 <= size <= body.left:
            raise Refused(f"{size} bytes of levels, {body.left} are there")
        end, body.end = body.end, body.at + size
        levels = hybrid.decode(body, most.bit_length(), count)
        body.take(body.left, f"bytes after the {name} levels")
        body.end = end
        return levels

    def second(self, cursor, header, expanded):
        count, lengths = header["num_values"], [header[name + "_levels_byte_length"] for name in ("repetition", "definition")]
        levels = []
        for name, size in zip(("repetition", "definition"), lengths):
            most = self.column[f"max_{name}_level"]
            if not most:
                cursor.take(size, f"{name} levels that are not stored")
            levels.append(self.levels(cursor, size, most, count, name) if most else [0] * count)
        is_compressed = self.codec != metadata.UNCOMPRESSED and header.get("is_compressed", True)
        body = self.body(cursor, expanded - sum(lengths), is_compressed)
        self.entries(body, *levels, header["encoding"])

    def entries(self, body, reps, defs, encoding):
        """Adds the entries of a page; its values follow the levels."""
        most = self.column["max_definition_level"]
        if any(level > most for level in defs) or any(level > self.column["max_repetition_level"] for level in reps):
            raise Refused("a level above the largest")
        values = self.section(body, encoding, defs.count(most))
        if encoding in (metadata.PLAIN_DICTIONARY, metadata.RLE_DICTIONARY) and values:
            if self.dictionary is None or max(values) >= len(self.dictionary):
                raise Refused("an index without an entry of a dictionary")
            values = [self.dictionary[index] for index in values]
        self.reps, self.defs, self.values = self.reps + reps, self.defs + defs, self.values + values
