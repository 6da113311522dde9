"""Rows of Arrow data as `parqproof cat` shows them, for readers that give Arrow data.

Where Arrow has no type of its own for an annotation (ENUM, JSON, UUID, INTERVAL, the names of a MAP's fields, the unit of a
time), the value is the reader's, and the schema of the file says how it looks. The builder reads that schema, so that no reader
is asked twice.
"""

import struct

import pyarrow as pa
import serve
from builder.codec import file_reader, logical
from builder.codec.cursor import Refused
from builder.codec.metadata import FIXED_LEN_BYTE_ARRAY, INT96, REPEATED

DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
DAY = 86_400
JULIAN_EPOCH = 2_440_588  # the Julian day of 1970-01-01
LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list, pa.types.is_list_view, pa.types.is_large_list_view)
BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary, pa.types.is_binary_view)
TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)


def nodes_of(path):
    """The schema of a file below its root, None where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file_reader.schema_of(file.read())
    except (Refused, RecursionError):
        return None


def names_of(named, nodes):
    """The keys of a row: the reader's, but those of the file where it told fields of one name apart by new ones."""
    if nodes is None or len(nodes) != len(named):
        return named
    stored = [node.name if isinstance(node.name, str) else node.name.decode(errors="replace") for node in nodes]
    return stored if len({name.casefold() for name in stored}) < len(stored) else named


def joined(named, nodes, shows):
    """What shows a struct or a row, by the values of its fields."""
    keys = [logical.quoted(name) + ":" for name in names_of(named, nodes)]
    return lambda values: "{" + ",".join(key + show(value) for key, show, value in zip(keys, shows, values)) + "}"


def field(kind, node):
    """What shows the values of a field, nulls too."""
    if node is not None and node.repetition == REPEATED:
        items = item_of(kind)
        return listed(field_value(items, node)) if items is not None else field(kind, None)
    return field_value(kind, node)


def field_value(kind, node):
    show = value(kind, node)
    return lambda scalar: show(scalar) if scalar.is_valid else "null"


def item_of(kind):
    """The type of the items of a list or of the entries of a map, None for other types."""
    if pa.types.is_map(kind):
        return pa.struct([pa.field("key", kind.key_type), pa.field("value", kind.item_type)])
    return kind.value_type if any(is_list(kind) for is_list in LISTS) else None


def listed(show):
    return lambda scalar: "[" + ",".join(map(show, scalar.values)) + "]" if scalar.is_valid else "null"


def value(kind, node):
    """What shows the values of a node that are there."""
    if isinstance(kind, pa.BaseExtensionType):
        show = value(kind.storage_type, node)
        return lambda scalar: show(scalar.value)
    if pa.types.is_dictionary(kind):
        show = value(kind.value_type, node)
        return lambda scalar: show(scalar.dictionary[scalar.index.as_py()])
    items = item_of(kind)
    if items is not None:
        return listed(list_items(items, node))
    if pa.types.is_struct(kind):
        return struct_value(kind, node)
    return leaf(kind, node if node is not None and node.children is None else None)


def list_items(items, node):
    """What shows the items of a list."""
    if node is not None and logical.is_list(node):
        middle, element = logical.inner(node), logical.element(node)
        return field_value(items, element) if element is middle else field(items, element)
    entry = logical.inner(node) if node is not None and logical.is_map(node) else None
    if entry is not None and len(entry.children) == 1 and not pa.types.is_struct(items):  # the keys alone
        show_key = field(items, entry.children[0])
        return lambda scalar: f'{{"key":{show_key(scalar)}}}'
    if entry is not None and pa.types.is_struct(items):
        shows = [field(items.field(place).type, child) for place, child in enumerate(entry.children[: items.num_fields])]
        show = joined(["key", "value"][: items.num_fields], None, shows)
        return lambda scalar: show([scalar[place] for place in range(items.num_fields)])
    return field_value(items, None)


def struct_value(kind, node):
    nodes = node.children if node is not None else None
    if nodes is not None and len(nodes) != kind.num_fields:
        nodes = None
    named = [kind.field(place).name for place in range(kind.num_fields)]
    shows = [field(kind.field(place).type, nodes[place] if nodes else None) for place in range(kind.num_fields)]
    show = joined(named, nodes, shows)
    return lambda scalar: show([scalar[place] for place in range(kind.num_fields)])


