#include "codec/variant/primitive.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include "codec/base/bits.hpp"
#include "codec/base/utf8.hpp"
#include "codec/schema/value_text.hpp"
#include "codec/variant/judge.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kIntegerBytes = 4;  // of a shredded int8 or int16

constexpr std::uint8_t sign_byte(bool is_negative) noexcept { return is_negative ? 0xFF : 0; }

bool is_boolean(Kind kind) noexcept { return kind == Kind::boolean_true || kind == Kind::boolean_false; }

/// Returns true if a number, which is big-endian, has at most so many decimal digits.
bool fits(std::span<const std::uint8_t> number, std::int32_t digits) {
  std::string text;
  if (value_text(number, {ValueForm::decimal_bytes}, text).kind == ValueText::Kind::bytes) return false;
  return std::cmp_less_equal(text.size() - (text.starts_with('-') ? 1 : 0), digits);
}

std::span<const std::uint8_t> reversed(std::span<const std::uint8_t> number,
                                       std::array<std::uint8_t, kDecimal16Bytes>& room) {
  std::ranges::reverse_copy(number, room.begin());
  return std::span(room).first(number.size());
}

/// Returns true if a decimal has at most so many digits.
bool fits(const Item& item, std::int32_t digits) {
  std::array<std::uint8_t, kDecimal16Bytes> room{};
  return fits(reversed(item.data().subspan(1), room), digits);
}

template <typename T>
bool is_in_range(std::int32_t number) noexcept {
  return number >= std::numeric_limits<T>::min() && number <= std::numeric_limits<T>::max();
}

/// The smallest type that has the number, but none smaller than `kind`.
Kind kind_of_number(Kind kind, std::int32_t number) noexcept {
  if (kind == Kind::int8 && is_in_range<std::int8_t>(number)) return Kind::int8;
  return is_in_range<std::int16_t>(number) ? Kind::int16 : Kind::int32;
}

/// Appends a number of a column of an INTEGER of 8 or 16 bits, which INT32 stores.
void append_small(Builder& builder, Kind kind, std::span<const std::uint8_t> value) {
  const Kind wide = kind_of_number(kind, load_le<std::int32_t>(value.data()));
  builder.primitive(wide, value.first(wide == Kind::int8 ? 1 : wide == Kind::int16 ? 2 : kIntegerBytes));
}

/// Appends an unscaled number that is big-endian and has any length. If a decimal16 has no room for it, it is
/// the text of the number, or the bytes if they have no text.
void append_decimal16(Builder& builder, const Part& part, std::span<const std::uint8_t> value) {
  const std::uint8_t sign = sign_byte(!value.empty() && (value[0] & 0x80) != 0);
  std::span<const std::uint8_t> number = value;
  const auto is_sign = [&] { return number[0] == sign && ((number[1] ^ sign) & 0x80) == 0; };
  while (number.size() > kDecimal16Bytes && is_sign()) number = number.subspan(1);
  if (number.empty() || number.size() > kDecimal16Bytes) {
    std::string text;
    const ValueText shown = value_text(value, {ValueForm::decimal_bytes, part.scale}, text);
    if (shown.kind == ValueText::Kind::bytes) return builder.primitive(Kind::binary, value);
    return builder.string(text);
  }
  std::array<std::uint8_t, 1 + kDecimal16Bytes> data;
  data.fill(sign);
  data[0] = part.scale;
  std::ranges::reverse_copy(number, data.begin() + 1);
  builder.primitive(Kind::decimal16, data);
}

std::optional<PrimitiveFault> fault_of_decimal(const Part& part, std::span<const std::uint8_t> value) {
  if (value.empty())
    return PrimitiveFault{Rule::logical_type_decimal_bytes_empty, count_of_bytes(0), or_more(1)};
  std::array<std::uint8_t, kDecimal16Bytes> room{};
  const std::span<const std::uint8_t> number = part.kind == Kind::decimal16 ? value : reversed(value, room);
  if (fits(number, digits_of(part.kind))) return std::nullopt;
  std::string text;
  const ValueText shown = value_text(number, {ValueForm::decimal_bytes, part.scale}, text);
  FindingValue found = count_of_bytes(value.size());
  if (shown.kind != ValueText::Kind::bytes) found = FindingValue::Literal{std::move(text)};
  return PrimitiveFault{Rule::logical_type_decimal_digits, std::move(found),
                        "at most " + std::to_string(digits_of(part.kind)) + " digits"};
}

