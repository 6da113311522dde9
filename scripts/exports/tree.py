"""The corpus as two folders of files: data/ to be read, with the rows next to each, and bad_data/ to be refused."""

import shutil

from . import about, core

README = """# Parquet files for readers

`data/` has files that a reader reads, with their rows as JSON Lines next to them, as `parqproof cat` prints them; `bad_data/` has files that it has to refuse, because
rows are lost. Files that a reader may read or refuse are left out, and encrypted ones.

`manifest.json` has the version of the corpus, its licence (`LICENSE`), and `files`, each with its `duty`, `sha256` and `rows`. `no_rows` says why a file of `data/` has none.
"""


def flat(path):
    """A path of the corpus as a name of one folder."""
    return path.removeprefix("witnesses/").replace("/", "-")


def make(root, corpus, files, version, out):
    """Writes the folders; returns the number of files. Files that a reader may accept or reject, encrypted ones, and those in
    several parts are left out."""
    listed = []
    for file in files:
        folder = {"accept": "data", "reject": "bad_data"}.get(file["duty"])
        if folder is None or "keys" in file or "parts" in file:
            continue
        target = out / folder / flat(file["file"])
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus / file["file"], target)
        one = {"file": f"{folder}/{target.name}", "duty": file["duty"], "sha256": file["sha256"]}
        if "rows" in file:
            shutil.copyfile(corpus / file["rows"], target.with_suffix(".jsonl"))
            one["rows"] = f"{folder}/{target.stem}.jsonl"
        elif why := core.no_rows(corpus, file):
            one["no_rows"] = why
        listed.append(one)
    about.write(root, out, version, files=listed)
    (out / "README.md").write_text(README, encoding="utf-8")
    return len(listed)
