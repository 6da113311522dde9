#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/walk.hpp"

/// Thrift fields in words, by the field tables where they know the field.
namespace parqproof {

/// "i32", "string", "Encoding", "SchemaElement", "list<SchemaElement>"; of an unknown field what its wire
/// type says.
[[nodiscard]] std::string type_text(const thrift::Event& event);

/// The value of a number, boolean or binary: `3 (RLE)`, `"text"`, `0a0b`; a binary of more than `most` bytes
/// is cut and says so.
[[nodiscard]] std::string field_text(const thrift::Event& event, std::size_t most);

/// A bound in statistics or in a column index, by the logical type of its leaf; a BYTE_ARRAY without bytes is
/// "". In hex, with a remark, where it has another length than the type.
[[nodiscard]] std::string bound_text(const View& bound, const Node& leaf);

/// The event begins a struct, list, set or map.
[[nodiscard]] bool is_container(const thrift::Event& event) noexcept;

/// What the field table says of the value: the kind of the field, or of its elements. A binary that no table
/// knows is bytes.
[[nodiscard]] thrift::Kind kind_of(const thrift::Event& event) noexcept;

/// The spec's name of the value of an enumeration: empty where it is of no enumeration, or has no name.
[[nodiscard]] std::string_view symbol_of(const thrift::Event& event) noexcept;

/// The value is of an enumeration that has no name for it.
[[nodiscard]] bool is_unknown_symbol(const thrift::Event& event) noexcept;

/// The rules whose breach ends the reading of a Thrift structure: the last finding of one says where and why.
[[nodiscard]] RuleSet framing_rules() noexcept;

/// Names the fields of a walk. It knows a field that has a wrong type by its id too, which an Event does not.
class FieldNames {
 public:
  /// The walk begins inside a struct of this type.
  explicit FieldNames(const thrift::StructType* type) { open_.push_back(type); }

  /// The name of a field, empty where no table has its id. Each event of the walk comes here once, in order.
  [[nodiscard]] std::string_view next(const thrift::Event& event);
  /// Containers that are open after the last event, the outermost struct not counted.
  [[nodiscard]] std::size_t depth() const noexcept { return open_.size() - 1; }

 private:
  std::vector<const thrift::StructType*> open_;  // null for lists, and for structs that no table knows
};

}  // namespace parqproof
