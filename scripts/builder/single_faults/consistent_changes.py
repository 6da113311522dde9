"""Changes of a file that leave it consistent: the new value is also correct, or no other byte of the file contradicts it.

`Evidence(file)` of a FileStructures answers `reason(piece, path, new)` with a key of REASONS, or None if the file contradicts the
new value."""

import re
import struct

from builder.codec import file_reader, thrift_reader
from builder.codec.cursor import Cursor, Refused
from builder.codec.metadata import (BIT_PACKED, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT96, PLAIN, RLE,
                                    UNCOMPRESSED)
from builder.codec.schema import leaves

REASONS = {
    "field-id": "field_id: an id is the application's choice",
    "utc": "isAdjustedToUTC without a ConvertedType: both are legal, and the values are the same",
    "version": "version: any but 1 and 2 is a warning; both of these are legal",
    "file-offset": "file_offset of a column chunk: deprecated; readers do not follow it",
    "group-without-bytes": "file_offset of a row group without columns: no page could be there",
    "wider": "a bound without an exact flag may enclose more than the values",
    "orderless": "a bound in a column without an order, or a deprecated one of byte arrays or unsigned numbers: no two readers compare it alike",
    "not-exact": "a flag that is no longer set promises nothing",
    "exact": "a flag that calls a bound exact which is exact",
    "sorted": "is_sorted of a dictionary whose entries do ascend",
    "both-orders": "boundary_order of equal bounds, of one page, or UNORDERED: it holds either way",
    "ties": "sorting_columns: the rows are in this order as well",
    "no-codec": "is_compressed where there is no codec, codec where no page is compressed",
    "absent-levels": "the encoding of levels that are not stored: RLE and BIT_PACKED are both written",
    "listed": "encodings may list PLAIN, RLE and BIT_PACKED without need, because writers list those of levels that no page stores",
    "nothing-stored": "the schema of a column without a column chunk: nothing was stored by it",
    "bits": "type_length of a type of fixed width: the max number of bits, which the values need not use",
    "one-annotation": "a single annotation: no second one states the meaning of the values",
    "geometry": "values of GEOMETRY and GEOGRAPHY are bytes to the checks here",
}
BY_PATH = [
    (r"schema\[\d+\]\.field_id", "field-id"),
    (r"version", "version"),
    (r"(row_groups\[\d+\]\.columns\[\d+\]\.)?file_offset", "file-offset"),
    (r".*geospatial_statistics\..*", "geometry"),
]
#: Changes that no finding names exactly: (kind of change, path) as regular expressions, and the evidence that is missing.
MISSING = [
    ("damage bitset", ".*", "a bit more in a Bloom filter makes no false negative, only more false positives"),
    ("damage FileMetaData", ".*", "names, keys and texts of the footer may be any, and after a damaged field header the place of the fault in its struct is unknown"),
    ("damage (PageHeader|ColumnIndex|OffsetIndex|BloomFilterHeader)", ".*",
     "after a damaged field header the intended next field is unknown; a wider bound is still correct"),
    ("body", "length.*", "the end of a dictionary entry with a wrong length is unknown: the count of the header is as suspect as each length"),
    ("body", ".*", "the count of the page and that in its body contradict each other, and no third number decides"),
    ("page header", r".*\.num_values", "levels are padded to groups of eight, so nothing in the page contradicts one entry more or less; the chunk states only the sum"),
    ("page header", r".*(compressed_page_size|levels_byte_length)", "the sizes of a v2 page: one too small for the levels is as likely as levels too long for it"),
    ("page header", r".*encoding", "another encoding reads the page as well; whether header or metadata is wrong is open"),
    ("footer", r".*\.codec", "one page alone: is_compressed and the codec contradict each other"),
    ("footer", r"schema.*(logicalType|converted_type|scale|precision).*", "LogicalType and ConvertedType contradict each other, and the values suit both"),
    ("footer", r"schema.*num_children", "without column chunks no path shows the intended tree"),
    ("footer", r"schema.*", "other faults in the columns of the element: no value of this field makes the file valid"),
    ("footer", r".*(num_values|_offset|total_.*)", "the pages at the other place are those of a chunk with the same sizes and counts"),
    ("", r".*statistics\.(min|max)_value", "an empty bound may be a shortened one: then the exact flag is wrong"),
]
LEVELS_AND_PLAIN = {PLAIN, RLE, BIT_PACKED}


