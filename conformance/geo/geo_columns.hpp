#pragma once

#include <memory>

#include "codec/geo/box.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns true for a GEOMETRY or GEOGRAPHY column that has values of WKB.
[[nodiscard]] inline bool is_geospatial(const Node& leaf) noexcept {
  const ResolvedType& type = leaf.logical;
  return leaf.is_leaf && leaf.type == Type::BYTE_ARRAY && !type.is_conflict && !type.is_misfit &&
         (type.kind == LogicalKind::GEOMETRY || type.kind == LogicalKind::GEOGRAPHY);
}

/// geo/crs-*: the coordinate reference systems that the schema states.
void check_geo_columns(FileCheck& check);

/// geo/statistics-type, geo/bbox-*, geo/types-*: judges the GeospatialStatistics in the metadata of a column
/// chunk without values.
void judge_geospatial_statistics(const FindingSite& chunk, const Schema& schema, std::size_t leaf,
                                 const ColumnMetaData& meta);

/// Returns true if each bound of the chunk at `place` that breaks geo/bbox-range is the min or max of its
/// values, so that the box is not at fault.
[[nodiscard]] bool has_range_of_values(const FileCheck& check, const Place& place);

/// wkb/* and geo/coordinate-range: the values of GEOMETRY and GEOGRAPHY columns; and geo/bbox, geo/types,
/// ...: compares the GeospatialStatistics with them.
[[nodiscard]] std::unique_ptr<ChunkObserver> geo_values();

/// geoparquet/*: the entry `geo` of key_value_metadata, as far as it describes native columns.
void check_geo_key(FileCheck& check);

}  // namespace parqproof
