"""The process that checks files for a worker: what breaks it leaves the worker alive.

It says that it is ready by None. A request has entries and options; its answers are None, when all that the files need is imported, and then the number
of files and their RecordBatch, in order. Both ends are processes of the same user and program.
"""
from __future__ import annotations

import io
import json
import os
import signal
import threading
import time
from contextlib import closing
from ctypes import byref, c_void_p
from multiprocessing.connection import Connection
from typing import Any, Sequence

import parqproof
from parqproof import _library
from parqproof._library import LIBRARY
from parqproof._remote import RemoteFile, SourceChanged
from parqproof._text import utf8_text
from parqproof.report import VERDICTS
from parqproof.lake import claims
from parqproof.lake.entry import FileEntry, Options, is_url
from parqproof.lake.reports import CheckedFile, batches_of_reports, prepare_for_reports
from parqproof.lake.rows import file_row, joined, record_batch, rows_of_report

#: Answers are sent together: files, bytes of their reports, and seconds.
FILES, REPORT_BYTES, SECONDS = 128, 1 << 20, 0.5


class _Paths:
    """Checks local files by as few calls as possible: a Report costs as much as the check of a small file."""

    def __init__(self, options: Options) -> None:
        self.made_for = options
        self._options = parqproof._check_options(**options.of_check())
        self._call = _library.Call()
        self._pieces: list[bytes] = []
        self._sink = self._call.sink(self._pieces.append)
        self._error = _library.ErrorStruct()

    def _run(self, name: str, *arguments: Any) -> None:
        status = getattr(LIBRARY, f"parqproof_{name}")(*arguments, byref(self._error))
        if status:
            self._call.finish(status, self._error)

    def report(self, path: str) -> bytes:
        """The object of the file in the JSON report, in a line, with what was found in files that its column chunks name."""
        file, report = c_void_p(), c_void_p()
        self._pieces.clear()
        self._run("open_path", _library.text(path), None, byref(file))
        try:
            self._run("check", file, byref(self._options), byref(report))
            self._run("report_write", report, b"ndjson", None, byref(self._sink))
        finally:
            LIBRARY.parqproof_report_free(report)
            LIBRARY.parqproof_close(file)
        _, first, *named = b"".join(self._pieces).splitlines()[:-1]  # the last is the summary
        return _with_named_files(first, named) if named else first


def _with_named_files(first: bytes, named: list[bytes]) -> bytes:
    """The object of a file with the findings of files that it names, whose messages begin with their path; the verdict is the worst."""
    file = json.loads(first)
    for other in map(json.loads, named):
        file["verdict"] = max(file["verdict"], other["verdict"], key=VERDICTS.index)
        for count in ("errors", "warnings", "infos"):
            file[count] += other[count]
        file["findings"] += ({**finding, "message": f"{other['path']}: {finding['message']}"} for finding in other["findings"])
    return json.dumps(file).encode()


_paths: _Paths | None = None


def _report_of_path(path: str, options: Options) -> bytes:
    global _paths
    if _paths is None or _paths.made_for != options:
        _paths = _Paths(options)
    return _paths.report(path)


class _Opened:
    """An open file, with what was read of it."""

    def __init__(self, entry: FileEntry, options: Options) -> None:
        self.path = entry.path
        if any(part.startswith("memory://") for part in entry.path.split("::")):
            raise OSError(f"{entry.path} is in the memory of another process: files are checked in a process of their own")
        self.remote = RemoteFile(entry.path, options.storage_options) if is_url(entry.path) else None
        self._stat = None if self.remote else os.stat(entry.path)

    @property
    def source(self) -> Any:
        return self.remote or self.path

    @property
    def size(self) -> int:
        return self.remote.size if self.remote else self._stat.st_size  # type: ignore[union-attr]

    @property
    def version(self) -> str:
        return self.remote.version if self.remote else str(self._stat.st_mtime_ns)  # type: ignore[union-attr]

    def verify(self) -> None:
        if self.remote:
            self.remote.verify()
            return
        now = os.stat(self.path)
        if (now.st_size, now.st_mtime_ns) != (self.size, int(self.version)):
            raise SourceChanged(f"{self.path} changed while it was read")

    def stream(self) -> Any:
        """For pyarrow."""
        import pyarrow

        # Bytes: a name may not be UTF-8.
        return io.BufferedReader(_Raw(self.remote)) if self.remote else pyarrow.OSFile(os.fsencode(self.path))

    def close(self) -> None:
        if self.remote:
            self.remote.close()


