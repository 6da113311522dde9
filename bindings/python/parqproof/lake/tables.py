"""The files of tables, with what their manifests say."""
from __future__ import annotations

import errno
import os
from typing import Any, Iterable, Iterator, Mapping
from urllib.parse import unquote

from .._remote import version_of
from .delta import files_of_delta
from .entry import Claims, FileEntry, Undecodable, is_url, listed_entry, local_entry, local_path


def files_of(table: Any, storage_options: Mapping[str, Any] | None = None) -> list[FileEntry]:
    """The files of a table, sorted by path.

    table: a ``deltalake.DeltaTable``; a ``pyiceberg.table.Table``, of which the data files and delete files of the current snapshot are taken that are
    Parquet; a folder or its URL, whose files ``*.parquet`` are taken, with the partition values of Hive (``name=value``) in their paths, without
    names that begin with a dot, or with an underscore unless they are partitions; a path or URL of a file; or an iterable of these, or of entries.

    Raises what the filesystem raises if a folder or file cannot be listed, TypeError for another table. A path of an iterable that cannot be found,
    and is no local folder, is an entry, which ends as ``unreadable`` with the cause.
    """
    module = type(table).__module__.split(".")[0]
    if module == "deltalake":
        entries = files_of_delta(table, storage_options)
    elif module == "pyiceberg":
        entries = _of_iceberg(table)
    elif isinstance(table, FileEntry):
        entries = iter([table])
    elif isinstance(table, (str, os.PathLike)):
        entries = _of_path(os.fspath(table), storage_options)
    elif isinstance(table, Iterable):
        entries = (entry for one in table for entry in _of_item(one, storage_options))
    else:
        raise TypeError(f"a table is one of deltalake or pyiceberg, a path or URL, or an iterable of these, not {type(table).__name__}")
    return sorted(entries, key=lambda entry: entry.path)


def _of_item(one: Any, storage_options: Mapping[str, Any] | None) -> Iterable[FileEntry]:
    try:
        return files_of(one, storage_options)
    except (ImportError, TypeError):
        raise
    except Exception:  # of the filesystem, whatever it raises for this path
        if not isinstance(one, (str, os.PathLike)):
            raise
        path = local_path(os.fspath(one))
        if is_url(path) or not path:
            return [FileEntry(path)]
        if _is_folder(path):
            raise
        return [FileEntry(os.path.abspath(path))]


def _is_folder(path: str) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:  # a path with a zero byte
        return False


def _of_iceberg(table: Any) -> Iterator[FileEntry]:
    from pyiceberg.conversions import from_bytes
    from pyiceberg.manifest import FileFormat

    schema, specs = table.schema(), table.specs()
    columns = _names_of_columns(table)

    def bound(number: int, data: bytes) -> Any:
        kind = schema.find_type(number)
        try:
            return from_bytes(kind, data)
        except Exception:
            return Undecodable(f"0x{bytes(data).hex()}", str(kind))

    def bounds(given: Mapping[int, bytes] | None) -> dict[str | int, Any]:
        return {number: bound(number, data) for number, data in (given or {}).items() if schema.find_column_name(number)}

    snapshot = table.current_snapshot()
    for manifest in snapshot.manifests(table.io) if snapshot else ():
        for manifest_entry in manifest.fetch_manifest_entry(table.io):
            file = manifest_entry.data_file
            if file.file_format != FileFormat.PARQUET:
                continue
            names = [field.name for field in specs[file.spec_id].fields]
            lower, upper, nulls = bounds(file.lower_bounds), bounds(file.upper_bounds), dict((file.null_value_counts or {}).items())
            # Only of these columns, so that the claims of a file stay when the table gets another column.
            claimed = {number: columns[number] for number in sorted({*lower, *upper, *nulls}) if number in columns}
            claims = Claims(file.record_count, file.file_size_in_bytes, lower, upper, nulls, names=claimed)
            partition = dict(zip(names, [file.partition[index] for index in range(len(names))]))
            yield FileEntry(local_path(file.file_path), file.file_size_in_bytes, partition=partition, claims=claims)


def _names_of_columns(table: Any) -> dict[int, list[str]]:
    """The dotted names of columns by id, of the name mapping of an Iceberg table; without one of its schema."""
    mapping = table.name_mapping()
    if mapping is None:
        schema = table.schema()
        return {number: [schema.find_column_name(number)] for number in schema.field_ids}
    found: dict[int, list[str]] = {}

    def add(fields: Iterable[Any], prefixes: list[str]) -> None:
        for field in fields:
            names = [f"{prefix}{name}" for prefix in prefixes for name in field.names]
            if field.field_id is not None:
                found[field.field_id] = names
            add(field.fields, [f"{name}." for name in names])

    add(mapping.root, [""])
    return found


def _hive(path: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in path.split("/")[:-1] if "=" in part)
    return {unquote(name): unquote(value) for name, _, value in pairs}


def _is_hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)


def _local_files(folder: str, above: tuple[tuple[int, int], ...] = ()) -> Iterator[str]:
    """The files below a folder; links are followed, except to a folder that the link is in."""
    status = os.stat(folder)
    here = status.st_dev, status.st_ino
    if here in above:
        return
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        if _is_hidden(name):
            continue
        if os.path.isdir(path):
            yield from _local_files(path, (*above, here))
        elif name.endswith(".parquet"):
            yield path


def _of_path(path: str, storage_options: Mapping[str, Any] | None) -> Iterator[FileEntry]:
    path = local_path(path)
    if not path:
        raise FileNotFoundError(errno.ENOENT, "the path is empty", path)
    if not is_url(path):
        path = os.path.abspath(path)  # workers have other working directories
        if not os.path.isdir(path):
            yield local_entry(path)
            return
        for full in _local_files(path):
            partition = _hive(os.path.relpath(full, path))
            try:
                yield local_entry(full, partition=partition)
            except OSError:  # removed meanwhile, or a link to nothing or itself
                yield FileEntry(full, partition=partition)
        return
    import fsspec

    fs, base = fsspec.core.url_to_fs(path, **dict(storage_options or {}))
    fs.invalidate_cache()  # what an earlier run listed may have changed
    if not fs.isdir(base):
        info = fs.info(base)
        yield FileEntry(path, info.get("size"), version_of(info))
        return
    for name, info in fs.find(base, detail=True).items():
        relative = name[len(base):].strip("/")
        if relative.endswith(".parquet") and not any(map(_is_hidden, relative.split("/"))):
            yield listed_entry(fs, {**info, "name": name}, path, partition=_hive(relative))
