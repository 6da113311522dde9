"""The functions of the module, compared with the program."""
import array
import copy
import dataclasses
import doctest
import gc
import importlib
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import subprocess
import sys
import unittest
import weakref
from concurrent.futures import ProcessPoolExecutor
from unittest import mock

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
        for form in parqproof.report.FORMS:
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

    def test_reports_are_copied_pickled_and_compared(self):
        report, intact = parqproof.check(BROKEN), parqproof.check(INTACT)
        self.assertIs(copy.copy(report), report)
        self.assertIs(copy.deepcopy({"a": report})["a"], report)
        made = pickle.loads(pickle.dumps(report))
        self.assertEqual({made, report, intact}, {report, intact})
        self.assertNotEqual(report, intact)
        self.assertNotEqual(report, report.to_json())
        self.assertEqual((made.findings, made.verdict, repr(made)), (report.findings, report.verdict, repr(report)))
        for form in parqproof.report.FORMS:
            self.assertEqual(made.to_form(form) == report.to_form(form), form != "html", form)
        self.assertIn("statistics/max-value", made.to_form("html"))
        with self.assertRaisesRegex(parqproof.InvalidCall, "'pdf' is not one of text, json"):
            made.to_form("pdf")
        with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
            self.assertEqual(list(pool.map(parqproof.check, [BROKEN, INTACT])), [report, intact])

    def test_findings_by_number(self):
        report = parqproof.check(BROKEN)
        self.assertEqual((report[0], report[-1], report[:1]), (report.findings[0], report.findings[0], report.findings))
        with self.assertRaises(IndexError):
            report[1]

    def test_html_of_a_file_that_changed_has_no_bytes(self):
        path = self.folder / "a.parquet"
        for replaced in (INTACT.read_bytes(), INTACT.read_bytes().ljust(BROKEN.stat().st_size, b"\0"), BROKEN.read_bytes() + b"\0", None):
            path.write_bytes(BROKEN.read_bytes())
            os.utime(path, (0, 0))
            with open(path, "rb") as file:
                reports = [parqproof.check(path), parqproof.check(file)]
                with_bytes = [report.to_form("html") for report in reports]
                path.unlink() if replaced is None else path.write_bytes(replaced)
                without = [report.to_form("html") for report in reports]
                for report, complete, shown in zip(reports, with_bytes, without):
                    is_there = replaced is None and report is reports[1]
                    self.assertEqual(shown, complete if is_there else pickle.loads(pickle.dumps(report)).to_form("html"))
                    self.assertEqual(shown == complete, is_there)

    def test_html_has_the_bytes_of_memory_at_the_check(self):
        data = BROKEN.read_bytes()
        complete = parqproof.check(data).to_form("html")
        for kind in (bytearray, io.BytesIO, lambda data: array.array("B", data), lambda data: memoryview(bytearray(data))):
            source = kind(data)
            report = parqproof.check(source)
            (source.getbuffer() if isinstance(source, io.BytesIO) else memoryview(source))[70:80] = bytes(10)
            self.assertEqual(report.to_form("html"), complete)

        report = parqproof.check(io.BufferedReader(io.BytesIO(data)))  # whose changes are not noticed
        self.assertEqual(report.to_form("html"), pickle.loads(pickle.dumps(report)).to_form("html"))

    def test_a_report_keeps_no_large_source(self):
        class Data(bytearray):
            pass

        class File(io.BytesIO):
            pass

        for kind in (Data, File):
            source = kind(bytes(parqproof._source.KEPT_BYTES + 1))
            report, gone = parqproof.check(source, tier="footer"), weakref.ref(source)
            del source
            gc.collect()
            self.assertIsNone(gone())
            self.assertEqual(report.to_form("html"), pickle.loads(pickle.dumps(report)).to_form("html"))

    def test_control_characters_are_escaped_as_in_the_text_form(self):
        from parqproof.testing import assert_parquet

        name = "".join(map(chr, [*range(1, 0x2100), *range(0xFE00, 0xFF10), 0x1F600])).replace(":", "").translate(dict.fromkeys(range(0xD800, 0xE000)))
        report = parqproof.check(BROKEN, name=name)
        shown = report.to_form("lines").partition(":")[0]
        self.assertEqual(str(report[0]).partition(":")[0], shown)
        self.assertIn(f" {shown}:", repr(report))
        with self.assertRaises(AssertionError) as caught:
            assert_parquet(BROKEN, name="a\x1b[31m\nb")
        self.assertTrue(str(caught.exception).startswith("a\\x1b[31m\\nb: nonconforming"), str(caught.exception))

    def test_a_finding_is_its_line_of_the_form_lines(self):
        shown = set()
        for path in (*WITNESSES.rglob("fail-*.parquet"), *(SOURCE / "corpus/known_bugs").rglob("*.parquet")):
            if path.stat().st_size > 100_000:
                continue
            report = parqproof.check(path, advice=True, limit=0)
            self.assertEqual("".join(f"{finding}\n" for finding in report), report.to_form("lines"))
            shown.update(re.findall(r"leaf \d|\d times|at page|known bug", report.to_form("lines")))
        self.assertLess({"leaf 0", "at page", "2 times", "known bug"}, shown)

    def test_bytes_of_a_path_that_are_not_utf8(self):
        paths = [os.fsdecode(os.fsencode(self.folder) + b"/" + name) for name in (b"a\xff.parquet", b"a\xfe.parquet")]
        for path in paths:
            pathlib.Path(path).write_bytes(BROKEN.read_bytes())
        first, second = map(parqproof.check, paths)
        self.assertEqual(first.path, f"{self.folder}/a\\xff.parquet")
        for path in (first[0].path, first.files[0]["path"], first.to_dict()["files"][0]["path"], pickle.loads(pickle.dumps(first)).path):
            self.assertEqual(path, first.path)
        for text in (first.to_form("text"), repr(first), str(first[0])):
            self.assertIn(first.path, text)
        self.assertNotEqual(first, second)
        self.assertEqual(first, pickle.loads(pickle.dumps(first)))
        self.assertNotEqual(first.findings, second.findings)

    def test_forms_show_a_file_with_a_warning_as_failed(self):
        options, words = {"severity": {"statistics/max-value": "warning"}}, ["--severity", "statistics/max-value=warning"]
        report = parqproof.check(BROKEN, fail_on="warning", **options)
        for form in parqproof.report.FORMS:
            shown = program("check", "--no-config", *words, "--fail-on", "warning", "--format", form, BROKEN).stdout
            self.assertEqual(report.to_form(form), shown, form)
        self.assertNotEqual(report.to_form("junit"), parqproof.check(BROKEN, **options).to_form("junit"))

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
        for frame in (frame, parqproof.check(INTACT).to_pandas(), parqproof.check(b"no file").to_pandas()):
            for name in ("rule", "column", "field", "found"):
                self.assertEqual(str(frame[name].dtype), "string", name)

    def test_wrong_arguments(self):
        for options, message in (({"tier": "foter"}, "did you mean 'footer'"), ({"profile": "x"}, "historical, interop"),
                                 ({"ignore": "no/such"}, "no rule is named"), ({"severity": {"footer/version": "bad"}}, "RULE=error"),
                                 ({"threads": 0}, "threads"), ({"limit": -1}, "limit"), ({"keys": {"other": "00"}}, "expected footer_key"),
                                 ({"row_groups": (-1, None)}, "row_groups"), ({"footer_at": 10**9}, "footer_at"),
                                 ({"max_work": 10**6}, "max_work"), ({"name": "a\0b"}, "NUL"), ({"limit": 2**64}, "limit"),
                                 ({"max_page": 2**64 + 1}, "max_page"), ({"max_memory": 0}, "max_memory"), ({"row_groups": (2, 1)}, "after its end"),
                                 ({"row_groups": (2**64, None)}, "row_groups"), ({"row_groups": (1,)}, "not a pair"),
                                 ({"footer_at": -1}, "footer_at"), ({"footer_at": 2**64 + 9}, "footer_at")):
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
        for given in ("5333637233744b65795f303132333435", '{"footer_key": "5333637233744b65795f303132333435"}' * 9):
            with self.assertRaises(OSError) as raised:
                parqproof.check(path, keys=given)
            self.assertNotIn("5333637233744b65", str(raised.exception) + repr(raised.exception.args))
        fault = next(one for one in parqproof.faults(path, keys=keys) if one["applies"])
        self.assertFalse(any(one["applies"] for one in parqproof.faults(path)))
        self.assertIn(fault["rule"], parqproof.mutate(path, io.BytesIO(), fault["name"], keys=entry["keys"]))

    def test_exceptions_are_pickled(self):
        from parqproof.testing import NotConforming, assert_parquet

        broken = parqproof.FileBroken("message")
        broken.partial = {"a": 1}
        with self.assertRaises(NotConforming) as caught:
            assert_parquet(BROKEN)
        for failure in (caught.exception, broken, parqproof.Unsupported("message"), parqproof.InvalidCall("message"), parqproof.SourceChanged("message"),
                        parqproof._remote._FewBytes("message")):
            made = pickle.loads(pickle.dumps(failure))
            self.assertEqual((type(made), str(made), vars(made)), (type(failure), str(failure), vars(failure)))
            self.assertEqual((str(copy.copy(failure))), str(failure))
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool, self.assertRaises(NotConforming) as caught:
            pool.submit(assert_parquet, BROKEN).result()
        self.assertEqual(caught.exception.report, parqproof.check(BROKEN, hex=True))


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
            parqproof.rows(INTACT, columns="no such")

    @needed("pyarrow")
    def test_columns_of_one_name(self):
        import pyarrow
        import pyarrow.parquet

        made = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.table([[1], [2]], names=["a", "a"]), made)
        self.assertEqual(list(parqproof.rows(made)), [{"a": 2}])
        self.assertEqual(list(parqproof.rows(made, text=True)), ['{"a":1,"a":2}'])

    def test_rows_that_are_nested_too_deep_for_json(self):
        path = WITNESSES / "limit/schema-depth/pass-a.parquet"
        self.assertEqual(next(parqproof.rows(path, text=True))[:10], '{"a":{"a":')
        with mock.patch.object(json, "loads", side_effect=RecursionError), self.assertRaisesRegex(parqproof.Unsupported, "text=True"):
            next(parqproof.rows(path))

    def test_wrong_ranges_of_rows(self):
        for options in ({"rows": (-1, None)}, {"rows": (0, 2**64)}, {"limit": -1}, {"limit": 2**64}, {"max_page": 2**64}):
            with self.subTest(options=options), self.assertRaises(parqproof.InvalidCall):
                parqproof.rows(INTACT, **options)

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
        for name in ("page_version", "page_bytes", "page_rows", "row_group_rows"):
            with self.subTest(name), self.assertRaisesRegex(parqproof.InvalidCall, name):
                parqproof.rewrite(INTACT, io.BytesIO(), **{name: 2**64 + 1})
        with self.assertRaisesRegex(parqproof.InvalidCall, "page_version"):
            parqproof.rewrite(INTACT, io.BytesIO(), page_version=2**32 + 2)
        with self.assertRaises(OSError):
            parqproof.rewrite(INTACT, self.folder / "no" / "folder.parquet")
        with self.assertRaises(TypeError):
            parqproof.rewrite(INTACT, 5)
        with self.assertRaisesRegex(ValueError, "closed file"):
            closed = io.BytesIO()
            closed.close()
            parqproof.rewrite(INTACT, closed)
        with self.assertRaisesRegex(parqproof.FileBroken, "schema_from takes it"):
            parqproof.rewrite(b"garbage" * 9, io.BytesIO(), salvage=True)

    def test_the_input_is_never_replaced(self):
        path, link = self.folder / "a.parquet", self.folder / "b.parquet"
        path.write_bytes(INTACT.read_bytes())
        os.link(path, link)
        memory = io.BytesIO(INTACT.read_bytes())
        with open(path, "r+b") as file, open(path, "r+b", buffering=0) as other:
            for source, target in ((file, path), (file, str(link)), (file, file), (file, other), (path, other), (memory, memory)):
                for write in (parqproof.rewrite, lambda *files: parqproof.mutate(*files, "max-value-low")):
                    with self.subTest(target=target), self.assertRaisesRegex(OSError, "is the input, which is never replaced"):
                        write(source, target)
        self.assertEqual((path.read_bytes(), memory.getvalue()), (INTACT.read_bytes(), INTACT.read_bytes()))

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
        for seed in (-1, 2**64):
            with self.assertRaisesRegex(parqproof.InvalidCall, "seed"):
                parqproof.mutate(INTACT, made, "max-value-low", seed=seed)
            with self.assertRaisesRegex(parqproof.InvalidCall, "seed"):
                parqproof.faults(seed=seed)
        impossible = next(one for one in listed if not one["applies"])
        with self.assertRaises(parqproof.Unsupported):
            parqproof.mutate(INTACT, made, impossible["name"])

    def test_rules_and_explain(self):
        self.assertEqual(parqproof.rules(), json.loads(program("rules", "--format", "json").stdout))
        self.assertEqual(str(parqproof.explain("rle/truncated")), program("explain", "rle/truncated").stdout)
        with self.assertRaisesRegex(parqproof.InvalidCall, "did you mean 'rle/truncated'"):
            parqproof.explain("rle/truncate")

    def test_a_witness_breaks_its_rule_with_the_options(self):
        unknown = set()
        for rule in parqproof.rules():
            explanation = parqproof.explain(rule["id"])
            if explanation.options is None:
                unknown.add(rule["id"])
            else:
                report = parqproof.check(explanation.witness, limit=0, **explanation.options)
                self.assertIn(rule["id"], {finding.rule for finding in report})
        with_witness = {rule for rule in unknown if parqproof.explain(rule).witness is not None}
        self.assertEqual({rule.partition("/")[0] for rule in with_witness}, {"column-chunk", "summary"})  # other files are needed
        self.assertEqual(list(parqproof.explain("encryption/key").options), ["keys"])
        self.assertEqual(parqproof.explain("index-page/size").options, {"profile": "historical", "advice": True})


