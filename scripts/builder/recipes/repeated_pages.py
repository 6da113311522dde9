"""Turns a witness with a fault in one page into one with the fault in several pages of a column chunk."""

import copy

from builder.codec import compression, schema
from builder.codec.file import Group
from builder.codec.metadata import PLAIN
from builder.codec.pages import V1, V2, Data, Dictionary
from builder.expect.witness import Also, Witness


class Unfit(Exception):
    """The reason why a witness cannot be repeated in this way."""


def _valid(base):
    """A page class whose pages are compressed by the codec's own function, regardless of the compression of the others."""
    class Valid(base):
        def build(self, context):
            context.compress = compression.COMPRESS.get(context.codec, lambda data: data)
            return super().build(context)
    return Valid


ORDINALS = ("first", "second", "third", "fourth", "fifth")
VALID = {V1: _valid(V1), V2: _valid(V2)}


def spots(witness):
    """The chunk (row group, leaf) of the witness's own findings, and the ordinals of their pages."""
    pages = [getattr(finding, "page", None) for finding in witness.findings if not isinstance(finding, Also)]
    if not pages or None in pages:
        raise Unfit("a finding is in no page")
    if len({page[:2] for page in pages}) != 1:
        raise Unfit("findings are in two chunks")
    return pages[0][:2], {page[2] for page in pages}


def repeated(witness, faulty=(0, 2), of=4, valid=None, encoding=PLAIN, indexed=False):
    """The witness with its data pages at the `faulty` ones of `of` places in the chunk, and a valid page at each of the
    others. Each finding of the pages counts all of them, and is at the first.

    A valid page has the first `valid` rows of the witness, or all of them. `indexed` adds an OffsetIndex, from which a reader continues
    after an unreadable header, so that exactly the faulty pages are lost."""
    (g, c), ordinals = spots(witness)
    old = witness.file
    if len(old.groups) != 1 or old.order or old.parts or witness.data or witness.further:
        raise Unfit("the file is more than one row group")
    if old.crypto:
        raise Unfit("the file is encrypted, and needs its keys")
    group = old.groups[0]
    leaf = schema.leaves(old.children)[c]
    chunk = group.chunk(leaf, c)
    if chunk.index or chunk.shares or chunk.file or chunk.entries is not None:
        raise Unfit("the chunk is more than its pages")
    pages = chunk.pages or [V1()]
    front = 1 if isinstance(pages[0], Dictionary) else 0
    if min(ordinals) < front:
        raise Unfit("the fault is in the dictionary page, of which there is one")

    left = len(schema.shred(old.children, group.rows)[c])
    block = []
    for page in pages[front:]:
        page = copy.copy(page)
        if isinstance(page, Data):
            page.count = left if page.count is None else page.count
            left -= page.count
        block.append(page)
    versions = [type(page) for page in block if isinstance(page, Data)]
    valid_rows = list(group.rows)[:valid]
    count = len(schema.shred(old.children, valid_rows)[c])

    rows, stored, made, first, lost = [], [], pages[:front], None, []
    # The losses of the faulty page are repeated for each such page.
    taken = witness.build()[1].get("lost", [])
    explicit = witness.rows if isinstance(witness.rows, list) else group.rows
    for place in range(of):
        if place in faulty:
            first = len(made) if first is None else first
            lost += [{"what": "page", "row_group": g, "leaf": c, "page": len(made) + page - front} for page in sorted(ordinals)]
            made += block
            rows, stored = rows + list(group.rows), stored + list(explicit)
        else:
            made.append(VALID[versions[0] if versions else V1](count, encoding))
            rows, stored = rows + valid_rows, stored + valid_rows

    again = copy.copy(chunk)
    again.pages, again.offset_index = made, True if indexed else chunk.offset_index
    chunks = group.chunks
    if isinstance(chunks, list):
        chunks = [again if index == c else one for index, one in enumerate(chunks)]
    elif isinstance(chunks, dict):
        chunks = {**chunks, ".".join(leaf.path): again}
    else:
        chunks = again
    file = copy.copy(old)
    file.groups = [Group(rows, chunks, group.edits)]

    def moved(place):
        page = getattr(place, "page", None)
        if page is None or page[:2] != (g, c) or page[2] < front:
            return place
        place = copy.copy(place)
        place.page = (g, c, page[2] - front + first)
        place.override = {**place.override, "times": (place.override.get("times") or 1) * len(faulty)}
        return place

    findings = [Also(one.rule, moved(one.place), one.because) if isinstance(one, Also) else moved(one) for one in witness.findings]
    names = [ORDINALS[place] for place in faulty]
    about = f"in the {' and the '.join(names)} of {of} {'data pages' if len(block) == 1 else 'runs of pages'}: {witness.about}"
    if not isinstance(witness.rows, list):
        stored = witness.rows
    return Witness(witness.kind, witness.rule, about, file, findings, witness.tier, witness.profile, witness.options,
                   witness.reader, stored, lost=lost if any("page" in one for one in taken) else taken, name=witness.name)
