"""Sorting columns: the stated order of the rows of a row group (parquet.thrift SortingColumn)."""

import struct

from builder.codec import wkb
from builder.codec.file import Chunk, File, Group
from builder.codec.metadata import (ASCENDING, BOOLEAN, BYTE_ARRAY, DECIMAL, DESCENDING, DOUBLE, FIXED_LEN_BYTE_ARRAY, FLOAT,
                                    INT32, INT64, INTERVAL, RLE_DICTIONARY, UINT_32)
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.base_files import GROUP, NAN, chunk, column, row



def by(*columns):
    """Edits to a RowGroup: sorted by columns, each (ordinal, descending, nulls_first), or the ordinal alone."""
    entries = [one if isinstance(one, tuple) else (one, False, False) for one in columns]
    return {"sorting_columns": [dict(zip(("column_idx", "descending", "nulls_first"), one)) for one in entries]}


def one(values, *how, kind=INT32, make=required, pages=None, order=None, **attributes):
    """One column `a` of these values that is stated as sorted."""
    return column(make("a", kind, **attributes), values, chunk(*pages) if pages else None, edits=by((0, *(how or (False, False)))),
                  **({"column_orders": [order]} if order else {}))


def pairs(rows, *columns, make=required, pages=None):
    """Columns `a` and `b`, sorted by columns."""
    return File([make("a", INT32), make("b", INT32)], [dict(zip("ab", row)) for row in rows], chunk(*pages) if pages else None, edits=by(*columns))


def variants(values):
    """A VARIANT that is stated as sorted by its field `value`."""
    group = optional("v", [required("metadata", BYTE_ARRAY), required("value", BYTE_ARRAY)], logicalType={"VARIANT": {"specification_version": 1}})
    return File([group], [{"v": {"metadata": b"\1\0\0", "value": value}} for value in values], edits=by(1))


def field(name, entry=0, group=0):
    return V(f"row_groups[{group}].sorting_columns[{entry}].{name}")


def in_row(value, row, page=0, name="a"):
    return f"{value} in row {row}, page {page} of column {name}"


def witnesses(c):
    lists(c)
    ascending(c)
    kinds(c)
    several(c)
    nulls(c)
    not_numbers(c)
    page_order(c)


def lists(c):
    index = field("column_idx")
    c.rule("sorting/column-index")
    c.fail("the number of columns", File([required("a", INT32)], [{"a": 1}, {"a": 2}], edits=by(1)), index, tier="footer")
    c.fail("below zero", File([required("a", INT32)], [{"a": 1}, {"a": 2}], edits=by(-1)), index)
    c.fail("the second of two entries", pairs(((1, 2), (2, 1)), 0, 2), field("column_idx", 1))
    c.ok("the last column", pairs(((2, 1), (1, 2)), 1))

    c.rule("sorting/column-twice")
    c.fail("the same entry twice", pairs(((1, 1), (2, 1)), 0, 0), field("column_idx", 1))
    c.fail("once in each direction", pairs(((1, 1), (2, 1)), 0, (0, True, False)), field("column_idx", 1))
    c.fail("a column twice, by which the rows are sorted, and another after it", pairs(((1, 1), (1, 2), (2, 1)), 0, 0, 1), field("column_idx", 1))
    c.ok("two columns", pairs(((1, 1), (1, 2), (2, 0)), 0, 1))

    c.rule("sorting/empty-list")
    c.fail("a list of no sorting column", column(required("a", INT32), (2, 1), edits={"sorting_columns": []}), V(GROUP + ".sorting_columns"))
    c.ok("no list", column(required("a", INT32), (2, 1)))
    c.ok("a list of one", one((1, 2)))

    c.rule("sorting/repeated-column")
    c.fail("the element of a list", File([list_of("l", optional("e", INT32))], [{"l": {"list": [{"e": 1}]}}] * 2, edits=by(0)), index,
           found="the repeated column l.list.element")
    c.fail("the element of a list, after a column that is not repeated", File([required("a", INT32), list_of("l", required("e", INT32))], [{"a": 1, **row([2])}, {"a": 2, **row([1])}],
           edits=by(0, 1)), field("column_idx", 1), found="the repeated column l.list.element")
    c.ok("a field of a struct", File([optional("s", [optional("a", INT32)])], [{"s": {"a": 1}}, {"s": {"a": None}}, {"s": None}], edits=by(0)))

    c.rule("sorting/undefined-order")
    span = lambda days: struct.pack("<III", 0, days, 0)
    interval = dict(kind=FIXED_LEN_BYTE_ARRAY, type_length=12, converted_type=INTERVAL)
    c.fail("an INTERVAL", one((span(1), span(2)), **interval), index, found="column a of INTERVAL")
    for kind in ("GEOMETRY", "GEOGRAPHY"):
        points = tuple(wkb.encode(wkb.point(i, i)).data for i in (1, 2))
        c.fail(f"a {kind}", one(points, kind=BYTE_ARRAY, logicalType={kind: {}}), index, found=f"column a of {kind}")
    c.ok("the value of a VARIANT, whose bytes have an order", variants((b"\0", b"\4")))
    c.ok("INTEGERs", one((1, 2)))
    c.ok("bytes without an annotation", one((span(1), span(2)), kind=FIXED_LEN_BYTE_ARRAY, type_length=12))


