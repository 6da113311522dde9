#include "codec/schema/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"
#include "codec/geo/wkt.hpp"
#include "codec/schema/order.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;
using Kind = ValueText::Kind;

constexpr std::int64_t kSecondsPerDay = 86'400;
/// Julian day number of 1970-01-01.
constexpr std::int64_t kJulianEpoch = 2'440'588;
/// Max bytes of an unscaled number; formatting takes time quadratic in its length.
constexpr std::size_t kMaxDecimalBytes = 4'096;
/// Limits of short_text(): bytes of a decimal formatted as a number, characters of words, bytes of a text,
/// and bytes in hex.
constexpr std::size_t kShortDecimalBytes = 40;
constexpr std::size_t kShortWords = 100;
constexpr std::size_t kShortTextBytes = 64;
constexpr std::size_t kMaxCharacterBytes = 4;  // bytes of the longest UTF-8 character
constexpr std::size_t kShortHexBytes = 32;

constexpr std::int64_t units_per_second(unsigned digits) {
  return digits == 3 ? 1'000 : digits == 6 ? 1'000'000 : 1'000'000'000;
}

template <typename... Args>
void append(std::string& out, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Args>(args)...);
}

std::int64_t signed_of(Bytes value) {
  return value.size() == 4 ? std::int64_t{load_le<std::int32_t>(value.data())}
                           : load_le<std::int64_t>(value.data());
}

std::uint64_t unsigned_of(Bytes value) {
  return value.size() == 4 ? std::uint64_t{load_le<std::uint32_t>(value.data())}
                           : load_le<std::uint64_t>(value.data());
}

/// Formats one value into a string that is initially empty.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  /// Formats a value of any form except hex and text.
  Kind write(Bytes value, const ValueStyle& style);

 private:
  template <typename Integer>
  Kind integer(Integer number) {
    const fmt::format_int text(number);
    out_.append(text.data(), text.size());
    return Kind::literal;
  }
  template <typename Real>
  Kind real(Real number) {
    out_ = shortest(number);
    return std::isfinite(number) ? Kind::literal : Kind::words;
  }
  Kind decimal(bool negative, std::string_view digits, std::int32_t scale);
  Kind decimal_int(Bytes value, std::int32_t scale);
  Kind decimal_bytes(Bytes value, std::int32_t scale);
  [[nodiscard]] bool date(std::int64_t days);
  void time_of_day(std::int64_t units, unsigned digits);
  /// Appends a day and the time of day in units. Returns false outside the years 1 to 9999.
  bool moment(std::int64_t day, std::int64_t rest, const ValueStyle& style);
  Kind time(Bytes value, unsigned digits);
  Kind timestamp(Bytes value, const ValueStyle& style);
  Kind timestamp_96(Bytes value, const ValueStyle& style);
  Kind int96(Bytes value, const ValueStyle& style);
  Kind uuid(Bytes value);
  Kind interval(Bytes value);

  std::string& out_;
};

/// Appends digits with a decimal point before the last `scale` of them.
Kind Writer::decimal(bool negative, std::string_view digits, std::int32_t scale) {
  const auto decimals = static_cast<std::size_t>(scale);
  if (negative) out_ += '-';
  if (digits.size() <= decimals) {
    out_ += '0';
  } else {
    out_ += digits.substr(0, digits.size() - decimals);
  }
  if (decimals == 0) return Kind::words;
  out_ += '.';
  if (digits.size() < decimals) out_.append(decimals - digits.size(), '0');
  out_ += digits.substr(digits.size() - std::min(digits.size(), decimals));
  return Kind::words;
}

Kind Writer::decimal_int(Bytes value, std::int32_t scale) {
  const std::int64_t number = signed_of(value);
  const auto bits = static_cast<std::uint64_t>(number);
  const fmt::format_int digits(number < 0 ? 0 - bits : bits);
  return decimal(number < 0, {digits.data(), digits.size()}, scale);
}

