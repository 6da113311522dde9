"""Ends the calls of the library that run when the interpreter exits. A thread that takes the lock of the interpreter after that is ended in the
middle of the frames of the library, which aborts the process."""
from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from contextlib import contextmanager
from typing import Any, Iterator

#: How long the exit waits for calls that were cancelled: a read of their source may take longer, or never end.
WAIT_SECONDS = 5.0

cancellers: "weakref.WeakValueDictionary[int, Any]" = weakref.WeakValueDictionary()
"""By id()."""
_running: set[object] = set()
_begun = False


def has_begun() -> bool:
    return _begun


@contextmanager
def running() -> Iterator[None]:
    """What the exit waits for. Other threads than the main thread are daemons when the exit begins: they end without a message."""
    token = object()
    _running.add(token)  # before the exit is asked for, which looks at the set after it has begun
    try:
        end_thread()
        yield
    except Exception:
        end_thread()
        raise
    finally:
        _running.discard(token)


def end_thread() -> None:
    """Ends another thread than the main thread at exit."""
    if _begun and threading.current_thread() is not threading.main_thread():
        raise SystemExit


def finalize(thing: Any, function: Any, *arguments: Any) -> Any:
    """Calls the function when the thing is gone; never at exit, when a thread may still use it."""
    finalizer = weakref.finalize(thing, function, *arguments)
    finalizer.atexit = False
    return finalizer


@atexit.register
def _end_calls() -> None:
    global _begun
    _begun = True
    for canceller in [reference() for reference in cancellers.valuerefs()]:
        if canceller is not None:
            canceller.cancel()
    end = time.monotonic() + WAIT_SECONDS
    while _running and time.monotonic() < end:
        time.sleep(0.01)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_running.clear)  # the child has no other threads
