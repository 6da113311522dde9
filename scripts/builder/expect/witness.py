"""Witnesses: a file, what is wrong with it and where, and the sidecar that says so."""

import copy
import json
import math
import os
import re
import string

from builder.codec import bloom
from builder.codec.metadata import REPEATED
from builder.codec.rows import of_witness
from builder.expect import corpus_index, features, finding_site
from builder.expect.findings import ROWS, lacking, of_site, severity_of
from builder.expect.losses import in_order, losses, with_rows
from builder.expect.reader_duty import duty
from builder.expect.rules import class_of


class Place:
    """Where a finding stands; resolved against a built file to the keys of the sidecar. A keyword sets such a key:
    `times` is how often the rule is broken in the column chunk, where that is not once; `found`, `expected` and `length`
    stand in place of what `contrasts.py` says of the rule."""

    def __init__(self, **override):
        self.override = override

    def keys(self, built):
        raise NotImplementedError

    def site(self, built, data):
        """The bytes at fault, as a Site; `data` are those of the whole file."""
        raise NotImplementedError

    def resolve(self, built):
        keys = {**self.keys(built), **self.override}
        return {name: value for name, value in keys.items() if value is not None}

    def says(self, found=None, expected=None, length=None, **more):
        """The same place, with what its finding says."""
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
        return {"offset": getattr(span, self.part) + self.plus, **place}

    def site(self, built, data):
        """The field, with the bytes at fault of its part."""
        if self.page is not None:
            g, c, ordinal = self.page
            page = built.chunks[g][c].pages[ordinal]
            kind, span, tree, honest, at = "PageHeader", page.spans[self.path], page.header, page.honest, (g, c)
            stop = built.chunks[g][c].end
        elif self.index is None:
            match = re.match(r"row_groups\[(\d+)\](?:\.columns\[(\d+)\])?", self.path)
            at = (int(match[1]), int(match[2])) if match and match[2] else None
            kind, span, tree, page = "FileMetaData", built.spans[self.path], built.tree("footer"), None
            stop = len(built.data) - 8
            honest = lambda: built.tree("footer", honest=True)
        else:
            at, page = self.chunk, None
            kind, tree = _KINDS[self.index], built.tree(self.index, at)
            span, stop = (built.copies[at] if self.index == "copy" else built.structures[self.index, *at][2])[self.path], built.footer_start
            if self.index != "copy":
                stop = sum(built.structures[self.index, *at][:2])
            honest = lambda: built.tree(self.index, at, honest=True)
        begin = getattr(span, self.part) + self.plus
        end = span.value if self.part == "header" and span.value != span.header else span.end
        path = self.path
        if self.part == "value" and isinstance(self, S) and "field" in self.override:
            path = _joined(path, self.override["field"])
        chunk = built.chunks[at[0]][at[1]] if at and at[1] < len(built.chunks[at[0]]) else None
        leaf = chunk.leaf if chunk else built.leaves[self.override["leaf"]] if "leaf" in self.override else None
        return finding_site.Field(kind, tree, honest, path, file=data, rest=built.data[begin:stop], length=end - begin, leaf=leaf,
                           page=page, chunk=chunk, group=at and at[0], built=built)


_KINDS = {"copy": "ColumnMetaData", "column_index": "ColumnIndex", "offset_index": "OffsetIndex",
          "bloom_filter_header": "BloomFilterHeader"}


def _joined(struct, field):
    """The path of a field that a struct lacks; `field` may begin where the row group or the column chunk does."""
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
        """The bytes from the mark to the end of the section that it is in."""
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
        """The stored bytes from there to the end of the page as its header tells it."""
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
    """A place in one of the further files: in a whole one it counts from that, its row groups included."""

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


class Also:
    """A second finding that follows from the first, with the reason."""

    def __init__(self, rule, place, because):
        self.rule, self.place, self.because = rule, place, because


