"""Shredded variants: the groups of their schema, rows from values, and values from rows (VariantShredding.md)."""

from builder.codec import variant
from builder.codec.cursor import Refused
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DATE, DECIMAL, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32, INT64, INT_16, INT_8, LIST,
                                    TIMESTAMP_MICROS, TIME_MICROS, UTF8)
from builder.codec.schema import Node, optional, repeated, required
from builder.codec.variant import Object, Tag, encode, kind_of, metadata, names_of, utf8

VARIANT = {"logicalType": {"VARIANT": {"specification_version": 1}}}
MISSING = object()


def _timed(name, is_utc, unit, old=None):
    new = {"logicalType": {name: {"isAdjustedToUTC": is_utc, "unit": {unit: {}}}}}
    return {**new, **({} if old is None else {"converted_type": old})}


#: The type of typed_value for each kind of primitive but decimals: physical type, attributes.
TYPES = {
    "boolean": (BOOLEAN, {}),
    "int8": (INT32, {"converted_type": INT_8, "logicalType": {"INTEGER": {"bitWidth": 8, "isSigned": True}}}),
    "int16": (INT32, {"converted_type": INT_16, "logicalType": {"INTEGER": {"bitWidth": 16, "isSigned": True}}}),
    "int32": (INT32, {}), "int64": (INT64, {}), "float": (FLOAT, {}), "double": (DOUBLE, {}),
    "date": (INT32, {"converted_type": DATE, "logicalType": {"DATE": {}}}),
    "time": (INT64, _timed("TIME", False, "MICROS", TIME_MICROS)),
    "timestamp": (INT64, _timed("TIMESTAMP", True, "MICROS", TIMESTAMP_MICROS)),
    "timestamp_nanos": (INT64, _timed("TIMESTAMP", True, "NANOS")),
    "timestamp_ntz": (INT64, _timed("TIMESTAMP", False, "MICROS", TIMESTAMP_MICROS)),
    "timestamp_ntz_nanos": (INT64, _timed("TIMESTAMP", False, "NANOS")),
    "binary": (BYTE_ARRAY, {}), "string": (BYTE_ARRAY, {"converted_type": UTF8, "logicalType": {"STRING": {}}}),
    "uuid": (FIXED_LEN_BYTE_ARRAY, {"type_length": 16, "logicalType": {"UUID": {}}}),
}


def decimal(precision, scale, kind, type_length=None):
    """The type of typed_value for decimals: decimal4 in INT32, decimal8 in INT64, else decimal16."""
    attributes = {"converted_type": DECIMAL, "scale": scale, "precision": precision,
                  "logicalType": {"DECIMAL": {"scale": scale, "precision": precision}}}
    return kind, {**attributes, **({"type_length": type_length} if type_length else {})}


# ---- Schemas. A shape is None (no typed_value), the name of a kind, (physical type, attributes), a dict of the shapes of
# fields, or a list of the shape of elements.

def typed_value(shape):
    """The node of a typed_value."""
    if isinstance(shape, str):
        shape = TYPES[shape]
    if isinstance(shape, Node):
        return shape
    if isinstance(shape, tuple):
        return optional("typed_value", shape[0], **shape[1])
    if isinstance(shape, list):
        return optional("typed_value", [repeated("list", [required("element", parts(shape[0]))])], converted_type=LIST, logicalType={"LIST": {}})
    return optional("typed_value", [required(name, parts(one)) for name, one in shape.items()])


def parts(shape):
    """The children of a group with this shape: `value`, and `typed_value` if there is one."""
    value = optional("value", BYTE_ARRAY)
    return [value] if shape is None else [value, typed_value(shape)]


def variant_node(name="v", shape=None, make=optional, **attributes):
    """A VARIANT group."""
    rest = [required("value", BYTE_ARRAY)] if shape is None else parts(shape)
    return make(name, [required("metadata", BYTE_ARRAY), *rest], **(attributes or VARIANT))


# ---- Rows

def variant_row(value, shape=None, names=None, **edits):
    """The row of a VARIANT group for a value: metadata, value, typed_value; `edits` replace them."""
    names = names_of(value) if names is None else names
    return {"metadata": metadata(names).data, **split(value, shape, names), **edits}