/// Returns the decimal digits of a big-endian magnitude.
std::string digits_of(std::vector<std::uint8_t> magnitude) {
  std::vector<std::uint32_t> words;  // most significant first
  magnitude.insert(magnitude.begin(), (4 - magnitude.size() % 4) % 4, 0);
  for (std::size_t i = 0; i < magnitude.size(); i += 4) {
    words.push_back(std::uint32_t{magnitude[i]} << 24 | std::uint32_t{magnitude[i + 1]} << 16 |
                    std::uint32_t{magnitude[i + 2]} << 8 | magnitude[i + 3]);
  }
  constexpr std::uint64_t kBase = 1'000'000'000;
  std::string digits;  // least significant first
  for (std::size_t first = 0; first < words.size();) {
    std::uint64_t rest = 0;
    for (std::size_t i = first; i < words.size(); ++i) {
      const std::uint64_t part = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(part / kBase);
      rest = part % kBase;
    }
    while (first < words.size() && words[first] == 0) ++first;
    for (int i = 0; i < 9; ++i, rest /= 10) digits += static_cast<char>('0' + rest % 10);
  }
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  std::ranges::reverse(digits);
  return digits;
}

/// Formats a big-endian two's complement number of any length.
Kind Writer::decimal_bytes(Bytes value, std::int32_t scale) {
  const bool negative = !value.empty() && (value[0] & 0x80) != 0;
  const std::uint8_t sign = negative ? 0xFF : 0;
  while (value.size() > 1 && value[0] == sign) value = value.subspan(1);
  if (value.empty() || value.size() > kMaxDecimalBytes) return Kind::bytes;
  std::vector<std::uint8_t> magnitude(value.begin(), value.end());
  if (negative) {  // without its sign extension the magnitude is still 256^n minus the number
    bool carry = true;
    for (std::size_t i = magnitude.size(); i-- > 0;) {
      const unsigned byte = (~unsigned{magnitude[i]} & 0xFFU) + (carry ? 1U : 0U);
      magnitude[i] = static_cast<std::uint8_t>(byte);
      carry = byte > 0xFF;
    }
    if (carry) magnitude.insert(magnitude.begin(), 1);
  }
  return decimal(negative, digits_of(std::move(magnitude)), scale);
}

/// Formats a date as "2024-02-29". Returns false outside the years 1 to 9999.
bool Writer::date(std::int64_t days) {
  constexpr std::int64_t kFirst = -719'162;  // 0001-01-01
  constexpr std::int64_t kLast = 2'932'896;  // 9999-12-31
  if (days < kFirst || days > kLast) return false;
  const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  append(out_, "{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
         static_cast<unsigned>(day.day()));
  return true;
}

/// Appends a time of day within one day as "23:59:59.123".
void Writer::time_of_day(std::int64_t units, unsigned digits) {
  const std::int64_t per_second = units_per_second(digits);
  const std::int64_t seconds = units / per_second;
  append(out_, "{:02}:{:02}:{:02}.{:0{}}", seconds / 3600, seconds / 60 % 60, seconds % 60,
         units % per_second, digits);
}

Kind Writer::time(Bytes value, unsigned digits) {
  const std::int64_t units = signed_of(value);
  if (units < 0 || units >= kSecondsPerDay * units_per_second(digits)) return integer(units);
  time_of_day(units, digits);
  return Kind::words;
}

/// A point in time as a day and the time within that day, which is never negative.
struct Moment {
  std::int64_t day;
  std::int64_t rest;
};
template <typename Units>
Moment split(Units units, unsigned digits) {
  const std::int64_t per_day = kSecondsPerDay * units_per_second(digits);
  const auto rest = static_cast<std::int64_t>(units % per_day);
  const bool below = rest < 0;
  return {static_cast<std::int64_t>(units / per_day) - (below ? 1 : 0), rest + (below ? per_day : 0)};
}

__extension__ using Int128 = __int128;  // -Wpedantic does not know it otherwise

bool Writer::moment(std::int64_t day, std::int64_t rest, const ValueStyle& style) {
  if (!date(day)) return false;
  out_ += 'T';
  time_of_day(rest, style.digits);
  if (style.utc) out_ += 'Z';
  return true;
}

