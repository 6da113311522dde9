#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/rules/finding_value.hpp"
#include "codec/schema/schema.hpp"

/// Formatting of single values. A value is given as its PLAIN bytes, a BYTE_ARRAY without its length prefix,
/// and has the length of its type.
namespace parqproof {

/// Interpretation of the bytes of a value.
enum class ValueForm : std::uint8_t {
  boolean,
  signed_int,
  unsigned_int,
  real,  ///< FLOAT or DOUBLE
  float16,
  hex,
  text,
  uuid,
  decimal_int,
  decimal_bytes,
  date,
  time,
  timestamp,
  timestamp_96,  ///< of 96 bits
  int96_timestamp,
  interval,
  wkt,  ///< WKB as well-known text
};

/// Everything but the bytes that determines the text of a value: the same for all values of a leaf.
struct ValueStyle {
  ValueForm form = ValueForm::hex;
  std::int32_t scale = 0;  ///< scale of a decimal
  unsigned digits = 0;     ///< decimal places of a second: 3, 6 or 9
  bool utc = false;        ///< the timestamp is adjusted to UTC
};

/// Returns the style of values as stored: integers are signed, byte arrays and INT96 are hex.
[[nodiscard]] ValueStyle physical_style(Type type) noexcept;
/// Returns the style of the leaf's logical type if that suits its physical type (LogicalTypes.md), else as
/// stored. INT96 is a timestamp.
[[nodiscard]] ValueStyle logical_style(const Node& leaf) noexcept;

/// A formatted value.
struct ValueText {
  enum class Kind : std::uint8_t {
    literal,  ///< a number, true, false, or an object of numbers: JSON, except for a zero `-0`
    words,    ///< ASCII without quotes and backslashes: 2024-02-29, 1.50, NaN, a UUID
    text,     ///< `text` has the bytes of the value, well-formed UTF-8
    bytes,    ///< `text` is empty: show the value as hex
    no_text,  ///< same as `bytes`, because the bytes of a text are not well-formed UTF-8
  };
  Kind kind = Kind::bytes;
  std::string_view text;
};

/// Formats a value. The text is in `buffer`, which is overwritten, or is the value itself. Values that the
/// style cannot express are formatted as stored: a date outside the years 1 to 9999, a time beyond its day, a
/// decimal without bytes or with more than 4,096, a geometry that is no WKB.
[[nodiscard]] ValueText value_text(std::span<const std::uint8_t> value, const ValueStyle& style,
                                   std::string& buffer);

/// Formats a value of a leaf in at most about a hundred characters without control characters. Words and
/// literals are unquoted; a longer decimal is formatted as stored, and a NaN has its sign. Text is quoted,
/// also in BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY without a logical type; longer text is truncated to the
/// characters in its first 64 bytes. Other values are 0x and hex, truncated to the first 32 bytes.
[[nodiscard]] std::string short_text(std::span<const std::uint8_t> value, const Node& leaf);

/// What short_text() shows, as a value of a finding: an integer, a literal, or a phrase.
[[nodiscard]] FindingValue short_value(std::span<const std::uint8_t> value, const Node& leaf);
/// The same as the lower or the upper bound of what is expected.
[[nodiscard]] FindingValue short_value_or_more(std::span<const std::uint8_t> value, const Node& leaf);
[[nodiscard]] FindingValue short_value_or_less(std::span<const std::uint8_t> value, const Node& leaf);

}  // namespace parqproof
