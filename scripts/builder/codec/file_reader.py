"""A file reader of the builder's own decoders: schema and entries from the bytes, or Refused."""

from builder.codec import encodings, page_reader, thrift_reader
from builder.codec.cursor import Cursor, Refused
from builder.codec.encodings import CODECS, ENCODINGS, NAMES
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64
from builder.codec.schema import Node, leaves

MOST = 100_000  # entries in a page
# The types of encodings that are not defined for all types.
TYPES_OF = {"RLE": {BOOLEAN}, "DELTA_BINARY_PACKED": {INT32, INT64}, "DELTA_LENGTH_BYTE_ARRAY": {BYTE_ARRAY},
            "DELTA_BYTE_ARRAY": {BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY}, "ALP": {FLOAT, DOUBLE}, "GROUP_VAR_INT": {INT32, INT64},
            "BYTE_STREAM_SPLIT": {INT32, INT64, FLOAT, DOUBLE, FIXED_LEN_BYTE_ARRAY}, "BIT_PACKED": set()}


def footer_of(data):
    """FileMetaData of a file, as a dict, which may lack required fields."""
    size = int.from_bytes(data[-8:-4], "little")
    if len(data) < 12 or size > len(data) - 12:
        raise Refused(f"a footer of {size} bytes in a file of {len(data)}")
    return thrift_reader.read(Cursor(data[len(data) - 8 - size:-8]), "FileMetaData", needed={})


def tree_of(elements):
    """The nodes below the root of a list of SchemaElement."""
    at = 0

    def node():
        nonlocal at
        if at == len(elements):
            raise Refused("the schema ends within a group")
        element = elements[at]
        at += 1
        children = None
        if "type" not in element:
            children = [node() for _ in range(element.get("num_children", 0))]
        elif element.get("num_children"):
            raise Refused("a leaf with children")
        kind = element["type"] if children is None else children
        if children is None and kind not in NAMES:
            raise Refused(f"the type {kind}")
        rest = {name: value for name, value in element.items() if name not in ("name", "type", "repetition_type", "num_children")}
        return Node(element["name"], kind, element.get("repetition_type", 0), **rest)

    if not elements:
        raise Refused("no schema")
    elements = [{key: value for key, value in elements[0].items() if key != "type"}, *elements[1:]]
    root = node()
    if at != len(elements):
        raise Refused("elements after the tree")
    return root.children


def start_of(meta, first=1):
    """The offset of the first page of a chunk; `first` is the smallest possible offset."""
    offsets = [meta[name] for name in ("dictionary_page_offset", "data_page_offset") if meta.get(name, -1) >= first]
    if not offsets:
        raise Refused("a chunk that begins nowhere")
    return min(offsets)


def pages_of(meta, leaf):
    """The page reader of a column chunk, by its ColumnMetaData and its leaf."""
    if meta["codec"] not in CODECS:
        raise Refused(f"the codec {meta['codec']}")
    column = {"type": NAMES[leaf.type], "codec": CODECS[meta["codec"]], "max_repetition_level": leaf.max_rep,
              "max_definition_level": leaf.max_def, "type_length": leaf.node.attributes.get("type_length")}

    def section(body, encoding, count):
        if encoding not in ENCODINGS or leaf.type not in TYPES_OF.get(ENCODINGS[encoding], NAMES):
            raise Refused(f"the encoding {encoding} of {column['type']}")
        kind = "INT32" if ENCODINGS[encoding].endswith("DICTIONARY") else column["type"]
        return encodings.decode(body, {**column, "encoding": ENCODINGS[encoding], "type": kind, "count": count})

    return page_reader.Pages(column, section, MOST)


def entries_of(data, meta, leaf, first=1):
    """The entries of all pages of a column chunk. `first` is the smallest possible offset of a page."""
    if not meta["total_compressed_size"]:
        return []
    begin = start_of(meta, first)
    end = begin + meta["total_compressed_size"]
    if not 0 <= begin <= end <= len(data):
        raise Refused(f"a chunk from {begin} to {end}")
    read = pages_of(meta, leaf).read(Cursor(data[begin:end]))
    values = iter(read["values"])
    return [(rep, level, next(values) if level == leaf.max_def else None)
            for rep, level in zip(read["repetition_levels"], read["definition_levels"])]


def refusing(read):
    """The same, with Refused for any malformed or unsupported bytes."""
    def careful(*arguments):
        try:
            return read(*arguments)
        except Refused:
            raise
        except (KeyError, ValueError, IndexError, TypeError, OverflowError, NotImplementedError) as problem:
            raise Refused(repr(problem)) from problem
    return careful


@refusing
def schema_of(data):
    """The nodes below the root."""
    return tree_of(footer_of(data)["schema"])


@refusing
def groups_of(data, further):
    """For each row group the entries of its columns, or its number of rows if it has no columns. `further` are the bytes of
    other files by their names."""
    footer = footer_of(data)
    columns, groups = leaves(tree_of(footer["schema"])), []
    for group in footer["row_groups"]:
        if len(group["columns"]) != len(columns):
            raise Refused(f"{len(group['columns'])} column chunks for {len(columns)} columns")
        if not columns:
            if not 0 <= group["num_rows"] <= MOST:
                raise page_reader.TooMany(f"{group['num_rows']} rows")
            groups.append(group["num_rows"])
            continue
        read = []
        for chunk, leaf in zip(group["columns"], columns):
            path = chunk.get("file_path")
            if path and path not in further:
                raise Refused(f"no file {path}")
            read.append(entries_of(further[path], chunk["meta_data"], leaf, 0) if path else entries_of(data, chunk["meta_data"], leaf))
        groups.append(read)
    return groups
