"""Compares what a manifest says about a file with the file.

Counts and bounds are those of the footer, which the check has proved. A bound of the footer outside the claimed one may be inexact, so
the column is then read.
"""
from __future__ import annotations

from typing import Any, Iterator

from .entry import Claims, FileEntry
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
        file = _File(open_file())
    except Exception as failure:  # pyarrow cannot read the footer, which the report says in detail
        return findings, [f"the footer cannot be read: {failure}"]
    if claims.record_count is not None and claims.record_count != file.rows:
        findings.append(_finding(entry, "lake/record-count", "the manifest has another number of records than the file", claims.record_count,
                                 file.rows))
    notes: list[str] = []
    for name in {**claims.lower_bounds, **claims.upper_bounds, **claims.null_counts}:
        try:
            findings += _column(entry, claims, file, name, is_proved)
        except Exception as failure:
            notes.append(f"column {name}: {failure}")
    return findings, notes


def _finding(entry: FileEntry, rule: str, message: str, claimed: Any, found: Any, column: str | None = None) -> dict[str, Any]:
    return lake_finding(entry, rule, f"{message}: {claimed} instead of {found}", column=column, expected=str(found), found=str(claimed))


class _File:
    def __init__(self, source: Any) -> None:
        import pyarrow.parquet

        self._file = pyarrow.parquet.ParquetFile(source)
        self.metadata = self._file.metadata
        self.rows: int = self.metadata.num_rows
        self._leaves = {self.metadata.schema.column(leaf).path: leaf for leaf in range(self.metadata.num_columns)}
        self._names: dict[int, str] = dict(self._ids(self._file.schema_arrow, ""))

    def _ids(self, fields: Any, prefix: str) -> Iterator[tuple[int, str]]:
        import pyarrow

        for field in fields:
            number = (field.metadata or {}).get(b"PARQUET:field_id")
            if number is not None:
                yield int(number), prefix + field.name
            if pyarrow.types.is_struct(field.type):
                yield from self._ids(field.type, f"{prefix}{field.name}.")

    def leaf(self, name: str | int) -> tuple[int, str]:
        """Its ordinal and its path."""
        path = self._names.get(name) if isinstance(name, int) else name
        if path is None or path not in self._leaves:
            raise _NotComparable("the file has no such column")
        leaf = self._leaves[path]
        if self.metadata.schema.column(leaf).max_repetition_level > 0:
            raise _NotComparable("its values are repeated")
        return leaf, path

    def type_of(self, path: str) -> Any:
        first, *rest = path.split(".")
        kind = self._file.schema_arrow.field(first).type
        for part in rest:
            kind = kind.field(part).type
        return kind

    def statistics(self, leaf: int) -> list[Any]:
        return [self.metadata.row_group(group).column(leaf).statistics for group in range(self.metadata.num_row_groups)]

    def values(self, path: str) -> Iterator[Any]:
        """The values of a column, batch by batch."""
        import pyarrow.compute as compute

        for batch in self._file.iter_batches(batch_size=65536, columns=[path]):
            first, *rest = path.split(".")
            column = batch.column(first)
            if rest:
                column = compute.struct_field(column, rest)
            yield column


def _scalar(value: Any, kind: Any) -> Any:
    """A claimed value in the type of the column."""
    import pyarrow

    if pyarrow.types.is_dictionary(kind):
        kind = kind.value_type
    if isinstance(value, int) and not isinstance(value, bool) and pyarrow.types.is_temporal(kind):
        if pyarrow.types.is_date(kind):
            return pyarrow.scalar(value, pyarrow.int32()).cast(pyarrow.date32()).cast(kind)
        zone = getattr(kind, "tz", None)
        stated = pyarrow.timestamp("us", zone) if pyarrow.types.is_timestamp(kind) else pyarrow.time64("us")
        return pyarrow.scalar(value, pyarrow.int64()).cast(stated).cast(kind)
    scalar = pyarrow.scalar(value)
    return scalar if scalar.type == kind else scalar.cast(kind)


def _upper(value: Any, claims: Claims) -> Any:
    """The highest value that a claimed upper bound allows."""
    import pyarrow
    import pyarrow.compute as compute

    if claims.milliseconds and pyarrow.types.is_timestamp(value.type) and value.type.unit in ("us", "ns"):
        step = 999 if value.type.unit == "us" else 999_999
        return compute.add(value, pyarrow.scalar(step, pyarrow.duration(value.type.unit)))
    return value


def _is_inside(value: Any, bound: Any, is_lower: bool) -> bool:
    import pyarrow.compute as compute

    return bool((compute.greater_equal if is_lower else compute.less_equal)(value, bound).as_py())


def _min_max(file: _File, path: str) -> tuple[Any, Any]:
    """The min and max of the values without nulls and NaN; None if there are none."""
    import pyarrow
    import pyarrow.compute as compute

    found: list[Any] = []
    for column in file.values(path):
        if pyarrow.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pyarrow.types.is_floating(column.type):
            column = column.filter(compute.invert(compute.is_nan(column)))
        one = compute.min_max(column)
        found += [one["min"], one["max"]] if one["min"].is_valid else []
    if not found:
        return None, None
    both = compute.min_max(pyarrow.array([one.as_py() for one in found], found[0].type))
    return both["min"], both["max"]


def _column(entry: FileEntry, claims: Claims, file: _File, name: str | int, is_proved: bool) -> Iterator[dict[str, Any]]:
    import pyarrow.compute as compute

    leaf, path = file.leaf(name)
    statistics = file.statistics(leaf) if is_proved else []
    nulls = claims.null_counts.get(name)
    if nulls is not None:
        if statistics and all(one is not None and one.has_null_count for one in statistics):
            found = sum(one.null_count for one in statistics)
        else:
            found = sum(compute.sum(compute.is_null(column)).as_py() or 0 for column in file.values(path))
        if found != nulls:
            yield _finding(entry, "lake/null-count", "the manifest has another number of nulls than the column", nulls, found, path)
    bounds = [(is_lower, given[name]) for is_lower, given in ((True, claims.lower_bounds), (False, claims.upper_bounds))
              if given.get(name) is not None]
    if not bounds:
        return
    kind = file.type_of(path)
    scalars = [(is_lower, value, _scalar(value, kind) if is_lower else _upper(_scalar(value, kind), claims)) for is_lower, value in bounds]
    if _proved_inside(statistics, scalars, kind):
        return
    ends = _min_max(file, path)
    for is_lower, claimed, scalar in scalars:
        end = ends[0 if is_lower else 1]
        if end is not None and not _is_inside(end, scalar, is_lower):
            word = "lower" if is_lower else "upper"
            yield _finding(entry, "lake/bound", f"the {word} bound of the manifest excludes values of the column", claimed, end, path)


def _proved_inside(statistics: list[Any], scalars: list[Any], kind: Any) -> bool:
    """Whether the min and max of each row group are inside the claimed bounds. Min and max of the footer may be outside the values, never inside."""
    if not statistics:
        return False
    try:
        for one in statistics:
            if one is None or not one.has_min_max:
                return False
            if not all(_is_inside(_scalar(one.min if is_lower else one.max, kind), scalar, is_lower) for is_lower, _, scalar in scalars):
                return False
    except Exception:  # a type whose statistics pyarrow does not show: the values are read
        return False
    return True
