#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/base/bytes.hpp"

namespace parqproof {

/// Expands an LZ4 block that keeps every rule of the format, the one of its end too (the last five bytes are
/// literals, and the last match begins twelve bytes before the end), to exactly `size` bytes at `out`.
/// Otherwise false, with anything in these bytes: the block may be damaged, or of another size.
[[nodiscard]] bool expand_sound_lz4_block(View block, std::uint8_t* out, std::size_t size) noexcept;

}  // namespace parqproof
