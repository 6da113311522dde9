#pragma once

#include <cstdint>

/// Counts and fills the memory that a thread allocates with operator new, which this library replaces.
namespace parqproof::fuzz {

/// Bytes allocated with operator new by this thread so far.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

/// Tracks the bytes that this thread has allocated and not freed; one object at a time.
class HeldBytes {
 public:
  HeldBytes() noexcept;
  /// Max bytes allocated at once since then, in addition to those allocated before.
  [[nodiscard]] std::uint64_t most() const noexcept;

 private:
  std::int64_t before_;
};

/// Fills new memory of this thread with one byte during its lifetime, so that results that depend on
/// uninitialized bytes differ between two fills. One object at a time.
class FilledMemory {
 public:
  explicit FilledMemory(std::uint8_t byte) noexcept;
  ~FilledMemory();
  FilledMemory(const FilledMemory&) = delete;
  FilledMemory& operator=(const FilledMemory&) = delete;
};

}  // namespace parqproof::fuzz
