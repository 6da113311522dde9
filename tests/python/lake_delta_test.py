"""parqproof.lake: the statistics in logs of Delta, of which deltalake drops what it cannot parse."""
import datetime
import json
import pathlib
import unittest
from decimal import Decimal

from files import needed
from lake_files import LakeTest, table


def bounds(result):
    return sorted((row["column"], row["found"], row["expected"]) for row in result.findings.to_pylist() if row["rule"] == "lake/bound")


@needed("deltalake")
@needed("fsspec")
@needed("pyarrow")
class StatisticsTest(LakeTest):
    def write(self, columns):
        import deltalake

        deltalake.write_deltalake(str(self.data), columns, mode="append")

    def change(self, **values):
        """Changes members of the statistics of the last commit."""
        log = max(pathlib.Path(self.data, "_delta_log").glob("*.json"))
        actions = [json.loads(line) for line in log.read_text().splitlines()]
        for add in (action["add"] for action in actions if "add" in action):
            statistics = json.loads(add["stats"])
            for name, members in values.items():
                statistics[name].update(members)
            add["stats"] = json.dumps(statistics)
        log.write_text("".join(json.dumps(action) + "\n" for action in actions))

    def check(self, **options):
        import deltalake

        from parqproof.lake import check_table

        return check_table(deltalake.DeltaTable(str(self.data), **options))

    def test_bounds_that_cannot_be_decoded_are_findings(self):
        import pyarrow

        day, time = datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone.utc)
        for column, value, found, kind in (("d", day, "xx", "date"), ("d", day, 5, "date"), ("d", day, "2020-13-01", "date"),
                                           ("i", 7, 1.5, "long"), ("t", time, "noon", "timestamp")):
            with self.subTest(found=found, kind=kind):
                self.data = self.folder / f"{kind}-{found}"
                self.write(pyarrow.table({column: pyarrow.array([value], pyarrow.timestamp("us", "UTC") if column == "t" else None), "other": [3]}))
                self.change(minValues={column: found}, maxValues={"other": 2})
                self.assertEqual(bounds(self.check()), sorted([(column, str(found), kind), ("other", "2", "3")]))

    def test_the_statistics_of_checkpoints_and_versions(self):
        import deltalake
        import pyarrow

        columns = pyarrow.table({"d": [datetime.date(2020, 1, 2)]})
        self.write(columns)
        self.change(minValues={"d": "first"})
        self.write(columns)
        self.change(maxValues={"d": "second"})
        first, second = (("d", name, "date") for name in ("first", "second"))
        self.assertEqual(bounds(self.check()), [first, second])
        self.assertEqual(bounds(self.check(version=0)), [first])
        deltalake.DeltaTable(str(self.data)).create_checkpoint()
        self.write(columns)
        self.change(maxValues={"d": "third"})
        for log in sorted(pathlib.Path(self.data, "_delta_log").glob("*.json"))[:2]:
            log.unlink()
        self.assertEqual(bounds(self.check()), [first, second, ("d", "third", "date")])

    def test_values_that_deltalake_drops_are_those_of_the_log(self):
        from parqproof.lake import delta
        from parqproof.lake.entry import Undecodable

        kinds = {"i": "integer", "f": "double", "n": "float", "s": "string", "b": "boolean", "e": "decimal(9,2)", "d": "date", "t": "timestamp",
                 "z": "timestamp_ntz", "old": "date", "x.y": "byte", "wide": "short"}
        texts = delta._texts('{"minValues": {"i": "abc", "f": 0.5, "n": "NaN", "s": "5", "b": true, "e": 1.10, "d": "2020-01-02", "x": {"y": -128},'
                             '"t": "2020-01-02T03:04:05.006+01:00", "z": "2020-01-02 03:04:05", "old": "-0044-03-15", "wide": 32768, "none": 1, "l": null}}')
        found = delta._bounds(None, texts["minValues"], kinds)
        self.assertNotEqual(found["n"], found.pop("n"))
        self.assertEqual(found, {
            "i": Undecodable("abc", "integer"), "f": 0.5, "s": "5", "b": True, "e": Decimal("1.10"), "d": datetime.date(2020, 1, 2), "x.y": -128,
            "t": datetime.datetime(2020, 1, 2, 2, 4, 5, 6000, datetime.timezone.utc), "z": datetime.datetime(2020, 1, 2, 3, 4, 5),
            "old": "-0044-03-15", "wide": Undecodable("32768", "short")})
        self.assertEqual(delta._bounds({"i": 3, "d": None}, {"i": "3", "d": "2020-01-02"}, kinds), {"i": 3, "d": datetime.date(2020, 1, 2)})
        self.assertEqual((delta._texts("no JSON"), delta._texts("[]"), delta._bounds(None, "7", kinds)), ({}, {}, {}))
        self.assertEqual(delta._null_counts({"i": 1}, {"i": "9", "s": "2", "f": "x"}, kinds), {"i": 1, "s": 2})

    def test_a_table_as_it_is_written_has_no_findings(self):
        for number in range(3):
            self.write(table(100 * number))
        self.assertEqual((bounds(self.check()), self.check().files.column("not_compared").to_pylist()), ([], [None] * 3))


if __name__ == "__main__":
    unittest.main()
