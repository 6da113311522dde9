"""Files by polars. One recipe for every version: unsupported features of a version are left out."""

import datetime

import data
import polars as pl
import recipes
from recipes import file

OLD = pl.__version__.startswith("0.")


def frame(columns):
    """A data frame from {name: (type, values)}."""
    return pl.DataFrame([pl.Series(name, values, dtype=kind) for name, (kind, values) in columns.items()])


def flat(n):
    """One column of every ordinary type."""
    return frame({
        "bool": (pl.Boolean, data.column(n, lambda i: data.mix(i, 1) % 2 == 0)),
        "i8": (pl.Int8, data.column(n, data.signed, 8)),
        "u8": (pl.UInt8, data.column(n, data.unsigned, 8)),
        "i16": (pl.Int16, data.column(n, data.signed, 16)),
        "u16": (pl.UInt16, data.column(n, data.unsigned, 16)),
        "i32": (pl.Int32, data.column(n, data.signed, 32)),
        "u32": (pl.UInt32, data.column(n, data.unsigned, 32)),
        "i64": (pl.Int64, data.column(n, data.signed, 64)),
        "u64": (pl.UInt64, data.column(n, data.unsigned, 64)),
        "f32": (pl.Float32, data.column(n, data.real32)),
        "f64": (pl.Float64, data.column(n, data.real64)),
        "text": (pl.Utf8, data.column(n, data.text)),
        "blob": (pl.Binary, data.column(n, data.blob)),
    })


def times(n):
    """Dates, times, timestamps and durations."""
    rows = frame({
        "date": (pl.Date, data.column(n, data.date)),
        "time": (pl.Time, data.column(n, data.time)),
        **{f"local_{unit}": (pl.Datetime(unit), data.column(n, data.moment, 1000)) for unit in ("ms", "us", "ns")},
        **{f"span_{unit}": (pl.Duration(unit), data.column(n, lambda i: datetime.timedelta(milliseconds=data.signed(i + 2, 30))))
           for unit in ("ms", "us", "ns")},
    })
    return rows if OLD else rows.with_columns(utc=pl.col("local_us").dt.replace_time_zone("UTC"))


def nested(n):
    """Structs and lists; the old version cannot build all of them from Python values."""
    if OLD:
        return pl.DataFrame({
            "id": list(range(n)),
            "numbers": [data.numbers(i) for i in range(n)],
            "point": [{"x": i, "y": data.price(i), "label": data.text(i)} for i in range(n)],
            "words": [[data.text(i + k) for k in range(i % 4)] for i in range(n)],
        })
    point = pl.Struct([pl.Field("x", pl.Int32), pl.Field("y", pl.Float64), pl.Field("label", pl.Utf8)])
    return frame({
        "id": (pl.Int64, list(range(n))),
        "numbers": (pl.List(pl.Int64), [data.numbers(i) for i in range(n)]),
        "matrix": (pl.List(pl.List(pl.Int32)), [data.matrix(i) for i in range(n)]),
        "point": (point, [data.point(i) for i in range(n)]),
        "points": (pl.List(point), [data.points(i) for i in range(n)]),
        "deep": (pl.Struct([pl.Field("id", pl.Int32), pl.Field("items", pl.List(pl.Struct([pl.Field("tags", pl.List(pl.Utf8))])))]),
                 [data.deep(i) for i in range(n)]),
    })


def few(n):
    """Three columns, for the many small files that differ in one setting."""
    return frame({
        "key": (pl.Utf8, [data.key(i) for i in range(n)]),
        "count": (pl.Int32, data.column(n, lambda i: data.mix(i, 2) % 9)),
        "price": (pl.Float64, data.column(n, data.price)),
    })


def write(name, rows, **settings):
    """Registers a file of that frame, written with those settings."""
    file(name, **{k: v for k, v in settings.items() if k != "arrow_schema"})(lambda path: rows().write_parquet(path, **settings))


write("default-flat", lambda: flat(60))
write("default-times", lambda: times(30))
write("default-nested", lambda: nested(40))
write("statistics-full", lambda: flat(60), statistics="full" if not OLD else True)
write("statistics-full-times", lambda: times(30), statistics="full" if not OLD else True)
write("statistics-full-nested", lambda: nested(40), statistics="full" if not OLD else True, compression="uncompressed")
write("statistics-off", lambda: few(40), statistics=False)
for codec in ("uncompressed", "snappy", "gzip", "brotli", "lz4", "zstd"):
    write(f"codec-{codec}", lambda: few(120), compression=codec, statistics=True)
