"""Console blocks of documents: each command, followed by the output of the program."""

import re

BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.M | re.S)


def commands(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def documents(root):
    """The documents whose console blocks are compared with the program."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def rewritten(text, program):
    """The document with the current output in its console blocks."""
    return BLOCK.sub(lambda block: "".join(f"$ {command}\n{program.output(command)}" for command in commands(block[1])), text)
