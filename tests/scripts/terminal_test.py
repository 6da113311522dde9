"""What the program does with the terminal it runs on: colour, Ctrl-C."""

import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("PARQPROOF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.environ.get("PARQPROOF_BINARY", str(ROOT / "build/release/parqproof"))
FILE = str(ROOT / "corpus/witnesses/page/v2-num-nulls/fail-a.parquet")


def on_terminal(*arguments, **environment):
    """What the program writes to a terminal."""
    master, slave = pty.openpty()
    child = subprocess.Popen([BINARY, *arguments], stdout=slave, env={"TERM": "xterm", **environment})
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

    def test_not_if_asked_not_to(self):
        self.assertNotIn(b"\x1b", on_terminal("check", FILE, NO_COLOR="1"))
        self.assertNotIn(b"\x1b", on_terminal("check", FILE, TERM="dumb"))

    def test_never_in_json(self):
        self.assertNotIn(b"\x1b", on_terminal("check", "--format", "json", FILE))


class ControlC(unittest.TestCase):
    def test_report_is_whole_and_says_what_was_not_reached(self):
        child = subprocess.Popen(
            [BINARY, "check", "--format", "json", FILE, "-", FILE],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # The report of the first file is there, so the program waits for standard input.
        text = b""
        while b"page/v2-num-nulls" not in text:
            self.assertTrue(select.select([child.stdout], [], [], 60)[0])
            text += os.read(child.stdout.fileno(), 65536)
        child.send_signal(signal.SIGINT)
        rest, _ = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 2)
        files = json.loads(text + rest)["files"]
        self.assertEqual([file["path"] for file in files], [FILE, "-", FILE])
        self.assertEqual(len(files[0]["findings"]), 1)
        for file in files[1:]:
            self.assertTrue(file["not_run"])
            self.assertFalse(file["findings"])


if __name__ == "__main__":
    unittest.main()
