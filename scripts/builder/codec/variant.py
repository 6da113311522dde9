"""Variant metadata and values: the writer and a strict reader (VariantEncoding.md).

A value is None, a bool, a str, a list, an Object, or a Tag of any other kind; a str that is no text is its bytes. The writer also takes
dicts, Array and Raw."""

import struct

from builder.codec import logical
from builder.codec.cursor import Cursor, Refused
from builder.codec.marked import Marked, marked

NULL, TRUE, FALSE = range(3)
#: The kinds of primitives by their ids, and the bytes of those of a fixed size.
KINDS = ("null", "boolean", "boolean", "int8", "int16", "int32", "int64", "double", "decimal4", "decimal8", "decimal16", "date", "timestamp",
         "timestamp_ntz", "float", "binary", "string", "time", "timestamp_nanos", "timestamp_ntz_nanos", "uuid")
SIZES = {"int8": 1, "int16": 2, "int32": 4, "int64": 8, "double": 8, "decimal4": 5, "decimal8": 9, "decimal16": 17, "date": 4,
         "timestamp": 8, "timestamp_ntz": 8, "float": 4, "time": 8, "timestamp_nanos": 8, "timestamp_ntz_nanos": 8, "uuid": 16}
DIGITS = {"decimal4": 9, "decimal8": 18, "decimal16": 38}
REALS = {"float": "<f", "double": "<d"}
PRIMITIVE, SHORT, OBJECT, ARRAY = range(4)
DAY = 86_400_000_000
MAX_DEPTH = 1000


class Tag:
    """A value of a kind: a number; of a decimal its unscaled number and its scale; of a float, a binary, a UUID the bytes."""

    def __init__(self, kind, value):
        self.kind = kind
        self.value = struct.pack(REALS[kind], value) if kind in REALS and not isinstance(value, bytes) else value

    def __eq__(self, other):
        return isinstance(other, Tag) and (self.kind, self.value) == (other.kind, other.value)

    def __repr__(self):
        return f"{self.kind}({self.value!r})"


class Object:
    """Fields as (name, value) in the order of their ids. The rest shapes the bytes: `order` lists the fields in the order of their
    values; widths are numbers of bytes; `ids`, `offsets` and `count` replace the correct ones; `gaps` are bytes before a value, by its
    place in the order, and at -1 after the last; with `shared` {field: other} a field has the offset of another one."""

    basic = OBJECT

    def __init__(self, fields, order=None, id_width=None, offset_width=None, is_large=None, reserved=0, ids=None, offsets=None, count=None,
                 gaps=None, shared=None):
        self.fields = list(fields.items() if isinstance(fields, dict) else fields)
        self.order, self.id_width, self.offset_width, self.is_large, self.reserved = order, id_width, offset_width, is_large, reserved
        self.ids, self.offsets, self.count, self.gaps, self.shared = ids or {}, offsets or {}, count, gaps or {}, shared or {}

    def __eq__(self, other):
        return isinstance(other, Object) and self.fields == other.fields

    def __repr__(self):
        return f"object({self.fields!r})"


class Array(Object):
    """An array with a shape of its own."""

    basic = ARRAY

    def __init__(self, items, **shape):
        super().__init__([(None, item) for item in items], **shape)


class Raw:
    """Bytes in place of an encoded value."""

    def __init__(self, data):
        self.data = data


# ---- Writer

