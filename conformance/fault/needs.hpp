#pragma once

#include "conformance/fault/fault.hpp"

/// What the sites of faults must have.
namespace parqproof::fault::needs {

extern const Need kNothing;         ///< any site of the kind
extern const Need kPages;           ///< of a chunk or metadata: data pages with values
extern const Need kDictionary;      ///< of a chunk, its metadata, or a data page: a dictionary page
extern const Need kNoDictionary;    ///< the opposite, with data pages
extern const Need kSeveralColumns;  ///< of a file, a row group: two columns or more
extern const Need kSeveralPages;    ///< of a chunk or an index: two data pages or more
extern const Need kV1;              ///< of a page
extern const Need kV2;              ///< of a page
extern const Need kV2Optional;      ///< of a v2 page of a column with definition levels
extern const Need kV2Repeated;      ///< of a v2 page of a column with repetition levels
extern const Need kV2Flat;          ///< of a v2 page of a column without repetition levels
extern const Need kOptional;        ///< of a page: definition levels, and no repetition levels
extern const Need kRequired;        ///< of a page or chunk: no definition levels
extern const Need kCrc;             ///< of a page
extern const Need kCompressed;      ///< of a page
extern const Need kUncompressed;    ///< of a page
extern const Need kInt32;           ///< of a leaf: INT32 without annotation; of a chunk: INT32
extern const Need kInt64;           ///< likewise INT64
extern const Need kByteArray;       ///< likewise BYTE_ARRAY
extern const Need kFixed;           ///< FIXED_LEN_BYTE_ARRAY
extern const Need kFloat;           ///< FLOAT or DOUBLE
extern const Need kBoolean;         ///< BOOLEAN
extern const Need kSignedBounds;    ///< of metadata or an index: signed integers, min below max
extern const Need kBounds;          ///< of metadata: min_value and max_value of different values
extern const Need kNoNulls;         ///< of a page: as many stored values as entries
extern const Need kNoCopy;          ///< of metadata of a chunk with pages: no copy of it
extern const Need kInt32Bare;       ///< of a leaf: kInt32, without statistics and indexes
extern const Need kPlainGroup;      ///< of a group: no annotation
extern const Need kVersion;         ///< of a footer: created_by has a version
extern const Need kNotBoolean;      ///< of a chunk with data pages
extern const Need kBuild;           ///< of a footer: created_by has a build
extern const Need kAnyBounds;       ///< of a footer: statistics with max_value
extern const Need kListsRle;        ///< of metadata: encodings has RLE
extern const Need kCompressedV1;    ///< of a page: a compressed v1 page
extern const Need kMarkedEnd;       ///< of a page: compressed by a codec whose streams have an end
extern const Need kExactBounds;     ///< kSignedBounds that are stated to be exact
extern const Need kStatistics;      ///< of metadata
extern const Need kBox;             ///< of metadata: a bounding box and geospatial_types
extern const Need kNotSorted;       ///< of a row group: no sorting_columns
extern const Need kNulls;           ///< of a chunk: at least one null, and one value

}  // namespace parqproof::fault::needs
