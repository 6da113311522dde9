"""The functions of the module, compared with the program."""
import dataclasses
import doctest
import importlib
import io
import json
import pickle
import unittest

import parqproof
from files import BROKEN, INTACT, SOURCE, WITNESSES, FolderTest, needed, program


class ReportTest(FolderTest):
    def test_a_report_is_the_json_of_the_program(self):
        for path in (INTACT, BROKEN, WITNESSES / "thrift/compact-protocol/fail-k.parquet"):
            for options, words in (({}, []), ({"tier": "footer", "profile": "interop"}, ["--tier", "footer", "--profile", "interop"]),
                                   ({"advice": True, "limit": 1, "ignore": ["statistics/*"], "severity": {"footer/version": "info"}},
                                    ["--advice", "--limit", "1", "--ignore", "statistics/*", "--severity", "footer/version=info"])):
                with self.subTest(path=path.name, options=options):
                    shown = program("check", "--no-config", "--format", "json", *words, path).stdout
                    self.assertEqual(parqproof.check(path, **options).to_json(), shown)

    def test_other_forms_are_those_of_the_program(self):
        report = parqproof.check(BROKEN)
        for form in ("text", "ndjson", "lines", "sarif", "junit", "github", "markdown", "html"):
            self.assertEqual(report.to_form(form), program("check", "--no-config", "--format", form, BROKEN).stdout, form)
        self.assertEqual(str(report), report.to_form("text"))
        with self.assertRaisesRegex(parqproof.InvalidCall, "'pdf' is not one of text, json"):
            report.to_form("pdf")

    def test_members_of_a_report(self):
        report = parqproof.check(BROKEN)
        self.assertEqual((report.ok, report.verdict, report.errors, len(report)), (False, "nonconforming", 1, 1))
        self.assertRegex(repr(report), r"^<parqproof.Report .*fail-a.parquet: nonconforming, 1 error>$")
        self.assertTrue(parqproof.check(INTACT).ok)
        finding, = report.findings
        self.assertEqual((finding.rule, finding.severity, finding.fault_class), ("statistics/max-value", "error", "invalid"))
        self.assertEqual(finding.path, str(BROKEN))
        self.assertIn("statistics/max-value", str(finding))
        self.assertIn("<iframe srcdoc=", report._repr_html_())
        self.assertIn("max_value", report._repr_html_())

    def test_reports_and_findings_are_immutable(self):
        report = parqproof.check(BROKEN)
        with self.assertRaises(AttributeError):
            report.verdict = "conforming"
        with self.assertRaises(AttributeError):
            report.new = 1
        with self.assertRaises(dataclasses.FrozenInstanceError):
            report.findings[0].rule = "other"
        self.assertEqual(pickle.loads(pickle.dumps(report.findings)), report.findings)
        report.files[0]["verdict"] = "changed"
        self.assertEqual(report.verdict, "nonconforming")

    def test_any_bytes_give_a_report(self):
        data = BROKEN.read_bytes()
        for made in (b"", b"PAR1", data[:-1], data[: len(data) // 2], data[::-1], b"\0" * 1000):
            self.assertFalse(parqproof.check(made).ok)

    def test_hex_adds_the_bytes_of_findings(self):
        self.assertNotEqual(str(parqproof.check(BROKEN, hex=True)), str(parqproof.check(BROKEN)))
        self.assertEqual(str(parqproof.check(BROKEN, hex=True)), program("check", "--no-config", "--hex", BROKEN).stdout)

    @needed("pyarrow")
    def test_to_arrow(self):
        table = parqproof.check(BROKEN).to_arrow()
        self.assertEqual(table.num_rows, 1)
        self.assertEqual(table.column("rule").to_pylist(), ["statistics/max-value"])
        self.assertEqual(parqproof.check(INTACT).to_arrow().schema, table.schema)

    @needed("pandas")
    def test_to_pandas(self):
        frame = parqproof.check(BROKEN).to_pandas()
        self.assertEqual(list(frame["rule"]), ["statistics/max-value"])
        self.assertEqual(str(frame["offset"].dtype), "UInt64")

    def test_wrong_arguments(self):
        for options, message in (({"tier": "foter"}, "did you mean 'footer'"), ({"profile": "x"}, "historical, interop"),
                                 ({"ignore": "no/such"}, "no rule is named"), ({"severity": {"footer/version": "bad"}}, "RULE=error"),
                                 ({"threads": 0}, "threads"), ({"limit": -1}, "limit"), ({"keys": {"other": "00"}}, "expected footer_key"),
                                 ({"row_groups": (-1, None)}, "row_groups"), ({"footer_at": 10**9}, "footer_at"),
                                 ({"max_work": 10**6}, "max_work"), ({"name": "a\0b"}, "NUL")):
            with self.subTest(options=options), self.assertRaisesRegex(parqproof.InvalidCall, message):
                parqproof.check(INTACT, **options)
        with self.assertRaises(TypeError):
            parqproof.check(1)
        with self.assertRaises(TypeError):
            parqproof.check(INTACT, no_such_option=1)
        with self.assertRaises(FileNotFoundError):
            parqproof.check("no/such/file")
        with self.assertRaises(OSError):
            parqproof.check(self.folder)

    def test_encrypted_files_are_opened_with_keys(self):
        for entry in json.loads((SOURCE / "corpus/index.json").read_text())["files"]:
            if "keys" in entry and entry["verdict"] == "conforming":
                break
        path = SOURCE / "corpus" / entry["file"]
        self.assertEqual(parqproof.check(path).verdict, "unsupported")
        self.assertTrue(parqproof.check(path, keys=entry["keys"]).ok)
        keys = self.folder / "keys.json"
        keys.write_text(json.dumps(entry["keys"]))
        self.assertTrue(parqproof.check(path, keys=keys).ok)


class ContentsTest(FolderTest):
    def test_contents_are_those_of_the_program(self):
        for path in (INTACT, WITNESSES / "legal/legacy-lists/pass-a.parquet"):
            self.assertEqual(parqproof.layout(path), json.loads(program("layout", "--format", "json", path).stdout))
            self.assertEqual(parqproof.layout(path, hex=True), json.loads(program("layout", "--hex", "--format", "json", path).stdout))
            self.assertEqual(parqproof.meta(path), json.loads(program("meta", "--format", "json", path).stdout))
            self.assertEqual(parqproof.schema(path), json.loads(program("schema", "--format", "json", path).stdout))
            self.assertEqual(parqproof.schema_text(path), program("schema", path).stdout)
            self.assertEqual("".join(f"{line}\n" for line in parqproof.rows(path, text=True)), program("cat", path).stdout)
            self.assertEqual([json.dumps(row) for row in parqproof.rows(path)],
                             [json.dumps(json.loads(line)) for line in program("cat", path).stdout.splitlines()])

    def test_rows_can_be_selected_and_left_early(self):
        all_rows = list(parqproof.rows(INTACT))
        self.assertEqual(list(parqproof.rows(INTACT, rows=(1, 3))), all_rows[1:3])
        self.assertEqual(list(parqproof.rows(INTACT, limit=1)), all_rows[:1])
        rows = parqproof.rows(INTACT)
        self.assertEqual(next(rows), all_rows[0])
        rows.close()
        with self.assertRaisesRegex(parqproof.InvalidCall, "no column"):
            list(parqproof.rows(INTACT, columns="no such"))

    def test_contents_of_broken_files(self):
        data = INTACT.read_bytes()
        with self.assertRaises(parqproof.FileBroken):
            list(parqproof.rows(b"no file"))
        with self.assertRaises(parqproof.FileBroken) as caught:
            parqproof.layout(data[:-1])
        self.assertEqual(caught.exception.partial["size"], len(data) - 1)
        for function in (parqproof.schema, parqproof.meta):
            with self.assertRaises(parqproof.FileBroken):
                function(data[:-1])


class ChangedFilesTest(FolderTest):
    def test_rewrite_to_a_path_and_to_a_file(self):
        path, made = self.folder / "made.parquet", io.BytesIO()
        options = {"compression": "ZSTD:3", "page_version": 2, "page_index": True, "statistics": False}
        self.assertEqual(parqproof.rewrite(BROKEN, path, **options), parqproof.Rewritten(True, ()))
        self.assertTrue(parqproof.rewrite(BROKEN, made, **options).complete)
        self.assertEqual(path.read_bytes(), made.getvalue())
        self.assertTrue(parqproof.check(path).ok)
        self.assertEqual(list(parqproof.rows(path)), list(parqproof.rows(BROKEN)))
        program("rewrite", "--compression", "ZSTD:3", "--page-version", "2", "--page-index", "--statistics=no", BROKEN,
                self.folder / "other.parquet")
        self.assertEqual(path.read_bytes(), (self.folder / "other.parquet").read_bytes())

    def test_rewrite_refuses(self):
        with self.assertRaisesRegex(parqproof.InvalidCall, "is no codec"):
            parqproof.rewrite(INTACT, io.BytesIO(), compression="ZIP")
        with self.assertRaises(parqproof.FileBroken):
            parqproof.rewrite(b"no file", io.BytesIO())
        with self.assertRaises(OSError):
            parqproof.rewrite(INTACT, self.folder / "no" / "folder.parquet")
        with self.assertRaises(TypeError):
            parqproof.rewrite(INTACT, 5)
        with self.assertRaisesRegex(ValueError, "closed file"):
            closed = io.BytesIO()
            closed.close()
            parqproof.rewrite(INTACT, closed)

    def test_salvage_names_what_is_left_out(self):
        path = WITNESSES / "crc/match/fail-a.parquet"
        result = parqproof.rewrite(path, self.folder / "rest.parquet", salvage=True)
        self.assertFalse(result.complete)
        self.assertTrue(any("left out" in line for line in result.notes), result.notes)
        self.assertTrue(parqproof.check(self.folder / "rest.parquet").ok)

    def test_mutate_breaks_the_rule_of_the_fault(self):
        listed = parqproof.faults(INTACT)
        self.assertEqual(listed, json.loads(program("mutate", "--list", "--format", "json", INTACT).stdout))
        fault = next(one for one in listed if one["name"] == "max-value-low")
        made = io.BytesIO()
        self.assertIn(fault["rule"], parqproof.mutate(INTACT, made, "max-value-low"))
        self.assertEqual([finding.rule for finding in parqproof.check(made.getvalue())], [fault["rule"]])
        with self.assertRaises(parqproof.InvalidCall):
            parqproof.mutate(INTACT, made, "no-such-fault")
        impossible = next(one for one in listed if not one["applies"])
        with self.assertRaises(parqproof.Unsupported):
            parqproof.mutate(INTACT, made, impossible["name"])

    def test_rules_and_explain(self):
        self.assertEqual(parqproof.rules(), json.loads(program("rules", "--format", "json").stdout))
        self.assertEqual(str(parqproof.explain("rle/truncated")), program("explain", "rle/truncated").stdout)
        with self.assertRaisesRegex(parqproof.InvalidCall, "did you mean 'rle/truncated'"):
            parqproof.explain("rle/truncate")


class StructsTest(unittest.TestCase):
    def test_structs_have_the_sizes_of_the_c_compiler(self):
        import ctypes

        sizes = dict(line.split()[1:] for line in (SOURCE / "tests/bindings/abi.txt").read_text().splitlines() if line.startswith("struct "))
        for name, struct in parqproof._library.STRUCTS.items():
            self.assertEqual(ctypes.sizeof(struct), int(sizes[f"parqproof_{name}"]), name)

    def test_the_version_is_that_of_the_program(self):
        self.assertIn(f"parqproof {parqproof.__version__} ", program("--version").stdout)
        self.assertIn(parqproof.SPEC_COMMIT, program("--version").stdout)


def load_tests(loader, tests, pattern):
    for name in ("parqproof", "parqproof.report", "parqproof.testing", "parqproof.corpus"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


if __name__ == "__main__":
    unittest.main()
