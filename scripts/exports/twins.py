"""Twins: each file with rows once more, in the simplest form that our writer has, so that a reader can be compared with itself:
read(file) == read(twin), in the reader's own types."""

import subprocess

from . import about

SIMPLEST = ("--encoding", "PLAIN", "--compression", "UNCOMPRESSED", "--page-version", "1", "--statistics=no", "--page-index=no", "--crc=no")


def _lacks(file):
    """Why a file cannot have a twin, or None."""
    if file["duty"] == "reject":
        return "its rows are lost"
    return "it is encrypted" if "keys" in file else "it is in several parts" if "parts" in file else None if "rows" in file else "the corpus has no rows of it"


def make(root, program, corpus, files, version, out):
    """Writes the twin of each file to its path below `out`; returns (the number of twins, {file: why it has none}), which manifest.json has too."""
    number, without = 0, {}
    for file in files:
        if why := _lacks(file):
            without[file["file"]] = why
            continue
        twin = out / file["file"]
        twin.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([program, "rewrite", *SIMPLEST, corpus / file["file"], twin], capture_output=True, text=True, check=False)
        if done.returncode != 0 and not twin.exists():
            without[file["file"]] = next((line.strip() for line in done.stderr.splitlines() if line.strip()), f"exit code {done.returncode}")
        else:
            number += 1
    if number:
        about.write(root, out, version, twins=number, without=without)
    return number, without
