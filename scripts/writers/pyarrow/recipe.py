"""Files by pyarrow (Arrow C++). One recipe for every version: unsupported features of a version are left out."""

import datetime
import inspect

import data
import pyarrow as pa
import pyarrow.parquet as pq
import recipes
from recipes import file

KNOWN = set(inspect.signature(pq.ParquetWriter.__init__).parameters)
CODECS = [codec for codec in ("none", "snappy", "gzip", "brotli", "zstd", "lz4") if codec == "none" or pa.Codec.is_available(codec)]


def flat(n, nulls=True):
    """One column of every ordinary Arrow type."""

    def values(f, *args):
        return data.column(n, f, *args, nulls=nulls)

    columns = {
        "bool": (pa.bool_(), values(lambda i: data.mix(i, 1) % 2 == 0)),
        "i8": (pa.int8(), values(data.signed, 8)),
        "u8": (pa.uint8(), values(data.unsigned, 8)),
        "i16": (pa.int16(), values(data.signed, 16)),
        "u16": (pa.uint16(), values(data.unsigned, 16)),
        "i32": (pa.int32(), values(data.signed, 32)),
        "u32": (pa.uint32(), values(data.unsigned, 32)),
        "i64": (pa.int64(), values(data.signed, 64)),
        "u64": (pa.uint64(), values(data.unsigned, 64)),
        "f32": (pa.float32(), values(data.real32)),
        "f64": (pa.float64(), values(data.real64)),
        "text": (pa.string(), values(data.text)),
        "blob": (pa.binary(), values(data.blob)),
        "fixed": (pa.binary(5), values(data.fixed, 5)),
    }
    return table(columns)


def table(columns):
    """A table from {name: (type, values)}; a name that ends in '!' is not nullable."""
    fields = [pa.field(name.rstrip("!"), kind, nullable=not name.endswith("!")) for name, (kind, _) in columns.items()]
    arrays = [pa.array(values, kind) for kind, values in columns.values()]
    return pa.table(arrays, schema=pa.schema(fields))


def nested(n):
    """Structs, lists, maps and their mixtures."""
    point = pa.struct([("x", pa.int32()), ("y", pa.float64()), ("label", pa.string())])
    return table({
        "id!": (pa.int64(), list(range(n))),
        "point": (point, [data.point(i) for i in range(n)]),
        "numbers": (pa.list_(pa.int64()), [data.numbers(i) for i in range(n)]),
        "matrix": (pa.list_(pa.list_(pa.int32())), [data.matrix(i) for i in range(n)]),
        "points": (pa.list_(point), [data.points(i) for i in range(n)]),
        "pairs": (pa.map_(pa.string(), pa.int32()), [data.pairs(i) for i in range(n)]),
        "deep": (
            pa.struct([("id", pa.int32()), ("items", pa.list_(pa.struct([("tags", pa.list_(pa.string()))])))]),
            [data.deep(i) for i in range(n)],
        ),
    })


def few(n):
    """Three columns, for the many small files that differ in one setting."""
    return table({
        "key!": (pa.string(), [data.key(i) for i in range(n)]),
        "count": (pa.int32(), data.column(n, lambda i: data.mix(i, 2) % 9)),
        "price": (pa.float64(), data.column(n, data.price)),
    })


def times(n, units=("ms", "us", "ns")):
    """Dates, times and timestamps in every unit."""
    micros = {"s": 1_000_000, "ms": 1000, "us": 1, "ns": 1}
    columns = {"date32": (pa.date32(), data.column(n, data.date)), "date64": (pa.date64(), data.column(n, data.date))}
    for unit in units:
        time = pa.time32(unit) if unit in ("s", "ms") else pa.time64(unit)
        columns[f"time_{unit}"] = (time, data.column(n, data.time, micros[unit]))
        columns[f"local_{unit}"] = (pa.timestamp(unit), data.column(n, data.moment, micros[unit]))
        columns[f"utc_{unit}"] = (pa.timestamp(unit, "UTC"), data.column(n, data.moment, micros[unit]))
    return table(columns)


