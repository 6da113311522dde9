"""The functions of libparqproof (bindings/c/parqproof.h), by ctypes. Nothing here is public."""
from __future__ import annotations

import ctypes
import json
import os
from ctypes import POINTER, byref, c_char, c_char_p, c_int8, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p, sizeof
from pathlib import Path
from typing import Any, Callable

from . import _exit
from ._text import in_words_of_module

#: The interface that this module is written for.
ABI_VERSION = 1
#: A number that is not given.
NONE = 2**64 - 1

OK, INVALID_ARGUMENT, IO, CALLBACK, CANCELLED, BROKEN, UNSUPPORTED, NO_MEMORY, INTERNAL = range(9)


class Error(Exception):
    """A call could not do its work. No function raises it for what :func:`parqproof.check` can report."""


class InvalidCall(Error, ValueError):
    """An argument has a wrong value: an unknown rule, word, fault or column."""


class FileBroken(Error):
    """The file breaks a rule, so that rows or metadata end early. ``partial`` has what could be read, or is None."""

    partial: Any = None


class Unsupported(Error):
    """Something is not supported, lacks a key, exceeds a limit, or is not in the file. ``partial`` is as of FileBroken."""

    partial: Any = None


class Sized(ctypes.Structure):
    """A struct with the member `size`, which is set."""

    def __init__(self, **members: Any) -> None:
        super().__init__(size=sizeof(type(self)), **members)


class ErrorStruct(Sized):
    _fields_ = [("size", c_size_t), ("code", c_int32), ("callback_code", c_int32), ("message", c_char * 1008)]


Write = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)
FileSize = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(c_uint64))
Read = ctypes.CFUNCTYPE(c_int32, c_void_p, c_uint64, c_void_p, c_size_t)
Poll = ctypes.CFUNCTYPE(c_int32, c_void_p)


class SinkStruct(Sized):
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("write", Write)]


class Control(Sized):
    _fields_ = [("size", c_size_t), ("canceller", c_void_p), ("poll", Poll), ("user", c_void_p)]


class ReaderStruct(Sized):
    _fields_ = [("size", c_size_t), ("user", c_void_p), ("file_size", FileSize), ("read", Read)]


class OpenOptions(Sized):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("keys", c_char_p), ("footer_at", c_uint64)]


class Limits(Sized):
    _fields_ = [("size", c_size_t), ("max_page", c_uint64), ("max_memory", c_uint64), ("max_work", c_uint64),
                ("max_depth", c_uint64)]


Texts = POINTER(c_char_p)


class CheckOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("tier", c_char_p), ("profile", c_char_p), ("edition", c_char_p), ("limit", c_uint64),
        ("ignore", Texts), ("ignore_count", c_size_t), ("only", Texts), ("only_count", c_size_t),
        ("severity", Texts), ("severity_count", c_size_t), ("first_row_group", c_uint64), ("end_row_group", c_uint64),
        ("threads", c_uint32), ("advice", c_uint8), ("excerpts", c_uint8), ("with_named_files", c_uint8),
        ("fail_on_warning", c_uint8), ("limits", POINTER(Limits)), ("control", POINTER(Control)),
    ]


class RowOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("columns", Texts), ("column_count", c_size_t), ("first_row", c_uint64), ("end_row", c_uint64),
        ("limit", c_uint64), ("lookup", c_char_p), ("damaged", c_char_p), ("physical", c_uint8), ("ignore_crc", c_uint8),
        ("limits", POINTER(Limits)), ("control", POINTER(Control)),
    ]


class Target(Sized):
    _fields_ = [("size", c_size_t), ("path", c_char_p), ("sink", POINTER(SinkStruct))]


class RewriteOptions(Sized):
    _fields_ = [
        ("size", c_size_t), ("encodings", Texts), ("encoding_count", c_size_t), ("bloom_filters", Texts),
        ("bloom_filter_count", c_size_t), ("columns", Texts), ("column_count", c_size_t), ("compression", c_char_p),
        ("profile", c_char_p), ("encryption", c_char_p), ("shrink", c_char_p), ("schema_from", c_void_p),
        ("page_bytes", c_uint64), ("page_rows", c_uint64), ("row_group_rows", c_uint64), ("page_version", c_uint32),
        ("statistics", c_int8), ("page_index", c_int8), ("checksums", c_int8), ("salvage", c_uint8), ("scrub", c_uint8),
        ("limits", POINTER(Limits)), ("control", POINTER(Control)),
    ]


