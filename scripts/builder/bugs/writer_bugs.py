"""For each published bug of a writer two files: one written by an affected version, with its fault, and one with the same fault by the
first fixed version. The fault is that of a witness; the writer is one edit of the footer. If a fault of the same rule can look another
way, a third file has it, by the affected version: the bug is not named for it."""

import copy
import re
import struct

from builder.codec import hybrid
from builder.codec.file import Chunk, File
from builder.codec.hybrid import Repeated
from builder.codec.marked import Marked
from builder.codec.metadata import BOOLEAN, BYTE_ARRAY, DOUBLE, DROP, FIXED_LEN_BYTE_ARRAY, INT32, RLE_DICTIONARY, ZSTD, edit
from builder.codec.pages import V1, V2, Dictionary
from builder.codec.schema import list_of, optional, required
from builder.expect.places import V, Body
from builder.expect.witness import Also, Collection, Witness
from builder.recipes.base_files import META, chunk, column, flat, lists, row
from builder.recipes.indexes.offset_index import LOCATIONS, at, by as added, listed, rows_of_lists
from builder.recipes.statistics.statistics import AT, NAN, stated

INDEX = {"index": "column_index", "chunk": (0, 0)}

#: The keys of key_value_metadata that name a writer.
KEYS = {"Spark": "org.apache.spark.version", "Drill": "drill.version"}
#: Rules that depend on the writer: the same file of another writer does not break them.
BY_WRITER = ("footer/created-by-format", "known-writer/")

