"""Checks the files of tables and lakes, on one machine, Dask or Spark.

    from parqproof import lake

    result = lake.check_table(deltalake.DeltaTable("s3://bucket/table"), output="s3://bucket/checked", engine=lake.Dask(client))
    lake.skip_list(result)                  # {path: reasons}
    result.files, result.findings           # pyarrow.Tables

A table is one of Delta or Iceberg, folders as of Hive, or paths and URLs; see :func:`files_of`. What its manifest says about files is compared
with them: findings ``lake/record-count``, ``lake/file-size``, ``lake/bound``, ``lake/null-count``. Needs pyarrow and fsspec:
``pip install 'parqproof[lake]'``.
"""
from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from typing import Any, Iterator, Sequence

from .._library import InvalidCall
from ..report import needed

from . import pieces
from .batch import check_batch
from .engines import Dask, Engine, Local, Spark
from .entry import Claims, FileEntry, Options, request_of
from .output import Output, OutputChanged, Result, of_paths, read_result, result_of, skip_list
from .resume import unchecked
from .rows import FILE_COLUMNS, FINDING_COLUMNS, record_batch, rows_of_report
from .tables import files_of

for _module in ("pyarrow", "fsspec"):
    needed(_module, "lake")

Row = dict[str, Any]


def check_table(
    table: Any,
    *,
    output: str | os.PathLike[str] | None = None,
    engine: Engine | None = None,
    options: Options | None = None,
    batch_files: int = 200,
) -> Result:
    """Checks the files of a table.

    table: as of :func:`files_of`.
    output: a folder or URL for the results, two data sets of Parquet. Files that are there with the same path, size, version and request (options
    of the check, claims, version of parqproof) are not read again, so that a run that was ended can be resumed; of other files the rows are
    replaced. Size and version (ETag or modification time) are those of the stored objects, which are looked at. Without it results are in memory
    only. Several tables can have one output; rows of files that a table no longer has remain there.
    engine: :class:`Local` (the default), :class:`Dask` or :class:`Spark`.
    options: how files are checked.
    batch_files: max files in one task of the engine. Tasks have fewer if there are few files.

    Returns the rows of the files of the table, and of no others in the output (:func:`read_result`). Bad files are rows of the result. Raises what
    listing the table, the engine, or writing raises; OutputChanged if another run replaced rows of this one in the output.
    """
    if batch_files < 1:
        raise InvalidCall("batch_files is less than 1")
    engine, options = engine or Local(), options or Options()
    listed = {entry.name: replace(entry, request=request_of(entry, options)) for entry in files_of(table, options.storage_options)}
    entries = list(listed.values())
    results = None if output is None else Output(output, options.storage_options)
    if results is not None:
        entries = unchecked(entries, results.checked(), options.storage_options)
    batches = _checked(entries, engine, options, min(batch_files, max(1, len(entries) // _TASKS)))
    if results is None:
        return result_of(batches)
    waiting: list[Any] = []
    begun = time.monotonic()
    try:
        for batch in batches:
            waiting.append(batch)
            if sum(one.num_rows for one in waiting) >= _PART_ROWS or time.monotonic() - begun >= _PART_SECONDS:
                results.write(result_of(waiting))
                waiting, begun = [], time.monotonic()
    finally:  # what was checked is kept, whatever ends the run
        results.write(result_of(waiting))
    results.remove_outdated()
    result = of_paths(results.result(), listed)
    requests = dict(zip(result.files.column("path").to_pylist(), result.files.column("request").to_pylist()))
    lost = [path for path, entry in listed.items() if requests.get(path) != entry.request]
    if lost:
        raise OutputChanged(f"another run wrote into {output} at the same time: it has no rows of this run of {len(lost)} files, such as {lost[0]}. "
                            "Run the check again; it reads only these")
    return result


#: Tasks into which few files are divided, so that all workers have some.
_TASKS = 16
#: A part of the results is written when it has so many rows, or after so many seconds.
_PART_ROWS, _PART_SECONDS = 20_000, 30.0


def _batches(entries: Sequence[FileEntry], count: int) -> Iterator[Sequence[FileEntry]]:
    return (entries[first:first + count] for first in range(0, len(entries), count))


def _checked(entries: Sequence[FileEntry], engine: Engine, options: Options, batch_files: int) -> Iterator[Any]:
    """RecordBatches with the rows of all files; those of a file together."""
    # What is advice, or not reported, may be about several row groups, or explain the damage that needs a complete check.
    is_plain = not (options.advice or options.ignore or options.only or options.severity)
    large = [entry for entry in entries if is_plain and options.cut_bytes and (entry.size or 0) > options.cut_bytes]
    names = {entry.name for entry in large}
    yield from engine.run(_batches([entry for entry in entries if entry.name not in names], batch_files), options)
    if not large:
        return
    complete: list[FileEntry] = []
    proved: list[tuple[FileEntry, list[Row], str]] = []
    for entry, found in _pieces_of(large, engine, options):
        file = pieces.put_together([tuple(one["row_groups"]) for one in found], [one["file"] for one in found], options.limit) if found else None
        if file is None:
            complete.append(entry)
            continue
        sums = {name: sum(one[name] or 0 for one in found) for name in ("seconds", "requests", "bytes_read")}
        rows = rows_of_report(entry, file, **sums)
        rows[0]["version"] = entry.version or found[0]["version"]
        if entry.claims and options.claims and file["verdict"] == "conforming":
            proved.append((entry, rows, found[0]["version"]))
        elif entry.claims and options.claims:  # the columns are read
            complete.append(entry)
        else:
            yield record_batch(rows)
    yield from map(record_batch, _with_claims(proved, engine, options))
    yield from engine.run(_batches(complete, 1), options)


def _with_claims(proved: Sequence[tuple[FileEntry, list[Row], str]], engine: Engine, options: Options) -> Iterator[list[Row]]:
    """The rows of files that were checked in pieces, with the findings about their claims."""
    claimed: dict[str, list[Row]] = {}
    for batch in engine.run(_batches([replace(entry, claims_only=True) for entry, _, _ in proved], 1), options):
        for row in batch.to_pylist():
            claimed.setdefault(row["path"], []).append(row)
    for entry, rows, version in proved:
        about = next((row for row in claimed.get(entry.name, []) if row["kind"] == "claims"), None)
        if about is None or about["report"] != version:
            rows[0]["not_compared"] = "the file could not be read again, or changed"
        else:
            rows[0]["not_compared"] = about["not_compared"]
            rows += [{**row, "verdict": rows[0]["verdict"]} for row in claimed[entry.name] if row["kind"] == "finding"]
        yield rows


def _pieces_of(large: Sequence[FileEntry], engine: Engine, options: Options) -> Iterator[tuple[FileEntry, list[Any]]]:
    """The reports of the pieces of each file, in order; none if it needs a complete check."""
    footers = _reports([replace(entry, row_groups=(0, 0), claims=None) for entry in large], engine, options)
    cuts: dict[str, list[FileEntry]] = {}
    for entry in large:
        found = footers.get(entry.name)
        count = (found[0]["file"].get("row_groups") or 0) if found else 0
        if found and count > 1 and not found[0]["file"].get("needs_complete_check") and not pieces.needs_complete_check([found[0]["file"]]):
            cuts[entry.name] = pieces.cut(entry, count, options.cut_bytes or 1)[1:]
    reports = _reports([part for parts in cuts.values() for part in parts], engine, options)
    for entry in large:
        found = footers.get(entry.name, []) + sorted(reports.get(entry.name, []), key=lambda one: one["row_groups"])
        is_complete = len(found) == len(cuts.get(entry.name, [])) + 1 > 1
        yield entry, found if is_complete and len({one["version"] for one in found}) == 1 else []


def _reports(entries: Sequence[FileEntry], engine: Engine, options: Options) -> dict[str, list[Any]]:
    """The reports of pieces by path; a piece that could not be read has none."""
    reports: dict[str, list[Any]] = {}
    for batch in engine.run(_batches(entries, 1), options):
        for row in batch.to_pylist():
            if row["kind"] == "piece" and row["report"]:
                costs = {name: row[name] for name in ("seconds", "requests", "bytes_read")}
                reports.setdefault(row["path"], []).append({**json.loads(row["report"]), **costs})
    return reports


__all__ = [
    "Claims", "Dask", "Engine", "FILE_COLUMNS", "FINDING_COLUMNS", "FileEntry", "Local", "Options", "Output", "OutputChanged", "Result", "Spark",
    "check_batch", "check_table", "files_of", "read_result", "skip_list",
]
