"""The fuzz targets, which fuzz/targets.txt lists."""

import pathlib

LIST = pathlib.Path(__file__).resolve().parent.parent / "fuzz/targets.txt"


def targets():
    """The labels of each target: {name: [label]}."""
    rows = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {name: labels for name, *labels in rows}


def file_targets():
    """The names of the targets that take complete files."""
    return [name for name, labels in targets().items() if "files" in labels]
