"""Helpers of the tests of the program: its path, its calls, and a folder for the files of one case."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(os.environ.get("PARQPROOF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get("PARQPROOF_BINARY", str(ROOT / "build" / "release" / "parqproof"))
WITNESSES = ROOT / "corpus" / "witnesses"
FEW = os.environ.get("PARQPROOF_SWEEP") == "few"  # for builds in which the program is slow
large = unittest.skipIf(FEW, "a large case, and PARQPROOF_SWEEP asks for few")
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True

from builder.codec.file import Chunk, File, Group  # noqa: E402
from builder.codec.metadata import INT32  # noqa: E402
from builder.codec.schema import required  # noqa: E402


def run(*arguments, **more):
    return subprocess.run([PROGRAM, *map(str, arguments)], **{"capture_output": True, "check": False, "text": True, **more})


def check(*arguments, **more):
    return run("check", *arguments, **more)


def report(*arguments, **more):
    return json.loads(check("--format", "json", *arguments, **more).stdout)


def byte_map(path):
    return json.loads(run("layout", "--format", "json", path).stdout)


def flipped(data, at, bits=0xFF):
    """The data with these bits of one byte flipped."""
    changed = bytearray(data)
    changed[at] ^= bits
    return changed


def some(cases):
    """All cases, or every 16th of them if FEW."""
    return list(cases)[::16 if FEW else 1]


def many(groups, columns=("a",), wrong=None):
    """Row groups of one row. Each total_byte_size is too large, and so is num_values of each of the columns `wrong`."""
    def group(i):
        chunks = [Chunk(meta={"num_values": 2} if wrong is None or name in wrong else {}) for name in columns]
        return Group([{name: i for name in columns}], chunks, edits={"total_byte_size": 10000})
    return File([required(name, INT32) for name in columns], groups=[group(i) for i in range(groups)]).build().data


class Case(unittest.TestCase):
    """A case with its own folder, which is removed at the end."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def segments(self, data, *kinds):
        """The segments of these kinds in the byte map of a file."""
        return [one for one in byte_map(self.write("intact.parquet", data))["segments"] if one["kind"] in kinds]

    def copy(self, witness, name):
        return self.write(name, (WITNESSES / witness).read_bytes())
