#include "conformance/report/html/html_report.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "codec/format/enums.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/report/bytes/finding_bytes.hpp"
#include "conformance/report/bytes/layout.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/html/html_file.hpp"
#include "conformance/report/html/page.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// Bytes reserved for the page itself, its rules, and the shared texts.
constexpr std::size_t kFrame = 200'000;
constexpr std::size_t kTexts = 200'000;  ///< max bytes of all shared texts; further ones are repeated
constexpr std::size_t kWriters = 3;      ///< max writers named for each rule
constexpr std::size_t kPathBytes = 1'000;
constexpr std::size_t kChanges = 100;  ///< max changed rules that are listed
/// Max pages of a file that are read for its map; each takes about 300 bytes of memory for a moment.
constexpr std::uint64_t kPages = 500'000;

/// Bytes of markup around a piece in the page.
constexpr std::size_t kAround = 60;

/// JSON for the content of <script>: without any `<`, so that it cannot end the element.
std::string script_json(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char letter : json) safe += letter == '<' ? std::string("\\u003c") : std::string(1, letter);
  return safe;
}

void write_names(JsonWriter& json, const char* name, const thrift::EnumType& type) {
  json.object(name, [&] {
    for (const thrift::EnumValue& value : type.values) json.member(std::to_string(value.value), value.name);
  });
}

/// Members of the description of a rule.
void write_rule(JsonWriter& json, const RuleInfo& rule) {
  json.member("id", rule.id);
  json.member("severity", static_cast<int>(rule.severity));
  json.member("statement", rule.statement);
  json.member("harm", rule.harm);
  json.member("fix", rule.fix);
  json.member("clause", rule.clause);
  json.member("url", clause_url(rule));
}

void write_counts(JsonWriter& json, const SeverityCounts& counts) {
  json.row(counts.error, counts.warning, counts.info);
}

void write_change(JsonWriter& json, const Change& change) {
  const auto text = [](const std::string& part) { return printable(part, kHtmlTextBytes); };
  std::string what = !change.rule.empty() && change.severity.empty() ? "only " + change.rule : change.rule;
  if (!change.severity.empty()) what += " = " + change.severity;
  if (!change.profile.empty()) what = "profile " + change.profile;
  if (!change.edition.empty()) what = "edition " + change.edition;
  if (!change.tolerate.empty()) what = "tolerate " + change.tolerate;
  json.row(change.by, text(what), text(joined(change.paths)), text(joined(change.writers)),
           text(change.reason));
}

}  // namespace

void HtmlPieces::keep(HtmlPart part, std::string name, std::string json) {
  bytes_ += json.size() + kAround;
  pieces_[static_cast<std::size_t>(part)].push_back({std::move(name), std::move(json)});
  keep_within(most_);
}

void HtmlPieces::keep_within(std::size_t most) {
  most_ = most;
  for (std::size_t part = kHtmlParts; part-- > 0 && bytes_ > most_;) {
    std::vector<HtmlPiece>& pieces = pieces_[part];
    while (!pieces.empty() && bytes_ > most_) {
      bytes_ -= pieces.back().json.size() + kAround;
      pieces.pop_back();
      ++left_out_[part];
    }
  }
}

HtmlReport::HtmlReport(Out& out, ReportExtent extent) : Report(out, extent), pieces_(kBytes - kFrame) {}

template <typename Write>
void HtmlReport::keep(HtmlPart part, const char* kind, Write&& write) {
  pieces_.keep(part, kind + std::to_string(files_), script_json(object_text(write)));
}

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
  for (const Cause& cause : file.causes) (void)rules_.of(cause.rule());
  std::vector<std::size_t> rules;  // the most severe ones first
  for (const Cause* cause : causes_by_severity(file)) {
    const std::size_t rule = rules_.at(cause->rule());
    if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  }
  const std::string line = json_text([&](JsonWriter& json) {
    json.begin_array();
    json.integer(files_);
    shared(json, printable(std::string_view(file.path).substr(0, name), kPathBytes));
    json.string(printable(std::string_view(file.path).substr(name), kPathBytes));
    json.integer(static_cast<int>(file.verdict));
    write_counts(json, file.counts);
    json.integer(file.size ? static_cast<std::int64_t>(*file.size) : -1);
    file.created_by ? shared(json, printable(*file.created_by, kHtmlTextBytes)) : json.null();
    json.integer(file.rows.value_or(-1));
    json.integer(file.row_groups);
    json.integer(file.columns);
    json.integer(file.pages);
    json.begin_array();
    for (const std::size_t rule : rules) json.integer(rule);
    json.end();
    json.end();
  });
  pieces_.keep(flawed ? HtmlPart::flawed_file : HtmlPart::other_file, {}, script_json(line));
}

