#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/encoding/rle/bit_packed.hpp"
#include "codec/encoding/rle/hybrid.hpp"
#include "codec/encoding/table.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// Offset at which test sections begin, so that offsets are seen to be absolute.
inline constexpr std::uint64_t kBase = 1000;

using Bytes = std::vector<std::uint8_t>;

/// The bytes of pairs of hex digits; spaces are ignored.
[[nodiscard]] Bytes hex(std::string_view digits);

/// All results of decoding a section, in one form per value.
struct Decoded {
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
  std::optional<Error> error;  ///< the first, from open(), next() or end()
  Notes notes;

  /// The note of `rule`.
  [[nodiscard]] std::optional<Error> note(Rule rule) const;
  /// Number of notes of `rule`.
  [[nodiscard]] std::uint64_t times(Rule rule) const;
  /// Returns true if there are no errors and notes.
  [[nodiscard]] bool clean() const { return !error && notes.all().empty(); }
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
/// Characters as bytes.
[[nodiscard]] Bytes text(std::string_view characters);
/// Bytes one after another.
[[nodiscard]] Bytes join(std::initializer_list<Bytes> parts);
/// The first `size` bytes.
[[nodiscard]] Bytes cut(const Bytes& bytes, std::size_t size);
/// The bytes with another one at `at`.
[[nodiscard]] Bytes with(Bytes bytes, std::size_t at, std::uint8_t value);

/// Pseudo-random numbers, the same in every run.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t seed) noexcept {
  seed = (seed + 0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9;
  seed = (seed ^ seed >> 27) * 0x94D049BB133111EB;
  return seed ^ seed >> 31;
}

/// Numbers as the fixed-width values of `type`. The result refers to `numbers`.
template <typename T>
[[nodiscard]] PlainValues plain_numbers(Type type, const std::vector<T>& numbers) {
  PlainValues values;
  values.type = type;
  values.count = numbers.size();
  values.fixed = {reinterpret_cast<const std::uint8_t*>(numbers.data()), numbers.size() * sizeof(T)};
  return values;
}

/// Strings as BYTE_ARRAY values. The result refers to `strings`.
struct PlainStrings {
  explicit PlainStrings(const std::vector<std::string>& strings);
  std::vector<ByteArray> windows;
  PlainValues values;
};

/// Checks that an error reports `rule` at `offset`, counted from the start of the section.
#define CHECK_ERROR(found, broken_rule, at) \
  do {                                      \
    REQUIRE((found).has_value());           \
    CHECK((found)->rule == (broken_rule));  \
    CHECK((found)->offset == kBase + (at)); \
    CHECK((found)->space == Space::page);   \
  } while (false)

/// Checks both numbers of an error.
#define CHECK_NUMBERS(error_of, number_found, number_expected)                 \
  do {                                                                         \
    REQUIRE((error_of).has_value());                                           \
    CHECK((error_of)->found == static_cast<std::int64_t>(number_found));       \
    CHECK((error_of)->expected == static_cast<std::int64_t>(number_expected)); \
  } while (false)

}  // namespace parqproof
