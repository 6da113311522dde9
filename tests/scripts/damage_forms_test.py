"""Losses, consequences of a cause, and commands to paste: every form of a report on a damaged file contains the same as text and JSON."""

import json
import re
import shlex
import unittest
from xml.etree import ElementTree

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import INT32
from builder.codec.pages import V1
from builder.codec.schema import required
from forms_test import jsonschema, sarif_schema
from html_test import Page
from program import Case, check, flipped, many, report

HOSTILE = "<script>alert(1)</script>`[x](http://example.invalid)"


def table(names=("id", "amount"), crc=None, each=200):
    """A file of three pages a column."""
    children = [required(name, INT32) for name in names]
    rows = [{name: 100 * i + k for k, name in enumerate(names)} for i in range(3 * each)]
    return File(children, groups=[Group(rows, [Chunk([V1(each, crc=crc) for _ in range(3)]) for _ in names])]).build().data


def one_line(text):
    return " ".join(text.split())


class Damage(Case):
    def header(self, data, page=1):
        """The offset of the header of a page of the first column."""
        at = self.segments(data, "page-header")[page]["offset"]
        (self.folder / "intact.parquet").unlink()
        return at

    def damaged(self, *names):
        """A file with lost pages, one with missing bytes, two joined files, and one with a truncated footer."""
        data = table(*names)
        at = self.header(data)
        length = int.from_bytes(data[-8:-4], "little")
        return {"lost": flipped(data, at + 1, 0x40), "missing": data[:at + 100] + data[at + 110:], "joined": data + table(each=10), "cut": data[:-length // 4]}

    def forms(self, path):
        self.text = check(path).stdout
        (self.file,) = report(path)["files"]
        self.page = Page(check("--format", "html", path).stdout).file(0)
        self.sarif = json.loads(check("--format", "sarif", path).stdout)["runs"][0]
        self.markdown = check("--format", "markdown", path).stdout
        self.junit = ElementTree.fromstring(check("--format", "junit", path).stdout)[0][0][0].text
        self.quality = " ".join(issue["description"] for issue in json.loads(check("--format", "codequality", path).stdout))
        self.github = check("--format", "github", path).stdout.replace("%0A", "\n").replace("%25", "%")

    def test_every_form_contains_the_sentences_of_text(self):
        followed = 0
        for name, data in self.damaged().items():
            for path in (f"{name}.parquet", f"it's $(touch gone) {name}.parquet"):
                with self.subTest(path):
                    self.forms(self.write(path, data))
                    self.look_at_losses()
                    self.look_at_commands()
                    followed += self.look_at_consequences()
        self.assertEqual(followed, 2)

    def look_at_losses(self):
        first = self.sarif["results"][0]["properties"]
        self.assertEqual(len(first["lost"]), first["lostInAll"])
        self.assertGreater(len(first["lost"]), 0)
        for line, (where, rows, what) in zip(first["lost"], self.page["lost"], strict=True):
            self.assertEqual(line, f"{where}{f' ({rows})' if rows else ''}{': ' if where else ''}{what}")
            self.assertIn(one_line(line), one_line(self.text))
            self.assertIn(f"`{where}`{f' ({rows})' if rows else ''}: {what}" if where else f"- {what}", self.markdown)
            self.assertIn(f"Lost: {line}\n", self.junit)
            self.assertIn(f"Lost: {line}\n", self.github + "\n")
            self.assertIn(f"; Lost: {line}", self.quality)
            self.assertIn(f"Lost: {line}", self.sarif["results"][0]["message"]["text"])

    def look_at_commands(self):
        steps = self.file.get("next", [])
        self.assertTrue(steps)
        self.assertEqual(self.page.get("next", []), [[step["what"], step["command"]] for step in steps])
        self.assertEqual(self.sarif["results"][0]["properties"].get("next", []), steps)
        message = self.sarif["results"][0]["message"]["text"]
        plain = not any(set(step["command"]) & set("{}[]") for step in steps)  # these are placeholders, and links
        self.assertEqual("properties.next" in message, not plain)
        for step in steps:
            self.assertIn(f"{step['what']}:\n            {step['command']}\n", self.text)
            self.assertIn(f"{step['what']}:\n\n```sh\n{step['command']}\n```\n", self.markdown)
            self.assertIn(f"Next, {step['what']}: {step['command']}\n", self.junit)
            self.assertIn(f"Next, {step['what']}: {step['command']}\n", self.github)
            self.assertIn(f"; Next, {step['what']}: {step['command']}", self.quality)
            self.assertEqual(f"\nNext, {step['what']}: {step['command']}" in message, plain)

    def look_at_consequences(self):
        all_of_them = [f"{one['times']} {one['severity']}{'s' if one['times'] > 1 else ''} of {one['rule']}" for one in self.file.get("consequences", [])]
        if not all_of_them:
            self.assertNotIn("follows", json.dumps(self.page))
            return 0
        line = ", ".join(all_of_them)
        self.assertEqual([cause["follows"] for cause in self.page["causes"] if "follows" in cause], [line])
        self.assertEqual([result["properties"]["consequences"] for result in self.sarif["results"] if "consequences" in result["properties"]], [all_of_them])
        self.assertIn(f"**Follows:** {line}  \n", self.markdown)
        self.assertIn(f"follows from it: {line}\n", self.junit)
        self.assertIn(f"\nFollows: {line}\n", self.github)
        self.assertIn(f"; follows: {line}", self.quality)
        block = re.search(r"^error +file/bytes-missing\n(?:  .*\n)*", self.text, re.M)[0]
        self.assertIn(f"  follows   {all_of_them[0]}\n", block)
        return 1

    def test_hostile_names_are_data_in_commands_too(self):
        path = self.write(f"a{HOSTILE.replace('/', '')}.parquet", self.damaged(("id", HOSTILE))["lost"])
        self.forms(path)
        column = [command for _, command in self.page["next"] if "--columns" in command]
        self.assertEqual([shlex.split(command)[2] for command in column], [f"--columns={HOSTILE}"])
        bare = re.sub(r"(?ms)^```sh\n[^\n]*\n```$|`[^`\n]*`|<code>[^<]*</code>", "", self.markdown)
        for mark in ("<script>", "](http://example"):
            self.assertNotIn(mark, bare)
        self.assertEqual(check("--format", "html", path).stdout.count("<script>alert"), 0)
        for line in check("--format", "github", path).stdout.splitlines():
            self.assertRegex(line, "^::(error|warning|notice) ")
        self.assertNotIn("--columns", self.sarif["results"][0]["message"]["text"])

    def test_an_unprintable_name_is_in_no_command(self):
        for name in ("line\nbreak.parquet", "\x1b[31mred.parquet", "turned\u202e.parquet"):
            with self.subTest(name):
                path = self.write(name, self.damaged()["lost"])
                self.forms(path)
                self.assertNotIn("next", self.page)
                for text in (self.markdown, self.junit, check("--format", "html", path).stdout, check("--format", "sarif", path).stdout, self.text):
                    for control in ("\x1b", "\u202e", "line\nbreak"):
                        self.assertNotIn(control, text)

    def without_second_pages(self, data):
        for header in self.segments(data, "page-header"):
            if header["page"] == 1:
                data = flipped(data, header["offset"] + 1, 0x40)
        return self.write("a.parquet", data)

    def test_many_losses_are_folded_and_counted(self):
        self.forms(self.without_second_pages(table([f"c{i}" for i in range(30)])))
        self.assertEqual((len(self.page["lost"]), self.page["lost_in_all"]), (20, 30))
        self.assertIn("<details><summary>Lost: 30</summary>", self.markdown)
        self.assertIn("Lost: 25 more\n", self.junit)
        self.assertEqual(self.sarif["results"][0]["properties"]["lostInAll"], 30)
        self.assertEqual(self.markdown.count("<details>"), self.markdown.count("</details>"))

    def test_a_very_long_name_leaves_room_for_others(self):
        names = [f"{i}{'n' * 1_000_000}" for i in range(4)]
        self.forms(self.without_second_pages(table(names, each=2)))
        lost = self.sarif["results"][0]["properties"]["lost"]
        self.assertEqual(len(lost), 4)
        for i, line in enumerate(lost):
            self.assertRegex(line, rf"^row group 0, column {i}n{{299}}\.\.\. \(leaf {i}\), page 1 \(rows 2 to 3, 33 % of the column\): ")
        self.assertLess(max(map(len, [*lost, *map(str, self.page["lost"])])), 1000)

    @unittest.skipUnless(jsonschema, "the Python package jsonschema is not installed")
    def test_sarif_is_valid_by_its_schema(self):
        schema = sarif_schema()
        if schema is None:
            self.skipTest("no JSON schema of SARIF at hand")
        for name, data in self.damaged(("id", HOSTILE)).items():
            self.write(f"in/{name}.parquet", data)
        jsonschema.Draft7Validator(schema).validate(json.loads(check("--format", "sarif", self.folder / "in").stdout))


class Worst(Case):
    """Of many files, the worst are reported first."""

    def test_text_and_markdown_name_the_worst_files_first(self):
        same = table(each=2).replace(b"PAR1", b"XAR1", 1)  # nonconforming, all by the same fault
        for i in range(60):
            self.write(f"{i:02}.parquet", same)
        self.write("z1.parquet", same[:-8])
        self.write("z2.parquet", many(1))
        summary = check("--summary", self.folder).stdout.splitlines()
        names = [re.search(r"/(\w+\.parquet): ", line)[1] for line in summary if re.match("(malformed|nonconforming) ", line)]
        self.assertEqual((len(names), names[:4]), (20, ["z1.parquet", "00.parquet", "z2.parquet", "01.parquet"]))
        self.assertIn("               and 42 more", summary)
        self.assertRegex(summary[1], r"^malformed      \S*/z1.parquet: file/tail-magic$")
        sections = re.findall(r"<summary>.*<code>.*/(.*)</code>", check("--format", "markdown", self.folder).stdout)
        self.assertEqual(sections[:4], names[:4])

    def test_a_file_is_listed_once(self):
        self.assertNotRegex(check(self.write("a.parquet", many(1))).stdout, r"(?m)^nonconforming ")
