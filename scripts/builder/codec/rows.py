"""Rows as JSON Lines in the logical view: assembled from the entries of their columns."""

from builder.codec import logical, shredding, variant
from builder.codec.cursor import Cursor, Refused
from builder.codec.metadata import BYTE_ARRAY, OPTIONAL, REPEATED, REQUIRED
from builder.codec.schema import leaves


def _array(items):
    return "[" + ",".join(items) + "]"


def _has_unknown_part(node):
    """Returns true if a node below has a LogicalType that is not known."""
    return any(child.attributes.get("logicalType") == {} or _has_unknown_part(child) for child in node.children or ())


class View:
    """The rows of a schema as text. A scope is what one value of a node takes from each column below it: the entries
    (repetition level, definition level, value) by the ordinals of the leaves."""

    def __init__(self, children):
        self.children, self.below, self.most, self.keys, self.shapes = children, {}, {}, {}, {}
        self.count = 0
        self._visit(children, 0, 0)

    def _visit(self, nodes, max_def, max_rep):
        for node in nodes:
            first = self.count
            level = max_def + (node.repetition in (OPTIONAL, REPEATED)), max_rep + (node.repetition == REPEATED)
            self.most[id(node)] = level
            self.keys[id(node)] = logical.quoted(node.name)
            self.shapes[id(node)] = "list" if logical.is_list(node) else "map" if logical.is_map(node) else logical.annotation(node)
            if node.children is None:
                self.count += 1
            else:
                self._visit(node.children, *level)
            self.below[id(node)] = range(first, self.count)

    def rows(self, columns):
        """The rows of one row group, each as text; Refused if the columns do not agree."""
        split = [self._pieces(entries, 0) for entries in columns]
        if len({len(pieces) for pieces in split}) > 1:
            raise Refused("columns of different numbers of rows")
        return [self.group(self.children, dict(enumerate(row))) for row in zip(*split)]

    @staticmethod
    def _pieces(entries, level):
        """Splits entries before each repetition level of at most `level`."""
        pieces = []
        for entry in entries:
            if entry[0] <= level:
                pieces.append([])
            elif not pieces:
                raise Refused("the first entry goes on with a row")
            pieces[-1].append(entry)
        return pieces

    def _has(self, node, scope):
        """Returns true if the node has a value there; all columns below have to agree."""
        level = self.most[id(node)][0]
        has = {scope[leaf][0][1] >= level for leaf in self.below[id(node)]}
        if len(has) > 1:
            raise Refused(f"columns below {node.name} do not agree about a value")
        if has != {True} and any(len(scope[leaf]) != 1 for leaf in self.below[id(node)]):
            raise Refused(f"{node.name} has no value, and several entries")
        return has == {True}

    def _each(self, node, scope):
        """The scopes of the values of a repeated node."""
        if not self._has(node, scope):
            return []
        level = self.most[id(node)][1]
        pieces = {leaf: self._pieces([(min(scope[leaf][0][0], level), *scope[leaf][0][1:]), *scope[leaf][1:]], level)
                  for leaf in self.below[id(node)]}
        if len({len(each) for each in pieces.values()}) > 1:
            raise Refused(f"columns below {node.name} do not agree about the number of its values")
        if any(piece[0][1] < self.most[id(node)][0] for each in pieces.values() for piece in each):
            raise Refused(f"no value of {node.name} after the first one")
        return [dict(zip(pieces, each)) for each in zip(*pieces.values())]

    def shown(self, node, scope):
        """The text after the key of a field."""
        if node.repetition == REPEATED:
            return _array(self.value(node, each) for each in self._each(node, scope))
        return "null" if node.repetition == OPTIONAL and not self._has(node, scope) else self.value(node, scope)

    def value(self, node, scope):
        """A value that is there."""
        if node.children is None:
            if len(scope[self.below[id(node)][0]]) != 1:
                raise Refused(f"{node.name} has several entries for one value")
            return logical.value_text(node.type, self.shapes[id(node)], scope[self.below[id(node)][0]][0][2])
        if self.shapes[id(node)] == "list":
            middle, element = logical.inner(node), logical.element(node)
            show = self.value if element is middle else self.shown
            return _array(show(element, each) for each in self._each(middle, scope))
        if self.shapes[id(node)] == "map":
            entry = logical.inner(node)
            return _array(self.group(entry.children, each, ('"key"', '"value"')) for each in self._each(entry, scope))
        if self.shapes[id(node)][0] == "VARIANT" and not _has_unknown_part(node):  # else by its parts
            return variant.json_text(self.variant(node, scope))
        return self.group(node.children, scope)

    def group(self, nodes, scope, keys=None):
        keyed = zip(nodes, keys or [self.keys[id(node)] for node in nodes])
        return "{" + ",".join(f"{key}:{self.shown(node, scope)}" for node, key in keyed) + "}"

    def variant(self, node, scope):
        """A VARIANT group as a value; null if it has neither value nor typed_value."""
        nodes = {child.name: child for child in reversed(node.children)}
        if "metadata" not in nodes or not {"value", "typed_value"} & nodes.keys():
            raise Refused(f"{node.name} has no metadata, or no value")
        stored = self.stored(nodes["metadata"], scope, REQUIRED)
        value = self.of_parts(nodes, scope, variant.Metadata(Cursor(stored)).names)
        return None if value is shredding.MISSING else value

    def stored(self, leaf, scope, repetition=OPTIONAL):
        """The stored bytes of a leaf; MISSING if it is null."""
        if leaf.type != BYTE_ARRAY or leaf.repetition not in (repetition, REQUIRED) or len(scope[self.below[id(leaf)][0]]) != 1:
            raise Refused(f"{leaf.name} has no single value")
        return scope[self.below[id(leaf)][0]][0][2] if self._has(leaf, scope) else shredding.MISSING

    def of_parts(self, nodes, scope, names):
        """The value of a group of `value` and `typed_value`, which are nodes by name."""
        value = self.stored(nodes["value"], scope) if "value" in nodes else shredding.MISSING
        typed, shredded = shredding.MISSING, ()
        if "typed_value" in nodes:
            typed = self._typed(nodes["typed_value"], scope, names)
            shredded = {child.name for child in nodes["typed_value"].children or ()}
        if value is not shredding.MISSING:
            value = variant.Reader(names, Cursor(value)).read()
        return shredding.merged(value, typed, shredded)

    def _typed(self, node, scope, names):
        """The value of a typed_value; MISSING if it is null."""
        if node.repetition != OPTIONAL:
            raise Refused("a typed_value that is not optional")
        if not self._has(node, scope):
            return shredding.MISSING
        if node.children is None:
            if len(scope[self.below[id(node)][0]]) != 1:
                raise Refused("several entries for one typed_value")
            return shredding.primitive(node, self.shapes[id(node)], scope[self.below[id(node)][0]][0][2])
        if self.shapes[id(node)] == "list":
            middle, element = logical.inner(node), logical.element(node)
            nodes = self._inner_parts(element)
            items = [self.of_parts(nodes, each, names) for each in self._each(middle, scope)]
            return [None if item is shredding.MISSING else item for item in items]
        if self.shapes[id(node)] != ("", {}):
            raise Refused("an annotated object")
        fields = [(child.name, self.of_parts(self._inner_parts(child), scope, names)) for child in node.children]
        return variant.Object([field for field in fields if field[1] is not shredding.MISSING])

    def _inner_parts(self, group):
        """The nodes of a field of an object, or of an element, by name."""
        if self.shapes[id(group)] != ("", {}):
            raise Refused("an annotated field")
        nodes = {child.name: child for child in group.children or ()}
        if group.repetition not in (REQUIRED, OPTIONAL) or not nodes or not nodes.keys() <= {"value", "typed_value"}:
            raise Refused(f"{group.name} is no group of value and typed_value")
        return nodes


def of_groups(children, groups):
    """The rows of several row groups; each is the entries of its columns, or its number of rows if there is no column."""
    view, rows = View(children), []
    if not leaves(children):
        return [view.group(children, {})] * sum(groups)
    for columns in groups:
        rows += view.rows(columns)
    return rows
