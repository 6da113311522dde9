"""parqproof.lake: tables of each kind, batches, results."""
import json
import os
import pathlib
import unittest

import parqproof
from files import BROKEN, INTACT, SOURCE, WITNESSES, needed
from lake_files import LakeTest, corrupt, delta_table, iceberg_table, several_row_groups, table


def by_path(result):
    return {row["path"]: row for row in result.files.to_pylist()}


def rules_of(result, path=None):
    return sorted((os.path.basename(row["path"]), row["rule"]) for row in result.findings.to_pylist() if path in (None, row["path"]))


@needed("fsspec")
@needed("pyarrow")
class BatchTest(LakeTest):
    def test_a_batch_has_a_row_for_each_file_and_each_finding(self):
        from parqproof.lake import check_batch

        intact, broken = self.fill(["intact.parquet", "broken.parquet"])
        rows = check_batch([intact, broken]).to_pylist()
        self.assertEqual([(row["kind"], row["path"], row["verdict"], row["rule"]) for row in rows],
                         [("file", intact, "conforming", None), ("file", broken, "nonconforming", None),
                          ("finding", broken, "nonconforming", "statistics/max-value")])
        expected = parqproof.check(broken).findings[0]
        for name in ("severity", "column", "row_group", "page", "offset", "message", "found", "expected"):
            self.assertEqual(rows[2][name], getattr(expected, name), name)
        self.assertEqual(rows[1]["size"], os.path.getsize(broken))

    def test_rows_of_reports_are_those_of_the_values(self):
        """Reports of local files become columns without values of Python in between."""
        from parqproof.lake import FileEntry, Options, _child
        from parqproof.lake.reports import CheckedFile, batches_of_reports
        from parqproof.lake.rows import joined, record_batch, rows_of_report

        files, rows = [], []
        for path in sorted((SOURCE / "corpus/witnesses").glob("*/*/fail-a.parquet"))[::4]:
            entry = FileEntry(str(path), None if len(files) % 2 else path.stat().st_size, partition={"a": "é"} if len(files) % 3 else {})
            report = _child._report_of_path(str(path), Options(advice=True))
            files.append(CheckedFile(entry, "7", 0.5, report))
            rows += rows_of_report(entry, json.loads(report), seconds=0.5)
            rows[-1 - len(json.loads(report)["findings"])]["version"] = "7"
        self.assertGreater(len(files), 80)
        self.assertEqual(joined(batches_of_reports(files)).to_pylist(), record_batch(rows).to_pylist())

    def test_no_file_raises(self):
        from parqproof.lake import check_batch

        (self.data / "no.parquet").write_bytes(b"no file")
        paths = [str(self.data / "none.parquet"), str(self.data), str(self.data / "no.parquet")]
        files = {row["path"]: row for row in check_batch(paths).to_pylist() if row["kind"] == "file"}
        self.assertEqual([files[path]["verdict"] for path in paths], ["unreadable", "unreadable", "malformed"])
        self.assertIn("FileNotFoundError", files[paths[0]]["error"])

    def test_wrong_options_raise(self):
        from parqproof.lake import Options, check_batch

        with self.assertRaises(parqproof.InvalidCall):
            check_batch([str(INTACT)], Options(tier="no such"))

    def test_a_file_that_ends_its_process_is_reported_and_others_are_checked(self):
        from parqproof.lake import check_batch

        self.logged_filesystem()
        paths = [f"logged://{path}" for path in self.fill(["a.parquet", "kill.parquet", "kill-once.parquet", "broken.parquet"])]
        rows = check_batch(paths).to_pylist()
        self.assertEqual([row["verdict"] for row in rows if row["kind"] == "file"], ["conforming", "unreadable", "conforming", "nonconforming"])
        self.assertEqual([row["rule"] for row in rows if row["kind"] == "finding"], ["lake/worker-ended", "statistics/max-value"])
        self.assertIn("SIGKILL", next(row["error"] for row in rows if row["verdict"] == "unreadable"))
        self.assertEqual(self.log.read_text().split(), ["a.parquet", "kill.parquet", "kill.parquet", "kill-once.parquet", "kill-once.parquet",
                                                        "broken.parquet"])

    def test_a_file_that_takes_too_long_is_reported(self):
        from parqproof.lake import Options, check_batch

        fifo = self.data / "fifo.parquet"
        os.mkfifo(fifo)  # opened, it waits
        os.environ["PARQPROOF_TEST_LOG"] = str(fifo)
        self.logged_filesystem()
        os.environ["PARQPROOF_TEST_LOG"] = str(fifo)
        a, = self.fill(["a.parquet"])
        rows = check_batch([f"logged://{a}"], Options(timeout=3)).to_pylist()
        self.assertEqual((rows[0]["verdict"], rows[1]["rule"]), ("unreadable", "lake/worker-ended"))
        self.assertIn("longer than 3 s", rows[0]["error"])


