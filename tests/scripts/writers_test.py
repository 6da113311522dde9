"""The files of other writers are those that the manifest lists, and their reports are up to date."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("PARQPROOF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))


class Writers(unittest.TestCase):
    def run_script(self, *command):
        done = subprocess.run([str(ROOT / "scripts" / "writers" / command[0]), *command[1:]], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_files_have_the_checksums_of_the_manifest(self):
        self.run_script("make", "--verify")

    def test_reports_are_what_the_program_says(self):
        self.run_script("goldens", "--check")


if __name__ == "__main__":
    unittest.main()