Kind Writer::timestamp(Bytes value, const ValueStyle& style) {
  const std::int64_t units = signed_of(value);
  const Moment at = split(units, style.digits);
  return moment(at.day, at.rest, style) ? Kind::words : integer(units);
}

/// A count of units of 96 bits. In days it is a number of less than 64 bits, whatever the unit.
Kind Writer::timestamp_96(Bytes value, const ValueStyle& style) {
  const Int128 high = load_le<std::int32_t>(value.data() + 8);
  const Moment at = split(high * (Int128{1} << 64) + load_le<std::uint64_t>(value.data()), style.digits);
  return moment(at.day, at.rest, style) ? Kind::words : Kind::bytes;
}

/// Formats nanoseconds and the Julian day from which they count. Some writers let them exceed the day.
Kind Writer::int96(Bytes value, const ValueStyle& style) {
  const Moment at = split(load_le<std::int64_t>(value.data()), style.digits);
  const std::int64_t day = load_le<std::int32_t>(value.data() + 8);
  return moment(day - kJulianEpoch + at.day, at.rest, style) ? Kind::words : Kind::bytes;
}

Kind Writer::uuid(Bytes value) {
  std::size_t from = 0;
  for (const std::size_t to :
       {std::size_t{4}, std::size_t{6}, std::size_t{8}, std::size_t{10}, std::size_t{16}}) {
    if (from != 0) out_ += '-';
    append_hex(out_, value.subspan(from, to - from));
    from = to;
  }
  return Kind::words;
}

Kind Writer::interval(Bytes value) {
  append(out_, R"({{"months":{},"days":{},"milliseconds":{}}})", load_le<std::uint32_t>(value.data()),
         load_le<std::uint32_t>(value.data() + 4), load_le<std::uint32_t>(value.data() + 8));
  return Kind::literal;
}

Kind Writer::write(Bytes value, const ValueStyle& style) {
  switch (style.form) {
    case ValueForm::boolean:
      out_ = (value[0] & 1) != 0 ? "true" : "false";
      return Kind::literal;
    case ValueForm::signed_int:
      return integer(signed_of(value));
    case ValueForm::unsigned_int:
      return integer(unsigned_of(value));
    case ValueForm::real:
      return value.size() == 4 ? real(load_le<float>(value.data())) : real(load_le<double>(value.data()));
    case ValueForm::float16:  // the exact number, because the shortest text of a float has more digits than
                              // needed
      return real(double{half_to_float(load_le<std::uint16_t>(value.data()))});
    case ValueForm::uuid:
      return uuid(value);
    case ValueForm::decimal_int:
      return decimal_int(value, style.scale);
    case ValueForm::decimal_bytes:
      return decimal_bytes(value, style.scale);
    case ValueForm::date:
      return date(signed_of(value)) ? Kind::words : integer(signed_of(value));
    case ValueForm::time:
      return time(value, style.digits);
    case ValueForm::timestamp:
      return timestamp(value, style);
    case ValueForm::timestamp_96:
      return timestamp_96(value, style);
    case ValueForm::int96_timestamp:
      return int96(value, style);
    case ValueForm::interval:
      return interval(value);
    case ValueForm::wkt:
      return geo::append_wkt(out_, value) ? Kind::words : Kind::bytes;
    case ValueForm::hex:
    case ValueForm::text:
      break;
  }
  return Kind::bytes;
}

/// Returns true if a value without a logical type is printable ASCII text.
bool is_ascii_text(Bytes value) {
  return std::ranges::all_of(value,
                             [](std::uint8_t byte) { return byte >= 0x20 && byte < 0x7F && byte != '"'; });
}

/// Returns the length of the prefix that can be quoted without escapes.
std::size_t quotable(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const Character c = character_at(text, at);
    if (!c.valid || is_control(c.code) || c.code == '"') break;
    at += c.length;
  }
  return at;
}

std::string short_quoted(Bytes value, std::size_t length) {
  std::string out = '"' + std::string(text_of(value.first(length))) + '"';
  if (length < value.size()) append(out, "... ({} bytes)", value.size());
  return out;
}