#: Bug | an affected writer | the first fixed one, or another | rule | words of the witness's description
ROWS = """
arrow2-dictionary-page-compression | Arrow2 - Native Rust implementation of Arrow | parquet-rs version 60.1.0 | compression/stream | the dictionary page is not compressed
arrow2-encodings-per-leaf | Arrow2 - Native Rust implementation of Arrow | parquet-rs version 60.1.0 | row-group/column-count | one chunk for two leaves
arrow2-last-group | Arrow2 - Native Rust implementation of Arrow | parquet-rs version 60.1.0 | rle/last-group | group of levels, v1
arrow2-nested-levels | Arrow2 - Native Rust implementation of Arrow | parquet-rs version 60.1.0 | levels/repetition-range | level 3 of at most 2 in a repeated run, v1
carquet-boolean-batches | Carquet | parquet-cpp-arrow version 26.0.1 | page/trailing-bytes | booleans begin a new byte
carquet-split-batches | Carquet | parquet-cpp-arrow version 26.0.1 | known-writer/changed-values | floating-point numbers
clickhouse-created-by | ClickHouse v25.9.1.1-testing | ClickHouse version 25.10.1 (build 5b1dfb14925db8901a4e9202cd5d63c11ecfbb9f) | footer/created-by-format | a name alone
clickhouse-decimal-bounds | ClickHouse v25.7.1.3997 | ClickHouse v25.8.1 | statistics/min-value | decimals in unsigned order
clickhouse-index-bounds | ClickHouse version 26.3.3.20 (build 0) | ClickHouse version 26.4.1.1123 (build 0) | column-index/bounds | max_value of the page is empty
clickhouse-nullable-tuple | ClickHouse version 26.9.2.1 (build 0) | parquet-cpp-arrow version 26.0.1 | levels/siblings-agree | the group is present in one leaf
clickhouse-size-statistics | ClickHouse version 26.8.1.1 (build 0) | parquet-rs version 60.1.0 | size-statistics/unencoded-bytes | the bytes of the values are one more
drill-date-shift | Drill 1.8.0 | Drill 1.9.0 | known-writer/date-shift | shifted by Drill
duckdb-array-null-levels | DuckDB version v1.5.5 (build 0) | parquet-cpp-arrow version 26.0.1 | levels/repetition-after-empty | an element follows in a null list
duckdb-column-orders | DuckDB version v1.4.5 (build 0) | DuckDB version v1.5.0 (build 0) | footer/column-orders-present | bounds of a chunk
duckdb-created-by | DuckDB | DuckDB version v1.1.1 (build 0) | footer/created-by-format | a name alone
duckdb-data-page-offset | DuckDB | DuckDB version v0.10.1 (build 0) | column-chunk/data-page-offset | leaves out the header of the dictionary page
duckdb-delta-count | DuckDB version v1.2.0 (build 5f5512b827) | DuckDB version v1.2.1 (build 0) | delta-binary-packed/total-count | nulls are counted: INT32, v1
duckdb-dictionary-page-offset | DuckDB | DuckDB version v0.10.3 (build 0) | column-chunk/dictionary-before-data | dictionary_page_offset equals data_page_offset
duckdb-dictionary-stats | DuckDB version v1.5.4 (build 0) | DuckDB version v1.5.5 (build 0) | statistics/max-value | values of a dictionary
duckdb-empty-run | DuckDB version v1.3.1 (build 0) | DuckDB version v1.4.0 (build 0) | levels/section-consumed | an empty run after the last
duckdb-empty-struct | DuckDB | DuckDB version v0.7.1 (build 0) | schema/empty-group | next to a leaf
duckdb-index-width | DuckDB version v1.5.6 (build 0) | DuckDB version v2.0.0 (build d54cbbe3df) | dictionary/bit-width-minimal | width 3 for three entries
duckdb-spilled-strings | DuckDB | DuckDB version v0.9.0 (build 0) | logical-type/utf8 | a continuation without a lead byte, in a STRING
fastparquet-dictionary-size | fastparquet-python version 1.0.0 (build 111) | fastparquet-python version 0.1.5 (build 0) | column-chunk/total-compressed-size | leaves out the dictionary page
fastparquet-last-group | fastparquet-python version 2026.5.0 (build 0) | fastparquet-python version 2026.9.0 (build 0) | rle/last-group | group of indices, v1
hyparquet-boolean-length | hyparquet | hyparquet version 0.10.1 | rle/boolean-length | the length counts values
hyparquet-decimal-bounds | hyparquet | hyparquet version 0.16.9 | statistics/min-value | the bits of a FLOAT
hyparquet-first-row | hyparquet | hyparquet version 0.12.2 | offset-index/first-row | count elements of lists, v1
hyparquet-row-boundary | hyparquet | hyparquet version 0.16.10 | page/v2-row-boundary | the second v2 page
hyparquet-truncated-bounds | hyparquet | hyparquet version 0.15.7 | statistics/max-value | is shortened and not raised
impala-int96-zone | impala version 3.4.0-RELEASE (build 0) | parquet-cpp-arrow version 26.0.1 | known-writer/int96-zone | by Impala
parquet-cpp-arrow-dictionary-batches | parquet-cpp-arrow version 10.0.1 | parquet-cpp-arrow version 11.0.0 | statistics/max-value | values of a dictionary
parquet-cpp-arrow-histogram | parquet-cpp-arrow version 25.0.1 | parquet-cpp-arrow version 26.0.0 | size-statistics/histogram | the counter of values of a nullable column
parquet-cpp-arrow-large-dictionary | parquet-cpp-arrow version 22.0.0 | parquet-cpp-arrow version 23.0.0 | rle/value-count | two indices for three values, v1
parquet-cpp-arrow-list-null-count | parquet-cpp-arrow version 5.0.0 | parquet-cpp-arrow version 6.0.0 | statistics/null-count-leaf | leaves out the list
parquet-cpp-arrow-page-null-count | parquet-cpp-arrow version 11.0.0 | parquet-cpp-arrow version 12.0.0 | page/v2-num-nulls | num_nulls is 0, one entry is null
parquet-cpp-arrow-row-boundary | parquet-cpp-arrow version 11.0.0 | parquet-cpp-arrow version 12.0.0 | page/v2-row-boundary | the second v2 page
parquet-cpp-arrow-row-group-offset | parquet-cpp-arrow version 5.0.0 | parquet-cpp-arrow version 6.0.0 | row-group/file-offset| one byte after
parquet-cpp-arrow-struct-null-count | parquet-cpp-arrow version 26.0.1 | parquet-rs version 60.1.0 | statistics/null-count-leaf | a list of groups
parquet-cpp-decimal-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/min-value | decimals in the order of signed bytes
parquet-cpp-dictionary-page-offset | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | column-chunk/dictionary-page-offset | no dictionary page
parquet-cpp-index-page-offset | parquet-cpp version 1.4.0 | parquet-cpp version 1.5.0 | column-chunk/index-page-offset | a data page
parquet-cpp-lz4-layout | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | compression/lz4-layout | a bare block
parquet-cpp-nan-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/nan-bound-undated | both bounds are NaN
parquet-cpp-zero-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/zero-max | max_value of DOUBLE
parquet-go-arrow-bloom-adaptive | parquet-go version 18.4.0 | parquet-go version 18.5.0 | bloom-filter/false-negative | the last value of INT64
parquet-go-arrow-bloom-dictionary | parquet-go version 18.6.0 | parquet-rs version 60.1.0 | bloom-filter/empty | the values are in a dictionary
parquet-go-arrow-definition-levels | parquet-go version 18.0.0-SNAPSHOT | parquet-go version 18.3.0 | levels/definition-range | required elements
parquet-go-arrow-delta-width | parquet-go version 18.7.0 | parquet-rs version 60.1.0 | delta-binary-packed/bit-width | 33 bits: INT32, v1
parquet-go-arrow-page-rows | parquet-go version 18.6.0 | parquet-rs version 60.1.0 | offset-index/row-boundary | the second v1 page begins inside a list
parquet-go-arrow-row-boundary | parquet-go version 18.6.0 | parquet-go version 18.7.0 | page/v2-row-boundary | the second v2 page
parquet-go-arrow-total-size | parquet-go version 15.0.0 | parquet-go version 16.0.0 | row-group/total-compressed-size | is 1
parquet-go-buffer-bounds | github.com/parquet-go/parquet-go version 0.17.0(build ) | github.com/parquet-go/parquet-go version 0.18.0(build ) | statistics/min-value | min_value of BYTE_ARRAY
parquet-go-decimal-bounds | github.com/parquet-go/parquet-go version 0.32.0(build ) | parquet-rs version 60.1.0 | statistics/min-value | decimals in unsigned order
parquet-go-nan-bounds | github.com/parquet-go/parquet-go version 0.27.0(build ) | github.com/parquet-go/parquet-go version 0.28.0(build ) | statistics/nan-bound-undated | both bounds are NaN
parquet-mr-created-by | parquet-mr | parquet-mr version 1.8.0 (build 0) | footer/created-by-format | a name alone
parquet-mr-delta-prefix | parquet-mr version 1.7.0 (build 0) | parquet-mr version 1.8.0 (build 0) | delta-byte-array/first-prefix | refers to the page before
parquet-mr-dictionary-header-size | parquet-mr version 1.2.8 (build 0) | parquet-mr version 1.2.9 (build 0) | column-chunk/total-compressed-size | leaves out the header of the dictionary page
parquet-mr-dictionary-page-offset | parquet-mr version 1.11.2 (build 0) | parquet-mr version 1.12.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
parquet-mr-map-key-value | parquet-mr version 1.11.0 (build 0) | parquet-mr version 1.11.1 (build 0) | logical-type/unknown-beside-converted | inside a MAP
parquet-mr-merge-byte-size | parquet-mr version 1.10.1 (build 0) | parquet-mr version 1.11.0 (build 0) | row-group/total-byte-size | the compressed sum
parquet-mr-merge-dictionary-offset | parquet-mr version 1.14.4 (build 0) | parquet-mr version 1.15.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
parquet-mr-nan-bounds | parquet-mr version 1.9.0 (build 0) | parquet-mr version 1.10.0 (build 0) | statistics/nan-bound-undated | max_value is NaN
parquet-mr-page-size-overflow | parquet-mr version 1.12.3 (build 0) | parquet-mr version 1.13.0 (build 0) | page/size-negative | uncompressed_page_size of a v1 page
parquet-mr-reused-bounds | parquet-mr version 1.7.0 (build 0) | parquet-mr version 1.8.0 (build 0) | statistics/min | min of byte arrays excludes a value in every order
parquet-mr-row-group-offset | parquet-mr version 1.12.0 (build db75a6815f2ba1d1ee89d1a90aeb296f1f3a8f20) | parquet-mr version 1.12.1 (build 0) | row-group/file-offset | of the second row group
parquet-mr-signed-bounds | parquet-mr version 1.9.0 (build 0) | parquet-mr version 1.10.0 (build 0) | statistics/legacy-order | deprecated bounds of text by signed bytes
parquet-mr-v2-num-nulls | parquet-mr version 1.17.1 (build 0) | parquet-mr version 1.18.0 (build 0) | page/v2-num-nulls-range | num_nulls is -1
parquet-mr-v2-zero-body | parquet-mr version 1.15.2 (build 0) | parquet-mr version 1.16.0 (build 0) | page/v2-zero-body | all is null
parquet-mr-value-count-overflow | parquet-mr version 1.13.1 (build 0) | parquet-mr version 1.14.0 (build 0) | page/num-values-negative | a v1 page of -1 entries
parquet-mr-zstd-page-size | parquet-mr version 1.15.2 (build 0) | parquet-cpp-arrow version 26.0.1 | page/uncompressed-size | two bytes too large
parquet-net-created-by | Parquet.Net v4.5.0 | Parquet.Net version 4.5.1 (build 0) | footer/created-by-format | a name alone
parquet-net-dictionary-indices | Parquet.Net v4.3.3 | Parquet.Net v4.4.0 | dictionary/indices-plain | three indices are PLAIN INT32, v1
parquet-net-map-key | Parquet.Net version 4.16.3 (build 0) | Parquet.Net version 4.16.4 (build 0) | nested-type/map-key-required | an optional key
parquet-net-num-rows | Parquet.Net version 3.0.5 (build 0) | Parquet.Net version 3.1.0 (build 0) | row-group/num-rows | num_rows is 0
parquet-net-string-bounds | Parquet.Net version 3.5.1 (build 0) | Parquet.Net version 3.5.2 (build 0) | statistics/bound-length | min_value of BYTE_ARRAY in values
parquet-net-struct-nulls | Parquet.Net v4.4.7 | Parquet.Net version 4.7.0 (build 0) | levels/siblings-agree | the group is present in one leaf
parquet-rs-arrow-decimal-bounds | parquet-rs version 60.1.0 | parquet-cpp-arrow version 26.0.1 | statistics/min-value | decimals in unsigned order
parquet-rs-boolean-bounds | parquet-rs version 5.1.0 | parquet-rs version 5.2.0 | statistics/bound-length | BOOLEAN
parquet-rs-column-orders | parquet-rs version 49.0.0 | parquet-rs version 50.0.0 | footer/column-orders-present | bounds of a chunk
parquet-rs-decimal-bounds | parquet-rs version 12.0.0 | parquet-rs version 13.0.0 | statistics/min-value | decimals in unsigned order
parquet-rs-definition-levels | parquet-rs version 4.4.0 | parquet-rs version 5.0.0 | levels/definition-range | level 3 of at most 2 in a repeated run, v1
parquet-rs-dictionary-distinct | parquet-rs version 60.1.0 | parquet-cpp-arrow version 26.0.1 | statistics/distinct-count | distinct_count is 4 where two pages
parquet-rs-header-bounds | parquet-rs version 55.1.0 | parquet-rs version 55.2.0 | page/header-size | a page header of
parquet-rs-index-null-pages | parquet-rs version 52.2.0 | parquet-rs version 53.0.0 | column-index/null-page-bounds | min_values of a null page
parquet-rs-int96-bounds | parquet-rs version 55.2.0 | parquet-rs version 56.0.0 | statistics/int96-order | type-defined order
parquet-rs-miniblock-width | parquet-rs version 10.0.0 | parquet-rs version 11.0.0 | delta-binary-packed/unneeded-width | are 255: INT32, v1
parquet-rs-null-count | parquet-rs version 4.2.0 | parquet-rs version 4.3.0 | statistics/null-count | null_count of nulls alone is 0
parquet-rs-offset-index-nan | parquet-rs version 44.0.0 | parquet-rs version 45.0.0 | offset-index/page-count | a page of NaN
parquet-rs-offset-index-null | parquet-rs version 42.0.0 | parquet-rs version 43.0.0 | offset-index/page-count | there is no location
parquet-rs-row-boundary | parquet-rs version 40.0.0 | parquet-rs version 41.0.0 | page/v2-row-boundary | the second v2 page
parquet-rs-string-bounds | parquet-rs version 5.1.0 | parquet-rs version 5.2.0 | statistics/max-value | the longest string
parquet-rs-total-byte-size | parquet-rs version 31.0.0 | parquet-rs version 32.0.0 | row-group/total-byte-size | the compressed sum
parquet-rs-zero-bounds | parquet-rs version 48.0.0 | parquet-rs version 49.0.0 | statistics/zero-max | max_value of FLOAT is
parquetjs-run-groups | parquet.js | parquet-rs version 60.1.0 | rle/last-group | group of levels, v1
polars-byte-array-bounds | Polars | Polars version 1.37.0 (build 0) | statistics/min-value | min_value of BYTE_ARRAY
polars-decimal-bounds | Polars | Polars version 1.37.0 (build 0) | statistics/min-value | decimals in unsigned order
polars-dictionary-page-offset | Polars | Polars version 1.39.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
polars-last-group | Polars | Polars version 0.20.6 (build 0) | rle/last-group | group of indices, v1
polars-zero-bounds | Polars | Polars version 1.39.0 (build 0) | statistics/zero-min | min_value of DOUBLE
segmentio-buffer-bounds | github.com/segmentio/parquet-go version 0.0.0-20230712180008(build 5d42db8f0d47) | github.com/parquet-go/parquet-go version 0.18.0(build ) | statistics/min-value | min_value of BYTE_ARRAY
spark-hybrid-calendar | Spark 2.4.6 | Spark 3.0.0 | known-writer/calendar | by Spark 2.4
xitongsys-index-page-size | parquet-go version latest | parquet-rs version 60.1.0 | offset-index/page-size | sizes leave out the headers
xitongsys-second-footer | parquet-go version latest | parquet-rs version 60.1.0 | recovery/earlier-footer | the same footer twice
"""


