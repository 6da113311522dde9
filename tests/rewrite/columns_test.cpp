// Files that rewrite() writes with some of the columns.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "conformance/rewrite/rewrite.hpp"
#include "tests/support/judged.hpp"

namespace parqproof {
namespace {

/// The end and the reason of a rewriting of a witness with these columns.
RewriteOutcome with_columns(const std::string& witness, std::vector<std::string> columns) {
  const std::vector<std::uint8_t> bytes =
      support::read_bytes("corpus/witnesses/" + witness + "/pass-a.parquet");
  std::vector<std::uint8_t> out;
  MemorySink sink(out);
  RewriteOptions options;
  options.columns = std::move(columns);
  ReadingFailure failure;
  return rewrite(MemorySource(bytes), options, sink, failure);
}

}  // namespace

TEST_CASE("a part of a VARIANT is not written", "[rewrite][variant]") {
  for (const char* const part : {"v.metadata", "v.value"}) {
    const RewriteOutcome outcome = with_columns("variant/specification-version", {part});
    CHECK(outcome.end == RewriteOutcome::End::refused);
    CHECK(outcome.why.ends_with(" of the VARIANT v, all columns of which make up its values"));
  }
  CHECK(with_columns("variant/specification-version", {"v"}).end == RewriteOutcome::End::complete);
}

TEST_CASE("a FILE is not written without a column by which it refers to bytes", "[rewrite]") {
  const std::string all = "file-type/field-type";  // f has all fields
  for (const std::vector<std::string>& columns :
       {std::vector<std::string>{"f.size"}, {"f.uri", "f.inline"}, {"f.uri", "f.offset", "f.size"}}) {
    const RewriteOutcome outcome = with_columns(all, columns);
    CHECK(outcome.end == RewriteOutcome::End::refused);
    CHECK(outcome.why.ends_with(" of the FILE f, which refers to bytes by it"));
  }
  CHECK(with_columns(all, {"f"}).end == RewriteOutcome::End::complete);
  CHECK(with_columns(all, {"f.uri", "f.offset", "f.size", "f.inline"}).end == RewriteOutcome::End::complete);
}

}  // namespace parqproof