def decimals(n):
    """Decimals of every width class."""
    return table({
        f"d{precision}_{scale}": (kind(precision, scale), data.column(n, data.number, precision, scale))
        for kind, precision, scale in (
            (pa.decimal128, 1, 0), (pa.decimal128, 9, 2), (pa.decimal128, 10, 10), (pa.decimal128, 18, 4),
            (pa.decimal128, 19, 0), (pa.decimal128, 38, 20), (pa.decimal256, 39, 3), (pa.decimal256, 76, 38),
        )
    })


def write(name, rows, **settings):
    """Registers a file of that table, written with those settings, unless this version lacks one of them."""
    options = {"compression": "none", **{k: v for k, v in settings.items() if k not in ("row_group_size", "data_page_size")}}
    if set(options) - KNOWN:
        return
    shown = {k: [str(c) for c in v] if k == "sorting_columns" else v for k, v in settings.items()}
    file(name, **shown)(lambda path: pq.write_table(rows(), path, **{**options, **settings}))


write("default-flat", lambda: flat(60), compression="snappy")
write("default-nested", lambda: nested(40), compression="snappy")
write("required-flat", lambda: pa.table(flat(30, False).columns, schema=pa.schema(
    [field.with_nullable(False) for field in flat(1).schema])))
write("v2-flat", lambda: flat(60), data_page_version="2.0")
write("v2-nested", lambda: nested(40), data_page_version="2.0", compression="zstd")
write("format-1.0", lambda: flat(20), version="1.0")
write("format-2.4", lambda: times(20), version="2.4")
write("format-2.6", lambda: times(20), version="2.6")
write("int96", lambda: times(20), use_deprecated_int96_timestamps=True)
write("spark-flavor", lambda: flat(20), flavor="spark")
write("decimals", lambda: decimals(30))
write("decimals-as-integers", lambda: decimals(30), store_decimal_as_integer=True, write_page_index=True)
write("lists-item", lambda: nested(25), use_compliant_nested_type=False)
write("lists-element", lambda: nested(25), use_compliant_nested_type=True, data_page_version="2.0")

for codec in CODECS:
    for version in ("1.0", "2.0"):
        write(f"codec-{codec}-v{version[0]}", lambda: few(120), compression=codec, data_page_version=version)
write("codec-mixed", lambda: few(60), compression={"key": "zstd", "count": "none", "price": "gzip"})
write("codec-levels", lambda: few(200), compression={"key": "zstd", "count": "brotli", "price": "gzip"},
      compression_level={"key": 19, "count": 11, "price": 9})
write("codec-incompressible-v2", lambda: table({"noise": (pa.binary(16), data.column(60, data.fixed, 16))}),
      compression="snappy", data_page_version="2.0")

NUMBERS = {
    "i32": lambda n: (pa.int32(), data.column(n, data.signed, 32)),
    "i64": lambda n: (pa.int64(), data.column(n, data.signed, 64)),
    "steps": lambda n: (pa.int64(), [1_700_000_000_000 + 1000 * i + data.mix(i, 80) % 7 for i in range(n)]),
}
TEXTS = {
    "key": lambda n: (pa.string(), [data.key(i) for i in range(n)]),
    "text": lambda n: (pa.string(), data.column(n, data.text)),
    "blob": lambda n: (pa.binary(), data.column(n, data.blob)),
}
FIXED = {"fixed": lambda n: (pa.binary(7), data.column(n, data.fixed, 7))}
REALS = {
    "f32": lambda n: (pa.float32(), data.column(n, data.real32)),
    "f64": lambda n: (pa.float64(), data.column(n, data.real64)),
}
OLD = int(pa.__version__.split(".")[0]) < 20
ENCODINGS = {"PLAIN": {**NUMBERS, **TEXTS, **FIXED, **REALS}, "BYTE_STREAM_SPLIT": REALS}
if not OLD:
    ENCODINGS |= {
        "DELTA_BINARY_PACKED": NUMBERS,
        "DELTA_LENGTH_BYTE_ARRAY": TEXTS,
        "DELTA_BYTE_ARRAY": {**TEXTS, **FIXED},
        "BYTE_STREAM_SPLIT": {**NUMBERS, **FIXED, **REALS},
    }
