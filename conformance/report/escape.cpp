#include "conformance/report/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codec/base/text.hpp"
#include "codec/base/utf8.hpp"

namespace parqproof {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string printable(std::string_view bytes) {
  constexpr std::string_view kNamed = "\n\t\r\\";
  constexpr std::string_view kNames = "ntr\\";
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    const Character c = character_at(bytes, at);
    const auto code = static_cast<std::uint32_t>(c.code);
    const std::size_t named = c.valid && code < 0x80 ? kNamed.find(static_cast<char>(code)) : kNamed.npos;
    if (named != kNamed.npos) {
      out += fmt::format("\\{}", kNames[named]);
    } else if (!c.valid || (is_control(c.code) && code < 0x80)) {
      out += fmt::format("\\x{:02x}", code);
    } else if (is_control(c.code)) {
      out += fmt::format("\\u{:04x}", code);
    } else {
      out += bytes.substr(at, c.length);
    }
    at += c.length;
  }
  return out;
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto is_inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  std::size_t end = most;
  while (end > 0 && is_inside_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

std::string printable(std::string_view bytes, std::size_t most) {
  return shortened(printable(bytes.substr(0, most + 1)), most);
}

std::string json_string(std::string_view bytes) {
  const bool harmless = std::ranges::all_of(
      bytes, [](char c) { return c >= 0x20 && c != 0x7F && c != '"' && c != '\\'; });  // bytes above are < 0
  std::string out = "\"";
  if (harmless) out += bytes;
  for (std::size_t at = harmless ? bytes.size() : 0; at < bytes.size();) {
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

std::optional<std::vector<std::uint8_t>> bytes_of_hex(std::string_view text) {
  std::vector<std::uint8_t> bytes;
  const bool has_spaces = text.find_first_of(" \t\r\n") != text.npos;
  return !has_spaces && read_hex(text, bytes) ? std::optional(std::move(bytes)) : std::nullopt;
}

std::string json_real(double value) {
  if (!std::isfinite(value)) return '"' + shortest(value) + '"';
  return value == 0 && std::signbit(value) ? "-0.0" : shortest(value);
}

}  // namespace parqproof
