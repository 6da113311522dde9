#pragma once

#include <cstdint>
#include <span>

#include "codec/base/source.hpp"
#include "tests/support/bytes.hpp"

namespace support {

/// A file that has the row group of `one`, a file without indexes, so many times; only its footer takes
/// memory.
class RepeatedRowGroup final : public parqproof::Source {
 public:
  RepeatedRowGroup(const Bytes& one, std::uint64_t times);
  [[nodiscard]] std::uint64_t size() const noexcept override {
    return kMagic + times_ * period_ + tail_.size();
  }
  [[nodiscard]] std::uint64_t footer_bytes() const noexcept { return footer_bytes_; }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override;

 private:
  static constexpr std::uint64_t kMagic = 4;
  const Bytes& one_;
  std::uint64_t times_;
  std::uint64_t period_ = 0;
  std::uint64_t footer_bytes_ = 0;
  Bytes tail_;
};

}  // namespace support
