"""Files of fsspec: what is read, and what becomes of faults of the network. With a filesystem in memory, and with an S3 server; http_test has an
HTTP server."""
import io
import json
import logging
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest
import zipfile

import parqproof
from files import BROKEN, INTACT, WITNESSES, FolderTest, needed, program

try:
    import fsspec
    from fsspec.spec import AbstractBufferedFile, AbstractFileSystem
except ImportError:
    fsspec, AbstractBufferedFile, AbstractFileSystem = None, object, object

DATA = BROKEN.read_bytes()
GIGABYTE = 1 << 30


class Zeros:
    def __init__(self, size):
        self.size = size

    def __getitem__(self, part):
        return bytes(min(part.stop, self.size) - part.start)

    def __len__(self):
        return self.size


class Sparse:
    """A file with zeros after its magic: `tail` is its end, which is complete but for offsets."""

    def __init__(self, size, tail):
        self.size, self.tail = size, tail

    def __getitem__(self, part):
        start, end = part.start, min(part.stop, self.size)
        begin = self.size - len(self.tail)
        head = (b"PAR1" + bytes(max(0, min(end, begin) - 4)))[start:end] if start < 4 else bytes(max(0, min(end, begin) - start))
        return head + self.tail[max(0, start - begin):max(0, end - begin)]

    def __len__(self):
        return self.size


class FaultyFile(AbstractBufferedFile):
    def _fetch_range(self, start, end):
        return self.fs.answer(self.path, start, end)


class Faulty(AbstractFileSystem):
    """A filesystem whose objects are bytes, and whose answers a test disturbs."""

    protocol = "faulty"
    cachable = False
    objects, requests, versions = {}, [], {}
    fault = None  # called with the number of the request and its bytes

    def info(self, path, **_):
        path = self._strip_protocol(path)
        if path not in self.objects:
            raise FileNotFoundError(path)
        return {"name": path, "size": len(self.objects[path]), "type": "file", "ETag": self.versions.get(path, '"1"')}

    def _open(self, path, mode="rb", block_size=None, autocommit=True, cache_options=None, **kwargs):
        return FaultyFile(self, path, mode, block_size or 5 << 20, cache_options=cache_options, **kwargs)

    def answer(self, path, start, end):
        Faulty.requests.append((start, end))
        data = bytes(self.objects[path][start:end])
        return Faulty.fault(len(Faulty.requests), data) if Faulty.fault else data


