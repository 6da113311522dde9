#include "conformance/rewrite/rewrite.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "codec/model/parse.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "fuzz/invariants.hpp"
#include "tests/support/judged.hpp"
#include "tests/support/process.hpp"

namespace parqproof {
namespace {

using support::Outcome, support::parqproof, support::TemporaryFolder;

std::string in(const std::string& name) { return PARQPROOF_SOURCE_DIR "/corpus/writers/" + name; }
std::vector<std::uint8_t> bytes_of_file(const std::string& name) {
  return support::read_bytes("corpus/writers/" + name);
}

/// The rows of a file as stored.
std::string rows_of(const std::string& path) { return parqproof({"cat", "--physical", path}).out; }

/// What `layout` shows of the pages of a file.
std::string layout_of(const std::string& path) { return parqproof({"layout", path}).out; }

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
  return times;
}

}  // namespace

TEST_CASE("the files of all writers can be rewritten with the same rows and no new error") {
  std::size_t rewritten = 0;
  for (const std::string& path : support::files_below("corpus/writers", ".parquet")) {
    INFO(path);
    const std::vector<std::uint8_t> bytes = support::read_bytes(path);
    const MemorySource source(bytes);
    std::vector<std::uint8_t> out;
    MemorySink sink(out);
    ReadingFailure failure;
    const RewriteOutcome outcome = rewrite(source, {}, sink, failure);
    if (outcome.end != RewriteOutcome::End::complete) {
      CHECK(failure.finding() != nullptr);
      continue;
    }
    ++rewritten;
    RowOptions options;
    const MemorySource after(out);
    CHECK(fuzz::rows_of(source, options).text == fuzz::rows_of(after, options).text);
    const FileReport before = support::judged(bytes, {});
    for (const ReportedFinding& found : support::judged(out, {}).findings) {
      if (found.severity != Severity::error) continue;
      INFO(info(found.finding.rule).id);
      CHECK(std::ranges::any_of(before.findings, [&](const ReportedFinding& one) {
        return one.finding.rule == found.finding.rule;
      }));
    }
  }
  CHECK(rewritten > 600);
}

TEST_CASE("options of rewrite change the form of a file and not its rows") {
  const TemporaryFolder folder;
  const std::string source = in("pyarrow/several-row-groups.parquet");
  const std::string out = folder.path() + "/out.parquet";
  const std::string rows = rows_of(source);
  const auto rewritten = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "rewrite");
    options.insert(options.end(), {source, out});
    const Outcome outcome = parqproof(options);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(rows_of(out) == rows);
    CHECK(parqproof({"check", "--quiet", out}).code == 0);
    return layout_of(out);
  };
  CHECK(count(rewritten({"--page-version", "2"}), " DATA_PAGE\n") == 0);
  CHECK(count(rewritten({"--page-version", "1"}), "DATA_PAGE_V2") == 0);
  const std::string joined = rewritten({"--row-group-rows", "1000000"});
  CHECK(count(joined, "row group 1") == 0);
  CHECK(count(rewritten({"--row-group-rows", "7", "--page-rows", "3"}), "row group 2, ") > 0);
  CHECK(count(rewritten({"--page-index"}), "offset-index") > 0);
  CHECK(count(rewritten({"--page-index=no"}), "offset-index") == 0);
  CHECK(count(rewritten({"--encoding", "PLAIN"}), "DICTIONARY_PAGE") == 0);
  CHECK(count(rewritten({"--encoding", "RLE_DICTIONARY"}), "DICTIONARY_PAGE") > 0);
  (void)rewritten({"--compression", "ZSTD:19"});
  (void)rewritten({"--compression", "UNCOMPRESSED", "--crc=no", "--statistics=no"});
}

