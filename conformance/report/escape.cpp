#include "conformance/report/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "codec/base/utf8.hpp"

namespace parqproof {
namespace {

/// One character of UTF-8, or one byte that is none.
struct Character {
  char32_t code = 0;
  std::size_t length = 1;
  bool valid = true;
};

Character character_at(std::string_view text, std::size_t at) {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const std::string_view bytes = text.substr(at, length);
  const std::span<const std::uint8_t> raw(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (bytes.size() < length || utf8_error(raw) != raw.size()) return {lead, 1, false};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (raw[i] & 0x3FU);
  return {code, length, true};
}

/// Characters that steer a terminal instead of showing: C0, DEL, C1, line separators, and those that turn the
/// direction of writing.
bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xFEFF;
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

template <typename Real>
std::string shortest_of(Real value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  // Of the shortest texts to_chars takes the one nearest to the value: 2147483648, not 2147483600.
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

template <typename Real>
std::string json_real_of(Real value) {
  if (!std::isfinite(value)) return '"' + shortest_of(value) + '"';
  return value == 0 && std::signbit(value) ? "-0.0" : shortest_of(value);
}

}  // namespace

std::string printable(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const Character c = character_at(bytes, at);
    const auto code = static_cast<std::uint32_t>(c.code);
    if (!c.valid || (is_control(c.code) && code < 0x80 && code != '\n' && code != '\t' && code != '\r')) {
      out += fmt::format("\\x{:02x}", code);
    } else if (c.code == '\n') {
      out += "\\n";
    } else if (c.code == '\t') {
      out += "\\t";
    } else if (c.code == '\r') {
      out += "\\r";
    } else if (c.code == '\\') {
      out += "\\\\";
    } else if (is_control(c.code)) {
      out += fmt::format("\\u{:04x}", code);
    } else {
      out += bytes.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

std::string json_string(std::string_view bytes) {
  const bool plain = std::ranges::all_of(
      bytes, [](char c) { return c >= 0x20 && c != 0x7F && c != '"' && c != '\\'; });  // bytes above are < 0
  std::string out = "\"";
  if (plain) out += bytes;
  for (std::size_t at = plain ? bytes.size() : 0; at < bytes.size();) {
    const Character c = character_at(bytes, at);
    if (!c.valid) {
      out += "\xEF\xBF\xBD";
    } else if (c.code == '"' || c.code == '\\') {
      out += '\\';
      out += static_cast<char>(c.code);
    } else if (is_control(c.code)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c.code));
    } else {
      out += bytes.substr(at, c.length);
    }
    at += c.length;
  }
  out += '"';
  return out;
}

std::string hex(std::span<const std::uint8_t> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) {
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

bool read_hex(std::string_view text, std::vector<std::uint8_t>& bytes) {
  for (std::size_t at = 0; at < text.size();) {
    if (std::string_view(" \t\r\n").find(text[at]) != text.npos) {
      ++at;
      continue;
    }
    const int high = digit(text[at]);
    const int low = at + 1 < text.size() ? digit(text[at + 1]) : -1;
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<std::uint8_t>(high << 4 | low));
    at += 2;
  }
  return true;
}

std::string shortest(double value) { return shortest_of(value); }
std::string shortest(float value) { return shortest_of(value); }

std::string json_real(double value) { return json_real_of(value); }
std::string json_real(float value) { return json_real_of(value); }

}  // namespace parqproof
