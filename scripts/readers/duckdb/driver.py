"""Shows the rows of Parquet files as DuckDB reads them: `SELECT *`, handed over as Arrow data."""

import duckdb
import arrow_rows
import serve

SETTINGS = {"threads": 1, "memory_limit": "2GB", "autoinstall_known_extensions": False, "TimeZone": "UTC"}


class Database:
    """One for all files; a new one where an assertion of the last has failed, for then it answers nothing more."""

    connection = None

    def rows(self, path, predicate=None):
        if self.connection is None:
            self.connection = duckdb.connect(config=SETTINGS)
        try:
            query, values = "SELECT * FROM read_parquet(?, hive_partitioning=false)", [path]
            if predicate:  # a constant, as only those reach the statistics
                column, operator, value = predicate
                constant = "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
                query += f' WHERE "{column.replace(chr(34), chr(34) * 2)}" {operator} {constant}'
            found = self.connection.execute(query, values)
            yield from arrow_rows.rows_of(found.to_arrow_reader(1024), path, decoded=("VARIANT",))
        except (duckdb.InternalException, duckdb.FatalException) as reason:
            self.connection = None
            raise serve.Crashed(serve.first_line(reason)) from reason


serve.main(Database().rows, f"DuckDB {duckdb.__version__}")