for encoding, kinds in ENCODINGS.items():
    for version in ("1.0", "2.0"):
        for n in (60,) if version == "1.0" else (1, 60 if encoding == "PLAIN" else 300):
            write(f"{encoding.lower().replace('_', '-')}-v{version[0]}-{n}",
                  lambda kinds=kinds, n=n: table({name: make(n) for name, make in kinds.items()}),
                  use_dictionary=False, column_encoding=encoding, data_page_version=version)
write("rle-boolean-v2", lambda: table({
    "noise": (pa.bool_(), data.column(500, lambda i: data.mix(i, 1) % 2 == 0)),
    "runs": (pa.bool_(), [i // 90 % 2 == 0 for i in range(500)]),
}), data_page_version="2.0")

write("several-pages-v1", lambda: few(500), data_page_size=512, write_batch_size=64, compression="snappy")
write("several-pages-v2", lambda: few(500), data_page_size=512, write_batch_size=64, data_page_version="2.0", compression="zstd")
write("several-pages-nested-v1", lambda: nested(120), data_page_size=256, write_batch_size=16)
write("several-pages-nested-v2", lambda: nested(120), data_page_size=256, write_batch_size=16, data_page_version="2.0")
write("dictionary-falls-back", lambda: few(300), dictionary_pagesize_limit=400, data_page_size=2048, write_batch_size=64)
write("dictionary-of-one", lambda: table({"same": (pa.string(), ["alpha"] * 100), "maybe": (pa.int64(), data.column(100, lambda i: 7))}))
write("dictionary-off", lambda: flat(40), use_dictionary=False)
write("statistics-off", lambda: few(40), write_statistics=False)
write("several-row-groups", lambda: few(200), row_group_size=64, compression="snappy")
write("several-row-groups-nested", lambda: nested(50), row_group_size=20, data_page_version="2.0")

# The richest settings: page index, checksums, sorting columns, bloom filters, decimals as integers.
write("page-index-flat", lambda: flat(50), write_page_index=True)
write("page-index-several-pages", lambda: few(500), write_page_index=True, data_page_size=512, write_batch_size=64)
write("page-index-nested-several-pages", lambda: nested(120), write_page_index=True, data_page_size=256, write_batch_size=16)
write("page-index-several-row-groups", lambda: few(300), write_page_index=True, row_group_size=100, data_page_version="2.0")
write("checksums-v1", lambda: few(300), write_page_checksum=True, compression="gzip", data_page_size=512, write_batch_size=64)
write("checksums-v2", lambda: nested(60), write_page_checksum=True, compression="zstd", data_page_version="2.0")
write("byte-stream-split-dictionary-first", lambda: few(40), use_byte_stream_split=True)
write("no-arrow-schema", lambda: flat(20), store_schema=False)
write("rows-per-page", lambda: few(100), max_rows_per_page=17, write_page_index=True)
write("content-defined-chunks", lambda: few(400), write_page_index=True,
      use_content_defined_chunking={"min_chunk_size": 512, "max_chunk_size": 2048})
write("bloom-filters", lambda: few(200), bloom_filter_options={"key": {"ndv": 200, "fpp": 0.05}, "price": {"ndv": 100, "fpp": 0.01}})
write("bloom-filters-several-row-groups", lambda: flat(90), row_group_size=40, write_page_index=True, bloom_filter_options={
    name: {"ndv": 40, "fpp": 0.1} for name in ("i8", "i32", "u64", "f32", "f64", "text", "blob", "fixed")})
write("time-utc", lambda: times(15), write_time_adjusted_to_utc=True)
if "sorting_columns" in KNOWN:
    write("richest", lambda: few(900), sorting_columns=[pq.SortingColumn(0), pq.SortingColumn(2, descending=True, nulls_first=True)],
          write_page_index=True, write_page_checksum=True, data_page_version="2.0", data_page_size=1024, write_batch_size=64,
          compression="zstd", row_group_size=400, bloom_filter_options={"key": {"ndv": 400, "fpp": 0.1}, "count": {"ndv": 9}})

write("zero-rows", lambda: flat(0))
write("zero-rows-page-index", lambda: nested(0), write_page_index=True)
write("all-null", lambda: table({
    **{name: (column.type, [None] * 20) for name, column in zip(flat(1).column_names, flat(1).columns)}, "null": (pa.null(), [None] * 20)}))
write("all-null-v2-page-index", lambda: table({
    **{name: (column.type, [None] * 20) for name, column in zip(flat(1).column_names, flat(1).columns)}, "null": (pa.null(), [None] * 20)}),
    data_page_version="2.0", write_page_index=True, compression="snappy")
write("null-pages", lambda: table({
    "sometimes": (pa.int32(), [None if i // 40 % 2 else i for i in range(240)]),
    "text": (pa.string(), [None if i // 40 % 3 == 1 else "" if i // 40 % 3 else "word" for i in range(240)]),
}), write_page_index=True, data_page_size=64, write_batch_size=40, use_dictionary=False)
NAN = float("nan")
write("nan", lambda: table({
    "some": (pa.float64(), [NAN if i % 3 else i * 1.5 for i in range(24)]),
    "all": (pa.float32(), [NAN] * 24),
    "zeros": (pa.float64(), [0.0, -0.0, None] * 8),
    "half": (pa.float32(), [None if i % 2 else NAN for i in range(24)]),
    "endless": (pa.float64(), [float("inf"), float("-inf"), NAN] * 8),
}), **({} if OLD else {"write_page_index": True}))
write("empty-strings", lambda: table({
    "empty!": (pa.string(), [""] * 30),
    "blob": (pa.binary(), data.column(30, lambda i: b"")),
    "first": (pa.string(), [""] + [data.text(i) for i in range(29)]),
}))
if not OLD:
    write("empty-strings-delta", lambda: table({
        "empty!": (pa.string(), [""] * 30),
        "blob": (pa.binary(), data.column(30, lambda i: b"")),
    }), use_dictionary=False, column_encoding="DELTA_LENGTH_BYTE_ARRAY")
write("long-values", lambda: table({"text": (pa.string(), ["é" * 700, "x" * 1500, "", None, "é" * 699 + "z"])}),
      **({} if OLD else {"write_page_index": True}))
write("one-row", lambda: table({"a!": (pa.int32(), [42])}))
write("boundaries", lambda: table({
    "up!": (pa.int32(), list(range(200))), "down!": (pa.int32(), list(range(200, 0, -1))), "same!": (pa.int32(), [5] * 200),
    "mixed!": (pa.int32(), [data.signed(i, 32) for i in range(200)]), "unsigned!": (pa.uint32(), [2**31 + i * 7919 % 500 for i in range(200)]),
}), use_dictionary=False, data_page_size=128, write_batch_size=32, **({} if OLD else {"write_page_index": True}))
write("other-types", lambda: table({
    "large_text": (pa.large_string(), data.column(20, data.text)),
    "large_blob": (pa.large_binary(), data.column(20, data.blob)),
    "large_list": (pa.large_list(pa.int16()), [data.numbers(i) for i in range(20)]),
    "triple": (pa.list_(pa.float32(), 3), [None if i % 4 == 3 and not OLD else [i, None, -i] for i in range(20)]),
    "words": (pa.dictionary(pa.int8(), pa.string()), data.column(20, data.text)),
    "span": (pa.duration("us"), data.column(20, lambda i: datetime.timedelta(microseconds=data.signed(i + 2, 40)))),
}))


@file("no-row-groups")
def no_row_groups(path):
    pq.ParquetWriter(path, flat(0).schema, compression="none").close()


@file("no-columns")
def no_columns(path):
    pq.write_table(pa.table({"a": [1, 2]}).select([]), path)


@file("row-groups-some-empty")
def row_groups_some_empty(path):
    with pq.ParquetWriter(path, few(1).schema, compression="snappy") as writer:
        for n in (0, 3, 0, 2):
            writer.write_table(few(n))


@file("key-value-metadata")
def key_value_metadata(path):
    rows = few(3).replace_schema_metadata({"": "empty key", "note": "größe 日本", "blank": ""})
    pq.write_table(rows, path, compression="none")


@file("field-ids")
def field_ids(path):
    fields = [pa.field("a", pa.int32(), metadata={"PARQUET:field_id": "7"}), pa.field("b", pa.string(), metadata={"PARQUET:field_id": "-3"})]
    pq.write_table(pa.table([[1, 2], ["x", None]], schema=pa.schema(fields)), path, compression="none")


@file("odd-names")
def odd_names(path):
    pq.write_table(pa.table([[1], [2], [3], [4]], names=["a.b", "", "a.b", "日本 \n"]), path, compression="none")


if not OLD:
    write("float16", lambda: table({
        "half": (pa.float16(), [0.0, -0.0, float("inf"), NAN, None, 1.5, -65504.0]),
        "nan": (pa.float16(), [NAN] * 7),
        "split!": (pa.float16(), [float(i) for i in range(7)]),
    }), write_page_index=True)
    write("canonical-extensions", lambda: table({
        "uuid": (pa.uuid(), [data.sparse(data.guid(i).bytes, i) for i in range(20)]),
        "json": (pa.json_(), [data.sparse('{"a": %d}' % i, i) for i in range(20)]),
        "small": (pa.decimal32(7, 2), data.column(20, data.number, 7, 2)),
        "medium": (pa.decimal64(15, 2), data.column(20, data.number, 15, 2)),
        "view": (pa.string_view(), data.column(20, data.text)),
    }), write_page_index=True, store_decimal_as_integer=True)

    def encryption(path, **settings):
        """Writes with modular encryption; the keys are in the manifest's settings."""
        import base64
        import pyarrow.parquet.encryption as pe

        class Plain(pe.KmsClient):
            """Wraps a key by naming it, so that the file can be read with the keys."""

            def __init__(self, _):
                super().__init__()

            def wrap_key(self, key, name):
                return base64.b64encode(f"{name}:".encode() + key)

            def unwrap_key(self, wrapped, name):
                return base64.b64decode(wrapped)[len(name) + 1 :]

        properties = pe.CryptoFactory(Plain).file_encryption_properties(
            pe.KmsConnectionConfig(), pe.EncryptionConfiguration(footer_key="footer", double_wrapping=False, **settings))
        pq.write_table(few(30), path, compression="none", encryption_properties=properties)

    @file("encrypted-footer", random=True, keys="data keys are in the key metadata as base64 of NAME:KEY")
    def encrypted_footer(path):
        encryption(path, column_keys={"column": ["price"]})

    @file("encrypted-columns", random=True, plaintext_footer=True, keys="data keys are in the key metadata as base64 of NAME:KEY")
    def encrypted_columns(path):
        encryption(path, column_keys={"column": ["price"]}, plaintext_footer=True)

    @file("encrypted-ctr", random=True, plaintext_footer=True, algorithm="AES_GCM_CTR_V1", keys="data keys are in the key metadata as base64 of NAME:KEY")
    def encrypted_ctr(path):
        encryption(path, column_keys={"column": ["price", "count"]}, plaintext_footer=True, encryption_algorithm="AES_GCM_CTR_V1")


recipes.main(pa.__version__)
