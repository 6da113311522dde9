"""The wheel that scripts/wheel has made, in a fresh environment."""
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

from files import BROKEN, INTACT, SOURCE

WHEELS = sorted((SOURCE / "build/wheel").glob("*.whl"))
MAX_BYTES = 12_000_000
MAX_SECONDS = 10


def setUpModule():
    if not WHEELS:
        raise unittest.SkipTest("there is no build/wheel/*.whl: run scripts/wheel")


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.environment = {name: value for name, value in os.environ.items() if not name.startswith(("PARQPROOF_", "PYTHON"))}
        cls.python = cls.folder / "venv/bin/python"
        subprocess.run([sys.executable, "-m", "venv", cls.folder / "venv"], check=True)
        began = time.monotonic()
        subprocess.run([cls.python, "-m", "pip", "install", "-q", "--no-index", WHEELS[-1]], check=True, env=cls.environment)
        cls.first = cls.run_in("-c", f"import parqproof; print(repr(parqproof.check({str(BROKEN)!r})))")
        cls.seconds = time.monotonic() - began

    @classmethod
    def run_in(cls, *arguments):
        return subprocess.run([cls.python, *arguments], capture_output=True, text=True, env=cls.environment, cwd=cls.folder)

    def test_from_install_to_the_first_report(self):
        self.assertIn("fail-a.parquet: nonconforming, 1 error", self.first.stdout, self.first.stderr)
        self.assertLess(self.seconds, MAX_SECONDS)
        print(f"{self.seconds:.1f} s from pip install to the first report")

    def test_size_and_tag(self):
        self.assertLess(WHEELS[-1].stat().st_size, MAX_BYTES)
        self.assertRegex(WHEELS[-1].name, r"^parqproof-\d+\.\d+\.\d+(\.dev0)?-py3-none-manylinux_2_\d+_\w+\.whl$")
        with zipfile.ZipFile(WHEELS[-1]) as wheel:
            names = wheel.namelist()
            notices = [wheel.read(name).decode() for name in names if name.endswith(".dist-info/licenses/THIRD-PARTY-NOTICES.txt")]
        for name in ("Snappy", "Zstandard", "Brotli", "CLI11", "OpenSSL"):
            self.assertRegex("".join(notices), rf"(?m)^{name} \(.*\): ")
        self.assertIn("parqproof/py.typed", names)
        self.assertFalse([name for name in names if ".libs/" in name], "no library was added")

    def test_the_program_and_the_library_need_libc_alone(self):
        for path in (self.folder / "venv/bin/parqproof", *self.folder.glob("venv/lib/*/site-packages/parqproof/native/*.so*")):
            dynamic = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
            needed = re.findall(r"NEEDED.*\[(.+?)\]", dynamic)
            self.assertIn("libc.so.6", needed)
            self.assertLessEqual(set(needed), {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"})

    def test_the_program_is_on_the_path_and_a_module(self):
        for command in ([self.folder / "venv/bin/parqproof"], [self.python, "-m", "parqproof"]):
            result = subprocess.run([*command, "check", "--format", "lines", BROKEN], capture_output=True, text=True, env=self.environment)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("error statistics/max-value", result.stdout)
            self.assertEqual(subprocess.run([*command, "check", "--quiet", INTACT], env=self.environment).returncode, 0)

    def test_the_program_finds_its_library_by_a_link_and_in_a_target_folder(self):
        link = self.folder / "link"
        link.symlink_to(self.folder / "venv/bin/parqproof")
        subprocess.run([self.python, "-m", "pip", "install", "-q", "--no-index", "--target", self.folder / "target", WHEELS[-1]], check=True,
                       env=self.environment)
        for program in (link, self.folder / "target/bin/parqproof"):
            result = subprocess.run([program, "--version"], capture_output=True, text=True, env=self.environment)
            self.assertRegex(result.stdout, r"^parqproof \d+\.\d+\.\d+(-dev)? ", result.stderr)

    def test_the_program_calls_no_library_of_another_version(self):
        native = next(self.folder.glob("venv/lib/*/site-packages/parqproof/native/libparqproof.so.1"))
        version = subprocess.run([self.folder / "venv/bin/parqproof", "--version"], capture_output=True, text=True).stdout.split()[1]
        other = self.folder / "other/lib/python3.0/site-packages/parqproof/native"
        other.mkdir(parents=True)
        (self.folder / "other/bin").mkdir()
        program = shutil.copy(self.folder / "venv/bin/parqproof", self.folder / "other/bin/parqproof")
        data = native.read_bytes()
        for written, code in ((version, 0), ("9" + version[1:], 2)):
            (other / native.name).write_bytes(data.replace(f"{version}\0".encode(), f"{written}\0".encode()))
            result = subprocess.run([program, "--version"], capture_output=True, text=True)
            self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn("python3 -m parqproof", result.stderr)

    def test_ctrl_c_ends_the_program_with_what_was_found(self):
        for command in ([self.folder / "venv/bin/parqproof"], [self.python, "-m", "parqproof"]):
            running = subprocess.Popen([*command, "check", "--format", "json", BROKEN, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, env=self.environment)
            # The report of the first file is there, so the program waits for standard input.
            output = b""
            while b"statistics/max-value" not in output:
                self.assertTrue(select.select([running.stdout], [], [], 60)[0])
                output += os.read(running.stdout.fileno(), 65536)
            running.send_signal(signal.SIGINT)
            rest, errors = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 2, errors)
            self.assertEqual([file["verdict"] for file in json.loads(output + rest)["files"]], ["nonconforming", "unsupported"])

    def test_the_wheel_has_the_core_of_the_corpus(self):
        result = self.run_in("-c", "import parqproof.corpus as c; cases = c.cases(); print(len(cases), len({case.rule for case in cases}), "
                                   "sorted({case.duty for case in cases}))")
        count, rules, duties = result.stdout.split(" ", 2)
        self.assertGreater(int(count), 600, result.stderr)
        self.assertGreater(int(rules), 300)
        self.assertEqual(duties.strip(), "['accept', 'may', 'reject']")

    def test_a_missing_package_is_named(self):
        for call, package in (("to_arrow()", "pyarrow"), ("to_pandas()", "pandas")):
            result = self.run_in("-c", f"import parqproof; parqproof.check(b'').{call}")
            self.assertRegex(result.stderr, rf"ImportError: this needs the package {package}: pip install 'parqproof\[\w+\]'\n$")
        self.assertIn("needs the package fsspec", self.run_in("-c", "import parqproof; parqproof.check('s3://bucket/a.parquet')").stderr)

    def test_the_plugin_has_an_entry_point(self):
        result = self.run_in("-c", "from importlib.metadata import entry_points; print([point.value for point in entry_points()['pytest11']] if "
                                   "isinstance(entry_points(), dict) else [point.value for point in entry_points(group='pytest11')])")
        self.assertEqual(result.stdout, "['parqproof.pytest_plugin']\n", result.stderr)


if __name__ == "__main__":
    unittest.main()