TEST_CASE("the column indexes of a list have histograms of both kinds of levels") {
  RewriteOptions options;
  options.page_index = true;
  options.page_rows = 20;
  std::vector<std::uint8_t> out;
  MemorySink sink(out);
  ReadingFailure failure;
  const auto bytes = bytes_of_file("pyarrow/several-row-groups-nested.parquet");
  REQUIRE(rewrite(MemorySource(bytes), options, sink, failure).end == RewriteOutcome::End::complete);
  CHECK(support::judged(out).verdict == Verdict::conforming);
  const MemorySource source(out);
  auto model = model::parse(source);
  REQUIRE(model);
  std::size_t lists = 0;
  for (const model::SegmentId id : model->order()) {
    if (model->segment(id).kind != model::Segment::Kind::column_index) continue;
    model::Tree& index = *model->tree(id);
    const auto size = [&](const char* list) {
      const auto node = index.find(list);
      return node ? index.children(*node).size() : 0;
    };
    CHECK(size("definition_level_histograms") % size("null_pages") == 0);
    const std::size_t repetitions = size("repetition_level_histograms");
    CHECK((repetitions == 0 || repetitions >= 2 * size("null_pages")));
    lists += repetitions == 0 ? 0U : 1U;
  }
  CHECK(lists > 0);
}

TEST_CASE("a rewritten file has only the columns that are chosen, with the groups above them") {
  const TemporaryFolder folder;
  const std::string source = in("duckdb/v2-nested-snappy.parquet");
  const std::string out = folder.path() + "/out.parquet";
  REQUIRE(parqproof({"rewrite", "--columns", "point.label,numbers", source, out}).code == 0);
  CHECK(rows_of(out) == parqproof({"cat", "--physical", "--columns", "point.label,numbers", source}).out);
  CHECK(parqproof({"check", "--quiet", out}).code == 0);
  const Outcome none = parqproof({"rewrite", "--columns", "nowhere", source, out + ".2"});
  CHECK(none.code == 2);
  CHECK(none.err == "parqproof: --columns: no column or group is named 'nowhere'\n");
}

TEST_CASE("options of rewrite that do not fit the file, or ask for an outdated form, are refused by name") {
  const TemporaryFolder folder;
  const std::string source = in("pyarrow/default-flat.parquet");
  const std::string out = folder.path() + "/out.parquet";
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(), "rewrite");
    options.insert(options.end(), {source, out});
    const Outcome outcome = parqproof(options);
    CHECK(outcome.code == 2);
    CHECK_FALSE(std::filesystem::exists(out));
    return outcome.err;
  };
  CHECK(refusal({"--encoding", "nowhere=PLAIN"}) == "parqproof: --encoding: no column is named 'nowhere'\n");
  CHECK(refusal({"--bloom", "nowhere"}) == "parqproof: --bloom: no column is named 'nowhere'\n");
  CHECK(refusal({"--columns", "i32", "--bloom", "text"}) ==
        "parqproof: --bloom: no column is named 'text'\n");
  CHECK(refusal({"--compression", "LZ4"}) ==
        "parqproof: --compression: LZ4 is outdated; --profile historical allows it\n");
  CHECK(refusal({"--compression", "LZO"}) ==
        "parqproof: --compression: LZO is outdated; --profile historical allows it\n");
  CHECK(refusal({"--encoding", "GROUP_VAR_INT"}) ==
        "parqproof: --encoding: GROUP_VAR_INT is retired; --profile historical allows it\n");
  CHECK(parqproof({"rewrite", "--profile", "historical", "--compression", "LZ4", source, out}).code == 0);
}

TEST_CASE("a rewritten file appears complete or not at all, and its source is never overwritten") {
  const TemporaryFolder folder;
  const std::string source = in("pyarrow/one-row.parquet");
  const std::string copy = folder.write("in.parquet", [&] {
    const std::vector<std::uint8_t> bytes = bytes_of_file("pyarrow/one-row.parquet");
    return std::string(bytes.begin(), bytes.end());
  }());
  CHECK(parqproof({"rewrite", copy, copy}).code == 2);
  CHECK(rows_of(copy) == rows_of(source));
  const std::string broken = folder.write("broken.parquet", "PAR1 no file PAR1");
  const std::string out = folder.path() + "/out.parquet";
  CHECK(parqproof({"rewrite", broken, out}).code == 1);
  CHECK(parqproof({"rewrite", copy, folder.path() + "/missing/out.parquet"}).code == 2);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files += entry.is_regular_file() ? 1 : 0;
  CHECK(files == 2);
}

