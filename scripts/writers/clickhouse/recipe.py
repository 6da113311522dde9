"""Files by ClickHouse, run in process."""

import chdb
import recipes
from recipes import file

ENGINE = ("max_threads", "max_block_size")
ROWS = "from numbers({n})"
FLAT = """
select (sipHash64(number) % 2 = 0)::Bool as flag,
  if(number % 5 = 4, null, toInt8(number * 37 - 128)) as i8, toUInt8(number * 91) as u8,
  toInt16(number * 7919 - 32768) as i16, if(number % 7 = 3, null, toUInt16(number * 7919)) as u16,
  toInt32(sipHash64(number)) as i32, toUInt32(sipHash64(number, 1)) as u32,
  if(number % 4 = 1, null, toInt64(sipHash64(number, 2))) as i64, sipHash64(number, 3) as u64,
  toFloat32(number) / 8 - 3 as f32, if(number % 6 = 5, null, number / 1024 - 1) as f64,
  ['', 'a', 'alpha', 'größe', '日本'][number % 5 + 1] as text,
  if(number % 3 = 0, null, unhex(hex(sipHash64(number, 4)))) as blob,
  toFixedString(hex(toUInt32(sipHash64(number, 5))), 8) as fixed
""" + ROWS
TIMES = """
select toDate(number * 331) as d, toDate32('1960-01-01') + number * 977 as d32, toDateTime(number * 86399 + 5, 'UTC') as seconds,
  fromUnixTimestamp64Milli(toInt64(number * 86399123) - 86400000000, 'UTC') as milli,
  if(number % 4 = 0, null, fromUnixTimestamp64Micro(toInt64(number * 86399123456), 'UTC')) as micro,
  fromUnixTimestamp64Nano(toInt64(number * 86399123456789), 'UTC') as nano
""" + ROWS
OTHERS = """
select toUUID('6ba7b810-9dad-11d1-80b4-00c04fd430' || leftPad(toString(number), 2, '0')) as id,
  CAST(number % 3, 'Enum8(\\'sad\\' = 0, \\'ok\\' = 1, \\'happy\\' = 2)') as mood, toIPv4(number * 16843009 % 4294967296) as ip4,
  toIPv6('2001:db8::' || hex(number)) as ip6, toDecimal32(toInt32(number) - 10, 2) as d9, toDecimal64(toInt64(number) * 1000003 - 5, 6) as d18,
  toDecimal128(toInt64(number) * 1000003 - 5, 20) as d38, toDecimal256(toInt64(number) * 1000003 - 5, 40) as d76,
  toInt128(number) - 7 as i128, toUInt256(number) * 3 as u256, toLowCardinality(toString(number % 4)) as low
""" + ROWS
NESTED = """
select number as id, arrayMap(x -> if(x % 3 = 0, null, x), range(number % 5)) as numbers,
  arrayMap(x -> range(x), range(number % 4)) as matrix, tuple(toInt32(number), if(number % 2 = 0, null, 'x'))::Tuple(x Int32, label Nullable(String)) as point,
  arrayMap(x -> tuple(x, toString(x)), range(number % 3))::Array(Tuple(a UInt8, b String)) as points,
  map('k', number, 'l', number * 2) as pairs, mapFromArrays(range(number % 3), range(number % 3)) as some
""" + ROWS
FEW = """
select concat('customer/', leftPad(toString(intDiv(number, 16)), 6, '0'), '/order/', leftPad(toString(number), 8, '0')) as key,
  if(number % 4 = 0, null, toInt32(sipHash64(number) % 9)) as count, if(number % 5 = 0, null, sipHash64(number, 7) % 100000 / 100) as price
""" + ROWS


def write(name, sql, n=0, **settings):
    """Registers a file of that query, written with those settings of the engine or output_format_parquet."""

    def make(path):
        shown = ", ".join(f"{'' if key in ENGINE else 'output_format_parquet_'}{key} = {value!r}" for key, value in
                          {"parallel_encoding": 0, "max_threads": 1, **settings}.items())
        body = bytes(chdb.query(f"{sql.format(n=n)} settings {shown}", "Parquet").bytes())
        with open(path, "wb") as out:
            out.write(body)

    file(name, **settings)(make)


write("default-flat", FLAT, 60)
write("default-times", TIMES, 30)
write("default-others", OTHERS, 30)
write("default-nested", NESTED, 40)
for codec in ("none", "snappy", "lz4", "brotli", "zstd", "gzip"):
    write(f"codec-{codec}", FEW, 100, compression_method=codec)
for name, sql in (("flat", FLAT), ("times", TIMES), ("nested", NESTED)):
    write(f"arrow-encoder-{name}", sql, 40, use_custom_encoder=0)
    write(f"dictionary-off-{name}", sql, 40, max_dictionary_size=0, compression_method="none")
write("several-pages", FEW, 700, data_page_size=1024, batch_size=64)
write("several-pages-nested", NESTED, 300, data_page_size=256, batch_size=16, compression_method="lz4")
write("several-pages-dictionary-falls-back", FEW, 700, data_page_size=2048, batch_size=64, max_dictionary_size=1000, compression_method="snappy")
write("several-row-groups", FEW, 300, row_group_size=100, max_block_size=100)
write("page-index-off", FEW, 100, write_page_index=0)
write("bloom-filters-off", FEW, 100, write_bloom_filter=0)
write("bloom-filter-bits", FLAT, 100, bloom_filter_bits_per_value=20.0, compression_method="none")
write("bloom-filters-flushed-early", FEW, 300, row_group_size=100, max_block_size=100, bloom_filter_flush_threshold_bytes=0)
write("checksums-off", FEW, 100, write_checksums=0)
write("format-1.0", FLAT, 20, version="1.0")
write("format-2.4", TIMES, 20, version="2.4")
write("strings-as-binary", FLAT, 20, string_as_string=0)
write("fixed-strings-as-binary", FLAT, 20, fixed_string_as_fixed_byte_array=0)
write("datetime-as-uint32", TIMES, 20, datetime_as_uint32=1, date_as_uint16=1)
write("enum-as-integer", OTHERS, 20, enum_as_byte_array=0)
write("wide-integers-as-decimals", OTHERS, 20, wide_integer_as_decimal=1)
write("lists-not-compliant", NESTED, 20, compliant_nested_types=0)
write("zero-rows", FLAT, 0)
write("zero-rows-nested", NESTED, 0)
write("all-null", "select CAST(null, 'Nullable(Int32)') as a, CAST(null, 'Nullable(String)') as b, CAST(null, 'Nullable(Float64)') as c, "
      "CAST(null, 'Nullable(UUID)') as d from numbers({n})", 20)
write("nan", "select if(number % 3 = 0, nan, toFloat64(number)) as some, toFloat32(nan) as every, if(number % 2 = 0, -0.0, 0.0) as zeros, "
      "if(number % 2 = 0, inf, -inf) as endless from numbers({n})", 24)
write("empty-strings", "select '' as empty, if(number % 2 = 0, null, '') as maybe from numbers({n})", 30)
write("long-values", "select repeat('é', 700) as a, repeat('x', 1500) as b, unhex(repeat('ff', 300)) as c from numbers({n})", 3)
write("one-row", "select 42 as a")
write("constant", "select 7 as a, 'same' as b, true as c from numbers({n})", 1000)
write("geometry", "select (1.5, -2.0)::Point as p, [(0., 0.), (1., 2.), (3., 4.)]::Ring as r, number from numbers({n})", 5)

recipes.main(chdb.query("select version()", "TSV").data().strip())
