#include "conformance/rewrite/footer_part.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/file/frame.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {

TEST_CASE("a part of a footer has the entries of key-value metadata only if it has all of them") {
  const std::vector<std::uint8_t> bytes = support::read_bytes("corpus/writers/pyarrow/richest.parquet");
  const MemorySource source(bytes);
  Findings findings({});
  const Frame frame = read_frame(source, bytes.size(), {}, findings);
  REQUIRE(frame.state == Frame::State::footer);
  FooterPart intact;
  REQUIRE(read_part(source, frame.footer_offset, bytes.size() - kFooterTailBytes, {}, intact));
  REQUIRE(!intact.key_values.empty());
  REQUIRE(intact.column_orders.count != 0);
  for (std::uint64_t end = frame.footer_offset; end < bytes.size() - kFooterTailBytes; ++end) {
    FooterPart part;
    if (!read_part(source, frame.footer_offset, end, {}, part)) continue;
    INFO(end);
    CHECK((part.key_values.empty() || part.key_values == intact.key_values));
    CHECK((part.column_orders.count == 0 || part.column_orders.count == intact.column_orders.count));
    CHECK(part.row_groups.size() <= intact.row_groups.size());
  }
}

}  // namespace parqproof