void HtmlReport::add_bytes_and_map(const FileReport& file, const HtmlFile& html_file, const Source& source) {
  const Layout layout = read_layout(source, kPages);
  if (!file.causes.empty()) {
    const std::vector<FindingBytes> bytes = read_finding_bytes(source, layout, html_file.with_bytes());
    keep(HtmlPart::first_bytes, "bytes-",
         [&](JsonWriter& json) { html_file.write_bytes(json, bytes, true); });
    keep(HtmlPart::other_bytes, "more-bytes-",
         [&](JsonWriter& json) { html_file.write_bytes(json, bytes, false); });
  }
  keep(file.causes.empty() ? HtmlPart::map_of_sound : HtmlPart::map, "map-",
       [&](JsonWriter& json) { write_html_map(json, layout, html_file.pages_at_fault()); });
}

void HtmlReport::add(const FileReport& file, const Source* source) {
  if (extent_ == ReportExtent::summary) return;
  const bool flawed = file.verdict != Verdict::conforming || file.counts.total() != 0;
  add_line(file, flawed);
  const HtmlFile html_file(file);
  if (flawed || !file.not_run.empty()) {
    keep(file.verdict == Verdict::conforming ? HtmlPart::other_causes : HtmlPart::causes, "file-",
         [&](JsonWriter& json) { html_file.write_causes(json, rules_); });
  }
  if (html_file.has_more_places())
    keep(HtmlPart::places, "places-", [&](JsonWriter& json) { html_file.write_places(json); });
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
  json.array("verdicts", std::views::iota(0, static_cast<int>(Verdict::unreadable) + 1), [&](int number) {
    const auto verdict = static_cast<Verdict>(number);
    const auto at = summary.verdicts().find(verdict);
    json.row(to_string(verdict), at == summary.verdicts().end() ? 0 : at->second);
  });
  json.key("counts"), write_counts(json, summary.counts());
  if (summary.fresh()) {
    json.key("fresh"), write_counts(json, *summary.fresh());
    json.member("vanished", summary.vanished());
  }
  json.array("changes", summary.changes() | std::views::take(kChanges),
             [&](const Change& change) { write_change(json, change); });
  json.array("kinds", std::views::iota(0, static_cast<int>(SegmentKind::gap) + 1),
             [&](int kind) { json.string(to_string(static_cast<SegmentKind>(kind))); });
  write_names(json, "types", kTypeEnum);
  write_names(json, "codecs", kCompressionCodecEnum);
  write_names(json, "encodings", kEncodingEnum);
  write_names(json, "page_types", kPageTypeEnum);
  json.values("texts", texts_);
  json.objects("rules", rules_.all(), [&](Rule rule) { write_rule(json, info(rule)); });
  json.array("broken", summary.rules(), [&](const RunSummary::OfRule* rule) {
    const std::size_t named = std::min(rule->writers.size(), kWriters);
    json.begin_array();
    json.integer(rules_.at(rule->rule));
    json.integer(static_cast<int>(rule->severity));
    json.integer(rule->findings);
    json.integer(rule->files);
    json.begin_array();
    for (std::size_t i = 0; i < named; ++i) json.string(printable(rule->writers[i], kHtmlTextBytes / 4));
    json.end();
    json.integer(rule->writers.size() - named + rule->more_writers());
    json.end();
  });
}

void HtmlReport::end(const RunSummary& summary) {
  for (const RunSummary::OfRule* rule : summary.rules()) (void)rules_.of(rule->rule);
  const HtmlPage page = html_page();
  const auto data = [&](const std::string& name, const std::string& json) {
    out_ << "<script type=\"application/json\" id=\"" << name << "\">" << json << "</script>\n";
  };
  const std::string head = script_json(object_text([&](JsonWriter& json) { write_head(json, summary); }));
  pieces_.keep_within(kBytes - std::min(kBytes, page.before.size() + head.size() + page.after.size() + 200));
  out_ << page.before;
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
  out_ << page.after;
}

}  // namespace parqproof
