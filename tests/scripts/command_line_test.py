"""Mistyped calls, and --footer-at of the subcommands that read one file."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import PROGRAM, WITNESSES, Case, byte_map, run

FILE = WITNESSES / "page" / "v2-num-nulls" / "fail-a.parquet"
WHOLE = WITNESSES / "legal" / "several-pages" / "pass-a.parquet"


class Mistyped(unittest.TestCase):
    def test_the_nearest_name_is_suggested(self):
        for arguments, near in ((["chekc", FILE], "check"), (["lay", FILE], None), (["layot", FILE], "layout"), (["verfy", FILE], "verify"),
                                (["check", "--formt", "json", FILE], "--format"), (["check", "--teir=footer", FILE], "--tier"),
                                (["cat", "--colums", "a", FILE], "--columns"), (["--verson"], "--version"), (["check", "--nonsense", FILE], None),
                                (["check", "--format", "jsn", FILE], None), (["check", "--tier", "value", FILE], "values"),
                                (["check", "--ignore", "page/v2-num-null", FILE], "page/v2-num-nulls"), (["check", "--only", "pgae/*", FILE], "page/*"),
                                (["check", "--severity", "v2-num-nulls=off", FILE], "page/v2-num-nulls"), (["explain", "page/v2-num-nulsl"], "page/v2-num-nulls"),
                                (["explain", "nothing-like-it"], None), (["explain", "page/*"], None)):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                if near is None:
                    self.assertNotIn("did you mean", done.stderr)
                else:
                    self.assertIn(f"; did you mean '{near}'?", done.stderr)

    def test_words_after_two_dashes_are_no_options(self):
        for arguments in (["check", "--teir", "footer", "--", FILE], ["check", "--teir=footer", FILE, "--", "--formt"], ["check", "--teir", "--", FILE]):
            with self.subTest(arguments):
                self.assertIn("there is no option --teir; did you mean '--tier'?", run(*arguments).stderr)
        done = run("cat", "--", FILE, "--colums")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertNotIn("there is no option", done.stderr)

    def test_files_from_a_list(self):
        with tempfile.TemporaryDirectory() as folder:
            listed = pathlib.Path(folder, "list")
            named = pathlib.Path(folder, "a\nb.parquet")
            named.write_bytes(FILE.read_bytes())
            for text, paths in ((f"{FILE}\n\n{WHOLE.parent}", [FILE, *sorted(WHOLE.parent.glob("*.parquet"))]), (f"{named}\0{FILE}\0", [named, FILE])):
                listed.write_text(text)
                for source, options in ((listed, {}), ("-", {"input": text})):
                    given = json.loads(run("check", "--format", "json", "--files-from", source, WHOLE, **options).stdout)["files"]
                    self.assertEqual([one["path"] for one in given], [*dict.fromkeys(map(str, [WHOLE, *paths]))])
            listed.write_text("\n")
            self.assertEqual(run("check", "--files-from", listed).returncode, 2)
            listed.write_text(f"{FILE}\r\n{WHOLE}\r\n")
            given = json.loads(run("check", "--format", "json", "--files-from", listed).stdout)["files"]
            self.assertEqual([one["path"] for one in given], [str(FILE), str(WHOLE)])
            listed.write_text("-\n-\n")
            for arguments, options in ((["--files-from", listed], {}), (["--files-from", listed, "-"], {}), (["--files-from", "-"], {"input": "-\n"})):
                done = run("check", *arguments, **options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("only once", done.stderr)
        for arguments, why in ((["--files-from", "no such list"], "No such file"), (["--files-from", "-", "-"], "only once"), ([], "FILE is required")):
            done = run("check", *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(why, done.stderr)

    def test_a_file_given_several_times_is_checked_once(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "deep/er").mkdir(parents=True)
            for path in ("a.parquet", "deep/b.parquet", "deep/er/a.parquet"):
                (folder / path).write_bytes(FILE.read_bytes())
            (folder / "link").symlink_to("deep/er")
            (folder / "c.parquet").symlink_to("a.parquet")

            def checked(*paths):
                return [one["path"] for one in json.loads(run("check", "--format", "json", *paths, cwd=folder).stdout)["files"]]

            self.assertEqual(checked("deep/b.parquet", ".", "./a.parquet", "a.parquet", folder / "a.parquet", "deep//er/../b.parquet", "deep"),
                             ["deep/b.parquet", "./a.parquet", "./c.parquet", "./deep/er/a.parquet"])
            self.assertEqual(checked("a.parquet", "c.parquet", "link/a.parquet", "link/../b.parquet", "none", "./none"),
                             ["a.parquet", "c.parquet", "link/a.parquet", "link/../b.parquet", "none"])
            self.assertEqual(checked("-", "./-"), ["-", "./-"])

    def test_a_footer_check_recognizes_zeros_of_small_files(self):
        with tempfile.TemporaryDirectory() as folder:
            zeros = pathlib.Path(folder, "zeros.parquet")
            for size, tier, rule in ((200_000, "footer", "file/other-format"), (1 << 20, "footer", "file/tail-magic"), (1 << 20, "pages", "file/other-format")):
                with self.subTest(size=size, tier=tier):
                    zeros.write_bytes(bytes(size))
                    found = json.loads(run("check", "--format", "json", "--tier", tier, zeros).stdout)["files"][0]["findings"]
                    self.assertEqual([one["rule"] for one in found], [rule])

    def test_a_file_without_a_subcommand_suggests_the_command(self):
        for path in (FILE, FILE.parent):
            done = run(path)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"`parqproof check {path}`", done.stderr)
        self.assertIn("`parqproof check", run(FILE, "--tier", "footer").stderr)
        self.assertNotIn("`parqproof check", run("/no/such/file").stderr)


class Help(unittest.TestCase):
    def test_the_words_of_each_option_are_those_that_it_takes(self):
        found = 0
        for command in ("cat", "check", "mutate", "rewrite"):
            options = run(command, "--help").stdout.split("Options:")[1].split("\n\n")[0]
            for option, text in re.findall(r"^  (?:-\w,)?(--[a-z-]+) (?:WORD|FORMAT) (.*(?:\n {20}.*)*)", options, re.MULTILINE):
                with self.subTest(f"{command} {option}"):
                    done = run(command, option, "no-such-word", FILE)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    words = re.search(r"is not one of ([^;(]*)", done.stderr)[1].strip().split(", ")
                    missing = [word for word in words if word not in re.split(r"[^\w.-]+", text.replace(". ", " "))]
                    self.assertEqual(missing, [])
                    found += 1
        self.assertGreaterEqual(found, 9)


class FooterAt(Case):
    def setUp(self):
        super().setUp()
        self.end = WHOLE.stat().st_size
        self.path = self.write("more.parquet", WHOLE.read_bytes() + b"more bytes than it had")

    def at(self, command, *arguments, offset=None):
        return run(command, *arguments, "--footer-at", self.end if offset is None else offset, self.path)

    def test_cat(self):
        self.assertEqual(run("cat", self.path).returncode, 1)
        done = self.at("cat")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", run("cat", WHOLE).stdout))
        with self.path.open("rb") as file:
            piped = subprocess.run([PROGRAM, "cat", "--footer-at", str(self.end), "-"], stdin=file, capture_output=True, check=False, text=True)
        self.assertEqual(piped.stdout, done.stdout)

    def test_meta(self):
        self.assertEqual(run("meta", self.path).returncode, 1)
        by_last_footer = json.loads(run("meta", "--format", "json", WHOLE).stdout)
        done = self.at("meta", "--format", "json")
        self.assertEqual((done.returncode, {**json.loads(done.stdout), "path": by_last_footer["path"]}), (0, by_last_footer))

    def test_layout_covers_every_byte_once(self):
        by_last_footer = byte_map(WHOLE)
        done = self.at("layout", "--format", "json")
        layout = json.loads(done.stdout)
        size = self.path.stat().st_size
        self.assertEqual((done.returncode, layout["size"]), (0, size))
        self.assertEqual(layout["segments"], [*by_last_footer["segments"], {"offset": self.end, "length": size - self.end, "kind": "gap"}])
        hexes = self.at("layout", "--hex", "--format", "json").stdout
        self.assertEqual(sum(len(run["bytes"]) for segment in json.loads(hexes)["segments"] for run in segment["runs"]), 2 * size)
        cut = json.loads(self.at("layout", "--format", "json", offset=self.end - 1).stdout)
        self.assertEqual(sum(segment["length"] for segment in cut["segments"]), size)

    def test_an_offset_past_the_end(self):
        for command in ("cat", "meta", "layout"):
            done = self.at(command, offset=10 ** 9)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("the file ends before the requested footer", done.stderr)
