"""`parqproof meta --values`: row groups and column chunks in readable form."""

import re

from program import FEW, ROOT, WITNESSES, Case, flipped, run, some

RICHEST = ROOT / "corpus/writers/pyarrow/richest.parquet"


class Values(Case):
    def test_statistics_dictionary_and_pages_by_logical_type(self):
        text = run("meta", "--values", RICHEST).stdout
        self.assertRegex(text, r"richest.parquet: 10\.4 KiB, \d+ rows, \d+ row groups, written by parquet-cpp-arrow")
        self.assertRegex(text, r"row group 0: \d+ rows, ")
        self.assertIn("\n  column key (leaf 0): BYTE_ARRAY STRING\n", text)
        self.assertRegex(text, r'  min_value +"customer/000000/order/00000000" \(exact\)\n')
        self.assertRegex(text, r'  entries +400 in the dictionary: "customer/000000/order/00000000" to\n +"customer/\d+/order/\d+"\n')
        self.assertRegex(text, r"  pages +\d+ pages, bounds ASCENDING\n      page +first row +at byte +stored +nulls +min +max\n      0 +0 +516 ")

    def test_every_file_of_other_writers(self):
        seen = ""
        for path in some(sorted((ROOT / "corpus/writers").glob("*/*.parquet"))):
            done = run("meta", "--values", path)
            self.assertIn(done.returncode, (0, 2), path)
            if done.returncode == 2:
                self.assertIn("encrypted", done.stderr)
            self.assertNotIn("can be read", done.stdout, path)
            seen += done.stdout
        if FEW:
            return
        for what in (r"min_value +\d{4}-\d\d-\d\d\n", r"max_value +\d{4}-\d\d-\d\dT", r"min_value +-?\d+\.\d\d\b", r" NaN\b", r"filter +\d+.* at byte", r"sorted by +leaf"):
            self.assertRegex(seen, what)

    def test_repeated_and_absent_values(self):
        text = run("meta", "--values", ROOT / "corpus/writers/parquet-java/bloom-filters.parquet").stdout
        self.assertIn("  min, max  the same as min_value and max_value (deprecated)\n", text)
        self.assertNotRegex(text, r"\n  m(in|ax)  ")
        for fail in ("a", "b"):  # one of the two differs
            text = run("meta", "--values", WITNESSES / f"statistics/legacy-equals-new/fail-{fail}.parquet").stdout
            self.assertEqual((text.count(" (deprecated)\n"), "the same as" in text), (2, False))
        text = run("meta", "--values", ROOT / "corpus/writers/fastparquet/codec-lz4-raw.parquet").stdout  # without total_compressed_size
        self.assertIn("row group 0: 100 rows, 1.4 KiB stored, 4.4 KiB uncompressed\n", text)
        self.assertIn("  max       8 (deprecated)\n", text)
        text = run("meta", "--values", ROOT / "corpus/writers/parquet-go/default-logical.parquet").stdout
        self.assertIn(": FIXED_LEN_BYTE_ARRAY(16) DECIMAL(38,10)\n", text)
        text = run("meta", "--values", ROOT / "corpus/writers/arrow-rs/truncated-statistics.parquet").stdout
        self.assertIn("  max_value \"" + "\U0010ffff" * 16 + "\"... (160 bytes)\n", text)

    def test_broken_values_are_reported(self):
        data = flipped(RICHEST.read_bytes(), -40, 0xff)
        done = run("meta", "--values", self.write("a.parquet", bytes(data)))
        self.assertIn(done.returncode, (0, 1))
        done = run("meta", "--values", self.write("b.parquet", bytes(data[:-8])))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(run("meta", "--values", "--format", "json", RICHEST).returncode, 2)

    def test_broken_files_do_not_crash_it_and_control_characters_are_escaped(self):
        for path in some(sorted(WITNESSES.glob("*/*/fail-a.parquet")))[::4]:
            done = run("meta", "--values", path)
            self.assertIn(done.returncode, (0, 1, 2), path)
            self.assertIsNone(re.search(r"[\x00-\x09\x0b-\x1f\x7f]", done.stdout), path)
