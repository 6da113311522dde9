#include <catch2/catch_test_macros.hpp>

#include "fuzz/invariants.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using parqproof::RowView;

const Look kRowsFault = [](const std::vector<std::uint8_t>& bytes, std::uint64_t hash) {
  return parqproof::fuzz::rows_fault(bytes, hash % 2 == 0 ? RowView::logical : RowView::physical);
};

TEST_CASE("the rows of a file with one changed byte are JSON, and an early end has a reason") {
  sweep_bytes(kUsualCases, kRowsFault);
}

TEST_CASE("the rows of every prefix of a file are JSON, and an early end has a reason") {
  sweep_prefixes(kUsualCases, kRowsFault);
}

}  // namespace
}  // namespace support