/// Appends a little-endian number in big-endian order: `length` bytes, or as few as it takes.
void append_big_endian(std::span<const std::uint8_t> number, std::uint32_t length,
                       std::vector<std::uint8_t>& out) {
  const std::uint8_t sign = sign_byte((number.back() & 0x80) != 0);
  std::size_t size = number.size();
  const auto is_sign = [&](std::size_t i) {
    return number[i] == sign && ((number[i - 1] ^ sign) & 0x80) == 0;
  };
  while (size > 1 && is_sign(size - 1)) --size;
  if (length > size) out.insert(out.end(), length - size, sign);
  out.insert(out.end(), number.rend() - static_cast<std::ptrdiff_t>(size), number.rend());
}

}  // namespace

void append_primitive(Builder& builder, const Part& part, std::span<const std::uint8_t> value) {
  switch (part.kind) {
    case Kind::null:
      return builder.null();
    case Kind::boolean_true:
      return builder.boolean((value[0] & 1) != 0);
    case Kind::int8:
    case Kind::int16:
      return append_small(builder, part.kind, value);
    case Kind::decimal4:
    case Kind::decimal8: {
      std::array<std::uint8_t, 9> data{part.scale};
      std::ranges::copy(value, data.begin() + 1);
      return builder.primitive(part.kind, std::span(data).first(1 + value.size()));
    }
    case Kind::decimal16:
      return append_decimal16(builder, part, value);
    default:
      return builder.primitive(part.kind, value);
  }
}

std::optional<PrimitiveFault> fault_of_primitive(const Part& part, std::span<const std::uint8_t> value) {
  switch (part.kind) {
    case Kind::int8:
    case Kind::int16: {
      const auto number = load_le<std::int32_t>(value.data());
      if (kind_of_number(part.kind, number) == part.kind) return std::nullopt;
      const std::int64_t below = part.kind == Kind::int8 ? INT8_MIN : INT16_MIN;
      return PrimitiveFault{Rule::logical_type_integer_range, number, between(below, -below - 1)};
    }
    case Kind::decimal4:
    case Kind::decimal8:
    case Kind::decimal16:
      return fault_of_decimal(part, value);
    case Kind::string: {
      const std::size_t error = utf8_error(value);
      if (error == value.size()) return std::nullopt;
      return PrimitiveFault{Rule::logical_type_utf8, shown_utf8_error(value, error), "UTF-8"};
    }
    default:
      return std::nullopt;
  }
}

bool is_representable(const Part& part, const Item& item) {
  if (part.typed != Part::Typed::primitive) return false;
  if (item.kind != part.kind && !(is_boolean(item.kind) && is_boolean(part.kind))) return false;
  if (item.kind == Kind::time) {
    constexpr std::uint64_t kMicrosOfDay = 86'400'000'000;
    std::uint64_t micros = 0;
    for (std::size_t i = 0; i < sizeof(micros); ++i) micros |= std::uint64_t{item.data()[i]} << 8 * i;
    return micros < kMicrosOfDay;
  }
  return !is_decimal(item.kind) || (item.data()[0] == part.scale && fits(item, part.precision));
}

void append_plain(const Part& part, const Item& item, std::uint32_t length, std::vector<std::uint8_t>& out) {
  const std::span<const std::uint8_t> data = item.data();
  switch (part.kind) {
    case Kind::boolean_true:
      out.push_back(item.kind == Kind::boolean_true ? 1 : 0);
      return;
    case Kind::int8:
    case Kind::int16:
      out.insert(out.end(), data.begin(), data.end());
      out.insert(out.end(), kIntegerBytes - data.size(), sign_byte((data.back() & 0x80) != 0));
      return;
    case Kind::decimal16:
      return append_big_endian(data.subspan(1), length, out);
    default:
      out.insert(out.end(), data.begin() + (is_decimal(item.kind) ? 1 : 0), data.end());
  }
}

}  // namespace parqproof::variant