#: Bug | rule | words of a witness that breaks a rule of the bug in another way
OTHERS = """
arrow2-dictionary-page-compression | compression/stream | ZSTD: the last block is cut
arrow2-encodings-per-leaf | row-group/column-count | two chunks for one leaf
arrow2-nested-levels | levels/definition-range | level 7 of at most 4
clickhouse-decimal-bounds | statistics/min-value | decimals in the order of signed bytes
clickhouse-index-bounds | column-index/bounds | max_values of BYTE_ARRAY
clickhouse-size-statistics | size-statistics/unencoded-bytes | one less
duckdb-column-orders | footer/column-orders-present | a column index without column orders
duckdb-data-page-offset | column-chunk/data-page-offset | one byte after the first data page
duckdb-delta-count | delta-binary-packed/total-count | the count is 2 for three values: INT32, v1
duckdb-dictionary-page-offset | column-chunk/dictionary-before-data | have changed places
duckdb-empty-run | levels/section-consumed | two bytes after the definition levels, v1
duckdb-index-width | dictionary/bit-width-minimal | width 8 for three entries
fastparquet-dictionary-size | column-chunk/total-compressed-size | one too small
hyparquet-boolean-length | rle/boolean-length | one less than the section has, v1
hyparquet-decimal-bounds | statistics/min-value | the bounds of a DECIMAL are one too large
hyparquet-first-row | offset-index/first-row | first rows of lists are those of the page before
hyparquet-row-boundary | page/v2-num-rows | num_rows of a page of lists is one less
hyparquet-truncated-bounds | statistics/max-value | max_value of BYTE_ARRAY
parquet-cpp-arrow-dictionary-batches | statistics/null-count | null_count of a list counts its elements
parquet-cpp-arrow-histogram | size-statistics/histogram | the counter of definition level 1 is 0
parquet-cpp-arrow-list-null-count | statistics/null-count | null_count of a list counts its elements
parquet-cpp-arrow-page-null-count | page/v2-num-nulls | num_nulls of the first page is 2
parquet-cpp-arrow-row-boundary | page/v2-num-rows | num_rows of a page of lists is one less
parquet-cpp-arrow-row-group-offset | row-group/file-offset | file_offset is 0
parquet-cpp-arrow-struct-null-count | statistics/null-count | null_count of a list counts its elements
parquet-cpp-decimal-bounds | statistics/min-value | decimals in unsigned order
parquet-cpp-dictionary-page-offset | column-chunk/dictionary-page-offset | a byte after the start of the dictionary page
parquet-go-arrow-definition-levels | levels/definition-range | level 7 of at most 4
parquet-go-arrow-delta-width | delta-binary-packed/bit-width | 64 bits for INT32
parquet-go-arrow-row-boundary | page/v2-num-rows | num_rows of a page of lists is one less
parquet-go-decimal-bounds | statistics/min-value | decimals in the order of signed bytes
parquet-mr-dictionary-header-size | column-chunk/total-compressed-size | one too small
parquet-mr-dictionary-page-offset | column-chunk/data-page-offset-at-dictionary | both offsets
parquet-mr-map-key-value | logical-type/unknown-beside-converted | INTERVAL
parquet-mr-merge-byte-size | row-group/total-byte-size | total_byte_size is 0
parquet-mr-merge-dictionary-offset | column-chunk/data-page-offset-at-dictionary | there are encoding_stats
parquet-mr-page-size-overflow | column-chunk/sizes-negative | total_compressed_size is 0 though there are values
parquet-mr-signed-bounds | statistics/min | min of byte arrays excludes a value in every order
parquet-mr-v2-num-nulls | page/v2-num-nulls-range | num_nulls is more than num_values
parquet-mr-value-count-overflow | page/v2-num-rows-range | num_rows is more than num_values
parquet-mr-zstd-page-size | page/uncompressed-size | ZSTD: a v1 page expands to less
parquet-net-map-key | nested-type/map-key-required | a repeated key
parquet-net-num-rows | row-group/num-rows | num_rows is one less than both columns have
parquet-rs-arrow-decimal-bounds | statistics/min-value | decimals in the order of signed bytes
parquet-rs-boolean-bounds | statistics/bound-length | both bounds of BOOLEAN have two bytes
parquet-rs-column-orders | footer/column-orders-present | a column index without column orders
parquet-rs-decimal-bounds | statistics/min-value | decimals in the order of signed bytes
parquet-rs-definition-levels | levels/definition-range | level 7 of at most 4
parquet-rs-dictionary-distinct | statistics/distinct-count | distinct_count is 2 where two pages
parquet-rs-null-count | statistics/null-count | leaves out a null of a v1 page
parquet-rs-offset-index-nan | offset-index/page-count | the location of the last page of DOUBLE occurs twice
parquet-rs-offset-index-null | offset-index/page-count | the location of the first page is missing
parquet-rs-row-boundary | page/v2-num-rows | num_rows of a page of lists is one less
parquet-rs-string-bounds | statistics/max-value | max_value is not the longest string
parquet-rs-total-byte-size | row-group/total-byte-size | total_byte_size is 0
polars-decimal-bounds | statistics/min-value | decimals in the order of signed bytes
polars-dictionary-page-offset | column-chunk/data-page-offset-at-dictionary | both offsets
xitongsys-index-page-size | offset-index/page-size | the second of three sizes is wrong by 1
"""


