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

/// Bytes that can be read up to an offset.
class CutSource final : public parqproof::Source {
 public:
  CutSource(std::span<const std::uint8_t> bytes, std::uint64_t readable) : all_(bytes), readable_(readable) {}
  [[nodiscard]] std::uint64_t size() const noexcept override { return all_.size(); }
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const noexcept override {
    return offset + into.size() <= readable_ && all_.read(offset, into);
  }

 private:
  parqproof::MemorySource all_;
  std::uint64_t readable_;
};

}  // namespace support
