#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/format/enums.hpp"

namespace parqproof {

/// What the specification leaves to the writer.
struct EncodeOptions {
  /// How the hybrid cuts values into runs.
  enum class Runs : std::uint8_t {
    automatic,  ///< repeated runs for eight equal values or more, bit-packed runs between them
    repeated,   ///< repeated runs alone
    packed,     ///< one bit-packed run
  };
  Runs runs = Runs::automatic;
  std::optional<unsigned> bit_width;    ///< of dictionary indices; unset: what the largest one needs
  std::uint32_t block_size = 128;       ///< of delta streams, in values
  std::uint32_t miniblocks = 4;         ///< of a delta block
  std::uint8_t padding = 0;             ///< what unused bits, slots and width bytes are filled with
  bool selector_little_endian = false;  ///< of the selectors of 64-bit groups
  unsigned log_vector_size = 10;        ///< of ALP: the vectors have 2^n values
  struct Exponents {
    unsigned exponent = 0;
    unsigned factor = 0;
  };
  std::optional<Exponents> exponents;  ///< of ALP; unset: the best pair for each vector
};

/// Values to be encoded, in the form that ValueBatch gives them: one of the spans is used.
struct PlainValues {
  Type type = Type::INT32;
  std::uint32_t type_length = 0;  ///< bytes of a FIXED_LEN_BYTE_ARRAY value
  std::uint64_t count = 0;
  std::span<const std::uint8_t> fixed;  ///< count x width bytes
  std::span<const ByteArray> byte_arrays;
  std::span<const std::uint8_t> booleans;  ///< 0 or 1
  std::span<const std::uint32_t> indices;  ///< for the dictionary encodings, whatever the type
};

/// Nothing, or in words why these values cannot be encoded with these options.
using EncodeStatus = std::expected<void, std::string_view>;

/// Appends the value section of a page to `out`.
using Encode = EncodeStatus (*)(const PlainValues& values, const EncodeOptions& options,
                                std::vector<std::uint8_t>& out);

}  // namespace parqproof
