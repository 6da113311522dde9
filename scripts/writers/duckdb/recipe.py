"""Files by DuckDB. One recipe for every version: unsupported features of a version are left out."""

import data
import duckdb
import recipes
from recipes import file

OLD = duckdb.__version__.startswith("0.")
FLAT = {
    "b": ("boolean", lambda i: data.mix(i, 1) % 2 == 0),
    "i8": ("tinyint", lambda i: data.signed(i, 8)),
    "u8": ("utinyint", lambda i: data.unsigned(i, 8)),
    "i16": ("smallint", lambda i: data.signed(i, 16)),
    "u16": ("usmallint", lambda i: data.unsigned(i, 16)),
    "i32": ("integer", lambda i: data.signed(i, 32)),
    "u32": ("uinteger", lambda i: data.unsigned(i, 32)),
    "i64": ("bigint", lambda i: data.signed(i, 64)),
    "u64": ("ubigint", lambda i: data.unsigned(i, 64)),
    "i128": ("hugeint", lambda i: data.signed(i + 2, 100)),
    "f32": ("float", data.real32),
    "f64": ("double", data.real64),
    "t": ("varchar", data.text),
    "bytes": ("blob", data.blob),
}
TIMES = {
    "d": ("date", data.date),
    "clock": ("time", data.time),
    "clock_z": ("timetz", lambda i: data.time(i, 1_000_000).isoformat() + "+02"),
    "sec": ("timestamp_s", lambda i: data.moment(i, 1_000_000)),
    "milli": ("timestamp_ms", lambda i: data.moment(i, 1000)),
    "micro": ("timestamp", data.moment),
    "nano": ("timestamp_ns", data.moment),
    "utc": ("timestamptz", lambda i: data.moment(i).isoformat() + "+00"),
    "span": ("interval", lambda i: f"{i} months {data.mix(i, 2) % 40} days {data.mix(i, 3) % 9999} milliseconds"),
}
DECIMALS = {
    f"d{p}_{s}": (f"decimal({p},{s})", lambda i, p=p, s=s: data.number(i, p, s))
    for p, s in ((1, 0), (4, 2), (9, 9), (10, 2), (18, 0), (19, 4), (38, 10))
}
OTHERS = {
    "id": ("uuid", data.guid),
    "mood": ("enum('sad', 'ok', 'happy')", lambda i: ("sad", "ok", "happy")[data.mix(i, 1) % 3]),
    "doc": ("json", lambda i: '{"a": [%d, null]}' % i),
    **({} if OLD else {"bits": ("bit", lambda i: format(data.mix(i, 2) % 1000, "b"))}),
}
#: A value of each type, and their types in a COPY that shreds them.
VARIANTS = ("true", "(-1)::tinyint", "(-300)::smallint", "70000::integer", "(-1099511627776)::bigint", "1.5::float", "0.1::double", "(-1.50)::decimal(4,2)",
            "1234567890.123::decimal(15,3)", "12345678901234567890.12345::decimal(38,5)", "'2024-02-29'::date", "'12:34:56.789'::time",
            "'2024-02-29 12:34:56.789'::timestamp", "'2024-02-29 12:34:56.789+00'::timestamptz", "'2024-02-29 12:34:56.123456789'::timestamp_ns",
            "'00010203-0405-0607-0809-0a0b0c0d0e0f'::uuid", "'\\x00\\xFF'::blob", "'text'", "repeat('x', 100)", "null", "[1, null, 3]",
            "{'b': 1, 'a': 'x', 'c': {'d': ['x']}}")
SHREDDED = ("boolean", "tinyint", "bigint", "double", "decimal(4,2)", "decimal(15,3)", "decimal(38,5)", "date", "time", "timestamp", "timestamptz", "timestamp_ns",
            "uuid", "blob", "varchar", "integer[]", "struct(a varchar, b integer, c struct(d varchar[]))")
NESTED = {
    "point": ("struct(x integer, y double, label varchar)", data.point),
    "numbers": ("bigint[]", data.numbers),
    "matrix": ("integer[][]", data.matrix),
    "points": ("struct(x integer, y double, label varchar)[]", data.points),
    "deep": ("struct(id integer, items struct(tags varchar[])[])", data.deep),
    **({} if OLD else {"triple": ("float[3]", lambda i: None if i % 4 == 3 else [i, None, -i])}),
}
FEW = {
    "key": ("varchar", data.key),
    "count": ("integer", lambda i: data.sparse(data.mix(i, 2) % 9, i)),
    "price": ("double", lambda i: data.sparse(data.price(i), i)),
}


