"""Effects of published writer bugs on values, without a contradiction in the file. The writer is named by
created_by, or by a key of Spark or Drill."""

import struct

from builder.codec.metadata import DATE, DOUBLE, INT32, INT64, INT96, RLE_DICTIONARY, TIMESTAMP_MICROS, TIMESTAMP_MILLIS
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import required
from builder.expect.places import V
from builder.expect.witness import Also
from builder.recipes.base_files import chunk, column

TYPE = V("row_groups[0].columns[0].meta_data.type")
OLD = Also("schema/int96-deprecated", V("schema[1].type", leaf=0), "the rule is about this deprecated type")
SWITCH = -141_427  # 1582-10-15, in days since 1970-01-01
DAY = 86_400_000
UNIX_DAY = 2_440_588  # the Julian day of 1970-01-01
SHIFT = 2 * UNIX_DAY


def keys(*pairs, **more):
    """A footer with these keys."""
    return {"key_value_metadata": [{"key": key, "value": value} for key, value in pairs], **more}


SPARK_2 = keys(("org.apache.spark.version", "2.4.6"))
SPARK_UNNAMED = keys(("org.apache.spark.sql.parquet.row.metadata", "{}"))
SPARK_3 = keys(("org.apache.spark.version", "3.0.0"), ("org.apache.spark.sql.parquet.row.metadata", "{}"))
DRILL_8 = keys(("drill.version", "1.8.0"))
DRILL_9 = keys(("drill.version", "1.9.0"))


def dates(items, footer, *pages):
    return column(required("d", INT32, converted_type=DATE, logicalType={"DATE": {}}), items, chunk(*pages), footer=footer)


def moments(items, footer, unit=TIMESTAMP_MILLIS):
    moment = {"isAdjustedToUTC": True, "unit": {"MILLIS" if unit == TIMESTAMP_MILLIS else "MICROS": {}}}
    return column(required("t", INT64, converted_type=unit, logicalType={"TIMESTAMP": moment}), items, chunk(), footer=footer)


def int96(days, footer):
    return column(required("t", INT96), [struct.pack("<qi", 0, UNIX_DAY + day) for day in days], chunk(), footer=footer)


def witnesses(c):
    calendar(c)

    c.rule("known-writer/date-shift")
    c.fail("a date of 2018, shifted by Drill 1.8", dates([17_897 + SHIFT, 3], DRILL_8), TYPE, found=str(17_897 + SHIFT), expected="2019-01-01")
    c.fail("the first day of the year 10000", dates([2_932_897], DRILL_8), TYPE, found="2932897", expected="-1948279")
    c.ok("the last day of the year 9999", dates([2_932_896], DRILL_8))
    c.ok("Drill 1.9 does not shift dates", dates([17_897 + SHIFT], DRILL_9))
    c.ok("another writer", dates([17_897 + SHIFT], None))

    c.rule("known-writer/int96-zone")
    impala = {"created_by": "impala version 3.4.0-RELEASE (build 0)"}
    c.fail("a timestamp by Impala", int96([0], impala), V("schema[1].type", leaf=0), OLD)
    c.ok("a timestamp by another writer", int96([0], None), OLD)
    c.ok("a date by Impala", dates([0], impala))

    c.rule("known-writer/changed-values")
    carquet = {"created_by": "Carquet"}
    named = Also("footer/created-by-format", V("created_by"), "so Carquet names itself")
    c.fail("floating-point numbers by Carquet", column(required("x", DOUBLE), [1.0, 2.0], footer=carquet), V("schema[1].type", leaf=0), named)
    c.ok("integers by Carquet", column(required("i", INT32), [1], footer=carquet), named)
    c.ok("floating-point numbers by another writer", column(required("x", DOUBLE), [1.0, 2.0]))


def calendar(c):
    c.rule("known-writer/calendar")
    old, shown = -353_914, "1001-01-07"  # 1001-01-01 in the Julian calendar
    c.fail("1001-01-01 by Spark 2.4", dates([17_897, old], SPARK_2), TYPE, found=shown)
    c.fail("the day before the Gregorian calendar begins, by a Spark that names no version", dates([SWITCH - 1], SPARK_UNNAMED), TYPE,
           found="1582-10-14")
    c.fail("1001-01-01 in a dictionary, in v2 pages", dates([old, 3, old], SPARK_2, Dictionary([3, old]), V2(1, RLE_DICTIONARY), V2(2, RLE_DICTIONARY)),
           TYPE, found=shown)
    c.fail("1001-01-01 in the second page", dates([3, 4, old], SPARK_2, V1(2), V1(1)), TYPE, found=shown)
    for name, unit, factor in (("milliseconds", TIMESTAMP_MILLIS, 1), ("microseconds", TIMESTAMP_MICROS, 1_000)):
        c.fail(f"a moment before the Gregorian calendar begins, in {name}", moments([0, SWITCH * DAY * factor - 1], SPARK_2, unit), TYPE,
               found="1582-10-14")
        c.ok(f"the first moment of the Gregorian calendar, in {name}", moments([SWITCH * DAY * factor], SPARK_2, unit))
    c.fail("1001-01-01 as INT96", int96([0, old], SPARK_2), TYPE, OLD, found=shown)
    c.ok("the first day of the Gregorian calendar", dates([SWITCH], SPARK_2))
    c.ok("the first day of the Gregorian calendar as INT96", int96([SWITCH], SPARK_2), OLD)
    c.ok("the same date by Spark 3", dates([old], SPARK_3))
    c.ok("the same date by another writer", dates([old], None))
    c.ok("the same number without an annotation", column(required("i", INT32), [old], footer=SPARK_2))
