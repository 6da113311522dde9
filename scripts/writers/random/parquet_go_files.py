"""Random files by parquet-go: plans, from which parquet-go/random makes the files."""

import json
import pathlib

import tables

WRITER = "parquet-go"  # whose program makes the files
FEATURES = {
    **tables.FEATURES,
    "values": ["special", "random", "few", "constant", "runs"],
    "version": [1, 2],
    "codec": ["none", "snappy", "gzip", "brotli", "zstd", "lz4_raw"],
    "encoding": ["default", "dictionary", "plain", "delta", "delta_byte_array", "split", "rle"],
    "page": [0, 64, 512],
    "rowgroup": [0, 60],
    "limit": [0, 5],
    "dict": [0, 64],
    "bloom": [False, True],
    "pageStatistics": [False, True],
    "deprecated": [False, True],
}


def write(path, plan, rng):
    with open(pathlib.Path(path).parent / "plans", "a") as out:
        out.write(json.dumps({**plan, "file": path, "seed": rng.randrange(2**40)}) + "\n")