def rows():
    return [[cell.strip() for cell in line.split("|")] for line in ROWS.strip().splitlines()]


def writer_edits(writer):
    """The edits to the footer for a created_by, or for a writer of KEYS."""
    name, _, version = writer.partition(" ")
    if name in KEYS:
        return {"created_by": "parquet-mr version 1.10.1 (build 0)", "key_value_metadata": [{"key": KEYS[name], "value": version}]}
    return {"created_by": writer}


def further():
    """Faults like those of witnesses, in the columns of a bug."""
    c = Collection()
    c.rule("statistics/bound-length")
    c.fail("both bounds of BOOLEAN have four bytes",
           stated(required("b", BOOLEAN), [False, True], {"min_value": bytes(4), "max_value": b"\1\0\0\0"}), V(AT + ".max_value", times=2), expected="1")
    c.fail("both bounds of BOOLEAN have two bytes",
           stated(required("b", BOOLEAN), [False, True], {"min_value": bytes(2), "max_value": b"\1\0"}), V(AT + ".max_value", times=2), expected="1")
    c.rule("levels/definition-range")
    c.fail("level 3 of at most 2 in a list of required elements",
           File([list_of("l", required("e", INT32))], [row([1]), row([2])], chunk(V1(defs=[Repeated(1, 2), Repeated(1, 3)]))),
           Body((0, 0, 0), "def.run1"))
    c.rule("offset-index/page-count")
    c.fail("the location of a page of NaN is missing",
           column(required("d", DOUBLE), [1.0, NAN], chunk(V1(1), V1(1), offset_index=listed(lambda locations: locations.pop()))), at(LOCATIONS))
    c.fail("the location of the last page of DOUBLE occurs twice",
           column(required("d", DOUBLE), [1.0, 2.0], chunk(V1(1), V1(), offset_index=listed(lambda them: them.append(them[-1])))), at(LOCATIONS))
    c.rule("offset-index/first-row")
    c.fail("first rows of lists are those of the page before",
           rows_of_lists(added({f"{LOCATIONS}[1].first_row_index": -1})), at(f"{LOCATIONS}[1].first_row_index"))
    c.rule("dictionary/bit-width-minimal")
    c.fail("width 8 for three entries", flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY, width=8))), Body((0, 0, 1), "values"), expected="2")
    bounds(c)
    chunks(c)
    pages(c)
    return c.witnesses


