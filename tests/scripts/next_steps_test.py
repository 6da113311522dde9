"""The commands at the end of a report on a damaged file: each runs in a shell, does what it promises, and has the
promised exit code."""

import base64
import json
import os
import pathlib
import re
import shlex
import subprocess

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DROP, INT32, INT64
from builder.codec.pages import V1
from builder.codec.schema import optional, required
from builder.recipes.file.damaged_files import chunked, interleaved, rich
from builder.recipes.file.damaged_files import other as another_write
from builder.recipes.values.advice import FEW, MIXED, SORTED
from program import PROGRAM, ROOT, Case, check, flipped, run

ROWS = 30


def file(names=("id", "amount"), crc=True, each=10):
    """A file of three pages a column, of so many rows each."""
    children = [required(name, INT32) for name in names]
    rows = [{name: 100 * i + k for k, name in enumerate(names)} for i in range(3 * each)]
    return File(children, groups=[Group(rows, [Chunk([V1(each, crc=crc) for _ in range(3)]) for _ in names])]).build().data


class NextSteps(Case):
    def steps(self, data, name="a.parquet"):
        path = self.write(name, data)
        (one,) = json.loads(check("--format", "json", path).stdout)["files"]
        shown = check(path, env={**os.environ, "NO_COLOR": "1"}).stdout
        steps = one.get("next", [])
        for step in steps:
            self.assertIn("\n            " + step["command"] + "\n", shown)
        self.assertLessEqual(len(steps), 4)
        return one, [step["command"] for step in steps]

    def shell(self, command):
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        link = programs / "parqproof"
        if not link.exists():
            link.symlink_to(pathlib.Path(PROGRAM).resolve())
        env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        return subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=env, cwd=self.folder, check=False)

    def damaged(self, data, kind="page-body", at=0, bit=1):
        """The data with a flipped bit in the second page."""
        return flipped(data, self.segments(data, kind)[1]["offset"] + at, bit)

    def lines(self, command, code):
        done = self.shell(command)
        self.assertEqual(done.returncode, code, command + "\n" + done.stderr)
        return done.stdout.splitlines()

    def test_an_encrypted_file_is_read_with_the_same_keys(self):
        witness = ROOT / "corpus/witnesses/encryption/tag/fail-a.parquet"
        keys = self.write("the keys.json", json.dumps(json.loads(witness.with_suffix(".json").read_text())["keys"]).encode())
        keys.chmod(0o600)
        path = self.write("a.parquet", witness.read_bytes())
        (one,) = json.loads(check("--format", "json", "--keys", keys, path).stdout)["files"]
        commands = {step["what"]: step["command"] for step in one["next"]}
        self.assertEqual(len(self.lines(commands["the intact rows"], 1)), 4)
        self.assertEqual(len(self.lines(commands["all rows of the intact columns"], 0)), 6)

    def test_none_for_a_file_without_damage(self):
        self.assertEqual(self.steps(file())[1], [])

    def test_a_wrong_checksum(self):
        _, commands = self.steps(self.damaged(file()))
        counts = {"--skip-damaged ": (20, 1), "--columns=": (30, 0), "--skip-damaged=null": (30, 1), "--ignore-crc": (30, 0)}
        self.assertEqual(len(commands), len(counts))
        for command, (option, (rows, code)) in zip(commands, counts.items()):
            self.assertIn(option, command)
            self.assertEqual(len(self.lines(command, code)), rows)

    def test_a_lost_page(self):
        one, commands = self.steps(self.damaged(file(crc=None), "page-header", 1, 0x40))
        self.assertEqual(one["verdict"], "malformed")
        self.assertEqual(len(commands), 3)
        self.assertLess(len(self.lines(commands[0], 1)), ROWS)
        self.assertEqual(len(self.lines(commands[1], 0)), ROWS)
        self.assertEqual(len(self.lines(commands[2], 1)), ROWS)

    def test_names_are_quoted(self):
        for name in ("$(touch gone)", "`touch gone`", "a b", "it's", 'say "x"', "-x", "a.b", "a;b", "*", "~", "näme", "back\\slash"):
            for path in ("a.parquet", "$(touch gone).parquet", "a 'b'.parquet", "-c.parquet"):
                with self.subTest(name=name, path=path):
                    _, commands = self.steps(self.damaged(file(("id", name))), path)
                    self.assertEqual(len(self.lines(commands[0], 1)), 20)
                    rows = [json.loads(line) for line in self.lines(commands[1], 0)]
                    self.assertEqual([list(row) for row in rows], [[name]] * ROWS)
                    self.assertFalse((self.folder / "gone").exists())

    def test_a_name_that_cannot_be_quoted_is_in_no_command(self):
        for name in ("a,b", "line\nbreak", "", "\x1b[31m"):
            with self.subTest(name=name):
                _, commands = self.steps(self.damaged(file(("id", name))))
                self.assertFalse([command for command in commands if "--columns" in command])
        self.assertEqual(self.steps(self.damaged(file()), "new\nline.parquet")[1], [])

    def test_a_truncated_or_mangled_tail(self):
        data = file()
        true = run("cat", self.write("intact.parquet", data)).stdout
        for damaged in (data[:-8], data[:-4], data[:-1], data[:-4] + b"PARX", data[:-8] + b"\xff\xff\xff\x7fPAR1", data + b"\0" * 100):
            with self.subTest(length=len(damaged)):
                one, commands = self.steps(damaged)
                self.assertTrue(commands)
                self.lines(commands[-1], 0)
                made = shlex.split(commands[-1])[-1]
                self.assertEqual(self.lines(f"parqproof cat {shlex.quote(made)}", 0), true.splitlines())

    def test_a_completely_mangled_file(self):
        data = file(each=200)
        true = run("cat", self.write("intact.parquet", data)).stdout.splitlines()
        second = self.segments(data, "page-body")[1]["offset"] + 100
        for name, damaged, rows, code in (("missing", data[:second] + data[second + 10:], 400, 1),
                                          ("inserted", data[:second] + b"inserted" + data[second:], 400, 1),
                                          ("front", b"\xef\xbb\xbf" + data, 600, 0),
                                          ("text mode", data.replace(b"\n", b"\r\n"), 600, 0)):
            for path in ("a.parquet", "it's $(touch gone).parquet"):
                with self.subTest(name=name):
                    one, commands = self.steps(damaged, path)
                    self.assertEqual(len(commands), 2, (name, one["findings"]))
                    self.lines(commands[0], 0)
                    self.assertEqual(len((self.folder / shlex.split(commands[1])[-1]).read_bytes()), len(data), name)
                    self.assertEqual(self.lines(commands[1], code), true[:200] + true[400:] if rows == 400 else true)

    def test_no_row_of_a_page_with_bytes_too_many_or_too_few_is_offered(self):
        """Values that are displaced in their page are decoded as others, within the statistics."""
        data = file(crc=None, each=200)
        true = set(run("cat", self.write("intact.parquet", data)).stdout.splitlines())
        for page in range(6):
            begin = self.segments(data, "page-body")[page]["offset"] + 400
            for name, damaged in (("missing", data[:begin] + data[begin + 4:]),
                                  ("repeated", data[:begin] + data[begin - 4:]),
                                  ("other", data[:begin] + b"\x90\x01\0\0" + data[begin:])):
                with self.subTest(name, page=page):
                    _, commands = self.steps(damaged)
                    for command in commands:
                        done = self.shell(command)
                        if command.startswith("parqproof cat --skip-damaged "):
                            self.assertLessEqual(set(done.stdout.splitlines()), true)
                        elif command.startswith("{ "):
                            self.assertIn("/dev/zero", command)

    def test_a_copy_has_what_was_there_without_bytes_that_are_there_twice(self):
        data = file(crc=None, each=200)
        begin = self.segments(data, "page-body")[1]["offset"] + 400
        one, commands = self.steps(data[:begin] + data[begin - 20:])
        self.assertEqual(one["next"][0]["what"], "a copy of the file as it was")
        self.lines(commands[0], 0)
        self.assertEqual((self.folder / shlex.split(commands[1])[-1]).read_bytes(), data)

    def groups(self, data):
        """Where the row groups of the data begin and end."""
        begins = {}
        for one in self.segments(data, "page-header") + self.segments(data, "page-body"):
            begin, end = begins.get(one["row_group"], (one["offset"], 0))
            begins[one["row_group"]] = min(begin, one["offset"]), max(end, one["offset"] + one["length"])
        return [begins[group] for group in sorted(begins)]

    def test_row_groups_that_are_missing_doubled_or_in_another_order(self):
        children = [required("id", INT32), required("amount", INT32)]
        sizes = (30, 50, 70)
        groups = [Group([{"id": 1000 * k + i, "amount": 7 * i} for i in range(size)], [Chunk([V1(size)]) for _ in children])
                  for k, size in enumerate(sizes)]
        data = File(children, groups=groups).build().data
        true = run("cat", self.write("intact.parquet", data)).stdout.splitlines()
        for group, (begin, end) in enumerate(self.groups(data)):
            with self.subTest("missing", group=group):
                one, commands = self.steps(data[:begin] + data[end:])
                self.assertEqual(one["findings"][0]["rule"], "file/bytes-missing")
                self.assertEqual(one["findings"][0]["offset"], begin)
                self.assertIn(f": row group {group};", one["findings"][0]["message"])
                self.lines(commands[0], 0)
                first = sum(sizes[:group])
                self.assertEqual(self.lines(commands[1], 1), true[:first] + true[first + sizes[group]:])
            if group == 2:  # it is behind all that the footer names
                continue
            with self.subTest("twice", group=group):
                one, commands = self.steps(data[:end] + data[begin:])
                self.assertEqual(one["findings"][0]["rule"], "file/bytes-inserted")
                self.lines(commands[0], 0)
                self.assertEqual(self.lines(commands[1], 0), true)
        extents = self.groups(data)
        for one, other in ((0, 1), (1, 2), (0, 2)):
            with self.subTest("swapped", groups=(one, other)):
                (first, second), (third, fourth) = extents[one], extents[other]
                report, commands = self.steps(data[:first] + data[third:fourth] + data[second:third] + data[first:second] + data[fourth:])
                self.assertEqual(report["findings"][0]["rule"], "file/block-order")
                self.lines(commands[0], 0)
                self.assertEqual((self.folder / "a.repaired.parquet").read_bytes(), data)
                self.assertEqual(self.lines(commands[1], 0), true)

    def test_the_footer_of_another_write_is_no_shift(self):
        """Its chunks have other sizes than the pages, which follow each other without a gap."""
        def written(spare):
            children = [required(name, BYTE_ARRAY) for name in "abc"]
            rows = [{"a": b"%d" % i, "b": b"%03d" % i + spare * (i == 7), "c": b"%d" % (i % 9)} for i in range(200)]
            return File(children, groups=[Group(rows, [Chunk([V1(200)]) for _ in children])] * 2).build().data

        def footer(data):
            return len(data) - 8 - int.from_bytes(data[-8:-4], "little")
        short, long = written(b""), written(b"xy")
        for pages, about in ((short, long), (long, short)):
            one, _ = self.steps(pages[:footer(pages)] + about[footer(about):])
            self.assertTrue(one["findings"])
            self.assertNotIn(one["findings"][0]["rule"], ("file/bytes-missing", "file/bytes-inserted"))

    def test_another_footer_behind_the_file(self):
        data, longer = file(each=10), file(each=200)
        footer = len(longer) - 8 - int.from_bytes(longer[-8:-4], "little")
        one, commands = self.steps(data + longer[footer:])
        message = one["findings"][0]["message"]
        self.assertIn("the end of a longer file" if footer > len(data) else "another footer", message)
        self.lines(commands[0], 0)
        self.assertEqual((self.folder / shlex.split(commands[1])[-1]).read_bytes(), data)
        # A footer of as many bytes of data, of which the pages are others.
        wide, narrow = file(each=40), file(("id", "quantity"), each=38)
        footer = len(narrow) - 8 - int.from_bytes(narrow[-8:-4], "little")
        one, commands = self.steps(wide + narrow[footer:])
        self.assertIn("another footer", one["findings"][0]["message"])
        self.lines(commands[0], 0)
        self.assertEqual((self.folder / shlex.split(commands[1])[-1]).read_bytes(), wide)

    def test_a_lost_footer_with_another_file_in_the_folder(self):
        def of(size, name="name"):
            rows = [{"id": 1000 + 7 * i, name: b"n" * (i % 5 + 1)} for i in range(size)]
            children = [required("id", INT32), required(name, BYTE_ARRAY)]
            return File(children, groups=[Group(rows, [Chunk([V1(size)]), Chunk([V1(size)])])]).build().data
        data = of(30)
        true = run("cat", self.write("intact.parquet", data)).stdout.splitlines()
        (self.folder / "intact.parquet").unlink()
        lost = data[:len(data) - 8 - int.from_bytes(data[-8:-4], "little")]
        salvages = lambda commands: [command for command in commands if "--schema-from" in command]
        self.assertEqual(salvages(self.steps(lost)[1]), [])
        self.write("b.parquet", file(("x", "y", "z")))
        self.write("c.parquet", b"no Parquet")
        self.assertEqual(salvages(self.steps(lost)[1]), [])
        self.write("it's.parquet", of(50))
        one, commands = self.steps(lost)
        self.assertEqual(salvages(commands), commands[-1:])
        self.assertEqual(one["next"][-1]["what"], "30 rows, with the schema of another file in its folder")
        self.lines(commands[-1], 1)
        self.assertEqual(self.lines("parqproof cat a.repaired.parquet", 0), true)

    def test_an_earlier_footer(self):
        first = file()
        _, commands = self.steps(first + b"more data that was never finished")
        self.assertEqual(len(commands), 2)
        self.assertIn("--footer-at", commands[0])
        self.lines(commands[0], 0)
        self.lines(commands[1], 0)
        made = shlex.split(commands[1])[-1]
        self.assertEqual((self.folder / made).read_bytes(), first)

    def test_a_file_up_to_a_requested_footer_is_explained_like_a_file_that_ends_there(self):
        first = rich().build().data
        third = len(first) // 3
        cases = {"bytes missing": first[:third] + first[third + 7:], "inserted": first[:third] + b"12345" + first[third:],
                 "another write before it": file()[:-3] + first, "line ends": first.replace(b"\n", b"\r\n")}
        for about, data in cases.items():
            with self.subTest(about):
                alone, commands = self.steps(data)
                self.shell(commands[0])
                made = self.folder / shlex.split(commands[0])[-1]
                expected = made.read_bytes()
                longer = self.write("a.parquet", data + bytes(1000) + b"unfinished")
                (one,) = json.loads(check("--format", "json", "--footer-at", len(data), longer).stdout)["files"]
                self.assertEqual([found["rule"] for found in one["findings"]], [found["rule"] for found in alone["findings"]])
                self.assertEqual((one["size"], one["footer_at"]), (len(data) + 1010, len(data)))
                made.unlink()
                self.shell(one["next"][0]["command"])
                self.assertEqual(made.read_bytes(), expected)

    def test_a_file_up_to_an_earlier_footer_is_offered_only_if_a_trial_can_read_it(self):
        first = file()
        footer = len(first) - 8 - int.from_bytes(first[-8:-4], "little")
        half = footer // 2
        header = self.segments(first, "page-header")[1]["offset"]
        damaged = first[:header] + b"\x0f" + first[header + 1:]
        cases = {"rotated": (first[half:footer] + first[:half] + first[footer:] + b"more data", 0),
                 "a page is lost": (damaged + b"more data", 0),
                 "in its place": (first + b"more data", 1)}
        for about, (data, intact) in cases.items():
            with self.subTest(about):
                one, commands = self.steps(data)
                if "still_there" not in one:
                    self.assertEqual(intact, 0)
                    continue
                (found,) = one["still_there"]["footers"]
                self.assertEqual((found["complete_file"], found["intact_row_groups"]), (bool(intact), intact))
                shown = " ".join(check(self.folder / "a.parquet").stdout.split())
                self.assertEqual("are a complete file" in shown, bool(intact))
                self.assertEqual(any("head -c" in command for command in commands), bool(intact))
                if not intact:
                    self.assertIn("0 of its 1 row group can be read", shown)
                    self.assertIn("--footer-at", commands[0])
                    self.lines(commands[0], 1)

    def test_intact_rows_are_offered_only_if_there_are_some(self):
        data = bytearray(file(crc=None))
        for header in self.segments(data, "page-header"):
            if header["column"] == "amount":
                data[header["offset"]] = 0x0F
        _, commands = self.steps(bytes(data))
        self.assertFalse([command for command in commands if command.startswith("parqproof cat --skip-damaged a.")], commands)
        for group in (None, 0):
            many_groups = File([required("id", INT32)], groups=[Group([{"id": i}], edits={"num_rows": DROP} if group is None or i == group else None) for i in range(3)]).build().data
            one, commands = self.steps(many_groups)
            for command in commands:
                if "--skip-damaged " in command:
                    self.assertTrue(self.lines(command, 1), command)

    def test_parts_next_to_a_loss_are_called_intact_only_if_they_are(self):
        for lost, sentence in (((1,), "row group 1 (row 1, 33 % of the file): this row group; the other row groups are intact"),
                               ((0, 2), "row group 0 (row 0, 33 % of the file): this row group row group 2 (row 2, 33 % of the file): this row group d")):
            groups = [Group([{"id": i}], edits={"columns": DROP} if i in lost else None) for i in range(3)]
            self.steps(File([required("id", INT32)], groups=groups).build().data, "d.parquet")
            shown = " ".join(check(self.folder / "d.parquet").stdout.split())
            self.assertIn(sentence, shown.replace(str(self.folder) + "/", ""))

    def test_two_joined_files(self):
        first, second = file(each=20), file()
        _, commands = self.steps(first + second)
        self.assertEqual(len(commands), 3)
        self.lines(commands[0], 0)
        for command, data, rows in ((commands[1], first, 60), (commands[2], second, 30)):
            self.lines(command, 0)
            made = self.folder / shlex.split(command)[-1]
            self.assertEqual(made.read_bytes(), data)
            self.assertEqual(len(self.lines(f"parqproof cat {shlex.quote(str(made))}", 0)), rows)

    def test_a_mangled_head(self):
        data = file()
        _, commands = self.steps(b"XXXX" + data[4:])
        self.assertEqual(len(commands), 1)
        self.lines(commands[0], 0)
        self.assertEqual((self.folder / "a.repaired.parquet").read_bytes(), data)

    def test_the_place_of_names_and_types_is_reported_correctly(self):
        data = file()
        length = int.from_bytes(data[-8:-4], "little")
        begin = len(data) - 8 - length
        left = "are in the rest of the footer, below"
        said = {"gone": set(), "first": set(), "all": set(), "footer": set()}
        for cut in [*range(begin - 1, len(data) - 4)]:
            one, _ = self.steps(data[:cut])
            (sentence,) = re.findall(r"in 1 run from .*?; (.*?)(?= no other footer| the start of a footer| an intact F)",
                                     " ".join(check(self.folder / "a.parquet").stdout.split()))
            rest = one["still_there"].get("cut_footer")
            kind = "footer" if one["still_there"]["footers_found"] else "gone" if not rest or not rest["columns"] else "all" if rest["whole_schema"] else "first"
            said[kind].add(sentence)
        self.assertEqual(said, {"gone": {"the names and types of their columns were in the lost footer"},
                                "first": {f"the names and types of the first 1 column {left}"},
                                "all": {f"the names and types of their columns {left}"}, "footer": {"the names and types of the columns are in the footer below"}})

    def test_the_rest_of_a_truncated_footer_is_shown(self):
        data = file()
        length = int.from_bytes(data[-8:-4], "little")
        begin = len(data) - 8 - length
        last = (-1, 0)
        for cut in range(begin + 1, begin + length):
            one, _ = self.steps(data[:cut])
            left = one["still_there"].get("cut_footer")
            if left is None:
                self.assertLess(cut, begin + 30)
                continue
            self.assertEqual(left["offset"], begin)
            self.assertLessEqual(left["read_to"], cut)
            seen = (left["columns_found"], left["whole_row_groups"])
            self.assertGreaterEqual(seen, last)
            last = seen
            shown = run("meta", "--format", "json", self.folder / "a.parquet")
            self.assertEqual(shown.returncode, 1)
            self.assertEqual(json.loads(shown.stdout)["footer_offset"], begin)
        self.assertEqual(last, (2, 1))

    def test_damage_that_nothing_explains_lists_five_errors_and_what_was_tried(self):
        data = bytearray(rich().build().data)
        for at in range(40, len(data) - 300, 47):
            data[at] ^= 0x10
        one, _ = self.steps(bytes(data))
        self.assertEqual(one["verdict"], "malformed")
        self.assertIn("bytes missing or inserted", one["tried"])
        self.assertIn("blocks in another order", one["tried"])
        path = self.folder / "a.parquet"
        shown = check(path, env={**os.environ, "NO_COLOR": "1"}).stdout
        self.assertEqual(shown.count("\nerror "), 5, shown)
        self.assertIn("tried: ", shown)
        self.assertIn("--limit 0 shows all", shown)
        everything = check("--limit", "0", path, env={**os.environ, "NO_COLOR": "1"}).stdout
        self.assertGreater(everything.count("\nerror "), 5)

    def test_a_file_damaged_by_a_transfer_is_restored_byte_for_byte(self):
        data = rich().build().data
        other = file(each=400)
        further = another_write().build().data
        blocks = [data[at:at + 512] for at in range(0, len(data), 512)]
        headers = b"HTTP/1.1 200 OK\r\nServer: a\r\n\r\n"
        form = b"--b0\r\nContent-Disposition: form-data; name=a\r\n\r\n"
        damaged = {
            "chunks": chunked(data, 100),
            "one signed chunk": chunked(data, 1 << 20, b";chunk-signature=" + b"a" * 64),
            "headers": headers + data,
            "headers and chunks": headers + chunked(data, 333),
            "a form": form + data + b"\r\n--b0--\r\n",
            "another write before it": other[:2000] + data,
            "pages of another write after the magic": data[:4] + other[4:2000] + data[4:],
            "the end of a longer file after it": data + other[len(data):],
            "two swapped blocks": b"".join([blocks[1], blocks[0], *blocks[2:]]),
            "base64 in a mail": base64.encodebytes(data).replace(b"\n", b"\r\n"),
            "base64 in one line": base64.b64encode(data),
            "blocks of another write before its own": interleaved(further, data, 512),
            "blocks of another write after its own": interleaved(data, further, 512),
        }
        for about, bytes_ in damaged.items():
            with self.subTest(about):
                _, commands = self.steps(bytes_)
                self.assertEqual(self.lines(commands[0], 0), [])
                self.assertEqual((self.folder / "a.repaired.parquet").read_bytes(), data)
                self.assertEqual(len(self.lines(commands[1], 0)), 64)


ENCODINGS = ("byte-stream-split/smaller", "delta-binary-packed/smaller", "delta-byte-array/smaller", "delta-length-byte-array/preferred",
             "dictionary/fallback", "dictionary/smaller", "plain/smaller", "rle/smaller")


def mixed(groups=1):
    """Columns of which some take fewer bytes in another encoding."""
    children = [required("id", INT64), required("code", INT64), required("noise", INT64), optional("none", INT32),
                required("flag", BOOLEAN), required("say \"a = b\"", BYTE_ARRAY)]
    rows = [{"id": SORTED[i], "code": FEW[i], "noise": MIXED[i], "none": None, "flag": i % 3 == 0, "say \"a = b\"": b"prefix/%08d" % (31 * i)}
            for i in range(len(FEW))]
    return File(children, groups=[Group(rows)] * groups).build().data


class Advice(Case):
    """The command of `check --advice` writes a file with the saving that the findings state."""

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
        noise = Group([{"x": one} for one in MIXED[:len(FEW)]])
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
