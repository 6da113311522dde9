""":func:`check_batch`, the only function that runs on workers."""
from __future__ import annotations

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
from typing import Any, Iterable, Sequence

from ._child import read_frame, write_frame
from .entry import FileEntry, Options
from .rows import file_row, lake_finding, record_batch


class _Ended(Exception):
    """The process ended, or had to be ended, before it answered."""


class _Checker:
    """A process that checks files one by one."""

    def __init__(self) -> None:
        paths = [path for path in sys.path if path and os.path.exists(path)]
        self.process = subprocess.Popen([sys.executable, "-c", "from parqproof.lake._child import main; main()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})

    def rows(self, entry: FileEntry, options: Options) -> list[dict[str, Any]]:
        assert self.process.stdin and self.process.stdout
        try:
            write_frame(self.process.stdin, (entry, options))
            if options.timeout is not None and not select.select([self.process.stdout], [], [], options.timeout)[0]:
                self.process.kill()
                self.process.wait()
                raise _Ended(f"it took longer than {options.timeout:g} s")
            answer = read_frame(self.process.stdout)
        except (EOFError, BrokenPipeError):
            raise _Ended(_how_it_ended(self.process.wait())) from None
        if isinstance(answer, Exception):
            raise answer
        return list(answer)

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


def _rows(entry: FileEntry, options: Options) -> list[dict[str, Any]]:
    """The rows of a file. If the process of many files ends with it, it is tried alone in a new one."""
    with _lock:
        checker = _idle.pop() if _idle else None
    cause = None
    for attempt in range(2):
        checker = checker or _Checker()
        try:
            rows = checker.rows(entry, options)
        except _Ended as ended:
            checker.close()
            checker, cause = None, ended
        except BaseException:  # of Ctrl-C, or of the options: the answer may still come
            checker.close()
            raise
        else:
            with _lock:
                _idle.append(checker)
            return rows
    message = f"a process that checks only this file does not finish: {cause}"
    if entry.row_groups is not None:
        return [file_row(entry, "unreadable", kind="piece", error=message)]
    finding = lake_finding(entry, "lake/worker-ended", message)
    return [file_row(entry, "unreadable", errors=1, error=message), {**finding, "verdict": "unreadable"}]


def check_batch(paths: Sequence[str | FileEntry] | Iterable[str | FileEntry], options: Options | None = None) -> Any:
    """Checks files, and returns a pyarrow.RecordBatch with a row of kind ``file`` for each, and one of kind ``finding`` for each finding.

    It never raises for a bad file: one that cannot be read has the verdict ``unreadable`` and the cause in ``error``. A file that ends the
    process that checks it, or needs more than the timeout, is tried alone in another process, and then reported by ``lake/worker-ended``.
    Raises InvalidCall for wrong options.
    """
    options = options or Options()
    rows: list[dict[str, Any]] = []
    for path in paths:
        rows += _rows(path if isinstance(path, FileEntry) else FileEntry(os.fspath(path)), options)
    return record_batch(rows)
