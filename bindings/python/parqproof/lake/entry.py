"""What is checked: :class:`FileEntry`, with the :class:`Claims` of a manifest."""
from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from typing import Any, Mapping, Sequence

from .. import InvalidCall, __version__
from .._remote import version_of
from .._text import utf8_text


@dataclass(frozen=True)
class Undecodable:
    """A bound that is no value of the type of its column."""

    found: str
    """As the manifest has it: a text, or bytes in hex."""
    kind: str


@dataclass(frozen=True)
class Claims:
    """What the manifest of a table says about a file. What it does not say is None, or not in the mapping.

    Columns are dotted names, or ids of fields (int), as of Iceberg.
    """

    record_count: int | None = None
    file_size: int | None = None
    lower_bounds: Mapping[str | int, Any] = field(default_factory=dict)
    upper_bounds: Mapping[str | int, Any] = field(default_factory=dict)
    null_counts: Mapping[str | int, int] = field(default_factory=dict)
    milliseconds: bool = False
    """Bounds of timestamps are truncated to milliseconds, as those of Delta."""
    names: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """The dotted names that a column of an id can have in files without ids of fields."""


_BACKSLASH = re.compile(r"\\(?=x[0-9a-f]{2})")


@dataclass(frozen=True)
class FileEntry:
    """A file to check."""

    path: str
    """A path, or a URL of fsspec."""
    size: int | None = None
    """Bytes, as listed or as the manifest says."""
    version: str = ""
    """The ETag or modification time of the stored object, if it has just been listed; else empty."""
    partition: Mapping[str, Any] = field(default_factory=dict)
    """The partition values of the file."""
    claims: Claims | None = None
    row_groups: tuple[int, int] | None = None
    """Only these row groups are checked: a piece of a large file."""
    claims_only: bool = False
    """Only the claims are compared, of a file that was found ``conforming`` piece by piece."""
    request: str = ""
    """A digest of the options and claims with which :func:`check_table` checks the file."""

    @property
    def name(self) -> str:
        r"""The path in the results. No two paths have the same: a backslash that could be taken for one of a byte that is not UTF-8 is ``\x5c``."""
        return utf8_text(_BACKSLASH.sub(r"\\x5c", self.path))


@dataclass(frozen=True)
class Options:
    """How files are checked: options of :func:`parqproof.check`, and of the processes."""

    tier: str = "values"
    profile: str = "strict"
    edition: str | None = None
    limit: int = 100
    advice: bool = False
    ignore: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    severity: Mapping[str, str] = field(default_factory=dict)
    max_page: int | None = None
    max_memory: int | None = None
    storage_options: Mapping[str, Any] = field(default_factory=dict)
    claims: bool = True
    """Claims of manifests are compared with the files."""
    timeout: float | None = None
    """Max seconds for a file, without the start of the process; a file that takes longer is reported like one that ends its process."""
    cut_bytes: int | None = 1 << 30
    """Files of more bytes are cut by row groups into pieces of about this size; None: never. Not with `advice`, `ignore`, `only` and `severity`:
    what they add or leave out may depend on several row groups."""

    def __post_init__(self) -> None:
        if self.timeout is not None and not self.timeout > 0:
            raise InvalidCall(f"timeout is {self.timeout}, and not a number of seconds above 0")

    def of_check(self) -> dict[str, Any]:
        """The arguments of :func:`parqproof.check`."""
        names = ("tier", "profile", "edition", "limit", "advice", "ignore", "only", "severity", "max_page", "max_memory")
        return {name: getattr(self, name) for name in names}


def request_of(entry: FileEntry, options: Options) -> str:
    """What the rows of a file depend on, apart from the file."""
    asked = (__version__, options.of_check(), entry.claims if options.claims else None)
    return hashlib.blake2b(repr(asked).encode(), digest_size=16).hexdigest()


def is_url(path: str) -> bool:
    return "://" in path


def local_path(path: str) -> str:
    """The path of a URL of a local file: ``/a`` of ``file:/a`` and ``file:///a``."""
    if not path.startswith("file:/"):
        return path
    path = path[len("file:"):]
    return path[len("//"):] if path.startswith("//") else path


def local_entry(path: str, **members: Any) -> FileEntry:
    """The entry of a local file, with its size and modification time."""
    status = os.stat(path)
    return FileEntry(path, status.st_size, str(status.st_mtime_ns), **members)


def listed_entry(fs: Any, info: Mapping[str, Any], chain: str = "", **members: Any) -> FileEntry:
    """The entry of an object, by the info of its filesystem. `chain`: the URL that was listed, which may name further filesystems."""
    url = fs.unstrip_protocol(info["name"])
    links = chain.split("::")
    if len(links) > 1:  # such as zip://folder::s3://bucket/a.zip, or simplecache::s3://bucket/folder
        first = next(number for number, link in enumerate(links) if is_url(link))
        return FileEntry("::".join([*links[:first], url, *links[first + 1:]]), info.get("size"), version_of(info), **members)
    name = local_path(url)
    if not is_url(name):
        return local_entry(name, **members)
    return FileEntry(name, info.get("size"), version_of(info), **members)
