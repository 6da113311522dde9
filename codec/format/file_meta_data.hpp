#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/column_chunk.hpp"
#include "codec/format/empty_structs.hpp"
#include "codec/format/encryption.hpp"
#include "codec/format/row_group.hpp"
#include "codec/format/schema_element.hpp"
#include "codec/thrift/table.hpp"

/// The footer: parquet.thrift#FileMetaData.
namespace parqproof {

/// A union: exactly one member is set.
struct ColumnOrder {
  enum Id : int {
    id_TYPE_ORDER = 1,
    id_IEEE_754_TOTAL_ORDER = 2,
    id_INT96_TIMESTAMP_ORDER = 3,
  };

  thrift::Presences fields;
  EmptyStruct TYPE_ORDER;
  EmptyStruct IEEE_754_TOTAL_ORDER;
  EmptyStruct INT96_TIMESTAMP_ORDER;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

/// Schema, row groups and metadata of a file (parquet.thrift#FileMetaData).
struct FileMetaData {
  enum Id : int {
    id_version = 1,
    id_schema = 2,
    id_num_rows = 3,
    id_row_groups = 4,
    id_key_value_metadata = 5,
    id_created_by = 6,
    id_column_orders = 7,
    id_encryption_algorithm = 8,
    id_footer_signing_key_metadata = 9,
  };

  thrift::Presences fields;
  std::int32_t version = 0;
  thrift::List schema;  ///< of SchemaElement
  std::int64_t num_rows = 0;
  thrift::List row_groups;          ///< of RowGroup
  thrift::List key_value_metadata;  ///< of KeyValue
  View created_by;
  thrift::List column_orders;  ///< of ColumnOrder
  EncryptionAlgorithm encryption_algorithm;
  View footer_signing_key_metadata;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