write("several-row-groups", lambda: few(200), row_group_size=64, statistics=True)
write("several-row-groups-nested", lambda: nested(50), row_group_size=20, compression="snappy", statistics=True)
write("zero-rows", lambda: flat(0), statistics=True)
write("zero-rows-nested", lambda: nested(0))
write("all-null", lambda: pl.DataFrame([pl.Series(name, [None] * 20, dtype=kind) for name, kind in flat(1).schema.items()]), statistics=True)
NAN = float("nan")
write("nan", lambda: frame({
    "some": (pl.Float64, [NAN if i % 3 else i * 1.5 for i in range(24)]),
    "all": (pl.Float32, [NAN] * 24),
    "zeros": (pl.Float64, [0.0, -0.0, None] * 8),
    "endless": (pl.Float64, [float("inf"), float("-inf"), NAN] * 8),
}), statistics=True)
write("empty-strings", lambda: frame({
    "empty": (pl.Utf8, [""] * 30),
    "blob": (pl.Binary, data.column(30, lambda i: b"")),
    "first": (pl.Utf8, [""] + [data.text(i) for i in range(29)]),
}), statistics=True)
write("long-values", lambda: frame({"text": (pl.Utf8, ["é" * 700, "x" * 1500, "", None, "é" * 699 + "z"])}), statistics=True)
write("one-row", lambda: frame({"a": (pl.Int32, [42])}), compression="uncompressed")
write("categorical", lambda: pl.DataFrame({"c": pl.Series(data.column(50, data.text)).cast(pl.Categorical)}), statistics=True)

if not OLD:
    write("several-pages", lambda: few(600), data_page_size=1024, statistics="full")
    write("several-pages-nested", lambda: nested(120), data_page_size=256, compression="snappy", statistics="full")
    write("decimals", lambda: frame({
        f"d{p}_{s}": (pl.Decimal(p, s), data.column(30, data.number, p, s)) for p, s in ((1, 0), (9, 2), (18, 4), (19, 0), (38, 20))
    }), statistics="full")
    write("fixed-lists", lambda: frame({
        "triple": (pl.Array(pl.Float32, 3), [None if i % 4 == 3 else [i, None, -i] for i in range(20)]),
        "grid": (pl.Array(pl.Int16, (2, 2)), [[[i, i + 1], [None, i]] for i in range(20)]),
    }))
    write("enum", lambda: frame({"mood": (pl.Enum(["sad", "ok", "happy"]), [("sad", None, "ok", "happy")[i % 4] for i in range(40)])}), statistics="full")
    write("wide-integers", lambda: frame({"i128": (pl.Int128, data.column(20, lambda i: data.signed(i, 128))),
                                           "u128": (pl.UInt128, data.column(20, lambda i: data.unsigned(i, 128)))}), statistics="full")
    write("null-type", lambda: frame({"n": (pl.Null, [None] * 10), "a": (pl.Int8, list(range(10)))}))
    write("metadata", lambda: few(5), metadata={"note": "größe", "blank": ""})
    write("float16", lambda: frame({"half": (pl.Float16, [0.0, -0.0, float("inf"), NAN, None, 1.5, -65504.0])}), statistics="full")
    write("map", lambda: frame({"pairs": (pl.Map(pl.Utf8, pl.Int32), [data.pairs(i) and dict(data.pairs(i)) for i in range(30)])}))
    for name, plaintext in (("encrypted-footer", False), ("encrypted-columns", True)):

        @file(name, random=True, keys="footer 0123456789012345, price 1234567890123450", plaintext_footer=plaintext)
        def encrypted(path, plaintext=plaintext):
            few(30).write_parquet(path, encryption=pl.ParquetEncryptionProperties(
                footer_key=b"0123456789012345", column_keys={"price": b"1234567890123450"}, plaintext_footer=plaintext))

    write("no-columns", lambda: pl.DataFrame())

recipes.main(pl.__version__)
