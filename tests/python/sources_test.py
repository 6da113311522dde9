"""The sources of the module: which bytes are read, and what becomes of exceptions of a source."""
import array
import contextvars
import io
import mmap
import os
import pathlib
import sqlite3
import threading
import types
import unittest
from concurrent.futures import ThreadPoolExecutor

import parqproof
from files import BROKEN, INTACT, FolderTest, needed

DATA = BROKEN.read_bytes()


class Recording(io.BytesIO):
    """A file that records its reads."""

    def __init__(self, data):
        super().__init__(data)
        self.reads = []

    def read(self, count=-1):
        self.reads.append((self.tell(), count))
        return super().read(count)


class SourcesTest(FolderTest):
    def rules(self, source, **options):
        return [finding.rule for finding in parqproof.check(source, **options)]

    def test_every_kind_of_source_gives_the_same_findings(self):
        expected = ["statistics/max-value"]
        writable = bytearray(DATA)
        with open(BROKEN, "rb") as file, open(BROKEN, "rb", buffering=0) as raw, open(BROKEN, "rb") as mapped:
            with mmap.mmap(mapped.fileno(), 0, access=mmap.ACCESS_READ) as memory:
                for source in (BROKEN, str(BROKEN), os.fsencode(BROKEN) and pathlib.PurePath(BROKEN), DATA, writable, memoryview(DATA),
                               array.array("B", DATA), file, raw, io.BytesIO(DATA), memory):
                    with self.subTest(source=type(source).__name__):
                        self.assertEqual(self.rules(source), expected)
        writable.append(0)  # no buffer is held
        strided = bytearray(2 * len(DATA))
        strided[::2] = DATA
        self.assertEqual(self.rules(memoryview(strided)[::2]), expected)

    def test_names_of_sources(self):
        self.assertEqual(parqproof.check(BROKEN).path, str(BROKEN))
        with open(BROKEN, "rb") as file:
            self.assertEqual(parqproof.check(file).path, str(BROKEN))
        self.assertEqual(parqproof.check(DATA).path, "-")
        self.assertEqual(parqproof.check(DATA, name="made here").path, "made here")

    def test_a_file_keeps_its_position(self):
        file = io.BytesIO(DATA)
        file.seek(5)
        parqproof.check(file)
        self.assertEqual(file.tell(), 5)

    def test_a_footer_check_reads_little_of_a_large_file(self):
        made = io.BytesIO()
        parqproof.rewrite(INTACT, made)
        gap = 50_000_000
        source = Recording(b"PAR1" + b"\0" * gap + made.getvalue())
        parqproof.check(source, tier="footer")
        self.assertLess(sum(count for _, count in source.reads), 1_000_000)
        self.assertGreater(len(source.reads), 0)

    def test_an_exception_of_a_source_is_raised_as_itself(self):
        class Unplugged(Exception):
            pass

        class Failing(io.BytesIO):
            def read(self, count=-1):
                raise Unplugged("no cable")

        with self.assertRaisesRegex(Unplugged, "no cable") as caught:
            parqproof.check(Failing(DATA))
        self.assertIsInstance(caught.exception.__cause__, parqproof.Error)
        with self.assertRaises(Unplugged):
            list(parqproof.rows(Failing(DATA)))
        with self.assertRaises(Unplugged):
            parqproof.layout(Failing(DATA))
        with self.assertRaises(Unplugged):
            parqproof.rewrite(Failing(DATA), io.BytesIO())

        class Full(io.BytesIO):
            def write(self, piece):
                raise OSError(28, "No space left on device")

        with self.assertRaises(OSError) as caught:
            parqproof.rewrite(INTACT, Full())
        self.assertEqual(caught.exception.errno, 28)

    def test_a_source_that_shrinks_is_no_finding(self):
        class Shrinking(io.BytesIO):
            def read(self, count=-1):
                return b""

        with self.assertRaises(EOFError):
            parqproof.check(Shrinking(DATA))

    def test_files_are_read_by_the_thread_that_has_them(self):
        mark = contextvars.ContextVar("mark")
        mark.set("mine")
        used = set()

        class Watched(io.BytesIO):
            def read(self, count=-1):
                used.add((threading.get_ident(), mark.get(None)))
                return super().read(count)

            def write(self, piece):
                used.add((threading.get_ident(), mark.get(None)))
                return super().write(piece)

        for call in (lambda: parqproof.check(Watched(DATA), threads=4), lambda: list(parqproof.rows(Watched(DATA))),
                     lambda: parqproof.meta(Watched(DATA)), lambda: parqproof.rewrite(Watched(DATA), Watched()),
                     lambda: parqproof.rewrite(Watched(INTACT.read_bytes()[:-9]), Watched(), salvage=True, schema_from=Watched(INTACT.read_bytes()))):
            call()
        self.assertEqual(used, {(threading.get_ident(), "mine")})

    @unittest.skipUnless(hasattr(sqlite3, "Blob"), "sqlite3 of this Python has no blobs")
    def test_a_blob_of_sqlite_is_a_source(self):
        database = sqlite3.connect(":memory:")
        database.execute("create table files (data blob)")
        database.execute("insert into files values (?)", (DATA,))
        with database.blobopen("files", "data", 1) as blob:
            self.assertEqual(self.rules(blob), ["statistics/max-value"])
            self.assertGreater(len(list(parqproof.rows(blob))), 0)
        database.close()

    def test_a_kept_exception_does_not_keep_the_buffer(self):
        source, kept = bytearray(DATA[:-1]), []
        for call in (lambda: list(parqproof.rows(source)), lambda: parqproof.layout(source), lambda: parqproof.meta(source),
                     lambda: parqproof.check(source, footer_at=10**9)):
            with self.assertRaises(parqproof.Error) as caught:
                call()
            kept.append(caught.exception)
            source.append(0)  # BufferError if it is locked

    def test_a_source_needs_read_and_seek(self):
        file = io.BytesIO(DATA)
        source = types.SimpleNamespace(read=file.read, seek=file.seek)
        file.seek(5)
        self.assertEqual(self.rules(source), ["statistics/max-value"])
        self.assertEqual(file.tell(), 5)

    def test_a_fifo_is_to_be_read_into_bytes(self):
        os.mkfifo(self.folder / "fifo")
        with self.assertRaisesRegex(OSError, "read it into bytes$"):
            parqproof.check(self.folder / "fifo")

    def test_a_read_of_more_bytes_than_asked_for_is_refused(self):
        class Long(io.BytesIO):
            def read(self, count=-1):
                return super().read(count) + bytes(1 << 20)

        with self.assertRaisesRegex(ValueError, r"read\(\d+\) of the source returned \d+ bytes"):
            parqproof.check(Long(DATA))

    def test_a_read_of_a_file_without_bytes_now_is_refused(self):
        class Waiting(io.RawIOBase):
            def seekable(self):
                return True

            def seek(self, offset, whence=0):
                return len(DATA)

            def read(self, count=-1):
                return None

        with self.assertRaisesRegex(TypeError, "returned NoneType"):
            parqproof.check(Waiting())

    def test_a_target_that_takes_no_bytes_is_an_error(self):
        class Full(io.RawIOBase):
            taken = 0

            def writable(self):
                return True

            def write(self, piece):
                return self.taken

        with self.assertRaisesRegex(OSError, "returned 0 for"):
            parqproof.rewrite(INTACT, Full())
        for Full.taken, failure in ((-1, OSError), (1 << 30, OSError), (None, BlockingIOError)):
            with self.subTest(taken=Full.taken), self.assertRaises(failure):
                parqproof.rewrite(INTACT, Full())

        class Pieces(io.BytesIO):
            def write(self, piece):
                return super().write(piece[:100])

        made, complete = Pieces(), io.BytesIO()
        parqproof.rewrite(INTACT, made)
        parqproof.rewrite(INTACT, complete)
        self.assertEqual(made.getvalue(), complete.getvalue())

    def test_a_path_that_cannot_be_opened_raises_what_open_does(self):
        from unittest import mock

        with mock.patch("builtins.open", side_effect=PermissionError(13, "Permission denied")), self.assertRaises(PermissionError):
            parqproof.check(BROKEN)
        with self.assertRaises(IsADirectoryError):
            parqproof.check(self.folder)

    def test_text_files_and_streams_are_refused(self):
        with open(__file__) as file, self.assertRaisesRegex(TypeError, "binary mode"):
            parqproof.check(file)
        for text in ("", "x", "PAR1" * 9):
            with self.assertRaisesRegex(TypeError, "binary mode"):
                parqproof.check(io.StringIO(text))
        read_end, write_end = os.pipe()
        os.close(write_end)
        with os.fdopen(read_end, "rb") as pipe, self.assertRaisesRegex(parqproof.InvalidCall, "seekable"):
            parqproof.check(pipe)

    def test_several_threads_check_at_the_same_time(self):
        results = []

        def work(source):
            results.append(self.rules(source, threads=2))

        threads = [threading.Thread(target=work, args=(io.BytesIO(DATA) if i % 2 else DATA,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [["statistics/max-value"]] * 8)

    def test_several_threads_read_one_file(self):
        path = self.folder / "a.parquet"
        parqproof.rewrite(INTACT, path)
        with open(path, "rb") as file, open(path, "rb") as mapped, mmap.mmap(mapped.fileno(), 0, access=mmap.ACCESS_READ) as memory:
            for source in (file, memory):
                source.seek(5)
                with self.subTest(source=type(source).__name__), ThreadPoolExecutor(4) as pool:
                    verdicts = list(pool.map(lambda _: (parqproof.check(source).verdict, len(list(parqproof.rows(source)))), range(240)))  # noqa: B023
                self.assertEqual(set(verdicts), {("conforming", len(list(parqproof.rows(path))))})
                self.assertEqual(source.tell(), 5)

    @needed("fsspec")
    def test_files_and_urls_of_fsspec(self):
        import fsspec

        with fsspec.open("memory://folder/broken.parquet", "wb") as file:
            file.write(DATA)
        for source in ("memory://folder/broken.parquet", fsspec.open("memory://folder/broken.parquet", "rb"),
                       fsspec.open("memory://folder/broken.parquet", "rb").open(), f"file://{BROKEN}"):
            self.assertEqual(self.rules(source), ["statistics/max-value"])
        self.assertEqual(parqproof.check("memory://folder/broken.parquet").path, "memory://folder/broken.parquet")
        with self.assertRaises(FileNotFoundError):
            parqproof.check("memory://folder/missing.parquet")
        with self.assertRaisesRegex(parqproof.InvalidCall, "foo://a/b: Protocol not known"):
            parqproof.check("foo://a/b")
        for mode in ("wb", "ab", "w+b"):
            with self.assertRaisesRegex(parqproof.InvalidCall, "not to be read"):
                parqproof.check(fsspec.open("memory://folder/broken.parquet", mode))
        complete = parqproof.check(BROKEN, name="a").to_form("html")
        for source in (f"file://{BROKEN}", fsspec.open(f"file://{BROKEN}", "rb")):
            self.assertEqual(parqproof.check(source, name="a").to_form("html"), complete)
        path = self.folder / "a.parquet"
        path.write_bytes(DATA)
        with fsspec.open(f"file://{path}", "rb") as file:
            for source in (file, f"file://{path}"):
                with self.assertRaisesRegex(OSError, "never replaced"):
                    parqproof.rewrite(source, path)
        self.assertEqual(self.rules("memory://folder/broken.parquet"), ["statistics/max-value"])

    @needed("pyarrow")
    def test_files_and_buffers_of_pyarrow(self):
        import pyarrow

        self.assertEqual(self.rules(pyarrow.OSFile(str(BROKEN))), ["statistics/max-value"])
        self.assertEqual(self.rules(pyarrow.BufferReader(DATA)), ["statistics/max-value"])
        self.assertEqual(self.rules(pyarrow.py_buffer(DATA)), ["statistics/max-value"])


if __name__ == "__main__":
    unittest.main()
