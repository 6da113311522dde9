// Rows of the witnesses: what the builder, which knows nothing of our reader, meant by each file.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "tests/rows/written.hpp"
#include "tests/support/judged.hpp"
#include "tests/witnesses/witness.hpp"

namespace support {
namespace {

using nlohmann::ordered_json;
using namespace parqproof;

/// Its rows, out of the files beside it too.
Written shown(const Witness& witness, RowOptions options = {}) {
  std::string why;
  const std::unique_ptr<Folder> folder = Folder::of(PARQPROOF_SOURCE_DIR "/" + witness.path, why);
  options.folder = folder.get();
  return written(witness.bytes, options);
}

/// A few bytes can hold any number of rows.
RowOptions few(RowOptions options) {
  options.limit = 100'000;
  return options;
}

ordered_json meant(const Witness& witness) {
  return ordered_json::parse(witness.sidecar.at("stored").dump());
}

/// The file of rows that its sidecar names, as text.
std::string rows_file(const Witness& witness) {
  const std::string path = witness.sidecar.at("rows");
  const std::vector<std::uint8_t> bytes = read_bytes(PARQPROOF_SOURCE_DIR "/corpus/" + path);
  return {bytes.begin(), bytes.end()};
}

// The sidecar's own order of keys is lost by now, so rows are compared without it.
nlohmann::json unordered(const ordered_json& rows) { return nlohmann::json::parse(rows.dump()); }

TEST_CASE("cat shows the rows of every legal witness as the builder meant them", "[witness]") {
  std::size_t compared = 0;
  for (const Witness& witness : witnesses()) {
    if (witness.fails || !witness.sidecar.contains("stored")) continue;
    INFO(witness.path);
    const Written rows_of = shown(witness, physical());
    CHECK(rows_of.end == RowsEnd::complete);
    CHECK(unordered(rows_of.rows()) == witness.sidecar.at("stored"));
    ++compared;
  }
  CHECK(compared > 300);
}

TEST_CASE("cat shows no row of a broken witness but those that were meant", "[witness]") {
  std::size_t whole = 0;
  for (const Witness& witness : witnesses()) {
    if (!witness.fails || !witness.sidecar.contains("stored")) continue;
    INFO(witness.path);
    const Written rows_of = shown(witness, physical());
    const ordered_json rows = rows_of.rows();
    const ordered_json all = meant(witness);
    REQUIRE(rows.size() <= all.size());
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(unordered(rows[i]) == unordered(all[i]));
    if (rows_of.end == RowsEnd::complete) {
      CHECK(rows.size() == all.size());
      ++whole;
    } else {
      CHECK(rows_of.finding.has_value());
    }
  }
  CHECK(whole > 300);
}

// The builder puts these rows together from what its recipes say, and knows nothing of our reader.
TEST_CASE("cat shows the logical rows of every witness as its file of rows has them, byte by byte",
          "[witness]") {
  std::size_t whole = 0;
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const std::string duty = witness.sidecar.at("reader");
    CHECK_FALSE((duty == "reject" && witness.sidecar.contains("rows")));
    if (!witness.sidecar.contains("rows")) continue;
    const Written rows_of = shown(witness);
    const std::string rows = rows_file(witness);
    if (rows_of.end == RowsEnd::complete) {
      CHECK(rows_of.text == rows);
      ++whole;
    } else {
      CHECK(duty == "may");
      CHECK(rows.starts_with(rows_of.text));
    }
  }
  CHECK(whole > 1700);
}

// A referee reads what the text lets a reader refuse, and no more.
TEST_CASE("cat does what a reader owes by the sidecar, which names the clause", "[witness]") {
  std::size_t rejected = 0;
  std::size_t accepted = 0;
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const std::string duty = witness.sidecar.at("reader");
    CHECK((duty == "accept" || witness.sidecar.contains("reader_clause")));
    RowOptions options = few(physical());
    if (witness.sidecar.at("options").contains("footer_at")) continue;  // cat reads by the last footer
    const Written rows_of = shown(witness, options);
    if (duty == "reject") {
      CHECK(rows_of.end == RowsEnd::failed);
      CHECK(rows_of.broken);
      CHECK(rows_of.finding.has_value());
      ++rejected;
    } else if (duty == "accept") {
      CHECK(rows_of.end == RowsEnd::complete);
      if (witness.sidecar.contains("stored"))
        CHECK(unordered(rows_of.rows()) == witness.sidecar.at("stored"));
      ++accepted;
    } else {
      CHECK(duty == "may");
    }
  }
  CHECK(rejected > 600);
  CHECK(accepted > 1000);
}

// What a reader stumbles over is a symptom; both name the field that lies, in the same words.
TEST_CASE("cat ends a witness with a finding of check", "[witness]") {
  std::size_t compared = 0;
  for (const Witness& witness : witnesses()) {
    if (witness.sidecar.contains("files") || witness.sidecar.at("options").contains("footer_at")) continue;
    INFO(witness.path);
    const Written rows_of = written(witness.bytes, few(physical()));
    if (!rows_of.finding) continue;
    CheckOptions options;
    options.listed = 0;
    const FileReport report = check(MemorySource(witness.bytes), "", options);
    const auto is_it = [&](const ReportedFinding& reported) {
      const Finding& one = reported.finding;
      const Finding& other = *rows_of.finding;
      return one.rule == other.rule && one.place == other.place && one.offset == other.offset &&
             one.field == other.field && one.found == other.found && one.expected == other.expected;
    };
    CHECK(std::ranges::any_of(report.findings, is_it));
    ++compared;
  }
  CHECK(compared > 600);
}

TEST_CASE(
    "what check has lost of the data ends the rows, and nothing else does but what cannot be put together",
    "[witness]") {
  for (const Witness& witness : witnesses()) {
    // An index page that is lost keeps no row from being read.
    if (witness.sidecar.contains("files") || witness.path.ends_with("page/header-member/fail-d.parquet"))
      continue;
    INFO(witness.path);
    const Written rows_of = written(witness.bytes, few(physical()));
    CheckOptions options;
    options.listed = 0;
    const FileReport report = check(MemorySource(witness.bytes), "", options);
    const bool loses = std::ranges::any_of(report.lost, [](const Lost& lost) {
      return lost.what != LostPart::column_index && lost.what != LostPart::offset_index &&
             lost.what != LostPart::bloom_filter;
    });
    if (loses) CHECK(rows_of.end == RowsEnd::failed);
    if (loses || !rows_of.broken) continue;
    const std::string id(info(rows_of.finding->rule).id);
    const bool apart = id.starts_with("levels/repetition-") || id == "levels/siblings-agree" ||
                       id == "column-chunk/rows" || id == "page/first-repetition-level" ||
                       id == "crc/match" || id.starts_with("file/bytes-") ||
                       id == "file/text-mode";  // all is there, elsewhere
    CHECK(apart);
  }
}

TEST_CASE("cat ends every witness, in either view, with all rows or with a reason", "[witness]") {
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const Written logical = shown(witness, few({}));
    const Written stored = shown(witness, few(physical()));
    CHECK(logical.end == stored.end);
    CHECK(logical.rows().size() == stored.rows().size());
    const bool other_file = witness.folder == "column-chunk/file-path-relative" ||
                            witness.folder == "column-chunk/file-path" ||
                            witness.folder == "column-chunk/file-path-empty";
    if (stored.end == RowsEnd::failed && !other_file) CHECK(stored.finding.has_value());
    // What a legal file is refused for is no fault of the file.
    if (!witness.fails && stored.end == RowsEnd::failed) CHECK_FALSE(stored.broken);
  }
}

}  // namespace
}  // namespace support
