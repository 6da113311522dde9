"""The statically linked program needs no library, and judges files of every compression codec like any other build."""

import json
import os
import pathlib
import subprocess
import unittest

BINARY = os.environ["PARQPROOF_BINARY"]
CORPUS = pathlib.Path(os.environ["PARQPROOF_SOURCE_DIR"]) / "corpus"


class Static(unittest.TestCase):
    def test_needs_no_library(self):
        text = subprocess.run([os.environ["READELF"], "--dynamic", "--program-headers", "--wide", BINARY],
                              stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertIn("LOAD", text)
        self.assertNotIn("(NEEDED)", text)
        self.assertNotIn("INTERP", text)

    def check(self, path, *options):
        done = subprocess.run([BINARY, "check", "--format", "json", *options, path], stdout=subprocess.PIPE, env={})
        return done.returncode, json.loads(done.stdout)["files"][0]

    def test_reports_the_rule_that_a_witness_breaks(self):
        folder = CORPUS / "witnesses/page/v2-num-nulls"
        code, file = self.check(folder / "fail-a.parquet", "-j", "4")
        self.assertEqual((code, [(f["rule"], f["offset"]) for f in file["findings"]]), (1, [("page/v2-num-nulls", 14)]))
        self.assertEqual(self.check(folder / "pass-a.parquet")[0], 0)

    def test_decompresses(self):
        files = sorted((CORPUS / "witnesses/legal/codec-per-chunk").glob("*.parquet"))
        for path in files:
            with self.subTest(path=path.name):
                self.assertEqual(self.check(path)[0], 0)
        self.assertTrue(files)


if __name__ == "__main__":
    unittest.main()
