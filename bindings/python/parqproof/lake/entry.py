"""What is checked: :class:`FileEntry`, with the :class:`Claims` of a manifest."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Mapping

from .._remote import version_of


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


@dataclass(frozen=True)
class FileEntry:
    """A file to check."""

    path: str
    """A path, or a URL of fsspec."""
    size: int | None = None
    """Bytes, as listed."""
    version: str = ""
    """The ETag or modification time, as listed; empty if not known."""
    partition: Mapping[str, Any] = field(default_factory=dict)
    """The partition values of the file."""
    claims: Claims | None = None
    row_groups: tuple[int, int] | None = None
    """Only these row groups are checked: a piece of a large file."""
    claims_only: bool = False
    """Only the claims are compared, of a file that was found ``conforming`` piece by piece."""


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
    """Max seconds for a file; a file that takes longer is reported like one that ends its process."""
    cut_bytes: int | None = 1 << 30
    """Files of more bytes are cut by row groups into pieces of about this size; None: never."""

    def of_check(self) -> dict[str, Any]:
        """The arguments of :func:`parqproof.check`."""
        names = ("tier", "profile", "edition", "limit", "advice", "ignore", "only", "severity", "max_page", "max_memory")
        return {name: getattr(self, name) for name in names}


def is_url(path: str) -> bool:
    return "://" in path


def local_entry(path: str, **members: Any) -> FileEntry:
    """The entry of a local file, with its size and modification time."""
    status = os.stat(path)
    return FileEntry(path, status.st_size, str(status.st_mtime_ns), **members)


def listed_entry(fs: Any, info: Mapping[str, Any], **members: Any) -> FileEntry:
    """The entry of an object, by the info of its filesystem."""
    name = fs.unstrip_protocol(info["name"])
    if name.startswith("file://"):
        return local_entry(name[len("file://"):], **members)
    return FileEntry(name, info.get("size"), version_of(info), **members)
