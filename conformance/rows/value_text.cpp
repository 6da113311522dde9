#include "conformance/rows/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <vector>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/schema/order.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::int64_t kSecondsPerDay = 86'400;
/// Julian day number of 1970-01-01.
constexpr std::int64_t kJulianEpoch = 2'440'588;
/// Longer unscaled numbers than this take time that grows with the square of their length.
constexpr std::size_t kMaxDecimalBytes = 4'096;

constexpr std::int64_t units_per_second(unsigned digits) {
  return digits == 3 ? 1'000 : digits == 6 ? 1'000'000 : 1'000'000'000;
}

template <typename... Args>
void append(std::string& out, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Args>(args)...);
}

void append_hex(std::string& out, Bytes value) {
  constexpr char kDigits[] = "0123456789abcdef";
  out.reserve(out.size() + 2 * value.size() + 2);
  out += '"';
  for (const std::uint8_t byte : value) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  out += '"';
}

std::int64_t signed_of(Bytes value) {
  return value.size() == 4 ? std::int64_t{load_le<std::int32_t>(value.data())}
                           : load_le<std::int64_t>(value.data());
}

std::uint64_t unsigned_of(Bytes value) {
  return value.size() == 4 ? std::uint64_t{load_le<std::uint32_t>(value.data())}
                           : load_le<std::uint64_t>(value.data());
}

/// Writes digits with a point before the last `scale` of them.
void append_decimal(std::string& out, bool negative, std::string digits, std::int32_t scale) {
  const auto behind = static_cast<std::size_t>(scale);
  if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
  if (behind != 0) digits.insert(digits.size() - behind, 1, '.');
  out += negative ? "\"-" : "\"";
  out += digits;
  out += '"';
}

void append_decimal_int(std::string& out, Bytes value, std::int32_t scale) {
  const std::int64_t number = signed_of(value);
  const auto bits = static_cast<std::uint64_t>(number);
  append_decimal(out, number < 0, std::to_string(number < 0 ? 0 - bits : bits), scale);
}

/// Decimal digits of a big-endian magnitude.
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

/// A big-endian number in two's complement, of any length.
void append_decimal_bytes(std::string& out, Bytes value, std::int32_t scale) {
  const Bytes stored = value;
  const bool negative = !value.empty() && (value[0] & 0x80) != 0;
  const std::uint8_t sign = negative ? 0xFF : 0;
  while (value.size() > 1 && value[0] == sign) value = value.subspan(1);
  if (value.empty() || value.size() > kMaxDecimalBytes) return append_hex(out, stored);
  std::vector<std::uint8_t> magnitude(value.begin(), value.end());
  if (negative) {  // a stripped sign byte leaves 256^n minus the number: the magnitude all the same
    bool carry = true;
    for (std::size_t i = magnitude.size(); i-- > 0;) {
      const unsigned byte = (~unsigned{magnitude[i]} & 0xFFU) + (carry ? 1U : 0U);
      magnitude[i] = static_cast<std::uint8_t>(byte);
      carry = byte > 0xFF;
    }
    if (carry) magnitude.insert(magnitude.begin(), 1);
  }
  append_decimal(out, negative, digits_of(std::move(magnitude)), scale);
}

/// "2024-02-29", or nothing outside the years 1 to 9999.
std::optional<std::string> date_text(std::int64_t days) {
  constexpr std::int64_t kFirst = -719'162;  // 0001-01-01
  constexpr std::int64_t kLast = 2'932'896;  // 9999-12-31
  if (days < kFirst || days > kLast) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{static_cast<int>(days)}}};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

