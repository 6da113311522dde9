#include <set>

#include "codec/rules/rule.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// Levels with one line for each member: the report, `files`, one file, its lists.
constexpr std::size_t kMultilineLevels = 4;

/// Writes the members row_group and column, if the place has them.
void write_row_group_and_column(JsonWriter& json, const Place& place, const std::string& column) {
  if (place.row_group >= 0) json.member("row_group", place.row_group);
  if (!column.empty() || place.leaf >= 0) json.member("column", column);
}

/// Location of a finding: its bytes, then its place.
void write_bytes_and_place(JsonWriter& json, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  json.member("offset", finding.offset);
  json.member("length", finding.length);
  json.member("space", finding.space == Space::page     ? "page"
                       : finding.space == Space::module ? "module"
                                                        : "file");
  if (finding.space == Space::page) json.member("page_offset", finding.page_offset);
  write_row_group_and_column(json, finding.place, reported.column);
  if (finding.place.leaf >= 0) json.member("leaf", finding.place.leaf);
  if (finding.place.page >= 0) json.member("page", finding.place.page);
}

/// Members of a bug.
void write_bug(JsonWriter& json, const KnownBug& bug) {
  json.member("id", bug.id);
  json.member("software", bug.software);
  if (!bug.first.empty()) json.member("first", bug.first);
  if (!bug.fixed.empty()) json.member("fixed", bug.fixed);
  json.values("issues", bug.issues());
  json.member("what", bug.what);
}

/// Members of a finding.
void write_finding(JsonWriter& json, const ReportedFinding& reported) {
  const Finding& finding = reported.finding;
  const RuleInfo& rule = info(finding.rule);
  json.member("rule", rule.id);
  json.member("severity", to_string(reported.severity));
  if (reported.known) json.member("state", *reported.known ? "known" : "new");
  json.member("class", to_string(reported.klass));
  json.member("clause", rule.clause);
  write_bytes_and_place(json, reported);
  json.member("times", finding.times);
  if (!finding.field.empty()) json.member("field", finding.field);
  if (!finding.expected.empty()) json.member("expected", plain_text(finding.expected));
  if (!finding.found.empty()) json.member("found", plain_text(finding.found));
  json.member("message", message(finding));
  json.member("fix", rule.fix);
  json.member("clause_url", clause_url(rule));
  if (!reported.bugs.empty())
    json.objects("known_bugs", reported.bugs, [&](const KnownBug* bug) { write_bug(json, *bug); });
}

/// Members of a run of pages.
void write_page_run_members(JsonWriter& json, const PageRun& run) {
  json.member("offset", run.offset);
  json.member("length", run.length);
  json.member("data_pages", run.data_pages);
  json.member("dictionary_pages", run.dictionary_pages);
  json.member("index_pages", run.index_pages);
  json.member("values", run.values);
}

/// Members of `still_there`.
void write_remains(JsonWriter& json, const Remains& remains) {
  json.member("searched_to", remains.searched_to);
  write_page_run_members(json, remains.pages);
  json.member("runs_found", remains.runs_found);
  json.objects("runs", remains.runs, [&](const PageRun& run) { write_page_run_members(json, run); });
  json.member("footers_found", remains.footers_found);
  json.objects("footers", remains.footers, [&](const CompleteFooter& footer) {
    json.member("offset", footer.offset);
    json.member("length", footer.length);
    if (footer.footer_at) json.member("footer_at", *footer.footer_at);
    json.member("rows", footer.rows);
    json.member("row_groups", footer.row_groups);
    if (footer.trial) {
      json.member("complete_file", footer.is_complete_file());
      json.member("intact_row_groups", footer.trial->intact_row_groups);
    }
  });
  if (!remains.cut_footer) return;
  json.object("cut_footer", [&, &footer = *remains.cut_footer] {
    json.member("offset", footer.offset);
    json.member("read_to", footer.read_to);
    json.member("whole_schema", footer.complete_schema);
    json.member("columns_found", footer.columns_found);
    json.values("columns", footer.columns);
    if (footer.rows) json.member("rows", *footer.rows);
    if (footer.row_groups) json.member("row_groups", *footer.row_groups);
    json.member("whole_row_groups", footer.complete_row_groups);
    json.member("rows_of_whole_row_groups", footer.rows_of_complete_row_groups);
  });
}

