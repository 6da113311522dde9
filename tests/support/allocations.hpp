#pragma once

#include <cstdint>

namespace parqproof::test {

/// Bytes that operator new gave to this thread so far.
[[nodiscard]] std::uint64_t allocated_bytes() noexcept;

}  // namespace parqproof::test
