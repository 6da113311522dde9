"""The result of a check: :class:`Report` and :class:`Finding`."""
from __future__ import annotations

import dataclasses
import json
import os
from ctypes import byref, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, overload

from . import _arguments, _exit, _library
from ._library import LIBRARY, Call
from ._text import printable, utf8_text

if TYPE_CHECKING:
    import pandas
    import pyarrow

#: The forms of :meth:`Report.to_form`.
FORMS = ("text", "json", "ndjson", "lines", "sarif", "junit", "github", "codequality", "markdown", "html")
#: From the best to the worst.
VERDICTS = ("conforming", "unsupported", "limit", "nonconforming", "malformed", "unreadable")


@dataclasses.dataclass(frozen=True)
class Finding:
    """A broken rule, with its place and bytes. What does not apply is None.

    >>> import parqproof
    >>> finding = parqproof.check(b"no file").findings[0]
    >>> finding.rule, finding.severity, finding.offset
    ('file/min-size', 'error', 0)
    """

    path: str
    """The file."""
    rule: str
    """The id of the rule: ``statistics/max-value``."""
    severity: str
    """``error``, ``warning`` or ``info``."""
    fault_class: str
    """``malformed``, ``invalid``, ``unsupported`` or ``limit``."""
    message: str
    """What is wrong, in one sentence."""
    offset: int
    """Offset of the first wrong byte: in the file, or in the uncompressed image of a page if `space` is ``page``."""
    length: int
    """Number of wrong bytes."""
    space: str
    """``file``, ``page``, or ``module`` for decrypted bytes."""
    times: int
    """Number of such findings in the column chunk, of which this is the first."""
    clause: str
    """The clause of the specification: ``Encodings.md#RLE``."""
    clause_url: str
    fix: str
    """What the writer should do."""
    page_offset: int | None = None
    """Offset in the file of the header of the page."""
    row_group: int | None = None
    column: str | None = None
    """Dotted path of the column."""
    leaf: int | None = None
    """Ordinal of the column."""
    page: int | None = None
    """Ordinal in the column chunk, counting the dictionary page."""
    field: str | None = None
    """Path of the Thrift field: ``meta_data.statistics.max_value``."""
    expected: str | None = None
    found: str | None = None
    line: str = dataclasses.field(default="", repr=False, compare=False)
    """The line of the form ``lines``."""

    def __str__(self) -> str:
        return self.line


_MEMBERS = {field.name: "class" if field.name == "fault_class" else field.name for field in dataclasses.fields(Finding)
            if field.name != "line"}


class _Native:
    """A report of the library."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        _exit.finalize(self, LIBRARY.parqproof_report_free, c_void_p(handle.value))

    def write(self, form: str, file: Any = None) -> str:
        call = Call()
        pieces: list[bytes] = []
        sink = call.sink(pieces.append)
        call.run("report_write", self._handle, _arguments.text("form", form), file, byref(sink))
        return b"".join(pieces).decode("utf-8", "replace")


class _Rendered:
    """The forms of a report of another process."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._forms = forms

    def write(self, form: str, file: Any = None) -> str:
        _arguments.text("form", form)
        if form not in self._forms:
            raise _library.InvalidCall(f"the form {form!r} is not one of {', '.join(self._forms)}")
        return self._forms[form]


def _unpickled(forms: Mapping[str, str], name: str) -> "Report":
    return Report(_Rendered(forms), name, lambda: None)


def _with_paths(report: dict[str, Any], name: str) -> dict[str, Any]:
    """The JSON report of a file of this name. The library writes U+FFFD for each byte of a path that is not UTF-8."""
    checked, *others = report["files"]
    folder = os.path.dirname(checked["path"])
    if (shown := utf8_text(name)) != name:
        checked["path"] = shown
        for file in others:
            file["path"] = os.path.dirname(shown) + file["path"].removeprefix(folder)
    return report


