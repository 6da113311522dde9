#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "codec/format/enums.hpp"

namespace parqproof {

/// Returns the max precision of a DECIMAL of this physical type (LogicalTypes.md#decimal). Returns nullopt if
/// there is no limit or the type cannot be a DECIMAL.
[[nodiscard]] inline std::optional<std::int32_t> most_digits(Type type, std::int32_t type_length) noexcept {
  if (type == Type::INT32) return 9;
  if (type == Type::INT64) return 18;
  if (type != Type::FIXED_LEN_BYTE_ARRAY || type_length < 1) return std::nullopt;
  constexpr long double kLog = 0.301029995663981195213738894724493027L;  // log10(2)
  const auto bits = static_cast<long double>(8 * std::int64_t{type_length} - 1);
  return static_cast<std::int32_t>(std::min<long double>(bits * kLog, INT32_MAX));
}

}  // namespace parqproof
