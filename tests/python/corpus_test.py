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
from files import SOURCE, FolderTest
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


class CasesTest(FolderTest):
    def case(self, duty):
        return parqproof.corpus.cases(corpus=CORPUS, rule="rle/truncated" if duty == "reject" else "crc/match", duty=duty)[0]

    def test_a_reader_that_returns_no_rows_is_an_error(self):
        for duty in ("accept", "reject"):
            for returned in (None, 3):
                with self.subTest(duty=duty, returned=returned), self.assertRaisesRegex(TypeError, "the reader returned"):
                    self.case(duty).verify(lambda path: returned, self.folder)  # noqa: B023

    def test_exceptions_of_a_reader_and_of_its_iterator_are_rejections(self):
        def fail(path):
            raise ZeroDivisionError

        def fail_later(path):
            yield fail(path)

        for read in (fail, fail_later, lambda path: map(fail, [1])):
            self.case("reject").verify(read, self.folder)
            with self.assertRaisesRegex(AssertionError, "was rejected"):
                self.case("accept").verify(read, self.folder)
        self.case("accept").verify(parqproof.rows, self.folder)

    def test_wrong_words(self):
        for words, message in (({"duty": "rejct"}, "duty: 'rejct' is not one of accept, may, reject; did you mean 'reject'"),
                               ({"duty": ["may", "x"]}, "duty: 'x'"), ({"features": "SNAPY"}, "uses 'SNAPY'; did you mean 'SNAPPY'"),
                               ({"features": ["ALP", "Nope"]}, "uses 'Nope'$"), ({"rule": "crc/matc"}, "did you mean 'crc/match'")):
            with self.subTest(words=words), self.assertRaisesRegex(parqproof.InvalidCall, message):
                parqproof.corpus.cases(corpus=CORPUS, **words)
        self.assertEqual(parqproof.corpus.cases(corpus=CORPUS, rule="summary/schema", duty="reject", features=[]), [])

    def test_a_folder_may_lack_features_of_the_core_tier(self):
        (self.folder / "index.json").write_text('{"files": []}')
        with mock.patch("parqproof.corpus._core", return_value=[self.case("may")]) as core:
            self.assertEqual(parqproof.corpus.cases(corpus=self.folder, features=self.case("may").features), [])
            core.side_effect = FileNotFoundError
            with self.assertRaises(parqproof.InvalidCall):
                parqproof.corpus.cases(corpus=self.folder, features="PLAIN")


if __name__ == "__main__":
    unittest.main()
