"""Random files by hyparquet-writer: plans, from which hyparquet/random.mjs makes the files."""

import json
import pathlib

import tables

WRITER = "hyparquet"  # whose program makes the files
FEATURES = {
    **{key: value for key, value in tables.FEATURES.items() if key != "sorted"},
    "values": ["special", "random", "few", "constant", "runs"],
    "codec": ["UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI"],
    "encoding": ["default", "plain", "delta", "delta_byte_array", "split", "rle"],
    "pageSize": [None, 64, 512],
    "rowGroupSize": [None, 60],
    "columnIndex": [True, False],
    "offsetIndex": [True, False],
    "bloom": [True, False],
    "statistics": [True, True, False],
    "truncate": [None, 5],
    "dictionarySize": [None, 64],
}


def legal(plan):
    return plan["offsetIndex"] or not plan["columnIndex"]


def write(path, plan, rng):
    with open(pathlib.Path(path).parent / "plans", "a") as out:
        out.write(json.dumps({**plan, "file": path, "seed": rng.randrange(2**32)}) + "\n")
