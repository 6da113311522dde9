""":func:`check_batch`, the only function that runs on workers."""
from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
from typing import Any, Iterable, Iterator, Sequence

from ._child import read_frame, write_frame
from .entry import FileEntry, Options
from .rows import file_row, joined, lake_finding, record_batch


class _Ended(Exception):
    """The process ended, or had to be ended, before it answered."""


class _Checker:
    """A process that checks files one by one."""

    def __init__(self) -> None:
        paths = [path for path in sys.path if path and os.path.exists(path)]
        self.process = subprocess.Popen([sys.executable, "-c", "from parqproof.lake._child import main; main()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})

    def answers(self, entries: Sequence[FileEntry], options: Options) -> Iterator[tuple[int, Any]]:
        """The number and the RecordBatch of the files, in order. Raises _Ended with the first file that has no answer."""
        assert self.process.stdin and self.process.stdout
        rest = len(entries)
        try:
            write_frame(self.process.stdin, (entries, options))
            while rest:
                if options.timeout is not None and not select.select([self.process.stdout], [], [], options.timeout)[0]:
                    self.process.kill()
                    self.process.wait()
                    raise _Ended(f"it took longer than {options.timeout:g} s")
                answer = read_frame(self.process.stdout)
                if isinstance(answer, Exception):
                    raise answer
                rest -= answer[0]
                yield answer
        except (EOFError, BrokenPipeError):
            raise _Ended(_how_it_ended(self.process.wait())) from None

    def close(self) -> None:
        if self.process.stdin:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


_idle: list[_Checker] = []
_lock = threading.Lock()


@atexit.register
def _close_all() -> None:
    while _idle:
        _idle.pop().close()


def _batches(entries: Sequence[FileEntry], options: Options) -> Iterator[Any]:
    """The RecordBatches of all files. If the process ends, the files that have no answer are tried one by one, and one that ends the process
    again is reported: the second time it is the first of its process."""
    with _lock:
        checker = _idle.pop() if _idle else None
    done, ends, one_by_one = 0, 0, options.timeout is not None
    try:
        while done < len(entries):
            checker = checker or _Checker()
            try:
                for count, batch in checker.answers(entries[done:done + 1] if one_by_one else entries[done:], options):
                    done, ends = done + count, 0
                    yield batch
            except _Ended as ended:
                checker.close()
                checker, one_by_one, ends = None, True, ends + 1
                if ends == 2:
                    yield record_batch(_rows_of_end(entries[done], ended))
                    done, ends = done + 1, 0
    except BaseException:  # of Ctrl-C, or of the options: answers may still come
        if checker is not None:
            checker.close()
        raise
    if checker is not None:
        with _lock:
            _idle.append(checker)


def _rows_of_end(entry: FileEntry, ended: _Ended) -> list[dict[str, Any]]:
    message = f"a process that checks only this file does not finish: {ended}"
    if entry.row_groups is not None:
        return [file_row(entry, "unreadable", kind="piece", error=message)]
    finding = lake_finding(entry, "lake/worker-ended", message)
    return [file_row(entry, "unreadable", errors=1, error=message), {**finding, "verdict": "unreadable"}]


def check_batch(paths: str | FileEntry | Iterable[str | FileEntry], options: Options | None = None) -> Any:
    """Checks files, and returns a pyarrow.RecordBatch with a row of kind ``file`` for each, and one of kind ``finding`` for each finding.

    It never raises for a bad file: one that cannot be read has the verdict ``unreadable`` and the cause in ``error``. A file that ends the
    process that checks it, or needs more than the timeout, is tried alone in another process, and then reported by ``lake/worker-ended``.
    Raises InvalidCall for wrong options.
    """
    if isinstance(paths, (str, os.PathLike, FileEntry)):
        paths = [paths]
    entries = [path if isinstance(path, FileEntry) else FileEntry(os.fspath(path)) for path in paths]
    return joined(_batches(entries, options or Options()))
