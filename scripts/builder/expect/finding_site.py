"""The bytes of a finding, seen from the recipe: the written value, and the value without the edits of the recipe.

The rows of findings.py are functions of a Site that give text."""

import re

from builder.codec.metadata import ENUMERATORS, FIELDS
from builder.codec.thrift import Binary, List, Long, Padded, Raw, Typed, split

WIRES = ("stop", "bool", "bool", "i8", "i16", "i32", "i64", "double", "binary", "list", "set", "map", "struct", "uuid")
ABSENT = "absent"


def name_of(kind, number):
    """The enumerator of that number, or the number if there is none."""
    return ENUMERATORS[kind][number] if 0 <= number < len(ENUMERATORS[kind]) else str(number)


def plainly(value):
    """A value without the wrappers that a recipe uses to shape its bytes."""
    if isinstance(value, (Long, Typed, Padded)):
        return plainly(value.value)
    return value.data if isinstance(value, (Binary, Raw)) else value


def shown(kind, value):
    """A value of a Thrift field in the form of findings."""
    value = plainly(value)
    if value is None:
        return ABSENT
    if kind in ENUMERATORS:
        return name_of(kind, value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode()
    return str(value)


def kind_at(root, path):
    """The declared type of the field at a path below a struct of the kind `root`."""
    kind = root
    for step in split(path):
        kind = kind[1:-1] if isinstance(step, int) else FIELDS[kind][step][1]
    return kind


def varint_length(data):
    """The size of the ULEB128 number at the beginning of the bytes."""
    return next((i + 1 for i, byte in enumerate(data) if byte < 0x80), len(data))


def uleb(data):
    return sum((byte & 0x7F) << 7 * i for i, byte in enumerate(data[:varint_length(data)]))


def zigzag(data):
    number = uleb(data)
    return number >> 1 ^ -(number & 1)


class Site:
    """`rest` are the bytes from the place to the end of the enclosing structure, `length` of which are wrong; `leaf` and `page` are
    those of the builder, if the place has them."""

    def __init__(self, rest=b"", length=None, leaf=None, page=None, chunk=None, group=None, built=None, file=b""):
        self.rest, self.length, self.leaf, self.page, self.chunk = rest, length, leaf, page, chunk
        self.group, self.built, self.file = group, built, file

    @property
    def bytes(self):
        return self.rest[:self.length]

    @property
    def values(self):
        """The number of values that the page stores."""
        return sum(level == self.leaf.max_def for _, level, _ in self.page.entries)

    @property
    def entries(self):
        return len(self.page.entries)


class Body(Site):
    """A place in the body of a page, by its mark; `before` are the bytes before it."""

    def __init__(self, mark, before, **more):
        super().__init__(**more)
        self.mark, self.before = mark, before


class Field(Site):
    """A Thrift field: `tree` has it as written, `unedited` (a function) makes the tree without the edits of the recipe."""

    def __init__(self, kind, tree, unedited, path, **more):
        super().__init__(**more)
        self.kind, self.tree, self.path, self._unedited = kind, tree, path, unedited

    def _at(self, tree, path):
        try:
            return plainly(tree.at(re.sub(r"#\d+", "", path)))
        except (AttributeError, IndexError):
            return None

    def stated(self, path=None):
        """The written value at a path, by default that of the place."""
        return self._at(self.tree, self.path if path is None else path)

    def correct(self, path=None):
        """The same without the edits of the recipe."""
        return self._at(self._unedited(), self.path if path is None else path)

    def declared(self):
        """The type that the field is declared to have."""
        return kind_at(self.kind, re.sub(r"#\d+", "", self.path))

    def text(self, value):
        return shown(self.declared(), value)

    def sibling(self, name):
        """The value of another field of the same struct."""
        return self.stated(self.path.rpartition(".")[0] + "." + name)

    def owner(self):
        """The declared type of the struct that the field is in."""
        path = re.sub(r"#\d+", "", self.path).rpartition(".")[0]
        return kind_at(self.kind, path) if path else self.kind

    def path_number(self):
        """The number of the varint at the place: a value, a length or a size."""
        value = self.tree.at(self.path)
        if isinstance(value, Binary):
            return plainly(value.length)
        return plainly(value.size) if isinstance(value, List) else plainly(value)

    def path_group(self):
        """The row group that the path is in."""
        return int(re.match(r"row_groups\[(\d+)\]", self.path)[1])

    def leaf_number(self):
        """The column chunk that the path is in."""
        return int(re.search(r"columns\[(\d+)\]", self.path)[1])

    def chunk_values(self):
        """The number of values that the column chunk stores."""
        return sum(level == self.leaf.max_def for _, level, _ in self.chunk.entries)

    def body(self):
        """The stored bytes of the page, as they are in the file."""
        return self.file[self.page.body:self.page.body + len(self.page.stored)]


def elements(value):
    """The items of a list as plain values."""
    return [plainly(item) for item in (value.items if isinstance(value, List) else value or ())]
