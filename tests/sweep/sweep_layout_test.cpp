#include <catch2/catch_test_macros.hpp>

#include "fuzz/invariants.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

const Look kMapFault = [](const std::vector<std::uint8_t>& bytes, std::uint64_t) {
  return parqproof::fuzz::map_fault(bytes);
};

TEST_CASE("the byte map of a file with one changed byte covers it exactly once") {
  sweep_bytes(kUsualCases, kMapFault);
}

TEST_CASE("the byte map of every prefix of a file covers it exactly once") {
  sweep_prefixes(kUsualCases, kMapFault);
}

}  // namespace
}  // namespace support
