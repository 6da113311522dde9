"""parqproof.lake: which files tables have, and the claims of their manifests."""
import json
import importlib.util
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest
import uuid

from files import BROKEN, INTACT, needed
from lake_files import LakeTest, overwrite, several_row_groups, table


def claimed(result):
    return [(row["rule"], row["column"], row["found"], row["expected"]) for row in result.findings.to_pylist() if row["rule"].startswith("lake/")]


def notes(result):
    return [row["not_compared"] for row in result.files.to_pylist()]


class PackagesTest(unittest.TestCase):
    def test_a_missing_package_is_named_with_the_extra(self):
        for name in ("pyarrow", "fsspec"):
            code = f"import sys; sys.modules[{name!r}] = None; import parqproof; import parqproof.lake"
            result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
            self.assertRegex(result.stderr, rf"ImportError: this needs the package (pyarrow|{name}): pip install 'parqproof\[lake\]'")


@needed("fsspec")
@needed("pyarrow")
class FoldersTest(LakeTest):
    def names(self, given):
        from parqproof.lake import files_of

        return [os.path.relpath(entry.path, self.data) for entry in files_of(given)]

    def test_partitions_that_begin_with_an_underscore_are_not_hidden(self):
        self.fill(["_year=2020/a.parquet", "_temporary/b.parquet", ".c=1/c.parquet", "d=1/_delta.parquet"])
        for given in (self.data, f"file://{self.data}", f"file:{self.data}"):
            self.assertEqual(self.names(given), ["_year=2020/a.parquet"])
        import fsspec

        memory = fsspec.filesystem("memory")
        self.addCleanup(memory.rm, "/hidden", recursive=True)
        for name in ("_year=2020/a.parquet", "_temporary/b.parquet"):
            memory.pipe_file(f"/hidden/{name}", INTACT.read_bytes())
        from parqproof.lake import files_of

        self.assertEqual([entry.path for entry in files_of("memory://hidden")], ["memory:///hidden/_year=2020/a.parquet"])

    def test_links_are_followed_and_loops_end(self):
        self.fill(["y=1/a.parquet"])
        other = self.folder / "other"
        other.mkdir()
        shutil.copy(INTACT, other / "b.parquet")
        os.symlink(other, self.data / "y=2")
        os.symlink(self.data, self.data / "y=1/loop=1")
        os.symlink(self.data, other / "loop=2")
        self.assertEqual(self.names(self.data), ["y=1/a.parquet", "y=2/b.parquet"])

    def test_missing_paths_of_a_list_are_unreadable(self):
        from parqproof.lake import check_table, files_of

        intact, = self.fill(["a.parquet"])
        missing = [str(self.data / "none.parquet"), "memory://none/none.parquet"]
        os.symlink(self.folder / "nowhere", self.data / "link.parquet")
        verdicts = {row["path"]: row["verdict"] for row in check_table([self.data, *missing]).files.to_pylist()}
        self.assertEqual(verdicts, {intact: "conforming", str(self.data / "link.parquet"): "unreadable", **dict.fromkeys(missing, "unreadable")})
        for path in missing:
            with self.assertRaises(FileNotFoundError):
                files_of(path)

    def test_links_to_themselves_are_unreadable(self):
        from parqproof.lake import check_table

        intact, = self.fill(["a.parquet"])
        link = str(self.data / "link.parquet")
        os.symlink("link.parquet", link)
        os.symlink("loop", self.data / "loop")
        for given in (self.data, [link, self.data], [link, intact, f"{intact}/none.parquet"]):
            verdicts = {row["path"]: row["verdict"] for row in check_table(given).files.to_pylist()}
            verdicts.pop(f"{intact}/none.parquet", None)
            self.assertEqual(verdicts, {intact: "conforming", link: "unreadable"})

    def test_names_that_are_not_utf8(self):
        from dataclasses import replace

        from parqproof.lake import Claims, Options, check_table, files_of, skip_list

        self.fill(["a.parquet"])
        folder = os.fsencode(self.data)
        shutil.copy(BROKEN, folder + b"/\xe9t\xc3\xa9-broken.parquet")
        with open(folder + b"/\xff\xfe.parquet", "wb") as file:
            file.write(several_row_groups())
        os.symlink("none", folder + b"/\xff.parquet")
        expected = {f"{self.data}/a.parquet": "conforming", rf"{self.data}/\xff\xfe.parquet": "conforming",
                    rf"{self.data}/\xe9té-broken.parquet": "nonconforming", rf"{self.data}/\xff.parquet": "unreadable"}
        with_claims = [replace(entry, claims=Claims(record_count=7)) for entry in files_of(self.data)]
        for given, cut in ((self.data, None), (self.data, 1), (with_claims, None)):
            for _ in range(2):
                result = check_table(given, output=self.folder / f"output-{cut}", options=Options(cut_bytes=cut))
                self.assertEqual({row["path"]: row["verdict"] for row in result.files.to_pylist()}, expected)
                self.assertEqual(set(expected) - set(skip_list(result)), set() if given is with_claims else set(list(expected)[:2]))
                self.assertEqual(notes(result), [None] * 4)

    def test_a_path_of_a_list_that_cannot_be_found_ends_as_unreadable_with_the_cause(self):
        from parqproof.lake import check_table, files_of

        good, = self.fill(["a.parquet"])
        causes = {"bogus://x/y.parquet": "Protocol not known", f"{self.data}/\0": "null byte", f"{self.data}/{'a' * 5000}": "too long", "": "No such file"}
        if importlib.util.find_spec("aiohttp"):
            causes["http://127.0.0.1:9/x.parquet"] = "Cannot connect"
        result = check_table([good, *causes])
        rows = {row["path"]: row for row in result.files.to_pylist()}
        self.assertEqual(rows.pop(good)["verdict"], "conforming")
        for path, cause in causes.items():
            self.assertEqual(rows[path]["verdict"], "unreadable")
            self.assertIn(cause, rows[path]["error"])
        with self.assertRaises(FileNotFoundError):
            files_of("")

    def test_folders_inside_a_file_keep_the_chain_of_their_filesystems(self):
        import zipfile

        from parqproof.lake import check_table

        with zipfile.ZipFile(self.folder / "a.zip", "w") as archive:
            archive.write(INTACT, "t/p=1/a.parquet")
            archive.write(BROKEN, "t/p=2/b.parquet")
        for table in (f"zip://t::file://{self.folder}/a.zip", f"simplecache::file://{self.folder}/t"):
            if table.startswith("simplecache"):
                with zipfile.ZipFile(self.folder / "a.zip") as archive:
                    archive.extractall(self.folder)
            verdicts = {row["path"].split("/p=")[1][:11]: row["verdict"] for row in check_table(table).files.to_pylist()}
            self.assertEqual(verdicts, {"1/a.parquet": "conforming", "2/b.parquet": "nonconforming"})

    def test_a_name_that_is_not_utf8_and_its_text_are_two(self):
        from parqproof.lake import check_table, files_of, read_result, skip_list

        folder = os.fsencode(self.data)
        shutil.copy(BROKEN, folder + b"/a\xff.parquet")
        shutil.copy(INTACT, folder + rb"/a\xff.parquet")
        shutil.copy(INTACT, folder + rb"/a\x5cxff.parquet")
        shutil.copy(INTACT, folder + rb"/a\b.parquet")
        self.assertEqual(len({entry.name for entry in files_of(self.data)}), 4)
        expected = {rf"{self.data}/a\xff.parquet": "nonconforming", rf"{self.data}/a\x5cxff.parquet": "conforming",
                    rf"{self.data}/a\x5cx5cxff.parquet": "conforming", rf"{self.data}/a\b.parquet": "conforming"}
        for _ in range(2):
            result = check_table(self.data, output=self.folder / "output")
            self.assertEqual({row["path"]: row["verdict"] for row in result.files.to_pylist()}, expected)
        self.assertEqual(list(skip_list(result)), list(expected)[:1])
        self.assertEqual(read_result(self.folder / "output").files.num_rows, 4)

    def test_a_text_is_one_path(self):
        from parqproof.lake import FileEntry, check_batch

        for given in (str(INTACT), INTACT, FileEntry(str(INTACT))):
            self.assertEqual([row["path"] for row in check_batch(given).to_pylist()], [str(INTACT)])


