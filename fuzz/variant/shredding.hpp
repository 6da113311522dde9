#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/base/limits.hpp"

namespace parqproof::fuzz {

/// Shreds the elements of an array, or the one value that is no array, by a schema that is found in a half of
/// them; writes them as rows of a file; and puts them together again. Returns what differs. Precondition: the
/// Variant, metadata and value, has no error.
[[nodiscard]] std::string shredding_fault(std::span<const std::uint8_t> metadata,
                                          std::span<const std::uint8_t> value, const Limits& limits);

}  // namespace parqproof::fuzz
