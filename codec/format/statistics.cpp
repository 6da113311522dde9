#include "codec/format/statistics.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kStatisticsFields[] = {
    Field{1, "max", binary, optional, offsetof(Statistics, max)},
    Field{2, "min", binary, optional, offsetof(Statistics, min)},
    Field{3, "null_count", i64, optional, offsetof(Statistics, null_count)},
    Field{4, "distinct_count", i64, optional, offsetof(Statistics, distinct_count)},
    Field{5, "max_value", binary, optional, offsetof(Statistics, max_value)},
    Field{6, "min_value", binary, optional, offsetof(Statistics, min_value)},
    Field{7, "is_max_value_exact", boolean, optional, offsetof(Statistics, is_max_value_exact)},
    Field{8, "is_min_value_exact", boolean, optional, offsetof(Statistics, is_min_value_exact)},
    Field{9, "nan_count", i64, optional, offsetof(Statistics, nan_count)},
};

constexpr Field kSizeStatisticsFields[] = {
    Field{1, "unencoded_byte_array_data_bytes", i64, optional,
          offsetof(SizeStatistics, unencoded_byte_array_data_bytes)},
    Field{2, "repetition_level_histogram", list, optional,
          offsetof(SizeStatistics, repetition_level_histogram)}
        .of(i64),
    Field{3, "definition_level_histogram", list, optional,
          offsetof(SizeStatistics, definition_level_histogram)}
        .of(i64),
};

constexpr Field kBoundingBoxFields[] = {
    Field{1, "xmin", double_, required, offsetof(BoundingBox, xmin)},
    Field{2, "xmax", double_, required, offsetof(BoundingBox, xmax)},
    Field{3, "ymin", double_, required, offsetof(BoundingBox, ymin)},
    Field{4, "ymax", double_, required, offsetof(BoundingBox, ymax)},
    Field{5, "zmin", double_, optional, offsetof(BoundingBox, zmin)},
    Field{6, "zmax", double_, optional, offsetof(BoundingBox, zmax)},
    Field{7, "mmin", double_, optional, offsetof(BoundingBox, mmin)},
    Field{8, "mmax", double_, optional, offsetof(BoundingBox, mmax)},
};

constexpr Field kGeospatialStatisticsFields[] = {
    Field{1, "bbox", structure, optional, offsetof(GeospatialStatistics, bbox)}.of(BoundingBox::kType),
    Field{2, "geospatial_types", list, optional, offsetof(GeospatialStatistics, geospatial_types)}.of(i32),
};

}  // namespace

constexpr thrift::StructType Statistics::kType{"Statistics", kStatisticsFields};
constexpr thrift::StructType SizeStatistics::kType{"SizeStatistics", kSizeStatisticsFields};
constexpr thrift::StructType BoundingBox::kType{"BoundingBox", kBoundingBoxFields};
constexpr thrift::StructType GeospatialStatistics::kType{"GeospatialStatistics", kGeospatialStatisticsFields};

}  // namespace parqproof
