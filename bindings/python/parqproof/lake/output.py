"""The results as data sets of Parquet, and what they are for: resuming, and leaving files out."""
from __future__ import annotations

import os
import posixpath
import uuid
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, Sequence

from .entry import FileEntry
from .rows import FILE_COLUMNS, FINDING_COLUMNS, record_batch

_BATCHES = "_batches"
#: A data set, its columns, and the column of its partitions.
_SETS = {"files": (FILE_COLUMNS, "verdict"), "findings": (FINDING_COLUMNS, "severity")}


@dataclass(frozen=True)
class Result:
    """The results of a check of many files: two pyarrow.Tables."""

    files: Any
    """A row for each file; see :data:`parqproof.lake.FILE_COLUMNS`."""
    findings: Any
    """A row for each finding; see :data:`parqproof.lake.FINDING_COLUMNS`."""


class Output:
    """A folder, or its URL, with the data sets ``files`` (partitioned by verdict) and ``findings`` (by severity).

    Each batch is a part of both. An empty file ``_batches/PART`` is written after them; parts without it are of a run that was ended, and
    are removed. One run at a time may write into a folder.
    """

    def __init__(self, folder: str | os.PathLike[str], storage_options: Mapping[str, Any] | None = None) -> None:
        import fsspec

        self._fs, self._base = fsspec.core.url_to_fs(os.fspath(folder), **dict(storage_options or {}))
        self._fs.makedirs(self._path(_BATCHES), exist_ok=True)

    def _path(self, *parts: str) -> str:
        return posixpath.join(self._base, *parts)

    def _parts(self, name: str) -> list[str]:
        folder = self._path(name)
        self._fs.invalidate_cache()
        return [path for path in self._fs.find(folder) if path.endswith(".parquet")] if self._fs.exists(folder) else []

    def _complete(self) -> set[str]:
        return {posixpath.basename(path) for path in self._fs.find(self._path(_BATCHES))}

    def remove_incomplete(self) -> None:
        """Removes the parts of batches that a run has not completed."""
        complete = self._complete()
        for name in _SETS:
            for path in self._parts(name):
                if posixpath.basename(path)[: -len(".parquet")] not in complete:
                    self._fs.rm_file(path)

    def write(self, files: Sequence[Mapping[str, Any]], findings: Sequence[Mapping[str, Any]]) -> None:
        """Adds a batch."""
        part = uuid.uuid4().hex
        for name, rows in (("findings", findings), ("files", files)):
            columns, by = _SETS[name]
            kept = {column: kind for column, kind in columns.items() if column != by}
            for value in sorted({row[by] for row in rows}):
                folder = self._path(name, f"{by}={value}")
                self._fs.makedirs(folder, exist_ok=True)
                self._write_part(posixpath.join(folder, f"{part}.parquet"), [row for row in rows if row[by] == value], kept)
        self._fs.touch(self._path(_BATCHES, part))

    def _write_part(self, path: str, rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> None:
        import pyarrow
        import pyarrow.parquet

        table = pyarrow.Table.from_batches([record_batch(rows, columns)])
        with self._fs.open(path, "wb") as file:
            pyarrow.parquet.write_table(table, file, compression="zstd", write_page_checksum=True, store_schema=False)

    def _read(self, name: str) -> Any:
        import pyarrow
        import pyarrow.parquet

        columns, by = _SETS[name]
        complete = self._complete()
        tables = [record_batch([], columns)]
        for path in self._parts(name):
            if posixpath.basename(path)[: -len(".parquet")] not in complete:
                continue
            with self._fs.open(path, "rb") as file:
                table = pyarrow.parquet.ParquetFile(file).read()
            value = posixpath.basename(posixpath.dirname(path)).partition("=")[2]
            table = table.append_column(by, pyarrow.array([value] * table.num_rows, pyarrow.string())).select(list(columns))
            tables += table.cast(tables[0].schema).to_batches()
        return pyarrow.Table.from_batches(tables)

    def result(self) -> Result:
        """What is in the data sets."""
        return Result(self._read("files"), self._read("findings"))

    def checked(self) -> dict[str, tuple[int | None, str]]:
        """The size and version, as listed, of the files that need not be read again. Those that could not be read do."""
        files = self._read("files").select(["path", "size", "version", "verdict"]).to_pylist()
        return {row["path"]: (row["size"], row["version"]) for row in files if row["verdict"] != "unreadable"}

    def remove(self, paths: Iterable[str]) -> None:
        """Removes the rows of files, which are checked again. Parts that have them are written again as a new batch."""
        gone = set(paths)
        if not gone:
            return
        result = self.result()
        rows = {name: [row for row in getattr(result, name).to_pylist()] for name in _SETS}
        if not any(row["path"] in gone for row in rows["files"]):
            return
        old = self._complete()
        self.write(*([row for row in rows[name] if row["path"] not in gone] for name in _SETS))
        for part in old:
            self._fs.rm_file(self._path(_BATCHES, part))
        self.remove_incomplete()


def read_result(folder: str | os.PathLike[str], storage_options: Mapping[str, Any] | None = None) -> Result:
    """The results in a folder that :func:`parqproof.lake.check_table` wrote."""
    return Output(folder, storage_options).result()


def is_checked(entry: FileEntry, checked: Mapping[str, tuple[int | None, str]]) -> bool:
    """Whether the file was checked with its size and version."""
    return entry.size is not None and checked.get(entry.path) == (entry.size, entry.version)


#: Verdicts of files that a job can read.
_GOOD = ("conforming",)


def skip_list(result: Result, tolerate: Iterable[str] = ()) -> dict[str, str]:
    """The paths that a job should leave out, each with its reasons: files that are not ``conforming`` or of a tolerated verdict, and files of
    which the manifest has a false claim.

    tolerate: verdicts, of ``unsupported``, ``limit``, ``nonconforming``, ``malformed`` and ``unreadable``.
    """
    good = {*_GOOD, *tolerate}
    reasons: dict[str, dict[str, int]] = {}
    claimed: dict[str, dict[str, int]] = {}
    for row in result.findings.select(["path", "rule", "severity", "fault_class", "times"]).to_pylist():
        if row["rule"].startswith("lake/"):
            counts = claimed.setdefault(row["path"], {})
        elif row["severity"] == "error" or row["fault_class"] in ("unsupported", "limit"):
            counts = reasons.setdefault(row["path"], {})
        else:
            continue
        counts[row["rule"]] = counts.get(row["rule"], 0) + (row["times"] or 1)
    skipped: dict[str, str] = {}
    for row in result.files.select(["path", "verdict", "error"]).to_pylist():
        is_good = row["verdict"] in good
        if is_good and row["path"] not in claimed:
            continue
        rules = {**({} if is_good else reasons.get(row["path"], {})), **claimed.get(row["path"], {})}
        details = [row["error"]] if row["error"] else [rule if times == 1 else f"{rule} ({times} times)" for rule, times in rules.items()]
        skipped[row["path"]] = ": ".join([row["verdict"], *([", ".join(details)] if details else [])])
    return skipped
