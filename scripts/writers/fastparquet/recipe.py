"""Files by fastparquet."""

import data
import fastparquet
import numpy
import pandas
import recipes
from recipes import file

NUMBERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


def flat(n):
    """Numbers without nulls, nullable numbers, text, bytes, booleans, floats."""
    columns = {kind: pandas.Series([(data.unsigned if kind[0] == "u" else data.signed)(i, int(kind.strip("uint"))) for i in range(n)], dtype=kind)
               for kind in NUMBERS}
    columns["maybe"] = pandas.Series(data.column(n, data.signed, 32), dtype="Int32")
    columns["flag"] = pandas.Series([data.mix(i, 1) % 2 == 0 for i in range(n)], dtype=bool)
    columns["perhaps"] = pandas.Series(data.column(n, lambda i: data.mix(i, 1) % 2 == 0), dtype="boolean")
    columns["f32"] = pandas.Series([data.real32(i) for i in range(n)], dtype="float32")
    columns["f64"] = pandas.Series([data.real64(i) for i in range(n)], dtype="float64")
    columns["text"] = pandas.Series(data.column(n, data.text), dtype=object)
    columns["blob"] = pandas.Series([data.blob(i) for i in range(n)], dtype=object)
    return pandas.DataFrame(columns)


def times(n):
    """Timestamps in several units, with and without a zone, and durations."""
    moments = numpy.array([data.moment(i, 1_000_000) for i in range(n)], dtype="datetime64[us]")
    return pandas.DataFrame({
        **{unit: pandas.Series(moments.astype(f"datetime64[{unit}]")) for unit in ("ms", "us", "ns")},
        "utc": pandas.Series(moments).dt.tz_localize("UTC"),
        "hole": pandas.Series(moments).mask(pandas.Series(range(n)) % 3 == 0),
        "span": pandas.Series(numpy.array([data.signed(i + 2, 40) for i in range(n)], dtype="timedelta64[us]")),
    })


def few(n):
    """Three columns, for the many small files that differ in one setting."""
    return pandas.DataFrame({
        "key": pandas.Series([data.key(i) for i in range(n)], dtype=object),
        "count": pandas.Series([data.mix(i, 2) % 9 for i in range(n)], dtype="int32"),
        "price": pandas.Series([float("nan") if i % 4 == 0 else data.price(i) for i in range(n)]),
    })


def write(name, rows, **settings):
    """Registers a file of that data frame, written with those settings."""
    file(name, **settings)(lambda path: fastparquet.write(path, rows(), **settings))


write("default-flat", lambda: flat(60))
write("default-times", lambda: times(20))
write("times-int96", lambda: times(20), times="int96")
for codec in ("UNCOMPRESSED", "SNAPPY", "GZIP", "BROTLI", "LZ4", "LZ4_RAW", "ZSTD"):
    write(f"codec-{codec.lower().replace('_', '-')}", lambda: few(100), compression=codec)
write("codec-mixed", lambda: few(60), compression={"key": "ZSTD", "count": None, "_default": "GZIP"})
write("has-nulls-off", lambda: flat(30).drop(columns=["text", "maybe", "perhaps"]), has_nulls=False)
write("has-nulls-some", lambda: few(30), has_nulls=["price"])
write("statistics-on", lambda: flat(40), stats=True)
write("statistics-off", lambda: few(40), stats=False)
write("several-row-groups", lambda: few(200), row_group_offsets=64)
write("several-row-groups-snappy-statistics", lambda: flat(90), row_group_offsets=[0, 30, 31], compression="SNAPPY", stats=True)
write("fixed-text", lambda: few(30), fixed_text={"key": 29})
write("fixed-blob", lambda: pandas.DataFrame({"blob": pandas.Series([data.fixed(i, 6) for i in range(30)], dtype=object)}), fixed_text={"blob": 6})
write("categories", lambda: pandas.DataFrame({
    "text": pandas.Categorical(data.column(60, data.text)),
    "number": pandas.Categorical([i % 5 * 10 for i in range(60)]),
    "one": pandas.Categorical(["same"] * 60),
}), stats=True)
write("object-encodings", lambda: pandas.DataFrame({
    "json": pandas.Series([{"a": [i, None]} if i % 3 else None for i in range(20)], dtype=object),
    "utf8": pandas.Series([data.text(i) for i in range(20)], dtype=object),
    "bytes": pandas.Series([data.blob(i) for i in range(20)], dtype=object),
    "int": pandas.Series(data.column(20, lambda i: i * 7), dtype=object),
    "bool": pandas.Series(data.column(20, lambda i: i % 2 == 0), dtype=object),
    "decimal": pandas.Series([data.number(i + 2, 9, 2) for i in range(20)], dtype=object),
}), object_encoding={"json": "json", "utf8": "utf8", "bytes": "bytes", "int": "int", "bool": "bool", "decimal": "decimal"})
write("custom-metadata", lambda: few(3), custom_metadata={"note": "größe", "blank": ""})
write("with-index", lambda: few(20).set_index("key"), write_index=True)
write("zero-rows", lambda: flat(0))
write("all-null", lambda: pandas.DataFrame({
    "number": pandas.Series([None] * 20, dtype="Int64"), "text": pandas.Series([None] * 20, dtype=object), "real": [float("nan")] * 20,
}), object_encoding={"text": "utf8"}, stats=True)
write("nan", lambda: pandas.DataFrame({
    "some": [float("nan") if i % 3 else i * 1.5 for i in range(24)], "zeros": [0.0, -0.0] * 12, "endless": [float("inf"), float("-inf")] * 12,
}), has_nulls=False, stats=True)
write("empty-strings", lambda: pandas.DataFrame({"empty": pandas.Series([""] * 30, dtype=object)}), stats=True, object_encoding="utf8")
write("one-row", lambda: pandas.DataFrame({"a": [42]}))
write("several-pages", lambda: few(400))


@file("appended")
def appended(path):
    fastparquet.write(path, few(10))
    fastparquet.write(path, few(5), append=True)


recipes.main(fastparquet.__version__)
