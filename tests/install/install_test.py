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

    def configure(self, lines, *arguments, generator=os.environ["GENERATOR"], code=0):
        """Configures a project of these lines in self.work, and returns what CMake printed on one line."""
        (self.work / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(t LANGUAGES NONE)\n"
                                                  "find_package(parqproof REQUIRED COMPONENTS ctest)\n" + lines)
        return " ".join(run(CMAKE, "-S", self.work, "-B", self.work / "build", "-G", generator, f"-DCMAKE_PREFIX_PATH={self.prefix}", *arguments, code=code).split())

    def test_a_writer_that_makes_new_names_in_each_run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            lines = ('enable_testing()\nadd_test(NAME writer COMMAND sh -c "rm -rf out && mkdir out && cp ${WRITES} out/part-$$.parquet && cp ${WRITES} out/part-0$$.parquet")\n'
                     "parqproof_add_files(NAME w GLOB out/*.parquet AFTER writer)\n")
            sound = WITNESS.with_name("pass-a.parquet")
            self.configure(lines, f"-DWRITES={sound}")
            for _ in range(3):  # the cases of files of the former run are skipped
                self.assertEqual(self.ctest("-j4"), {"writer": True, "w": True})
            self.configure(lines, f"-DWRITES={WITNESS}")
            for arguments in (["-j4"], ["--rerun-failed"], ["--rerun-failed", "-j4"], ["-j4"], ["--rerun-failed"]):
                made = {} if "--rerun-failed" in arguments else {"writer": True}
                self.assertEqual(self.ctest(*arguments, code=8), {"w": False, **made})
                self.ctest("-N")
            self.configure(lines, f"-DWRITES={sound}")
            self.ctest()
            # Without the case of new files, that of a file that is gone is it, and stays it.
            self.configure(lines, f"-DWRITES={WITNESS}")
            files = self.ctest("-R", r"^(writer|w\.out.*)$", code=8)
            self.assertEqual((len(files), files.pop("writer"), *files.values()), (2, True, False))
            shutil.copy(sound, min((self.work / "build/out").iterdir()))
            for _ in range(2):
                self.assertEqual(self.ctest("--rerun-failed", code=8), files)

    def test_files_that_stay_keep_their_numbers_when_others_are_gone(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            out = self.work / "build/out"
            out.mkdir(parents=True)
            for name, source in (("a", "pass-a"), ("b", "fail-a"), ("c", "pass-a")):
                shutil.copy(WITNESS.with_name(source + ".parquet"), out / f"{name}.parquet")
            self.configure("enable_testing()\nparqproof_add_files(NAME w GLOB out/*.parquet)\n")
            self.assertFalse(self.ctest(code=8)["w.out/b.parquet"])
            (out / "a.parquet").unlink()
            (out / "c.parquet").unlink()
            self.assertEqual(self.ctest("--rerun-failed", code=8), {"w.out/b.parquet": False})
            self.assertEqual(len(self.ctest(code=8)), 2)  # and a skipped one
            shutil.copy(WITNESS, out / "d.parquet")
            self.assertEqual(self.ctest("-R", "w.out", code=8), {"w.out/b.parquet": False, "w.out/d.parquet": False})

    def test_all_new_files_are_checked_whatever_their_names_are(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            made = self.work / "made"
            made.mkdir()
            for name in ("a\nb", "c\nd", "e"):
                shutil.copy(WITNESS, made / f"{name}.parquet")
            self.configure("enable_testing()\nadd_test(NAME writer COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_SOURCE_DIR}/made out)\n"
                           "parqproof_add_files(NAME w GLOB out/*.parquet AFTER writer)\n")
            text = run(pathlib.Path(CMAKE).with_name("ctest"), "--test-dir", self.work / "build", "-V", code=8)
            for name in ("a\\nb", "c\\nd", "e"):
                self.assertIn(f"/out/{name}.parquet: nonconforming", text)

    def test_the_search_for_the_configuration_begins_in_the_source_directory(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as build:
            self.work = pathlib.Path(folder)
            (self.work / "build").symlink_to(build)
            shutil.copy(WITNESS, build)
            (self.work / ".parqproof.toml").write_text('[severities]\n"page/v2-num-nulls" = "warning"\n')
            self.configure("enable_testing()\nparqproof_add_files(NAME w GLOB *.parquet)\n")
            self.assertEqual(set(self.ctest().values()), {True})

    @unittest.skipUnless(shutil.which("ninja"), "Ninja is not installed")
    def test_each_configuration_has_its_own_files(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            for name, source in (("Debug", "pass-a"), ("Release", "fail-a")):
                (self.work / "build" / name).mkdir(parents=True)
                shutil.copy(WITNESS.with_name(source + ".parquet"), self.work / "build" / name / f"{name}.parquet")
            self.configure("enable_testing()\nparqproof_add_files(NAME w GLOB $<CONFIG>/*.parquet)\n", generator="Ninja Multi-Config")
            self.assertEqual(self.ctest("-C", "Debug"), {"w": True, "w.Debug/Debug.parquet": True})
            self.assertEqual(self.ctest("-C", "release", code=8), {"w": True, "w.Release/Release.parquet": False})
            self.assertEqual(self.ctest("-C", "Debug"), {"w": True, "w.Debug/Debug.parquet": True})
            self.assertIn("Not Run", run(pathlib.Path(CMAKE).with_name("ctest"), "--test-dir", self.work / "build", code=8))

    def test_wrong_calls_are_refused(self):
        enabled, one = "enable_testing()\n", "parqproof_add_files(NAME one GLOB x)\n"
        for lines, why in ((one + enabled, "call enable_testing"),
                           (enabled + 2 * one, "there is a test one"),
                           (enabled + "add_test(NAME one COMMAND true)\n" + one, "there is a test one"),
                           (enabled + "parqproof_add_files(GLOB x)\n", "NAME is missing"),
                           (enabled + "parqproof_add_files(NAME one)\n", "GLOB is missing"),
                           (enabled + "parqproof_add_files(NAME one GLOB x OPTION --fail-on warning)\n", "'OPTION' is no pattern"),
                           (enabled + "parqproof_add_files(NAME one GLOB x --fail-on warning)\n", "'--fail-on' is no pattern"),
                           (enabled + "parqproof_add_files(NAME one GLOB x DEPENDS writer)\n", "'DEPENDS' is no pattern"),
                           (enabled + "parqproof_add_files(NAME one GLOB x AFTER writter)\nadd_test(NAME writer COMMAND true)\n", "there is no test writter"),
                           (enabled + "parqproof_add_files(NAME one GLOB x AFTER writer OPTION --advice)\nadd_test(NAME writer COMMAND true)\n",
                            "there is no test OPTION;--advice")):
            with self.subTest(lines), tempfile.TemporaryDirectory() as folder:
                self.work = pathlib.Path(folder)
                self.assertIn(why, self.configure(lines, code=1))

    def test_names_are_those_of_cases_targets_and_readers(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            corpus = self.corpus("witnesses/page/v2-num-nulls/pass-a.parquet")
            for call in ("parqproof_add_files(NAME {} GLOB x)", f"parqproof_add_reader(NAME {{}} COMMAND x CORPUS {corpus})",
                         f"parqproof_add_reader(NAME {{}} COMMAND x CORPUS {corpus} EXPECTED x)"):
                for name in ('"my reader"', "a=b", '"a/b;c"', "a/b", "..", "-x", '"a;b"'):
                    with self.subTest(call, name=name):
                        self.assertIn(f"NAME is '{name.strip(chr(34))}'", self.configure(f"enable_testing()\n{call.format(name)}\n", code=1))
                for name in ("off", "my-reader.2"):
                    with self.subTest(call, name=name):
                        self.configure(f"enable_testing()\n{call.format(name)}\n")

    def test_tests_to_come_after_may_be_anywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            self.work = pathlib.Path(folder)
            for name, lines in (("below", "add_test(NAME writer COMMAND true)\n"), ("files", "parqproof_add_files(NAME deep GLOB x AFTER writer late)\n")):
                (self.work / name).mkdir()
                (self.work / name / "CMakeLists.txt").write_text(lines)
            before = "enable_testing()\nadd_subdirectory(files)\nparqproof_add_files(NAME one GLOB x AFTER writer late deep)\n"
            self.configure(before + "add_subdirectory(below)\nadd_test(NAME late COMMAND true)\n")
            # Those that ctest discovers have no names yet.
            self.configure(before + 'file(WRITE ${CMAKE_BINARY_DIR}/found.cmake "add_test(writer true)\\nadd_test(late true)")\n'
                           "set_property(DIRECTORY PROPERTY TEST_INCLUDE_FILES ${CMAKE_BINARY_DIR}/found.cmake)\n")

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
        own = re.search(r"\d+\.\d+", run(self.prefix / "bin/parqproof", "--version"))[0]
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
