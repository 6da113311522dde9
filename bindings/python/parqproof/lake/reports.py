"""RecordBatches of JSON reports, without a Python object for each value: that would cost more than the checks."""
from __future__ import annotations

import io
from functools import lru_cache
from typing import Any, NamedTuple, Sequence

from .entry import FileEntry
from .rows import BATCH_COLUMNS, FILE_COLUMNS, FINDING_COLUMNS, arrow_schema, partition_text


class CheckedFile(NamedTuple):
    entry: FileEntry
    version: str
    seconds: float
    report: bytes
    """The object of the file in the JSON report, in a line."""


#: Columns of a file that are members of its report, and of a finding.
_OF_FILE = ("size", "verdict", "errors", "warnings", "infos", "rows", "row_groups", "created_by")
_OF_FINDING = {name: "class" if name == "fault_class" else name for name in FINDING_COLUMNS if name not in ("path", "verdict")}


@lru_cache(maxsize=1)
def _schema() -> Any:
    import pyarrow

    findings = arrow_schema({member: FINDING_COLUMNS[name] for name, member in _OF_FINDING.items()})
    return arrow_schema({name: FILE_COLUMNS[name] for name in _OF_FILE}).append(
        pyarrow.field("findings", pyarrow.list_(pyarrow.struct(list(findings)))))


def _batch(columns: dict[str, Any], count: int) -> Any:
    import pyarrow

    schema = arrow_schema(BATCH_COLUMNS)
    return pyarrow.RecordBatch.from_arrays([columns[one.name] if one.name in columns else pyarrow.nulls(count, one.type) for one in schema], schema=schema)


def batches_of_reports(files: Sequence[CheckedFile]) -> list[Any]:
    """The RecordBatches of files, and of their findings."""
    import pyarrow
    import pyarrow.compute as compute
    from pyarrow import json

    text = b"\n".join(file.report for file in files)
    read = json.read_json(io.BytesIO(text), json.ReadOptions(use_threads=False, block_size=len(text) + 1),
                          json.ParseOptions(explicit_schema=_schema(), unexpected_field_behavior="ignore")).combine_chunks()
    columns = {name: read.column(name).chunk(0) for name in (*_OF_FILE, "findings")}
    findings, count = columns.pop("findings"), len(files)

    def strings(values: list[str | None]) -> Any:
        return pyarrow.array(values, pyarrow.string())

    columns.update(
        kind=strings(["file"] * count), path=strings([file.entry.name for file in files]),
        version=strings([file.entry.version or file.version for file in files]), request=strings([file.entry.request for file in files]),
        partition=strings([partition_text(file.entry) for file in files]),
        seconds=pyarrow.array([file.seconds for file in files], pyarrow.float64()),
        size=compute.coalesce(columns["size"], pyarrow.array([file.entry.size for file in files], pyarrow.int64())))
    made = [_batch(columns, count)]
    flat, parents = compute.list_flatten(findings), compute.list_parent_indices(findings)
    if len(flat):
        of_finding = {name: flat.field(member) for name, member in _OF_FINDING.items()}
        of_finding.update((name, columns[name].take(parents)) for name in ("path", "verdict"))
        made.append(_batch({"kind": strings(["finding"] * len(flat)), **of_finding}, len(flat)))
    return made
