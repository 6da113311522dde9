"""The results as data sets of Parquet, and what they are for: resuming, and leaving files out."""
from __future__ import annotations

import json
import os
import posixpath
import uuid
from dataclasses import dataclass
from typing import Any, Collection, Iterable, Mapping, Sequence

from .resume import Checked
from .rows import FILE_COLUMNS, FINDING_COLUMNS, arrow_schema, record_batch

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


def result_of(batches: Iterable[Any]) -> Result:
    """The files and findings of RecordBatches of :func:`parqproof.lake.check_batch`."""
    import pyarrow
    import pyarrow.compute as compute

    table = pyarrow.Table.from_batches([record_batch([]), *batches])
    return Result(*(table.filter(compute.equal(table.column("kind"), kind)).select(list(columns))
                    for kind, columns in (("file", FILE_COLUMNS), ("finding", FINDING_COLUMNS))))


class Output:
    """A folder, or its URL, with the data sets ``files`` (partitioned by verdict) and ``findings`` (by severity).

    A part is a file in each partition that it has rows of, ``files/verdict=VERDICT/PART.parquet``. It counts once there is ``_batches/PART``, which
    is written last and names the parts that it replaces; other files are of a run that was ended. The name of a part begins with the number
    of its run: of a path the rows of the latest run count. So a run can end at any time: no row is lost, and none is there twice. One run
    at a time may write into a folder.
    """

    def __init__(self, folder: str | os.PathLike[str], storage_options: Mapping[str, Any] | None = None) -> None:
        import fsspec

        self._fs, self._base = fsspec.core.url_to_fs(os.fspath(folder), **dict(storage_options or {}))
        self._run = 1 + max(map(_run_of, self._markers()), default=0)

    def _path(self, *parts: str) -> str:
        return posixpath.join(self._base, *parts)

    def _markers(self) -> dict[str, list[str]]:
        """The parts that a run has completed, each with those that it replaces."""
        found: dict[str, list[str]] = {}
        self._fs.invalidate_cache()
        for path in self._fs.find(self._path(_BATCHES)):
            try:
                found[posixpath.basename(path)] = list(json.loads(self._fs.cat_file(path))["replaces"])
            except ValueError:  # not written to its end
                continue
        return found

    def _complete(self) -> set[str]:
        """The parts that count."""
        markers = self._markers()
        return set(markers).difference(*markers.values())

    def _files(self, name: str) -> list[tuple[str, str]]:
        """The files of a data set, each with its part."""
        folder = self._path(name)
        self._fs.invalidate_cache()
        paths = [path for path in self._fs.find(folder) if path.endswith(".parquet")] if self._fs.exists(folder) else []
        return [(path, posixpath.basename(path)[: -len(".parquet")]) for path in paths]

    def _remove_others(self, complete: set[str]) -> None:
        """Removes what does not count: first the files, then the markers, without which these could count again."""
        for name in _SETS:
            for path, part in self._files(name):
                if part not in complete:
                    self._fs.rm_file(path)
        for path in self._fs.find(self._path(_BATCHES)):
            if posixpath.basename(path) not in complete:
                self._fs.rm_file(path)

    def write(self, result: Result) -> None:
        """Adds a part."""
        if result.files.num_rows:
            self._write(result, self._run, [])

    def _write(self, result: Result, run: int, replaces: Sequence[str]) -> None:
        import pyarrow.compute as compute

        part = f"{run:06}-{uuid.uuid4().hex}"
        for name in ("findings", "files"):
            table, by = getattr(result, name), _SETS[name][1]
            for value in sorted(table.column(by).unique().to_pylist()):
                folder = self._path(name, f"{by}={value}")
                self._fs.makedirs(folder, exist_ok=True)
                self._write_file(posixpath.join(folder, f"{part}.parquet"), table.filter(compute.equal(table.column(by), value)).drop_columns([by]))
        self._fs.makedirs(self._path(_BATCHES), exist_ok=True)
        self._fs.pipe_file(self._path(_BATCHES, part), json.dumps({"replaces": list(replaces)}).encode())

    def _write_file(self, path: str, table: Any) -> None:
        import pyarrow.parquet

        with self._fs.open(path, "wb") as file:
            pyarrow.parquet.write_table(table, file, compression="zstd", write_page_checksum=True, store_schema=False)

    def _read(self, name: str, parts: Collection[str]) -> Any:
        """The rows of these parts, with the column `part`."""
        import pyarrow
        import pyarrow.parquet

        columns, by = _SETS[name]
        schema = arrow_schema({**columns, "part": "string"})
        tables = [schema.empty_table()]
        for path, part in self._files(name):
            if part in parts:
                with self._fs.open(path, "rb") as file:
                    table = pyarrow.parquet.ParquetFile(file).read()
                value = posixpath.basename(posixpath.dirname(path)).partition("=")[2]
                for column, text in ((by, value), ("part", part)):
                    table = table.append_column(column, pyarrow.array([text] * table.num_rows, pyarrow.string()))
                tables.append(table.select(schema.names).cast(schema))
        return pyarrow.concat_tables(tables)

    def _latest(self, files: Any) -> tuple[dict[str, int], set[str]]:
        """The latest run of each path, and the parts that have rows of an earlier one."""
        latest: dict[str, int] = {}
        pairs = [(path, part, _run_of(part)) for path, part in zip(files.column("path").to_pylist(), files.column("part").to_pylist())]
        for path, _, run in pairs:
            latest[path] = max(run, latest.get(path, 0))
        return latest, {part for path, part, run in pairs if run < latest[path]}

    def _tables(self, parts: Collection[str], latest: Mapping[str, int] | None = None) -> Result:
        """The rows of these parts that count."""
        import pyarrow

        tables = {name: self._read(name, parts) for name in _SETS}
        known, outdated = self._latest(tables["files"]) if latest is None else (latest, parts)
        if outdated:
            for name, table in tables.items():
                paths, runs = table.column("path").to_pylist(), map(_run_of, table.column("part").to_pylist())
                tables[name] = table.filter(pyarrow.array([known[path] == run for path, run in zip(paths, runs)], pyarrow.bool_()))
        return Result(*(tables[name].drop_columns(["part"]) for name in ("files", "findings")))

    def exists(self) -> bool:
        """Returns true if a part was written."""
        return bool(self._fs.exists(self._path(_BATCHES)))

    def result(self) -> Result:
        """What is in the data sets."""
        return self._tables(self._complete())

    def checked(self) -> dict[str, Checked]:
        """The files that need not be read again. Those that could not be read do. Removes what a run that was ended has left."""
        self._remove_others(self._complete())
        self.remove_outdated()
        files = self._read("files", self._complete()).select(["path", "size", "version", "request", "verdict"]).to_pylist()
        return {row["path"]: Checked(row["size"], row["version"], row["request"]) for row in files if row["verdict"] != "unreadable"}

    def remove_outdated(self) -> None:
        """Writes parts that have rows of files that were checked again once more without these."""
        complete = self._complete()
        latest, outdated = self._latest(self._read("files", complete))
        for part in sorted(outdated):
            self._write(self._tables([part], latest), _run_of(part), [part])
        if outdated:
            self._remove_others(self._complete())


def _run_of(part: str) -> int:
    """The number of the run that a part is of."""
    number = part.partition("-")[0]
    return int(number) if number.isdigit() else 0


def read_result(folder: str | os.PathLike[str], storage_options: Mapping[str, Any] | None = None) -> Result:
    """The results in a folder that :func:`parqproof.lake.check_table` wrote: of all tables that had it as output.

    Raises FileNotFoundError if there are none.
    """
    output = Output(folder, storage_options)
    if not output.exists():
        raise FileNotFoundError(f"{os.fspath(folder)} has no results of parqproof.lake.check_table")
    return output.result()


def of_paths(result: Result, paths: Iterable[str]) -> Result:
    """The rows of these files."""
    import pyarrow
    import pyarrow.compute as compute

    known = pyarrow.array(list(paths), pyarrow.string())
    return Result(*(table.filter(compute.is_in(table.column("path"), known)) for table in (result.files, result.findings)))


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
