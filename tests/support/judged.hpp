#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"
#include "fuzz/invariants.hpp"

namespace support {

/// All bytes of a file of the source tree.
[[nodiscard]] std::vector<std::uint8_t> read_bytes(const std::string& path);

/// The files below a folder of the source tree with this suffix, in byte order; paths count from the source
/// tree.
[[nodiscard]] std::vector<std::string> files_below(const std::string& folder, const std::string& ending);

/// Judges bytes with one thread. The test fails if the JSON report violates its schema.
[[nodiscard]] parqproof::FileReport judged(std::span<const std::uint8_t> bytes,
                                           const parqproof::CheckOptions& options = {},
                                           const std::string& path = "file");

using parqproof::fuzz::json_of;

}  // namespace support
