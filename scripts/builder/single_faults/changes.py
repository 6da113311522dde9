"""The changes of one file: one field, one number inside a page body, or one bit of a structure at a time."""

import collections
import re
import zlib

from builder.codec import file_reader, thrift
from builder.codec.cursor import Cursor, Refused
from builder.codec.metadata import UNCOMPRESSED
from builder.codec.schema import leaves
from builder.single_faults.consistent_changes import Evidence

KINDS = {"FileMetaData": "footer", "PageHeader": "page header", "ColumnIndex": "column index", "OffsetIndex": "offset index",
         "BloomFilterHeader": "bloom filter", "ColumnMetaData": "metadata copy", "ColumnChunk": "metadata copy"}
HAS_FINDING = "the file as it is has a finding about the field"


class Change:
    """The changed field and its new value, the bytes of the changed file, and the place of the value in them."""

    def __init__(self, kind, piece, path, old, new, made):
        self.kind, self.piece, self.path, self.old, self.new = kind, piece, path, old, new
        self.data, self.start, self.end = made

    def __str__(self):
        at = "" if self.piece.chunk is None else f" of {self.piece.chunk}" + ("" if self.piece.page is None else f" page {self.piece.page}")
        return f"{self.piece.kind}{at} {self.path}: {self.old!r} -> {self.new!r} at {self.start}"


def pattern(path):
    """The path without the numbers of its list elements."""
    return re.sub(r"\[\d+\]", "[]", path)


def fields_of(file):
    """(piece, path, value) of each number, boolean, enumerator and bound."""
    for piece in file.pieces:
        if not piece.tree:
            continue
        for path in thrift.write(piece.tree)[1]:
            value = piece.tree.at(path) if path else None
            if isinstance(value, (bool, int)) or isinstance(value, bytes) and is_bound(path):
                yield piece, path, value


def is_bound(path):
    return re.search(r"(^|\.)(min|max|min_value|max_value)$|^(min|max)_values\[\d+\]$", path) is not None


def other_values(value, neighbour):
    """The new values of a field."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, bytes):
        number = int.from_bytes(value[-1:], "little")
        near = [value[:-1] + bytes([(number + step) % 256]) for step in (1, -1)] if value else [b"\0"]
        return near + ([neighbour] if neighbour is not None else [])
    return [value + 1, value - 1, 0, -value if value > 0 else -1] + ([neighbour] if neighbour is not None else [])


def field_changes(file, choose, before, left_out):
    """The changes of fields; `choose` selects the fields. A field with a finding in the file is skipped, and so is a
    change that Evidence explains; `left_out` counts these by reason."""
    fields, evidence = list(fields_of(file)), Evidence(file)
    spans = {}
    groups = collections.defaultdict(list)
    for piece, path, value in fields:
        groups[piece.kind, pattern(path), type(value)].append(value)
    seen = collections.Counter()
    for piece, path, value in fields:
        key = piece.kind, pattern(path), type(value)
        values = groups[key]
        seen[key] += 1
        neighbour = values[seen[key] % len(values)]
        if not choose():
            continue
        if id(piece) not in spans:
            spans[id(piece)] = thrift.write(piece.tree, piece.start)[1]
        if has_finding(before, piece, path, spans[id(piece)][path]):
            left_out[HAS_FINDING] += 1
            continue
        tried = []
        for new in other_values(value, neighbour):
            if new == value or new in tried:
                continue
            tried.append(new)
            if reason := evidence.reason(piece, path, new):
                left_out[reason] += 1
                continue
            try:
                yield Change(KINDS[piece.kind], piece, path, value, new, file.with_change(piece, path, new))
            except Refused:
                continue


def has_finding(before, piece, path, span):
    """Returns true if the unchanged file has a finding at the field, or about the same field of the same chunk: a new one would not
    be distinguishable."""
    at = re.match(r"row_groups\[(\d+)\]\.columns\[(\d+)\]\.", path)
    chunk = (int(at[1]), int(at[2])) if at else piece.chunk
    field = pattern(path[at.end():] if at else path).removeprefix("meta_data.")
    for one in before:
        if one["space"] == "file" and one["offset"] < span.end and one["offset"] + one["length"] > span.value:
            return True
        if (one.get("row_group"), one.get("leaf")) != chunk or not one.get("field"):
            continue
        found = re.sub(r"^(meta_data|column_index|offset_index|bloom_filter_header)\.", "", one["field"])
        of_null_page = one["rule"] == "column-index/null-pages" and path.endswith(found[len("null_pages"):])
        if field.startswith(pattern(found)) or of_null_page and piece.kind == "ColumnIndex":
            return True
    return False


def body_changes(file, choose):
    """Lengths, counts and headers inside the bodies of uncompressed pages, each plus one and minus one."""
    footer = file_reader.footer_of(file.data)
    for index, piece in enumerate(file.pieces):
        if piece.kind != "body" or not piece.data:
            continue
        for start, data, what in body_parts(file, footer, index):
            if not re.search(r"length|header|width|number of|count|size|values in", what) or len(data) > 10 or not choose():
                continue
            for step in (1, -1):
                new = (int.from_bytes(data, "little") + step) % (1 << 8 * len(data))
                out = bytearray(file.data)
                out[piece.start + start:piece.start + start + len(data)] = new.to_bytes(len(data), "little")
                out = with_checksum(file, index, bytes(out))
                at = piece.start + start
                if out:
                    yield Change("body", piece, what, data.hex(), f"{step:+d}", (out, at, at + len(data)))


def with_checksum(file, index, data):
    """The file with the checksum of the changed body in the page header; None if that changes the length of the header."""
    header, body = file.pieces[index - 1], file.pieces[index]
    if header.tree.field("crc") is None:
        return data
    crc = zlib.crc32(data[body.start:body.end])
    out, start, end = file.with_change(header, "crc", crc - (1 << 32) if crc >> 31 else crc)
    if len(out) != len(data):
        return None
    return data[:start] + out[start:end] + data[end:]


def body_parts(file, footer, index):
    """(offset, bytes, description) of the parts of a page body, by the builder's decoder; empty for a compressed one."""
    header, body = file.pieces[index - 1], file.pieces[index]
    group, leaf = body.chunk
    meta = footer["row_groups"][group]["columns"][leaf]["meta_data"]
    if meta["codec"] != UNCOMPRESSED:
        return []
    pages = file_reader.pages_of(meta, leaves(file_reader.tree_of(footer["schema"]))[leaf])
    cursor = Cursor(header.data + body.data)
    try:
        pages.page(cursor)
    except Refused:  # an index into the unread dictionary, after all parts are known
        pass
    at, parts = 0, []
    for data, what in cursor.parts:
        if at >= len(header.data):
            parts.append((at - len(header.data), data, what))
        at += len(data)
    return parts


def bit_flips(file, rng):
    """One flipped bit in one byte of each structure."""
    for piece in file.pieces:
        if piece.kind in (None, "body") or not piece.data:
            continue
        at = piece.start + rng.randrange(len(piece.data))
        out = bytearray(file.data)
        out[at] ^= 1 << rng.randrange(8)
        yield Change(f"damage {piece.kind}", piece, f"byte {at - piece.start}", file.data[at], out[at], (bytes(out), piece.start, piece.end))
