#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/schema/logical.hpp"

namespace parqproof {

/// One annotation of LogicalTypes.md: what it means, what pairs with it, and what it may stand on.
struct Annotation {
  LogicalKind kind;
  SecondUnit unit = SecondUnit::none;  ///< of TIME, TIMESTAMP
  std::int8_t bit_width = 0;           ///< of INTEGER
  bool is_signed = true;               ///< of INTEGER
  std::int8_t converted = -1;          ///< number of the ConvertedType that goes with it; -1: none does
  std::uint8_t carriers = 0;           ///< bit n: it may annotate physical type n; 0: it annotates groups
  std::int8_t length = 0;              ///< bytes of the FIXED_LEN_BYTE_ARRAY that it annotates; 0: any
};

/// The table, in the order of LogicalKind.
[[nodiscard]] std::span<const Annotation> annotations() noexcept;

/// The row of a type; nullptr where it is none, or has a unit or width that the specification does not name.
[[nodiscard]] const Annotation* annotation_of(const ResolvedType& type) noexcept;
/// The row that a ConvertedType alone stands for; nullptr for one that is not known. MAP_KEY_VALUE stands for
/// MAP (LogicalTypes.md#maps).
[[nodiscard]] const Annotation* annotation_of(ConvertedType type) noexcept;

/// Whether the type may stand on such a node: a leaf of `carrier` with `length` bytes a value, or a group.
/// What is not known suits every leaf; INTEGER with a width that there is not suits none.
[[nodiscard]] bool suits(const ResolvedType& type, bool is_leaf, Type carrier, std::int32_t length) noexcept;

/// The name in LogicalTypes.md; no text of `none`.
[[nodiscard]] std::string_view name_of(LogicalKind kind) noexcept;

/// The nodes that an annotation may stand on, in words: `INT32`, `FIXED_LEN_BYTE_ARRAY of 16 bytes`, `a
/// group`.
[[nodiscard]] std::string carriers_text(const Annotation& annotation);

}  // namespace parqproof
