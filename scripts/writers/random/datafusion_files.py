"""Random files by DataFusion."""

import datafusion
import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.large_string(), pa.string_view(), pa.binary(1), pa.binary(16), pa.date32(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"),
    *[pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC")], pa.duration("us"),
    pa.decimal128(1, 0), pa.decimal128(9, 2), pa.decimal128(18, 4), pa.decimal128(38, 20), pa.decimal256(76, 38), pa.dictionary(pa.int32(), pa.string()), pa.null(),
]
FEATURES = {
    **tables.FEATURES,
    "compression": ["uncompressed", "snappy", "gzip(6)", "brotli(5)", "lz4", "lz4_raw", "zstd(3)"],
    "writer_version": ["1.0", "2.0"],
    "max_row_group_size": [None, 60],
    "data_page_row_count_limit": [None, 20],
    "data_pagesize_limit": [None, 64],
    "dictionary_enabled": [None, "true", "false"],
    "dictionary_page_size_limit": [None, 64],
    "encoding": [None, "plain", "delta_binary_packed", "delta_length_byte_array", "delta_byte_array", "byte_stream_split"],
    "statistics_enabled": [None, "none", "chunk", "page"],
    "statistics_truncate_length": [None, 5],
    "column_index_truncate_length": [None, 3],
    "bloom_filter_on_write": [None, "true"],
    "bloom_filter_ndv": [None, 3],
    "skip_arrow_metadata": [None, "true"],
}


def legal(plan):
    return (plan["encoding"] is None) or plan["dictionary_enabled"] == "false"


def suits(encoding, kind):
    """Returns true if arrow-rs can write this Arrow type with that encoding."""
    t = pa.types
    wide = t.is_integer(kind) or t.is_timestamp(kind) or t.is_time(kind) or t.is_date(kind)
    texts = t.is_string(kind) or t.is_large_string(kind) or t.is_binary(kind) or t.is_string_view(kind)
    if encoding == "delta_binary_packed":
        return wide
    if encoding in ("delta_length_byte_array", "delta_byte_array"):
        return texts
    if encoding == "byte_stream_split":
        return wide or t.is_float32(kind) or t.is_float64(kind)
    return True


def write(path, plan, rng):
    nests = ("list", "large_list", "fixed_list", "struct", "map")
    table, _ = tables.Tables(rng, plan, [kind for kind in LEAVES if suits(plan["encoding"], kind)], nests).table()
    config = datafusion.SessionConfig().with_target_partitions(1).set("datafusion.execution.parquet.allow_single_file_parallelism", "false")
    if plan["data_page_row_count_limit"] or plan["data_pagesize_limit"]:
        config = config.set("datafusion.execution.parquet.write_batch_size", "10")
    context = datafusion.SessionContext(config)
    context.register_record_batches("t", [table.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]])
    options = {key: plan[key] for key in FEATURES if key not in tables.FEATURES and plan[key] is not None}
    shown = ", ".join(f"'format.{key}' '{value}'" for key, value in options.items())
    context.sql(f"copy (select * from t) to '{path}' stored as parquet" + (f" options ({shown})" if shown else "")).collect()
