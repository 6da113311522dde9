#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace parqproof {

/// What a file that is no Parquet file is by its first bytes, such as "an HTML page"; empty where they do not
/// tell. 512 bytes are enough, 32 for most kinds; of text and zeros all bytes that are given have to be such.
[[nodiscard]] std::string_view file_kind(std::span<const std::uint8_t> head) noexcept;

}  // namespace parqproof