#: What messages with a text mean here, whatever their status.
_STATUS_BY_TEXT = (("--lookup: no column is named", INVALID_ARGUMENT),)

#: By the name in parqproof.h, without its prefix. A test compares their sizes with those of the C compiler.
STRUCTS = {
    "error": ErrorStruct, "sink": SinkStruct, "control": Control, "reader": ReaderStruct, "open_options": OpenOptions,
    "limits": Limits, "check_options": CheckOptions, "row_options": RowOptions, "target": Target,
    "rewrite_options": RewriteOptions,
}

_POINTERS = {struct: POINTER(struct) for struct in (Control, Limits, SinkStruct)}


def pointer(struct: Any) -> Any:
    """That of ctypes makes new types after a subinterpreter has imported it (CPython 3.11), which its structs refuse."""
    return _POINTERS[type(struct)](struct)


_CONTROL, _SINK, _ERROR = POINTER(Control), POINTER(SinkStruct), POINTER(ErrorStruct)
_SIGNATURES: dict[str, list[Any]] = {
    "canceller_new": [POINTER(c_void_p), _ERROR],
    "open_path": [c_char_p, POINTER(OpenOptions), POINTER(c_void_p), _ERROR],
    "open_bytes": [c_void_p, c_size_t, POINTER(OpenOptions), POINTER(c_void_p), _ERROR],
    "open_reader": [POINTER(ReaderStruct), POINTER(OpenOptions), POINTER(c_void_p), _ERROR],
    "check": [c_void_p, POINTER(CheckOptions), POINTER(c_void_p), _ERROR],
    "report_unreadable": [c_char_p, c_char_p, POINTER(CheckOptions), POINTER(c_void_p), _ERROR],
    "report_write": [c_void_p, c_char_p, c_void_p, _SINK, _ERROR],
    "rows": [c_void_p, POINTER(RowOptions), _SINK, _SINK, _ERROR],
    "layout_json": [c_void_p, c_int32, _CONTROL, _SINK, _ERROR],
    "meta_json": [c_void_p, _CONTROL, _SINK, _ERROR],
    "schema_json": [c_void_p, _CONTROL, _SINK, _ERROR],
    "schema_text": [c_void_p, _CONTROL, _SINK, _ERROR],
    "rules_json": [_SINK, _ERROR],
    "explain_text": [c_char_p, _SINK, _ERROR],
    "explain_json": [c_char_p, _SINK, _ERROR],
    "rewrite": [c_void_p, POINTER(RewriteOptions), POINTER(Target), _SINK, POINTER(c_int32), _ERROR],
    "faults_json": [c_void_p, c_uint64, _CONTROL, _SINK, _ERROR],
    "mutate": [c_void_p, c_char_p, c_uint64, _CONTROL, POINTER(Target), _SINK, _ERROR],
}


def native_folder() -> Path:
    """The folder of the library and the program: PARQPROOF_NATIVE, or that of the wheel."""
    return Path(os.environ.get("PARQPROOF_NATIVE") or Path(__file__).parent / "native")


def _load() -> ctypes.CDLL:
    folder = native_folder()
    names = [f"libparqproof.so.{ABI_VERSION}", f"libparqproof.{ABI_VERSION}.dylib", "parqproof.dll"]
    path = next((folder / name for name in names if (folder / name).exists()), None)
    if path is None:
        raise ImportError(f"parqproof: {folder} has none of {', '.join(names)}; install the wheel, or set PARQPROOF_NATIVE "
                          "to the build folder of a checkout")
    library = ctypes.CDLL(str(path))
    library.parqproof_abi_version.restype = c_uint32
    if library.parqproof_abi_version() != ABI_VERSION:
        raise ImportError(f"parqproof: {path} has another ABI version than {ABI_VERSION}")
    for name, arguments in _SIGNATURES.items():
        getattr(library, f"parqproof_{name}").argtypes = arguments
    for name in ("version", "spec_commit"):
        getattr(library, f"parqproof_{name}").restype = c_char_p
    library.parqproof_main.argtypes = [c_int32, POINTER(c_char_p)]
    for name in ("canceller_cancel", "canceller_free", "close", "report_free"):
        function = getattr(library, f"parqproof_{name}")
        function.argtypes, function.restype = [c_void_p], None
    for name, struct in (("open", OpenOptions), ("check", CheckOptions), ("row", RowOptions), ("rewrite", RewriteOptions)):
        function = getattr(library, f"parqproof_{name}_options_init")
        function.argtypes, function.restype = [POINTER(struct)], None
    return library


