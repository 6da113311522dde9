#include "codec/base/utf8.hpp"

#include "codec/base/bits.hpp"
#include "codec/base/bytes.hpp"

namespace parqproof {

bool is_ascii(std::span<const std::uint8_t> bytes) noexcept {
  constexpr std::uint64_t kHigh = 0x8080808080808080U;
  const std::size_t size = bytes.size();
  if (size >= 4 && size < 8) {
    const std::uint32_t both =
        load_le<std::uint32_t>(bytes.data()) | load_le<std::uint32_t>(bytes.data() + size - 4);
    return (both & 0x80808080U) == 0;
  }
  if (size < 8) {
    std::uint8_t any = 0;
    for (const std::uint8_t byte : bytes) any |= byte;
    return any < 0x80;
  }
  for (std::size_t i = 0; i < size - 8; i += 8) {
    if ((load_le<std::uint64_t>(bytes.data() + i) & kHigh) != 0) return false;
  }
  return (load_le<std::uint64_t>(bytes.data() + size - 8) & kHigh) == 0;
}

std::size_t utf8_error(std::span<const std::uint8_t> bytes) noexcept {
  const std::size_t size = bytes.size();
  if (is_ascii(bytes)) return size;
  std::size_t i = 0;
  while (i < size) {
    if (size - i >= 8 && (load_le<std::uint64_t>(bytes.data() + i) & 0x8080808080808080U) == 0) {
      i += 8;
      continue;
    }
    const std::uint8_t lead = bytes[i];
    if (lead < 0x80) {
      ++i;
      continue;
    }
    // The range of the second byte depends on the lead byte; it excludes overlong forms, surrogates and code
    // points above U+10FFFF.
    std::size_t length = 0;
    std::uint8_t low = 0x80;
    std::uint8_t high = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF) {
      length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
      length = 3;
      if (lead == 0xE0) low = 0xA0;
      if (lead == 0xED) high = 0x9F;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
      length = 4;
      if (lead == 0xF0) low = 0x90;
      if (lead == 0xF4) high = 0x8F;
    } else {
      return i;
    }
    if (size - i < length || bytes[i + 1] < low || bytes[i + 1] > high) return i;
    for (std::size_t k = 2; k < length; ++k) {
      if ((bytes[i + k] & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return size;
}

Character character_at(std::string_view text, std::size_t at) noexcept {
  const auto lead = static_cast<std::uint8_t>(text[at]);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  const std::string_view bytes = text.substr(at, length);
  const std::span<const std::uint8_t> raw = bytes_of(bytes);
  if (bytes.size() < length || utf8_error(raw) != raw.size()) return {lead, 1, false};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (raw[i] & 0x3FU);
  return {code, length, true};
}

bool is_control(char32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
         code == 0x200F || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
         code == 0xFEFF;
}

}  // namespace parqproof
