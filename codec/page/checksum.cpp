#include "codec/page/checksum.hpp"

#include <libdeflate.h>

#include <array>

namespace parqproof {
namespace {

consteval std::array<std::uint32_t, 256> castagnoli_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0x82F63B78U : 0U);
    table[i] = value;
  }
  return table;
}

}  // namespace

std::uint32_t crc32(std::span<const std::uint8_t> bytes, std::uint32_t before) noexcept {
  if (bytes.empty()) return before;  // libdeflate starts again at a null pointer
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

std::uint32_t crc32c(std::span<const std::uint8_t> bytes) noexcept {
  static constexpr std::array<std::uint32_t, 256> kTable = castagnoli_table();
  std::uint32_t value = ~0U;
  for (const std::uint8_t byte : bytes) value = kTable[(value ^ byte) & 0xFF] ^ value >> 8;
  return ~value;
}

}  // namespace parqproof
