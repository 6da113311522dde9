"""What every Python recipe shares: a table of named files, and the command line that makes them.

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
    """Makes the files named on the command line, or all."""
    out, names = pathlib.Path(sys.argv[1]), sys.argv[2:] or list(RECIPES)
    for name in names:
        make, settings = RECIPES[name]
        make(str(out / f"{name}.parquet"))
        print(json.dumps({"name": name, "version": version, "settings": settings}), flush=True)
