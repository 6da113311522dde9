"""The HTML report: one page that needs nothing else, for one file and for thousands; its content, and its use in a browser."""

import base64
import collections
import hashlib
import json
import re
import time
import unittest

from gallery import browser
from forms_test import HOSTILE
from next_steps_test import file as pages
from program import ROOT, WITNESSES, Case, check, large, many, report

PAGE = ROOT / "conformance" / "report" / "html"
MOST_BYTES = 5_000_000
SEVERITIES = ["error", "warning", "info"]


class Page:
    """The parts of an HTML report."""

    def __init__(self, text):
        self.text = text
        self.blocks = {name: json.loads(block) for name, block in re.findall(r'<script type="application/json" id="([a-z]+(?:-[a-z]+)*-?\d*)">(.*?)</script>', text, re.S)}
        self.policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)[1]
        self.style = re.search(r"<style>(.*?)</style>", text, re.S)[1]
        (self.script,) = re.findall(r"<script>(.*?)</script>", text, re.S)
        self.head, self.files = self.blocks["head"], self.blocks["files"]

    def file(self, ordinal):
        return self.blocks.get(f"file-{ordinal}")


def html(*arguments):
    return Page(check("--format", "html", *arguments).stdout)


def plain(text):
    """Removes commas between groups of digits."""
    return re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