@needed("fsspec")
@needed("pyarrow")
class ClaimsTest(LakeTest):
    def compare(self, columns, written=None, **claims):
        """The result for a file with these columns."""
        import pyarrow.parquet

        from parqproof.lake import Claims, FileEntry, check_table

        path = self.data / "a.parquet"
        pyarrow.parquet.write_table(pyarrow.table(columns), path, **(written or {}))
        return check_table([FileEntry(str(path), claims=Claims(**claims))])

    def test_columns_with_a_dot_in_their_names(self):
        import pyarrow

        made = pyarrow.array([{"x.y": 1}, {"x.y": 3}])
        result = self.compare({"a.b": [1, 2], "s": made}, lower_bounds={"a.b": 2, "s.x.y": 2}, null_counts={"a.b": 0})
        self.assertEqual(claimed(result), [("lake/bound", "a.b", "2", "1"), ("lake/bound", "s.x.y", "2", "1")])
        self.assertEqual(notes(result), [None])
        result = self.compare({"a": pyarrow.array([{"b": 1}]), "a.b": [2]}, lower_bounds={"a.b": 5})
        self.assertEqual((claimed(result), notes(result)), ([], ["column a.b: the file has several columns of this name"]))

    def test_uuids_are_compared(self):
        import pyarrow

        low, high = uuid.UUID(int=5), uuid.UUID(int=2**127)
        columns = {"u": pyarrow.array([low.bytes, None, high.bytes], pyarrow.uuid() if hasattr(pyarrow, "uuid") else pyarrow.binary(16))}
        for bounds in ((low, high), (low.bytes, high.bytes)):
            result = self.compare(columns, lower_bounds={"u": bounds[0]}, upper_bounds={"u": bounds[1]}, null_counts={"u": 1})
            self.assertEqual((claimed(result), notes(result)), ([], [None]))
        result = self.compare(columns, upper_bounds={"u": uuid.UUID(int=2**127 - 1)})
        self.assertEqual([row[:2] for row in claimed(result)], [("lake/bound", "u")])

    def test_bounds_out_of_range_of_a_narrower_type_are_compared(self):
        from decimal import Decimal

        import pyarrow

        columns = {"i": pyarrow.array([1, None, 7], pyarrow.int32()), "d": pyarrow.array([Decimal("1.5")], pyarrow.decimal128(3, 1)).take([0, 0, 0])}
        result = self.compare(columns, lower_bounds={"i": 2**40, "d": Decimal("1234567.25")})
        self.assertEqual(claimed(result), [("lake/bound", "i", "1099511627776", "1"), ("lake/bound", "d", "1234567.25", "1.5")])
        result = self.compare(columns, lower_bounds={"i": -2**40, "d": Decimal("1.55")}, upper_bounds={"i": 2**40, "d": Decimal("1.45")})
        self.assertEqual(claimed(result), [("lake/bound", "d", "1.55", "1.5"), ("lake/bound", "d", "1.45", "1.5")])
        self.assertEqual(notes(result), [None])

    def test_each_bound_is_compared_for_itself(self):
        columns = {"i": [1, 7]}
        for lower, upper, word, found in ((2, "abc", "upper", "2"), ("abc", 6, "lower", "6")):
            result = self.compare(columns, lower_bounds={"i": lower}, upper_bounds={"i": upper})
            self.assertEqual([row[:3] for row in claimed(result)], [("lake/bound", "i", found)])
            self.assertIn(f"column i: its {word} bound 'abc': ", notes(result)[0])
        result = self.compare({"i": [1, 7]}, lower_bounds={"i": 2}, upper_bounds={"i": 2**40})
        self.assertEqual((claimed(result), notes(result)), ([("lake/bound", "i", "2", "1")], [None]))

    def test_lists_and_maps_are_said_not_to_be_compared(self):
        import pyarrow

        columns = {"l": pyarrow.array([[1], None]), "m": pyarrow.array([[("a", 1)], None], pyarrow.map_(pyarrow.string(), pyarrow.int64())),
                   "s": pyarrow.array([{"l": [{"x": 1}]}, None])}
        for name in ("l", "m", "l.element", "m.key", "m.value", "s.l", "s.l.element.x"):
            result = self.compare(columns, null_counts={name: 1})
            self.assertEqual((claimed(result), notes(result)), ([], [f"column {name}: values of lists and maps are not compared"]))
        self.assertEqual(notes(self.compare(columns, null_counts={"z": 1})), ["column z: the file has no such column"])

    def test_found_and_expected_have_the_type_of_the_column(self):
        import datetime

        import pyarrow

        columns = {"d": pyarrow.array([datetime.date(2020, 1, 1)]), "t": pyarrow.array([1_000_001], pyarrow.timestamp("us"))}
        result = self.compare(columns, lower_bounds={"d": 18262}, upper_bounds={"t": 1_000_000})
        self.assertEqual(claimed(result), [("lake/bound", "t", "1970-01-01 00:00:01", "1970-01-01 00:00:01.000001")])
        result = self.compare(columns, lower_bounds={"d": 18263})
        self.assertEqual(claimed(result), [("lake/bound", "d", "2020-01-02", "2020-01-01")])
        nanoseconds = {"t": pyarrow.array([1_000_000_001], pyarrow.timestamp("ns"))}
        self.assertEqual(claimed(self.compare(nanoseconds, lower_bounds={"t": 1_000_000_001}, upper_bounds={"t": 1_000_000_001})), [])
        self.assertEqual([row[:2] for row in claimed(self.compare(nanoseconds, upper_bounds={"t": 1_000_000_000}))], [("lake/bound", "t")])

    def test_nan_is_the_largest_value(self):
        import pyarrow

        nan = float("nan")
        for kind in (pyarrow.float64(), pyarrow.float32()):
            columns = {"x": pyarrow.array([1.0, nan, None], kind), "none": pyarrow.array([nan, None, nan], kind)}
            result = self.compare(columns, lower_bounds={"x": 1.0, "none": nan}, upper_bounds={"x": nan, "none": nan})
            self.assertEqual((claimed(result), notes(result)), ([], [None]))
            result = self.compare(columns, lower_bounds={"x": 2.0}, upper_bounds={"x": nan})
            self.assertEqual(claimed(result), [("lake/bound", "x", "2.0", "1.0")])
            self.assertEqual(claimed(self.compare(columns, lower_bounds={"x": nan})), [("lake/bound", "x", "nan", "1.0")])

    def test_timestamps_of_int96_are_compared(self):
        from datetime import datetime, timedelta

        import pyarrow

        first, last = datetime(1, 1, 1, 0, 0, 0, 1), datetime(9999, 12, 31, 23, 59, 59)
        columns = {"t": pyarrow.array([first, None, last], pyarrow.timestamp("us"))}
        for below, above, expected in ((0, 0, []), (1, 0, [("lake/bound", "t", "0001-01-01 00:00:00.000002", str(first))]),
                                       (0, 1, [("lake/bound", "t", "9999-12-31 23:59:58.999999", str(last))])):
            result = self.compare(columns, {"use_deprecated_int96_timestamps": True}, lower_bounds={"t": first + timedelta(microseconds=below)},
                                  upper_bounds={"t": last - timedelta(microseconds=above)}, null_counts={"t": 1})
            self.assertEqual((claimed(result), notes(result)), (expected, [None]))


