#pragma once

#include <cstdint>
#include <optional>

#include "codec/format/enums.hpp"

namespace parqproof {

/// The decimal digits of the largest precision that a DECIMAL of this carrier may have
/// (LogicalTypes.md#decimal); nothing where there is no limit, or the type carries no DECIMAL.
[[nodiscard]] std::optional<std::int32_t> most_digits(Type type, std::int32_t type_length) noexcept;

}  // namespace parqproof
