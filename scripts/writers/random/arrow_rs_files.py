"""Random files by arrow-rs: the rows as Arrow files and the settings as JSON, from which arrow-rs/random.rs makes the files."""

import json

import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.large_string(), pa.large_binary(), pa.binary(1), pa.binary(5), pa.binary(16), pa.date32(), pa.date64(), pa.time32("s"),
    pa.time32("ms"), pa.time64("us"), pa.time64("ns"), *[pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC")], pa.duration("us"),
    pa.decimal32(7, 2), pa.decimal64(15, 2), pa.decimal128(1, 0), pa.decimal128(9, 2), pa.decimal128(18, 4), pa.decimal128(38, 20), pa.decimal256(76, 38),
    pa.dictionary(pa.int32(), pa.string()), pa.null(),
]
WRITER = "arrow-rs"  # whose program makes the files
FEATURES = {
    **tables.FEATURES,
    "writer_version": [1, 2],
    "compression": ["none", "snappy", "gzip", "brotli", "lz4", "lz4_raw", "zstd"],
    "encoding": ["dictionary", "fallback", "plain", "delta", "delta_byte_array", "split", "alp", "rle"],
    "page_rows": [None, 20],
    "page_bytes": [None, 64],
    "row_group_rows": [None, 60],
    "statistics": ["page", "page", "chunk", "none"],
    "truncate": [False, True],
    "page_header_statistics": [False, True],
    "distinct": [False, True],
    "coerce_types": [False, True],
    "bloom": [None, "small", "exact"],
    "bloom_position": ["after", "end"],
    "bloom_dictionary": [False, True],
}


def leaf_count(kind):
    return sum(leaf_count(kind.field(i).type) for i in range(kind.num_fields)) if kind.num_fields else 1


def write(path, plan, rng):
    table, order = tables.Tables(rng, plan, LEAVES, ("list", "large_list", "fixed_list", "struct", "map")).table()
    before = [sum(leaf_count(kind) for kind in table.schema.types[:i]) for i in range(table.num_columns)]
    stem = path.removesuffix(".parquet")
    with pa.OSFile(stem + ".arrow", "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    with open(stem + ".json", "w") as out:
        json.dump({**plan, "order": [[before[i], down, first] for i, down, first in order]}, out)
