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


def material(name):
    """Key metadata that leads the key tools of Arrow to the key of this name."""
    return json.dumps({"keyMaterialType": "PKMT1", "internalStorage": True, "isFooterKey": name == "footer", "kmsInstanceID": "x",
                       "kmsInstanceURL": "x", "masterKeyID": name, "wrappedDEK": "x", "doubleWrapping": False})


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

    def test_what_is_illegal_is_refused_by_name_and_no_message_has_a_key(self):
        self.refused("no footer_key", {})
        self.refused("footer_key has 15 bytes", {"footer_key": "text:012345678901234"})
        self.refused("algorithm is neither AES_GCM_V1 nor AES_GCM_CTR_V1", {"footer_key": FOOTER, "algorithm": "AES"})
        self.refused("footer is neither encrypted nor plaintext", {"footer_key": FOOTER, "footer": "open"})
        self.refused('the member "key"', {"footer_key": FOOTER, "key": FOOTER})
        self.refused("no column is named 'x'", {"footer_key": FOOTER, "column_keys": {"x": FOOTER}})
        self.refused('column_key_metadata "id" has no key', {"footer_key": FOOTER, "column_key_metadata": {"id": "m"}})
        self.refused("store_aad_prefix: there is no aad_prefix", {"footer_key": FOOTER, "store_aad_prefix": False})
        for option in ("--scrub", "--shrink=file/unreferenced-bytes"):
            done = run("rewrite", option, "--encryption", self.json("form.json", FORMS[0]), SOURCE, self.folder / "x.parquet")
            self.assertEqual(done.returncode, 2)
            self.assertIn("--encryption has no effect", done.stderr)

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
