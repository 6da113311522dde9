#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// Receives the bytes of each value, and may change them, but not their number.
using VisitValue = std::function<void(std::span<std::uint8_t> value)>;

/// Visits the values of a section in order and puts the changed ones in place of them: bytes that are stored
/// as they are keep their places, delta streams, ALP and GROUP_VAR_INT are encoded again with the options of
/// the old section. Bytes after the last value stay. Returns the number of bytes that hold values which could
/// be read: fewer than the section has if it is corrupt. `count`: number of values, for encodings that do not
/// store it.
[[nodiscard]] std::size_t visit_values(std::vector<std::uint8_t>& section, Encoding encoding,
                                       const Node& leaf, std::optional<std::uint64_t> count,
                                       const Limits& limits, const VisitValue& visit);

}  // namespace parqproof
