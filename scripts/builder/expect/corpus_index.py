"""corpus/index.json: every file of the corpus, the duty of a reader, and the path of its rows."""

import hashlib
import itertools
import json
import os
import re

from builder.codec import file_reader, rows
from builder.codec.cursor import Refused
from builder.expect import features
from builder.expect.phase import phase
from builder.expect.reader_duty import duty

VERSION = 1
MOST = 512 * 1024  # bytes of rows; larger ones get no file
DEEPEST = 100  # nesting of arrays and objects in all JSON of the corpus, within the limit of common parsers
# Files next to those of an entry: named by the entry, or about a folder.
COMPANIONS = (".json", ".rows.jsonl", "README.md")


def digest(data):
    return hashlib.sha256(data).hexdigest()


def read(corpus, path):
    with open(os.path.join(corpus, path), "rb") as file:
        return file.read()


def parsed(corpus, path):
    return json.loads(read(corpus, path))


def below(corpus, folder, *ends):
    """The paths of the files of a folder with this suffix."""
    found = []
    for place, _, names in os.walk(os.path.join(corpus, folder)):
        found += [os.path.relpath(os.path.join(place, name), corpus).replace(os.sep, "/") for name in names if name.endswith(ends)]
    return sorted(found)


def entry(path, data, kind, **more):
    """An entry of the index; None values are left out."""
    return {"file": path, "sha256": digest(data), "kind": kind, **{key: value for key, value in more.items() if value is not None}}


def depth(text):
    """The maximum nesting of arrays and objects in a JSON text."""
    brackets = re.findall(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])', text)
    return max(itertools.accumulate(bool(opens) - bool(closes) for opens, closes in brackets), default=0)


def write_rows(corpus, lines):
    """Writes rows as JSON Lines into a file named after its content, and returns its path in the corpus; None if
    they are too many, or too deep."""
    content = "".join(line + "\n" for line in lines).encode()
    if len(content) > MOST or any(depth(line) > DEEPEST for line in lines):
        return None
    path = f"rows/{digest(content)[:16]}.jsonl"
    os.makedirs(os.path.join(corpus, "rows"), exist_ok=True)
    with open(os.path.join(corpus, path), "wb") as out:
        out.write(content)
    return path


def _phase(owes, rule, errors, findings, lost):
    return phase(rule, errors, findings, lost) if owes == "reject" else None


DEFAULTS = {"profile": "strict", "tier": "values"}


def _options(sidecar):
    """The options of a check with the verdict of the sidecar that are not the defaults; None if there are none."""
    return {**{name: sidecar[name] for name, value in DEFAULTS.items() if sidecar[name] != value}, **sidecar["options"]} or None


def of_witness(stem, rule, data, sidecar, further, used, kind="witness"):
    """The entries of a witness and of the files that its column chunks are in."""
    folder = stem.rsplit("/", 1)[0]
    broken = sorted({finding["rule"] for finding in sidecar["findings"] if finding["severity"] == "error"})
    own = entry(f"{stem}.parquet", data, kind, rule=rule, verdict=sidecar["verdict"], breaks=broken, options=_options(sidecar),
                duty=sidecar["reader"],
                phase=_phase(sidecar["reader"], rule, broken, sidecar["findings"], sidecar.get("lost", [])),
                clause=sidecar.get("reader_clause"), rows=sidecar.get("rows"), features=used, keys=sidecar.get("keys"),
                parts=[f"{folder}/{name}" for name in further] or None)
    return [own, *(entry(f"{folder}/{name}", content, "part") for name, content in further.items())]


