"""The rows that workers return: their columns, and how a report becomes rows."""
from __future__ import annotations

import json
from typing import Any, Iterable, Mapping

from .._text import utf8_text
from .entry import FileEntry

#: Columns of the files, with their Arrow types.
FILE_COLUMNS = {
    "path": "string", "size": "int64", "version": "string", "request": "string", "verdict": "string", "errors": "int64", "warnings": "int64", "infos": "int64",
    "rows": "int64", "row_groups": "int32", "created_by": "string", "partition": "string", "error": "string", "not_compared": "string",
    "seconds": "float64", "requests": "int64", "bytes_read": "int64",
}
#: Columns of the findings.
FINDING_COLUMNS = {
    "path": "string", "verdict": "string", "rule": "string", "severity": "string", "fault_class": "string", "column": "string", "leaf": "int32",
    "row_group": "int32", "page": "int32", "page_offset": "int64", "offset": "int64", "length": "int64", "space": "string", "times": "int64",
    "field": "string", "expected": "string", "found": "string", "message": "string", "clause": "string", "fix": "string",
}
#: Columns of a batch: `kind` is ``file``, ``finding`` or ``piece``; a piece has its report as JSON.
BATCH_COLUMNS = {"kind": "string", **FILE_COLUMNS, **FINDING_COLUMNS, "report": "string"}


def arrow_schema(columns: Mapping[str, str]) -> Any:
    import pyarrow

    return pyarrow.schema([(name, getattr(pyarrow, kind)()) for name, kind in columns.items()])


def record_batch(rows: Iterable[Mapping[str, Any]]) -> Any:
    """A pyarrow.RecordBatch: first the files and pieces, then the findings. What a row does not have is null."""
    import pyarrow

    found: tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]] = ([], [])
    for row in rows:
        found[row["kind"] == "finding"].append(row)
    schema = arrow_schema(BATCH_COLUMNS)
    return pyarrow.RecordBatch.from_arrays(
        [pyarrow.array([value for kind, some in enumerate(found) for value in _values(some, one.name, kind)], one.type) for one in schema],
        schema=schema)


#: Columns that a row of a file, or a finding, never has.
_NOT_THERE = tuple(BATCH_COLUMNS.keys() - columns.keys() - {"kind", *more}
                   for columns, more in ((FILE_COLUMNS, ("report",)), (FINDING_COLUMNS, ())))


def _values(rows: list[Mapping[str, Any]], name: str, kind: int) -> list[Any]:
    return [None] * len(rows) if name in _NOT_THERE[kind] else [row.get(name) for row in rows]


def batch_of_columns(columns: Mapping[str, Any], count: int) -> Any:
    """A RecordBatch of `count` rows; columns that are not given are null. It does not call pyarrow.array(), which imports pandas, if there is any:
    that takes a worker longer than thousands of files."""
    import pyarrow

    schema = arrow_schema(BATCH_COLUMNS)
    return pyarrow.RecordBatch.from_arrays([columns[one.name] if one.name in columns else pyarrow.nulls(count, one.type) for one in schema], schema=schema)


def joined(batches: Iterable[Any]) -> Any:
    """One RecordBatch of several."""
    import pyarrow

    empty = batch_of_columns({}, 0)
    made = pyarrow.Table.from_batches([empty, *batches]).combine_chunks().to_batches()
    return made[0] if made else empty


def finding_row(path: str, verdict: str, finding: Mapping[str, Any]) -> dict[str, Any]:
    row = {name: finding.get("class" if name == "fault_class" else name) for name in FINDING_COLUMNS}
    return {**row, "kind": "finding", "path": path, "verdict": verdict}


def partition_text(entry: FileEntry) -> str | None:
    return json.dumps(dict(entry.partition), default=str, sort_keys=True) if entry.partition else None


def file_row(entry: FileEntry, verdict: str, **members: Any) -> dict[str, Any]:
    return {"kind": "file", "path": entry.name, "size": entry.size, "version": entry.version, "request": entry.request, "verdict": verdict,
            "errors": 0, "warnings": 0, "infos": 0, "partition": partition_text(entry), **members}


def rows_of_report(entry: FileEntry, file: Mapping[str, Any], **members: Any) -> list[dict[str, Any]]:
    """The row of a file by its object in the JSON report, and the rows of its findings."""
    taken = {name: file.get(name) for name in ("errors", "warnings", "infos", "rows", "row_groups", "created_by")}
    if file.get("size") is not None:
        taken["size"] = file["size"]
    return [file_row(entry, file["verdict"], **taken, **members),
            *(finding_row(entry.name, file["verdict"], finding) for finding in file["findings"])]


def lake_finding(entry: FileEntry, rule: str, message: str, **members: Any) -> dict[str, Any]:
    """A finding that is not about the format: of a claim, or of a process."""
    stated = {name: utf8_text(value) if isinstance(value, str) else value for name, value in {"message": message, **members}.items()}
    return finding_row(entry.name, "", {"rule": rule, "severity": "error", "fault_class": "invalid", "times": 1, **stated})
