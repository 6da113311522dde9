"""`cat --skip-damaged`: a damaged page loses only its own rows, and no other row is changed; `--ignore-crc`; and `lost` of
`check` names the same rows."""

import hashlib
import json
import os
import random

from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, INT32, RLE_DICTIONARY, SNAPPY
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required, text
from program import ROOT, Case, flipped, report, run

ROWS, PAGE, GROUPS = 60, 10, 2
WRITERS = ROOT / "corpus" / "writers" / "pyarrow"


def rows_of(group):
    return [{"id": 1000 * group + i, "name": None if i % 7 == 3 else b"n%d" % (i % 5), "list": {"list": [{"element": i}, {"element": i + 1}]}} for i in range(ROWS)]


def file(page, index, crc=True):
    """Three columns in pages of ten rows: one flat, one with a dictionary, one of lists."""
    names = [b"n%d" % i for i in range(5)]
    def chunks():
        pages = ROWS // PAGE
        return [Chunk([page(PAGE, crc=crc) for _ in range(pages)], offset_index=index),
                Chunk([Dictionary(names, crc=crc), *(page(PAGE, encoding=RLE_DICTIONARY, crc=crc) for _ in range(pages))], offset_index=index),
                Chunk([page(2 * PAGE, crc=crc) for _ in range(pages)], offset_index=index)]
    children = [required("id", INT32), text(optional("name", BYTE_ARRAY)), list_of("list", required("element", INT32))]
    return File(children, groups=[Group(rows_of(group), chunks()) for group in range(GROUPS)]).build().data


