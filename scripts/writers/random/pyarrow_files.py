"""Random files by pyarrow."""

import pyarrow as pa
import pyarrow.parquet as pq
import tables

DECIMALS = [pa.decimal128(1, 0), pa.decimal128(9, 2), pa.decimal128(10, 10), pa.decimal128(18, 4), pa.decimal128(19, 0), pa.decimal128(38, 20),
            pa.decimal256(39, 3), pa.decimal256(76, 38), pa.decimal32(7, 2), pa.decimal64(15, 2)]
LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.large_string(), pa.large_binary(), pa.binary(1), pa.binary(5), pa.binary(16), pa.date32(), pa.date64(), pa.time32("s"),
    pa.time32("ms"), pa.time64("us"), pa.time64("ns"), *[pa.timestamp(unit, zone) for unit in ("ms", "us", "ns") for zone in (None, "UTC")], pa.duration("us"),
    *DECIMALS, pa.dictionary(pa.int32(), pa.string()), pa.null(), pa.uuid(), pa.json_(),
]
ENCODINGS = ("PLAIN", "DELTA", "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT")
FEATURES = {
    **tables.FEATURES,
    "version": ["2.6", "2.6", "2.4", "1.0"],
    "data_page_version": ["1.0", "2.0"],
    "compression": ["none", "snappy", "gzip", "brotli", "zstd", "lz4"],
    "encoding": ["dictionary", "fallback", "default", *ENCODINGS],
    "pages": ["one", "bytes", "rows", "chunked"],
    "row_groups": [1, 3],
    "write_page_index": [False, True],
    "write_page_checksum": [False, True],
    "write_statistics": [True, True, False],
    "bloom": [None, "exact", "small"],
    "use_compliant_nested_type": [True, False],
    "store_schema": [True, False],
    "store_decimal_as_integer": [False, True],
    "write_time_adjusted_to_utc": [False, True],
    "use_deprecated_int96_timestamps": [False, False, True],
}


def legal(plan):
    return not (plan["use_deprecated_int96_timestamps"] and plan["version"] == "1.0")


def encoding_of(kind, policy):
    """The encoding of that policy for a physical type of Parquet, or None."""
    if policy == "PLAIN":
        return "PLAIN"
    if policy == "BYTE_STREAM_SPLIT":
        return policy if kind in ("INT32", "INT64", "FLOAT", "DOUBLE", "FIXED_LEN_BYTE_ARRAY") else None
    if kind in ("INT32", "INT64"):
        return "DELTA_BINARY_PACKED"
    if kind == "BYTE_ARRAY":
        return "DELTA_BYTE_ARRAY" if policy == "DELTA_BYTE_ARRAY" else "DELTA_LENGTH_BYTE_ARRAY"
    return "DELTA_BYTE_ARRAY" if kind == "FIXED_LEN_BYTE_ARRAY" else None


def leaves_of(table, base):
    """The leaves as pyarrow would write them: path and physical type."""
    sink = pa.BufferOutputStream()
    pq.write_table(table.slice(0, 0), sink, **base)
    schema = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return [(schema.column(i).path, schema.column(i).physical_type) for i in range(len(schema))]


def write(path, plan, rng):
    if plan["use_deprecated_int96_timestamps"]:
        leaves = [kind for kind in LEAVES if not pa.types.is_timestamp(kind)] + [pa.timestamp("ns"), pa.timestamp("ns", "UTC")]
    else:
        leaves = LEAVES if plan["version"] == "2.6" else [kind for kind in LEAVES if kind not in (pa.timestamp("ns"), pa.timestamp("ns", "UTC"), pa.time64("ns"))]
    table, order = tables.Tables(rng, plan, leaves, ("list", "large_list", "fixed_list", "struct", "map")).table()
    base = {key: plan[key] for key in ("version", "use_compliant_nested_type", "store_decimal_as_integer", "use_deprecated_int96_timestamps", "write_time_adjusted_to_utc")}
    columns = leaves_of(table, base)
    options = {**base, **{key: plan[key] for key in ("data_page_version", "compression", "write_page_index", "write_page_checksum", "write_statistics", "store_schema")}}
    if plan["encoding"] in ("dictionary", "fallback"):
        options["use_dictionary"] = True
        if plan["encoding"] == "fallback":
            options["dictionary_pagesize_limit"] = 64
    else:
        options["use_dictionary"] = False
        chosen = {path: encoding_of(kind, plan["encoding"]) for path, kind in columns if plan["encoding"] != "default"}
        if any(chosen.values()):
            options["column_encoding"] = {path: encoding for path, encoding in chosen.items() if encoding}
    if plan["pages"] == "bytes":
        options |= {"data_page_size": 128, "write_batch_size": 16}
    elif plan["pages"] == "rows":
        options |= {"max_rows_per_page": 17}
    elif plan["pages"] == "chunked":
        options |= {"use_content_defined_chunking": {"min_chunk_size": 256, "max_chunk_size": 1024}}
    if plan["bloom"]:
        options["bloom_filter_options"] = {path: {"ndv": 200 if plan["bloom"] == "exact" else 3, "fpp": rng.choice((0.01, 0.1, 0.5))}
                                           for path, kind in columns if kind != "BOOLEAN"}
    if order:
        names = [path.split(".")[0] for path, _ in columns]
        options["sorting_columns"] = [pq.SortingColumn(names.index(f"c{i}"), descending=down, nulls_first=first) for i, down, first in order]
    if plan["row_groups"] > 1 and table.num_rows:
        options["row_group_size"] = max(1, table.num_rows // plan["row_groups"])
    pq.write_table(table, path, **options)
