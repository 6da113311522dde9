"""scripts/fuzz_dictionaries writes what libFuzzer reads, for every target; corpus/regressions has folders of targets alone."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, ROOT

FUZZ_REPLAY = pathlib.Path(PROGRAM).parent / "fuzz" / "fuzz_replay"


@unittest.skipUnless(FUZZ_REPLAY.exists(), "fuzz_replay is not built")
class Dictionaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.targets = subprocess.run([FUZZ_REPLAY, "--list"], capture_output=True, check=True, text=True).stdout.split()
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([sys.executable, ROOT / "scripts/fuzz_dictionaries", PROGRAM, FUZZ_REPLAY, out], check=True)
            cls.dictionaries = {path.stem: path.read_text().splitlines() for path in pathlib.Path(out).iterdir()}

    def test_every_target_has_entries(self):
        self.assertEqual(set(self.dictionaries), set(self.targets))
        for target, lines in self.dictionaries.items():
            with self.subTest(target):
                self.assertGreater(len(lines), 10)
                self.assertEqual(len(set(lines)), len(lines))
                for line in lines:
                    self.assertRegex(line, r'^"(\\x[0-9A-F]{2}){1,64}"$')

    def test_entries(self):
        def entries(target):
            return {bytes.fromhex(re.sub(r'\\x|"', "", line)) for line in self.dictionaries[target]}
        self.assertIn(b"PAR1", entries("limits"))
        self.assertIn(b"alp/bit-width", entries("rule_names"))
        self.assertIn(b"alp/*", entries("findings"))
        self.assertIn(b"\x28\xb5\x2f\xfd", entries("decompress_zstd"))
        self.assertIn(b"\x80\x01\x04", entries("decode_delta_binary_packed"))  # blocks of 128 values in 4 miniblocks
        self.assertIn(b"\x8c\x00", entries("thrift_page_header"))  # an empty data_page_header_v2
        self.assertIn(b"\x15\x14", entries("thrift_page_header"))  # encoding, behind num_values: ALP
        self.assertIn(b"\x19\x0c", entries("thrift_footer"))  # an empty list of structures

    def test_regressions_are_those_of_targets(self):
        folders = {path.name for path in (ROOT / "corpus/regressions").iterdir() if path.is_dir()}
        self.assertLessEqual(folders, set(self.targets))


if __name__ == "__main__":
    unittest.main()
