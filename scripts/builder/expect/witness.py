"""Witnesses: a file of one rule, its findings, its rows, and the sidecar that states them."""

import json
import math
import multiprocessing
import os
import string
import struct

from builder.codec import file_reader
from builder.codec.cursor import Refused
from builder.codec.metadata import DOUBLE, FLOAT, REPEATED
from builder.codec.page_reader import TooMany
from builder.codec.rows import of_groups
from builder.codec.schema import leaves, shred
from builder.expect import corpus_index, features
from builder.expect.findings import ROWS, lacking, of_site, severity_of
from builder.expect.losses import in_order, losses, with_rows
from builder.expect.reader_duty import duty
from builder.expect.rules import class_of


def _shapes(children):
    """The parts of two schemas that are equal if entries of one are entries of the other."""
    return [(leaf.path, leaf.type, leaf.max_def, leaf.max_rep) for leaf in leaves(children)]


def _meant(file, children, groups):
    """The rows of a recipe: lists of rows as dicts, one for each row group."""
    has_columns = bool(leaves(file.children))
    return of_groups(children, [shred(file.children, rows) if has_columns else len(rows) for rows in groups])


def _difference(meant, read):
    """The first row of the recipe that differs in the bytes."""
    at = next((at for at, (one, other) in enumerate(zip(meant, read)) if one != other), min(len(meant), len(read)))
    shown = [rows[at][:200] if at < len(rows) else "none" for rows in (meant, read)]
    return f"row {at} of the recipe is {shown[0]}, and in the bytes {shown[1]}; a recipe can say rows=[...], or rows=None for those in the bytes"


def rows_of_witness(file, stated, data, further, verdict):
    """(rows, True if they are those of the recipe, complaints) of a file whose data a reader may give. `stated` is
    the statement of the recipe: rows, None for those in the bytes, or `...` for those of the File. They are printed by
    the written schema. None without rows."""
    children, read, why = file.children, None, None
    try:
        written = file_reader.schema_of(data)
        children = written if _shapes(written) == _shapes(children) else children
        read = of_groups(written, file_reader.groups_of(data, further))
    except Refused as refused:
        why = refused
    if stated is None:
        rows = None if verdict == "malformed" else read
        unknown = rows is None and not isinstance(why, TooMany)
        return rows, False, f"its rows are not known: the recipe has none, and the bytes have {why}" if unknown else None
    rows = _meant(file, children, [group.rows for group in file.groups] if stated is ... else [stated])
    if read is not None and rows != read and verdict == "conforming":
        return rows, True, _difference(rows, read)
    if stated is ... and verdict not in ("conforming", "nonconforming") and rows != read:
        return None, True, f"the rows of the recipe are not in the bytes, which have {why}"
    return rows, True, None


class Also:
    """A second finding that follows from the first, with the reason."""

    def __init__(self, rule, place, because):
        self.rule, self.place, self.because = rule, place, because


class Witness:
    """One file of a rule: `kind` is fail or pass, `findings` are Places (of the rule itself) or Also. `name` is the file's
    name if a rule depends on it; `further` replaces the further files by a function of them. `lost` and `reader` default to
    losses() and duty(), else they are entries of lost(), and (reader, clause). `rows` are those that a reader
    gives if it accepts the file: by default those of the File; None for the rows in the bytes. `keys` are those of `--keys`."""

    def __init__(self, kind, rule, about, file, findings, tier="values", profile="strict", options=None, reader=None,
                 rows=..., data=None, lost=None, name=None, further=None, keys=None):
        self.name, self.further, self.keys = name, further, keys
        self.kind, self.rule, self.about, self.file, self.findings = kind, rule, about, file, findings
        self.tier, self.profile, self.options, self.reader, self.rows, self.data = tier, profile, options, reader, rows, data
        self.lost, self.built = lost, None

    def repeats(self):
        """Returns true if a column chunk breaks the rule of this fail file more than once."""
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
            override = {name: entry.pop(name, None) for name in ("found", "expected", "length")}
            entry.update(of_site(rule, place.site(built, data), override))
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
        if self.keys:
            sidecar["keys"] = self.keys
        if self.name:
            sidecar["name"] = self.name
        if further:
            sidecar["files"] = {name: self._of_file(built.parts.get(name, built), those) for name, those in apart.items()}
        return data, sidecar, further

    def written(self, corpus, stem, **head):
        """Builds the witness and writes its file, its sidecar, which begins with `head`, and its rows to this stem in the corpus.
        Returns the data, the sidecar, the bytes of further files by their names, and the complaints."""
        try:
            data, sidecar, further = self.build()
            why = self.add_rows(corpus, data, sidecar, further)
        except Exception as problem:
            raise RuntimeError(f"{stem}: {self.about}") from problem
        path = os.path.join(corpus, stem)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".parquet", "wb") as out:
            out.write(data)
        with open(path + ".json", "w", encoding="utf-8", newline="\n") as out:
            out.write(render({**head, **sidecar}))
        return data, sidecar, further, [f"{stem}: {why}"] if why else []

    def add_rows(self, corpus, data, sidecar, further):
        """Adds the rows that a reader gives to the sidecar, and writes them; returns complaints about them."""
        if sidecar["reader"] == "reject":
            return None
        verdict = "conforming" if sidecar["reader"] == "accept" and sidecar["verdict"] == "limit" else sidecar["verdict"]
        rows, are_meant, why = rows_of_witness(self.file, self.rows, data, further, verdict)
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
    """The verdict that follows from the broken rules and the losses."""
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