@needed("mypy")
class TypesTest(FolderTest):
    def test_mypy_accepts_sources_and_refuses_others(self):
        lines = {"check(3)": False, "check(None)": False, "check([b''])": False, "check(b'', tier='foter')": False, "check(b'', edition='2.1')": False,
                 "check('a')": True, "check(pathlib.Path('a'))": True, "check(bytearray())": True, "check(memoryview(b''))": True,
                 "check(mmap.mmap(-1, 1))": True,
                 "check(io.BytesIO(), tier='footer', profile='interop')": True, "check(open('a', 'rb', buffering=0))": True,
                 "check(tempfile.TemporaryFile())": True, "assert_parquet(b'', 'historical')": True, "assert_parquet(b'', 'x')": False}
        path = self.folder / "user.py"
        path.write_text("import io, mmap, pathlib, tempfile\nfrom parqproof import check\nfrom parqproof.testing import assert_parquet\n" + "\n".join(lines))
        packages = pathlib.Path(parqproof.__file__).parents[1]
        environment = {} if packages.name == "site-packages" else {"MYPYPATH": str(packages)}
        shown = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(self.folder), str(path)], capture_output=True, text=True,
                               env={**os.environ, **environment}, cwd=self.folder).stdout
        refused = {int(number) for number in re.findall(r"^user.py:(\d+): error", shown, re.MULTILINE)}
        self.assertEqual({line: number not in refused for number, line in enumerate(lines, 4)}, lines, shown)


