"""Reads an object of a filesystem of fsspec by ranges, and notices its change."""
from __future__ import annotations

import asyncio
import re
import time
from contextlib import suppress
from typing import Any, Mapping

MIN_RANGE_BYTES = 64 << 10
MAX_RANGE_BYTES = 8 << 20
MAX_CACHED_RANGES = 8
MAX_CACHED_BYTES = 32 << 20
#: Attempts for a range after the first, and the pause before the first of them, which doubles.
RETRIES = 3
PAUSE_SECONDS = 0.1
#: Statuses of an HTTP server that may be others soon.
_TRANSIENT = (408, 425, 429, 500, 502, 503, 504)

#: What identifies the version of an object, in the info of a filesystem: the first that it has, with the size.
_VERSIONS = ("ETag", "etag", "md5Hash", "generation", "content_md5", "checksum", "LastModified", "last_modified", "Last-Modified", "updated",
             "mtime", "modify", "modificationTime", "created")


class SourceChanged(OSError):
    """The file changed while it was read: what was read of it is of two versions."""


class _FewBytes(ConnectionError):
    pass


class _WrongAnswer(ConnectionError):
    pass


def version_of(info: Mapping[str, Any]) -> str:
    """The version of an object by the info of its filesystem; empty if the filesystem knows none."""
    return next((str(info[name]).strip('"') for name in _VERSIONS if info.get(name) is not None), "")


def _status(failure: BaseException | None) -> int:
    """The status of the answer of an HTTP server; 0 of another failure."""
    return int(getattr(failure, "status", 0)) if type(failure).__module__.startswith("aiohttp") else 0


def _is_permanent(failure: BaseException) -> bool:
    if status := _status(failure):
        return status not in _TRANSIENT
    return isinstance(failure, (SourceChanged, FileNotFoundError, PermissionError, IsADirectoryError, NotImplementedError, TypeError, ValueError)) \
        or type(failure).__name__ in ("FileExpired", "TooManyRedirects")


def _cause(failure: Exception) -> Exception:
    """What an HTTP filesystem of fsspec has as the cause of FileNotFoundError, which it raises for any failure of a request for the info; the failure
    if the object is missing."""
    cause = failure.__cause__
    if not isinstance(failure, FileNotFoundError) or not isinstance(cause, Exception) or _status(cause) in (404, 410):
        return failure
    is_of_http = type(cause).__module__.startswith("aiohttp") or isinstance(cause, (ConnectionError, TimeoutError, asyncio.TimeoutError))
    return cause if is_of_http else failure


def _named(url: str, failure: Exception) -> Exception:
    """The failure of a request for the info as an exception that says what it was."""
    status = _status(failure)
    if not status and not type(failure).__module__.startswith("aiohttp"):
        return failure
    what = f"the server answered with status {status} {getattr(failure, 'message', '')}" if status else f"{type(failure).__name__}: {failure}"
    return (PermissionError if status in (401, 403) else OSError if status else ConnectionError)(f"{url}: {what}".rstrip())


class _CheckedSession:
    """The session of an HTTP file of fsspec, which takes the page of a proxy, or of another version, for the bytes of the object."""

    def __init__(self, session: Any, name: str, size: int, info: Mapping[str, Any]) -> None:
        self._session, self._name, self._size = session, name, size
        self._header = next((header for header in ("ETag", "Last-Modified") if info.get(header)), "")
        self._version = _weak(info.get(self._header))

    async def get(self, url: str, **options: Any) -> Any:
        headers = {"Accept-Encoding": "identity", **options.pop("headers")}  # as of HEAD: a compressed answer has another ETag and length
        answer = await self._session.get(url, headers=headers, **options)
        try:
            self._check(answer.status, answer.headers, headers["Range"])
        except BaseException:
            answer.close()
            raise
        return answer

    def _check(self, status: int, headers: Mapping[str, str], wanted: str) -> None:
        if status not in (200, 206):  # the file raises what it is
            return
        version = _weak(headers.get(self._header))
        if version and version != self._version:
            raise SourceChanged(f"{self._name} changed while it was read: its {self._header} was {self._version}, and is {version}")
        first, _, last = wanted.removeprefix("bytes=").partition("-")
        found = re.fullmatch(r"bytes (\d+)-(\d+)/(\d+|\*)", headers.get("Content-Range", ""))
        if status == 206 and not (found and found[1] == first and int(found[2]) <= int(last) and found[3] in (str(self._size), "*")):
            raise _WrongAnswer(f"{self._name}: the server returned the range {found[0] if found else 'unknown'}, not bytes {first}-{last}/{self._size}")
        length = headers.get("Content-Length", "unknown")
        if status == 200 and length != str(self._size) and not (version and length == "unknown"):
            raise _WrongAnswer(f"{self._name}: the server returned an answer of length {length}, not the object of {self._size} bytes")


def _weak(version: str | None) -> str:
    """Without the mark of a weak ETag, which an answer may lack."""
    return (version or "").removeprefix("W/")


