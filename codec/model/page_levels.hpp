#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/format/enums.hpp"

namespace parqproof::model {

/// The most levels that are decoded at once: in runs, they do not show in the size of their bytes.
inline constexpr std::uint64_t kMostLevels = std::uint64_t{1} << 24;

/// Decodes `count` levels, or dictionary indices, of a page, without length prefix or width byte
/// (Encodings.md#RLE). nullopt if the encoding has none, if they are not complete, or above kMostLevels.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> decode_levels(Encoding encoding, View bytes,
                                                                      unsigned bit_width,
                                                                      std::uint64_t count);

/// Encodes levels. Empty if the encoding has none.
[[nodiscard]] std::vector<std::uint8_t> encode_levels(Encoding encoding, unsigned bit_width,
                                                      std::span<const std::uint32_t> levels);

}  // namespace parqproof::model
