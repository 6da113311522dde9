#!/usr/bin/env python3
"""Prints the notices of the libraries that the programs of a build contain; their licences want them in copies: notices.py BUILD"""

import pathlib
import sys

sys.dont_write_bytecode = True
if __name__ == "__main__":
    sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from artefacts import libraries  # noqa: E402
from toolchains import Missing  # noqa: E402

FILE = "THIRD-PARTY-NOTICES.txt"
# Licences that the copyright files refer to, below /usr/share/common-licenses.
COMMON = {"LGPL-2.1-or-later": "LGPL-2.1", "GPL-3.0-or-later WITH GCC-exception-3.1": "GPL-3", "Apache-2.0": "Apache-2.0"}
LINE = "=" * 100


def text(linked):
    """The notices of libraries. Those with one copyright file share it."""
    parts = {}
    for one in linked:
        parts.setdefault(libraries.copyright_of(one.package), []).append(one)
    out = ["parqproof contains parts of the libraries below. These are the copyright files of their packages, and the licences that they refer to.\n"]
    for notice, those in parts.items():
        names = "\n".join(f"{one.name} ({one.package} {one.version}): {one.licence}" for one in those)
        out.append(f"{LINE}\n{names}\n{LINE}\n\n{notice.strip()}\n")
    for name in dict.fromkeys(COMMON[one.licence] for one in linked if one.licence in COMMON):
        licence = (pathlib.Path("/usr/share/common-licenses") / name).read_text(encoding="utf-8")
        out.append(f"{LINE}\n{name}\n{LINE}\n\n{licence.strip()}\n")
    return "\n".join(out)


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(text(libraries.linked(pathlib.Path(sys.argv[1]))).encode())
    except Missing as reason:
        raise SystemExit(f"notices: {reason}") from reason
