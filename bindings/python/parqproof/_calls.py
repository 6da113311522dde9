"""Runs calls of the library so that a signal ends them. Nothing here is public.

A call runs in a thread of its own. What it needs of the caller, such as bytes of a file, the thread of the caller does meanwhile: a file is used
by the thread that has it, and a read that waits ends by the exception of a signal."""
from __future__ import annotations

import os
import queue
import threading
import time
from ctypes import byref, c_void_p
from typing import Any, Callable, Sequence

from . import _exit
from ._library import LIBRARY, Call, Control, Error, pointer

_SECONDS = 0.1  # after which a wait looks whether it was cancelled


class Canceller:
    """Ends calls from another thread."""

    is_cancelled = False

    def __init__(self) -> None:
        self.handle = c_void_p()
        Call().run("canceller_new", byref(self.handle))
        self.control = Control(canceller=self.handle)
        _exit.cancellers[id(self)] = self

    def cancel(self) -> None:
        self.is_cancelled = True
        LIBRARY.parqproof_canceller_cancel(self.handle)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            LIBRARY.parqproof_canceller_free(self.handle)


class _Request:
    """What the thread of the caller is to do."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.arguments = function, arguments
        self.value: Any = None
        self.failure: BaseException | None = None
        self.is_done = threading.Event()

    def do(self) -> None:
        try:
            self.value = self.function(*self.arguments)
        except BaseException as failure:  # noqa: B902: it ends the call
            self.failure = failure
            if not isinstance(failure, Exception):  # of a signal
                raise
        finally:
            self.is_done.set()


class _End:
    def __init__(self, failure: BaseException | None) -> None:
        self.failure = failure


class RunningCall:
    """A call that runs in a thread of its own, seen by the thread of its caller."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls
        self._canceller = Canceller()
        self.control = pointer(self._canceller.control)
        self._inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._process = os.getpid()
        self._gate = threading.Lock()
        self._is_working = False
        self._done = threading.Event()

    def begin(self, work: Callable[[Any], None]) -> None:
        """Raises RuntimeError at exit."""
        if _exit.has_begun():
            raise RuntimeError("the interpreter exits")

        def run() -> None:
            failure: BaseException | None = None
            with _exit.running():  # until `_done` is set
                with self._gate:
                    if self._canceller.is_cancelled:  # by a signal in start()
                        return
                    self._is_working = True
                try:
                    work(self.control)
                except BaseException as raised:  # noqa: B902: the caller raises it
                    failure = raised
                self._inbox.put(_End(failure))
                self._done.set()

        self._answer(self._ask)
        threading.Thread(target=run, name="parqproof", daemon=True).start()

    def run_here(self, work: Callable[[Any], None]) -> None:
        self._answer(None)
        work(self.control)

    def _answer(self, ask: Callable[..., Any] | None) -> None:
        for call in self._calls:
            call.ask = ask

    def _ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """The value that a function has in the thread of the caller."""
        request = _Request(function, arguments)
        self._inbox.put(request)
        while not request.is_done.wait(_SECONDS):
            if self._canceller.is_cancelled:
                raise Error("the call was cancelled")
        if request.failure is not None:
            raise request.failure
        return request.value

    def put(self, thing: Any, free: threading.Semaphore) -> None:
        """Gives a thing to the caller, when there is room for it."""
        while not free.acquire(timeout=_SECONDS):
            if self._canceller.is_cancelled:
                return
        self._inbox.put(thing)

    def take(self) -> Any:
        """The next thing that the thread has put; None at its end. Raises what has ended the call."""
        while True:
            if self._process != os.getpid():
                raise Error("the call was begun by another process, before a fork")
            try:
                message = self._inbox.get(timeout=_SECONDS)
            except queue.Empty:
                _exit.end_thread()
                continue
            if isinstance(message, _Request):
                message.do()
            elif not isinstance(message, _End):
                return message
            elif message.failure is None:
                return None
            else:
                if _exit.has_begun():  # which has cancelled the call
                    _exit.end_thread()
                    raise Error("the interpreter exits")
                raise message.failure

    def end(self) -> None:
        """Ends the call. Its files are abandoned if its thread is not known to have ended: the interpreter exits, and has already waited for the
        thread, or this is a forked process, which does not have it."""
        while True:
            try:
                if self._process != os.getpid() or not self._has_ended():
                    for call in self._calls:
                        call.is_abandoned = True
                return
            except BaseException:  # noqa: B902: of another signal; the first one is raised
                continue

    def _has_ended(self) -> bool:
        with self._gate:
            self._canceller.cancel()
            is_working = self._is_working
        most = None
        while is_working and not self._done.wait(_SECONDS):
            if _exit.has_begun():
                most = most or time.monotonic() + _exit.WAIT_SECONDS
                if time.monotonic() > most:
                    return False
        self._answer(None)
        return True


def run_call(work: Callable[[Any], None], calls: Sequence[Call]) -> None:
    """Runs `work` with the control of its call. The exception of a signal is raised after the call has ended."""
    running = RunningCall(calls)
    try:
        try:
            running.begin(work)
        except RuntimeError:  # at exit there are no new threads (CPython 3.12)
            running.run_here(work)
            return
        running.take()
    finally:
        running.end()