def ascending(c):
    order, down = field("column_idx"), field("descending")
    c.rule("sorting/order")
    c.fail("the last row is out of order", one((1, 3, 2)), order, found=in_row(2, 2), expected="3 or more")
    c.fail("the second row is out of order", one((2, 1, 3, 4)), order, found=in_row(1, 1), expected="2 or more")
    c.fail("the last row is out of a descending order", one((3, 1, 2), True, False), order, found=in_row(2, 2), expected="1 or less")
    c.fail("descending is false for descending rows", one((3, 2, 2, 1)), down, found=in_row(2, 1), expected="3 or more")
    c.fail("descending is true for ascending rows", one((1, 2, 3), True, False), down, found=in_row(2, 1), expected="1 or less")
    c.fail("between two pages", one((1, 2, 1, 2), pages=(V1(2), V1())), order, found=in_row(1, 2, 1), expected="2 or more")
    c.fail("in the third of three v2 pages", one((1, 2, 3, 4, 5, 4), pages=(V2(2), V2(2), V2())), order, found=in_row(4, 5, 2), expected="5 or more")
    c.fail("by a dictionary", one((1, 2, 1, 2), pages=(Dictionary([1, 2]), V1(encoding=RLE_DICTIONARY))), order, found=in_row(1, 2, 1), expected="2 or more")
    c.fail("in the second row group", File([required("a", INT32)], groups=[Group([{"a": 2}, {"a": 3}], edits=by(0)), Group([{"a": 1}, {"a": 2}, {"a": 1}], edits=by(0))]),
           field("column_idx", group=1), found=in_row(1, 2), expected="2 or more")
    c.fail("column_idx is that of the next column", pairs(((1, 3), (2, 1), (3, 2)), 1), order, found=in_row(1, 1, name="b"), expected="3 or more")
    c.ok("ascending rows", one((1, 2, 2, 3)))
    c.ok("descending rows", one((3, 2, 2, 1), True, False))
    c.ok("rows of one value", one((1, 1, 1), True, True))
    c.ok("one row", one((1,)))
    c.ok("ascending over three pages", one((1, 2, 2, 3, 4, 4), pages=(V1(2), V1(2), V1())))
    c.ok("ascending by a dictionary that descends", one((1, 1, 2, 3), pages=(Dictionary([3, 2, 1]), V1(2, encoding=RLE_DICTIONARY), V1(encoding=RLE_DICTIONARY))))
    c.ok("each row group is in order, all of them together are not",
         File([required("a", INT32)], groups=[Group([{"a": 2}, {"a": 3}], edits=by(0)), Group([{"a": 1}, {"a": 2}], edits=by(0))]))


