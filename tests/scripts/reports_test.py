"""The output of `check` for many findings and many files: limits, causes, summaries, formats, outputs."""

import collections
import json
import re

from program import WITNESSES, Case, check, many, report

RANK = {"error": 0, "warning": 1, "info": 2}


class Limit(Case):
    def test_errors_come_first_and_the_first_of_each_rule(self):
        path = self.write("a.parquet", many(30))
        complete = report("--limit", 0, "--advice", path)["files"][0]
        self.assertGreater(len({finding["severity"] for finding in complete["findings"]}), 1)
        self.assertFalse(complete["truncated"])
        self.assertNotIn("keys", complete)
        self.assertEqual(complete["omitted"], {"error": 0, "warning": 0, "info": 0})
        seen, ranks = set(), []
        for i, finding in enumerate(complete["findings"]):
            ranks.append((RANK[finding["severity"]], finding["rule"] in seen, i))
            seen.add(finding["rule"])
        for limit in (1, 2, 3, 30, 31, 32, len(ranks) - 1):
            with self.subTest(limit):
                part = report("--limit", limit, "--advice", path)["files"][0]
                self.assertEqual(part["findings"], [complete["findings"][i] for i in sorted(i for *_, i in sorted(ranks)[:limit])])
                self.assertTrue(part["truncated"])
                listed = collections.Counter()
                for finding in part["findings"]:
                    listed[finding["severity"]] += finding["times"]
                for severity in RANK:
                    self.assertEqual(part["omitted"][severity], part[severity + "s"] - listed[severity])
                self.assertEqual([part[key] for key in ("verdict", "errors", "warnings", "infos")],
                                 [complete[key] for key in ("verdict", "errors", "warnings", "infos")])

    def test_findings_beyond_the_limit_are_counted_with_all_their_keys(self):
        names = [f"c{i}" for i in range(60)]
        path = self.write("a.parquet", many(200, names))
        done = report("--limit", 1, path)["files"][0]
        counts = collections.Counter(finding["rule"] for finding in report("--limit", 0, path)["files"][0]["findings"])
        self.assertEqual(done["errors"], sum(rule["findings"] for rule in report("--summary", path)["summary"]["rules"]
                                             if rule["severity"] == "error"))
        self.assertEqual(done["errors"], 12000)
        self.assertEqual(done["omitted"]["error"], done["errors"] - done["findings"][0]["times"])
        columns = {key.get("column") for key in done["keys"] if key["rule"] == "column-chunk/num-values"}
        self.assertEqual(columns, set(names))
        self.assertLess(sum(counts.values()), 21000)
        for severity in ("errors", "warnings"):
            self.assertEqual(done[severity], report("-j", 4, path)["files"][0][severity])


class Causes(Case):
    def test_two_causes_are_two_blocks(self):
        path = self.write("a.parquet", many(1001))
        both = ["--only", "row-group/*", "--only", "column-chunk/num-values", "--severity", "row-group/total-byte-size=error"]
        file = report(*both, path)["files"][0]
        self.assertEqual((file["errors"], file["truncated"]), (2002, True))
        text = check(*both, path).stdout
        self.assertEqual(len(re.findall(r"^error ", text, re.M)), 2)
        self.assertEqual(len(re.findall(r"in        1.?001 row groups: 0 to 1000", text)), 2)
        self.assertRegex(text, r"field     row_groups?\[\*\]|field     total_byte_size")
        self.assertNotIn("not shown", text)
        self.assertLess(len(text.splitlines()), 60)

    def test_an_unlisted_cause_is_counted(self):
        path = self.write("a.parquet", many(3))
        text = check("--only", "row-group/*", "--only", "column-chunk/num-values", "--limit", 1, path).stdout
        self.assertEqual(len(re.findall(r"^error ", text, re.M)), 1)
        self.assertIn("3 errors, 3 warnings; 1 cause not shown: 0 errors, 3 warnings (--limit 0 shows", text)


