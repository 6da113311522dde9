"""The doors for continuous integration: each test runs the commands of the very file that others include."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest
from xml.etree import ElementTree

from program import PROGRAM, ROOT, Case, many

try:
    import yaml
except ImportError:
    yaml = None

needs_yaml = unittest.skipUnless(yaml, "the Python package yaml is not installed (Debian: python3-yaml)")


def loaded(path):
    return yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))


class Checked(Case):
    """A working folder with a file that breaks rules and one that is sound, and parqproof in PATH."""

    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        (self.work / "out/deep").mkdir(parents=True)
        (self.work / "out/a b.parquet").write_bytes(many(1))
        (self.work / "out/deep/w.parquet").write_bytes(many(1, wrong=[]))  # a warning
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "parqproof").symlink_to(PROGRAM)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def bash(self, text, **environment):
        return subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=self.work, env={**self.environment, **environment},
                              capture_output=True, text=True, check=False)


@needs_yaml
class Action(Checked):
    def run_action(self, **given):
        """Runs the steps as GitHub runs them: expressions of inputs alone are replaced. Returns the last step and the summary."""
        action = loaded("action.yml")
        self.assertEqual([], [name for name in given if name.replace("_", "-") not in action["inputs"]])
        inputs = {name: given.get(name.replace("-", "_"), one.get("default", "")) for name, one in action["inputs"].items()}
        files = {name: str(self.folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
        for path in files.values():
            pathlib.Path(path).write_text("")
        for step in action["runs"]["steps"]:
            if condition := step.get("if"):
                name, value = re.fullmatch(r"inputs\.([\w-]+) == '(.*)'", condition).groups()
                if inputs[name] != value:
                    continue
            environment = {key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: inputs[match[1]], value) for key, value in step["env"].items()}
            self.assertNotIn("${{", step["run"])  # a script never has the text of an input: that would be a command
            done = self.bash(step["run"], RUNNER_TEMP=str(self.folder), **files, **environment)
        return done, *(pathlib.Path(path).read_text() for path in files.values())

    def test_errors_are_annotations_and_fail_the_step(self):
        done, summary, output = self.run_action(paths="out/\n", program=PROGRAM)
        self.assertEqual((done.returncode, output), (1, "exit-code=1\n"), done.stderr)
        self.assertIn("::error file=out/a b.parquet,title=column-chunk/num-values::", done.stdout)
        self.assertIn("parqproof: 2 files", summary)

    def test_patterns_and_names_with_spaces(self):
        done, summary, _ = self.run_action(paths="out/a b.parquet\n\nout/**/w*.parquet", program=PROGRAM)
        self.assertIn("parqproof: 2 files", summary, done.stderr)
        self.assertEqual(self.run_action(paths="out/none*.parquet", program=PROGRAM)[0].returncode, 2)

    def test_lines_after_a_pattern_and_lines_of_windows(self):
        for paths in ("out/**/w*.parquet\n  out/a b.parquet \n", "out/a b.parquet\r\nout/deep/*.parquet\r\n"):
            done, summary, _ = self.run_action(paths=paths, options="--ignore\r\n  column-chunk/num-values\r\n--ignore=row-group/*", program=PROGRAM)
            self.assertIn("parqproof: 2 files", summary, done.stderr)
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_wrong_call_shows_no_summary_of_an_earlier_one(self):
        self.assertIn("parqproof: 2 files", self.run_action(paths="out", program=PROGRAM)[1])
        done, summary, output = self.run_action(paths="out", profile="none", program=PROGRAM)
        self.assertEqual((done.returncode, summary, output), (2, "", "exit-code=2\n"))

    def test_reports_in_new_folders(self):
        self.run_action(paths="out", sarif="new/a/x.sarif", json="other new/x.json", program=PROGRAM)
        self.assertTrue((self.work / "new/a/x.sarif").exists() and (self.work / "other new/x.json").exists())

    def test_more_files_than_arguments_can_be(self):
        folder = self.work / ("x" * 120)
        folder.mkdir()
        for number in range(20_000):
            (folder / f"{'y' * 100}{number}.parquet").symlink_to(self.work / "out/deep/w.parquet")
        done, summary, _ = self.run_action(paths="x*/*.parquet", program=PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("20,000 files", summary)

    def test_no_input_becomes_a_command(self):
        done, _, _ = self.run_action(paths="$(touch gone)\n`touch gone`;touch gone", options="--only\n$(touch gone)", program=PROGRAM)
        self.assertEqual((done.returncode, (self.work / "gone").exists()), (2, False))

    def test_options(self):
        done, _, _ = self.run_action(paths="out/deep", fail_on="warning", program=PROGRAM)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(self.run_action(paths="out/deep", program=PROGRAM)[0].returncode, 0)
        done, _, _ = self.run_action(paths="out", options="--ignore column-chunk/num-values\n--ignore=row-group/*\n--output junit=new/a b/x.xml", edition="2.13",
                                     profile="interop", program=PROGRAM, json="former.json", sarif="parqproof.sarif")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue((self.work / "new/a b/x.xml").exists())
        former = json.loads((self.work / "former.json").read_text())
        self.assertEqual({(one["profile"], one["edition"]) for one in former["files"]}, {("interop", "2.13")})
        self.assertEqual(json.loads((self.work / "parqproof.sarif").read_text())["version"], "2.1.0")

    def test_a_baseline_leaves_only_new_errors(self):
        self.run_action(paths="out", json="former.json", program=PROGRAM)
        done, summary, _ = self.run_action(paths="out", baseline="former.json", program=PROGRAM)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("::error", done.stdout)
        self.assertIn("::notice file=out/a b.parquet,title=known%3A column-chunk/num-values::", done.stdout)
        self.assertIn("all known", summary)
        self.assertNotIn("\u274c", summary)
        shutil.copy(self.work / "out/a b.parquet", self.work / "out/new.parquet")
        done, summary, _ = self.run_action(paths="out", baseline="former.json", program=PROGRAM)
        self.assertEqual(done.returncode, 1)
        self.assertIn("::error file=out/new.parquet", done.stdout)
        self.assertIn("\u274c", summary)

    def test_patterns_check_each_file_once(self):
        for name in ("_SUCCESS", "out/notes.txt", "out/deep/a.bin", "out/empty/a.crc"):
            path = self.work / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(many(1))
        for paths, count in (("out/**", 2), ("**", 2), ("out/**/*", 2), ("**/out/*", 2), ("out/deep*", 1), ("out/**\nout/\n./out/deep/w.parquet", 2), ("out/**/*.bin", 1), ("out/d*/*.bin", 1)):
            with self.subTest(paths):
                done, summary, _ = self.run_action(paths=paths, program=PROGRAM)
                self.assertIn(f"parqproof: {count} file{'s'[:count - 1]}", summary, done.stderr)
                annotations = done.stdout.splitlines()
                self.assertEqual(len(annotations), len(set(annotations)))
        (self.work / "out/deep/w.parquet").rename(self.work / "w.parquet")
        self.assertEqual(self.run_action(paths="out/deep/**", program=PROGRAM)[0].returncode, 2)

    def test_without_a_program_pip_installs_one_into_an_environment(self):
        log = self.folder / "log"
        fake = self.folder / "programs/python3"
        fake.write_text(f"""#!/bin/sh
