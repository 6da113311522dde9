#include "codec/rules/rule.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof {
namespace {

/// The levels that get a line for each member: the report, `files`, one file, its lists.
constexpr std::size_t kBrokenLevels = 4;

void write_place(JsonWriter& json, const Place& place, const std::string& column) {
  if (place.row_group >= 0) json.member("row_group", place.row_group);
  if (!column.empty() || place.leaf >= 0) json.member("column", column);
}

void write_finding(JsonWriter& json, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const RuleInfo& rule = info(finding.rule);
  json.begin_object();
  json.member("rule", rule.id);
  json.member("severity", to_string(reported.severity));
  json.member("class", to_string(reported.klass));
  json.member("clause", rule.clause);
  json.member("offset", finding.offset);
  json.member("length", finding.length);
  json.member("space", finding.space == Space::page ? "page" : "file");
  if (finding.space == Space::page) json.member("page_offset", finding.page_offset);
  write_place(json, finding.place, reported.column);
  if (finding.place.leaf >= 0) json.member("leaf", finding.place.leaf);
  if (finding.place.page >= 0) json.member("page", finding.place.page);
  json.member("times", finding.times);
  if (!finding.field.empty()) json.member("field", finding.field);
  if (!finding.expected.empty()) json.member("expected", finding.expected);
  if (!finding.found.empty()) json.member("found", finding.found);
  json.member("message", message(finding));
  json.end();
}

void write_counts(JsonWriter& json, const PageRun& run) {
  json.member("offset", run.offset);
  json.member("length", run.length);
  json.member("data_pages", run.data_pages);
  json.member("dictionary_pages", run.dictionary_pages);
  json.member("index_pages", run.index_pages);
  json.member("values", run.values);
}

void write_remains(JsonWriter& json, const Remains& remains) {
  json.begin_object();
  json.member("searched_to", remains.searched_to);
  write_counts(json, remains.pages);
  json.member("runs_found", remains.runs_found);
  json.key("runs");
  json.begin_array();
  for (const PageRun& run : remains.runs) {
    json.begin_object();
    write_counts(json, run);
    json.end();
  }
  json.end();
  json.member("footers_found", remains.footers_found);
  json.key("footers");
  json.begin_array();
  for (const WholeFooter& footer : remains.footers) {
    json.begin_object();
    json.member("offset", footer.offset);
    json.member("length", footer.length);
    if (footer.footer_at) json.member("footer_at", *footer.footer_at);
    json.member("rows", footer.rows);
    json.member("row_groups", footer.row_groups);
    json.end();
  }
  json.end();
  json.end();
}

}  // namespace

JsonReport::JsonReport(Out& out) : json_(out, kBrokenLevels) {
  json_.begin_object();
  json_.member("report_version", 1);
  json_.key("tool");
  json_.begin_object();
  json_.member("name", "parqproof");
  json_.member("version", PARQPROOF_VERSION);
  json_.end();
  json_.key("spec");
  json_.begin_object();
  json_.member("name", "parquet-format");
  json_.member("commit", kSpecCommit);
  json_.end();
  json_.key("files");
  json_.begin_array();
}

void JsonReport::add(const FileReport& file) {
  json_.begin_object();
  json_.member("path", file.path);
  if (!file.named_by.empty()) json_.member("named_by", file.named_by);
  json_.member("verdict", to_string(file.verdict));
  json_.member("tier", to_string(file.tier));
  json_.member("profile", to_string(file.profile));
  if (file.size) json_.member("size", *file.size);
  if (file.footer_at) json_.member("footer_at", *file.footer_at);
  if (file.created_by) json_.member("created_by", *file.created_by);
  if (file.rows) json_.member("rows", *file.rows);
  if (file.size) {  // the file could be opened, so there is something to count
    json_.member("row_groups", file.row_groups);
    json_.member("columns", file.columns);
    json_.member("pages", file.pages);
    json_.member("values", file.values);
    json_.member("bytes", file.bytes);
  }
  json_.member("errors", file.errors);
  json_.member("warnings", file.warnings);
  json_.member("infos", file.infos);
  if (!file.changes.empty()) {
    json_.key("changes");
    json_.begin_array();
    for (const RuleChange& change : file.changes) {
      json_.begin_object();
      json_.member("rule", change.pattern);
      json_.member("severity", change.severity);
      json_.end();
    }
    json_.end();
  }
  json_.key("not_run");
  json_.begin_array();
  for (const NotRun& skipped : file.not_run) {
    json_.begin_object();
    json_.member("what", skipped.what);
    json_.member("why", skipped.why);
    write_place(json_, skipped.place, skipped.column);
    if (skipped.place.page >= 0) json_.member("page", skipped.place.page);
    json_.end();
  }
  json_.end();
  json_.key("lost");
  json_.begin_array();
  for (const Lost& lost : file.lost) {
    json_.begin_object();
    json_.member("what", lost.what);
    write_place(json_, lost.place, lost.column);
    if (lost.place.page >= 0) json_.member("page", lost.place.page);
    if (lost.rows) {
      json_.key("rows");
      json_.begin_array();
      json_.integer(lost.rows->first);
      json_.integer(lost.rows->last);
      json_.end();
    }
    json_.end();
  }
  json_.end();
  if (file.remains) {
    json_.key("still_there");
    write_remains(json_, *file.remains);
  }
  json_.key("findings");
  json_.begin_array();
  for (const ReportedFinding& finding : file.findings) write_finding(json_, finding);
  json_.end();
  json_.member("truncated", file.truncated);
  json_.end();
}

void JsonReport::end() {
  json_.end();
  json_.end();
}

}  // namespace parqproof