class DamagedRows(Case):
    def cat(self, data, *options):
        return run("cat", *options, self.write("a.parquet", data))

    def test_a_flipped_bit_of_a_body_loses_only_the_rows_of_its_page(self):
        for page in (V1, V2):
            for index in (None, True):
                data = file(page, index)
                true = self.cat(data).stdout.splitlines()
                self.assertEqual(len(true), ROWS * GROUPS)
                for body in self.segments(data, "page-body"):
                    damaged = flipped(data, body["offset"] + body["length"] // 2, 4)
                    with self.subTest(page=page.__name__, index=index, body=(body["row_group"], body["column"], body["page"])):
                        first, count = ROWS * body["row_group"], ROWS
                        if body["page_type"] != "DICTIONARY_PAGE":
                            first, count = first + PAGE * (body["page"] - (body["column"] == "name")), PAGE
                        done = self.cat(damaged, "--skip-damaged")
                        remaining = true[:first] + true[first + count:]
                        # A v1 page does not state its number of rows; the list before it may continue in it.
                        if body["column"] == "list.list.element" and page is V1 and not index:
                            self.assertIn(done.stdout.splitlines(), (remaining, true[:max(first - 1, 0)] + true[first + count:]))
                        else:
                            self.assertEqual(done.stdout.splitlines(), remaining)
                            self.assertIn(f"left out {count} of {len(true)} rows", done.stderr)
                        self.assertIn("crc/match at byte", done.stderr)
                        self.assertEqual(done.returncode, 1)

    def test_a_later_page_is_not_reported_at_the_byte_of_the_first_one(self):
        # One finding reports both pages of the chunk, at the byte of the first.
        done = run("cat", "--skip-damaged", ROOT / "corpus" / "witnesses" / "alp" / "bit-width" / "fail-d.parquet")
        self.assertIn("page 0, rows 0 to 3: alp/bit-width at byte 44 (0x2c)\n", done.stderr)
        self.assertIn("page 2, rows 8 to 11: alp/bit-width, first at byte 44 (0x2c)\n", done.stderr)

    def test_of_a_page_with_damaged_body_and_size_only_that_page_is_lost(self):
        rows = [{"a": b"value %d" % (i * i)} for i in range(4 * PAGE)]
        for page in (V1, V2):
            for wrong in (-6, -1, 1, 3):
                def built(header=None):
                    pages = [page(PAGE, header=header if i == 1 else None) for i in range(4)]
                    return File([required("a", BYTE_ARRAY)], rows, Chunk(pages, codec=SNAPPY)).build()
                size = len(built().chunks[0][0].pages[1].stored)
                damaged = built({"compressed_page_size": size + wrong})
                second = damaged.chunks[0][0].pages[1]
                data = flipped(damaged.data, second.offset + len(second.header_bytes) + 5, 0xFF)
                with self.subTest(page=page.__name__, wrong=wrong):
                    lost = report(self.write("a.parquet", data))["files"][0]["lost"]
                    self.assertEqual([(one["what"], one["page"]) for one in lost], [("page", 1)])

    def test_bytes_inserted_into_a_page_header_are_the_only_finding(self):
        data = file(V2, True)
        for header in self.segments(data, "page-header"):
            at = header["offset"] + header["length"] // 2
            with self.subTest(column=header["column"], row_group=header["row_group"], page=header["page"]):
                found = report(self.write("a.parquet", data[:at] + b"\xff\xff\xff" + data[at:]))["files"][0]
                self.assertEqual([one["rule"] for one in found["findings"]], ["file/bytes-inserted"])

    def test_pages_with_the_same_ordinal_in_two_row_groups_are_both_reported(self):
        data = bytearray(file(V2, True))
        bodies = [body for body in self.segments(data, "page-body") if (body["column"], body["page"]) == ("id", 2)]
        for body in bodies:
            data[body["offset"]] ^= 4
        done = self.cat(data, "--skip-damaged")
        self.assertEqual(len(done.stdout.splitlines()), (ROWS - PAGE) * GROUPS)
        for group in range(GROUPS):
            first = ROWS * group + 2 * PAGE
            self.assertIn(f"row group {group}, column id (leaf 0), page 2, rows {first} to {first + PAGE - 1}: ", done.stderr)

    def test_levels_without_a_row_lose_no_row_of_the_next_row_group(self):
        def group(first, broken):
            rows = [{"g": {"a": first + i, "b": i}} for i in range(4)]
            return Group(rows, {"g.b": Chunk([V1(entries=[(0, 0, None) if i == broken else (0, 1, i) for i in range(4)])])})
        for broken, lost in ((3, "row 3: "), (1, "rows 1 to 3: ")):
            data = File([optional("g", [required("a", INT32), required("b", INT32)])], groups=[group(0, broken), group(10, None)]).build().data
            done = self.cat(data, "--skip-damaged")
            self.assertEqual([json.loads(line)["g"]["a"] for line in done.stdout.splitlines()], [*range(broken), 10, 11, 12, 13])
            self.assertIn(f"left out {4 - broken} of 8 rows", done.stderr)
            self.assertIn(lost, done.stderr)

    def test_a_damaged_header_loses_only_its_page_without_an_offset_index(self):
        for page in (V1, V2):
            data = file(page, None)
            true = self.cat(data).stdout.splitlines()
            for header in self.segments(data, "page-header"):
                number = header["page"] - (header["column"] == "name")
                if number < 0:
                    continue
                damaged = bytearray(data)
                damaged[header["offset"]] = 0x0F
                with self.subTest(page=page.__name__, header=(header["row_group"], header["column"], header["page"])):
                    first = ROWS * header["row_group"] + PAGE * number
                    remaining = true[:first] + true[first + PAGE:]
                    shown = self.cat(damaged, "--skip-damaged").stdout.splitlines()
                    # A v1 page does not state its number of rows; the list before it may continue in it.
                    if header["column"] == "list.list.element" and page is V1:
                        self.assertIn(shown, (remaining, true[:max(first - 1, 0)] + true[first + PAGE:]))
                    else:
                        self.assertEqual(shown, remaining)

    def test_a_misread_header_loses_its_page_and_not_the_next(self):
        data = bytearray((ROOT / "corpus" / "writers" / "pyarrow-10" / "boundaries.parquet").read_bytes())
        true = self.cat(data).stdout.splitlines()
        data[3113] ^= 2  # the maximum in the statistics of page 4 is no longer a string, and the header ends one byte early
        self.assertEqual(self.cat(data, "--skip-damaged").stdout.splitlines(), true[:128] + true[160:])

    def test_a_row_that_a_v2_page_may_split_is_not_printed_in_half(self):
        data = bytearray((ROOT / "corpus" / "writers" / "pyarrow-10" / "several-pages-nested-v2.parquet").read_bytes())
        rest = iter(self.cat(data).stdout.splitlines())
        data[15098] ^= 4  # in the header of a page; the pages before it begin inside rows
        shown = self.cat(data, "--skip-damaged").stdout.splitlines()
        self.assertGreater(len(shown), 100)
        self.assertTrue(all(line in rest for line in shown))

    def test_null_replaces_lost_values_and_nothing_else_changes(self):
        data = bytearray(file(V1, True))
        true = [json.loads(line) for line in self.cat(data).stdout.splitlines()]
        for body in self.segments(data, "page-body"):
            if body["page_type"] == "DICTIONARY_PAGE":
                continue
            damaged = flipped(data, body["offset"], 1)
            done = self.cat(damaged, "--skip-damaged=null")
            shown = [json.loads(line) for line in done.stdout.splitlines()]
            name = body["column"].split(".")[0]
            first = ROWS * body["row_group"] + PAGE * (body["page"] - (name == "name"))
            for row in range(first, first + PAGE):
                self.assertIsNone(shown[row][name])
                shown[row][name] = true[row][name]
            self.assertEqual(shown, true)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"wrote null for lost values in {PAGE} of {len(true)} rows", done.stderr)

    def test_two_damaged_columns_and_the_options_that_choose_rows(self):
        data = file(V2, None)
        true = self.cat(data).stdout.splitlines()
        damaged = bytearray(data)
        for body in self.segments(data, "page-body"):
            if (body["row_group"], body["column"], body["page"]) in ((0, "id", 1), (1, "list.list.element", 0)):
                damaged[body["offset"]] ^= 1
        lost = set(range(10, 20)) | set(range(60, 70))
        left = [line for row, line in enumerate(true) if row not in lost]
        self.assertEqual(self.cat(damaged, "--skip-damaged").stdout.splitlines(), left)
        for first, end in ((0, 5), (5, 15), (15, 70), (12, 18), (65, 120), (119, 500)):
            done = self.cat(damaged, "--skip-damaged", "--rows", f"{first}:{end}")
            self.assertEqual(done.stdout.splitlines(), [true[row] for row in range(first, min(end, 120)) if row not in lost])
            self.assertEqual(done.returncode, int(bool(lost & set(range(first, end)))))
        self.assertEqual(self.cat(damaged, "--skip-damaged", "--limit", 12).stdout.splitlines(), left[:12])
        done = self.cat(damaged, "--skip-damaged", "--columns", "name")
        self.assertEqual((done.returncode, len(done.stdout.splitlines()), done.stderr), (0, 120, ""))
        done = self.cat(damaged, "--skip-damaged", "--physical", "--columns", "id,name")
        self.assertEqual(len(done.stdout.splitlines()), 110)

    def test_a_chunk_whose_offset_is_in_an_earlier_row_group_is_read_at_its_own_offset(self):
        def built(order, wrong=None, offset=0):
            def chunk(group):
                return Chunk([V1(2) for _ in range(4)], meta={"data_page_offset": offset} if group == wrong else None)
            groups = [Group([{"id": 10 * group + i} for i in range(8)], [chunk(group)]) for group in range(4)]
            return File([required("id", INT32)], groups=groups, order=[(group, 0) for group in order]).build()
        for order, shifted in (((0, 1, 2, 3), (1, 2, 3)), ((1, 0, 2, 3), (3,))):
            intact = built(order)
            true = self.cat(intact.data).stdout
            for wrong in shifted:
                for offset in (page.offset for group in range(wrong) for page in intact.chunks[group][0].pages):
                    with self.subTest(order=order, row_group=wrong, offset=offset):
                        self.assertEqual(self.cat(built(order, wrong, offset).data).stdout, true)

    def test_an_intact_file_is_printed_as_without_the_option(self):
        for data in (file(V1, None), file(V2, True)):
            for option in ("--skip-damaged", "--skip-damaged=null", "--ignore-crc"):
                done = self.cat(data, option)
                self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", self.cat(data).stdout))

    def test_ignore_crc_reads_pages_with_a_wrong_checksum(self):
        intact = file(V1, None)
        data = flipped(intact, self.segments(intact, "page-body")[0]["offset"] + 4, 1)
        done = self.cat(data, "--ignore-crc")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 120))
        self.assertIn("read 1 page despite a wrong checksum", done.stderr)
        self.assertEqual(json.loads(done.stdout.splitlines()[1])["id"], 0)
        self.assertEqual(self.cat(data, "--skip-damaged", "--ignore-crc").stdout, done.stdout)

    def test_no_row_is_changed_whatever_bit_is_flipped(self):
        draw = random.Random(20)
        files = [file(page, index) for page in (V1, V2) for index in (None, True)]
        files += [(WRITERS / f"{name}.parquet").read_bytes() for name in ("checksums-v1", "checksums-v2")]
        for number, data in enumerate(files):
            true = self.cat(data).stdout.splitlines()
            segments = self.segments(data, "page-header", "page-body")
            for _ in range(60):
                segment = draw.choice(segments)
                at, bit = segment["offset"] + draw.randrange(segment["length"]), draw.randrange(8)
                damaged = flipped(data, at, 1 << bit)
                with self.subTest(file=number, at=at, bit=bit):
                    done = self.cat(damaged, "--skip-damaged")
                    shown = done.stdout.splitlines()
                    rest = iter(true)
                    self.assertTrue(all(line in rest for line in shown))
                    # Exit code 2: the skipped part may be of an unknown encoding or page type.
                    self.assertIn(done.returncode, (1, 2) if len(shown) != len(true) else (0,))
                    if len(shown) != len(true):
                        self.assertIn(f"left out {len(true) - len(shown)} of {len(true)} rows", done.stderr)

    def test_a_number_after_a_blank_is_a_file_and_another_word_is_rejected(self):
        self.assertEqual(run("cat", "--skip-damaged=nul", "x").returncode, 2)
        self.assertIn("is not null", run("cat", "--skip-damaged=nul", "x").stderr)


