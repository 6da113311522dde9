#pragma once

#include <cstdint>
#include <span>
#include <string>

/// The first bytes of what is compressed in a stream of which only the beginning is at hand: 16 at most,
/// fewer or none where the stream does not tell.
namespace parqproof {

/// Of a gzip stream.
[[nodiscard]] std::string beginning_of_gzip(std::span<const std::uint8_t> stored);
/// Of a deflate stream without a wrapper.
[[nodiscard]] std::string beginning_of_deflate(std::span<const std::uint8_t> stored);
/// Of a Zstandard frame.
[[nodiscard]] std::string beginning_of_zstd(std::span<const std::uint8_t> stored);

}  // namespace parqproof
