"""Shared by all Python recipes: a table of named files, and the command line that makes them.

usage: RECIPE DIR [NAME...]   writes DIR/NAME.parquet, one JSON line on stdout per file
"""

import json
import pathlib
import sys

RECIPES = {}


def file(name, **settings):
    """Registers a function (path) -> None as the recipe of that file; settings go into the manifest."""

    def add(make):
        if name in RECIPES:
            raise ValueError(f"two recipes are called {name}")
        RECIPES[name] = (make, settings)
        return make

    return add


def main(version):
    """Makes the files named on the command line, or all; names each recipe that fails on stderr, and then exits with 1."""
    out, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(RECIPES)
    failed = False
    for name in names:
        make, settings = RECIPES[name]
        try:
            make(str(out / f"{name}.parquet"))
        except Exception as reason:
            failed = True
            print(f"{name}: {type(reason).__name__}: {str(reason).splitlines()[0]}", file=sys.stderr)
        else:
            print(json.dumps({"name": name, "version": version, "settings": settings}), flush=True)
    sys.exit(failed)
