"""Structures, whole and with one thing wrong, from one that is whole."""

from builder.codec.metadata import edit, make
from builder.codec.thrift import write


def plainly(value):
    """What comes out of a struct that holds these values."""
    if isinstance(value, dict):
        return {name: plainly(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plainly(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value


class Maker:
    """Vectors of one structure, made from one that is whole."""

    def __init__(self, v, source, struct, values, name):
        self.v, self.struct, self.values, self.name = v, struct, values, name
        v.of(source, struct)

    def tree(self, edits):
        root = make(self.struct, self.values)
        edit(root, edits)
        return root

    def whole(self, what, edits=None, out=None, warnings=(), **more):
        """Edits that leave the values, or change them to `out`; warnings are (rule, path)."""
        data, spans = write(self.tree(edits))
        found = [(rule, getattr(spans[path], at)) for rule, path, at in warnings]
        self.v.accept(f"thrift-{self.name}-{what}", data, plainly({**self.values, **(out or {})}), found, **more)

    def unsure(self, what, rule, path, at, edits, out):
        """Edits that put in a number or member that this edition does not know."""
        data, spans = write(self.tree(edits))
        self.v.allow(f"thrift-{self.name}-{what}", data, plainly({**self.values, **out}), [("thrift/" + rule, getattr(spans[path], at))])

    def wrong(self, what, edits, rule, path, at="value", plus=0, cut=None, **more):
        """Edits that break a rule at the header or value of a field; `cut` takes bytes off the end."""
        data, spans = write(self.tree(edits))
        self.v.refuse(f"thrift-{self.name}-{what}", data[:cut], "thrift/" + rule, getattr(spans[path], at) + plus, **more)


def add(*args, path="", **form):
    def change(root):
        (root.at(path) if path else root).add(*args, **form)
    return change