echo "$@" >>{log}
[ "$2" = venv ] || exit 0
mkdir -p "$3/bin"
cp "$0" "$3/bin/python"
ln -sf {PROGRAM} "$3/bin/parqproof"
""")
        fake.chmod(0o755)
        for version, package in (("", "parqproof"), ("1.2.3", "parqproof==1.2.3")):
            done, summary, _ = self.run_action(paths="out", version=version)
            self.assertIn("parqproof: 2 files", summary, done.stderr)
            self.assertEqual(log.read_text().splitlines()[-2:], [f"-m venv {self.folder}/parqproof", f"-m pip install --quiet {package}"])


@needs_yaml
class GitLab(Checked):
    def run_job(self, **variables):
        job = loaded("bindings/ci/gitlab.yml")[".parqproof"]
        done = self.bash("\n".join(job["script"]), **{**job["variables"], **variables})
        reports = job["artifacts"]["reports"]
        return done, ElementTree.parse(self.work / reports["junit"]).getroot(), json.loads((self.work / reports["codequality"]).read_text())

    def test_it_writes_the_reports_that_it_names(self):
        done, junit, quality = self.run_job()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual((junit.get("tests"), junit.get("failures")), ("2", "1"))
        self.assertEqual({issue["location"]["path"] for issue in quality}, {"out/a b.parquet", "out/deep/w.parquet"})

    def test_paths_are_those_of_the_repository(self):
        for paths in (str(self.work / "out"), "./out", "."):
            _, junit, quality = self.run_job(PARQPROOF_PATHS=paths)
            for found in ({issue["location"]["path"] for issue in quality}, {case.get("file") for case in junit.iter("testcase")}):
                self.assertEqual(found, {"out/a b.parquet", "out/deep/w.parquet"})

    def test_variables(self):
        done, junit, _ = self.run_job(PARQPROOF_PATHS="out/deep", PARQPROOF_OPTIONS="--fail-on error")
        self.assertEqual((done.returncode, junit.get("tests")), (0, "1"))


@needs_yaml
class PreCommit(Checked):
    def test_the_entry_checks_what_the_pattern_matches(self):
        (hook,) = loaded(".pre-commit-hooks.yaml")
        files = [str(path.relative_to(self.work)) for path in sorted(self.work.rglob("*")) if re.search(hook["files"], path.name)]

        def run(*arguments, files=files):
            return subprocess.run([*hook["entry"].split(), *(arguments or hook["args"]), *files], cwd=self.work, env=self.environment, capture_output=True, text=True,
                                  check=False)

        done = run()
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^out/a b\.parquet:\d+: error column-chunk/num-values: ")
        shutil.copy(self.work / "out/a b.parquet", self.work / "--version.parquet")
        done = run(files=["--version.parquet"])
        self.assertEqual(done.returncode, 1, done.stderr)
        done = run("--ignore", "column-chunk/num-values", "--ignore", "row-group/*", "--profile", "interop")
        self.assertEqual(done.returncode, 0, done.stdout)

    @unittest.skipUnless(shutil.which("pre-commit"), "pre-commit is not installed")
    def test_pre_commit_runs_it(self):
        hooks = self.folder / "hooks"
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        self.environment |= {"PRE_COMMIT_HOME": str(self.folder / "cache"), "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b",
                             "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
        for command in (f"cd {hooks} && git init -q && git add -A && git commit -qm hooks", "git init -q && git add -A && git commit -qm files"):
            self.assertEqual(self.bash(command).returncode, 0)
        done = self.bash(f"pre-commit try-repo {hooks} parqproof --all-files --verbose")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("out/a b.parquet:", done.stdout)


if __name__ == "__main__":
    unittest.main()
