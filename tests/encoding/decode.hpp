#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/encoding/rle/bit_packed.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/table.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/rule.hpp"
#include "tests/support/bytes.hpp"
#include "tests/support/faults.hpp"

namespace parqproof {

using support::Bytes, support::cut, support::hex, support::text, support::with, support::operator+,
    support::kBase;

/// All results of decoding a section, in one form per value.
struct Decoded : support::Faults {
  Bytes fixed;  ///< of fixed-width values
  std::vector<std::string> byte_arrays;
  std::vector<std::optional<std::uint64_t>> places;  ///< of byte arrays in the section, if the batch has them
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  std::uint64_t count = 0;
  struct Batch {
    std::uint64_t first = 0;  ///< ordinal of its first value
    std::uint64_t offset = 0;
  };
  std::vector<Batch> batches;

  /// Number of notes of `rule`.
  [[nodiscard]] std::uint64_t times(Rule rule) const;
  /// Fixed-width values as numbers.
  template <typename T>
  [[nodiscard]] std::vector<T> numbers() const {
    std::vector<T> values(fixed.size() / sizeof(T));
    if (!fixed.empty()) std::memcpy(values.data(), fixed.data(), values.size() * sizeof(T));
    return values;
  }
};

/// Calls `use` for each pair of the table that has a codec; a failure in it names the pair.
void for_each_codec(const std::function<void(const EncodingInfo&, Type)>& use);

/// A decoder with what it refers to.
struct OwnDecoder {
  Status open(View section, const ValueSpec& spec) {
    return decoder.open(section, spec, limits, budget, notes);
  }

  Limits limits;
  Budget budget;
  Notes notes;
  ValueDecoder decoder;
};

/// Decodes a complete section; runs are expanded up to `most` values.
[[nodiscard]] Decoded decode(const Bytes& section, const ValueSpec& spec, std::uint64_t most = UINT64_MAX);

/// A section of `count` values.
[[nodiscard]] ValueSpec spec_of(Encoding encoding, Type type, std::uint64_t count,
                                std::uint32_t type_length = 0);

/// Values to be encoded, in the form that fits their type: one of the spans is used.
struct PlainValues {
  Type type = Type::INT32;
  std::uint32_t type_length = 0;
  std::uint64_t count = 0;
  std::span<const std::uint8_t> fixed;  ///< count x width bytes
  std::span<const ByteArray> byte_arrays;
  std::span<const std::uint8_t> booleans;
  std::span<const std::uint32_t> indices;  ///< for the dictionary encodings, whatever the type

  [[nodiscard]] ValueBatch batch(Encoding encoding) const;
};

/// Appends the section that the encoder of the table writes.
[[nodiscard]] EncodeStatus try_encode(Encoding encoding, const PlainValues& values,
                                      const EncodeOptions& options, Bytes& out);

/// The section that the encoder of the table writes; it has to succeed.
[[nodiscard]] Bytes encode(Encoding encoding, const PlainValues& values, const EncodeOptions& options = {});

/// Appends `values`, each below 2^bit_width, as hybrid runs.
void append_hybrid(std::span<const std::uint32_t> values, unsigned bit_width, const EncodeOptions& options,
                   std::vector<std::uint8_t>& out);

/// Appends levels of `bit_width` bits; unused bits of the last byte are 0.
void append_bit_packed(std::span<const std::uint32_t> levels, unsigned bit_width,
                       std::vector<std::uint8_t>& out);

/// A delta stream of these numbers.
[[nodiscard]] Bytes delta_stream(const std::vector<std::uint32_t>& numbers);

/// Pseudo-random numbers, the same in every run.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t seed) noexcept {
  seed = (seed + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
  seed = (seed ^ seed >> 27) * 0x94D049BB133111EB;
  return seed ^ seed >> 31;
}

/// Numbers as the fixed-width values of `type`. The result refers to `numbers`.
template <typename T>
[[nodiscard]] PlainValues plain_numbers(Type type, const std::vector<T>& numbers) {
  return {.type = type,
          .count = numbers.size(),
          .fixed = {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * sizeof(T)}};
}

/// Windows to strings. The result refers to `strings`.
[[nodiscard]] std::vector<ByteArray> windows_of(const std::vector<std::string>& strings);

/// Strings as BYTE_ARRAY values. The result refers to `strings`.
struct PlainStrings {
  explicit PlainStrings(const std::vector<std::string>& strings) : windows(windows_of(strings)) {}
  std::vector<ByteArray> windows;
  PlainValues values{.type = Type::BYTE_ARRAY, .count = windows.size(), .byte_arrays = windows};
};

}  // namespace parqproof
