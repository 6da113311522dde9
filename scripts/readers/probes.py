"""Filter probes: predicates on a column with the rows that a reader must return. Statistics, indexes and filters that are wrong
make a reader skip rows in silence; a scan of all rows never shows it."""

import collections
import csv
import dataclasses
import itertools
import json

from builder.codec import file_reader, logical
from builder.codec.cursor import Refused
from builder.codec.metadata import BYTE_ARRAY, DOUBLE, INT32, INT64, REPEATED

from . import judge

# The areas of rules about what a reader may skip rows by.
AREAS = ("statistics", "column-index", "offset-index", "page-index", "bloom-filter", "sorting", "size-statistics", "row-group", "column-chunk",
         "footer", "page", "dictionary", "legal", "known-writer", "logical-type")
COLUMNS = 2  # of a file, at most

# The results of a probe, right ones first, each with its meaning.
RESULTS = {
    "equal": "the rows that match",
    "refused": "the predicate is not supported, or refused",
    "no scan": "without a predicate, the reader gives no rows, or another number of them",
    "loses rows": "rows that match are missing",
    "other rows": "rows that do not match, or other values than without the predicate",
}
WRONG = ("loses rows", "other rows")


@dataclasses.dataclass(frozen=True)
class Probe:
    """A predicate `column operator value`, and the ordinals of the rows that match. `value` is a number or a text."""

    file: str
    column: str
    operator: str
    value: object
    rows: tuple

    def line(self, path):
        """What a batch driver reads."""
        return "\t".join((path, self.column, self.operator, json.dumps(self.value)))

    def record(self):
        """As exports have it."""
        return {"column": self.column, "operator": self.operator, "value": self.value, "rows": list(self.rows)}

    def text(self):
        return f"{self.column} {self.operator} {json.dumps(self.value, ensure_ascii=False)}"


def _kind(node):
    """The Python type of the values of columns that JSON shows as they are compared: integers, DOUBLE, and texts; None for others."""
    if node.repetition == REPEATED or node.children is not None:
        return None
    name = logical.annotation(node)[0]
    if node.type in (INT32, INT64) and name in ("", "INTEGER"):
        return int
    if node.type == DOUBLE and not name:
        return float
    return str if node.type == BYTE_ARRAY and name == "STRING" else None


def _values(rows, name, kind):
    """The values of a column, None where there is none; an empty list where one has no plain order (NaN, zero as DOUBLE, bytes that
    are no text, text beyond ASCII)."""
    values = [row.get(name) for row in rows]
    here = [value for value in values if value is not None]
    if kind is float:
        if any(isinstance(value, str) or value == 0 for value in here):
            return []
        return [None if value is None else float(value) for value in values]
    is_ordered = all(type(value) is kind and (kind is int or value.isascii() and value.isprintable()) for value in here)
    return values if is_ordered else []


def _matches(operator, value, other):
    return value is not None and (value == other if operator == "=" else value < other if operator == "<" else value > other)


def of_file(file, data, lines):
    """The probes of a file: for its first columns the bounds, a value between them, and all but the bounds."""
    try:
        nodes = file_reader.schema_of(data)
        rows = [json.loads(line) for line in lines]
    except (Refused, RecursionError):
        return
    names = collections.Counter(node.name for node in nodes)
    plain = [(node.name if isinstance(node.name, str) else node.name.decode(), _kind(node)) for node in nodes if names[node.name] == 1 and _kind(node)]
    for name, kind in plain[:COLUMNS]:
        values = _values(rows, name, kind)
        here = sorted({value for value in values if value is not None})
        if not here or "\t" in name or "\n" in name:
            continue
        for operator, other in dict.fromkeys([("=", here[0]), ("=", here[-1]), ("=", here[len(here) // 2]), (">", here[0]), ("<", here[-1])]):
            matching = tuple(at for at, value in enumerate(values) if _matches(operator, value, other))
            if matching:
                yield Probe(file, name, operator, other, matching)


def all_of(corpus, files):
    """The probes of all files whose rows a reader may return, and that are about what rows are skipped by."""
    for file in files:
        if file["duty"] == "reject" or "rows" not in file or "keys" in file or "parts" in file:
            continue
        if file["kind"] == "witness" and file["rule"].partition("/")[0] not in AREAS:
            continue
        lines = (corpus / file["rows"]).read_text(encoding="utf-8").splitlines()
        yield from of_file(file["file"], (corpus / file["file"]).read_bytes(), lines)


def judged(probe, scanned, answer):
    """(result, note) of an answer; `scanned` are the rows that the same reader gives without a predicate: whether these are right is
    another question."""
    if answer.how != "rows":
        return "refused", answer.why
    differs = judge.difference(b"".join(scanned[at] + b"\n" for at in probe.rows), answer.rows)
    if not differs:
        return "equal", ""
    number = answer.rows.count(b"\n")
    return ("loses rows" if number < len(probe.rows) else "other rows"), differs


def asked(driver, corpus, all_probes, numbers):
    """Asks a batch driver, and ends it: yields (probe, result, note). `numbers` is the number of rows of each file."""
    try:
        for name, those in itertools.groupby(all_probes, key=lambda probe: probe.file):
            path = str(corpus / name)
            scan = driver.answer(path)
            scanned = scan.rows.splitlines()
            is_there = scan.how == "rows" and len(scanned) == numbers[name]
            for probe in those:
                yield probe, *(judged(probe, scanned, driver.answer(probe.line(path))) if is_there else ("no scan", scan.why))
    finally:
        driver.close()


def list_text(results):
    """The text of a list: the probes with wrong results."""
    rows = [("result", "file", "predicate", "note")]
    rows += sorted((result, probe.file, probe.text(), note) for probe, (result, note) in results.items() if result in WRONG)
    return "".join("\t".join(part.replace("\t", " ") for part in row) + "\n" for row in rows)


def _paths(folder, name):
    path = folder / f"{name.lower()}-probes.tsv"
    return path, path.with_suffix(".json")


def write(folder, one, results):
    """Writes the list and the numbers of a reader."""
    folder.mkdir(parents=True, exist_ok=True)
    path, numbers = _paths(folder, one.name)
    path.write_text(list_text(results), encoding="utf-8")
    numbers.write_text(numbers_text(one.name, one.version, one.reader.filters, results))


def differences(folder, one, results):
    """A line for each result that is not that of the list; unlisted results are right."""
    expected = read(_paths(folder, one.name)[0])
    for probe, (result, note) in results.items():
        listed = expected.get((probe.file, probe.text()), (None, ""))[0]
        if (result if result in WRONG else None) != listed:
            yield f"{probe.file}: {probe.text()}: {result}, {f'but listed as {listed}' if listed else 'and not listed'}{': ' + note if note else ''}"


def numbers_text(name, version, interface, results):
    """The contents of NAME-probes.json."""
    counts = collections.Counter(result for result, _ in results.values())
    numbers = {"reader": name, "version": version, "interface": interface, "probes": len(results),
               "files": len({probe.file for probe in results}), "results": {result: counts[result] for result in RESULTS if counts[result]}}
    return json.dumps(numbers, indent=2) + "\n"


def read(path):
    """{(file, predicate): (result, note)} of a list; empty if there is none."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["file"], row["predicate"]): (row["result"], row["note"]) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
