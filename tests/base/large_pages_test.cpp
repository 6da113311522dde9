// Memory in large pages: allocations of any size; an allocation that fails is null.
#include "codec/base/large_pages.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace parqproof {
namespace {

TEST_CASE("memory of any size can be allocated, written and freed", "[large_pages]") {
  constexpr std::size_t kLarge = std::size_t{1} << 21;
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, kLarge - 1, kLarge, kLarge + 1, 3 * kLarge + 4096, 8'003'584UL}) {
    CAPTURE(bytes);
    const LargeBytes memory(static_cast<std::uint8_t*>(allocate_large(bytes)));
    if (bytes == 0) continue;
    REQUIRE(memory != nullptr);
    std::memset(memory.get(), 1, bytes);
    CHECK(memory[bytes - 1] == 1);
  }
}

TEST_CASE("an allocation that fails is null, or std::bad_alloc in the allocator", "[large_pages]") {
  CHECK_THROWS_AS(LargeAllocator<std::uint64_t>().allocate(SIZE_MAX / 4), std::bad_alloc);
}

}  // namespace
}  // namespace parqproof
