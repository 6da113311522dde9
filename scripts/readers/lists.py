"""The committed results of readers for the corpus: for each reader a list of the files with wrong results
(`corpus/readers/NAME.tsv`), the numbers (`NAME.json`), and the tables and the picture derived from these (`NAME.md`, `READERS.md`, `matrix.svg`)."""

import collections
import csv
import hashlib
import io
import json

from builder.expect import features

from . import catalogue, judge, matrix, probes

LISTED = (judge.UNSUPPORTED, *judge.WRONG)
HEAD = ("result", "duty", "file", "note")


def slug(name):
    return name.lower()


def entries(corpus):
    """The entries of the index with a duty for readers. Files of billions of values are left out: writing their rows
    takes longer than reading them."""
    every = json.loads((corpus / "index.json").read_text())["files"]
    return [file for file in every if "duty" in file and file.get("rule") != "limit/work"]


NO_FEATURE = "none"


def rarest(files):
    """{file: feature}: of each file the feature that the fewest files have, so that a file is in one group."""
    numbers = collections.Counter(feature for file in files for feature in file.get("features", ()))
    return {file["file"]: min(file.get("features") or [NO_FEATURE], key=lambda feature: (numbers[feature], feature)) for file in files}


def read(folder, name):
    """The list of a reader: {file: (result, note)}; empty if there is none."""
    path = folder / f"{slug(name)}.tsv"
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {row["file"]: (row["result"], row["note"]) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}


def list_text(files, results):
    """The text of a list: the files with wrong results, by result and duty."""
    places = {result: place for place, result in enumerate(judge.RESULTS)}
    duties = {file["file"]: file["duty"] for file in files}
    listed = [(result, duties[file], file, note) for file, (result, note) in results.items() if result in LISTED]
    rows = [HEAD, *sorted(listed, key=lambda row: (places[row[0]], *row[1:3]))]
    return "".join("\t".join(row) + "\n" for row in rows)


def counted(files, results):
    """The number of files by result: overall, and by feature."""
    by_feature = collections.defaultdict(collections.Counter)
    for file in files:
        for feature in file.get("features", ()):
            by_feature[feature][results[file["file"]][0]] += 1
    return collections.Counter(result for result, _ in results.values()), by_feature


def _ordered(counts):
    return {result: counts[result] for result in judge.RESULTS if counts[result]}


def numbers_text(name, version, files, results, corpus):
    """The contents of NAME.json: the reader, and its numbers."""
    reader = catalogue.READERS.get(name)
    total, by_feature = counted(files, results)
    head = {"reader": name, "version": version, "interface": reader.interface if reader else None,
            "driver": reader.sources() if reader else None,
            "index": hashlib.sha256((corpus / "index.json").read_bytes()).hexdigest(), "files": len(files), "results": _ordered(total)}
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value is not None]
    rows = [f"    {json.dumps(feature)}: {json.dumps(_ordered(by_feature[feature]))}" for feature in features.listed(by_feature)]
    return "{\n" + ",\n".join([*lines, '  "features": {\n' + ",\n".join(rows) + "\n  }"]) + "\n}\n"


def write(folder, name, version, files, results, corpus):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{slug(name)}.tsv").write_text(list_text(files, results), encoding="utf-8")
    (folder / f"{slug(name)}.json").write_text(numbers_text(name, version, files, results, corpus), encoding="utf-8")


# ---- The tables


def _lines_of(text):
    """{result: (first, last)}: the lines of a list with each result, and each (result, duty)."""
    found = {}
    for number, line in enumerate(io.StringIO(text), 1):
        result, duty = line.split("\t")[:2]
        for key in (result, (result, duty)) if number > 1 else ():
            found[key] = (found.get(key, (number,))[0], number)
    return found


class Table:
    """The numbers of one reader, with links from a page to the lists."""

    def __init__(self, folder, name):
        self.name, self.slug = name, slug(name)
        self.numbers = json.loads((folder / f"{self.slug}.json").read_text())
        self.lines = _lines_of((folder / f"{self.slug}.tsv").read_text(encoding="utf-8"))

    def cell(self, counts, result, below=""):
        number = counts.get(result, 0)
        return self.link(number, result, below) if number and result in self.lines else str(number or "")

    def link(self, number, key, below=""):
        """A number with a link to the lines of a key."""
        first, last = self.lines[key]
        return f"[{number}]({below}{self.slug}.tsv?plain=1#L{first}-L{last})"

    def by_duty(self, result, below):
        """The number of files of each duty with a result."""
        spans = {duty: self.lines.get((result, duty)) for duty in ("accept", "may")}
        return " | ".join(self.link(span[1] - span[0] + 1, (result, duty), below) if span else "" for duty, span in spans.items())

    def row(self, title, counts, below=""):
        return f"| {title} | " + " | ".join(self.cell(counts, result, below) for result in judge.RESULTS) + " |\n"


def head_of_table(first):
    return f"| {first} | " + " | ".join(judge.RESULTS) + " |\n|---|" + "--:|" * len(judge.RESULTS) + "\n"


