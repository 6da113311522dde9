#include "tests/witnesses/witness.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <stdexcept>

#include "codec/encryption/file_keys.hpp"
#include "conformance/report/words/wording.hpp"
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

/// Findings as lines of text, sorted: severity, rule, place, and the count in the column chunk.
using Lines = std::vector<std::string>;

/// The content of a finding, by the keys of a sidecar.
using Said = std::map<std::string, std::string>;

/// The compared parts of a finding; a number that does not apply is -1.
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
  Said said;               ///< bytes at fault, what was found in them, what was expected

  [[nodiscard]] std::string place() const {
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

  [[nodiscard]] std::string line() const {
    std::string text = place();
    for (const auto& [name, what] : said) text += ' ' + name + "=" + what;
    return text;
  }
};

std::vector<Site> promised(const json& promise) {
  std::vector<Site> sites;
  for (const json& finding : promise.at("findings")) {
    const auto number = [&](const char* key) { return finding.value(key, std::int64_t{-1}); };
    if ((finding.value("space", "file") == "page") != finding.contains("page_offset")) {
      throw std::runtime_error("page_offset goes with space page: " + finding.dump());
    }
    Site site{finding.at("severity"),
              finding.at("rule"),
              number("offset"),
              number("page_offset"),
              number("row_group"),
              number("leaf"),
              number("page"),
              finding.value("field", ""),
              finding.value("times", std::int64_t{1}),
              {}};
    if (finding.contains("length")) site.said["length"] = std::to_string(number("length"));
    for (const char* name : {"found", "expected"})
      if (finding.contains(name)) site.said[name] = finding.at(name);
    sites.push_back(std::move(site));
  }
  return sites;
}

Site site_of(const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  return {std::string(to_string(reported.severity)),
          std::string(info(finding.rule).id),
          static_cast<std::int64_t>(finding.offset),
          finding.space == Space::page ? static_cast<std::int64_t>(finding.page_offset) : -1,
          finding.place.row_group,
          finding.place.leaf,
          finding.place.page,
          finding.field,
          static_cast<std::int64_t>(finding.times),
          {{"length", std::to_string(finding.length)},
           {"found", plain_text(finding.found)},
           {"expected", plain_text(finding.expected)}}};
}

/// The findings of a report that its sidecar covers: errors and warnings, and with advice the infos of the
/// witness's own rule, with only the parts that the sidecar states.
std::vector<Site> reported(const json& promise, const FileReport& report, const Witness& witness) {
  std::multimap<std::string, Said> promises;
  for (const Site& site : promised(promise)) promises.emplace(site.place(), site.said);
  std::vector<Site> sites;
  for (const ReportedFinding& finding : report.findings) {
    Site site = site_of(finding);
    if (finding.severity == Severity::info && site.rule != witness.rule()) continue;
    if (const auto known = promises.find(site.place()); known != promises.end()) {
      std::erase_if(site.said, [&](const auto& one) { return !known->second.contains(one.first); });
      promises.erase(known);
    }
    sites.push_back(std::move(site));
  }
  return sites;
}

