"""Random files by ClickHouse, run in process."""

import pathlib

import chdb
import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(5), pa.date32(), pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("us", "UTC"),
    pa.decimal128(1, 0), pa.decimal128(9, 2), pa.decimal128(18, 4), pa.decimal128(38, 20), pa.decimal256(76, 38), pa.dictionary(pa.int8(), pa.string()),
]
FEATURES = {
    **tables.FEATURES,
    "shape": ["flat", "flat", "numbers", "texts", "nested", "deep", "own"],
    "compression_method": ["none", "snappy", "lz4", "brotli", "zstd", "gzip"],
    "use_custom_encoder": [1, 1, 1, 0],
    "max_dictionary_size": [None, 0, 40],
    "data_page_size": [None, 64, 512],
    "batch_size": [None, 16],
    "row_group_size": [None, 60],
    "write_page_index": [1, 0],
    "write_bloom_filter": [1, 0],
    "bloom_filter_bits_per_value": [None, 3.0],
    "bloom_filter_flush_threshold_bytes": [None, 0],
    "write_checksums": [1, 0],
    "version": ["2.latest", "1.0", "2.4", "2.6"],
    "string_as_string": [1, 0],
    "fixed_string_as_fixed_byte_array": [1, 0],
    "datetime_as_uint32": [0, 0, 1],
    "compliant_nested_types": [1, 0],
}
OWN = [
    "toUUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8')", "CAST(number % 3, 'Enum8(\\'sad\\' = 0, \\'ok\\' = 1, \\'happy\\' = 2)')", "toIPv4(number * 16843009 % 4294967296)",
    "toIPv6('2001:db8::' || hex(number % 9))", "toInt128(number) - 7", "toUInt256(number) * 3", "toLowCardinality(toString(number % 4))", "toDate(number * 331 % 60000)",
    "if(number % 3 = 0, null, toDate32('1900-01-01') + number)", "map('k', number, 'l', number * 2)", "mapFromArrays(range(number % 3), range(number % 3))",
    "arrayMap(x -> if(x % 3 = 0, null, x), range(number % 5))", "arrayMap(x -> range(x), range(number % 4))",
    "tuple(toInt32(number), if(number % 2 = 0, null, 'x'))::Tuple(x Int32, label Nullable(String))", "if(number % 2 = 0, null, number / 7)",
    "arrayMap(x -> tuple(x, toString(x)), range(number % 3))::Array(Tuple(a UInt8, b String))", "if(number % 5 = 0, nan, -0.0)", "if(number % 4 = 0, null, repeat('é', number % 99))",
    "toDateTime64('2299-12-31 23:59:59.999999', 6, 'UTC')", "if(number % 3 = 1, null, toFixedString(leftPad(toString(number % 7), 3, 'x'), 3))",
    "toLowCardinality(if(number % 3 = 0, null, toString(number % 9)))", "[]::Array(Nullable(Int32))", "if(number % 2, null, toDecimal64(number, 3))", "toUInt64(18446744073709551615 - number)",
]
ENGINE = {"parallel_encoding": 0, "max_threads": 1}


def legal(plan):
    return plan["shape"] == "own" or plan["version"] != "1.0" or plan["use_custom_encoder"] == 1


def write(path, plan, rng):
    options = {key: plan[key] for key in FEATURES if key not in tables.FEATURES and plan[key] is not None}
    shown = ", ".join(f"{'' if key == 'max_threads' else 'output_format_parquet_'}{key} = {value!r}" for key, value in {**ENGINE, **options}.items())
    if plan["row_group_size"]:
        shown += ", max_block_size = 60"
    if plan["shape"] == "own":
        columns = ", ".join(f"{sql} as c{i}" for i, sql in enumerate(rng.sample(OWN, 6)))
        source = f"select {columns} from numbers({plan['rows']})"
    else:
        table, _ = tables.Tables(rng, plan, LEAVES, ("list", "struct", "map")).table()
        with pa.OSFile(path + ".arrow", "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        source = f"select * from file('{path}.arrow', 'Arrow')"
    try:
        body = bytes(chdb.query(f"{source} settings {shown}", "Parquet").bytes())
    finally:
        pathlib.Path(path + ".arrow").unlink(missing_ok=True)
    with open(path, "wb") as out:
        out.write(body)
