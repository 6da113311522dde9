"""`rewrite --encryption`: a file of each form is conforming with its keys, has the rows of its source, and shows neither rows nor
keys without them. pyarrow, where it is installed, reads the same rows."""

import functools
import itertools
import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

import toolchains
from program import PROGRAM, ROOT, Case, report, run

from builder.codec.encryption import CTR, DATA_PAGE, DATA_PAGE_HEADER, GCM, Crypto
from builder.codec.file import Chunk, File
from builder.codec.metadata import INT32
from builder.codec.pages import V1
from builder.codec.schema import required
from encryption.others import material

SOURCE = ROOT / "corpus" / "writers" / "pyarrow" / "lists-element.parquet"
FOOTER, A, B = "text:0123456789012345", "text:123456789012345678901234", "text:12345678901234567890123456789012"

READ = """
import base64, json, sys
import pyarrow.parquet as pq, pyarrow.parquet.encryption as pe
keys = json.loads(sys.argv[2])

class Kms(pe.KmsClient):
    def __init__(self, config):
        super().__init__()
    def wrap_key(self, key, master):
        raise NotImplementedError
    def unwrap_key(self, wrapped, master):
        return keys[master].encode()

if len(keys) == 1:
    prefix = sys.argv[3].encode() or None
    properties = pe.create_decryption_properties(keys["footer"].encode(), aad_prefix=prefix)
else:
    properties = pe.CryptoFactory(Kms).file_decryption_properties(pe.KmsConnectionConfig(), pe.DecryptionConfiguration())
print(json.dumps(pq.ParquetFile(sys.argv[1], decryption_properties=properties).read().to_pylist(), default=str))
"""
READ_PLAIN = """
import json, sys
import pyarrow.parquet as pq
print(json.dumps(pq.read_table(sys.argv[1]).to_pylist(), default=str))
"""


@functools.cache
def python_with_pyarrow():
    """An interpreter that has pyarrow: $PARQPROOF_PYARROW, this one, or that of scripts/writers or scripts/readers; else None."""
    installed = sorted(toolchains.CACHE.glob("*/*/bin/python"))
    for python in filter(None, [os.environ.get("PARQPROOF_PYARROW"), sys.executable, *map(str, installed)]):
        test = "import pyarrow.parquet.encryption as e; e.create_decryption_properties"
        if pathlib.Path(python).exists() and subprocess.run([python, "-c", test], capture_output=True, check=False).returncode == 0:
            return python
    return None


TWO = {"id": A, "numbers.list.element": B}
FORMS = [
    {"footer_key": FOOTER, "algorithm": algorithm, "footer": footer, **columns, **aad}
    for algorithm, footer, columns, aad in itertools.product(
        ("AES_GCM_V1", "AES_GCM_CTR_V1"), ("encrypted", "plaintext"),
        ({}, {"column_keys": TWO}, {"column_keys": TWO, "other_columns": "plaintext"}),
        ({}, {"aad_prefix": "pre"}, {"aad_prefix": "pre", "store_aad_prefix": False}))]


