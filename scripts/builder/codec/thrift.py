"""A writer of the Thrift compact protocol with replaceable parts.

A structure is a tree of Struct, List and plain Python values. `write` turns it into bytes and records the
position of every field by its dotted path, so that a recipe names places instead of counting bytes.
"""

import struct
from typing import NamedTuple

TRUE, FALSE, I8, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT, UUID = range(1, 14)


class Span(NamedTuple):
    """Absolute positions of one field: its header, its value, and the byte after it."""

    header: int
    value: int
    end: int


class Padded(NamedTuple):
    """An integer whose varint has `extra` redundant bytes."""

    value: int
    extra: int = 1


class Raw(NamedTuple):
    """A value written as exactly these bytes."""

    data: bytes


class Binary(NamedTuple):
    """Bytes with an explicit length: `length` is an int, a Padded, or None for the correct length."""

    data: bytes
    length: object = None


class Long(NamedTuple):
    """A value whose field header takes the long form."""

    value: object


class Typed(NamedTuple):
    """A value under another wire type than the declared one; in a list header, another element type."""

    wire: int
    value: object


DROP = object()


def uleb(n, extra=0):
    """ULEB128 of n, with `extra` redundant bytes at its end."""
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    out.append(n)
    for _ in range(extra):
        out[-1] |= 0x80
        out.append(0)
    return bytes(out)


def zigzag(n):
    """The unsigned number that encodes the signed n, for any width."""
    return (n << 1) if n >= 0 else (-n << 1) - 1


def varint(n):
    """A signed number (or Padded) as zigzag ULEB128."""
    if isinstance(n, Padded):
        return uleb(zigzag(n.value), n.extra)
    return uleb(zigzag(n))


class Field:
    """One field of a Struct: its id, path name, wire type and value; `head` overrides the header bytes."""

    def __init__(self, ident, name, wire, value, long=False, head=None):
        self.id, self.name, self.wire, self.value, self.long, self.head = ident, name, wire, value, long, head

    def header(self, last):
        if self.head is not None:
            return self.head
        wire = self.wire
        if wire in (TRUE, FALSE) and isinstance(self.value, bool):
            wire = TRUE if self.value else FALSE
        delta = self.id - last
        if not self.long and 1 <= delta <= 15:
            return bytes([delta << 4 | wire])
        return bytes([wire]) + uleb(zigzag(self.id))


class List:
    """A list: element wire type and items; `size` replaces the count, `head` the list header."""

    def __init__(self, wire, items, size=None, head=None):
        self.wire, self.items, self.size, self.head = wire, list(items), size, head

    def header(self):
        if self.head is not None:
            return self.head
        size = len(self.items) if self.size is None else self.size
        if isinstance(size, int) and size < 15:
            return bytes([size << 4 | self.wire])
        length = uleb(size.value, size.extra) if isinstance(size, Padded) else uleb(size)
        return bytes([0xF0 | self.wire]) + length


class Map:
    """A map, which the format itself never uses: wire types of key and value, and the pairs."""

    def __init__(self, key, value, pairs):
        self.key, self.value, self.pairs = key, value, list(pairs)


class Struct:
    """A struct: its fields in writing order; `tail` replaces the stop byte."""

    def __init__(self, fields=(), tail=b"\0", kind=None):
        self.fields, self.tail, self.kind = list(fields), tail, kind

    def field(self, name):
        return next((f for f in self.fields if f.name == name), None)

    def at(self, path):
        """The value at a dotted path such as `schema[3].type_length`."""
        value = self
        for name in split(path):
            value = value.items[name] if isinstance(name, int) else value.field(name).value
        return value

    def owner(self, path):
        """The struct (or list) that holds the last step of the path, and that step."""
        steps = split(path)
        value = self
        for name in steps[:-1]:
            value = value.items[name] if isinstance(name, int) else value.field(name).value
        return value, steps[-1]

    def add(self, ident, wire, value, name=None, at=None, **form):
        """Inserts an unknown field (or a second copy), at the end or at an index; returns self."""
        field = Field(ident, name or str(ident), wire, value, **form)
        self.fields.insert(len(self.fields) if at is None else at, field)
        return self


def adding(*args, path="", **form):
    """An edit that inserts a field into the struct at a path; the arguments are those of Struct.add."""
    def change(root):
        (root.at(path) if path else root).add(*args, **form)
    return change


def split(path):
    """`a[2].b` as ['a', 2, 'b']."""
    steps = []
    for part in path.split("."):
        name, *indices = part.split("[")
        steps.append(name)
        steps.extend(int(index[:-1]) for index in indices)
    return steps


def write(struct_, base=0):
    """The bytes of a struct at file offset `base`, and the Span of every path ("" is the struct itself)."""
    out, spans = bytearray(), {}
    _struct(out, struct_, "", spans, base)
    spans[""] = Span(base, base, base + len(out))
    return bytes(out), spans


def _struct(out, struct_, path, spans, base):
    last = 0
    for field in struct_.fields:
        name = f"{path}.{field.name}" if path else field.name
        again = 1
        while (name if again == 1 else f"{name}#{again}") in spans:
            again += 1
        name = name if again == 1 else f"{name}#{again}"
        head = len(out)
        out += field.header(last)
        last = field.id
        value = len(out)
        if not (field.wire in (TRUE, FALSE) and isinstance(field.value, bool)):
            _value(out, field.wire, field.value, name, spans, base)
        else:
            value = head
        spans[name] = Span(base + head, base + value, base + len(out))
    out += struct_.tail


def _value(out, wire, value, path, spans, base):
    if isinstance(value, Raw):
        out += value.data
    elif isinstance(value, Struct):
        _struct(out, value, path, spans, base)
    elif isinstance(value, List):
        out += value.header()
        for index, item in enumerate(value.items):
            start = len(out)
            name = f"{path}[{index}]"
            if isinstance(item, bool):
                out.append(TRUE if item else FALSE)
            else:
                _value(out, value.wire, item, name, spans, base)
            spans[name] = Span(base + start, base + start, base + len(out))
    elif isinstance(value, Map):
        out += uleb(len(value.pairs))
        if value.pairs:
            out.append(value.key << 4 | value.value)
        for key, item in value.pairs:
            _value(out, value.key, key, path + ".key", spans, base)
            _value(out, value.value, item, path + ".value", spans, base)
    elif isinstance(value, Binary):
        length = len(value.data) if value.length is None else value.length
        out += (uleb(length.value, length.extra) if isinstance(length, Padded) else uleb(length)) + value.data
    elif isinstance(value, (bytes, str)):
        data = value.encode() if isinstance(value, str) else value
        out += uleb(len(data)) + data
    elif isinstance(value, float) or wire == DOUBLE:
        out += struct.pack("<d", value)
    elif wire == I8:
        out += struct.pack("b", value)
    else:
        out += varint(value)