def decimals(values, low, high):
    """DECIMAL(4, 0) in FIXED_LEN_BYTE_ARRAY(2), with min_value and max_value."""
    decimal = {"logicalType": {"DECIMAL": {"scale": 0, "precision": 4}}, "converted_type": 5, "precision": 4, "scale": 0}
    return stated(required("a", FIXED_LEN_BYTE_ARRAY, type_length=2, **decimal), values, {"min_value": low, "max_value": high})


def bounds(c):
    """Bounds of other orders, and none."""
    c.rule("statistics/min-value")
    low, high = V(AT + ".min_value"), V(AT + ".max_value")
    c.fail("the bounds are those of decimals in unsigned order", decimals([b"\xff\xff", b"\0\1"], b"\0\1", b"\0\1"), low)
    c.fail("the bounds are those of decimals in the order of signed bytes", decimals([b"\0\1", b"\0\x80"], b"\0\x80", b"\0\x80"), low)
    number = {"logicalType": {"DECIMAL": {"scale": 3, "precision": 9}}, "converted_type": 5, "precision": 9, "scale": 3}
    bits = lambda value: struct.unpack("<i", struct.pack("<f", value))[0]
    for about, one, shown in (("the bits of a FLOAT", bits(0.002), "990057.071"), ("one too large", 3, "0.003")):
        c.fail(f"the bounds of a DECIMAL are {about}",
               stated(required("a", INT32, **number), [2, 3], {"min_value": one, "max_value": bits(0.003)}), low, found=shown, expected="0.002")
    c.rule("statistics/max-value")
    words = required("s", BYTE_ARRAY)
    c.fail("max_value is shortened and not raised", stated(words, [b"aaa", b"abc"], {"min_value": b"a", "max_value": b"ab"}), high)
    c.fail("max_value is the longest string", stated(words, [b"aaa", b"b"], {"min_value": b"aaa", "max_value": b"aaa"}), high)
    c.fail("max_value is not the longest string", stated(words, [b"aaa", b"bbb"], {"min_value": b"aaa", "max_value": b"aab"}), high)
    c.rule("statistics/null-count")
    c.fail("null_count of nulls alone is 0", stated(optional("o", INT32), [None, None], {"null_count": 0}), V(AT + ".null_count"))
    c.rule("column-index/bounds")
    c.fail("max_value of the page is empty", column(required("s", BYTE_ARRAY), [b"a", b"b"], chunk(
        column_index={"max_values[0]": b""}, offset_index=True), column_orders=True), V("max_values[0]", **INDEX), found='""', expected='"b"')


