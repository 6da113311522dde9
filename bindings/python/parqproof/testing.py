"""For tests of writers and readers: :func:`assert_parquet` and :func:`parquet_cases`."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterable

from . import Profile, Source, check, corpus
from .report import Report

if TYPE_CHECKING:
    import pytest


class NotConforming(AssertionError):
    """A file that a test made is not conforming. ``report`` has the findings."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.report), self.__dict__


def assert_parquet(source: Source, profile: Profile = "strict", *, fail_on: str = "error", **options: Any) -> Report:
    """Checks a file, and raises AssertionError with the findings and their bytes unless it is conforming.

    source, options: as of :func:`parqproof.check`. fail_on: ``warning`` fails for a warning too.

    >>> assert_parquet(b"PAR1")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    parqproof.testing.NotConforming: -: malformed, 1 error...
    """
    __tracebackhide__ = True
    if fail_on not in ("error", "warning"):
        raise ValueError(f"fail_on: {fail_on!r} is neither error nor warning")
    report = check(source, profile=profile, **{"hex": True, **options})
    if report.ok and (fail_on == "error" or report.warnings == 0):
        return report
    counts = repr(report).removeprefix("<parqproof.Report ").removesuffix(">")
    raise NotConforming(f"{counts}\n\n{report}", report)


def parquet_cases(argument: str = "parquet_case", *, corpus: str | os.PathLike[str] | None = None, duty: str | Iterable[str] | None = None,
                  features: str | Iterable[str] | None = None, rule: str | None = None, encrypted: bool = False,
                  at_least: int = 1) -> "pytest.MarkDecorator":
    """Parametrises a test of pytest with files of the corpus (:func:`parqproof.corpus.cases` has the parameters)::

        @parquet_cases()
        def test_reader(parquet_case, tmp_path):
            parquet_case.verify(lambda path: my_reader.rows(path), tmp_path)

    at_least: raises ValueError if there are fewer cases, of which pytest would only skip the test.
    """
    import pytest

    found = _cases(corpus=corpus, duty=duty, features=features, rule=rule, encrypted=encrypted)
    if len(found) < at_least:
        raise ValueError(f"{len(found)} cases of the corpus instead of at least {at_least}")
    return pytest.mark.parametrize(argument, [pytest.param(case, id=case.name) for case in found])


_cases = corpus.cases

__all__ = ["NotConforming", "assert_parquet", "parquet_cases"]
