"""RecordBatches of JSON reports, without a Python object for each value: that would cost more than the checks. pyarrow.array() is not
called (batch_of_columns())."""
from __future__ import annotations

import io
import json
from functools import lru_cache
from typing import Any, NamedTuple, Sequence

from .entry import FileEntry
from .rows import FILE_COLUMNS, FINDING_COLUMNS, arrow_schema, batch_of_columns, partition_text


class CheckedFile(NamedTuple):
    entry: FileEntry
    version: str
    seconds: float
    report: bytes
    """The object of the file in the JSON report, in a line."""

    def line(self) -> bytes:
        """A line of JSON: what is known without the report, and the report."""
        known = {"path": self.entry.name, "version": self.entry.version or self.version, "request": self.entry.request,
                 "partition": partition_text(self.entry), "seconds": self.seconds, "listed_size": self.entry.size, "kind": "file", "kind_of_findings": "finding"}
        return b'{"known":%b,"report":%b}' % (json.dumps(known).encode(), self.report)


#: Columns of a file that are known without its report.
_KNOWN = {"kind": "string", "kind_of_findings": "string", "listed_size": "int64", **{name: FILE_COLUMNS[name] for name in ("path", "version", "request", "partition", "seconds")}}
#: Columns of a file that are members of its report, and of a finding.
_OF_FILE = ("size", "verdict", "errors", "warnings", "infos", "rows", "row_groups", "created_by")
_OF_FINDING = {name: "class" if name == "fault_class" else name for name in FINDING_COLUMNS if name not in ("path", "verdict")}


@lru_cache(maxsize=1)
def _schema() -> Any:
    import pyarrow

    findings = arrow_schema({member: FINDING_COLUMNS[name] for name, member in _OF_FINDING.items()})
    report = arrow_schema({name: FILE_COLUMNS[name] for name in _OF_FILE}).append(
        pyarrow.field("findings", pyarrow.list_(pyarrow.struct(list(findings)))))
    return pyarrow.schema([("known", pyarrow.struct(list(arrow_schema(_KNOWN)))), ("report", pyarrow.struct(list(report)))])


def prepare_for_reports() -> None:
    """Imports what they need."""
    import pyarrow.compute
    import pyarrow.json  # noqa: F401

    _schema()


def batches_of_reports(files: Sequence[CheckedFile]) -> list[Any]:
    """The RecordBatches of files, and of their findings."""
    import pyarrow.compute as compute
    from pyarrow import json as arrow_json

    text = b"\n".join(file.line() for file in files)
    read = arrow_json.read_json(io.BytesIO(text), arrow_json.ReadOptions(use_threads=False, block_size=len(text) + 1),
                                arrow_json.ParseOptions(explicit_schema=_schema(), unexpected_field_behavior="ignore")).combine_chunks()
    known, report = (read.column(name).chunk(0) for name in ("known", "report"))
    columns = {**{name: known.field(name) for name in _KNOWN}, **{name: report.field(name) for name in _OF_FILE}}
    columns["size"] = compute.coalesce(columns["size"], columns.pop("listed_size"))
    kind_of_findings = columns.pop("kind_of_findings")
    made = [batch_of_columns(columns, len(files))]
    findings = report.field("findings")
    flat, parents = compute.list_flatten(findings), compute.list_parent_indices(findings)
    if len(flat):
        of_finding = {name: flat.field(member) for name, member in _OF_FINDING.items()}
        of_finding.update((name, columns[name].take(parents)) for name in ("path", "verdict"))
        made.append(batch_of_columns({"kind": kind_of_findings.take(parents), **of_finding}, len(flat)))
    return made
