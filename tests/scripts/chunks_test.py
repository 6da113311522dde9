"""The findings of a column chunk do not depend on the previous chunk, which the same thread judges with the same objects."""

import json
import struct

from program import Case, check, report

from builder.codec import plain
from builder.recipes.base_files import chunk, flat, strings
from builder.codec.file import Chunk, File, Group
from builder.codec.hybrid import Repeated
from builder.codec.metadata import DOUBLE, INT32, RLE_DICTIONARY, edit
from builder.codec.pages import Dictionary, V1, V2
from builder.recipes.values.annotated_values import entries, map_of
from builder.recipes.indexes.bloom_filter import forgotten
from builder.codec.schema import optional, required

NAN = float("nan")


def doubles(values, entries, nans):
    """A row group of one column of doubles, all from the dictionary; its chunk states so many NaNs."""
    numbers = [value for value in values if value == value] or [NAN]
    bounds = {"min_value": plain.bare(DOUBLE, min(numbers)), "max_value": plain.bare(DOUBLE, max(numbers))}
    chunk = Chunk([Dictionary(entries), V1(None, RLE_DICTIONARY)], meta={"statistics": {"null_count": 0, "nan_count": nans, **bounds}})
    return Group([{"d": value} for value in values], [chunk])


def integers(values, pages, **statistics):
    return Group([{"n": value} for value in values], [Chunk(pages, meta={"statistics": statistics})])


def keys(pages):
    """A row group of a map {1: 0, 2: 1}; `pages` replace those of its keys."""
    return Group([entries([1, 2])], {"m.key_value.key": Chunk(pages)})


class Chunks(Case):
    def found(self, children, groups, **more):
        """The broken rules of each row group."""
        path = self.write("a.parquet", File(children, groups=groups, **more).build().data)
        (entry,) = json.loads(check("--jobs", 1, "--format", "json", path).stdout)["files"]
        rules = [set() for _ in groups]
        for finding in entry["findings"]:
            if finding["row_group"] is not None:
                rules[finding["row_group"]].add(finding["rule"])
        return rules

    def test_an_offset_index_of_other_pages_is_compared_with_nothing_else(self):
        def wrong(offsets, sizes):
            def change(index):
                edit(index, {f"page_locations[{i}].offset": index.at(f"page_locations[{i}].offset") - 2 for i in offsets})
                edit(index, {f"unencoded_byte_array_data_bytes[{i}]": index.at(f"unencoded_byte_array_data_bytes[{i}]") + 4 for i in sizes})
            return strings(chunk(V1(1), V1(1), V1(), offset_index=change, sizes=True)).build().data

        for offsets, sizes, rules in (((0, 1, 2), (0, 1), ["offset-index/offset"]),
                                      ((0, 1), (0, 1), ["offset-index/offset", "offset-index/unencoded-bytes"])):
            (entry,) = json.loads(check("--format", "json", self.write("a.parquet", wrong(offsets, sizes))).stdout)["files"]
            self.assertEqual(sorted({finding["rule"] for finding in entry["findings"] if finding["severity"] == "error"}), rules)

    def test_nan_entries_are_reset_between_chunks(self):
        groups = [doubles([NAN, 1.0, NAN], [NAN, 1.0], 2), doubles([2.0, 3.0, 2.0], [2.0, 3.0], 0), doubles([4.0, NAN], [4.0, NAN], 1)]
        for order in (groups, groups[::-1], groups[1:] + groups[:1]):
            self.assertEqual(self.found([required("d", DOUBLE)], order, column_orders=True), [set()] * 3)
        wrong = doubles([2.0, 3.0, 2.0], [2.0, 3.0], 1)
        self.assertEqual(self.found([required("d", DOUBLE)], [groups[0], wrong, groups[2]], column_orders=True), [set(), {"statistics/nan-count"}, set()])

    def test_unused_dictionary_entries_are_no_values(self):
        five = struct.pack("<i", 5)
        coded = integers([5, 5], [Dictionary([5]), V1(None, RLE_DICTIONARY)], null_count=0, min_value=five, max_value=five)
        nulls = integers([None, None], [Dictionary([5]), V1()], null_count=2, min_value=five, max_value=five)
        for groups in ([nulls], [coded, nulls], [nulls, coded]):
            for group, rules in zip(groups, self.found([optional("n", INT32)], groups, column_orders=True)):
                self.assertEqual("statistics/all-null-bounds" in rules, group is nulls)

    def test_duplicate_keys_are_found_in_a_map_without_a_page_start(self):
        broken = keys([V1(entries=[(1, 2, 7), (1, 2, 7)])])
        for groups in ([broken], [keys([V1()]), broken], [keys([V1(1), V1()]), broken]):
            self.assertIn("logical-type/map-duplicate-keys", self.found([map_of(required("key", INT32))], groups)[-1])

    def test_a_value_missing_from_a_filter_is_counted_in_its_page(self):
        for pages, expected in (([V1(2), V2(3), V1(2), V1()], "value 1 of page 2 "), ([V1(6), V1()], "value 0 of page 1 "),
                                ([Dictionary(range(1, 9)), V1(6, RLE_DICTIONARY), V1()], "value 0 of page 2 ")):
            chunk = Chunk(pages, bloom=True, bits=forgotten(INT32, 7, range(8)))
            path = self.write("a.parquet", flat(chunk, n=8).build().data)
            messages = [one["message"] for one in report(path)["files"][0]["findings"] if one["rule"] == "bloom-filter/false-negative"]
            self.assertEqual([message.startswith(expected) for message in messages], [True])

    def test_a_value_outside_a_bound_is_reported_in_its_row(self):
        one = struct.pack("<i", 1)
        values = [1] * 5000 + [None] * 5000 + [1, 1, 9] + [1] * 5000
        runs = [Repeated(5000, 1), Repeated(5000, 0), Repeated(5003, 1)]  # too long to be expanded
        for pages in ([V1()], [V1(4), V1()], [V1(defs=runs)], [V2(defs=runs)], [Dictionary([1, 9]), V1(None, RLE_DICTIONARY, defs=runs)]):
            group = integers(values, pages, null_count=5000, min_value=one, max_value=one)
            path = self.write("a.parquet", File([optional("n", INT32)], groups=[group], column_orders=True).build().data)
            (message,) = [one["message"] for one in report(path)["files"][0]["findings"] if one["rule"] == "statistics/max-value"]
            self.assertIn(", row 10002 of the row group", message)

    def test_a_total_of_the_row_group_that_repeats_the_wrong_size_of_a_column_is_not_reported_again(self):
        rows, children = [{"a": i, "b": i} for i in range(5)], [required("a", INT32), required("b", INT32)]
        sizes = [chunk.metadata() for chunk in File(children, rows).build().chunks[0]]
        for name, total, rule in (("total_compressed_size", "total_compressed_size", "column-chunk/total-compressed-size"),
                                  ("total_uncompressed_size", "total_byte_size", "column-chunk/total-uncompressed-size")):
            for column in (0, 1):
                chunks = [Chunk(meta={name: sizes[column][name] + 4}) if i == column else Chunk() for i in (0, 1)]
                stated = {total: sum(size[name] for size in sizes) + 4}
                self.assertEqual(self.found(children, [Group(rows, chunks, stated)]), [{rule}])
