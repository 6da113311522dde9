"""`scripts/interop` runs drivers, classifies their results, and compares them with lists; the committed lists are consistent.
It does so for a folder of faults of `parqproof mutate` too."""

import hashlib
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
import xml.etree.ElementTree

from program import PROGRAM, ROOT, Case, run, some
from exports import versions
from readers import badge, catalogue, judge, lists, matrix, written

CORPUS = ROOT / "corpus"
INDEX = json.loads((CORPUS / "index.json").read_text())

# A driver that behaves as the name of each file says, in a batch and alone.
DRIVER = """
import os, pathlib, signal, sys, time
def rows(path, is_batch):
    does = pathlib.Path(path).stem.split("-")[0]
    if does == "kill":
        os.kill(os.getpid(), signal.SIGSEGV)
    if does == "hang":
        time.sleep(100)
    if does == "exit":
        print("boom", file=sys.stderr)
        sys.exit(9)
    if does == "flood":
        sys.stdout.write('{"a":1}\\n' * 9_000_000)
    if does == "memory":
        print(len(bytearray(1 << 40)))
    words = {"refuse": "refused no", "lack": "unsupported what", "panic": "crashed why"}.get(does, "rows")
    if words == "rows":
        print({"right": '{"b":[{"key":2,"value":-0.0},{"key":1,"value":1e1}],"a":10}', "wrong": '{"a":10.5,"b":[]}', "text": "hello"}[does])
    if is_batch:
        print(f"={words}", flush=True)
    elif words != "rows":
        how, why = words.split()
        print(why, file=sys.stderr)
        sys.exit({"refused": 1, "unsupported": 3, "crashed": 4}[how])
if len(sys.argv) > 1:
    rows(sys.argv[1], False)
else:
    for line in sys.stdin:
        rows(line.strip(), True)
"""
# The results for files of each duty.
EXPECTED = {
    "right": {"accept": "equal", "may": "equal", "reject": "accepted wrongly"},
    "wrong": {"accept": "other rows", "may": "other rows", "reject": "accepted wrongly"},
    "text": {"accept": "other rows", "may": "other rows", "reject": "accepted wrongly"},
    "refuse": {"accept": "refused wrongly", "may": "refused", "reject": "refused"},
    "lack": {"accept": "unsupported", "may": "refused", "reject": "refused"},
    **{name: dict.fromkeys(("accept", "may", "reject"), "crashed") for name in ("kill", "panic")},
    "hang": {"accept": "no end"}, "flood": {"may": "no end"},  # slow
}


def interop(*arguments):
    return subprocess.run([sys.executable, ROOT / "scripts" / "interop", *arguments], capture_output=True, text=True)


