"""The logical view of a schema: the shape of an annotated group, and the text of a value in a row."""

import datetime
import struct

from builder.codec.metadata import (BOOLEAN, BSON, BYTE_ARRAY, DATE, DECIMAL, DOUBLE, ENUM, FIXED_LEN_BYTE_ARRAY, FLOAT, INT32,
                                    INT64, INT96, INTERVAL, INT_16, INT_32, INT_64, INT_8, JSON, LIST, MAP, MAP_KEY_VALUE,
                                    REPEATED, TIMESTAMP_MICROS, TIMESTAMP_MILLIS, TIME_MICROS, TIME_MILLIS, UINT_16, UINT_32,
                                    UINT_64, UINT_8, UTF8)

# A ConvertedType as the LogicalType that replaces it (LogicalTypes.md, under "Backward compatibility").
_UNITS = {TIME_MILLIS: "MILLIS", TIME_MICROS: "MICROS", TIMESTAMP_MILLIS: "MILLIS", TIMESTAMP_MICROS: "MICROS"}
_CONVERTED = {
    UTF8: ("STRING", {}), MAP: ("MAP", {}), MAP_KEY_VALUE: ("MAP", {}), LIST: ("LIST", {}), ENUM: ("ENUM", {}),
    DATE: ("DATE", {}), JSON: ("JSON", {}), BSON: ("BSON", {}), INTERVAL: ("INTERVAL", {}),
    **{kind: ("TIME", {"isAdjustedToUTC": True, "unit": {_UNITS[kind]: {}}}) for kind in (TIME_MILLIS, TIME_MICROS)},
    **{kind: ("TIMESTAMP", {"isAdjustedToUTC": True, "unit": {_UNITS[kind]: {}}}) for kind in (TIMESTAMP_MILLIS, TIMESTAMP_MICROS)},
    **{kind: ("INTEGER", {"bitWidth": bits, "isSigned": is_signed}) for kind, bits, is_signed in (
        (UINT_8, 8, False), (UINT_16, 16, False), (UINT_32, 32, False), (UINT_64, 64, False),
        (INT_8, 8, True), (INT_16, 16, True), (INT_32, 32, True), (INT_64, 64, True))},
}
_DIGITS = {"MILLIS": 3, "MICROS": 6, "NANOS": 9}
_DAY = 86_400
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_JULIAN_EPOCH = 2_440_588  # the Julian day of 1970-01-01


def annotation(node):
    """The annotation of a node; none if it is TIMESTAMP on bytes with a ConvertedType, which is for INT64 alone."""
    name, parameters = _annotation(node)
    is_bytes = node.children is None and node.type == FIXED_LEN_BYTE_ARRAY
    if name == "TIMESTAMP" and is_bytes and isinstance(node.attributes.get("converted_type"), int):
        return "", {}
    return name, parameters


def _annotation(node):
    """(name, parameters) of a node's annotation by the names of LogicalType; ("", {}) if there is none. LogicalType
    comes first; UNKNOWN has no meaning for values, so a ConvertedType applies if both are set."""
    stated = node.attributes.get("logicalType")
    name, parameters = next(iter(stated.items())) if isinstance(stated, dict) and len(stated) == 1 else ("", {})
    parameters = parameters if isinstance(parameters, dict) else {}
    converted = node.attributes.get("converted_type")
    stays = name != "UNKNOWN" or node.children is not None and converted != MAP_KEY_VALUE
    if name and stays or not isinstance(converted, int):
        return name, parameters
    if converted == DECIMAL:
        return "DECIMAL", {"scale": node.attributes.get("scale", 0), "precision": node.attributes.get("precision", 0)}
    return _CONVERTED.get(converted, (name, parameters))


def inner(node):
    """The repeated field of a LIST or MAP group, None if the group has another shape."""
    only = node.children[0] if node.children is not None and len(node.children) == 1 else None
    return only if only is not None and only.repetition == REPEATED else None


def is_list(node):
    return annotation(node)[0] == "LIST" and inner(node) is not None


def is_map(node):
    """A MAP in its legal shape: entries of a key, and maybe a value."""
    entry = inner(node) if annotation(node)[0] == "MAP" else None
    return entry is not None and entry.children is not None and len(entry.children) in (1, 2)


def element(node):
    """The element of a LIST: the only field of the repeated group, or the repeated field itself if one of the rules for
    older shapes applies (LogicalTypes.md, Lists)."""
    middle = inner(node)
    if middle.children is None or len(middle.children) != 1 or middle.children[0].repetition == REPEATED:
        return middle
    return middle if middle.name in ("array", node.name + "_tuple") else middle.children[0]


# ---- Values

def quoted(text):
    """A JSON string. Control characters, and those that reverse or break lines, are escaped; a byte that is not UTF-8 is U+FFFD."""
    data = text if isinstance(text, bytes) else text.encode()
    out = ['"']
    for char in data.decode(errors="surrogateescape"):
        code = ord(char)
        if 0xDC80 <= code <= 0xDCFF:
            out.append("\ufffd")
        elif char in '"\\':
            out.append("\\" + char)
        elif code < 0x20 or 0x7F <= code <= 0x9F or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069 \
                or code in (0x061C, 0x200E, 0x200F, 0xFEFF):
            out.append(f"\\u{code:04x}")
        else:
            out.append(char)
    return "".join(out) + '"'


def hexed(value):
    return f'"{value.hex()}"'


