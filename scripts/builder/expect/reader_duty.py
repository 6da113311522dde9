"""The duty of a reader for each file, accept, reject or may, with its clause, by area and rule of the findings."""

from builder.expect.rules import class_of

# The data is damaged: lost values cannot be read by any reader.
LOST = ("reject", "README.md#error-recovery")

# The text states a requirement for writers, and no behaviour for other files: a reader may reject them.
MAY = {
    "alp": "Encodings.md#ALP",
    "bit-packed": "Encodings.md#BITPACKED",
    "bloom-filter": "BloomFilter.md#problem-statement",
    "byte-stream-split": "Encodings.md#BYTESTREAMSPLIT",
    "column-chunk": "parquet.thrift#ColumnMetaData",
    "column-index": "parquet.thrift#ColumnIndex",
    "compression": "Compression.md#overview",
    "crc": "README.md#checksumming",
    "delta-binary-packed": "Encodings.md#DELTAENC",
    "delta-byte-array": "Encodings.md#DELTASTRING",
    "delta-length-byte-array": "Encodings.md#DELTALENGTH",
    "dictionary": "Encodings.md#DICTIONARY",
    "extension": "README.md#binary-protocol-extensions",
    "file": "README.md#file-format",
    "file-type": "LogicalTypes.md#validation",
    "footer": "parquet.thrift#FileMetaData",
    "edition": "README.md#extensibility",
    "encryption": "Encryption.md#442-aad-suffix",
    "geo": "Geospatial.md#statistics",
    "geoparquet": "geoparquet.md#file-metadata",
    "group-var-int": "2013/Encodings.md#groupvarint",
    "index-page": "2013/README.md#index-pages",
    "levels": "README.md#nested-encoding",
    "limit": "README.md#file-format",
    "logical-type": "LogicalTypes.md#string-types",
    "nested-type": "LogicalTypes.md#nested-types",
    "offset-index": "parquet.thrift#OffsetIndex",
    "page-index": "PageIndex.md#goals",
    "page": "parquet.thrift#PageHeader",
    "plain": "Encodings.md#PLAIN",
    "rle": "Encodings.md#RLE",
    "row-group": "parquet.thrift#RowGroup",
    "schema": "parquet.thrift#SchemaElement",
    "shredding": "VariantShredding.md#value-shredding",
    "sorting": "parquet.thrift#RowGroup.sorting_columns",
    "size-statistics": "parquet.thrift#SizeStatistics",
    "statistics": "parquet.thrift#Statistics",
    "summary": "parquet.thrift#ColumnChunk.file_path",
    "thrift": "thrift-compact-protocol.md#struct",
    "variant": "VariantEncoding.md#value-encoding",
    "wkb": "Geospatial.md#background",
}

# All values can be decoded, but columns disagree about the rows, or a chunk begins inside one: no reader can assemble
# the rows.
APART = ("column-chunk/rows", "levels/siblings-agree", "page/first-repetition-level")
# The text has no maximum length of the number, so a reader may use its own width.
NUMBERS = {
    "delta-binary-packed/number-oversized": ("may", "Encodings.md#DELTAENC"),
    "delta-binary-packed/varint-long": ("may", "Encodings.md#DELTAENC"),
    "rle/header-long": ("may", "Encodings.md#RLE"),
}

# Requirements of the text for readers: bounds that are NaN, or of an undefined order, are ignored, both versions
# are accepted, all members of a GZIP page are read, a page of LZ4 has one of several layouts, decoders choose the largest window of ZSTD that they support, pages that a
# reader does not know are skipped, and a variant without value and typed_value is a null.
STATED = {
    "column-index/int96": ("accept", "parquet.thrift#ColumnOrder"),
    "column-index/nan-bound": ("accept", "parquet.thrift#ColumnOrder"),
    "column-index/undefined-order": ("accept", "LogicalTypes.md#interval"),
    "statistics/nan-bound": ("accept", "parquet.thrift#ColumnOrder"),
    "shredding/missing": ("accept", "VariantShredding.md#value-shredding"),
    "footer/version-one": ("accept", "parquet.thrift#FileMetaData.version"),
    "compression/lz4-frame": ("may", "Compression.md#lz4"),
    "compression/gzip-members": ("accept", "Compression.md#gzip"),
    "compression/zstd-window": ("may", "Compression.md#zstd"),
    "page/unknown-type": ("accept", "README.md#column-chunks"),
}
AUXILIARY = ("column index", "offset index", "bloom filter")
# Features that only older editions define or allow: a current reader need not support them.
OUTDATED = {
    "delta-binary-packed/bit-width": "Encodings.md#DELTAENC",
    "group-var-int": "2013/Encodings.md#groupvarint",
    "legal/group-var-int": "2013/Encodings.md#groupvarint",
}
# Column chunks in other files: the text defines their path, and states that no reader is known to follow it.
ELSEWHERE = "parquet.thrift#ColumnChunk.file_path"


def duty(rule, broken, errors, verdict, lost, profile="strict", is_ceiling=False, is_split=False):
    """(reader, clause) for a file of a rule: `broken` are the rules that it breaks, `errors` those of severity
    error, `lost` are the losses. `is_ceiling`: the verdict is limit because of a limit that the caller sets;
    `is_split`: data is in other files. The clause is None if the text covers none of the faults."""
    reader, clause = _duty(rule, broken, errors, "conforming" if is_ceiling and verdict == "limit" else verdict, lost)
    if reader == "accept" and is_split:
        return "may", ELSEWHERE
    if reader == "accept" and profile == "historical":
        outdated = OUTDATED.get(rule, OUTDATED.get(rule.split("/")[0]))
        return ("may", outdated) if outdated else (reader, clause)
    return reader, clause


def _duty(rule, broken, errors, verdict, lost):
    area = rule.split("/")[0]
    if area != "index-page" and any(one["what"] not in AUXILIARY for one in lost):
        return LOST
    if any(one in APART for one in errors):
        return "reject", "README.md#nested-encoding"
    if rule in STATED or errors and all(one in STATED for one in errors):
        return STATED[rule if rule in STATED else errors[0]]
    if rule in NUMBERS and rule in broken and not errors:
        return NUMBERS[rule]
    if errors and rule not in errors:
        area = errors[0].split("/")[0]
    elif not rule:  # a file of no rule: by the first rule that prevents a verdict
        area = next((one for one in broken if class_of(one) in ("unsupported", "limit")), "file/").split("/")[0]
    if errors or verdict not in ("conforming", "nonconforming"):
        return "may", MAY[area]
    return "accept", None


def of_section(rule, kind):
    """The same for a single section that breaks a rule of this class."""
    if kind == "malformed":
        return LOST
    return "reject" if kind == "unsupported" else "may", MAY[rule.split("/")[0]]