def split(value, shape, names):
    """`value` and `typed_value` of a value."""
    typed, rest = _typed(value, shape, names)
    return {"value": None if rest is MISSING else encode(rest, names).data, "typed_value": typed}


def _plain(value):
    """A value without the forms that only the writer takes."""
    if isinstance(value, dict):
        return Object(sorted(value.items(), key=lambda field: utf8(field[0])))
    if isinstance(value, int) and not isinstance(value, bool):
        return variant._integer(value)
    return Tag("double", value) if isinstance(value, float) else value


def _typed(value, shape, names):
    """(typed_value or None, what is left for value or MISSING) of a value."""
    value = _plain(value)
    if isinstance(shape, dict) and kind_of(value) == "object":
        held = dict(value.fields)
        rest = [(name, item) for name, item in value.fields if name not in shape]
        typed = {name: split(held[name], one, names) if name in held else {} for name, one in shape.items()}
        return typed, Object(rest) if rest else MISSING
    if isinstance(shape, list) and kind_of(value) == "array":
        return {"list": [{"element": split(item, shape[0], names)} for item in value]}, MISSING
    stored = _stored(value, shape)
    return (None, value) if stored is None else (stored, MISSING)


def _stored(value, shape):
    """The stored value of a primitive in a column of this shape; None if it does not fit."""
    if isinstance(shape, str):
        if kind_of(value) != shape:
            return None
        if shape == "string":
            return utf8(value)
        return value if shape == "boolean" else value.value
    if isinstance(shape, tuple) and "DECIMAL" in shape[1].get("logicalType", {}) and kind_of(value) == decimal_kind(shape[0]):
        unscaled, scale = value.value
        wanted = shape[1]["logicalType"]["DECIMAL"]
        if scale == wanted["scale"] and abs(unscaled) < 10 ** wanted["precision"]:
            if shape[0] in (INT32, INT64):
                return unscaled
            size = shape[1].get("type_length") or (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
            return unscaled.to_bytes(size, "big", signed=True)
    return None


def decimal_kind(physical):
    return {INT32: "decimal4", INT64: "decimal8"}.get(physical, "decimal16")


# ---- Values

def primitive(leaf, annotated, stored):
    """The variant value of a typed_value; Refused if the leaf has none of the types of the specification."""
    name, parameters = annotated
    unit = next(iter(parameters.get("unit") or [""]))
    kind = None
    if name == "DECIMAL" and leaf.type in (INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY):
        if stored == b"":
            return Tag("binary", stored)  # no number
        number = stored if isinstance(stored, int) else int.from_bytes(stored, "big", signed=True)
        return Tag(decimal_kind(leaf.type), (number, parameters.get("scale", 0)))
    if name == "TIME" and unit == "MICROS" and not parameters.get("isAdjustedToUTC"):
        kind = "time"
    elif name == "TIMESTAMP" and unit in ("MICROS", "NANOS"):
        kind = ("timestamp" if parameters.get("isAdjustedToUTC") else "timestamp_ntz") + ("_nanos" if unit == "NANOS" else "")
    elif name == "INTEGER" and parameters.get("isSigned"):
        kind = f"int{parameters.get('bitWidth')}"
    elif name in ("DATE", "UUID"):
        kind = name.lower()
    elif name == "STRING":
        return stored if _is_broken(stored) else stored.decode()
    elif not name and leaf.type == BOOLEAN:
        return bool(stored)
    elif not name:
        kind = {INT32: "int32", INT64: "int64", FLOAT: "float", DOUBLE: "double", BYTE_ARRAY: "binary"}.get(leaf.type)
    if not kind:
        raise Refused(f"a typed_value of {name or leaf.type}")
    return Tag(kind, stored)


def _is_broken(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def merged(value, typed, shredded=()):
    """The value of the two parts, each of which may be MISSING: that of typed_value if they exclude each other. `shredded` are the names of
    the fields that typed_value has columns for."""
    if typed is MISSING:
        return value
    if not isinstance(typed, Object):
        return typed
    rest = value.fields if isinstance(value, Object) else []
    names = {name for name, _ in typed.fields}
    if any(name in shredded and name not in names for name, _ in rest):
        raise Refused("a field that is missing in its columns, and there in value")
    fields = typed.fields + [field for field in rest if field[0] not in names]
    return Object(sorted(fields, key=lambda field: field[0].encode(errors="surrogateescape")))
