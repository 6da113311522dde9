"""The plugin of pytest. With the line ``parqproof = strict`` (or another profile) in the ini file, each test that writes Parquet files below
its ``tmp_path`` fails if one of them is not conforming. ``@pytest.mark.parqproof(...)`` gives the options of a test, or turns it off with
``False``; the fixture ``parquet_files`` turns it on for a test."""
from __future__ import annotations

import pathlib
from typing import Any, Generator, Iterator

import pytest

MAGICS = (b"PAR1", b"PARE")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("parqproof", "profile by which the Parquet files that tests write below tmp_path are checked; empty: they are not", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "parqproof(enabled=True, **options): options of parqproof.testing.assert_parquet for the Parquet files "
                                       "that the test writes below tmp_path; False: they are not checked")
    profile = config.getini("parqproof")
    if profile not in ("", "strict", "historical", "interop"):
        raise pytest.UsageError(f"parqproof: {profile!r} is not one of strict, historical, interop")


@pytest.fixture
def parquet_files(tmp_path: pathlib.Path) -> pathlib.Path:
    """tmp_path; the Parquet files that the test writes below it are checked when it has passed."""
    return tmp_path


def written_files(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files below a folder that are named *.parquet, or begin or end with a magic of Parquet."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        with path.open("rb") as file:
            if path.suffix == ".parquet" or file.read(4) in MAGICS:
                yield path


def _options(item: pytest.Item) -> dict[str, Any] | None:
    """The options for the files of a test; None if they are not checked."""
    profile = item.config.getini("parqproof")
    marker = item.get_closest_marker("parqproof")
    enabled = bool(profile) or "parquet_files" in getattr(item, "fixturenames", ())
    options: dict[str, Any] = {"profile": profile or "strict"}
    if marker is not None:
        enabled = bool(marker.args[0]) if marker.args else True
        options.update(marker.kwargs)
    return options if enabled else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    result = yield
    folder = getattr(item, "funcargs", {}).get("tmp_path")
    options = _options(item)
    if folder is not None and options is not None:
        _check_files(folder, options)
    return result


def _check_files(folder: pathlib.Path, options: dict[str, Any]) -> None:
    __tracebackhide__ = True
    from .testing import NotConforming, assert_parquet

    failures = []
    for path in written_files(folder):
        try:
            assert_parquet(path, **{"name": str(path.relative_to(folder)), **options})
        except NotConforming as failure:
            failures.append(str(failure))
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)
