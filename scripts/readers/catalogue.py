"""The readers with a driver here, and the commands to install and run each."""

import dataclasses
import hashlib
import os
import pathlib

import toolchains

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Reader:
    """`interface` is the interface that the driver uses; `lacks` are features of the index that the reader, or this interface, does not have,
    whatever it reports about files that use them. `filters`: what its driver uses for a predicate; None if it takes none."""

    program: object
    interface: str
    lacks: tuple = ()
    filters: str = None

    @property
    def folder(self):
        return (HERE / self.program.program.partition("/")[0]).name

    def command(self):
        """Installs what is missing, and returns the command of the driver."""
        return self.program.command(HERE, self.folder)

    def sources(self):
        """The files of the driver, including its pinned packages: {path in scripts/readers: SHA-256}."""
        folders = [HERE / self.folder] + [HERE / "shared"] * isinstance(self.program, (toolchains.Python, Rendered))
        files = [file for folder in folders for file in toolchains.files_of(folder) if "__pycache__" not in file.parts]
        return {file.relative_to(HERE).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files if file != self._said}

    @property
    def _said(self):
        return HERE / self.folder / "FINDINGS.md"

    def findings(self):
        """The findings of a manual review, as Markdown; empty without a review."""
        return self._said.read_text(encoding="utf-8") if self._said.exists() else ""


def environment():
    """The environment of a driver: the import path of the drivers in Python, and a fixed time zone."""
    return {**os.environ, "PYTHONPATH": f"{HERE / 'shared'}:{HERE.parent}", "PYTHONDONTWRITEBYTECODE": "1", "TZ": "UTC",
            "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "RUST_BACKTRACE": "0"}


def _python(folder):
    return toolchains.Python(f"{folder}/driver.py", f"{folder}/requirements.txt")


LEVELS = "BIT_PACKED (deprecated)"
STORED = ("VARIANT", "FILE")  # these interfaces give the stored parts, or none

@dataclasses.dataclass(frozen=True)
class Rendered:
    """A program whose Arrow data a driver in Python prints."""

    driver: toolchains.Python
    source: object

    @property
    def program(self):
        return self.driver.program

    def command(self, home, name):
        return [*self.driver.command(home, name), *self.source.command(home, f"{name}-program")]


READERS = {
    "pyarrow": Reader(_python("pyarrow"), "pyarrow.parquet.ParquetFile.iter_batches", STORED,
                      filters="pyarrow.parquet.read_table(filters=...)"),
    "DuckDB": Reader(_python("duckdb"), "SELECT * FROM read_parquet(...), as Arrow data", ("ALP", LEVELS, *STORED), "SELECT * FROM read_parquet(...) WHERE ..."),
    "Polars": Reader(_python("polars"), "polars.read_parquet, as Arrow data", ("ALP", LEVELS, "GEOMETRY", "GEOGRAPHY", *STORED), "polars.scan_parquet(...).filter(...).collect()"),
    "arrow-rs": Reader(Rendered(_python("arrow-rs"), toolchains.Cargo("arrow-rs/main.rs", "release", "driver")),
                       "ParquetRecordBatchReaderBuilder", STORED),
    "parquet-java": Reader(toolchains.Maven("parquet-java/src/main/java/Driver.java", ("-Xmx1g", "-XX:+UseSerialGC")),
                           "ParquetReader with GroupReadSupport", ("ALP", *STORED),
                           "ParquetReader.Builder.withFilter"),
    "parquet-go": Reader(toolchains.Go("parquet-go/main.go"), "parquet.RowGroup.Rows", (LEVELS, *STORED)),
    "hyparquet": Reader(toolchains.Node("hyparquet/driver.mjs"), "parquetReadObjects", (LEVELS, *STORED), "parquetReadObjects with filter"),
}
