"""The plugin of pytest. With the line ``parqproof = strict`` (or another profile) in the ini file, each test that writes Parquet files below
its ``tmp_path`` fails if one of them is not conforming. ``@pytest.mark.parqproof(...)`` gives the options of a test, or turns it off with
``False``; the fixture ``parquet_files`` turns it on for a test. If the test has fixtures of its own, which may complete files in their teardown,
files are checked after it: the test then ends with an error; if it is expected to fail, they are checked before. Files of the corpus that its
cases have written are left out."""
from __future__ import annotations

import os
import pathlib
from typing import Any, Generator, Iterator

import pytest

MAGICS = (b"PAR1", b"PARE")
_PASSED, _REQUESTED = pytest.StashKey[bool](), pytest.StashKey[bool]()
#: tmp_path of a test; None if a project has made it something else.
_FOLDER = pytest.StashKey["pathlib.Path | None"]()
#: Fixtures that complete no file in their teardown.
_BUILT_IN = {"_parqproof", "cache", "capfd", "capfdbinary", "caplog", "capsys", "capsysbinary", "monkeypatch", "parquet_files", "pytestconfig",
             "record_property", "record_testsuite_property", "recwarn", "request", "subtests", "tmp_path", "tmp_path_factory", "tmpdir",
             "tmpdir_factory"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("parqproof", "profile by which the Parquet files that tests write below tmp_path are checked; empty: they are not", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "parqproof(enabled=True, **options): options of parqproof.testing.assert_parquet for the Parquet files "
                                       "that the test writes below tmp_path; False: they are not checked")
    profile = config.getini("parqproof")
    if profile not in ("", "strict", "historical", "interop"):
        raise pytest.UsageError(f"parqproof: {profile!r} is not one of strict, historical, interop")


@pytest.fixture
def parquet_files(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> pathlib.Path:
    """tmp_path; the Parquet files that the test and its fixtures write below it are checked when it has passed."""
    request.node.stash[_REQUESTED] = True
    return tmp_path


def written_files(folder: pathlib.Path) -> Iterator[pathlib.Path]:
    """The files below a folder that are named *.parquet, or begin or end with a magic of Parquet."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.is_symlink():
            continue
        if path.suffix.lower() == ".parquet" or _has_magic(path):
            yield path


def _has_magic(path: pathlib.Path) -> bool:
    with path.open("rb") as file:
        if file.read(4) in MAGICS:
            return True
        file.seek(max(0, file.seek(0, os.SEEK_END) - 4))
        return file.read(4) in MAGICS


def _options(item: pytest.Item) -> dict[str, Any] | None:
    """The options for the files of a test; None if they are not checked."""
    profile = item.config.getini("parqproof")
    marker = item.get_closest_marker("parqproof")
    enabled = bool(profile) or "parquet_files" in getattr(item, "fixturenames", ()) or item.stash.get(_REQUESTED, False)
    options: dict[str, Any] = {"profile": profile or "strict"}
    if marker is not None:
        options.update(marker.kwargs)
        enabled = bool(options.pop("enabled", marker.args[0] if marker.args else True))
    return options if enabled else None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_PASSED] = report.passed
    return report


def _has_fixtures(item: pytest.Item) -> bool:
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    return not {*getattr(item, "fixturenames", ())} <= {*_BUILT_IN, *parameters}


def _is_expected_to_fail(item: pytest.Item) -> bool:
    """Whether an xfail marker holds. pytest has no API that says so."""
    from _pytest.skipping import evaluate_xfail_marks

    return not item.config.getoption("runxfail", False) and evaluate_xfail_marks(item) is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    result = yield
    if _options(item) is not None and (not _has_fixtures(item) or _is_expected_to_fail(item)):  # a teardown cannot fail as expected
        _check_folder(item)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> Generator[None, Any, Any]:
    value = yield
    if fixturedef.argname == "tmp_path" and request.scope == "function":
        item = request.node
        item.stash[_FOLDER] = pathlib.Path(value) if isinstance(value, (str, os.PathLike)) else None
        # It is called after the teardown of fixtures that use tmp_path, and before that of tmp_path, which may remove the folder.
        fixturedef.addfinalizer(lambda: _check_completed(item))
    return value


@pytest.fixture(autouse=True)
def _parqproof(request: pytest.FixtureRequest) -> None:
    """An autouse fixture is set up before others, so that tmp_path is torn down after them."""
    if "tmp_path" in request.fixturenames and _options(request.node) is not None:
        request.getfixturevalue("tmp_path")


def _check_folder(item: pytest.Item) -> None:
    __tracebackhide__ = True
    options, folder = _options(item), item.stash.get(_FOLDER, None)
    if options is not None and folder is not None:
        _check_files(folder, options)


def _check_completed(item: pytest.Item) -> None:
    __tracebackhide__ = True
    try:
        if item.stash.get(_PASSED, False) and _has_fixtures(item):
            _check_folder(item)
    finally:
        item.stash[_FOLDER] = None  # the tmp_path of a project may use that of pytest, and both come here


def _check_files(folder: pathlib.Path, options: dict[str, Any]) -> None:
    __tracebackhide__ = True
    from . import corpus
    from .testing import NotConforming, assert_parquet

    failures = []
    for path in written_files(folder):
        try:
            assert_parquet(path, **{"name": str(path.relative_to(folder)), **options})
        except NotConforming as failure:
            if not corpus.is_written(path):
                failures.append(str(failure))
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)