LIBRARY = _load()


def defaults(kind: str, struct: type) -> Any:
    """Options with the defaults of the library."""
    options = struct()
    getattr(LIBRARY, f"parqproof_{kind}_options_init")(byref(options))
    return options


def text(value: str, name: str = "a text") -> bytes:
    """A text for the library, which ends at the first NUL."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is of type {type(value).__name__}, not str")
    try:
        data = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise InvalidCall(f"{name} has a character that is not Unicode") from None
    if b"\0" in data:
        raise InvalidCall(f"{name} has a NUL character")
    return data


class Call:
    """One call of the library: keeps its callbacks alive, and the first exception that one of them raised."""

    def __init__(self) -> None:
        self.failure: BaseException | None = None
        #: Calls a function, with a tuple of arguments, in the thread of the caller; None while this is that.
        self.ask: Callable[..., Any] | None = None
        #: A thread that is not known to have ended may use the file, which stays open.
        self.is_abandoned = False
        self._kept: list[Any] = []
        self._at_close: list[Callable[[], Any]] = []

    def at_close(self, *functions: Callable[[], Any]) -> None:
        """What gives up the memory that the library uses until then."""
        self._at_close += functions

    def close(self) -> None:
        while self._at_close:
            self._at_close.pop(0)()

    def keep(self, thing: Any) -> Any:
        self._kept.append(thing)
        return thing

    def callback(self, kind: Any, function: Callable[..., Any]) -> Any:
        """A callback that returns 0, or 1 after an exception."""

        def call(*arguments: Any) -> int:
            try:
                function(*arguments)
                return 0
            except BaseException as failure:  # noqa: B902: it is raised again by run()
                if self.failure is None:
                    self.failure = failure
                return 1

        return self.keep(kind(call))

    def by_caller(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, which the thread of the caller does."""
        return lambda *arguments: function(*arguments) if self.ask is None else self.ask(function, arguments)

    def sink(self, write: Callable[[bytes], Any]) -> SinkStruct:
        """A sink that gives each piece to `write`."""
        take = self.callback(Write, lambda user, address, count: write(ctypes.string_at(address, count)))
        sink = SinkStruct(write=take)
        self.keep(sink)
        return sink

    def finish(self, status: int, error: ErrorStruct, partial: Any = None) -> None:
        """Raises what the status says."""
        if status == OK:
            return
        message = error.message.decode("utf-8", "replace")
        status = next((given for text, given in _STATUS_BY_TEXT if text in message), status)
        message = in_words_of_module(message)
        if self.failure is not None:
            raise self.failure from Error(message)
        kinds = {INVALID_ARGUMENT: InvalidCall, BROKEN: FileBroken, UNSUPPORTED: Unsupported}
        if status == IO:
            raise OSError(message)
        if status == NO_MEMORY:
            raise MemoryError(message)
        failure = kinds.get(status, Error)(message)
        if isinstance(failure, (FileBroken, Unsupported)):
            failure.partial = partial
        raise failure

    def run(self, name: str, *arguments: Any, partial: Callable[[], Any] = lambda: None) -> None:
        """Calls a function whose last parameter is the error."""
        error = ErrorStruct()
        with _exit.running():
            status = getattr(LIBRARY, f"parqproof_{name}")(*arguments, byref(error))
            self.finish(status, error, partial() if status in (BROKEN, UNSUPPORTED) else None)


def collect(name: str, *arguments: Any) -> bytes:
    """The output of a function whose last parameters are a sink and the error."""
    call = Call()
    pieces: list[bytes] = []
    sink = call.sink(pieces.append)
    call.run(name, *arguments, byref(sink), partial=lambda: parsed(b"".join(pieces)))
    return b"".join(pieces)


def parsed(output: bytes) -> Any:
    """The value of JSON that may have ended early; None if there is none."""
    try:
        return json.loads(output)
    except ValueError:
        return None
