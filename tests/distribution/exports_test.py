"""The forms of the corpus for other projects: `scripts/interop export`. packages_test.py has the packages."""

import base64
import hashlib
import json
import re
import unittest
import zipfile

from exported import CORPUS, Exports
from program import PROGRAM, ROOT, report, run

from exports import core, versions
from readers import drive, judge, lists, probes


class Core(Exports):
    @classmethod
    def setUpClass(cls):
        cls.lines, cls.number = core.text(CORPUS, lists.entries(CORPUS))
        cls.cases = [json.loads(line) for line in cls.lines.splitlines()]

    def test_the_file_and_what_a_runner_compares_it_with(self):
        out = self.export("core")
        (file,) = out.glob("*.jsonl")
        self.assertEqual(file.read_text(encoding="utf-8"), self.lines)
        about = json.loads(file.with_suffix(".json").read_text())
        self.assertEqual((about["cases"], about["sha256"]), (len(self.cases), hashlib.sha256(file.read_bytes()).hexdigest()))
        self.assertLess(file.stat().st_size, 2_000_000)

    def test_every_rule_and_each_feature_with_each_duty_has_a_case(self):
        fits = [file for file in lists.entries(CORPUS) if "parts" not in file and (CORPUS / file["file"]).stat().st_size <= core.LARGEST]
        fails = [file for file in fits if file["kind"] == "witness" and "/fail-" in file["file"]]
        here = [case for case in self.cases if "/fail-" in case["file"]]
        self.assertEqual({file["rule"] for file in fits if "rule" in file} - {case.get("rule") for case in self.cases}, set())
        self.assertEqual({file["rule"] for file in fails} - {case["rule"] for case in here}, set())
        self.assertEqual({file["rule"] for file in fails if file["duty"] == "reject"} - {case["rule"] for case in here if case["duty"] == "reject"}, set())
        used = {(feature, file["duty"]) for file in fits for feature in file["features"]}
        shown = {(feature, case["duty"]) for case in self.cases if case["duty"] != "accept" or "rows" in case for feature in case["features"]}
        self.assertEqual(used - shown, set())
        self.assertLess(len(self.cases), 750)

    def test_a_case_has_an_integer_column_that_a_double_cannot_hold(self):
        integers = [value for case in self.cases if case["duty"] == "accept" and not {"FLOAT", "DOUBLE"} & set(case["features"])
                    for line in case.get("rows", "").splitlines() for value in json.loads(line).values() if type(value) is int]
        self.assertTrue(any(int(float(value)) != value for value in integers))

    def test_a_case_to_accept_has_rows_or_the_reason_why_not(self):
        without = {case["file"]: case.get("no_rows") for case in self.cases if case["duty"] == "accept" and "rows" not in case}
        self.assertEqual(without["witnesses/page/size/fail-c.parquet"], "more than 512 KiB")
        self.assertLessEqual(set(without.values()), {"more than 512 KiB", "nested more than 100 deep"})
        self.assertEqual([case["file"] for case in self.cases if "no_rows" in case and case["file"] not in without], [])

    def test_a_case_has_the_bytes_and_rows_of_the_corpus(self):
        index = {file["file"]: file for file in lists.entries(CORPUS)}
        for case in self.cases:
            file = index[case["file"]]
            self.assertEqual(hashlib.sha256(base64.b64decode(case["bytes"], validate=True)).hexdigest(), file["sha256"])
            self.assertEqual(case.get("rows"), (CORPUS / file["rows"]).read_text(encoding="utf-8") if "rows" in file else None)
            keys = ("duty", "rule", "phase", "clause", "features", "breaks", "verdict", "options", "keys")
            self.assertEqual({key: case.get(key) for key in keys}, {key: file.get(key) for key in keys})