@needed("fsspec")
class FaultyNetworkTest(FolderTest):
    def setUp(self):
        super().setUp()
        fsspec.register_implementation("faulty", Faulty, clobber=True)
        Faulty.objects, Faulty.requests, Faulty.versions, Faulty.fault = {"a.parquet": DATA}, [], {}, None
        self.url = "faulty://a.parquet"
        pause = parqproof._remote.PAUSE_SECONDS
        self.addCleanup(setattr, parqproof._remote, "PAUSE_SECONDS", pause)
        parqproof._remote.PAUSE_SECONDS = 0.001

    def rules(self, **options):
        return [finding.rule for finding in parqproof.check(self.url, **options)]

    def test_a_url_gives_the_findings_of_the_file(self):
        self.assertEqual(self.rules(), ["statistics/max-value"])
        self.assertEqual(parqproof.check(self.url).path, self.url)

    def test_faults_and_mutate_take_urls_with_options(self):
        url, options = "zip://a.parquet", {"fo": str(self.folder / "a.zip")}
        with zipfile.ZipFile(options["fo"], "w") as packed:
            packed.write(INTACT, "a.parquet")
        self.assertEqual(parqproof.faults(url, storage_options=options), parqproof.faults(INTACT))
        made = io.BytesIO()
        parqproof.mutate(url, made, "max-value-low", storage_options=options)
        self.assertEqual([finding.rule for finding in parqproof.check(made.getvalue())], ["statistics/max-value"])

    def test_a_footer_check_of_a_gigabyte_reads_less_than_a_megabyte(self):
        made = io.BytesIO()
        parqproof.rewrite(INTACT, made)
        Faulty.objects["a.parquet"] = Sparse(GIGABYTE, made.getvalue())
        report = parqproof.check(self.url, tier="footer")
        self.assertEqual(report.files[0]["size"], GIGABYTE)
        self.assertEqual(report.files[0]["rows"], parqproof.check(INTACT).files[0]["rows"])
        self.assertLess(sum(end - start for start, end in Faulty.requests), 1_000_000)
        self.assertLess(len(Faulty.requests), 8)

    def test_a_footer_check_of_zeros_reads_less_than_a_megabyte(self):
        for size, rule in ((GIGABYTE, "file/tail-magic"), (100_000, "file/other-format")):
            Faulty.objects["a.parquet"] = Zeros(size)
            Faulty.requests.clear()
            report = parqproof.check(self.url, tier="footer")
            self.assertEqual([finding.rule for finding in report], [rule])
            self.assertLess(sum(end - start for start, end in Faulty.requests), 1_000_000)

    def large(self, size=6 << 20):
        """A file of one column of random bytes."""
        import pyarrow
        import pyarrow.parquet

        made = io.BytesIO()
        table = pyarrow.table({"a": pyarrow.array([os.urandom(1 << 16) for _ in range(size >> 16)], pyarrow.binary())})
        pyarrow.parquet.write_table(table, made, use_dictionary=False, compression="none", data_page_size=1 << 18)
        return made.getvalue()

    @needed("pyarrow")
    def test_a_complete_check_reads_ahead_and_each_byte_once(self):
        data = Faulty.objects["a.parquet"] = self.large(24 << 20)
        self.assertEqual(parqproof.check(self.url).to_dict()["files"][0]["errors"], parqproof.check(data).errors)
        self.assertLess(sum(end - start for start, end in Faulty.requests), 1.1 * len(data))
        self.assertLess(len(Faulty.requests), 20)
        self.assertLessEqual(max(end - start for start, end in Faulty.requests), 8 << 20)

    @needed("pyarrow")
    def test_a_dropped_connection_is_continued(self):
        data = Faulty.objects["a.parquet"] = self.large()
        for name, fault in (("half of the answer", lambda number, answer: answer[: len(answer) // 2] if number % 2 else answer),
                            ("no answer", lambda number, answer: self.drop() if number % 2 else answer)):
            with self.subTest(name):
                Faulty.requests.clear()
                Faulty.fault = staticmethod(fault)
                self.assertEqual(parqproof.check(self.url, name="x").to_json(), parqproof.check(data, name="x").to_json())
                self.assertGreater(len(Faulty.requests), 3)

    def drop(self, *_):
        raise ConnectionResetError("connection reset by peer")

    def test_a_lost_connection_is_no_finding(self):
        for name, fault, failure in (("reset", self.drop, "connection reset"), ("empty answers", lambda number, answer: b"", "the answer ended")):
            with self.subTest(name):
                Faulty.fault = staticmethod(fault)
                for function in (parqproof.check, parqproof.layout, parqproof.schema_text, lambda url: list(parqproof.rows(url))):
                    with self.assertRaisesRegex(ConnectionError, failure):
                        function(self.url)

    def test_a_slow_connection_can_be_interrupted_and_gives_the_report(self):
        Faulty.fault = staticmethod(lambda number, answer: time.sleep(0.05) or answer)
        self.assertEqual(self.rules(), ["statistics/max-value"])

    def test_a_change_during_the_read_is_noticed(self):
        def grow(number, answer):
            Faulty.objects["a.parquet"] = DATA + DATA
            return answer

        def overwrite(number, answer):
            Faulty.versions["a.parquet"] = '"2"'
            return answer

        def truncate(number, answer):
            Faulty.objects["a.parquet"] = DATA[:10]
            return b""

        def remove(number, answer):
            Faulty.objects.pop("a.parquet", None)
            return answer

        for change in (grow, overwrite, truncate, remove):
            with self.subTest(change.__name__):
                Faulty.objects, Faulty.versions = {"a.parquet": DATA}, {}
                Faulty.fault = staticmethod(change)
                with self.assertRaisesRegex(parqproof.SourceChanged, "while it was read"):
                    parqproof.check(self.url)

    def test_missing_objects(self):
        with self.assertRaises(FileNotFoundError):
            parqproof.check("faulty://none.parquet")
        self.assertEqual(Faulty.requests, [])


def module(*arguments, **environment):
    return subprocess.run([sys.executable, "-m", "parqproof", *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=300)


@needed("fsspec")
class CommandLineTest(FolderTest):
    """Options and forms, with the filesystem of local files."""

    def setUp(self):
        super().setUp()
        self.broken, self.intact = f"file://{BROKEN}", f"file://{INTACT}"

    def test_exit_codes_and_forms(self):
        self.assertEqual(module("check", self.intact).returncode, 0)
        shown = module("check", "--format", "lines", self.intact, self.broken)
        self.assertEqual(shown.returncode, 1)
        self.assertIn("statistics/max-value", shown.stdout)
        self.assertEqual(module("check", "--quiet", self.broken).stdout, "")
        self.assertEqual(module("check", "--ignore", "statistics/*", self.broken).returncode, 0)
        self.assertEqual(module("check", "--severity", "statistics/max-value=warning", self.broken).returncode, 0)
        self.assertEqual(module("check", "--severity", "statistics/max-value=warning", "--fail-on", "warning", self.broken).returncode, 1)
        shown = module("check", "--severity", "statistics/max-value=warning", "--fail-on", "warning", "--format", "junit", self.broken)
        self.assertIn('failures="1"', shown.stdout)
        self.assertEqual(module("check", "--format", "json", self.broken).stdout, parqproof.check(self.broken).to_json())
        self.assertEqual(module("check", "--no-such-option", self.broken).returncode, 2)
        self.assertEqual(module("check", "--format", "json", self.broken, self.intact).returncode, 2)

    def test_outputs_and_tolerated_verdicts(self):
        made, report = self.folder / "made.json", parqproof.check(self.broken)
        shown = module("check", "--format", "codequality", "--output", f"json={made}", "--output", f"html={self.folder}/made.html", self.broken)
        self.assertEqual((shown.stdout, made.read_text()), (report.to_form("codequality"), report.to_json()))
        self.assertEqual((self.folder / "made.html").read_text(), report.to_form("html"))
        module("check", "--quiet", "--output", f"lines={made}", self.broken, self.broken)
        self.assertEqual(made.read_text(), 2 * report.to_form("lines"))
        for wrong in (["--output", f"json={made}", self.intact, self.broken], ["--output", f"json={self.folder}/none/a", self.broken],
                      ["--output", "json", self.broken], ["--tolerate", "malformed", self.broken]):
            refused = module("check", *wrong)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""), wrong)
        encrypted = f"file://{WITNESSES}/encryption/aad-file-unique/pass-a.parquet"
        self.assertEqual(module("check", encrypted).returncode, 2)
        self.assertEqual(module("check", "--tolerate", "unsupported,limit", encrypted).returncode, 0)

    def test_an_unreadable_file_is_named_with_the_cause_and_others_are_checked(self):
        shown = module("check", f"file://{self.folder}/none.parquet", self.broken)
        self.assertEqual(shown.returncode, 2)
        self.assertRegex(shown.stderr, "none.parquet: unreadable: FileNotFoundError")
        self.assertIn("none.parquet: unreadable", shown.stdout)
        self.assertIn("statistics/max-value", shown.stdout)

    def test_a_report_of_an_unreadable_file_has_its_verdict(self):
        url, made = f"file://{self.folder}/none.parquet", self.folder / "made.xml"
        shown = module("check", "--format", "json", "--tier", "footer", "--output", f"junit={made}", url)
        file, = json.loads(shown.stdout)["files"]
        self.assertEqual((file["path"], file["verdict"], file["tier"], file["findings"]), (url, "unreadable", "footer", []))
        self.assertIn("FileNotFoundError", file["not_run"][0]["why"])
        self.assertNotIn("size", file)
        self.assertIn('<error type="unreadable"', made.read_text())
        self.assertEqual(shown.returncode, 2)

    def test_only_a_file_decides_whether_the_program_runs(self):
        arguments = ["cat", str(INTACT), "--lookup", "a=x://y"]
        shown, expected = module(*arguments), program(*arguments)
        self.assertEqual((shown.stdout, shown.stderr, shown.returncode), (expected.stdout, expected.stderr, expected.returncode))
        self.assertIn("no rule is named 'a://b'", module("explain", "a://b").stderr)
        self.assertIn("No such file", module("check", "--", "-x", "y").stderr)
        for arguments in (["check", "--ignore", "statistics/*", "-j", "2", self.broken], ["check", "--ignore=statistics/*", "--", self.broken]):
            self.assertEqual(module(*arguments).returncode, 0)

    def test_the_options_with_a_value_are_those_of_the_program(self):
        from parqproof import __main__, _urls

        shown = "".join(program(command, "--help").stdout for command in __main__.COMMANDS)
        options = set(re.findall(r"^  (?:-\w,)?(--[\w-]+) [A-Z]+", shown, re.MULTILINE))
        self.assertEqual({*__main__.WITH_VALUE} - {"-j", "--storage-option"}, options)
        parsers = _urls._parser()._subparsers._group_actions[0].choices
        self.assertEqual({*__main__.COMMANDS}, {*parsers})
        of_urls = {option for parser in parsers.values() for action in parser._actions if action.nargs is None for option in action.option_strings}
        self.assertLess(of_urls, {*__main__.WITH_VALUE})

    def test_other_subcommands(self):
        self.assertEqual(module("cat", self.intact).stdout, "".join(f"{row}\n" for row in parqproof.rows(INTACT, text=True)))
        self.assertEqual(module("schema", self.intact).stdout, parqproof.schema_text(INTACT))
        self.assertEqual(module("cat", "--columns", "a", self.intact).stdout, module("cat", self.intact).stdout)
        for columns in ("", "a,"):
            refused = module("cat", "--columns", columns, self.intact)
            self.assertEqual((refused.returncode, refused.stdout, refused.stderr), (2, "", "parqproof: columns has an empty path\n"))
        self.assertIn('"segments"', module("layout", "--format", "json", self.intact).stdout)
        self.assertIn('"num_rows"', module("meta", "--format", "json", self.intact).stdout)
        refused = module("meta", self.intact)
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("--format json", refused.stderr)


class Proxy:
    """A TCP proxy on the loopback interface, which cuts the first answers of more than `cut` bytes, and pauses between pieces."""

    def __init__(self, target, cuts=0, cut=20_000, pause=0.0):
        self.target, self.cuts, self.cut, self.pause = target, cuts, cut, pause
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:  # closed
                return
            server = socket.create_connection(self.target)
            threading.Thread(target=self.forward, args=(client, server, False), daemon=True).start()
            threading.Thread(target=self.forward, args=(server, client, True), daemon=True).start()

    def forward(self, source, target, answers):
        sent = 0
        try:
            while data := source.recv(8192):
                time.sleep(self.pause if answers else 0)
                target.sendall(data)
                sent += len(data)
                if answers and sent > self.cut and self.cuts > 0:
                    self.cuts -= 1
                    break
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


@needed("s3fs")
@needed("moto.server")
class S3Test(FolderTest):
    """An S3 server on the loopback interface."""

    @classmethod
    def setUpClass(cls):
        import s3fs
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        cls.server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        cls.server.start()
        host, port = cls.server.get_host_and_port()
        cls.options = {"key": "a", "secret": "b", "endpoint_url": f"http://{host}:{port}", "client_kwargs": {"region_name": "us-east-1"}}
        cls.s3 = s3fs.S3FileSystem(**cls.options)
        cls.s3.call_s3("create_bucket", Bucket="lake")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_an_object_gives_the_findings_of_the_file(self):
        self.s3.pipe("lake/a.parquet", DATA)
        report = parqproof.check("s3://lake/a.parquet", storage_options=self.options)
        self.assertEqual([finding.rule for finding in report], ["statistics/max-value"])

    def test_the_command_line(self):
        self.s3.pipe("lake/a.parquet", DATA)
        shown = module("check", "--storage-option", f"endpoint_url={self.options['endpoint_url']}", "s3://lake/a.parquet",
                       AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b", AWS_DEFAULT_REGION="us-east-1")
        self.assertEqual(shown.returncode, 1, shown.stderr)
        self.assertIn("statistics/max-value", shown.stdout)
        self.assertIn("s3://lake/a.parquet", shown.stdout)

    def test_an_object_that_changes_is_noticed_by_its_etag(self):
        changed = DATA[:100] + b"!" + DATA[101:]
        for size in (len(DATA), 3 << 20):  # of one range, and of several, where the server compares the ETag
            with self.subTest(size=size):
                first, second = (part + bytes(size - len(part)) for part in (DATA, changed))
                self.s3.pipe("lake/b.parquet", first)
                remote = parqproof._remote.RemoteFile("s3://lake/b.parquet", self.options)
                remote.read(10)
                self.s3.pipe("lake/b.parquet", second)
                with self.assertRaisesRegex(parqproof.SourceChanged, "changed while it was read"):
                    try:
                        while remote.read(1 << 20):
                            pass
                        remote.verify()
                    except Exception as failure:
                        remote.verify(failure)
                        raise
                remote.close()

    def through(self, proxy, data):
        """The report of an object of these bytes, read through the proxy."""
        self.s3.pipe("lake/c.parquet", data)
        self.addCleanup(proxy.listener.close)
        return parqproof.check("s3://lake/c.parquet", storage_options={**self.options, "endpoint_url": proxy.url, "skip_instance_cache": True},
                               name="c")

    @needed("pyarrow")
    def test_dropped_connections_and_a_slow_server_give_the_report_of_the_file(self):
        data = FaultyNetworkTest.large(self, 1 << 20)
        expected = parqproof.check(data, name="c").to_json()
        address = self.server.get_host_and_port()
        dropping = Proxy(address, cuts=2)
        self.assertEqual(self.through(dropping, data).to_json(), expected)
        self.assertEqual(dropping.cuts, 0)
        self.assertEqual(self.through(Proxy(address, pause=0.005), data).to_json(), expected)

    @needed("pyarrow")
    def test_a_connection_that_always_drops_is_no_finding(self):
        with self.assertRaises(Exception) as caught:
            self.through(Proxy(self.server.get_host_and_port(), cuts=1000), FaultyNetworkTest.large(self, 1 << 20))
        self.assertNotIsInstance(caught.exception, parqproof.Error)

    def test_a_server_that_is_gone_is_no_finding(self):
        options = {**self.options, "endpoint_url": "http://127.0.0.1:9", "config_kwargs": {"retries": {"max_attempts": 1}}}
        with self.assertRaises(Exception) as caught:
            parqproof.check("s3://lake/a.parquet", storage_options=options)
        self.assertNotIsInstance(caught.exception, parqproof.Error)


if __name__ == "__main__":
    unittest.main()
