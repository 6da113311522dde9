#include "conformance/verdict/report_of.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "conformance/verdict/cause_groups.hpp"
#include "conformance/verdict/losses.hpp"
#include "conformance/verdict/next_steps.hpp"

namespace parqproof {
namespace {

Verdict verdict_of(const FileInput& input, const FileOutcome& outcome, const Policy& policy) {
  if (input.source.failed()) return Verdict::unreadable;
  if (!outcome.lost.empty()) return Verdict::malformed;
  Verdict verdict = Verdict::conforming;
  const bool left_out = std::ranges::any_of(outcome.not_run, [](const NotRun& n) { return !n.by_choice; });
  if (left_out) verdict = Verdict::unsupported;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (!outcome.findings.broken()[i]) continue;
    const RuleInfo& row = all_rules()[i];
    const std::optional<Severity> severity = policy.severity(static_cast<Rule>(i));
    if (!severity) continue;
    if (row.klass == Class::limit) {
      verdict = std::max(verdict, Verdict::limit);
    } else if (row.klass == Class::unsupported) {
      verdict = std::max(verdict, Verdict::unsupported);
    } else if (severity == Severity::error) {
      verdict = std::max(verdict, Verdict::nonconforming);
    }
  }
  return verdict;
}

/// Adds the created_by, rows and other totals of the footer to the head of the report.
void add_facts(FileReport& report, const FileCheck& check) {
  const ParsedFooter& footer = check.footer;
  report.size = check.input.file_size;
  if (!has_footer(check) || check.input.metadata_elsewhere) return;
  const FileMetaData& meta = footer.meta;
  if (meta.has(FileMetaData::id_created_by)) {
    report.created_by.emplace(text_of(meta.created_by));
  }
  if (meta.has(FileMetaData::id_num_rows)) report.rows = meta.num_rows;
  report.row_groups = footer.row_groups.size();
  report.columns = footer.schema_usable ? footer.schema.leaf_count() : 0;
}

/// Removes everything that a finding or a larger loss causes: until here the outcome has only grown.
void fold_consequences(FileOutcome& outcome) {
  outcome.findings.fold();
  std::erase_if(outcome.not_run, [](const NotRun& one) { return one.caused_by.has_value(); });
  fold_losses(outcome.lost);
}

/// Moves the outcome into the report.
void fill(FileReport& report, FileCheck& check, const Policy& options) {
  FileOutcome& outcome = check.outcome;
  fold_consequences(outcome);
  add_facts(report, check);
  Policy policy = options;
  report.ignored = policy.leave_out(check.options, report.path, report.created_by, outcome.findings.broken());
  report.verdict = verdict_of(check.input, outcome, policy);
  report.pages = outcome.pages;
  report.checksums = outcome.checksums;
  report.values = outcome.values;
  report.bytes = outcome.bytes;
  report.not_run = std::move(outcome.not_run);
  report.lost = std::move(outcome.lost);
  settle_rows(check, report.lost);
  report.remains = std::move(outcome.remains);
  for (NotRun& entry : report.not_run) {
    if (entry.column.empty()) entry.column = column_of(check.footer, entry.place);
  }
  for (Lost& entry : report.lost) entry.column = column_of(check.footer, entry.place);
  report_findings(report, check, policy);
  report.next = next_steps(check, report);
}

FileReport report_head(std::string path, const CheckOptions& options) {
  FileReport report;
  report.path = std::move(path);
  report.tier = options.tier;
  report.basis = {options.profile, options.edition};
  report.footer_at = options.footer_at;
  return report;
}

}  // namespace

FileReport report_of(FileCheck& check, const Policy& policy, std::string path) {
  FileReport report = report_head(std::move(path), check.options);
  fill(report, check, policy);
  if (report.verdict == Verdict::unreadable) {
    report.not_run.push_back(
        {"file", "its bytes could not be read; it may have become shorter meanwhile", {}, {}});
  }
  return report;
}

FileReport unreadable(std::string path, std::string why, const CheckOptions& options) {
  FileReport report = report_head(std::move(path), options);
  report.verdict = Verdict::unreadable;
  report.not_run.push_back({"file", std::move(why), {}, {}});
  return report;
}

}  // namespace parqproof