/// "23:59:59.123" of a time of day that lies in its day.
std::string time_text(std::int64_t units, unsigned digits) {
  const std::int64_t per_second = units_per_second(digits);
  const std::int64_t seconds = units / per_second;
  return fmt::format("{:02}:{:02}:{:02}.{:0{}}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                     units % per_second, digits);
}

void append_time(std::string& out, Bytes value, unsigned digits) {
  const std::int64_t units = signed_of(value);
  if (units < 0 || units >= kSecondsPerDay * units_per_second(digits)) {
    append(out, "{}", units);
  } else {
    append(out, "\"{}\"", time_text(units, digits));
  }
}

/// A moment as a whole day and the rest of it, which is never negative.
struct Moment {
  std::int64_t day;
  std::int64_t rest;
};
Moment split(std::int64_t units, unsigned digits) {
  const std::int64_t per_day = kSecondsPerDay * units_per_second(digits);
  const bool below = units % per_day < 0;
  return {units / per_day - (below ? 1 : 0), units % per_day + (below ? per_day : 0)};
}

void append_timestamp(std::string& out, Bytes value, const ValueStyle& style) {
  const std::int64_t units = signed_of(value);
  const Moment moment = split(units, style.digits);
  if (const std::optional<std::string> date = date_text(moment.day)) {
    append(out, "\"{}T{}{}\"", *date, time_text(moment.rest, style.digits), style.utc ? "Z" : "");
  } else {
    append(out, "{}", units);
  }
}

/// Nanoseconds, then the Julian day that they count from. Some writers let them pass the bounds of that day.
void append_int96(std::string& out, Bytes value, unsigned digits) {
  const Moment moment = split(load_le<std::int64_t>(value.data()), digits);
  const std::int64_t day = load_le<std::int32_t>(value.data() + 8);
  if (const std::optional<std::string> date = date_text(day - kJulianEpoch + moment.day)) {
    append(out, "\"{}T{}\"", *date, time_text(moment.rest, digits));
  } else {
    append_hex(out, value);
  }
}

void append_uuid(std::string& out, Bytes value) {
  const std::string digits = hex(value);
  const std::string_view text = digits;
  append(out, "\"{}-{}-{}-{}-{}\"", text.substr(0, 8), text.substr(8, 4), text.substr(12, 4),
         text.substr(16, 4), text.substr(20));
}

void append_text(std::string& out, Bytes value) {
  if (utf8_error(value) == value.size()) {
    out += json_string({reinterpret_cast<const char*>(value.data()), value.size()});
    return;
  }
  out += R"({"hex":)";
  append_hex(out, value);
  out += '}';
}

}  // namespace

void append_value(std::string& out, std::span<const std::uint8_t> value, const ValueStyle& style) {
  switch (style.form) {
    case ValueForm::boolean:
      out += value[0] != 0 ? "true" : "false";
      break;
    case ValueForm::signed_int:
      append(out, "{}", signed_of(value));
      break;
    case ValueForm::unsigned_int:
      append(out, "{}", unsigned_of(value));
      break;
    case ValueForm::real:
      out += value.size() == 4 ? json_real(load_le<float>(value.data()))
                               : json_real(load_le<double>(value.data()));
      break;
    case ValueForm::float16:  // the number itself, which has fewer bits than the shortest text for it shows
      out += json_real(double{half_to_float(load_le<std::uint16_t>(value.data()))});
      break;
    case ValueForm::hex:
      append_hex(out, value);
      break;
    case ValueForm::text:
      append_text(out, value);
      break;
    case ValueForm::uuid:
      append_uuid(out, value);
      break;
    case ValueForm::decimal_int:
      append_decimal_int(out, value, style.scale);
      break;
    case ValueForm::decimal_bytes:
      append_decimal_bytes(out, value, style.scale);
      break;
    case ValueForm::date:
      if (const std::optional<std::string> date = date_text(signed_of(value))) {
        append(out, "\"{}\"", *date);
      } else {
        append(out, "{}", signed_of(value));
      }
      break;
    case ValueForm::time:
      append_time(out, value, style.digits);
      break;
    case ValueForm::timestamp:
      append_timestamp(out, value, style);
      break;
    case ValueForm::int96_timestamp:
      append_int96(out, value, style.digits);
      break;
    case ValueForm::interval:
      append(out, R"({{"months":{},"days":{},"milliseconds":{}}})", load_le<std::uint32_t>(value.data()),
             load_le<std::uint32_t>(value.data() + 4), load_le<std::uint32_t>(value.data() + 8));
      break;
  }
}

}  // namespace parqproof