def fresh():
    """A new database that always writes the same bytes."""
    database = duckdb.connect()
    database.execute("set threads = 1")
    database.execute("set preserve_insertion_order = true")
    database.execute("set TimeZone = 'UTC'")
    return database


def fill(database, columns, n, nulls=True):
    """Makes table t of n rows of these columns."""
    database.execute("create table t(" + ", ".join(f"{name} {kind}" for name, (kind, _) in columns.items()) + ")")
    if n:
        rows = [[data.sparse(f(i), i, salt) if nulls else f(i) for salt, (_, f) in enumerate(columns.values())] for i in range(n)]
        database.executemany(f"insert into t values ({', '.join('?' * len(columns))})", rows)


def copy(database, path, source, options):
    """COPY source TO path with these options."""
    shown = "".join(f", {name} {value}" for name, value in options.items())
    database.execute(f"copy {source} to '{path}' (format parquet{shown})")


def write(name, columns, n, nulls=True, **options):
    """Registers a file of n rows of these columns."""

    def make(path):
        database = fresh()
        fill(database, columns, n, nulls)
        copy(database, path, "t", options)

    file(name, **options)(make)


def query(name, sql, **options):
    """Registers a file of the rows of a query."""
    file(name, **options)(lambda path: copy(fresh(), path, f"({sql})", options))


write("default-flat", FLAT, 60)
write("default-times", TIMES, 30)
write("default-decimals", DECIMALS, 30)
write("default-others", OTHERS, 30)
write("default-nested", NESTED, 40, nulls=False)
query("default-map", "select i, case when i % 5 = 0 then null else map([i, i + 1], ['a', null]) end as pairs, map([]::int[], []::int[]) as none from range(20) r(i)")
query("plain-uncompressed", "select i as a, i * i as b from range(5) r(i)", codec="uncompressed")
for codec in ("uncompressed", "snappy", "gzip", "zstd") if OLD else ("uncompressed", "snappy", "gzip", "zstd", "brotli", "lz4", "lz4_raw"):
    write(f"codec-{codec.replace('_', '-')}", FEW, 80, nulls=False, codec=codec)
write("several-row-groups", FEW, 2500, nulls=False, row_group_size=2048)
query("row-numbers", "select i::int as a, i % 7 as b, 'k' || i as c from range(3000) r(i)", codec="zstd")
write("zero-rows", FLAT, 0)
write("zero-rows-nested", NESTED, 0)
query("all-null", "select null::int a, null::varchar b, null::double c, null::int[] d, null::boolean e, null::struct(x int) f, null g from range(20)")
query("nan", "select case when i % 3 = 0 then 'nan'::double when i % 3 = 1 then i end as some, 'nan'::float as every, case when i % 2 = 0 then -0.0::double else 0.0::double end as zeros, case when i % 2 = 0 then 'inf'::double else '-inf'::double end as endless from range(24) r(i)")
query("empty-strings", "select '' as empty, case when i % 2 = 0 then '' end as maybe, ''::blob as bytes from range(30) r(i)")
query("empty-lists", "select []::int[] as a, case when i % 2 = 0 then []::int[][] end as b, [null::int] as c, [[], null, [i::int]] as d from range(10) r(i)")
query("long-values", "select repeat('x', 1500) as a, repeat(chr(233), 700) as b union all select '', null")
query("one-row", "select 42 as a")
query("constant", "select 7 as a, 'same' as b, true as c, 1.5::double as d from range(1000)")
query("field-ids", "select i as a, i as b from range(3) r(i)", field_ids="{a: 42, b: 0}")

