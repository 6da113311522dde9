#pragma once

#include <cstdint>

#include "codec/schema/schema.hpp"

namespace parqproof {

/// The shapes of LIST and MAP groups (LogicalTypes.md#nested-types). Nodes are identified by index; index 0,
/// the root, means none. The schema must be valid.

/// Which of the backward-compatibility rules determines the element of a LIST (LogicalTypes.md#lists).
enum class ListRule : std::uint8_t {
  none,            ///< none of them: there is no single repeated child, or it has no field
  repeated_leaf,   ///< 1: the repeated child is a leaf and is the element
  several_fields,  ///< 2: the repeated child is a group of several fields and is the element
  repeated_field,  ///< 3: the only field of the repeated child is repeated; the repeated child is the element
  named_group,   ///< 4: the repeated child is named `array` or `<name of the LIST>_tuple` and is the element
  single_field,  ///< 5: the only field of the repeated child is the element, the standard three-level
                 ///< structure
};

/// Returns the number of children of a group.
[[nodiscard]] std::uint32_t child_count(const Nodes& nodes, std::uint32_t group) noexcept;
/// Returns the only child of a group; 0 if it has not exactly one.
[[nodiscard]] std::uint32_t only_child(const Nodes& nodes, std::uint32_t group) noexcept;
/// Returns the only child of a group if it is repeated; else 0.
[[nodiscard]] std::uint32_t repeated_child(const Nodes& nodes, std::uint32_t group) noexcept;

/// Returns true if MAP_KEY_VALUE is the only annotation; inside a MAP it marks the entries.
[[nodiscard]] bool marks_entries(const ResolvedType& type) noexcept;
/// Returns true if a node is a group annotated as a LIST. The entries of a MAP never are, whatever their
/// annotation.
[[nodiscard]] bool is_list(const Nodes& nodes, std::uint32_t node) noexcept;
/// Returns true if a node is a group annotated as a MAP, or with MAP_KEY_VALUE instead. The entries of a MAP
/// never are, whatever their annotation.
[[nodiscard]] bool is_map(const Nodes& nodes, std::uint32_t node) noexcept;

[[nodiscard]] ListRule list_rule(const Nodes& nodes, std::uint32_t list);
/// Returns the repeated group of a MAP that contains a key and optionally a value; 0 if there is none.
[[nodiscard]] std::uint32_t map_entries(const Nodes& nodes, std::uint32_t map) noexcept;

}  // namespace parqproof
