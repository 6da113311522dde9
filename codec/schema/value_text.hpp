#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/rules/finding_value.hpp"
#include "codec/schema/schema.hpp"

/// Single values as text. A value is given as its PLAIN bytes, a BYTE_ARRAY without its length word, and has
/// the length of its type.
namespace parqproof {

/// How the bytes of a value are read.
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
  int96_timestamp,
  interval,
};

/// What the text of a value depends on besides its bytes: the same for all values of a leaf.
struct ValueStyle {
  ValueForm form = ValueForm::hex;
  std::int32_t scale = 0;  ///< of a decimal
  unsigned digits = 0;     ///< of the fraction of a second: 3, 6 or 9
  bool utc = false;        ///< a timestamp that is adjusted to UTC
};

/// Values as stored: integers are signed, byte arrays and INT96 are hex.
[[nodiscard]] ValueStyle physical_style(Type type) noexcept;
/// Values by the logical type of the leaf where that suits its physical type (LogicalTypes.md), else as
/// stored. INT96 is a timestamp.
[[nodiscard]] ValueStyle logical_style(const Node& leaf) noexcept;

/// A value as text.
struct ValueText {
  enum class Kind : std::uint8_t {
    literal,  ///< a number, true, false, or an object of numbers: as JSON has it, but for a zero `-0`
    words,    ///< ASCII without quotes and backslashes: 2024-02-29, 1.50, NaN, a UUID
    text,     ///< `text` are the bytes of the value, well-formed UTF-8
    bytes,    ///< `text` is empty: the value is to be shown as hex
    no_text,  ///< the same, because the bytes of a text are not well-formed UTF-8
  };
  Kind kind = Kind::bytes;
  std::string_view text;
};

/// The text of a value: in `buffer`, which is overwritten, or the value itself. What the style cannot express
/// is as stored: a date outside the years 1 to 9999, a time beyond its day, a decimal without bytes or with
/// more than 4,096.
[[nodiscard]] ValueText value_text(std::span<const std::uint8_t> value, const ValueStyle& style,
                                   std::string& buffer);

/// The value of a leaf in about a hundred characters at most, none of them a control character: words and
/// literals as they are (a decimal that is longer is as stored, and a NaN has its sign); what reads as text
/// in quotes, of BYTE_ARRAY and FIXED_LEN_BYTE_ARRAY without a logical type too, where the characters in the
/// first 64 bytes stand for a longer value; else 0x and hex, where the first 32 bytes do.
[[nodiscard]] std::string short_text(std::span<const std::uint8_t> value, const Node& leaf);

/// What short_text() shows, as a value of a finding: an integer, a literal, or a phrase.
[[nodiscard]] FindingValue short_value(std::span<const std::uint8_t> value, const Node& leaf);
/// The same as the lower or the upper bound of what is expected.
[[nodiscard]] FindingValue short_value_or_more(std::span<const std::uint8_t> value, const Node& leaf);
[[nodiscard]] FindingValue short_value_or_less(std::span<const std::uint8_t> value, const Node& leaf);

}  // namespace parqproof
