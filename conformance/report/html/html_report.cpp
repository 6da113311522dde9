#include "conformance/report/html/html_report.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "codec/format/enums.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/html/html_file.hpp"
#include "conformance/report/html/html_map.hpp"
#include "conformance/report/html/page.hpp"
#include "conformance/report/words/clause_url.hpp"

namespace parqproof {
namespace {

/// Bytes reserved for the page itself, its rules, and the shared texts.
constexpr std::size_t kFrame = 200'000;
constexpr std::size_t kTexts = 200'000;  ///< max bytes of all shared texts; further ones are repeated
constexpr std::size_t kTextBytes = 400;  ///< max bytes of one text
constexpr std::size_t kWriters = 3;      ///< max writers named for each rule
constexpr std::size_t kPathBytes = 1'000;
constexpr std::size_t kChanges = 100;  ///< max changed rules that are listed
/// Max pages of a file that are read for its map; each takes about 300 bytes of memory for a moment.
constexpr std::uint64_t kPages = 500'000;

void write_names(JsonWriter& json, const char* name, const thrift::EnumType& type) {
  json.key(name);
  json.begin_object();
  for (const thrift::EnumValue& value : type.values) json.member(std::to_string(value.value), value.name);
  json.end();
}

void write_rule(JsonWriter& json, const RuleInfo& rule) {
  json.begin_object();
  json.member("id", rule.id);
  json.member("severity", static_cast<int>(rule.severity));
  json.member("statement", rule.statement);
  json.member("harm", rule.harm);
  json.member("fix", rule.fix);
  json.member("clause", rule.clause);
  json.member("url", clause_url(rule));
  json.end();
}

void write_counts(JsonWriter& json, const SeverityCounts& counts) {
  json.begin_array();
  json.integer(counts.error);
  json.integer(counts.warning);
  json.integer(counts.info);
  json.end();
}

void write_changes(JsonWriter& json, const std::vector<Change>& changes) {
  json.key("changes");
  json.begin_array();
  for (std::size_t i = 0; i < std::min(changes.size(), kChanges); ++i) {
    const Change& change = changes[i];
    const auto joined = [](const std::vector<std::string>& parts) {
      std::string text;
      for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
      return printable(text, kTextBytes);
    };
    std::string what = !change.rule.empty() && change.severity.empty() ? "only " + change.rule : change.rule;
    if (!change.severity.empty()) what += " = " + change.severity;
    if (!change.profile.empty()) what = "profile " + change.profile;
    if (!change.tolerate.empty()) what = "tolerate " + change.tolerate;
    json.begin_array();
    json.string(change.by);
    json.string(printable(what, kTextBytes));
    json.string(joined(change.paths));
    json.string(joined(change.writers));
    json.string(printable(change.reason, kTextBytes));
    json.end();
  }
  json.end();
}

}  // namespace

HtmlReport::HtmlReport(Out& out, ReportExtent extent)
    : out_(&out), extent_(extent), pieces_(kBytes - kFrame) {}

std::string HtmlReport::piece(const char* kind) const { return kind + std::to_string(files_); }

void HtmlReport::add_line(const FileReport& file, bool flawed) {
  /// Writes the ordinal of a text that many lines share, or the text itself once there are too many.
  const auto shared = [&](JsonWriter& json, const std::string& text) {
    auto at = text_index_.find(text);
    if (at == text_index_.end()) {
      if (text_bytes_ > kTexts) return json.string(text);
      text_bytes_ += text.size();
      at = text_index_.emplace(text, texts_.size()).first;
      texts_.push_back(text);
    }
    json.integer(at->second);
  };
  const std::size_t slash = file.path.rfind('/');
  const std::size_t name = slash == file.path.npos ? 0 : slash + 1;
  std::vector<std::size_t> rules;  // the most severe ones first
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    for (const Cause& cause : file.causes) {
      const std::size_t rule = rules_.of(cause.rule());
      if (cause.severity() == severity && std::ranges::find(rules, rule) == rules.end())
        rules.push_back(rule);
    }
  }
  std::string line = script_json([&](JsonWriter& json) {
    json.begin_array();
    json.integer(files_);
    shared(json, printable(std::string_view(file.path).substr(0, name), kPathBytes));
    json.string(printable(std::string_view(file.path).substr(name), kPathBytes));
    json.integer(static_cast<int>(file.verdict));
    write_counts(json, file.counts);
    json.integer(file.size ? static_cast<std::int64_t>(*file.size) : -1);
    file.created_by ? shared(json, printable(*file.created_by, kTextBytes)) : json.null();
    json.integer(file.rows.value_or(-1));
    json.integer(file.row_groups);
    json.integer(file.columns);
    json.integer(file.pages);
    json.begin_array();
    for (const std::size_t rule : rules) json.integer(rule);
    json.end();
    json.end();
  });
  pieces_.keep(flawed ? HtmlPart::flawed_file : HtmlPart::other_file, {}, std::move(line));
}

