"""The report formats for other programs: SARIF, JUnit XML, annotations of GitHub, code quality of GitLab, Markdown."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
from urllib.parse import unquote
from xml.etree import ElementTree

from program import WITNESSES, Case, check, many, report

try:
    import jsonschema
except ImportError:
    jsonschema = None

# A hostile column name: nothing in it may become markup, a command, or a mention of a person.
HOSTILE = 'a<script>alert(1)</script>|`b`"\'&amp;]]>*@everyone\n::error::x%0A\x1b[31m\u202e--><![CDATA['
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif(*arguments):
    done = check("--format", "sarif", *arguments)
    log = json.loads(done.stdout)
    (run,) = log["runs"]
    return log, run


def sarif_schema():
    """The standard's JSON schema: PARQPROOF_SARIF_SCHEMA, or that of the Rust package serde-sarif. None if neither is available."""
    if path := os.environ.get("PARQPROOF_SARIF_SCHEMA"):
        return json.loads(pathlib.Path(path).read_text())
    cached = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "parqproof", "sarif-2.1.0.json")
    if not cached.exists() and shutil.which("cargo"):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "Cargo.toml").write_text('[package]\nname = "x"\nversion = "0.0.0"\n[dependencies]\nserde-sarif = "=0.8.0"\n')
            pathlib.Path(folder, "src").mkdir()
            pathlib.Path(folder, "src", "lib.rs").write_text("")
            try:
                subprocess.run(["cargo", "vendor", "-q", "vendored"], cwd=folder, capture_output=True, timeout=120, check=True)
                cached.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(pathlib.Path(folder, "vendored", "serde-sarif", "src", "schema.json"), cached)
            except (OSError, subprocess.SubprocessError):
                return None
    return json.loads(cached.read_text()) if cached.exists() else None


