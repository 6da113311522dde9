#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// Returns the kind of a file that is not a Parquet file, such as "an HTML page"; empty if it is not
/// recognized. Its first bytes are the evidence: 32 suffice for most kinds, 512 for all; for text and zeros,
/// all given bytes are examined.
[[nodiscard]] std::string_view file_kind(std::span<const std::uint8_t> head) noexcept;

}  // namespace parqproof
