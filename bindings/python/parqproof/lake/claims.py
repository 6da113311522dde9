"""Compares what a manifest says about a file with the file.

Counts and bounds are those of the footer, which the check has proved. A bound of the footer outside the claimed one may be inexact, so
the column is then read.
"""
from __future__ import annotations

import uuid
from typing import Any, Iterator, NamedTuple

from .entry import Claims, FileEntry, Undecodable
from .rows import lake_finding


class _NotComparable(Exception):
    pass


def compare(entry: FileEntry, open_file: Any, size: int, is_proved: bool) -> tuple[list[dict[str, Any]], list[str]]:
    """The findings, and what could not be compared. `open_file()`: the open file. `is_proved`: the statistics of the footer are right."""
    claims = entry.claims
    findings: list[dict[str, Any]] = []
    assert claims is not None
    if claims.file_size is not None and claims.file_size != size:
        findings.append(_finding(entry, "lake/file-size", "the manifest has another size than the file", claims.file_size, size))
    try:
        file = _File(open_file(), claims)
    except Exception as failure:  # pyarrow cannot read the footer, which the report says in detail
        return findings, [f"the footer cannot be read: {failure}"]
    if claims.record_count is not None and claims.record_count != file.rows:
        findings.append(_finding(entry, "lake/record-count", "the manifest has another number of records than the file", claims.record_count,
                                 file.rows))
    notes: list[str] = []
    for name in {**claims.lower_bounds, **claims.upper_bounds, **claims.null_counts}:
        try:
            for one in _column(entry, claims, file, name, is_proved):
                if isinstance(one, str):
                    notes.append(one)
                else:
                    findings.append(one)
        except Exception as failure:
            notes.append(f"column {name}: {failure}")
    return findings, notes


def _finding(entry: FileEntry, rule: str, message: str, claimed: Any, found: Any, column: str | None = None) -> dict[str, Any]:
    return lake_finding(entry, rule, f"{message}: {claimed} instead of {found}", column=column, expected=str(found), found=str(claimed))


class _Leaf(NamedTuple):
    path: str
    parts: tuple[str, ...]
    """The names of its fields: one can have a dot."""
    kind: Any
    ordinals: list[int]
    """Several, if other columns have the same dotted name."""
    is_repeated: bool
    """It is a list, a map, or in one."""


class _File:
    def __init__(self, source: Any, claims: Claims) -> None:
        import pyarrow.parquet

        # As nanoseconds, values of INT96 before 1677 and after 2262 would be others.
        self._file = pyarrow.parquet.ParquetFile(source, coerce_int96_timestamp_unit="us")
        self.metadata = self._file.metadata
        self.rows: int = self.metadata.num_rows
        ordinals: dict[str, list[int]] = {}
        for number in range(self.metadata.num_columns):
            ordinals.setdefault(self.metadata.schema.column(number).path, []).append(number)
        self._leaves: dict[str, _Leaf] = {}
        self._ids: dict[int, str] = {}
        for parts, field, is_repeated in _fields(self._file.schema_arrow):
            path = ".".join(parts)
            self._leaves[path] = _Leaf(path, parts, field.type, ordinals.get(path, []), is_repeated)
            identity = (field.metadata or {}).get(b"PARQUET:field_id")
            if identity is not None:
                self._ids[int(identity)] = path
        if not self._ids:
            self._ids = {number: path for number, names in claims.names.items() for path in names if path in self._leaves}

    def leaf(self, name: str | int) -> _Leaf:
        leaf = self._leaves.get(self._ids.get(name, "") if isinstance(name, int) else name)
        if leaf is not None and leaf.is_repeated:
            raise _NotComparable("values of lists and maps are not compared")
        if leaf is None or not leaf.ordinals:
            raise _NotComparable("the file has no such column")
        if len(leaf.ordinals) > 1:
            raise _NotComparable("the file has several columns of this name")
        return leaf

    def statistics(self, leaf: _Leaf) -> list[Any]:
        return [self.metadata.row_group(group).column(leaf.ordinals[0]).statistics for group in range(self.metadata.num_row_groups)]

    def values(self, leaf: _Leaf) -> Iterator[Any]:
        """The values of a column, batch by batch."""
        import pyarrow
        import pyarrow.compute as compute

        for batch in self._file.iter_batches(batch_size=65536, columns=[leaf.path]):
            column = batch.column(leaf.parts[0])
            if len(leaf.parts) > 1:
                column = compute.struct_field(column, leaf.parts[1:])
            yield column.storage if isinstance(column, pyarrow.ExtensionArray) else column


def _fields(fields: Any, above: tuple[str, ...] = (), is_repeated: bool = False) -> Iterator[tuple[tuple[str, ...], Any, bool]]:
    """The fields of an Arrow schema and those in them, with their names, and whether they are repeated."""
    import pyarrow

    for field in fields:
        parts, kind = (*above, field.name), field.type
        if pyarrow.types.is_struct(kind):
            inside = list(kind)
        elif pyarrow.types.is_map(kind):
            inside = [kind.key_field, kind.item_field]
        else:
            inside = [kind.value_field] if hasattr(kind, "value_field") else []
        repeated = is_repeated or bool(inside) and not pyarrow.types.is_struct(kind)
        yield parts, field, repeated
        yield from _fields(inside, parts, repeated)


