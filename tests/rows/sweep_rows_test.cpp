// Prefixes and changed bytes of all small files: every output line is JSON, and every end has its reason.
#include <catch2/catch_test_macros.hpp>

#include "tests/rows/written.hpp"
#include "tests/sweep/sweep.hpp"

namespace support {
namespace {

using parqproof::RowOptions;
using parqproof::RowsEnd;
using parqproof::RowView;

constexpr std::uint64_t kUsual = 40;

void look(std::span<const std::uint8_t> bytes, std::uint64_t number) {
  RowOptions options;
  options.view = number % 2 == 0 ? RowView::logical : RowView::physical;
  options.limit = 200;
  const Written shown = written(bytes, options);
  if (!shown.text.empty()) REQUIRE(shown.text.back() == '\n');
  REQUIRE_NOTHROW(shown.rows());
  if (shown.end == RowsEnd::trouble && shown.broken) REQUIRE(shown.finding.has_value());
}

TEST_CASE("rows of files with a changed byte", "[sweep]") {
  const Sample sample(kUsual);
  for (const SmallFile& file : small_files()) {
    INFO(file.path);
    std::vector<std::uint8_t> bytes = file.bytes;
    for (std::uint64_t number = 0; number < bytes.size() * kChangesOfAByte; ++number) {
      if (sample.takes(file.path, number)) with_change(bytes, number, [&] { look(bytes, number); });
    }
  }
}

TEST_CASE("rows of prefixes of files", "[sweep]") {
  const Sample sample(kUsual);
  for (const SmallFile& file : small_files()) {
    INFO(file.path);
    for (std::uint64_t size = 0; size < file.bytes.size(); ++size) {
      if (sample.takes(file.path, size)) look({file.bytes.data(), size}, size);
    }
  }
}

}  // namespace
}  // namespace support
