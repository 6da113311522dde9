#!/usr/bin/env python3
"""Writes the core of the corpus for the wheel: OUT, compressed JSON Lines. For each rule and duty it has the smallest file that
breaks the rule, and its smallest legal neighbour, and for each feature and duty the smallest file. Each line is an entry of index.json
with `data`, the bytes in base64, and `rows` as text.

  core_corpus.py CORPUS OUT"""
import base64
import gzip
import json
import pathlib
import sys

#: Larger files are not packed.
MAX_FILE_BYTES = 8192
MAX_ROW_BYTES = 8192


def core(corpus):
    """The entries of the core, by path."""
    chosen = {}
    for entry in json.loads((corpus / "index.json").read_text())["files"]:
        if "duty" not in entry or "parts" in entry:
            continue
        size = (corpus / entry["file"]).stat().st_size
        rows = (corpus / entry["rows"]).stat().st_size if "rows" in entry else 0
        if size > MAX_FILE_BYTES or rows > MAX_ROW_BYTES:
            continue
        stem = pathlib.PurePath(entry["file"]).name.split("-")[0]
        keys = [("feature", feature, entry["duty"]) for feature in entry["features"]]
        if "rule" in entry:
            keys.append(("rule", entry["rule"], entry["duty"], stem))
        for key in keys:
            if key not in chosen or (size, entry["file"]) < chosen[key][0]:
                chosen[key] = ((size, entry["file"]), entry)
    return sorted({entry["file"]: entry for _, entry in chosen.values()}.items())


def main():
    corpus, out = map(pathlib.Path, sys.argv[1:3])
    lines = []
    for path, entry in core(corpus):
        line = dict(entry, data=base64.b64encode((corpus / path).read_bytes()).decode())
        if "rows" in entry:
            line["rows"] = (corpus / entry["rows"]).read_text()
        lines.append(json.dumps(line, separators=(",", ":")) + "\n")
    out.parent.mkdir(parents=True, exist_ok=True)
    # No time stamp: the same corpus gives the same bytes.
    out.write_bytes(gzip.compress("".join(lines).encode(), 9, mtime=0))


main()
