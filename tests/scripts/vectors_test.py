"""The example of corpus/vectors/README.md runs a decoder, and the golden vectors equal the output of the builder."""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import FEW, PROGRAM, ROOT, some
from builder.codec import encodings
from builder.codec.marked import marked
from builder.vectors import golden

VECTORS = ROOT / "corpus" / "vectors"

# Decoders that a user might have: the builder's, one for PLAIN integers only, and three wrong ones.
BUILDER = f"""
import sys
sys.path.insert(0, {str(ROOT / "scripts")!r})
sys.dont_write_bytecode = True
from builder.vectors.golden import result_of as decode
"""
SMALL = """
import struct
def decode(vector, data):
    if (vector.get("encoding"), vector.get("type")) != ("PLAIN", "INT32"):
        raise NotImplementedError
    return list(struct.unpack(f"<{vector['count']}i", data))
"""
UNSIGNED = SMALL.replace("}i\"", "}I\"")
LENIENT = """
def decode(vector, data):
    return next((vector[key] for key in ("values", "image", "fields", "entries", "answers") if key in vector), None)
"""
UNWILLING = "def decode(vector, data):\n    raise ValueError('no')\n"


def vectors():
    return [vector for file in sorted(VECTORS.glob("*.json")) for vector in json.loads(file.read_text())["vectors"]]


class Readme(unittest.TestCase):
    def drive(self, decoder):
        """The result of the README example with a decoder."""
        lines = re.findall(r"^```python\n(.*?)^```$", (VECTORS / "README.md").read_text(), re.M | re.S)
        self.assertEqual(len(lines), 1)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "my_decoder.py").write_text(decoder)
            (pathlib.Path(folder) / "drive.py").write_text(lines[0])
            return subprocess.run([sys.executable, f"{folder}/drive.py", str(VECTORS)], capture_output=True, text=True)

    def count(self, wanted=lambda vector: True):
        return sum(map(wanted, vectors()))

    def owing(self, duty):
        return self.count(lambda vector: vector["reader"]["owes"] == duty)

    def test_a_correct_decoder(self):
        done = self.drive(BUILDER)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{self.count()} vectors, 0 not as they should be\n", ""))

    def test_a_decoder_of_one_type(self):
        done = self.drive(SMALL)
        ran = self.count(lambda vector: (vector.get("encoding"), vector.get("type")) == ("PLAIN", "INT32"))
        self.assertEqual((done.returncode, done.stdout), (0, f"{ran} vectors, 0 not as they should be\n"))

    def test_wrong_decoders(self):
        done = self.drive(UNSIGNED)
        self.assertEqual(done.returncode, 1)
        self.assertIn("plain.json: plain-int32: [1, 4294967295,", done.stdout)
        self.assertIn(f" vectors, {self.owing('reject')} not as they should be\n", self.drive(LENIENT).stdout)
        self.assertIn(f" vectors, {self.owing('accept')} not as they should be\n", self.drive(UNWILLING).stdout)


# The options of `parqproof encode`, by the names of encoding and type; the first match applies.
RUNS = [("--runs", ["rle", "packed", "auto"]), ("--longest-run", [1, 7, 8, 63, 500]), ("--varint-bytes", [2, 5]), ("--padding", [1, 255])]
DELTAS = [("--block-size", [128, 384, 1024]), ("--miniblocks", [1, 2, 4]), ("--spare-bits", [1, 7, 70]), ("--reference-slack", [1, 1000]),
          ("--varint-bytes", [2, 5]), ("--padding", [1, 255]), ("--unneeded-width", [3, 255]), ("--empty", ["none"])]
