"""Shows the rows of Parquet files as Polars reads them, handed over as Arrow data."""

import polars
import arrow_rows
import serve


def matching(path, column, operator, value):
    field = polars.col(column)
    condition = field == value if operator == "=" else field < value if operator == "<" else field > value
    return polars.scan_parquet(path, glob=False, hive_partitioning=False).filter(condition).collect()


def rows(path, predicate=None):
    table = matching(path, *predicate) if predicate else polars.read_parquet(path, glob=False, hive_partitioning=False)
    return arrow_rows.rows_of(table.to_arrow().to_batches(), path)


serve.main(rows, f"Polars {polars.__version__}")
