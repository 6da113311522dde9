#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"
#include "codec/thrift/walk.hpp"

/// Text about Thrift fields, by the field tables if they know the field.
namespace parqproof {

/// "i32", "string", "Encoding", "SchemaElement", "list<SchemaElement>"; for an unknown field, its wire type.
[[nodiscard]] std::string type_text(const thrift::Event& event);

/// The value of a number, boolean or binary: `3 (RLE)`, `"text"`, `0a0b`; a binary of more than `most` bytes
/// is cut, with a remark.
[[nodiscard]] std::string field_text(const thrift::Event& event, std::size_t most);

/// Name of an enumerator, or `noun` and the number if it has none: "codec 12".
[[nodiscard]] std::string enumerator_text(const thrift::EnumType& type, std::int64_t number,
                                          std::string_view noun);

/// A bound in statistics or in a column index, by the logical type of its leaf; a BYTE_ARRAY without bytes is
/// "". In hex, with a remark, if its length is not that of the type.
[[nodiscard]] std::string bound_text(const View& bound, const Node& leaf);

/// "num_rows", "unknown field 7", "[3]", "[3] key"; `name` is that of FieldNames.
[[nodiscard]] std::string label_of(const thrift::Event& event, std::string_view name);

/// Returns true if the event begins a struct, list, set or map.
[[nodiscard]] bool is_container(const thrift::Event& event) noexcept;

/// Returns true if the event ends one of these.
[[nodiscard]] bool is_end(const thrift::Event& event) noexcept;

/// Kind of the field, or of its elements, in the field table. A binary that no table knows is bytes.
[[nodiscard]] thrift::Kind kind_of(const thrift::Event& event) noexcept;

/// Name of the enumerator in the specification; empty if the value is not of an enumeration, or has no name.
[[nodiscard]] std::string_view symbol_of(const thrift::Event& event) noexcept;

/// Rules whose breach ends the reading of a Thrift structure; the last finding of one has the offset and the
/// reason.
[[nodiscard]] RuleSet framing_rules() noexcept;

/// Names the fields of a walk. It finds a field with a wrong type by its id, which an Event does not.
class FieldNames {
 public:
  /// The walk begins inside a struct of this type.
  explicit FieldNames(const thrift::StructType* type) { open_.push_back(type); }

  /// Name of a field; empty if no table has its id. Must be called for each event of the walk, in order.
  [[nodiscard]] std::string_view next(const thrift::Event& event);
  /// Number of containers that are open after the last event, without the outermost struct.
  [[nodiscard]] std::size_t depth() const noexcept { return open_.size() - 1; }

 private:
  std::vector<const thrift::StructType*> open_;  // null for lists, and for unknown structs
};

}  // namespace parqproof
