"""The core tier as tests of a SQL engine, in the form of sqllogictest."""

import json
import re

from readers import probes

from . import core, tree
from .about import LICENSE

SCAN = "read_parquet('{file}')"
# Types whose texts depend on the engine, and parts of their names.
NO_TEXT = ("DECIMAL", "DATE", "TIME", "UUID", "INT96", "FIXED_LEN_BYTE_ARRAY", "INTERVAL", "FLOAT", "DOUBLE", "BSON", "GEO", "VARIANT")


def _printed(rows):
    """(types, lines) of rows whose columns are all integers or texts; None for others, whose text depends on the engine."""
    names = list(rows[0]) if rows else []
    types = ""
    for name in names:
        values = [row.get(name) for row in rows]
        kinds = {type(value) for value in values if value is not None}
        if kinds == {int}:
            types += "I"
        elif kinds == {str} and all(value.isprintable() and value == value.strip() for value in values if value is not None) and not _is_hex(values):
            types += "T"
        else:
            return None
        if any(list(row) != names for row in rows):
            return None
    return types, ["\t".join("NULL" if value is None else "(empty)" if value == "" else str(value) for value in row.values()) for row in rows]


def _is_hex(values):
    """Whether they can be bytes, whose text depends on the engine."""
    return all(re.fullmatch("(?:[0-9a-f]{2})*", value) for value in values if value is not None)


def _is_text(features):
    return not any(name in features for name in NO_TEXT)


def _filters(corpus, file, query):
    """The numbers of rows that match predicates: engines lose some in silence by wrong statistics, indexes and filters."""
    for probe in probes.all_of(corpus, [file]):
        if isinstance(probe.value, float):
            continue  # the text of a DOUBLE depends on the engine
        column = '"' + probe.column.replace('"', '""') + '"'
        value = str(probe.value) if isinstance(probe.value, int) else "'" + probe.value.replace("'", "''") + "'"
        yield f"query I\nSELECT count(*) FROM {query} WHERE {column} {probe.operator} {value}\n----\n{len(probe.rows)}\n"


def _record(file, rows, query):
    if file["duty"] == "reject":
        return f"statement error\nSELECT * FROM {query}\n"
    if rows is None:
        return f"statement ok\nSELECT * FROM {query}\n"
    parsed = [json.loads(line) for line in rows.splitlines()]
    text = f"query I\nSELECT count(*) FROM {query}\n----\n{len(parsed)}\n"
    printed = _printed(parsed) if _is_text(" ".join(file.get("features", ()))) else None
    if printed and printed[0]:
        types, lines = printed
        text += f"\nquery {types}\nSELECT * FROM {query}\n----\n" + "".join(f"{line}\n" for line in lines)
    return text


def text(corpus, files, version, scan=SCAN):
    """(the script, the number of its files). `scan` is the table of a file, with {file} for its path."""
    parts = [f"# The core tier of the corpus of parqproof, version {version}, {LICENSE}.\n"]
    asked = [file for file in files if file["duty"] in ("accept", "reject") and "keys" not in file]
    for file in asked:
        rows = (corpus / file["rows"]).read_text(encoding="utf-8") if "rows" in file else None
        folder = "bad_data" if file["duty"] == "reject" else "data"
        about = f"# {file['file']}: {file['duty']}" + (f", {file['rule']}" if "rule" in file else "")
        path = f"{folder}/{tree.flat(file['file'])}"
        query = scan.format(file=path)
        parts += [f"{about}\n{_record(file, rows, query)}", *_filters(corpus, file, query)]
    return "\n".join(parts), len(asked)


def make(root, corpus, files, version, out, scan):
    """Writes the script and the files of the core tier; returns their number."""
    chosen = core.chosen(corpus, files)
    tree.make(root, corpus, chosen, version, out)
    script, number = text(corpus, chosen, version, scan)
    (out / "parqproof.test").write_text(script, encoding="utf-8")
    return number
