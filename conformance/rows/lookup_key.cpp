#include "conformance/rows/lookup_key.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <optional>
#include <system_error>

#include "codec/base/text.hpp"
#include "codec/schema/order.hpp"
#include "codec/schema/value_text.hpp"
#include "conformance/report/escape.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;
/// Bytes of a value, or the reason why the text is no value.
using Parsed = std::expected<Bytes, std::string>;

constexpr std::int64_t kSecondsPerDay = 86'400;
/// Parsing a decimal takes time that grows with the square of its number of digits.
constexpr std::size_t kMaxDigits = 5'000;

std::unexpected<std::string> no_value(std::string_view text, const std::string& expected) {
  return std::unexpected("'" + std::string(text) + "' is not a value of the column; expected " + expected);
}

std::unexpected<std::string> out_of_range(std::string_view text, const std::string& expected) {
  return std::unexpected("'" + std::string(text) + "' is out of range; expected " + expected);
}

template <typename Number>
Bytes bytes_of(Number number) {
  Bytes bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

/// A number that fits INT32 or INT64, in the width of the physical type.
template <std::integral Integer>
Bytes stored(Integer number, Type type) {
  return type == Type::INT32 ? bytes_of(static_cast<std::int32_t>(number)) : bytes_of(number);
}

template <typename Number>
std::from_chars_result read(std::string_view text, Number& number) {
  std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_read = result.ec == std::errc::result_out_of_range || result.ec == std::errc();
  if (is_read && result.ptr != text.data() + text.size()) result.ec = std::errc::invalid_argument;
  return result;
}

/// A number in the range of an integer of `bits` bits.
template <std::integral Integer>
Parsed integer(std::string_view text, const Node& leaf, unsigned bits) {
  constexpr unsigned kDigits = std::numeric_limits<Integer>::digits;
  const unsigned width = std::min(std::signed_integral<Integer> ? bits - 1 : bits, kDigits);
  const Integer last = static_cast<Integer>(std::numeric_limits<Integer>::max() >> (kDigits - width));
  const Integer first = std::signed_integral<Integer> ? static_cast<Integer>(-last - 1) : Integer{0};
  const std::string range = std::to_string(first) + " to " + std::to_string(last);
  Integer number = 0;
  const std::errc error = read(text, number).ec;
  std::int64_t below = 0;
  const bool is_below = first == 0 && error != std::errc() && text.starts_with('-') &&
                        read(text, below).ec != std::errc::invalid_argument;
  if (error == std::errc::result_out_of_range || is_below) return out_of_range(text, range);
  if (error != std::errc()) return no_value(text, "an integer");
  if (number < first || number > last) return out_of_range(text, range);
  return stored(number, leaf.type);
}

unsigned stored_bits(const Node& leaf) { return leaf.type == Type::INT32 ? 32 : 64; }

/// Width of an integer in a view: that of its annotation, if it has a valid one.
unsigned bits_of(const Node& leaf, RowView view) {
  const bool is_annotated = view == RowView::logical && leaf.logical.kind == LogicalKind::INTEGER;
  const auto bits = static_cast<unsigned>(std::max<int>(leaf.logical.bit_width, 0));
  return is_annotated && bits != 0 ? std::min(bits, stored_bits(leaf)) : stored_bits(leaf);
}

template <std::floating_point Real>
Parsed real(std::string_view text) {
  Real number = 0;
  const std::errc error = read(text, number).ec;
  if (error == std::errc::result_out_of_range) return out_of_range(text, "a number that the type can hold");
  if (error != std::errc()) return no_value(text, "a number");
  if (std::isnan(number)) return no_value(text, "a number: NaN equals no value");
  return bytes_of(number);
}

Parsed float16(std::string_view text) {
  const Parsed number = real<double>(text);
  if (!number) return number;
  double wanted = 0;
  std::memcpy(&wanted, number->data(), sizeof wanted);
  for (std::uint32_t bits = 0; bits <= UINT16_MAX; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if (static_cast<double>(half_to_float(half)) == wanted) return bytes_of(half);
  }
  return out_of_range(text, "a number that FLOAT16 can hold");
}

/// Checks the length of a byte array.
Parsed sized(std::string_view text, Bytes bytes, const Node& leaf) {
  const auto length = static_cast<std::size_t>(std::max(leaf.type_length, 0));
  if (leaf.type == Type::FIXED_LEN_BYTE_ARRAY && bytes.size() != length)
    return out_of_range(text, counted(length, "byte") + ", found " + std::to_string(bytes.size()));
  return bytes;
}

Parsed hex(std::string_view text, const Node& leaf) {
  std::optional<Bytes> bytes = bytes_of_hex(text);
  if (!bytes) return no_value(text, "bytes in hex");
  return sized(text, std::move(*bytes), leaf);
}

Parsed uuid(std::string_view text, const Node& leaf) {
  std::string digits;
  bool is_uuid = text.size() == 36;
  for (std::size_t i = 0; is_uuid && i < text.size(); ++i) {
    const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
    is_uuid = (text[i] == '-') == is_dash;
    if (!is_dash) digits += text[i];
  }
  std::optional<Bytes> bytes = bytes_of_hex(digits);
  if (!is_uuid || !bytes) return no_value(text, "a UUID as 00112233-4455-6677-8899-aabbccddeeff");
  return sized(text, std::move(*bytes), leaf);
}

/// Decimal number without its point.
struct Unscaled {
  bool negative = false;
  std::string digits;  // without leading zeros
};

std::optional<Unscaled> unscaled(std::string_view text, std::int32_t scale) {
  Unscaled number;
  number.negative = text.starts_with('-');
  if (number.negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  std::string fraction(point == std::string_view::npos ? std::string_view() : text.substr(point + 1));
  const std::string_view before = text.substr(0, point);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (before.empty() || (point != std::string_view::npos && fraction.empty()) ||
      fraction.size() > static_cast<std::size_t>(scale) || !std::ranges::all_of(before, is_digit) ||
      !std::ranges::all_of(fraction, is_digit))
    return std::nullopt;
  fraction.resize(static_cast<std::size_t>(scale), '0');
  number.digits = std::string(before) + fraction;
  number.digits.erase(0, std::min(number.digits.find_first_not_of('0'), number.digits.size()));
  return number;
}

/// Two's complement, big-endian, in as few bytes as possible.
Bytes big_endian(const Unscaled& number) {
  Bytes bytes{0};  // little-endian while digits are added
  for (const char digit : number.digits) {
    unsigned carry = static_cast<unsigned>(digit - '0');
    for (std::uint8_t& byte : bytes) {
      carry += byte * 10U;
      byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
    if (carry != 0) bytes.push_back(static_cast<std::uint8_t>(carry));
  }
  bytes.push_back(0);
  if (number.negative) {
    unsigned carry = 1;
    for (std::uint8_t& byte : bytes) {
      carry += static_cast<std::uint8_t>(~byte);
      byte = static_cast<std::uint8_t>(carry);
      carry >>= 8;
    }
  }
  while (bytes.size() > 1 && bytes.back() == ((bytes[bytes.size() - 2] & 0x80) != 0 ? 0xFF : 0))
    bytes.pop_back();
  std::ranges::reverse(bytes);
  return bytes;
}

Parsed decimal(std::string_view text, const Node& leaf, const ValueStyle& style) {
  const std::optional<Unscaled> number = unscaled(text, style.scale);
  if (!number)
    return no_value(text, "a number with at most " +
                              counted(static_cast<std::uint64_t>(style.scale), "digit") + " after the point");
  const std::int32_t precision = leaf.logical.precision;
  const std::size_t most =
      precision > 0 ? std::min(static_cast<std::size_t>(precision), kMaxDigits) : kMaxDigits;
  if (number->digits.size() > most) return out_of_range(text, counted(most, "digit") + " at most");
  if (style.form == ValueForm::decimal_int) {
    const std::string digits =
        (number->negative ? "-" : "") + (number->digits.empty() ? "0" : number->digits);
    Parsed parsed = integer<std::int64_t>(digits, leaf, stored_bits(leaf));
    if (!parsed) return out_of_range(text, "a number that the type can hold");
    return parsed;
  }
  Bytes bytes = big_endian(*number);
  if (leaf.type != Type::FIXED_LEN_BYTE_ARRAY) return bytes;
  const auto length = static_cast<std::size_t>(std::max(leaf.type_length, 0));
  if (bytes.size() > length) return out_of_range(text, "a number of " + counted(length, "byte") + " at most");
  bytes.insert(bytes.begin(), length - bytes.size(), (bytes.front() & 0x80) != 0 ? 0xFF : 0);
  return bytes;
}

/// Removes a number of exactly `count` digits from the front of a text.
std::optional<int> take_number(std::string_view& text, std::size_t count) {
  int number = 0;
  if (text.size() < count) return std::nullopt;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Removes a date from the front of a text; returns days since 1970-01-01.
std::optional<std::int64_t> take_date(std::string_view& text) {
  const std::optional<int> year = take_number(text, 4);
  if (!year || *year == 0 || !take(text, '-')) return std::nullopt;
  const std::optional<int> month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const std::optional<int> day = take_number(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::int64_t units_per_second(unsigned digits) {
  return digits == 3 ? 1'000 : digits == 6 ? 1'000'000 : 1'000'000'000;
}

/// Removes a time of day from the front of a text; returns units of 10^-digits seconds.
std::optional<std::int64_t> take_time(std::string_view& text, unsigned digits) {
  std::int64_t seconds = 0;
  for (const int most : {23, 59, 59}) {
    if (most != 23 && !take(text, ':')) return std::nullopt;
    const std::optional<int> part = take_number(text, 2);
    if (!part || *part > most) return std::nullopt;
    seconds = seconds * 60 + *part;
  }
  std::int64_t units = seconds * units_per_second(digits);
  if (!take(text, '.')) return units;
  std::size_t length = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') ++length;
  if (length == 0 || length > digits) return std::nullopt;
  std::int64_t fraction = *take_number(text, length);
  for (std::size_t i = length; i < digits; ++i) fraction *= 10;
  return units + fraction;
}

/// Parses all of the text as a timestamp, in units since 1970-01-01; sets `out_of_range` if it does not fit.
std::optional<std::int64_t> timestamp(std::string_view text, const ValueStyle& style, bool& out_of_range) {
  const std::optional<std::int64_t> days = take_date(text);
  if (!days || !take(text, 'T')) return std::nullopt;
  const std::optional<std::int64_t> time = take_time(text, style.digits);
  if (!time || take(text, 'Z') != style.utc || !text.empty()) return std::nullopt;
  std::int64_t units = 0;
  const std::int64_t per_day = kSecondsPerDay * units_per_second(style.digits);
  // A day before 1970 may begin before the smallest timestamp that fits.
  const bool borrows = *days < 0 && *time != 0;
  out_of_range = __builtin_mul_overflow(*days + (borrows ? 1 : 0), per_day, &units) ||
                 __builtin_add_overflow(units, *time - (borrows ? per_day : 0), &units);
  return units;
}

/// Parses a date, a time or a timestamp, or the number that rows show instead if the value has no such text.
Parsed calendar(std::string_view text, const Node& leaf, const ValueStyle& style) {
  std::optional<std::int64_t> units;
  bool is_out_of_range = false;
  std::string_view rest = text;
  const char* expected = "a date as 2024-02-29";
  if (style.form == ValueForm::timestamp) {
    units = timestamp(text, style, is_out_of_range);
    expected =
        style.utc ? "a timestamp as 2024-02-29T23:59:59.123Z" : "a timestamp as 2024-02-29T23:59:59.123";
  } else if (style.form == ValueForm::time) {
    units = take_time(rest, style.digits);
    if (!rest.empty()) units.reset();
    expected = "a time as 23:59:59.123";
  } else {
    units = take_date(rest);
    if (!rest.empty()) units.reset();
  }
  if (is_out_of_range) return out_of_range(text, "a timestamp that the type can hold");
  if (units) return stored(*units, leaf.type);
  const Parsed number = integer<std::int64_t>(text, leaf, stored_bits(leaf));
  std::string buffer;
  if (number && value_text(*number, style, buffer).text == text) return number;
  return no_value(text, std::string(expected) + ", with at most " + std::to_string(style.digits) +
                            " digits of a fraction");
}

Parsed value_of(std::string_view text, const Node& leaf, RowView view) {
  const ValueStyle style = view == RowView::logical ? logical_style(leaf) : physical_style(leaf.type);
  switch (style.form) {
    case ValueForm::boolean:
      if (text != "true" && text != "false") return no_value(text, "true or false");
      return Bytes{static_cast<std::uint8_t>(text == "true")};
    case ValueForm::signed_int:
      return integer<std::int64_t>(text, leaf, bits_of(leaf, view));
    case ValueForm::unsigned_int:
      return integer<std::uint64_t>(text, leaf, bits_of(leaf, view));
    case ValueForm::real:
      return leaf.type == Type::FLOAT ? real<float>(text) : real<double>(text);
    case ValueForm::float16:
      return float16(text);
    case ValueForm::text:
      return sized(text, Bytes(text.begin(), text.end()), leaf);
    case ValueForm::uuid:
      return uuid(text, leaf);
    case ValueForm::decimal_int:
    case ValueForm::decimal_bytes:
      return decimal(text, leaf, style);
    case ValueForm::date:
    case ValueForm::time:
    case ValueForm::timestamp:
      return calendar(text, leaf, style);
    case ValueForm::hex:
    case ValueForm::timestamp_96:
    case ValueForm::int96_timestamp:
    case ValueForm::interval:
    case ValueForm::wkt:
      break;
  }
  return hex(text, leaf);
}

std::string path_of(const Schema& schema, std::size_t leaf) {
  std::string path;
  for (const View& name : schema.path(schema.leaf_index(leaf))) {
    if (!path.empty()) path += '.';
    path += text_of(name);
  }
  return path;
}

}  // namespace

std::expected<LookupKey, std::string> lookup_key(const Schema& schema, std::string_view text, RowView view) {
  // Names may contain '=': the longest path that is a prefix of the text is the column.
  std::optional<LookupKey> key;
  bool is_ambiguous = false;
  for (std::size_t leaf = 0; leaf < schema.leaf_count(); ++leaf) {
    std::string path = path_of(schema, leaf);
    if (!text.starts_with(path) || text.size() <= path.size() || text[path.size()] != '=') continue;
    if (key && path.size() < key->column.size()) continue;
    is_ambiguous = key && path == key->column;
    key = LookupKey{leaf, std::move(path), {}};
  }
  const auto fail = [](const std::string& why) { return std::unexpected("--lookup: " + why); };
  if (!key) {
    const std::string column(text.substr(0, text.find('=')));
    return fail("no column is named '" + column + "'; expected the dotted path of a leaf");
  }
  if (is_ambiguous) return fail("more than one column is named '" + key->column + "'");
  const Node& leaf = schema.leaf(key->leaf);
  if (!leaf.readable || leaf.damaged) return fail("the type of column " + key->column + " is not known");
  if (order_of(leaf) == Order::none)
    return fail("the values of column " + key->column + " have no order, which an index by values needs");
  Parsed value = value_of(text.substr(key->column.size() + 1), leaf, view);
  if (!value) return fail("column " + key->column + ": " + value.error());
  key->value = std::move(*value);
  return std::move(*key);
}

}  // namespace parqproof
