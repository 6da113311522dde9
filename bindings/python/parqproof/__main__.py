"""``python -m parqproof``: the program, in this process; for URLs, the module."""
from __future__ import annotations

import os
import sys
from ctypes import c_char_p
from typing import NoReturn, Sequence

#: Subcommands that take URLs, and their options, here and in the program, whose value may be the next argument.
COMMANDS = ("check", "validate", "verify", "cat", "layout", "meta", "schema")
WITH_VALUE = ("--at", "--baseline", "--column", "--columns", "--config", "--edition", "--fail-on", "--files-from", "--footer-at", "--format", "--glob", "--ignore",
              "--jobs", "--kernels", "--keys", "--limit", "--lookup", "--max-depth", "--max-memory", "--max-page", "--max-work", "--only", "--output", "--page",
              "--profile", "--row-group", "--row-groups", "--rows", "--severity", "--storage-option", "--tier", "--tolerate", "-j")


def _has_url(arguments: Sequence[str]) -> bool:
    """Whether a FILE is a URL."""
    if not arguments or arguments[0] not in COMMANDS:
        return False
    rest = iter(arguments[1:])
    for argument in rest:
        if argument in WITH_VALUE:
            next(rest, None)
        elif argument == "--":
            return any("://" in file for file in rest)
        elif "://" in argument and not argument.startswith("-"):
            return True
    return False


def main() -> NoReturn:
    if _has_url(sys.argv[1:]):
        from . import _urls

        sys.exit(_urls.main(sys.argv[1:]))
    from ._library import LIBRARY

    arguments = [b"parqproof", *map(os.fsencode, sys.argv[1:])]
    sys.exit(LIBRARY.parqproof_main(len(arguments), (c_char_p * (len(arguments) + 1))(*arguments, None)))


if __name__ == "__main__":
    main()