def chunks(c):
    """Sizes and offsets of chunks with a dictionary page."""
    def coded(**more):
        return flat(chunk(Dictionary([1, 2, 3]), V1(encoding=RLE_DICTIONARY), **more))

    first = coded().build().chunks[0][0].pages[0]
    header, page = len(first.header_bytes), len(first)
    c.rule("column-chunk/data-page-offset")
    c.fail("data_page_offset leaves out the header of the dictionary page",
           coded(meta=lambda meta: edit(meta, {"data_page_offset": meta.at("data_page_offset") - header})), V(META + ".data_page_offset"))
    c.rule("column-chunk/total-compressed-size")
    for about, less in (("the header of the dictionary page", header), ("the dictionary page", page)):
        c.fail(f"total_compressed_size leaves out {about}",
               coded(meta=lambda meta: edit(meta, {"total_compressed_size": meta.at("total_compressed_size") - less})),
               V(META + ".total_compressed_size"))
    c.rule("column-chunk/dictionary-page-offset")
    c.fail("dictionary_page_offset is set, and there is no dictionary page", flat(Chunk([V1(1), V1()], meta=lambda meta: edit(
        meta, {"dictionary_page_offset": meta.at("data_page_offset"), "data_page_offset": meta.at("data_page_offset")}))),
           V(META + ".dictionary_page_offset"), expected="absent")
    c.rule("column-chunk/data-page-offset-at-dictionary")
    c.fail("data_page_offset is the dictionary page, and there are encoding_stats", coded(meta=lambda meta: edit(meta, {
        "data_page_offset": meta.at("dictionary_page_offset"), "dictionary_page_offset": DROP,
        "encoding_stats": [{"page_type": 2, "encoding": 0, "count": 1}, {"page_type": 0, "encoding": 8, "count": 1}]})),
           V(META + ".data_page_offset"))