class Witness:
    """One file of a rule: `kind` is fail or pass, `findings` are Places (of the rule itself) or Also. `name` is the file's
    name where a rule looks at it; `further` replaces the further files by a function of them. `lost` and `reader` are
    what losses() and duty() say, or what is given here: entries of lost(), and (reader, clause). `rows` are those that a reader
    gives where it accepts the file: those of the File, or what is given here; None for what the bytes hold."""

    def __init__(self, kind, rule, about, file, findings, tier="values", profile="strict", options=None, reader=None,
                 rows=..., data=None, lost=None, name=None, further=None):
        self.name, self.further = name, further
        self.kind, self.rule, self.about, self.file, self.findings = kind, rule, about, file, findings
        self.tier, self.profile, self.options, self.reader, self.rows, self.data = tier, profile, options, reader, rows, data
        self.lost, self.built = lost, None

    def repeats(self):
        """Whether a column chunk breaks the rule of this fail file more than once."""
        places = [place for place in self.findings if not isinstance(place, Also)]
        return self.kind == "fail" and any((place.override.get("times") or 1) > 1 for place in places)

    def build(self):
        """(bytes of the file, the sidecar as a dict, the bytes of the further files by name)."""
        built = self.built = self.file.build()
        further = built.files() if self.further is None else self.further(built.files())
        data = built.data if self.data is None else self.data(built)
        findings = []
        for finding in self.findings:
            also = isinstance(finding, Also)
            rule, place = (finding.rule, finding.place) if also else (self.rule, finding)
            entry = {"rule": rule, "severity": severity_of(rule), **place.resolve(built)}
            said = {name: entry.pop(name, None) for name in ("found", "expected", "length")}
            entry.update(of_site(rule, place.site(built, data), said))
            if also:
                entry["because"] = finding.because
            findings.append(entry)
        findings.sort(key=lambda entry: (entry.get("page_offset", entry["offset"]), entry["offset"]))
        everywhere = findings
        apart = {name: [] for name in further}
        for entry in findings:
            if "file" in entry:
                apart[entry.pop("file")].append(entry)
        findings = [entry for entry in findings if not any(entry is one for those in apart.values() for one in those)]
        lost = losses(built, findings) if self.lost is None else in_order(self.lost)
        verdict = verdict_of([entry["rule"] for entry in findings], lost)
        broken = [entry["rule"] for entry in everywhere]
        errors = [entry["rule"] for entry in everywhere if entry["severity"] == "error"]
        is_ceiling = any(name.startswith("max_") for name in self.options or {})
        reader, clause = self.reader or duty(self.rule, broken, errors, verdict, lost, self.profile, is_ceiling, bool(further))
        sidecar = {"rule": self.rule, "about": self.about, "profile": self.profile, "tier": self.tier,
                   "advice": self.rule in ROWS and severity_of(self.rule) == "info", "options": self.options or {}, "verdict": verdict,
                   "findings": findings, "reader": reader}
        if lost:
            sidecar["lost"] = with_rows(built, lost)
        if clause:
            sidecar["reader_clause"] = clause
        if self.name:
            sidecar["name"] = self.name
        if further:
            sidecar["files"] = {name: self._of_file(built.parts.get(name, built), those) for name, those in apart.items()}
        return data, sidecar, further

    def written(self, corpus, stem, **head):
        """Builds the witness and writes its file and its sidecar, which `head` begins, to this stem in the corpus; its rows, too.
        Returns the data, the sidecar, the bytes of further files by their names, and the complaints."""
        try:
            data, sidecar, further = self.build()
            why = self.tell_rows(corpus, data, sidecar, further)
        except Exception as problem:
            raise RuntimeError(f"{stem}: {self.about}") from problem
        path = os.path.join(corpus, stem)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".parquet", "wb") as out:
            out.write(data)
        with open(path + ".json", "w", encoding="utf-8", newline="\n") as out:
            out.write(render({**head, **sidecar}))
        return data, sidecar, further, [f"{stem}: {why}"] if why else []

    def tell_rows(self, corpus, data, sidecar, further):
        """Puts the rows that a reader gives into the sidecar, and writes them; what is wrong with them is returned."""
        if sidecar["reader"] == "reject":
            return None
        verdict = "conforming" if sidecar["reader"] == "accept" and sidecar["verdict"] == "limit" else sidecar["verdict"]
        rows, are_meant, why = of_witness(self.file, self.rows, data, further, verdict)
        if rows is None:
            return why if sidecar["reader"] == "accept" else None
        path = corpus_index.write_rows(corpus, rows)
        if path:
            sidecar["rows"] = path
        if are_meant and len(rows) < 50 and path:
            stored = self.file.rows() if self.rows is ... else self.rows
            sidecar["stored"] = [physical(self.file.children, row) for row in stored]
        return why

    @staticmethod
    def _of_file(built, findings):
        lost = losses(built, findings)
        verdict = verdict_of([entry["rule"] for entry in findings], lost)
        return {"verdict": verdict, "findings": findings, **({"lost": with_rows(built, lost)} if lost else {})}


