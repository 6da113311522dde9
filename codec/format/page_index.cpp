#include "codec/format/page_index.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kPageLocationFields[] = {
    Field{1, "offset", i64, required, offsetof(PageLocation, offset)},
    Field{2, "compressed_page_size", i32, required, offsetof(PageLocation, compressed_page_size)},
    Field{3, "first_row_index", i64, required, offsetof(PageLocation, first_row_index)},
};

constexpr Field kOffsetIndexFields[] = {
    Field{1, "page_locations", list, required, offsetof(OffsetIndex, page_locations)}.of(PageLocation::kType),
    Field{2, "unencoded_byte_array_data_bytes", list, optional,
          offsetof(OffsetIndex, unencoded_byte_array_data_bytes)}
        .of(i64),
};

constexpr Field kColumnIndexFields[] = {
    Field{1, "null_pages", list, required, offsetof(ColumnIndex, null_pages)}.of(boolean),
    Field{2, "min_values", list, required, offsetof(ColumnIndex, min_values)}.of(binary),
    Field{3, "max_values", list, required, offsetof(ColumnIndex, max_values)}.of(binary),
    Field{4, "boundary_order", enumeration, required, offsetof(ColumnIndex, boundary_order)}.of(
        kBoundaryOrderEnum),
    Field{5, "null_counts", list, optional, offsetof(ColumnIndex, null_counts)}.of(i64),
    Field{6, "repetition_level_histograms", list, optional,
          offsetof(ColumnIndex, repetition_level_histograms)}
        .of(i64),
    Field{7, "definition_level_histograms", list, optional,
          offsetof(ColumnIndex, definition_level_histograms)}
        .of(i64),
    Field{8, "nan_counts", list, optional, offsetof(ColumnIndex, nan_counts)}.of(i64),
};

}  // namespace

constexpr thrift::StructType PageLocation::kType{"PageLocation", kPageLocationFields};
constexpr thrift::StructType OffsetIndex::kType{"OffsetIndex", kOffsetIndexFields};
constexpr thrift::StructType ColumnIndex::kType{"ColumnIndex", kColumnIndexFields};

}  // namespace parqproof
