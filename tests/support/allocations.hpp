#pragma once

#include <cstdint>

namespace parqproof::test {

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

}  // namespace parqproof::test
