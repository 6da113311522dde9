"""Files by DuckDB, whose interface has one key for the footer and all columns."""

import duckdb
import jobs


def text(value):
    return "'" + value.replace("'", "''") + "'"


def do(job):
    layout = job["layout"]
    with duckdb.connect(config={"threads": 1, "TimeZone": "UTC", "autoinstall_known_extensions": False}) as database:
        database.execute("set force_mbedtls_unsafe = 'true'")

        def option(name, keys):
            """The setting with a key, which is known by a name."""
            database.execute(f"pragma add_parquet_key({text(name)}, {text(bytes.fromhex(keys['footer_key']).decode())})")
            return f"encryption_config {{footer_key: {text(name)}}}"

        source = f"read_parquet({text(job['in'])}"
        if job["keys"]:
            source += ", " + option("in", job["keys"]).replace(" ", " = ", 1)
        settings = ["format parquet", f"row_group_size {layout['row_group_rows']}", f"parquet_version 'V{layout['page_version']}'"]
        if job["form"]:
            settings.append(option("out", job["form"]))
        database.execute(f"copy (select * from {source})) to {text(job['out'])} ({', '.join(settings)})")


jobs.main(f"DuckDB {duckdb.__version__}", do)
