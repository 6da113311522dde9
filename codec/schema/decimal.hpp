#pragma once

#include <cstdint>
#include <optional>

#include "codec/format/enums.hpp"

namespace parqproof {

/// Returns the max precision of a DECIMAL of this physical type (LogicalTypes.md#decimal). Returns nullopt if
/// there is no limit or the type cannot be a DECIMAL.
[[nodiscard]] std::optional<std::int32_t> most_digits(Type type, std::int32_t type_length) noexcept;

}  // namespace parqproof
