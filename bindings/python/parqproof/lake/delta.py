"""The files of Delta tables.

deltalake lists them and parses their statistics. There what cannot be parsed is null, and so may be all values of its file, and of a fraction for an
integer the integral part; so the texts of the log are read, too.
"""
from __future__ import annotations

import json
import posixpath
import re
from datetime import date
from decimal import Decimal
from typing import Any, Iterable, Iterator, Mapping, TypeVar
from urllib.parse import unquote

from .entry import Claims, FileEntry, Undecodable, is_url, local_path

_CHECKPOINT = re.compile(r"(\d{20})\.checkpoint(?:\.\d{10}\.\d{10})?\.parquet")
_TIMESTAMP = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?")
#: Years before 1 and after 9999.
_OTHER_YEAR = re.compile(r"[+-]\d{4,}-\d\d-\d\d|\d{5,}-\d\d-\d\d")
_T = TypeVar("_T")
#: Bits of the types of integers.
_BITS = {"byte": 8, "short": 16, "integer": 32, "long": 64}


def files_of_delta(table: Any, storage_options: Mapping[str, Any] | None) -> Iterator[FileEntry]:
    import pyarrow

    # The null counts of a file with a deletion vector may be those of the rows that are left.
    has_null_counts = "deletionVectors" not in (table.protocol().reader_features or ())
    fields = list(_fields(json.loads(table.schema().to_json())["fields"]))
    kinds = {name: kind for name, kind, _ in fields}
    has_ids = table.metadata().configuration.get("delta.columnMapping.mode") == "id"
    ids = {name: number for name, _, number in fields if has_ids and number is not None}

    def by_id(claimed: Mapping[str | int, _T]) -> dict[str | int, _T]:
        return {ids.get(str(name), name): value for name, value in claimed.items()}

    stats = _stats_of_log(table, storage_options)
    for action in pyarrow.table(table.get_add_actions(flatten=False)).to_pylist():
        texts = _texts(stats.get(action["path"], "{}"))
        lower, upper = (_bounds(action.get(name), texts.get(f"{name}Values"), kinds) for name in ("min", "max"))
        null_counts = _null_counts(action.get("null_count"), texts.get("nullCount"), kinds) if has_null_counts else {}
        records = action.get("num_records")
        claims = Claims(_count(texts.get("numRecords")) if records is None else records, action["size_bytes"], by_id(lower), by_id(upper), by_id(null_counts),
                        milliseconds=True, names={number: [name] for name, number in ids.items()})
        yield FileEntry(_joined(unquote(table.table_uri), action["path"]), action["size_bytes"],
                        partition=action.get("partition") or action.get("partition_values") or {}, claims=claims)


def _joined(base: str, path: str) -> str:
    """The path of a file of a table: relative and quoted, or a URL."""
    path = unquote(path)
    return local_path(path if is_url(path) or path.startswith(("/", "file:/")) else f"{base.rstrip('/')}/{path}")


def _stats_of_log(table: Any, storage_options: Mapping[str, Any] | None) -> dict[str, str]:
    """The texts of the statistics by the path of the file in the log: those of the last checkpoint, unless it is of version 2, and of the commits after it."""
    import fsspec

    found: dict[str, str] = {}
    try:
        fs, folder = fsspec.core.url_to_fs(local_path(f"{unquote(table.table_uri).rstrip('/')}/_delta_log"), **dict(storage_options or {}))
        fs.invalidate_cache()
        paths = {posixpath.basename(path): path for path in fs.ls(folder, detail=False)}
        checkpoints = [(int(match[1]), paths[match[0]]) for match in map(_CHECKPOINT.fullmatch, paths) if match]
        first = max((version for version, _ in checkpoints if version <= table.version()), default=-1)
        adds = [add for version, path in checkpoints if version == first for add in _adds_of_checkpoint(fs, path)]
        for version in range(first + 1, table.version() + 1):
            lines = fs.cat_file(paths[f"{version:020}.json"]).splitlines()
            adds += [action["add"] for action in map(json.loads, filter(None, lines)) if action.get("add")]
        found.update((add["path"], add["stats"]) for add in adds if add.get("stats"))
    except Exception:  # only deltalake can read the log
        return {}
    return found


def _adds_of_checkpoint(fs: Any, path: str) -> list[dict[str, Any]]:
    import pyarrow.parquet

    with fs.open(path, "rb") as file:
        adds = pyarrow.parquet.ParquetFile(file).read(columns=["add.path", "add.stats"]).column("add").to_pylist()
    return [add for add in adds if add]


def _fields(fields: Iterable[Mapping[str, Any]], prefix: str = "") -> Iterator[tuple[str, str, int | None]]:
    """The columns: the name in files and statistics, the type, and the id."""
    for field in fields:
        about, kind = field.get("metadata", {}), field["type"]
        name = prefix + about.get("delta.columnMapping.physicalName", field["name"])
        if isinstance(kind, Mapping) and kind["type"] == "struct":
            yield from _fields(kind["fields"], f"{name}.")
        else:
            yield name, kind["type"] if isinstance(kind, Mapping) else kind, about.get("delta.columnMapping.id")


def _texts(stats: str) -> Mapping[str, Any]:
    """Statistics with numbers as they are written: those of decimals are exact."""
    try:
        read = json.loads(stats, parse_int=str, parse_float=str, parse_constant=str)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The leaves of nested dicts by dotted name, without nulls."""
    for name, one in (value.items() if isinstance(value, dict) else ()):
        if isinstance(one, dict):
            yield from _leaves(one, f"{prefix}{name}.")
        elif one is not None:
            yield f"{prefix}{name}", one


def _bounds(parsed: Any, texts: Any, kinds: Mapping[str, str]) -> dict[str | int, Any]:
    """The values of deltalake, and of what it cannot parse those of the log."""
    found: dict[str | int, Any] = dict(_leaves(parsed))
    for name, given in _leaves(texts):
        kind = kinds.get(name)
        if kind is None or name in found and (kind not in _BITS or given == str(found[name])):
            continue
        value = _decoded(given if isinstance(given, str) else json.dumps(given), kind)
        if name not in found or isinstance(value, Undecodable):
            found[name] = value
    return found


def _null_counts(parsed: Any, texts: Any, kinds: Mapping[str, str]) -> dict[str | int, int]:
    read = {name: _count(text) for name, text in _leaves(texts) if name in kinds}
    return {**{name: count for name, count in read.items() if count is not None}, **dict(_leaves(parsed))}


def _count(text: Any) -> int | None:
    return int(text) if isinstance(text, str) and text.isdecimal() else None


def _decoded(text: str, kind: str) -> Any:
    """A bound, as a value; as its text if Python has no such year, so that it is noted as not compared."""
    import pyarrow

    try:
        if kind in _BITS:
            number = int(text)
            if -(1 << _BITS[kind] - 1) <= number < 1 << _BITS[kind] - 1:
                return number
        elif kind in ("float", "double"):
            return float(text)
        elif kind.startswith("decimal"):
            return Decimal(text)
        elif kind == "boolean":
            return {"true": True, "false": False}[text]
        elif kind.startswith(("date", "timestamp")) and _OTHER_YEAR.match(text):
            return text
        elif kind == "date":
            return date.fromisoformat(text)
        elif kind.startswith("timestamp"):
            match = _TIMESTAMP.fullmatch(text)
            if match:
                return pyarrow.scalar(text).cast(pyarrow.timestamp("us", "UTC" if match[1] else None)).as_py()
        else:
            return text
    except (ValueError, ArithmeticError, KeyError):
        pass
    return Undecodable(text, kind)
