#include "conformance/report/html/html_file.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <string>

#include "codec/base/text.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/verdict/cause_groups.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kListedInCause =
    20;  ///< max items of a list: columns and row groups of a cause, losses

bool same_place(const ReportedFinding& a, const ReportedFinding& b) {
  return a.finding.place == b.finding.place && a.finding.offset == b.finding.offset &&
         a.finding.page_offset == b.finding.page_offset && a.finding.field == b.finding.field;
}

/// A place as [row group, leaf, page]; the name replaces the leaf of a column that is not in the schema.
void write_place(JsonWriter& json, const Place& place, const std::string& column) {
  json.integer(place.row_group);
  if (place.leaf < 0 && !column.empty()) {
    json.string(printable(column, kHtmlNameBytes));
  } else {
    json.integer(place.leaf);
  }
  json.integer(place.page);
}

void write_finding(JsonWriter& json, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  json.begin_array();
  write_place(json, finding.place, reported.column);
  json.integer(finding.offset);
  json.integer(finding.length);
  json.integer(finding.space == Space::page ? static_cast<std::int64_t>(finding.page_offset) : -1);
  json.integer(finding.times);
  json.integer(reported.known ? (*reported.known ? 1 : 0) : -1);
  json.string(printable(grouped(finding.found), kHtmlTextBytes));
  json.string(printable(grouped(finding.expected), kHtmlTextBytes));
  json.end();
}

/// The first items of a list, and their total number.
template <typename List, typename Write>
void write_first(JsonWriter& json, const std::string& name, const List& list, Write&& write) {
  json.member(name + "_in_all", list.size());
  json.array(name, list | std::views::take(kListedInCause), write);
}

}  // namespace

HtmlFile::HtmlFile(const FileReport& file) : file_(file) {
  std::vector<ReportedCause> all(file.causes.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].cause = &file.causes[i];
    for (const ReportedFinding& first : file.causes[i].first) all[i].places.push_back(&first);
  }
  const std::vector<std::size_t> causes = causes_of_findings(file);
  for (std::size_t i = 0; i < file.findings.size(); ++i) {
    const std::vector<ReportedFinding>& first = all[causes[i]].cause->first;
    const auto is_same = [&](const ReportedFinding& one) { return same_place(one, file.findings[i]); };
    if (std::ranges::none_of(first, is_same)) all[causes[i]].places.push_back(&file.findings[i]);
  }
  std::ranges::stable_sort(all, {}, [](const ReportedCause& entry) { return entry.cause->severity(); });
  all.resize(std::min(all.size(), kCauses));
  causes_ = std::move(all);

  first_bytes_ = std::min(causes_.size(), kWithBytes);
  for (std::size_t place = 0; place < kPlacesWithBytes; ++place) {
    for (std::size_t cause = 0; cause < causes_.size() && bytes_.size() < kMaxPlacesWithBytes; ++cause) {
      if (place < causes_[cause].places.size()) bytes_.emplace_back(cause, place);
    }
  }
}

std::vector<const Finding*> HtmlFile::with_bytes() const {
  std::vector<const Finding*> out;
  out.reserve(bytes_.size());
  for (const auto& [cause, place] : bytes_) out.push_back(&causes_[cause].places[place]->finding);
  return out;
}

std::set<Place> HtmlFile::pages_at_fault() const {
  std::set<Place> pages;
  for (const ReportedCause& entry : causes_) {
    for (const ReportedFinding* reported : entry.places) {
      if (reported->finding.place.page >= 0) pages.insert(reported->finding.place);
    }
  }
  return pages;
}

void HtmlFile::write_cause(JsonWriter& json, const ReportedCause& entry, RuleNumbers& rules) {
  const Cause& cause = *entry.cause;
  json.member("rule", rules.of(cause.rule()));
  json.member("severity", static_cast<int>(cause.severity()));
  json.member("class", to_string(cause.first.front().klass));
  if (!cause.field.empty()) json.member("field", printable(cause.field, kHtmlTextBytes));
  json.member("findings", cause.findings);
  json.member("times", cause.times);
  json.member("message", printable(message_of(cause), 2 * kHtmlTextBytes));
  if (!cause.consequences.empty()) json.member("follows", follow_line(cause));
  write_first(json, "row_groups", cause.row_groups, [&](std::int32_t group) { json.integer(group); });
  write_first(json, "columns", cause.columns,
              [&](const Cause::Column& column) { json.string(printable(column.column, kHtmlNameBytes)); });
  if (!cause.bugs.empty())
    json.array("bugs", cause.bugs, [&](const KnownBug* bug) { json.string(bug->text()); });
  json.array("places", cause.first, [&](const ReportedFinding& one) { write_finding(json, one); });
}