class Forms(Exports):
    def test_the_zip_has_all_files_and_the_same_bytes_each_time(self):
        (one,), (other,) = (self.export("zip", out=self.folder / name).glob("*.zip") for name in "ab")
        self.assertEqual(one.read_bytes(), other.read_bytes())
        with zipfile.ZipFile(one) as packed:
            names = {name.split("/", 1)[1] for name in packed.namelist()}
            index = json.loads((CORPUS / "index.json").read_text())
            self.assertEqual({file["file"] for file in index["files"]} - names, set())
            some = index["files"][len(index["files"]) // 2]
            self.assertEqual(hashlib.sha256(packed.read(f"{one.stem}/{some['file']}")).hexdigest(), some["sha256"])

    def test_the_tree_has_files_to_read_and_files_to_refuse(self):
        out = self.export("tree")
        files = [file for file in lists.entries(CORPUS) if "keys" not in file and "parts" not in file]
        for folder, duty in (("data", "accept"), ("bad_data", "reject")):
            hashes = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (out / folder).iterdir() if path.suffix != ".jsonl"}
            self.assertEqual(hashes, {file["sha256"] for file in files if file["duty"] == duty})
        self.assertTrue((out / "data/known-writer-calendar-pass-a.jsonl").is_file())
        self.assertIn("Apache License", (out / "LICENSE").read_text())
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertEqual((manifest["version"], manifest["license"]), (versions.version_of(ROOT), "Apache-2.0"))
        self.assertEqual({one["file"] for one in manifest["files"]}, {f"{path.parent.name}/{path.name}" for path in out.glob("*/*") if path.suffix != ".jsonl"})
        for one in manifest["files"]:
            rows = (out / one["file"]).with_suffix(".jsonl")
            self.assertEqual((rows.is_file(), "no_rows" in one), ("rows" in one, one["duty"] == "accept" and "rows" not in one), one)
        why = {one["file"]: one["no_rows"] for one in manifest["files"] if "no_rows" in one}
        self.assertEqual((why["data/rle-smaller-pass-a.parquet"], why["data/variant-depth-pass-a.parquet"]), ("more than 512 KiB", "nested more than 100 deep"))

    def test_calls_that_cannot_be_right_are_refused_in_one_line(self):
        used = self.folder / "used"
        used.mkdir()
        (used / "stale").touch()
        for form, more, says in (
                ("sqllogictest", ("--scan", "parquet_scan('{dir}/{file}')"), "needs {file}"), ("sqllogictest", ("--scan", "f('{}')"), "needs {file}"),
                ("sqllogictest", ("--scan", "nofile"), "needs {file}"), ("sqllogictest", ("--scan", "{file"), "needs {file}"),
                ("core", ("--corpus", self.folder), "has no index.json"), ("twins", ("--program", "/nonexistent"), "--program /nonexistent is no program"),
                ("twins", ("--only", "nomatch", "--program", PROGRAM), "no file matches 'nomatch'"),
                ("twins", ("--only", "rle/truncated/fail-", "--program", PROGRAM), "none of the files has a twin"),
                *((form, ("--out", used), "is not empty") for form in ("tree", "twins", "sqllogictest", "rust"))):
            with self.subTest(form=form, more=more):
                done = self.interop("export", "--to", form, "--out", self.folder / "new", *more)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(says, done.stderr)
                self.assertEqual((done.stderr.count("\n"), done.stderr[:9]), (1, "interop: "))
        for command in (["list", "DuckDB", "--corpus", self.folder], ["readers", "--corpus", self.folder], ["written", "--program", "/nonexistent"],
                        ["compare", "--program", "/nonexistent"]):
            done = self.interop(*command)
            self.assertEqual((done.returncode, done.stderr.count("\n"), done.stderr[:9]), (1, 1, "interop: "), done.stderr)

    def test_probes_are_those_of_the_files_and_of_the_core_tier(self):
        (path,) = self.export("probes").glob("*.jsonl")
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        self.assertGreater(len(lines), 1000)
        of_file = {}
        for line in lines:
            of_file.setdefault(line.pop("file"), []).append(line)
        cases = {case["file"]: case for case in map(json.loads, core.text(CORPUS, lists.entries(CORPUS))[0].splitlines())}
        for name in ("statistics/max-value", "bloom-filter/false-negative", "column-index/bounds"):
            self.assertTrue(any(file.startswith(f"witnesses/{name}/fail-") for file in of_file), name)
        for file, case in cases.items():
            self.assertEqual(case.get("probes", []), of_file.get(file, []), file)

    def test_sqllogictest(self):
        out = self.export("sqllogictest", "--scan", "scan '{file}'")
        text = (out / "parqproof.test").read_text()
        for file in re.findall(r"scan '([^']*)'", text):
            self.assertTrue((out / file).is_file(), file)
        self.assertGreater(text.count("\nstatement error\n"), 80)
        self.assertGreater(text.count("\nquery "), 300)
        self.assertGreater(text.count(" WHERE "), 300)
        self.assertIn(f"version {versions.version_of(ROOT)}, Apache-2.0", text.splitlines()[0])
        queried = set(re.findall(r"scan '([^']*)'", text))
        self.assertEqual({f"{path.parent.name}/{path.name}" for path in out.glob("*/*") if path.suffix != ".jsonl"} - queried, set())
        self.assertIn("statement ok\nSELECT * FROM scan 'data/page-size-fail-c.parquet'\n", text)


