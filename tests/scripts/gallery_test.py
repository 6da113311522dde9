"""scripts/report-gallery: the examples of README.md and docs/ equal the program's output, and outdated ones are named."""

import os
import re
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

from program import PROGRAM, ROOT, Case, large

from gallery import browser, png, terminal
from gallery.program import has_terminal

DOCS = ROOT / "docs"
# Runs a script without a terminal device.
WITHOUT_TERMINAL = """import pty, runpy, sys
def openpty():
    raise OSError(2, "No such file or directory")
pty.openpty = openpty
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def gallery(*arguments, chromium=None):
    environment = {**os.environ, "PARQPROOF_BINARY": PROGRAM, **({"PARQPROOF_CHROMIUM": chromium} if chromium else {})}
    return subprocess.run([sys.executable, ROOT / "scripts/report-gallery", *map(str, arguments)], env=environment, capture_output=True, check=False, text=True)


def paths_below(folder, text):
    """The absolute paths into a folder; /src/main in the middle of a URL is not one into /src."""
    return re.findall(rf"(?<![\w.-]){re.escape(str(folder))}/[\w./-]*", text)


class Gallery(Case):
    def test_all_examples_equal_the_output_of_the_program(self):
        done = gallery("--check")
        self.assertEqual((done.returncode, done.stdout), (0, ""), "scripts/report-gallery writes it again")

    def copy_of_documents(self):
        shutil.copytree(DOCS, self.folder / "docs")
        shutil.copy(ROOT / "README.md", self.folder)
        for name in ("corpus", "scripts"):  # named by the commands of the documents
            (self.folder / name).symlink_to(ROOT / name)

    @large
    @unittest.skipUnless(has_terminal(), "no terminal device")
    def test_outdated_examples_are_named_and_rewritten(self):
        self.copy_of_documents()
        changed = {"docs/gallery/wrong-max.svg": "</svg>", "docs/gallery/known-bug.txt": "error", "README.md": "error       thrift", "docs/check.md": "num_nulls of the page"}
        before = {name: (self.folder / name).read_bytes() for name in changed}
        for name, words in changed.items():
            text = before[name].decode()
            self.assertIn(words, text)
            (self.folder / name).write_text(text.replace(words, words.upper()))
        extra = self.write("docs/gallery/nothing.txt", b"")
        (self.folder / "docs/gallery/conforming.txt").unlink()
        done = gallery("--check", "--root", self.folder)
        self.assertEqual(done.returncode, 1)
        names = {*changed, "docs/gallery/nothing.txt", "docs/gallery/conforming.txt"}
        self.assertEqual(set(re.findall(r"^(\S+): out of date$", done.stdout, re.M)), names)
        done = gallery("--root", self.folder)
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, len(names)))
        self.assertEqual({name: (self.folder / name).read_bytes() for name in changed}, before)
        self.assertFalse(extra.exists())
        self.assertEqual(gallery("--check", "--root", self.folder).returncode, 0)

    @large
    @unittest.skipUnless(browser.PROGRAM, "no Chromium is installed")
    def test_a_picture_of_another_page_is_outdated(self):
        self.copy_of_documents()
        path = self.folder / "docs/gallery/report-dark.png"
        path.write_bytes(path.read_bytes().replace(b"Source\0", b"Source\0x"))
        done = gallery("--check", "--root", self.folder)
        self.assertEqual((done.returncode, "report-dark.png: out of date" in done.stdout, "report-light.png" in done.stdout), (1, True, False))

    def test_a_part_of_a_url_is_no_path_of_the_machine(self):
        self.assertEqual(paths_below("/src", "https://example.com/blob/24102ed/src/main/thrift parquet-format/src/main"), [])
        self.assertEqual(paths_below("/src", "file:///src/a.parquet, '/src/b.parquet'"), ["/src/a.parquet", "/src/b.parquet"])

    def test_without_a_terminal_device_the_pictures_of_a_terminal_are_kept(self):
        done = subprocess.run([sys.executable, self.write("without.py", WITHOUT_TERMINAL.encode()), ROOT / "scripts/report-gallery", "--check"],
                              env={**os.environ, "PARQPROOF_BINARY": PROGRAM}, capture_output=True, check=False, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("no terminal device: gallery/wrong-max.svg is kept", done.stderr)

    def test_the_gallery_is_small_and_loads_nothing(self):
        files = list((DOCS / "gallery").iterdir())
        self.assertLess(sum(path.stat().st_size for path in files), 1_500_000)
        for path in files:
            self.assertEqual(paths_below(ROOT, path.read_bytes().decode("latin-1")), [], path.name)
        for path in [*DOCS.glob("*.svg"), *(DOCS / "gallery").glob("*.svg")]:
            text = path.read_text()
            xml.etree.ElementTree.fromstring(text)
            self.assertEqual(re.findall(r"https?://[^\"]*", text), ["http://www.w3.org/2000/svg"])
            self.assertIn("prefers-color-scheme: dark", text)
        for path in (DOCS / "gallery").glob("*.png"):
            self.assertLess(path.stat().st_size, 200_000)
            self.assertRegex(png.note(path.read_bytes()), "^[0-9a-f]{64}$")


class Terminal(unittest.TestCase):
    def test_colours_links_and_blanks(self):
        line = "  \x1b[1;31merror\x1b[0m <a> \x1b]8;;https://example.com\x1b\\clause\x1b]8;;\x1b\\"
        self.assertEqual(terminal.spans(line), [("  ", []), ("error", ["bold", "red"]), (" <a> ", []), ("clause", ["link"])])
        self.assertEqual(terminal.drawn(line, 0), '<text xml:space="preserve" x="33.6" y="31" textLength="124.8"><tspan class="bold red">error</tspan> &lt;a&gt; '
                                                  '<tspan class="link">clause</tspan></text>')
        self.assertIsNone(terminal.drawn("   ", 0))


class Png(unittest.TestCase):
    def picture(self, width, height, colours):
        """A picture as a browser writes it: all filters, a line each."""
        rows, above = b"", bytes(3 * width)
        for y in range(height):
            line = b"".join(map(bytes, colours[y * width:(y + 1) * width]))
            left, corner, kind = bytes(3) + line, bytes(3) + above, y % 5
            guesses = [lambda i: 0, lambda i: left[i], lambda i: above[i], lambda i: (left[i] + above[i]) // 2, lambda i: self.paeth(left[i], above[i], corner[i])]
            rows += bytes([kind]) + bytes((line[i] - guesses[kind](i)) % 256 for i in range(len(line)))
            above = line
        import struct
        import zlib
        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        return png.SIGNATURE + png.chunk(b"IHDR", header) + png.chunk(b"IDAT", zlib.compress(rows)) + png.chunk(b"IEND", b"")

    @staticmethod
    def paeth(a, b, c):
        return min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]

    def test_every_filter_is_read_and_few_colours_are_kept(self):
        colours = [((x * 7 + y * 3) % 16 * 15, y * 20, x * 9) for y in range(10) for x in range(12)]
        self.assertEqual(png.pixels(self.picture(12, 10, colours)), (12, 10, colours))
        data = png.written(12, 10, colours, "words")
        self.assertEqual(png.note(data), "words")
        self.assertEqual(data, png.written(12, 10, colours, "words"))

    def test_many_colours_are_reduced_to_similar_ones(self):
        colours = [(x % 256, x // 256 * 8, 255 - x % 256) for x in range(64 * 64)]
        data = png.written(64, 64, colours, "")
        table = next(body for kind, body in png.chunks(data) if kind == b"PLTE")
        self.assertLessEqual(len(table), 3 * 256)
