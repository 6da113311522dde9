"""The results of parqproof.lake: a run can end at any step."""
import json
import os
import pathlib
import unittest

from files import BROKEN, INTACT, needed
from lake_files import LakeTest


class Died(Exception):
    pass


class Dying:
    """A filesystem whose changes fail after some: the process has died."""

    CHANGES = ("open", "pipe_file", "rm_file")

    def __init__(self, fs, most):
        self._fs, self._most, self.changes = fs, most, 0

    def __getattr__(self, name):
        found = getattr(self._fs, name)
        if name not in self.CHANGES:
            return found

        def call(*arguments, **options):
            if name != "open" or "w" in options.get("mode", arguments[1] if len(arguments) > 1 else "rb"):
                if self.changes >= self._most:
                    raise Died
                self.changes += 1
            return found(*arguments, **options)

        return call


def rows(result):
    return sorted((row["path"], row["verdict"], row["size"]) for row in result.files.to_pylist())


def findings(result):
    return sorted((row["path"], row["rule"]) for row in result.findings.to_pylist())


def rows_of_folder(folder):
    import pyarrow.parquet

    return sum(pyarrow.parquet.read_metadata(path).num_rows for path in folder.rglob("*.parquet"))


@needed("fsspec")
@needed("pyarrow")
class OutputTest(LakeTest):
    def dying(self, output, most):
        from parqproof.lake.output import Output

        made = Output(output)
        made._fs = Dying(made._fs, most)
        return made

    def run_once(self, paths, output, most=10**9):
        """A run that dies after some changes of the output; returns their number, or None if it died."""
        from unittest import mock

        import parqproof.lake as lake

        results = self.dying(output, most)
        with mock.patch.object(lake, "Output", lambda *_: results), mock.patch.object(lake, "_PART_ROWS", 1):
            try:
                lake.check_table(paths, output=output, batch_files=1)
            except Died:
                return None
        return results._fs.changes

    def state(self, name, content):
        path, = self.fill([name])
        pathlib.Path(path).write_bytes(content)
        os.utime(path, (0, content == INTACT.read_bytes()))
        return path

    def test_a_run_can_end_at_any_step(self):
        """Of files that changed the rows are the old or the new ones, each once; the run after it completes them."""
        from parqproof.lake import read_result

        old, new = INTACT.read_bytes(), BROKEN.read_bytes()
        kept, changed, fixed = (self.state(f"{name}.parquet", data) for name, data in (("kept", new), ("changed", old), ("fixed", new)))
        paths = [kept, changed, fixed]
        before = [(kept, "nonconforming"), (changed, "conforming"), (fixed, "nonconforming")]
        after = [(kept, "nonconforming"), (changed, "nonconforming"), (fixed, "conforming")]
        steps = 0
        while True:
            output = self.folder / f"output-{steps}"
            self.state("changed.parquet", old), self.state("fixed.parquet", new)
            self.assertIsNotNone(self.run_once(paths, output))
            self.assertEqual([row[:2] for row in rows(read_result(output))], sorted(before))
            self.state("changed.parquet", new), self.state("fixed.parquet", old)
            number = self.run_once(paths, output, steps)
            found = [row[:2] for row in rows(read_result(output))]
            self.assertEqual([path for path, _ in found], sorted(paths), f"after {steps} changes")
            self.assertLessEqual(set(found), {*before, *after})
            self.assertEqual([path for path, _ in findings(read_result(output))], [path for path, verdict in found if verdict == "nonconforming"])
            self.assertIsNotNone(self.run_once(paths, output))
            result = read_result(output)
            self.assertEqual([row[:2] for row in rows(result)], sorted(after))
            self.assertEqual(findings(result), [(changed, "statistics/max-value"), (kept, "statistics/max-value")])
            # Nothing of other runs is left, so that other programs read the same rows.
            self.assertEqual(rows_of_folder(output / "files"), len(paths))
            self.assertEqual(rows_of_folder(output / "findings"), 2)
            steps += 1
            if number is not None:
                break
        self.assertGreater(steps, 8)

    def test_what_was_checked_is_kept_if_the_engine_fails(self):
        from parqproof.lake import Local, check_table, read_result

        class Failing(Local):
            def run(self, batches, options):
                for number, batch in enumerate(super().run(batches, options)):
                    if number == 2:
                        raise Died
                    yield batch

        paths = self.fill([f"{number}.parquet" for number in range(5)])
        with self.assertRaises(Died):
            check_table(paths, output=self.folder / "output", engine=Failing(1), batch_files=1)
        self.assertEqual(read_result(self.folder / "output").files.num_rows, 2)
        self.assertEqual(check_table(paths, output=self.folder / "output").files.num_rows, 5)

    def test_a_marker_that_was_not_written_to_its_end_does_not_count(self):
        from parqproof.lake import check_table, read_result

        paths = self.fill(["a.parquet"])
        check_table(paths, output=self.folder / "output")
        marker, = (self.folder / "output/_batches").iterdir()
        made, = (self.folder / "output/files").rglob("*.parquet")
        self.assertEqual(json.loads(marker.read_text()), {"replaces": [], "files": [str(made.relative_to(self.folder / "output"))]})
        marker.write_text('{"repl')
        self.assertEqual(read_result(self.folder / "output").files.num_rows, 0)
        self.assertEqual(check_table(paths, output=self.folder / "output").files.num_rows, 1)


