#include "tests/fault/caused.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include "codec/base/source.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"

namespace support {

using namespace parqproof;
using fault::Fault;
using Bytes = std::vector<std::uint8_t>;

namespace {

/// A finding by rule and place.
std::string key(const Finding& finding) {
  return std::string(info(finding.rule).id) + " " + std::to_string(finding.place.row_group) + " " +
         std::to_string(finding.place.leaf) + " " + std::to_string(finding.place.page) + " " + finding.field;
}

/// Returns true unless both are known and differ.
bool is_same(std::int32_t one, std::int32_t other) { return one < 0 || other < 0 || one == other; }

/// Faults whose rule is about another place than the changed structure: what is missing there, or follows it.
constexpr std::string_view kFoundElsewhere[] = {
    "bit-packed-levels-cut",     "column-index-surplus-byte",  "delta-length-data-cut",
    "chunk-metadata-copy",       "dictionary-indices-missing", "dictionary-missing",
    "dictionary-twice",          "encrypted-nonce-twice",      "footer-surplus-byte",
    "footer-without-stop-byte",  "leaf-type-length-bits",      "levels-missing",
    "offset-index-surplus-byte",
};

/// Returns true if the finding is at a byte of one of these segments, after the file was written.
template <typename Segments>
bool is_inside(const fault::Faulty& faulty, const Segments& segments, const Finding& finding) {
  const model::Model& file = faulty.file->model();
  const std::uint64_t at = finding.file_position();
  return std::ranges::any_of(
      segments, [&](model::SegmentId id) { return file.offset_of(id) <= at && at < file.end_of(id); });
}

/// Rules of values that are put together from several columns. Such a value is reported where it is used,
/// also if it is in a dictionary.
bool is_of_rows(Rule rule) {
  const std::string_view id = info(rule).id;
  return id.starts_with("variant/") || id.starts_with("shredding/") || id.starts_with("file-type/");
}

/// Returns true if the finding is at the place of the fault.
bool is_there(const Fault& fault, const fault::Faulty& faulty, const Finding& finding) {
  const Place& at = faulty.at;
  if (!is_same(at.row_group, finding.place.row_group) || !is_same(at.leaf, finding.place.leaf)) return false;
  if (faulty.file == nullptr) return is_same(at.page, finding.place.page);
  const model::Segment& changed = faulty.file->model().segment(faulty.segment);
  if (changed.page_type == static_cast<std::int32_t>(PageType::DICTIONARY_PAGE) && is_of_rows(fault.rule))
    return is_inside(faulty, faulty.file->model().segments_of(model::Segment::Kind::page, changed.chunk),
                     finding);
  if (!is_same(at.page, finding.place.page)) return false;
  return fault.where == fault::Where::file ||
         std::ranges::find(kFoundElsewhere, fault.name) != std::end(kFoundElsewhere) ||
         is_inside(faulty, std::array{faulty.segment}, finding);
}

}  // namespace

Bytes written(fault::Faulty& faulty) {
  Bytes out;
  CHECK(faulty.write([&](std::span<const std::uint8_t> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
    return true;
  }));
  return out;
}

FileReport report_of(const Bytes& bytes, Profile profile) {
  return check(MemorySource(bytes), "file", {.profile = profile, .advice = true, .listed = 0});
}

Caused caused(const Fault& fault, const fault::Faulty& faulty, const FileReport& before,
              const FileReport& after) {
  std::set<Rule> rules;
  std::set<std::string> keys;
  for (const ReportedFinding& one : before.findings) {
    rules.insert(one.finding.rule);
    keys.insert(key(one.finding));
  }
  Caused result;
  for (const ReportedFinding& one : after.findings) {
    const Finding& finding = one.finding;
    if (finding.rule == fault.rule) {
      result.right += !is_there(fault, faulty, finding) || keys.contains(key(finding)) ? 0U : 1U;
    } else if (!finding.caused_by && one.severity != Severity::info && !rules.contains(finding.rule)) {
      result.others += key(finding) + "; ";
    }
  }
  return result;
}

bool breaks(const FileReport& report, Rule rule) {
  return std::ranges::any_of(report.findings,
                             [&](const ReportedFinding& one) { return one.finding.rule == rule; });
}

}  // namespace support
