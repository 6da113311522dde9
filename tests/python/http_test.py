"""Objects of an HTTP server: what becomes of answers that are not the object."""
import http.server
import threading
import unittest

import parqproof
from files import BROKEN, needed

DATA = BROKEN.read_bytes()


class Pages(http.server.BaseHTTPRequestHandler):
    """An HTTP server of one object, whose path decides how it answers GET."""

    data = DATA
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def is_failed_info(self):
        """Answers a request for the info with another status: paths are STATUS, first-STATUS, which fails twice, and end-STATUS after a range."""
        first, _, status = self.path.strip("/").rpartition("-")
        failures = {"": 1000, "first": 4, "end": 1000 if getattr(self.server, "ended", False) else 0}.get(first, 0)
        self.server.failed = getattr(self.server, "failed", 0) + 1
        if not status.isdigit() or self.server.failed > failures:
            return False
        if status == "000":
            self.close_connection = True
        else:
            self.answer(int(status), b"", {"Location": self.path} if status == "302" else {})
        return True

    def do_HEAD(self):
        if self.is_failed_info():
            return
        self.answer(200, b"", {"Content-Length": len(self.data), "ETag": '"1"', "Accept-Ranges": "bytes"})

    def do_GET(self):
        if "Range" not in self.headers:
            if not self.is_failed_info():
                self.answer(200, self.data, {})
            return
        first, last = (int(number) for number in self.headers["Range"].removeprefix("bytes=").split("-"))
        part = self.data[first:last + 1]
        headers = {"ETag": 'W/"1"', "Content-Range": f"bytes {first}-{last}/{len(self.data)}"}
        kind = self.path.strip("/")
        if kind.startswith("end-"):
            self.server.ended = True
            self.answer(206, part, headers)
        elif kind in ("short", "long"):
            self.answer(200, b"<html>" * (len(self.data) if kind == "long" else 1), {})
        elif kind == "chunked":
            self.answer(200, b"6\r\n<html>\r\n0\r\n\r\n", {"Transfer-Encoding": "chunked"})
        elif kind == "etag":
            self.answer(206, bytes(len(part)), {**headers, "ETag": '"2"'})
        elif kind == "page-etag":
            self.answer(200, bytes(len(self.data)), {"ETag": '"2"'})
        elif kind in ("range", "size"):
            self.answer(206, bytes(len(part)), {"Content-Range": f"bytes {first + 1}-{last + 1}/{len(self.data)}" if kind == "range" else
                                                f"bytes {first}-{last}/{len(self.data) + 1}"})
        elif kind == "unknown":
            self.answer(206, bytes(len(part)), {})
        elif kind == "less":
            part = part[:100]
            self.answer(206, part, {"Content-Range": f"bytes {first}-{first + len(part) - 1}/*"})
        elif kind == "complete":
            self.answer(200, self.data, {})
        elif kind == "complete-chunked":
            self.answer(200, b"%x\r\n%s\r\n0\r\n\r\n" % (len(self.data), self.data), {"Transfer-Encoding": "chunked", "ETag": '"1"'})
        else:
            self.answer(206, part, headers)

    def answer(self, status, body, headers):
        self.send_response(status)
        length = {} if "Transfer-Encoding" in headers else {"Content-Length": len(body)}
        for name, value in {**length, **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)


@needed("aiohttp")
class HttpTest(unittest.TestCase):
    """What a server, or a proxy in its place, returns that is not the object."""

    def setUp(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.server = server
        server.handle_error = lambda *_: None  # of answers that are not read to their end
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_port}/"
        self.addCleanup(setattr, parqproof._remote, "PAUSE_SECONDS", parqproof._remote.PAUSE_SECONDS)
        parqproof._remote.PAUSE_SECONDS = 0.001

    def test_ranges_and_the_complete_object_give_the_findings(self):
        for kind in ("object", "less", "complete", "complete-chunked"):
            with self.subTest(kind):
                self.assertEqual([finding.rule for finding in parqproof.check(self.url + kind)], ["statistics/max-value"])

    def test_another_page_is_no_finding(self):
        for kind in ("short", "long", "chunked", "range", "size", "unknown"):
            with self.subTest(kind), self.assertRaisesRegex(ConnectionError, "the server returned"):
                parqproof.check(self.url + kind)

    def test_a_failed_request_for_the_info_has_its_status(self):
        for status, failure in (("401", PermissionError), ("403", PermissionError), ("429", OSError), ("500", OSError), ("503", OSError)):
            with self.subTest(status), self.assertRaisesRegex(failure, f"{status}: the server answered with status {status} [A-Z]") as caught:
                parqproof.check(self.url + status)
            self.assertNotIsInstance(caught.exception, FileNotFoundError)
        for status in ("404", "410"):
            with self.subTest(status), self.assertRaises(FileNotFoundError):
                parqproof.check(self.url + status)
        for path, message in (("302", "TooManyRedirects"), ("000", "Disconnected")):
            with self.subTest(path), self.assertRaisesRegex(ConnectionError, message):
                parqproof.check(self.url + path)
        for status in ("503", "429", "000"):
            self.server.failed = 0
            self.assertEqual(len(parqproof.check(f"{self.url}first-{status}")), 1)

    def test_a_failed_request_for_the_version_is_no_change(self):
        for status in ("403", "503", "000", "404", "410"):
            self.server.ended = False
            with self.subTest(status), self.assertRaises(OSError) as caught:
                parqproof.check(f"{self.url}end-{status}")
            is_gone = status in ("404", "410")
            self.assertEqual(isinstance(caught.exception, parqproof.SourceChanged), is_gone)
            self.assertRegex(str(caught.exception), "was removed" if is_gone else f"changed while it was read: .*({status}|Disconnected)")

    def test_permanent_statuses_are_not_tried_again(self):
        for status, attempts in (("403", 1), ("503", 4)):
            self.server.failed = 0
            with self.assertRaises(OSError):
                parqproof.check(self.url + status)
            self.assertEqual(self.server.failed, 2 * attempts)  # HEAD and GET

    def test_caches_of_fsspec(self):
        for cache in ("blockcache", "filecache", "simplecache"):
            for url in (f"{self.url}object", f"file://{BROKEN}"):
                with self.subTest(cache=cache, url=url):
                    self.assertEqual([finding.rule for finding in parqproof.check(f"{cache}::{url}")], ["statistics/max-value"])

    def test_an_answer_with_another_etag_is_a_change(self):
        for kind in ("etag", "page-etag"):
            with self.subTest(kind), self.assertRaisesRegex(parqproof.SourceChanged, 'its ETag was "1", and is "2"'):
                parqproof.check(self.url + kind)


if __name__ == "__main__":
    unittest.main()
