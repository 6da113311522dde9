"""The rows that `cat` prints of writers' files equal those that another reader confirmed (scripts/interop compare)."""
import json
import pathlib
import random
import tempfile
import unittest

from builder.codec import file_reader, rows
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import BYTE_ARRAY, RLE_DICTIONARY
from builder.codec.pages import V1, Dictionary
from builder.codec.schema import required, shred, text
from builder.codec.shredding import variant_node
from builder.codec.variant import encode, metadata
from builder.random_rows import Maker
from program import ROOT, run

FOLDER = ROOT / "corpus" / "writers"


class Rows(unittest.TestCase):
    def test_rows_are_those_of_other_readers(self):
        agreed = json.loads((FOLDER / "rows.json").read_text())
        self.assertGreater(len(agreed), 500)
        for name, entry in agreed.items():
            with self.subTest(file=name):
                shown = run("cat", FOLDER / name)
                self.assertEqual(shown.returncode, entry["exit"])
                self.assertEqual(shown.stdout.splitlines(), (FOLDER / name).with_suffix(".rows.jsonl").read_text().splitlines())

    def test_all_rows_are_confirmed_by_a_reader(self):
        agreed = json.loads((FOLDER / "rows.json").read_text())
        row_files = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.rows.jsonl")}
        self.assertEqual(row_files, {str(pathlib.Path(name).with_suffix(".rows.jsonl")) for name in agreed})

    def test_random_files_have_the_rows_of_their_recipe(self):
        maker = Maker(random.Random(11))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "file.parquet"
            for number in range(300):
                with self.subTest(number):
                    file = maker.file()
                    path.write_bytes(file.build().data)
                    meant = rows.of_groups(file.children, [shred(file.children, group.rows) for group in file.groups])
                    data = path.read_bytes()
                    self.assertEqual(rows.of_groups(file_reader.schema_of(data), file_reader.groups_of(data, {})), meant)
                    shown = run("cat", path, check=True)
                    self.assertEqual(shown.stdout.split("\n")[:-1], meant)

    def test_variants_have_the_names_of_the_dictionary_of_their_row_group(self):
        def chunk(entries):
            return Chunk([Dictionary(entries), V1(encoding=RLE_DICTIONARY)])

        for shape in (None, {"z": "int32"}):
            groups, meant = [], []
            for lengths in ([8], [3, 4], [2, 2, 2]):  # metadata of 12 bytes, so that those of later row groups get the same addresses
                names = [[(letter + str(i)).ljust(length, letter) for i, length in enumerate(lengths)] for letter in "ab"]
                known = [metadata(one).data for one in names]
                value = encode({name: 1 for name in names[0]}, names[0]).data
                entries = [{"v": {"metadata": known[i % 2], "value": value, "typed_value": None}} for i in range(5)]
                groups.append(Group(entries, {"v.metadata": chunk(known), "v.value": chunk([value])}))
                meant += [{"v": {name: 1 for name in names[i % 2]}} for i in range(5)]
            with self.subTest(shape), tempfile.NamedTemporaryFile(suffix=".parquet") as file:
                file.write(File([variant_node(shape=shape)], groups=groups).build().data)
                file.flush()
                shown = run("cat", file.name, check=True).stdout
                self.assertEqual([json.loads(row) for row in shown.splitlines()], meant)

    def test_the_memory_limit_of_a_row_is_a_sixteenth_of_max_memory(self):
        with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
            file.write(File([text(required("s", BYTE_ARRAY))], [{"s": b"x" * 20_000}]).build().data)
            file.flush()
            for ceiling, code, rows in (("256K", 2, ""), ("512K", 0, '{"s":"' + "x" * 20_000 + '"}\n')):
                with self.subTest(ceiling):
                    shown = run("cat", "--max-memory", ceiling, file.name)
                    self.assertEqual((shown.returncode, shown.stdout), (code, rows))
                    self.assertEqual("limit/memory" in shown.stderr and "(--max-memory raises it)" in shown.stderr, code == 2)