class _Raw(io.RawIOBase):
    """A remote file as pyarrow wants it."""

    def __init__(self, remote: RemoteFile) -> None:
        super().__init__()
        self._remote, self._offset = remote, 0

    def readinto(self, into: Any) -> int:
        self._remote.seek(self._offset)
        piece = self._remote.read(len(into))
        into[: len(piece)] = piece
        self._offset += len(piece)
        return len(piece)

    def seek(self, offset: int, whence: int = 0) -> int:
        self._offset = offset + (0, self._offset, self._remote.size)[whence]
        return self._offset

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True


def _has_geo(source: Any) -> bool:
    """Whether the footer has the metadata of GeoParquet, which is about the values of all row groups."""
    try:
        fields = parqproof.meta(source)["fields"]
    except parqproof.Error:
        return False
    pairs: list[Any] = next((field.get("elements", []) for field in fields if field.get("name") == "key_value_metadata"), [])
    return any(member.get("name") == "key" and member.get("value") == "geo" for pair in pairs for member in pair.get("fields", []))


def check_entry(entry: FileEntry, options: Options) -> list[dict[str, Any]]:
    """The rows of a file. Any failure to read it is a row with the verdict ``unreadable``."""
    begun = time.perf_counter()
    try:
        with closing(_Opened(entry, options)) as opened:
            return _check_opened(entry, options, opened, begun)
    except parqproof.InvalidCall:  # the options are wrong: of all files
        raise
    except Exception as failure:
        return [_unreadable(entry, failure, begun)]


def _unreadable(entry: FileEntry, failure: Exception, begun: float) -> dict[str, Any]:
    return file_row(entry, "unreadable", error=utf8_text(f"{type(failure).__name__}: {failure}"), seconds=time.perf_counter() - begun)


def _report(entry: FileEntry, options: Options, opened: _Opened) -> dict[str, Any]:
    """The object of the file in the JSON report."""
    if entry.row_groups is None and not opened.remote:
        return dict(json.loads(_report_of_path(entry.path, options)))
    arguments = options.of_check()
    if entry.row_groups is not None:
        arguments.update(row_groups=entry.row_groups, limit=0)
    report = parqproof.check(opened.source, **arguments, named_files=False, name=entry.path)
    return dict(report._files[0])  # `files` parses the report again


def _check_opened(entry: FileEntry, options: Options, opened: _Opened, begun: float) -> list[dict[str, Any]]:
    if entry.claims_only:
        findings, notes = claims.compare(entry, opened.stream, opened.size, True)
        opened.verify()
        return [file_row(entry, "", kind="claims", not_compared=utf8_text("; ".join(notes)) or None, report=opened.version), *findings]
    file = _report(entry, options, opened)
    findings, notes = [], []
    if entry.claims is not None and options.claims and entry.row_groups is None:
        is_proved = file["verdict"] == "conforming" and options.tier == "values" and not (options.ignore or options.only or options.severity)
        findings, notes = claims.compare(entry, opened.stream, opened.size, is_proved)
    if entry.row_groups == (0, 0) and _has_geo(opened.source):
        file["needs_complete_check"] = True
    opened.verify()
    remote = opened.remote
    rows = rows_of_report(entry, file, not_compared=utf8_text("; ".join(notes)) or None, seconds=time.perf_counter() - begun,
                          requests=remote.requests if remote else None, bytes_read=remote.bytes_read if remote else None)
    if entry.row_groups is not None:
        return [{**rows[0], "kind": "piece", "report": json.dumps({"row_groups": entry.row_groups, "version": opened.version, "file": file})}]
    rows[0]["version"] = entry.version or opened.version
    return rows + [{**one, "verdict": file["verdict"]} for one in findings]


