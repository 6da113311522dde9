"""corpus/index.json lists the corpus, and the example of corpus/README.md runs a reader on it."""

import hashlib
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, ROOT
from builder.codec import file_reader, rows
from builder.codec.cursor import Refused
from builder.expect import corpus_index, features

CORPUS = ROOT / "corpus"
INDEX = json.loads((CORPUS / "index.json").read_text())

# Readers that a user might have: one that follows the index, the program, and two wrong ones.
RIGHT = """
import json, pathlib
CORPUS = pathlib.Path(CORPUS_FOLDER)
FILES = {file["file"]: file for file in json.loads((CORPUS / "index.json").read_text())["files"]}
def rows(path):
    file = FILES[str(path.relative_to(CORPUS))]
    if file["duty"] == "reject":
        raise ValueError("no")
    if "rows" not in file:
        raise NotImplementedError
    return [json.loads(line) for line in (CORPUS / file["rows"]).read_text().splitlines()]
"""
CAT = f"""
import json, subprocess, sys
sys.setrecursionlimit(5000)  # rows nest a thousand deep in a file or two
def rows(path):
    done = subprocess.run([{PROGRAM!r}, "cat", path], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]
"""
LENIENT = RIGHT.replace('raise ValueError("no")', "return []")
UNWILLING = "def rows(path):\n    raise ValueError('no')\n"


def digest(path):
    return hashlib.sha256((CORPUS / path).read_bytes()).hexdigest()


class Complete(unittest.TestCase):
    def test_every_listed_file_exists_with_its_checksum(self):
        for file in INDEX["files"]:
            self.assertEqual(digest(file["file"]), file["sha256"], file["file"])
        for path, sha256 in INDEX["rows"].items():
            self.assertEqual(digest(path), sha256, path)
            if path.startswith("rows/"):
                self.assertEqual(path, f"rows/{sha256[:16]}.jsonl")

    def test_every_file_is_listed_or_belongs_to_a_listed_one(self):
        listed = {file["file"] for file in INDEX["files"]}
        named = listed | set(INDEX["rows"]) | {"index.json", "READERS.md", "WRITTEN.md", "writers/manifest.json", "writers/manifest.schema.json", "writers/rows.json"}
        for path in (str(path.relative_to(CORPUS)) for path in CORPUS.rglob("[!.]*") if path.is_file()):
            stem = re.sub(r"(\.report|\.rows)?\.jsonl?$", "", path)
            self.assertTrue(path in named or path.endswith("README.md") or path.startswith("readers/") or f"{stem}.parquet" in listed, path)
        self.assertEqual(len(listed), len(INDEX["files"]))

    def test_no_json_is_nested_deeper_than_common_parsers_allow(self):
        for path in sorted([*CORPUS.rglob("*.json"), *CORPUS.rglob("*.jsonl")]):
            text = path.read_text()
            deepest = max(map(corpus_index.depth, text.splitlines())) if path.suffix == ".jsonl" and text else corpus_index.depth(text)
            self.assertLessEqual(deepest, corpus_index.DEEPEST, path)
        self.assertEqual(corpus_index.depth('{"a{[":[{"b\\\\":"[[\\"["},[]],"c":[]}'), 3)

    def test_every_file_of_rows_is_named(self):
        self.assertEqual({file["rows"] for file in INDEX["files"] if "rows" in file}, set(INDEX["rows"]))

    def test_every_file_has_a_duty_and_known_features(self):
        known = set(features.NAMES) | set(features.OWN)
        for file in INDEX["files"]:
            self.assertEqual("duty" in file, file["kind"] in ("witness", "known bug", "writer", "summary"), file["file"])
            self.assertLessEqual(set(file.get("features", ())), known)
            self.assertTrue(file.get("duty") != "reject" or "rows" not in file and "clause" in file, file["file"])
            self.assertTrue(file.get("duty") != "may" or "clause" in file, file["file"])
        used = {name for file in INDEX["files"] for name in file.get("features", ())}
        self.assertLessEqual(known - used, {"FILE"})  # columns of this type are not checked


