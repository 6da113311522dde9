"""``python -m parqproof``: the program, in this process; for URLs, the module."""
from __future__ import annotations

import os
import sys
from ctypes import c_char_p
from typing import NoReturn


def main() -> NoReturn:
    if any("://" in argument and not argument.startswith("-") for argument in sys.argv[2:]):
        from . import _urls

        sys.exit(_urls.main(sys.argv[1:]))
    from ._library import LIBRARY

    arguments = [b"parqproof", *map(os.fsencode, sys.argv[1:])]
    sys.exit(LIBRARY.parqproof_main(len(arguments), (c_char_p * (len(arguments) + 1))(*arguments, None)))


if __name__ == "__main__":
    main()