def leaf(kind, node):
    """What shows a value by its Arrow type, and by what the file says of it."""
    name, says = logical.annotation(node) if node is not None else ("", {})
    if pa.types.is_boolean(kind):
        return lambda scalar: "true" if scalar.as_py() else "false"
    if pa.types.is_floating(kind):
        if name == "DECIMAL":
            raise serve.Unsupported("a DECIMAL comes as a floating-point number")
        form = "<f" if pa.types.is_float32(kind) and name != "FLOAT16" else "<d"
        return lambda scalar: logical.real(float(scalar.as_py()), form)
    if pa.types.is_decimal(kind):
        return lambda scalar: f'"{scalar.as_py():f}"'
    if pa.types.is_date(kind):
        days = 1 if pa.types.is_date32(kind) else DAY * 1000
        return lambda scalar: (day := logical.date(scalar.value // days)) and f'"{day}"' or str(scalar.value // days)
    if name == "DATE" and pa.types.is_timestamp(kind):  # the Arrow schema in the file says so
        return lambda scalar: f'"{logical.date(scalar.value // (DAY * 10 ** DIGITS[kind.unit]))}"'
    if pa.types.is_time(kind) or pa.types.is_timestamp(kind):
        return moment(kind, says, node is not None and node.type == INT96)
    if pa.types.is_interval(kind):
        return lambda scalar: interval(*scalar.as_py())
    if pa.types.is_duration(kind):  # a type of Arrow alone: the file holds integers
        return lambda scalar: str(scalar.value)
    if any(is_text(kind) for is_text in TEXTS):
        return lambda scalar: text(scalar.as_buffer().to_pybytes())
    if any(is_bytes(kind) for is_bytes in BYTES):
        return lambda scalar: octets(scalar.as_py(), name, node is not None and node.type == FIXED_LEN_BYTE_ARRAY)
    if pa.types.is_null(kind):
        return lambda scalar: "null"
    return lambda scalar: str(scalar.as_py())


def text(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return f'{{"hex":{logical.hexed(data)}}}'
    return logical.quoted(data)


def octets(data, name, is_fixed):
    """Bytes whose annotation Arrow may have no type for."""
    if name in ("STRING", "ENUM", "JSON"):
        return text(data)
    if name == "UUID" and is_fixed and len(data) == 16:
        return '"' + "-".join(data[begin:end].hex() for begin, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 16))) + '"'
    if name == "INTERVAL" and is_fixed and len(data) == 12:
        months, days, milliseconds = struct.unpack("<III", data)
        return interval(months, days, milliseconds * 1_000_000)
    return logical.hexed(data)


def interval(months, days, nanoseconds):
    milliseconds, rest = divmod(nanoseconds, 1_000_000)
    return f'{{"months":{months},"days":{days},"milliseconds":{nanoseconds / 1e6 if rest else milliseconds}}}'


def int96(days, nanoseconds):
    """The bytes of a timestamp whose year is outside of 1 to 9999."""
    return f'"{struct.pack("<qi", nanoseconds, days + JULIAN_EPOCH).hex()}"'


def moment(kind, says, is_int96):
    """A time or a timestamp, in the unit of the file where it has one."""
    own = DIGITS[kind.unit]
    digits = {"MILLIS": 3, "MICROS": 6, "NANOS": 9}.get(next(iter(says.get("unit") or [""])), 9 if pa.types.is_timestamp(kind) else own)
    is_utc = says.get("isAdjustedToUTC", pa.types.is_timestamp(kind) and kind.tz is not None) and not is_int96

    def show(scalar):
        units = scalar.value * 10 ** max(digits - own, 0)
        shown, rest = divmod(units, 10 ** max(own - digits, 0))
        if rest:  # finer than the file can say
            shown, places = units, own
        else:
            places = digits
        if pa.types.is_time(kind):
            return f'"{logical.clock(shown, places)}"' if 0 <= shown < DAY * 10**places else str(shown)
        text = logical.moment(0, shown, places, "Z" if is_utc else "")
        return text or (int96(*divmod(shown, DAY * 10**places)) if is_int96 else str(shown))

    return show


def annotations(nodes):
    """The names of the annotations of a schema."""
    return {name for node in nodes or () for name in (logical.annotation(node)[0], *annotations(node.children))}


def rows_of(batches, path, decoded=()):
    """The rows of record batches, each as JSON. `decoded` are annotations whose values are no longer as they are stored."""
    nodes = nodes_of(path)
    for name in annotations(nodes) & set(decoded):
        raise serve.Unsupported(f"{name} comes decoded")
    show = None
    for batch in batches:
        if show is None:
            kinds = batch.schema.types
            mine = nodes if nodes is not None and len(nodes) == len(kinds) else [None] * len(kinds)
            shows = [field(kind, node) for kind, node in zip(kinds, mine)]
            show = joined(batch.schema.names, nodes, shows)
        columns = batch.columns
        for row in range(batch.num_rows):
            yield show([column[row] for column in columns])
