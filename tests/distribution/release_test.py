"""The artefacts of `scripts/release`: the same bytes each time, and each of use."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

from program import PROGRAM, ROOT


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


@needs("dpkg-deb")
class Release(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name in ("one", "other"):
            done = run(sys.executable, ROOT / "scripts/release", "--only", "program", "--program", PROGRAM, "--static-program", PROGRAM, "--out", cls.folder / name)
            assert done.returncode == 0, done.stderr
        cls.out = cls.folder / "one"

    def only(self, pattern):
        (path,) = self.out.glob(pattern)
        return path

    def unpacked(self):
        folder = self.folder / "unpacked"
        if not folder.exists():
            with tarfile.open(self.only("*.tar.gz")) as tar:
                tar.extractall(folder)
        (top,) = folder.iterdir()
        return top

    def test_the_same_bytes_each_time(self):
        names = sorted(path.name for path in self.out.iterdir())
        self.assertEqual(names, sorted(path.name for path in (self.folder / "other").iterdir()))
        for name in names:
            self.assertEqual((self.out / name).read_bytes(), (self.folder / "other" / name).read_bytes(), name)

    def test_checksums(self):
        lines = dict(reversed(line.split("  ")) for line in (self.out / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(lines), {path.name for path in self.out.iterdir()} - {"SHA256SUMS"})
        for name, digest in lines.items():
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), digest)
        for recipe in ("parqproof.rb", "meta.yaml"):
            text = (self.out / recipe).read_text()
            self.assertIn(lines[self.only("*.tar.gz").name], text)
            self.assertNotIn("@", text.replace("v@", ""))

    def test_bill_of_materials(self):
        bill = json.loads(self.only("*.spdx.json").read_text())
        own, *linked = bill["packages"]
        self.assertEqual(own["checksums"][0]["checksumValue"], hashlib.sha256((self.out / "parqproof").read_bytes()).hexdigest())
        self.assertIn("libzstd-dev", {package["name"] for package in linked})
        known = {package["SPDXID"] for package in bill["packages"]}
        self.assertEqual({relation["relatedSpdxElement"] for relation in bill["relationships"]}, known)

    def test_the_program_runs_from_the_archive_and_from_the_package(self):
        self.assertIn("parqproof ", run(self.unpacked() / "parqproof", "--version").stdout)
        root = self.folder / "root"
        self.assertEqual(run("dpkg-deb", "-x", self.only("*.deb"), root).returncode, 0)
        self.assertIn("parqproof ", run(root / "usr/bin/parqproof", "--version").stdout)
        self.assertTrue((root / "usr/share/man/man1/parqproof.1.gz").is_file())

    @needs("lintian")
    def test_lintian_reports_no_error(self):
        done = run("lintian", "--fail-on", "error", self.only("*.deb"))
        self.assertEqual(done.returncode, 0, done.stdout)

    @needs("man")
    def test_the_man_page_has_every_subcommand(self):
        done = run("man", "--warnings", "-E", "UTF-8", "-l", self.unpacked() / "parqproof.1", env={"MANWIDTH": "100", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for heading in ("CHECK\n", "REWRITE\n", "MUTATE\n", "EXIT STATUS\n"):
            self.assertIn(heading, done.stdout)
        self.assertIn("--profile WORD", done.stdout)

    def completed(self, *words):
        script = self.unpacked() / "completions/parqproof.bash"
        text = f'source "{script}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _parqproof; printf "%s\\n" "${{COMPREPLY[@]}}"'
        return run("bash", "-c", text, "bash", "parqproof", *words, cwd=ROOT).stdout.split()

    def test_completion_of_bash(self):
        self.assertEqual(self.completed("m"), ["meta", "mutate"])
        self.assertEqual(self.completed("check", "--ti"), ["--tier"])
        self.assertEqual(self.completed("verify", "--edi"), ["--edition"])
        self.assertIn("README.md", self.completed("check", "READ"))

    @needs("zsh")
    def test_completion_of_zsh(self):
        self.assertEqual(run("zsh", "-n", self.unpacked() / "completions/_parqproof").stderr, "")

    @needs("fish")
    def test_completion_of_fish(self):
        script = self.unpacked() / "completions/parqproof.fish"
        self.assertEqual(run("fish", "--no-execute", script).stderr, "")
        done = run("fish", "--no-config", "-c", f"source {script}; complete -C 'parqproof check --ti'", env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})
        self.assertIn("--tier", done.stdout)


if __name__ == "__main__":
    unittest.main()
