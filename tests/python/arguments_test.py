"""Arguments of the module: what has the wrong type or value, and the names that messages give them."""
import collections
import io
import json
import pathlib
import types
import unittest

import parqproof
from files import BROKEN, INTACT, FolderTest

TEXTS = {"tier": parqproof.check, "profile": parqproof.check, "edition": parqproof.check, "name": parqproof.check, "damaged": parqproof.rows,
         "lookup": parqproof.rows, "compression": parqproof.rewrite, "shrink": parqproof.rewrite}
NUMBERS = {"limit": parqproof.check, "threads": parqproof.check, "max_page": parqproof.check, "max_work": parqproof.check,
           "footer_at": parqproof.check, "page_bytes": parqproof.rewrite, "page_version": parqproof.rewrite}


def call(function, **options):
    return function(INTACT, *([io.BytesIO()] if function is parqproof.rewrite else []), **options)


class ArgumentsTest(FolderTest):
    def test_texts(self):
        for name, function in TEXTS.items():
            for value in (b"footer", 2.13, 5, pathlib.Path("a"), ["a"]):
                with self.subTest(name=name, value=value), self.assertRaisesRegex(TypeError, f"^{name} is of type {type(value).__name__}, not str$"):
                    call(function, **{name: value})
            for value, message in (("a\0x", "a NUL character"), ("\ud800", "a character that is not Unicode")):
                with self.subTest(name=name, value=value), self.assertRaisesRegex(parqproof.InvalidCall, f"^{name} has {message}$"):
                    call(function, **{name: value})
        for wrong in (None, 5, b"rle/truncated"):
            with self.assertRaisesRegex(TypeError, "^rule is of type"):
                parqproof.explain(wrong)
            with self.assertRaisesRegex(TypeError, "^fault is of type"):
                parqproof.mutate(INTACT, io.BytesIO(), wrong)
            with self.assertRaisesRegex(TypeError, "^form is of type"):
                parqproof.check(INTACT).to_form(wrong)
        with self.assertRaisesRegex(parqproof.InvalidCall, "NUL"):
            parqproof.check(INTACT).to_form("text\0x")

    def test_numbers(self):
        for name, function in NUMBERS.items():
            for value in ("1", 1.5, b"1", [1]):
                with self.subTest(name=name, value=value), self.assertRaisesRegex(TypeError, f"^{name} is of type {type(value).__name__}, not int$"):
                    call(function, **{name: value})
        with self.assertRaisesRegex(TypeError, "row_groups is of type int"):
            parqproof.check(INTACT, row_groups=5)
        with self.assertRaisesRegex(TypeError, "rows is of type str"):
            parqproof.rows(INTACT, rows=("0", 1))
        with self.assertRaisesRegex(TypeError, "seed is of type float"):
            parqproof.faults(seed=0.5)

    def test_several_texts_and_mappings(self):
        for function, name in ((parqproof.check, "ignore"), (parqproof.check, "only"), (parqproof.rows, "columns"), (parqproof.rewrite, "columns"),
                               (parqproof.rewrite, "bloom_filters")):
            for value in ([None], [5], b"a", 5):
                with self.subTest(name=name, value=value), self.assertRaisesRegex(TypeError, f"^{name} is of type"):
                    call(function, **{name: value})
        for function, name in ((parqproof.check, "severity"), (parqproof.rewrite, "encodings"), (parqproof.check, "storage_options")):
            for value in ([("a", "b")], 5):
                with self.subTest(name=name, value=value), self.assertRaisesRegex(TypeError, f"^{name} is of type"):
                    call(function, **{name: value})
        with self.assertRaisesRegex(TypeError, "^severity is of type"):
            parqproof.check(INTACT, severity={"footer/version": None})
        with self.assertRaisesRegex(parqproof.InvalidCall, "'fatal' is neither error nor warning"):
            parqproof.check(INTACT, fail_on="fatal")

    def test_an_empty_path_of_a_column_is_refused(self):
        target = self.folder / "a.parquet"
        for columns in ("", [""], ["a", ""]):
            for function in (lambda columns: parqproof.rows(INTACT, columns=columns), lambda columns: parqproof.rewrite(INTACT, target, columns=columns)):
                with self.subTest(columns=columns), self.assertRaisesRegex(parqproof.InvalidCall, "^columns has an empty path$"):
                    function(columns)
        self.assertFalse(target.exists())

    def test_an_empty_path_of_a_target_is_refused(self):
        for write in (parqproof.rewrite, lambda *files: parqproof.mutate(*files, "max-value-low")):
            with self.assertRaisesRegex(parqproof.InvalidCall, "^target is an empty path$"):
                write(INTACT, "")

    def test_keys_are_any_mapping(self):
        made, keys = io.BytesIO(), {"footer_key": "text:0123456789abcdef", "column_keys": {}}
        for encryption in (types.MappingProxyType(keys), collections.ChainMap(keys), json.loads(json.dumps(keys)),
                           {**keys, "column_keys": types.MappingProxyType({})}):
            made = io.BytesIO()
            parqproof.rewrite(INTACT, made, encryption=encryption)
            self.assertTrue(parqproof.check(made.getvalue(), keys=encryption).ok)
        with self.assertRaisesRegex(TypeError, "^keys is of type int"):
            parqproof.check(INTACT, keys=5)
        with self.assertRaises(TypeError):
            parqproof.check(INTACT, keys={"footer_key": object()})
        (self.folder / "keys").write_bytes(b"\xff")
        for wrong in (self.folder / "keys", "a\0b"):
            with self.assertRaisesRegex(parqproof.InvalidCall, "keys is neither"):
                parqproof.check(INTACT, keys=wrong)

    def test_messages_name_arguments_and_no_options_of_the_program(self):
        for options, message in (({"encodings": {"zz": "PLAIN"}}, "encodings: no column is named 'zz'"),
                                 ({"bloom_filters": "zz"}, "bloom_filters: no column is named 'zz'"),
                                 ({"columns": "zz"}, "columns: no column or group is named 'zz'"),
                                 ({"compression": "LZO"}, "compression: LZO is outdated; profile historical allows it")):
            with self.subTest(options=options), self.assertRaisesRegex(parqproof.InvalidCall, f"^{message}$"):
                call(parqproof.rewrite, **options)
        with self.assertRaisesRegex(parqproof.Unsupported, r"\(max_page raises it\)"):
            list(parqproof.rows(INTACT, max_page=1))
        with self.assertRaisesRegex(parqproof.FileBroken, "schema_from takes it from a file with the same schema"):
            parqproof.rewrite(b"garbage" * 9, io.BytesIO(), salvage=True)
        with self.assertRaisesRegex(parqproof.InvalidCall, "no column is named '--columns'"):  # a name keeps its dashes
            call(parqproof.rewrite, bloom_filters="--columns")

    def test_an_unknown_column_of_a_lookup_is_a_wrong_argument(self):
        with self.assertRaisesRegex(parqproof.InvalidCall, "^lookup: no column is named 'zz'"):
            parqproof.rows(INTACT, lookup="zz=1")

    def test_iterators_of_rows_are_generators(self):
        self.assertIs(type(parqproof.rows(INTACT)), types.GeneratorType)
        self.assertEqual(parqproof.rows.__annotations__["return"], "Generator[Any, None, None]")


if __name__ == "__main__":
    unittest.main()
