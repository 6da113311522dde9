#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// What a file that is no Parquet file is by its first bytes, such as "an HTML page"; empty where they do not
/// tell. 32 bytes are enough, fewer are enough for most kinds.
[[nodiscard]] std::string_view file_kind(std::span<const std::uint8_t> head) noexcept;

}  // namespace parqproof