@needed("deltalake")
@needed("fsspec")
@needed("pyarrow")
class DeltaTest(LakeTest):
    def test_columns_that_are_mapped_by_id(self):
        import deltalake
        import pyarrow
        import pyarrow.parquet

        from parqproof.lake import check_table

        def field(number, kind, name):
            return {"name": name, "type": kind, "nullable": True,
                    "metadata": {"delta.columnMapping.id": number, "delta.columnMapping.physicalName": f"col-{number}"}}

        folder = self.data / "made"
        (folder / "_delta_log").mkdir(parents=True)
        fields = [field(1, "long", "a"), field(2, {"type": "struct", "fields": [field(3, "string", "b")]}, "s")]
        features = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["columnMapping"], "writerFeatures": ["columnMapping"]}
        values = {"col-1": 1, "col-2": {"col-3": "k"}}
        stats = {"numRecords": 2, "minValues": values, "maxValues": values, "nullCount": {"col-1": 0, "col-2": {"col-3": 1}}}
        for names in (("col-1", "col-2", "col-3"), ("x", "y", "z")):
            for has_ids in (True, False):
                a, s, b = names
                metadata = [{"PARQUET:field_id": str(number)} if has_ids else None for number in (1, 2, 3)]
                inside = pyarrow.struct([pyarrow.field(b, pyarrow.string(), metadata=metadata[2])])
                schema = pyarrow.schema([pyarrow.field(a, pyarrow.int64(), metadata=metadata[0]), pyarrow.field(s, inside, metadata=metadata[1])])
                pyarrow.parquet.write_table(pyarrow.table({a: [1, 2], s: [{b: "k"}, {b: None}]}, schema=schema), folder / "a.parquet")
                actions = [
                    {"protocol": features},
                    {"metaData": {"id": "made", "format": {"provider": "parquet", "options": {}}, "partitionColumns": [], "createdTime": 1,
                                  "schemaString": json.dumps({"type": "struct", "fields": fields}),
                                  "configuration": {"delta.columnMapping.mode": "id", "delta.columnMapping.maxColumnId": "3"}}},
                    {"add": {"path": "a.parquet", "size": (folder / "a.parquet").stat().st_size, "partitionValues": {}, "modificationTime": 1,
                             "dataChange": True, "stats": json.dumps(stats)}}]
                (folder / "_delta_log" / f"{0:020}.json").write_text("".join(json.dumps(action) + "\n" for action in actions))
                result = check_table(deltalake.DeltaTable(str(folder)))
                if has_ids or a == "col-1":
                    self.assertEqual((claimed(result), notes(result)), ([("lake/bound", a, "1", "2")], [None]))
                else:
                    self.assertEqual(notes(result), ["column 1: the file has no such column; column 3: the file has no such column"])

    def test_null_counts_of_tables_with_deletion_vectors_are_no_claims(self):
        import deltalake

        from parqproof.lake import check_table

        folder = str(self.data / "made")
        deltalake.write_deltalake(folder, table())
        log, = pathlib.Path(folder, "_delta_log").glob("*.json")
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        add = next(line["add"] for line in lines if "add" in line)
        statistics = json.loads(add["stats"])
        statistics["nullCount"]["id"] = 7
        add["stats"] = json.dumps(statistics)
        log.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.assertEqual(claimed(check_table(deltalake.DeltaTable(folder))), [("lake/null-count", "id", "7", "0")])
        features = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["deletionVectors"], "writerFeatures": ["deletionVectors"]}
        log.write_text("".join(json.dumps({"protocol": features} if "protocol" in line else line) + "\n" for line in lines))
        self.assertEqual(claimed(check_table(deltalake.DeltaTable(folder))), [])


