#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/format/schema_element.hpp"
#include "codec/schema/schema.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/variant/shredding.hpp"

namespace parqproof {

/// Form in which rows are shown.
enum class RowView : std::uint8_t {
  logical,   ///< lists as arrays, maps as arrays of entries, values by their annotations
  physical,  ///< every group and repeated field under its own name, values as stored
};

/// A node of the schema as rows show it; nodes that were not requested are left out.
struct Field {
  std::string key;         ///< its name as a JSON string and a colon
  std::uint32_t node = 0;  ///< in the schema
  FieldRepetitionType repetition = FieldRepetitionType::REQUIRED;
  std::uint32_t max_definition = 0;
  std::uint32_t max_repetition = 0;
  bool is_leaf = false;
  bool transparent = false;  ///< a group that shows its only child in its place: LIST, MAP, middle of a LIST
  std::size_t first = 0;     ///< columns below it: [first, last) of Fields::leaves
  std::size_t last = 0;
  ValueStyle style;  ///< of a leaf
  /// Of a group that is shown as the Variant that its columns put together: its index in Fields::variants.
  std::optional<std::size_t> variant;
  std::vector<Field> children;
};

/// The fields of a row, and the columns that they need.
struct Fields {
  Field root;
  std::vector<std::size_t> leaves;  ///< ordinals of leaves, in the order of the schema
  std::vector<std::unique_ptr<variant::Group>> variants;
};

/// `columns` are dotted paths of leaves or groups; empty means all. Sets `missing` to the first path that
/// names no node.
[[nodiscard]] Fields make_fields(const Schema& schema, RowView view, const std::vector<std::string>& columns,
                                 std::string& missing);

}  // namespace parqproof
