"""The program on a terminal: colour, progress, Ctrl-C."""

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import tempfile
import unittest

from builder.long_file import long_file
from program import PROGRAM, ROOT

from gallery.program import has_terminal

FILE = str(ROOT / "corpus/witnesses/page/v2-num-nulls/fail-a.parquet")
OTHER = FILE.replace("fail-a", "pass-a")


def setUpModule():
    if not has_terminal():
        raise unittest.SkipTest("this machine has no pseudo-terminals (/dev/pts is not mounted)")


def on_terminal(*arguments, **environment):
    """What the program writes to a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen([PROGRAM, *arguments], stdout=slave, env={"TERM": "xterm", **environment})
    os.close(slave)
    output = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other end is closed
            piece = b""
        if not piece:
            break
        output += piece
    os.close(master)
    child.wait()
    return output


class Colour(unittest.TestCase):
    def test_on_a_terminal(self):
        self.assertIn(b"\x1b[1;31mnonconforming\x1b[0m", on_terminal("check", FILE))

    def test_a_clause_is_a_link(self):
        self.assertRegex(on_terminal("check", FILE), rb"clause    \x1b\]8;;https://github\.com/\S+/parquet\.thrift\x1b\\parquet\.thrift#"
                                                     rb"DataPageHeaderV2\.num_nulls\x1b\]8;;\x1b\\\r\n")

    def test_not_if_disabled(self):
        self.assertNotIn(b"\x1b", on_terminal("check", FILE, NO_COLOR="1"))
        self.assertNotIn(b"\x1b", on_terminal("check", FILE, TERM="dumb"))

    def test_never_in_json(self):
        self.assertNotIn(b"\x1b", on_terminal("check", "--format", "json", FILE))


class Progress(unittest.TestCase):
    FILES = 240  # more than a second

    def start(self, *options, files=FILES, pages=16, **environment):
        """The program, which judges a file by several names, and the terminal that is its stderr."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        names = [long_file(folder.name, pages)]
        for number in range(1, files):
            names.append(os.path.join(folder.name, f"{number} long.parquet"))
            os.symlink(names[0], names[-1])
        report = tempfile.TemporaryFile()
        self.addCleanup(report.close)
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        child = subprocess.Popen(
            [PROGRAM, "check", "--format", "json", *options, *names],
            stdout=report, stderr=slave, env={"TERM": "xterm", **environment})
        os.close(slave)
        return child, master, report

    def rest(self, master):
        output = b""
        while True:
            try:
                output += os.read(master, 65536)
            except OSError:  # the other end is closed
                return output

    def files(self, report):
        report.seek(0)
        return json.load(report)["files"]

    def test_on_a_terminal(self):
        child, master, report = self.start()
        output = self.rest(master)
        self.assertEqual(child.wait(), 0)
        self.assertEqual({file["verdict"] for file in self.files(report)}, {"conforming"})
        lines = re.findall(rb"\r(\d+) %(?:, about \d+ (?:s|min|h) left)?, file (\d+) of 240: [^\r]*long.par", output)
        parts = [int(part) for part, _ in lines]
        self.assertGreater(len(set(parts)), 1)
        self.assertEqual(parts, sorted(parts))
        self.assertLessEqual(parts[-1], 100)
        self.assertIn(b" s left", output)
        self.assertTrue(output.endswith(b"\r\x1b[K"), output[-100:])

    def test_a_file_begins_where_the_one_before_it_ended(self):
        child, master, _ = self.start(files=2, pages=1500)
        first = re.search(rb"\r(\d+) %[^\r]*, file 2 of 2", self.rest(master))
        self.assertEqual(child.wait(), 0)
        self.assertIn(int(first[1]), range(50, 75))

    def test_of_a_file_that_is_written_again(self):
        with tempfile.TemporaryDirectory() as folder:
            source, target = long_file(folder, 200), pathlib.Path(folder) / "again.parquet"
            master, slave = pty.openpty()
            self.addCleanup(os.close, master)
            child = subprocess.Popen([PROGRAM, "rewrite", "--compression", "SNAPPY", source, target], stderr=slave, env={"TERM": "xterm"})
            os.close(slave)
            output = self.rest(master)
            self.assertEqual(child.wait(), 0)
            parts = [int(part) for part in re.findall(rb"\r(\d+) %(?:, about \d+ (?:s|min|h) left)?: [^\r]*long.par", output)]
            self.assertEqual(parts, sorted(parts))
            self.assertGreater(len(set(parts)), 1)
            self.assertLessEqual(parts[-1], 100)
            self.assertTrue(output.endswith(b"\r\x1b[K"), output[-100:])
            self.assertTrue(target.exists())

    def test_not_if_disabled(self):
        for options, environment in [((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"}), (("--quiet",), {})]:
            with self.subTest(options=options, environment=environment):
                child, master, _ = self.start(*options, **environment)
                self.assertEqual(self.rest(master), b"")
                self.assertEqual(child.wait(), 0)

    def test_ctrl_c_removes_the_line_and_keeps_the_findings(self):
        child, master, report = self.start()
        output = os.read(master, 65536)
        self.assertTrue(output)
        child.send_signal(signal.SIGINT)
        output += self.rest(master)  # empty if the line had just been removed for a report
        self.assertEqual(child.wait(), 2)
        self.assertTrue(output.endswith(b"\r\x1b[K"), output[-100:])
        files = self.files(report)
        self.assertEqual(len(files), self.FILES)
        self.assertEqual(files[0]["verdict"], "conforming")
        self.assertEqual(files[-1]["verdict"], "unsupported")
        self.assertEqual(files[-1]["not_run"][0]["why"], "the check was stopped")


class Signals(unittest.TestCase):
    def test_report_is_complete_and_lists_the_files_not_reached(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                self.stop_by(number)

    def stop_by(self, number):
        child = subprocess.Popen(
            [PROGRAM, "check", "--format", "json", FILE, "-", OTHER],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # The report of the first file is there, so the program waits for standard input.
        text = b""
        while b"page/v2-num-nulls" not in text:
            self.assertTrue(select.select([child.stdout], [], [], 60)[0])
            text += os.read(child.stdout.fileno(), 65536)
        child.send_signal(number)
        rest, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 2)
        files = json.loads(text + rest)["files"]
        self.assertEqual([file["path"] for file in files], [FILE, "-", OTHER])
        self.assertEqual(len(files[0]["findings"]), 1)
        for file in files[1:]:
            self.assertTrue(file["not_run"])
            self.assertFalse(file["findings"])
