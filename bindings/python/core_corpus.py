#!/usr/bin/env python3
"""Writes the core tier of the corpus for the wheel, compressed: core_corpus.py CORPUS OUT"""
import gzip
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
from exports import core  # noqa: E402
from readers import lists  # noqa: E402

corpus, out = map(pathlib.Path, sys.argv[1:3])
lines, number = core.text(corpus, lists.entries(corpus))
lines = f'{{"cases": {number}}}\n{lines}'
out.parent.mkdir(parents=True, exist_ok=True)
out.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))  # no time stamp: the same corpus gives the same bytes
