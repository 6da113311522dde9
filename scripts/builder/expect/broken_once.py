"""Rules that a column chunk breaks at most once, and why; each other rule needs a witness in which a chunk breaks it more than once."""

_FILE = "it is about a file, a footer, a schema or a row group, and what breaks it is reported each by itself"
_FIELD = "it is about one field of the chunk's metadata"
REPORTED_ONCE = "it is one decision for the whole file: `times` counts the column chunks or elements that show it"
_CHUNK = "it is about the chunk, or a list or copy in its metadata, as a whole"

_WHY = {
    REPORTED_ONCE: """
        bloom-filter/length-absent bloom-filter/location bloom-filter/location-behind-indexes page-index/location
        page-index/offset-alone statistics/nan-count-undated
        dictionary/plain-dictionary-deprecated footer/column-orders-present logical-type/converted-present-local
        logical-type/logical-present nested-type/list-names nested-type/list-three-level nested-type/map-names""",
    _FILE: """
        extension/wire-id extension/last-field
        file/min-size file/head-magic file/tail-magic file/magic-agree file/footer-length file/encrypted-footer
        file/bytes-inserted file/bytes-missing file/other-format file/overwritten file/text-mode
        file/layout-order file/joined file/no-row-groups file/unreferenced-bytes file/unreferenced-zero-bytes
        footer/exact-length footer/version footer/version-one footer/schema-nonempty footer/num-rows-negative footer/num-rows
        footer/created-by-missing footer/created-by-format footer/created-by-build footer/column-orders-length
        limit/footer-size limit/schema-depth recovery/earlier-footer
        row-group/column-count row-group/num-rows-negative row-group/empty row-group/num-rows row-group/total-byte-size
        row-group/total-compressed-size row-group/file-offset row-group/ordinal row-group/ordinal-consistent
        schema/root-is-group schema/root-type schema/root-repetition-required schema/root-repetition schema/root-annotation schema/tree
        schema/group-or-leaf schema/num-children-negative schema/repetition schema/empty-group schema/leaf-zero-children
        schema/level-limit schema/name schema/name-empty schema/sibling-names schema/sibling-names-alike schema/name-dot schema/field-id-unique schema/type-length
        schema/flba-zero-length schema/group-type-length schema/int96-deprecated schema/scale-precision-context
        schema/bare-repeated schema/mixed-list-styles schema/levels schema/type
        known-writer/changed-values known-writer/int96-zone
        summary/common-metadata summary/schema thrift/unknown-union-member
        logical-type/decimal-precision logical-type/decimal-precision-limit logical-type/decimal-scale
        sorting/column-index sorting/column-twice sorting/empty-list sorting/nan sorting/nulls sorting/order
        sorting/repeated-column sorting/undefined-order
        logical-type/bson-type logical-type/converted-match logical-type/converted-present logical-type/date-type
        logical-type/decimal-element-fields logical-type/decimal-int64-small logical-type/decimal-type
        logical-type/enum-type logical-type/float16-type logical-type/int-type logical-type/int-width
        logical-type/interval-type logical-type/json-type logical-type/leaf-annotation logical-type/not-judged
        logical-type/string-type logical-type/time-type logical-type/timestamp-type logical-type/unknown-beside-converted
        logical-type/unknown-not-required logical-type/uuid-type nested-type/list-element-repetition nested-type/list-group
        nested-type/list-outer-repetition nested-type/map-fields nested-type/map-group nested-type/map-key-first
        nested-type/map-key-required nested-type/map-key-value-legacy nested-type/map-outer-repetition
        nested-type/map-value-repetition""",
    _FIELD: """
        bloom-filter/boolean bloom-filter/length bloom-filter/length-without-offset bloom-filter/order bloom-filter/shared
        page-index/all-columns page-index/column-needs-offset page-index/grouping
        column-chunk/codec column-chunk/meta-data column-chunk/file-path column-chunk/file-path-relative column-chunk/file-path-empty
        column-chunk/file-offset column-chunk/type column-chunk/path column-chunk/num-values column-chunk/rows
        column-chunk/total-compressed-size column-chunk/total-uncompressed-size column-chunk/data-page-offset
        column-chunk/data-page-offset-at-dictionary column-chunk/dictionary-page-offset column-chunk/dictionary-before-data
        column-chunk/dictionary-offset-zero column-chunk/index-page-offset
        compression/lz4-deprecated compression/lzo file/encrypted-column row-group/column-order
        footer/column-order-ieee754 footer/column-order-int96 footer/column-order-float
        column-index/boundary-order column-index/boundary-order-unused column-index/int96 column-index/nan-counts-type
        column-index/null-counts-missing column-index/undefined-order column-index/undefined-order-empty
        size-statistics/defined size-statistics/rows size-statistics/unencoded-bytes
        summary/file-path summary/file-path-differs summary/not-formal summary/chunk-metadata""",
    _CHUNK: """
        column-chunk/encodings column-chunk/encodings-levels column-chunk/encodings-unused column-chunk/encodings-duplicate
        column-chunk/encoding-stats column-chunk/encoding-stats-v2 column-chunk/encoding-stats-subset
        known-writer/calendar known-writer/date-shift
        column-chunk/encoding-stats-unique column-chunk/metadata-copy column-chunk/no-page levels/siblings-agree crc/absent""",
    "it is about the filter of the chunk, of which there is one": """
        bloom-filter/empty bloom-filter/fill bloom-filter/num-bytes bloom-filter/saturated bloom-filter/size-practice""",
    "it is about a list of the page index as a whole, of which a chunk has one": """
        offset-index/page-count offset-index/unencoded-length""",
    "it is about the first page of the chunk": "page/first-repetition-level",
    "it is about the dictionary, of which a chunk has one": """
        dictionary/num-values-negative dictionary/entry-count dictionary/sorted dictionary/unused-entries""",
    "a second dictionary page behind data pages breaks dictionary/at-most-one": "dictionary/page-first",
    "it is about the index of the chunk, of which there is one": """
        index-page/key-reading index-page/offset-base index-page/first-sort-column sorting/page-order""",
}

#: The reason by the rule.
ONCE = {rule: why for why, rules in _WHY.items() for rule in rules.split()}
