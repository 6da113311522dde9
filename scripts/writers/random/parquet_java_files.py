"""Random files by parquet-java: plans with a schema each, from which parquet-java/RandomFiles.java makes the files."""

import pathlib

import tables

LEAVES = [
    "boolean", "int32", "int64", "float", "double", "int96", "binary", "fixed_len_byte_array(1)", "fixed_len_byte_array(5)", "fixed_len_byte_array(20)",
    *[f"int32 {{}} (INTEGER({bits},{sign}))" for bits in (8, 16, 32) for sign in ("true", "false")], "int64 {} (INTEGER(64,false))", "int64 {} (INTEGER(64,true))",
    "int32 {} (DECIMAL(9,2))", "int32 {} (DECIMAL(1,1))", "int64 {} (DECIMAL(18,4))", "int64 {} (DECIMAL(10,0))", "fixed_len_byte_array(9) {} (DECIMAL(20,0))",
    "fixed_len_byte_array(16) {} (DECIMAL(38,10))", "binary {} (DECIMAL(25,5))", "binary {} (DECIMAL(60,60))", "int32 {} (DATE)",
    *[f"int32 {{}} (TIME(MILLIS,{utc}))" for utc in ("true", "false")], *[f"int64 {{}} (TIME({unit},{utc}))" for unit in ("MICROS", "NANOS") for utc in ("true", "false")],
    *[f"int64 {{}} (TIMESTAMP({unit},{utc}))" for unit in ("MILLIS", "MICROS", "NANOS") for utc in ("true", "false")], "fixed_len_byte_array(16) {} (UUID)",
    "fixed_len_byte_array(2) {} (FLOAT16)", "binary {} (STRING)", "binary {} (STRING)", "binary {} (STRING)", "binary {} (ENUM)", "binary {} (JSON)", "binary {} (BSON)",
]
WRITER = "parquet-java"  # whose program makes the files
FEATURES = {
    **{key: value for key, value in tables.FEATURES.items() if key != "sorted"},
    "values": ["special", "random", "few", "constant", "runs"],
    "version": [1, 2],
    "codec": ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZ4", "LZ4_RAW", "ZSTD"],
    "encoding": ["dictionary", "fallback", "plain", "split"],
    "pages": ["one", "bytes", "rows"],
    "groups": [1, 3],
    "checksums": [True, False],
    "no_statistics": [False, False, True],
    "no_sizes": [False, True],
    "truncate": [False, True],
    "bloom": [None, "fixed", "adaptive"],
}


def leaf(rng, how, name):
    kind = rng.choice(LEAVES)
    return f"{how} {kind.format(name) if '{}' in kind else f'{kind} {name}'};"


def node(rng, how, name, depth, is_top=False):
    """A field: depth levels of groups above its leaves. how is its repetition."""
    if depth == 0:
        return leaf(rng, how, name)
    inner = lambda name, below: node(rng, rng.choice(("optional", "optional", "required")), name, below)
    kind = rng.choice(("list", "map", "group", "legacy", *("bare",) * is_top))
    if kind == "list":
        return f"{how} group {name} (LIST) {{ repeated group list {{ {inner('element', depth - 1)} }} }}"
    if kind == "map":
        key = rng.choice(("binary key (STRING)", "int32 key"))
        return f"{how} group {name} (MAP) {{ repeated group key_value {{ required {key}; {inner('value', depth - 1)} }} }}"
    if kind == "group":
        return f"{how} group {name} {{ {' '.join(inner(f'f{i}', depth - 1 if i == 0 else 0) for i in range(1 + rng.randrange(3)))} }}"
    if kind == "bare":
        return f"repeated group {name} {{ {inner('f0', depth - 1)} {leaf(rng, 'repeated', 'f1')} }}"
    return f"{how} group {name} (LIST) {{ {leaf(rng, 'repeated', 'array')} }}"


def write(path, plan, rng):
    depth = {"nested": 2, "deep": 3}.get(plan["shape"], 0)
    fields = [node(rng, rng.choice(("optional", "optional", "optional", "required")), f"c{i}", depth, True) for i in range(1 + rng.randrange(6))]
    line = {**plan, "file": path, "seed": rng.randrange(2**40), "schema": f"message m {{ {' '.join(fields)} }}"}
    with open(pathlib.Path(path).parent / "plans", "a") as out:
        out.write("\t".join(f"{key}={value}" for key, value in line.items()) + "\n")
