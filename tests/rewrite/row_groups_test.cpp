// Row groups of another size.
#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <vector>

#include "conformance/rewrite/rewrite.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

TEST_CASE("the metadata of row groups of a few rows takes bounded memory", "[rewrite]") {
  const std::vector<std::uint8_t> bytes =
      support::read_bytes("corpus/writers/pyarrow/several-pages-v1.parquet");  // of 500 rows
  RewriteOptions options;
  options.row_group_rows = 1;
  for (const std::uint64_t memory : {Limits().memory_bytes, std::uint64_t{1} << 20}) {
    options.limits.memory_bytes = memory;
    std::vector<std::uint8_t> out;
    MemorySink sink(out);
    ReadingFailure failure;
    const RewriteOutcome outcome = rewrite(MemorySource(bytes), options, sink, failure);
    CAPTURE(memory, outcome.why);
    if (memory == Limits().memory_bytes) {
      CHECK(outcome.end == RewriteOutcome::End::complete);
      CHECK(outcome.row_groups == 500);
    } else {
      CHECK(outcome.end == RewriteOutcome::End::refused);
      CHECK(outcome.why.contains("--max-memory"));
    }
  }
}

}  // namespace
}  // namespace parqproof