class RemoteFile:
    """A file that reads an object by ranges.

    A read fetches at least MIN_RANGE_BYTES. Each read that continues a range fetches twice as much as the one before, up to MAX_RANGE_BYTES.
    At most MAX_CACHED_BYTES are kept. A failed range is tried again; the exception of the last attempt is raised.
    """

    def __init__(self, url: str, storage_options: Mapping[str, Any] | None = None) -> None:
        import fsspec.implementations.cached

        self.name = url
        self.requests = self.bytes_read = 0
        self._fs, self._path = fsspec.core.url_to_fs(url, **dict(storage_options or {}))
        is_cache = isinstance(self._fs, fsspec.implementations.cached.CachingFileSystem)
        # A cache of fsspec that has no info of its own takes it from the listing of a folder, which not all filesystems have.
        self._info_of = self._fs.fs if is_cache and "info" not in vars(type(self._fs)) else self._fs
        info = self._info()
        if info.get("type") == "directory":
            raise IsADirectoryError(f"{url} is a folder")
        size = info.get("size")
        if size is None:
            raise OSError(f"{url}: the server does not state the size")
        self.size = int(size)
        self.version = version_of(info)
        # Without a cache of its own the file fetches exactly what is asked for; files of s3fs then send If-Match.
        self._file = self._fs.open(self._path, "rb", **({} if is_cache else {"cache_type": "none"}))
        if type(self._file).__name__ == "HTTPFile":
            self._file.session = _CheckedSession(self._file.session, url, self.size, info)
        self._ranges: list[tuple[int, bytes]] = []  # offset, bytes; the last used at the end
        self._position = 0
        self._ahead = MIN_RANGE_BYTES

    def _info(self) -> dict[str, Any]:
        self._fs.invalidate_cache(self._path)
        for attempt in range(RETRIES + 1):
            try:
                self.requests += 1
                return dict(self._info_of.info(self._path))
            except Exception as failure:
                cause = _cause(failure)
                if _is_permanent(cause) or attempt == RETRIES:
                    if (named := _named(self.name, cause)) is failure:
                        raise
                    raise named from cause
                time.sleep(PAUSE_SECONDS * 2**attempt)
        raise AssertionError

    def verify(self, cause: BaseException | None = None) -> None:
        """Raises SourceChanged if the object is no longer the one that was opened, or if the server said so."""
        if type(cause).__name__ == "FileExpired":  # of s3fs: the server rejected the ETag
            raise SourceChanged(f"{self.name} changed while it was read: {cause}") from cause
        try:
            info = self._info()
        except FileNotFoundError as missing:
            raise SourceChanged(f"{self.name} was removed while it was read") from (cause or missing)
        except Exception as failure:
            if cause is not None:  # which is raised
                return
            raise OSError(f"{self.name}: cannot find out whether it changed while it was read: {failure}") from failure
        now = (info.get("size"), version_of(info))
        if now != (self.size, self.version):
            raise SourceChanged(f"{self.name} changed while it was read: it had {self.size} bytes and version {self.version or 'unknown'}, "
                                f"and has {now[0]} bytes and version {now[1] or 'unknown'}") from cause

    def _fetch(self, start: int, end: int) -> bytes:
        pieces: list[bytes] = []
        have, attempt = 0, 0
        while have < end - start:
            try:
                self.requests += 1
                self._file.seek(start + have)
                piece = bytes(self._file.read(end - start - have))
                self.bytes_read += len(piece)
                pieces.append(piece)
                have += len(piece)
                if have < end - start:
                    raise _FewBytes(f"{self.name}: the answer ended at byte {start + have} of {start} to {end}")
            except Exception as failure:
                if _is_permanent(failure) or attempt == RETRIES:
                    raise
                time.sleep(PAUSE_SECONDS * 2**attempt)
                attempt += 1
        return b"".join(pieces)

    def _cached(self, offset: int) -> bytes:
        """The bytes from `offset` on of a range in memory; empty if there is none."""
        for index, (start, data) in enumerate(self._ranges):
            if start <= offset < start + len(data):
                self._ranges.append(self._ranges.pop(index))
                return data[offset - start:] if offset > start else data
        return b""

    def _read_ahead(self, offset: int, count: int) -> bytes:
        continues = any(start + len(data) == offset for start, data in self._ranges)
        self._ahead = min(2 * self._ahead, MAX_RANGE_BYTES) if continues else MIN_RANGE_BYTES
        length = min(max(count, self._ahead), MAX_RANGE_BYTES)
        end = min(offset + length, self.size)
        start = offset
        if end == self.size and not continues:  # the footer is read from its end
            start = max(0, min(offset, self.size - MIN_RANGE_BYTES))
        data = self._fetch(start, end)
        self._ranges.append((start, data))
        while len(self._ranges) > MAX_CACHED_RANGES or sum(len(one) for _, one in self._ranges) > MAX_CACHED_BYTES:
            self._ranges.pop(0)
        return data[offset - start:]

    def read(self, count: int = -1) -> bytes:
        """Fewer bytes than `count` are returned at the end of a range."""
        left = max(0, self.size - self._position)
        count = left if count < 0 else min(count, left)
        if count == 0:
            return b""
        data = (self._cached(self._position) or self._read_ahead(self._position, count))[:count]
        self._position += len(data)
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        self._position = offset + (0, self._position, self.size)[whence]
        return self._position

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._ranges.clear()
        with suppress(AttributeError):  # of a local file in a cache of fsspec (2026.9)
            self._file.close()
