#include "codec/format/row_group.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kSortingColumnFields[] = {
    Field{1, "column_idx", i32, required, offsetof(SortingColumn, column_idx)},
    Field{2, "descending", boolean, required, offsetof(SortingColumn, descending)},
    Field{3, "nulls_first", boolean, required, offsetof(SortingColumn, nulls_first)},
};

constexpr Field kRowGroupFields[] = {
    Field{1, "columns", list, required, offsetof(RowGroup, columns)}.of(ColumnChunk::kType),
    Field{2, "total_byte_size", i64, required, offsetof(RowGroup, total_byte_size)},
    Field{3, "num_rows", i64, required, offsetof(RowGroup, num_rows)},
    Field{4, "sorting_columns", list, optional, offsetof(RowGroup, sorting_columns)}.of(SortingColumn::kType),
    Field{5, "file_offset", i64, optional, offsetof(RowGroup, file_offset)},
    Field{6, "total_compressed_size", i64, optional, offsetof(RowGroup, total_compressed_size)},
    Field{7, "ordinal", i16, optional, offsetof(RowGroup, ordinal)},
};

}  // namespace

constexpr thrift::StructType SortingColumn::kType{"SortingColumn", kSortingColumnFields};
constexpr thrift::StructType RowGroup::kType{"RowGroup", kRowGroupFields};

}  // namespace parqproof
