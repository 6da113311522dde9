"""The lines of corpus/vectors/README.md drive a decoder, and the golden vectors are what the builder makes."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("PARQPROOF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.environ.get("PARQPROOF_BINARY", str(ROOT / "build/release/parqproof"))
VECTORS = ROOT / "corpus" / "vectors"

# Decoders that a user might have: the program itself, one that knows PLAIN integers alone, and two that are wrong.
PROGRAM = f"""
import json, subprocess
def decode(vector):
    options = [word for key in ("type_length", "bit_width", "selector") if key in vector
               for word in ("--" + key.replace("_", "-"), str(vector[key]))]
    done = subprocess.run([{BINARY!r}, "decode", "--hex", "--encoding", vector["encoding"], "--type", vector["type"],
                           "--count", str(vector["count"]), *options], input=vector["bytes"], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(done.stderr)
    return json.loads(done.stdout)
"""
SMALL = """
import struct
def decode(vector):
    if (vector["encoding"], vector["type"]) != ("PLAIN", "INT32"):
        raise NotImplementedError
    return list(struct.unpack(f"<{vector['count']}i", bytes.fromhex(vector["bytes"])))
"""
UNSIGNED = SMALL.replace("}i\"", "}I\"")
LENIENT = "def decode(vector):\n    return vector.get('values', [])\n"
UNWILLING = "def decode(vector):\n    raise ValueError('no')\n"


class Readme(unittest.TestCase):
    def drive(self, decoder):
        """What the lines of the README make of a decoder."""
        lines = re.findall(r"^```python\n(.*?)^```$", (VECTORS / "README.md").read_text(), re.M | re.S)
        self.assertEqual(len(lines), 1)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "my_decoder.py").write_text(decoder)
            (pathlib.Path(folder) / "drive.py").write_text(lines[0])
            return subprocess.run([sys.executable, f"{folder}/drive.py", str(VECTORS)], capture_output=True, text=True)

    def count(self, wanted=lambda vector: True):
        return sum(wanted(vector) for file in VECTORS.glob("*.json") for vector in json.loads(file.read_text()))

    def test_a_decoder_that_is_right(self):
        done = self.drive(PROGRAM)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{self.count()} vectors, 0 not as they should be\n", ""))

    def test_a_decoder_of_one_type(self):
        done = self.drive(SMALL)
        ran = self.count(lambda vector: (vector["encoding"], vector["type"]) == ("PLAIN", "INT32"))
        self.assertEqual((done.returncode, done.stdout), (0, f"{ran} vectors, 0 not as they should be\n"))

    def test_decoders_that_are_wrong(self):
        done = self.drive(UNSIGNED)
        self.assertEqual(done.returncode, 1)
        self.assertIn("plain.json: plain-int32: [1, 4294967295,", done.stdout)
        must = self.count(lambda vector: vector.get("reject", {}).get("reader") == "reject")
        self.assertIn(f" vectors, {must} not as they should be\n", self.drive(LENIENT).stdout)
        accepted = self.count(lambda vector: "values" in vector)
        self.assertIn(f" vectors, {accepted} not as they should be\n", self.drive(UNWILLING).stdout)


class Builder(unittest.TestCase):
    def check(self, *options):
        return subprocess.run([sys.executable, str(ROOT / "scripts/builder/vectors"), "--check", *options], capture_output=True, text=True)

    def test_committed_vectors_are_what_the_builder_makes(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_difference_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "vectors"
            shutil.copytree(VECTORS, copy)
            self.assertEqual(self.check("--out", str(copy)).returncode, 0)
            (copy / "alp.json").write_text((copy / "alp.json").read_text().replace("333.5", "333.25"))
            (copy / "rle.json").unlink()
            (copy / "none.json").write_text("[]")
            done = self.check("--out", str(copy))
            self.assertEqual(done.returncode, 1)
            self.assertEqual(sorted(done.stderr.split("\n")), ["", "differs: alp.json", "missing: rle.json", "nothing makes: none.json"])


if __name__ == "__main__":
    unittest.main()
