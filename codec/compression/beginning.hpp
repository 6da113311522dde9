#pragma once

#include <cstdint>
#include <span>
#include <string>

/// Decompresses the first bytes of a stream of which only the beginning is available. The results have at
/// most 16 bytes, fewer or none if the stream ends or is corrupt.
namespace parqproof {

/// For a gzip stream.
[[nodiscard]] std::string beginning_of_gzip(std::span<const std::uint8_t> stored);
/// For a deflate stream without a wrapper.
[[nodiscard]] std::string beginning_of_deflate(std::span<const std::uint8_t> stored);
/// For a Zstandard frame.
[[nodiscard]] std::string beginning_of_zstd(std::span<const std::uint8_t> stored);

}  // namespace parqproof
