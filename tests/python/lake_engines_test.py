"""parqproof.lake on local processes, Dask and Spark: the same results, also if a worker is killed."""
import contextlib
import os
import sys
import unittest

from files import SOURCE, needed
from lake_files import LakeTest, several_row_groups

FILES = 40


def java_is_missing():
    import shutil

    return shutil.which("java") is None and "JAVA_HOME" not in os.environ


@contextlib.contextmanager
def dask_engine():
    from dask.distributed import Client, LocalCluster

    from parqproof.lake import Dask

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        yield Dask(client)


@contextlib.contextmanager
def spark_engine():
    from pyspark.sql import SparkSession

    from parqproof.lake import Spark

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    builder = (SparkSession.builder.master("local[2, 4]").appName("parqproof").config("spark.ui.enabled", "false")
               .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1"))
    for name in ("PYTHONPATH", "PARQPROOF_TEST_LOG", "PARQPROOF_NATIVE"):  # Java keeps the environment of the first test
        builder = builder.config(f"spark.executorEnv.{name}", os.environ.get(name, ""))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    try:
        yield Spark(session)
    finally:
        session.stop()


@contextlib.contextmanager
def local_engine():
    from parqproof.lake import Local

    yield Local(2)


def rows(table):
    """The rows in an order of their own, without what differs from run to run."""
    costs = ("seconds", "requests", "bytes_read")
    return sorted((tuple((name, value) for name, value in row.items() if name not in costs) for row in table.to_pylist()), key=repr)


@needed("fsspec")
@needed("pyarrow")
class EnginesTest(LakeTest):
    def entries(self):
        """Files that differ, of which one is cut, one cannot be read, one kills what checks it, and one its worker once."""
        from parqproof.lake import FileEntry

        witnesses = sorted((SOURCE / "corpus/witnesses/statistics").glob("*/*.parquet"))[:FILES]
        paths = []
        for number, witness in enumerate(witnesses):
            paths += self.fill([f"{number}.parquet"], witness.read_bytes())
        paths += self.fill(["large.parquet"], several_row_groups((0, 5)))
        paths += self.fill(["kill.parquet"])
        return [f"logged://{path}" for path in paths] + [FileEntry(f"logged://{self.data}/none.parquet")]

    def check_with(self, engine, entries):
        from parqproof.lake import Options, check_table

        return check_table(entries, engine=engine, options=Options(cut_bytes=100_000), batch_files=4)

    def compare(self, opened_engine):
        self.logged_filesystem()
        entries = self.entries()
        expected = self.check_with(None, entries)
        self.assertEqual(expected.files.num_rows, FILES + 3)
        verdicts = set(expected.files.column("verdict").to_pylist())
        self.assertLessEqual({"conforming", "nonconforming", "unreadable"}, verdicts)
        self.assertIn("lake/worker-ended", expected.findings.column("rule").to_pylist())
        with opened_engine() as engine:
            found = self.check_with(engine, entries)
            self.assertEqual(rows(found.files), rows(expected.files))
            self.assertEqual(rows(found.findings), rows(expected.findings))
            if opened_engine is local_engine:  # whose worker is the test
                return
            # A worker that is killed in the middle: nothing is lost, nothing is there twice.
            paths = self.fill(["kill-worker-once.parquet"])
            found = self.check_with(engine, entries[: FILES // 2] + [f"logged://{paths[0]}"] + entries[FILES // 2:])
            self.assertTrue(os.path.exists(f"{paths[0]}.killed"))
            self.assertEqual(rows(found.files.filter([one != f"logged://{paths[0]}" for one in found.files.column("path").to_pylist()])),
                             rows(expected.files))
            self.assertEqual(found.files.column("path").to_pylist().count(f"logged://{paths[0]}"), 1)
            self.assertEqual(rows(found.findings), rows(expected.findings))

    def test_local_processes(self):
        self.compare(local_engine)

    @needed("distributed")
    def test_dask(self):
        self.compare(dask_engine)

    @needed("pyspark")
    def test_spark(self):
        if java_is_missing():
            self.skipTest("Java is missing")
        self.compare(spark_engine)

    @needed("pyspark")
    def test_a_data_frame_of_spark(self):
        if java_is_missing():
            self.skipTest("Java is missing")
        from parqproof.lake import files_of

        self.fill(["a.parquet", "broken.parquet"])
        with spark_engine() as engine:
            frame = engine.frame(files_of(self.data), batch_files=1)
            self.assertEqual(sorted((row.kind, row.verdict) for row in frame.select("kind", "verdict").collect()),
                             [("file", "conforming"), ("file", "nonconforming"), ("finding", "nonconforming")])


if __name__ == "__main__":
    unittest.main()