class Twins(Exports):
    def test_a_twin_has_the_rows_of_its_file_in_the_simplest_form(self):
        only = r"^witnesses/(legal/[^/]*/pass-a|statistics/.*/fail-a|nested-type/[^/]*/pass-[ab])\.parquet$|^writers/(duckdb|parquet-java)[^/]*/[a-m]"
        out = self.export("twins", "--only", only, "--program", PROGRAM)
        index = {file["file"]: file for file in lists.entries(CORPUS)}
        twins = sorted(out.rglob("*.parquet"))
        self.assertGreater(len(twins), 100)
        for twin in twins:
            file = index[twin.relative_to(out).as_posix()]
            done = run("cat", twin, text=False)
            self.assertIsNone(judge.difference((CORPUS / file["rows"]).read_bytes(), done.stdout), file["file"])
            self.assertEqual(done.returncode, 0, done.stderr)
        (some,) = [file for file in report(*twins)["files"] if file["path"].endswith("statistics/max-value/fail-a.parquet")]
        self.assertEqual(some["verdict"], "conforming")
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertEqual((manifest["version"], manifest["twins"]), (versions.version_of(ROOT), len(twins)))
        chosen = {name for name in index if re.search(only, name)}
        self.assertEqual(chosen - {twin.relative_to(out).as_posix() for twin in twins}, set(manifest["without"]))
        self.assertTrue((out / "LICENSE").is_file())


class Probes(unittest.TestCase):
    """Predicates on the rows of files, and the judgement of an answer."""

    def probes(self, name):
        (file,) = [file for file in lists.entries(CORPUS) if file["file"] == name]
        return list(probes.all_of(CORPUS, [file])), (CORPUS / file["rows"]).read_bytes().splitlines()

    def test_a_probe_names_the_rows_that_match(self):
        found, lines = self.probes("witnesses/statistics/max-value/fail-a.parquet")
        self.assertTrue(found)
        for probe in found:
            for at, line in enumerate(lines):
                value = json.loads(line)[probe.column]
                matches = value is not None and {"=": value == probe.value, "<": value < probe.value, ">": value > probe.value}[probe.operator]
                self.assertEqual(at in probe.rows, matches)

    def test_lost_rows_and_other_rows_are_distinguished(self):
        found, lines = self.probes("witnesses/statistics/max-value/fail-a.parquet")
        probe = found[0]
        right = b"".join(lines[at] + b"\n" for at in probe.rows)
        for answer, result in ((drive.Answer("rows", right), "equal"), (drive.Answer("rows", b""), "loses rows"), (drive.Answer("refused", b"", "no"), "refused"),
                               (drive.Answer("rows", right + b'{"x":1}\n'), "other rows")):
            self.assertEqual(probes.judged(probe, lines, answer)[0], result)

    def test_every_rule_about_bounds_has_probes(self):
        files = [file for file in lists.entries(CORPUS) if file.get("rule", "").startswith(("statistics/m", "column-index/m", "bloom-filter/m")) and "rows" in file]
        with_probes = {probe.file for probe in probes.all_of(CORPUS, files)}
        rules = {file["rule"] for file in files if "rows" in file}
        self.assertGreaterEqual(len({file["rule"] for file in files if file["file"] in with_probes}), len(rules) * 3 // 4)


if __name__ == "__main__":
    unittest.main()