class Sarif(Case):
    def test_it_agrees_with_the_json_report(self):
        paths = [WITNESSES / "page/v2-num-nulls/fail-a.parquet", WITNESSES / "dictionary/index-range/fail-a.parquet", WITNESSES / "file/joined/fail-a.parquet",
                 WITNESSES / "utf8/valid/fail-a.parquet"]
        paths = [path for path in paths if path.exists()]
        log, run = sarif("--advice", *paths)
        self.assertEqual(log["version"], "2.1.0")
        findings = [(file["path"], finding) for file in report("--advice", *paths)["files"] for finding in file["findings"]]
        findings.sort(key=lambda one: list(LEVELS).index(one[1]["severity"]))
        self.assertEqual(len(run["results"]), len(findings))
        rules = run["tool"]["driver"]["rules"]
        for result, (path, finding) in zip(run["results"], findings):
            self.assertEqual((result["ruleId"], rules[result["ruleIndex"]]["id"], result["level"]), (finding["rule"], finding["rule"], LEVELS[finding["severity"]]))
            place = result["locations"][0]["physicalLocation"]
            self.assertEqual(place["artifactLocation"]["uri"], "file://" + path)
            if finding["space"] == "file":
                self.assertEqual(place["region"], {"byteOffset": finding["offset"], "byteLength": finding["length"]})
            else:
                self.assertEqual(place["region"], {"byteOffset": finding["page_offset"]})
                self.assertEqual((result["properties"]["offsetInPage"], result["properties"]["lengthInPage"]), (finding["offset"], finding["length"]))
            self.assertEqual(result["properties"].get("field"), finding.get("field"))

    def test_it_stays_within_service_limits_and_keeps_errors(self):
        path = self.write("a.parquet", many(4000, wrong=[]))  # as many warnings as row groups
        other = self.write("b.parquet", many(3000))          # and here as many errors, too
        done = check("--format", "sarif", "--limit", 0, path, other)
        run = json.loads(done.stdout)["runs"][0]
        levels = [result["level"] for result in run["results"]]
        self.assertEqual((len(levels), levels.count("error")), (5000, 3000))
        self.assertEqual(levels, sorted(levels))
        self.assertLess(len(done.stdout), 10_000_000)
        notes = run["invocations"][0]["toolExecutionNotifications"]
        self.assertIn("5000 findings not listed", notes[-1]["message"]["text"].replace(",", ""))

    def test_a_finding_keeps_its_fingerprint_when_others_appear_and_vanish(self):
        self.write("x/one.parquet", many(3))
        prints = [result["partialFingerprints"] for result in sarif(self.folder)[1]["results"]]
        self.assertEqual(len({json.dumps(each) for each in prints}), len(prints))
        self.copy("page/v2-num-nulls/fail-a.parquet", "w/first.parquet")
        self.assertNotEqual(len(prints), 0)
        more = [result["partialFingerprints"] for result in sarif(self.folder)[1]["results"]]
        self.assertEqual([each for each in prints if each not in more], [])

    def test_a_baseline_has_states(self):
        path = self.write("a.parquet", many(2))
        former = self.write("former.json", check("--format", "json", path).stdout.encode())
        self.assertEqual({result["baselineState"] for result in sarif("--baseline", former, path)[1]["results"]}, {"unchanged"})

    def test_an_unreadable_file_is_a_notification(self):
        run = sarif(self.folder / "none.parquet")[1]
        self.assertEqual((run["results"], run["invocations"][0]["executionSuccessful"]), ([], False))
        self.assertIn("No such file", run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"])

    def test_names_become_uris(self):
        path = self.copy("page/v2-num-nulls/fail-a.parquet", "a b%é#?:.parquet")
        uri = sarif(path)[1]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(uri.endswith("/a%20b%25%C3%A9%23%3F%3A.parquet"), uri)

    @unittest.skipUnless(jsonschema, "the Python package jsonschema is not installed")
    def test_it_is_valid_by_the_schema_of_the_standard(self):
        schema = sarif_schema()
        if schema is None:
            self.skipTest("no JSON schema of SARIF at hand (cargo fetches it, or PARQPROOF_SARIF_SCHEMA names it)")
        self.write("a.parquet", many(3, [HOSTILE]))
        self.write("none.parquet", b"")
        for folder in (self.folder, WITNESSES / "page", WITNESSES / "limit"):
            with self.subTest(folder):
                jsonschema.Draft7Validator(schema).validate(sarif("--advice", folder, self.folder / "missing.parquet")[0])


class Junit(Case):
    def test_a_file_is_a_case(self):
        self.write("a.parquet", many(30))
        self.copy("page/v2-num-nulls/pass-a.parquet", "b.parquet")
        done = check("--format", "junit", self.folder, self.folder / "none.parquet")
        suites = ElementTree.fromstring(done.stdout)
        (suite,) = suites
        self.assertEqual([suite.get(key) for key in ("tests", "failures", "errors")], ["3", "1", "1"])
        self.assertEqual([[child.tag for child in case] for case in suite], [["failure"], [], ["error"]])
        self.assertEqual([pathlib.Path(case.get("name")).name for case in suite], ["a.parquet", "b.parquet", "none.parquet"])
        self.assertEqual(len(suite[0][0].text.splitlines()), 21)
        self.assertRegex(suite[0][0].text, r"and \d+ more\n$")

    def test_tolerated_files_pass_and_warnings_may_fail(self):
        limited = next((WITNESSES / "limit").glob("*/fail-a.parquet"))
        for arguments, tags in (([], {"error"}), (["--tolerate", "limit,unsupported"], {"system-out"})):
            suite = ElementTree.fromstring(check("--format", "junit", "--max-page", "1", *arguments, limited).stdout)[0]
            self.assertEqual({child.tag for child in suite[0]}, tags)
        path = self.write("w.parquet", many(1, wrong=[]))
        for arguments, tag in (([], "system-out"), (["--fail-on", "warning"], "failure")):
            self.assertEqual(ElementTree.fromstring(check("--format", "junit", *arguments, path).stdout)[0][0][0].tag, tag)

    def test_hostile_names_are_text(self):
        path = self.write("a.parquet", many(1, [HOSTILE]))
        root = ElementTree.fromstring(check("--format", "junit", path).stdout)
        self.assertIn("<script>", root[0][0][0].text)
        self.assertEqual({element.tag for element in root.iter()}, {"testsuites", "testsuite", "testcase", "failure"})

    def test_names_with_characters_that_xml_does_not_have(self):
        path = self.write("a\ufffe\uffff\ufffd\U0001fffeb.parquet", many(1, ["a\uffffb"]))
        (case,) = ElementTree.fromstring(check("--format", "junit", path).stdout)[0]
        self.assertTrue(case.get("name").endswith("/a\\ufffe\\uffff\ufffd\U0001fffeb.parquet"), case.get("name"))
        self.assertIn("a\\uffffb", case[0].text)


class Github(Case):
    def test_a_cause_is_an_annotation_and_errors_come_first(self):
        path = self.write("a,b:c%.parquet", many(3))
        lines = check("--format", "github", path).stdout.splitlines()
        commands = [line.split("::")[1].split()[0] for line in lines]
        self.assertEqual((commands[0], commands[-1]), ("error", "notice"))
        self.assertEqual(commands, sorted(commands, key=["error", "warning", "notice"].index))
        self.assertIn("/a%2Cb%3Ac%25.parquet,title=", lines[0])
        self.assertRegex(lines[0], r"title=[a-z-]+/[a-z0-9-]+::.*%0A.*, and in 2 places more%0A.*%0AFix: ")

    def test_hostile_names_begin_no_command(self):
        text = check("--format", "github", self.write("a.parquet", many(1, [HOSTILE]))).stdout
        self.assertTrue(all(re.match(r"::(error|warning|notice) ", line) for line in text.splitlines()))
        self.assertNotIn("\x1b", text)
        self.assertIn("%250A", text)
        text = check("--format", "github", self.write("\x1b[31m.parquet", many(1))).stdout
        self.assertNotIn("\x1b", text)
        self.assertIn("/\\x1b[31m.parquet,title=", text)

    def test_an_unreadable_file_is_an_annotation(self):
        lines = check("--format", "github", self.folder / "none.parquet").stdout.splitlines()
        self.assertRegex(lines[0], r"^::error file=.*none.parquet,title=unreadable::.*No such file")


class Paths(Case):
    """Paths as services compare them with those of a repository."""

    def shown(self, form, *arguments, cwd):
        text = check("--format", form, *arguments, cwd=cwd).stdout
        if form == "junit":
            return [case.get("file") for case in ElementTree.fromstring(text).iter("testcase")]
        if form == "github":
            return [unquote(path) for path in re.findall("^::error file=([^,]*)", text, re.M)]
        if form == "codequality":
            return [issue["location"]["path"] for issue in json.loads(text) if issue["severity"] == "critical"]
        return [unquote(one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]) for one in json.loads(text)["runs"][0]["results"] if one["level"] == "error"]

    def test_files_inside_the_working_directory_are_relative(self):
        self.write("work/out/a,b.parquet", many(1))
        other = self.write("other.parquet", many(1))
        work, link = self.folder / "work", self.folder / "link"
        link.symlink_to("work")
        for form in ("github", "junit", "codequality", "sarif"):
            for given in (".", "out", work, work / "out", link, link / "out/a,b.parquet", "./out/a,b.parquet", "../work/out//a,b.parquet"):
                with self.subTest(form=form, given=str(given)):
                    self.assertEqual(self.shown(form, given, cwd=work), ["out/a,b.parquet"])
            with self.subTest(form=form):
                self.assertEqual(self.shown(form, other, cwd=work), [("file://" if form == "sarif" else "") + str(other)])

    def test_fingerprints_are_equal_for_spellings_of_a_path(self):
        path = self.write("a.parquet", many(1))
        prints = {json.loads(check("--format", "codequality", given, cwd=self.folder).stdout)[0]["fingerprint"] for given in ("a.parquet", "./a.parquet", path)}
        self.assertEqual(len(prints), 1)

    def test_different_names_stay_different(self):
        names = ["a\nb.parquet", "a\\nb.parquet", "c\u202e.parquet"]
        for name in names:
            self.write(name, many(1))
        for form in ("github", "junit", "codequality", "sarif"):
            with self.subTest(form=form):
                self.assertEqual(len(set(self.shown(form, ".", cwd=self.folder))), 3)
        for form in ("github", "junit", "codequality"):
            self.assertNotIn("\u202e", check("--format", form, ".", cwd=self.folder).stdout)


