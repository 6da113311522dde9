"""Where batches run: local processes, Dask, Spark. Scheduling, retries and spilling are the engine's."""
from __future__ import annotations

import os
import pickle
import struct
from typing import Any, Iterable, Iterator, Protocol, Sequence

from .batch import check_batch
from .entry import FileEntry, Options

Batch = Sequence[FileEntry]


class Engine(Protocol):
    """Runs :func:`check_batch` on each batch, and returns the results in any order, each once."""

    def run(self, batches: Iterable[Batch], options: Options) -> Iterator[Any]:
        ...


class Local:
    """Processes of this machine: `workers` threads, each with a process that checks files."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def run(self, batches: Iterable[Batch], options: Options) -> Iterator[Any]:
        from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

        rest = iter(batches)
        with ThreadPoolExecutor(self.workers, thread_name_prefix="parqproof lake") as pool:
            running: set[Any] = set()
            while True:
                for batch in rest:
                    running.add(pool.submit(check_batch, batch, options))
                    if len(running) >= 2 * self.workers:
                        break
                if not running:
                    return
                try:
                    done, running = wait(running, return_when=FIRST_COMPLETED)
                except BaseException:  # Ctrl-C: only running batches end
                    for future in running:
                        future.cancel()
                    raise
                for future in done:
                    yield future.result()


class Dask:
    """Workers of a ``dask.distributed.Client``. A worker that is lost has its batches run again by others."""

    def __init__(self, client: Any, retries: int = 3) -> None:
        self.client, self.retries = client, retries

    def run(self, batches: Iterable[Batch], options: Options) -> Iterator[Any]:
        from dask.distributed import as_completed

        most = 4 * max(1, sum(self.client.nthreads().values()))
        rest = iter(batches)

        def submit(batch: Batch) -> Any:
            return self.client.submit(check_batch, list(batch), options, pure=False, retries=self.retries)

        first = [submit(batch) for _, batch in zip(range(most), rest)]
        completed = as_completed(first)
        for future in completed:
            yield future.result()
            future.release()
            for batch in rest:
                completed.add(submit(batch))
                break


class Spark:
    """Executors of a ``pyspark.sql.SparkSession``, by ``mapInArrow``. `files_a_job` bounds what the driver collects at once."""

    def __init__(self, session: Any, files_a_job: int = 50_000) -> None:
        self.session, self.files_a_job = session, files_a_job

    def run(self, batches: Iterable[Batch], options: Options) -> Iterator[Any]:
        job: list[Batch] = []
        for batch in batches:
            job.append(batch)
            if sum(map(len, job)) >= self.files_a_job:
                yield from self._collected(job, options)
                job = []
        if job:
            yield from self._collected(job, options)

    def _collected(self, job: Sequence[Batch], options: Options) -> Iterator[Any]:
        """The results as RecordBatches: rows of Spark would cost the driver more than the check costs workers."""
        def work(parts: Iterator[Any]) -> Iterator[Any]:
            import pyarrow

            from parqproof.lake.batch import check_batch

            for part in parts:
                for one in part.column(0).to_pylist():
                    made = pickle.dumps(check_batch(*pickle.loads(one)))
                    # Not pyarrow.array(), which imports pandas: that takes a worker longer than thousands of files.
                    offsets = struct.pack("=2i", 0, len(made))
                    column = pyarrow.Array.from_buffers(pyarrow.binary(), 1, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(made)])
                    yield pyarrow.RecordBatch.from_arrays([column], ["batch"])

        for row in self._batches(job, options).mapInArrow(work, "batch binary").collect():
            yield pickle.loads(row.batch)

    def frame(self, entries: Iterable[FileEntry], options: Options | None = None, batch_files: int = 100) -> Any:
        """A Spark DataFrame with the rows of :func:`check_batch`. Large files are not cut."""
        entries = list(entries)
        batches = [entries[first:first + batch_files] for first in range(0, len(entries), batch_files)]
        return self._frame(batches, options or Options())

    def _frame(self, batches: Sequence[Batch], options: Options) -> Any:
        from .rows import BATCH_COLUMNS

        def work(parts: Iterator[Any]) -> Iterator[Any]:
            from parqproof.lake.batch import check_batch

            for part in parts:
                for one in part.column(0).to_pylist():
                    yield check_batch(*pickle.loads(one))

        types = {"int64": "bigint", "int32": "int", "float64": "double"}
        schema = ", ".join(f"`{name}` {types.get(kind, kind)}" for name, kind in BATCH_COLUMNS.items())
        return self._batches(batches, options).mapInArrow(work, schema)

    def _batches(self, batches: Sequence[Batch], options: Options) -> Any:
        """A DataFrame with a row for each batch, made without processes of Python. To begin a task takes as long as many small files."""
        rows = [(bytearray(pickle.dumps((list(batch), options))),) for batch in batches]
        tasks = min(len(rows), _TASKS_A_CORE * self.session.sparkContext.defaultParallelism)
        return self.session.createDataFrame(rows, "batch binary").repartition(max(1, tasks))


#: Tasks of Spark for each core: few, for each has a cost of its own, and yet another core can take over from a slow one.
_TASKS_A_CORE = 3
