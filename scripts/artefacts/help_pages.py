"""The help of the program as data: the man page and the completions of shells are made of it."""

import dataclasses
import re
import subprocess

SECTION = re.compile(r"^(\w[\w ]*):$")
OPTION = re.compile(r"^  (-\S+(?: \S+)*?|\S+(?: \S+)*?)(?:  +(.*))?$")


@dataclasses.dataclass
class Option:
    """`value` is the word for its value, empty for a flag."""

    names: list
    value: str
    about: str


@dataclasses.dataclass
class Page:
    """The help of the program or of a subcommand."""

    name: str
    about: str
    usage: str
    positionals: list
    options: list
    subcommands: list
    rest: list  # lines after the last list


def _entries(lines):
    """[(name, text)] of a list with continuation lines."""
    found = []
    for line in lines:
        if match := OPTION.match(line):
            found.append([match[1], match[2] or ""])
        elif found and line.strip():
            found[-1][1] += " " + line.strip()
    return [(name, text.strip()) for name, text in found]


def _option(name, about):
    words = name.split(" ", 1)
    return Option(words[0].split(","), words[1].removesuffix(" REQUIRED") if len(words) > 1 else "", about)


def page(program, *subcommand):
    """The help of a subcommand, or of the program."""
    text = subprocess.run([program, *subcommand, "--help"], capture_output=True, text=True, check=True).stdout
    lines, sections, where, rest = text.splitlines(), {}, None, []
    for line in lines[2:]:
        if match := SECTION.match(line):
            where = match[1]
        elif where and (line.startswith("  ") or not line.strip()):
            sections.setdefault(where, []).append(line)
        elif line.strip() or rest:
            where = None
            rest.append(line)
    examples = sections.pop("Examples", [])
    if examples:
        rest += ["", "Examples:", *examples]
    return Page(subcommand[0] if subcommand else "", lines[0].strip(), lines[1].removeprefix("Usage: "), [(name.split(" ", 1)[-1], about) for name, about in _entries(sections.get("Positionals", []))],
                [_option(*one) for one in _entries(sections.get("Options", []))], _entries(sections.get("Subcommands", [])), rest)


def all_pages(program):
    """(the page of the program, [the page of each subcommand])"""
    top = page(program)
    return top, [page(program, name.split(",")[0]) for name, _ in top.subcommands]
