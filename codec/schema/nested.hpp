#pragma once

#include <cstdint>

#include "codec/schema/schema.hpp"

namespace parqproof {

/// The shapes of LIST and MAP groups (LogicalTypes.md#nested-types). Nodes are named by their index; 0, the
/// root, stands for none. The schema has no fault.

/// By which of the numbered rules for older shapes the element of a LIST is found (LogicalTypes.md#lists).
enum class ListRule : std::uint8_t {
  none,            ///< by none of them: there is no single repeated child, or it has no field
  repeated_leaf,   ///< 1: the repeated child is a leaf, and the element
  several_fields,  ///< 2: it is a group of several fields, and the element
  repeated_field,  ///< 3: its only field is repeated; the group is the element
  named_group,     ///< 4: it is named `array` or `<name of the LIST>_tuple`, and the element
  single_field,    ///< 5: its only field is the element: the three levels of today
};

/// How many children a group has.
[[nodiscard]] std::uint32_t child_count(const Nodes& nodes, std::uint32_t group) noexcept;
/// The only child of a group.
[[nodiscard]] std::uint32_t only_child(const Nodes& nodes, std::uint32_t group) noexcept;
/// The only child of a group if it is repeated.
[[nodiscard]] std::uint32_t repeated_child(const Nodes& nodes, std::uint32_t group) noexcept;

/// Whether MAP_KEY_VALUE is all that an annotation says: in a MAP it marks the entries.
[[nodiscard]] bool marks_entries(const ResolvedType& type) noexcept;
/// Whether a node is a group that is annotated as a LIST. The entries of a MAP are none, whatever their
/// annotation is.
[[nodiscard]] bool is_list(const Nodes& nodes, std::uint32_t node) noexcept;
/// Whether a node is a group that is annotated as a MAP, or with MAP_KEY_VALUE in place of that. The entries
/// of a MAP are none, whatever their annotation is.
[[nodiscard]] bool is_map(const Nodes& nodes, std::uint32_t node) noexcept;

[[nodiscard]] ListRule list_rule(const Nodes& nodes, std::uint32_t list);
/// The repeated group of a MAP that holds a key, and perhaps a value.
[[nodiscard]] std::uint32_t map_entries(const Nodes& nodes, std::uint32_t map) noexcept;

}  // namespace parqproof
