"""`parqproof schema`: the message syntax, JSON, and truncated footers; `meta --values`: row groups and column chunks in readable
form."""

import json
import re

from program import FEW, ROOT, WITNESSES, Case, flipped, large, run, some

from builder.codec.file import File
from builder.codec.metadata import BYTE_ARRAY
from builder.codec.schema import required

RICHEST = ROOT / "corpus/writers/pyarrow/richest.parquet"
NESTED = ROOT / "corpus/writers/pyarrow/checksums-v2.parquet"


def leaves(node):
    return [node] if "fields" not in node else [leaf for child in node["fields"] for leaf in leaves(child)]


class Schema(Case):
    def test_message_syntax(self):
        text = run("schema", NESTED).stdout
        self.assertTrue(text.startswith("message schema {\n  required int64 id;\n  optional group point {\n    optional int32 x;\n"))
        self.assertIn("""  optional group pairs (MAP) {
    repeated group key_value {
      required binary key (STRING);
      optional int32 value;
    }
  }
""", text)
        self.assertTrue(text.endswith("  }\n}\n"))

    def test_levels(self):
        text = run("schema", "--levels", NESTED).stdout
        self.assertIn("  required int64 id;  // R:0 D:0 leaf 0\n", text)
        self.assertIn("          optional int32 element;  // R:2 D:5 leaf 5\n", text)
        self.assertEqual(re.sub(r"  // R:\d+ D:\d+( leaf \d+)?\n", "\n", text), run("schema", NESTED).stdout)

    def test_the_fields_of_a_variant_are_named(self):
        shredded = ROOT / "corpus/writers/duckdb/variant-shredded-by-itself.parquet"
        text = run("schema", "--levels", shredded).stdout
        for line in ("required binary metadata;  // R:0 D:0 leaf 0, metadata of $", "optional binary value;  // R:0 D:1 leaf 1, value of $",
                     "optional group typed_value {  // R:0 D:1, typed_value of $", "optional group typed_value (LIST) {  // R:0 D:2, typed_value of $.c",
                     "optional binary value;  // R:1 D:4 leaf 3, value of $.c[*]", "optional int64 typed_value (INTEGER(64,true));  // R:1 D:4 leaf 4, typed_value of $.c[*]"):
            self.assertIn("  " + line + "\n", text)
        self.assertNotIn("of $", run("schema", shredded).stdout)
        columns = leaves(json.loads(run("schema", "--format", "json", shredded).stdout)["schema"])
        self.assertEqual([(leaf["variant"]["part"], leaf["variant"]["path"]) for leaf in columns[:4]],
                         [("metadata", "$"), ("value", "$"), ("value", "$.c"), ("value", "$.c[*]")])

    def test_json_has_the_content_of_the_text_and_levels(self):
        document = json.loads(run("schema", "--format", "json", NESTED).stdout)
        columns = leaves(document["schema"])
        self.assertEqual((document["leaves"], [leaf["leaf"] for leaf in columns]), (len(columns), list(range(len(columns)))))
        element = next(leaf for leaf in columns if leaf["path"] == ["matrix", "list", "element", "list", "element"])
        self.assertEqual((element["type"], element["repetition"], element["max_repetition_level"], element["max_definition_level"]),
                         ("INT32", "OPTIONAL", 2, 5))
        self.assertEqual(document["schema"]["name"], "schema")

    @large
    def test_each_file_of_other_writers_has_one(self):
        kinds = set()
        for path in sorted((ROOT / "corpus/writers").glob("*/*.parquet")):
            done = run("schema", path)
            if done.returncode == 2:
                self.assertIn("encrypted", done.stderr, path)
                continue
            self.assertEqual((done.returncode, done.stdout.count("{"), done.stderr), (0, done.stdout.count("}"), ""), path)
            kinds |= set(re.findall(r" \(([A-Z_0-9]+)", done.stdout))
        self.assertTrue(kinds >= {"STRING", "DECIMAL", "DATE", "TIME", "TIMESTAMP", "INTEGER", "LIST", "MAP", "UUID", "FLOAT16", "INTERVAL", "JSON", "BSON", "ENUM"}, kinds)

    @large
    def test_annotations_and_ids(self):
        text = "".join(run("schema", path).stdout for path in sorted((ROOT / "corpus/writers").glob("*/*.parquet")))
        for line in (r"optional int64 \S+ \(TIMESTAMP\(MICROS,true\)\)", r"int32 \S+ \(DECIMAL\(\d+,\d+\)\)", r"fixed_len_byte_array\(16\) \S+ \(UUID\)",
                     r"int32 \S+ \(INTEGER\(8,true\)\)", r"int64 \S+ \(TIME\(NANOS,(true|false)\)\)", r"\S+ = \d+;"):
            self.assertRegex(text, line)

    def test_parameters_are_printed_as_by_parquet_java(self):
        lines = set()
        for path in sorted([WITNESSES / "wkb/byte-order/pass-a.parquet", WITNESSES / "variant/value/pass-a.parquet", WITNESSES / "geo/coordinate-range/pass-a.parquet"]):
            lines |= {line.split(" ", 3)[3] for line in run("schema", path).stdout.splitlines() if "(G" in line or "(V" in line}
        for words in ("(GEOMETRY)", "(GEOGRAPHY)", "(VARIANT("):  # without their own CRS
            self.assertTrue(any(words in line for line in lines), lines)
        element = {"GEOGRAPHY": {"crs": "EPSG:4326"}}
        data = File([required("g", BYTE_ARRAY, logicalType=element), required("h", BYTE_ARRAY, logicalType={"GEOMETRY": {"crs": "EPSG:4326"}})], []).build().data
        text = run("schema", self.write("a.parquet", data)).stdout
        self.assertIn("required binary g (GEOGRAPHY(EPSG:4326,SPHERICAL));\n", text)
        self.assertIn("required binary h (GEOMETRY(EPSG:4326));\n", text)

    def test_a_footer_that_breaks_after_the_schema_still_shows_it(self):
        data = bytearray(NESTED.read_bytes())
        length = int.from_bytes(data[-8:-4], "little")
        document = json.loads(run("meta", "--format", "json", NESTED).stdout)
        at = next(field["offset"] for field in document["fields"] if field["name"] == "row_groups")
        self.assertGreater(at, len(data) - 8 - length)
        data[at:at + 4] = b"\xff" * 4
        done = run("schema", self.write("a.parquet", bytes(data)))
        self.assertEqual((done.returncode, done.stdout), (1, run("schema", NESTED).stdout))
        self.assertIn("stopped at byte", done.stderr)

    def test_a_malformed_tree_is_reported(self):
        done = run("schema", next((WITNESSES / "schema/tree").glob("fail-*.parquet")))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("not a tree", done.stderr)
        self.assertEqual(run("schema", self.folder / "none.parquet").returncode, 2)


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