class Evidence:
    def __init__(self, file):
        self.file = file
        self.footer = file_reader.footer_of(file.data)
        self.leaves = leaves(file_reader.tree_of(self.footer["schema"]))
        self.elements = [index for index, element in enumerate(self.footer["schema"]) if index and "type" in element]
        self.values = {}

    def reason(self, piece, path, new):
        """The key of REASONS if no other byte contradicts the new value, or None."""
        old = piece.tree.at(path)
        for expression, by_path in BY_PATH:
            if re.fullmatch(expression, path):
                return by_path
        name = path.split(".")[-1]
        if isinstance(new, bytes):
            return self.of_bound(piece, path, old, new)
        if name in ("is_max_value_exact", "is_min_value_exact", "is_sorted") and new is False:
            return "not-exact"
        if name in ("is_max_value_exact", "is_min_value_exact") and self.is_exact(piece, path, name):
            return "exact"
        for ask in (self.of_page, self.of_schema, self.of_index, self.of_chunk, self.of_group):
            if reason := ask(piece, path, name, new):
                return reason
        return None

    def of_page(self, piece, path, name, new):
        if piece.kind != "PageHeader":
            return None
        leaf, meta = self.leaves[piece.chunk[1]], self.meta(piece.chunk)
        if name == "is_compressed" and meta["codec"] == UNCOMPRESSED:
            return "no-codec"
        if name == "is_sorted" and self.ascends(piece, leaf, meta):
            return "sorted"
        most = {"definition_level_encoding": leaf.max_def, "repetition_level_encoding": leaf.max_rep}.get(name)
        return "absent-levels" if most == 0 and new in (RLE, BIT_PACKED) else None

    def of_schema(self, piece, path, name, new):
        at = re.match(r"schema\[(\d+)\]\.", path)
        if not at:
            return None
        element = self.footer["schema"][int(at[1])]
        legal = new >= 0 if name == "type_length" else new in range(8 if name == "type" else 3)
        if name in ("type", "type_length", "repetition_type") and legal and not self.footer["row_groups"]:
            return "nothing-stored"
        if name == "type_length" and element.get("type") != FIXED_LEN_BYTE_ARRAY:
            return "bits"
        both = "converted_type" in element and "logicalType" in element
        if not both and (name in ("converted_type", "scale", "precision") or ".logicalType." in path):
            return "utc" if name == "isAdjustedToUTC" else "one-annotation"
        return "utc" if name == "isAdjustedToUTC" and "TIME" in path else None

    def of_index(self, piece, path, name, new):
        if piece.kind != "ColumnIndex" or name != "boundary_order" or new not in (0, 1, 2):
            return None
        index = thrift_reader.read(Cursor(piece.data), "ColumnIndex", needed={})
        pages = [k for k, null in enumerate(index["null_pages"]) if not null]
        constant = all(len({index[which][k] for k in pages}) <= 1 for which in ("min_values", "max_values"))
        return "both-orders" if new == 0 or constant else None

    def of_chunk(self, piece, path, name, new):
        at = re.match(r"(?:row_groups\[(\d+)\]\.columns\[(\d+)\]\.meta_data\.)?(encodings\[(\d+)\]|codec)$", path)
        if not at or piece.kind not in ("FileMetaData", "ColumnMetaData"):
            return None
        chunk = (int(at[1]), int(at[2])) if at[1] else piece.chunk
        headers = [one.tree for one in self.file.pieces if one.kind == "PageHeader" and one.chunk == chunk]
        if name == "codec":
            stored = [header.at("data_page_header_v2") for header in headers if header.field("data_page_header_v2")]
            flat = len(stored) == len(headers) and all((page.field("is_compressed") or Always(True)).value is False for page in stored)
            return "no-codec" if flat and 0 <= new <= 7 and self.meta(chunk)["codec"] == UNCOMPRESSED else None
        listed = self.meta(chunk)["encodings"]
        left = [*listed[:int(at[4])], new, *listed[int(at[4]) + 1:]]
        needless = new in LEVELS_AND_PLAIN and len(set(left)) == len(left) and self.encodings(headers, chunk) <= set(left)
        return "listed" if needless else None

    def of_group(self, piece, path, name, new):
        at = re.match(r"row_groups\[(\d+)\]\.(sorting_columns\[\d+\]|file_offset$)", path)
        if not at:
            return None
        group = self.footer["row_groups"][int(at[1])]
        if name == "file_offset":
            return None if group["columns"] else "group-without-bytes"
        sorting = [dict(one) for one in group["sorting_columns"]]
        sorting[int(path.split("[")[2].split("]")[0])][name] = new
        try:
            return "ties" if self.is_sorted(int(at[1]), sorting) else None
        except (Refused, IndexError, NotImplementedError):
            return None

    def meta(self, chunk):
        return self.footer["row_groups"][chunk[0]]["columns"][chunk[1]]["meta_data"]

    def encodings(self, headers, chunk):
        """The encodings that a reader of the chunk has to support."""
        leaf, found = self.leaves[chunk[1]], set()
        for header in headers:
            for field in header.fields:
                if not isinstance(field.value, type(header)):
                    continue
                stated = {one.name: one.value for one in field.value.fields}
                found.add(stated.get("encoding", PLAIN))
                if field.name == "data_page_header":
                    found |= {stated["definition_level_encoding"]} if leaf.max_def else set()
                    found |= {stated["repetition_level_encoding"]} if leaf.max_rep else set()
        return found

    def of_bound(self, piece, path, old, new):
        """Returns a reason if a bound is wider than before, or its order is undefined."""
        at = re.match(r"row_groups\[(\d+)\]\.columns\[(\d+)\]", path)
        leaf = self.leaves[int(at[2]) if at else piece.chunk[1]]
        lower = "min" in path.split(".")[-1]
        owner, name = piece.tree.owner(path)
        deprecated = name in ("min", "max")
        order = order_of(leaf)
        if len(old) != len(new) and leaf.type != BYTE_ARRAY:
            return None
        if order is None or deprecated and not (leaf.type in (INT32, INT64, FLOAT, DOUBLE) and order is not unsigned):
            return "orderless" if leaf.type != INT96 or not deprecated else None
        if isinstance(name, str) and name.endswith("_value"):
            flag = owner.field(f"is_{'min' if lower else 'max'}_value_exact")
            if flag is not None and flag.value is True:
                return None
        try:
            old, new = order(old), order(new)
        except struct.error:
            return None
        return "wider" if (new < old if lower else new > old) else None

    def is_exact(self, piece, path, name):
        """Returns true if the bound that an exact flag of a chunk is about is the min or max of the values."""
        at = re.match(r"row_groups\[(\d+)\]\.columns\[(\d+)\]", path)
        if not at:
            return False
        chunk, leaf = (int(at[1]), int(at[2])), self.leaves[int(at[2])]
        order, bound = order_of(leaf), piece.tree.owner(path)[0].field(name[3:-6])
        try:
            keys = [key_of(value, leaf, order) for value in self.read(chunk, leaf) if value is not None] if order and bound else []
        except (Refused, ValueError, KeyError, NotImplementedError):
            return False
        return bool(keys) and order(bound.value) == (min(keys) if "min" in name else max(keys))

    def ascends(self, piece, leaf, meta):
        """Returns true if the entries of the dictionary in this page ascend."""
        body = b"".join(one.data for one in self.file.pieces if one.kind == "body" and one.chunk == piece.chunk and one.page == piece.page)
        pages, order = file_reader.pages_of(meta, leaf), order_of(leaf)
        try:
            pages.page(Cursor(piece.data + body))
        except (Refused, ValueError, KeyError, NotImplementedError):
            return False
        keys = [key_of(entry, leaf, order) for entry in pages.dictionary]
        return order is not None and all(a <= b for a, b in zip(keys, keys[1:]))

    def is_sorted(self, group, sorting):
        """Returns true if the rows of the group are sorted as these SortingColumns say."""
        columns = []
        for by in sorting:
            leaf = self.leaves[by["column_idx"]]
            order = order_of(leaf)
            if leaf.max_rep or order is None or by["column_idx"] < 0:
                return False
            where = (group, by["column_idx"])
            if where not in self.values:
                self.values[where] = self.read(where, leaf)
            columns.append([None if value is None else key_of(value, leaf, order) for value in self.values[where]])

        def ordered(first, second):
            for by, column in zip(sorting, columns):
                a, b = column[first], column[second]
                if a == b:
                    continue
                if a is None or b is None:
                    return (a is None) == by["nulls_first"]
                return (a > b) == by["descending"]
            return True

        return all(ordered(row, row + 1) for row in range(len(columns[0]) - 1))


    def read(self, chunk, leaf):
        """The values of a column that is not repeated, None for null."""
        meta = self.meta(chunk)
        begin = file_reader.start_of(meta)
        read = file_reader.pages_of(meta, leaf).read(Cursor(self.file.data[begin:begin + meta["total_compressed_size"]]))
        values = iter(read["values"])
        return [next(values) if level == leaf.max_def else None for level in read["definition_levels"]]


