#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "codec/rules/finding_value.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// What values of a leaf have to be by its annotation, where this value, which has the length of its type, is
/// not that: UTF-8 in text, a number in the width of INTEGER, no more digits than the precision of DECIMAL.
/// Nothing where the value is legal (LogicalTypes.md).
[[nodiscard]] std::optional<FindingValue> why_illegal(std::span<const std::uint8_t> value, const Node& leaf);

/// Whether a value of a JSON or BSON column is cut off: a bracket, a text or a word is open at its end, or
/// its own length says more or less. It is not asked whether it is well-formed inside. False in other
/// columns.
[[nodiscard]] bool is_cut_off(std::span<const std::uint8_t> value, const Node& leaf);

}  // namespace parqproof
