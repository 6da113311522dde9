"""parqproof.lake: the process that checks files, its start and its end."""
import os
import resource
import subprocess
import sys
import unittest

from files import BROKEN, INTACT, WITNESSES, needed
from lake_files import LakeTest

SLOW_START = "import sys, time; sys.path[:] = sys.argv[2:]; time.sleep(1); from parqproof.lake._child import main; main(int(sys.argv[1]))"


@needed("fsspec")
@needed("pyarrow")
class ProcessTest(LakeTest):
    def setUp(self):
        super().setUp()
        from parqproof.lake import batch

        batch._close_all()
        self.addCleanup(batch._close_all)

    def verdicts(self, paths, **options):
        from parqproof.lake import Options, check_batch

        return [row["verdict"] for row in check_batch(paths, Options(**options)).to_pylist() if row["kind"] == "file"]

    def run_in(self, folder, code):
        return subprocess.run([sys.executable, "-c", f"import sys; sys.path[:] = [one for one in sys.path if one]; {code}"], capture_output=True,
                              text=True, cwd=folder)

    def test_modules_of_the_current_folder_are_not_those_of_the_process(self):
        code = f"from parqproof import lake; print(lake.check_batch({str(INTACT)!r}).column('verdict')[0])"
        for text in ("print('sample')", "raise SystemExit(1)"):
            for name in ("random", "inspect", "queue", "json"):
                (self.folder / f"{name}.py").write_text(text)  # one of them is imported at the start
            result = self.run_in(self.folder, code)
            self.assertEqual((result.stdout, result.stderr), ("conforming\n", ""))

    def test_the_start_does_not_count_as_time_of_a_file(self):
        from unittest import mock

        from parqproof.lake import batch

        with mock.patch.object(batch, "_START", SLOW_START):
            self.assertEqual(self.verdicts([str(INTACT), str(BROKEN)], timeout=0.5), ["conforming", "nonconforming"])

    def test_a_timeout_of_nothing_is_refused(self):
        from parqproof import InvalidCall
        from parqproof.lake import Options

        for timeout in (0, -1, float("nan")):
            with self.assertRaises(InvalidCall):
                Options(timeout=timeout)
        self.assertEqual(self.verdicts([str(INTACT)], timeout=float("inf")), ["conforming"])

    def test_a_process_that_cannot_be_started_is_no_fault_of_files(self):
        from unittest import mock

        from parqproof.lake import batch, check_batch

        for start, cause in (("raise SystemExit(7)", "it ended with exit code 7"), ("import os; os.kill(os.getpid(), 9)", "it was ended by SIGKILL")):
            with mock.patch.object(batch, "_START", start), self.assertRaisesRegex(RuntimeError, f"cannot start the process that checks files: {cause}"):
                check_batch([str(INTACT)])
        with mock.patch.object(sys, "executable", str(self.folder / "none")), self.assertRaisesRegex(RuntimeError, "cannot start the process"):
            check_batch([str(INTACT)])

    def test_a_start_that_is_killed_is_tried_again(self):
        from unittest import mock

        from parqproof.lake import batch

        marker = self.folder / "killed"
        code = f"import os, pathlib; one = pathlib.Path({str(marker)!r}); one.exists() or (one.touch(), os.kill(os.getpid(), 9)); "
        with mock.patch.object(batch, "_START", code + batch._START):
            self.assertEqual(self.verdicts([str(INTACT)]), ["conforming"])
        self.assertTrue(marker.exists())

    def test_descriptors_above_1024(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 2048:
            self.skipTest("the system allows fewer open files")
        resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        opened = [open(os.devnull) for _ in range(1100)]
        self.addCleanup(lambda: [one.close() for one in opened])
        self.assertEqual(self.verdicts([str(INTACT)], timeout=60), ["conforming"])

    def test_forked_processes_have_processes_of_their_own(self):
        code = ("import os; from parqproof import lake; from parqproof.lake import batch\n"
                f"intact, broken = {str(INTACT)!r}, {str(BROKEN)!r}\n"
                "lake.check_batch(intact); mine = batch._idle[0]._process.pid\n"
                "for number in range(2):\n"
                "    if os.fork() == 0:\n"
                "        found = [lake.check_batch(path).column('path')[0].as_py() for path in [broken, intact] * 20]\n"
                "        os._exit(batch._idle[0]._process.pid == mine or found != [broken, intact] * 20)\n"
                "found = [lake.check_batch(path).column('path')[0].as_py() for path in [intact, broken] * 20]\n"
                "print(found == [intact, broken] * 20, batch._idle[0]._process.pid == mine, [os.waitstatus_to_exitcode(os.wait()[1]) for _ in range(2)])")
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
        self.assertEqual(result.stdout, "True True [0, 0]\n", result.stderr)

    def test_claims_whose_comparison_ends_the_process_leave_the_report(self):
        """pyarrow aborts when it reads the column."""
        from parqproof.lake import Claims, FileEntry, check_batch

        path = str(WITNESSES / "size-statistics/unencoded-type/fail-a.parquet")
        expected = check_batch([path]).to_pylist()
        found = check_batch([FileEntry(path, claims=Claims(null_counts={"a": 0})), str(INTACT)]).to_pylist()
        self.assertIn("a process that also compares the claims of this file does not finish: it was ended by SIG", found[0].pop("not_compared"))
        self.assertIsNone(expected[0].pop("not_compared"))
        for row in (expected[0], found[0]):
            row.pop("seconds")
        self.assertEqual([one for one in found if one["path"] == path], expected)
        self.assertEqual([one["verdict"] for one in found if one["path"] == str(INTACT)], ["conforming"])

    def test_files_in_memory_are_not_read(self):
        import fsspec

        from parqproof.lake import check_table

        fsspec.filesystem("memory").pipe_file("/made/a.parquet", INTACT.read_bytes())
        self.addCleanup(fsspec.filesystem("memory").rm, "/made", recursive=True)
        row, = check_table("memory://made").files.to_pylist()
        self.assertEqual(row["verdict"], "unreadable")
        self.assertIn("is in the memory of another process", row["error"])


if __name__ == "__main__":
    unittest.main()
