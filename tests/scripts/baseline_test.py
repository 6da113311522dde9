"""`check --baseline`: known, new and vanished findings since an earlier report."""

import json
import os

from program import WITNESSES, Case, check, many


class Baseline(Case):
    """The files are below a folder of the same name, so that two trees can be compared."""

    def setUp(self):
        super().setUp()
        self.one, self.two = self.folder / "one", self.folder / "two"
        self.former = self.folder / "former.json"

    def base(self, *arguments, form="json", folder=None):
        self.former.write_text(check("--format", form, *arguments, folder or self.one).stdout)

    def against(self, *arguments, folder=None):
        done = check("--format", "json", "--baseline", self.former, *arguments, folder or self.two)
        return done.returncode, json.loads(done.stdout)["files"]

    def test_a_finding_of_the_baseline_is_known_however_often_it_occurs(self):
        self.write("one/x/a.parquet", many(3))
        self.write("two/x/a.parquet", many(500))
        for form in ("json", "ndjson"):
            for limit in (0, 1, 100):
                with self.subTest(form=form, limit=limit):
                    self.base("--limit", limit, form=form)
                    code, (file,) = self.against()
                    self.assertEqual(code, 0)
                    self.assertEqual({finding["state"] for finding in file["findings"]}, {"known"})
                    self.assertEqual((file["new"], file["vanished"], file["verdict"]), ({"error": 0, "warning": 0, "info": 0}, [], "nonconforming"))

    def test_another_column_is_new_and_is_listed_first(self):
        self.write("one/a.parquet", many(200, ("a", "b"), wrong=("a",)))
        self.write("two/a.parquet", many(200, ("a", "b"), wrong=("a", "b")))
        self.base()
        code, (file,) = self.against("--limit", 5)
        self.assertEqual((code, file["new"]["error"], file["vanished"]), (1, 200, []))
        self.assertIn(("column-chunk/num-values", "b", "new"), {(f["rule"], f.get("column"), f["state"]) for f in file["findings"]})
        text = check("--baseline", self.former, self.two).stdout
        self.assertIn("column-chunk/num-values  (new in column b (leaf 1))", text)
        self.assertIn("  baseline  new: 200 errors, 0 warnings; no longer found: 0\n", text)

    def test_another_rule_is_new(self):
        self.copy("page/v2-num-nulls/pass-a.parquet", "one/a.parquet")
        self.copy("page/v2-num-nulls/fail-a.parquet", "two/a.parquet")
        self.base()
        code, (file,) = self.against()
        self.assertEqual((code, [f["state"] for f in file["findings"]]), (1, ["new"]))

    def test_a_file_outside_the_baseline_is_new(self):
        self.copy("page/v2-num-nulls/fail-a.parquet", "one/a.parquet")
        self.copy("page/v2-num-nulls/fail-a.parquet", "two/a.parquet")
        self.copy("page/v2-num-nulls/fail-a.parquet", "two/b.parquet")
        self.base()
        code, files = self.against()
        self.assertEqual((code, [file["new"]["error"] for file in files]), (1, [0, 1]))

    def test_a_repaired_finding_has_vanished(self):
        self.copy("page/v2-num-nulls/fail-a.parquet", "one/a.parquet")
        self.copy("page/v2-num-nulls/pass-a.parquet", "two/a.parquet")
        self.base()
        gone = [{"rule": "page/v2-num-nulls", "column": "o", "field": "data_page_header_v2.num_nulls"}]
        code, (file,) = self.against()
        self.assertEqual((code, file["vanished"]), (0, gone))
        text = check("--baseline", self.former, self.two).stdout
        self.assertIn("vanished    page/v2-num-nulls, column o, field data_page_header_v2.num_nulls\n", text)
        self.assertIn("new: 0 errors, 0 warnings; no longer found: 1\n", text)

    def test_new_and_vanished_findings_are_summed_over_all_files(self):
        for name, one, two in (("a", "pass", "fail"), ("b", "fail", "pass"), ("c", "pass", "fail"), ("d", "fail", "pass"), ("e", "pass", "pass")):
            self.copy(f"page/v2-num-nulls/{one}-a.parquet", f"one/{name}.parquet")
            self.copy(f"page/v2-num-nulls/{two}-a.parquet", f"two/{name}.parquet")
        self.copy("footer/version/pass-a.parquet", "one/0.parquet")
        self.copy("footer/version/fail-a.parquet", "two/0.parquet")
        self.base()
        done = check("--summary", "--baseline", self.former, self.two)
        self.assertEqual(done.returncode, 1)
        self.assertIn("baseline  new: 2 errors, 1 warning; no longer found: 2\n", done.stdout)

    def test_an_unchecked_finding_has_not_vanished(self):
        self.copy("page/v2-num-nulls/fail-a.parquet", "one/a.parquet")
        self.base()
        self.write("two/a.parquet", (WITNESSES / "page/v2-num-nulls/pass-a.parquet").read_bytes())
        for arguments in (["--tier", "footer"], ["--ignore", "page/*"], ["--only", "rle/*"]):
            with self.subTest(arguments):
                self.assertEqual(self.against(*arguments)[1][0]["vanished"], [])
        self.assertNotEqual(self.against("--ignore", "rle/*")[1][0]["vanished"], [])
        self.write("two/a.parquet", b"PAR1")
        self.assertEqual(self.against()[1][0]["vanished"], [])
        (self.two / "a.parquet").unlink()
        (self.two / "a.parquet").symlink_to("nowhere")
        code, (file,) = self.against()
        self.assertEqual((code, file["verdict"], file["vanished"]), (2, "unreadable", []))

    def test_a_file_can_be_matched_by_its_path(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "one/a.parquet")
        self.base()
        for name in (path, os.path.relpath(path), f"{self.one}/../one/./a.parquet"):
            self.assertEqual(self.against(folder=name)[0], 0)
        self.base(folder=os.path.relpath(path))
        self.assertEqual(self.against(folder=self.one)[0], 0)

    def test_warnings_count_on_request(self):
        self.copy("footer/version/pass-a.parquet", "one/a.parquet")
        self.copy("footer/version/fail-a.parquet", "two/a.parquet")
        self.base()
        self.assertEqual(self.against()[0], 0)
        self.assertEqual(self.against("--fail-on", "warning")[0], 1)
        self.base(folder=self.two)
        self.assertEqual(self.against("--fail-on", "warning")[0], 0)

    def test_an_invalid_baseline_is_rejected(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "one/a.parquet")
        self.base("--limit", 0)
        complete = json.loads(self.former.read_text())
        cut = {**complete, "files": [{**complete["files"][0], "truncated": True}]}
        summary = json.loads(check("--format", "json", "--summary", path).stdout)
        lines = check("--format", "ndjson", path).stdout
        for text in ("", "{}", "[]", "1", "no", "{\"report_version\":1}", json.dumps({**complete, "report_version": 2}), json.dumps(cut), json.dumps(summary),
                     json.dumps({**complete, "files": [1]}), json.dumps(complete)[:-40], lines[:-40], lines[:lines[:-1].rindex("\n") + 1], check(path).stdout):
            with self.subTest(text[:40]):
                self.former.write_text(text)
                done = check("--baseline", self.former, path)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(f"parqproof: --baseline: {self.former}: "))
        self.assertEqual(check("--baseline", "/no/such/file", path).returncode, 2)
