"""The rows that `cat` shows of writers' files are those that another reader once agreed to (scripts/readers/compare)."""
import json
import os
import pathlib
import subprocess
import unittest

FOLDER = pathlib.Path(os.environ["PARQPROOF_SOURCE_DIR"]) / "corpus" / "writers"


class Rows(unittest.TestCase):
    def test_rows_are_those_of_other_readers(self):
        agreed = json.loads((FOLDER / "rows.json").read_text())
        self.assertGreater(len(agreed), 500)
        for name, entry in agreed.items():
            with self.subTest(file=name):
                shown = subprocess.run([os.environ["PARQPROOF_BINARY"], "cat", str(FOLDER / name)], capture_output=True, text=True, check=False)
                self.assertEqual(shown.returncode, entry["exit"])
                self.assertEqual(shown.stdout.splitlines(), (FOLDER / name).with_suffix(".rows.jsonl").read_text().splitlines())

    def test_all_rows_have_a_reader_that_agreed(self):
        agreed = json.loads((FOLDER / "rows.json").read_text())
        beside = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.rows.jsonl")}
        self.assertEqual(beside, {str(pathlib.Path(name).with_suffix(".rows.jsonl")) for name in agreed})


if __name__ == "__main__":
    unittest.main()
