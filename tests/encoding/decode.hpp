#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/encoding/table.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// Where test sections begin, so that offsets show that they are absolute.
inline constexpr std::uint64_t kBase = 1000;

using Bytes = std::vector<std::uint8_t>;

/// The bytes that pairs of hex digits name; spaces separate at will.
[[nodiscard]] Bytes hex(std::string_view digits);

/// Everything that decoding a section gave, in one form per value.
struct Decoded {
  Bytes fixed;  ///< of fixed-width values
  std::vector<std::string> byte_arrays;
  std::vector<std::uint8_t> booleans;
  std::vector<std::uint32_t> indices;
  std::uint64_t count = 0;
  std::optional<Error> error;  ///< the first, from open(), next() or end()
  Notes notes;

  /// What was noted of `rule`.
  [[nodiscard]] std::optional<Error> note(Rule rule) const;
  /// Nothing was found.
  [[nodiscard]] bool clean() const { return !error && notes.all().empty(); }
  /// Fixed-width values as numbers.
  template <typename T>
  [[nodiscard]] std::vector<T> numbers() const {
    std::vector<T> values(fixed.size() / sizeof(T));
    if (!fixed.empty()) std::memcpy(values.data(), fixed.data(), values.size() * sizeof(T));
    return values;
  }
};

/// Decodes a whole section; runs are expanded up to `most` values.
[[nodiscard]] Decoded decode(const Bytes& section, const ValueSpec& spec, std::uint64_t most = UINT64_MAX);

/// The section that the table's encoder makes; it has to succeed.
[[nodiscard]] Bytes encode(Encoding encoding, const PlainValues& values, const EncodeOptions& options = {});

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

/// An error says that `rule` is broken at `offset`, counted from the start of the section.
#define CHECK_ERROR(found, broken_rule, at) \
  do {                                      \
    REQUIRE((found).has_value());           \
    CHECK((found)->rule == (broken_rule));  \
    CHECK((found)->offset == kBase + (at)); \
    CHECK((found)->space == Space::page);   \
  } while (false)

}  // namespace parqproof
