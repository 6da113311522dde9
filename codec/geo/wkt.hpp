#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace parqproof::geo {

/// Appends a WKB value as well-known text: `POINT Z (1 2 3)`, `MULTIPOINT ((1 2), EMPTY)`. A Point whose
/// coordinates are all NaN is empty. Returns false, and appends nothing, if the value has no such text: it
/// breaks a rule of its structure, or its parts differ in type or dimension.
[[nodiscard]] bool append_wkt(std::string& out, std::span<const std::uint8_t> wkb);

}  // namespace parqproof::geo