class Rows(unittest.TestCase):
    def test_the_builder_reads_the_rows_of_writers_and_summaries(self):
        """The rows equal those of `cat` and of another reader. The builder has few words of Brotli's dictionary."""
        read = 0
        for file in INDEX["files"]:
            if file["kind"] not in ("writer", "summary") or "rows" not in file or "parts" in file:
                continue
            data = (CORPUS / file["file"]).read_bytes()
            try:
                found = rows.of_groups(file_reader.schema_of(data), file_reader.groups_of(data, {}))
            except Refused as refused:
                if file["verdict"] == "conforming":
                    self.assertIn("a word of the static dictionary", str(refused), file["file"])
                continue
            read += 1
            self.assertEqual(found, (CORPUS / file["rows"]).read_text().splitlines(), file["file"])
        self.assertGreater(read, 600)

    def test_cat_prints_the_rows_of_files_that_are_no_witnesses(self):
        """Files confirmed by other readers are compared in rows_test.py, witnesses in witness_rows_test.cpp."""
        complete = 0
        for file in INDEX["files"]:
            if file["kind"] != "witness" and ("parts" in file or file.get("rows", "").startswith("rows/")):
                done = subprocess.run([PROGRAM, "cat", CORPUS / file["file"]], capture_output=True)
                meant = (CORPUS / file["rows"]).read_bytes()
                if done.returncode:
                    self.assertTrue(file["duty"] == "may" and meant.startswith(done.stdout), file["file"])
                else:
                    self.assertEqual(done.stdout, meant, file["file"])
                    complete += 1
        self.assertGreater(complete, 80)

    def test_cat_prints_the_deepest_rows_too(self):
        done = subprocess.run([PROGRAM, "cat", CORPUS / "witnesses/limit/schema-depth/pass-a.parquet"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith('{"a":' * 1000) and done.stdout.endswith("}" * 1000 + "\n"), done.stdout[:100])


class Readme(unittest.TestCase):
    def drive(self, my_reader, index):
        """The result of the README example with a reader of the files of an index."""
        lines = re.findall(r"^```python\n(.*?)^```$", (CORPUS / "README.md").read_text(), re.M | re.S)
        self.assertEqual(len(lines), 1)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for path in CORPUS.iterdir():
                if path.name != "index.json":
                    (folder / path.name).symlink_to(path)
            (folder / "index.json").write_text(json.dumps(index))
            (folder / "my_reader.py").write_text(my_reader.replace("CORPUS_FOLDER", repr(str(folder))))
            (folder / "drive.py").write_text(lines[0])
            return subprocess.run([sys.executable, folder / "drive.py", folder], capture_output=True, text=True)

    def owing(self, *duties):
        return sum(file.get("duty") in duties for file in INDEX["files"])

    def test_correct_and_wrong_readers_are_distinguished(self):
        done = self.drive(RIGHT, INDEX)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(int(done.stdout.split()[0]), 0.95 * sum("rows" in file or file.get("duty") == "reject" for file in INDEX["files"]))
        self.assertIn(f" files, {self.owing('reject')} not as they should be\n", self.drive(LENIENT, INDEX).stdout)
        done = self.drive(UNWILLING, INDEX)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]),
                         (1, f"{self.owing('accept', 'reject', 'may')} files, {self.owing('accept')} not as they should be"))

    def test_the_program(self):
        files = [file for file in INDEX["files"] if "/limit/work/" not in file["file"]]  # these have up to half a gigabyte of rows
        done = self.drive(CAT, {**INDEX, "files": files[::11]})
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertGreater(int(done.stdout.split()[0]), 200)

    def test_wrong_rows_are_detected(self):
        file = next(file for file in INDEX["files"] if file.get("rows", "").startswith("rows/"))
        other = next(path for path in INDEX["rows"] if path.startswith("rows/") and path != file["rows"])
        done = self.drive(CAT, {**INDEX, "files": [{**file, "rows": other}]})
        self.assertEqual((done.returncode, done.stdout), (1, f"{file['file']}: other rows\n1 files, 1 not as they should be\n"))
