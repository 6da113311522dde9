#pragma once

#include <cstdint>

/// What a thread has from operator new, which this library replaces.
namespace parqproof::fuzz {

/// Bytes that operator new gave to this thread so far.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

/// Watches what this thread holds from operator new; one at a time.
class HeldBytes {
 public:
  HeldBytes() noexcept;
  /// The most bytes held at once since then, above those held then.
  [[nodiscard]] std::uint64_t most() const noexcept;

 private:
  std::int64_t before_;
};

/// As long as it lives, new memory of this thread is full of one byte: what depends on it, depends on bytes
/// that nobody wrote. One at a time.
class FilledMemory {
 public:
  explicit FilledMemory(std::uint8_t byte) noexcept;
  ~FilledMemory();
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
};

}  // namespace parqproof::fuzz
