"""Random files by DuckDB."""

import duckdb
import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.date32(), pa.time64("us"), pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("us", "UTC"),
    pa.decimal128(1, 0), pa.decimal128(4, 2), pa.decimal128(9, 2), pa.decimal128(18, 4), pa.decimal128(19, 0), pa.decimal128(38, 20), pa.uuid(),
    pa.dictionary(pa.uint8(), pa.string()), pa.null(),
]
FEATURES = {
    **tables.FEATURES,
    "rows": [0, 1, 2, 37, 150, 400, 2500],
    "codec": ["uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4", "lz4_raw"],
    "parquet_version": ["v1", "v2"],
    "row_group_size": [None, 2048],
    "dictionary_size_limit": [None, 1, 20, 1000],
    "string_dictionary_page_size_limit": [None, 1, 300],
    "bloom_filter_false_positive_ratio": [None, 0.05],
    "write_bloom_filter": [None, False],
    "data_page_size_limit": [None, 512, 4096],
    "write_timestamp_as_int96": [None, None, True],
    "timestamp_is_adjusted_to_utc": [None, True],
    "geoparquet_version": [None, "'NONE'"],
    "more": [None, None, "interval", "time_tz", "hugeint", "uhugeint", "bit", "json", "enum"],
}
MORE = {
    "interval": "case when i % 3 = 0 then null else to_months(i::int) + to_days((i % 40)::int) + to_milliseconds(i) end",
    "time_tz": "case when i % 3 = 0 then null else '11:12:13+02'::timetz end",
    "hugeint": "case when i % 3 = 0 then -170141183460469231731687303715884105727::hugeint else i end",
    "uhugeint": "(i * 123456789012345678901)::uhugeint",
    "bit": "case when i % 3 = 0 then null else '10101'::bit end",
    "json": "case when i % 3 = 0 then null else '{\"a\": [1, null]}'::json end",
    "enum": "case when i % 3 = 0 then null else (['sad', 'ok', 'happy'])[i % 3 + 1]::enum('sad', 'ok', 'happy') end",
}


def legal(plan):
    return plan["rows"] <= 400 or plan["shape"] in ("flat", "numbers", "texts") and plan["values"] in ("few", "runs", "constant")


def write(path, plan, rng):
    table, _ = tables.Tables(rng, plan, LEAVES, ("list", "large_list", "fixed_list", "struct", "map")).table()
    options = {key: plan[key] for key in FEATURES if key not in (*tables.FEATURES, "more") and plan[key] is not None}
    database = duckdb.connect()
    for setting in ("threads = 1", "preserve_insertion_order = true", "TimeZone = 'UTC'"):
        database.execute(f"set {setting}")
    more = f", {MORE[plan['more']]} as more" if plan["more"] else ""
    database.register("t", table)
    shown = "".join(f", {name} {str(value).lower() if isinstance(value, bool) else value}" for name, value in options.items())
    database.execute(f"copy (select * exclude (i){more} from (select *, row_number() over () as i from t)) to '{path}' (format parquet{shown})")
