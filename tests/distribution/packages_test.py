"""The packages with the core tier, each used by a reader of its language. The packages of Rust and Java, and all readers, need packages of
their registries: PARQPROOF_PACKAGES=1 runs them, as scripts/nightly does."""

import json
import os
import pathlib
import re
import shutil
import unittest

from exported import CORPUS, Exports
from program import ROOT
from exports import core
from readers import catalogue, judge, lists
from toolchains import CACHE

DRIVERS = ROOT / "scripts/readers"
READS = pathlib.Path(__file__).resolve().parent / "readers"
online = unittest.skipUnless(os.environ.get("PARQPROOF_PACKAGES"), "it needs packages of a registry: set PARQPROOF_PACKAGES=1")


def needs(tool):
    return unittest.skipUnless(shutil.which(tool), f"{tool} is not installed")


def pinned(path, pattern):
    """The version that a driver pins."""
    return re.search(pattern, (DRIVERS / path).read_text()).group(1)


def changed(path, *replacements):
    text = path.read_text()
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    path.write_text(text)


class Packages(Exports):
    """Each package tests itself."""

    @needs("node")
    def test_npm(self):
        self.run_in(self.export("npm"), "node", "--test")

    @needs("go")
    def test_go(self):
        self.run_in(self.export("go"), "go", "test", "./...")

    @online
    @needs("cargo")
    def test_rust(self):
        self.run_in(self.export("rust"), "cargo", "test", "-q", CARGO_TARGET_DIR=str(CACHE / "packages/rust"))

    @online
    @needs("mvn")
    def test_java(self):
        self.run_in(self.export("java"), "mvn", "-q", "-B", "install", f"-Dmaven.repo.local={self.folder}/repository")