@needed("fsspec")
@needed("pyarrow")
class PiecesTest(LakeTest):
    def files_object(self, source, limit=0, **options):
        return parqproof.check(source, limit=limit, named_files=False, **options).to_dict()["files"][0]

    def test_pieces_of_the_corpus_give_the_complete_report(self):
        from parqproof.lake import _child, pieces

        compared = 0
        index = json.loads((SOURCE / "corpus/index.json").read_text())["files"]
        for path in (SOURCE / "corpus" / entry["file"] for entry in index):
            base = self.files_object(path, row_groups=(0, 0))
            count = base.get("row_groups", 0)
            if count < 2 or _child._has_geo(path):
                continue
            step = max(1, count // 3)
            ranges = [(0, 0), *((first, min(count, first + step)) for first in range(0, count, step))]
            made = pieces.put_together(ranges, [base, *(self.files_object(path, row_groups=one) for one in ranges[1:])])
            if made is not None:
                self.assertEqual(made, self.files_object(path), path)
                compared += 1
        self.assertGreater(compared, 100)

    def test_faults_in_the_first_a_middle_and_the_last_row_group(self):
        from parqproof.lake import Options, check_table, pieces

        ranges = [(0, 0), (0, 2), (2, 4), (4, 6)]
        for faults in ((), (0,), (3,), (5,), (0, 3, 5)):
            with self.subTest(faults=faults):
                data = several_row_groups(faults)
                made = pieces.put_together(ranges, [self.files_object(data, row_groups=one) for one in ranges])
                self.assertEqual(made, self.files_object(data))
                self.assertEqual(made["errors"], len(faults))
                path, = self.fill(["large.parquet"], data)
                results = [check_table([path], options=Options(cut_bytes=cut, limit=2)) for cut in (None, len(data) // 3)]
                for name in ("files", "findings"):
                    tables = [getattr(result, name).to_pylist() for result in results]
                    for row in (row for rows in tables for row in rows):
                        row.pop("seconds", None)
                        row.pop("requests", None)
                        row.pop("bytes_read", None)
                    self.assertEqual(*tables)

    def test_a_limit_lists_the_findings_of_the_complete_check(self):
        from parqproof.lake import pieces

        path = SOURCE / "corpus/writers/fastparquet/several-row-groups-snappy-statistics.parquet"
        count = self.files_object(path, row_groups=(0, 0))["row_groups"]
        ranges = [(0, 0), *((group, group + 1) for group in range(count))]
        reports = [self.files_object(path, row_groups=one) for one in ranges]
        for limit in (0, 1, 2, 7, 20, 50, 80, 99, 100, 101, 107, 108, 150):
            made, complete = pieces.put_together(ranges, reports, limit), self.files_object(path, limit)
            for name in ("findings", "truncated", "omitted", "errors", "warnings", "infos"):
                self.assertEqual(made[name], complete[name], f"{name} with a limit of {limit}")

    def test_damage_gives_the_complete_check(self):
        from parqproof.lake import Options, check_table

        data = several_row_groups()
        path, = self.fill(["large.parquet"], data[:5000] + data[5100:])
        complete, in_pieces = (check_table([path], options=Options(cut_bytes=cut)) for cut in (None, 10_000))
        self.assertEqual(complete.findings, in_pieces.findings)
        self.assertNotEqual(complete.findings.num_rows, 0)

    def test_advice_and_chosen_rules_give_the_complete_check(self):
        from parqproof.lake import Options, check_table

        for path, given in ((WITNESSES / "shredding/never-typed/fail-c.parquet", {"advice": True}),
                            (SOURCE / "corpus/writers/pyarrow/page-index-several-row-groups.parquet", {"advice": True}),
                            (WITNESSES / "file/bytes-inserted/fail-k.parquet", {"only": ("page/*", "levels/*")}),
                            (WITNESSES / "file/bytes-inserted/fail-k.parquet", {"ignore": ("file/*",)})):
            with self.subTest(path.name, **given):
                complete, in_pieces = (check_table([path], options=Options(cut_bytes=cut, **given)) for cut in (None, 1))
                self.assertEqual(complete.findings, in_pieces.findings)
                for name in ("verdict", "rows", "row_groups", "errors", "infos"):
                    self.assertEqual(complete.files.column(name), in_pieces.files.column(name), name)

    def test_wrong_options_are_raised_and_texts_that_are_not_unicode_are_rows(self):
        from parqproof.lake import Claims, FileEntry, Options, check_batch

        for given, error in (({"limit": "5"}, TypeError), ({"tier": 3}, TypeError), ({"tier": "x"}, parqproof.InvalidCall)):
            with self.assertRaises(error):
                check_batch(INTACT, Options(**given))
        rows = check_batch([FileEntry(str(INTACT), claims=Claims(null_counts={"\ud800": 1})), FileEntry("/\ud800.parquet"), str(INTACT)]).to_pylist()
        self.assertEqual([row["verdict"] for row in rows if row["kind"] == "file"].count("conforming"), 2)

    def test_files_that_column_chunks_name_are_read_as_by_the_program(self):
        from parqproof.lake import Options, check_batch, check_table

        for name, verdict, errors in (("legal/summary/pass-a", "conforming", 0), ("legal/split-columns/pass-a", "conforming", 0),
                                      ("summary/chunk-metadata/fail-a", "nonconforming", 1), ("summary/chunk-metadata/fail-c", "malformed", 1)):
            with self.subTest(name):
                row = check_batch(WITNESSES / f"{name}.parquet").to_pylist()[0]
                self.assertEqual((row["verdict"], row["errors"]), (verdict, errors))
        for cut in (None, 1):
            result = check_table([WITNESSES / "summary/not-formal/fail-c.parquet"], options=Options(cut_bytes=cut))
            self.assertEqual((result.files.column("verdict").to_pylist(), result.findings.num_rows), (["nonconforming"], 2))
        path = WITNESSES / "summary/not-formal/fail-c.parquet"
        row, *found = check_batch(path).to_pylist()
        self.assertEqual((row["verdict"], row["errors"], [one["rule"] for one in found]), ("nonconforming", 1, ["summary/not-formal", "crc/match"]))
        self.assertTrue(found[1]["message"].startswith(f"{path.parent}/c.1.data: crc is "))


@needed("fsspec")
@needed("pyarrow")
class TablesTest(LakeTest):
    def test_folders_of_hive(self):
        from parqproof.lake import check_table, files_of

        self.fill(["year=2024/month=01/a.parquet", "year=2024/month=02/broken.parquet", "_temporary/b.parquet", "year=2024/.c.parquet",
                   "year=2024/readme.txt"])
        for table in (self.data, f"file://{self.data}"):
            entries = files_of(table)
            self.assertEqual([entry.partition for entry in entries], [{"year": "2024", "month": "01"}, {"year": "2024", "month": "02"}])
            self.assertEqual(entries[0].size, INTACT.stat().st_size)
            self.assertNotEqual(entries[0].version, "")
        result = check_table(self.data)
        self.assertEqual(rules_of(result), [("broken.parquet", "statistics/max-value")])
        broken = by_path(result)[entries[1].path]
        self.assertEqual(json.loads(broken["partition"]), {"year": "2024", "month": "02"})

    def test_lists_and_wrong_tables(self):
        from parqproof.lake import files_of

        self.assertEqual([entry.path for entry in files_of([BROKEN, str(INTACT)])], sorted([str(BROKEN), str(INTACT)]))
        self.assertEqual([entry.path for entry in files_of(os.path.relpath(BROKEN))], [str(BROKEN)])
        with self.assertRaises(FileNotFoundError):
            files_of(self.folder / "none")
        with self.assertRaises(TypeError):
            files_of(5)

    def claims(self, result, path):
        return [(row["rule"], row["column"], row["found"], row["expected"]) for row in result.findings.to_pylist()
                if row["path"] == path and row["rule"].startswith("lake/")]

    @needed("deltalake")
    def test_a_table_of_delta(self):
        from parqproof.lake import check_table, skip_list

        made, files = delta_table(str(self.data))
        result = check_table(made)
        verdicts = by_path(result)
        self.assertEqual([verdicts[path]["verdict"] for path in files][0::2], ["conforming", "conforming"])
        self.assertIn(verdicts[files[1]]["verdict"], ("nonconforming", "malformed"))
        self.assertEqual(sorted(self.claims(result, files[0])),
                         [("lake/bound", "id", "98", "99"), ("lake/null-count", "maybe", "19", "20"), ("lake/record-count", None, "101", "100")])
        self.assertEqual(self.claims(result, files[2]), [])
        self.assertIsNone(verdicts[files[0]]["not_compared"])
        self.assertEqual(set(skip_list(result)), set(files[:2]))
        self.assertIn("lake/record-count", skip_list(result)[files[0]])

    @needed("pyiceberg")
    @needed("sqlalchemy")
    def test_a_table_of_iceberg(self):
        import pyarrow.parquet

        from parqproof.lake import check_table

        made, files = iceberg_table(str(self.data))
        self.assertEqual(self.claims(check_table(made), files[1]), [])
        self.assertIn(by_path(check_table(made))[files[0]]["verdict"], ("nonconforming", "malformed"))
        schema = pyarrow.parquet.read_schema(files[1])
        pyarrow.parquet.write_table(table(90, 99).cast(schema), files[1])
        result = check_table(made)
        self.assertEqual(by_path(result)[files[1]]["verdict"], "conforming")
        found = {(rule, column) for rule, column, _, _ in self.claims(result, files[1])}
        self.assertLessEqual({("lake/record-count", None), ("lake/file-size", None), ("lake/bound", "id"), ("lake/bound", "name")}, found)
        self.assertIn(("lake/record-count", None, "100", "99"), self.claims(result, files[1]))
        self.assertIn(("lake/bound", "id", "100", "90"), self.claims(result, files[1]))

    def test_claims_of_a_file_in_pieces_are_compared(self):
        from parqproof.lake import Claims, FileEntry, Options, check_table

        path, = self.fill(["large.parquet"], several_row_groups())
        size = os.path.getsize(path)
        for count, expected in ((6000, []), (6001, [("lake/record-count", None, "6001", "6000")])):
            entry = FileEntry(path, size, "1", claims=Claims(count, size, {"id": 0}, {"id": 5999}, {"maybe": 1200}))
            result = check_table([entry], options=Options(cut_bytes=size // 3))
            self.assertEqual(self.claims(result, path), expected)
            self.assertEqual(by_path(result)[path]["verdict"], "conforming")


@needed("fsspec")
@needed("pyarrow")
class OutputTest(LakeTest):
    def test_the_results_conform_and_a_second_run_reads_nothing(self):
        from parqproof.lake import check_table, read_result

        self.logged_filesystem()
        paths = [f"logged://{path}" for path in self.fill([f"{number}-{'broken' if number % 3 == 0 else 'intact'}.parquet" for number in range(12)])]
        output = self.folder / "checked"
        first = check_table(paths, output=output, batch_files=5)
        self.assertEqual(first.files.num_rows, 12)
        made = list(output.rglob("*.parquet"))
        self.assertEqual(len(made), 3)  # two verdicts, one severity
        for path in made:
            self.assertTrue(parqproof.check(path).ok, parqproof.check(path))
        read = self.log.read_text()
        self.assertEqual(len(read.split()), 12)
        second = check_table(paths, output=output)
        self.assertEqual(self.log.read_text(), read)
        self.assertEqual(first.files.sort_by("path"), second.files.sort_by("path"))
        self.assertEqual(read_result(output).findings.num_rows, 4)

    def test_a_changed_file_and_a_run_that_was_ended(self):
        from parqproof.lake import check_table

        paths = self.fill(["a.parquet", "b.parquet", "c.parquet"])
        output = self.folder / "checked"
        check_table(paths, output=output, batch_files=1)
        pathlib.Path(paths[0]).write_bytes(BROKEN.read_bytes())
        next((output / "_batches").iterdir()).unlink()  # of a batch that was not completed
        result = check_table(paths, output=output)
        self.assertEqual(sorted(result.files.column("path").to_pylist()), paths)
        self.assertEqual(by_path(result)[paths[0]]["verdict"], "nonconforming")
        self.assertEqual(rules_of(result), [("a.parquet", "statistics/max-value")])

    def test_the_skip_list(self):
        from parqproof.lake import check_table, skip_list

        intact, broken = self.fill(["intact.parquet", "broken.parquet"])
        damaged = str(WITNESSES / "thrift/compact-protocol/fail-k.parquet")
        none = self.data / "none.parquet"
        os.symlink(self.folder / "nowhere", none)
        from parqproof.lake import FileEntry

        skipped = skip_list(check_table([intact, broken, damaged, FileEntry(str(none))]))
        self.assertEqual(set(skipped), {broken, damaged, str(none)})
        self.assertEqual(skipped[broken], "nonconforming: statistics/max-value")
        self.assertRegex(skipped[str(none)], "unreadable: FileNotFoundError")
        self.assertNotIn(broken, skip_list(check_table([broken]), tolerate=["nonconforming"]))

    def test_tolerated_verdicts(self):
        from parqproof.lake import Claims, FileEntry, check_table, skip_list

        self.logged_filesystem()
        intact, broken, kill = self.fill(["intact.parquet", "broken.parquet", "kill.parquet"])
        result = check_table([FileEntry(intact, claims=Claims(record_count=1)), broken, f"logged://{kill}"])
        self.assertEqual(set(skip_list(result)), {intact, broken, f"logged://{kill}"})
        for tolerate in ("unreadable", ["unreadable"]):
            self.assertEqual(set(skip_list(result, tolerate)), {intact, broken})
        self.assertEqual(set(skip_list(result, ["unreadable", "nonconforming"])), {intact})
        for tolerate in ("nonsense", ["nonsense"], ["malformed", "m"]):
            with self.assertRaisesRegex(parqproof.InvalidCall, "tolerate: '(nonsense|m)' is none of the verdicts conforming, "):
                skip_list(result, tolerate)


if __name__ == "__main__":
    unittest.main()
