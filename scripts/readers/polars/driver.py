"""Shows the rows of Parquet files as Polars reads them, handed over as Arrow data."""

import polars
import arrow_rows
import serve


def rows(path):
    table = polars.read_parquet(path, glob=False, hive_partitioning=False).to_arrow()
    return arrow_rows.rows_of(table.to_batches(), path)


serve.main(rows, f"Polars {polars.__version__}")