FREEDOMS = {
    "DELTA_BYTE_ARRAY": [*DELTAS, ("--prefixes", ["longest", "auto"]), ("--longest-prefix", [0, 1, 3]), ("--suffix-block-size", [256, 512]),
                         ("--suffix-miniblocks", [1, 2])],
    "DELTA": DELTAS,
    "DICTIONARY": RUNS,
    "RLE": RUNS,
    "BIT_PACKED": [("--padding", [1, 255])],
    "PLAIN BOOLEAN": [("--padding", [1, 255])],
    "GROUP_VAR_INT": [("--spare-bits", [8, 16]), ("--padding", [1, 255])],
    "ALP": [("--vector-size", [8, 32, 4096]), ("--exponents", ["0,0", "3,1", "10,10"]), ("--exceptions", ["descending"]),
            ("--needless-exceptions", [1, 5, 5000]), ("--placeholder", ["smallest", "largest"]), ("--spare-bits", [1, 80]),
            ("--reference-slack", [1, 1000]), ("--padding", [1, 255]), ("--empty", ["none"])],
}


class Encoders(unittest.TestCase):
    """The builder's decoder reads what the builder and the program encode."""

    def sections(self):
        """Each section with values once: options, then values."""
        seen = {}
        for vector in vectors():
            if vector["reader"]["owes"] == "accept" and vector.get("encoding", "VARIANT") != "VARIANT":
                options = {key: vector[key] for key in ("encoding", "type", "type_length", "bit_width", "selector") if key in vector}
                seen[json.dumps([options, vector["values"]])] = options, vector["values"]
        self.assertGreater(len(seen), 500)
        return seen.values()

    def same(self, options, values, data):
        options = {**options, "count": len(values)}
        self.assertEqual(golden.result_of(options, data), values, options)

    def test_the_builder(self):
        for options, values in self.sections():
            kind = encodings.TYPES[options["type"]]
            if values and options.get("selector") != "le":
                width = options.get("bit_width", max(values).bit_length() if "DICTIONARY" in options["encoding"] else None)
                data = encodings.encode(options["encoding"], kind, golden.read(kind, values), width)
                self.same(options, values, marked(data).data)

    def encoded(self, options, values, more=()):
        words = [word for key, value in options.items() for word in ("--" + key.replace("_", "-"), str(value))]
        done = subprocess.run([PROGRAM, "encode", *words, *more], input=json.dumps(values).encode(), capture_output=True)
        with self.subTest([*words, *more]):
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.same(options, values, done.stdout)
        return done.stdout

    def test_the_program(self):
        """By default, and with random options of the encoding."""
        if subprocess.run([PROGRAM, "encode", "--help"], capture_output=True).returncode:
            self.skipTest("the program does not encode")
        changed = dict.fromkeys(FREEDOMS, 0)
        for options, values in some(self.sections()):
            usual = self.encoded(options, values)
            chance = random.Random(json.dumps([options, values]))
            kind = next((kind for kind in FREEDOMS if kind in f"{options['encoding']} {options['type']}"), None)
            if kind:
                taken = [freedom for freedom in FREEDOMS[kind] if chance.randrange(2)]
                more = [word for option, choices in taken for word in (option, str(chance.choice(choices)))]
                changed[kind] += self.encoded(options, values, more) != usual
        for kind, count in changed.items():
            if not FEW:  # few cases may miss a kind
                self.assertGreater(count, 0, kind)


class Builder(unittest.TestCase):
    """PARQPROOF_MADE_CORPUS names a folder that `build --into` has written, which is then compared."""

    def check(self, *options):
        made = os.environ.get("PARQPROOF_MADE_CORPUS")
        command = [sys.executable, ROOT / "scripts/builder/build", "--check", "--only", "vectors", *(["--made", made] if made else []), *options]
        return subprocess.run(command, capture_output=True, text=True)

    def test_committed_vectors_equal_the_output_of_the_builder(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_difference_is_reported(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "vectors"
            shutil.copytree(VECTORS, copy)
            self.assertEqual(self.check("--into", folder).returncode, 0)
            (copy / "alp.json").write_text((copy / "alp.json").read_text().replace("333.5", "333.25"))
            (copy / "rle.json").unlink()
            (copy / "none.json").write_text("[]")
            done = self.check("--into", folder)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(sorted(done.stderr.split("\n")), ["", "differs: vectors/alp.json", "missing: vectors/rle.json", "no recipe makes: vectors/none.json"])