def verdict_of(rules, lost):
    """The verdict that follows from the rules that are broken, and from what is lost."""
    if lost:
        return "malformed"
    if any(severity_of(rule) == "error" for rule in rules):
        return "nonconforming"
    for verdict in ("limit", "unsupported"):
        if any(class_of(rule) == verdict for rule in rules):
            return verdict
    return "conforming"


def _scalar(value):
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def physical(children, row):
    """A row as its stored values: groups and repeated fields under their own names, bytes as hex."""
    def item(node, value):
        return _scalar(value) if node.children is None else physical(node.children, value)

    out = {}
    for node in children:
        value = row.get(node.key)
        if node.repetition == REPEATED:
            out[node.name] = [item(node, one) for one in value or ()]
        else:
            out[node.name] = None if value is None else item(node, value)
    return out


class Collection:
    """The witnesses of the recipes: `rule` opens one, `fail` and `ok` add to it."""

    def __init__(self):
        self.witnesses = []
        self.name, self.said = None, {}
        self.complaints = []  # what findings should say and do not, or rows, once it is written
        self.entries = []  # of the index, once it is written

    def rule(self, name, **said):
        """`said`: found, expected and length of all fail files up to the next rule, where they do not say otherwise."""
        assert name in ROWS or name.startswith("legal/"), name
        self.name, self.said = name, said

    def fail(self, about, file, *findings, found=None, expected=None, length=None, **more):
        said = {name: self.said.get(name) if own is None else own
                for name, own in (("found", found), ("expected", expected), ("length", length))}
        findings = [one if isinstance(one, Also) else one.says(**{
            name: what for name, what in said.items() if one.override.get(name) is None}) for one in findings]
        self.witnesses.append(Witness("fail", self.name, about, file, findings, **more))

    def ok(self, about, file, *findings, **more):
        self.witnesses.append(Witness("pass", self.name, about, file, findings, **more))

    def write(self, root):
        """Writes every witness below `witnesses` of root, their rows below `rows`, and returns the paths, relative to root."""
        counts, paths = {}, []
        for witness in self.witnesses:
            key = witness.rule, witness.kind
            letter = letters(counts.get(key, 0))
            counts[key] = counts.get(key, 0) + 1
            place = f"witnesses/{witness.rule}"
            stem = f"{place}/{witness.kind}-{letter}"
            data, sidecar, further, complaints = witness.written(root, stem)
            self.complaints += complaints
            for one in [sidecar, *sidecar.get("files", {}).values()]:
                self.complaints += [f"{stem}: {finding['rule']} does not say its {name}"
                                for finding in one["findings"] for name in lacking(finding["rule"], finding)]
            paths += [f"{stem}.parquet", f"{stem}.json"]
            for name, content in further.items():
                assert name.endswith(".data") and f"{place}/{name}" not in paths, name
                with open(os.path.join(root, place, name), "wb") as out:
                    out.write(content)
                paths.append(f"{place}/{name}")
            self.entries += corpus_index.of_witness(stem, witness.rule, data, sidecar, further, features.of_built(witness.built))
            witness.built = None
        return paths


def letters(number):
    """a to z, then za, zb and so on, so that names sort by their numbers."""
    return "z" * (number // 26) + string.ascii_lowercase[number % 26]


def render(sidecar):
    """The sidecar as JSON, a line per key, per finding and per row."""
    lines = []
    for key, value in sidecar.items():
        if key in ("findings", "stored", "lost") and value:
            inner = ",\n    ".join(json.dumps(one, ensure_ascii=False) for one in value)
            lines.append(f'  "{key}": [\n    {inner}\n  ]')
        else:
            lines.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"