class Summary(Case):
    def setUp(self):
        super().setUp()
        for i in range(3):
            self.copy("page/v2-num-nulls/fail-a.parquet", f"x/{i}.parquet")
        self.copy("page/v2-num-nulls/pass-a.parquet", "y/a.parquet")
        self.write("z.parquet", many(3))

    def test_json(self):
        complete = report(self.folder)
        self.assertEqual([file["relative_path"] for file in complete["files"]], ["x/0.parquet", "x/1.parquet", "x/2.parquet", "y/a.parquet", "z.parquet"])
        summary = complete["summary"]
        self.assertEqual((summary["files"], summary["verdicts"]), (5, {"conforming": 1, "nonconforming": 4}))
        rules = {rule["rule"]: rule for rule in summary["rules"]}
        nulls = rules["page/v2-num-nulls"]
        self.assertEqual((nulls["severity"], nulls["findings"], nulls["files"], nulls["writers"]), ("error", 3, 3, ["parqproof-builder 1.0.0"]))
        self.assertEqual(nulls["first"], {"path": str(self.folder / "x/0.parquet"), "offset": 14, "length": 1, "space": "file", "row_group": 0,
                                          "column": "o", "leaf": 0, "page": 0, "field": "data_page_header_v2.num_nulls"})
        self.assertEqual(rules["column-chunk/num-values"]["findings"], 3)
        self.assertEqual([rule["severity"] for rule in summary["rules"]], sorted((rule["severity"] for rule in summary["rules"]), key=RANK.get))
        alone = report("--summary", self.folder)
        self.assertNotIn("files", alone)
        self.assertEqual(alone["summary"], summary)
        self.assertEqual(report("--summary", "--limit", 1, self.folder)["summary"], summary)

    def test_text(self):
        alone = check("--summary", self.folder).stdout
        self.assertTrue(alone.startswith("5 files: 1 conforming, 4 nonconforming; "))
        self.assertIn("error       page/v2-num-nulls: 3 findings in 3 files\n", alone)
        self.assertTrue(check(self.folder).stdout.endswith("\n" + alone))
        self.assertNotIn("findings in", check(self.folder / "z.parquet").stdout)
        self.assertIn("1 file: 1 nonconforming", check("--summary", self.folder / "z.parquet").stdout)

    def test_advice_is_counted(self):
        advice = ["--advice", "--severity", "page/v2-num-nulls=info"]
        infos = sum(file["infos"] for file in report(*advice, self.folder)["files"])
        self.assertGreaterEqual(infos, 3)
        for arguments in ([], ["--summary"]):
            self.assertRegex(check(*advice, *arguments, self.folder).stdout, rf"(?m)^5 files: .*, {infos} infos$")

    def test_twenty_writers_and_a_count(self):
        data = (WITNESSES / "page/v2-num-nulls/fail-a.parquet").read_bytes()
        for i in range(25):
            name = b"parqproof-builder version 9.9.%02d (build 0)" % i
            self.write(f"w/{i:02}.parquet", data.replace(b"parqproof-builder version 1.0.0 (build 0)", name[:41].ljust(41)))
        rule = next(rule for rule in report(self.folder / "w")["summary"]["rules"] if rule["rule"] == "page/v2-num-nulls")
        self.assertEqual((rule["files"], rule["writers"][0], len(rule["writers"]), rule["more_writers"]), (25, "parqproof-builder 9.9.00", 20, 5))
        self.assertIn("and 5 more", check("--summary", self.folder / "w").stdout)