def bounds(low, high):
    """Statistics of an INT32 column, in a footer without column orders."""
    low, high = ((number).to_bytes(4, "little", signed=True) for number in (low, high))
    return {"statistics": {"min": low, "max": high}}


class Contradicted(Case):
    """Values that the statistics contradict."""

    def cat(self, data, *options):
        return run("cat", *options, self.write("a.parquet", data))

    def numbered(self, groups, crc=None, second=None):
        """Row groups of 20 rows in two pages: consecutive numbers, with their bounds, and a column without statistics."""
        def group(i):
            rows = [{"id": 20 * i + row, "kind": (7 * (20 * i + row)) % 5} for row in range(20)]
            pages = lambda: [V1(10, crc=crc), V1(10, crc=crc)]
            return Group(rows, [Chunk(pages(), meta=bounds(20 * i, 20 * i + 19)), Chunk(second() if second else pages())])
        return File([required("id", INT32), required("kind", INT32)], groups=[group(i) for i in range(groups)]).build()

    @staticmethod
    def extent(built, group):
        return built.chunks[group][0].offset, built.chunks[group][1].end

    def test_no_value_of_a_row_group_that_changed_places_comes_out(self):
        for crc in (None, True):
            built = self.numbered(3, crc)
            (first, end), (second, after) = self.extent(built, 0), self.extent(built, 1)
            data = built.data
            true = self.cat(data).stdout.splitlines()
            swapped = data[:first] + data[second:after] + data[first:end] + data[after:]
            self.assertNotEqual(swapped, data)
            for options, expected in ((("--skip-damaged",), true[40:]), ((), [])):
                done = self.cat(swapped, *options)
                self.assertEqual((done.stdout.splitlines(), done.returncode), (expected, 1))
            done = self.cat(swapped, "--skip-damaged=null")
            nothing = '{"id":null,"kind":null}'
            self.assertEqual(done.stdout.splitlines(), [nothing] * 40 + true[40:])
            self.assertIn("column kind (leaf 1), rows 0 to 19: statistics/max at byte", done.stderr)
            self.assertEqual(self.cat(swapped, "--skip-damaged=null", "--columns", "kind").stdout.splitlines()[:40], ['{"kind":null}'] * 40)

    def test_no_value_comes_out_if_another_chunk_of_the_row_group_is_lost_and_all_are_outside_the_statistics(self):
        built = self.numbered(1)
        data = bytearray(built.data)
        data[built.chunks[0][1].offset] = 0x0F
        self.assertEqual(self.cat(data, "--skip-damaged=null").stdout.splitlines()[0], '{"id":0,"kind":null}')
        moved = self.numbered(2)
        first, end = self.extent(moved, 1)
        data[built.chunks[0][0].offset:built.chunks[0][0].end] = moved.data[first:moved.chunks[1][0].end]
        self.assertEqual(set(self.cat(data, "--skip-damaged=null").stdout.splitlines()), {'{"id":null,"kind":null}'})

    def test_values_outside_the_statistics_are_reported_if_no_checksum_covers_them(self):
        for crc in (None, True):
            built = self.numbered(2, crc)
            true = self.cat(built.data).stdout.splitlines()
            at = built.data.rfind((39).to_bytes(4, "little"))  # the bound in the footer
            data = built.data[:at] + (35).to_bytes(4, "little") + built.data[at + 4:]
            for options in ((), ("--skip-damaged",)):
                done = self.cat(data, *options)
                self.assertEqual(done.stdout.splitlines(), true)
                if crc:
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    continue
                self.assertEqual(done.returncode, 1 if options else 0)
                self.assertIn("10 of 40 rows may be wrong: their values contradict the statistics, and no checksum covers them", done.stderr)
                self.assertIn("row group 1, column id (leaf 0), page 1, rows 30 to 39: statistics/max at byte", done.stderr)
                self.assertEqual(self.cat(data, *options, "--rows", ":30").returncode, 0)
                self.assertEqual(self.cat(data, *options, "--columns", "kind").returncode, 0)

    def test_bytes_without_their_highest_bits_are_named(self):
        rows = [{"id": 37 * i * i, "text": f"{i:06}".encode() * 3} for i in range(2000)]
        chunks = lambda: [Chunk([V1(200) for _ in range(5)]) for _ in range(2)]
        groups = [Group(rows[:1000], chunks()), Group(rows[1000:], chunks())]
        built = File([required("id", INT32), required("text", BYTE_ARRAY)], groups=groups).build()
        data = built.data
        true = self.cat(data).stdout.splitlines()
        seven = lambda part: bytes(byte & 0x7F for byte in part)
        first = lambda bytes_: report(self.write("a.parquet", bytes_))["files"][0]["findings"][0]
        everything = first(seven(data))
        self.assertEqual((everything["rule"], everything["found"], everything["length"]), ("file/text-mode", "bytes of 7 bits", len(data)))
        begin, end = built.chunks[1][0].offset - 500, built.chunks[1][0].offset + 2500
        part = data[:begin] + seven(data[begin:end]) + data[end:]
        found = first(part)
        self.assertEqual(found["rule"], "file/overwritten")
        self.assertIn("without their highest bits", found["found"])
        # Bytes around them that had none belong to the run.
        self.assertTrue(found["offset"] <= begin + 8 and end - 8 <= found["offset"] + found["length"] <= end + 500)
        self.assertLess(set(self.cat(part, "--skip-damaged").stdout.splitlines()), set(true))
        # The text has no such bytes anyway.
        damaged = bytearray(data)
        damaged[built.chunks[0][1].offset] ^= 0x08
        self.assertNotIn("highest", str(first(bytes(damaged))))


    def test_row_groups_before_inserted_bytes_are_intact(self):
        built = self.numbered(4, second=lambda: [V1(10), V1(10)])
        indexed = File([required("a", BYTE_ARRAY)], groups=[
            Group([{"a": b"value %d of a row group" % (100 * i + row)} for row in range(20)],
                  Chunk([V1(10), V1(10)], codec=SNAPPY, offset_index=True, column_index=True, bloom=True)) for i in range(4)]).build()
        for file_ in (built, indexed):
            true = self.cat(file_.data).stdout.splitlines()
            for group in (1, 2):
                at = file_.chunks[group][0].pages[1].offset + 30
                data = file_.data[:at] + b"a line of a log\n" * 3 + file_.data[at:]
                with self.subTest(group=group, indexed=file_ is indexed):
                    self.assertIn("file/bytes-inserted", {one["rule"] for one in report(self.write("a.parquet", data))["files"][0]["findings"]})
                    shown = self.cat(data, "--skip-damaged").stdout.splitlines()
                    self.assertEqual(shown[:20 * group], true[:20 * group])
                    self.assertTrue(set(shown) <= set(true))


