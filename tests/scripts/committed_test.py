"""What is committed of the program's output is up to date: the list of rules, and the reports of the files of other writers, which match
their manifest."""

import subprocess
import sys
import unittest

from program import ROOT, run

sys.path.insert(0, str(ROOT / "scripts" / "writers" / "random"))
import pairs  # noqa: E402


class Rules(unittest.TestCase):
    def test_the_list_of_all_rules_is_up_to_date(self):
        printed = run("rules", "--format", "md").stdout
        committed = (ROOT / "codec/rules/RULES.md").read_text()
        self.assertEqual(printed, committed, "parqproof rules --format md > codec/rules/RULES.md")


class Writers(unittest.TestCase):
    def run_script(self, *command):
        done = subprocess.run([str(ROOT / "scripts" / "writers" / command[0]), *command[1:]], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_files_have_the_checksums_of_the_manifest(self):
        self.run_script("make", "--verify")

    def test_reports_equal_the_output_of_the_program(self):
        self.run_script("goldens", "--check")

    def test_plans_cover_every_pair_of_features(self):
        features = {"codec": ["none", "zstd", "gzip"], "pages": [1, 2], "index": [False, True], "rows": [0, 1, 100]}

        def legal(plan):
            return plan["rows"] > 0 or not plan["index"]

        plans, covered, possible = pairs.plans(features, 20, 7, legal)
        every = 3 * 2 + 3 * 2 + 3 * 3 + 2 * 2 + 2 * 3 + 2 * 3 - 1  # an index without rows is not legal
        self.assertEqual((covered, possible), (every, every))
        self.assertTrue(all(map(legal, plans)))
        self.assertEqual(pairs.plans(features, 20, 7, legal)[0], plans)
