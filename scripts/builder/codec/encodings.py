"""Values and levels in each encoding, by the names of parquet.thrift (Encodings.md)."""

from builder.codec import alp, bit_packed, byte_stream_split, delta, group_var_int, hybrid, plain
from builder.codec.cursor import Refused
from builder.codec.metadata import BOOLEAN, ENUMERATORS, INT32

LEVEL = "LEVEL"  # the type of a section of levels, which have no physical type
NAMES = {**dict(enumerate(ENUMERATORS["Type"])), LEVEL: LEVEL}
TYPES = {name: kind for kind, name in NAMES.items()}
ENCODINGS = dict(enumerate(ENUMERATORS["Encoding"]))
CODECS = dict(enumerate(ENUMERATORS["CompressionCodec"]))


def encode(encoding, kind, items, width=None):
    """A section of these values in its simplest form; `width` is the bit width of levels and indices."""
    if encoding == "PLAIN":
        return plain.encode(kind, items)
    if encoding in ("PLAIN_DICTIONARY", "RLE_DICTIONARY"):
        return hybrid.indices(items, 0, width=width)
    if encoding == "RLE":
        return hybrid.booleans(items) if kind == BOOLEAN else hybrid.encode(hybrid.runs_of(items), width)
    if encoding == "BIT_PACKED":
        return bit_packed.encode(items, width)
    if encoding == "DELTA_BINARY_PACKED":
        return delta.binary_packed(items, 32 if kind == INT32 else 64)
    if encoding == "DELTA_LENGTH_BYTE_ARRAY":
        return delta.length_byte_array(items)
    if encoding == "DELTA_BYTE_ARRAY":
        return delta.byte_array(items)
    if encoding == "BYTE_STREAM_SPLIT":
        return byte_stream_split.encode(kind, items)
    if encoding == "ALP":
        vectors = [alp.vector_of(kind, items[at:at + 8], 2, 0) for at in range(0, len(items), 8)]
        return alp.section(len(items), vectors, 3)
    return (group_var_int.encode32 if kind == INT32 else group_var_int.encode64)(items)


def decode(cursor, section):
    """The values of a section; `section` has encoding, type, count and other parameters of the encoding."""
    encoding, kind, count, length = section["encoding"], TYPES[section["type"]], section["count"], section.get("type_length")
    if kind == LEVEL:
        if encoding == "BIT_PACKED":
            return bit_packed.decode(cursor, section["bit_width"], count)
        if section.get("length_word"):
            size = cursor.number(4, "length")
            if size > cursor.left:
                raise Refused(f"{size} bytes of levels, {cursor.left} are there")
            cursor.end = cursor.at + size
        return hybrid.decode(cursor, section["bit_width"], count)
    if not count:
        return []
    return {
        "PLAIN": lambda: plain.decode(cursor, kind, count, length),
        "PLAIN_DICTIONARY": lambda: hybrid.decode_indices(cursor, count),
        "RLE_DICTIONARY": lambda: hybrid.decode_indices(cursor, count),
        "RLE": lambda: hybrid.decode_booleans(cursor, count),
        "DELTA_BINARY_PACKED": lambda: delta.decode_binary_packed(cursor, 32 if kind == INT32 else 64, count),
        "DELTA_LENGTH_BYTE_ARRAY": lambda: delta.decode_length_byte_array(cursor, count),
        "DELTA_BYTE_ARRAY": lambda: delta.decode_byte_array(cursor, count, length),
        "BYTE_STREAM_SPLIT": lambda: byte_stream_split.decode(cursor, kind, count, length),
        "ALP": lambda: alp.decode(cursor, kind, count),
        "GROUP_VAR_INT": lambda: group_var_int.decode32(cursor, count) if kind == INT32 else
        group_var_int.decode64(cursor, count, {"le": "little"}.get(section.get("selector"), "big")),
    }[encoding]()