class RowGroups(Case):
    def damaged_in_the_second_row_group(self):
        data = file(V1, None)
        return flipped(data, next(one["offset"] for one in self.segments(data, "page-body") if one["row_group"] == 1), 1)

    def test_row_groups_are_judged_independently(self):
        path = self.write("a.parquet", self.damaged_in_the_second_row_group())
        (file_report,) = report(path)["files"]
        self.assertEqual([one["rule"] for one in file_report["findings"] if one["severity"] == "error"], ["crc/match"])
        for asked, code, rows in (("0:1", 0, 1), ("1:2", 1, 1), (":1", 0, 1), ("1:", 1, 1), ("0:9", 1, 2), (":", 1, 2), ("7:9", 0, 0)):
            with self.subTest(asked):
                done = run("check", "--format", "json", "--row-groups", asked, path)
                (one,) = json.loads(done.stdout)["files"]
                self.assertEqual(done.returncode, code)
                self.assertEqual(one["values"] // 30 > 0, rows > 0)
                self.assertEqual(any(entry["why"] == "--row-groups" for entry in one["not_run"]), rows != 2)
        for wrong in ("1", "a:b", "-1:2", "1:2:3"):
            done = run("check", "--row-groups", wrong, path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is not A:B", done.stderr)

    def test_a_baseline_ignores_pages_that_were_not_read(self):
        path = self.write("a.parquet", self.damaged_in_the_second_row_group())
        former = self.write("former.json", run("check", "--format", "json", path).stdout.encode())
        done = run("check", "--format", "json", "--row-groups", ":1", "--baseline", former, path)
        self.assertEqual((done.returncode, json.loads(done.stdout)["files"][0]["vanished"]), (0, []))


# Random damage to sound files.
SOUND_FILES = 20
CASES = {"all": 500, "few": 15}.get(os.environ.get("PARQPROOF_SWEEP"), 60)
#: Writers of files that are sound in levels and lengths.
SOUND_WRITERS = ("arrow-rs", "clickhouse", "duckdb", "hyparquet", "parquet-go", "parquet-java", "polars", "pyarrow")
#: Rules of other areas are about values or about what is said of them.
STRUCTURAL = ("alp", "bit-packed", "byte-stream-split", "compression", "crc", "delta-binary-packed", "delta-byte-array",
              "delta-length-byte-array", "levels", "page", "plain", "rle")
MOVED = ("file/block-order", "file/bytes-inserted", "file/bytes-missing", "file/text-mode", "file/transfer-framing")


def chosen():
    """Files of every writer, the same ones in each run."""
    files = [path for writer in SOUND_WRITERS for path in (ROOT / "corpus" / "writers" / writer).glob("*.parquet")
             if 1200 < path.stat().st_size < 30000]
    return sorted(files, key=lambda path: hashlib.sha256(str(path.relative_to(ROOT)).encode()).digest())[:SOUND_FILES]


def damaged(data, bodies, draw):
    """(what happened, the damaged bytes): one damage of bytes that follow each other. Half of them begin at the levels
    or run headers with which the page bodies at these offsets begin."""
    size, at = len(data), draw.randrange(len(data))
    if bodies and draw.randrange(2):
        at = min(draw.choice(bodies) + draw.randrange(24), size - 1)
    count = draw.choice((1, 4, 16, 64, 512))
    noise = bytes(draw.randrange(256) for _ in range(count))
    sector = at // 512 * 512
    return draw.choice((
        lambda: ("bit", data[:at] + bytes([data[at] ^ 1 << draw.randrange(8)]) + data[at + 1:]),
        lambda: ("noise", (data[:at] + noise + data[at + count:])[:size]),
        lambda: ("zeros", (data[:at] + bytes(count) + data[at + count:])[:size]),
        lambda: ("sector", (data[:sector] + noise * (512 // count) + data[sector + 512:])[:size]),
        lambda: ("missing", data[:at] + data[at + count:]),
        lambda: ("inserted", data[:at] + noise + data[at:]),
        lambda: ("repeated", data[:at] + data[at - min(at, count):at] + data[at:]),
        lambda: ("cut", data[:at]),
        lambda: ("line ends", data.replace(b"\n", b"\r\n"))))()


class IntactRows(Case):
    """A row that comes out is a row of the original, unless the damage breaks no rule of levels, indices or lengths in its
    column. Then the report says that pages have no checksum."""

    def test_every_row_is_one_of_the_original(self):
        wrong = 0
        for path in chosen():
            data, name = path.read_bytes(), "/".join(path.parts[-2:])
            true = run("cat", path).stdout.splitlines()
            footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")  # no checksum covers it
            bodies = [one["offset"] for one in self.segments(data, "page-body")]
            for number in range(CASES):
                kind, bytes_ = damaged(data, bodies, random.Random(f"{name} {number}"))
                copy = self.write("damaged.parquet", bytes_)
                shown = run("cat", copy).stdout.splitlines()
                with self.subTest(file=name, case=number, kind=kind):
                    self.assertLessEqual(len(shown), len(true))
                    differing = [i for i, row in enumerate(shown) if row != true[i]]
                    if differing:
                        wrong += 1
                        self.blame([(json.loads(shown[i]), json.loads(true[i])) for i in differing], copy)
                        if bytes_[:footer] != data[:footer]:
                            self.assertLess(self.report["checksums"], self.report["pages"])
        # Pages without checksum exist, so some damage is silent: otherwise the test compares nothing.
        self.assertGreater(wrong, 0)

    def blame(self, rows, copy):
        """No structural error is in a column that differs."""
        (self.report,) = json.loads(run("check", "--format", "json", copy).stdout)["files"]
        columns = {name for shown, true in rows for name in shown.keys() | true.keys() if shown.get(name) != true.get(name)}
        for finding in self.report["findings"]:
            rule = finding["rule"]
            if finding["severity"] != "error":
                continue
            self.assertNotIn(rule, MOVED)
            if rule.split("/")[0] in STRUCTURAL:
                self.assertNotIn(finding.get("column", "").split(".")[0], columns, rule)