if not OLD:
    for codec in ("snappy", "zstd"):
        for name, columns in (("flat", FLAT), ("times", TIMES), ("decimals", DECIMALS), ("nested", NESTED)):
            if codec == "zstd" and name != "flat":
                continue
            write(f"v2-{name}-{codec}", columns, 50, nulls=name != "nested", parquet_version="v2", codec=codec)
    write("v2-delta-byte-stream-split", {**FEW, "i64": ("bigint", lambda i: data.signed(i, 64)), "f32": ("float", data.real32)}, 250,
          nulls=False, parquet_version="v2", string_dictionary_page_size_limit="1", dictionary_size_limit="1", codec="uncompressed")
    write("v2-one-row", FEW, 1, nulls=False, parquet_version="v2", dictionary_size_limit="1", string_dictionary_page_size_limit="1")
    write("v2-several-row-groups", FEW, 2500, nulls=False, parquet_version="v2", row_group_size=2048, codec="zstd")
    write("dictionary-off", FLAT, 40, dictionary_size_limit="1", string_dictionary_page_size_limit="1", codec="uncompressed")
    write("several-pages", FEW, 1800, nulls=False, data_page_size_limit="4096", codec="zstd")
    write("v2-several-pages", FEW, 1800, nulls=False, data_page_size_limit="4096", codec="zstd", parquet_version="v2")
    write("bloom-filters", FLAT, 120, nulls=False, bloom_filter_false_positive_ratio="0.05", dictionary_size_limit="1000", codec="uncompressed")
    write("bloom-filters-off", FEW, 80, nulls=False, write_bloom_filter="false")
    write("int96", {k: v for k, v in TIMES.items() if k in ("micro", "milli", "sec", "nano", "utc")}, 30, write_timestamp_as_int96="true")
    write("timestamps-adjusted-to-utc", {k: v for k, v in TIMES.items() if k in ("micro", "milli", "sec", "nano")}, 12, timestamp_is_adjusted_to_utc="true")
    query("zstd-level", "select i % 100 as a, 'word ' || i % 10 as b from range(2000) r(i)", codec="zstd", compression_level=19)
    query("key-value-metadata", "select 1 as a", kv_metadata="{note: 'größe', blank: ''}")
    query("geometry", "select i, case when i % 4 < 3 then ('POINT(' || i || ' ' || -i || ')')::geometry end as p, "
          "'LINESTRING Z (0 0 1, 1 2 3)'::geometry as line, null::geometry as none from range(12) r(i)")
    query("geometry-geoparquet-v2", "select ('POINT(' || i || ' ' || -i || ')')::geometry as p from range(12) r(i)", geoparquet_version="'V2'")
    query("geometry-geoparquet-v1", "select ('POINT(' || i || ' ' || -i || ')')::geometry as p from range(12) r(i)", geoparquet_version="'V1'")
    query("variant", "select i, case when i % 3 = 0 then null when i % 3 = 1 then {'a': i, 'b': 'text'}::variant else [i, i + 1]::variant end as v from range(20) r(i)")
    query("variant-shredded", "select {'a': i::int, 'b': 'text'}::variant as v from range(20) r(i)", shredding="{v: 'STRUCT(a INTEGER, b VARCHAR)'}")
    variants = "select unnest([" + ", ".join(f"{value}::variant" for value in VARIANTS) + "]) as v"
    query("variant-types", variants)
    for kind in SHREDDED:
        name = "struct" if kind.startswith("struct") else kind.replace("[]", "-list").replace("(", "-").replace(",", "-").replace(")", "").replace("_", "-")
        query(f"variant-shredded-{name}", variants, shredding=f"{{v: '{kind}'}}")
    query("variant-shredded-by-itself", "select {'a': i::int, 'b': 'text' || i, 'c': [i, i + 1]}::variant as v from range(300) r(i)")
    query("variant-mixed", "select case i % 5 when 0 then i::int::variant when 1 then ('t' || i)::variant when 2 then [i]::variant "
          "when 3 then {'k': i::int}::variant else null::variant end as v from range(40) r(i)", row_group_size=2048)
    query("u128", "select (i * 123456789012345678901)::uhugeint as a, i::hugeint as b from range(10) r(i)")
    @file("encrypted-footer", random=True, keys="footer key: 0123456789abcdef")
    def encrypted_footer(path):
        database = fresh()
        database.execute("set force_mbedtls_unsafe = 'true'")
        database.execute("pragma add_parquet_key('key16', '0123456789abcdef')")
        copy(database, path, "(select i as a from range(20) r(i))", {"encryption_config": "{footer_key: 'key16'}"})


recipes.main(duckdb.__version__)