def pages(c):
    """Levels, values and sizes of pages."""
    c.rule("page/trailing-bytes")
    c.fail("PLAIN booleans begin a new byte with each batch", column(required("b", BOOLEAN), [True, False], chunk(V1(values=b"\1\0"))),
           Body((0, 0, 0), "values", plus=1))
    c.rule("levels/section-consumed")
    levels = hybrid.encode(hybrid.runs_of([1, 1]), 1)
    c.fail("an empty run after the last run of the levels", column(optional("o", INT32), [1, 2], chunk(V1(
        defs=Marked(levels.data + b"\1", {**levels.marks, "after": len(levels)})))), Body((0, 0, 0), "def.after"), found="1")
    c.rule("page/v2-num-rows")
    c.fail("num_rows of a page of lists is one less", lists(chunk(V2(header={"data_page_header_v2.num_rows": 3}))), V(
        "data_page_header_v2.num_rows", page=(0, 0, 0)), found="3", expected="4")
    c.rule("page/uncompressed-size")
    data = struct.pack("<3i", 1, 2, 3)
    c.fail("uncompressed_page_size of a dictionary page is two bytes too large", flat(chunk(
        Dictionary([1, 2, 3], header={"uncompressed_page_size": len(data) + 2}), V1(encoding=RLE_DICTIONARY), codec=ZSTD)),
           V("uncompressed_page_size", page=(0, 0, 0)))
    c.rule("levels/definition-range")
    deep = list_of("l", optional("e", [optional("x", INT32)]))
    c.fail("level 7 of at most 4", File([deep], [{"l": {"list": [{"e": {"x": 1}}]}}], chunk(V1(defs=[Repeated(1, 7)]))), Body((0, 0, 0), "def.run0"),
           found="7", expected="0 to 4")