void write_severity_counts(JsonWriter& json, const char* name, const SeverityCounts& counts) {
  json.object(name, [&] {
    json.member("error", counts.error);
    json.member("warning", counts.warning);
    json.member("info", counts.info);
  });
}

/// Members of the key of a finding.
void write_key(JsonWriter& json, std::string_view rule, const std::string& column, const std::string& field) {
  json.member("rule", rule);
  if (!column.empty()) json.member("column", column);
  if (!field.empty()) json.member("field", field);
}

/// The distinct keys of all findings, listed or not, by which --baseline matches them.
void write_keys(JsonWriter& json, const std::vector<Cause>& causes) {
  std::set<std::tuple<Rule, std::string_view, std::string_view>> written;
  json.array("keys", causes, [&](const Cause& cause) {
    for (const Cause::Column& column : cause.columns) {
      if (!written.insert({cause.rule(), column.column, cause.field}).second) continue;
      json.object([&] { write_key(json, info(cause.rule()).id, column.column, cause.field); });
    }
  });
}

/// Members of a part that was not checked.
void write_not_run(JsonWriter& json, const NotRun& skipped) {
  json.member("what", skipped.what);
  json.member("why", skipped.why);
  write_row_group_and_column(json, skipped.place, skipped.column);
  if (skipped.place.page >= 0) json.member("page", skipped.place.page);
}

/// Members of a loss.
void write_lost(JsonWriter& json, const Lost& lost) {
  json.member("what", to_string(lost.what));
  write_row_group_and_column(json, lost.place, lost.column);
  if (lost.place.page >= 0) json.member("page", lost.place.page);
  if (lost.what == LostPart::pages) json.member("next_page_offset", lost.next_page);
  if (lost.rows) json.key("rows"), json.row(lost.rows->first, lost.rows->last);  // inclusive
}

/// Properties of the file, as members of its object.
void write_head(JsonWriter& json, const FileReport& file) {
  json.member("path", file.path);
  if (!file.relative.empty()) json.member("relative_path", file.relative);
  if (!file.named_by.empty()) json.member("named_by", file.named_by);
  json.member("verdict", to_string(file.verdict));
  json.member("tier", to_string(file.tier));
  json.member("profile", to_string(file.basis.profile));
  if (file.basis.edition != kReleasedEdition) json.member("edition", to_string(file.basis.edition));
  if (file.size) json.member("size", *file.size);
  if (file.footer_at) json.member("footer_at", *file.footer_at);
  if (file.created_by) json.member("created_by", *file.created_by);
  if (file.rows) json.member("rows", *file.rows);
  if (file.size) {  // the file could be opened, so it has totals
    json.member("row_groups", file.row_groups);
    json.member("columns", file.columns);
    json.member("pages", file.pages);
    json.member("checksums", file.checksums);
    json.member("values", file.values);
    json.member("bytes", file.bytes);
  }
}

/// Members of the report of a file.
void write_file(JsonWriter& json, const FileReport& file) {
  write_head(json, file);
  json.member("errors", file.counts.error);
  json.member("warnings", file.counts.warning);
  json.member("infos", file.counts.info);
  if (file.compared) write_severity_counts(json, "new", file.compared->fresh);
  json.objects("not_run", file.not_run, [&](const NotRun& skipped) { write_not_run(json, skipped); });
  json.objects("lost", file.lost, [&](const Lost& lost) { write_lost(json, lost); });
  if (file.remains) json.object("still_there", [&] { write_remains(json, *file.remains); });
  if (!file.next.empty()) write_next(json, file.next);
  if (!file.tried.empty()) json.values("tried", file.tried);
  json.objects("findings", file.findings, [&](const ReportedFinding& one) { write_finding(json, one); });
  for (const Cause& cause : file.causes) {
    if (cause.consequences.empty()) continue;  // one cause has some: that of a file damaged as one piece
    json.objects("consequences", cause.consequences, [&](const Consequence& one) {
      json.member("rule", info(one.rule).id);
      json.member("severity", to_string(one.severity));
      json.member("times", one.times);
    });
  }
  if (file.compared) {
    json.objects("vanished", file.compared->vanished,
                 [&](const FindingKey& key) { write_key(json, key.rule, key.column, key.field); });
  }
  json.member("truncated", file.truncated());
  write_severity_counts(json, "omitted", file.omitted);
  if (file.truncated()) write_keys(json, file.causes);
}

