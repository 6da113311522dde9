"""`scripts/single_faults`: nearly every changed field has exactly one finding, and the script detects exceptions."""

import os
import re
import subprocess
import sys
import unittest

from program import PROGRAM, ROOT, Case, report

from builder.codec.metadata import BIT_PACKED, BYTE_ARRAY, DELTA_BINARY_PACKED, INT32, PLAIN, RLE, RLE_DICTIONARY
from builder.codec.pages import V1, Dictionary
from builder.codec.schema import required
from builder.recipes.base_files import chunk, column, flat
from builder.single_faults.consistent_changes import Evidence
from builder.single_faults.file_structures import FileStructures

CHUNK = "row_groups[0].columns[0].meta_data"


def single_faults(*arguments, program=PROGRAM):
    """Exit code and output of the script."""
    done = subprocess.run([sys.executable, ROOT / "scripts/single_faults", "--program", program, *map(str, arguments)], capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


class Scores(Case):
    def altered(self, line):
        """A program that runs the real one, and alters the findings of each changed file by this line of Python."""
        path = self.write("altered", f"""#!{sys.executable}
import json, subprocess, sys
done = subprocess.run([{str(PROGRAM)!r}, *sys.argv[1:]], capture_output=True, text=True)
for report in done.stdout.splitlines() if "ndjson" in sys.argv else ():
    report = json.loads(report)
    findings = report.get("findings", [])
    {line}
    print(json.dumps(report))
if "ndjson" not in sys.argv:
    print(done.stdout)
""".encode())
        os.chmod(path, 0o755)
        return path

    def test_97_percent_of_changed_fields_are_reported_at_the_field_and_none_is_silent(self):
        code, text = single_faults("--sample", 0.06, "--seed", 7, "--min-exact", 97)
        self.assertEqual(code, 0, text)
        self.assertGreater(int(re.search(r"all +(\d+)", text)[1]), 900, text)

    def test_a_finding_at_another_place_or_none_lowers_the_score(self):
        for line in ("[one.update(offset=one['offset'] + 1000) for one in findings]",
                     "report.update(findings=[one for one in findings if 'total' not in one['rule']])"):
            with self.subTest(line):
                code, text = single_faults("--sample", 0.02, "--seed", 7, "--min-exact", 97, program=self.altered(line))
                self.assertEqual(code, 1, text)

    def test_flipped_bits_are_scored_separately_and_reasons_are_listed(self):
        code, text = single_faults(self.write("a.parquet", flat().build().data))
        self.assertEqual(code, 0)
        for title in ("fields", "one changed bit, by structure", "Skipped changes"):
            self.assertIn(title, text)
        self.assertNotIn("not known", text)


class ChangedFields(Case):
    """Changed fields in files of other writers: several rules could report each of them, and one does."""

    ONES = (  # file, page (row group, leaf, ordinal), field, changed to, rule
        ("polars/default-nested", (0, 2, 0), "data_page_header.statistics.null_count", 0, "statistics/null-count"),
        ("polars/decimals", (0, 1, 0), "data_page_header.encoding", 1, "page/encoding"),
        ("polars/decimals", (0, 3, 0), "data_page_header.definition_level_encoding", 4, "page/encoding"),
        ("polars/fixed-lists", (0, 0, 0), "data_page_header.statistics.min_value", bytes(4), "statistics/min-value"),
        ("duckdb/codec-brotli", (0, 0, 0), "data_page_header.encoding", 2, "page/encoding"),
        ("clickhouse/default-nested", (0, 7, 1), "data_page_header.num_values", 79, "page/num-values"),
        ("pyarrow/checksums-v2", (0, 4, 1), "data_page_header_v2.num_values", 123, "page/num-values"),
        ("polars/several-pages", (0, 1, 1), "data_page_header.num_values", 205, "page/num-values"),
        ("duckdb/codec-brotli", None, "row_groups[0].columns[1].meta_data.encoding_stats[0].encoding", 2, "column-chunk/encoding-stats"),
        ("duckdb/codec-brotli", None, "schema[2].type", 2, "schema/type"),
        ("duckdb/row-numbers", None, "schema[2].type", 3, "schema/type"),
        ("polars/wide-integers", None, "schema[1].type_length", 17, "schema/type-length"),
        ("polars/wide-integers", None, "schema[1].type_length", 15, "schema/type-length"),
    )

    def fields_of_findings(self, path):
        """The fields of findings by rule and column."""
        return {(one["rule"], one.get("leaf")): one.get("field") for one in report(path)["files"][0]["findings"] if one["severity"] != "advice"}

    def test_each_changed_field_has_exactly_one_finding(self):
        for name, page, path, new, rule in self.ONES:
            with self.subTest(name=name, path=path, new=new):
                intact = ROOT / "corpus" / "writers" / f"{name}.parquet"
                file = FileStructures(intact.read_bytes())
                piece = file.footer if page is None else next(
                    one for one in file.pieces if one.kind == "PageHeader" and (*one.chunk, one.page) == page)
                self.assertNotEqual(piece.tree.at(path), new)
                known = self.fields_of_findings(intact)
                found = self.fields_of_findings(self.write("changed.parquet", file.with_change(piece, path, new)[0]))
                field = path.split("columns[1].")[-1].split("[0].encoding")[0]
                self.assertEqual([(one[0], found[one]) for one in found if one not in known], [(rule, field)])


class ConsistentChanges(unittest.TestCase):
    """Changes that leave a file consistent, and similar ones that do not."""

    def reason(self, file, kind, path, new):
        structures = FileStructures(file.build().data)
        return Evidence(structures).reason(next(piece for piece in structures.pieces if piece.kind == kind), path, new)

    def test_ascending_dictionaries(self):
        for items, reason in (((1, 2), "sorted"), ((2, 1), None)):
            file = column(required("a", INT32), items, chunk(Dictionary(list(items), is_sorted=False), V1(encoding=RLE_DICTIONARY)))
            self.assertEqual(self.reason(file, "PageHeader", "dictionary_page_header.is_sorted", True), reason)

    def test_rows_in_another_order(self):
        for items, reason in (((1, 1), "ties"), ((1, 2), None)):
            file = column(required("a", INT32), items, edits={"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": False}]})
            self.assertEqual(self.reason(file, "FileMetaData", "row_groups[0].sorting_columns[0].descending", True), reason)
            self.assertEqual(self.reason(file, "FileMetaData", "row_groups[0].sorting_columns[0].nulls_first", True), "ties")

    def test_bounds(self):
        words = column(required("s", BYTE_ARRAY), [b"b"], chunk(meta={"statistics": {"max": b"b", "max_value": b"b", "min_value": b"b"}}), column_orders=True)
        numbers = column(required("a", INT32), [1], chunk(meta={"statistics": {name: b"\1\0\0\0" for name in ("max", "max_value", "min_value")}}), column_orders=True)
        for file, name, new, reason in ((words, "max_value", b"c", "wider"), (words, "max_value", b"a", None), (words, "min_value", b"c", None),
                                        (words, "max", b"a", "orderless"), (numbers, "max", b"\0" * 4, None),
                                        (numbers, "max_value", b"\0\0\0\x80", None), (numbers, "min_value", b"\0\0\0\x80", "wider")):
            with self.subTest(name=name, new=new):
                self.assertEqual(self.reason(file, "FileMetaData", f"{CHUNK}.statistics.{name}", new), reason)

    def test_encodings(self):
        file = flat(chunk(meta={"encodings": [PLAIN, RLE]}))
        for at, new, reason in ((1, BIT_PACKED, "listed"), (1, DELTA_BINARY_PACKED, None), (0, BIT_PACKED, None)):
            self.assertEqual(self.reason(file, "FileMetaData", f"{CHUNK}.encodings[{at}]", new), reason)
