"""Schema trees, and shredding of rows into levels (README.md, Nested Encoding)."""

from builder.codec.metadata import LIST, OPTIONAL, REPEATED, REQUIRED, UTF8


class Node:
    """A schema node: `kind` is a physical type for a leaf, a list of nodes for a group; `attributes` go to the element. Rows
    hold its value under `key`."""

    def __init__(self, name, kind, repetition, **attributes):
        self.name, self.repetition, self.attributes = name, repetition, attributes
        self.key = name
        self.children = kind if isinstance(kind, list) else None
        self.type = None if isinstance(kind, list) else kind

    def element(self):
        """The values of its SchemaElement."""
        count = None if self.children is None else len(self.children)
        own = {"type": self.type, "repetition_type": self.repetition, "name": self.name, "num_children": count}
        return {**own, **self.attributes}


class Leaf:
    """A leaf with its path, maximum levels, and for each repeated ancestor the level of its elements."""

    def __init__(self, node, path, max_def, max_rep):
        self.node, self.path, self.max_def, self.max_rep = node, path, max_def, max_rep
        self.type = node.type


def required(name, kind, **attributes):
    return Node(name, kind, REQUIRED, **attributes)


def optional(name, kind, **attributes):
    return Node(name, kind, OPTIONAL, **attributes)


def repeated(name, kind, **attributes):
    return Node(name, kind, REPEATED, **attributes)


def text(node):
    """The same leaf as a STRING."""
    node.attributes.update(converted_type=UTF8, logicalType={"STRING": {}})
    return node


def list_of(name, element, make=optional):
    """A LIST in its standard three levels around a node that becomes `element`; rows keep its former name."""
    element.name = "element"
    return make(name, [repeated("list", [element])], converted_type=LIST, logicalType={"LIST": {}})


def elements(root_name, children):
    """The flat element list in preorder, the root first."""
    out = [{"name": root_name, "num_children": len(children)}]

    def visit(node):
        out.append(node.element())
        for child in node.children or ():
            visit(child)

    for child in children:
        visit(child)
    return out


def leaves(children):
    """The leaves in preorder."""
    out = []

    def visit(node, path, max_def, max_rep):
        path = path + [node.name]
        max_def += node.repetition != REQUIRED
        max_rep += node.repetition == REPEATED
        if node.children is None:
            out.append(Leaf(node, path, max_def, max_rep))
        for child in node.children or ():
            visit(child, path, max_def, max_rep)

    for child in children:
        visit(child, [], 0, 0)
    return out


def shred(children, rows):
    """For each leaf its entries (repetition level, definition level, value or None), in row order."""
    columns = {}

    def nulls(node, rep, level):
        if node.children is None:
            columns.setdefault(id(node), []).append((rep, level, None))
        for child in node.children or ():
            nulls(child, rep, level)

    def inside(node, value, rep, level, depth):
        if node.children is None:
            columns.setdefault(id(node), []).append((rep, level, value))
        for child in node.children or ():
            visit(child, value.get(child.key), rep, level, depth)

    def visit(node, value, rep, level, depth):
        if node.repetition == REPEATED:
            if not value:
                nulls(node, rep, level)
            for index, item in enumerate(value or ()):
                inside(node, item, depth + 1 if index else rep, level + 1, depth + 1)
        elif node.repetition == OPTIONAL and value is None:
            nulls(node, rep, level)
        else:
            inside(node, value, rep, level + (node.repetition == OPTIONAL), depth)

    for row in rows:
        for child in children:
            visit(child, row.get(child.key), 0, 0, 0)
    return [columns.get(id(leaf.node), []) for leaf in leaves(children)]
