"""The features that a file uses, by the names of the implementation status page of parquet.apache.org and of its page of features
and versions (apache/parquet-site, data/implementations/features); and by our own names if these have none."""

from builder.codec import logical, schema, thrift_reader
from builder.codec.cursor import Cursor, Refused
from builder.codec.file_reader import footer_of, refusing, start_of, tree_of
from builder.codec.metadata import (BIT_PACKED, BYTE_ARRAY, BYTE_STREAM_SPLIT, DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE, DOUBLE,
                                    ENUMERATORS, FIXED_LEN_BYTE_ARRAY, FLOAT, INDEX_PAGE, INT32, INT64, REPEATED, RLE)
from builder.codec.thrift import Binary, List, Long, Padded, Struct, Typed

TYPES = ENUMERATORS["Type"]
ENCODINGS = {0: "PLAIN", 2: "PLAIN_DICTIONARY", 8: "RLE_DICTIONARY", 3: "RLE", 4: "BIT_PACKED (deprecated)",
             5: "DELTA_BINARY_PACKED", 6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY", 9: "BYTE_STREAM_SPLIT", 10: "ALP",
             1: "GROUP_VAR_INT"}
CODECS = {0: "UNCOMPRESSED", 1: "SNAPPY", 2: "GZIP", 3: "LZO", 4: "BROTLI", 5: "LZ4 (deprecated)", 6: "ZSTD", 7: "LZ4_RAW"}
# Annotations that are listed by physical type.
_ON = {"DECIMAL": (INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY), "TIME": (INT32, INT64), "TIMESTAMP": (INT64,)}
_NAMES = {"INTEGER": "8, 16, 32, 64 bit signed and unsigned INT", "UNKNOWN": "UNKNOWN (always null)"}
MORE_TYPES = "BYTE_STREAM_SPLIT (Additional Types)"
BLOOM, BLOOM_LENGTH, PAGE_INDEX = "xxHash-based bloom filters", "Bloom filter length", "Page index"
BOUNDS, OLD_BOUNDS = "Statistics min_value, max_value", "Statistics min, max"
SORTING, SUMMARY = 'Row group "Sorting column" metadata', "Parquet summary file"
IEEE, NANOS, EXTENSION = "IEEE 754 total order and NaN counts", "Nanosecond TIME/TIMESTAMP", "Binary protocol extensions"

#: All names in their order; those from OWN on are ours.
NAMES = (*TYPES,
         "STRING", "ENUM", "UUID", _NAMES["INTEGER"], *(f"DECIMAL ({TYPES[kind]})" for kind in _ON["DECIMAL"]),
         "FLOAT16", "DATE", "TIME (INT32)", "TIME (INT64)", "TIMESTAMP (INT64)", "INTERVAL", "JSON", "BSON", "VARIANT", "GEOMETRY",
         "GEOGRAPHY", "LIST", "MAP", _NAMES["UNKNOWN"], NANOS,
         *(name for name in ENCODINGS.values() if name not in ("ALP", "GROUP_VAR_INT")), MORE_TYPES,
         *CODECS.values(), BLOOM, BLOOM_LENGTH, BOUNDS, PAGE_INDEX, "Page CRC32 checksum", "Modular encryption", "Size statistics",
         "Data Page V2", "Data Page V1", "Geospatial statistics", EXTENSION, IEEE, SUMMARY, SORTING)
OWN = ("FILE", "ALP", "GROUP_VAR_INT", "INT96_TIMESTAMP_ORDER", OLD_BOUNDS, "Statistics null_count", "Statistics distinct_count",
       "Page statistics", "Dictionary page", "Index page", "Nested columns", "Repeated fields", "Several row groups",
       "Several data pages")
#: By the names of parquet.thrift: encodings, codecs and types.
BY_NAME = {name.removesuffix(" (deprecated)"): name for name in (*TYPES, *ENCODINGS.values(), *CODECS.values())}
_ORDER = {name: place for place, name in enumerate((*NAMES, *OWN))}


def plain(value):
    """A tree of the Thrift writer in the form of thrift_reader.read(): structs as dicts."""
    if isinstance(value, Struct):
        return {field.name: plain(field.value) for field in value.fields}
    if isinstance(value, List):
        return [plain(item) for item in value.items]
    if isinstance(value, (Padded, Long, Typed)):
        return plain(value.value)
    return value.data if isinstance(value, Binary) else value


def _items(value):
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _part(owner, name):
    value = owner.get(name)
    return value if isinstance(value, dict) else {}


def _of_schema(children):
    for node in children:
        if node.repetition == REPEATED:
            yield "Repeated fields"
        if node.children is not None:
            yield "Nested columns"
            yield from _of_schema(node.children)
        elif node.type in range(len(TYPES)):
            yield TYPES[node.type]
        name, parameters = logical.annotation(node)
        if name in _ON:
            if node.type in _ON[name]:
                yield f"{name} ({TYPES[node.type]})"
            if "NANOS" in _part(parameters, "unit"):
                yield NANOS
        elif name:
            yield _NAMES.get(name, name)


