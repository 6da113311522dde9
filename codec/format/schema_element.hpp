#pragma once

#include <cstdint>

#include "codec/base/bytes.hpp"
#include "codec/format/enums.hpp"
#include "codec/format/logical_type.hpp"
#include "codec/thrift/table.hpp"

/// One node of the schema tree: parquet.thrift#SchemaElement.
namespace parqproof {

struct SchemaElement {
  enum Id : int {
    id_type = 1,
    id_type_length = 2,
    id_repetition_type = 3,
    id_name = 4,
    id_num_children = 5,
    id_converted_type = 6,
    id_scale = 7,
    id_precision = 8,
    id_field_id = 9,
    id_logicalType = 10,
  };

  thrift::Presences fields;
  Type type{};
  std::int32_t type_length = 0;
  FieldRepetitionType repetition_type{};
  View name;
  std::int32_t num_children = 0;
  ConvertedType converted_type{};
  std::int32_t scale = 0;
  std::int32_t precision = 0;
  std::int32_t field_id = 0;
  LogicalType logicalType;

  [[nodiscard]] bool has(Id id) const noexcept { return fields.has(id); }
  static const thrift::StructType kType;
};

}  // namespace parqproof