def real(value, form="<d"):
    """The shortest text that round-trips to the same number of this form: plain, or with an exponent if that is shorter."""
    if value != value:
        return '"NaN"'
    if value - value:
        return '"Infinity"' if value > 0 else '"-Infinity"'
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    if value == 0:
        return "-0.0" if sign else "0"
    digits, exponent = _shortest(abs(value), form)
    scientific = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{'-' if exponent < 0 else '+'}{abs(exponent):02}"
    if exponent < 0:
        plain = "0." + "0" * (-exponent - 1) + digits
    elif len(digits) > exponent + 1:
        plain = digits[:exponent + 1] + "." + digits[exponent + 1:]
    else:
        plain = str(int(abs(value)))
    return sign + (plain if len(plain) <= len(scientific) else scientific)


def _shortest(value, form):
    """The fewest significant digits that round-trip, of these the nearest, and the power of ten of the first."""
    for count in range(1, 18):
        mantissa, exponent = f"{value:.{count - 1}e}".split("e")
        number, exponent = int(mantissa.replace(".", "")), int(exponent)
        for near in (number, number + 1, number - 1):
            try:
                same = near > 0 and struct.pack(form, float(f"{near}e{exponent - count + 1}")) == struct.pack(form, value)
            except OverflowError:
                same = False
            if same:
                digits = str(near)
                return digits.rstrip("0") or "0", exponent + len(digits) - count
    raise ValueError(value)


def date(days):
    """`2024-02-29`, None outside the years 1 to 9999."""
    ordinal = days + _EPOCH
    return datetime.date.fromordinal(ordinal).isoformat() if 1 <= ordinal <= datetime.date.max.toordinal() else None


def clock(units, digits):
    seconds, rest = divmod(units, 10 ** digits)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:0{digits}}"


def moment(days, units, digits, end):
    """A day and the time of day, as text; None outside the years 1 to 9999."""
    more, units = divmod(units, _DAY * 10 ** digits)
    day = date(days + more)
    return day and f'"{day}T{clock(units, digits)}{end}"'


def _decimal(number, scale):
    digits = str(abs(number)).rjust(scale + 1, "0")
    point = len(digits) - scale
    return f'"{"-" if number < 0 else ""}{digits[:point]}{"." + digits[point:] if scale else ""}"'


def _stored(kind, value):
    """A value without annotation."""
    if kind == BOOLEAN:
        return "true" if value else "false"
    if kind in (INT32, INT64):
        return str(value)
    if kind in (FLOAT, DOUBLE):
        form = "<f" if kind == FLOAT else "<d"
        return real(struct.unpack(form, value if isinstance(value, bytes) else struct.pack(form, value))[0], form)
    return hexed(value)


def _of_number(kind, value, name, parameters):
    """An annotated INT32 or INT64; None if the annotation does not fit."""
    digits = _DIGITS.get(next(iter(parameters.get("unit") or [""])))
    if name == "INTEGER" and parameters.get("isSigned") is False:
        return str(value % (1 << (32 if kind == INT32 else 64)))
    if name == "DECIMAL" and 0 <= parameters.get("scale", 0) <= 10_000:
        return _decimal(value, parameters.get("scale", 0))
    if name == "DATE" and kind == INT32:
        day = date(value)
        return day and f'"{day}"'
    if name == "TIME" and digits and 0 <= value < _DAY * 10 ** digits:
        return f'"{clock(value, digits)}"'
    if name == "TIMESTAMP" and digits and kind == INT64:
        return moment(0, value, digits, "Z" if parameters.get("isAdjustedToUTC") else "")
    return None


def _of_bytes(kind, value, name, parameters):
    """An annotated byte array; None if the annotation does not fit."""
    if name in ("STRING", "ENUM", "JSON"):
        try:
            value.decode()
        except UnicodeDecodeError:
            return f'{{"hex":{hexed(value)}}}'
        return quoted(value)
    if name == "DECIMAL" and 0 <= parameters.get("scale", 0) <= 10_000 and 0 < len(value) <= 4_096:
        return _decimal(int.from_bytes(value, "big", signed=True), parameters.get("scale", 0))
    if kind == BYTE_ARRAY and name in ("GEOMETRY", "GEOGRAPHY"):
        from builder.codec import wkb  # which needs the numbers of this module
        text = wkb.wkt(value)
        return text and f'"{text}"'
    if kind == BYTE_ARRAY:
        return None
    if name == "UUID" and len(value) == 16:
        return '"' + "-".join(value[begin:end].hex() for begin, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 16))) + '"'
    if name == "TIMESTAMP" and len(value) == 12 and "unit" in parameters:
        digits = _DIGITS.get(next(iter(parameters["unit"] or [""])))
        return digits and moment(0, int.from_bytes(value, "little", signed=True), digits, "Z" if parameters.get("isAdjustedToUTC") else "")
    if name == "FLOAT16" and len(value) == 2:
        return real(struct.unpack("<e", value)[0])
    if name == "INTERVAL" and len(value) == 12:
        return '{"months":%d,"days":%d,"milliseconds":%d}' % struct.unpack("<III", value)
    return None


def value_text(kind, annotated, value):
    """The text of a value of a leaf in a row, by its physical type and its annotation."""
    name, parameters = annotated
    text = None
    if kind == INT96:
        nanoseconds, day = struct.unpack("<qi", value)
        text = moment(day - _JULIAN_EPOCH, nanoseconds, 9, "")
    elif kind in (INT32, INT64):
        text = _of_number(kind, value, name, parameters)
    elif kind in (BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY):
        text = _of_bytes(kind, value, name, parameters)
    return _stored(kind, value) if text is None else text
