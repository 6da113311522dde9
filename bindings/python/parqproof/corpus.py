"""The corpus: files to test a reader with, each with what a reader must do. The wheel has its core tier, hundreds of files of at most 16 KiB."""
from __future__ import annotations

import base64
import difflib
import gzip
import hashlib
import json
import os
import pathlib
import unittest
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Mapping, NoReturn

from . import _library
from ._library import InvalidCall, native_folder

DUTIES = ("accept", "may", "reject")
_written: set[bytes] = set()
"""The digests of what :meth:`Case.write_to` has written."""


@dataclass(frozen=True)
class Probe:
    """A predicate on a column. A reader with filters returns the rows that match; one that trusts wrong statistics, indexes or filters loses
    some."""

    column: str
    operator: str
    """``=``, ``<`` or ``>``"""
    value: int | float | str
    rows: tuple[int, ...]
    """The ordinals of the rows that match."""


@dataclass(frozen=True)
class Case:
    """A file, and what a reader must do with it."""

    name: str
    """``witnesses/statistics/max-value/fail-a``"""
    data: bytes
    duty: str
    """``accept``: a reader with the `features` returns the rows. ``reject``: it reports an error, after at most the rows before the damage.
    ``may``: either."""
    features: tuple[str, ...]
    """What the file uses, by the names of the implementation status page."""
    rule: str | None
    """The rule that the file is about."""
    breaks: tuple[str, ...]
    """The rules of severity error that it breaks."""
    verdict: str | None
    """The verdict of a checker: ``conforming``, ``unsupported``, ``limit``, ``nonconforming`` or ``malformed``."""
    options: Mapping[str, Any]
    """The options of :func:`parqproof.check` with which `breaks` and `verdict` are these, if they are not the defaults."""
    phase: str | None
    """Of a file to reject, where a reader meets the fault: its ``footer``, a ``page header``, a ``page body`` or the ``values``."""
    clause: str | None
    """Where the specification says so."""
    keys: Mapping[str, Any] | None
    """The keys of an encrypted file, as of :func:`parqproof.check`."""
    probes: tuple[Probe, ...]
    """Predicates with the rows that match; none for the files of a folder."""
    _rows: str | None

    def rows(self) -> list[Any] | None:
        """The rows of a full scan, in the logical view of :func:`parqproof.rows`; None if they are not known."""
        return None if self._rows is None else [json.loads(line) for line in self._rows.splitlines()]

    def write_to(self, folder: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the file into a folder and returns its path. The plugin of pytest does not check it."""
        path = pathlib.Path(folder) / (self.name.replace("/", ".") + ".parquet")
        path.write_bytes(self.data)
        _written.add(_digest(self.data))
        return path

    def verify(self, read: Callable[[pathlib.Path], Iterable[Any]], folder: str | os.PathLike[str]) -> None:
        """Has `read` return the rows of the file, written into `folder`, as dicts in the logical view, and raises AssertionError if it does not
        do its duty. An exception of `read`, or of the iterator that it returns, counts as a rejection; NotImplementedError skips the test: a feature that it
        lacks. Raises TypeError if `read` returns no rows."""
        __tracebackhide__ = True
        path = self.write_to(folder)
        try:
            returned = read(path)
            got = list(returned) if isinstance(returned, Iterable) else None
        except NotImplementedError as missing:
            raise unittest.SkipTest(str(missing) or "not supported") from missing
        except Exception as rejection:
            if self.duty == "accept":
                raise AssertionError(f"{self.name}: must be accepted ({self._about()}), and was rejected: {rejection}") from rejection
            return
        if got is None:
            raise TypeError(f"{self.name}: the reader returned {type(returned).__name__}, not a sequence of rows")
        if self.duty == "reject":
            raise AssertionError(f"{self.name}: must be rejected ({self._about()}), and {len(got)} rows were returned")
        expected = self.rows()
        if expected is None or got == expected:
            return
        at = next((i for i, pair in enumerate(zip(got, expected)) if pair[0] != pair[1]), min(len(got), len(expected)))
        got_row, expected_row = (repr(rows[at]) if at < len(rows) else "no row" for rows in (got, expected))
        raise AssertionError(f"{self.name}: row {at}: {got_row} instead of {expected_row} ({self._about()})")

    def _about(self) -> str:
        return ", ".join(filter(None, (self.rule, self.clause, " ".join(self.features))))


def _case(entry: Mapping[str, Any], data: bytes, rows: str | None) -> Case:
    return Case(entry["file"].removesuffix(".parquet"), data, entry["duty"], tuple(entry["features"]), entry.get("rule"),
                tuple(entry.get("breaks", ())), entry.get("verdict"), entry.get("options", {}), entry.get("phase"), entry.get("clause"), entry.get("keys"),
                tuple(Probe(probe["column"], probe["operator"], probe["value"], tuple(probe["rows"])) for probe in entry.get("probes", ())), rows)


def _core() -> Iterator[Case]:
    path = native_folder() / "corpus.jsonl.gz"
    try:
        lines = gzip.decompress(path.read_bytes()).splitlines()
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: give the folder of the corpus, or install the wheel") from None
    number = json.loads(lines[0])["cases"]
    if len(lines) - 1 != number:
        raise ValueError(f"{path} has {len(lines) - 1} cases instead of {number}")
    for line in lines[1:]:
        entry = json.loads(line)
        yield _case(entry, base64.b64decode(entry["bytes"]), entry.get("rows"))


def _folder(folder: pathlib.Path) -> Iterator[Case]:
    for entry in json.loads((folder / "index.json").read_text())["files"]:
        if "duty" not in entry or "parts" in entry:
            continue
        data = (folder / entry["file"]).read_bytes()
        if hashlib.sha256(data).hexdigest() != entry["sha256"]:
            raise ValueError(f"{folder / entry['file']} is not the file of the index")
        yield _case(entry, data, (folder / entry["rows"]).read_text() if "rows" in entry else None)


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def is_written(path: pathlib.Path) -> bool:
    """Whether a file has the bytes of a case that was written, in this process."""
    return bool(_written) and _digest(path.read_bytes()) in _written


def _refuse(message: str, word: str, known: Iterable[str]) -> NoReturn:
    near = difflib.get_close_matches(word, known, 1)
    raise InvalidCall(message + (f"; did you mean {near[0]!r}?" if near else ""))


def _names(names: str | Iterable[str] | None) -> set[str] | None:
    return None if names is None else {names} if isinstance(names, str) else set(names)


def _core_features() -> Iterator[str]:
    """Those of the core tier, which has all; none without a wheel."""
    try:
        for case in _core():
            yield from case.features
    except FileNotFoundError:
        return


def cases(*, corpus: str | os.PathLike[str] | None = None, duty: str | Iterable[str] | None = None,
          features: str | Iterable[str] | None = None, rule: str | None = None, encrypted: bool = False) -> list[Case]:
    """The cases of the core tier, or of a folder with ``index.json``.

    duty: only these. features: only files that use no other features. rule: only files about it. encrypted: also files that need keys.

    Raises InvalidCall for a word that is no duty, no rule, or no feature of a file.
    """
    duties, supported = _names(duty), _names(features)
    for word in sorted((duties or set()) - set(DUTIES)):
        _refuse(f"duty: {word!r} is not one of {', '.join(DUTIES)}", word, DUTIES)
    found = list(_core() if corpus is None else _folder(pathlib.Path(corpus)))
    known = {feature for case in found for feature in case.features}
    if supported is not None and not supported <= known:
        known.update(_core_features())
        for word in sorted(supported - known):
            _refuse(f"features: no file of the corpus uses {word!r}", word, known)
    if rule is not None and rule not in {case.rule for case in found}:
        _library.collect("explain_json", _library.text(rule, "rule"))  # raises InvalidCall if there is no such rule
    return [case for case in found
            if (duties is None or case.duty in duties) and (supported is None or supported.issuperset(case.features))
            and (rule is None or case.rule == rule) and (encrypted or case.keys is None)]


__all__ = ["Case", "cases"]