#: A Variant gives floating-point numbers as their bytes.
REALS = {FLOAT: "<f", DOUBLE: "<d"}


def physical(children, row):
    """The stored values of a row: groups and repeated fields under their own names, bytes as hex."""
    def item(node, value):
        if node.children is not None:
            return physical(node.children, value)
        if node.type in REALS and isinstance(value, bytes):
            (value,) = struct.unpack(REALS[node.type], value)
            if node.type == FLOAT:  # the shortest number that is this one
                value = next((short for digits in range(1, 9) if struct.pack("<f", short := float(f"{value:.{digits}g}")) == struct.pack("<f", value)), value)
        return _scalar(value)

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
        self.name, self.defaults = None, {}
        self.complaints = []  # about findings and rows, filled by write()
        self.entries = []  # of the index, filled by write()

    def rule(self, name, **defaults):
        """`defaults`: found, expected and length of the next fail files, up to the next rule, unless they state others."""
        assert name in ROWS or name.startswith("legal/"), name
        self.name, self.defaults = name, defaults

    def fail(self, about, file, *findings, found=None, expected=None, length=None, **more):
        values = {name: self.defaults.get(name) if own is None else own
                for name, own in (("found", found), ("expected", expected), ("length", length))}
        findings = [one if isinstance(one, Also) else one.with_values(**{
            name: what for name, what in values.items() if one.override.get(name) is None}) for one in findings]
        self.witnesses.append(Witness("fail", self.name, about, file, findings, **more))

    def ok(self, about, file, *findings, **more):
        self.witnesses.append(Witness("pass", self.name, about, file, findings, **more))

    def write(self, root):
        """Writes every witness below `witnesses` of root, their rows below `rows`, and returns the paths, relative to root. Each core
        writes a share of the witnesses."""
        counts, stems, paths = {}, [], []
        for witness in self.witnesses:
            key = witness.rule, witness.kind
            stems.append(f"witnesses/{witness.rule}/{witness.kind}-{letters(counts.get(key, 0))}")
            counts[key] = counts.get(key, 0) + 1
        global _write_one
        _write_one = lambda at: self._write_one(root, self.witnesses[at], stems[at])
        with multiprocessing.get_context("fork").Pool() as pool:
            for made, complaints, entries in pool.imap(_call, range(len(stems)), chunksize=16):
                paths += made
                self.complaints += complaints
                self.entries += entries
        assert len(paths) == len(set(paths)), "two witnesses have a file of one name"
        return paths

    @staticmethod
    def _write_one(root, witness, stem):
        """The paths, the complaints and the entries of the index of one witness."""
        data, sidecar, further, complaints = witness.written(root, stem)
        for one in [sidecar, *sidecar.get("files", {}).values()]:
            complaints += [f"{stem}: {finding['rule']} does not say its {name}"
                           for finding in one["findings"] for name in lacking(finding["rule"], finding)]
        paths = [f"{stem}.parquet", f"{stem}.json"]
        for name, content in further.items():
            assert name.endswith(".data"), name
            place = os.path.dirname(stem)
            with open(os.path.join(root, place, name), "wb") as out:
                out.write(content)
            paths.append(f"{place}/{name}")
        entries = corpus_index.of_witness(stem, witness.rule, data, sidecar, further, features.of_built(witness.built))
        witness.built = None
        return paths, complaints, entries


#: What a process of Collection.write() does for the ordinal of a witness; inherited by fork, as recipes hold functions.
_write_one = None


def _call(at):
    return _write_one(at)


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
