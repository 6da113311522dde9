"""`cat --lookup COLUMN=VALUE`: the rows found by the index pages of the 2013 edition equal those of a complete `cat` with
that value, no other page is read for them, and damage in an index is the finding that `check` reports."""

import functools
import json
import random
import re
import struct
from unittest import mock

from builder.codec import index_pages
from builder.codec.file import Chunk, File, Group
from builder.codec.index_pages import Tree
from builder.codec.marked import Marked
from builder.codec.metadata import (BOOLEAN, BYTE_ARRAY, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT, GZIP, INT32, INT64, PLAIN_DICTIONARY)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required, text
from program import WITNESSES, Case, check, flipped, run, some

ROWS, GROUPS = 30, 2
BY_KEY = {"sorting_columns": [{"column_idx": 0, "descending": False, "nulls_first": False}]}
STEP = re.compile(r"^parqproof: lookup: row group (\d+), column (\S+): index page at byte (\d+) \(level (\d+)\) -> (.*)$", re.M)


def last(items):
    return items[-1]


def by_values(**more):
    return Tree("values", **{"fanout": 2, "key": last, **more})


def by_rows(**more):
    return Tree("ordinals", **{"fanout": 3, **more})


def pages(page, rows, **more):
    return [page(rows, **more) for _ in range(-(-ROWS // rows))]


def table(page=V1, keys=None, index=True, codec=0, rows_index=None, values_index=None, repeat=4):
    """A sorted column with a value on several pages, three columns with an index of rows, one without; lists too."""
    def key_of(group, i):
        return 100 * group + i // repeat if keys is None else keys[i]

    def rows(group):
        return [{"key": key_of(group, i), "value": 1000 * group + 7 * i % 31, "name": None if i % 5 == 1 else b"n%d" % i, "plain": i * i,
                 "list": {"list": [{"element": i + j} for j in range(i % 4)]}} for i in range(ROWS)]

    def chunks(group):
        has = index is True or group in index
        rows_tree = rows_index or by_rows
        names = [b"n%d" % i for i in range(ROWS)]
        entries = sum(max(i % 4, 1) for i in range(ROWS))
        return [Chunk(pages(page, 3), index=(values_index or by_values)() if has else None, codec=codec),
                Chunk(pages(page, 2), index=rows_tree(), codec=codec),
                Chunk([Dictionary(names), *pages(page, 4, encoding=PLAIN_DICTIONARY)], index=rows_tree(), codec=codec),
                Chunk(pages(page, 5), codec=codec),
                Chunk([page(5) for _ in range(-(-entries // 5))], index=rows_tree(), codec=codec)]

    children = [required("key", INT32), required("value", INT32), text(optional("name", BYTE_ARRAY)), required("plain", INT32),
                list_of("list", required("element", INT32))]
    return File(children, groups=[Group(rows(group), chunks(group), edits=BY_KEY) for group in range(GROUPS)]).build().data


def rows_with(lines, column, value):
    return [line for line in lines if json.loads(line)[column] == value]


class Lookup(Case):
    def look_up(self, data, key, *options):
        return run("cat", "--lookup", key, *options, self.write("a.parquet", data))

    def rows(self, data, *options):
        return run("cat", *options, self.write("a.parquet", data)).stdout.splitlines()

    def test_every_value_is_found_in_all_its_rows(self):
        for page, codec in ((V1, 0), (V2, 0), (V1, GZIP)):
            if page is V2:  # a row of lists may not be split there
                data = table(page, rows_index=lambda: None)
            else:
                data = table(page, codec=codec)
            lines = self.rows(data)
            self.assertEqual(len(lines), ROWS * GROUPS)
            values = sorted({json.loads(line)["key"] for line in lines})
            for value in [-1, *values, 50, 99, 1000]:
                with self.subTest(page=page.__name__, codec=codec, value=value):
                    done = self.look_up(data, f"key={value}")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertEqual(done.stdout.splitlines(), rows_with(lines, "key", value))

    def test_keys_may_be_the_first_or_the_last_values_of_their_pages(self):
        for key in (min, max):
            for repeat in (1, 3, 7, 30):
                for fanout in (2, 20):
                    data = table(values_index=lambda key=key, fanout=fanout: by_values(key=key, fanout=fanout), repeat=repeat)
                    lines = self.rows(data)
                    for value in some(sorted({json.loads(line)["key"] for line in lines}))[::2]:
                        done = self.look_up(data, f"key={value}")
                        self.assertEqual(done.stdout.splitlines(), rows_with(lines, "key", value), (key, repeat, fanout, value))

    def test_only_the_pages_of_the_index_path_are_read(self):
        data = table()
        lines = self.rows(data)
        for value in (0, 3, 7, 100, 104, 107):
            done = self.look_up(data, f"key={value}")
            named = {(int(group), column, int(at)) for group, column, _, _, to in STEP.findall(done.stderr)
                     for at in re.findall(r"data page at byte (\d+)", to)}
            damaged = bytearray(data)
            spared = 0
            bodies = self.segments(data, "page-body")
            headers = {(one["row_group"], one["column"], one["page"]): one["offset"] for one in self.segments(data, "page-header")}
            for body in bodies:
                place = (body["row_group"], body["column"], body["page"])
                # A list may continue in the next page, so the pages of lists are unchanged.
                if body["page_type"] != "DATA_PAGE" or body["column"] in ("plain", "list.list.element"):
                    continue
                if (*place[:2], headers[place]) in named:
                    spared += 1
                    continue
                for at in range(body["offset"], body["offset"] + body["length"]):
                    damaged[at] ^= 0xFF
            self.assertEqual(len([one for one in named if one[1] == "list.list.element"]) + spared, len(named))
            self.assertLess(spared, 12)
            self.assertNotEqual(self.rows(damaged), lines)
            again = self.look_up(damaged, f"key={value}")
            self.assertEqual(again.stdout.splitlines(), rows_with(lines, "key", value))
            self.assertEqual(again.stderr, done.stderr)
            self.assertEqual(again.returncode, 0)

    def test_stderr_names_the_pages_level_by_level(self):
        # 1, 3, 5, 7, 9 and 11, two on each of three pages.
        done = run("cat", "--lookup", "a=7", WITNESSES / "index-page" / "keys-true" / "pass-a.parquet")
        self.assertEqual(done.stdout, '{"a":7}\n')
        self.assertEqual(done.stderr, (
            "parqproof: lookup: row group 0, column a: index page at byte 79 (level 1) -> data page at byte 4, data page at byte 29, data page at byte 54\n"
            "parqproof: lookup: row group 0, column a: found row 3\n"))
        done = run("cat", "--lookup", "key=0", WITNESSES / "legal" / "index-pages" / "pass-a.parquet")
        self.assertEqual(done.stdout, '{"key":0,"value":919,"text":"7468655f397468"}\n')
        self.assertEqual([line.split(": ", 2)[2] for line in done.stderr.splitlines()], [
            "row group 0, column key: index page at byte 383 (level 1) -> index page at byte 91, index page at byte 235",
            "row group 0, column key: index page at byte 91 (level 2) -> data page at byte 62",
            "row group 0, column key: index page at byte 235 (level 2) -> data page at byte 148",
            "row group 0, column key: found row 9",
            "row group 0, column value: index page at byte 989 (level 1) -> index page at byte 788",
            "row group 0, column value: index page at byte 788 (level 2) -> data page at byte 656",
            "row group 0, column text: index page at byte 1311 (level 1) -> data page at byte 1131"])

    def test_an_index_more_expensive_than_the_chunk_is_not_used(self):
        rows = [{"key": 7, "value": i} for i in range(600)]
        one_each = [V1(1) for _ in rows]
        data = File([required("key", INT32), required("value", INT32)], rows,
                    {"key": Chunk([V1(100) for _ in range(6)], index=by_values()), "value": Chunk(one_each, index=by_rows(fanout=None))},
                    edits=BY_KEY).build().data
        done = self.look_up(data, "key=7")
        self.assertEqual(done.stdout.splitlines(), self.rows(data))
        self.assertEqual(len(done.stdout.splitlines()), len(rows))
        self.assertRegex(done.stderr, r"column value: read all pages after byte \d+, which costs less than the index\n")
        self.assertRegex(done.stderr, r"column value: index page at byte \d+ \(level 1\) -> data page at byte \d+, .* and \d+ more\n")

    def test_options_select_among_the_found_rows(self):
        data = table()
        found = rows_with(self.rows(data), "key", 104)  # rows 46 to 49
        self.assertEqual(len(found), 4)

        def rows(*options):
            done = self.look_up(data, "key=104", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout.splitlines()
        self.assertEqual(rows("--limit", "2"), found[:2])
        self.assertEqual(rows("--limit", "0"), [])
        self.assertEqual(rows("--rows", "47:49"), found[1:3])
        self.assertEqual(rows("--rows", ":46"), [])
        self.assertEqual(rows("--rows", "48:", "--limit", "1"), found[2:3])
        self.assertEqual(rows("--columns", "value"), [json.dumps({"value": json.loads(line)["value"]}, separators=(",", ":")) for line in found])
        self.assertEqual(rows("--columns", "list,key"), [
            json.dumps({name: json.loads(line)[name] for name in ("key", "list")}, separators=(",", ":")) for line in found])
        self.assertEqual(rows("--physical"), rows_with(self.rows(data, "--physical"), "key", 104))

    def test_nulls_are_not_found(self):
        data = File([optional("key", INT32)], [{"key": key} for key in [1, 1, 2, 2, 3, None, None, None]],
                    {"key": Chunk([V1(2) for _ in range(4)], index=by_values())}, edits=BY_KEY).build().data
        self.assertEqual(self.look_up(data, "key=3").stdout, '{"key":3}\n')
        for value in ("0", "4"):
            done = self.look_up(data, f"key={value}")
            self.assertEqual((done.stdout, done.returncode), ("", 0))
        self.assertEqual(self.look_up(data, "key=null").returncode, 2)

    def test_a_list_is_found_by_any_of_its_elements_and_may_span_pages(self):
        rows = [[1, 2], [3], [4, 5, 5, 6], [6], [7, 8], [], [8, 8, 8, 9]]
        data = File([list_of("l", required("e", INT32))], [{"l": {"list": [{"e": item} for item in row]}} for row in rows],
                    {"l.list.element": Chunk([V1(2), V1(3), V1(3), V1(3), V1()], index=by_values())}, edits=BY_KEY).build().data
        for value in range(10):
            done = self.look_up(data, f"l.list.element={value}")
            self.assertEqual([json.loads(line)["l"] for line in done.stdout.splitlines()], [row for row in rows if value in row])
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("to count rows", self.look_up(data, "l.list.element=7").stderr)

    def test_page_offsets_may_count_from_the_beginning_of_the_file(self):
        done = run("cat", "--lookup", "a=7", WITNESSES / "index-page" / "offset-base" / "fail-a.parquet")
        self.assertEqual((done.stdout, done.returncode), ('{"a":7}\n', 0))
        self.assertIn("column a: page offsets of the index count from the beginning of the file\n", done.stderr)

    def test_values_are_accepted_in_the_form_of_rows(self):
        day = 86_400
        decimals = [-3000, -250, -1, 0, 1, 99, 150, 12345]
        cases = [
            (required("key", INT64), [-(2**63), -5, 0, 7, 2**63 - 1]),
            (required("key", INT32, converted_type=11, logicalType={"INTEGER": {"bitWidth": 8, "isSigned": False}}), [0, 5, 200, 255]),
            (required("key", INT64, converted_type=14, logicalType={"INTEGER": {"bitWidth": 64, "isSigned": False}}), [0, 5, 2**62]),
            (required("key", INT32, converted_type=6, logicalType={"DATE": {}}), [-719162, -1, 0, 59, 19782, 2932896, 2932897]),
            (required("key", INT32, converted_type=7, logicalType={"TIME": {"isAdjustedToUTC": True, "unit": {"MILLIS": {}}}}), [0, 1, 86_399_999]),
            (required("key", INT64, logicalType={"TIMESTAMP": {"isAdjustedToUTC": False, "unit": {"NANOS": {}}}}),
             [-(2**63), -day * 10**9 - 1, -1, 0, 1, 1_700_000_000_123_456_789, 2**63 - 1]),
            (required("key", INT64, converted_type=10, logicalType={"TIMESTAMP": {"isAdjustedToUTC": True, "unit": {"MICROS": {}}}}),
             [-(2**62), -62_135_596_800_000_000, -1, 0, 123_456, 2**62]),
            (required("key", INT32, converted_type=5, scale=2, precision=9, logicalType={"DECIMAL": {"scale": 2, "precision": 9}}), decimals),
            (required("key", FIXED_LEN_BYTE_ARRAY, type_length=5, converted_type=5, scale=3, precision=10,
                      logicalType={"DECIMAL": {"scale": 3, "precision": 10}}), [one.to_bytes(5, "big", signed=True) for one in decimals]),
            (required("key", BYTE_ARRAY, converted_type=5, scale=1, precision=30, logicalType={"DECIMAL": {"scale": 1, "precision": 30}}),
             [one.to_bytes(9, "big", signed=True) for one in [*decimals, 2**64 + 1, 2**70]]),
            (required("key", FIXED_LEN_BYTE_ARRAY, type_length=16, logicalType={"UUID": {}}), [bytes([i]) * 16 for i in range(0, 250, 40)]),
            (required("key", FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}}),
             [struct.pack("<e", one) for one in (-1.5, -0.1, 0.0, 0.1, 2.0, 65504.0, float("inf"))]),
            (required("key", FLOAT), [-1e30, -0.1, 0.1, 1.0, 3e38, float("inf")]),
            (required("key", DOUBLE), [float("-inf"), -0.1, 5e-324, 0.1, 1e300]),
            (required("key", BOOLEAN), [False, False, True]),
            (text(required("key", BYTE_ARRAY)), [b"", b"a=b", b"b c", "\u00e9\n".encode(), "\u65e5".encode()]),
            (required("key", BYTE_ARRAY), [b"", b"\x00", b"\x00\xff", b"\xff"])]
        for node, items in cases:
            data = File([node], [{"key": item} for item in items],
                        {"key": Chunk([V1(1) for _ in items], index=by_values())}, edits=BY_KEY).build().data
            lines = self.rows(data)
            shown = [json.loads(line, parse_int=str, parse_float=str, parse_constant=str)["key"] for line in lines]
            self.assertEqual(len(lines), len(items))
            for value in shown:
                word = str(value).lower() if isinstance(value, bool) else value
                with self.subTest(node=node.attributes, kind=node.type, value=word):
                    done = self.look_up(data, f"key={word}")
                    self.assertEqual((done.stdout.splitlines(), done.returncode),
                                     ([line for line, other in zip(lines, shown) if other == value], 0), done.stderr)

    def test_a_row_group_without_an_index_is_named_and_the_others_are_searched(self):
        data = table(index=(1,))
        lines = self.rows(data)
        done = self.look_up(data, "key=104")
        self.assertEqual(done.stdout.splitlines(), rows_with(lines, "key", 104))
        self.assertEqual(done.returncode, 2)
        self.assertIn("row group 0, column key: no index pages: this row group is skipped\n", done.stderr)
        self.assertIn("a.parquet: --lookup: column key has no index pages by values in 1 row group of 2\n", done.stderr)

    def test_impossible_lookups_are_rejected(self):
        data = table()
        for key, options, words in (
                ("nothing=1", (), "no column is named 'nothing'; expected the dotted path of a leaf"),
                ("list=1", (), "no column is named 'list'; expected the dotted path of a leaf"),
                ("plain=1", (), "column plain has no index pages by values in 2 row groups of 2"),
                ("value=1", (), "column value has no index pages by values in 2 row groups of 2"),
                ("key=2147483648", (), "'2147483648' is out of range; expected -2147483648 to 2147483647"),
                ("key=-99999999999999999999", (), "is out of range; expected -2147483648 to 2147483647"),
                ("key=1.5", (), "'1.5' is not a value of the column; expected an integer"),
                ("key=", (), "'' is not a value of the column; expected an integer"),
                ("key", (), "'key' is not COLUMN=VALUE"),
                ("=1", (), "'=1' is not COLUMN=VALUE"),
                ("key=1", ("--skip-damaged",), "--lookup and --skip-damaged exclude each other"),
                ("key=1", ("--skip-damaged=null",), "--lookup and --skip-damaged exclude each other")):
            done = self.look_up(data, key, *options)
            with self.subTest(key=key):
                self.assertEqual((done.stdout, done.returncode), ("", 2))
                self.assertIn(words, done.stderr)
        for node, value, words in (
                (required("key", INT32, converted_type=15, logicalType={"INTEGER": {"bitWidth": 8, "isSigned": True}}), "128", "expected -128 to 127"),
                (required("key", INT32, converted_type=11, logicalType={"INTEGER": {"bitWidth": 8, "isSigned": False}}), "-1", "expected 0 to 255"),
                (required("key", INT32, converted_type=6, logicalType={"DATE": {}}), "2023-02-29", "expected a date as 2024-02-29"),
                (required("key", INT32, converted_type=5, scale=2, precision=9, logicalType={"DECIMAL": {"scale": 2, "precision": 9}}), "1.505",
                 "expected a number with at most 2 digits after the point"),
                (required("key", INT32, converted_type=5, scale=2, precision=9, logicalType={"DECIMAL": {"scale": 2, "precision": 9}}), "12345678.00",
                 "expected 9 digits at most"),
                (required("key", INT64, logicalType={"TIMESTAMP": {"isAdjustedToUTC": False, "unit": {"NANOS": {}}}}), "2300-01-01T00:00:00",
                 "expected a timestamp that the type can hold"),
                (required("key", FLOAT), "1e39", "expected a number that the type can hold"),
                (required("key", FLOAT), "NaN", "NaN equals no value"),
                (required("key", BYTE_ARRAY), "abc", "expected bytes in hex")):
            data = File([node], [{"key": b"" if node.type == BYTE_ARRAY else 0}], {"key": Chunk([V1()], index=by_values())}, edits=BY_KEY).build().data
            done = self.look_up(data, f"key={value}")
            with self.subTest(value=value):
                self.assertEqual((done.stdout, done.returncode), ("", 2))
                self.assertIn(words, done.stderr)

    def assert_same_finding(self, data, key, rule):
        """The lookup ends with a finding that check reports at the same bytes."""
        done = self.look_up(data, key)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(rule, done.stderr)
        found = json.loads(check("--profile", "historical", "--format", "json", self.write("a.parquet", data)).stdout)["files"][0]["findings"]
        found = [one for one in found if one["rule"] == rule]
        self.assertTrue(found)
        at = re.search(r"^  at +(?:byte|page \d+ \+) (\d+)", done.stderr, re.M)[1]
        place = re.search(r"^  in +row group (\d+), column (\S+) \(leaf \d+\)(?:, page (\d+))?", done.stderr, re.M)
        self.assertIn((int(at), int(place[1]), place[2], place[3]),
                      [(one["offset"], one["row_group"], one["column"], str(one["page"]) if "page" in one else None) for one in found])
        return done

    def test_damage_in_an_index_is_a_finding_of_check(self):
        def edit(change):
            def apply(number, entries, keys):
                if number == 0:
                    change(entries, keys)
            return apply

        def offset(entries, _):
            entries[0][1] += 1

        def length(entries, _):
            entries[1][2] += 5

        def swapped(entries, keys):
            keys.reverse()
            entries.reverse()

        def key_outside(entries, _):
            entries[1][0] = 1000

        def ordinal(entries, _):
            entries[1][0] = 3

        def first(entries, _):
            entries[0][0] = 1
        for change, rule in ((offset, "index-page/child"), (length, "index-page/child"), (swapped, "index-page/sorted"), (key_outside, "index-page/keys")):
            with self.subTest(change=change.__name__):
                data = table(values_index=lambda change=change: by_values(edit=edit(change)), repeat=1)
                done = self.assert_same_finding(data, "key=4", rule)
                self.assertEqual(done.stdout, "")
        for change, rule in ((offset, "index-page/child"), (length, "index-page/child"), (ordinal, "index-page/ordinal"), (first, "index-page/ordinal")):
            with self.subTest(change=change.__name__, by="rows"):
                data = table(rows_index=lambda change=change: by_rows(edit=edit(change)))
                self.assert_same_finding(data, "key=0", rule)
        data = table(values_index=lambda: by_values(bodies={0: lambda image: Marked(image.data[:-1])}))
        self.assert_same_finding(data, "key=0", "index-page/entries")

    def test_a_wrong_index_page_offset_is_a_finding_of_check(self):
        data = File([required("key", INT32)], [{"key": i} for i in range(6)],
                    {"key": Chunk([V1(2), V1(2), V1()], index=by_values(), meta={"index_page_offset": 4})}, edits=BY_KEY).build().data
        done = self.look_up(data, "key=1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("column-chunk/index-page-offset", done.stderr)
        self.assertIn("index_page_offset is 4, but no index page begins there", done.stderr)

    def test_the_checksum_of_an_index_page_is_compared(self):
        with mock.patch.object(index_pages, "Index", functools.partial(index_pages.Index, crc=True)):
            data = table()
        lines = self.rows(data)
        self.assertEqual(self.look_up(data, "key=104").stdout.splitlines(), rows_with(lines, "key", 104))
        root = max(body["offset"] for body in self.segments(data, "page-body")
                   if body["page_type"] == "INDEX_PAGE" and body["column"] == "key" and body["row_group"] == 1)
        damaged = flipped(data, root + 9, 1)  # the length of a page
        self.assert_same_finding(damaged, "key=104", "crc/match")

    def test_damage_anywhere_ends_with_rows_or_a_reason(self):
        data = table()
        lines = self.rows(data)
        draw = random.Random(20130)
        ends = set()
        for _ in some(range(80)):
            damaged = flipped(data, draw.randrange(len(data)), 1 << draw.randrange(8))
            value = draw.choice([0, 3, 7, 100, 104])
            done = self.look_up(damaged, f"key={value}")
            self.assertIn(done.returncode, (0, 1, 2))
            ends.add(done.returncode)
            if done.returncode != 0:
                self.assertRegex(done.stderr, r"(?m)^(parqproof: .*a\.parquet: |error )")
        self.assertIn(0, ends)
        self.assertTrue(lines)
