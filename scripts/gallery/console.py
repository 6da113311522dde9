"""Console blocks of documents: each command, and below it what the program prints."""

import re

BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.M | re.S)


def commands(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def documents(root):
    """Those whose console blocks are held against the program."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def rewritten(text, program):
    """The document with the output of today in its console blocks."""
    return BLOCK.sub(lambda block: "".join(f"$ {command}\n{program.output(command)}" for command in commands(block[1])), text)
