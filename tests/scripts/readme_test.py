"""README.md shows what the program prints."""

import os
import pathlib
import re
import shlex
import subprocess
import unittest

ROOT = pathlib.Path(os.environ.get("PARQPROOF_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BINARY = os.environ.get("PARQPROOF_BINARY", str(ROOT / "build/release/parqproof"))

BLOCK = re.compile(r"^```console\n\$ ([^\n]*)\n(.*?)^```$", re.M | re.S)


class Readme(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "README.md").read_text()
        self.blocks = BLOCK.findall(self.text)

    def test_blocks_are_what_the_program_prints(self):
        for command, shown in self.blocks:
            with self.subTest(command):
                script, *arguments = shlex.split(command)
                self.assertEqual(script, "scripts/parqproof")
                run = subprocess.run([BINARY, *arguments], cwd=ROOT, capture_output=True, text=True)
                self.assertEqual(run.stderr, "")
                self.assertEqual(run.stdout, shown)

    def test_a_check_and_all_bytes_of_a_small_file_are_shown(self):
        commands = [command for command, _ in self.blocks]
        self.assertEqual(self.text.count("```console"), len(commands))
        self.assertTrue(any(" check " in command for command in commands))
        hexes = [command for command in commands if " layout --hex " in command]
        self.assertTrue(hexes)
        for command in hexes:
            self.assertLess((ROOT / shlex.split(command)[-1]).stat().st_size, 300)

    def test_links_lead_somewhere(self):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", self.text):
            with self.subTest(target):
                self.assertTrue((ROOT / target).exists())


if __name__ == "__main__":
    unittest.main()