def _writers(corpus, out):
    """The files of other writers: their duty follows from the report next to each, and their rows are those that another reader
    confirms, or else those that the builder reads."""
    agreed = parsed(corpus, "writers/rows.json")
    for one in parsed(corpus, "writers/manifest.json"):
        path, stem = f"writers/{one['file']}", f"writers/{one['file']}".removesuffix(".parquet")
        report = parsed(corpus, f"{stem}.report.json")["files"][0]
        findings = report["findings"]
        broken = [finding["rule"] for finding in findings]
        errors = [finding["rule"] for finding in findings if finding["severity"] == "error"]
        about = next((finding["rule"] for finding in findings if finding["class"] in ("unsupported", "limit")), "")
        owes, clause = duty(about, broken, errors, report["verdict"], report["lost"])
        data, lines = read(corpus, path), None
        if owes != "reject":
            lines = f"{stem}.rows.jsonl" if agreed.get(one["file"], {}).get("exit") == 0 else _rows_of(out, data)
        yield entry(path, data, "writer", writer=one["writer"], version=one["version"], verdict=report["verdict"],
                    breaks=sorted(set(errors)), duty=owes, phase=_phase(owes, about, errors, findings, report["lost"]), clause=clause, rows=lines,
                    features=features.of_bytes(data))


def _known_bugs(out):
    """Files with published bugs, which have sidecars like witnesses."""
    for path in below(out, "known_bugs", ".parquet"):
        stem, data = path.removesuffix(".parquet"), read(out, path)
        sidecar = parsed(out, f"{stem}.json")
        try:
            used = features.of_bytes(data)
        except Refused:  # damaged files show nothing
            used = []
        yield from of_witness(stem, sidecar["rule"], data, sidecar, {}, used, "known bug")


def _rows_of(out, data):
    """The path of the rows that the builder reads from a file, None if it cannot."""
    try:
        return write_rows(out, rows.of_groups(file_reader.schema_of(data), file_reader.groups_of(data, {})))
    except Refused:
        return None


def _summaries(corpus, out):
    """Data files, and their summary files, which have the rows of all."""
    paths = below(corpus, "summaries", ".parquet", "_metadata")
    for path in paths:
        data, folder = read(corpus, path), path.rsplit("/", 1)[0]
        is_summary = path.endswith("/_metadata")
        owes, clause = duty("summary", [], [], "conforming", [], is_split=is_summary)
        parts = [one for one in paths if is_summary and one.startswith(f"{folder}/") and one.endswith(".parquet")]
        yield entry(path, data, "summary", verdict="conforming", breaks=[], duty=owes, clause=clause,
                    rows=f"{folder}/rows.jsonl" if is_summary else _rows_of(out, data), features=features.of_bytes(data),
                    parts=parts or None)


def _vectors(corpus):
    """Files of golden vectors: each vector states the duty of a reader."""
    for path in below(corpus, "vectors", ".json"):
        used = set()
        for vector in parsed(corpus, path)["vectors"]:
            column = vector.get("column", vector)
            used |= {features.BY_NAME.get(column.get(key)) for key in ("encoding", "type", "codec")} - {None}
        yield entry(path, read(corpus, path), "vectors", features=features.listed(used))


def _regressions(corpus):
    """Inputs that once broke the program; the only promise is that a reader terminates."""
    for path in below(corpus, "regressions", ""):
        if not path.endswith(COMPANIONS):
            is_file = path.endswith(".parquet")
            yield entry(path, read(corpus, path), "regression" if is_file else "input")


def index(corpus, out, witnesses):
    """The index of the committed corpus and of the entries of the witnesses, as text, a line for each entry. Missing rows
    are written to `out`."""
    entries = [*witnesses, *_known_bugs(out), *_writers(corpus, out), *_summaries(corpus, out), *_vectors(corpus), *_regressions(corpus)]
    used = sorted({one["rows"] for one in entries if "rows" in one})
    hashes = {path: digest(read(out if path.startswith("rows/") else corpus, path)) for path in used}
    lines = [json.dumps(one, ensure_ascii=False) for one in sorted(entries, key=lambda one: one["file"])]
    listed = ",\n".join(f"    {line}" for line in lines)
    rows_files = ",\n".join(f"    {json.dumps(path)}: {json.dumps(value)}" for path, value in hashes.items())
    return f'{{\n  "index_version": {VERSION},\n  "files": [\n{listed}\n  ],\n  "rows": {{\n{rows_files}\n  }}\n}}\n'


def rows_files(text):
    """The files of rows that are made with an index."""
    return {path for path in json.loads(text)["rows"] if path.startswith("rows/")}