class Always:
    """An absent field with its default."""

    def __init__(self, value):
        self.value = value


def missing_evidence(kind, path):
    """The missing evidence if a change of this kind is not exact; None if the table has none."""
    return next((why for change, field, why in MISSING if re.match(change, kind) and re.fullmatch(field, path)), None)


def unsigned(data):
    return int.from_bytes(data, "little")


def order_of(leaf):
    """The function from the bytes of a bound to a key in column order; None without an order."""
    logical = leaf.node.attributes.get("logicalType") or {}
    converted = leaf.node.attributes.get("converted_type")
    if "GEOMETRY" in logical or "GEOGRAPHY" in logical or "VARIANT" in logical or converted == 21 or leaf.type == INT96:
        return None
    if leaf.type in (INT32, INT64):
        sign = "INTEGER" in logical and not logical["INTEGER"]["isSigned"] or converted in (11, 12, 13, 14)
        return unsigned if sign else lambda data: int.from_bytes(data, "little", signed=True)
    if leaf.type in (FLOAT, DOUBLE):
        return lambda data: struct.unpack("<f" if leaf.type == FLOAT else "<d", data)[0]
    if leaf.type in (BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY) and ("DECIMAL" in logical or converted == 5):
        return lambda data: int.from_bytes(data, "big", signed=True)
    if "FLOAT16" in logical:
        return lambda data: struct.unpack("<e", data)[0]
    return bytes


def key_of(value, leaf, order):
    """The comparison key of a decoded value."""
    if isinstance(value, bytes):
        return order(value)
    if order is unsigned and value < 0:
        return value + (1 << (32 if leaf.type == INT32 else 64))
    return value