@needed("fsspec")
@needed("pyarrow")
class RunsAtOnceTest(LakeTest):
    """Several runs with one output: a path is there once, and a run after them completes the output."""

    def setUp(self):
        super().setUp()
        self.output = self.folder / "output"
        self.paths = self.fill([f"{number}-broken.parquet" for number in range(6)])

    def expect_healed(self, paths=None):
        from parqproof.lake import check_table, read_result

        paths = paths or self.paths
        check_table(paths, output=self.output)
        for result in (check_table(paths, output=self.output), read_result(self.output)):
            self.assertEqual([row[:2] for row in rows(result)], [(path, "nonconforming") for path in sorted(paths)])
            self.assertEqual(findings(result), [(path, "statistics/max-value") for path in sorted(paths)])
        for name in ("files", "findings"):
            self.assertEqual(rows_of_folder(self.output / name), len(paths))

    def made(self, paths):
        """The result of a check without output, by the request of one."""
        from parqproof.lake import FileEntry, Options, check_batch, files_of
        from parqproof.lake.entry import request_of
        from parqproof.lake.output import result_of

        entries = [FileEntry(entry.path, entry.size, entry.version, request=request_of(entry, Options())) for entry in files_of(paths)]
        return result_of([check_batch(entries)])

    def test_rows_of_two_runs_that_began_at_once_are_there_once(self):
        from parqproof.lake import Output, read_result

        first, second = Output(self.output), Output(self.output)
        first.write(self.made(self.paths[:4]))
        second.write(self.made(self.paths[2:]))
        for _ in range(2):
            self.assertEqual([row[0] for row in rows(read_result(self.output))], self.paths)
            self.assertEqual([path for path, _ in findings(read_result(self.output))], self.paths)
            first.remove_outdated()
            second.remove_outdated()
        self.expect_healed()

    def test_a_part_counts_only_with_all_its_files(self):
        """Without its findings a file would be tolerated."""
        from unittest import mock

        from parqproof.lake import Output, OutputChanged, check_table, read_result

        write_file = Output._write_file

        def disturbed(output, path, table):
            write_file(output, path, table)
            if "findings" in path:  # a run that begins before the files are written
                Output(self.output).checked()

        with mock.patch.object(Output, "_write_file", disturbed), self.assertRaisesRegex(OutputChanged, "6 files, such as .*0-broken"):
            check_table(self.paths, output=self.output)
        self.assertEqual(read_result(self.output).files.num_rows, 0)
        self.expect_healed()

    def test_a_part_that_another_run_replaces_is_read_again(self):
        from unittest import mock

        from parqproof.lake import Output, read_result

        first, second = Output(self.output), Output(self.output)
        first.write(self.made(self.paths[:4]))
        second.write(self.made(self.paths[2:]))
        read, replaced = Output._read, []

        def disturbed(output, name, parts):
            if not replaced:
                replaced.append(True)
                Output(self.output).remove_outdated()
            return read(output, name, parts)

        with mock.patch.object(Output, "_read", disturbed):
            self.assertEqual([row[0] for row in rows(read_result(self.output))], self.paths)

    def test_runs_of_a_table_at_once(self):
        from concurrent.futures import ThreadPoolExecutor
        from unittest import mock

        import parqproof.lake as lake

        paths = self.fill([f"{number:03}-broken.parquet" for number in range(60)])

        def run(_):
            try:
                return lake.check_table(paths, output=self.output, engine=lake.Local(1), batch_files=3)
            except lake.OutputChanged:
                return None

        with mock.patch.object(lake, "_PART_ROWS", 5), ThreadPoolExecutor(3) as pool:
            for result in pool.map(run, range(3)):
                if result is not None:
                    self.assertEqual([row[0] for row in rows(result)], paths)
                    self.assertEqual([path for path, _ in findings(result)], paths)
        self.expect_healed(paths)


if __name__ == "__main__":
    unittest.main()
