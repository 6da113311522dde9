#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codec/rules/finding_value.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Returns the requirement of the annotation that a value violates: UTF-8 for text, the bit width of INTEGER,
/// the precision of DECIMAL (LogicalTypes.md). Returns an empty result if the value is legal. The value must
/// have the length of its type.
[[nodiscard]] std::optional<FindingValue> violated_requirement(std::span<const std::uint8_t> value,
                                                               const Node& leaf);

/// Returns true if a value of a JSON or BSON column is truncated: a bracket, a string or a word is open at
/// its end, or its length field is wrong. Other syntax is not checked. Returns false for other columns.
[[nodiscard]] bool is_cut_off(std::span<const std::uint8_t> value, const Node& leaf);

}  // namespace parqproof