Lines lines_of(const std::vector<Site>& sites) {
  Lines lines;
  for (const Site& site : sites) lines.push_back(site.line());
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

CheckOptions Witness::options() const {
  CheckOptions options{.tier = named<Tier>(kTiers, sidecar.at("tier")),
                       .profile = named<Profile>(kProfiles, sidecar.at("profile")),
                       .advice = sidecar.at("advice"),
                       .listed = 0};
  for (const auto& [key, value] : sidecar.at("options").items()) {
    if (key == "max_page") {
      options.limits.page_bytes = value;
    } else if (key == "max_memory") {
      options.limits.memory_bytes = value;
    } else if (key == "max_work") {
      options.limits.work = value;
    } else if (key == "edition") {
      options.edition = value == "2.13" ? Edition::v2_13 : Edition::next;
    } else if (key == "footer_at") {
      options.footer_at = value;
    } else {
      throw std::runtime_error(path + ": no option is called " + key);
    }
  }
  return options;
}

std::vector<Witness> read_witnesses(const std::string& root) {
  std::vector<Witness> found;
  for (const std::string& path : files_below(root, ".parquet")) {
    Witness witness;
    witness.path = path;
    const std::size_t slash = path.rfind('/');
    witness.folder = path.substr(root.size(), slash - root.size());
    witness.fails = path.compare(slash + 1, 5, "fail-") == 0;
    witness.sidecar = json::parse(read_bytes(path.substr(0, path.size() - 8) + ".json"));
    witness.bytes = read_bytes(path);
    found.push_back(std::move(witness));
  }
  return found;
}

const std::vector<Witness>& witnesses() {
  static const std::vector<Witness> all = read_witnesses("corpus/witnesses/");
  return all;
}

std::unique_ptr<Source> source_of(const Witness& witness) {
  auto memory = std::make_unique<MemorySource>(witness.bytes);
  if (!witness.sidecar.contains("keys")) return memory;
  const auto bytes_of = [](const json& hex) {
    encryption::Bytes out;
    const std::string text = hex;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
      out.push_back(static_cast<std::uint8_t>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return out;
  };
  auto ring = std::make_shared<encryption::KeyRing>();
  const json& keys = witness.sidecar.at("keys");
  if (keys.contains("footer_key")) ring->footer_key = bytes_of(keys.at("footer_key"));
  if (keys.contains("aad_prefix")) ring->aad_prefix = keys.at("aad_prefix").get<std::string>();
  const auto take = [&](const char* member, auto& into) {
    if (!keys.contains(member)) return;
    const json& named = keys.at(member);
    for (const auto& [name, key] : named.items()) into[name] = bytes_of(key);
  };
  take("column_keys", ring->column_keys);
  take("master_keys", ring->master_keys);
  return std::make_unique<encryption::KeyedSource>(std::move(memory), std::move(ring));
}

std::vector<FileReport> reports_of(const Witness& witness, const CheckOptions& options) {
  std::string why;
  const std::unique_ptr<Folder> folder = Folder::of(PARQPROOF_SOURCE_DIR "/" + witness.path, why);
  if (folder == nullptr) throw std::runtime_error(witness.path + ": " + why);
  const std::unique_ptr<Source> source = source_of(witness);
  return check(*source, witness.name(), options, folder.get());
}

std::vector<FileReport> judged_with_files(const Witness& witness, const CheckOptions& options) {
  std::vector<FileReport> reports = reports_of(witness, options);
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

namespace {

std::string lost_line(const std::string& what, std::int64_t row_group, std::int64_t leaf, std::int64_t page,
                      std::uint64_t next_page) {
  return what + " row_group=" + std::to_string(row_group) + " leaf=" + std::to_string(leaf) +
         " page=" + std::to_string(page) +
         (next_page != 0 ? " next page at " + std::to_string(next_page) : "");
}

/// Compares the losses of a sidecar with the report, which need not know the rows.
std::string lost_difference(const json& promise, const FileReport& report) {
  Lines expected;
  std::map<std::string, json> rows;
  for (const json& one : promise.value("lost", json::array())) {
    const auto number = [&](const char* key) { return one.value(key, std::int64_t{-1}); };
    expected.push_back(lost_line(one.at("what"), number("row_group"), number("leaf"), number("page"),
                                 one.value("next_page_offset", std::uint64_t{0})));
    rows[expected.back()] = one.value("rows", json());
  }
  Lines got;
  std::string text;
  for (const Lost& one : report.lost) {
    got.push_back(
        lost_line(to_string(one.what), one.place.row_group, one.place.leaf, one.place.page, one.next_page));
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
  const Lines expected = lines_of(promised(promise));
  const Lines got = lines_of(reported(promise, report, witness));
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
  // At the lowest tier no other file is opened.
  if (named != files.size() && witness.options().tier != Tier::footer)
    text += "\n  not all further files have a report";
  return text;
}

}  // namespace support
