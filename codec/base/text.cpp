#include "codec/base/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace parqproof {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

template <typename Real>
std::string shortest_of(Real value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  // to_chars picks the shortest text nearest to the value: 2147483648, not 2147483600.
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

}  // namespace

std::string counted(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + ' ' + std::string(noun) + (count == 1 ? "" : "s");
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = to_lower(c);
  return out;
}

std::string hex(std::span<const std::uint8_t> bytes, std::string_view between) {
  std::string out;
  out.reserve(bytes.size() * (2 + between.size()));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i != 0) out += between;
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

void append_hex(std::string& out, std::span<const std::uint8_t> bytes) {
  const std::size_t before = out.size();
  out.resize(before + 2 * bytes.size());
  char* digit = out.data() + before;
  for (const std::uint8_t byte : bytes) {
    *digit++ = kDigits[byte >> 4];
    *digit++ = kDigits[byte & 15];
  }
}

std::string hex_number(std::uint32_t number) {
  return hex(std::array{static_cast<std::uint8_t>(number >> 24), static_cast<std::uint8_t>(number >> 16),
                        static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)});
}

std::string shortest(double value) { return shortest_of(value); }
std::string shortest(float value) {
  std::string text = shortest_of(value);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  // The double of the shortest text may be a tie between two floats and round to the other one.
  return std::isfinite(value) && static_cast<float>(read) != value ? shortest_of(double{value}) : text;
}

}  // namespace parqproof
