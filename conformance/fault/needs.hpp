#pragma once

#include "conformance/fault/fault.hpp"

/// What the sites of faults must have.
namespace parqproof::fault::needs {

extern const Need kNothing;            ///< any site of the kind
extern const Need kPages;              ///< of a chunk or metadata: data pages with values
extern const Need kDictionary;         ///< of a chunk, its metadata, or a data page: a dictionary page
extern const Need kNoDictionary;       ///< the opposite, with data pages
extern const Need kSeveralColumns;     ///< of a file, a row group: two columns or more
extern const Need kSeveralPages;       ///< of a chunk or an index: two data pages or more
extern const Need kV1;                 ///< of a page
extern const Need kV2;                 ///< of a page
extern const Need kV2Optional;         ///< of a v2 page of a column with definition levels
extern const Need kV2Repeated;         ///< of a v2 page of a column with repetition levels
extern const Need kV2Flat;             ///< of a v2 page of a column without repetition levels
extern const Need kOptional;           ///< of a page: definition levels, and no repetition levels
extern const Need kRequired;           ///< of a page or chunk: no definition levels
extern const Need kCrc;                ///< of a page
extern const Need kCompressed;         ///< of a page
extern const Need kUncompressed;       ///< of a page
extern const Need kInt32;              ///< of a leaf: INT32 without annotation; of a chunk: INT32
extern const Need kInt32WithValues;    ///< kInt32 of a leaf with a page that stores a value
extern const Need kWideInt32;          ///< kInt32WithValues with a bound above 1
extern const Need kNoInt96;            ///< of a footer
extern const Need kFreeNameOfPages;    ///< kFreeName with data pages
extern const Need kOwnGroup;           ///< of a leaf: not of a VARIANT or FILE
extern const Need kEndsInDataPage;     ///< of a chunk: its last page is a data page
extern const Need kBoundedIntegers;    ///< of metadata: INT32 or INT64 with max_value
extern const Need kV1Flat;             ///< of a v1 page of a column without repetition levels
extern const Need kFlatPages;          ///< of a chunk with data pages: no repetition levels
extern const Need kV2WithValues;       ///< kV2Optional with a value
extern const Need kV1NotPlainLike;     ///< of a v1 page: values whose section could not be PLAIN
extern const Need kRowGroupWithPages;  ///< of a row group: all chunks have data pages
extern const Need kRowGroupOfColumns;  ///< likewise of two columns or more
extern const Need kInt64;              ///< likewise INT64
extern const Need kByteArray;          ///< likewise BYTE_ARRAY
extern const Need kFixed;              ///< FIXED_LEN_BYTE_ARRAY
extern const Need kDecimal;            ///< of a leaf: DECIMAL by LogicalType and by its element
extern const Need kSeveralRowGroups;   ///< of a row group: a file with two or more
extern const Need kStringValues;   ///< of a page: values of STRING that can be changed, of no special group
extern const Need kJsonValues;     ///< likewise JSON
extern const Need kBsonValues;     ///< likewise BSON
extern const Need kSmallIntegers;  ///< likewise INTEGER of 8 or 16 bits
extern const Need kTimes;          ///< likewise TIME in INT64
extern const Need kDecimals;       ///< likewise DECIMAL in INT64
extern const Need kString;         ///< of metadata: STRING
extern const Need kNanCountAndOther;      ///< likewise with a value that is not NaN
extern const Need kNanCountInTypeOrder;   ///< likewise under TYPE_ORDER
extern const Need kNanCountInTotalOrder;  ///< likewise under IEEE_754_TOTAL_ORDER
extern const Need kFloatInTypeOrder;      ///< FLOAT or DOUBLE under TYPE_ORDER
extern const Need kNanCount;              ///< of metadata: statistics with nan_count
extern const Need kStatisticsOfInt32;     ///< of metadata: INT32 with statistics
extern const Need kFixedBytes;            ///< of metadata: FIXED_LEN_BYTE_ARRAY without annotation
extern const Need kGeoStatistics;         ///< of metadata: geospatial, with statistics that have no bounds
extern const Need kFloat;                 ///< FLOAT or DOUBLE
extern const Need kBoolean;               ///< BOOLEAN
extern const Need kSignedBounds;          ///< of metadata or an index: signed integers, min below max
extern const Need kBounds;                ///< of metadata: min_value and max_value of different values
extern const Need kNoNulls;               ///< of a page: as many stored values as entries
extern const Need kNoCopy;                ///< of metadata of a chunk with pages: no copy of it
extern const Need kInt32Bare;             ///< of a leaf: kInt32, without statistics, indexes and sorting
extern const Need kPlainGroup;            ///< of a group: no annotation
extern const Need kVersion;               ///< of a footer: created_by has a version
extern const Need kNotBoolean;            ///< of a chunk with data pages
extern const Need kBuild;                 ///< of a footer: created_by has a build
extern const Need kAnyBounds;             ///< of a footer: statistics with max_value
extern const Need kListsRle;              ///< of metadata: encodings has RLE
extern const Need kCompressedV1;          ///< of a page: a compressed v1 page
extern const Need kMarkedEnd;             ///< of a page: compressed by a codec whose streams have an end
extern const Need kExactBounds;           ///< kSignedBounds that are stated to be exact
extern const Need kStatistics;            ///< of metadata
extern const Need kBox;                   ///< of metadata: a bounding box and geospatial_types
extern const Need kNotSorted;             ///< of a row group: no sorting_columns
extern const Need kGeometry;              ///< of a leaf: GEOMETRY without GeoParquet metadata
extern const Need kGeography;             ///< likewise GEOGRAPHY
extern const Need kWkb;                   ///< of a page: values of GEOMETRY or GEOGRAPHY that can be changed
extern const Need kGeoKey;                ///< of a footer: GeoParquet metadata
extern const Need kGeometryBox;           ///< kBox of a GEOMETRY
extern const Need kGeographyBox;          ///< kBox of a GEOGRAPHY
extern const Need kBoxZ;                  ///< of metadata: a bounding box with z
extern const Need kBoxOfAxes;             ///< of metadata: a bounding box with z or m
extern const Need kGeographyWkb;          ///< kWkb of GEOGRAPHY without GeoParquet metadata
extern const Need kShreddedTop;           ///< of a page: `value` of a shredded Variant
extern const Need kNotGeo;                ///< of a chunk with pages: neither GEOMETRY nor GEOGRAPHY
extern const Need kStruct;            ///< of a group: fields, no annotation, and no part of a group with one
extern const Need kList;              ///< of a group: a LIST
extern const Need kMap;               ///< of a group: a MAP
extern const Need kVariant;           ///< of a group: a VARIANT
extern const Need kVariantMetadata;   ///< of a page: metadata of a Variant that can be changed
extern const Need kVariantValue;      ///< likewise values
extern const Need kShreddedMetadata;  ///< likewise metadata of a shredded Variant
extern const Need kShreddedValue;     ///< likewise values next to typed_value
extern const Need kShreddedString;    ///< of a leaf: typed_value of a Variant
extern const Need kShreddedField;     ///< of a leaf: `value` of a shredded field
extern const Need kFileChecksum;      ///< of a page: values of a field of FILE that can be changed
extern const Need kFileContentType;   ///< likewise
extern const Need kFileUri;           ///< likewise
extern const Need kFileSize;          ///< likewise
extern const Need kFileUriAlone;      ///< likewise, in a group without inline
extern const Need kFileText;          ///< of a leaf: checksum or content_type of FILE
extern const Need kBareByteArray;     ///< of a leaf: BYTE_ARRAY without annotation
extern const Need kEncrypted;         ///< of a chunk: encrypted metadata under a plaintext footer
extern const Need kEncryptedFile;     ///< a plaintext footer with encrypted columns
extern const Need kNotEncrypted;      ///< a footer without one
extern const Need kV1Optional;        ///< of a v1 page: kOptional
extern const Need kV1OfByteArray;     ///< of a v1 page of BYTE_ARRAY
extern const Need kInteger;           ///< of a v1 page of INT32 or INT64
extern const Need
    kFreeName;  ///< of a leaf: neither an annotation of a group nor GeoParquet metadata names it
extern const Need kNoExtension;   ///< of a footer
extern const Need kNoFileColumn;  ///< of a file: no FILE, whose values may refer to bytes of the file
extern const Need kFlatNulls;     ///< kNulls of a column of the root that is not repeated
extern const Need kNulls;         ///< of a chunk: at least one null, and one value

}  // namespace parqproof::fault::needs
