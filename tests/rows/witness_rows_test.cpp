// Rows of the witnesses, as the builder, which shares no code with our reader, intended them.
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

/// Its rows, including those of the files that it names.
Written shown(const Witness& witness, RowOptions options = {}) {
  std::string why;
  const std::unique_ptr<Folder> folder = Folder::of(PARQPROOF_SOURCE_DIR "/" + witness.path, why);
  options.folder = folder.get();
  return written(*source_of(witness), options);
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
  const std::vector<std::uint8_t> bytes = read_bytes("corpus/" + path);
  return {bytes.begin(), bytes.end()};
}

// The sidecar's own order of keys is lost by now, so rows are compared without it.
nlohmann::json unordered(const ordered_json& rows) { return nlohmann::json::parse(rows.dump()); }

TEST_CASE("cat prints the rows of every legal witness as the builder intended them", "[witness]") {
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

TEST_CASE("cat prints no row of a broken witness except the intended ones", "[witness]") {
  std::size_t complete = 0;
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
      ++complete;
    } else {
      CHECK(rows_of.finding.has_value());
    }
  }
  CHECK(complete > 300);
}

// The builder derives these rows from its recipes, without our reader.
TEST_CASE("cat prints the logical rows of every witness exactly as its file of rows", "[witness]") {
  std::size_t complete = 0;
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const std::string duty = witness.sidecar.at("reader");
    CHECK_FALSE((duty == "reject" && witness.sidecar.contains("rows")));
    if (!witness.sidecar.contains("rows")) continue;
    const Written rows_of = shown(witness);
    const std::string rows = rows_file(witness);
    if (rows_of.end == RowsEnd::complete) {
      CHECK(rows_of.text == rows);
      ++complete;
    } else {
      CHECK(duty == "may");
      CHECK(rows.starts_with(rows_of.text));
    }
  }
  CHECK(complete > 1700);
}

// cat reads every file that a reader may reject, and no more.
TEST_CASE("cat fulfils the reader duty of the sidecar, which names the clause", "[witness]") {
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

// The failure of a reader is a symptom; both commands report the wrong field that causes it, in the same
// words.
TEST_CASE("a finding that ends cat on a witness is one of check", "[witness]") {
  std::size_t compared = 0;
  for (const Witness& witness : witnesses()) {
    if (witness.sidecar.contains("files") || witness.sidecar.at("options").contains("footer_at")) continue;
    INFO(witness.path);
    const Written rows_of = written(witness.bytes, few(physical()));
    if (!rows_of.finding) continue;
    const FileReport report = check(MemorySource(witness.bytes), "", {.listed = 0});
    const auto is_it = [&](const ReportedFinding& reported) {
      const Finding& one = reported.finding;
      const Finding& other = *rows_of.finding;
      // That the chunk is encrypted is a duplicate of its wrong form, but the reason why its rows end.
      if (one.rule == Rule::encryption_metadata_form && other.rule == Rule::file_encrypted_column)
        return one.place == other.place;
      return one.rule == other.rule && one.place == other.place && one.offset == other.offset &&
             one.field == other.field && one.found == other.found && one.expected == other.expected;
    };
    CHECK(std::ranges::any_of(report.findings, is_it));
    ++compared;
  }
  CHECK(compared > 600);
}

TEST_CASE(
    "rows end at data that check reports as lost, or at columns that cannot be assembled, and nowhere else",
    "[witness]") {
  for (const Witness& witness : witnesses()) {
    // A lost index page does not affect the rows.
    if (witness.sidecar.contains("files") || witness.path.ends_with("page/header-member/fail-d.parquet"))
      continue;
    INFO(witness.path);
    const Written rows_of = written(witness.bytes, few(physical()));
    const FileReport report = check(MemorySource(witness.bytes), "", {.listed = 0});
    const bool loses = std::ranges::any_of(report.lost, [](const Lost& lost) {
      return lost.what != LostPart::column_index && lost.what != LostPart::offset_index &&
             lost.what != LostPart::bloom_filter;
    });
    if (loses) CHECK(rows_of.end == RowsEnd::failed);
    if (loses || !rows_of.broken) continue;
    const std::string id(info(rows_of.finding->rule).id);
    const bool in_doubt = evidence(rows_of.finding->rule, Suspicion::values_in_doubt) != 0;
    const bool apart = in_doubt || id.starts_with("levels/repetition-") || id == "levels/siblings-agree" ||
                       id == "column-chunk/rows" || id == "page/first-repetition-level" ||
                       id == "encryption/metadata-form" ||  // without keys, nothing is lost
                       id == "crc/match" || id == "file/block-order" || id.starts_with("file/bytes-") ||
                       id == "file/text-mode" || id == "file/transfer-framing";  // all is there, elsewhere
    CHECK(apart);
  }
}

TEST_CASE("cat ends every witness, in either view, with all rows or with a reason", "[witness]") {
  for (const Witness& witness : witnesses()) {
    INFO(witness.path);
    const Written logical = shown(witness, few({}));
    const Written stored = shown(witness, few(physical()));
    const std::string_view broken = logical.finding ? info(logical.finding->rule).id : "";
    // The parts of a VARIANT that cannot be put together are stored values all the same.
    if (!broken.starts_with("variant/") && !broken.starts_with("shredding/")) {
      CHECK(logical.end == stored.end);
      CHECK(logical.rows().size() == stored.rows().size());
    }
    const bool other_file = witness.folder == "column-chunk/file-path-relative" ||
                            witness.folder == "column-chunk/file-path" ||
                            witness.folder == "column-chunk/file-path-empty";
    if (stored.end == RowsEnd::failed && !other_file) CHECK(stored.finding.has_value());
    // A limit that stops a legal file is no fault of the file.
    if (!witness.fails && stored.end == RowsEnd::failed) CHECK_FALSE(stored.broken);
  }
}

}  // namespace
}  // namespace support
