"""The core tier: the smallest files that break each rule, and that use each feature, with their bytes, in one file of JSON Lines."""

import base64
import hashlib
import json

from readers import probes

LARGEST = 16 << 10  # bytes of a file
MOST_ROWS = 64 << 10  # bytes of the rows of a file


def _reasons(file):
    """What a file can be an example of."""
    fails = file["kind"] == "witness" and file["file"].rpartition("/")[2].startswith("fail-")
    if fails:
        yield "rule", file["rule"], "fails"
        if file["duty"] == "reject":
            yield "rule", file["rule"], "reject"
    if file["duty"] == "accept" and "rows" in file:
        for feature in file.get("features", ()):
            yield "feature", feature
        if not fails and file["kind"] == "witness":
            yield "legal", file["rule"].partition("/")[0]


def chosen(corpus, files):
    """The entries of the core tier, by path: of each reason the smallest file. Files in several parts are left out."""
    best = {}
    for file in files:
        size = (corpus / file["file"]).stat().st_size
        if size > LARGEST or "parts" in file or ("rows" in file and (corpus / file["rows"]).stat().st_size > MOST_ROWS):
            continue
        for reason in _reasons(file):
            best[reason] = min(best.get(reason, (size, file["file"])), (size, file["file"]))
    names = {name for _, name in best.values()}
    return sorted((file for file in files if file["file"] in names), key=lambda file: file["file"])


def case(corpus, file):
    """A line of the core tier."""
    keys = ("file", "sha256", "rule", "breaks", "verdict", "options", "duty", "phase", "clause", "features", "keys")
    line = {key: file[key] for key in keys if key in file}
    if "rows" in file:
        line["rows"] = (corpus / file["rows"]).read_text(encoding="utf-8")
    if those := [probe.record() for probe in probes.all_of(corpus, [file])]:
        line["probes"] = those
    line["bytes"] = base64.b64encode((corpus / file["file"]).read_bytes()).decode()
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"))


def text(corpus, files):
    """(the JSON Lines, the number of cases)"""
    lines = [case(corpus, file) for file in chosen(corpus, files)]
    return "".join(line + "\n" for line in lines), len(lines)


def about(version, lines, number):
    """What a runner can compare a file of the core tier with."""
    return {"version": version, "cases": number, "sha256": hashlib.sha256(lines.encode()).hexdigest()}
