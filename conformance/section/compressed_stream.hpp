#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/base/limits.hpp"
#include "codec/compression/decompress.hpp"
#include "codec/rules/finding.hpp"

namespace parqproof {

/// Decompresses and judges a compressed stream as the body of a page whose header gives `size` uncompressed
/// bytes; offsets count from its first byte. `out` holds these bytes if no rule of severity error is broken.
/// The stream must not be empty, and can_decompress(codec) must be true.
[[nodiscard]] Findings expand_stream(CompressionCodec codec, std::span<const std::uint8_t> bytes,
                                     std::size_t size, const Limits& limits, Buffer& out);

}  // namespace parqproof