def width_of(number):
    """The fewest bytes of an unsigned number, at least one."""
    return max(1, (number.bit_length() + 7) // 8)


def word(number, width):
    return number.to_bytes(width, "little")


def utf8(name):
    return name if isinstance(name, bytes) else name.encode()


def metadata(names=(), is_sorted=None, width=None, reserved=0, version=1, size=None, offsets=None, tail=b""):
    """The metadata of these strings; `is_sorted` is by default true if there are any and they ascend. `size` and `offsets` replace the correct numbers.
    Marks: `size`, `offsetN`, `stringN`, `strings.end`."""
    strings = [utf8(name) for name in names]
    ends = [sum(map(len, strings[:index])) for index in range(len(strings) + 1)]
    if is_sorted is None:
        is_sorted = bool(strings) and all(one < two for one, two in zip(strings, strings[1:]))
    width = width or width_of(max(ends[-1], len(strings)))
    out = Marked(bytes([version | is_sorted << 4 | reserved << 5 | width - 1 << 6]))
    out += Marked(word(len(strings) if size is None else size, width), {"size": 0})
    for index, end in enumerate(ends):
        out += Marked(word((offsets or {}).get(index, end), width), {f"offset{index}": 0})
    for index, string in enumerate(strings):
        out += Marked(string, {f"string{index}": 0})
    return out + Marked(tail, {"strings.end": 0})


def names_of(value):
    """The names of all fields in a value, sorted by their bytes."""
    found, left = set(), [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            one = Object(one)
        if isinstance(one, Object):
            found |= {utf8(name) for name, _ in one.fields if name is not None}
            left += [item for _, item in one.fields]
        elif isinstance(one, list):
            left += one
    return sorted(found)


def _primitive(kind, data=b""):
    return Marked(bytes([KINDS.index(kind) << 2]) + data, {"data": 1})


def _integer(value):
    width = next(width for width in (1, 2, 4, 8) if -1 << 8 * width - 1 <= value < 1 << 8 * width - 1)
    return Tag(f"int{8 * width}", value)


def text(value, is_long=None):
    """A string, short if it has less than 64 bytes. The mark `text` is its first byte."""
    data = utf8(value)
    if is_long or len(data) > 63:
        return Marked(_primitive("string").data + word(len(data), 4), {"length": 1}) + Marked(data, {"text": 0})
    return Marked(bytes([len(data) << 2 | SHORT])) + Marked(data, {"text": 0})


def encode(value, names=()):
    """The bytes of a value; names are the strings of the metadata. Marks of an object or array: `count`, `idN`, `offsetN`, and `N` for
    each value, with those in it as `N.mark`; of a primitive `data`."""
    names = [utf8(name) for name in names]
    if isinstance(value, (bytes, Marked)):
        return marked(value)
    if isinstance(value, Raw):
        return marked(value.data)
    if value is None:
        return _primitive("null")
    if isinstance(value, bool):
        return Marked(bytes([(TRUE if value else FALSE) << 2]))
    if isinstance(value, str):
        return text(value)
    if isinstance(value, int):
        value = _integer(value)
    if isinstance(value, float):
        value = Tag("double", value)
    if isinstance(value, Tag):
        return _of_kind(value.kind, value.value)
    if isinstance(value, list):
        value = Array(value)
    if isinstance(value, dict):
        value = Object(sorted(value.items(), key=lambda field: utf8(field[0])))
    return _container(value, names)


def _of_kind(kind, value):
    if kind in DIGITS:
        unscaled, scale = value
        return _primitive(kind, bytes([scale]) + unscaled.to_bytes(SIZES[kind] - 1, "little", signed=True))
    if kind in ("binary", "string"):
        return Marked(_primitive(kind).data + word(len(utf8(value)), 4), {"length": 1}) + Marked(utf8(value), {"text": 0})
    if isinstance(value, bytes):
        return _primitive(kind, value)
    return _primitive(kind, value.to_bytes(SIZES[kind], "little", signed=True))


def _container(value, names):
    count = len(value.fields)
    order = range(count) if value.order is None else value.order
    area, starts = Marked(), {}
    for place, index in enumerate(order):
        area += Marked(value.gaps.get(place, b""))
        starts[index] = len(area)
        area += encode(value.fields[index][1], names).named(str(index))
    area += Marked(value.gaps.get(-1, b""))
    for index, other in value.shared.items():
        starts[index] = starts[other]
    offsets = [value.offsets.get(index, starts.get(index, len(area))) for index in range(count + 1)]
    count = count if value.count is None else value.count
    is_large = count > 255 if value.is_large is None else value.is_large
    width = value.offset_width or width_of(max(offsets))
    ids, id_width = [], 0
    if value.basic == OBJECT:
        ids = [value.ids.get(index, names.index(utf8(name)) if utf8(name) in names else None) for index, (name, _) in enumerate(value.fields)]
        id_width = value.id_width or width_of(max(ids, default=0))
        header = is_large << 4 | id_width - 1 << 2 | width - 1 | value.reserved << 5
    else:
        header = is_large << 2 | width - 1 | value.reserved << 3
    out = Marked(bytes([header << 2 | value.basic])) + Marked(word(count, 4 if is_large else 1), {"count": 0})
    for index, number in enumerate(ids):
        out += Marked(word(number, id_width), {f"id{index}": 0})
    for index, offset in enumerate(offsets):
        out += Marked(word(offset, width), {f"offset{index}": 0})
    return out + area


# ---- Reader

class Note:
    """What breaks a rule: its bytes from `offset` on, found and expected."""

    def __init__(self, rule, offset, length, found, expected=None):
        self.rule, self.offset, self.length, self.found, self.expected = rule, offset, length, str(found), expected

    def key(self):
        return self.rule, self.offset, self.length, self.found, self.expected

    def __repr__(self):
        return repr(self.key())


class Fault(Refused):
    """Bytes that are no variant, with the Note that says why."""

    def __init__(self, rule, offset, length, found, expected):
        super().__init__(f"{rule} at byte {offset}: found {found}, expected {expected}")
        self.note = Note(rule, offset, length, found, expected)


def _broken(data):
    """The first byte that is not UTF-8, as text; None if all are."""
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        return f"0x{data[problem.start]:02x} at byte {problem.start} of the value"
    return None


def shown_name(name):
    return logical.quoted(name)


class Metadata:
    """The strings of a metadata, read strictly: a Fault if it has none, `notes` for the rest. The bytes may go on after it if `is_first`."""

    def __init__(self, cursor, is_first=False):
        self.notes, self.begin, self.names, self.places = [], cursor.at, [], []
        data, size = cursor.data[cursor.at:cursor.end], cursor.left
        if not size:
            raise Fault("variant/metadata", self.begin, 0, 0, "at least 1")
        header = data[0]
        version, self.is_sorted, width = header & 15, bool(header >> 4 & 1), (header >> 6) + 1
        cursor.take(1, f"header: version {version}, {'sorted' if self.is_sorted else 'not sorted'}, numbers of {width} byte{'s' * (width > 1)}")
        if version != 1:
            raise Fault("variant/metadata", self.begin, 1, version, "1")
        if size < 1 + 2 * width:
            raise Fault("variant/metadata", self.begin, size, size, f"at least {1 + 2 * width}")
        count = cursor.number(width, "dictionary_size")
        most = (size - 1 - width) // width - 1
        if count > most:
            raise Fault("variant/metadata", self.begin + 1, width, count, f"at most {most}")
        offsets = []
        for index in range(count + 1):
            at = cursor.at
            offset = cursor.number(width, f"offset {index}:")
            if index == 0 and offset:
                raise Fault("variant/metadata", at, width, offset, "0")
            if index and offset < offsets[-1]:
                raise Fault("variant/metadata", at, width, offset, f"at least {offsets[-1]}")
            offsets.append(offset)
        if offsets[-1] > cursor.left:
            raise Fault("variant/metadata", cursor.at - width, width, offsets[-1], str(cursor.left))
        surplus = cursor.left - offsets[-1]
        if surplus and not is_first:
            raise Fault("variant/metadata", cursor.end - surplus, surplus, size, str(size - surplus))
        for one, two in zip(offsets, offsets[1:]):
            self.places.append(cursor.at)
            self.names.append(cursor.take(two - one, f"string {len(self.names)}"))
        self._judge(header, width, max(count, offsets[-1]))

    def _judge(self, header, width, most):
        for name, place in zip(self.names, self.places):
            if _broken(name):
                self.notes.append(Note("variant/metadata-utf8", place, len(name), _broken(name), "UTF-8"))
        pairs = [index for index in range(1, len(self.names)) if self.names[index] <= self.names[index - 1]]
        if self.is_sorted and pairs:
            name = self.names[pairs[0]]
            self.notes.append(Note("variant/metadata-sorted", self.places[pairs[0]], len(name), shown_name(name),
                                   f"more than {shown_name(self.names[pairs[0] - 1])}"))
        if len(self.names) > 1 and not self.is_sorted:
            self.notes.append(Note("variant/metadata-unsorted", self.begin, 1, f"0 for strings that {'do not ' * bool(pairs)}ascend", "1"))
        if header & 0x20:
            self.notes.append(Note("variant/reserved-bits", self.begin, 1, header, str(header & ~0x20)))
        if width > width_of(most):
            self.notes.append(Note("variant/wide", self.begin, 1, header, str(header & 0x3F | width_of(most) - 1 << 6)))


class Reader:
    """Reads values of a metadata strictly: a Fault for bytes that are no value, `notes` for the rest; `used` are the names of fields."""

    def __init__(self, names, cursor):
        self.names, self.cursor, self.notes, self.used = names, cursor, [], set()

    def read(self):
        """The value that is all the rest."""
        begin, end = self.cursor.at, self.cursor.end
        size = self.size(begin, end)
        if begin + size < end:
            raise Fault("variant/value", begin + size, end - begin - size, end - begin, str(size))
        return self.value(begin, end, 1)

    def size(self, at, end):
        """The size of the value at an offset, by its header; a Fault if it does not end before `end`."""
        data, left = self.cursor.data, end - at

        def needs(size, is_all=True):
            if size > left:
                raise Fault("variant/value", at, left, left, str(size) if is_all else f"at least {size}")
            return size

        needs(1, False)
        basic, header = data[at] & 3, data[at] >> 2
        if basic == SHORT:
            return needs(1 + header)
        if basic == PRIMITIVE:
            if header >= len(KINDS):
                raise Fault("variant/value", at, 1, header, "0 to 20")
            if KINDS[header] in ("binary", "string"):
                needs(5, False)
                return needs(5 + int.from_bytes(data[at + 1:at + 5], "little"))
            return needs(1 + SIZES.get(KINDS[header], 0))
        is_large, id_width, width = _shape(data[at])
        count_width = 4 if is_large else 1
        needs(1 + count_width, False)
        count = int.from_bytes(data[at + 1:at + 1 + count_width], "little")
        tables = needs(1 + count_width + count * id_width + (count + 1) * width, False)
        return needs(tables + int.from_bytes(data[at + tables - width:at + tables], "little"))

    def value(self, at, end, depth):
        """The value at an offset, which has a complete header."""
        if depth > MAX_DEPTH:
            raise Fault("variant/depth", at, 1, depth, str(MAX_DEPTH))
        cursor = self.cursor
        cursor.at = at
        first = cursor.data[at]
        basic, header = first & 3, first >> 2
        if basic == SHORT:
            cursor.take(1, f"header: a short string of {header} byte{'s' * (header != 1)}")
            return self.text(header)
        if basic in (OBJECT, ARRAY):
            return self.container(at, end, depth)
        kind = KINDS[header]
        cursor.take(1, f"header: {kind if kind != 'boolean' else 'true' if header == TRUE else 'false'}")
        if kind in ("null", "boolean"):
            return {NULL: None, TRUE: True, FALSE: False}[header]
        if kind == "string":
            return self.text(cursor.number(4, "length"))
        if kind == "binary":
            return Tag(kind, cursor.take(cursor.number(4, "length"), "the bytes"))
        if kind in DIGITS:
            return self.decimal(kind)
        if kind in REALS or kind == "uuid":
            return Tag(kind, cursor.take(SIZES[kind], f"the {kind}"))
        number = cursor.number(SIZES[kind], f"the {kind}", signed=True)
        if kind == "time" and not 0 <= number < DAY:
            self.notes.append(Note("variant/time-range", cursor.at - 8, 8, number, f"0 to {DAY - 1}"))
        return Tag(kind, number)

    def text(self, size):
        at, data = self.cursor.at, self.cursor.take(size, "the text")
        if _broken(data):
            self.notes.append(Note("variant/utf8", at, size, _broken(data), "UTF-8"))
            return data
        return data.decode()

    def decimal(self, kind):
        at = self.cursor.at
        scale = self.cursor.number(1, "scale")
        number = self.cursor.number(SIZES[kind] - 1, "unscaled value", signed=True)
        if scale > 38:
            self.notes.append(Note("variant/decimal", at, 1, scale, "0 to 38"))
        if abs(number) >= 10 ** DIGITS[kind]:
            self.notes.append(Note("variant/decimal", at + 1, SIZES[kind] - 1, decimal_text(number, scale), f"at most {DIGITS[kind]} digits"))
        return Tag(kind, (number, scale))

    def container(self, at, end, depth):
        cursor, first = self.cursor, self.cursor.data[at]
        is_object = first & 3 == OBJECT
        is_large, id_width, width = _shape(first)
        noun = "object" if is_object else "array"
        cursor.take(1, f"header: an {noun}, " + (f"ids of {id_width}, " if is_object else "") + f"offsets of {width}, count of {4 if is_large else 1}")
        count = cursor.number(4 if is_large else 1, "num_elements")
        fields = [self.field(index, id_width) for index in range(count)] if is_object else [None] * count
        if is_object:
            self.order(fields, id_width)
        places = cursor.at
        offsets = [cursor.number(width, f"field_offset {index}:") for index in range(count + 1)]
        area, last = cursor.at, offsets[-1]
        self.shape(at, first, count, max((number for number, _, _ in fields), default=0) if is_object else None, last)
        for index, offset in enumerate(offsets[:-1]):
            if offset >= last:
                raise Fault("variant/offsets", places + index * width, width, offset, f"less than {last}")
        sizes = [self.size(area + offset, area + last) for offset in offsets[:-1]]
        self.tiles(offsets, sizes, places, width)
        done = {}
        for index in sorted(range(count), key=lambda index: (offsets[index], index)):
            if offsets[index] not in done:
                if cursor.at < area + offsets[index]:
                    cursor.take(area + offsets[index] - cursor.at, "no value")
                done[offsets[index]] = self.value(area + offsets[index], area + offsets[index] + sizes[index], depth + 1)
        cursor.at = area + last
        items = [done[offset] for offset in offsets[:-1]]
        return Object([(name.decode(errors="surrogateescape"), item) for (_, name, _), item in zip(fields, items)]) if is_object else items

    def field(self, index, width):
        """(id, name, offset of the id) of a field."""
        at, number = self.cursor.at, self.cursor.number(width, f"field_id {index}:")
        if number >= len(self.names):
            raise Fault("variant/field-id", at, width, number, f"less than {len(self.names)}")
        return number, self.names[number], at

    def order(self, fields, width):
        for (_, before, _), (_, name, place) in zip(fields, fields[1:]):
            if name == before:
                raise Fault("variant/field-unique", place, width, shown_name(name), "a name of its own")
            if name < before:
                raise Fault("variant/field-order", place, width, shown_name(name), f"more than {shown_name(before)}")
        self.used |= {name for _, name, _ in fields}

    def tiles(self, offsets, sizes, places, width):
        """Judges the areas of the values: they follow each other, in any order, and end at the last offset."""
        reached, known, is_noted = 0, set(), False
        end = max((offset + size for offset, size in zip(offsets, sizes)), default=0)
        for offset, index in sorted((offset, index) for index, offset in enumerate(offsets[:-1])):
            if offset in known and end != offsets[-1]:
                raise Fault("variant/offsets", places + index * width, width, offset, str(reached))
            if offset in known or offset > reached:
                if not is_noted:
                    self.notes.append(Note("variant/value-area", places + index * width, width, offset, str(reached)))
                is_noted = True
            elif offset < reached:
                raise Fault("variant/offsets", places + index * width, width, offset, str(reached))
            known.add(offset)
            reached = max(reached, offset + sizes[index])
        if reached != offsets[-1]:
            raise Fault("variant/offsets", places + (len(offsets) - 1) * width, width, offsets[-1], str(reached))

    def shape(self, at, first, count, largest_id, last):
        """Notes reserved bits, and widths that are larger than they have to be, once for the value."""
        reserved = 0x80 if largest_id is not None else 0xE0
        id_width = width_of(largest_id or 0)
        smallest = (count > 255) << 4 | id_width - 1 << 2 | width_of(last) - 1 if largest_id is not None else (count > 255) << 2 | width_of(last) - 1
        for rule, is_broken, expected in (("variant/reserved-bits", first & reserved, first & ~reserved),
                                          ("variant/wide", first & ~reserved != smallest << 2 | first & 3, smallest << 2 | first & reserved | first & 3)):
            if is_broken and all(note.rule != rule for note in self.notes):
                self.notes.append(Note(rule, at, 1, first, str(expected)))


def _shape(first):
    """(is_large, id width, offset width) of the header byte of an object or an array, which has no ids."""
    header = first >> 2
    if first & 3 == OBJECT:
        return header >> 4 & 1, (header >> 2 & 3) + 1, (header & 3) + 1
    return header >> 2 & 1, 0, (header & 3) + 1


def judge_metadata(data):
    """(names or None, notes) of the bytes of a metadata."""
    try:
        read = Metadata(Cursor(data))
    except Fault as fault:
        return None, [fault.note]
    return read, read.notes


def judge(names, data):
    """(value, notes, used names) of the bytes of a value; `...` if they are none."""
    reader = Reader(names, Cursor(data))
    try:
        value = reader.read()
    except Fault as fault:
        return ..., reader.notes + [fault.note], reader.used
    return value, reader.notes, reader.used


# ---- Texts

def decimal_text(unscaled, scale):
    digits = str(abs(unscaled)).rjust(scale + 1, "0")
    point = len(digits) - scale
    return ("-" if unscaled < 0 else "") + digits[:point] + ("." + digits[point:] if scale else "")


def uuid_text(data):
    return "-".join(data[begin:end].hex() for begin, end in ((0, 4), (4, 6), (6, 8), (8, 10), (10, 16)))


def kind_of(value):
    if isinstance(value, (str, bytes)):
        return "string"
    if isinstance(value, (Object, dict)):
        return "array" if isinstance(value, Array) else "object"
    if isinstance(value, list):
        return "array"
    if isinstance(value, float):
        return "double"
    return "null" if value is None else "boolean" if isinstance(value, bool) else value.kind


def json_text(value):
    """The text of a value in a row."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, bytes):
        return f'{{"hex":{logical.hexed(value)}}}'
    if isinstance(value, str):
        return logical.quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, Object):
        return "{" + ",".join(f"{logical.quoted(_bytes(name))}:{json_text(item)}" for name, item in value.fields) + "}"
    kind, held = value.kind, value.value
    if kind in REALS:
        return logical.real(struct.unpack(REALS[kind], held)[0], REALS[kind])
    if kind in DIGITS:
        return f'"{decimal_text(*held)}"'
    if kind == "uuid":
        return f'"{uuid_text(held)}"'
    if kind == "binary":
        return logical.hexed(held)
    shown = None
    if kind == "date":
        shown = logical.date(held)
        shown = shown and f'"{shown}"'
    elif kind == "time":
        shown = f'"{logical.clock(held, 6)}"' if 0 <= held < DAY else None
    elif kind.startswith("timestamp"):
        shown = logical.moment(0, held, 9 if kind.endswith("nanos") else 6, "" if "ntz" in kind else "Z")
    return shown or str(held)


def _bytes(name):
    return name if isinstance(name, bytes) else name.encode(errors="surrogateescape")


def document(value, real):
    """A value in the form of golden vectors; `real` gives the form of the bytes of a float or double."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, bytes):
        raise Refused("a string that is not UTF-8")
    if isinstance(value, list):
        return [document(item, real) for item in value]
    if isinstance(value, Object):
        return {"object": {name: document(item, real) for name, item in value.fields}}
    kind, held = value.kind, value.value
    if kind in REALS:
        return {kind: real(kind, held)}
    if kind in DIGITS:
        return {kind: decimal_text(*held)}
    return {kind: uuid_text(held) if kind == "uuid" else held.hex() if kind == "binary" else held}
