"""README.md and docs/: what they show, name and link to is there."""

import json
import pathlib
import re
import shlex
import tomllib
import unittest

from program import ROOT, Case, run

from gallery import console

DOCUMENTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in console.documents(ROOT)}
CODE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def calls(text):
    """The arguments of each call of the program in a document, without its files and pipes."""
    lines = [line.removeprefix("$ ") for kind, code in CODE.findall(text) for line in code.splitlines() if kind != "console" or line.startswith("$ ")]
    for line in [*lines, *re.findall(r"`(scripts/parqproof [^`]*)`", text)]:
        if line.startswith("scripts/parqproof "):
            yield shlex.split(re.split(r" [|>] | +# ", line)[0])[1:]


class Documents(Case):
    def test_links_lead_somewhere(self):
        for name, text in DOCUMENTS.items():
            targets = re.findall(r"\]\((?!https?:)([^)\s]+)\)", text) + re.findall(r'(?:src|srcset)="([^"]+)"', text)
            self.assertTrue(targets or name not in ("README.md", "docs/README.md"))
            for target in targets:
                with self.subTest(document=name, target=target):
                    path, _, part = target.partition("#")
                    there = (ROOT / name).parent / path if path else ROOT / name
                    self.assertTrue(there.exists())
                    if part:
                        headings = re.findall(r"^#+ (.*)$", there.read_text(), re.M)
                        self.assertIn(part, [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings])

    def test_options_and_subcommands_are_those_of_the_program(self):
        helps, seen = {}, set()
        for name, text in DOCUMENTS.items():
            for subcommand, *arguments in calls(text):
                if subcommand == "SUBCOMMAND":
                    continue
                seen.add(subcommand)
                if subcommand not in helps:
                    helps[subcommand] = run(subcommand, "--help")
                    self.assertEqual(helps[subcommand].returncode, 0, subcommand)
                for option in (argument for argument in arguments if argument.startswith("--")):
                    with self.subTest(document=name, subcommand=subcommand, option=option):
                        self.assertRegex(helps[subcommand].stdout, rf"(?m)^ .*{re.escape(option)}\b")
        self.assertGreaterEqual(seen, {"check", "layout", "meta", "schema", "cat"})

    def test_tables_of_the_readme_are_whole(self):
        text = DOCUMENTS["README.md"]
        subcommands = re.findall(r"^  (\w+)  ", run("--help").stdout.partition("Subcommands:")[2], re.M)
        self.assertGreater(len(subcommands), 8)
        named = set(re.findall(r"\w+", " ".join(re.findall(r"^\| \[?`([^|]*)\|", text, re.M))))
        for subcommand in subcommands:
            self.assertIn(subcommand, named)
        forms = re.search(r"^ *--format FORMAT +(.*?)^ *--output", run("check", "--help").stdout, re.M | re.S)[1]
        for form in ("text", "html", "json", "ndjson", "lines", "sarif", "junit", "github", "markdown"):
            self.assertRegex(forms, rf"\b{form}\b")
            self.assertRegex(text, rf"(?m)^\|.*`{form}`")
        schema = json.loads((ROOT / "conformance/json-schema/report.schema.json").read_text())
        verdicts = next(iter(self.enumerations(schema, "unreadable")))
        table = text[text.index("| verdict |"):]
        for verdict in verdicts:
            self.assertRegex(table, rf"(?m)^\| [a-z, ]*\b{verdict}\b.* \| [012] \|")

    def enumerations(self, node, member):
        if isinstance(node, dict):
            if member in node.get("enum", ()):
                yield node["enum"]
            for one in node.values():
                yield from self.enumerations(one, member)
        elif isinstance(node, list):
            for one in node:
                yield from self.enumerations(one, member)

    def test_the_configuration_is_one(self):
        (text,) = [code for kind, code in CODE.findall(DOCUMENTS["docs/check.md"]) if kind == "toml"]
        self.assertTrue(tomllib.loads(text)["ignores"])
        config = self.write(".parqproof.toml", text.encode())
        done = run("check", "--config", config, ROOT / "corpus/writers/arrow-rs/several-row-groups.parquet")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^parqproof: \S+:7: the entry of 'ignores' for column-chunk/encodings never matched\n$")

    def test_a_check_and_all_bytes_of_a_small_file_are_shown(self):
        commands = [command for text in DOCUMENTS.values() for block in console.BLOCK.findall(text) for command in console.commands(block)]
        self.assertEqual(sum(text.count("```console") for text in DOCUMENTS.values()), len(commands))
        self.assertTrue(any(" check " in command for command in commands))
        hexes = [command for command in commands if " layout --hex " in command]
        self.assertTrue(hexes)
        for command in hexes:
            self.assertLess((ROOT / shlex.split(command)[-1]).stat().st_size, 300)

    def test_each_folder_has_a_readme_and_is_in_the_table(self):
        folders = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("*/CMakeLists.txt")} | {"codec", "conformance", "corpus", "docs", "fuzz", "scripts", "tests"}
        for folder in folders:
            self.assertTrue((ROOT / folder / "README.md").exists(), folder)
        self.assertEqual(set(re.findall(r"^\| \[`(\w+)/`\]", DOCUMENTS["docs/README.md"], re.M)), folders - {"docs"})


if __name__ == "__main__":
    unittest.main()
