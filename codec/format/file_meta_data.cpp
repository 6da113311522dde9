#include "codec/format/file_meta_data.hpp"

#include <cstddef>

namespace parqproof {
namespace {

using thrift::Field;
using enum thrift::Kind;
using enum thrift::Presence;

constexpr Field kColumnOrderFields[] = {
    Field{1, "TYPE_ORDER", structure, optional, offsetof(ColumnOrder, TYPE_ORDER)}.of(kTypeDefinedOrder),
    Field{2, "IEEE_754_TOTAL_ORDER", structure, optional, offsetof(ColumnOrder, IEEE_754_TOTAL_ORDER)}.of(
        kIEEE754TotalOrder),
    Field{3, "INT96_TIMESTAMP_ORDER", structure, optional, offsetof(ColumnOrder, INT96_TIMESTAMP_ORDER)}.of(
        kInt96TimestampOrder),
};

constexpr Field kFileMetaDataFields[] = {
    Field{1, "version", i32, required, offsetof(FileMetaData, version)},
    Field{2, "schema", list, required, offsetof(FileMetaData, schema)}.of(SchemaElement::kType),
    Field{3, "num_rows", i64, required, offsetof(FileMetaData, num_rows)},
    Field{4, "row_groups", list, required, offsetof(FileMetaData, row_groups)}.of(RowGroup::kType),
    Field{5, "key_value_metadata", list, optional, offsetof(FileMetaData, key_value_metadata)}.of(
        KeyValue::kType),
    Field{6, "created_by", string, optional, offsetof(FileMetaData, created_by)},
    Field{7, "column_orders", list, optional, offsetof(FileMetaData, column_orders)}.of(ColumnOrder::kType),
    Field{8, "encryption_algorithm", structure, optional, offsetof(FileMetaData, encryption_algorithm)}.of(
        EncryptionAlgorithm::kType),
    Field{9, "footer_signing_key_metadata", binary, optional,
          offsetof(FileMetaData, footer_signing_key_metadata)},
};

}  // namespace

constexpr thrift::StructType ColumnOrder::kType{"ColumnOrder", kColumnOrderFields, true};
constexpr thrift::StructType FileMetaData::kType{"FileMetaData", kFileMetaDataFields};

}  // namespace parqproof
