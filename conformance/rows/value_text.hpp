#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/format/schema_element.hpp"

namespace parqproof {

/// How the values of a leaf are written as JSON.
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

/// What the writing of a value needs to know of its leaf.
struct ValueStyle {
  ValueForm form = ValueForm::hex;
  std::int32_t scale = 0;  ///< of a decimal
  unsigned digits = 0;     ///< of the fraction of a second: 3, 6 or 9
  bool utc = false;        ///< a timestamp that is adjusted to UTC
};

/// As stored: integers are signed, all byte arrays and INT96 are hex.
[[nodiscard]] ValueStyle physical_style(const SchemaElement& leaf) noexcept;
/// By the logical type, or else the converted type, where it suits the physical type (LogicalTypes.md).
[[nodiscard]] ValueStyle logical_style(const SchemaElement& leaf) noexcept;

/// Appends a value, its PLAIN bytes without length word, as JSON. Whatever its style cannot express (a date
/// outside the years 1 to 9999, a time beyond its day) is written as stored; text that is no UTF-8 becomes
/// {"hex": ...}.
void append_value(std::string& out, std::span<const std::uint8_t> value, const ValueStyle& style);

}  // namespace parqproof
