"""Places of findings in a built file: from the name in a recipe to offset, page, field and bytes."""

import copy
import re

from builder.codec import bloom
from builder.expect import finding_site


class Place:
    """The place of a finding; resolved against a built file to the keys of the sidecar. A keyword sets such a key:
    `times` is the number of violations in the column chunk, if not one; `found`, `expected` and `length`
    replace those of the rule's row in findings.py."""

    def __init__(self, **override):
        self.override = override

    def keys(self, built):
        raise NotImplementedError

    def site(self, built, data):
        """The wrong bytes as a Site; `data` are the bytes of the file."""
        raise NotImplementedError

    def resolve(self, built):
        keys = {**self.keys(built), **self.override}
        return {name: value for name, value in keys.items() if value is not None}

    def with_values(self, found=None, expected=None, length=None, **more):
        """The same place, with found and expected of its finding."""
        again = copy.copy(self)
        again.override = {**self.override, **more}
        for name, value in (("found", found), ("expected", expected), ("length", length)):
            if value is not None:
                again.override[name] = value
        return again


class At(Place):
    """An absolute offset (an int, or a function of the built file); the rest of the place by keyword."""

    def __init__(self, offset, **override):
        super().__init__(**override)
        self.offset = offset

    def keys(self, built):
        return {"offset": self.offset(built) if callable(self.offset) else self.offset}

    def site(self, built, data):
        return finding_site.Site(data[self.keys(built)["offset"]:], file=data, built=built)


class _Metadata(Place):
    part = "value"

    def __init__(self, path, page=None, chunk=None, index=None, plus=0, **override):
        super().__init__(**override)
        self.path, self.page, self.chunk, self.index, self.plus = path, page, chunk, index, plus

    def keys(self, built):
        path = re.sub(r"#\d+", "", self.path)
        if self.page is not None:
            g, c, ordinal = self.page
            span = built.chunks[g][c].pages[ordinal].spans[self.path]
            place = {"row_group": g, "leaf": c, "page": ordinal, "field": path or None}
        elif self.index == "copy":
            span = built.copies[self.chunk][self.path]
            place = {"row_group": self.chunk[0], "leaf": self.chunk[1], "field": f"meta_data.{path}"}
        elif self.index is not None:
            g, c = self.chunk
            span = built.structures[self.index, g, c][2][self.path]
            place = {"row_group": g, "leaf": c, "field": f"{self.index}.{path}" if path else self.index}
        else:
            span = built.spans[self.path]
            place = footer_place(path)
        return {"offset": getattr(span, self.part) + self.plus, **place, **({"space": "module"} if self._is_encrypted(built) else {})}

    def _is_encrypted(self, built):
        crypto = built.crypto
        if crypto is None:
            return False
        if self.page is not None:
            g, c, _ = self.page
            return crypto.covers(built.leaves[c], g)
        if self.index is not None:
            g, c = self.chunk
            return self.index != "copy" and crypto.covers(built.leaves[c], g)
        return not crypto.plain

    def site(self, built, data):
        """The field as a Site, with the wrong bytes of its part."""
        if self.page is not None:
            g, c, ordinal = self.page
            page = built.chunks[g][c].pages[ordinal]
            kind, span, tree, unedited, at = "PageHeader", page.spans[self.path], page.header, page.unedited, (g, c)
            stop = built.chunks[g][c].end
        elif self.index is None:
            match = re.match(r"row_groups\[(\d+)\](?:\.columns\[(\d+)\])?", self.path)
            at = (int(match[1]), int(match[2])) if match and match[2] else None
            kind, span, tree, page = "FileMetaData", built.spans[self.path], built.tree("footer"), None
            stop = len(built.data) - 8
            unedited = lambda: built.tree("footer", unedited=True)
        else:
            at, page = self.chunk, None
            kind, tree = _KINDS[self.index], built.tree(self.index, at)
            span, stop = (built.copies[at] if self.index == "copy" else built.structures[self.index, *at][2])[self.path], built.footer_start
            if self.index != "copy":
                stop = sum(built.structures[self.index, *at][:2])
            unedited = lambda: built.tree(self.index, at, unedited=True)
        begin = getattr(span, self.part) + self.plus
        end = span.value if self.part == "header" and span.value != span.header else span.end
        path = self.path
        if self.part == "value" and isinstance(self, S) and "field" in self.override:
            path = _joined(path, self.override["field"])
        chunk = built.chunks[at[0]][at[1]] if at and at[1] < len(built.chunks[at[0]]) else None
        leaf = chunk.leaf if chunk else built.leaves[self.override["leaf"]] if "leaf" in self.override else None
        return finding_site.Field(kind, tree, unedited, path, file=data, rest=built.data[begin:stop], length=end - begin, leaf=leaf,
                           page=page, chunk=chunk, group=at and at[0], built=built)


