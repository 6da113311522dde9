"""The process that checks files for a worker: what breaks it leaves the worker alive. Frames of pickle on standard input and output.

Both ends are processes of the same user and program.
"""
from __future__ import annotations

import io
import json
import os
import pickle
import signal
import struct
import sys
import threading
import time
from contextlib import closing
from typing import Any, BinaryIO

import parqproof
from parqproof._remote import RemoteFile, SourceChanged
from parqproof.lake import claims
from parqproof.lake.entry import FileEntry, Options, is_url
from parqproof.lake.rows import file_row, rows_of_report

LENGTH = struct.Struct("<Q")


def write_frame(stream: BinaryIO, value: Any) -> None:
    data = pickle.dumps(value)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: BinaryIO) -> Any:
    """Raises EOFError if the other end is gone."""
    head = stream.read(LENGTH.size)
    data = stream.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else b""
    if len(head) < LENGTH.size or len(data) < LENGTH.unpack(head)[0]:
        raise EOFError
    return pickle.loads(data)


class _Opened:
    """An open file, with what was read of it."""

    def __init__(self, entry: FileEntry, options: Options) -> None:
        self.path = entry.path
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
        return io.BufferedReader(_Raw(self.remote)) if self.remote else self.path

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
    pairs = next((field.get("elements", []) for field in fields if field.get("name") == "key_value_metadata"), [])
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
        cause = f"{type(failure).__name__}: {failure}"
        return [file_row(entry, "unreadable", error=cause, seconds=time.perf_counter() - begun)]


def _check_opened(entry: FileEntry, options: Options, opened: _Opened, begun: float) -> list[dict[str, Any]]:
    if entry.claims_only:
        findings, notes = claims.compare(entry, opened.stream, opened.size, True)
        opened.verify()
        return [file_row(entry, "", kind="claims", not_compared="; ".join(notes) or None, report=opened.version), *findings]
    arguments = options.of_check()
    if entry.row_groups is not None:
        arguments.update(row_groups=entry.row_groups, limit=0)
    # The column chunks of other files are checked with these files.
    report = parqproof.check(opened.source, **arguments, named_files=False, name=entry.path)
    file = dict(report._files[0])  # `files` parses the report again
    findings, notes = [], []
    if entry.claims is not None and options.claims and entry.row_groups is None:
        is_proved = file["verdict"] == "conforming" and options.tier == "values" and not (options.ignore or options.only or options.severity)
        findings, notes = claims.compare(entry, opened.stream, opened.size, is_proved)
    if entry.row_groups == (0, 0) and _has_geo(opened.source):
        file["needs_complete_check"] = True
    opened.verify()
    remote = opened.remote
    rows = rows_of_report(entry, file, not_compared="; ".join(notes) or None, seconds=time.perf_counter() - begun,
                          requests=remote.requests if remote else None, bytes_read=remote.bytes_read if remote else None)
    if entry.row_groups is not None:
        return [{**rows[0], "kind": "piece", "report": json.dumps({"row_groups": entry.row_groups, "version": opened.version, "file": file})}]
    rows[0]["version"] = entry.version or opened.version
    return rows + [{**one, "verdict": file["verdict"]} for one in findings]


def main() -> None:
    """Ends when the worker is gone. A call in the main thread would begin a thread for each file, to be interruptible."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the worker, which ends this process
    server = threading.Thread(target=_serve, name="parqproof files")
    server.start()
    server.join()


def _serve() -> None:
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is not part of a frame
    while True:
        try:
            entry, options = read_frame(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer: Any = check_entry(entry, options)
        except parqproof.InvalidCall as failure:
            answer = failure
        write_frame(output, answer)


if __name__ == "__main__":
    main()
