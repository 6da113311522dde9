"""Random files by fastparquet."""

import fastparquet
import numpy
import pandas
import pyarrow as pa
import tables

LEAVES = [
    pa.bool_(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float32(), pa.float64(),
    pa.string(), pa.binary(), pa.binary(5), pa.timestamp("ms"), pa.timestamp("us"), pa.timestamp("ns"), pa.timestamp("us", "UTC"), pa.duration("us"),
    pa.dictionary(pa.int8(), pa.string()),
]
FEATURES = {
    **tables.FEATURES,
    "shape": ["flat", "numbers", "texts"],
    "compression": [None, "SNAPPY", "GZIP", "BROTLI", "LZ4", "LZ4_RAW", "ZSTD"],
    "stats": [True, False, "auto"],
    "has_nulls": [True, False, "infer"],
    "row_groups": [1, 3],
    "times": ["int64", "int96"],
    "write_index": [False, True],
    "nullable": [False, True],
}
NULLABLE = {"int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "uint8": "UInt8", "uint16": "UInt16", "uint32": "UInt32", "uint64": "UInt64", "bool": "boolean"}


def legal(plan):
    return plan["has_nulls"] is not False or plan["nulls"] == "none"


def column(array, plan):
    """A pandas column; numbers with nulls become nullable numbers or floats."""
    kind = array.type
    if str(kind) in NULLABLE and (plan["nullable"] or array.null_count):
        return pandas.Series(array.to_pylist(), dtype=NULLABLE[str(kind)])
    if pa.types.is_string(kind) or pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return pandas.Series(array.to_pylist(), dtype=object)
    if pa.types.is_dictionary(kind):
        return pandas.Series(pandas.Categorical(array.to_pylist()))
    if pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        code = f"{'datetime' if pa.types.is_timestamp(kind) else 'timedelta'}64[{kind.unit}]"
        numbers = [-(2**63) if v is None else v for v in array.cast(pa.int64()).to_pylist()]
        series = pandas.Series(numpy.array(numbers, dtype="int64").view(code))
        return series.dt.tz_localize("UTC") if getattr(kind, "tz", None) else series
    return array.to_pandas()


def write(path, plan, rng):
    table, _ = tables.Tables(rng, plan, LEAVES, ()).table()
    arrays = {name: table.column(name).combine_chunks() for name in table.column_names}
    frame = pandas.DataFrame({name: column(array, plan) for name, array in arrays.items()})
    encodings = {name: "utf8" if pa.types.is_string(array.type) else "bytes" if pa.types.is_binary(array.type) or pa.types.is_fixed_size_binary(array.type) else None
                 for name, array in arrays.items()}
    options = {key: plan[key] for key in ("compression", "stats", "has_nulls", "times", "write_index")}
    if plan["row_groups"] > 1 and len(frame):
        options["row_group_offsets"] = max(1, len(frame) // plan["row_groups"])
    fixed = {name: 5 for name, array in arrays.items() if pa.types.is_fixed_size_binary(array.type) and not array.null_count}
    fastparquet.write(path, frame, object_encoding={name: how for name, how in encodings.items() if how}, fixed_text=fixed or None, **options)
