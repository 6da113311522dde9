#pragma once

#include <cstdint>
#include <expected>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "codec/encoding/values.hpp"

namespace parqproof {

/// Values in memory, in one form whatever encoding they came in.
struct ValueList {
  std::uint64_t count = 0;
  std::vector<std::uint8_t>
      bytes;  ///< of all values: as in PLAIN, but booleans a byte each, byte arrays bare
  std::vector<std::uint32_t> numbers;  ///< indices and levels; the lengths of byte arrays

  /// Adds the first `most` values of a batch.
  void append(const ValueBatch& batch, std::uint32_t width, std::uint64_t most);

  /// The values as one batch, which refers to the list and to `windows`.
  [[nodiscard]] ValueBatch batch(Type type, std::uint32_t type_length, bool indices,
                                 std::vector<ByteArray>& windows) const;

  friend bool operator==(const ValueList&, const ValueList&) = default;
};

/// Reads a JSON array of values of this type, `numbers` if they are indices or levels; in words what is wrong
/// with it otherwise. "NaN" is the quiet NaN without payload, "nan:0x7fc00001" the one of these bits.
[[nodiscard]] std::expected<ValueList, std::string> read_values(const nlohmann::json& array, Type type,
                                                                std::uint32_t type_length, bool numbers);

}  // namespace parqproof