def fault(witnesses, rule, words):
    """The first fail file of the rule whose description has these words."""
    for one in witnesses:
        if one.rule == rule and one.kind == "fail" and words in one.about and not one.further:
            return one
    raise LookupError(f"{rule}: no fail file is about: {words}")


def by(base, writer, kind, bug):
    """The witness as if written by another writer."""
    file = copy.copy(base.file)
    file.footer = [edits for edits in (base.file.footer, writer_edits(writer)) if edits is not None]
    findings = list(base.findings)
    own = base.rule.startswith(BY_WRITER)
    if own:
        findings = [one for one in findings if isinstance(one, Also) and one.rule != "footer/created-by-format"]
        if kind == "fail":
            findings += [one for one in base.findings if not isinstance(one, Also)]
    spelled = file.footer[-1]["created_by"]
    if not re.match(r".*\sversion\s", spelled) and not (kind == "fail" and base.rule == "footer/created-by-format"):
        findings.append(Also("footer/created-by-format", V("created_by"), "so this writer names itself"))
    about = f"{base.about}; by {writer}"
    one = Witness(kind, base.rule, about, file, findings, base.tier, base.profile, base.options, base.reader, base.rows, base.data,
                  base.lost, base.name)
    one.bug = bug
    return one


def files(witnesses):
    """(bug, name of the file, witness) of each file."""
    faults, affected = further() + witnesses, {}
    for bug, has, fixed, rule, words in rows():
        base = fault(faults, rule, words)
        affected[bug] = has
        yield bug, "fail", by(base, has, "fail", bug)
        yield bug, "pass", by(base, fixed, "pass", bug)
    for line in OTHERS.strip().splitlines():
        bug, rule, words = (cell.strip() for cell in line.split("|"))
        yield bug, "other", by(fault(faults, rule, words), affected[bug], "fail", bug)


def write(collection, corpus):
    """Writes the files of every bug below `known_bugs` of a corpus, their rows below `rows`; the set of their paths in the corpus."""
    paths = set()
    for bug, name, one in files(collection.witnesses):
        stem = f"known_bugs/{bug}/{name}-a"
        collection.complaints += one.written(corpus, stem, known_bug=bug)[-1]
        paths |= {stem + ".parquet", stem + ".json"}
    return paths
