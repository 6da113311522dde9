"""The results as data sets of Parquet, and what they are for: resuming, and leaving files out."""
from __future__ import annotations

import json
import os
import posixpath
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Collection, Iterable, Mapping, NamedTuple, Sequence, TypeVar

from .._library import InvalidCall
from ..report import VERDICTS
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


#: Attempts to read results that another run changes.
_ATTEMPTS = 5
_T = TypeVar("_T")
#: Parts, each with its files.
Parts = Mapping[str, Sequence[str]]


class Marker(NamedTuple):
    """What completes a part."""

    replaces: Sequence[str]
    files: Sequence[str]


class OutputChanged(OSError):
    """Another run wrote into the output at the same time, and replaced rows of this one."""


class Output:
    """A folder, or its URL, with the data sets ``files`` (partitioned by verdict) and ``findings`` (by severity).

    A part is a file in each partition that it has rows of, ``files/verdict=VERDICT/PART.parquet``. It counts once there is ``_batches/PART``, which
    is written last and has the names of its files and of the part that it replaces; other files are of a run that was ended. The name of a part
    begins with that of its run, a number and a random word: of a path the rows of the latest part count. So a run can end at any time: no row is
    lost, and none is there twice.

    Stores have no locks. Of two runs at once the latest has the rows of a path, too, so that no path is there twice. The run that begins can remove
    files of a part that the other is writing, as of a run that was ended: that part does not count, since its files are not all there, and
    the other run ends with OutputChanged.
    """

    def __init__(self, folder: str | os.PathLike[str], storage_options: Mapping[str, Any] | None = None) -> None:
        import fsspec

        self._fs, self._base = fsspec.core.url_to_fs(os.fspath(folder), **dict(storage_options or {}))
        self._run = f"{1 + max(map(_number_of, self._markers()), default=0):06}-{uuid.uuid4().hex[:8]}"

    def _path(self, *parts: str) -> str:
        return posixpath.join(self._base, *parts)

    def _marker_paths(self) -> list[str]:
        self._fs.invalidate_cache()
        return sorted(self._fs.find(self._path(_BATCHES)))

    def _markers(self) -> dict[str, Marker]:
        """The parts that a run has completed."""
        found: dict[str, Marker] = {}
        for path in self._marker_paths():
            try:
                found[posixpath.basename(path)] = Marker(**json.loads(self._fs.cat_file(path)))
            except (ValueError, TypeError, FileNotFoundError):  # not written to its end, or removed meanwhile
                continue
        return found

    def _files(self) -> dict[str, str]:
        """The files of the data sets, below the folder, each with its part."""
        self._fs.invalidate_cache()
        folders = [folder for folder in map(self._path, _SETS) if self._fs.exists(folder)]
        paths = [path[len(self._base):].lstrip("/") for folder in folders for path in self._fs.find(folder) if path.endswith(".parquet")]
        return {path: posixpath.basename(path)[: -len(".parquet")] for path in paths}

    def _complete(self) -> Parts:
        """The parts that count."""
        while True:
            paths, markers, files = self._marker_paths(), self._markers(), self._files()
            if paths == self._marker_paths():  # else another run has replaced parts meanwhile
                break
        found = {part: marker for part, marker in markers.items() if files.keys() >= set(marker.files)}
        replaced = {part for marker in found.values() for part in marker.replaces}
        return {part: marker.files for part, marker in found.items() if part not in replaced}

    def _remove(self, parts: Collection[str]) -> None:
        """Removes first the files, then the markers, without which files of a run that was ended could not be distinguished from others."""
        files = [self._path(path) for path, part in self._files().items() if part in parts]
        markers = [path for path in self._marker_paths() if posixpath.basename(path) in parts]
        for path in (*files, *markers):
            try:
                self._fs.rm_file(path)
            except FileNotFoundError:  # another run was first
                continue

    def write(self, result: Result) -> None:
        """Adds a part."""
        if result.files.num_rows:
            self._write(result, self._run, [])

    def _write(self, result: Result, run: str, replaces: Sequence[str]) -> None:
        import pyarrow.compute as compute

        part = f"{run}-{uuid.uuid4().hex}"
        files = []
        for name in ("findings", "files"):
            table, by = getattr(result, name), _SETS[name][1]
            for value in sorted(table.column(by).unique().to_pylist()):
                folder = posixpath.join(name, f"{by}={value}")
                self._fs.makedirs(self._path(folder), exist_ok=True)
                files.append(posixpath.join(folder, f"{part}.parquet"))
                self._write_file(self._path(files[-1]), table.filter(compute.equal(table.column(by), value)).drop_columns([by]))
        self._fs.makedirs(self._path(_BATCHES), exist_ok=True)
        self._fs.pipe_file(self._path(_BATCHES, part), json.dumps({"replaces": list(replaces), "files": files}).encode())

    def _write_file(self, path: str, table: Any) -> None:
        import pyarrow.parquet

        with self._fs.open(path, "wb") as file:
            pyarrow.parquet.write_table(table, file, compression="zstd", write_page_checksum=True, store_schema=False)

    def _read(self, name: str, parts: Parts) -> Any:
        """The rows of these parts, with the column `part`."""
        import pyarrow
        import pyarrow.parquet

        columns, by = _SETS[name]
        schema = arrow_schema({**columns, "part": "string"})
        tables = [schema.empty_table()]
        for part, path in ((part, path) for part, paths in parts.items() for path in paths if path.startswith(f"{name}/")):
            with self._fs.open(self._path(path), "rb") as file:
                table = pyarrow.parquet.ParquetFile(file).read()
            value = posixpath.basename(posixpath.dirname(path)).partition("=")[2]
            for column, text in ((by, value), ("part", part)):
                table = table.append_column(column, pyarrow.array([text] * table.num_rows, pyarrow.string()))
            tables.append(table.select(schema.names).cast(schema))
        return pyarrow.concat_tables(tables)

    def _latest(self, files: Any) -> tuple[dict[str, str], set[str]]:
        """The latest part of each path, and the parts that have rows of earlier ones."""
        latest: dict[str, str] = {}
        pairs = list(zip(files.column("path").to_pylist(), files.column("part").to_pylist()))
        for path, part in pairs:
            latest[path] = max(part, latest.get(path, part), key=_rank)
        return latest, {part for path, part in pairs if part != latest[path]}

    def _tables(self, parts: Parts, latest: Mapping[str, str] | None = None) -> Result:
        """The rows of these parts that count."""
        tables = {name: self._read(name, parts) for name in _SETS}
        known, outdated = self._latest(tables["files"]) if latest is None else (latest, parts)
        if outdated:
            tables = {name: _rows_of_latest(table, known) for name, table in tables.items()}
        return Result(*(tables[name].drop_columns(["part"]) for name in ("files", "findings")))

    def exists(self) -> bool:
        """Returns true if a part was written."""
        return bool(self._fs.exists(self._path(_BATCHES)))

    def result(self) -> Result:
        """What is in the data sets."""
        return self._undisturbed(lambda: self._tables(self._complete()))

    def checked(self) -> dict[str, Checked]:
        """The files that were checked; those that could not be read were not. Removes what a run that was ended has left."""
        complete = self._complete()
        self._remove({*self._files().values(), *map(posixpath.basename, self._marker_paths())} - complete.keys())
        self.remove_outdated()
        files = self._undisturbed(lambda: self._read("files", self._complete()))
        rows = _rows_of_latest(files, self._latest(files)[0]).select(["path", "size", "version", "request", "verdict"]).to_pylist()
        return {row["path"]: Checked(row["size"], row["version"], row["request"]) for row in rows if row["verdict"] != "unreadable"}

    def remove_outdated(self) -> None:
        """Writes parts that have rows of files that were checked again once more without these."""
        self._undisturbed(self._remove_outdated)

    def _remove_outdated(self) -> None:
        complete = self._complete()
        latest, outdated = self._latest(self._read("files", complete))
        for part in sorted(outdated):
            rest = self._tables({part: complete[part]}, latest)
            if rest.files.num_rows:
                self._write(rest, part.rpartition("-")[0], [part])
        if outdated:
            self._remove(outdated)

    def _undisturbed(self, work: Callable[[], _T]) -> _T:
        """What the work returns. It is done again if another run has meanwhile removed a part that it reads."""
        for _ in range(_ATTEMPTS):
            try:
                return work()
            except FileNotFoundError as removed:
                cause = removed
        raise OutputChanged(f"other runs replace the results in {self._base} all the time") from cause