class Driven(unittest.TestCase):
    """A corpus of files whose names select the behaviour of the driver."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.corpus = pathlib.Path(folder.name)
        (self.corpus / "rows.jsonl").write_text('{"a":10,"b":[{"key":1,"value":10},{"key":2,"value":-0.0}]}\n')
        self.driver = self.corpus / "driver.py"
        self.driver.write_text(DRIVER)
        self.index({f"{name}-{duty}": duty for name, duties in EXPECTED.items() for duty in duties})

    def index(self, files):
        entries = [{"file": f"{name}.parquet", "duty": duty, "features": ["INT32"], **({"rows": "rows.jsonl"} if duty != "reject" else {})}
                   for name, duty in files.items()]
        (self.corpus / "index.json").write_text(json.dumps({"files": entries}))

    def leave_out_what_takes_long(self):
        self.index({f"{name}-{duty}": duty for name, duties in EXPECTED.items() for duty in duties if name not in ("hang", "flood")})

    def readers(self, kind, *more):
        command = f"fake={sys.executable} {self.driver}"
        return interop("readers", f"--{kind}", command, "--corpus", self.corpus, "--seconds", "8", "--memory", "1024", *more)

    def test_results_are_distinguished(self):
        for kind in ("driver", "batch-driver"):
            with self.subTest(kind):
                done = self.readers(kind, "--update")
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                found = {file: result for file, (result, _) in lists.read(self.corpus / "readers", "fake").items()}
                meant = {f"{name}-{duty}.parquet": result for name, duties in EXPECTED.items() for duty, result in duties.items()}
                self.assertEqual(found, {file: result for file, result in meant.items() if result in lists.LISTED})

    def test_an_exit_without_an_answer_is_a_crash_in_a_batch_and_a_refusal_alone(self):
        self.index({"exit-a": "accept", "memory-a": "accept", "right-a": "accept"})
        done = self.readers("batch-driver")
        self.assertIn("fake: 3 files: 1 equal, 2 crashed\n", done.stdout)
        self.assertIn("exit-a.parquet: crashed, and not listed: exit code 9: boom\n", done.stdout)
        self.assertIn("MemoryError", done.stdout)  # a tebibyte is over the limit
        self.assertIn("fake: 3 files: 1 equal, 2 refused wrongly\n", self.readers("driver").stdout)

    def test_each_unexpected_result_fails(self):
        self.leave_out_what_takes_long()
        self.assertEqual(self.readers("batch-driver", "--update").returncode, 0)
        done = self.readers("batch-driver")
        self.assertEqual((done.returncode, done.stdout.count("\n")), (0, 1), done.stdout)
        path = self.corpus / "readers" / "fake.tsv"
        lines = path.read_text().splitlines(keepends=True)
        for change, said in (
                ([line for line in lines if "wrong-may" not in line], "wrong-may.parquet: other rows, and not listed"),
                ([*lines, "crashed\tmay\tright-may.parquet\t\n"], "right-may.parquet: equal, but listed as crashed"),
                ([*lines, "crashed\tmay\tgone.parquet\t\n"], "gone.parquet: listed, but not in the corpus")):
            path.write_text("".join(change))
            done = self.readers("batch-driver")
            self.assertEqual((done.returncode, done.stdout.count("\n")), (1, 2), done.stdout)
            self.assertIn(said, done.stdout)

    def test_a_broken_driver_is_a_separate_error(self):
        for command in ("fake=/nowhere/driver", "fake=true"):
            done = interop("readers", "--batch-driver", command, "--corpus", self.corpus)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"^fake: failed, .*\n$")
        self.assertEqual(interop("readers", "--driver", "fake").returncode, 2)
        self.assertIn("no reader unknown here", interop("readers", "unknown").stderr)

    def test_an_expected_list_can_be_at_any_path(self):
        self.leave_out_what_takes_long()
        mine = self.corpus / "mine"
        self.assertEqual(self.readers("batch-driver", "--update", "--lists", mine).returncode, 0)
        self.assertEqual(self.readers("batch-driver", "--lists", mine).returncode, 0)
        self.assertEqual(self.readers("batch-driver").returncode, 1)
        done = interop("list", "fake", "--corpus", self.corpus, "--lists", mine, "--feature", "INT32", "--result", "crashed")
        self.assertEqual(done.stdout.count("\n"), 6)
        self.assertEqual(interop("list", "fake", "--corpus", self.corpus, "--lists", mine, "--feature", "INT64").stdout, "")


    def test_a_badge_has_the_numbers(self):
        self.leave_out_what_takes_long()
        self.readers("batch-driver", "--badges", self.corpus / "badges")
        # Of six kinds of answers for each duty; two that lack a feature are refusals, one is no result.
        self.assertEqual(json.loads((self.corpus / "badges/fake.json").read_text()),
                         {"schemaVersion": 1, "label": "parqproof corpus", "message": "6 of 20 right", "color": "red"})
        self.readers("batch-driver", "--badges", self.corpus / "badges", "--only", "may")
        self.assertEqual(json.loads((self.corpus / "badges/fake.json").read_text())["label"], "parqproof corpus, a part")
        for results, message, color in (({"a": ("equal", "")}, "1 of 1 right", "brightgreen"), ({"a": ("unsupported", "")}, "0 of 0 right", "red"),
                                        ({**{str(i): ("refused", "") for i in range(19)}, "a": ("crashed", "")}, "19 of 20 right", "yellow")):
            made = badge.of(results)
            self.assertEqual((made["message"], made["color"]), (message, color))

    def test_a_run_without_files_is_an_error(self):
        done = self.readers("batch-driver", "--only", "no such file")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no file matches 'no such file'", done.stderr)


class Written(unittest.TestCase):
    """Files by the writer for readers."""

    def test_files_use_what_their_options_ask_for(self):
        chosen = {one.name: one for one in written.ALL}
        self.assertEqual(len(chosen), len(written.ALL))
        with tempfile.TemporaryDirectory() as folder:
            for name, features in (("delta-byte-array-v2", {"DELTA_BYTE_ARRAY", "Data Page V2"}), ("codec-zstd-v1", {"ZSTD", "Data Page V1"}),
                                   ("everything", {"Page index", "xxHash-based bloom filters", "Several row groups", "Several data pages"}),
                                   ("outdated-group-var-int", {"GROUP_VAR_INT"}), ("columns-nested", {"LIST", "MAP"})):
                entry = written.make(PROGRAM, CORPUS, pathlib.Path(folder), chosen[name])
                self.assertEqual(features - set(entry["features"]), set(), name)
                self.assertEqual(entry["duty"], "may" if name.startswith("outdated") else "accept")

    def test_a_file_that_cannot_be_made_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(written.Unmade, "no column is named 'nowhere'"):
                written.make(PROGRAM, CORPUS, pathlib.Path(folder), written.Combination("a", written.FLAT, "--bloom nowhere"))


class Comparison(unittest.TestCase):
    def differs(self, meant, given):
        return judge.difference(meant.encode(), given.encode())

    def test_the_same_rows(self):
        for meant, given in (
                ('{"a":1,"b":2}', '{"b":2,"a":1}'), ('{"a":1e2}', '{"a":100.0}'), ('{"a":"é"}', '{"a":"\\u00e9"}'),
                ('{"a":[{"key":1,"value":2},{"key":1,"value":3}]}', '{"a":[{"key":1,"value":3}]}'),
                ('{"a":[{"key":1},{"key":2}]}', '{"a":[{"key":1},{"key":2}]}'),
                ('{"a":1,"a":2}', '{"a":1,"a":2}'), ('{"a":123456789012345683968}', '{"a":1.2345678901234568e20}'),
                ('{"a":9007199254740992}', '{"a":9007199254740992.0}'), ('{"a":9007199254740993}', '{"a":9007199254740993.0}'), ('{"a":1}', '{"a":1.0}'),
                ('{"a":9223372036854775808}', '{"a":9.223372036854776e18}')):
            self.assertIsNone(self.differs(meant, given), given)

    def test_other_rows(self):
        for meant, given, says in (
                ('{"a":9007199254740993}', '{"a":9007199254740992}', "row 0, a: 9007199254740992 instead of 9007199254740993"),
                ('{"a":9007199254740993}', '{"a":9007199254740992.0}', "row 0, a: 9007199254740992.0 instead of 9007199254740993"),
                ('{"a":9007199254740992}', '{"a":9007199254740993.0}', "row 0, a"), ('{"a":9223372036854775807}', '{"a":9.223372036854776e18}', "row 0, a"),
                ('{"a":1}', '{"a":1e999}', "row 0, a"), ('{"a":0}', '{"a":-0.0}', "row 0, a"),
                ('{"a":0.1}', '{"a":0.10000000149011612}', "row 0, a"), ('{"a":-0.0}', '{"a":0}', "row 0, a"),
                ('{"a":1}', '{"a":true}', "row 0, a"), ('{"a":1}', '{"a":"1"}', "row 0, a"), ('{"a":null}', "{}", "row 0 lacks the field"),
                ('{"a":1}', '{"a":1,"b":2}', "row 0 has the field"), ('{"a":1}', '{"b":1}', 'row 0 lacks the field "a"'),
                ('{"a":1,"a":2}', '{"a":2,"a":1}', "row 0"), ('{"a":1}\n{"a":2}', '{"a":1}', "1 rows instead of 2"), ('{"a":1}', '{"a":NaN}', "no JSON"),
                ('{"a":[{"key":1,"value":2},{"key":1,"value":3}]}', '{"a":[{"key":1,"value":2}]}', "row 0, a"),
                ('{"a":[1,2]}', '{"a":[2,1]}', "row 0, a"), ('{"a":1}', "[1]", "row 0"), ('{"a":1}', "", "0 rows instead of 1")):
            self.assertIn(says, self.differs(meant, given) or "", given)


class Committed(unittest.TestCase):
    """The lists are from the last run; the pages derived from them are up to date."""

    def test_the_pages_agree_with_the_lists(self):
        for path, text in lists.pages(CORPUS).items():
            self.assertEqual((CORPUS / path).read_text(encoding="utf-8"), text, f"{path}: scripts/interop pages")

    def test_the_picture_has_a_column_for_each_reader_and_only_counted_features(self):
        numbers = [json.loads((CORPUS / "readers" / f"{lists.slug(name)}.json").read_text()) for name in catalogue.READERS]
        drawn = matrix.picture(numbers)
        xml.etree.ElementTree.fromstring(drawn)
        self.assertIn("prefers-color-scheme: dark", drawn)
        for reader in numbers:
            self.assertIn(f'class="bold">{reader["reader"]}</text>', drawn)
            wrong = sum(reader["results"].get(result, 0) for result in judge.WRONG)
            self.assertIn(f">{wrong}</text>", drawn)
            for feature in (feature for group in matrix.GROUPS.values() for feature in group):
                self.assertIn(feature, reader["features"])

    def test_bar_lengths_are_proportional_to_the_shares(self):
        parts = "".join(matrix.bar(0, 20, 40, {"equal": 2, "refused": 1, "unsupported": 1, "crashed": 3, "other rows": 1}))
        self.assertEqual(re.findall(r'class="(\w+)" x="([\d.]+)" y="11" width="([\d.]+)"', parts),
                         [("right", "0.00", "15.00"), ("lacks", "15.00", "5.00"), ("wrong", "20.00", "20.00")])
        self.assertIn(">4</text>", parts)

    def test_the_page_about_written_files_agrees_with_its_list_and_each_deviation_has_a_reason(self):
        results = written.Results.read(CORPUS)
        self.assertEqual((CORPUS / written.PAGE).read_text(encoding="utf-8"), written.page(results), "scripts/interop written --update")
        self.assertEqual(list(results.unexplained()), [])
        self.assertEqual(set(results.versions), set(catalogue.READERS))
        known = {one.file for one in written.ALL}
        self.assertEqual([file for found in results.deviations.values() for file in found if file not in known], [])
        used = {pattern for name, found in results.deviations.items() for result, note in found.values()
                for who, pattern, _ in written.REASONS if who == name and re.search(pattern, f"{result}: {note}")}
        self.assertEqual([pattern for _, pattern, _ in written.REASONS if pattern not in used], [], "reasons of nothing")
        for name, version in results.versions.items():
            self.assertEqual(version, json.loads((CORPUS / "readers" / f"{lists.slug(name)}.json").read_text())["version"])

    def test_every_reader_has_a_list_and_matching_numbers(self):
        for name in catalogue.READERS:
            numbers = json.loads((CORPUS / "readers" / f"{lists.slug(name)}.json").read_text())
            listed = [result for result, _ in lists.read(CORPUS / "readers", name).values()]
            self.assertEqual({result: listed.count(result) for result in set(listed)},
                             {result: count for result, count in numbers["results"].items() if result in lists.LISTED}, name)
            self.assertEqual(sum(numbers["results"].values()), numbers["files"], name)

    def test_the_drivers_match_the_recorded_runs(self):
        for name, reader in catalogue.READERS.items():
            numbers = json.loads((CORPUS / "readers" / f"{lists.slug(name)}.json").read_text())
            self.assertEqual(numbers["driver"], reader.sources(), f"{name}: scripts/interop readers --update {name}")

    def test_no_reader_reads_a_file_whose_feature_it_lacks(self):
        for name, reader in catalogue.READERS.items():
            numbers = json.loads((CORPUS / "readers" / f"{lists.slug(name)}.json").read_text())
            for feature in set(reader.lacks) - judge.STORED:  # a reader that does not know these can show their parts
                self.assertNotIn("equal", numbers["features"].get(feature, {}), f"{name}: {feature}")


@unittest.skipUnless(shutil.which("zstd"), "zstd is not installed")
class Archive(unittest.TestCase):
    def test_it_contains_the_files_of_the_index_and_is_reproducible(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for place in ("one", "two"):
                self.assertEqual(interop("archive", "--out", folder / place, "--level", "1").returncode, 0)
            path, = (folder / "one").glob("parqproof-corpus-*.tar.zst")
            self.assertEqual(path.name, f"parqproof-corpus-{versions.version_of(ROOT)}.tar.zst")
            self.assertEqual(path.read_bytes(), (folder / "two" / path.name).read_bytes())
            self.assertEqual(hashlib.sha256(path.read_bytes()).hexdigest(), (folder / "one" / f"{path.name}.sha256").read_text().split()[0])
            subprocess.run(["zstd", "-q", "-d", path, "-o", folder / "corpus.tar"], check=True)
            with tarfile.open(folder / "corpus.tar") as tar:
                names = tar.getnames()
                self.assertEqual(names, sorted(names, key=str.encode))
                self.assertEqual({(one.mtime, one.uid, one.gid, one.mode) for one in tar}, {(0, 0, 0, 0o644)})
                held = {name.split("/", 1)[1]: hashlib.sha256(tar.extractfile(name).read()).hexdigest() for name in names}
            self.assertLessEqual({"LICENSE", "README.md", "READERS.md", "index.json", "json-schema/index.schema.json"}, set(held))
            for file in INDEX["files"]:
                self.assertEqual(held[file["file"]], file["sha256"], file["file"])
            for rows, digest in INDEX["rows"].items():
                self.assertEqual(held[rows], digest)


class Faults(Case):
    BASES = ("pyarrow/richest", "parquet-java/several-pages-nested-v2", "duckdb/default-flat", "hyparquet/bloom-filters")

    def test_every_rule_of_a_fault_has_a_witness_of_the_builder(self):
        covered = {"/".join(path.parts[-3:-1]) for path in (CORPUS / "witnesses").glob("*/*/fail-*.parquet")}
        faults = json.loads(run("mutate", "--list", "--format", "json").stdout)
        self.assertEqual({fault["rule"] for fault in faults} - covered, set())

    def test_the_rows_of_the_program_are_right_for_a_folder_of_faults(self):
        for base in some(self.BASES):
            with self.subTest(base=base):
                folder = self.folder / base.replace("/", "-")
                made = run("mutate", "--all", folder, CORPUS / "writers" / f"{base}.parquet")
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                command = [sys.executable, ROOT / "scripts" / "interop", "readers", "--corpus", folder,
                           "--driver", f"cat={PROGRAM} cat", "--lists", folder / "readers"]
                done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