_KINDS = {"copy": "ColumnMetaData", "column_index": "ColumnIndex", "offset_index": "OffsetIndex",
          "bloom_filter_header": "BloomFilterHeader"}


def _joined(struct, field):
    """The path of a field that a struct lacks; `field` may begin at the row group or the column chunk."""
    last = (field or "").split(".")[-1]
    return f"{struct}.{last}" if struct else last


class V(_Metadata):
    """The value of a Thrift field: of the footer, of the header of `page` (row group, leaf, ordinal), or of the
    structure `index` (column_index, offset_index, bloom_filter_header, copy) of `chunk` (row group, leaf)."""


class H(_Metadata):
    """The header of a Thrift field."""

    part = "header"


class S(_Metadata):
    """The first byte of a struct; `field` names what is missing in it."""


class End(_Metadata):
    """The byte after a field or struct."""

    part = "end"


class Body(Place):
    """A mark in the body of `page`: `values`, `values.run0`, `def`, `rep.length` and the like."""

    def __init__(self, page, mark, plus=0, **override):
        super().__init__(**override)
        self.page, self.mark, self.plus = page, mark, plus

    def keys(self, built):
        g, c, ordinal = self.page
        page = built.chunks[g][c].pages[ordinal]
        at = (page.image.marks[self.mark] if self.mark else 0) + self.plus
        place = {"row_group": g, "leaf": c, "page": ordinal}
        if page.plainly:
            return {"offset": page.body + at, **place}
        return {"offset": at, "space": "page", "page_offset": page.offset, **place}

    def site(self, built, data):
        """The bytes from the mark to the end of its section."""
        g, c, ordinal = self.page
        page = built.chunks[g][c].pages[ordinal]
        marks = page.image.marks
        begin = (marks[self.mark] if self.mark else 0) + self.plus
        end = marks.get((self.mark or "").split(".")[0] + ".end", len(page.image.data))
        if begin > end or (self.mark or "").endswith(".length"):
            end = len(page.image.data)
        return finding_site.Body(self.mark or "", page.image.data[:begin], rest=page.image.data[begin:end], leaf=built.chunks[g][c].leaf, page=page,
                          chunk=built.chunks[g][c], group=g, built=built)


class Stored(Place):
    """A byte of the stored body of `page`, in the file."""

    def __init__(self, page, plus=0, **override):
        super().__init__(**override)
        self.page, self.plus = page, plus

    def keys(self, built):
        g, c, ordinal = self.page
        return {"offset": built.chunks[g][c].pages[ordinal].body + self.plus, "row_group": g, "leaf": c, "page": ordinal}

    def site(self, built, data):
        """The stored bytes from there to the end of the page by its header."""
        g, c, ordinal = self.page
        page = built.chunks[g][c].pages[ordinal]
        size = page.header.at("compressed_page_size")
        return finding_site.Site(page.stored[self.plus:size], max(size - self.plus, 0), built.chunks[g][c].leaf, page, built.chunks[g][c])


class Bits(Place):
    """A word in a block of the bitset of the filter of `chunk` (row group, leaf), up to the end of the bitset."""

    def __init__(self, block=0, word=0, chunk=(0, 0), **override):
        super().__init__(**override)
        self.block, self.word, self.chunk = block, word, chunk

    def keys(self, built):
        spans = built.structures["bloom_filter_header", *self.chunk][2]
        return {"offset": spans[""].end + bloom.offset(self.block, self.word), "row_group": self.chunk[0], "leaf": self.chunk[1]}

    def site(self, built, data):
        start, size, _ = built.structures["bloom_filter_header", *self.chunk]
        return finding_site.Site(data[self.keys(built)["offset"]:start + size], file=data, built=built)


class In(Place):
    """A place in one of the further files; in one that is a separate File, row groups count from its first."""

    def __init__(self, name, place):
        super().__init__(**place.override)
        self.name, self.place = name, place

    def keys(self, built):
        return {"file": self.name, **self.place.resolve(built.parts.get(self.name, built))}

    def site(self, built, data):
        return self.place.site(built.parts.get(self.name, built), built.files()[self.name])


def footer_place(path):
    """Row group, leaf and relative field of a path from FileMetaData."""
    match = re.fullmatch(r"row_groups\[(\d+)\](?:\.columns\[(\d+)\])?(?:\.(.*))?", path)
    if not match:
        return {"field": path or None}
    group, leaf, rest = match.groups()
    return {"row_group": int(group), "leaf": None if leaf is None else int(leaf), "field": rest}
