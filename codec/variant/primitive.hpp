#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/rules/finding_value.hpp"
#include "codec/rules/rule.hpp"
#include "codec/variant/builder.hpp"
#include "codec/variant/item.hpp"
#include "codec/variant/shredding.hpp"

/// Values in columns of shredded primitives (VariantShredding.md#shredded-value-types).
namespace parqproof::variant {

inline constexpr std::size_t kDecimal16Bytes = 16;

/// What is wrong with a value of the column of a shredded primitive.
struct PrimitiveFault {
  Rule rule{};
  FindingValue found;
  FindingValue expected;
};

/// Returns what is wrong with a value, given by its PLAIN bytes, if a Variant cannot have it in the type of
/// its column: a number out of range, a decimal with too many digits, text that is not UTF-8.
[[nodiscard]] std::optional<PrimitiveFault> fault_of_primitive(const Part& part,
                                                               std::span<const std::uint8_t> value);

/// Appends a value of the column of a shredded primitive, given by its PLAIN bytes. One that its type cannot
/// have gets another: an integer a larger one, a decimal of more than 16 bytes a string or binary.
void append_primitive(Builder& builder, const Part& part, std::span<const std::uint8_t> value);

/// Returns true if the column of a shredded primitive has a value that is exactly `item`: the same type
/// and scale, no more digits than the precision, and a time of the day.
[[nodiscard]] bool is_representable(const Part& part, const Item& item);

/// Appends the PLAIN bytes of a representable value, a BYTE_ARRAY without length prefix, a BOOLEAN as one
/// byte. `length`: of a FIXED_LEN_BYTE_ARRAY; 0 for a BYTE_ARRAY.
void append_plain(const Part& part, const Item& item, std::uint32_t length, std::vector<std::uint8_t>& out);

}  // namespace parqproof::variant