class Readers(Exports):
    """A reader of each language is asked for all cases, by its package. Its wrong answers are those of the list of that reader."""

    @classmethod
    def setUpClass(cls):
        cls.cases = {file["file"]: file for file in core.chosen(CORPUS, lists.entries(CORPUS))}

    def wrong(self, output):
        """The files of which a reader gave a wrong answer, and the number of those that it was asked for."""
        found = {line.split("\t")[1] for line in output.splitlines() if line.startswith("wrong\t")}
        asked = re.search(r"^asked\t(\d+)$", output, re.M)
        return found, int(asked.group(1)) if asked else output.count("\nright\t") + len(found)

    def listed(self, name, *results):
        return {file for file, (result, _) in lists.read(CORPUS / "readers", name).items() if file in self.cases and result in results}

    def lists_agree(self, name, wrong):
        """The judgement of the list knows more than that of a package: features that a reader has not, and that a geometry can be bytes."""
        lenient = {file for file, entry in self.cases.items() if {"GEOMETRY", "GEOGRAPHY"} & set(entry["features"])}
        lenient |= self.listed(name, judge.UNSUPPORTED)
        self.assertEqual(wrong - lenient, self.listed(name, *judge.WRONG) - lenient)

    @online
    @needs("go")
    def test_parquet_go(self):
        self.export("go")
        project = shutil.copytree(DRIVERS / "parquet-go", self.folder / "project")
        shutil.copy(READS / "reads_test.go", project)
        module = (self.folder / "go/go.mod").read_text().split()[1]
        self.run_in(project, "go", "mod", "edit", "-require", f"{module}@v0.0.0", "-replace", f"{module}=../go")
        fatal = {file for file, (_, note) in lists.read(CORPUS / "readers", "parquet-go").items() if note.startswith("exit code")}
        wrong, asked = self.wrong(self.run_in(project, "go", "test", "-p", "2", "-v", "-count=1", ".", FATAL_CASES=" ".join(fatal & set(self.cases))))
        self.assertEqual(asked, len(self.cases))
        self.lists_agree("parquet-go", wrong)

    @online
    @needs("mvn")
    def test_parquet_java(self):
        package = (self.export("java") / "pom.xml").read_text()
        project = shutil.copytree(DRIVERS / "parquet-java", self.folder / "project")
        (project / "src/test/java").mkdir(parents=True)
        shutil.copy(READS / "ReadsTest.java", project / "src/test/java")
        dependencies = [("org.parqproof", "parqproof-corpus", re.search("<version>(.+?)</version>", package).group(1)),
                        ("org.junit.jupiter", "junit-jupiter-engine", re.search("junit-jupiter-engine</artifactId>\\s*<version>(.+?)<", package).group(1))]
        surefire = re.search(r"<plugin>(?:(?!</plugin>)[\s\S])*surefire[\s\S]*?</plugin>", package).group()
        added = "".join(f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version><scope>test</scope></dependency>"
                        for group, name, version in dependencies)
        changed(project / "pom.xml", ("</dependencies>", f"{added}</dependencies>"), ("<plugins>", f"<plugins>{surefire}"))
        (self.folder / "pom.xml").write_text("""<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>both</artifactId><version>0</version><packaging>pom</packaging>
  <modules><module>java</module><module>project</module></modules>
</project>
""")
        output = self.run_in(self.folder, "mvn", "-q", "-B", "test", "-pl", "project", "-am", "-Dtest=ReadsTest", "-Dsurefire.failIfNoSpecifiedTests=false")
        wrong, asked = self.wrong(output)
        self.assertEqual(asked, sum("LZO" not in entry["features"] for entry in self.cases.values()))
        self.lists_agree("parquet-java", {file for file in wrong})

    @online
    @needs("cargo")
    def test_parquet_rs(self):
        self.export("rust")
        project = self.folder / "project"
        (project / "src").mkdir(parents=True)
        (project / "src/lib.rs").touch()
        (project / "tests").mkdir()
        shutil.copy(READS / "reads.rs", project / "tests")
        version = pinned("arrow-rs/Cargo.toml", 'parquet = "(.+)"')
        (project / "Cargo.toml").write_text(f"""[package]
name = "reads"
version = "0.0.0"
edition = "2021"

[dev-dependencies]
bytes = "1"
parquet = {{ version = "{version}", default-features = false, features = ["brotli", "flate2-rust_backend", "json", "lz4", "snap", "zstd"] }}
parqproof-corpus = {{ path = "../rust" }}
serde_json = {{ version = "1", features = ["arbitrary_precision"] }}
""")
        wrong, asked = self.wrong(self.run_in(project, "cargo", "test", "-q", "--jobs", "2", "--", "--nocapture", RUST_BACKTRACE="0",
                                              RUST_MIN_STACK=str(256 << 20), CARGO_TARGET_DIR=str(CACHE / "packages/rust")))
        # The list is of another interface of the same library.
        self.assertGreater(len(wrong & self.listed("arrow-rs", *judge.WRONG)), 20)
        self.assertGreater(asked, 400)
        self.assertLess(len(wrong), asked // 5)

    @online
    @needs("npm")
    def test_hyparquet(self):
        package, project = self.export("npm"), self.folder / "project"
        project.mkdir()
        (project / "package.json").write_text('{"type": "module"}')
        versions = json.loads((DRIVERS / "hyparquet/package.json").read_text())["dependencies"]
        self.run_in(project, "npm", "install", "--silent", str(package), *(f"{name}@{version}" for name, version in versions.items()))
        shutil.copy(READS / "reads.js", project)
        wrong, asked = self.wrong(self.run_in(project, "node", "reads.js"))
        self.assertGreater(asked, 100)
        self.assertLess(len(wrong), asked // 5)

    @online
    def test_duckdb_runs_the_statements_of_sqllogictest(self):
        python = catalogue.READERS["DuckDB"].command()[0]
        wrong, asked = self.wrong(self.run_in(self.export("sqllogictest"), python, READS / "run_sqllogictest.py", "parqproof.test"))
        self.assertGreater(asked, 500)
        self.assertGreater(len(wrong & self.listed("DuckDB", *judge.WRONG)), 20)
        self.assertEqual(wrong - self.listed("DuckDB", judge.UNSUPPORTED, *judge.WRONG), set())


if __name__ == "__main__":
    unittest.main()
