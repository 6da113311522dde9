// The table of published writer bugs, and the files of each below corpus/known_bugs.
#include "conformance/known_writers/known_bugs.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "conformance/known_writers/bug_evidence.hpp"
#include "conformance/known_writers/created_by.hpp"
#include "conformance/report/check_report.hpp"
#include "tests/support/judged.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

using support::Witness;

/// The files of each bug: fail, pass, and other, which breaks the same rule in another way.
const std::map<std::string, std::map<std::string, Witness>>& files() {
  static const auto all = [] {
    std::map<std::string, std::map<std::string, Witness>> out;
    for (Witness& one : support::read_witnesses("corpus/known_bugs/")) {
      const std::string name = one.path.substr(one.path.rfind('/') + 1);
      out[one.folder].emplace(name.substr(0, name.find('-')), std::move(one));
    }
    return out;
  }();
  return all;
}

/// The report of a file, after it is compared with the sidecar.
FileReport report_of(const Witness& file) {
  FileReport report = support::judged(file, file.options());
  const std::string differs = support::difference(file, report);
  if (!differs.empty()) FAIL_CHECK(file.path << differs);
  return report;
}

bool names(const ReportedFinding& finding, const KnownBug& bug) {
  return std::ranges::find(finding.bugs, &bug) != finding.bugs.end();
}

/// The version of the software that the file names; nullopt if another software wrote it.
std::optional<std::string> version_of(const FileReport& report, const KnownBug& bug) {
  const CreatedBy writer = read_created_by(*report.created_by);
  if (writer.software != bug.software) return std::nullopt;
  return std::string(writer.version);
}

TEST_CASE("each row of the table of published bugs is well formed") {
  CHECK(all_known_bugs().size() >= 60);
  const std::regex issue(R"([A-Z]+-\d+|[A-Za-z0-9-]+/[A-Za-z0-9._-]+#\d+)");
  const std::regex id("[a-z0-9]+(-[a-z0-9]+)*");
  std::string before;
  for (const KnownBug& bug : all_known_bugs()) {
    INFO(bug.id);
    CHECK(std::regex_match(std::string(bug.id), id));
    CHECK(before < bug.id);
    before = bug.id;
    CHECK_FALSE(bug.software.empty());
    if (!bug.first.empty() && !bug.fixed.empty()) CHECK(compare_versions(bug.first, bug.fixed) < 0);
    CHECK_FALSE(bug.issues().empty());
    for (const std::string_view name : bug.issues()) CHECK(std::regex_match(std::string(name), issue));
    CHECK(bug.what.size() > 20);
    CHECK(bug.what.size() < 160);
    CHECK(bug.what.ends_with('.'));
    CHECK_FALSE(bug.what.contains(". "));
    CHECK_FALSE(bug.rules.all().empty());
    const std::set<Rule> once(bug.rules.all().begin(), bug.rules.all().end());
    CHECK(once.size() == bug.rules.all().size());
  }
}

TEST_CASE("every published bug has its files, and every file belongs to a bug") {
  std::set<std::string> known;
  for (const KnownBug& bug : all_known_bugs()) {
    known.emplace(bug.id);
    const auto at = files().find(std::string(bug.id));
    const bool has_other = bug.evidence != &bug_evidence::the_rule;
    if (at == files().end() || at->second.size() != (has_other ? 3 : 2))
      FAIL_CHECK(bug.id << " lacks a file");
  }
  for (const auto& [folder, its] : files()) {
    if (!known.contains(folder)) FAIL_CHECK(folder << " is in no row");
    for (const auto& [name, file] : its) CHECK(file.sidecar.at("known_bug") == folder);
  }
}

TEST_CASE("a faulty file written by an affected version gets the advice") {
  for (const KnownBug& bug : all_known_bugs()) {
    INFO(bug.id);
    const Witness& file = files().at(std::string(bug.id)).at("fail");
    const FileReport report = report_of(file);
    bool has_advice = false;
    for (const ReportedFinding& one : report.findings) {
      if (names(one, bug)) CHECK(bug.rules.has(one.finding.rule));
      has_advice |= names(one, bug) && info(one.finding.rule).id == file.rule();
    }
    CHECK(has_advice);
  }
}

TEST_CASE("the same file written by the first fixed version, or by another software, gets no advice") {
  for (const KnownBug& bug : all_known_bugs()) {
    INFO(bug.id);
    const FileReport report = report_of(files().at(std::string(bug.id)).at("pass"));
    for (const ReportedFinding& one : report.findings) CHECK_FALSE(names(one, bug));
    // Spark and Drill are named by keys.
    const std::optional<std::string> version = version_of(report, bug);
    if (version) CHECK((!bug.fixed.empty() && compare_versions(*version, bug.fixed) == 0));
  }
}

