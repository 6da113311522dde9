"""parqproof: the strict referee of the Apache Parquet format.

>>> import parqproof
>>> parqproof.check(b"no file").verdict
'malformed'

A *source* is a path (str or PathLike), bytes (anything with the buffer protocol), a seekable binary file, a file or URL of fsspec, or a
pyarrow.NativeFile. Only the ranges that a function needs are read, by the thread that calls it, or that iterates rows; a file keeps its
position. Functions can be called from several threads; the global interpreter lock is free while the library works. Ctrl-C ends a call soon.

No file is too broken for :func:`check`: it always returns a :class:`Report`. Exceptions are for wrong arguments (:class:`InvalidCall`,
TypeError), for I/O (OSError, or what the source has raised), and, of functions that return contents, for files that have none to return
(:class:`FileBroken`, :class:`Unsupported`).
"""
from __future__ import annotations

import io
import json
import os
import threading
from ctypes import byref, c_int32
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Generator, Iterable, Literal, Mapping, Protocol, Union

from . import _arguments, _calls, _exit, _library, _source
from ._library import Error, FileBroken, InvalidCall, Unsupported
from ._remote import SourceChanged
from .report import Finding, Report, check_file

__version__: str = _library.LIBRARY.parqproof_version().decode()
#: The commit of the parquet-format repository by which files are judged.
SPEC_COMMIT: str = _library.LIBRARY.parqproof_spec_commit().decode()

if TYPE_CHECKING:
    from typing_extensions import Buffer


class Readable(Protocol):
    """A seekable binary file, whose seek() returns the position, as of io; or, as of mmap, tell() does."""

    def read(self, count: int, /) -> Any: ...

    def seek(self, offset: int, whence: int = ..., /) -> Any: ...


class Openable(Protocol):
    """A file of fsspec that is not open."""

    @property
    def fs(self) -> Any: ...

    def open(self) -> Any: ...


Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, "Buffer", Readable, Openable]
Tier = Literal["footer", "pages", "values"]
Profile = Literal["strict", "historical", "interop"]
Edition = Literal["2.13", "2.14", "next"]
Keys = Union[Mapping[str, Any], Path]

_ROW_BLOCKS = 16  # blocks of rows, of about 64 KiB each, that are read ahead


def _check_options(*, tier: str, profile: str, edition: str | None, limit: int, advice: bool, ignore: str | Iterable[str],
                   only: str | Iterable[str], severity: Mapping[str, str] | None, max_page: int | None, max_memory: int | None,
                   max_work: int | None = None, max_depth: int | None = None) -> Any:
    """What decides how any file is checked."""
    options = _library.defaults("check", _library.CheckOptions)
    options.tier, options.profile = _arguments.text("tier", tier), _arguments.text("profile", profile)
    options.edition = _arguments.text_or_none("edition", edition)
    options.limit, options.advice = _arguments.number("limit", limit), bool(advice)
    _arguments.put_texts(options, "ignore", ignore)
    _arguments.put_texts(options, "only", only)
    _arguments.put_texts(options, "severity", [f"{rule}={level}" for rule, level in _arguments.pairs("severity", severity)])
    options.limits = _arguments.limits(max_page, max_memory, max_work, max_depth)
    return options


