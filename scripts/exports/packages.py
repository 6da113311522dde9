"""The core tier as packages of other languages, from the templates in bindings/corpus."""

import shutil

from . import core

# The template, and where its package has the cases.
PACKAGES = {"rust": "core.jsonl", "java": "src/main/resources/org/parqproof/corpus/core.jsonl", "npm": "core.jsonl", "go": "core.jsonl"}


def make(root, name, corpus, files, version, out):
    """Writes the sources of a package; returns the number of its cases."""
    lines, number = core.text(corpus, files)
    template = root / "bindings" / "corpus" / name
    for path in sorted(template.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            target = out / path.relative_to(template)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            target.write_text(text.replace("@VERSION@", version).replace("@CASES@", str(number)), encoding="utf-8")
    with open(out / "README.md", "a", encoding="utf-8") as readme:
        readme.write((template.parent / "PACKAGE.md").read_text(encoding="utf-8"))
    cases = out / PACKAGES[name]
    cases.parent.mkdir(parents=True, exist_ok=True)
    cases.write_text(lines, encoding="utf-8")
    shutil.copyfile(root / "LICENSE", out / "LICENSE")
    return number