def kinds(c):
    """Each order of values."""
    order, down = field("column_idx"), field("descending")
    decimal = dict(converted_type=DECIMAL, scale=0, precision=9, logicalType={"DECIMAL": {"scale": 0, "precision": 9}})
    big = lambda number: number.to_bytes(number.bit_length() // 8 + 1, "big", signed=True)
    total = {"IEEE_754_TOTAL_ORDER": {}}
    unsigned = dict(converted_type=UINT_32, logicalType={"INTEGER": {"bitWidth": 32, "isSigned": False}})
    half = lambda number: struct.pack("<e", number)
    of_half = dict(kind=FIXED_LEN_BYTE_ARRAY, type_length=2, logicalType={"FLOAT16": {}})
    c.rule("sorting/order")
    for name, values, more in (
            ("INT64", (-5, 0, 7), {"kind": INT64}),
            ("UINT_32", (1, 2**31 - 1, -1), unsigned),
            ("BOOLEAN", (False, True), {"kind": BOOLEAN}),
            ("FLOAT", (-1.5, 0.0, 2.0), {"kind": FLOAT}),
            ("DOUBLE", (-1.5, 0.0, 2.0), {"kind": DOUBLE}),
            ("DOUBLE in total order", (-1.5, -0.0, 0.0, 2.0), {"kind": DOUBLE, "order": total}),
            ("FLOAT16", (half(-2), half(-1), half(1)), of_half),
            ("BYTE_ARRAY", (b"", b"a", b"ab", b"\x7f", b"\x80"), {"kind": BYTE_ARRAY}),
            ("FIXED_LEN_BYTE_ARRAY", (b"\0\1", b"\1\0", b"\x80\0"), {"kind": FIXED_LEN_BYTE_ARRAY, "type_length": 2}),
            ("DECIMAL in BYTE_ARRAY", (big(-1000), big(-1), big(2), big(300)), {"kind": BYTE_ARRAY, **decimal})):
        shown = {"BOOLEAN": ("false", "true"), "UINT_32": ("2147483647", "4294967295")}.get(name)
        c.ok(f"{name} ascending", one(values, **more))
        c.ok(f"{name} descending", one(values[::-1], True, False, **more))
        if shown:
            c.fail(f"descending is false for descending {name}", one(values[::-1], **more), down, found=in_row(shown[0], 1), expected=shown[1] + " or more")
    c.fail("UINT_32 in the order of signed numbers", one((-1, 0, 1), **unsigned), order, found=in_row(0, 1), expected="4294967295 or more")
    c.fail("BYTE_ARRAY in the order of signed bytes", one((b"\x80", b"a", b"b"), kind=BYTE_ARRAY), order, found=in_row('"a"', 1), expected="0x80 or more")
    c.fail("DECIMALs as bytes", one((big(2), big(300), big(-1)), kind=BYTE_ARRAY, **decimal), order, found=in_row(-1, 2), expected="300 or more")
    c.fail("zeros in the wrong order of the column", one((-1.0, 0.0, -0.0, 1.0), kind=DOUBLE, order=total), order, found=in_row("-0", 2), expected="0 or more")
    c.ok("zeros of different signs without a total order", one((-1.0, 0.0, -0.0, 1.0), kind=DOUBLE))
    c.ok("booleans of one value", one((True,) * 9, kind=BOOLEAN))


def several(c):
    order, down = field("column_idx", 1), field("descending", 1)
    c.rule("sorting/order")
    c.fail("the second column where rows are alike in the first", pairs(((1, 1), (1, 3), (1, 2), (2, 0)), 0, 1), order,
           found=in_row(2, 2, name="b"), expected="3 or more")
    c.fail("the second column descends where rows are alike in the first", pairs(((1, 2), (1, 1), (2, 9), (2, 8)), 0, 1), down,
           found=in_row(1, 1, name="b"), expected="2 or more")
    c.fail("the first column is the second", pairs(((1, 1), (2, 1), (1, 2)), 0, 1), field("column_idx"), found=in_row(1, 2), expected="2 or more")
    c.fail("in the last of three pages", pairs(((1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 4)), 0, 1, pages=(V1(2), V1(2), V1())), order,
           found=in_row(4, 5, 2, "b"), expected="5 or more")
    c.fail("the second column is in both entries, and the rows are not sorted by it", pairs(((1, 3), (2, 2), (3, 1)), 1, 1), field("column_idx"),
           found=in_row(2, 1, name="b"), expected="3 or more")
    c.ok("the second column decides where rows are alike in the first", pairs(((1, 2), (1, 3), (2, 1), (2, 1)), 0, 1))
    c.ok("the second column descends", pairs(((1, 3), (1, 2), (2, 9)), 0, (1, True, False)))
    c.ok("the columns in reverse", pairs(((1, 1), (0, 2), (2, 2)), 1, 0))
    c.ok("rows that differ in the first column need no order in the second", pairs(((1, 3), (2, 1), (3, 2)), 0, 1))
    zeros = File([required("a", DOUBLE), required("b", INT32)], [{"a": 0.0, "b": 2}, {"a": -0.0, "b": 1}], edits=by(0, 1))
    c.ok("rows that differ only in the sign of zero are not compared", zeros)
    c.fail("by the field `value` of a VARIANT", variants((b"\0", b"\4", b"\0")), field("column_idx"),
           found=in_row("0x00", 2, name="v.value"), expected="0x04 or more")


def nulls(c):
    flag = field("nulls_first")
    first, last = in_row("a null behind a value", 2), in_row("a value behind a null", 1)
    c.rule("sorting/nulls")
    c.fail("nulls are last, and nulls_first is true", one((1, 2, None), False, True, make=optional), flag, found=first)
    c.fail("nulls are first, and nulls_first is false", one((None, 1, 2), make=optional), flag, found=last)
    c.fail("the same in a descending order", one((None, 2, 1), True, False, make=optional), flag, found=last)
    c.fail("a null in the middle", one((1, None, 2), make=optional), flag, found=in_row("a value behind a null", 2))
    c.fail("in the second page", one((1, 2, None), False, True, make=optional, pages=(V1(2), V1())), flag, found=in_row("a null behind a value", 2, 1))
    c.fail("nulls of the second column where rows are alike in the first", pairs(((1, None), (1, 2), (2, 1)), 0, 1, make=optional),
           field("nulls_first", 1), found=in_row("a value behind a null", 1, name="b"))
    c.ok("nulls last", one((1, 2, None, None), make=optional))
    c.ok("nulls first", one((None, None, 1, 2), False, True, make=optional))
    c.ok("nulls last of a descending order", one((2, 1, None), True, False, make=optional))
    c.ok("nulls first, over three pages", one((None, None, None, 1, 2, 3), False, True, make=optional, pages=(V2(2), V2(2), V2())))
    c.ok("nulls alone", one((None, None), make=optional))
    c.ok("nulls of the second column by rows that are alike in the first", pairs(((1, 2), (1, None), (2, 1), (2, None)), 0, 1, make=optional))


def not_numbers(c):
    index = field("column_idx")
    c.rule("sorting/nan")
    c.fail("NaN after all numbers", one((1.0, 2.0, NAN), kind=DOUBLE), index, found=in_row("NaN", 2), rows=None)
    c.fail("NaN before all numbers", one((NAN, 1.0, 2.0), kind=FLOAT), index, found=in_row("a number behind NaN", 1), rows=None)
    c.ok("NaN in the place that the total order of the column gives it", one((1.0, 2.0, NAN), kind=DOUBLE, order={"IEEE_754_TOTAL_ORDER": {}}), rows=None)
    c.ok("infinity", one((1.0, 2.0, float("inf")), kind=DOUBLE))


def page_order(c):
    boundary = V("boundary_order", index="column_index", chunk=(0, 0))
    indexed = lambda values, *how, order: column(required("a", INT32), values, Chunk(
        [V1(2), V1()], column_index={"boundary_order": order}, offset_index=True), edits=by((0, *how)), column_orders=True)
    c.rule("sorting/page-order")
    c.fail("pages of ascending rows are UNORDERED", indexed((1, 2, 3, 4), False, False, order=0), boundary, expected="ASCENDING")
    c.fail("pages of descending rows are UNORDERED", indexed((4, 3, 2, 1), True, False, order=0), boundary, expected="DESCENDING")
    c.ok("pages of ascending rows are ASCENDING", indexed((1, 2, 3, 4), False, False, order=ASCENDING))
    c.ok("pages of descending rows are DESCENDING", indexed((4, 3, 2, 1), True, False, order=DESCENDING))
    c.ok("pages with the same bounds", indexed((1, 1, 1, 1), False, False, order=DESCENDING))