/// Writes the members report_version, tool and spec.
void write_tool_and_spec(JsonWriter& json) {
  json.member("report_version", 1);
  json.object("tool", [&] {
    json.member("name", "parqproof");
    json.member("version", PARQPROOF_VERSION);
  });
  json.object("spec", [&] {
    json.member("name", "parquet-format");
    json.member("commit", kSpecCommit);
  });
}

/// Members of a changed rule.
void write_change(JsonWriter& json, const Change& change) {
  json.member("by", change.by);
  if (!change.rule.empty()) json.member("rule", change.rule);
  if (!change.severity.empty()) json.member("severity", change.severity);
  if (!change.profile.empty()) json.member("profile", change.profile);
  if (!change.edition.empty()) json.member("edition", change.edition);
  if (!change.tolerate.empty()) json.member("tolerate", change.tolerate);
  if (!change.paths.empty()) json.values("paths", change.paths);
  if (!change.writers.empty()) json.values("writers", change.writers);
  if (!change.reason.empty()) json.member("reason", change.reason);
}

/// Members of the findings of a rule in all files.
void write_rule(JsonWriter& json, const RunSummary::OfRule& rule) {
  json.member("rule", info(rule.rule).id);
  json.member("severity", to_string(rule.severity));
  json.member("findings", rule.findings);
  json.member("files", rule.files);
  json.values("writers", rule.writers);
  if (rule.more_writers() != 0) json.member("more_writers", rule.more_writers());
  json.object("first", [&] {
    json.member("path", rule.path);
    write_bytes_and_place(json, rule.first);
    if (!rule.first.finding.field.empty()) json.member("field", rule.first.finding.field);
  });
}

/// Changed rules and totals of the run, as members of the report.
void write_end(JsonWriter& json, const RunSummary& summary) {
  json.objects("changes", summary.changes(), [&](const Change& change) { write_change(json, change); });
  json.object("summary", [&] {
    json.member("files", summary.files());
    json.object("verdicts", [&] {
      for (const auto& [verdict, count] : summary.verdicts()) json.member(to_string(verdict), count);
    });
    json.objects("rules", summary.rules(), [&](const RunSummary::OfRule* rule) { write_rule(json, *rule); });
  });
}

}  // namespace

JsonReport::JsonReport(Out& out, ReportExtent extent) : Report(out, extent), json_(out, kMultilineLevels) {
  json_.begin_object();
  write_tool_and_spec(json_);
  if (extent_ == ReportExtent::summary) return;
  json_.key("files");
  json_.begin_array();
}

void JsonReport::add(const FileReport& file, const Source* /*source*/) {
  if (extent_ == ReportExtent::files) json_.object([&] { write_file(json_, file); });
}

void JsonReport::end(const RunSummary& summary) {
  if (extent_ == ReportExtent::files) json_.end();
  write_end(json_, summary);
  json_.end();
}

NdjsonReport::NdjsonReport(Out& out, ReportExtent extent) : Report(out, extent) {
  JsonWriter json(out);
  json.object([&] { write_tool_and_spec(json); });
}

void NdjsonReport::add(const FileReport& file, const Source* /*source*/) {
  if (extent_ == ReportExtent::summary) return;
  JsonWriter json(out_);
  json.object([&] { write_file(json, file); });
}

void NdjsonReport::end(const RunSummary& summary) {
  JsonWriter json(out_);
  json.object([&] { write_end(json, summary); });
}

}  // namespace parqproof
