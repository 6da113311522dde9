"""What the tests of the forms of the corpus share."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
CORPUS = ROOT / "corpus"


class Exports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def interop(self, *arguments):
        return subprocess.run([sys.executable, ROOT / "scripts/interop", *arguments], capture_output=True, text=True, check=False)

    def export(self, form, *more, out=None):
        out = out or self.folder / form
        done = self.interop("export", "--to", form, "--out", out, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def run_in(self, folder, *command, code=0, **environment):
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **environment})
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout
