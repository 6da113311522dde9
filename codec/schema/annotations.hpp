#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/rules/editions.hpp"
#include "codec/schema/logical.hpp"

namespace parqproof {

/// One annotation of LogicalTypes.md: its meaning, its ConvertedType, and the nodes that it may annotate.
struct Annotation {
  LogicalKind kind;
  SecondUnit unit = SecondUnit::none;  ///< unit of TIME and TIMESTAMP
  std::int8_t bit_width = 0;           ///< bit width of INTEGER
  bool is_signed = true;               ///< signedness of INTEGER
  std::int8_t converted = -1;          ///< number of the equivalent ConvertedType; -1: none
  std::uint8_t carriers = 0;  ///< bit n is set if it may annotate physical type n; 0: it annotates groups
  std::int8_t length = 0;     ///< bytes of the annotated FIXED_LEN_BYTE_ARRAY; 0: any
  std::optional<Addition> addition{};  ///< what has to be defined in an edition; nullopt: it is, in all
};

/// Returns the table, in the order of LogicalKind.
[[nodiscard]] std::span<const Annotation> annotations() noexcept;

/// Returns the first row of a type. Returns null if the type has none, or a unit or width that the
/// specification lacks.
[[nodiscard]] const Annotation* annotation_of(const ResolvedType& type) noexcept;
/// Returns the row of a type that the node may have in some edition, else the first row of the type.
[[nodiscard]] const Annotation* annotation_of(const ResolvedType& type, bool is_leaf, Type carrier,
                                              std::int32_t length) noexcept;
/// Returns the row of a ConvertedType; null if it is unknown. MAP_KEY_VALUE has the row of MAP
/// (LogicalTypes.md#maps).
[[nodiscard]] const Annotation* annotation_of(ConvertedType type) noexcept;

/// Returns true if the type may annotate a node in an edition: a leaf of physical type `carrier` with
/// `length` bytes in each value, or a group. Unknown types suit every leaf; INTEGER of an undefined width
/// suits none.
[[nodiscard]] bool suits(const ResolvedType& type, bool is_leaf, Type carrier, std::int32_t length,
                         Edition edition) noexcept;
/// Returns the addition of a later edition that the type of the node is, which does not suit it in this one.
[[nodiscard]] std::optional<Addition> later_addition(const ResolvedType& type, bool is_leaf, Type carrier,
                                                     std::int32_t length, Edition edition) noexcept;

/// Returns the name in LogicalTypes.md; empty for `none`.
[[nodiscard]] std::string_view name_of(LogicalKind kind) noexcept;

/// Describes the nodes that may have the annotation: `INT32`, `FIXED_LEN_BYTE_ARRAY of 16 bytes`, `a group`.
[[nodiscard]] std::string carriers_text(const Annotation& annotation);
/// Describes all nodes that may have the type in an edition: `INT64 or FIXED_LEN_BYTE_ARRAY of 12 bytes`.
[[nodiscard]] std::string carriers_text(const ResolvedType& type, Edition edition);
/// Returns true if the type may annotate leaves of the physical type in an edition, of some length.
[[nodiscard]] bool has_carrier(const ResolvedType& type, Type carrier, Edition edition) noexcept;

}  // namespace parqproof
