#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "codec/base/source.hpp"

namespace support {

/// Counts the bytes that any number of threads read from a source.
class CountingSource final : public parqproof::Source {
 public:
  explicit CountingSource(const parqproof::Source& source) : source_(source) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return source_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    read_ += into.size();
    return source_.read(offset, into);
  }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return read_; }

 private:
  const parqproof::Source& source_;
  mutable std::atomic<std::uint64_t> read_{0};
};

/// Bytes that can be read only up to the offset `end`; size() counts all.
class PartlyReadableSource final : public parqproof::Source {
 public:
  PartlyReadableSource(std::span<const std::uint8_t> bytes, std::uint64_t end) : all_(bytes), end_(end) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return all_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return offset + into.size() <= end_ && all_.read(offset, into);
  }

 private:
  parqproof::MemorySource all_;
  std::uint64_t end_;
};

}  // namespace support
