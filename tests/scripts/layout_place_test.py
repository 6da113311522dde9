"""`parqproof layout` by place, and the bytes that `check --hex` shows."""

import json
import re

from program import ROOT, WITNESSES, Case, check, report, run, some

RICHEST = ROOT / "corpus/writers/pyarrow/richest.parquet"
FAULT = WITNESSES / "page/v2-num-nulls/fail-a.parquet"


def layout(*arguments):
    return run("layout", *arguments)


def segments(*arguments):
    return json.loads(layout("--format", "json", *arguments).stdout)["segments"]


class Place(Case):
    def test_at_shows_the_structure_and_marks_the_run(self):
        text = layout("--at", 14, FAULT).stdout
        self.assertTrue(text.startswith("page-header of row group 0, column o (leaf 0), page 0, DATA_PAGE_V2\n"))
        self.assertEqual(re.findall(r"^> .*$", text, re.M), [">      13  15 00                      num_nulls: 0"])
        (segment,) = segments("--at", 14, FAULT)
        self.assertEqual([run["name"] for run in segment["runs"] if run.get("marked")], ["num_nulls"])

    def test_every_byte_of_a_file_has_a_place(self):
        for at in range(FAULT.stat().st_size):
            (segment,) = segments("--at", at, FAULT)
            marked = [run for run in segment["runs"] if run.get("marked")]
            self.assertEqual(len(marked), 1)
            self.assertTrue(marked[0]["offset"] <= at < marked[0]["offset"] + marked[0]["length"])
            self.assertEqual(len(re.findall(r"^>", layout("--at", at, FAULT).stdout, re.M)), 1)

    def test_at_accepts_the_places_of_findings(self):
        wanted = layout("--at", 14, FAULT).stdout
        at = re.search(r"  at +(.*)", check(FAULT).stdout)[1]
        for text in ("0xe", "byte 14", at, "14, 1 byte"):
            self.assertEqual(layout("--at", text, FAULT).stdout, wanted)
        for text in ("", "x", "page 4", "page 4 + ", "14 15", "-1", "99999999999999999999999"):
            self.assertEqual(layout("--at", text, FAULT).returncode, 2, text)
        self.assertEqual(layout("--at", 10**6, FAULT).returncode, 2)

    def test_a_place_in_a_compressed_page_is_an_offset_in_its_image(self):
        header, body = [segment for segment in segments(RICHEST) if segment.get("page") == 0][:2]
        text = layout("--at", f"page {header['offset']} + 38", RICHEST).stdout
        self.assertRegex(text, r'>      38  63 75 73 .* entry 1: "customer/000000/order/00000001"')
        (page,) = segments("--decompress", "--row-group", 0, "--column", "key", "--page", 0, RICHEST)[1:]
        image = page["image"]
        self.assertEqual(image["length"], 13600)
        at = 0
        for each in image["runs"]:
            self.assertEqual(each["offset"], at)
            at += each["length"]
        self.assertEqual(at, image["length"])
        self.assertEqual(sum(each["length"] for each in page["runs"]), body["length"])

    def test_an_uncompressed_page_keeps_its_offsets(self):
        header = segments("--row-group", 0, "--column", "o", "--page", 0, FAULT)[0]["offset"]
        self.assertEqual(layout("--at", f"page {header} + 2", FAULT).stdout, layout("--at", 27, FAULT).stdout)

    def test_by_row_group_column_and_page(self):
        everything = segments(RICHEST)
        self.assertEqual(segments("--column", "price", RICHEST), [one for one in everything if one.get("column") == "price"])
        self.assertEqual(segments("--column", 2, RICHEST), [one for one in everything if one.get("leaf") == 2])
        self.assertEqual(segments("--row-group", 1, "--page", 1, RICHEST),
                         [one for one in everything if one.get("row_group") == 1 and one.get("page") == 1])
        self.assertEqual(layout("--column", "none", RICHEST).returncode, 2)
        self.assertEqual(layout("--at", 4, "--page", 0, RICHEST).returncode, 2)

    def test_a_page_that_cannot_be_decompressed_is_shown_as_stored(self):
        data = bytearray(RICHEST.read_bytes())
        body = next(one for one in segments(RICHEST) if one["kind"] == "page-body")
        data[body["offset"]:body["offset"] + 8] = bytes(8)
        text = layout("--decompress", "--at", body["offset"], self.write("a.parquet", bytes(data))).stdout
        self.assertIn("the ZSTD of the page cannot be decompressed", text)


