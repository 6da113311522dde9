#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "codec/schema/schema.hpp"
#include "tests/support/bytes.hpp"

/// Schema elements of leaves with their annotations, and the bytes of values.
namespace support {

template <typename Number>
[[nodiscard]] Bytes of(Number number) {
  Bytes bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}
[[nodiscard]] inline Bytes of(const char* characters) { return text(characters); }

[[nodiscard]] inline parqproof::SchemaElement leaf(parqproof::Type type, std::int32_t length = 0) {
  using Element = parqproof::SchemaElement;
  Element element;
  element.type = type;
  element.type_length = length;
  element.fields.present = 1U << Element::id_type | 1U << Element::id_type_length;
  return element;
}
/// Adds a member of LogicalType, with all its required fields.
[[nodiscard]] inline parqproof::SchemaElement logical(parqproof::SchemaElement element,
                                                      parqproof::LogicalType::Id id) {
  element.fields.present |= 1U << parqproof::SchemaElement::id_logicalType;
  parqproof::LogicalType& type = element.logicalType;
  type.fields.present = 1U << id;
  constexpr unsigned kFirstTwo = 1U << 1 | 1U << 2;
  for (auto* fields : {&type.DECIMAL.fields, &type.TIME.fields, &type.TIMESTAMP.fields, &type.INTEGER.fields})
    fields->present = kFirstTwo;
  return element;
}
[[nodiscard]] inline parqproof::SchemaElement converted(parqproof::SchemaElement element,
                                                        parqproof::ConvertedType type) {
  element.fields.present |= 1U << parqproof::SchemaElement::id_converted_type;
  element.converted_type = type;
  return element;
}
[[nodiscard]] inline parqproof::SchemaElement decimal(parqproof::Type type, std::int32_t scale,
                                                      std::int32_t length = 0) {
  parqproof::SchemaElement element = logical(leaf(type, length), parqproof::LogicalType::id_DECIMAL);
  element.logicalType.DECIMAL.scale = scale;
  return element;
}
/// Marks fields of a struct as present.
template <typename Struct>
void set(Struct& out, std::initializer_list<int> ids) {
  for (const int id : ids) out.fields.present |= 1U << id;
}

/// A TIME or TIMESTAMP.
[[nodiscard]] inline parqproof::SchemaElement moment(parqproof::Type type, parqproof::LogicalType::Id id,
                                                     parqproof::TimeUnit::Id unit, bool utc = false) {
  parqproof::SchemaElement element = logical(leaf(type), id);
  for (parqproof::TimeUnit* of : {&element.logicalType.TIME.unit, &element.logicalType.TIMESTAMP.unit})
    of->fields.present = 1U << unit;
  element.logicalType.TIME.isAdjustedToUTC = utc;
  element.logicalType.TIMESTAMP.isAdjustedToUTC = utc;
  return element;
}

/// The node that a schema makes of the element.
[[nodiscard]] inline parqproof::Node node_of(const parqproof::SchemaElement& element) {
  parqproof::Schema schema;
  schema.add(element);
  return schema.nodes().front();
}

}  // namespace support
