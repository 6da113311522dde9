"""For each published bug of a writer two files: one written by an affected version, with its fault, and one with the same fault by the
first fixed version. The fault is that of a witness; the writer is one edit of the footer."""

import copy
import re

from builder.codec.file import File
from builder.codec.hybrid import Repeated
from builder.codec.metadata import BOOLEAN, DOUBLE, INT32
from builder.codec.pages import V1
from builder.codec.schema import list_of, required
from builder.expect.places import V, Body
from builder.expect.witness import Also, Collection, Witness
from builder.recipes.base_files import chunk, column, row
from builder.recipes.indexes.offset_index import LOCATIONS, at, listed
from builder.recipes.statistics.statistics import AT, NAN, stated

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
carquet-boolean-batches | Carquet | parquet-cpp-arrow version 26.0.1 | plain/boolean-length | one byte for nine values
carquet-split-batches | Carquet | parquet-cpp-arrow version 26.0.1 | known-writer/changed-values | floating-point numbers
clickhouse-created-by | ClickHouse v25.9.1.1-testing | ClickHouse version 25.10.1 (build 5b1dfb14925db8901a4e9202cd5d63c11ecfbb9f) | footer/created-by-format | a name alone
clickhouse-decimal-bounds | ClickHouse v25.7.1.3997 | ClickHouse v25.8.1 | statistics/min-value | DECIMAL in FIXED_LEN_BYTE_ARRAY
clickhouse-index-bounds | ClickHouse version 26.3.3.20 (build 0) | ClickHouse version 26.4.1.1123 (build 0) | column-index/bounds | max_values of BYTE_ARRAY
clickhouse-nullable-tuple | ClickHouse version 26.9.2.1 (build 0) | parquet-cpp-arrow version 26.0.1 | levels/siblings-agree | the group is present in one leaf
clickhouse-size-statistics | ClickHouse version 26.8.1.1 (build 0) | parquet-rs version 60.1.0 | size-statistics/unencoded-bytes | the bytes of the values are one more
drill-date-shift | Drill 1.8.0 | Drill 1.9.0 | known-writer/date-shift | shifted by Drill
duckdb-array-null-levels | DuckDB version v1.5.5 (build 0) | parquet-cpp-arrow version 26.0.1 | levels/repetition-after-empty | an element follows in a null list
duckdb-column-orders | DuckDB version v1.4.5 (build 0) | DuckDB version v1.5.0 (build 0) | footer/column-orders-present | bounds of a chunk
duckdb-created-by | DuckDB | DuckDB version v1.1.1 (build 0) | footer/created-by-format | a name alone
duckdb-data-page-offset | DuckDB | DuckDB version v0.10.1 (build 0) | column-chunk/data-page-offset | one byte after the first data page
duckdb-delta-count | DuckDB version v1.2.0 (build 5f5512b827) | DuckDB version v1.2.1 (build 0) | delta-binary-packed/total-count | nulls are counted: INT32, v1
duckdb-dictionary-page-offset | DuckDB | DuckDB version v0.10.3 (build 0) | column-chunk/data-page-offset-at-dictionary | both offsets
duckdb-dictionary-stats | DuckDB version v1.5.4 (build 0) | DuckDB version v1.5.5 (build 0) | statistics/max-value | values of a dictionary
duckdb-empty-run | DuckDB version v1.3.1 (build 0) | DuckDB version v1.4.0 (build 0) | levels/section-consumed | two bytes after the definition levels, v1
duckdb-empty-struct | DuckDB | DuckDB version v0.7.1 (build 0) | schema/empty-group | next to a leaf
duckdb-index-width | DuckDB version v1.5.6 (build 0) | DuckDB version v2.0.0 (build d54cbbe3df) | dictionary/bit-width-minimal | width 3 for three entries
duckdb-spilled-strings | DuckDB | DuckDB version v0.9.0 (build 0) | logical-type/utf8 | a continuation without a lead byte, in a STRING
fastparquet-dictionary-size | fastparquet-python version 1.0.0 (build 111) | fastparquet-python version 0.1.5 (build 0) | column-chunk/total-compressed-size | one too small
fastparquet-last-group | fastparquet-python version 2026.5.0 (build 0) | fastparquet-python version 2026.9.0 (build 0) | rle/last-group | group of indices, v1
hyparquet-boolean-length | hyparquet | hyparquet version 0.10.1 | rle/boolean-length | the length counts values
hyparquet-decimal-bounds | hyparquet | hyparquet version 0.16.9 | statistics/min-value | DECIMAL in
hyparquet-first-row | hyparquet | hyparquet version 0.12.2 | offset-index/first-row | count elements of lists, v1
hyparquet-row-boundary | hyparquet | hyparquet version 0.16.10 | page/v2-row-boundary | the second v2 page
hyparquet-truncated-bounds | hyparquet | hyparquet version 0.15.7 | statistics/max-value | max_value of BYTE_ARRAY
impala-int96-zone | impala version 3.4.0-RELEASE (build 0) | parquet-cpp-arrow version 26.0.1 | known-writer/int96-zone | by Impala
parquet-cpp-arrow-dictionary-batches | parquet-cpp-arrow version 10.0.1 | parquet-cpp-arrow version 11.0.0 | statistics/max-value | values of a dictionary
parquet-cpp-arrow-histogram | parquet-cpp-arrow version 25.0.1 | parquet-cpp-arrow version 26.0.0 | size-statistics/histogram | the counter of values of a nullable column
parquet-cpp-arrow-large-dictionary | parquet-cpp-arrow version 22.0.0 | parquet-cpp-arrow version 23.0.0 | rle/value-count | two indices for three values, v1
parquet-cpp-arrow-list-null-count | parquet-cpp-arrow version 5.0.0 | parquet-cpp-arrow version 6.0.0 | statistics/null-count-leaf | leaves out the list
parquet-cpp-arrow-page-null-count | parquet-cpp-arrow version 11.0.0 | parquet-cpp-arrow version 12.0.0 | page/v2-num-nulls | num_nulls is 0, one entry is null
parquet-cpp-arrow-row-boundary | parquet-cpp-arrow version 11.0.0 | parquet-cpp-arrow version 12.0.0 | page/v2-row-boundary | the second v2 page
parquet-cpp-arrow-row-group-offset | parquet-cpp-arrow version 5.0.0 | parquet-cpp-arrow version 6.0.0 | row-group/file-offset| one byte after
parquet-cpp-arrow-struct-null-count | parquet-cpp-arrow version 26.0.1 | parquet-rs version 60.1.0 | statistics/null-count-leaf | a list of groups
parquet-cpp-decimal-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/max-value | DECIMAL in FIXED_LEN_BYTE_ARRAY
parquet-cpp-dictionary-page-offset | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | column-chunk/dictionary-before-data | dictionary_page_offset equals data_page_offset
parquet-cpp-index-page-offset | parquet-cpp version 1.4.0 | parquet-cpp version 1.5.0 | column-chunk/index-page-offset | a data page
parquet-cpp-lz4-layout | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | compression/lz4-layout | a bare block
parquet-cpp-nan-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/nan-bound-undated | both bounds are NaN
parquet-cpp-zero-bounds | parquet-cpp version 1.5.1-SNAPSHOT | parquet-cpp-arrow version 4.0.0 | statistics/zero-max | max_value of DOUBLE
parquet-go-arrow-bloom-adaptive | parquet-go version 18.4.0 | parquet-go version 18.5.0 | bloom-filter/false-negative | the last value of INT64
parquet-go-arrow-bloom-dictionary | parquet-go version 18.6.0 | parquet-rs version 60.1.0 | bloom-filter/empty | the values are in a dictionary
parquet-go-arrow-definition-levels | parquet-go version 18.0.0-SNAPSHOT | parquet-go version 18.3.0 | levels/definition-range | required elements
parquet-go-arrow-delta-width | parquet-go version 18.7.0 | parquet-rs version 60.1.0 | delta-binary-packed/bit-width-range | 65 bits: INT32, v1
parquet-go-arrow-page-rows | parquet-go version 18.6.0 | parquet-rs version 60.1.0 | offset-index/row-boundary | the second v1 page begins inside a list
parquet-go-arrow-row-boundary | parquet-go version 18.6.0 | parquet-go version 18.7.0 | page/v2-row-boundary | the second v2 page
parquet-go-arrow-total-size | parquet-go version 15.0.0 | parquet-go version 16.0.0 | row-group/total-compressed-size | is 1
parquet-go-buffer-bounds | github.com/parquet-go/parquet-go version 0.17.0(build ) | github.com/parquet-go/parquet-go version 0.18.0(build ) | statistics/min-value | min_value of BYTE_ARRAY
parquet-go-decimal-bounds | github.com/parquet-go/parquet-go version 0.32.0(build ) | parquet-rs version 60.1.0 | statistics/min-value | DECIMAL in FIXED_LEN_BYTE_ARRAY
parquet-go-nan-bounds | github.com/parquet-go/parquet-go version 0.27.0(build ) | github.com/parquet-go/parquet-go version 0.28.0(build ) | statistics/nan-bound-undated | both bounds are NaN
parquet-mr-created-by | parquet-mr | parquet-mr version 1.8.0 (build 0) | footer/created-by-format | a name alone
parquet-mr-delta-prefix | parquet-mr version 1.7.0 (build 0) | parquet-mr version 1.8.0 (build 0) | delta-byte-array/first-prefix | refers to the page before
parquet-mr-dictionary-header-size | parquet-mr version 1.2.8 (build 0) | parquet-mr version 1.2.9 (build 0) | column-chunk/total-compressed-size | one too small
parquet-mr-dictionary-page-offset | parquet-mr version 1.11.2 (build 0) | parquet-mr version 1.12.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
parquet-mr-map-key-value | parquet-mr version 1.11.0 (build 0) | parquet-mr version 1.11.1 (build 0) | logical-type/unknown-beside-converted | inside a MAP
parquet-mr-merge-byte-size | parquet-mr version 1.10.1 (build 0) | parquet-mr version 1.11.0 (build 0) | row-group/total-byte-size | the compressed sum
parquet-mr-merge-dictionary-offset | parquet-mr version 1.14.4 (build 0) | parquet-mr version 1.15.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
parquet-mr-nan-bounds | parquet-mr version 1.9.0 (build 0) | parquet-mr version 1.10.0 (build 0) | statistics/nan-bound-undated | max_value is NaN
parquet-mr-page-size-overflow | parquet-mr version 1.12.3 (build 0) | parquet-mr version 1.13.0 (build 0) | page/size-negative | uncompressed_page_size of a v1 page
parquet-mr-reused-bounds | parquet-mr version 1.7.0 (build 0) | parquet-mr version 1.8.0 (build 0) | statistics/legacy-order | deprecated bounds of text
parquet-mr-row-group-offset | parquet-mr version 1.12.0 (build db75a6815f2ba1d1ee89d1a90aeb296f1f3a8f20) | parquet-mr version 1.12.1 (build 0) | row-group/file-offset | of the second row group
parquet-mr-signed-bounds | parquet-mr version 1.9.0 (build 0) | parquet-mr version 1.10.0 (build 0) | statistics/legacy-order | deprecated bounds of text by signed bytes
parquet-mr-thrift-map-key-value | parquet-mr version 1.17.1 (build 0) | parquet-mr version 1.18.0 (build 0) | nested-type/map-key-value-legacy | with the LogicalType MAP
parquet-mr-v2-num-nulls | parquet-mr version 1.17.1 (build 0) | parquet-mr version 1.18.0 (build 0) | page/v2-num-nulls-range | num_nulls is -1
parquet-mr-v2-zero-body | parquet-mr version 1.15.2 (build 0) | parquet-mr version 1.16.0 (build 0) | page/v2-zero-body | all is null
parquet-mr-value-count-overflow | parquet-mr version 1.13.1 (build 0) | parquet-mr version 1.14.0 (build 0) | page/num-values-negative | a v1 page of -1 entries
parquet-mr-zstd-page-size | parquet-mr version 1.15.2 (build 0) | parquet-cpp-arrow version 26.0.1 | page/uncompressed-size | a v1 page expands to less
parquet-net-created-by | Parquet.Net v4.5.0 | Parquet.Net version 4.5.1 (build 0) | footer/created-by-format | a name alone
parquet-net-dictionary-indices | Parquet.Net v4.3.3 | Parquet.Net v4.4.0 | rle/truncated | the second group of indices is missing
parquet-net-map-key | Parquet.Net version 4.16.3 (build 0) | Parquet.Net version 4.16.4 (build 0) | nested-type/map-key-required | an optional key
parquet-net-num-rows | Parquet.Net version 3.0.5 (build 0) | Parquet.Net version 3.1.0 (build 0) | row-group/num-rows | num_rows is 0
parquet-net-string-bounds | Parquet.Net version 3.5.1 (build 0) | Parquet.Net version 3.5.2 (build 0) | statistics/bound-length | min_value of BYTE_ARRAY in values
parquet-net-struct-nulls | Parquet.Net v4.4.7 | Parquet.Net version 4.7.0 (build 0) | levels/siblings-agree | the group is present in one leaf
parquet-rs-arrow-decimal-bounds | parquet-rs version 60.1.0 | parquet-cpp-arrow version 26.0.1 | statistics/min-value | DECIMAL in BYTE_ARRAY
parquet-rs-boolean-bounds | parquet-rs version 5.1.0 | parquet-rs version 5.2.0 | statistics/bound-length | BOOLEAN
parquet-rs-column-orders | parquet-rs version 49.0.0 | parquet-rs version 50.0.0 | footer/column-orders-present | bounds of a chunk
parquet-rs-decimal-bounds | parquet-rs version 12.0.0 | parquet-rs version 13.0.0 | statistics/min-value | DECIMAL in FIXED_LEN_BYTE_ARRAY
parquet-rs-definition-levels | parquet-rs version 4.4.0 | parquet-rs version 5.0.0 | levels/definition-range | level 3 of at most 2 in a repeated run, v1
parquet-rs-dictionary-distinct | parquet-rs version 60.1.0 | parquet-cpp-arrow version 26.0.1 | statistics/distinct-count | distinct_count is 4 where two pages
parquet-rs-header-bounds | parquet-rs version 55.1.0 | parquet-rs version 55.2.0 | page/header-size | a page header of
parquet-rs-index-null-pages | parquet-rs version 52.2.0 | parquet-rs version 53.0.0 | column-index/null-page-bounds | min_values of a null page
parquet-rs-int96-bounds | parquet-rs version 55.2.0 | parquet-rs version 56.0.0 | statistics/int96-order | type-defined order
parquet-rs-miniblock-width | parquet-rs version 10.0.0 | parquet-rs version 11.0.0 | delta-binary-packed/unneeded-width | are 255: INT32, v1
parquet-rs-null-count | parquet-rs version 4.2.0 | parquet-rs version 4.3.0 | statistics/null-count | leaves out a null of a v1 page
parquet-rs-offset-index-nan | parquet-rs version 44.0.0 | parquet-rs version 45.0.0 | offset-index/page-count | a page of NaN
parquet-rs-offset-index-null | parquet-rs version 42.0.0 | parquet-rs version 43.0.0 | offset-index/page-count | there is no location
parquet-rs-row-boundary | parquet-rs version 40.0.0 | parquet-rs version 41.0.0 | page/v2-row-boundary | the second v2 page
parquet-rs-string-bounds | parquet-rs version 5.1.0 | parquet-rs version 5.2.0 | statistics/max-value | max_value of BYTE_ARRAY
parquet-rs-total-byte-size | parquet-rs version 31.0.0 | parquet-rs version 32.0.0 | row-group/total-byte-size | the compressed sum
parquet-rs-zero-bounds | parquet-rs version 48.0.0 | parquet-rs version 49.0.0 | statistics/zero-max | max_value of FLOAT is
parquetjs-run-groups | parquet.js | parquet-rs version 60.1.0 | rle/last-group | group of levels, v1
polars-byte-array-bounds | Polars | Polars version 1.37.0 (build 0) | statistics/min-value | min_value of BYTE_ARRAY
polars-decimal-bounds | Polars | Polars version 1.37.0 (build 0) | statistics/min-value | DECIMAL in FIXED_LEN_BYTE_ARRAY
polars-dictionary-page-offset | Polars | Polars version 1.39.0 (build 0) | column-chunk/data-page-offset-at-dictionary | is absent
polars-last-group | Polars | Polars version 0.20.6 (build 0) | rle/last-group | group of indices, v1
polars-zero-bounds | Polars | Polars version 1.39.0 (build 0) | statistics/zero-min | min_value of DOUBLE
segmentio-buffer-bounds | github.com/segmentio/parquet-go version 0.0.0-20230712180008(build 5d42db8f0d47) | github.com/parquet-go/parquet-go version 0.18.0(build ) | statistics/min-value | min_value of BYTE_ARRAY
spark-hybrid-calendar | Spark 2.4.6 | Spark 3.0.0 | known-writer/calendar | by Spark 2.4
xitongsys-index-page-size | parquet-go version latest | parquet-rs version 60.1.0 | offset-index/page-size | sizes leave out the headers
xitongsys-second-footer | parquet-go version latest | parquet-rs version 60.1.0 | recovery/earlier-footer | the same footer twice
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
    c.rule("levels/definition-range")
    c.fail("level 3 of at most 2 in a list of required elements",
           File([list_of("l", required("e", INT32))], [row([1]), row([2])], chunk(V1(defs=[Repeated(1, 2), Repeated(1, 3)]))),
           Body((0, 0, 0), "def.run1"))
    c.rule("offset-index/page-count")
    c.fail("the location of a page of NaN is missing",
           column(required("d", DOUBLE), [1.0, NAN], chunk(V1(1), V1(1), offset_index=listed(lambda locations: locations.pop()))), at(LOCATIONS))
    return c.witnesses


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


def pairs(witnesses):
    """(bug, fail file, pass file) of each row."""
    faults = further() + witnesses
    for bug, has, fixed, rule, words in rows():
        base = fault(faults, rule, words)
        yield bug, by(base, has, "fail", bug), by(base, fixed, "pass", bug)


def write(collection, corpus):
    """Writes both files of every bug below `known_bugs` of a corpus, their rows below `rows`; the set of their paths in the corpus."""
    paths = set()
    for bug, *both in pairs(collection.witnesses):
        for one in both:
            stem = f"known_bugs/{bug}/{one.kind}-a"
            collection.complaints += one.written(corpus, stem, known_bug=bug)[-1]
            paths |= {stem + ".parquet", stem + ".json"}
    return paths
