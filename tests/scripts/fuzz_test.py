"""scripts/fuzz lists its targets without a build and reports their findings; scripts/fuzz_dictionaries writes dictionaries that
libFuzzer reads, for every target; corpus/regressions has only folders of targets."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import PROGRAM, ROOT, Case

FUZZ_REPLAY = pathlib.Path(PROGRAM).parent / "fuzz" / "fuzz_replay"
# A target that breaks its property at once, with the output of libFuzzer.
FINDS = """#!/bin/bash
for word in "$@"; do case $word in -artifact_prefix=*) prefix=${word#*=} ;; esac; done
echo bytes >"${prefix}crash-0123"
echo "decode_rle: the values depend on the batches" >&2
echo "artifact_prefix='$prefix'; Test unit written to ${prefix}crash-0123" >&2
exit 77
"""
FINDS_NOTHING = """#!/bin/bash
echo "stat::number_of_executed_units: 12" >&2
echo "stat::average_exec_per_sec:     3" >&2
"""


class Script(Case):
    """scripts/fuzz in a folder without a build: `programs` replace the ones that it calls."""

    def setUp(self):
        super().setUp()
        for name in ("scripts/fuzz", "fuzz/targets.txt"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)

    def program(self, name, text):
        self.write(name, text.encode()).chmod(0o755)

    def fuzz(self, *arguments):
        environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}", "PARQPROOF_FUZZ_DIR": str(self.folder / "kept")}
        return subprocess.run([self.folder / "scripts/fuzz", *arguments], env=environment, capture_output=True, check=False, text=True)

    def built(self, **targets):
        for name in ("scripts/setup", "scripts/fuzz_seeds", "scripts/fuzz_dictionaries", "bin/cmake"):
            self.program(name, "#!/bin/sh\n")
        for name, text in targets.items():
            self.program(f"build/fuzz/fuzz/fuzz_{name}", text)
            (self.folder / "kept/seeds" / name).mkdir(parents=True)

    def test_the_list_needs_no_build(self):
        done = self.fuzz("--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertGreater(len(done.stdout.split()), 60)
        self.assertIn("decode_alp", done.stdout.split())
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"scripts", "fuzz"})

    def test_an_unknown_target_is_rejected_before_anything_is_built(self):
        for name in ("decode", "files", "decode_.*"):
            done = self.fuzz("1", name)
            self.assertEqual(done.returncode, 2)
            self.assertIn(f"no target is called '{name}'", done.stderr)

    def test_a_failing_setup_or_build_is_no_finding(self):
        self.built(decode_rle=FINDS)
        for name, ends in (("bin/cmake", "[ $1 != --build ]"), ("bin/cmake", "exit 1"), ("scripts/setup", "exit 2")):
            self.program(name, f"#!/bin/sh\n{ends}\n")
            self.assertEqual(self.fuzz("1", "decode_rle").returncode, 2, ends)

    def test_a_finding_is_reported_with_its_input_and_how_to_replay_it(self):
        self.built(decode_rle=FINDS, decode_plain=FINDS_NOTHING)
        done = self.fuzz("1", "decode_rle", "decode_plain")
        self.assertEqual((done.returncode, done.stdout), (1, "decode_plain: executions 12, per second 3\n"))
        self.assertIn("decode_rle: the values depend on the batches\n", done.stderr)
        found = self.folder.resolve() / "kept/found"
        self.assertIn(f"fuzz: replay with build/fuzz/fuzz/fuzz_decode_rle {found}/decode_rle-crash-0123; ", done.stderr)
        self.assertIn(f"fuzz: found in: decode_rle; the inputs are in {found}\n", done.stderr)
        self.assertTrue((self.folder / "kept/found/decode_rle-crash-0123").exists())
        self.assertEqual(self.fuzz("1", "decode_plain").returncode, 0)

    def test_the_example_of_a_finding_in_the_readme_is_up_to_date(self):
        block = re.search(r"^```text\n\$ PARQPROOF_FUZZ_DIR=(\S+) scripts/fuzz 10 (\w+) .*grep -E '(.*)'\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
        folder, target, pattern, shown = block.groups()
        property, fault = re.match(r"(\w+): (.*)", shown).groups()
        self.assertEqual(property, target)
        sources = "".join(path.read_text() for path in (ROOT / "fuzz").glob("*.cpp"))
        for words in re.split(r"(?= on kernels)", fault):  # the sources join it there
            self.assertTrue(f'"{words}"' in sources, words)
        lines = shown.splitlines()
        crash = re.search(r"found/\S+?-(crash-\w+)", shown)[1]
        self.built(**{target: FINDS.replace("crash-0123", crash).replace("decode_rle: the values depend on the batches", "\n".join(lines[:2]))})
        done = self.fuzz("10", target)
        printed = done.stderr.replace(str(self.folder.resolve() / "kept"), folder).splitlines()
        self.assertEqual([line for line in printed if re.search(pattern, line)], lines)


@unittest.skipUnless(FUZZ_REPLAY.exists(), "fuzz_replay is not built")
class Dictionaries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.targets = subprocess.run([FUZZ_REPLAY, "--list"], capture_output=True, check=True, text=True).stdout.split()
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([sys.executable, ROOT / "scripts/fuzz_dictionaries", PROGRAM, FUZZ_REPLAY, out], check=True)
            cls.dictionaries = {path.stem: path.read_text().splitlines() for path in pathlib.Path(out).iterdir()}

    def test_every_target_has_entries(self):
        self.assertEqual(set(self.dictionaries), set(self.targets))
        for target, lines in self.dictionaries.items():
            with self.subTest(target):
                self.assertGreater(len(lines), 10)
                self.assertEqual(len(set(lines)), len(lines))
                for line in lines:
                    self.assertRegex(line, r'^"(\\x[0-9A-F]{2}){1,64}"$')

    def test_entries(self):
        def entries(target):
            return {bytes.fromhex(re.sub(r'\\x|"', "", line)) for line in self.dictionaries[target]}
        self.assertIn(b"PAR1", entries("limits"))
        self.assertIn(b"alp/bit-width", entries("rule_names"))
        self.assertIn(b"alp/*", entries("findings"))
        self.assertIn(b"\x28\xb5\x2f\xfd", entries("decompress_zstd"))
        self.assertIn(b"\x80\x01\x04", entries("decode_delta_binary_packed"))  # blocks of 128 values in 4 miniblocks
        self.assertIn(b"\x8c\x00", entries("thrift_page_header"))  # an empty data_page_header_v2
        self.assertIn(b"\x15\x14", entries("thrift_page_header"))  # encoding, after num_values: ALP
        self.assertIn(b"\x19\x0c", entries("thrift_footer"))  # an empty list of structures

    def test_the_list_names_the_properties_of_the_program(self):
        listed = subprocess.run([ROOT / "scripts/fuzz", "--list"], capture_output=True, check=True, text=True).stdout.split()
        self.assertEqual(sorted(listed), sorted(self.targets))

    def test_regressions_are_those_of_targets(self):
        folders = {path.name for path in (ROOT / "corpus/regressions").iterdir() if path.is_dir()}
        self.assertLessEqual(folders, set(self.targets))