class CodeQuality(Case):
    def issues(self, *arguments):
        return json.loads(check("--format", "codequality", *arguments).stdout)

    def test_a_cause_is_an_issue_with_all_that_gitlab_requires(self):
        issues = self.issues(self.write("a.parquet", many(3)), self.copy("page/v2-num-nulls/pass-a.parquet", "b.parquet"))
        self.assertEqual([issue["severity"] for issue in issues], ["critical", "minor"])
        for issue in issues:
            self.assertEqual(set(issue), {"description", "check_name", "fingerprint", "severity", "location"})
            self.assertEqual(issue["location"], {"path": str(self.folder / "a.parquet"), "lines": {"begin": 1}})
            self.assertNotIn("\n", issue["description"])
        self.assertRegex(issues[0]["description"], r"num_values.* \(row group 0, column a \(leaf 0\), byte .*, and in 2 places more\)$")
        self.assertEqual(issues[0]["check_name"], "column-chunk/num-values")

    def test_fingerprints_differ_and_stay(self):
        self.write("a.parquet", many(2, ["a", "b"]))
        prints = [issue["fingerprint"] for issue in self.issues(self.folder)]
        self.assertEqual(len(set(prints)), len(prints))
        self.copy("page/v2-num-nulls/fail-a.parquet", "0.parquet")
        self.assertLess(set(prints), {issue["fingerprint"] for issue in self.issues(self.folder)})

    def test_paths_are_those_of_the_repository(self):
        self.write("a.parquet", many(1))
        done = check("--format", "codequality", "./a.parquet", cwd=self.folder)
        self.assertEqual({issue["location"]["path"] for issue in json.loads(done.stdout)}, {"a.parquet"})

    def test_files_without_findings_and_unreadable_ones(self):
        self.assertEqual(self.issues(self.copy("page/v2-num-nulls/pass-a.parquet", "b.parquet")), [])
        (issue,) = self.issues(self.folder / "none.parquet")
        self.assertEqual((issue["check_name"], issue["severity"]), ("unreadable", "critical"))
        self.assertIn("No such file", issue["description"])

    def test_hostile_names_are_text(self):
        text = json.dumps(self.issues(self.write("a.parquet", many(1, [HOSTILE]))), ensure_ascii=False)
        self.assertNotIn("\x1b", text)
        self.assertNotIn("\u202e", text)