class Hex(Case):
    def test_a_finding_shows_its_bytes_and_the_run_around_them(self):
        text = check("--hex", FAULT).stdout
        self.assertIn("""    page-header of row group 0, column o (leaf 0), page 0, DATA_PAGE_V2
          ...
           11  15 06                      num_values: 3
    >      13  15 00                      num_nulls: 0
           15  15 06                      num_rows: 3
          ...
""", text)
        plain = re.sub(r"\n    page-header of .*?\n\n", "", text, flags=re.S)
        self.assertEqual(plain, check(FAULT).stdout)

    def test_bytes_of_a_compressed_page_come_from_its_image(self):
        shown = 0
        for path in sorted((WITNESSES / "dictionary").glob("*/fail-*.parquet")):
            findings = report(path)["files"][0]["findings"]
            if any(finding["space"] == "page" for finding in findings):
                self.assertIn("offsets count from the first\n", check("--hex", path).stdout)
                shown += 1
        for path in sorted((WITNESSES / "utf8").glob("*/fail-*.parquet")) + sorted((WITNESSES / "levels").glob("*/fail-*.parquet")):
            findings = report(path)["files"][0]["findings"]
            if any(finding["space"] == "page" for finding in findings):
                self.assertIn("offsets count from the first\n", check("--hex", path).stdout)
                shown += 1
        self.assertGreater(shown, 0)

    def test_every_finding_of_a_file_of_the_corpus_has_bytes(self):
        for folder in ("column-index", "statistics", "page"):
            for path in some(sorted((WITNESSES / folder).glob("*/fail-a.parquet"))):
                findings = [one for one in report("--advice", path)["files"][0]["findings"] if one["length"] > 0]
                text = check("--hex", "--advice", path).stdout
                self.assertGreaterEqual(len(re.findall(r"^    >", text, re.M)), min(1, len(findings)), path)

    def test_bounds_are_values_of_their_column(self):
        writers = ROOT / "corpus/writers"
        footer = run("layout", "--hex", writers / "pyarrow/decimals.parquet").stdout
        self.assertIn("  28 04 3b 9a c9 ff            max_value: 9999999.99\n", footer)
        self.assertIn("  18 05 fd ab f4 1c 01         min: -0.9999999999\n", footer)  # of the third column
        summary = run("layout", "--hex", ROOT / "corpus/summaries/pyarrow/_metadata").stdout
        self.assertEqual(re.findall(r" max_value: (.*)", summary), ["59", '"name 4"', "60", "99", '"name 4"', "99", "149", '"name 4"', "150"])
        index = run("layout", "--hex", writers / "parquet-java/bloom-filters.parquet").stdout
        self.assertIn("     5348  04 04 20 20 80             [0]: -2145378300\n", index)
        header = run("layout", "--hex", writers / "arrow-rs/page-header-statistics.parquet").stdout
        self.assertIn("       22  28 01 01                     max_value: true\n", header)
        runs = [one for segment in json.loads(run("layout", "--hex", "--format", "json", writers / "pyarrow/decimals.parquet").stdout)["segments"] for one in segment["runs"]]
        self.assertIn(("max_value", "9999999.99", "28043b9ac9ff"), [(one["name"], one.get("value"), one["bytes"]) for one in runs])
        lengths = "".join(run("layout", "--hex", path).stdout for path in sorted((WITNESSES / "statistics/bound-length").glob("fail-*.parquet")))
        self.assertRegex(lengths, r"m(ax|in)(_value)?: 0x[0-9a-f]+ \(\d+ bytes; the type has \d+\)\n")
        # The bound of a page of nulls has no bytes.
        self.assertEqual(run("layout", "--hex", WITNESSES / "column-index/null-page-bounds/pass-a.parquet").stdout.count("]: (no bytes)\n"), 2)
