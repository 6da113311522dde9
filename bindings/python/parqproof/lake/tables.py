"""The files of tables, with what their manifests say."""
from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Mapping
from urllib.parse import unquote

from .._remote import version_of
from .entry import Claims, FileEntry, is_url, listed_entry, local_entry


def files_of(table: Any, storage_options: Mapping[str, Any] | None = None) -> list[FileEntry]:
    """The files of a table, sorted by path.

    table: a ``deltalake.DeltaTable``; a ``pyiceberg.table.Table``; a folder or its URL, whose files ``*.parquet`` are taken, with the
    partition values of Hive (``name=value``) in their paths; a path or URL of a file; or an iterable of these, or of entries.

    Raises OSError if a folder or file cannot be listed, TypeError for another table.
    """
    module = type(table).__module__.split(".")[0]
    if module == "deltalake":
        entries = _of_delta(table)
    elif module == "pyiceberg":
        entries = _of_iceberg(table)
    elif isinstance(table, FileEntry):
        entries = iter([table])
    elif isinstance(table, (str, os.PathLike)):
        entries = _of_path(os.fspath(table), storage_options)
    elif isinstance(table, Iterable):
        entries = (entry for one in table for entry in files_of(one, storage_options))
    else:
        raise TypeError(f"a table is one of deltalake or pyiceberg, a path or URL, or an iterable of these, not {type(table).__name__}")
    return sorted(entries, key=lambda entry: entry.path)


def _joined(base: str, path: str) -> str:
    """The path of a file of a Delta table: relative and quoted, or a URL."""
    path = unquote(path)
    full = path if is_url(path) or path.startswith("/") else f"{base.rstrip('/')}/{path}"
    return full[len("file://"):] if full.startswith("file://") else full


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested mappings by dotted name, without nulls."""
    for name, one in (value or {}).items():
        if isinstance(one, Mapping):
            yield from _leaves(one, f"{prefix}{name}.")
        elif one is not None:
            yield f"{prefix}{name}", one


def _of_delta(table: Any) -> Iterator[FileEntry]:
    import pyarrow

    for action in pyarrow.table(table.get_add_actions(flatten=False)).to_pylist():
        claims = Claims(action.get("num_records"), action["size_bytes"], dict(_leaves(action.get("min"))), dict(_leaves(action.get("max"))),
                        dict(_leaves(action.get("null_count"))), milliseconds=True)
        yield FileEntry(_joined(unquote(table.table_uri), action["path"]), action["size_bytes"], str(action["modification_time"]),
                        action.get("partition") or action.get("partition_values") or {}, claims)


def _of_iceberg(table: Any) -> Iterator[FileEntry]:
    from pyiceberg.conversions import from_bytes

    schema = table.schema()

    def bounds(given: Mapping[int, bytes] | None) -> dict[str | int, Any]:
        types = {number: schema.find_type(number) for number in (given or {}) if schema.find_column_name(number)}
        return {number: from_bytes(kind, given[number]) for number, kind in types.items()}  # type: ignore[index]

    specs = table.specs()
    for task in table.scan().plan_files():
        file = task.file
        names = [field.name for field in specs[file.spec_id].fields]
        claims = Claims(file.record_count, file.file_size_in_bytes, bounds(file.lower_bounds), bounds(file.upper_bounds),
                        dict((file.null_value_counts or {}).items()))
        yield FileEntry(_joined("", file.file_path), file.file_size_in_bytes, "",
                        dict(zip(names, [file.partition[index] for index in range(len(names))])), claims)


def _hive(path: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in path.split("/")[:-1] if "=" in part)
    return {unquote(name): unquote(value) for name, _, value in pairs}


def _of_path(path: str, storage_options: Mapping[str, Any] | None) -> Iterator[FileEntry]:
    if not is_url(path):
        path = os.path.abspath(path)  # workers have other working directories
        if not os.path.isdir(path):
            yield local_entry(path)
            return
        for folder, folders, names in os.walk(path):
            folders[:] = [name for name in folders if not name.startswith((".", "_"))]
            for name in names:
                if name.endswith(".parquet") and not name.startswith((".", "_")):
                    full = os.path.join(folder, name)
                    yield local_entry(full, partition=_hive(os.path.relpath(full, path)))
        return
    import fsspec

    fs, base = fsspec.core.url_to_fs(path, **dict(storage_options or {}))
    if not fs.isdir(base):
        info = fs.info(base)
        yield local_entry(base) if path.startswith("file://") else FileEntry(path, info.get("size"), version_of(info))
        return
    for name, info in fs.find(base, detail=True).items():
        relative = name[len(base):].strip("/")
        hidden = any(part.startswith((".", "_")) for part in relative.split("/"))
        if relative.endswith(".parquet") and not hidden:
            yield listed_entry(fs, {**info, "name": name}, partition=_hive(relative))