class Markdown(Case):
    def test_verdicts_then_rules_then_files(self):
        self.write("a.parquet", many(3))
        self.copy("page/v2-num-nulls/pass-a.parquet", "b.parquet")
        text = check("--format", "markdown", self.folder).stdout
        self.assertTrue(text.startswith("### ❌ parqproof: 2 files: 1 conforming, 1 nonconforming\n"))
        self.assertIn("| error | [`column-chunk/num-values`](https://", text)
        self.assertEqual(text.count("<details>"), 1)
        self.assertNotIn("<details>", check("--format", "markdown", "--summary", self.folder).stdout)

    def test_it_fits_into_a_comment(self):
        for i in range(60):
            self.write(f"{i:03}.parquet", many(2, [f"column{i}{j}" for j in range(8)]))
        text = check("--format", "markdown", self.folder).stdout
        self.assertLess(len(text), 65536)
        self.assertRegex(text, r"\d+ files more: `parqproof check` lists all of them")

    def test_hostile_names_are_code(self):
        text = check("--format", "markdown", self.write("a`|<b>.parquet", many(1, [HOSTILE]))).stdout
        bare = re.sub(r"`[^`\n]*`|<code>[^<]*</code>", "", text)
        for mark in ("<script>", "@everyone", "<b>", "CDATA"):
            self.assertNotIn(mark, bare)
        self.assertNotIn("<b>", text.split("<code>")[1].split("</code>")[0])
        for row in (line for line in text.splitlines() if line.startswith("| ")):
            self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 7)
