"""Large files: cut by row groups, and the reports of the pieces put together to the report of the complete file."""
from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from typing import Any, Mapping, Sequence

from .. import rules
from ..report import VERDICTS
from .entry import FileEntry

Report = Mapping[str, Any]
#: Members that are sums over pieces. What a check of no row group has is in each of them.
_SUMS = ("pages", "checksums", "values", "bytes")
#: Areas of rules about the placement of structures in the file, which need all column chunks.
_PLACEMENT = ("file", "column-chunk", "page-index", "offset-index", "column-index", "bloom-filter")
_SEVERITIES = ("error", "warning", "info")
_BY_CHOICE = "--row-groups"
_IN_ANOTHER_FILE = "its data is in another file"


def cut(entry: FileEntry, row_groups: int, cut_bytes: int) -> list[FileEntry]:
    """The first piece has no row group: what is found in it is about the footer. Others have about `cut_bytes` each."""
    count = min(row_groups, -(-(entry.size or 0) // cut_bytes))
    ends = [round(row_groups * number / count) for number in range(count + 1)] if count else [0]
    ranges = [(0, 0), *zip(ends, ends[1:])]
    return [replace(entry, row_groups=one, claims=None) for one in ranges]


@lru_cache(maxsize=1)
def _once_a_file() -> frozenset[str]:
    """Rules of which a file has one finding, with the number of its occurrences."""
    return frozenset(rule["id"] for rule in rules() if rule["per"] == "file")


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def needs_complete_check(reports: Sequence[Report]) -> bool:
    """Damage is explained by the complete file, placement is judged with all column chunks, and only a complete check reads the files that they name.
    A report without limit that is truncated had more findings than are kept."""
    return any(
        report["verdict"] in ("malformed", "limit", "unreadable") or report["lost"] or report["truncated"]
        or any(one["why"] == _IN_ANOTHER_FILE for one in report["not_run"])
        or any(report.get(name) for name in ("consequences", "tried", "next", "named_by"))
        or any(finding["rule"].split("/")[0] in _PLACEMENT and finding["severity"] == "error" for finding in report["findings"])
        for report in reports)


def _findings(ranges: Sequence[tuple[int, int]], reports: Sequence[Report]) -> list[Report] | None:
    """The findings of all pieces in file order; None if one depends on the complete file."""
    of_footer = [{_key(one): one for one in report["findings"] if "row_group" not in one} for report in reports]
    once: dict[str, dict[str, Any]] = {}
    taken: list[Report] = []
    for (first, end), report in zip(ranges, reports):
        for finding in report["findings"]:
            group = finding.get("row_group")
            if group is None or not first <= group < end:
                continue
            if finding["rule"] in _once_a_file():
                if finding["rule"] in once:
                    once[finding["rule"]]["times"] += finding["times"]
                    continue
                finding = once[finding["rule"]] = dict(finding)
            taken.append(finding)
    if any(set(findings) != set(of_footer[0]) for findings in of_footer[1:]):
        return None
    return sorted([*taken, *of_footer[0].values()], key=lambda one: one.get("page_offset", one["offset"]))


def _listed(findings: list[Report], limit: int) -> list[Report]:
    """At most `limit`, chosen as by the program: errors before warnings before infos; of a severity the first of each rule, then the others."""
    if not limit or len(findings) <= limit:
        return findings
    seen: set[str] = set()
    order = []
    for index, finding in enumerate(findings):
        order.append((_SEVERITIES.index(finding["severity"]), finding["rule"] in seen, index))
        seen.add(finding["rule"])
    return [findings[index] for index in sorted(index for _, _, index in sorted(order)[:limit])]


def put_together(ranges: Sequence[tuple[int, int]], reports: Sequence[Report], limit: int = 0) -> dict[str, Any] | None:
    """The object of the file in the JSON report of a complete check, by those of its pieces; the first piece has no row group. None if only
    a complete check gives it."""
    if needs_complete_check(reports):
        return None
    findings = _findings(ranges, reports)
    if findings is None:
        return None
    base, *parts = reports
    complete = dict(base)
    for name in _SUMS:
        if name in base:
            complete[name] = base[name] + sum(part[name] - base[name] for part in parts)
    not_run: dict[str, Any] = {}
    for report in reports:
        not_run.update((_key(one), one) for one in report["not_run"] if one["why"] != _BY_CHOICE)
    complete["not_run"] = list(not_run.values())
    counts = {severity: sum(one["times"] for one in findings if one["severity"] == severity) for severity in _SEVERITIES}
    complete.update((f"{severity}s", count) for severity, count in counts.items())
    complete["findings"] = _listed(findings, limit)
    complete["truncated"] = len(complete["findings"]) < len(findings)
    complete["omitted"] = {severity: counts[severity] - sum(one["times"] for one in complete["findings"] if one["severity"] == severity)
                        for severity in _SEVERITIES}
    verdicts = [report["verdict"] for report in reports if report["verdict"] != "nonconforming"]
    complete["verdict"] = "nonconforming" if counts["error"] else max(verdicts, key=VERDICTS.index, default="conforming")
    return complete
