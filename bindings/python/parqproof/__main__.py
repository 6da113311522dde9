"""``python -m parqproof``: the program, in place of this process; for URLs, the module."""
from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import NoReturn

NAME = "parqproof.exe" if os.name == "nt" else "parqproof"


def program() -> Path:
    """The program of the build folder that PARQPROOF_NATIVE names, or the one that was installed with the wheel."""
    folder = os.environ.get("PARQPROOF_NATIVE")
    if folder:
        return Path(folder) / NAME
    try:
        installed = [file for file in metadata.files("parqproof") or () if file.name == NAME and "native" not in file.parts]
    except metadata.PackageNotFoundError:
        installed = []
    for file in installed:
        path = Path(str(file.locate()))
        if path.exists():
            return path.resolve()
    return Path(sysconfig.get_path("scripts")) / NAME


def main() -> NoReturn:
    if any("://" in argument and not argument.startswith("-") for argument in sys.argv[2:]):
        from . import _urls

        sys.exit(_urls.main(sys.argv[1:]))
    arguments = [str(program()), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(arguments).returncode)
    try:
        os.execv(arguments[0], arguments)
    except OSError as failure:
        sys.exit(f"parqproof: {arguments[0]}: {failure.strerror}")


if __name__ == "__main__":
    main()