TEST_CASE("a fault of the same rule that looks another way gets no advice") {
  for (const auto& [folder, its] : files()) {
    if (!its.contains("other")) continue;
    INFO(folder);
    const KnownBug& bug = *std::ranges::find(all_known_bugs(), folder, &KnownBug::id);
    const FileReport report = report_of(its.at("other"));
    CHECK(version_of(report, bug).has_value());
    for (const ReportedFinding& one : report.findings) CHECK_FALSE(names(one, bug));
  }
}

TEST_CASE("the advice changes neither severity nor verdict") {
  for (const auto& [folder, its] : files()) {
    INFO(folder);
    const Witness& has = its.at("fail");
    const Witness& fixed = its.at("pass");
    if (has.sidecar.at("findings").size() != fixed.sidecar.at("findings").size())
      continue;  // the rule is about the writer
    const FileReport one = support::judged(has, has.options());
    const FileReport other = support::judged(fixed, fixed.options());
    CHECK(one.verdict == other.verdict);
    CHECK(one.counts.error == other.counts.error);
  }
}

TEST_CASE("every form of the report contains the advice") {
  const Witness& file = files().at("parquet-mr-delta-prefix").at("fail");
  const FileReport report = support::judged(file, file.options());
  const auto written = [&](auto&& make) {
    std::string text;
    Out out(text);
    auto form = make(out);
    form.add(report, nullptr);
    form.end({});
    out.flush();
    return text;
  };
  const std::string text = written([](Out& out) { return TextReport(out, false); });
  CHECK(text.contains("known bug parquet-mr before 1.8.0 (fixed in 1.8.0): "));
  CHECK(text.contains("PARQUET-246"));
  const std::string lines = written([](Out& out) { return LinesReport(out); });
  CHECK(lines.contains("known bug of parquet-mr before 1.8.0 (fixed in 1.8.0): PARQUET-246"));
  const nlohmann::json json = nlohmann::json::parse(written([](Out& out) { return JsonReport(out); }));
  const nlohmann::json bug = json.at("files").at(0).at("findings").at(0).at("known_bugs").at(0);
  CHECK(bug.at("id") == "parquet-mr-delta-prefix");
  CHECK(bug.at("software") == "parquet-mr");
  CHECK(bug.at("fixed") == "1.8.0");
  CHECK_FALSE(bug.contains("first"));
  CHECK(bug.at("issues").at(0) == "PARQUET-246");
}

TEST_CASE("a bug applies from its first to its fixed version, whatever form the version has") {
  const auto bug = [](std::string_view id) -> const KnownBug& {
    return *std::ranges::find(all_known_bugs(), id, &KnownBug::id);
  };
  const KnownBug& offsets = bug("parquet-mr-row-group-offset");  // 1.12.0 alone
  CHECK_FALSE(offsets.is_in("1.11.2"));
  CHECK(offsets.is_in("1.12.0"));
  CHECK(offsets.is_in("1.12.1-SNAPSHOT"));
  CHECK_FALSE(offsets.is_in("1.12.1"));
  CHECK(bug("duckdb-data-page-offset").is_in(""));  // DuckDB named no version then
  CHECK_FALSE(bug("duckdb-delta-count").is_in(""));
  CHECK(bug("fastparquet-dictionary-size").is_in("1.0.0"));  // all versions did
  CHECK_FALSE(bug("fastparquet-dictionary-size").is_in("0.8.1"));
  CHECK(bug("parquet-cpp-nan-bounds").is_in("1.5.1-SNAPSHOT"));  // fixed under another name
  CHECK(bug("parquet-cpp-arrow-struct-null-count").is_in("99.0"));
}

TEST_CASE("a column without the bug gets no advice") {
  WriterBugs bugs;
  bugs.add("parquet-rs version 12.0.0");
  Node number{.type = Type::INT32};
  Node decimal = number;
  decimal.logical.kind = LogicalKind::DECIMAL;
  const auto ids = [&](Rule rule, const Node* leaf) {
    std::set<std::string_view> out;
    for (const KnownBug* one : bugs.of(rule, leaf)) out.insert(one->id);
    return out;
  };
  CHECK(ids(Rule::statistics_min_value, &decimal).contains("parquet-rs-decimal-bounds"));
  CHECK_FALSE(ids(Rule::statistics_min_value, &number).contains("parquet-rs-decimal-bounds"));
  CHECK_FALSE(ids(Rule::statistics_min_value, nullptr).contains("parquet-rs-decimal-bounds"));
  CHECK(ids(Rule::row_group_total_byte_size, nullptr) ==
        std::set<std::string_view>{"parquet-rs-total-byte-size"});
  CHECK(ids(Rule::file_min_size, &decimal).empty());
}

}  // namespace
}  // namespace parqproof
