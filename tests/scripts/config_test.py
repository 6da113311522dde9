"""`.parqproof.toml`: the configuration of `check` for a project."""

import json
import re

from program import ROOT, WITNESSES, Case, check, report

BROKEN = "page/v2-num-nulls/fail-a.parquet"


class Config(Case):
    def setUp(self):
        super().setUp()
        self.copy(BROKEN, "legacy/old/a.parquet")
        self.copy(BROKEN, "b.parquet")

    def config(self, text, name=".parqproof.toml"):
        return self.write(name, text.encode())

    def ignore(self, more="", rule="page/v2-num-nulls"):
        self.config(f"[[ignores]]\nrule = '{rule}'\nreason = 'known since 2019'\n{more}\n")

    def verdicts(self, *arguments, folder=None):
        done = check("--format", "json", *arguments, folder or ".", cwd=self.folder)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return {file["relative_path"]: file["verdict"] for file in json.loads(done.stdout)["files"]}, done.stderr

    def test_an_ignored_finding_does_not_affect_the_verdict(self):
        self.ignore()
        verdicts, complaints = self.verdicts()
        self.assertEqual((verdicts, complaints), ({"b.parquet": "conforming", "legacy/old/a.parquet": "conforming"}, ""))
        document = report(".", cwd=self.folder)
        self.assertEqual(document["changes"], [{"by": "configuration", "rule": "page/v2-num-nulls", "severity": "off", "reason": "known since 2019"}])
        self.assertEqual([file["errors"] for file in document["files"]], [0, 0])
        self.assertIn("changed     page/v2-num-nulls = off (configuration): known since 2019\n", check(".", cwd=self.folder).stdout)
        self.ignore("paths = ['legacy/**', 'b*']\nwriters = ['parqproof-builder']")
        self.assertIn("page/v2-num-nulls = off, in legacy/**, b*, written by parqproof-builder (configuration): known since 2019",
                      " ".join(check(".", cwd=self.folder).stdout.split()))

    def test_paths(self):
        for patterns, meant in (("'legacy/**'", "legacy/old/a.parquet"), ("'b.parquet'", "b.parquet"), ("'legacy/*/a.parquet'", "legacy/old/a.parquet"),
                                ("'**/old/*'", "legacy/old/a.parquet"), ("'x', '[bc].par*'", "b.parquet")):
            with self.subTest(patterns):
                self.ignore(f"paths = [{patterns}]")
                for folder in (None, self.folder, self.folder / "legacy" / ".."):
                    self.assertEqual([path for path, verdict in self.verdicts(folder=folder)[0].items() if verdict == "conforming"], [meant])
        self.ignore("paths = ['legacy/*.parquet']")
        verdicts, complaints = self.verdicts()
        self.assertEqual(set(verdicts.values()), {"nonconforming"})
        self.assertTrue(complaints.endswith(".parqproof.toml:1: the entry of 'ignores' for page/v2-num-nulls never matched\n"), complaints)
        self.assertEqual(check("--quiet", ".", cwd=self.folder).stderr, "")

    def test_an_entry_that_matched_in_one_of_several_files_has_matched(self):
        self.ignore("paths = ['b.parquet']")
        for files in (("b.parquet", "legacy"), ("legacy", "b.parquet")):
            with self.subTest(files):
                done = check(*files, cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout.count(": conforming"), done.stderr), (1, 1, ""))

    def test_two_entries_for_one_finding(self):
        text = "".join(f"[[ignores]]\nrule = '{rule}'\nreason = 'known since 2019'\n" for rule in ("page/*", "page/v2-num-nulls"))
        (self.folder / ".parqproof.toml").write_text(text)
        verdicts, complaints = self.verdicts()
        self.assertEqual((set(verdicts.values()), complaints), ({"conforming"}, ""))

    def test_paths_of_files_elsewhere_are_relative_to_the_searched_directory(self):
        config = self.config("[[ignores]]\nrule='page/*'\nreason='r'\npaths=['legacy/**']\n", "conf/c.toml")
        done = check("--config", config, self.folder)
        self.assertEqual((done.returncode, done.stdout.count(": conforming"), done.stderr), (1, 1, ""))

    def test_writers(self):
        for pattern, fits in (("parqproof-builder", True), ("parqproof-builder 1.*", True), ("parqproof-builder version 1.0.0 (build 0)", True),
                              ("parqproof-builder 2.*", False), ("parqproof", False)):
            with self.subTest(pattern):
                self.ignore(f"writers = ['{pattern}']")
                self.assertEqual(set(self.verdicts()[0].values()), {"conforming" if fits else "nonconforming"})

    def test_it_is_searched_upwards_and_can_be_named_or_disabled(self):
        self.ignore()
        self.assertEqual(check("a.parquet", cwd=self.folder / "legacy/old").returncode, 0)
        self.assertEqual(check("--no-config", ".", cwd=self.folder).returncode, 1)
        self.assertEqual(check(self.folder).returncode, 1)
        self.assertEqual(check("--config", self.folder / ".parqproof.toml", self.folder).returncode, 0)
        self.config("profile = 'historical'", "legacy/.parqproof.toml")
        self.assertEqual(report("a.parquet", cwd=self.folder / "legacy/old")["changes"], [{"by": "configuration", "profile": "historical"}])
        for arguments in (["--config", "/no/such/file"], ["--config", ".parqproof.toml", "--no-config"]):
            self.assertEqual(check(*arguments, ".", cwd=self.folder).returncode, 2)

    def test_severities_profile_and_tolerate(self):
        self.config("profile = 'interop'\ntolerate = ['unsupported']\n[severities]\n'page/v2-num-nulls' = 'warning'\n'page/*' = 'off'\n")
        document = report(".", cwd=self.folder)
        self.assertEqual([(file["profile"], file["verdict"], file["warnings"]) for file in document["files"]], [("interop", "conforming", 1)] * 2)
        self.assertEqual(document["changes"], [{"by": "configuration", "profile": "interop"}, {"by": "configuration", "tolerate": "unsupported"},
                                            {"by": "configuration", "rule": "page/*", "severity": "off"},
                                            {"by": "configuration", "rule": "page/v2-num-nulls", "severity": "warning"}])
        unsupported = WITNESSES / "file/encrypted-footer/fail-a.parquet"
        self.assertEqual(check(unsupported, cwd=self.folder).returncode, 0)
        self.assertEqual(check("--tolerate", "limit", unsupported, cwd=self.folder).returncode, 2)

    def test_options_override_it(self):
        self.config("profile = 'interop'\n[severities]\n'page/v2-num-nulls' = 'warning'\n")
        document = report("--profile", "strict", "--severity", "page/v2-num-nulls=error", ".", cwd=self.folder)
        self.assertEqual({(file["profile"], file["verdict"]) for file in document["files"]}, {("strict", "nonconforming")})
        self.assertNotIn("profile", document["changes"][0])
        self.ignore()
        self.assertEqual(check("--severity", "page/v2-num-nulls=error", ".", cwd=self.folder).returncode, 1)

    def test_the_edition_is_configured_and_an_option_overrides_it(self):
        self.config("edition = '2.13'")
        file = WITNESSES / "edition/undefined/pass-b.parquet"  # FILE
        document = report(file, cwd=self.folder)
        self.assertEqual(document["changes"], [{"by": "configuration", "edition": "2.13"}])
        self.assertEqual([(one["edition"], one["verdict"]) for one in document["files"]], [("2.13", "unsupported")])
        self.assertIn("changed     edition 2.13 (configuration)\n", check(file, cwd=self.folder).stdout)
        document = report("--edition", "2.14", file, cwd=self.folder)
        self.assertEqual((document["changes"], document["files"][0]["verdict"]), ([], "conforming"))

    def test_all_editions_of_the_table_are_taken(self):
        names = re.findall(r'^PARQPROOF_EDITION\(\w+, "(.*?)"', (ROOT / "codec/rules/editions.def").read_text(), re.MULTILINE)
        self.assertGreaterEqual(len(names), 3)
        for name in names:
            self.config(f"edition = '{name}'")
            changes = [{"by": "configuration", "edition": name}]
            self.assertEqual(report("b.parquet", cwd=self.folder)["changes"], changes)
            self.assertNotEqual(check("--edition", name, "b.parquet", cwd=self.folder).returncode, 2)
        definitions = json.loads((ROOT / "conformance/json-schema/report.schema.json").read_text())["$defs"]
        self.assertEqual(definitions["change"]["properties"]["edition"]["enum"], names)
        self.assertLess(set(definitions["file"]["properties"]["edition"]["enum"]), set(names))

    def test_a_lowered_rule_can_be_ignored(self):
        self.config("[severities]\n'page/*' = 'warning'\n[[ignores]]\nrule = 'page/v2-num-nulls'\nreason = 'r'\n")
        self.assertEqual([file["warnings"] for file in report(".", cwd=self.folder)["files"]], [0, 0])

    def test_an_error_is_reported_with_its_line(self):
        for text, line, words in (("x = 1", 1, "'x'"), ("edition = '2.12'", 1, "'2.12' is not one of 2.13, 2.14, next"), ("edition = 2.13", 1, "'edition'"), ("edition = 'proposed'", 1, "'proposed'"),
                                  ("profile = 'interob'", 1, "did you mean 'interop'?"), ("\nprofile = 3", 2, "'profile'"),
                                  ("tolerate = 'limit'", 1, "list"), ("tolerate = ['malformed']", 1, "'malformed'"), ("severities = 1", 1, "[severities]"),
                                  ("[severities]\n'page/v2-num-nuls' = 'off'", 2, "did you mean 'page/v2-num-nulls'?"),
                                  ("[severities]\n'page/*' = 'fatal'", 2, "'fatal'"), ("[severities]\n'page/*' = 1", 2, "string"),
                                  ("[[ignore]]\nrule = 'page/*'\nreason = 'r'", 1, "did you mean 'ignores'?"), ("ignores = 1", 1, "[[ignores]]"),
                                  ("ignores = [1]", 1, "[[ignores]]"), ("[[ignores]]\nreason = 'r'", 1, "'rule'"), ("\n[[ignores]]\nrule = 'page/*'", 2, "'reason'"),
                                  ("[[ignores]]\nrule = 'page/*'\nreason = ' '", 3, "'reason'"), ("[[ignores]]\nrule = 'no/such'\nreason = 'r'", 2, "no rule"),
                                  ("[[ignores]]\nrule = 'page/*'\nreason = 'r'\npath = ['a']", 4, "did you mean 'paths'?"),
                                  ("[[ignores]]\nrule = 'page/*'\nreason = 'r'\npaths = 'a'", 4, "list"),
                                  ("[[ignores]]\nrule = 'page/*'\nreason = 'r'\nwriters = [1]", 4, "string"), ("a = \nb = 1", 1, "")):
            with self.subTest(text):
                self.config(text)
                done = check("b.parquet", cwd=self.folder)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr.startswith(f"parqproof: {self.folder}/.parqproof.toml:{line}: "), done.stderr)
                self.assertIn(words, done.stderr)