def _of_statistics(statistics):
    for found, name in ((("min_value", "max_value"), BOUNDS), (("min", "max"), OLD_BOUNDS), (("null_count",), "Statistics null_count"),
                        (("distinct_count",), "Statistics distinct_count"), (("nan_count",), IEEE)):
        if any(field in statistics for field in found):
            yield name


def _of_page(leaf, header):
    kind = header.get("type")
    if "crc" in header:
        yield "Page CRC32 checksum"
    if kind in (DICTIONARY_PAGE, INDEX_PAGE):
        yield "Dictionary page" if kind == DICTIONARY_PAGE else "Index page"
        yield ENCODINGS.get(_part(header, "dictionary_page_header").get("encoding"))
        return
    if kind not in (DATA_PAGE, DATA_PAGE_V2):
        return
    yield "Data Page V1" if kind == DATA_PAGE else "Data Page V2"
    own = _part(header, "data_page_header" if kind == DATA_PAGE else "data_page_header_v2")
    encoding = own.get("encoding")
    yield ENCODINGS.get(encoding)
    if encoding == BYTE_STREAM_SPLIT and leaf.type not in (FLOAT, DOUBLE):
        yield MORE_TYPES
    for name, most in (("definition", leaf.max_def), ("repetition", leaf.max_rep)):
        if most:
            stored = own.get(f"{name}_level_encoding", RLE)
            yield ENCODINGS[stored] if stored in (RLE, BIT_PACKED) else None
    if "statistics" in own:
        yield "Page statistics"
        yield from _of_statistics(_part(own, "statistics"))


def _of_chunk(chunk):
    meta = _part(chunk, "meta_data")
    yield CODECS.get(meta.get("codec"))
    yield from _of_statistics(_part(meta, "statistics"))
    for is_there, name in (
            ("bloom_filter_offset" in meta, BLOOM), ("bloom_filter_length" in meta, BLOOM_LENGTH),
            ("size_statistics" in meta, "Size statistics"), ("geospatial_statistics" in meta, "Geospatial statistics"),
            ("column_index_offset" in chunk or "offset_index_offset" in chunk, PAGE_INDEX), (bool(chunk.get("file_path")), SUMMARY),
            ("crypto_metadata" in chunk or "encrypted_column_metadata" in chunk, "Modular encryption")):
        if is_there:
            yield name


def _of_footer(footer, children):
    yield from _of_schema(children)
    groups = _items(footer.get("row_groups"))
    if len(groups) > 1:
        yield "Several row groups"
    if "encryption_algorithm" in footer:
        yield "Modular encryption"
    for order in _items(footer.get("column_orders")):
        yield {"IEEE_754_TOTAL_ORDER": IEEE, "INT96_TIMESTAMP_ORDER": "INT96_TIMESTAMP_ORDER"}.get(next(iter(order), None))
    for group in groups:
        if "sorting_columns" in group:
            yield SORTING
        for chunk in _items(group.get("columns")):
            yield from _of_chunk(chunk)


def listed(found):
    """The known ones of the names, each once and in order."""
    return sorted({name for name in found if name in _ORDER}, key=_ORDER.get)


def of_built(built):
    """The features of a file of the builder, with its faults."""
    found = list(_of_footer(plain(built.tree("footer")), built.file.children))
    for row in built.chunks:
        for chunk in row:
            found += ["Several data pages"] if len(chunk.data_pages()) > 1 else []
            for page in chunk.pages:
                found += _of_page(chunk.leaf, plain(page.header))
    if any(field.id == 32767 for field in built.tree("footer").fields):
        found.append(EXTENSION)
    return listed(found)


@refusing
def of_bytes(data):
    """The features of a file, from its bytes."""
    if data[-4:] == b"PARE":
        return ["Modular encryption"]
    footer = footer_of(data)
    children = tree_of(footer["schema"])
    found = list(_of_footer(footer, children))
    for group in footer["row_groups"]:
        for chunk, leaf in zip(group["columns"], schema.leaves(children)):
            meta = chunk.get("meta_data")
            if meta and not chunk.get("file_path") and "crypto_metadata" not in chunk:
                found += _of_pages(data, meta, leaf)
    return listed(found)


def _of_pages(data, meta, leaf):
    """The features of the pages of a chunk, up to the first unreadable header."""
    if not meta["total_compressed_size"]:
        return
    begin, pages = start_of(meta), 0
    cursor = Cursor(data[begin:begin + meta["total_compressed_size"]])
    while cursor.left:
        try:
            header = thrift_reader.read(cursor, "PageHeader")
            cursor.take(header["compressed_page_size"], "body")
        except Refused:
            return
        pages += header["type"] in (DATA_PAGE, DATA_PAGE_V2)
        yield from _of_page(leaf, header)
    if pages > 1:
        yield "Several data pages"
