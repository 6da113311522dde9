#include "codec/variant/primitive.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "codec/schema/value_text.hpp"

namespace parqproof::variant {
namespace {

constexpr std::size_t kDecimal16Bytes = 16;
constexpr std::size_t kIntegerBytes = 4;  // of a shredded int8 or int16

bool is_boolean(Kind kind) noexcept { return kind == Kind::boolean_true || kind == Kind::boolean_false; }

/// Returns true if a decimal has at most so many digits.
bool fits(const Item& item, std::int32_t digits) {
  std::array<std::uint8_t, kDecimal16Bytes> big_endian{};
  const std::span<const std::uint8_t> number = item.data().subspan(1);
  std::ranges::reverse_copy(number, big_endian.begin());
  std::string text;
  (void)value_text(std::span(big_endian).first(number.size()), {ValueForm::decimal_bytes}, text);
  return std::cmp_less_equal(text.size() - (text.starts_with('-') ? 1 : 0), digits);
}

constexpr std::uint8_t sign_byte(bool is_negative) noexcept { return is_negative ? 0xFF : 0; }

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
      return builder.primitive(part.kind, value.first(1));
    case Kind::int16:
      return builder.primitive(part.kind, value.first(2));
    case Kind::decimal4:
    case Kind::decimal8: {
      std::array<std::uint8_t, 9> data{part.scale};
      std::ranges::copy(value, data.begin() + 1);
      return builder.primitive(part.kind, std::span(data).first(1 + value.size()));
    }
    case Kind::decimal16: {  // big-endian, of any length
      const bool negative = !value.empty() && (value[0] & 0x80) != 0;
      std::array<std::uint8_t, 1 + kDecimal16Bytes> data;
      data.fill(negative ? 0xFF : 0);
      data[0] = part.scale;
      const std::size_t count = std::min(value.size(), kDecimal16Bytes);
      for (std::size_t i = 0; i < count; ++i) data[1 + i] = value[value.size() - 1 - i];
      return builder.primitive(part.kind, data);
    }
    default:
      return builder.primitive(part.kind, value);
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
