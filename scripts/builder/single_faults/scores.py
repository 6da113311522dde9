"""The findings of `parqproof check` about changed files, and their accuracy."""

import collections
import json
import os
import pathlib
import subprocess

WORDS = ("exact", "elsewhere", "several", "silent", "crash")
TABLES = {"fields": lambda kind: kind != "body" and not kind.startswith("damage"), "numbers inside page bodies": lambda kind: kind == "body",
          "one changed bit, by structure": lambda kind: kind.startswith("damage")}


def findings_of(program, path):
    """The findings of a file without advice."""
    done = subprocess.run([program, "check", "--no-config", "--format", "json", "--limit", "0", path], capture_output=True, text=True)
    return [one for one in json.loads(done.stdout)["files"][0]["findings"] if one["severity"] != "info"]


def scored(program, changes, before, folder):
    """(change, score, findings) of each change; the files are written to the folder."""
    for number, change in enumerate(changes):
        pathlib.Path(folder, f"{number:06}.parquet").write_bytes(change.data)
    done = subprocess.run([program, "check", "--no-config", "--format", "ndjson", "--limit", "0", folder], capture_output=True, text=True)
    reports = {}
    for line in done.stdout.splitlines():
        one = json.loads(line)
        if "path" in one:
            reports[os.path.basename(one["path"])] = one
    for number, change in enumerate(changes):
        report = reports.get(f"{number:06}.parquet")
        if report is None:
            yield change, "crash", []
        else:
            yield change, *score(change, report, before)


def score(change, report, before):
    """The score of a report, and the findings that the original file does not have."""
    new = new_findings(report, before)
    if not new:
        return "silent", new
    if change.kind == "body":
        page = (*change.piece.chunk, change.piece.page)
        is_hit = any((f.get("row_group"), f.get("leaf"), f.get("page")) == page and (f["space"] == "page" or f["offset"] >= change.start)
                     for f in new)
        return ("exact" if is_hit else "elsewhere"), new
    if len(new) > 1:
        return "several", new
    one, end = new[0], max(change.end, change.start + 1)
    is_hit = one["space"] == "file" and one["offset"] < end and one["offset"] + max(one["length"], 1) > change.start
    return ("exact" if is_hit else "elsewhere"), new


def new_findings(report, before):
    """The findings that the unchanged file does not have. The page is not compared: if that page is lost, the next one with the
    same fault is reported. A rule that is reported once for several chunks names another chunk if the first is lost."""
    def key(finding):
        return tuple(finding.get(name) for name in ("rule", "row_group", "leaf"))

    known, counts = collections.Counter(map(key, before)), collections.Counter(finding["rule"] for finding in before)
    once = {one["rule"] for one in before if one.get("times", 1) > 1 and counts[one["rule"]] == 1}
    new = []
    for finding in report["findings"]:
        if finding["severity"] == "info" or finding["rule"] in once:
            continue
        if known[key(finding)]:
            known[key(finding)] -= 1
        else:
            new.append(finding)
    return new


def print_tables(counts, min_exact):
    """Prints a table each of fields, numbers in page bodies, and flipped bits; returns 1 if too few fields are exact."""
    totals = {}
    for title, belongs in TABLES.items():
        rows = {kind.removeprefix("damage "): row for kind, row in counts.items() if belongs(kind)}
        if not rows:
            continue
        total = totals[title] = sum(rows.values(), collections.Counter())
        print(f"{title:30}" + "".join(f"{word:>11}" for word in WORDS) + f"{'exact, %':>11}")
        for kind, row in [*rows.items(), ("all", total)]:
            print(f"  {kind:28}" + "".join(f"{row[word]:11}" for word in WORDS) + f"{100 * row['exact'] / max(1, sum(row.values())):11.1f}")
    total = totals.get("fields", collections.Counter())
    return 1 if 100 * total["exact"] < min_exact * sum(total.values()) or min_exact and total["silent"] + total["crash"] else 0
