"""The help of the program as data: the man page and the completions of shells are made of it."""

import dataclasses
import re
import subprocess

SECTION = re.compile(r"^(\w[\w ]*):$")
WITH_WORDS = ("WORD", "FORMAT", "VERDICTS")  # values that are one of some words
OPTION = re.compile(r"^  (-\S+(?: \S+)*?|\S+(?: \S+)*?)(?:  +(.*))?$")


@dataclasses.dataclass
class Option:
    """`value` is the word for its value, empty for a flag; `words` are its only values, if the program lists them."""

    names: list
    value: str
    about: str
    words: list


@dataclasses.dataclass
class Page:
    """The help of the program or of a subcommand; `names` are its aliases too."""

    name: str
    names: list
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


def _words(program, subcommand, name):
    """The values that the program names when it refuses another one."""
    said = subprocess.run([program, *subcommand, name, "?"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False).stderr
    found = re.search(r"'\?' is (?:not one of (.*?)|neither (.*?))[;(]", said)
    return re.split(r", | nor ", (found[1] or found[2]).strip()) if found else []


def _option(program, subcommand, name, about):
    words = name.split(" ", 1)
    names, value = words[0].split(","), words[1].removesuffix(" REQUIRED") if len(words) > 1 else ""
    return Option(names, value, about, _words(program, subcommand, names[-1]) if value in WITH_WORDS else [])


def page(program, *names):
    """The help of a subcommand, with its aliases, or of the program."""
    subcommand = names[:1]
    text = subprocess.run([program, *subcommand, "--help"], capture_output=True, encoding="utf-8", check=True).stdout
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
    return Page("".join(subcommand), list(names), lines[0].strip(), lines[1].removeprefix("Usage: "), [(name.split(" ", 1)[-1], about) for name, about in _entries(sections.get("Positionals", []))],
                [_option(program, subcommand, *one) for one in _entries(sections.get("Options", []))], _entries(sections.get("Subcommands", [])), rest)


def all_pages(program):
    """(the page of the program, [the page of each subcommand])"""
    top = page(program)
    return top, [page(program, *names.split(", ")) for names, _ in top.subcommands]
