"""The published bugs of readers and writers that vectors test for: the bug, public threads, and the contents of the vector."""

# name: (the bug, public threads, the contents of the vector)
_ROWS = {
    "BloomEmpty": (
        "The writer never inserts the values of a column that comes with a dictionary: its Bloom filter stays empty.",
        ["apache/arrow-go#1164"],
        "The filter has no bit, and does not have the values that were written."),
    "BooleanBatches": (
        "Each batch of PLAIN booleans begins with a fresh byte (carquet), or its bits are flipped where a batch ends inside of one (parquet-cpp).",
        ["Vitruves/carquet#25", "Vitruves/carquet#28", "apache/arrow#33605"],
        "Booleans fill their bytes without gaps; a section with a byte too many is refused, or read from its front."),
    "BooleanCountWord": (
        "The word before RLE booleans holds the number of values instead of the number of bytes.",
        ["hyparam/hyparquet-writer#17", "hyparam/hyparquet-writer#18"],
        "The length word is larger than the number of bytes."),
    "BooleanRuns": (
        "A reader of booleans gives half of the values that are true.",
        ["r-lib/nanoparquet#142"],
        "Runs of both kinds, in a section of booleans."),
    "CompressedTooLong": (
        "The compressed size of a page is larger than its stream.",
        ["duckdb/duckdb#1870"],
        "Bytes follow the end of the stream."),
    "CompressedSize": (
        "A page header states another size of the image than the stream expands to.",
        ["apache/parquet-java#3712"],
        "The stream expands to a byte less, and a byte more, than the page header states."),
    "CreatedBy": (
        "created_by is no \"name version x.y.z (build hash)\", or is absent, and readers fail to parse it.",
        ["ClickHouse/ClickHouse#87735", "aloneguid/parquet-dotnet#261", "bytedance/bolt#728", "trinodb/trino#6377"],
        "Any text, and none, is a legal created_by."),
    "DeltaBlockShape": (
        "A delta header with a block size or a number of miniblocks of 0: readers divide by it.",
        ["xitongsys/parquet-go#190"],
        "Every shape of a block that the text forbids is refused before it is divided by."),
    "DeltaCount": (
        "The header of a delta stream counts other values than the stream or the page has.",
        ["duckdb/duckdb#16306", "duckdb/duckdb#16257", "duckdb/duckdb#24936"],
        "The count of the header differs from that of the page by one or more."),
    "DeltaEmpty": (
        "A page of nulls stores no delta header at all, and readers fail at the empty section.",
        ["aloneguid/parquet-dotnet#388", "aloneguid/parquet-dotnet#375"],
        "A section of no bytes, and one with a header that counts nothing, both hold no values."),
    "DeltaNegative": (
        "Large negative deltas are written or read wrongly, because they were computed without wrap-around.",
        ["xitongsys/parquet-go#353", "xitongsys/parquet-go#359", "jorgecarleitao/parquet2#179"],
        "Neighbours from both ends of the type: the deltas wrap around."),
    "DeltaOldPrefix": (
        "The first value of a page begins with a prefix of the last value of the page before: the writer did not forget it.",
        ["PARQUET-246", "apache/parquet-java#1782", "apache/parquet-java#217", "apache/parquet-java#235"],
        "The first prefix length is not 0; no value is before it."),
    "DeltaStreamCounts": (
        "The numbers of prefixes and of suffixes differ by one, or a reader expects that they do.",
        ["duckdb/duckdb#7083"],
        "The two streams of a section count different values."),
    "DeltaTooWide": (
        "Deltas of INT32 are computed in 64 bits, so miniblocks take 33 bits a value and smallest deltas leave the type.",
        ["apache/arrow-go#1027", "apache/arrow#20374", "jorgecarleitao/parquet2#179"],
        "Miniblocks of 33 bits: a checker reports them, and a reader that continues cuts the sums to 32 bits."),
    "DeltaUnusedWidths": (
        "Bit widths of miniblocks without values are left-over bytes such as 165, and readers believe them.",
        ["apache/arrow-rs#1416", "apache/arrow-rs#1417", "apache/arrow#14923", "apache/arrow#15241"],
        "Widths without a miniblock have any value; readers have to skip them."),
    "EmptyLists": (
        "Lists of the metadata are empty, and readers take their first element.",
        ["xitongsys/parquet-go#47", "duckdb/duckdb#12892"],
        "Required lists without elements."),
    "EmptyNames": (
        "Names in the schema are empty.",
        ["duckdb/duckdb#2111"],
        "An empty string is there, and is not missing."),
    "FooterLacks": (
        "A damaged footer lacks its version.",
        ["ClickHouse/ClickHouse#37687"],
        "A required field is missing: no reader may make one up."),
    "IndexRange": (
        "An index of a data page is beyond the dictionary.",
        ["rapidsai/cudf#4034", "rapidsai/cudf#4065", "apache/hudi#19340", "apache/parquet-java#3715", "apache/parquet-java#3718"],
        "Index 3 of a dictionary of three entries, in runs of both kinds."),
    "IndexStreamCut": (
        "Indices after 2^31 bits are dropped, or a dictionary of one entry has a bit width and no run: the stream ends early.",
        ["apache/arrow#47973", "apache/arrow#47998", "hardwood-hq/hardwood#901"],
        "The runs hold fewer indices than the page has values."),
    "IndexWidthTooLarge": (
        "The bit width of indices is larger than the largest index needs: computed from a count, or that of the integers in memory.",
        ["duckdb/duckdb#21532", "apache/arrow-rs#3029", "apache/arrow-rs#3035"],
        "Every width up to 32 bits is legal, for any indices."),
    "IndicesAbove8Bits": (
        "Runs of values with more than 8 bits are written or read wrongly.",
        ["ZJONSSON/parquetjs#81", "ZJONSSON/parquetjs#82", "frequency-chain/parquetjs#58"],
        "A repeated value takes two, three or four bytes."),
    "IndicesPlain": (
        "A page labelled PLAIN_DICTIONARY holds its indices as PLAIN integers.",
        ["aloneguid/parquet-dotnet#234", "aloneguid/parquet-dotnet#236", "aloneguid/parquet-dotnet#243"],
        "Four-byte integers replace the bit width and the runs."),
    "LevelAboveMaximum": (
        "Levels are larger than the column's maximum: computed one off, or a struct was counted as repeated.",
        ["apache/arrow-rs#511", "apache/arrow-rs#385", "apache/arrow-rs#1746", "apache/arrow-go#325", "apache/arrow#38503",
         "jorgecarleitao/arrow2#1325", "jorgecarleitao/arrow2#1390"],
        "A level one above the maximum that still fits the bit width."),
    "LevelEncodingLabel": (
        "The header of a page names an encoding that levels cannot have.",
        ["r-lib/nanoparquet#98", "PARQUET-843", "apache/arrow#42600"],
        "PLAIN for levels that are not stored, which is harmless, and for stored levels."),
    "LevelOfNullList": (
        "A null list has further entries, as if it had elements.",
        ["duckdb/duckdb#24731", "duckdb/duckdb#24899"],
        "An entry continues a list that is null by its definition level."),
    "LevelPrefixPerBatch": (
        "The levels of a v1 page have a length word for each batch instead of one for the page.",
        ["Vitruves/carquet#30"],
        "A second length word is between two runs; a reader parses it as an empty run."),
    "LevelsAfterEnd": (
        "An extra run without values ends the levels of a page.",
        ["duckdb/duckdb#17926", "hyparam/hyparquet#90", "hyparam/hyparquet#91"],
        "A bit-packed run follows the last level; readers have to stop at the count of the page."),
    "Lz4Layouts": (
        "Pages of the codec LZ4 come in three layouts: Hadoop's blocks, a bare block, a frame; and LZ4_RAW was taken for LZ4.",
        ["PARQUET-1241", "PARQUET-1878", "PARQUET-1996", "ARROW-9424", "ARROW-11301", "pola-rs/polars#3322", "apache/datafusion#14105"],
        "All three layouts under LZ4, and the other two under LZ4_RAW, which knows the bare block alone."),
    "NegativeCount": (
        "A count or size of a page header is negative: without statistics num_nulls became -1, and large numbers overflowed.",
        ["apache/parquet-java#3585", "apache/parquet-java#3586", "PARQUET-2342", "apache/parquet-java#1671", "PARQUET-2164"],
        "-1 in each number of the headers."),
    "NullsNotCounted": (
        "num_nulls of a v2 page leaves out the entries of empty and null lists.",
        ["pola-rs/polars#20621", "PARQUET-2067", "apache/arrow#42980"],
        "Entries without a value are nulls, whichever ancestor is absent."),
    "NothingCompressed": (
        "is_compressed of a v2 page of nulls is true, and no byte of values follows; no codec makes an empty stream.",
        ["apache/parquet-java#3122", "apache/parquet-java#3148", "apache/arrow#45252", "apache/arrow-rs#7388", "duckdb/duckdb#17029",
         "apache/parquet-testing#71"],
        "A reader has to check the size before it calls the codec."),
    "NotCompressed": (
        "The dictionary page of a compressed chunk is stored as it is.",
        ["jorgecarleitao/parquet2#65", "jorgecarleitao/arrow2#516", "jorgecarleitao/arrow2#523"],
        "Uncompressed bytes are in place of a stream."),
    "PageHeaderLacks": (
        "A damaged page header lacks its number of values.",
        ["apache/parquet-java#3084"],
        "A required field of the inner struct is missing."),
    "PackedRunCutShort": (
        "The last bit-packed run has only the bytes that its values need, though its header counts complete groups of eight.",
        ["pola-rs/polars#12801", "pola-rs/polars#13818", "pola-rs/polars#13883", "jorgecarleitao/parquet2#227", "apache/arrow#47981",
         "questdb/questdb#6692", "dask/fastparquet#979", "ironSource/parquetjs#57"],
        "All values are there and the padding is not: a checker reports it, and a reader may continue."),
    "PackedRunTooLong": (
        "One bit-packed run of more than 504 values, or one with more values than the page: readers cut it or overflow.",
        ["PARQUET-676", "apache/arrow#42509", "apache/arrow-rs#3029", "apache/arrow-rs#3036"],
        "A header of two bytes and more, and groups after the last value."),
    "PageInsideRow": (
        "A page, or a chunk, begins inside of a row.",
        ["apache/arrow#34142", "apache/arrow#34193", "apache/arrow-rs#3680", "apache/arrow-rs#4327", "apache/arrow-go#882",
         "hyparam/hyparquet-writer#45", "apache/arrow#45073", "apache/arrow#45185"],
        "A first repetition level of 1: legal in a later v1 page, and an error in a v2 page and at the beginning."),
    "RowsAreEntries": (
        "num_rows of a v2 page counts entries, or is wrong, where rows hold lists.",
        ["apache/arrow-go#882", "apache/arrow-go#883", "hyparam/hyparquet-writer#45"],
        "Rows begin where the repetition level is 0."),
    "SplitPerBatch": (
        "BYTE_STREAM_SPLIT is applied to each batch, so that a page holds several transpositions in sequence.",
        ["Vitruves/carquet#24", "Vitruves/carquet#31", "Vitruves/carquet#27"],
        "The streams of a section are as long as the page has values."),
}

BUGS = {name: {"bug": bug, "threads": threads, "note": note} for name, (bug, threads, note) in sorted(_ROWS.items())}