def _number_of(part: str) -> int:
    """The number of the run that a part is of."""
    number = part.partition("-")[0]
    return int(number) if number.isdigit() else 0


def _rank(part: str) -> tuple[int, str]:
    """The order of parts: by the number of their run, then by its random word."""
    return _number_of(part), part


def _rows_of_latest(table: Any, latest: Mapping[str, str]) -> Any:
    """The rows of the latest part of each path."""
    import pyarrow

    pairs = zip(table.column("path").to_pylist(), table.column("part").to_pylist())
    return table.filter(pyarrow.array([latest.get(path) == part for path, part in pairs], pyarrow.bool_()))


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


#: Rules of claims: the data is as good as the verdict says, and the manifest is wrong.
_CLAIMS = ("lake/bound", "lake/file-size", "lake/null-count", "lake/record-count")


def skip_list(result: Result, tolerate: Iterable[str] = ()) -> dict[str, str]:
    """The paths that a job should leave out, each with its reasons: files that are not ``conforming`` or of a tolerated verdict, and files of
    which the manifest has a false claim.

    tolerate: verdicts, of ``unsupported``, ``limit``, ``nonconforming``, ``malformed`` and ``unreadable``.

    Raises InvalidCall for another word.
    """
    good = {"conforming", *([tolerate] if isinstance(tolerate, str) else tolerate)}
    if not good <= set(VERDICTS):
        raise InvalidCall(f"tolerate: {', '.join(map(repr, sorted(good - set(VERDICTS))))} is none of the verdicts {', '.join(VERDICTS)}")
    reasons: dict[str, dict[str, int]] = {}
    claimed: dict[str, dict[str, int]] = {}
    for row in result.findings.select(["path", "rule", "severity", "fault_class", "times"]).to_pylist():
        if row["rule"] in _CLAIMS:
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
