#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/base/bytes.hpp"

namespace parqproof {

/// The number in half a token that means: more bytes of the length follow.
inline constexpr std::size_t kLz4LongLength = 15;
inline constexpr std::size_t kLz4MinMatchBytes = 4;

/// Expands an LZ4 block that is valid to exactly `size` bytes at `out`, including the rule for its end: the
/// last five bytes are literals, and the last match begins at least twelve bytes before the end. Returns
/// false otherwise, with undefined output: the block is corrupt or of another size.
[[nodiscard]] bool expand_sound_lz4_block(View block, std::uint8_t* out, std::size_t size) noexcept;

}  // namespace parqproof
