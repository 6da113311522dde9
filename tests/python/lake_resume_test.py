"""parqproof.lake: which files a second run with the same output reads again, and the rows of its result."""
import http.server
import os
import pathlib
import threading
import unittest

import parqproof
from files import BROKEN, INTACT, needed
from lake_files import LakeTest, corrupt, overwrite, table


class Server(http.server.ThreadingHTTPServer):
    """Serves ranges of `data` on the loopback interface, with `headers`; after `change_after` ranges `next_version()` is called."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.data, self.headers, self.ranges, self.change_after, self.next_version = b"", {}, 0, None, None
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/a.parquet"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_HEAD(self):  # noqa: N802
        self.answer(False)

    def do_GET(self):  # noqa: N802
        self.answer(True)

    def answer(self, has_body):
        server, part = self.server, self.server.data
        asked = self.headers.get("Range")
        if asked:
            first, last = asked.partition("=")[2].split("-")
            part = server.data[int(first):int(last) + 1]
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(server.data)}")
        for name, value in {"Accept-Ranges": "bytes", "Content-Length": str(len(part)), **server.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if has_body:
            self.wfile.write(part)
        if asked:
            server.ranges += 1
            if server.ranges == server.change_after:
                server.next_version()


FIRST, SECOND = ({"Last-Modified": f"Wed, 2{day} Oct 2015 07:28:00 GMT"} for day in (1, 2))


@needed("aiohttp")
@needed("fsspec")
@needed("pyarrow")
class HttpTest(LakeTest):
    """A server that states no ETag."""

    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.server.data, self.server.headers = BROKEN.read_bytes(), FIRST

    def replace(self, data=None, headers=SECOND):
        self.server.data, self.server.headers = data or INTACT.read_bytes().ljust(len(self.server.data), b"\0"), headers

    def test_a_change_during_the_read_is_noticed(self):
        self.assertEqual([finding.rule for finding in parqproof.check(self.server.url)], ["statistics/max-value"])
        self.server.ranges, self.server.change_after, self.server.next_version = 0, 1, self.replace
        with self.assertRaisesRegex(parqproof.SourceChanged, "Oct 2015"):
            parqproof.check(self.server.url)

    def verdicts(self):
        from parqproof.lake import check_table

        return check_table([self.server.url], output=self.folder / "output").files.column("verdict").to_pylist()

    def test_a_changed_file_is_read_again(self):
        self.assertEqual(self.verdicts(), ["nonconforming"])
        read = self.server.ranges
        self.assertEqual(self.verdicts(), ["nonconforming"])
        self.assertEqual(self.server.ranges, read)
        self.replace(bytes(len(self.server.data)))
        self.assertEqual(self.verdicts(), ["malformed"])

    def test_a_file_without_a_version_is_read_again(self):
        self.server.headers = {}
        self.assertEqual(self.verdicts(), ["nonconforming"])
        self.replace(bytes(len(self.server.data)), {})
        self.assertEqual(self.verdicts(), ["malformed"])


class VersionsTest(unittest.TestCase):
    def test_times_of_filesystems_are_versions(self):
        for name in ("Last-Modified", "modify", "modificationTime", "ETag"):
            self.assertEqual(parqproof._remote.version_of({"size": 1, name: "7"}), "7")
        self.assertEqual(parqproof._remote.version_of({"ETag": '"1"', "Last-Modified": "7"}), "1")


@needed("fsspec")
@needed("pyarrow")
class RequestTest(LakeTest):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "output"

    def verdicts(self, given, **options):
        from parqproof.lake import Options, check_table

        return check_table(given, output=self.output, options=Options(**options)).files.column("verdict").to_pylist()

    def test_other_options_check_the_files_again(self):
        import pyarrow.parquet

        path = self.data / "a.parquet"
        pyarrow.parquet.write_table(table(), path, write_page_checksum=True)
        corrupt(path)
        self.assertEqual(self.verdicts(self.data, tier="footer"), ["conforming"])
        self.assertNotEqual(self.verdicts(self.data, tier="values"), ["conforming"])
        self.assertEqual(self.verdicts(self.data, tier="footer"), ["conforming"])
        overwrite(path)
        self.assertEqual(self.verdicts(self.data, tier="footer", timeout=60), ["conforming"])  # which is no option of the check

    @needed("deltalake")
    def test_other_claims_check_the_files_again(self):
        import deltalake

        from parqproof.lake import check_table

        deltalake.write_deltalake(str(self.data), table())
        def rules():
            found = check_table(deltalake.DeltaTable(str(self.data)), output=self.output).findings
            return [rule for rule in found.column("rule").to_pylist() if rule.startswith("lake/")]

        self.assertEqual(rules(), [])
        log, = pathlib.Path(self.data, "_delta_log").glob("*.json")
        log.write_text(log.read_text().replace('\\"numRecords\\":100', '\\"numRecords\\":107'))
        self.assertEqual(rules(), ["lake/record-count"])

    def test_the_result_has_the_files_of_the_table(self):
        from parqproof.lake import check_table, read_result, skip_list

        paths = self.fill(["a/broken.parquet", "b/broken.parquet"])
        for path in paths:
            result = check_table([path], output=self.output)
            self.assertEqual(result.files.column("path").to_pylist(), [path])
            self.assertEqual(result.findings.column("path").to_pylist(), [path])
            self.assertEqual(list(skip_list(result)), [path])
        self.assertEqual(sorted(skip_list(read_result(self.output))), paths)
        pathlib.Path(paths[0]).unlink()
        self.assertEqual(check_table(self.data, output=self.output).files.column("path").to_pylist(), paths[1:])

    def test_a_folder_without_results_is_an_error_and_is_not_made(self):
        from parqproof.lake import read_result

        with self.assertRaisesRegex(FileNotFoundError, "has no results"):
            read_result(self.output)
        self.assertFalse(self.output.exists())

    def test_the_request_is_in_the_results(self):
        from parqproof.lake import check_table

        self.fill(["a.parquet", "b.parquet"])
        requests = set(check_table(self.data, output=self.output).files.column("request").to_pylist())
        self.assertEqual((len(requests), len(requests.pop())), (1, 32))


@needed("fsspec")
@needed("pyarrow")
class StoredTest(LakeTest):
    """Manifests state what was written; what is stored may be something else."""

    def check(self, given):
        from parqproof.lake import check_table

        return check_table(given, output=self.folder / "output")

    def verdicts(self, given):
        return {row["path"]: row["verdict"] for row in self.check(given).files.to_pylist()}

    def damage_is_noticed(self, table_of_now, paths):
        """Of four files one is removed, one truncated, one corrupt; of one that keeps size and time the content is not read again."""
        from parqproof.lake import skip_list

        local = [path.partition("://")[2] or path for path in paths]
        self.assertEqual(self.verdicts(table_of_now()), dict.fromkeys(paths, "conforming"))
        for path in local:
            overwrite(path)
        self.assertEqual(self.verdicts(table_of_now()), dict.fromkeys(paths, "conforming"))
        os.remove(local[0])
        os.truncate(local[1], 100)
        os.utime(local[2])
        for _ in range(2):
            found = self.verdicts(table_of_now())
            self.assertEqual([found[path] for path in paths], ["unreadable", "malformed", "malformed", "conforming"])
            self.assertEqual(sorted(skip_list(self.check(table_of_now()))), sorted(paths[:3]))

    @needed("deltalake")
    def test_a_table_of_delta(self):
        import deltalake

        for number in range(4):
            deltalake.write_deltalake(str(self.data), table(100 * number), mode="append")
        self.damage_is_noticed(lambda: deltalake.DeltaTable(str(self.data)), sorted(map(str, self.data.glob("*.parquet"))))

    @needed("pyiceberg")
    @needed("sqlalchemy")
    def test_a_table_of_iceberg(self):
        from pyiceberg.catalog.sql import SqlCatalog

        catalog = SqlCatalog("catalog", uri=f"sqlite:///{self.folder}/catalog.db", warehouse=f"file://{self.data}")
        catalog.create_namespace("space")
        made = catalog.create_table("space.made", schema=table().schema)
        for number in range(4):
            made.append(table(100 * number))
        self.damage_is_noticed(lambda: catalog.load_table("space.made"), sorted(map(str, self.data.rglob("*.parquet"))))

    def test_entries_of_objects_without_a_version(self):
        from parqproof.lake import Claims, FileEntry

        self.logged_filesystem()
        paths = [f"logged://{path}" for path in self.fill([f"{number}.parquet" for number in range(4)])]
        size = INTACT.stat().st_size
        self.damage_is_noticed(lambda: [FileEntry(path, size, claims=Claims(file_size=size)) for path in paths], paths)

    def test_the_size_is_that_of_the_file(self):
        from parqproof.lake import Claims, FileEntry

        path, = self.fill(["a.parquet"])
        for claims in (None, Claims()):
            self.assertEqual(self.check([FileEntry(path, 7, claims=claims)]).files.column("size").to_pylist(), [INTACT.stat().st_size])

    def test_folders_are_listed_anew(self):
        import fsspec
        from fsspec.implementations.memory import MemoryFileSystem

        from parqproof.lake import files_of

        class Caching(MemoryFileSystem):
            protocol = "caching"
            listed = {}

            @classmethod
            def _strip_protocol(cls, path):
                return super()._strip_protocol(path.removeprefix("caching://"))

            def find(self, path, **options):
                return self.listed.setdefault(path, super().find(path, **options))

            def invalidate_cache(self, path=None):
                self.listed.clear()

        fsspec.register_implementation("caching", Caching, clobber=True)
        fs = fsspec.filesystem("caching")
        self.addCleanup(fs.rm, "/folder", recursive=True)
        for size in (5, 7):
            fs.pipe_file("/folder/a.parquet", bytes(size))
            self.assertEqual([entry.size for entry in files_of("caching://folder")], [size])


if __name__ == "__main__":
    unittest.main()
