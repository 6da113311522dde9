"""Twins: each file with rows once more, in the simplest form that our writer has, so that a reader can be compared with itself:
read(file) == read(twin), in the reader's own types."""

import subprocess

SIMPLEST = ("--encoding", "PLAIN", "--compression", "UNCOMPRESSED", "--page-version", "1", "--statistics=no", "--page-index=no", "--crc=no")


def make(program, corpus, files, out):
    """Writes the twin of each file to its path below `out`; returns (the number of twins, {file: why it has none})."""
    number, without = 0, {}
    for file in files:
        if "rows" not in file or "keys" in file or "parts" in file:
            continue
        twin = out / file["file"]
        twin.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run([program, "rewrite", *SIMPLEST, corpus / file["file"], twin], capture_output=True, text=True, check=False)
        if done.returncode != 0 and not twin.exists():
            without[file["file"]] = next((line.strip() for line in done.stderr.splitlines() if line.strip()), f"exit code {done.returncode}")
        else:
            number += 1
    return number, without
