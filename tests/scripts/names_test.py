"""For any bytes as names and values, no control character reaches the output, and JSON is valid."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from builder.codec.file import Chunk, File
from builder.codec.metadata import BYTE_ARRAY
from builder.codec.schema import OPTIONAL, Node, optional, required, text
from program import PROGRAM

PLAIN = "in its place"  # the builder writes well-formed text; the bytes that replace it are as many
HOSTILE = {
    "colour, line ends, NUL, no UTF-8, right-to-left": b"\x1b[31m\n\r\x00\xff\xe2\x80\xae",
    "DEL, C1, quotes, backslash, dots": b'\x7f\xc2\x9b"\\..\'\x07\x08\x09\x0b',
    "cut and overlong UTF-8, a surrogate": b"\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80x\xe2\x82",
    "line separators": b"\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xe2\x81\xa6",
}
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


def file_of(hostile):
    """A file whose names, keys, values and writer are these bytes."""
    pairs = [{"key": PLAIN, "value": PLAIN}] * 2
    columns = [Node(PLAIN, [text(optional(PLAIN, BYTE_ARRAY))], OPTIONAL), text(required("s", BYTE_ARRAY))]
    rows = [{PLAIN: {PLAIN: PLAIN.encode()}, "s": PLAIN.encode()}]
    bounds = {"min_value": PLAIN.encode(), "max_value": PLAIN.encode(), "null_count": 7}
    file = File(columns, rows, Chunk(meta={"statistics": bounds, "key_value_metadata": pairs}),
                footer={"created_by": PLAIN, "key_value_metadata": pairs})
    data = file.build().data
    assert data.count(PLAIN.encode()) > 10
    return data.replace(PLAIN.encode(), hostile)


def value_of(stored):
    """The text, or its bytes in hex if it is not UTF-8."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return {"hex": stored.hex()}


def shown_as_text(stored):
    """The text with U+FFFD for each byte that is not UTF-8."""
    return re.sub("[\udc80-\udcff]", "\ufffd", stored.decode(errors="surrogateescape"))


class Names(unittest.TestCase):
    def run_program(self, *arguments):
        outcome = subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=60)
        self.assertIn(outcome.returncode, (0, 1, 2), outcome.stderr)
        for stream in (outcome.stdout, outcome.stderr):
            shown = stream.decode()  # it is UTF-8
            self.assertNotRegex(shown, CONTROL)
        return outcome

    def test_in_text_and_json(self):
        self.assertTrue(all(len(hostile) == len(PLAIN) for hostile in HOSTILE.values()))
        with tempfile.TemporaryDirectory() as folder:
            for what, hostile in HOSTILE.items():
                path = os.path.join(folder, "a.parquet")
                pathlib.Path(path).write_bytes(file_of(hostile))
                for arguments in (["check", "--advice"], ["meta"], ["layout"], ["layout", "--hex"], ["cat"],
                                  ["cat", "--physical"], ["cat", "--columns", "\x1b]"]):
                    with self.subTest(what, arguments=arguments):
                        self.run_program(*arguments, path)
                with self.subTest(what, json="check"):
                    report = json.loads(self.run_program("check", "--format", "json", path).stdout)["files"][0]
                    self.assertEqual(report["created_by"], shown_as_text(hostile))
                with self.subTest(what, json="layout"):
                    segments = json.loads(self.run_program("layout", "--format", "json", path).stdout)["segments"]
                    self.assertEqual(segments[1]["column"], shown_as_text(hostile + b"." + hostile))
                with self.subTest(what, json="meta"):
                    fields = json.loads(self.run_program("meta", "--format", "json", path).stdout)["fields"]
                    created_by = next(field["value"] for field in fields if field["name"] == "created_by")
                    self.assertEqual(created_by, value_of(hostile))
                with self.subTest(what, json="cat"):
                    row = json.loads(self.run_program("cat", path).stdout)
                    self.assertEqual(len(row), 2)
                    self.assertEqual(row["s"], value_of(hostile))