class Form(Case):
    def test_the_policy_allows_this_style_and_this_script_and_nothing_else(self):
        page = html(WITNESSES / "page/v2-num-nulls/fail-a.parquet")
        allowed = dict(part.strip().split(" ", 1) for part in page.policy.split(";"))
        self.assertEqual(allowed, {"default-src": "'none'", "script-src": digest(page.script), "style-src": digest(page.style), "base-uri": "'none'", "form-action": "'none'"})

    def test_nothing_is_loaded(self):
        page = html(WITNESSES / "page/v2-num-nulls/fail-a.parquet")
        bare = re.sub(r'<script type="application/json".*?</script>', "", page.text, flags=re.S)
        self.assertEqual(re.findall(r"https?://[^\s'\"]*", bare), ["http://www.w3.org/2000/svg"])  # the name of a namespace
        for word in (r"\bsrc\s*=", r"@import", r"url\(", r"\bfetch\(", r"XMLHttpRequest", r"WebSocket", r"sendBeacon", r"\bimport\b"):
            self.assertNotRegex(bare, word)

    def test_no_data_becomes_markup_or_code(self):
        for path in PAGE.glob("*.js"):
            code = re.sub(r"(?m)^ *(//|/?\*).*$", "", path.read_text())
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "srcdoc", "createContextualFragment"):
                with self.subTest(path=path.name, word=word):
                    self.assertNotIn(word, code)

    def test_it_agrees_with_the_json_report(self):
        paths = [WITNESSES / name for name in ("page/v2-num-nulls/fail-a.parquet", "dictionary/index-range/fail-a.parquet", "file/joined/fail-a.parquet",
                                               "crc/match/fail-a.parquet", "page/v2-num-nulls/pass-a.parquet")]
        page, document = html("--advice", *paths), report("--advice", *paths)
        self.assertEqual({name: count for name, count in page.head["verdicts"] if count}, document["summary"]["verdicts"])
        self.assertEqual([(page.head["rules"][rule]["id"], SEVERITIES[severity], findings, files) for rule, severity, findings, files, *_ in page.head["broken"]],
                         [(rule["rule"], rule["severity"], rule["findings"], rule["files"]) for rule in document["summary"]["rules"]])
        lines = {line[0]: line for line in page.files}
        for i, file in enumerate(document["files"]):
            line = lines[i]
            self.assertEqual((page.head["texts"][line[1]] + line[2], page.head["verdicts"][line[3]][0], line[4], line[5]),
                             (file["path"], file["verdict"], [file["errors"], file["warnings"], file["infos"]], file["size"]))
            shown = page.file(i) or {"causes": []}
            places = collections.Counter((page.head["rules"][cause["rule"]]["id"], SEVERITIES[cause["severity"]], place[3], place[4], plain(place[8]), plain(place[9]))
                                         for cause in shown["causes"] for place in cause["places"])
            self.assertEqual(places, collections.Counter((finding["rule"], finding["severity"], finding["offset"], finding["length"], finding.get("found", ""),
                                                          finding.get("expected", "")) for finding in file["findings"]))
            self.assertEqual("lost" in shown, file["lost"] != [])
            self.assertEqual(shown.get("next", []), [[step["what"], step["command"]] for step in file.get("next", [])])
            self.assertEqual(len(shown.get("not_run", [])), len(file["not_run"]))
            self.assertEqual(sum(segment[1] for segment in page.blocks[f"map-{i}"]["segments"]), file["size"])

    def test_the_wrong_bytes_are_included_and_equal_those_of_the_file(self):
        for rule in ("page/v2-num-nulls", "crc/match", "footer/version", "levels/definition-range", "column-chunk/num-values", "offset-index/offsets"):
            for path in sorted(WITNESSES.glob(f"{rule}/fail-*.parquet"))[:6]:
                with self.subTest(path):
                    self.look_at_bytes(html(path), path.read_bytes())

    def look_at_bytes(self, page, data):
        for i, cause in enumerate(page.file(0)["causes"]):
            _, _, _, offset, length, in_page, *_ = cause["places"][0]
            shown = {**page.blocks["bytes-0"], **page.blocks["more-bytes-0"]}[f"{i}.0"]
            for at, size, _, _, _, skipped, digits in shown["runs"]:
                if in_page < 0:
                    self.assertEqual(bytes.fromhex(digits), data[at + skipped:at + skipped + len(digits) // 2])
                self.assertLessEqual(skipped + len(digits) // 2, size)
            if offset < len(data):
                self.assertTrue(any(at <= offset < at + size and at + skipped <= offset < at + skipped + len(digits) // 2 for at, size, _, _, _, skipped, digits in shown["runs"]),
                                (offset, length, shown))

    def test_bytes_of_a_compressed_page_are_numbered_in_its_image(self):
        found = 0
        for path in sorted(WITNESSES.glob("*/*/fail-*.parquet"))[::3]:
            findings = report(path)["files"][0]["findings"]
            if not any(finding["space"] == "page" for finding in findings) or found == 5:
                continue
            page = html(path)
            for i, cause in enumerate(page.file(0)["causes"]):
                offset, in_page = cause["places"][0][3], cause["places"][0][5]
                runs = {**page.blocks["bytes-0"], **page.blocks["more-bytes-0"]}[f"{i}.0"]["runs"]
                if in_page >= 0 and runs:
                    found += 1
                    self.assertTrue(any(at <= offset < at + size for at, size, *_ in runs))
        self.assertGreater(found, 0)

    def test_hostile_names_are_data(self):
        self.write("<script>alert(1)<!--&\".parquet", many(2, [HOSTILE, "</script><img src=x onerror=alert(1)>"]))
        page = html(self.folder)
        self.assertEqual(len(re.findall(r"<script", page.text)), len(page.blocks) + 1)
        self.assertEqual(page.text.count("</script"), len(page.blocks) + 1)
        self.assertEqual([tag for tag in re.findall(r"<([a-zA-Z!/][^\s>]*)", re.sub(r"(?s)<script>.*?</script>", "", page.text)) if tag in ("img", "b", "![CDATA[", "!--")], [])
        for control in ("\x1b", "\u202e", "\x07"):
            self.assertNotIn(control, page.text)
        self.assertIn("<script>alert(1)", page.blocks["map-0"]["columns"][0][0])

    def test_a_summary_has_no_files(self):
        self.write("a.parquet", many(3))
        page = html("--summary", self.folder)
        self.assertEqual((page.files, set(page.blocks)), ([], {"head", "files"}))
        self.assertEqual(page.head["files"], 1)

    def test_an_unreadable_file_is_reported(self):
        page = html(self.folder / "none.parquet", self.write("empty.parquet", b""), self.write("short.parquet", b"PAR1"), WITNESSES / "file/encrypted-footer/fail-a.parquet")
        self.assertEqual([page.head["verdicts"][line[3]][0] for line in sorted(page.files)], ["unreadable", "malformed", "malformed", "unsupported"])
        self.assertIn("No such file", json.dumps(page.file(0)))

    def test_referenced_files_have_their_maps(self):
        path = WITNESSES / "summary/chunk-metadata/fail-a.parquet"
        page, document = html(path), report(path)["files"]
        self.assertGreater(len(document), 1)
        self.assertEqual({name for name in page.blocks if name.startswith("map-")}, {f"map-{i}" for i, file in enumerate(document) if "size" in file})
        self.assertEqual([sum(segment[1] for segment in page.blocks[f"map-{i}"]["segments"]) for i in range(len(document))], [file["size"] for file in document])

    def test_standard_input(self):
        data = (WITNESSES / "page/v2-num-nulls/fail-a.parquet").read_bytes()
        page = Page(check("--format", "html", "-", input=data, text=False).stdout.decode())
        self.assertEqual(sum(segment[1] for segment in page.blocks["map-0"]["segments"]), len(data))

    def test_a_baseline_has_states(self):
        path = self.write("a.parquet", many(2))
        former = self.write("former.json", check("--format", "json", path).stdout.encode())
        page = html("--baseline", former, path)
        self.assertEqual({place[7] for cause in page.file(0)["causes"] for place in cause["places"]}, {1})
        self.assertEqual(page.head["fresh"], [0, 0, 0])


class Limits(Case):
    @large
    def test_two_thousand_files(self):
        sound, broken = (WITNESSES / "page/v2-num-nulls/pass-a.parquet").read_bytes(), many(3, ["a", "b"])
        for i in range(2000):
            self.write(f"x/{i:04}.parquet", broken if i % 3 == 0 else sound)
        page = html(self.folder)
        self.assertLessEqual(len(page.text.encode()), MOST_BYTES)
        self.assertEqual((len(page.files), page.head["files"]), (2000, 2000))
        self.assertEqual(len([name for name in page.blocks if name.startswith("file-")]), 667)
        self.assertEqual(len([name for name in page.blocks if name.startswith("bytes-")]), 667)

    @large
    def test_fifty_thousand_findings(self):
        data = many(10, [f"c{i}" for i in range(10)])
        for i in range(500):
            self.write(f"{i:03}.parquet", data)
        page = html("--limit", 0, self.folder)
        self.assertLessEqual(len(page.text.encode()), MOST_BYTES)
        self.assertEqual((page.head["counts"][0], len(page.files), len([name for name in page.blocks if name.startswith("file-")])), (50_000, 500, 500))

    @large
    def test_one_file_with_many_findings_shows_them(self):
        page = html("--limit", 0, self.write("a.parquet", many(200, [f"column_{i}" for i in range(40)])))
        self.assertLessEqual(len(page.text.encode()), MOST_BYTES)
        self.assertEqual(sum(len(cause["places"]) for cause in page.file(0)["causes"]) + sum(map(len, page.blocks["places-0"].values())), 8200)
        self.assertEqual(len(page.blocks["map-0"]["grid"]["cells"]), 8000)

    @large
    def test_findings_beyond_the_limit_are_counted(self):
        # Names of the maximum length of a file system, each letter of which JSON escapes.
        data = many(1, ["\x01" * 300 + str(i) for i in range(15)])
        for i in range(2500):
            self.write(f"{i:05}" + "\x02" * 200 + ".parquet", data if i % 2 else b"PAR1")
        done = check("--format", "html", "--limit", 0, self.folder)
        page = Page(done.stdout)
        self.assertLessEqual(len(done.stdout.encode()), MOST_BYTES)
        self.assertEqual(page.head["files"], 2500)
        self.assertLess(len([name for name in page.blocks if name.startswith("map-")]), 2500)

    @large
    def test_many_pages_row_groups_and_columns_are_merged_in_the_drawing(self):
        path = self.write("a.parquet", many(1500, [f"c{i}" for i in range(9)], wrong=["c1"]))
        drawn = html(path).blocks["map-0"]
        self.assertFalse(drawn["whole"])
        self.assertLessEqual(len(drawn["segments"]), 6000)
        self.assertEqual(sum(segment[1] for segment in drawn["segments"]), path.stat().st_size)
        self.assertEqual((drawn["grid"]["row_groups"], drawn["grid"]["together"], len(drawn["grid"]["cells"])), (1500, 2, 750 * 9))
        self.assertEqual(sum(cell[5] for cell in drawn["grid"]["cells"]), 1500 * 9)


@unittest.skipUnless(browser.PROGRAM, "no Chromium is installed (apt-get install chromium, or PARQPROOF_CHROMIUM names one)")
class InABrowser(Case):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        super().setUp()
        self.browser.complaints.clear()
        self.browser.requests.clear()

    def page(self, *arguments):
        path = self.folder / "report.html"
        check("--quiet", "--output", f"html={path}", *arguments)
        return path

    def quiet(self):
        """The console has no message, and only the page itself was requested."""
        self.assertEqual(self.browser.complaints, [])
        self.assertEqual({url.split(":")[0] for url in self.browser.requests} - {"file", "about"}, set())
        self.assertLessEqual(len({url.split("#")[0] for url in self.browser.requests if url.startswith("file")}), 1)

    def test_the_wrong_byte_of_each_of_ten_files_is_one_click_away(self):
        names = ["page/v2-num-nulls/fail-a", "dictionary/index-range/fail-a", "file/joined/fail-a", "crc/match/fail-a", "compression/stream/fail-a",
                 "column-chunk/num-values/fail-a", "footer/version/fail-a", "row-group/num-rows/fail-a", "levels/definition-range/fail-a", "rle/truncated/fail-a"]
        names = [name for name in names if (WITNESSES / f"{name}.parquet").exists()]
        for name in names:
            self.copy(f"{name}.parquet", f"in/{name.replace('/', '_')}.parquet")
        path = self.page(self.folder / "in")
        for name in names:
            with self.subTest(name):
                self.browser.open(path)
                self.browser.click(".files a", f"{name.replace('/', '_')}.parquet")
                self.assertTrue(self.browser.ask("document.querySelector('mark').checkVisibility()"))
                finding = min(report(WITNESSES / f"{name}.parquet")["files"][0]["findings"], key=lambda one: SEVERITIES.index(one["severity"]))
                if finding["space"] == "file":
                    at = finding["offset"]
                    marked = bytes.fromhex("".join(self.browser.ask("[...document.querySelector('.bytes').querySelectorAll('mark')].map((mark) => mark.textContent)")))
                    self.assertEqual(marked, (WITNESSES / f"{name}.parquet").read_bytes()[at:at + max(1, finding["length"])][:len(marked)])
                self.assertIn(name.rsplit("/", 1)[0], self.browser.text(".cause"))
                self.assertIn("https://github.com/", self.browser.ask("document.querySelector('.cause a').href"))
        self.quiet()

    def test_a_row_of_bytes_begins_at_the_printed_offset(self):
        # Of the bytes without a structure, only those around the second file are shown.
        path = self.write("a.parquet", pages(each=200) + pages())
        (finding,) = [one for one in report(path)["files"][0]["findings"] if one["rule"] == "file/joined"]
        self.browser.open(self.page(path))
        number, hex_digits = self.browser.ask("[...document.querySelector('tr.fault').cells].slice(0, 2).map((cell) => cell.textContent)")
        marked = self.browser.text("tr.fault mark")
        self.assertEqual(hex_digits[:2] + hex_digits[-2:], "\u2026  \u2026")
        start, shown = int(re.match(r"[\d,]+", number)[0].replace(",", "")), bytes.fromhex(hex_digits.strip("\u2026 "))
        self.assertEqual(path.read_bytes()[start:start + len(shown)], shown)
        self.assertEqual(start + len(bytes.fromhex(hex_digits.strip("\u2026 ").rsplit(marked, 1)[0])), finding["offset"])

    def test_filters_and_sorting(self):
        for i in range(3):
            self.copy("page/v2-num-nulls/fail-a.parquet", f"in/{i}.parquet")
        self.copy("page/v2-num-nulls/pass-a.parquet", "in/z.parquet")
        self.write("in/m.parquet", many(3))
        b = self.browser
        b.open(self.page(self.folder / "in"))
        rows = "document.querySelectorAll('.files tbody tr').length"
        self.assertEqual((b.ask(rows), b.text("[role=status]")), (5, "5 of 5 files"))
        b.click(".tile.conforming")
        self.assertEqual((b.ask(rows), b.ask("document.querySelector('.tile.conforming').getAttribute('aria-pressed')")), (1, "true"))
        b.click(".tile.conforming")
        b.click("button.rule", "page/v2-num-nulls")
        self.assertEqual((b.ask(rows), b.text("[role=status]")), (3, "3 of 5 files: rule page/v2-num-nulls"))
        b.click("button", "Clear filters")
        b.ask("document.querySelector('#search').focus()")
        b.call("Input.insertText", text="M.PARQUET nonconf")
        self.assertEqual((b.ask(rows), b.ask("document.querySelector('.files tbody th').textContent")), (1, "m.parquet"))
        b.click("button", "Clear filters")
        b.click("th button", "Errors")
        b.click("th button", "Errors")
        self.assertEqual((b.ask("document.querySelector('.files tbody th').textContent"), b.ask("document.querySelector('th[aria-sort]').getAttribute('aria-sort')"),
                          b.ask("document.activeElement.textContent")), ("m.parquet", "descending", "Errors"))
        self.quiet()

    def test_the_worst_files_come_first_with_their_faults(self):
        for i in range(5):
            self.copy("page/v2-num-nulls/fail-a.parquet", f"in/a{i}.parquet")
            self.copy("page/v2-num-nulls/pass-a.parquet", f"in/b{i}.parquet")
        self.write("in/x.parquet", many(3, wrong=["a"]))
        self.copy("crc/match/fail-a.parquet", "in/y.parquet")
        self.copy("file/tail-magic/fail-a.parquet", "in/z.parquet")
        b = self.browser
        b.open(self.page(self.folder / "in"))
        names = "[...document.querySelectorAll('.files tbody th')].map((one) => one.textContent[0]).join('')"
        self.assertEqual(b.ask(names), "zxyaaaaabbbbb")
        self.assertEqual(b.ask("[...document.querySelectorAll('.files tbody tr')].slice(0, 2).map((row) => row.cells[2].textContent)"),
                         ["file/tail-magic", "column-chunk/num-values and 1 more"])
        self.assertEqual(b.text(".tiles").split(), ["1", "malformed", "7", "nonconforming", "5", "conforming"])
        b.click("th button", "File")
        self.assertEqual(b.ask(names), "aaaaabbbbbxyz")
        self.quiet()

    def test_losses_and_commands_that_are_copied(self):
        b = self.browser
        data = bytearray(many(2, ["a", "b"], wrong=[]))
        data[5] ^= 0x40  # of the first page header
        path = self.write("in/it's <b>.parquet", data)
        step = report(path)["files"][0]["next"][0]
        page = self.page(self.folder / "in")
        for clipboard in (True, False):  # a page from a server without encryption may not use it
            with self.subTest(clipboard=clipboard):
                b.open(page)
                if not clipboard:
                    b.ask("Object.defineProperty(navigator, 'clipboard', { value: undefined }) && 0")
                self.assertIn("row group 0, column a (leaf 0), page 0", b.text("[aria-labelledby=lost]"))
                self.assertIn(f"{step['what']}:\n\n{step['command']}\nCopy", b.text("[aria-labelledby=next]"))
                b.ask("document.querySelector('.command button').focus()")
                b.press("Enter", "\r")
                b.ask("new Promise((done) => setTimeout(done, 200))")
                self.assertEqual(b.text(".command [role=status]"), "Copied")
                b.ask("document.querySelector('#go-to').focus()")
                b.call("Input.dispatchKeyEvent", type="keyDown", key="v", commands=["paste"])
                self.assertEqual(b.ask("document.querySelector('#go-to').value"), step["command"])
                b.ask("navigator.clipboard?.writeText('').catch(() => 0)")
        self.quiet()

    def test_map_grid_pages_and_places_of_one_file(self):
        b = self.browser
        b.open(self.page(self.write("a.parquet", many(4, ["a", "b", "c"], wrong=["b"]))))
        self.assertIn("a.parquet", b.text("h2"))
        self.assertIn("Bytes 0 to", b.text(".range"))
        b.click("button", "Zoom in")
        zoomed = b.text(".range")
        b.click("button", "Complete file")
        self.assertNotEqual(b.text(".range"), zoomed)
        b.click("button", "Next finding")
        self.assertIn("column-chunk/num-values", b.text(".selected"))
        b.ask("document.querySelector('.map').focus()")
        for key in ("Home", "ArrowRight", "+", "-", "Enter"):
            b.press(key, key if len(key) == 1 else "")
        self.assertTrue(b.ask("document.querySelector('rect.window') !== null"))
        b.ask("document.querySelector('#go-to').focus()")
        b.call("Input.insertText", text="0x0")
        b.press("Enter", "\r")
        self.assertIn("magic", b.text(".selected"))
        for by, text in (("Size", " B"), ("Encoding", "PLAIN"), ("Codec", "none"), ("Findings", "1")):
            b.click(".choice button", by)
            cell = "document.querySelectorAll('.grid tbody tr')[1].cells[1]"
            self.assertIn(text, b.ask(f"{cell}.textContent"))
        b.ask(f"{cell}.firstChild.click()")
        self.assertIn("Row group 0, column b: 1 page", b.text("[aria-labelledby=pages-title]"))
        self.assertEqual(b.ask("document.querySelectorAll('.pages tbody tr').length"), 1)
        b.click("button", "Show all pages")
        self.assertEqual(b.ask("document.querySelectorAll('.pages tbody tr').length"), 12)
        b.click("summary", "All 4 places")
        b.click(".cause button", "Bytes")
        self.assertTrue(b.ask("document.querySelectorAll('.cause table mark').length > 1"))
        b.click(".cause button", "Map")
        self.assertTrue(b.ask("document.activeElement.classList.contains('map')"))
        self.quiet()

    def test_hostile_names_run_nothing_and_are_shown_unchanged(self):
        self.write("in/<img src=x onerror=alert(1)>.parquet", many(2, [HOSTILE, "</script><script>alert(2)</script>"]))
        self.copy("page/v2-num-nulls/pass-a.parquet", "in/z.parquet")
        b = self.browser
        b.open(self.page(self.folder / "in"))
        b.click(".files a")
        self.assertIn("<img src=x onerror=alert(1)>", b.text("h2"))
        self.assertIn("a<script>alert(1)</script>|", b.text(".grid"))
        self.assertEqual((b.ask("document.querySelectorAll('main script, main img').length"), b.ask("document.querySelectorAll('body > script').length > 2")), (0, True))
        self.quiet()

    def test_the_policy_is_in_force(self):
        b = self.browser
        b.open(self.page(self.write("a.parquet", many(1))))
        b.ask("""(() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);
                 const i = document.createElement('img'); i.src = 'https://example.invalid/x.png'; document.body.append(i); })()""")
        self.assertIsNone(b.ask("window.ran ?? null"))
        self.assertTrue(any("Content Security Policy" in text for text in b.complaints), b.complaints)

    def test_it_can_be_used_by_keyboard_and_screen_reader(self):
        self.write("in/a.parquet", many(3, ["a", "b"]))
        self.copy("page/v2-num-nulls/pass-a.parquet", "in/b.parquet")
        b = self.browser
        path = self.page(self.folder / "in")
        for part in ("", "#file-0"):
            with self.subTest(part):
                b.open(path, part)
                nameless = b.ask("""[...document.querySelectorAll('button, a, input, select, summary, [role=group], [role=region], svg[role=img]')].filter((e) => e.checkVisibility() && !(
                    e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).map((e) => e.outerHTML.slice(0, 100))""")
                self.assertEqual(nameless, [])
                levels = b.ask("[...document.querySelectorAll('h1,h2,h3,h4')].map((e) => Number(e.tagName[1]))")
                self.assertEqual(levels[0], 1)
                self.assertTrue(all(after - before <= 1 for before, after in zip(levels, levels[1:])), levels)
                self.assertEqual(b.ask("[...document.querySelectorAll('table')].filter((t) => !t.caption || !t.querySelector('th[scope=col]')).length"), 0)
                self.assertEqual(b.ask("""[...document.querySelectorAll('[aria-labelledby], [aria-describedby], label[for]')].filter((e) =>
                    !document.getElementById(e.getAttribute('aria-labelledby') ?? e.getAttribute('aria-describedby') ?? e.htmlFor)).length"""), 0)
                self.assertEqual(b.ask("[...document.querySelectorAll('[aria-pressed]')].filter((e) => !['true', 'false'].includes(e.getAttribute('aria-pressed'))).length"), 0)
                b.press("Tab")
                self.assertNotEqual(b.ask("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.quiet()

    def test_light_dark_phone_and_paper(self):
        b = self.browser
        path = self.page(self.write("a.parquet", many(3, ["a", "b"])))
        backs = set()
        for dark in (False, True):
            b.open(path, dark=dark)
            backs.add(b.ask("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(backs), 2)
        b.open(path, width=360, height=740)
        self.assertLessEqual(b.ask("document.documentElement.scrollWidth"), 360)
        paper = b.paper()
        self.assertTrue(paper.startswith(b"%PDF"))
        b.open(path, dark=True, media="print")
        self.assertEqual(b.ask("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.quiet()

    def test_it_is_usable_within_a_second(self):
        sound, broken = (WITNESSES / "page/v2-num-nulls/pass-a.parquet").read_bytes(), many(3, ["a", "b"])
        for i in range(2000):
            self.write(f"x/{i:04}.parquet", broken if i % 3 == 0 else sound)
        data = many(10, [f"c{i}" for i in range(10)])
        for i in range(500):
            self.write(f"y/{i:03}.parquet", data)
        damaged = bytearray(pages())
        damaged[50] ^= 1  # of the first page
        for i in range(2000):
            self.write(f"z/{i:04}.parquet", damaged)
        b = self.browser
        for folder, rule in (("x", "column-chunk/num-values"), ("y", "column-chunk/num-values"), ("z", "crc/match")):
            path = self.page("--limit", 0, self.folder / folder)
            with self.subTest(folder):
                self.assertLessEqual(path.stat().st_size, MOST_BYTES)
                self.assertLess(min(b.open(path) for _ in range(3)), 1000)
                began = time.monotonic()
                b.click(".files a")
                self.assertIn(rule, b.text(".cause"))
                self.assertEqual(b.ask("document.querySelectorAll('.command').length > 0"), folder == "z")
                self.assertLess(time.monotonic() - began, 3)
        self.quiet()


if __name__ == "__main__":
    unittest.main()
