"""The core tier: few small files, with each rule, and each feature with each duty, of which there is one, with their bytes, in one file of JSON Lines."""

import base64
import hashlib
import heapq
import json
import re

from builder.codec import file_reader
from builder.codec import rows as assembled
from builder.expect.corpus_index import DEEPEST, MOST
from readers import probes

from .about import LICENSE

LARGEST = 16 << 10  # bytes of a file
MOST_ROWS = 256 << 10  # bytes of the rows of a file
INTEGER = re.compile(rb"(?<=[:,\[])-?[0-9]{16,19}(?=[,\]}])")


def _rows(corpus, file):
    return (corpus / file["rows"]).read_bytes() if "rows" in file else b""


def no_rows(corpus, file):
    """Why the corpus has no rows of a file that a reader has to accept; None for others."""
    if file["duty"] != "accept" or "rows" in file:
        return None
    data = (corpus / file["file"]).read_bytes()
    try:
        size = sum(len(line) + 1 for line in assembled.of_groups(file_reader.schema_of(data), file_reader.groups_of(data, {})))
    except RecursionError:
        size = 0
    return f"more than {MOST >> 10} KiB" if size > MOST else f"nested more than {DEEPEST} deep"


def _reasons(file, rows):
    """What a file is an example of."""
    fails = file["kind"] == "witness" and file["file"].rpartition("/")[2].startswith("fail-")
    if "rule" in file:
        yield "rule", file["rule"]
        if fails:
            yield "rule", file["rule"], "fails"
            if file["duty"] == "reject":
                yield "rule", file["rule"], "reject"
        elif file["kind"] == "witness" and file["duty"] == "accept":
            yield "area", file["rule"].partition("/")[0]
    if file["duty"] == "accept" and "rows" not in file:
        return  # nothing shows that a reader has the feature
    for feature in file.get("features", ()):
        yield "feature", feature, file["duty"]
    if file["duty"] == "accept" and any(int(float(number)) != int(number) for number in INTEGER.findall(rows)):
        yield "integer", "of more digits than a DOUBLE"


def examples(corpus, files):
    """{path: (bytes with the rows, reasons)} of the files that can be in the core tier: small ones in one part."""
    found = {}
    for file in files:
        size, rows = (corpus / file["file"]).stat().st_size, _rows(corpus, file)
        if size <= LARGEST and len(rows) <= MOST_ROWS and "parts" not in file:
            found[file["file"]] = size + len(rows), frozenset(_reasons(file, rows))
    return found


def chosen(corpus, files):
    """The entries of the core tier, by path: again and again the file that is an example of most that is missing, of these the smallest."""
    found, names = examples(corpus, files), set()
    missing = {reason for _, reasons in found.values() for reason in reasons}
    heap = [(-len(reasons), size, name) for name, (size, reasons) in found.items()]
    heapq.heapify(heap)
    while missing:
        gain, size, name = heapq.heappop(heap)
        still = found[name][1] & missing
        if len(still) < -gain:
            heapq.heappush(heap, (-len(still), size, name))
            continue
        names.add(name)
        missing -= still
    return sorted((file for file in files if file["file"] in names), key=lambda file: file["file"])


def case(corpus, file):
    """A line of the core tier."""
    keys = ("file", "sha256", "rule", "breaks", "verdict", "options", "duty", "phase", "clause", "features", "keys")
    line = {key: file[key] for key in keys if key in file}
    if "rows" in file:
        line["rows"] = _rows(corpus, file).decode()
    if why := no_rows(corpus, file):
        line["no_rows"] = why
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
    return {"version": version, "license": LICENSE, "cases": number, "sha256": hashlib.sha256(lines.encode()).hexdigest()}