void HtmlFile::write_causes(JsonWriter& json, RuleNumbers& rules) const {
  json.member("tier", to_string(file_.tier));
  json.member("profile", to_string(file_.basis.profile));
  json.member("values", file_.values);
  if (file_.footer_at) json.member("footer_at", *file_.footer_at);
  if (!file_.named_by.empty()) json.member("named_by", printable(file_.named_by, kHtmlTextBytes));
  std::map<std::int32_t, std::string> names;
  for (const ReportedCause& entry : causes_) {
    for (const ReportedFinding* one : entry.places) names[one->finding.place.leaf] = one->column;
  }
  for (const NotRun& skipped : file_.not_run) names[skipped.place.leaf] = skipped.column;
  names.erase(-1);
  json.object("names", [&] {
    for (const auto& [leaf, name] : names) json.member(std::to_string(leaf), printable(name, kHtmlNameBytes));
  });
  json.member("causes_in_all", file_.causes.size());
  json.objects("causes", causes_, [&](const ReportedCause& entry) { write_cause(json, entry, rules); });
  json.member("unlisted", file_.omitted.total());
  if (!file_.lost.empty()) {
    write_first(json, "lost", loss_texts(file_), [&](const LossText& loss) {
      json.row(shortened(loss.where, kHtmlTextBytes), loss.rows, loss.what);
    });
  }
  if (!file_.next.empty())
    json.array("next", file_.next, [&](const NextStep& step) { json.row(step.what, step.command); });
  if (!file_.not_run.empty()) {
    write_first(json, "not_run", file_.not_run, [&](const NotRun& skipped) {
      json.begin_array();
      write_place(json, skipped.place, skipped.column);
      json.string(printable(skipped.what, kHtmlTextBytes));
      json.string(printable(skipped.why, kHtmlTextBytes));
      json.end();
    });
  }
  if (file_.remains) json.values("still_there", remains_text(*file_.remains));
  if (file_.compared && !file_.compared->vanished.empty()) {
    write_first(json, "vanished", file_.compared->vanished, [&](const FindingKey& key) {
      json.row(key.rule, printable(key.column, kHtmlNameBytes), printable(key.field, kHtmlTextBytes));
    });
  }
}

bool HtmlFile::has_more_places() const noexcept {
  return std::ranges::any_of(
      causes_, [](const ReportedCause& entry) { return entry.places.size() > entry.cause->first.size(); });
}

void HtmlFile::write_places(JsonWriter& json) const {
  for (std::size_t i = 0; i < causes_.size(); ++i) {
    const ReportedCause& entry = causes_[i];
    const std::size_t first = entry.cause->first.size();
    if (entry.places.size() == first) continue;
    json.array(std::to_string(i), entry.places | std::views::drop(first),
               [&](const ReportedFinding* place) { write_finding(json, *place); });
  }
}

void HtmlFile::write_bytes(JsonWriter& json, const std::vector<FindingBytes>& all, bool first) const {
  const std::size_t end = first ? std::min(first_bytes_, bytes_.size()) : bytes_.size();
  for (std::size_t i = first ? 0 : first_bytes_; i < end; ++i) {
    json.object(std::to_string(bytes_[i].first) + "." + std::to_string(bytes_[i].second), [&] {
      json.member("kind", static_cast<int>(all[i].segment.kind));
      json.array("runs", all[i].runs, [&](const ShownRun& shown) {
        const Run& run = shown.run;
        json.row(run.offset, run.length, run.depth, printable(run.name, kHtmlNameBytes),
                 printable(run.value, kHtmlNameBytes), shown.from - run.offset, hex(shown.bytes));
      });
    });
  }
}

}  // namespace parqproof
