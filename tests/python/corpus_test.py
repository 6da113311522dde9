"""The cases of the corpus."""
import dataclasses
import json
import operator
import os
import tempfile
import unittest
from unittest import mock

import parqproof
import parqproof.corpus
from files import SOURCE
from exports import core  # of scripts
from readers import lists

CORPUS = SOURCE / "corpus"


class CoreTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import gzip

        text, number = core.text(CORPUS, lists.entries(CORPUS))
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        with open(os.path.join(folder.name, "corpus.jsonl.gz"), "wb") as file:
            file.write(gzip.compress(f'{{"cases": {number}}}\n{text}'.encode(), 1))
        with mock.patch.dict(os.environ, PARQPROOF_NATIVE=folder.name):
            cls.cases = parqproof.corpus.cases(encrypted=True)

    def test_a_check_with_the_options_of_a_case_gives_its_verdict_and_rules(self):
        self.assertGreater(len(self.cases), 600)
        for case in self.cases:
            with self.subTest(case.name):
                report = parqproof.check(case.data, limit=0, keys=case.keys, **case.options)
                self.assertEqual(report.verdict, case.verdict)
                self.assertEqual({finding.rule for finding in report if finding.severity == "error"}, set(case.breaks))
        self.assertGreater(sum(bool(case.options) for case in self.cases), 20)
        self.assertGreater(sum(bool(case.keys) for case in self.cases), 20)

    def test_cases_of_a_folder_have_the_same_members(self):
        cases = {case.name: case for case in parqproof.corpus.cases(corpus=CORPUS, encrypted=True)}
        for case in self.cases:
            self.assertEqual(cases[case.name], dataclasses.replace(case, probes=()))
        phases = {entry["file"].removesuffix(".parquet"): entry.get("phase") for entry in json.loads((CORPUS / "index.json").read_text())["files"]}
        self.assertEqual({case.name: case.phase for case in self.cases}, {case.name: phases[case.name] for case in self.cases})

    def test_the_rows_of_a_probe_match_it(self):
        compare = {"=": operator.eq, "<": operator.lt, ">": operator.gt}
        asked = [(case, probe) for case in self.cases for probe in case.probes]
        self.assertGreater(len(asked), 500)
        for case, probe in asked:
            values = [row[probe.column] for row in case.rows()]
            matching = tuple(at for at, value in enumerate(values) if value is not None and compare[probe.operator](value, probe.value))
            self.assertEqual(probe.rows, matching, (case.name, probe))

    def test_a_text_is_one_feature(self):
        self.assertEqual(parqproof.corpus.cases(corpus=CORPUS, features="ALP"), parqproof.corpus.cases(corpus=CORPUS, features=["ALP"]))


if __name__ == "__main__":
    unittest.main()
