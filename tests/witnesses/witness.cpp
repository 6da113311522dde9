#include "tests/witnesses/witness.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>

#include "tests/support/json_schema.hpp"
#include "tests/support/judged.hpp"

namespace support {
namespace {

using namespace parqproof;
using nlohmann::json;

/// The words of the command line for tiers and profiles, by their numbers.
constexpr std::array<std::string_view, 3> kTiers = {"footer", "pages", "values"};
constexpr std::array<std::string_view, 3> kProfiles = {"strict", "historical", "interop"};

template <typename Enum>
Enum named(const std::array<std::string_view, 3>& words, const std::string& word) {
  const auto at = std::ranges::find(words, word);
  if (at == words.end()) throw std::runtime_error("no such word: " + word);
  return static_cast<Enum>(at - words.begin());
}

/// What of a finding is compared; a number that does not apply is -1.
struct Site {
  std::string severity;
  std::string rule;
  std::int64_t offset = -1;
  std::int64_t page_offset = -1;  ///< only where the offset counts inside a page
  std::int64_t row_group = -1;
  std::int64_t leaf = -1;
  std::int64_t page = -1;
  std::string field;
  std::int64_t times = 1;  ///< in its column chunk

  [[nodiscard]] std::string line() const {
    std::string text = severity + ' ' + rule + " offset=" + std::to_string(offset);
    const auto part = [&](const char* name, std::int64_t value) {
      if (value >= 0) text += std::string(name) + std::to_string(value);
    };
    part(" in the page at ", page_offset);
    part(" row_group=", row_group);
    part(" leaf=", leaf);
    part(" page=", page);
    if (!field.empty()) text += " field=" + field;
    return times == 1 ? text : text + " times=" + std::to_string(times);
  }
};

}  // namespace

CheckOptions Witness::options() const {
  CheckOptions options;
  options.tier = named<Tier>(kTiers, sidecar.at("tier"));
  options.profile = named<Profile>(kProfiles, sidecar.at("profile"));
  options.advice = sidecar.at("advice");
  options.listed = 0;
  for (const auto& [key, value] : sidecar.at("options").items()) {
    if (key == "max_page") {
      options.limits.page_bytes = value;
    } else if (key == "max_memory") {
      options.limits.memory_bytes = value;
    } else if (key == "max_work") {
      options.limits.work = value;
    } else if (key == "footer_at") {
      options.footer_at = value;
    } else {
      throw std::runtime_error(path + ": no option is called " + key);
    }
  }
  return options;
}

const std::vector<Witness>& witnesses() {
  static const std::vector<Witness> all = [] {
    std::vector<Witness> found;
    const std::string root = "corpus/witnesses/";
    for (const std::string& path : files_below(root, ".parquet")) {
      Witness witness;
      witness.path = path;
      const std::size_t slash = path.rfind('/');
      witness.folder = path.substr(root.size(), slash - root.size());
      witness.fails = path.compare(slash + 1, 5, "fail-") == 0;
      const std::string stem = PARQPROOF_SOURCE_DIR "/" + path.substr(0, path.size() - 8);
      const std::vector<std::uint8_t> text = read_bytes(stem + ".json");
      witness.sidecar = json::parse(text.begin(), text.end());
      witness.bytes = read_bytes(stem + ".parquet");
      found.push_back(std::move(witness));
    }
    return found;
  }();
  return all;
}

std::vector<FileReport> judged_with_files(const Witness& witness, const CheckOptions& options) {
  std::string why;
  const std::unique_ptr<Folder> folder = Folder::of(PARQPROOF_SOURCE_DIR "/" + witness.path, why);
  if (folder == nullptr) throw std::runtime_error(witness.path + ": " + why);
  const MemorySource source(witness.bytes);
  std::vector<FileReport> reports = check(source, witness.name(), options, folder.get());
  for (const FileReport& report : reports) {
    const std::string complaint = validate_report(json_of(report));
    if (!complaint.empty())
      throw std::runtime_error(witness.path + ": the report breaks its schema: " + complaint);
  }
  return reports;
}

FileReport judged(const Witness& witness, const CheckOptions& options) {
  return std::move(judged_with_files(witness, options).front());
}

Lines expected_lines(const json& promise) {
  Lines lines;
  for (const json& finding : promise.at("findings")) {
    const auto number = [&](const char* key) { return finding.value(key, std::int64_t{-1}); };
    if ((finding.value("space", "file") == "page") != finding.contains("page_offset")) {
      throw std::runtime_error("page_offset goes with space page: " + finding.dump());
    }
    const Site site{
        finding.at("severity"), finding.at("rule"),         number("offset"),
        number("page_offset"),  number("row_group"),        number("leaf"),
        number("page"),         finding.value("field", ""), finding.value("times", std::int64_t{1})};
    lines.push_back(site.line());
  }
  std::ranges::sort(lines);
  return lines;
}

Lines lines_of(const FileReport& report, const Witness& witness) {
  Lines lines;
  for (const auto& [finding, severity, column] : report.findings) {
    const std::string_view rule = info(finding.rule).id;
    if (severity == Severity::info && rule != witness.rule()) continue;
    const Site site{std::string(to_string(severity)),
                    std::string(rule),
                    static_cast<std::int64_t>(finding.offset),
                    finding.space == Space::page ? static_cast<std::int64_t>(finding.page_offset) : -1,
                    finding.place.row_group,
                    finding.place.leaf,
                    finding.place.page,
                    finding.field,
                    static_cast<std::int64_t>(finding.times)};
    lines.push_back(site.line());
  }
  std::ranges::sort(lines);
  return lines;
}

namespace {

std::string lost_line(const std::string& what, std::int64_t row_group, std::int64_t leaf, std::int64_t page) {
  return what + " row_group=" + std::to_string(row_group) + " leaf=" + std::to_string(leaf) +
         " page=" + std::to_string(page);
}

/// What a sidecar says is lost, against the report, which need not know the rows.
std::string lost_difference(const json& promise, const FileReport& report) {
  Lines expected;
  std::map<std::string, json> rows;
  for (const json& one : promise.value("lost", json::array())) {
    const auto number = [&](const char* key) { return one.value(key, std::int64_t{-1}); };
    expected.push_back(lost_line(one.at("what"), number("row_group"), number("leaf"), number("page")));
    rows[expected.back()] = one.value("rows", json());
  }
  Lines got;
  std::string text;
  for (const Lost& one : report.lost) {
    got.push_back(lost_line(one.what, one.place.row_group, one.place.leaf, one.place.page));
    if (one.rows && rows[got.back()] != json::array({one.rows->first, one.rows->last}))
      text += "\n  rows of " + got.back() + " expected: " + rows[got.back()].dump() + ", got " +
              std::to_string(one.rows->first) + " to " + std::to_string(one.rows->last);
  }
  std::ranges::sort(expected);
  std::ranges::sort(got);
  if (got != expected) {
    for (const std::string& line : expected) text += "\n  expected to be lost: " + line;
    for (const std::string& line : got) text += "\n  lost:                " + line;
  }
  return text;
}

std::string difference(const json& promise, const FileReport& report, const Witness& witness) {
  std::string text;
  const std::string verdict = promise.at("verdict");
  if (verdict != to_string(report.verdict))
    text += "\n  verdict " + verdict + ", got " + to_string(report.verdict);
  const Lines expected = expected_lines(promise);
  const Lines got = lines_of(report, witness);
  Lines only;
  std::ranges::set_difference(expected, got, std::back_inserter(only));
  for (const std::string& one : only) text += "\n  expected " + one;
  only.clear();
  std::ranges::set_difference(got, expected, std::back_inserter(only));
  for (const std::string& one : only) text += "\n  got      " + one;
  text += lost_difference(promise, report);
  return text;
}

}  // namespace

std::string difference(const Witness& witness, const FileReport& report) {
  return difference(witness.sidecar, report, witness);
}

std::string difference(const Witness& witness, const std::vector<FileReport>& reports) {
  std::string text = difference(witness, reports.front());
  const json files = witness.sidecar.value("files", json::object());
  std::size_t named = 0;
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const std::string name = reports[i].path.substr(reports[i].path.rfind('/') + 1);
    if (!files.contains(name)) {
      text += "\n  a report of " + name;
      continue;
    }
    ++named;
    const std::string differs = difference(files.at(name), reports[i], witness);
    if (!differs.empty()) text += "\n  in " + name + ":" + differs;
    if (reports[i].named_by != witness.name()) text += "\n  " + name + " is named by " + reports[i].named_by;
  }
  // At the lowest tier no further file is opened.
  if (named != files.size() && witness.options().tier != Tier::footer)
    text += "\n  not all further files have a report";
  return text;
}

}  // namespace support