TEST_CASE("row groups of a number of rows have the rows of the columns, whatever num_rows says") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out.parquet";
  std::size_t files = 0;
  for (const std::string& name : support::files_below("corpus/witnesses/row-group/num-rows", ".parquet")) {
    INFO(name);
    const std::string path = std::string(PARQPROOF_SOURCE_DIR) + "/" + name;
    if (parqproof({"rewrite", path, out}).code != 0) continue;
    const std::string rows = rows_of(out);
    CHECK(parqproof({"rewrite", "--row-group-rows", "1", path, out}).code == 0);
    CHECK(rows_of(out) == rows);
    ++files;
  }
  CHECK(files > 3);
}

TEST_CASE("salvaged rows keep their row groups") {
  const TemporaryFolder folder;
  const Outcome outcome = parqproof({"rewrite", "--salvage", "--row-group-rows", "2",
                                     in("pyarrow/one-row.parquet"), folder.path() + "/out"});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find("row group by row group") != std::string::npos);
}

TEST_CASE("sorting columns stay where the rows are sorted, and go where they are not") {
  const TemporaryFolder folder;
  const std::string out = folder.path() + "/out.parquet";
  const auto stays = [&](const std::string& name) {
    const std::string path = std::string(PARQPROOF_SOURCE_DIR) + "/corpus/witnesses/sorting/" + name;
    REQUIRE(parqproof({"meta", path}).out.find("sorting_columns") != std::string::npos);
    CHECK(parqproof({"rewrite", path, out}).code == 0);
    return parqproof({"meta", out}).out.find("sorting_columns") != std::string::npos;
  };
  CHECK(stays("order/pass-a.parquet"));
  CHECK_FALSE(stays("order/fail-a.parquet"));
  CHECK_FALSE(stays("nulls/fail-a.parquet"));
}

TEST_CASE("the reason why rows cannot be rewritten is the error of their levels, not a warning") {
  const TemporaryFolder folder;
  const Outcome outcome = parqproof({"rewrite", in("duckdb/default-nested.parquet"), folder.path() + "/out"});
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("error       levels/repetition-needs-defined") != std::string::npos);
}

TEST_CASE("salvage writes the intact rows of a damaged file, and says what is missing") {
  const TemporaryFolder folder;
  std::vector<std::uint8_t> bytes = bytes_of_file("pyarrow/several-row-groups.parquet");
  const std::string intact = rows_of(in("pyarrow/several-row-groups.parquet"));
  // Zeros over a sector amid the pages.
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 3), 64, std::uint8_t{0});
  const std::string damaged = folder.write("damaged.parquet", std::string(bytes.begin(), bytes.end()));
  const std::string out = folder.path() + "/out.parquet";
  const Outcome refused = parqproof({"rewrite", damaged, out});
  CHECK(refused.code == 1);
  CHECK_FALSE(std::filesystem::exists(out));
  const Outcome outcome = parqproof({"rewrite", "--salvage", damaged, out});
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("left out") != std::string::npos);
  CHECK(parqproof({"check", "--quiet", out}).code == 0);
  const std::string rows = rows_of(out);
  CHECK(rows.size() > 0);
  CHECK(rows == parqproof({"cat", "--physical", "--skip-damaged", damaged}).out);
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = rows.find('\n', at) + 1;
    CHECK(intact.find(rows.substr(at, end - at)) != std::string::npos);
    at = end;
  }
  CHECK(parqproof({"meta", "--format", "json", out}).out.find("parqproof.salvage") != std::string::npos);
}

}  // namespace parqproof