std::string short_hex(Bytes value) {
  std::string out = "0x";
  append_hex(out, value.first(std::min(value.size(), kShortHexBytes)));
  if (value.size() > kShortHexBytes) append(out, "... ({} bytes)", value.size());
  return out;
}

}  // namespace

ValueText value_text(std::span<const std::uint8_t> value, const ValueStyle& style, std::string& buffer) {
  if (style.form == ValueForm::hex) return {Kind::bytes, {}};
  if (style.form == ValueForm::text) {
    if (utf8_error(value) != value.size()) return {Kind::no_text, {}};
    return {Kind::text, text_of(value)};
  }
  buffer.clear();
  const Kind kind = Writer(buffer).write(value, style);
  return {kind, kind == Kind::bytes ? std::string_view() : std::string_view(buffer)};
}

std::string short_text(std::span<const std::uint8_t> value, const Node& leaf) {
  const ValueStyle style = logical_style(leaf);
  if (style.form == ValueForm::decimal_bytes && value.size() > kShortDecimalBytes) return short_hex(value);
  if (style.form == ValueForm::wkt) return short_hex(value);
  if (style.form == ValueForm::hex || style.form == ValueForm::text) {
    if (order_of(leaf) != Order::unsigned_bytes) return short_hex(value);
    const Bytes shown = value.first(std::min(value.size(), kShortTextBytes));
    if (style.form == ValueForm::hex)
      return is_ascii_text(shown) ? short_quoted(value, shown.size()) : short_hex(value);
    // The last character of the prefix may be truncated.
    const std::size_t length = quotable(text_of(shown));
    const std::size_t min_length = shown.size() - (shown.size() < value.size() ? kMaxCharacterBytes - 1 : 0);
    return length >= min_length ? short_quoted(value, length) : short_hex(value);
  }
  std::string buffer;
  ValueText text = value_text(value, style, buffer);
  if (text.text.size() > kShortWords) text = value_text(value, physical_style(leaf.type), buffer);
  if (text.kind == Kind::bytes) return short_hex(value);
  if (buffer == "NaN" && (value.back() & 0x80) != 0)
    return "-NaN";  // IEEE 754 totalOrder distinguishes -NaN from NaN
  return buffer;
}

FindingValue short_value(std::span<const std::uint8_t> value, const Node& leaf) {
  const ValueStyle style = logical_style(leaf);
  std::string buffer;
  switch (style.form) {
    case ValueForm::signed_int:
      return signed_of(value);
    case ValueForm::unsigned_int:
      return unsigned_of(value);
    case ValueForm::time:
    case ValueForm::timestamp:
      if (value_text(value, style, buffer).kind == Kind::literal) return signed_of(value);
      return buffer;
    case ValueForm::date:
      if (value_text(value, style, buffer).kind == Kind::literal) return signed_of(value);
      return FindingValue::Literal{std::move(buffer)};
    case ValueForm::real:
    case ValueForm::float16:
      if (value_text(value, style, buffer).kind == Kind::literal)
        return FindingValue::Literal{std::move(buffer)};
      break;
    case ValueForm::decimal_int:
    case ValueForm::decimal_bytes:
      if (style.form == ValueForm::decimal_bytes && value.size() > kShortDecimalBytes) break;
      if (value_text(value, style, buffer).kind == Kind::words && buffer.size() <= kShortWords)
        return FindingValue::Literal{std::move(buffer)};
      if (style.form == ValueForm::decimal_int) return signed_of(value);
      break;
    default:
      break;
  }
  return short_text(value, leaf);
}

FindingValue short_value_or_more(std::span<const std::uint8_t> value, const Node& leaf) {
  const FindingValue bound = short_value(value, leaf);
  if (const Integer* const number = bound.integer()) return or_more(*number);
  return short_text(value, leaf) + " or more";
}

FindingValue short_value_or_less(std::span<const std::uint8_t> value, const Node& leaf) {
  const FindingValue bound = short_value(value, leaf);
  if (const Integer* const number = bound.integer()) return or_less(*number);
  return short_text(value, leaf) + " or less";
}

}  // namespace parqproof
