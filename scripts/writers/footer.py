"""Reads just enough of a file to describe it: a schema-less Thrift compact reader, and the features in the bytes.

A struct is a dict from field id to value, with the value's file offset under ("at", id). It trusts the file: it
describes a file that a writer has just made, and checks nothing.
"""

import struct

TYPES = ("BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
CODECS = ("UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW")
ENCODINGS = {
    0: "PLAIN", 1: "GROUP_VAR_INT", 2: "PLAIN_DICTIONARY", 3: "RLE", 4: "BIT_PACKED", 5: "DELTA_BINARY_PACKED",
    6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY", 8: "RLE_DICTIONARY", 9: "BYTE_STREAM_SPLIT", 10: "ALP",
}
CONVERTED = (
    "UTF8", "MAP", "MAP_KEY_VALUE", "LIST", "ENUM", "DECIMAL", "DATE", "TIME_MILLIS", "TIME_MICROS", "TIMESTAMP_MILLIS",
    "TIMESTAMP_MICROS", "UINT_8", "UINT_16", "UINT_32", "UINT_64", "INT_8", "INT_16", "INT_32", "INT_64", "JSON", "BSON",
    "INTERVAL",
)
LOGICAL = {
    1: "STRING", 2: "MAP", 3: "LIST", 4: "ENUM", 5: "DECIMAL", 6: "DATE", 7: "TIME", 8: "TIMESTAMP", 10: "INTEGER",
    11: "UNKNOWN", 12: "JSON", 13: "BSON", 14: "UUID", 15: "FLOAT16", 16: "VARIANT", 17: "GEOMETRY", 18: "GEOGRAPHY",
    19: "FILE",
}
UNITS = {1: "MILLIS", 2: "MICROS", 3: "NANOS"}
DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 = range(4)


class Thrift:
    """A cursor over compact-protocol bytes."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def binary(self):
        size = self.varint()
        self.at += size
        return bytes(self.data[self.at - size : self.at])

    def items(self):
        head = self.data[self.at]
        self.at += 1
        size = head >> 4 if head >> 4 < 15 else self.varint()
        return [self.element(head & 15) for _ in range(size)]

    def element(self, kind):
        if kind in (1, 2):
            self.at += 1
            return self.data[self.at - 1] == 1
        return self.value(kind)

    def value(self, kind):
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            self.at += 1
            return struct.unpack_from("b", self.data, self.at - 1)[0]
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind == 7:
            self.at += 8
            return struct.unpack_from("<d", self.data, self.at - 8)[0]
        if kind == 8:
            return self.binary()
        if kind in (9, 10):
            return self.items()
        if kind == 12:
            return self.struct()
        raise ValueError(f"wire type {kind} at {self.at}")

    def struct(self):
        fields, last = {("at",): self.at}, 0
        while True:
            head = self.data[self.at]
            self.at += 1
            if head == 0:
                fields[("end",)] = self.at
                return fields
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            fields["at", last] = self.at
            fields[last] = self.value(head & 15)


def read(data, at):
    """The struct at that offset."""
    return Thrift(data, at).struct()


def footer(data):
    """FileMetaData of a file with a plaintext footer; None if the footer is encrypted."""
    if data[-4:] != b"PAR1":
        return None
    return read(data, len(data) - 8 - int.from_bytes(data[-8:-4], "little"))


def chunk_start(meta):
    """The offset of a chunk's first page by its metadata."""
    return min((offset for offset in (meta.get(11, 0), meta[9]) if offset > 0), default=0)


def pages(data, meta):
    """Yields (offset, header) of every page of a column chunk, until its total_compressed_size is used up."""
    at = chunk_start(meta)
    end = at + meta[7]
    while at < end:
        header = read(data, at)
        yield at, header
        at = header[("end",)] + header[3]


def kebab(name):
    """RLE_DICTIONARY becomes rle-dictionary."""
    return name.lower().replace("_", "-")


def schema_features(elements):
    """The features of the schema: physical, logical and converted types, nesting."""
    for element in elements[1:]:
        if 1 in element:
            yield kebab(TYPES[element[1]])
        else:
            yield "group"
        if element.get(3) == 2:
            yield "repeated"
        logical = [k for k in element.get(10, {}) if isinstance(k, int)]
        for kind in logical:
            name = "logical-" + kebab(LOGICAL.get(kind, str(kind)))
            if kind in (7, 8):
                unit = next(k for k in element[10][kind][2] if isinstance(k, int))
                name += "-" + kebab(UNITS[unit])
            yield name
        if 6 in element and not logical:
            yield "converted-" + kebab(CONVERTED[element[6]])


def page_features(data, meta):
    """The features of the pages of one chunk: versions, encodings, checksums, number."""
    data_pages = 0
    for _, header in pages(data, meta):
        if 4 in header:
            yield "crc"
        if header[1] == DICTIONARY_PAGE:
            yield "dictionary"
            if header[7].get(3):
                yield "sorted-dictionary"
            continue
        if header[1] == INDEX_PAGE:
            yield "index-page"
            continue
        data_pages += 1
        v1, v2 = header.get(5), header.get(8)
        yield "v1" if v1 else "v2"
        yield kebab(ENCODINGS[v1[2] if v1 else v2[4]])
        if v1 and 4 in (v1[3], v1[4]):
            yield "bit-packed-levels-declared"
        if v2 and v2.get(7) is False and meta[4] != 0:
            yield "v2-stored"
        if (v1 or v2).get(5 if v1 else 8):
            yield "page-statistics"
    if data_pages > 1:
        yield "several-pages"
    if data_pages == 0:
        yield "no-data-page"


def chunk_features(data, chunk):
    """The features of one column chunk."""
    if 8 in chunk:
        yield "encrypted-column"
    meta = chunk.get(3)
    if meta is None:
        return
    yield kebab(CODECS[meta[4]])
    for present, name in (
        (4 in chunk, "offset-index"), (6 in chunk, "column-index"), (14 in meta, "bloom-filter"),
        (12 in meta, "statistics"), (16 in meta, "size-statistics"), (17 in meta, "geospatial-statistics"),
        (13 in meta, "encoding-stats"),
    ):
        if present:
            yield name
    statistics = meta.get(12, {})
    for field, name in ((1, "deprecated-statistics"), (4, "distinct-count"), (7, "exact-flags"), (9, "nan-count")):
        if field in statistics:
            yield name
    if 8 not in chunk:
        yield from page_features(data, meta)


def features(data):
    """The sorted names of the features of this file, derived from its bytes."""
    meta = footer(data)
    if meta is None:
        return ["encrypted-footer"]
    found = set(schema_features(meta[2]))
    if 8 in meta:
        found.add("signed-footer")
    if meta[3] == 0:
        found.add("zero-rows")
    if not meta[4]:
        found.add("no-row-groups")
    if len(meta[4]) > 1:
        found.add("several-row-groups")
    if 7 not in meta:
        found.add("no-column-orders")
    elif any(1 not in order for order in meta[7]):
        found.add("other-column-order")
    for group in meta[4]:
        if 4 in group:
            found.add("sorting-columns")
        for chunk in group[1]:
            found.update(chunk_features(data, chunk))
    return sorted(found)


def describe(data):
    """created_by, rows and features of a file, for the manifest; created_by and rows are null under an encrypted footer."""
    meta = footer(data)
    if meta is None:
        return {"created_by": None, "rows": None, "features": features(data)}
    created_by = meta.get(6)
    return {
        "created_by": None if created_by is None else created_by.decode(),
        "rows": meta[3],
        "features": features(data),
    }
