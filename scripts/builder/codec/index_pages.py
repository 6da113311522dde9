"""Index pages of the 2013 edition: their bodies, and the tree that they form with the pages of a chunk."""

import struct

from builder.codec import page_indexes, plain
from builder.codec.marked import Marked
from builder.codec.metadata import BOOLEAN, INDEX_PAGE
from builder.codec.pages import BuiltPage, Context, Data, Page

ROLL_OVER = 65536
ENTRY = 12


class Index(Page):
    """An index page with this body."""

    type = INDEX_PAGE

    def build(self, context):
        image, stored, plainly, _ = super().build(context)
        return image, stored, plainly or stored == image.data, {"index_page_header": {}}


def plain_key(leaf, value):
    """A key in the values buffer; a BOOLEAN takes a byte."""
    return bytes([value]) if leaf.type == BOOLEAN else plain.encode(leaf.type, [value]).data


def body(entries, buffer=b""):
    """Entries of three numbers, then the values buffer. Marks: entry0, entry0.child, and key0 at its offset."""
    out = Marked()
    for number, entry in enumerate(entries):
        out += Marked(struct.pack("<iii", *entry), {f"entry{number}": 0, f"entry{number}.child": 4})
    marks = {f"key{number}": entry[0] for number, entry in enumerate(entries) if 0 <= entry[0] <= len(buffer)}
    return out + Marked(buffer, marks)


class Tree:
    """The index over the data pages of a chunk.

    `by` is values or ordinals; `key` picks a page's key from its values; `fanout` and `roll_over` bound the entries and
    the bytes of an index page. `base` is added to every page offset. Faults: `edit(number, entries, keys)` changes the
    entries ([key or None for the correct one, offset, length]) and the keys of an index page, by its number in post-order;
    `bodies` maps such numbers to functions of the correct body; `order` rearranges the nodes, which are in post-order;
    `raw` stores the bodies uncompressed whatever the codec.
    """

    def __init__(self, by="values", key=max, fanout=None, roll_over=ROLL_OVER, base=0, edit=None, bodies=None, order=None,
                 raw=False):
        self.by, self.key, self.fanout, self.roll_over, self.base = by, key, fanout, roll_over, base
        self.edit, self.bodies, self.order, self.raw = edit, bodies or {}, order, raw

    def grow(self, leaf, chunk, pages):
        """The chunk's pages with index pages among them, the root marked by `is_root`."""
        nodes, row = [], 0
        for page in pages:
            if isinstance(page.page, Data):
                nodes.append(_Node(page=page, key=self._key(leaf, page, row, nodes)))
                row += sum(rep == 0 for rep, _, _ in page.entries)
        while len(nodes) != 1 or nodes[0].children is None:
            nodes = [self._parent(group) for group in self._groups(nodes)]
        order = []
        nodes[0].post_order(order)
        inner = [node for node in order if node.children is not None]
        if self.order:
            order = self.order(order)
        others = [page for page in pages if not isinstance(page.page, Data)]
        sizes = None
        while sizes != [len(node) for node in order]:
            sizes, at = [len(node) for node in order], self.base
            for node in order:
                node.offset, at = at, at + len(node)
            for number, node in enumerate(inner):
                image = self._body(number, node)
                overrides = {"stored": image.data} if self.raw else {}
                node.page = BuiltPage(Index(image=image, **overrides), Context(leaf, chunk.codec, chunk.compress, [], None))
        nodes[0].page.is_root = True
        return others + [node.page for node in order]

    def _key(self, leaf, page, row, before):
        if self.by == "ordinals":
            return row
        items = page_indexes.values(leaf, page.entries)
        return plain_key(leaf, self.key(items)) if items else before[-1].key

    def _parent(self, group):
        first = self.by == "ordinals" or self.key is min
        return _Node(children=group, key=group[0 if first else -1].key)

    def _groups(self, nodes):
        groups, size = [[]], 0
        for node in nodes:
            more = ENTRY + (0 if self.by == "ordinals" else len(node.key))
            if groups[-1] and (size + more > self.roll_over or len(groups[-1]) == self.fanout):
                groups.append([])
                size = 0
            groups[-1].append(node)
            size += more
        return groups

    def _body(self, number, node):
        entries = [[None, child.offset, len(child)] for child in node.children]
        keys = [child.key for child in node.children]
        if self.edit:
            self.edit(number, entries, keys)
        offset, ordinals = 0, self.by == "ordinals"
        for entry, key in zip(entries, keys):
            if entry[0] is None:
                entry[0] = key if ordinals else offset
            offset += 0 if ordinals else len(key)
        image = body(entries, b"" if ordinals else b"".join(keys))
        return self.bodies[number](image) if number in self.bodies else image


class _Node:
    """A page of the tree: a data page, or an index page with children."""

    def __init__(self, page=None, children=None, key=None):
        self.page, self.children, self.key, self.offset = page, children, key, 0

    def __len__(self):
        return len(self.page) if self.page else 0

    def post_order(self, out):
        for child in self.children or ():
            child.post_order(out)
        out.append(self)
