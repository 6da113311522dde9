#include "codec/write/summary.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/file/frame.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

/// The footer of a file of the corpus.
struct Footer {
  explicit Footer(const std::string& name) : bytes(support::read_bytes("corpus/writers/" + name)) {
    const MemorySource source(bytes);
    Findings findings(RuleSet{}.set());
    frame = read_frame(source, source.size(), {}, findings);
  }
  Bytes bytes;
  Frame frame;
};

}  // namespace

TEST_CASE("a summary has the rows of all files of a folder, and the common metadata none") {
  const support::TemporaryFolder folder;
  const Footer first("pyarrow/several-row-groups.parquet");
  const Footer second("pyarrow/several-row-groups-nested.parquet");
  folder.write("a.parquet", text_of(first.bytes));
  folder.write("b.parquet", text_of(first.bytes));
  const SummarizedFile files[] = {{"a.parquet", first.frame.footer}, {"b.parquet", first.frame.footer}};
  Bytes all;
  Bytes common;
  MemorySink to_all(all);
  MemorySink to_common(common);
  REQUIRE(write_summary(files, true, {}, to_all));
  REQUIRE(write_summary(files, false, {}, to_common));
  const std::string summary = folder.write("_metadata", text_of(all));
  const std::string schema = folder.write("_common_metadata", text_of(common));
  CHECK(support::parqproof({"check", "--quiet", summary}).code == 0);
  CHECK(support::parqproof({"check", "--quiet", schema}).code == 0);
  const std::string rows = support::parqproof({"cat", folder.path() + "/a.parquet"}).out;
  CHECK(support::parqproof({"cat", summary}).out == rows + rows);
  CHECK(support::parqproof({"cat", schema}).out.empty());

  const SummarizedFile others[] = {{"a.parquet", first.frame.footer}, {"c.parquet", second.frame.footer}};
  const WriteStatus refused = write_summary(others, true, {}, to_all);
  REQUIRE(!refused);
  CHECK(refused.error() == "c.parquet: its schema is not that of a.parquet");
  CHECK(write_summary({}, true, {}, to_all).error() == "a summary of no files has no schema");
}

}  // namespace parqproof