class EncryptionTest(Case):
    def json(self, name, value):
        path = self.write(name, json.dumps(value).encode())
        path.chmod(0o600)
        return path

    def keys(self, form):
        members = {name: form[name] for name in ("footer_key", "column_keys") if name in form}
        if not form.get("store_aad_prefix", True):
            members["aad_prefix"] = form["aad_prefix"]
        return self.json("keys.json", members)

    def encrypted(self, form):
        out = self.folder / "encrypted.parquet"
        done = run("rewrite", "--page-rows", 8, "--row-group-rows", 20, "--page-index", "--bloom", "id", "--encryption",
                   self.json("form.json", form), SOURCE, out)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return out

    def refused(self, words, form):
        out = self.folder / "refused.parquet"
        done = run("rewrite", "--encryption", self.json("form.json", form), SOURCE, out)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(words, done.stderr)
        self.assertNotIn("0123456789012345", done.stderr)
        self.assertFalse(out.exists())

    def test_each_form_is_conforming_and_has_the_rows_of_its_source(self):
        rows = run("cat", SOURCE).stdout
        for form in FORMS:
            with self.subTest(form):
                out, keys = self.encrypted(form), self.keys(form)
                done = run("check", "--fail-on", "warning", "--keys", keys, out)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertEqual(run("cat", "--keys", keys, out).stdout, rows)
                self.assertEqual(run("check", out).returncode, 2)
                stored = out.read_bytes()
                for key in (FOOTER, A, B):
                    self.assertNotIn(key.removeprefix("text:").encode(), stored)
                self.assertEqual(stored[:4], b"PARE" if form["footer"] == "encrypted" else b"PAR1")
                kinds = {one["kind"] for one in json.loads(run("layout", "--format", "json", "--keys", keys, out).stdout)["segments"]
                         if one.get("encrypted") and one["column"] == "id"}
                self.assertEqual(kinds, {"page-header", "page-body", "column-index", "offset-index", "bloom-filter-header",
                                         "bloom-filter-bitset"})

    def test_two_files_of_one_form_differ_in_nonces_and_identifier(self):
        first = self.encrypted(FORMS[0]).read_bytes()
        self.assertNotEqual(first, self.encrypted(FORMS[0]).read_bytes())

    def test_an_encrypted_file_is_rewritten_as_a_plain_one(self):
        out, plain = self.encrypted(FORMS[4]), self.folder / "plain.parquet"
        self.assertEqual(run("rewrite", "--keys", self.keys(FORMS[4]), out, plain).returncode, 0)
        self.assertEqual(run("cat", plain).stdout, run("cat", SOURCE).stdout)

    def test_the_commands_of_a_report_take_its_keys(self):
        witness = ROOT / "corpus/witnesses/encryption/tag/fail-a.parquet"
        copy = self.copy("encryption/tag/fail-a.parquet", "a.parquet")
        keys = self.json("my keys.json", json.loads(witness.with_suffix(".json").read_text())["keys"])
        steps = lambda *arguments: [step["command"] for step in report(*arguments, copy)["files"][0].get("next", ())]
        commands = steps("--keys", keys)
        self.assertTrue(commands)
        for command in commands:
            with self.subTest(command):
                self.assertIn(f" --keys '{keys}' ", command)
                done = subprocess.run([PROGRAM, *shlex.split(command)[1:]], capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (0, 1))
                self.assertIn('"b":', done.stdout)
        self.assertFalse([command for command in steps() if "--keys" in command])
        self.assertEqual(steps("--keys", self.json("a\nb.json", json.loads(keys.read_text()))), [])

    def test_a_wrong_prefix_is_one_finding(self):
        plain = {**FORMS[0], "footer": "plaintext"}  # a signature, and 2 columns in 3 row groups
        keys = self.json("keys.json", {"footer_key": FOOTER, "aad_prefix": "another"})
        found = report("--keys", keys, self.encrypted(plain))["files"][0]
        self.assertEqual([one["rule"] for one in found["findings"] if one["severity"] != "info"], ["encryption/key"])
        self.assertEqual(found["verdict"], "unsupported")

    def test_a_wrong_key_of_a_column_is_one_finding(self):
        keys = self.json("keys.json", {"footer_key": FOOTER, "column_keys": {**TWO, "id": "text:5432109876543210"}})
        found = report("--keys", keys, self.encrypted({**FORMS[0], "column_keys": TWO}))["files"][0]
        self.assertEqual([(one["rule"], one.get("column")) for one in found["findings"] if one["severity"] != "info"], [("encryption/key", "id")])

    def test_the_key_of_another_column_is_a_wrong_key(self):
        out, wrong = self.encrypted({**FORMS[0], "column_keys": TWO}), {"footer_key": FOOTER, "column_keys": TWO}
        for keys, columns in (({"column_keys": {**TWO, "id": FOOTER}}, ["id"]), ({"footer_key": A}, [None]),
                              ({"column_keys": dict(zip(TWO, reversed(TWO.values())))}, list(TWO))):
            with self.subTest(keys):
                found = report("--keys", self.json("keys.json", {**wrong, **keys}), out)["files"][0]
                errors = [(one["rule"], one.get("column")) for one in found["findings"] if one["severity"] != "info"]
                self.assertEqual((found["verdict"], errors), ("unsupported", [("encryption/key", column) for column in columns]))

    def test_ordinals_of_pages_that_overflow_are_one_finding(self):
        def overflowing(place):  # two bytes, with a sign
            return (*place[:3], (place[3] + 2**15) % 2**16 - 2**15) if place[0] in (DATA_PAGE, DATA_PAGE_HEADER) else place

        keys = self.json("keys.json", {"footer_key": FOOTER})
        for pages, algorithm, rules in ((2**15, GCM, []), (2**15 + 3, GCM, ["encryption/ordinal-limit"]), (2**15 + 3, CTR, ["encryption/ordinal-limit"])):
            with self.subTest(pages=pages, algorithm=algorithm):
                file = File([required("a", INT32)], [{"a": 1}] * pages, {"a": Chunk([V1(1) for _ in range(pages)])},
                            crypto=Crypto({"a": None}, algorithm=algorithm, place_of=overflowing), column_orders=True)
                found = report("--keys", keys, self.write("pages.parquet", file.build().data))["files"][0]
                self.assertEqual([one["rule"] for one in found["findings"] if one["severity"] != "info"], rules)
                self.assertEqual(found["rows"], pages)

    def pages(self, change, count=200, **more):
        """A file of many pages of a value, some of whose header modules are changed."""
        file = File([required("a", INT32)], [{"a": i} for i in range(count)], {"a": Chunk([V1(1) for _ in range(count)])},
                    crypto=Crypto({"a": None}, change=change, **more), column_orders=True)
        return self.write("pages.parquet", file.build().data)

    def test_a_wrong_length_of_a_header_is_found_and_the_page_read(self):
        keys = self.json("keys.json", {"footer_key": FOOTER})

        def stated(number, *pages):
            return lambda place, module: number(module).to_bytes(4, "little") + module[4:] if place[0] == DATA_PAGE_HEADER and place[3] in pages else module

        for number in (0, 44, 46, 60, 100, 200, 300, 1000, 4000, 20_000, 2**31):
            with self.subTest(number):
                path = self.pages(stated(lambda _, number=number: number, 5))
                file = report("--keys", keys, path)["files"][0]
                self.assertEqual([(one["rule"], one["page"], one["expected"]) for one in file["findings"] if one["severity"] != "info"],
                                 [("encryption/module-length", 5, "45")])
                self.assertEqual(run("cat", "--keys", keys, path).stdout.count("\n"), 200)
        for more in (1, 4, 16, 28):
            with self.subTest(more=more):
                file = report("--limit", 0, "--keys", keys, self.pages(stated(lambda module, more=more: len(module) - 4 + more, *range(200))))["files"][0]
                found = [one for one in file["findings"] if one["severity"] != "info"]
                self.assertEqual(({one["rule"] for one in found}, sum(one["times"] for one in found)), ({"encryption/module-length"}, 200))
        path = self.pages(stated(lambda module: len(module) - 4 + module[8] % 7 - 3, 2, 5, 90, 91, 199))
        self.assertEqual({one["rule"] for one in report("--keys", keys, path)["files"][0]["findings"] if one["severity"] != "info"}, {"encryption/module-length"})
        self.assertEqual(run("cat", "--keys", keys, path).stdout.count("\n"), 200)

    def test_without_keys_a_wrong_length_is_at_its_module(self):
        for page in (1, 2, 60, 100, 150, 188, 198):
            for by in (-1, 1, 5):
                with self.subTest(page=page, by=by):
                    change = lambda place, module, page=page, by=by: (len(module) - 4 + by).to_bytes(4, "little") + module[4:] if place == (DATA_PAGE_HEADER, 0, 0, page) else module
                    found = report(self.pages(change, plain=True))["files"][0]["findings"]
                    self.assertEqual([(one["rule"], one["found"], one["expected"]) for one in found if one["severity"] == "error"],
                                     [("encryption/module-length", str(45 + by), "45")])

    def test_of_lengths_that_lead_to_the_end_the_one_with_most_modules_is_true(self):
        begin, head, skipped = 32, 49, 51  # a body of these pages has 36 bytes

        def change(place, module):
            if place == (DATA_PAGE_HEADER, 0, 0, 99):  # as if a module that ends with a later page began amid this one
                return module[:begin] + (skipped * (head + 36) - begin - 4).to_bytes(4, "little") + module[begin + 4:]
            return (head + 1).to_bytes(4, "little") + module[4:] if place == (DATA_PAGE_HEADER, 0, 0, 100) else module

        found = report(self.pages(change, plain=True))["files"][0]["findings"]
        self.assertEqual([(one["rule"], one["found"], one["expected"]) for one in found if one["severity"] == "error"],
                         [("encryption/module-length", "50", "45")])

    def test_what_is_known_of_a_prefix_is_stated(self):
        for footer in ("encrypted", "plaintext"):
            for form, prefix, text in (({"store_aad_prefix": False}, None, "is to be supplied, and none was given"),
                                       ({}, "other", "it authenticates without the given AAD prefix")):
                with self.subTest(footer=footer, form=form):
                    out = self.encrypted({**FORMS[0], "footer": footer, "aad_prefix": "pre", **form})
                    keys = self.json("keys.json", {"footer_key": FOOTER, **({} if prefix is None else {"aad_prefix": prefix})})
                    (found,) = [one for one in report("--keys", keys, out)["files"][0]["findings"] if one["severity"] != "info"]
                    self.assertEqual(found["rule"], "encryption/key")
                    self.assertIn(text, found["message"])

    def test_the_dictionary_of_each_column_is_read_again_with_its_key(self):
        source = ROOT / "corpus" / "witnesses" / "encryption" / "tag"
        for name in ("pass-c", "pass-d"):
            keys = self.json("keys.json", json.loads((source / f"{name}.json").read_text())["keys"])
            found = report("--keys", keys, source / f"{name}.parquet")["files"][0]
            self.assertEqual((found["verdict"], found["findings"], found["not_run"]), ("conforming", [], []))

    def test_what_is_illegal_is_refused_by_name_and_no_message_has_a_key(self):
        self.refused("no footer_key", {})
        self.refused("footer_key has 15 bytes", {"footer_key": "text:012345678901234"})
        self.refused("algorithm is neither AES_GCM_V1 nor AES_GCM_CTR_V1", {"footer_key": FOOTER, "algorithm": "AES"})
        self.refused("footer is neither encrypted nor plaintext", {"footer_key": FOOTER, "footer": "open"})
        self.refused('the member "key"', {"footer_key": FOOTER, "key": FOOTER})
        self.refused("no column is named 'x'", {"footer_key": FOOTER, "column_keys": {"x": FOOTER}})
        self.refused('column_key_metadata "id" has no key', {"footer_key": FOOTER, "column_key_metadata": {"id": "m"}})
        self.refused("store_aad_prefix: there is no aad_prefix", {"footer_key": FOOTER, "store_aad_prefix": False})
        self.refused("the member with a name of 20 characters; did you mean 'column_key_metadata'", {"footer_key": FOOTER, "column_keys_metadata": {}})
        for option in ("--scrub", "--shrink=file/unreferenced-bytes"):
            done = run("rewrite", option, "--encryption", self.json("form.json", FORMS[0]), SOURCE, self.folder / "x.parquet")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--encryption has no effect", done.stderr)

    def test_a_key_in_place_of_a_name_is_not_printed(self):
        keys = "00112233445566778899aabbccddeeff", "text:0123456789012345", "base64:MDEyMzQ1Njc4OTAxMjM0NQ==", "0123456789012345"
        for key in keys:
            for form in ({key: "footer_key"}, {"footer_key": FOOTER, "column_keys": {"a": FOOTER, key: "id"}}, {"footer_key": FOOTER, "column_keys": {key: FOOTER}},
                         {"footer_key": FOOTER, "column_key_metadata": {key: 1}}, {"footer_key": FOOTER, "column_key_metadata": {key: "m"}}):
                path = self.json("form.json", form)
                for arguments in (("rewrite", "--encryption", path, SOURCE, self.folder / "x.parquet"), ("check", "--keys", path, SOURCE)):
                    done = run(*arguments)
                    if arguments[0] == "rewrite":
                        self.assertEqual(done.returncode, 2)
                    self.assertNotIn(key, done.stdout + done.stderr)
        done = run("check", "--keys", self.json("keys.json", {"column_keys": {"a": FOOTER, keys[0]: "id"}}), SOURCE)
        self.assertIn("column_keys with a name of 32 characters is neither hex", done.stderr)

    @unittest.skipIf(python_with_pyarrow() is None, "no pyarrow: set PARQPROOF_PYARROW to a Python that has it")
    def test_pyarrow_reads_the_same_rows(self):
        def read(*arguments):
            done = subprocess.run([python_with_pyarrow(), "-c", *map(str, arguments)], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout

        rows = read(READ_PLAIN, SOURCE)
        for form in FORMS:
            names = {"footer": FOOTER} if "column_keys" not in form else {"footer": FOOTER, **TWO}
            if len(names) > 1 and not form.get("store_aad_prefix", True):
                continue  # its interface to keys of columns takes no prefix
            if len(names) > 1:
                form = {**form, "footer_key_metadata": material("footer"),
                        "column_key_metadata": {name: material(name) for name in TWO}}
            with self.subTest(form):
                out = self.encrypted(form)
                keys = {name: key.removeprefix("text:") for name, key in names.items()}
                prefix = "" if form.get("store_aad_prefix", True) else form["aad_prefix"]
                self.assertEqual(read(READ, out, json.dumps(keys), prefix), rows)
