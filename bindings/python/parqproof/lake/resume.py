"""Which files need not be checked again: those whose stored object is the one that was checked, by the same request."""
from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Iterable, Iterator, Mapping, NamedTuple, Sequence

from .._remote import version_of
from .entry import FileEntry, is_url, local_entry

#: Objects are looked at by so many threads, so many objects at a time.
_THREADS, _AT_A_TIME = 32, 32


class Checked(NamedTuple):
    """What a file was when it was checked, and the request."""

    size: int | None
    version: str
    request: str


def unchecked(entries: Iterable[FileEntry], checked: Mapping[str, Checked], storage_options: Mapping[str, Any]) -> list[FileEntry]:
    """The entries that are to be checked.

    An entry with a version has been listed. A manifest states what was written, not what is stored: the object of an entry without a version is
    looked at, if there are rows of the same request, which costs a request of a store. It may have changed if that fails, or if no version is known.
    """
    rest, unlisted = [], []
    for entry in entries:
        found = checked.get(entry.name)
        if found is None or found.request != entry.request or not found.version:
            rest.append(entry)
        elif entry.version and entry.size is not None:
            if (found.size, found.version) != (entry.size, entry.version):
                rest.append(entry)
        else:
            unlisted.append(entry)
    now = _stored([entry.path for entry in unlisted], storage_options)
    return rest + [entry for entry, state in zip(unlisted, now) if state != checked[entry.name][:2]]


def _stored(paths: Sequence[str], storage_options: Mapping[str, Any]) -> Iterator[tuple[int | None, str] | None]:
    """The size and version of each object; None if it cannot be looked at."""
    places = [_place(path, storage_options) for path in paths]
    for fs in {id(fs): fs for fs, _ in places if fs is not None}.values():
        fs.invalidate_cache()
    some = [places[first:first + _AT_A_TIME] for first in range(0, len(places), _AT_A_TIME)]
    with ThreadPoolExecutor(_THREADS, thread_name_prefix="parqproof lake") as pool:
        for states in pool.map(lambda few: [_state(*one) for one in few], some):
            yield from states


def _place(path: str, storage_options: Mapping[str, Any]) -> tuple[Any, str]:
    """The filesystem of a URL, and the path in it. In another thread fsspec would make another filesystem, with connections of its own."""
    if not is_url(path):
        return None, path
    import fsspec

    try:
        fs, inside = fsspec.core.url_to_fs(path, **dict(storage_options))
        return fs, str(inside)
    except Exception:  # a filesystem that only workers have: there is no such local file
        return None, path


def _state(fs: Any, path: str) -> tuple[int | None, str] | None:
    try:
        if fs is None:
            entry = local_entry(path)
            return entry.size, entry.version
        info = fs.info(path)
        return info.get("size"), version_of(info)
    except Exception:
        return None
