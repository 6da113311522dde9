"""What fuzz/CMakeLists.txt says of the fuzz targets."""

import pathlib
import re

LIST = pathlib.Path(__file__).resolve().parent.parent / "fuzz/CMakeLists.txt"


def file_targets():
    """The names of those that take whole files."""
    return re.search(r"^set\(file_targets ([^)]*)\)", LIST.read_text(encoding="utf-8"), re.M)[1].split()
