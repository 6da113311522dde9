#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace parqproof::fault {

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces, by which the index of a corpus identifies a file.
class Sha256 {
 public:
  void add(std::span<const std::uint8_t> bytes) noexcept;
  /// The digest of all bytes as 64 hex digits; nothing may be added after that.
  [[nodiscard]] std::string hex() noexcept;

 private:
  void block(const std::uint8_t* bytes) noexcept;

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace parqproof::fault
