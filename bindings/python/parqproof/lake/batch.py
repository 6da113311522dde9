""":func:`check_batch`, the only function that runs on workers."""
from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import weakref
from dataclasses import replace
from multiprocessing import Pipe
from typing import Any, Iterable, Iterator, Sequence

from .. import _check_options
from .entry import FileEntry, Options
from .rows import file_row, joined, lake_finding, record_batch


class _Ended(Exception):
    """The process ended, or had to be ended, before it answered."""


#: The modules are those of this process. With -c the first path is the current folder, whose modules can have the names of others.
_START = "import sys; sys.path[:] = sys.argv[2:]; from parqproof.lake._child import main; main(int(sys.argv[1]))"
_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
#: Starts of a process, if signals end it.
_STARTS = 3
#: poll() has no more milliseconds.
_MAX_SECONDS = 1e6


class _Checker:
    """A process that checks files one by one. Raises RuntimeError if it cannot be started."""

    def __init__(self) -> None:
        with _lock:
            self._connection, other = Pipe()
            with other:
                command = [sys.executable, "-c", _START, str(other.fileno()), *filter(None, sys.path), _PACKAGES]
                self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()])
            _checkers.add(self)

    def _answer(self, timeout: float | None = None) -> Any:
        try:
            if timeout is not None and not self._connection.poll(min(timeout, _MAX_SECONDS)):
                raise _Ended(f"it took longer than {timeout:g} s")
            answer = self._connection.recv()
        except (EOFError, ConnectionError):
            raise _Ended(_how_it_ended(self._process.wait())) from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def wait_until_ready(self) -> None:
        """Waits for the start of the process, or until it has imported what files need. Their time begins after that."""
        self._answer()

    def answers(self, entries: Sequence[FileEntry], options: Options) -> Iterator[tuple[int, Any]]:
        """The number and the RecordBatch of the files, in order. Raises _Ended with the first file that has no answer."""
        rest = len(entries)
        try:
            self._connection.send((entries, options))
        except ConnectionError:  # the answer says how the process ended
            pass
        self.wait_until_ready()
        while rest:
            answer = self._answer(options.timeout)
            rest -= answer[0]
            yield answer

    def close(self) -> int:
        """The exit code."""
        self._connection.close()
        self._process.kill()
        return self._process.wait()

    def forget(self) -> None:
        """In a process that was forked: the other end is the parent's."""
        self._connection.close()


def _started() -> _Checker:
    for start in range(1, _STARTS + 1):
        try:
            checker = _Checker()
        except OSError as failure:
            raise RuntimeError(f"cannot start the process that checks files: {failure}") from failure
        try:
            checker.wait_until_ready()
            return checker
        except _Ended as ended:
            if checker.close() >= 0 or start == _STARTS:
                raise RuntimeError(f"cannot start the process that checks files: {ended}; its standard error may say why") from None
        except BaseException:
            checker.close()
            raise
    raise AssertionError


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"


_idle: list[_Checker] = []
_checkers: weakref.WeakSet[_Checker] = weakref.WeakSet()
_lock = threading.Lock()


def _forget_all() -> None:
    for checker in _checkers:
        checker.forget()
    _idle.clear()
    _lock.release()


# A fork has copies of all connections: of one that is about to be made, too, the end of which would then not be noticed.
os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_all)


@atexit.register
def _close_all() -> None:
    while _idle:
        _idle.pop().close()


def _batches(entries: Sequence[FileEntry], options: Options) -> Iterator[Any]:
    """The RecordBatches of all files. If the process ends, the files that have no answer are tried one by one. The second time a file is the first
    of its process: if it ends that, too, it is checked without its claims, if it has some, and else reported."""
    with _lock:
        checker = _idle.pop() if _idle else None
    done, ends, one_by_one, cause = 0, 0, options.timeout is not None, ""
    try:
        while done < len(entries):
            checker = checker or _started()
            some = entries[done:done + 1] if one_by_one else entries[done:]
            if ends == 2:
                some = [replace(some[0], claims=None)]
            try:
                for count, batch in checker.answers(some, options):
                    made = _without_comparison(batch, cause) if ends == 2 else batch
                    done, ends = done + count, 0
                    yield made
            except _Ended as ended:
                checker.close()
                checker, one_by_one, ends, cause = None, True, ends + 1, str(ended)
                if ends == (3 if _has_comparison(entries[done], options) else 2):
                    yield record_batch(_rows_of_end(entries[done], cause))
                    done, ends = done + 1, 0
    except BaseException:  # of Ctrl-C, or of the options: answers may still come
        if checker is not None:
            checker.close()
        raise
    if checker is not None:
        with _lock:
            _idle.append(checker)


def _has_comparison(entry: FileEntry, options: Options) -> bool:
    """Whether the file is checked, and its claims are compared."""
    return entry.claims is not None and options.claims and entry.row_groups is None and not entry.claims_only


def _without_comparison(batch: Any, cause: str) -> Any:
    row, *findings = batch.to_pylist()
    return record_batch([{**row, "not_compared": f"a process that also compares the claims of this file does not finish: {cause}"}, *findings])


def _rows_of_end(entry: FileEntry, cause: str) -> list[dict[str, Any]]:
    message = f"a process that checks only this file does not finish: {cause}"
    if entry.row_groups is not None:
        return [file_row(entry, "unreadable", kind="piece", error=message)]
    finding = lake_finding(entry, "lake/worker-ended", message)
    return [file_row(entry, "unreadable", errors=1, error=message), {**finding, "verdict": "unreadable"}]


def check_batch(paths: str | FileEntry | Iterable[str | FileEntry], options: Options | None = None) -> Any:
    """Checks files, and returns a pyarrow.RecordBatch with a row of kind ``file`` for each, and one of kind ``finding`` for each finding.

    It never raises for a bad file: one that cannot be read has the verdict ``unreadable`` and the cause in ``error``. A file that ends the
    process that checks it, or needs more than the timeout, is tried alone in another process, and then reported by ``lake/worker-ended``.
    Raises InvalidCall or TypeError for wrong options, and RuntimeError if that process cannot be started.
    """
    if isinstance(paths, (str, os.PathLike, FileEntry)):
        paths = [paths]
    entries = [path if isinstance(path, FileEntry) else FileEntry(os.fspath(path)) for path in paths]
    options = options or Options()
    _check_options(**options.of_check())  # raises here, not for each file
    return joined(_batches(entries, options))