@needed("pyiceberg")
@needed("sqlalchemy")
@needed("fsspec")
@needed("pyarrow")
class IcebergTest(LakeTest):
    def setUp(self):
        super().setUp()
        from pyiceberg.catalog.sql import SqlCatalog

        self.catalog = SqlCatalog("catalog", uri=f"sqlite:///{self.folder}/catalog.db", warehouse=f"file://{self.folder}/warehouse")
        self.catalog.create_namespace("space")

    def create(self, schema, **options):
        return self.catalog.create_table("space.made", schema=schema, **options)

    def add(self, made, path, **members):
        """Adds a file to the manifests of a table."""
        from pyiceberg.manifest import DataFile, DataFileContent, FileFormat
        from pyiceberg.typedef import Record

        file = DataFile.from_args(**{
            "content": DataFileContent.DATA, "file_path": path, "file_format": FileFormat.PARQUET, "partition": Record(), "record_count": 100,
            "file_size_in_bytes": os.path.getsize(path.removeprefix("file:")), "column_sizes": {}, "value_counts": {}, "null_value_counts": {}, "nan_value_counts": {},
            "lower_bounds": {}, "upper_bounds": {}, "key_metadata": None, "split_offsets": None, "equality_ids": None, "sort_order_id": None, **members})
        file.spec_id = made.spec().spec_id
        with made.transaction() as transaction, transaction.update_snapshot().fast_append() as snapshot:
            snapshot.append_data_file(file)

    def file_of_table(self, name="plain.parquet"):
        import pyarrow.parquet

        path = self.folder / name
        pyarrow.parquet.write_table(table(), path)
        return str(path)

    def test_delete_files_are_checked_and_files_of_other_formats_are_not(self):
        from pyiceberg.manifest import DataFileContent, FileFormat

        from parqproof.lake import check_table

        made = self.create(table().schema)
        made.append(table())
        damaged, orc = self.fill(["deletes.parquet", "a.orc"], b"PAR1 damaged PAR1")
        self.add(made, f"file:{damaged}", content=DataFileContent.POSITION_DELETES)
        self.add(made, f"file:{orc}", file_format=FileFormat.ORC)
        for snapshot in range(2):
            verdicts = {row["path"]: row["verdict"] for row in check_table(made).files.to_pylist()}
            self.assertEqual(verdicts.pop(damaged), "malformed")
            self.assertEqual(list(verdicts.values()), ["conforming"] * (snapshot + 1))
            made.append(table())

    def test_a_table_without_a_snapshot_has_no_files(self):
        from parqproof.lake import files_of

        self.assertEqual(files_of(self.create(table().schema)), [])

    def test_paths_are_literal(self):
        from pyiceberg.partitioning import PartitionField, PartitionSpec
        from pyiceberg.schema import Schema
        from pyiceberg.transforms import IdentityTransform
        from pyiceberg.types import NestedField, StringType

        import pyarrow

        from parqproof.lake import check_table

        made = self.create(Schema(NestedField(1, "s", StringType())), partition_spec=PartitionSpec(PartitionField(1, 1000, IdentityTransform(), "s")))
        made.append(pyarrow.table({"s": ["a b", "100%", "x=y", "a/b"]}))
        self.assertEqual(check_table(made).files.column("verdict").to_pylist(), ["conforming"] * 4)

    def test_names_of_columns_without_ids(self):
        from parqproof.lake import check_table

        made = self.create(table().schema)
        self.add(made, self.file_of_table(), lower_bounds={1: struct.pack("<q", 5)}, null_value_counts={4: 3})
        expected = [("lake/bound", "id", "5", "0"), ("lake/null-count", "maybe", "3", "20")]
        self.assertEqual(sorted(claimed(check_table(made))), expected)
        with made.update_schema() as update:
            update.rename_column("id", "number")
        self.assertEqual(notes(check_table(made)), ["column 1: the file has no such column"])
        with made.transaction() as transaction:
            transaction.set_properties({"schema.name-mapping.default": json.dumps([
                {"field-id": 1, "names": ["number", "id"]}, {"field-id": 4, "names": ["maybe"]}])})
        self.assertEqual(sorted(claimed(check_table(made))), expected)

    def test_a_bound_that_cannot_be_decoded_is_a_finding(self):
        from parqproof.lake import check_table

        made = self.create(table().schema)
        self.add(made, self.file_of_table(), lower_bounds={1: b"\1", 2: b"\xff"}, upper_bounds={1: struct.pack("<q", 9)})
        result = check_table(made)
        self.assertEqual(claimed(result), [("lake/bound", "id", "0x01", "long"), ("lake/bound", "id", "9", "99"), ("lake/bound", "name", "0xff", "string")])
        self.assertIn("the lower bound of the manifest cannot be decoded as long: 0x01", result.findings.column("message").to_pylist())

    def test_elements_of_lists_and_maps_are_named_by_their_ids(self):
        import pyarrow

        from parqproof.lake import check_table

        columns = pyarrow.table({"l": pyarrow.array([[1], None]), "m": pyarrow.array([[("a", 1)]] * 2, pyarrow.map_(pyarrow.string(), pyarrow.int64()))})
        made = self.create(columns.schema)
        made.append(columns)
        noted = notes(check_table(made))[0].split("; ")
        self.assertEqual({note.partition(": ")[2] for note in noted}, {"values of lists and maps are not compared"})
        self.assertEqual(len(noted), 3)

    def test_files_are_read_again_for_other_claims_only(self):
        from pyiceberg.types import StringType
        from parqproof.lake import check_table

        made = self.create(table().schema)
        made.append(table())
        output = self.folder / "output"
        first = check_table(made, output=output)
        path, = first.files.column("path").to_pylist()
        overwrite(path)
        self.assertEqual(check_table(made, output=output).files, first.files)
        with made.update_schema() as update:
            update.add_column("more", StringType())  # of which the file has no claim
        self.assertEqual(check_table(made, output=output).files, first.files)
        with made.update_schema() as update:
            update.delete_column("more")
        made.append(table())
        self.assertEqual(check_table(made, output=output).files.num_rows, 2)


if __name__ == "__main__":
    unittest.main()
