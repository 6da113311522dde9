"""codec/rules/RULES.md is what `parqproof rules --format md` prints."""

import pathlib
import unittest

from program import ROOT, run


class Rules(unittest.TestCase):
    def test_the_list_of_all_rules_is_up_to_date(self):
        printed = run("rules", "--format", "md").stdout
        committed = pathlib.Path(ROOT, "codec/rules/RULES.md").read_text()
        self.assertEqual(printed, committed, "parqproof rules --format md > codec/rules/RULES.md")


if __name__ == "__main__":
    unittest.main()