def check(
    source: Source,
    *,
    tier: Tier = "values",
    profile: Profile = "strict",
    edition: Edition | None = None,
    limit: int = 100,
    advice: bool = False,
    ignore: str | Iterable[str] = (),
    only: str | Iterable[str] = (),
    severity: Mapping[str, str] | None = None,
    keys: Keys | None = None,
    row_groups: tuple[int, int | None] | None = None,
    threads: int = 1,
    hex: bool = False,
    fail_on: Literal["error", "warning"] = "error",
    named_files: bool = True,
    max_page: int | None = None,
    max_memory: int | None = None,
    max_work: int | None = None,
    max_depth: int | None = None,
    footer_at: int | None = None,
    name: str | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Report:
    """Checks a file against the specification, and its metadata against its data.

    tier: ``footer``, ``pages`` or ``values``, how deep the check goes.
    profile: ``strict``, ``historical`` (what only old editions define is legal too) or ``interop`` (tolerated deviations are advice).
    edition: ``2.13``, ``2.14`` (the default) or ``next``.
    limit: max number of findings listed, 0 for all. The verdict does not depend on it.
    advice: report findings of severity info too.
    ignore, only: rules, or ``area/*``. severity: ``{rule: "error" | "warning" | "info" | "off"}``.
    keys: keys of an encrypted file, as a mapping or the path of a JSON file, as of ``parqproof check --keys``.
    row_groups: ``(first, end)``: only the pages of these are checked.
    threads: column chunks checked at the same time.
    hex: ``str(report)`` shows the bytes of each finding.
    fail_on: with ``warning``, forms such as ``junit`` show a file with a warning as failed. The verdict does not depend on it.
    named_files: of a path, also check the files that its column chunks name.
    max_page, max_memory: bytes. max_work: factor. max_depth: nodes. What exceeds them is a finding.
    footer_at: check with the footer that ends at this offset.
    name: the path in the report. storage_options: for fsspec, with a URL.

    Raises InvalidCall for a wrong argument, OSError for a path that cannot be opened, what reading the source raises, and SourceChanged if
    the object of a URL changed while it was read.

    >>> report = check(b"PAR1", tier="footer")
    >>> [finding.rule for finding in report]
    ['file/min-size']
    """
    options = _check_options(
        tier=tier, profile=profile, edition=edition, limit=limit, advice=advice, ignore=ignore, only=only, severity=severity, max_page=max_page,
        max_memory=max_memory, max_work=max_work, max_depth=max_depth)
    if fail_on not in ("error", "warning"):
        raise InvalidCall(f"fail_on: {fail_on!r} is neither error nor warning")
    options.excerpts, options.fail_on_warning, options.with_named_files = bool(hex), fail_on == "warning", bool(named_files)
    if row_groups is not None:
        options.first_row_group, options.end_row_group = _arguments.interval("row_groups", row_groups)
        if options.first_row_group > options.end_row_group:
            raise InvalidCall(f"row_groups begins at {options.first_row_group}, after its end at {options.end_row_group}")
    options.threads = _arguments.size("threads", threads, 1025)

    def opened(one: Any, shown: str | None) -> _source.File:
        return _source.File(one, name=shown, keys=keys, footer_at=footer_at, storage_options=storage_options)

    def reopened() -> _source.File | None:
        """None if the file is closed, gone or changed: the report is shown without its bytes."""
        try:
            file = opened(again, shown)
        except Exception:
            return None
        if file.version == version:
            return file
        file.close()
        return None

    with opened(source, name) as file:
        again, version, shown = file.again, file.version, file.name
        return check_file(file, options, reopened)


def _open(source: Source, keys: Keys | None, footer_at: int | None, storage_options: Mapping[str, Any] | None) -> _source.File:
    return _source.File(source, keys=keys, footer_at=footer_at, storage_options=storage_options)


def layout(source: Source, *, hex: bool = False, keys: Keys | None = None, footer_at: int | None = None,
           storage_options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The byte map: ``{"path", "size", "segments": [{"offset", "length", "kind", ...}], "overlaps"}``. hex: with the bytes.

    Raises FileBroken if a structure cannot be read; its ``partial`` is the map of the rest.

    >>> layout(b"PAR1")["segments"]  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    parqproof.FileBroken: -: 1 structure could not be read
    """
    with _open(source, keys, footer_at, storage_options) as file:
        return dict(json.loads(file.collect("layout_json", c_int32(hex))))


def meta(source: Source, *, keys: Keys | None = None, footer_at: int | None = None,
         storage_options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The footer as stored: every field with its name, value and offset.

    Raises FileBroken if it cannot be read to its end; ``partial`` has what could be read.
    """
    with _open(source, keys, footer_at, storage_options) as file:
        return dict(json.loads(file.collect("meta_json")))


def schema(source: Source, *, keys: Keys | None = None, footer_at: int | None = None,
           storage_options: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The tree of columns: each node with its repetition, type, logical type, levels and offset.

    Raises FileBroken if the footer cannot be read to its end; ``partial`` has the schema if it is intact.
    """
    with _open(source, keys, footer_at, storage_options) as file:
        return dict(json.loads(file.collect("schema_json")))


def schema_text(source: Source, *, keys: Keys | None = None, footer_at: int | None = None,
                storage_options: Mapping[str, Any] | None = None) -> str:
    """The tree of columns in the message syntax of parquet-java. Raises FileBroken as :func:`schema`."""
    with _open(source, keys, footer_at, storage_options) as file:
        return file.collect("schema_text").decode("utf-8", "replace")


def rows(
    source: Source,
    *,
    columns: str | Iterable[str] = (),
    rows: tuple[int, int | None] = (0, None),
    limit: int | None = None,
    physical: bool = False,
    damaged: str = "end",
    ignore_crc: bool = False,
    lookup: str | None = None,
    text: bool = False,
    keys: Keys | None = None,
    max_page: int | None = None,
    max_memory: int | None = None,
    footer_at: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Generator[Any, None, None]:
    """Iterates the rows as dicts, in the logical view of ``parqproof cat``; text: as lines of JSON. Of several columns of a group with one name,
    dicts have the last, and lines have all.

    columns: dotted paths of leaves or groups. rows: ``(first, end)``. limit: max number. physical: as stored.
    damaged: for rows that lost a value to damage: ``end``, ``left-out`` or ``null``. lookup: ``COLUMN=VALUE``, by index pages of 2013.

    Raises InvalidCall at once. After the last row that can be read, raises FileBroken or Unsupported if there are more, or if rows were left out.
    Memory is bounded.
    Close the iterator (``contextlib.closing``) to end early.
    """
    options = _library.defaults("row", _library.RowOptions)
    _arguments.put_columns(options, columns)
    options.first_row, options.end_row = _arguments.interval("rows", rows)
    options.limit = _arguments.number_or_none("limit", limit)
    options.physical, options.ignore_crc = bool(physical), bool(ignore_crc)
    options.damaged, options.lookup = _arguments.text("damaged", damaged), _arguments.text_or_none("lookup", lookup)
    options.limits = _arguments.limits(max_page, max_memory)
    iterator = _row_iterator(_open(source, keys, footer_at, storage_options), options, text)
    next(iterator)
    return iterator


def _row(line: bytes) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        raise Unsupported("a row is nested deeper than the module json can read; with text=True it is returned as JSON") from None


def _row_iterator(file: _source.File, options: Any, text: bool) -> Generator[Any, None, None]:
    """The first element is none of the rows: it comes when the arguments have been accepted."""
    if _exit.has_begun():
        raise Error("the interpreter exits")
    running, free = _calls.RunningCall([file.call]), threading.Semaphore(_ROW_BLOCKS)
    options.control = running.control
    sink = file.call.sink(lambda block: running.put(block, free))
    def take() -> bytes | None:
        try:
            block: bytes | None = running.take()
        except Exception as failure:
            file.verify(failure)
            raise
        if block is None:
            file.verify()
        free.release()
        return block

    rest = b""
    try:
        running.begin(lambda control: file.call.run("rows", file.handle, byref(options), byref(sink), None))
        block = take()
        yield None
        while block is not None:
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                yield line.decode() if text else _row(line)
            block = take()
    finally:
        running.end()
        file.close()


def rules() -> list[dict[str, Any]]:
    """All rules: ``id``, ``severity``, ``class``, ``clause``, ``statement``, ``message``, ``harm``, ``fix``, ...

    >>> "statistics/max-value" in {rule["id"] for rule in rules()}
    True
    """
    return list(json.loads(_library.collect("rules_json")))


@dataclass(frozen=True)
class Explanation:
    """One rule. ``str()`` is what ``parqproof explain`` prints."""

    rule: str
    members: Mapping[str, Any]
    """The members of the rule as of :func:`rules`, ``known_bugs``, and ``witness``: the smallest file that breaks it, with the `options`."""
    text: str

    @property
    def witness(self) -> bytes | None:
        """The bytes of the smallest file that breaks the rule, with the `options`; None if they are not built in."""
        digits = self.members.get("witness", {}).get("bytes")
        return None if digits is None else bytes.fromhex(digits)

    @property
    def options(self) -> dict[str, Any] | None:
        """The options of :func:`check` with which the witness breaks the rule, with `keys` if it is encrypted; None without a `witness`, or if
        other files are needed."""
        witness = self.members.get("witness", {})
        return None if self.witness is None or witness.get("needs_others") else dict(witness["options"])

    def __str__(self) -> str:
        return self.text


def explain(rule: str) -> Explanation:
    """What a rule demands, why, and a small file that breaks it. Raises InvalidCall if there is no such rule.

    >>> explanation = explain("statistics/max-value")
    >>> any(finding.rule == explanation.rule for finding in check(explanation.witness, **explanation.options))
    True
    >>> explain("crc/absent").options
    {'advice': True}
    """
    name = _arguments.text("rule", rule)
    members = json.loads(_library.collect("explain_json", name))
    return Explanation(rule, members, _library.collect("explain_text", name).decode())


@dataclass(frozen=True)
class Rewritten:
    """The result of :func:`rewrite`."""

    complete: bool
    """All rows were written, and nothing was guessed."""
    notes: tuple[str, ...]
    """What was left out or guessed, a line each."""


class _Target:
    """The target of a file, and the lines about it."""

    def __init__(self, file: _source.File, target: Path | BinaryIO) -> None:
        if file.is_also(target):
            raise OSError(f"{getattr(target, 'name', target)}: is the input, which is never replaced")
        call = file.call
        self.lines: list[bytes] = []
        self.notes = call.sink(self.lines.append)
        self.struct = _library.Target()
        if isinstance(target, (str, os.PathLike)):
            path = _arguments.text("target", os.fsdecode(os.fspath(target)))
            if not path:
                raise InvalidCall("target is an empty path")
            self.struct.path = call.keep(path)
        elif hasattr(target, "write"):
            self.struct.sink = _library.pointer(call.sink(call.by_caller(lambda piece: _write_all(target, piece))))
        else:
            raise TypeError(f"a target is a path or a writable binary file, not {type(target).__name__}")

    def text(self) -> tuple[str, ...]:
        return tuple(b"".join(self.lines).decode("utf-8", "replace").splitlines())


def _write_all(target: BinaryIO, piece: bytes) -> None:
    view = memoryview(piece)
    while view:
        written = target.write(view)
        if written is None and isinstance(target, io.RawIOBase):  # of a non-blocking file
            raise BlockingIOError("the target takes no bytes now")
        if written is not None and not 0 < written <= len(view):
            raise OSError(f"write() of the target returned {written} for {len(view)} bytes")
        view = view[len(view) if written is None else written:]


def rewrite(
    source: Source,
    target: Path | BinaryIO,
    *,
    encodings: Mapping[str, str] | str | None = None,
    compression: str | None = None,
    page_version: int | None = None,
    page_bytes: int | None = None,
    page_rows: int | None = None,
    row_group_rows: int | None = None,
    statistics: bool | None = None,
    page_index: bool | None = None,
    checksums: bool | None = None,
    bloom_filters: str | Iterable[str] = (),
    columns: str | Iterable[str] = (),
    profile: str = "strict",
    encryption: Keys | None = None,
    salvage: bool = False,
    schema_from: Source | None = None,
    scrub: bool = False,
    shrink: str | None = None,
    keys: Keys | None = None,
    max_page: int | None = None,
    max_memory: int | None = None,
    footer_at: int | None = None,
    storage_options: Mapping[str, Any] | None = None,
) -> Rewritten:
    """Writes the rows of a file again, without what breaks rules, or in another form.

    target: a path, where the file appears complete or not at all, or a writable binary file.
    encodings: ``{column: encoding}``, or one encoding for all columns. compression: ``CODEC`` or ``CODEC:LEVEL``.
    statistics, page_index, checksums: None for the default of ``parqproof rewrite``.
    salvage: leave out rows that are lost to damage; the result then is not `complete`. schema_from: a file with the same schema.
    scrub: other values and names, which break the same rules. shrink: a rule: the smallest file that still breaks it.

    Raises FileBroken if the file cannot be read to its end, so that nothing was written; InvalidCall for an option that does not fit the file;
    OSError if the target cannot be written, and what its ``write`` raises.
    """
    options = _library.defaults("rewrite", _library.RewriteOptions)
    of_columns = [("", encodings)] if isinstance(encodings, str) else _arguments.pairs("encodings", encodings)
    _arguments.put_texts(options, "encodings", [f"{column}={one}" if column else one for column, one in of_columns])
    _arguments.put_texts(options, "bloom_filters", bloom_filters)
    _arguments.put_columns(options, columns)
    options.compression, options.shrink = _arguments.text_or_none("compression", compression), _arguments.text_or_none("shrink", shrink)
    options.profile, options.encryption = _arguments.text("profile", profile), _arguments.keys_text("encryption", encryption)
    for name, number in (("page_bytes", page_bytes), ("page_rows", page_rows), ("row_group_rows", row_group_rows)):
        setattr(options, name, _arguments.size(name, number))
    options.page_version = _arguments.size("page_version", page_version, 1 << 32)
    for name, value in (("statistics", statistics), ("page_index", page_index), ("checksums", checksums)):
        setattr(options, name, -1 if value is None else int(value))
    options.salvage, options.scrub = bool(salvage), bool(scrub)
    options.limits = _arguments.limits(max_page, max_memory)
    sibling = None if schema_from is None else _open(schema_from, keys, None, storage_options)
    written = c_int32()
    try:
        with _open(source, keys, footer_at, storage_options) as file:
            to = _Target(file, target)
            if sibling is not None:
                options.schema_from = sibling.handle

            def work(control: Any) -> None:
                options.control = control
                file.call.run("rewrite", file.handle, byref(options), byref(to.struct), byref(to.notes), byref(written))

            try:
                file.run(work, *([] if sibling is None else [sibling.call]))
            except (FileBroken, Unsupported):
                if not written.value:
                    raise
                return Rewritten(False, to.text())
            return Rewritten(True, to.text())
    finally:
        if sibling is not None:
            sibling.close()


def faults(source: Source | None = None, *, seed: int = 0, keys: Keys | None = None,
           storage_options: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """All faults of :func:`mutate`: ``name``, ``rule``, ``needs``, ``reader``; with a source ``applies``, and ``why`` if not.

    >>> faults()[0].keys() >= {"name", "rule", "needs"}
    True
    """
    seed = _arguments.number("seed", seed)
    if source is None:
        return list(json.loads(_library.collect("faults_json", None, seed, None)))
    with _open(source, keys, None, storage_options) as file:
        return list(json.loads(file.collect("faults_json", seed)))


def mutate(source: Source, target: Path | BinaryIO, fault: str, *, seed: int = 0, keys: Keys | None = None,
           storage_options: Mapping[str, Any] | None = None) -> str:
    """Writes a copy of the file with just this fault, and returns the rule and the changed place.

    seed: which of the possible places. Raises Unsupported if the file lacks what the fault needs, InvalidCall if there is no such fault.
    """
    seed = _arguments.number("seed", seed)
    name = _arguments.text("fault", fault)
    with _open(source, keys, None, storage_options) as file:
        to = _Target(file, target)
        file.run(lambda control: file.call.run("mutate", file.handle, name, seed, control, byref(to.struct), byref(to.notes)))
        return " ".join(to.text())


__all__ = [
    "Error", "Explanation", "FileBroken", "Finding", "InvalidCall", "Report", "Rewritten", "SPEC_COMMIT", "SourceChanged", "Unsupported", "check",
    "explain", "faults", "layout", "meta", "mutate", "rewrite", "rows", "rules", "schema", "schema_text",
]
