"""Files by DataFusion, through COPY ... TO."""

import datafusion
import recipes
from recipes import file

ROWS = "(select * from generate_series(0, {last}) as g(i))"
FLAT = """select i, case when i % 4 = 1 then null else i * 7919 % 1000 end as n, arrow_cast(i % 200, 'UInt8') as u8, i % 3 = 0 as flag,
  arrow_cast(i, 'Float32') / 8 - 3 as f32, case when i % 5 = 2 then null else i / 1024.0 end as f64, case when i % 6 = 3 then null else 'word ' || (i % 10) end as text,
  arrow_cast('bytes ' || i, 'Binary') as blob, arrow_cast(i, 'Decimal128(12, 3)') as d, arrow_cast(i * 331, 'Date32') as day,
  arrow_cast(i * 86399123, 'Timestamp(Millisecond, None)') as at_ms, arrow_cast(i * 86399123456789, 'Timestamp(Nanosecond, Some("UTC"))') as at_ns
  from """ + ROWS
NESTED = """select i, make_array(i, null, i + 1) as numbers, make_array(make_array(i), make_array()) as matrix, named_struct('x', i, 'label', 'text ' || i) as point,
  case when i % 3 = 0 then null else map(['k'], [i]) end as pairs from """ + ROWS
FEW = """select 'customer/' || lpad(i::varchar, 8, '0') as key, case when i % 4 = 0 then null else arrow_cast(i * 7919 % 9, 'Int32') end as count,
  case when i % 5 = 0 then null else i * 7919 % 10007 / 100.0 end as price from """ + ROWS


def write(name, sql, rows, columns=None, **options):
    """Registers a file of that query; options are DataFusion's format options, columns those of single columns."""
    options = {**options, **{f"{key}::{column}": value for column, own in (columns or {}).items() for key, value in own.items()}}

    def make(path):
        config = datafusion.SessionConfig().with_target_partitions(1).set("datafusion.execution.parquet.allow_single_file_parallelism", "false")
        shown = ", ".join(f"'format.{key}' '{value}'" for key, value in options.items())
        query = sql.format(last=rows - 1)
        datafusion.SessionContext(config).sql(f"copy ({query}) to '{path}' stored as parquet" + (f" options ({shown})" if shown else "")).collect()

    file(name, **options)(make)


write("default-flat", FLAT, 60)
write("default-nested", NESTED, 30)
write("v2-flat", FLAT, 60, writer_version="2.0")
write("several-row-groups", FEW, 100, max_row_group_size=40)
write("several-pages", FEW, 300, data_page_row_count_limit=50, write_batch_size=10)
write("bloom-filters", FEW, 100, bloom_filter_on_write="true", bloom_filter_ndv=100, bloom_filter_fpp=0.05)
write("per-column", FEW, 100, columns={"key": {"compression": "brotli(5)", "encoding": "delta_byte_array", "dictionary_enabled": "false"},
                                       "price": {"encoding": "byte_stream_split", "dictionary_enabled": "false", "compression": "lz4_raw"},
                                       "count": {"encoding": "delta_binary_packed", "dictionary_enabled": "false", "statistics_enabled": "none"}})
write("no-arrow-metadata", FLAT, 20, skip_arrow_metadata="true", compression="uncompressed")
write("one-row", FEW, 1)
write("zero-rows", "select * from (" + FEW + ") where key = ''", 5)

recipes.main(datafusion.__version__)
