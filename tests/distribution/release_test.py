"""The artefacts of `scripts/release`: the same bytes each time, and each of use."""

import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

from exported import CORPUS  # it adds the folder of the modules below
from program import PROGRAM, ROOT
from artefacts import bill, libraries, notices
from exports import core, versions
from readers import lists
from toolchains import Missing

VERSION = versions.version_of(ROOT)
BUILD = pathlib.Path(PROGRAM).parent


def library_of_no_package():
    """Why the build has a library whose licence is not known; empty if it has none."""
    try:
        libraries.linked(BUILD)
    except Missing as reason:
        return str(reason)
    return ""


LIBRARY_OF_NO_PACKAGE = library_of_no_package()


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


def run_bytes(*command):
    return subprocess.run(command, capture_output=True, check=True).stdout


class Made:
    """A part of the artefacts, made twice: `other` with what differs from one machine to the next."""

    ARGUMENTS: tuple = ()
    TOOLS = os.environ["PATH"]

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        here = {**os.environ, "PATH": cls.TOOLS, "SOURCE_DATE_EPOCH": "1700000000"}
        there = {**here, "HOME": str(cls.folder / "home"), "TZ": "Pacific/Auckland", "LC_ALL": "C", "COLUMNS": "40", "DPKG_DEB_THREADS_MAX": "1"}
        for name, environment, umask, place in (("one", here, 0o022, ROOT), ("other", there, 0o077, "/")):
            done = run(sys.executable, ROOT / "scripts/release", *cls.ARGUMENTS, "--out", cls.folder / name, env=environment, umask=umask, cwd=place)
            assert done.returncode == 0, done.stderr
        cls.out, cls.printed = cls.folder / "one", done.stdout

    def only(self, pattern):
        (path,) = self.out.glob(pattern)
        return path

    def test_the_same_bytes_each_time(self):
        names = sorted(path.name for path in self.out.iterdir())
        self.assertEqual(names, sorted(path.name for path in (self.folder / "other").iterdir()))
        for name in names:
            self.assertEqual((self.out / name).read_bytes(), (self.folder / "other" / name).read_bytes(), name)

    def test_checksums_and_bill_have_all_files(self):
        sums = dict(reversed(line.split("  ")) for line in (self.out / "SHA256SUMS").read_text().splitlines())
        self.assertEqual(set(sums), {path.name for path in self.out.iterdir()} - {"SHA256SUMS"})
        for name, digest in sums.items():
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), digest)
        bill_file = self.only("*.spdx.json")
        packages = json.loads(bill_file.read_text())["packages"]
        self.assertEqual({package["name"]: package["checksums"][0]["checksumValue"] for package in packages if "checksums" in package},
                         {name: digest for name, digest in sums.items() if name != bill_file.name})


