"""check, cat and layout of files whose column chunks are in other files: pyarrow's summary, split files, hostile paths."""

import functools
import json
import os
import re
import resource
import shutil
import struct

import program
from program import ROOT, Case, byte_map, flipped

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import INT32
from builder.codec.schema import optional, repeated, required
from builder.recipes.base_files import flat

run = functools.partial(program.run, text=False)


def check(*arguments, **more):
    """The exit code, and the entries of the report."""
    done = run("check", "--format", "json", *arguments, **more)
    return done.returncode, json.loads(done.stdout)["files"]


def cpu_seconds():
    """CPU time of the programs that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def rules(entry):
    return {finding["rule"] for finding in entry["findings"]}


def named(*paths):
    """A metadata file with a row group of three rows for each path; without pages."""
    groups = [Group([{"a": i} for i in (1, 2, 3)], Chunk(file="x", column={"file_path": path})) for path in paths]
    return File([required("a", INT32)], groups=groups).build()


class Pyarrow(Case):
    """corpus/summaries/pyarrow, which scripts/writers/summary made."""

    PARTS = ("part-0.parquet", "year=2024/part-1.parquet")

    def setUp(self):
        super().setUp()
        shutil.copytree(ROOT / "corpus" / "summaries" / "pyarrow", self.folder, dirs_exist_ok=True)
        self.summary = self.folder / "_metadata"

    def test_the_summary_and_its_files_conform(self):
        code, entries = check(self.summary)
        self.assertEqual([entry["path"] for entry in entries], [str(self.summary), *(str(self.folder / part) for part in self.PARTS)])
        self.assertEqual([entry["verdict"] for entry in entries], ["conforming"] * 3)
        self.assertEqual([entry.get("named_by") for entry in entries], [None] + [str(self.summary)] * 2)
        self.assertEqual(code, 0)
        self.assertEqual(rules(entries[0]), {"summary/not-formal"})
        self.assertEqual([entry["pages"] > 0 for entry in entries], [False, True, True])
        self.assertEqual(entries[1:], [{**entry, "named_by": str(self.summary)} for part in self.PARTS
                                       for entry in check(self.folder / part)[1]])

    def test_the_schema_alone_conforms(self):
        code, entries = check(self.folder / "_common_metadata")
        self.assertEqual((code, len(entries), entries[0]["verdict"]), (0, 1, "conforming"))

    def test_rows_are_those_that_pyarrow_reads(self):
        for source in (str(self.summary), "_metadata"):
            done = run("cat", source, cwd=self.folder)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(done.stdout, (self.folder / "rows.jsonl").read_bytes())
        self.assertEqual(run("cat", "--rows", "99:101", "--columns", "id", self.summary).stdout, b'{"id":99}\n{"id":100}\n')
        self.assertEqual(run("cat", self.folder / "_common_metadata").stdout, b"")

    def test_the_footer_is_printed_and_the_other_files_are_named(self):
        schema = run("schema", self.folder / self.PARTS[0]).stdout
        for name in ("_metadata", "_common_metadata"):
            done = run("schema", self.folder / name)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, schema, b""))
            self.assertEqual(json.loads(run("schema", "--format", "json", self.folder / name).stdout)["leaves"], 3)
            footer = json.loads(run("meta", "--format", "json", self.folder / name).stdout)
            self.assertEqual((footer["footer_offset"], footer["footer_length"]), (4, footer["size"] - 12))
            self.assertNotIn("stopped", footer)
        text = run("meta", "--values", self.summary).stdout.decode()
        self.assertIn("1.7 KiB, 150 rows, 3 row groups, written by parquet-cpp-arrow", text)
        self.assertEqual(re.findall(r"^  file      (.*)$", text, re.M), [self.PARTS[0]] * 6 + [self.PARTS[1]] * 3)
        for absent in ("  pages ", "  entries "):  # offsets are those of the other files
            self.assertNotIn(absent, text)
        self.assertIn(b": 531 B, 0 rows, 0 row groups, written by", run("meta", "--values", self.folder / "_common_metadata").stdout)

    def test_the_byte_map_has_its_own_bytes_and_names_the_other_files(self):
        layout = byte_map(self.summary)
        size = self.summary.stat().st_size
        self.assertEqual([(one["offset"], one["kind"]) for one in layout["segments"]], [(0, "magic"), (4, "footer"), (size - 8, "footer-length"), (size - 4, "magic")])
        self.assertEqual(sum(one["length"] for one in layout["segments"]), size)
        self.assertEqual(layout["other_files"], [{"path": self.PARTS[0], "column_chunks": 6}, {"path": self.PARTS[1], "column_chunks": 3}])
        self.assertNotIn("unread", layout)
        self.assertNotIn("other_files", byte_map(self.folder / "_common_metadata"))
        done = run("layout", self.summary)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertTrue(done.stdout.decode().endswith("\nelsewhere: 6 column chunks in part-0.parquet\nelsewhere: 3 column chunks in year=2024/part-1.parquet\n"))
        done = run("layout", "--row-group", "0", self.summary)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertIn(b"column chunks are in part-0.parquet and in 1 more file", done.stderr)
        done = run("layout", "--at", "120", self.summary)
        self.assertEqual((done.returncode, b"elsewhere" in done.stdout), (0, False))
        many = self.write("many", named(*(f"part-{i}" for i in range(25))).data)
        text = run("layout", many).stdout.decode()
        self.assertEqual(text.count("elsewhere: 1 column chunk in part-"), 20)
        self.assertTrue(text.endswith("elsewhere: column chunks in 5 more files\n"))
        self.assertEqual(len(byte_map(many)["other_files"]), 25)
        hostile = self.write("hostile", named("a\x1b[31m\nb").data)
        self.assertIn(b"elsewhere: 1 column chunk in a\\x1b[31m\\nb\n", run("layout", hostile).stdout)

    def test_a_damaged_page_is_found_in_its_file(self):
        part = self.folder / self.PARTS[0]
        data = flipped(part.read_bytes(), 4, 0xFF)
        part.write_bytes(data)
        code, entries = check(self.summary)
        self.assertEqual(code, 1)
        self.assertEqual([entry["verdict"] for entry in entries], ["conforming", "malformed", "conforming"])
        self.assertEqual(entries[1]["findings"], check(part)[1][0]["findings"])
        done = run("cat", self.summary)
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(part), done.stderr.decode())

    def test_a_missing_file_is_named(self):
        (self.folder / self.PARTS[1]).unlink()
        code, entries = check(self.summary)
        self.assertEqual(code, 2)
        self.assertEqual([entry["verdict"] for entry in entries], ["unsupported", "conforming", "unreadable"])
        self.assertIn("year=2024/part-1.parquet: No such file", entries[0]["not_run"][0]["why"])
        done = run("cat", self.summary)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (2, 100))
        self.assertIn(b"year=2024/part-1.parquet: No such file", done.stderr)

    def test_a_rewritten_file_differs_from_its_summary(self):
        shutil.copy(self.folder / self.PARTS[1], self.folder / self.PARTS[0])
        code, entries = check(self.summary)
        self.assertEqual(code, 1)
        self.assertEqual(entries[0]["verdict"], "malformed")
        self.assertIn("summary/chunk-metadata", rules(entries[0]))
        self.assertEqual(entries[1]["verdict"], "conforming")

    def test_a_file_without_footer_is_reported_and_its_rows_are_printed(self):
        part = self.folder / self.PARTS[0]
        part.write_bytes(part.read_bytes()[:-12])
        code, entries = check(self.summary)
        self.assertEqual(code, 2)
        self.assertEqual([entry["verdict"] for entry in entries], ["unsupported", "malformed", "conforming"])
        self.assertEqual(run("cat", self.summary).stdout, (self.folder / "rows.jsonl").read_bytes())

    def test_pages_without_magic_are_judged_by_the_summary(self):
        part = self.folder / self.PARTS[0]
        part.write_bytes(b"\0" * 4 + part.read_bytes()[4:-12])
        code, entries = check(self.summary)
        self.assertEqual((code, [entry["verdict"] for entry in entries]), (0, ["conforming"] * 3))
        self.assertEqual([entries[1][key] for key in ("row_groups", "columns", "size")], [2, 3, part.stat().st_size])
        self.assertEqual(run("cat", self.summary).stdout, (self.folder / "rows.jsonl").read_bytes())
        part.write_bytes(part.read_bytes()[:100])
        code, entries = check(self.summary)
        self.assertEqual(entries[0]["verdict"], "malformed")
        self.assertIn("file/region-inside", rules(entries[0]))
        self.assertEqual(run("cat", self.summary).returncode, 1)

    def test_the_footer_alone_opens_nothing(self):
        _, entries = check("--tier", "footer", self.summary)
        self.assertEqual(len(entries), 1)

    def test_page_headers_are_judged_at_tier_pages(self):
        code, entries = check("--tier", "pages", self.summary)
        self.assertEqual((code, len(entries)), (0, 3))

    def test_standard_input_has_no_folder(self):
        with open(self.summary, "rb") as stdin:
            code, entries = check("-", stdin=stdin)
        self.assertEqual((code, len(entries), entries[0]["verdict"]), (2, 1, "unsupported"))
        self.assertEqual({entry["why"] for entry in entries[0]["not_run"]}, {"its data is in another file"})
        with open(self.summary, "rb") as stdin:
            self.assertEqual(run("cat", "-", stdin=stdin).returncode, 2)

    def test_threads_change_nothing(self):
        self.assertEqual(check(self.summary), check("-j", "4", self.summary))


class Paths(Case):
    """A metadata file with forbidden paths."""

    def setUp(self):
        super().setUp()
        self.bait = self.write("bait", flat().build().data)
        self.write("data/in", flat().build().data)
        self.write("data/sub/deep", flat().build().data)
        (self.folder / "data/link").symlink_to("in")
        (self.folder / "data/out").symlink_to("../bait")
        (self.folder / "data/up").symlink_to("..")
        os.mkfifo(self.folder / "data/fifo")

    def judge(self, path):
        return check(self.write("data/_metadata", named(path).data))

    def test_paths_below_the_folder_are_followed(self):
        for path in ("in", "./in", "sub/deep", "sub/./deep"):
            with self.subTest(path):
                _, entries = self.judge(path)
                self.assertEqual(len(entries), 2)
                self.assertEqual(entries[1]["verdict"], "conforming")

    def test_other_paths_are_rejected_without_being_opened(self):
        for path in (str(self.bait), "/dev/zero", "../bait", "sub/../../bait", "..", "", "sub//deep", "sub/", ".", "sub\\deep",
                     "..\\bait", "file:///etc/passwd", "in\0", "a" * 5000):
            with self.subTest(path[:40]):
                if not path:
                    continue  # an empty path is that of the file itself: column-chunk/file-path-empty
                code, entries = self.judge(path)
                self.assertEqual(code, 2)
                self.assertEqual(entries[0]["verdict"], "unsupported")
                self.assertEqual([entry for entry in entries[1:] if entry["verdict"] != "unreadable"], [])
                self.assertTrue(any(entry["what"] == "column chunk" for entry in entries[0]["not_run"]))
                self.assertEqual(run("cat", self.folder / "data/_metadata").stdout, b"")

    def test_links_and_special_files_are_not_opened(self):
        for path, why in (("link", "link"), ("out", "link"), ("up/bait", "link"), ("fifo", "FIFO"), ("sub", "directory"),
                          ("missing", "No such file"), ("in/deep", "Not a directory")):
            with self.subTest(path):
                code, entries = self.judge(path)
                self.assertEqual((code, len(entries)), (2, 2))
                self.assertEqual(entries[1]["verdict"], "unreadable")
                self.assertIn(why, entries[1]["not_run"][0]["why"])
                done = run("cat", self.folder / "data/_metadata")
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertIn(why.encode(), done.stderr)

    def test_names_are_escaped_on_terminals(self):
        path = "a\x1b[31m\n\u202e\x07"
        self.judge(path)
        for arguments in (["check"], ["check", "--format", "json"], ["cat"], ["meta"], ["layout", "--hex"]):
            with self.subTest(arguments):
                done = run(*arguments, self.folder / "data/_metadata")
                text = (done.stdout + done.stderr).decode()
                self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text), repr(text))

    def test_the_file_may_name_itself(self):
        built = File([required("a", INT32)], [{"a": 1}], Chunk(column={"file_path": "self"})).build()
        code, entries = check(self.write("data/self", built.data))
        self.assertEqual((code, len(entries)), (1, 1))
        self.assertEqual(rules(entries[0]), {"column-chunk/file-path"})
        self.assertEqual(run("cat", self.folder / "data/self").stdout, b'{"a":1}\n')

    def test_files_that_name_each_other_terminate(self):
        self.write("data/one", named("two").data)
        self.write("data/two", named("one").data)
        started = cpu_seconds()
        code, entries = check(self.folder / "data/one")
        self.assertEqual((code, len(entries)), (2, 2))
        self.assertEqual(entries[1]["not_run"][0]["why"], "its data is in another file")
        self.assertLess(cpu_seconds() - started, 10)


class Schemas(Case):
    """A summary whose schema differs from that of the files."""

    def test_columns_of_other_groups_are_compared_with_care(self):
        leaves = [optional("a", INT32), optional("b", INT32)]
        deep, flat_group = ([over("g", [optional("h", [optional("i", leaves)])])] for over in (repeated, required))
        rows = [{"g": [{"h": {"i": {"a": 1, "b": None}}}]}, {"g": [{"h": None}, {"h": {"i": None}}]}]
        other = [{"g": {"h": {"i": {"a": 1, "b": None}}}}, {"g": {"h": None}}]
        for mine, shown, theirs, stored in ((deep, rows, flat_group, other), (flat_group, other, deep, rows)):
            part = File(theirs, stored)
            self.write("in", part.build().data)
            summary = self.write("_metadata", File(mine, shown, [Chunk(file="in", at=(0, i)) for i in range(2)], parts={"in": part}).build().data)
            code, entries = check(summary)
            self.assertIn(code, (0, 1))
            self.assertEqual(entries[1]["verdict"], "conforming")
            self.assertIn("summary/schema", rules(entries[0]))
            self.assertIn(run("cat", summary).returncode, (0, 1))


class Bare(Case):
    def test_rows_of_a_row_group_are_counted_in_the_pages_of_files_without_footer(self):
        for file in (None, "x"):
            rows = [{"a": [1, 2]}, {"a": [3, 4]}, {"a": [5, 6]}]
            built = File([repeated("a", INT32)], groups=[Group(rows, Chunk(file=file), {"num_rows": 5})], footer={"num_rows": 5}).build()
            for name, data in built.files().items():
                self.write(name, data)
            _, entries = check(self.write("_metadata", built.data))
            self.assertIn("row-group/num-rows", rules(entries[0]))


class Many(Case):
    def test_a_file_that_is_named_often_is_opened_once(self):
        data = flat().build()
        self.write("in", data.data)
        groups = [Group([{"a": i} for i in (1, 2, 3)], Chunk(file="in", at=(0, 0), column={"file_path": "./" * (i % 3) + "in"}))
                  for i in range(50)]
        summary = self.write("_metadata", File([required("a", INT32)], groups=groups, parts={"in": flat()}).build().data)
        code, entries = check(summary)
        self.assertEqual((code, len(entries)), (0, 2))
        self.assertEqual(rules(entries[0]), {"summary/not-formal", "file/region-shared"})
        self.assertEqual(run("cat", summary).stdout.count(b"\n"), 150)

    def test_very_many_missing_files_take_little_time(self):
        built = named("0000000")
        group, footer = built.spans["row_groups[0]"], built.footer_start
        one, data = built.data[group.value:group.end], built.data
        count = 200_000
        at = one.index(b"0000000")
        many = b"".join(one[:at] + b"%07d" % i + one[at + 7:] for i in range(count))
        size = b"\xfc" + bytes([count & 0x7F | 0x80, count >> 7 & 0x7F | 0x80, count >> 14])
        changed = data[footer:group.value - 1] + size + many + data[group.end:-8]
        path = self.write("_metadata", data[:footer] + changed + struct.pack("<I", len(changed)) + b"PAR1")
        started = cpu_seconds()
        code, entries = check(path, "--ignore", "footer/num-rows")
        self.assertLess(cpu_seconds() - started, 60)
        self.assertEqual((code, len(entries), entries[0]["verdict"]), (2, 1001, "limit"))

    def test_rows_of_many_files_need_few_descriptors(self):
        names = [f"c{i}" for i in range(200)]
        built = File([required(name, INT32) for name in names], [{name: i for i, name in enumerate(names)}],
                     [Chunk(file=name) for name in names]).build()
        for name, data in built.files().items():
            self.write(name, data)
        done = run("cat", self.write("_metadata", built.data), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (80, 80)))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(json.loads(done.stdout), {name: i for i, name in enumerate(names)})
        code, entries = check(self.folder / "_metadata", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)))
        self.assertEqual((code, len(entries)), (0, 201))