def _scalar(value: Any, kind: Any) -> Any:
    """A claimed value in the type of the column; in its own if that is a number out of range: the type of the table may be wider."""
    import pyarrow

    if isinstance(kind, pyarrow.BaseExtensionType):
        kind = kind.storage_type
    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    if isinstance(value, uuid.UUID):
        value = value.bytes
    if isinstance(value, int) and not isinstance(value, bool) and pyarrow.types.is_temporal(kind):
        if pyarrow.types.is_date(kind):
            return pyarrow.scalar(value, pyarrow.int32()).cast(pyarrow.date32()).cast(kind)
        # Those of Iceberg: timestamp_ns is stored in nanoseconds, all others are in microseconds.
        zone = getattr(kind, "tz", None)
        unit = "ns" if kind.unit == "ns" else "us"
        stated = pyarrow.timestamp(unit, zone) if pyarrow.types.is_timestamp(kind) else pyarrow.time64("us")
        return pyarrow.scalar(value, pyarrow.int64()).cast(stated).cast(kind)
    scalar = pyarrow.scalar(value)
    try:
        return scalar if scalar.type == kind else scalar.cast(kind)
    except pyarrow.ArrowInvalid:
        if all(pyarrow.types.is_integer(one) or pyarrow.types.is_decimal(one) for one in (scalar.type, kind)):
            return scalar
        raise


def _upper(value: Any, claims: Claims) -> Any:
    """The highest value that a claimed upper bound allows."""
    import pyarrow
    import pyarrow.compute as compute

    if claims.milliseconds and pyarrow.types.is_timestamp(value.type) and value.type.unit in ("us", "ns"):
        step = 999 if value.type.unit == "us" else 999_999
        return compute.add(value, pyarrow.scalar(step, pyarrow.duration(value.type.unit)))
    return value


class _Bound(NamedTuple):
    word: str
    """``lower`` or ``upper``."""
    claimed: Any
    """As of :func:`_scalar`."""
    limit: Any
    """The last value that it allows."""

    def allows(self, value: Any) -> bool:
        import pyarrow.compute as compute

        return bool((compute.greater_equal if self.word == "lower" else compute.less_equal)(value, self.limit).as_py())


def _min_max(file: _File, leaf: _Leaf) -> tuple[Any, Any]:
    """The min and max of the values without nulls and NaN; None if there are none."""
    import pyarrow
    import pyarrow.compute as compute

    found: list[Any] = []
    for column in file.values(leaf):
        if pyarrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pyarrow.types.is_floating(column.type):
            column = column.filter(compute.invert(compute.is_nan(column)))
        one = compute.min_max(column)
        found += [one["min"], one["max"]] if one["min"].is_valid else []
    if not found:
        return None, None
    both = compute.min_max(pyarrow.concat_arrays([pyarrow.repeat(one, 1) for one in found]))  # Python has no nanoseconds
    return both["min"], both["max"]


def _column(entry: FileEntry, claims: Claims, file: _File, name: str | int, is_proved: bool) -> Iterator[dict[str, Any] | str]:
    """The findings about a column, and notes of what could not be compared."""
    import pyarrow.compute as compute

    leaf = file.leaf(name)
    statistics = file.statistics(leaf) if is_proved else []
    nulls = claims.null_counts.get(name)
    if nulls is not None:
        if statistics and all(one is not None and one.has_null_count for one in statistics):
            found = sum(one.null_count for one in statistics)
        else:
            found = sum(compute.sum(compute.is_null(column)).as_py() or 0 for column in file.values(leaf))
        if found != nulls:
            yield _finding(entry, "lake/null-count", "the manifest has another number of nulls than the column", nulls, found, leaf.path)
    bounds: list[_Bound] = []
    for word, given in (("lower", claims.lower_bounds), ("upper", claims.upper_bounds)):
        value = given.get(name)
        if isinstance(value, Undecodable):
            yield lake_finding(entry, "lake/bound", f"the {word} bound of the manifest cannot be decoded as {value.kind}: {value.found}",
                               column=leaf.path, expected=value.kind, found=value.found)
        elif value is not None and not (word == "upper" and _is_nan(value)):
            try:
                scalar = _scalar(value, leaf.kind)
            except Exception as failure:  # the other bound is compared
                yield f"column {name}: its {word} bound {value!r}: {failure}"
                continue
            bounds.append(_Bound(word, scalar, scalar if word == "lower" else _upper(scalar, claims)))
    if not bounds or _proved_inside(statistics, bounds, leaf.kind):
        return
    ends = dict(zip(("lower", "upper"), _min_max(file, leaf)))
    for bound in bounds:
        end = ends[bound.word]
        if end is not None and not bound.allows(end):
            yield _finding(entry, "lake/bound", f"the {bound.word} bound of the manifest excludes values of the column", bound.claimed, end, leaf.path)


def _is_nan(value: Any) -> bool:
    """NaN is the largest value for Delta and Spark: as an upper bound it excludes none, as a lower bound all others."""
    return isinstance(value, float) and value != value


def _proved_inside(statistics: list[Any], bounds: list[_Bound], kind: Any) -> bool:
    """Whether the min and max of each row group are inside the claimed bounds. Min and max of the footer may be outside the values, never inside."""
    import pyarrow

    # pyarrow shows min and max as values of Python, which have no nanoseconds.
    if not statistics or pyarrow.types.is_timestamp(kind) and kind.unit == "ns":
        return False
    try:
        for one in statistics:
            if one is None or not one.has_min_max:
                return False
            if not all(bound.allows(_scalar(one.min if bound.word == "lower" else one.max, kind)) for bound in bounds):
                return False
    except Exception:  # a type whose statistics pyarrow does not show: the values are read
        return False
    return True
