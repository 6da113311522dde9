"""The plugin of pytest, with tests that are run by pytest's own `pytester`."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from files import BROKEN, INTACT, SOURCE, needed

WRITES = f"""
import pathlib
import pytest
from parqproof.testing import assert_parquet, parquet_cases

INTACT, BROKEN = pathlib.Path({str(INTACT)!r}).read_bytes(), pathlib.Path({str(BROKEN)!r}).read_bytes()
"""


@needed("pytest")
class PluginTest(unittest.TestCase):
    def run_pytest(self, test, ini="", *arguments):
        """The output of pytest for a file of tests."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "test_it.py").write_text(WRITES + test)
            (path / "pytest.ini").write_text("[pytest]\n" + ini)
            # In the tree the plugin has no entry point.
            plugin = [] if os.environ.get("PARQPROOF_INSTALLED") else ["-p", "parqproof.pytest_plugin"]
            result = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *arguments, folder],
                                    capture_output=True, text=True, cwd=folder)
            return result.stdout + result.stderr

    def test_assert_parquet_shows_findings_with_their_bytes(self):
        output = self.run_pytest("""
def test_intact():
    assert assert_parquet(INTACT).ok
def test_broken():
    assert_parquet(BROKEN)
def test_ignored():
    assert_parquet(BROKEN, ignore="statistics/*", fail_on="warning")
def test_profile():
    with pytest.raises(ValueError):
        assert_parquet(BROKEN, "no such")
""")
        self.assertIn("1 failed, 3 passed", output)
        self.assertIn("statistics/max-value", output)
        self.assertIn("max_value", output)
        self.assertRegex(output, r"\b[0-9a-f]{2} [0-9a-f]{2}\b")
        self.assertNotIn("testing.py:", output)

    FILES = """
def test_broken(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.parquet").write_bytes(BROKEN)
def test_by_magic(tmp_path):
    (tmp_path / "data").write_bytes(BROKEN)
def test_intact(tmp_path):
    (tmp_path / "a.parquet").write_bytes(INTACT)
    (tmp_path / "other.txt").write_text("text")
def test_none():
    pass
@pytest.mark.parqproof(False)
def test_off(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
@pytest.mark.parqproof(enabled=False)
def test_off_by_name(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
@pytest.mark.parqproof(ignore="statistics/*")
def test_ignored(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
def test_requested(parquet_files):
    (parquet_files / "a.parquet").write_bytes(BROKEN)
"""

    def test_one_line_turns_on_the_check_of_written_files(self):
        output = self.run_pytest(self.FILES, "parqproof = strict\n")
        self.assertIn("3 failed, 5 passed", output)
        for name in ("test_broken", "test_by_magic", "test_requested"):
            self.assertIn(f"FAILED test_it.py::{name}", output)
        self.assertIn("folder/a.parquet: nonconforming, 1 error", output)

    def test_without_the_line_only_the_fixture_turns_it_on(self):
        output = self.run_pytest(self.FILES)
        self.assertIn("1 failed, 7 passed", output)
        self.assertIn("FAILED test_it.py::test_requested", output)

    def test_files_are_found_by_name_and_magic(self):
        output = self.run_pytest("""
@pytest.mark.parametrize("name, data", [("A.PARQUET", b"junk"), ("tail", b"junk" + BROKEN[-4:]), ("head", b"PARE"), ("short", b"PA"), ("b.txt", b"")])
def test_name(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
def test_removed(tmp_path):
    tmp_path.rmdir()
""", "parqproof = strict\n")
        self.assertIn("3 failed, 3 passed", output)
        for name in ("A.PARQUET", "tail", "head"):
            self.assertIn(f"FAILED test_it.py::test_name[{name}-", output)

    def test_files_that_fixtures_complete_are_checked_and_those_of_failed_tests_are_not(self):
        output = self.run_pytest("""
import unittest

@pytest.fixture
def writer(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1")
    made = []
    yield made
    path.write_bytes(made[0])
def test_completed(writer):
    writer.append(INTACT)
def test_completed_wrongly(writer):
    writer.append(BROKEN)
def test_failed(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
    assert False
def test_skipped(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
    pytest.skip()
class UnitTest(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path):
        self.path = tmp_path
    def test_unit(self):
        (self.path / "a.parquet").write_bytes(BROKEN)
    def test_unit_failed(self):
        (self.path / "a.parquet").write_bytes(BROKEN)
        self.fail()
""", "parqproof = strict\ntmp_path_retention_policy = failed\n")
        self.assertIn("2 failed, 3 passed, 1 skipped, 2 errors", output)
        for name in ("test_completed_wrongly", "UnitTest::test_unit"):
            self.assertIn(f"ERROR test_it.py::{name}", output)

    def test_a_tmp_path_of_the_project(self):
        output = self.run_pytest("""
class TestText:
    @pytest.fixture
    def tmp_path(self, tmp_path):
        return str(tmp_path)
    def test_text(self, tmp_path):
        pathlib.Path(tmp_path, "a.parquet").write_bytes(INTACT)
    def test_broken_text(self, tmp_path):
        pathlib.Path(tmp_path, "a.parquet").write_bytes(BROKEN)
    def test_broken_text_with_fixture(self, tmp_path, other):
        pathlib.Path(tmp_path, "a.parquet").write_bytes(BROKEN)
@pytest.fixture
def other():
    pass
@pytest.mark.parametrize("tmp_path", [3])
def test_number(tmp_path):
    assert tmp_path == 3
@pytest.mark.parametrize("tmp_path", [3])
def test_number_with_fixture(tmp_path, other):
    assert tmp_path == 3
""", "parqproof = strict\n")
        self.assertIn("1 failed, 4 passed, 1 error", output)
        self.assertIn("FAILED test_it.py::TestText::test_broken_text", output)
        self.assertIn("ERROR test_it.py::TestText::test_broken_text_with_fixture", output)

    def test_a_tmp_path_that_is_requested_dynamically(self):
        output = self.run_pytest("""
def test_in_test(request):
    (request.getfixturevalue("tmp_path") / "a.parquet").write_bytes(BROKEN)
@pytest.fixture
def folder(request):
    return request.getfixturevalue("tmp_path")
def test_in_fixture(folder):
    (folder / "a.parquet").write_bytes(BROKEN)
@pytest.fixture
def writer(request):
    path = request.getfixturevalue("tmp_path") / "a.parquet"
    path.write_bytes(b"PAR1")
    yield
    path.write_bytes(INTACT)
def test_completed(writer):
    pass
@pytest.mark.parqproof(False)
def test_off(request):
    (request.getfixturevalue("tmp_path") / "a.parquet").write_bytes(BROKEN)
""", "parqproof = strict\ntmp_path_retention_policy = failed\n")
        self.assertIn("1 failed, 3 passed, 1 error", output)
        self.assertIn("FAILED test_it.py::test_in_test", output)
        self.assertIn("ERROR test_it.py::test_in_fixture", output)

    def test_a_test_that_is_expected_to_fail_does_so_with_other_fixtures_too(self):
        output = self.run_pytest("""
@pytest.fixture
def other():
    pass
@pytest.mark.xfail(strict=True)
def test_alone(tmp_path):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
@pytest.mark.xfail(strict=True)
def test_with_fixture(tmp_path, other):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
@pytest.mark.xfail(False, reason="not here", strict=True)
def test_not_expected(tmp_path, other):
    (tmp_path / "a.parquet").write_bytes(BROKEN)
@pytest.mark.xfail(strict=True)
def test_intact(tmp_path, other):
    (tmp_path / "a.parquet").write_bytes(INTACT)
""", "parqproof = strict\n")
        self.assertIn("1 failed, 1 passed, 2 xfailed, 1 error", output)
        self.assertIn("FAILED test_it.py::test_intact", output)
        self.assertIn("ERROR test_it.py::test_not_expected", output)

    def test_files_of_the_corpus_are_left_out(self):
        output = self.run_pytest(f"""
import parqproof

@parquet_cases(corpus={str(SOURCE / "corpus")!r}, rule="crc/match")
def test_reader(parquet_case, tmp_path):
    parquet_case.verify(parqproof.rows, tmp_path)
@parquet_cases(corpus={str(SOURCE / "corpus")!r}, rule="rle/truncated", duty="reject")
def test_writer(parquet_case, tmp_path):
    parquet_case.write_to(tmp_path).write_bytes(BROKEN)
""", "parqproof = strict\n")
        self.assertNotIn("test_reader", output)
        self.assertIn("FAILED test_it.py::test_writer", output)

    def test_the_markers_are_listed(self):
        self.assertIn("@pytest.mark.parqproof(enabled=True, **options)", self.run_pytest("", "", "--markers"))

    def test_a_wrong_profile_in_the_ini_file(self):
        self.assertIn("'strikt' is not one of", self.run_pytest("def test_none(): pass", "parqproof = strikt\n"))

    def test_too_few_cases_are_an_error(self):
        from parqproof.testing import parquet_cases

        with self.assertRaisesRegex(ValueError, "0 cases of the corpus instead of at least 1"):
            parquet_cases(corpus=SOURCE / "corpus", rule="summary/schema", features=[])
        with self.assertRaisesRegex(ValueError, "instead of at least 100000"):
            parquet_cases(corpus=SOURCE / "corpus", at_least=100_000)

    def test_parquet_cases_test_a_reader(self):
        output = self.run_pytest("""
import parqproof
CORPUS = %r

@parquet_cases(corpus=CORPUS, rule="crc/match")
def test_good_reader(parquet_case, tmp_path):
    parquet_case.verify(lambda path: parqproof.rows(path), tmp_path)

@parquet_cases(corpus=CORPUS, rule="rle/truncated", duty="reject")
def test_reader_that_accepts_all(parquet_case, tmp_path):
    parquet_case.verify(lambda path: [], tmp_path)

@parquet_cases("case", corpus=CORPUS, rule="crc/match", duty="accept")
def test_reader_without_rows(case, tmp_path):
    case.verify(lambda path: [], tmp_path)

@parquet_cases("case", corpus=CORPUS, rule="crc/match")
def test_reader_without_features(case, tmp_path):
    def read(path):
        raise NotImplementedError("nothing yet")
    case.verify(read, tmp_path)
""" % str(SOURCE / "corpus"))
        import re

        counts = {word: int(count) for count, word in re.findall(r"(\d+) (failed|passed|skipped)", output)}
        self.assertGreater(counts.get("passed", 0), 0, output)
        self.assertGreater(counts.get("failed", 0), 0, output)
        self.assertEqual(counts.get("skipped", 0), counts["passed"], output)
        self.assertNotIn("FAILED test_it.py::test_good_reader", output)
        self.assertIn("FAILED test_it.py::test_reader_that_accepts_all", output)
        self.assertIn("must be rejected", output)
        self.assertIn("instead of", output)


@needed("pytest")
class PytesterTest(unittest.TestCase):
    def test_the_plugin_in_pytester(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "conftest.py").write_text('pytest_plugins = ["pytester"]\n')
            (path / "test_plugin.py").write_text(f"""
def test_outcomes(pytester):
    pytester.makeini("[pytest]\\nparqproof = strict")
    pytester.makepyfile('''
        import pathlib
        def test_broken(tmp_path):
            (tmp_path / "a.parquet").write_bytes(pathlib.Path({str(BROKEN)!r}).read_bytes())
        def test_intact(tmp_path):
            (tmp_path / "a.parquet").write_bytes(pathlib.Path({str(INTACT)!r}).read_bytes())
    ''')
    plugin = [] if {bool(os.environ.get("PARQPROOF_INSTALLED"))} else ["-p", "parqproof.pytest_plugin"]
    result = pytester.runpytest_inprocess(*plugin)
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*statistics/max-value*"])
""")
            result = subprocess.run([sys.executable, "-m", "pytest", "-p", "no:cacheprovider", folder], capture_output=True, text=True, cwd=folder)
            self.assertEqual(result.returncode, 0, result.stdout)


if __name__ == "__main__":
    unittest.main()