def main(descriptor: int) -> None:
    """Ends when the worker is gone. A call in the main thread would begin a thread for each file, to be interruptible."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the worker, which ends this process
    os.dup2(2, 1)  # what libraries print is no output of the worker
    server = threading.Thread(target=_serve, args=[Connection(descriptor)], name="parqproof files")
    server.start()
    server.join()


def _serve(connection: Connection[Any, Any]) -> None:
    prepare_for_reports()
    connection.send(None)
    while True:
        try:
            entries, options = connection.recv()
            _prepare(entries)
            connection.send(None)
            _answer(connection, entries, options)
        except parqproof.InvalidCall as failure:
            connection.send(failure)
        except (EOFError, ConnectionError):  # the worker is gone
            return
        except MemoryError:  # the process ends, and its file is tried alone
            raise
        except Exception as failure:  # of no file: all files would be tried alone, and end their processes
            connection.send(RuntimeError(f"the process that checks files failed: {type(failure).__name__}: {failure}"))


def _is_plain(entry: FileEntry) -> bool:
    """Whether it is a local file that is only checked."""
    return not is_url(entry.path) and entry.claims is None and entry.row_groups is None and not entry.claims_only


def _prepare(entries: Sequence[FileEntry]) -> None:
    """Imports what the files need."""
    others = [entry for entry in entries if not _is_plain(entry)]
    if not others:
        return
    import pyarrow.parquet  # noqa: F401

    record_batch([])  # imports pandas, if there is any
    others = [entry for entry in others if is_url(entry.path)]
    if not others:
        return
    import fsspec

    for protocol in {fsspec.utils.get_protocol(part) for entry in others for part in entry.path.split("::")}:
        try:
            fsspec.get_filesystem_class(protocol)
        except Exception:  # of the files, which are unreadable
            continue


class _Answer:
    """Files that were checked, in order, until their RecordBatch is sent."""

    def __init__(self, connection: Connection[Any, Any]) -> None:
        self._connection, self._sent = connection, time.monotonic()
        self._files: list[CheckedFile] = []
        self._batches: list[Any] = []
        self.count = 0

    def add(self, entry: FileEntry, options: Options) -> None:
        self.count += 1
        begun = time.perf_counter()
        try:
            if not _is_plain(entry):
                self._batches.append(record_batch(check_entry(entry, options)))
                return
            opened = _Opened(entry, options)
            report = _report_of_path(entry.path, options)
            opened.verify()
            self._files.append(CheckedFile(entry, opened.version, time.perf_counter() - begun, report))
        except parqproof.InvalidCall:  # the options are wrong: of all files
            raise
        except Exception as failure:
            self._batches.append(record_batch([_unreadable(entry, failure, begun)]))

    def is_full(self) -> bool:
        size = len(self._files[-1].report) if self._files else 0  # of the last: a long one is sent at once
        return self.count >= FILES or size >= REPORT_BYTES or time.monotonic() - self._sent >= SECONDS

    def send(self) -> None:
        made = batches_of_reports(self._files) if self._files else []
        self._connection.send((self.count, joined([*made, *self._batches])))


def _answer(connection: Connection[Any, Any], entries: Sequence[FileEntry], options: Options) -> None:
    answer = _Answer(connection)
    for entry in entries:
        answer.add(entry, options)
        if answer.is_full() or is_url(entry.path):
            answer.send()
            answer = _Answer(connection)
    if answer.count:
        answer.send()