void HtmlReport::add_bytes_and_map(const FileReport& file, const HtmlFile& html_file, const Source& source) {
  const Layout layout = read_layout(source, kPages);
  if (!file.causes.empty()) {
    const std::vector<FindingBytes> bytes = read_finding_bytes(source, layout, html_file.with_bytes());
    pieces_.keep(HtmlPart::first_bytes, piece("bytes-"),
                 script_object([&](JsonWriter& json) { html_file.write_first_bytes(json, bytes); }));
    pieces_.keep(HtmlPart::other_bytes, piece("more-bytes-"),
                 script_object([&](JsonWriter& json) { html_file.write_other_bytes(json, bytes); }));
  }
  pieces_.keep(
      file.causes.empty() ? HtmlPart::map_of_sound : HtmlPart::map, piece("map-"),
      script_object([&](JsonWriter& json) { write_html_map(json, layout, html_file.pages_at_fault()); }));
}

void HtmlReport::add(const FileReport& file, const Source* source) {
  if (extent_ == ReportExtent::summary) return;
  const bool flawed = file.verdict != Verdict::conforming || file.counts.total() != 0;
  add_line(file, flawed);
  const HtmlFile html_file(file);
  if (flawed || !file.not_run.empty()) {
    const bool conforming = file.verdict == Verdict::conforming;
    pieces_.keep(conforming ? HtmlPart::other_causes : HtmlPart::causes, piece("file-"),
                 script_object([&](JsonWriter& json) {
                   html_file.write_causes(json, [&](Rule rule) { return rules_.of(rule); });
                 }));
  }
  if (html_file.has_more_places())
    pieces_.keep(HtmlPart::places, piece("places-"),
                 script_object([&](JsonWriter& json) { html_file.write_places(json); }));
  // If one map of a sound file was dropped, all later ones would be dropped too.
  const bool map = flawed || pieces_.left_out(HtmlPart::map_of_sound) == 0;
  if (source != nullptr && map) add_bytes_and_map(file, html_file, *source);
  ++files_;
}

void HtmlReport::write_head(JsonWriter& json, const RunSummary& summary) const {
  json.member("version", PARQPROOF_VERSION);
  json.member("spec", kSpecCommit);
  json.member("extent", extent_ == ReportExtent::files ? "files" : "summary");
  json.member("files", summary.files());
  json.key("verdicts");
  json.begin_array();
  for (int verdict = 0; verdict <= static_cast<int>(Verdict::unreadable); ++verdict) {
    const auto at = summary.verdicts().find(static_cast<Verdict>(verdict));
    json.begin_array();
    json.string(to_string(static_cast<Verdict>(verdict)));
    json.integer(at == summary.verdicts().end() ? 0 : at->second);
    json.end();
  }
  json.end();
  json.key("counts");
  write_counts(json, summary.counts());
  if (summary.fresh()) {
    json.key("fresh");
    write_counts(json, *summary.fresh());
    json.member("vanished", summary.vanished());
  }
  write_changes(json, summary.changes());
  json.key("kinds");
  json.begin_array();
  for (int kind = 0; kind <= static_cast<int>(SegmentKind::gap); ++kind)
    json.string(to_string(static_cast<SegmentKind>(kind)));
  json.end();
  write_names(json, "types", kTypeEnum);
  write_names(json, "codecs", kCompressionCodecEnum);
  write_names(json, "encodings", kEncodingEnum);
  write_names(json, "page_types", kPageTypeEnum);
  json.array("texts", texts_, [&](const std::string& text) { json.string(text); });
  json.array("rules", rules_.all(), [&](Rule rule) { write_rule(json, info(rule)); });
  json.array("broken", summary.rules(), [&](const RunSummary::OfRule* rule) {
    json.begin_array();
    json.integer(rules_.at(rule->rule));
    json.integer(static_cast<int>(rule->severity));
    json.integer(rule->findings);
    json.integer(rule->files);
    json.begin_array();
    const std::size_t named = std::min(rule->writers.size(), kWriters);
    for (std::size_t i = 0; i < named; ++i) json.string(printable(rule->writers[i], kTextBytes / 4));
    json.end();
    json.integer(rule->writers.size() - named + rule->more_writers());
    json.end();
  });
}

void HtmlReport::end(const RunSummary& summary) {
  for (const RunSummary::OfRule* rule : summary.rules()) (void)rules_.of(rule->rule);
  const HtmlPage page = html_page();
  const auto data = [&](const std::string& name, const std::string& json) {
    *out_ << "<script type=\"application/json\" id=\"" << name << "\">" << json << "</script>\n";
  };
  const std::string head = script_object([&](JsonWriter& json) { write_head(json, summary); });
  pieces_.keep_within(kBytes - std::min(kBytes, page.before.size() + head.size() + page.after.size() + 200));
  *out_ << page.before;
  data("head", head);
  std::string lines;
  for (const HtmlPart part : {HtmlPart::flawed_file, HtmlPart::other_file}) {
    for (const HtmlPiece& line : pieces_.of(part)) lines += (lines.empty() ? "" : ",") + line.json;
  }
  data("files", "[" + lines + "]");
  for (const HtmlPart part : {HtmlPart::causes, HtmlPart::other_causes, HtmlPart::first_bytes, HtmlPart::map,
                              HtmlPart::places, HtmlPart::other_bytes, HtmlPart::map_of_sound}) {
    for (const HtmlPiece& one : pieces_.of(part)) data(one.name, one.json);
  }
  *out_ << page.after;
}

}  // namespace parqproof