@unittest.skipIf(LIBRARY_OF_NO_PACKAGE, LIBRARY_OF_NO_PACKAGE)
@needs("dpkg-deb")
class Program(Made, unittest.TestCase):
    ARGUMENTS = ("--only", "program", "--program", PROGRAM, "--static-program", PROGRAM)

    def unpacked(self):
        folder = self.folder / "unpacked"
        if not folder.exists():
            with tarfile.open(self.only("*.tar.gz")) as tar:
                tar.extractall(folder)
        (top,) = folder.iterdir()
        return top

    def test_recipes_have_the_checksum_of_the_archive(self):
        digest = hashlib.sha256(self.only("*.tar.gz").read_bytes()).hexdigest()
        for recipe in ("parqproof.rb", "meta.yaml"):
            text = (self.out / recipe).read_text()
            self.assertIn(digest, text)
            self.assertNotIn("@", text.replace("v@", ""))

    def test_bill_of_materials(self):
        parts = json.loads(self.only("*.spdx.json").read_text())
        names = {package["SPDXID"]: package["name"] for package in parts["packages"]}
        linked = {}
        for one in parts["relationships"]:
            linked.setdefault((names.get(one["spdxElementId"]), one["relationshipType"]), set()).add(names[one["relatedSpdxElement"]])
        packages = {one.package for one in libraries.linked(BUILD)}
        deb = self.only("*.deb").name
        self.assertEqual(linked["parqproof", "STATIC_LINK"], packages)
        self.assertEqual(linked[deb, "STATIC_LINK"] | linked[deb, "DYNAMIC_LINK"], packages)
        self.assertEqual(linked[deb, "DYNAMIC_LINK"], {"libc6-dev"})
        self.assertEqual(linked[None, "DESCRIBES"], {path.name for path in self.out.iterdir()} - {"SHA256SUMS", self.only("*.spdx.json").name})

    def test_each_copy_of_the_program_has_the_notices_of_its_libraries(self):
        root = self.folder / "notices"
        self.assertEqual(run("dpkg-deb", "-x", self.only("*.deb"), root).returncode, 0)
        copies = {(self.out / notices.FILE).read_text(), (self.unpacked() / notices.FILE).read_text(), (root / "usr/share/doc/parqproof" / notices.FILE).read_text()}
        (text,) = copies
        for one in libraries.linked(BUILD):
            self.assertTrue(f"\n{one.name} ({one.package} {one.version}): {one.licence}\n" in text, one.name)
            self.assertTrue(libraries.copyright_of(one.package).strip() in text, one.name)
        self.assertTrue("GNU LESSER GENERAL PUBLIC LICENSE" in text, "the text of the LGPL")
        self.assertIn(notices.FILE, (root / "usr/share/doc/parqproof/copyright").read_text())
        for recipe in ("Dockerfile", "parqproof.rb", "meta.yaml"):
            self.assertIn(notices.FILE, (self.out / recipe).read_text())

    def test_the_package_sorts_before_that_of_the_release(self):
        version = run("dpkg-deb", "-f", self.only("*.deb"), "Version").stdout.strip()
        self.assertEqual(version, f"{VERSION.replace('-dev', '~dev')}-1")
        if VERSION.endswith("-dev"):
            self.assertEqual(run("dpkg", "--compare-versions", version, "lt", f"{VERSION.removesuffix('-dev')}-1").returncode, 0)

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
        for words in (("check", "--profile", ""), ("validate", "--profile", "="), ("verify", "--profile", "=", "")):
            self.assertEqual(self.completed(*words), ["historical", "interop", "strict"])
        self.assertEqual(self.completed("check", "--format", "s"), ["sarif"])
        self.assertEqual(self.completed("check", "--edition", "2"), ["2.13", "2.14"])
        self.assertEqual(self.completed("check", "--tolerate", ""), ["unsupported", "limit"])

    @needs("zsh")
    def test_completion_of_zsh(self):
        script = self.unpacked() / "completions/_parqproof"
        self.assertEqual(run("zsh", "-n", script).stderr, "")
        # _describe and _arguments print what they are asked for.
        asked = """_describe() { print -l -- ${(P)2} }; _arguments() { print -l -- "$@" }; words=("${@[2,-1]}"); CURRENT=$#words; source $1"""
        found = run("zsh", "-fc", asked, "zsh", script, "parqproof", "ver").stdout.splitlines()
        self.assertEqual(sum(line.startswith(("verify:", "validate:")) for line in found), 2)
        for name in ("check", "validate", "verify"):
            found = run("zsh", "-fc", asked, "zsh", script, "parqproof", name, "").stdout
            self.assertRegex(found, r"(?m)^\*--profile\[.*\]:word:\(historical interop strict\)$")
            self.assertRegex(found, r"(?m)^\*--keys\[.*\]:file:_files$")

    @needs("fish")
    def test_completion_of_fish(self):
        script = self.unpacked() / "completions/parqproof.fish"
        self.assertEqual(run("fish", "--no-execute", script).stderr, "")

        def completed(line):
            done = run("fish", "--no-config", "-c", f"source {script}; complete -C 'parqproof {line}'", cwd=ROOT, env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"})
            return [one.split("\t")[0] for one in done.stdout.splitlines()]

        self.assertIn("--tier", completed("check --ti"))
        self.assertEqual(completed("ver"), ["verify"])
        for name in ("check", "validate", "verify"):
            self.assertEqual(completed(f"{name} --profile "), ["historical", "interop", "strict"])
        self.assertIn("README.md", completed("check READ"))
        self.assertIn("README.md", completed("check --keys READ"))


class Corpus(Made, unittest.TestCase):
    """Without Maven, which needs its registry."""

    ARGUMENTS = ("--only", "corpus")

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        for name in ("mvn", "javac"):
            fake = pathlib.Path(folder.name) / name
            fake.write_text("#!/bin/sh\necho no registry\nexit 1\n")
            fake.chmod(0o755)
        cls.TOOLS = f"{folder.name}:{os.environ['PATH']}"
        super().setUpClass()

    def unpacked(self, pattern):
        folder = self.folder / pattern.strip("*.")
        folder.mkdir(exist_ok=True)
        path = self.only(pattern)
        if path.suffix in (".zip", ".jar"):
            zipfile.ZipFile(path).extractall(folder)
        else:
            with tarfile.open(path) as tar:
                tar.extractall(folder)
        return folder

    def test_what_is_left_out_is_named_with_the_reason(self):
        (line,) = re.findall(r"^left out: .*\n.*$", self.printed, re.M)
        self.assertIn("the jar of java", line)
        self.assertIn("no registry", line)
        self.assertEqual(list(self.out.glob("*.jar")), list(self.out.glob("*-sources.jar")))

    def test_the_core_tier_has_its_number_of_cases(self):
        lines = self.only("parqproof-core-*.jsonl")
        about = json.loads(lines.with_suffix(".json").read_text())
        self.assertEqual(about, core.about(VERSION, lines.read_text(encoding="utf-8"), len(core.chosen(CORPUS, lists.entries(CORPUS)))))

    @needs("zstd")
    def test_the_archives_of_the_corpus_have_the_same_files(self):
        zipped, tarred = zipfile.ZipFile(self.only("parqproof-corpus-[0-9]*.zip")), run_bytes("zstd", "-dc", self.only("*.tar.zst"))
        with tarfile.open(fileobj=io.BytesIO(tarred)) as tar:
            self.assertEqual(sorted(tar.getnames()), sorted(zipped.namelist()))
            name = f"parqproof-corpus-{VERSION}/index.json"
            self.assertEqual(tar.extractfile(name).read(), zipped.read(name))

    def test_each_package_has_the_cases_and_the_version_in_its_form(self):
        cases = self.only("parqproof-core-*.jsonl").read_bytes()
        number = VERSION.removesuffix("-dev")
        module = "github.com/parqproof/parqproof-corpus-go"
        for pattern, top, where, path, line in (
                ("*.crate", f"parqproof-corpus-{VERSION}", "core.jsonl", "Cargo.toml", f'version = "{VERSION}"'),
                ("*.tgz", "package", "core.jsonl", "package.json", f'"version": "{VERSION}"'),
                ("*-go-*.zip", f"{module}@v{VERSION}", "core.jsonl", "go.mod", f"module {module}"),
                ("*-sources.jar", "", "org/parqproof/corpus/core.jsonl", "org/parqproof/corpus/Corpus.java", "package org.parqproof.corpus;")):
            folder = self.unpacked(pattern) / top
            self.assertEqual((folder / where).read_bytes(), cases, pattern)
            self.assertIn(line, (folder / path).read_text(encoding="utf-8"))
            self.assertTrue(any((folder / one).is_file() for one in ("LICENSE", "META-INF/LICENSE")), pattern)
        java = VERSION.replace("-dev", "-SNAPSHOT")
        self.assertIn(f"<version>{java}</version>", self.only("*.pom").read_text())
        self.assertTrue(self.only("*.pom").name.endswith(f"-{java}.pom"))
        self.assertTrue(java.startswith(number))

    @needs("cargo")
    def test_cargo_reads_the_crate(self):
        folder = self.unpacked("*.crate") / f"parqproof-corpus-{VERSION}"
        done = run("cargo", "metadata", "--no-deps", "--offline", "--format-version", "1", cwd=folder)
        self.assertEqual(json.loads(done.stdout)["packages"][0]["version"], VERSION, done.stderr)

    @needs("npm")
    @needs("node")
    def test_npm_installs_the_package(self):
        project = self.folder / "npm project"
        project.mkdir()
        (project / "package.json").write_text('{"type": "module"}')
        done = run("npm", "install", "--offline", "--silent", self.only("*.tgz"), cwd=project)
        self.assertEqual(done.returncode, 0, done.stderr)
        (project / "count.js").write_text('import { cases } from "parqproof-corpus";\nconsole.log(cases().length);\n')
        self.assertEqual(int(run("node", "count.js", cwd=project).stdout), json.loads(self.only("parqproof-core-*.json").read_text())["cases"])

    @needs("go")
    def test_go_takes_the_module(self):
        project, module = self.folder / "go project", "github.com/parqproof/parqproof-corpus-go"
        store = self.folder / "store" / module / "@v"
        for folder in (project, store):
            folder.mkdir(parents=True)
        shutil.copy(self.only("*-go-*.zip"), store / f"v{VERSION}.zip")
        shutil.copy(self.unpacked("*-go-*.zip") / f"{module}@v{VERSION}/go.mod", store / f"v{VERSION}.mod")
        (store / f"v{VERSION}.info").write_text(json.dumps({"Version": f"v{VERSION}"}))
        (project / "go.mod").write_text(f"module test\n\ngo 1.22\n\nrequire {module} v{VERSION}\n")
        (project / "main.go").write_text(f'package main\n\nimport corpus "{module}"\n\nfunc main() {{ println(len(corpus.Cases())) }}\n')
        done = run("go", "run", ".", cwd=project, env={**os.environ, "GOPROXY": f"file://{self.folder}/store", "GONOSUMDB": "*", "GOFLAGS": "-mod=mod -modcacherw",
                                                       "GOMODCACHE": str(self.folder / "modules")})
        self.assertEqual(done.stderr.strip().splitlines()[-1:], [str(json.loads(self.only("parqproof-core-*.json").read_text())["cases"])], done.stderr)


@unittest.skipUnless(os.environ.get("PARQPROOF_PACKAGES"), "it needs packages of a registry: set PARQPROOF_PACKAGES=1")
@needs("mvn")
@needs("javac")
class Jar(unittest.TestCase):
    def test_the_same_bytes_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            jars = []
            for name in ("one", "other"):
                out = pathlib.Path(folder) / name
                done = run(sys.executable, ROOT / "scripts/release", "--only", "corpus", "--out", out)
                self.assertNotIn("left out", done.stdout, done.stderr)
                (path,) = set(out.glob("*.jar")) - set(out.glob("*-sources.jar"))
                jars.append(path.read_bytes())
                self.assertLessEqual({"META-INF/LICENSE", "org/parqproof/corpus/core.jsonl", "org/parqproof/corpus/Corpus.class"}, set(zipfile.ZipFile(path).namelist()))
        self.assertEqual(len(set(jars)), 1)


@unittest.skipIf(LIBRARY_OF_NO_PACKAGE, LIBRARY_OF_NO_PACKAGE)
@needs("dpkg")
class Libraries(unittest.TestCase):
    """The packages of the libraries that a build took."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        self.cache = (BUILD / "CMakeCache.txt").read_text()

    def configured(self, variable, value):
        text, number = re.subn(rf"^({variable}:\w+)=.*$", lambda found: f"{found[1]}={value}", self.cache, flags=re.M)
        self.assertEqual(number, 1)
        (self.build / "CMakeCache.txt").write_text(text)
        return libraries.linked(self.build)

    def test_a_library_of_no_package_is_an_error(self):
        header = self.build / "include/toml++/toml.h"
        header.parent.mkdir(parents=True)
        header.touch()
        with self.assertRaisesRegex(Missing, r"no installed package has .*/include/toml\+\+/toml\.h of toml\+\+"):
            self.configured("tomlplusplus_include_dir", self.build / "include")

    def test_libstdcxx_is_that_of_the_compiler(self):
        other = shutil.which("dpkg")  # a file of a package that is no library of the default compiler
        compiler = self.build / "c++"
        compiler.write_text(f'#!/bin/sh\ncase $1 in *libstdc++.a) echo {other} ;; *) exec {self.found("CMAKE_CXX_COMPILER")} "$@" ;; esac\n')
        compiler.chmod(0o755)
        self.assertEqual({one.name: one.package for one in self.configured("CMAKE_CXX_COMPILER", compiler)}["libstdc++"], "dpkg")

    def found(self, variable):
        return re.search(rf"^{variable}:\w+=(.*)$", self.cache, re.M)[1]

    def test_a_package_url_has_the_system_and_escapes(self):
        one = libraries.Linked("libstdc++", "", "libstdc++-14-dev", "1:14.2.0-4ubuntu2~24.04+x", "amd64")
        self.assertEqual(bill.purl("ubuntu", one), "pkg:deb/ubuntu/libstdc%2B%2B-14-dev@1:14.2.0-4ubuntu2~24.04%2Bx?arch=amd64")
        text = bill.bill("1", "2026-01-01", [], [one])
        self.assertIn(f'"Organization: {libraries.system().capitalize()}"', text)


if __name__ == "__main__":
    unittest.main()