class Report:
    """The report of one check. It is immutable, and can be pickled. ``str(report)`` is the text that ``parqproof check`` prints. Reports are
    equal if their JSON is; ``report[0]`` is the first finding.

    >>> import parqproof
    >>> report = parqproof.check(b"no file", name="made.parquet")
    >>> report.ok, report.verdict
    (False, 'malformed')
    >>> report
    <parqproof.Report made.parquet: malformed, 1 error>
    """

    __slots__ = ("_forms", "_name", "_source", "_json", "_files", "_findings", "__weakref__")
    _forms: _Native | _Rendered
    _name: str
    _source: Callable[[], Any]
    _json: str
    _files: tuple[dict[str, Any], ...]
    _findings: tuple[Finding, ...]

    def __init__(self, forms: _Native | _Rendered, name: str, source: Callable[[], Any]) -> None:
        put = object.__setattr__
        put(self, "_forms", forms)
        put(self, "_name", name)
        put(self, "_source", source)
        put(self, "_json", forms.write("json"))
        put(self, "_files", tuple(self.to_dict()["files"]))
        lines = iter(forms.write("lines").split("\n"))
        put(self, "_findings", tuple(
            Finding(**{name: finding.get(member, file["path"] if name == "path" else None) for name, member in _MEMBERS.items()}, line=next(lines))
            for file in self._files for finding in file["findings"]))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a report is immutable: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a report is immutable: {name}")

    def __copy__(self) -> "Report":
        return self

    def __deepcopy__(self, memo: Any) -> "Report":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """The forms are pickled; HTML without the bytes of the file."""
        return _unpickled, ({form: self._forms.write(form) for form in FORMS}, self._name)

    def __eq__(self, other: object) -> bool:
        return (self._json, self._name) == (other._json, other._name) if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._json)

    @property
    def path(self) -> str:
        r"""The name of the checked file. Bytes that are not UTF-8 are ``\xff``."""
        return str(self._files[0]["path"])

    @property
    def verdict(self) -> str:
        """``conforming``, ``unsupported``, ``limit``, ``nonconforming``, ``malformed`` or ``unreadable``: the worst, if the column
        chunks of the file are in several files."""
        verdicts: list[str] = [file["verdict"] for file in self._files]
        return max(verdicts, key=VERDICTS.index)

    @property
    def ok(self) -> bool:
        """Whether the verdict is ``conforming``. Warnings do not change it."""
        return self.verdict == "conforming"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The listed findings, in file order; see `limit` of :func:`parqproof.check`."""
        return self._findings

    @property
    def errors(self) -> int:
        """Number of findings of severity error, listed or not."""
        return sum(file["errors"] for file in self._files)

    @property
    def warnings(self) -> int:
        """Number of findings of severity warning, listed or not."""
        return sum(file["warnings"] for file in self._files)

    @property
    def infos(self) -> int:
        """Number of findings of severity info, listed or not: only with `advice` of :func:`parqproof.check`."""
        return sum(file["infos"] for file in self._files)

    @property
    def files(self) -> tuple[dict[str, Any], ...]:
        """The objects ``files`` of the JSON report: the checked file, then those that its column chunks name. Copies."""
        return tuple(self.to_dict()["files"])

    def to_json(self) -> str:
        """The report as JSON, as ``parqproof check --format json`` prints it."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The JSON report as Python values."""
        return _with_paths(json.loads(self._json), self._name)

    def to_form(self, form: str) -> str:
        """The report in a form of ``parqproof check --format``: text, json, ndjson, lines, sarif, junit, github, codequality, markdown, html.

        HTML has the bytes at fault of a path, a URL or an open file of the system if it can still be read, and has not changed; and of bytes in memory, up to
        1 MiB, which the report keeps. Of other sources it has none. Raises :class:`parqproof.InvalidCall` for another word.
        """
        file = self._source() if form == "html" else None
        if file is None:
            return self._forms.write(form)
        with file:
            return self._forms.write(form, file.handle)

    def to_arrow(self) -> "pyarrow.Table":
        """The findings as a table with a column for each member of :class:`Finding`. Needs pyarrow."""
        pyarrow = needed("pyarrow", "arrow")
        numbers = {"offset", "length", "times", "page_offset"}
        ordinals = {"row_group", "leaf", "page"}
        schema = pyarrow.schema([
            (name, pyarrow.uint64() if name in numbers else pyarrow.int32() if name in ordinals else pyarrow.string())
            for name in _MEMBERS])
        return pyarrow.table({name: [getattr(one, name) for one in self._findings] for name in _MEMBERS}, schema=schema)

    def to_pandas(self) -> "pandas.DataFrame":
        """The findings as a data frame with a column for each member of :class:`Finding`: integers, and texts of dtype string. Needs pandas."""
        pandas = needed("pandas", "pandas")
        integers = {"offset": "UInt64", "length": "UInt64", "times": "UInt64", "page_offset": "UInt64", "row_group": "Int32",
                    "leaf": "Int32", "page": "Int32"}
        return pandas.DataFrame({name: pandas.array([getattr(one, name) for one in self._findings], dtype=integers.get(name, "string"))
                                 for name in _MEMBERS})

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._findings)

    @overload
    def __getitem__(self, index: int) -> Finding: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Finding, ...]: ...

    def __getitem__(self, index: int | slice) -> Finding | tuple[Finding, ...]:
        return self._findings[index]

    def __len__(self) -> int:
        return len(self._findings)

    def __bool__(self) -> bool:
        """A report is true even without findings; use `ok`."""
        return True

    def __repr__(self) -> str:
        counts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in (
            (self.errors, "error"), (self.warnings, "warning"), (self.infos, "info")) if count]
        return f"<parqproof.Report {printable(self._name)}: {', '.join([self.verdict, *counts])}>"

    def __str__(self) -> str:
        return self._forms.write("text")

    def _repr_html_(self) -> str:
        """The HTML report, in a frame of its own, for notebooks."""
        import html

        page = html.escape(self.to_form("html"), quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


def needed(module: str, extra: str) -> Any:
    """A module of a package that an extra of the wheel installs."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise ImportError(f"this needs the package {module}: pip install 'parqproof[{extra}]'") from missing


def check_file(file: Any, options: Any, source: Callable[[], Any]) -> Report:
    """Runs the check of an open file."""
    native = c_void_p()

    def work(control: Any) -> None:
        options.control = control
        file.call.run("check", file.handle, byref(options), byref(native))

    try:
        file.run(work)
    except BaseException:
        if native.value:
            LIBRARY.parqproof_report_free(native)
        raise
    return Report(_Native(native), file.name, source)


def unreadable_report(name: str, cause: str, options: Any) -> Report:
    """The report of a file that could not be read."""
    native = c_void_p()
    Call().run("report_unreadable", _arguments.text("name", name), _arguments.text("cause", cause), byref(options), byref(native))
    return Report(_Native(native), name, lambda: None)


__all__ = ["FORMS", "Finding", "Report", "VERDICTS"]
