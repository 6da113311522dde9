"""Shows the rows of Parquet files as pyarrow reads them."""

import pyarrow
import pyarrow.parquet
import arrow_rows
import serve


def rows(path, predicate=None):
    if predicate:
        table = pyarrow.parquet.read_table(path, filters=[predicate], use_threads=False, partitioning=None)
        yield from arrow_rows.rows_of(table.to_batches(), path)
        return
    with pyarrow.parquet.ParquetFile(path) as file:
        yield from arrow_rows.rows_of(file.iter_batches(use_threads=False), path)


serve.main(rows, f"pyarrow {pyarrow.__version__}")
