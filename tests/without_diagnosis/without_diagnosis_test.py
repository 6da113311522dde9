"""A check without diagnosis is complete: it finds every rule that does not name a cause of damage."""
import json
import os
import pathlib
import subprocess
import unittest

PROGRAM = os.environ["PARQPROOF_WITHOUT_DIAGNOSIS"]
WITNESSES = pathlib.Path(os.environ["PARQPROOF_SOURCE_DIR"]) / "corpus/witnesses"
# Rules that report a wrong field, or a damage of the file, as the cause of the findings of other rules.
NEEDS_DIAGNOSIS = {
    "column-chunk/codec", "column-chunk/data-page-offset", "column-chunk/dictionary-page-offset", "dictionary/indices-plain",
    "file/block-order", "file/bytes-inserted",
    "file/bytes-missing", "file/footer-length", "file/joined", "file/overwritten", "file/structure-place", "file/text-mode",
    "file/transfer-framing", "page/compressed-size", "page/encoding", "page/num-values", "page/uncompressed-size", "page/v2-is-compressed",
    "page/v2-level-lengths", "schema/levels", "schema/name", "schema/type", "schema/type-length"}


def strict_witnesses():
    """(path, sidecar) of the witnesses that are checked without options, keys, and files that they name."""
    for path in sorted(WITNESSES.glob("*/*/*.parquet")):
        sidecar = json.loads(path.with_suffix(".json").read_text())
        if (sidecar["profile"], sidecar["tier"], sidecar["advice"], sidecar["options"]) == ("strict", "values", False, {}) \
                and not sidecar.keys() & {"name", "files", "keys"}:
            yield path, sidecar


class WithoutDiagnosis(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.witnesses = list(strict_witnesses())
        paths = [str(path) for path, _ in cls.witnesses]
        lines = subprocess.run([PROGRAM, *paths], check=True, capture_output=True, text=True).stdout.splitlines()
        cls.verdicts = [line.split(" ", 2)[:2] for line in lines]

    def test_the_program_contains_no_code_of_diagnosis(self):
        symbols = subprocess.run([os.environ["NM"], "-C", PROGRAM], check=True, capture_output=True, text=True).stdout
        self.assertIn("parqproof::judge_file(", symbols)
        for name in ("parqproof::diagnosis()", "PageRepair", "StructurePlaces", "find_explanations"):
            self.assertNotIn(name, symbols)

    def test_a_conforming_file_has_no_error(self):
        for (path, sidecar), (verdict, broken) in zip(self.witnesses, self.verdicts, strict=True):
            if sidecar["verdict"] == "conforming":
                self.assertEqual((verdict, broken), ("conforming", ""), path)

    def test_a_broken_rule_is_found(self):
        missed = {}
        for (path, sidecar), (_, broken) in zip(self.witnesses, self.verdicts, strict=True):
            errors = {f["rule"] for f in sidecar["findings"] if f["severity"] == "error"}
            if sidecar["rule"] in errors and sidecar["rule"] not in broken.split(","):
                missed.setdefault(sidecar["rule"], []).append(path.stem)
        self.assertEqual(set(missed), NEEDS_DIAGNOSIS, missed)

    def test_a_file_with_an_error_never_conforms(self):
        for (path, sidecar), (verdict, _) in zip(self.witnesses, self.verdicts, strict=True):
            if any(f["severity"] == "error" and f["rule"] not in NEEDS_DIAGNOSIS for f in sidecar["findings"]):
                self.assertNotEqual(verdict, "conforming", path)


if __name__ == "__main__":
    unittest.main()
