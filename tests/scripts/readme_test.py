"""README.md, docs/ and the documents for contributors: their examples, names and links are valid."""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tomllib
import unittest

from program import PROGRAM, ROOT, Case, run

from exports import versions
from gallery import console

SHOWN = {path.relative_to(ROOT).as_posix(): path.read_text() for path in console.documents(ROOT)}  # their console blocks are run
DOCUMENTS = SHOWN | {name: (ROOT / name).read_text() for name in ("CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")}
BUILD = pathlib.Path(PROGRAM).parent
CODE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def calls(text):
    """The arguments of each call of the program in a document, without its files and pipes."""
    lines = [line.removeprefix("$ ") for kind, code in CODE.findall(text) for line in code.splitlines() if kind != "console" or line.startswith("$ ")]
    for line in [*lines, *re.findall(r"`(scripts/parqproof [^`]*)`", text)]:
        if line.startswith("scripts/parqproof "):
            yield shlex.split(re.split(r" [|>] | +# ", line)[0])[1:]


class Walks(Case):
    """The call paths of conformance/README.md name functions of the files that they name, in at most nine calls each."""

    def test_each_call_is_in_its_file(self):
        text = (ROOT / "conformance/README.md").read_text()
        paths = text[text.index("## Three call paths"):].split("**From ")[1:]
        self.assertEqual(len(paths), 3)
        for calls_of_path in paths:
            steps = re.findall(r"^\d\. `([\w:]+)\(\)`, `([\w/.]+)`", calls_of_path, re.M)
            self.assertGreaterEqual(len(steps), 3)
            self.assertLessEqual(max(map(int, re.findall(r"^(\d+)\.", calls_of_path, re.M))), 9)
            for function, file in steps:
                with self.subTest(function=function, file=file):
                    path = ROOT / file if file.startswith("codec/") else ROOT / "conformance" / file
                    self.assertTrue(re.search(rf"\b{function.split('::')[-1]}\(", path.read_text()))


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

    def test_the_readme_has_its_parts_in_order(self):
        text = DOCUMENTS["README.md"]
        self.assertEqual(re.findall(r"^## (.*)$", text, re.M), ["Check what a writer produced", "Test a reader", "Run the suite and the fuzzers", "Folders", "Limits", "Licence"])
        head, *doors = text.split("\n## ")[:4]
        for command in ("scripts/parqproof check FILE...", "scripts/test"):
            self.assertIn(f"\n{command}", head)
        for door in doors:
            self.assertRegex(door, r"(?m)^\$ ")
            heading = door.partition("\n")[0]
            self.assertIn(f"[{heading}](#{heading.lower().replace(' ', '-')})", head)

    def test_named_scripts_exist_and_have_the_shown_options(self):
        for name, text in DOCUMENTS.items():
            for line in re.findall(r"`((?:scripts|\.ci)/[^`]*)`", text) + re.findall(r"^\$ (scripts/.*)$", text, re.M):
                script, *words = line.split()
                if script.endswith("/") or script == "scripts/parqproof":
                    continue
                with self.subTest(document=name, command=line):
                    self.assertTrue((ROOT / script).exists())
                    source = (ROOT / script).read_text() if (ROOT / script).is_file() else ""
                    for option in (word for word in words if re.fullmatch(r"--[a-z-]+", word)):
                        self.assertIn(option, source)

    @unittest.skipUnless((BUILD / "CTestTestfile.cmake").exists(), "the tests are not configured")
    def test_named_labels_select_the_shown_tests(self):
        listed = subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], capture_output=True, check=True, text=True).stdout
        labels_of = {test["name"]: next((one["value"] for one in test.get("properties", ()) if one["name"] == "LABELS"), []) for test in json.loads(listed)["tests"]}
        self.assertGreater(len(labels_of), 100)
        named = 0
        for name, text in DOCUMENTS.items():
            for label in re.findall(r"(?:ctest --preset release|scripts/test) -L '?([\^$\w|]+)'?", text):
                named += 1
                self.assertTrue(label.isupper() or any(re.search(label, one) for labels in labels_of.values() for one in labels), f"{name}: {label}")
        self.assertGreater(named, 3)
        block, = (code for kind, code in CODE.findall(DOCUMENTS["README.md"]) if kind == "text" and code.startswith("$ ctest"))
        label = re.search(r"-L '([^']*)'", block)[1]
        selected = {name for name, labels in labels_of.items() if any(re.search(label, one) for one in labels)} | {"fuzz_seeds"}
        self.assertEqual(set(re.findall(r"Test +#\d+: (\w+) \.+ +Passed", block)), selected)
        self.assertIn(f"100% tests passed, 0 tests failed out of {len(selected)}", block)

    def test_the_workflow_runs_all_required_checks_and_supported_systems(self):
        text = (ROOT / ".github/workflows/ci.yml").read_text()
        self.assertRegex(text, r"(?m)^ +run: \.ci/run$")
        self.assertTrue(os.access(ROOT / ".ci/run", os.X_OK))
        self.assertRegex(text, r"(?m)^ +run: scripts/parqproof check corpus/witnesses/")
        for witness in re.findall(r"scripts/parqproof check (\S+)", text):
            self.assertEqual(run("check", ROOT / witness).returncode, 0)
        promised = re.findall(r"^\| (Debian|Ubuntu) ([\d.]+) \| yes", DOCUMENTS["docs/install.md"], re.M)
        self.assertEqual(re.findall(r'"(\w+:[\d.]+)"', text), [f"{system.lower()}:{version}" for system, version in promised])

    def test_contributors_find_the_steps_for_each_part(self):
        headings = set(re.findall(r"^##+ (.*)$", DOCUMENTS["CONTRIBUTING.md"], re.M))
        self.assertGreaterEqual(headings, {"A rule", "An encoding", "A compression codec", "A form of the report", "A subcommand", "A hypothesis"})
        for path in re.findall(r"`((?:codec|corpus|docs|fuzz|scripts|tests|\.ci)/[\w./-]*)`", DOCUMENTS["CONTRIBUTING.md"]):
            if "NAME" not in path and "TARGET" not in path:
                self.assertTrue((ROOT / path).exists(), path)
        self.assertIn("docs/STYLE.md", DOCUMENTS["CONTRIBUTING.md"])

    def test_the_changelog_lists_verdict_changes_separately_and_begins_with_the_version(self):
        version = versions.version_of(ROOT)
        self.assertRegex(version, r"^\d+\.\d+\.\d+(-dev)?$")
        sections = re.split(r"^## ", DOCUMENTS["CHANGELOG.md"], flags=re.M)[1:]
        released = [section.split("\n")[0] for section in sections]
        self.assertEqual(released[0], "Unreleased" if version.endswith("-dev") else version)
        self.assertNotIn(version.removesuffix("-dev"), released[1:])
        for section in sections:
            self.assertEqual(re.findall(r"^### (.*)$", section, re.M), ["Changes", "Verdict changes"])

    def test_tables_of_subcommands_forms_and_verdicts_are_complete(self):
        text = DOCUMENTS["docs/check.md"]
        subcommands = re.findall(r"^  (\w+)  ", run("--help").stdout.partition("Subcommands:")[2], re.M)
        self.assertGreater(len(subcommands), 8)
        named = set(re.findall(r"\w+", " ".join(re.findall(r"^\| \[?`([^|]*)\|", DOCUMENTS["docs/README.md"], re.M))))
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

    def test_the_documented_configuration_is_valid(self):
        (text,) = [code for kind, code in CODE.findall(DOCUMENTS["docs/check.md"]) if kind == "toml"]
        self.assertTrue(tomllib.loads(text)["ignores"])
        config = self.write(".parqproof.toml", text.encode())
        done = run("check", "--config", config, ROOT / "corpus/writers/arrow-rs/several-row-groups.parquet")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"^parqproof: \S+:8: the entry of 'ignores' for column-chunk/encodings never matched\n$")

    def test_a_check_and_all_bytes_of_a_small_file_are_shown(self):
        commands = [command for text in SHOWN.values() for block in console.BLOCK.findall(text) for command in console.commands(block)]
        self.assertEqual(sum(text.count("```console") for text in SHOWN.values()), len(commands))
        self.assertTrue(any(" check " in command for command in commands))
        hexes = [command for command in commands if " layout --hex " in command]
        self.assertTrue(hexes)
        for command in hexes:
            self.assertLess((ROOT / shlex.split(command)[-1]).stat().st_size, 300)

    def test_each_folder_has_a_readme_and_is_in_the_table(self):
        folders = {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("*/CMakeLists.txt")} | {"codec", "conformance", "corpus", "docs", "fuzz", "scripts", "tests"}
        for folder in folders:
            self.assertTrue((ROOT / folder / "README.md").exists(), folder)
        self.assertEqual(set(re.findall(r"^\| \[`(\w+)/`\]", DOCUMENTS["README.md"], re.M)), folders)