def page(folder, name):
    """NAME.md: the numbers of one reader by feature, and the findings of a manual review."""
    table, reader = Table(folder, name), catalogue.READERS[name]
    numbers = table.numbers
    text = (f"# {name}\n\n`{numbers['version']}`, by `{numbers['interface']}`. Made by `scripts/interop readers --update {name}`; "
            "[READERS.md](../READERS.md) has the meaning of the results.\n\n" + head_of_table("files") + table.row("all", numbers["results"]))
    text += "\n## Manual review\n" + reader.findings() if reader.findings() else ""
    text += f"\n## By feature\n`scripts/interop list {name} --feature INT96` lists the files of a line.\n\n" + head_of_table("feature")
    text += "".join(table.row(feature, counts) for feature, counts in numbers["features"].items())
    text += "\n## The driver\n| file | SHA-256 |\n|---|---|\n"
    return text + "".join(f"| [{file}](../../scripts/readers/{file}) | `{digest}` |\n" for file, digest in numbers["driver"].items())


def _right_and_wrong(table, counts):
    """A cell of the table of all readers: right / wrong / not supported."""
    right, wrong = (sum(counts.get(result, 0) for result in some) for some in (judge.RIGHT, judge.WRONG))
    lacks = counts.get(judge.UNSUPPORTED, 0)
    lists = f"[{wrong} wrong](readers/{table.slug}.md#by-feature)" if wrong else ""
    return ", ".join(part for part in (str(right) if right else "", lists, f"{lacks} –" if lacks else "") if part)


INTRODUCTION = """# What readers make of the corpus

Made by `scripts/interop readers --update`; [the README](README.md) states what the corpus requires of a reader, and
[scripts/readers](../scripts/readers/README.md) how a reader is run. A number of files with a wrong result links to their lines in a list,
with the message of the reader; the page of a reader has the findings of a manual review.

![What each reader makes of the files, by feature](readers/matrix.svg)

"""


def readers_page(folder):
    """READERS.md."""
    tables = [Table(folder, name) for name in catalogue.READERS if (folder / f"{slug(name)}.json").exists()]
    text = INTRODUCTION + "| result | meaning |\n|---|---|\n"
    text += "".join(f"| {result} | {meaning} |\n" for result, meaning in judge.RESULTS.items())
    text += "\n## All files\n" + head_of_table("reader")
    for table in tables:
        text += table.row(f"[{table.numbers['version']}](readers/{table.slug}.md)", table.numbers["results"], "readers/")
    text += ("\nOther rows are wrong in a file that has to be accepted. If a file contradicts itself and a reader may refuse it (`may`), readers that accept it\n"
             "sometimes use the other one of the two values.\n\n| other rows | accept | may |\n|---|--:|--:|\n")
    text += "".join(f"| {table.name} | {table.by_duty('other rows', 'readers/')} |\n" for table in tables)
    text += probes_section(folder)
    text += ("\n## By feature\nFiles with a feature: how many of them a reader handles correctly, how many wrongly, and how many have something\n"
             "that it does not support (–). A file has several features, and fails by one of them. `scripts/interop list NAME --feature F`\n"
             "lists the files.\n\n| feature | " + " | ".join(table.name for table in tables) + " |\n|---|" + "---|" * len(tables) + "\n")
    used = {feature for table in tables for feature in table.numbers["features"]}
    for feature in features.listed(used):
        text += f"| {feature} | " + " | ".join(_right_and_wrong(table, table.numbers["features"].get(feature, {})) for table in tables) + " |\n"
    text += "\n## Of which corpus\n| reader | files | SHA-256 of `index.json` |\n|---|--:|---|\n"
    return text + "".join(f"| {table.name} | {table.numbers['files']} | `{table.numbers['index']}` |\n" for table in tables)


def probes_section(folder):
    """The part of READERS.md about predicates; empty without results."""
    those = [json.loads(path.read_text()) for name in catalogue.READERS if (path := folder / f"{slug(name)}-probes.json").exists()]
    if not those:
        return ""
    text = ("\n## Predicates\nRows that match a predicate on one column (`=`, `<`, `>`), of files about statistics, indexes, filters and their neighbours. A reader skips\n"
            "row groups and pages by these; where they are wrong, it loses rows in silence, which a scan never shows. `scripts/interop probes` asks for them.\n\n"
            "| reader | predicates | files | " + " | ".join(probes.RESULTS) + " |\n|---|--:|--:|" + "--:|" * len(probes.RESULTS) + "\n")
    for one in those:
        listed = _lines_of_probes(folder / f"{slug(one['reader'])}-probes.tsv")
        cells = [f"[{number}]({listed[result]})" if number and result in listed else str(number or "")
                 for result in probes.RESULTS for number in [one["results"].get(result, 0)]]
        text += f"| {one['version']}, `{one['interface']}` | {one['probes']} | {one['files']} | " + " | ".join(cells) + " |\n"
    return text


def _lines_of_probes(path):
    """{result: link to its lines in the list}"""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        result = line.split("\t")[0]
        found[result] = (found.get(result, (number,))[0], number)
    return {result: f"readers/{path.name}?plain=1#L{first}-L{last}" for result, (first, last) in found.items() if result in probes.RESULTS}


def pages(corpus):
    """The pages that are derived from the lists: {path in the corpus: text}."""
    folder = corpus / "readers"
    those = [name for name in catalogue.READERS if (folder / f"{slug(name)}.json").exists()]
    picture = matrix.picture([Table(folder, name).numbers for name in those])
    return {"READERS.md": readers_page(folder), "readers/matrix.svg": picture, **{f"readers/{slug(name)}.md": page(folder, name) for name in those}}
