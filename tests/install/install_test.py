"""The result of `cmake --install`: the program runs, the headers need no third-party header, and another project
finds the package and judges a file with it. scripts/lint/tidy compiles each header alone."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE = os.environ["CMAKE"]
COMPILER = os.environ["COMPILER"]
FLAGS = os.environ["FLAGS"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
CONSUMER = ROOT / "tests/install/consumer"
WITNESS = ROOT / "corpus/witnesses/page/v2-num-nulls/fail-a.parquet"
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def run(*command, code=0):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def includes(file):
    """The targets of the lines `#include`, in their order, as pairs of bracket and target."""
    return [match.groups() for line in file.read_text().splitlines() if (match := INCLUDE.match(line))]


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run(CMAKE, "--install", os.environ["BUILD_DIR"], "--prefix", cls.prefix)
        cls.include = cls.prefix / "include/parqproof"

    def test_program_runs(self):
        program = self.prefix / "bin/parqproof"
        self.assertIn("page/v2-num-nulls", run(program, "check", WITNESS, code=1))
        self.assertTrue((self.prefix / "share/parqproof/report.schema.json").is_file())

    def test_headers_include_each_other_and_the_standard_library(self):
        headers = sorted(self.include.rglob("*.hpp"))
        self.assertGreater(len(headers), 50)
        for header in headers:
            for bracket, target in includes(header):
                with self.subTest(header=str(header.relative_to(self.include)), includes=target):
                    if bracket == "<":
                        self.assertRegex(target, r"^[a-z_]+$")
                    else:
                        self.assertTrue((self.include / target).is_file())

    def test_another_project_builds_with_the_package(self):
        build = pathlib.Path(self.folder.name) / "build"
        run(CMAKE, "-S", CONSUMER, "-B", build, "-G", os.environ["GENERATOR"], f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_FLAGS={FLAGS}")
        run(CMAKE, "--build", build)
        self.assertEqual(run(build / "consumer", WITNESS), "o\npage/v2-num-nulls at 14 in o\n")

    def corpus(self, *files):
        """A corpus of these files."""
        folder = self.work / "corpus"
        index = json.loads((ROOT / "corpus/index.json").read_text())
        index["files"] = [file for file in index["files"] if file["file"] in files]
        self.assertEqual(len(index["files"]), len(files))
        for path in [*files, *(file["rows"] for file in index["files"] if "rows" in file)]:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "corpus" / path, folder / path)
        (folder / "index.json").write_text(json.dumps(index))
        return folder

    def ctest(self, *arguments, code=0):
        """{case: it passed}"""
        text = run(pathlib.Path(CMAKE).with_name("ctest"), "--test-dir", self.work / "build", *arguments, code=code)
        return {name: word == "Passed" for name, word in re.findall(r"Test +#\d+: (.+?) \.*[. *]*(Passed|Failed)", text)}

    def test_files_and_readers_are_cases_of_ctest(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            sound = WITNESS.with_name("pass-a.parquet")
            out = self.work / "build/out"
            out.mkdir(parents=True)
            shutil.copy(sound, out / "old one.parquet")
            shutil.copy(WITNESS, out / "wrong.parquet")
            corpus = self.corpus("witnesses/known-writer/calendar/pass-a.parquet", "witnesses/legal/legacy-lists/pass-a.parquet",
                                 "witnesses/page/v2-num-nulls/pass-a.parquet")
            configure = [CMAKE, "-S", ROOT / "tests/install/tester", "-B", self.work / "build", "-G", os.environ["GENERATOR"],
                         f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCORPUS={corpus}", f"-DWRITES={sound}"]
            run(*configure)
            files = self.ctest("-L", "written|^$", "-j2", code=8) | self.ctest("-R", "^writer_test$")
            self.assertEqual(files, {"written": True, "written.out/old one.parquet": True, "written.out/wrong.parquet": False, "writer_test": True})
            (out / "wrong.parquet").unlink()
            self.assertEqual(set(self.ctest("-L", "written")), {"written", "written.out/old one.parquet", "written.out/pass-a.parquet"})
            # The case of the name alone checks what the run itself makes.
            run(*configure, f"-DWRITES={WITNESS}")
            files = self.ctest("-R", "^(writer_test|written.*)$", code=8)
            self.assertEqual([name for name, passed in files.items() if not passed], ["written"])
            # What failed runs again, and on the same files, though there are more cases now.
            self.assertEqual(self.ctest("--rerun-failed", code=8), {"written": False})
            self.assertEqual(self.ctest("-R", "^written", code=8)["written.out/fail-a.parquet"], False)
            for path in out.glob("*.parquet"):
                path.unlink()
            names = ["semi;colon.parquet", "open[.parquet", "close].parquet", "a\nb.parquet", "-x.parquet", "${X}.parquet", 'quote".parquet', "back\\slash.parquet", "# (1).parquet"]
            for name in names:
                shutil.copy(sound, out / name)
            run(*configure, f"-DWRITES={sound}")
            again = self.ctest("-R", "^written")
            self.assertEqual((len(again), set(again.values())), (len(names), {True}))  # a name has two lines
            shutil.copy(WITNESS, out / names[0])
            self.assertEqual([name for name, passed in self.ctest("-R", "^written", code=8).items() if not passed], ["written.out/" + names[0]])
            readers = self.ctest("-L", "^reader$")
            self.assertEqual(len(readers), len(set(run(sys.executable, self.prefix / "share/parqproof/scripts/interop", "features", "--corpus", corpus).splitlines())))
            self.assertTrue(all(readers.values()))
            self.assertIn(False, self.ctest("-L", "^wrong-reader$", code=8).values())
            run(CMAKE, "--build", self.work / "build", "--target", "reader-update")
            self.assertTrue((self.work / "build/expected/reader.tsv").is_file())

    def test_files_without_tests_and_names_given_twice_are_refused(self):
        for lines, why in (("parqproof_add_files(NAME one GLOB x)\nenable_testing()\n", "call enable_testing"),
                           ("enable_testing()\n" + 2 * "parqproof_add_files(NAME one GLOB x)\n", "there is a test one"),
                           ("enable_testing()\nadd_test(NAME one COMMAND true)\nparqproof_add_files(NAME one GLOB x)\n", "there is a test one")):
            with tempfile.TemporaryDirectory() as folder:
                project = pathlib.Path(folder)
                (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(t LANGUAGES NONE)\n"
                                                        "find_package(parqproof REQUIRED COMPONENTS ctest)\n" + lines)
                self.assertIn(why, run(CMAKE, "-S", project, "-B", project / "build", "-G", os.environ["GENERATOR"], f"-DCMAKE_PREFIX_PATH={self.prefix}", code=1))

    def test_a_reader_without_an_installed_corpus_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            project = pathlib.Path(folder)
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(reader LANGUAGES NONE)\nfind_package(parqproof REQUIRED COMPONENTS ctest)\n"
                "parqproof_add_reader(NAME reader COMMAND show-rows)\n")
            text = run(CMAKE, "-S", project, "-B", project / "build", "-G", os.environ["GENERATOR"], f"-DCMAKE_PREFIX_PATH={self.prefix}", code=1)
            self.assertIn("the corpus is not installed", text)

    def test_the_example_in_c_builds_with_the_package_and_with_pkg_config(self):
        example = re.search(r"```c\n(.*?)```", (ROOT / "bindings/c/README.md").read_text(), re.S)[1]
        with tempfile.TemporaryDirectory() as folder:
            project = pathlib.Path(folder)
            (project / "check.c").write_text(example)
            (project / "CMakeLists.txt").write_text(
                "cmake_minimum_required(VERSION 3.25)\nproject(check LANGUAGES C)\nfind_package(parqproof REQUIRED COMPONENTS c)\n"
                "add_executable(check check.c)\ntarget_link_libraries(check PRIVATE parqproof::c)\n")
            run(CMAKE, "-S", project, "-B", project / "build", "-G", os.environ["GENERATOR"], f"-DCMAKE_PREFIX_PATH={self.prefix}")
            run(CMAKE, "--build", project / "build")
            printed = run(project / "build/check", WITNESS, code=1)
            self.assertRegex(printed, r"^nonconforming\n14 page/v2-num-nulls: ")
            found = next(self.prefix.rglob("parqproof.pc")).parent
            flags = subprocess.run(["pkg-config", "--cflags", "--libs", "parqproof"], env={**os.environ, "PKG_CONFIG_PATH": str(found)},
                                   check=True, capture_output=True, text=True).stdout.split()
            run("cc", project / "check.c", *flags, f"-Wl,-rpath,{found.parent}", "-o", project / "checked")
            self.assertEqual(run(project / "checked", WITNESS, code=1), printed)

    def test_package_satisfies_its_version_and_no_later_one(self):
        own = re.match(r"\d+\.\d+", (ROOT / "version.txt").read_text())[0]
        for version, code in ((own, 0), ("99", 1)):
            with tempfile.TemporaryDirectory() as folder:
                project = pathlib.Path(folder)
                (project / "CMakeLists.txt").write_text(
                    f"cmake_minimum_required(VERSION 3.25)\nproject(later LANGUAGES CXX)\nfind_package(parqproof {version} REQUIRED)\n")
                text = run(CMAKE, "-S", project, "-B", project / "build", "-G", os.environ["GENERATOR"],
                           f"-DCMAKE_PREFIX_PATH={self.prefix}", code=code)
                self.assertEqual("parqproof-config.cmake" in text, code == 1, text)


if __name__ == "__main__":
    unittest.main()
