"""Random files by Polars."""

import polars as pl
import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.date32(), pa.time64("ns"), *[pa.timestamp(unit, zone) for unit in ("ms", "us", "ns") for zone in (None, "UTC")],
    pa.duration("us"), pa.decimal128(1, 0), pa.decimal128(9, 2), pa.decimal128(18, 4), pa.decimal128(38, 20), pa.dictionary(pa.uint32(), pa.large_string()), pa.null(),
]
FEATURES = {
    **tables.FEATURES,
    "compression": ["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"],
    "statistics": [True, "full", False, {"min": True, "max": False, "null_count": True, "distinct_count": True}],
    "row_group_size": [None, 60],
    "data_page_size": [None, 64, 512],
    "metadata": [None, {"note": "größe"}],
}


def write(path, plan, rng):
    table, _ = tables.Tables(rng, plan, LEAVES, ("list", "large_list", "fixed_list", "struct")).table()
    pl.from_arrow(table).write_parquet(path, **{key: plan[key] for key in ("compression", "statistics", "row_group_size", "data_page_size", "metadata")})
