"""Opens what the functions take as a source."""
from __future__ import annotations

import ctypes
import io
import os
import stat
import threading
import weakref
from ctypes import byref, c_int, c_size_t, c_ssize_t, c_void_p
from typing import Any, Callable, Mapping

from . import _arguments, _calls, _exit, _library
from ._library import LIBRARY, Call
from ._remote import RemoteFile

#: Bytes in memory that are kept to open them again.
KEPT_BYTES = 1 << 20


class _Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [("buf", c_void_p), ("obj", ctypes.py_object), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", ctypes.c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


def is_url(source: Any) -> bool:
    return isinstance(source, str) and "://" in source


def open_url(url: str, storage_options: Mapping[str, Any] | None) -> RemoteFile:
    """An object of a filesystem of fsspec."""
    try:
        import fsspec
    except ImportError as missing:
        raise ImportError(f"parqproof: {url} is a URL, which needs the package fsspec: pip install 'parqproof[fsspec]'") from missing
    try:
        fsspec.get_filesystem_class(fsspec.utils.get_protocol(url))
    except ValueError as unknown:
        raise _library.InvalidCall(f"{url}: {unknown}") from None
    return RemoteFile(url, storage_options)


class _Stream:
    """A seekable binary file, which several calls can read in turns. It has its position again when the last of them ends."""

    _streams: "weakref.WeakValueDictionary[int, _Stream]" = weakref.WeakValueDictionary()  # by id() of the file, which a stream keeps alive
    _streams_lock = threading.Lock()

    def __init__(self, file: Any) -> None:
        self.file = file
        self._lock = threading.RLock()
        self._calls = 0
        self._position = 0

    @classmethod
    def of(cls, file: Any) -> "_Stream":
        with cls._streams_lock:
            stream = cls._streams.get(id(file))
            if stream is None:
                stream = cls._streams[id(file)] = cls(file)
            return stream

    def begin(self) -> None:
        with self._lock:
            if self._calls == 0:
                self._position = self._seek(0, os.SEEK_CUR)
            self._calls += 1

    def end(self) -> None:
        with self._lock:
            self._calls -= 1
            if self._calls == 0 and not getattr(self.file, "closed", False):
                self.file.seek(self._position)

    def size(self) -> int:
        if isinstance(self.file, RemoteFile):
            return self.file.size
        with self._lock:
            return self._seek(0, os.SEEK_END)

    def _seek(self, offset: int, whence: int) -> int:
        position = self.file.seek(offset, whence)
        return int(self.file.tell() if position is None else position)

    def read(self, offset: int, count: int) -> bytes:
        pieces: list[bytes] = []
        with self._lock:
            self.file.seek(offset)
            done = 0
            while done < count:
                data = self.file.read(count - done)
                if not isinstance(data, (bytes, bytearray, memoryview)):
                    raise TypeError(f"read() of the source returned {type(data).__name__}, not bytes: open it in binary mode")
                if not data:
                    raise EOFError(f"the source has no bytes at {offset + done}, although its size was {offset + count} or more")
                pieces.append(bytes(data))
                if len(pieces[-1]) > count - done:
                    raise ValueError(f"read({count - done}) of the source returned {len(pieces[-1])} bytes")
                done += len(pieces[-1])
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _version_of(status: os.stat_result) -> tuple[int, int]:
    return status.st_size, status.st_mtime_ns


def _version_of_stream(file: Any) -> tuple[int, int] | None:
    try:
        return _version_of(os.fstat(file.fileno()))
    except (AttributeError, OSError, TypeError, ValueError):  # it is no file of the system
        return None


def identity(target: Any) -> Any:
    """What the same file has, opened in another way; None of what is no file."""
    try:
        status = os.stat(target) if isinstance(target, (str, os.PathLike)) else os.fstat(target.fileno())
    except (AttributeError, OSError, TypeError, ValueError):
        return None
    return status.st_dev, status.st_ino


class File:
    """An open file of the library. A context: closed at its end."""

    def __init__(self, source: Any, *, name: str | None = None, keys: Mapping[str, Any] | str | os.PathLike[str] | None = None,
                 footer_at: int | None = None, storage_options: Mapping[str, Any] | None = None) -> None:
        self.call = Call()
        self.handle = c_void_p()
        self.name = name
        self._to_close: Any = None
        self._remote: RemoteFile | None = None
        self._stream: _Stream | None = None  # of the caller's file
        self.version: tuple[int, Any] | None = None
        """The size, and what changes if the file does; None if that is not known."""
        self.again: Any = None
        """The source of the same bytes later, whose `version` may be another; None if there is none: changes of bytes in memory are not noticed."""
        options = _library.defaults("open", _library.OpenOptions)
        options.keys = _arguments.keys_text("keys", keys)
        options.footer_at = _arguments.number_or_none("footer_at", footer_at)
        _arguments.text_or_none("name", name)
        self._source = source
        self._finalizer = _exit.finalize(self, _close, self.handle, self.call)
        try:
            self._open(source, options, _arguments.storage(storage_options))
        except BaseException:
            self.close()
            raise

    def _open(self, source: Any, options: Any, storage_options: dict[str, Any]) -> None:
        if is_url(source):
            self.name = self.name or source
            self.again = source
            source = self._to_close = open_url(source, storage_options)
        elif isinstance(source, (str, os.PathLike)):
            path = os.fspath(source)
            path = os.fsdecode(path)
            self.name = self.name or path
            self.again = path
            options.name = _arguments.text("name", self.name)
            status = os.stat(path)
            self.version = _version_of(status)
            if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):  # raises what open() does, which would wait for the other end of a pipe
                open(path, "rb").close()
            self.call.run("open_path", _arguments.text("the path", path), byref(options), byref(self.handle))
            return
        elif hasattr(source, "open") and hasattr(source, "fs") and not hasattr(source, "read"):  # fsspec.core.OpenFile
            if "r" not in source.mode:  # another would truncate the file
                raise _library.InvalidCall(f"{source.full_name} is to be opened with mode {source.mode!r}, and not to be read")
            self.name = self.name or source.full_name
            source = self._to_close = source.open()
        if isinstance(source, RemoteFile):
            self._remote = source
            self.version = (source.size, source.version) if source.version else None
            self.again = self.again if self.version else None
            self.name = self.name or source.name
        if hasattr(source, "read") and hasattr(source, "seek"):
            self._open_stream(source, options)
            return
        self._open_buffer(source, options)

    def _open_stream(self, source: Any, options: Any) -> None:
        if isinstance(source, io.TextIOBase):
            raise TypeError("the source is a text file: open it in binary mode")
        seekable = getattr(source, "seekable", None)
        if seekable is not None and not seekable():
            raise _library.InvalidCall("the source is not seekable: read it into bytes first")
        if self.name is None:
            name = getattr(source, "name", None)
            self.name = name if isinstance(name, str) else "-"
        options.name = _arguments.text("name", self.name)
        if self._remote is None:
            self.version = _version_of_stream(source)
            if self.version is not None:
                self.again = self._source
            elif isinstance(source, io.BytesIO):
                data = source.getvalue()  # which is shared until the next write
                self.again = data if len(data) <= KEPT_BYTES else None
        stream = _Stream.of(source)
        if self._to_close is None and self._remote is None:
            stream.begin()
            self._stream = stream

        size, read = self.call.by_caller(stream.size), self.call.by_caller(stream.read)

        def file_size(user: Any, bytes_: Any) -> None:
            bytes_[0] = size()

        reader = _library.ReaderStruct(
            file_size=self.call.callback(_library.FileSize, file_size),
            read=self.call.callback(_library.Read, lambda user, offset, address, count: ctypes.memmove(address, read(offset, count), count)))
        _calls.run_call(lambda control: self.call.run("open_reader", byref(reader), byref(options), byref(self.handle)), [self.call])

    def _open_buffer(self, source: Any, options: Any) -> None:
        try:
            view = memoryview(source)
        except TypeError:
            raise TypeError(f"parqproof: a source is a path, bytes, a seekable binary file, an fsspec file or URL, not "
                            f"{type(source).__name__}") from None
        self.name = self.name or "-"
        options.name = _arguments.text("name", self.name)
        if not view.c_contiguous:
            view = memoryview(bytes(view))
        buffer = _Buffer()
        ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(view), byref(buffer), 0)
        self.call.at_close(lambda: ctypes.pythonapi.PyBuffer_Release(byref(buffer)), view.release)
        if view.nbytes <= KEPT_BYTES:
            self.again = source if isinstance(source, bytes) else bytes(view)
        self.call.run("open_bytes", buffer.buf, c_size_t(buffer.len), byref(options), byref(self.handle))

    def is_also(self, target: Any) -> bool:
        """Whether a target is this file. The library compares paths."""
        mine = self._remote._file if self._remote else self._source
        return target is mine or identity(mine) is not None and identity(mine) == identity(target)

    def close(self) -> None:
        self._finalizer()
        if self._to_close is not None:
            self._to_close.close()
        if self._stream is not None:
            self._stream.end()
            self._stream = None

    def verify(self, failure: Exception | None = None) -> None:
        """Raises SourceChanged if an object changed during a call, which has failed."""
        if self._remote is not None and not isinstance(failure, _library.InvalidCall):
            self._remote.verify(failure)

    def run(self, work: Callable[[Any], None], *others: Call) -> None:
        """Runs `work`, which calls the library with this file and the control; calls of other files that it uses are `others`. Raises SourceChanged
        if an object changed meanwhile."""
        try:
            _calls.run_call(work, [self.call, *others])
        except Exception as failure:
            self.verify(failure)
            raise
        self.verify()

    def collect(self, name: str, *arguments: Any) -> bytes:
        """The output of a function whose last parameters are control, sink and error."""
        pieces: list[bytes] = []
        sink = self.call.sink(pieces.append)
        self.run(lambda control: self.call.run(name, self.handle, *arguments, control, byref(sink),
                                               partial=lambda: _library.parsed(b"".join(pieces))))
        return b"".join(pieces)

    def __enter__(self) -> "File":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def _close(handle: c_void_p, call: Call) -> None:
    if call.is_abandoned:
        return
    if handle:
        LIBRARY.parqproof_close(handle)
        handle.value = None
    call.close()