class Forms(Case):
    def test_lines(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "a.parquet")
        self.assertEqual(check("--format", "lines", path).stdout,
                         f"{path}:14: error page/v2-num-nulls: num_nulls of the page is 0; its levels give 1 "
                         "[row group 0, column o (leaf 0), page 0]\n")
        big = self.write("b.parquet", many(200))
        done = check("--format", "lines", "--limit", 3, big)
        self.assertEqual(len(done.stdout.splitlines()), 3)
        self.assertRegex(done.stderr, r"^parqproof: \d+ findings are not listed \(--limit 0 lists all\)\n$")
        for form in ("lines", "sarif", "junit", "github"):
            self.assertEqual(check("--format", form, "--summary", big).returncode, 2)

    def test_unlisted_findings_are_counted_over_all_files(self):
        paths = [self.write("a.parquet", many(200)), self.write("b.parquet", many(100)), self.copy("legal/no-created-by/pass-a.parquet", "c.parquet")]
        def left_out(*files):
            words = check("--format", "lines", "--limit", 3, *files).stderr.split()
            return int(words[1]) if words else 0
        each = [left_out(path) for path in paths]
        self.assertGreater(each[0], each[1])
        self.assertGreater(each[1], each[2])
        self.assertEqual(left_out(*paths), sum(each))

    def test_a_line_of_each_finding_of_each_witness(self):
        for name in ("utf8/fail-a", "page/v2-num-nulls/fail-a"):
            for path in WITNESSES.glob(f"*/{name}.parquet"):
                lines = check("--format", "lines", "--limit", 0, path).stdout.splitlines()
                findings = report("--limit", 0, path)["files"][0]["findings"]
                self.assertEqual(len(lines), len(findings))
                for line, finding in zip(lines, findings):
                    self.assertTrue(line.startswith(f"{path}:{finding.get('page_offset', finding['offset'])}: {finding['severity']} {finding['rule']}: "))

    def test_ndjson(self):
        self.copy("page/v2-num-nulls/fail-a.parquet", "a.parquet")
        self.copy("page/v2-num-nulls/pass-a.parquet", "b.parquet")
        complete = report("--ignore", "rle/*", self.folder)
        head, *files, tail = map(json.loads, check("--format", "ndjson", "--ignore", "rle/*", self.folder).stdout.splitlines())
        self.assertEqual({**head, "files": files, **tail}, complete)
        lines = check("--format", "ndjson", "--summary", self.folder).stdout.splitlines()
        self.assertEqual([list(json.loads(line)) for line in lines], [["report_version", "tool", "spec"], ["changes", "summary"]])

    def test_outputs_in_addition_to_standard_output(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "a.parquet")
        done = check("--output", f"json={self.folder}/r.json", "--output", f"lines={self.folder}/r.txt", path)
        self.assertEqual((done.returncode, done.stdout), (1, check(path).stdout))
        for form, name in (("json", "r.json"), ("lines", "r.txt")):
            self.assertEqual((self.folder / name).read_text(), check("--format", form, path).stdout)
        self.assertEqual(check("--quiet", "--output", f"json={self.folder}/q.json", path).stdout, "")
        self.assertEqual((self.folder / "q.json").read_text(), (self.folder / "r.json").read_text())

    def test_an_unwritable_output_is_rejected_before_anything_is_checked(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "a.parquet")
        data = path.read_bytes()
        for output in (f"json={self.folder}/no/such/folder", f"text={path}", f"text={self.folder}/./a.parquet", "json", "json=", "xml=a"):
            with self.subTest(output):
                done = check("--output", output, path)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith("parqproof: --output"))
        self.assertEqual(path.read_bytes(), data)
        self.assertEqual(check("--format", "xml", path).returncode, 2)


class Files(Case):
    def test_glob(self):
        for name in ("a.parquet", "b.parq", "x/c.parq", "x/y/d.data", "_metadata", ".hidden.parq"):
            self.copy("page/v2-num-nulls/pass-a.parquet", name)
        self.write("notes.txt", b"no")

        def found(*globs):
            done = check("--format", "json", *(word for glob in globs for word in ("--glob", glob)), self.folder)
            return [file["relative_path"] for file in json.loads(done.stdout)["files"]], done.stderr

        self.assertEqual(found(), (["a.parquet"], f"parqproof: {self.folder}/: 4 files other than *.parquet begin with PAR1 "
                                                  "(--glob PATTERN selects them)\n"))
        self.assertEqual(found("*.parq")[0], ["b.parq", "x/c.parq"])
        self.assertEqual(found("*.parq", "*.parquet")[0], ["a.parquet", "b.parq", "x/c.parq"])
        self.assertEqual(found("x/*")[0], ["x/c.parq"])
        self.assertEqual(found("x/**")[0], ["x/c.parq", "x/y/d.data"])
        self.assertEqual(found("**/[c-d].*")[0], ["x/c.parq", "x/y/d.data"])
        self.assertEqual(found("**/b.par?")[0], ["b.parq"])
        self.assertEqual(found("[!abn]*", "*.txt")[0], ["_metadata", "notes.txt", "x/c.parq", "x/y/d.data"])
        done = check("--glob", "*.none", self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no *.none file in this directory or below it", done.stderr)
        self.assertEqual(check("--quiet", self.folder).stderr, "")

    def test_tolerate(self):
        unsupported = WITNESSES / "file/encrypted-footer/fail-a.parquet"
        broken = WITNESSES / "page/v2-num-nulls/fail-a.parquet"
        limit = WITNESSES / "limit/schema-depth/fail-a.parquet"
        for arguments, code in ((["--tolerate", "unsupported", unsupported], 0), (["--tolerate", "limit", unsupported], 2),
                                (["--tolerate", "unsupported,limit", unsupported, limit], 0),
                                (["--tolerate", "unsupported", "--tolerate", "limit", unsupported, limit], 0),
                                (["--tolerate", "unsupported", unsupported, broken], 1),
                                (["--tolerate", "unsupported", "/no/such/file"], 2), (["--tolerate", "malformed", broken], 2)):
            with self.subTest(arguments):
                self.assertEqual(check(*arguments).returncode, code)
