"""The C interface: a C11 program that calls every function, the exported symbols and struct sizes, and a Rust program."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from builder.long_file import long_file

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
NATIVE = pathlib.Path(os.environ["PARQPROOF_NATIVE"])
INTACT = SOURCE / "corpus/witnesses/statistics/max-value/pass-a.parquet"
BROKEN = SOURCE / "corpus/witnesses/statistics/max-value/fail-a.parquet"
LIBRARY = NATIVE / "libparqproof.so"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class CInterfaceTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def enterContext(self, context):  # unittest has it since 3.11
        self.addCleanup(context.__exit__, None, None, None)
        return context.__enter__()

    def compiled(self, source):
        program = self.folder / source.removesuffix(".c")
        result = run(os.environ.get("CC", "cc"), "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror", "-D_POSIX_C_SOURCE=200809L",
                     "-I", SOURCE / "bindings/c", HERE / source, "-o", program, "-L", NATIVE, f"-Wl,-rpath,{NATIVE}", "-lparqproof", "-pthread")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return program

    def test_a_c11_program_calls_every_function(self):
        program = self.compiled("every_function.c")
        result = run(program, INTACT, BROKEN, self.folder, long_file(self.folder, 4000))
        self.assertEqual((result.returncode, result.stderr, result.stdout), (0, "", "0 failures\n"))
        called = set(re.findall(r"\b(parqproof_\w+)\(", (HERE / "every_function.c").read_text()))
        declared = set(re.findall(r"\b(parqproof_\w+)\(", re.sub(r"/\*.*?\*/", "", (SOURCE / "bindings/c/parqproof.h").read_text(), flags=re.S)))
        self.assertEqual(declared - called, set())
        self.assertEqual(run(NATIVE / "parqproof", "check", "--quiet", self.folder / "rewritten.parquet").returncode, 0)

    def test_exported_symbols_and_struct_sizes_are_the_committed_ones(self):
        listed = run("nm", "-D", "--defined-only", LIBRARY).stdout
        symbols = sorted(f"{kind} {name.split('@')[0]}" for _, kind, name in map(str.split, listed.splitlines()) if kind != "A")
        sizes = run(self.compiled("struct_sizes.c")).stdout.splitlines()
        self.assertEqual([*symbols, *sizes], (HERE / "abi.txt").read_text().splitlines())

    def test_the_library_needs_libc_alone(self):
        dynamic = run("readelf", "-d", LIBRARY).stdout
        self.assertIn("[libparqproof.so.1]", dynamic)
        needed = set(re.findall(r"NEEDED.*\[(.+?)\]", dynamic))
        self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"})

    @unittest.skipUnless(shutil.which("rustc"), "rustc is missing")
    def test_a_rust_program_checks_a_file(self):
        program = self.folder / "check"
        result = run("rustc", "--edition", "2021", "-D", "warnings", HERE / "check.rs", "-o", program, "-L", NATIVE,
                     "-C", f"link-arg=-Wl,-rpath,{NATIVE}")
        if "no default toolchain" in result.stderr or "could not choose a version of rustc" in result.stderr:
            self.skipTest("rustup has no toolchain")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(run(program, INTACT).stdout, "conforming\n")
        verdict, *findings = run(program, BROKEN).stdout.splitlines()
        self.assertEqual(verdict, "nonconforming")
        self.assertRegex(findings[0], r"^statistics/max-value \d+$")


if __name__ == "__main__":
    unittest.main()
