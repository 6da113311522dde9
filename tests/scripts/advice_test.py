"""The advice of `check --advice`: the command of a report writes a file with the saving that the finding states."""

import json
import shlex

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, INT32, INT64, SNAPPY
from builder.codec.pages import V1
from builder.codec.schema import optional, required
from builder.recipes.values.advice import FEW, MIXED, SORTED
from program import Case, check, run

ENCODINGS = ("byte-stream-split/smaller", "delta-binary-packed/smaller", "delta-byte-array/smaller", "delta-length-byte-array/preferred",
             "dictionary/fallback", "dictionary/smaller", "plain/smaller", "rle/smaller")
N = len(FEW)


def mixed(groups=1):
    """Columns of which some take fewer bytes in another encoding."""
    children = [required("id", INT64), required("code", INT64), required("noise", INT64), optional("none", INT32),
                required("flag", BOOLEAN), required("say \"a = b\"", BYTE_ARRAY)]
    rows = [{"id": SORTED[i], "code": FEW[i], "noise": MIXED[i], "none": None, "flag": i % 3 == 0, "say \"a = b\"": b"prefix/%08d" % (31 * i)}
            for i in range(N)]
    return File(children, groups=[Group(rows)] * groups).build().data


class Advice(Case):
    def advice(self, path, *options):
        (file,) = json.loads(check("--advice", "--format", "json", *options, path).stdout)["files"]
        return file, {one["column"]: one for one in file["findings"] if one["rule"] in ENCODINGS}

    def sizes(self, path):
        """The bytes of each column in the file."""
        out = {}
        for segment in json.loads(run("layout", "--format", "json", path).stdout)["segments"]:
            if segment["kind"] in ("page-header", "page-body"):
                out[segment["column"]] = out.get(segment["column"], 0) + segment["length"]
        return out

    def test_the_command_gives_the_saving(self):
        for groups in (1, 3):
            with self.subTest(groups=groups):
                path = self.write("a.parquet", mixed(groups))
                before = self.sizes(path)
                file, found = self.advice(path)
                self.assertEqual({column: one["rule"] for column, one in found.items()},
                                 {"id": "delta-binary-packed/smaller", "code": "dictionary/smaller", "say \"a = b\"": "delta-byte-array/smaller"})
                self.assertEqual(file["verdict"], "conforming")
                (step,) = file["next"]
                words = shlex.split(step["command"])
                self.assertEqual(words[:2], ["parqproof", "rewrite"])
                self.assertEqual(run(*words[1:]).returncode, 0)
                after = self.sizes(words[-1])
                for column, one in found.items():
                    self.assertEqual(one["found"].split(" ")[0], str(before[column]))
                    expected = int(one["expected"].split(" ")[0])
                    self.assertLess(abs(after[column] - expected), 0.1 * expected + 200, (column, one, after[column]))
                self.assertEqual(run("cat", words[-1]).stdout, run("cat", path).stdout)
                self.assertEqual(self.advice(words[-1])[1], {}, "the advice is followed")
                self.assertNotIn("next", self.advice(words[-1])[0])

    def test_a_rule_that_is_ignored_is_no_choice(self):
        path = self.write("a.parquet", mixed())
        _, found = self.advice(path, "--ignore", "delta-byte-array/smaller", "--ignore", "dictionary/smaller")
        self.assertEqual({column: one["rule"] for column, one in found.items()},
                         {"id": "delta-binary-packed/smaller", "say \"a = b\"": "delta-length-byte-array/preferred"})

    def test_there_is_none_without_the_option(self):
        path = self.write("a.parquet", mixed())
        (file,) = json.loads(check("--format", "json", path).stdout)["files"]
        self.assertEqual([one for one in file["findings"] if one["severity"] == "info"], [])
        self.assertNotIn("next", file)

    def test_a_damaged_column_gets_none(self):
        data = mixed()
        path = self.write("a.parquet", data)
        (page,) = [one for one in json.loads(run("layout", "--format", "json", path).stdout)["segments"]
                   if one["kind"] == "page-header" and one["column"] == "id"]
        damaged = bytearray(data)
        damaged[page["offset"] + 1] ^= 0x40
        _, found = self.advice(self.write("b.parquet", bytes(damaged)))
        self.assertNotIn("id", found)
        self.assertIn("code", found)

    def test_a_sample_is_of_the_first_the_middle_and_the_last_row_group(self):
        columns = [required("x", INT64)]
        noise = Group([{"x": one} for one in MIXED[:N]])
        ordered = Group([{"x": one} for one in SORTED])
        found = {}
        for name, groups in (("ordered", [ordered] * 3), ("mostly", [ordered, noise, ordered]), ("noise", [noise, ordered, noise])):
            _, found[name] = self.advice(self.write(f"{name}.parquet", File(columns, groups=groups).build().data))
        shares = [int(found[name]["x"]["message"].split(" % in")[0].split(" ")[-1]) for name in found]
        self.assertLess(shares[0] + 20, shares[1])
        self.assertLess(shares[1] + 20, shares[2])

    def test_the_same_report_for_any_number_of_threads(self):
        path = self.write("a.parquet", mixed(3))
        self.assertEqual(check("--advice", "-j", "1", path).stdout, check("--advice", "-j", "4", path).stdout)
