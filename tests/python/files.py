"""What the tests of the module share."""
import importlib
import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
WITNESSES = SOURCE / "corpus/witnesses"
INTACT = WITNESSES / "statistics/max-value/pass-a.parquet"
BROKEN = WITNESSES / "statistics/max-value/fail-a.parquet"
PROGRAM = pathlib.Path(os.environ.get("PARQPROOF_NATIVE", "")) / "parqproof"


def program(*arguments):
    """The output of the program."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)


def needed(module):
    """A decorator that skips a test, with the reason, where a package is missing."""
    try:
        importlib.import_module(module)
    except ImportError:
        return unittest.skip(f"the package {module} is missing")
    return lambda test: test


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