class StructsTest(unittest.TestCase):
    def test_structs_have_the_sizes_of_the_c_compiler(self):
        import ctypes

        sizes = dict(line.split()[1:] for line in (SOURCE / "tests/bindings/abi.txt").read_text().splitlines() if line.startswith("struct "))
        for name, struct in parqproof._library.STRUCTS.items():
            self.assertEqual(ctypes.sizeof(struct), int(sizes[f"parqproof_{name}"]), name)

    @unittest.skipIf(sys.version_info >= (3, 12), "subinterpreters cannot load ctypes")
    def test_calls_after_a_subinterpreter(self):
        script = """
import _xxsubinterpreters as interpreters, io, sys, parqproof
interpreters.run_string(interpreters.create(), "import ctypes")
parqproof.rewrite(sys.argv[1], io.BytesIO())
print(parqproof.check(sys.argv[1]).verdict, len(list(parqproof.rows(sys.argv[1]))) > 0)
"""
        ended = subprocess.run([sys.executable, "-c", script, str(INTACT)], capture_output=True, text=True)
        self.assertEqual(ended.stdout, "conforming True\n", ended.stderr)

    def test_the_version_is_that_of_the_program(self):
        self.assertIn(f"parqproof {parqproof.__version__} ", program("--version").stdout)
        self.assertIn(parqproof.SPEC_COMMIT, program("--version").stdout)


def load_tests(loader, tests, pattern):
    for name in ("parqproof", "parqproof.report", "parqproof.testing", "parqproof.corpus"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name)))
    return tests


if __name__ == "__main__":
    unittest.main()
