#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"
#include "codec/variant/item.hpp"

namespace parqproof::variant {

/// A value in the schema of a Variant: its `value` column, and the columns of its typed_value
/// (VariantShredding.md#value-shredding). Columns are leaves by their ordinal.
struct Part {
  enum class Typed : std::uint8_t { none, primitive, object, array };

  std::uint32_t node = 0;              ///< the group with value and typed_value
  std::string_view name;               ///< of the group; it belongs to the schema
  std::uint32_t ordinal = 0;           ///< among the fields of all objects of the Variant
  std::optional<std::size_t> value;    ///< the column `value`
  std::uint32_t value_definition = 0;  ///< at which it has a value
  Typed typed = Typed::none;
  std::uint32_t typed_node = 0;
  std::uint32_t typed_definition = 0;  ///< at which typed_value is set
  std::size_t typed_first = 0;         ///< the columns of typed_value: [typed_first, typed_last)
  std::size_t typed_last = 0;
  Kind kind = Kind::null;                ///< of a primitive; boolean_true means both
  std::uint8_t scale = 0;                ///< of a decimal
  std::int32_t precision = 0;            ///< likewise
  std::uint32_t element_definition = 0;  ///< at which the LIST of an array has an element
  std::uint32_t element_repetition = 0;  ///< at which a further element begins
  std::vector<Part> parts;               ///< the fields of an object, or the element of an array
  std::vector<std::string_view> names;   ///< of the fields, sorted
};

/// The columns of a group that VARIANT annotates.
struct Group {
  std::uint32_t node = 0;
  std::size_t metadata = 0;               ///< the column `metadata`
  std::uint32_t metadata_definition = 0;  ///< at which the group is there
  std::uint32_t repetition = 0;           ///< max repetition level of the group
  std::size_t first = 0;                  ///< its columns: [first, last)
  std::size_t last = 0;
  std::uint32_t fields = 0;  ///< number of fields of all objects
  Part top;

  [[nodiscard]] bool is_shredded() const noexcept { return top.typed != Part::Typed::none; }
};

/// Receives a violation by the element `node` of the schema, at its `field`.
using SchemaFault = std::function<void(Rule rule, std::uint32_t node, std::string_view field, Contrast what)>;

/// Finds the columns of a VARIANT group, by the names of its fields. Returns nullopt if the values cannot be
/// put together. The schema is a tree within the limit of its depth.
[[nodiscard]] std::optional<Group> find_group(const Schema& schema, std::uint32_t node,
                                              const SchemaFault& fault);

/// Returns the columns of the innermost VARIANT group around a leaf; nullopt if there is none, or if its
/// values cannot be put together.
[[nodiscard]] std::optional<Group> group_around(const Schema& schema, const Node& leaf);

/// What the values of a leaf are in a Variant.
enum class Role : std::uint8_t { none, metadata, value };
/// Returns the role of a leaf in the innermost Variant that can be put together.
[[nodiscard]] Role role_of(const Schema& schema, const Node& leaf);

/// Returns true if VARIANT annotates the node, which is a group.
[[nodiscard]] bool is_variant(const Node& node) noexcept;

}  // namespace parqproof::variant
