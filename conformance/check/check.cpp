#include "conformance/check/check.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/check/causes.hpp"
#include "conformance/check/chunks.hpp"
#include "conformance/check/echoes.hpp"
#include "conformance/check/footer.hpp"
#include "conformance/check/index_places.hpp"
#include "conformance/check/joined_files.hpp"
#include "conformance/check/layout.hpp"
#include "conformance/check/losses.hpp"
#include "conformance/check/named_files.hpp"
#include "conformance/check/next_steps.hpp"
#include "conformance/check/policy.hpp"
#include "conformance/check/remains.hpp"
#include "conformance/check/row_groups.hpp"
#include "conformance/check/schema_names.hpp"
#include "conformance/check/schema_repair.hpp"
#include "conformance/check/sorting_columns.hpp"
#include "conformance/check/unmangled.hpp"

namespace parqproof {
namespace {

Verdict verdict_of(const FileFacts& facts, const FileOutcome& outcome, const Policy& policy) {
  if (facts.source.failed()) return Verdict::unreadable;
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

/// What the file says of itself, for the head of its report.
void add_facts(FileReport& report, const FileFacts& facts) {
  report.size = facts.source.size();
  if (facts.frame.state != Frame::State::footer || facts.metadata_elsewhere) return;
  const FileMetaData& meta = facts.meta;
  if (meta.has(FileMetaData::id_created_by)) {
    report.created_by.emplace(reinterpret_cast<const char*>(meta.created_by.data()), meta.created_by.size());
  }
  if (meta.has(FileMetaData::id_num_rows)) report.rows = meta.num_rows;
  report.row_groups = facts.row_groups.size();
  report.columns = facts.schema_usable ? facts.schema.leaf_count() : 0;
}

/// Moves the outcome into the report.
void fill(FileReport& report, FileCheck& check, const Policy& options) {
  FileOutcome& outcome = check.outcome;
  add_facts(report, check.facts);
  Policy policy = options;
  report.ignored = policy.leave_out(check.options, report.path, report.created_by, outcome.findings.broken());
  report.verdict = verdict_of(check.facts, outcome, policy);
  report.pages = outcome.pages;
  report.values = outcome.values;
  report.bytes = outcome.bytes;
  report.not_run = std::move(outcome.not_run);
  report.lost = std::move(outcome.lost);
  settle_rows(check, report.lost);
  report.remains = std::move(outcome.remains);
  for (NotRun& entry : report.not_run) {
    if (entry.column.empty()) entry.column = column_of(check.facts, entry.place);
  }
  for (Lost& entry : report.lost) entry.column = column_of(check.facts, entry.place);
  tell_findings(report, check, policy);
  report.next = next_steps(check.facts, report);
}

FileReport blank(std::string path, const CheckOptions& options) {
  FileReport report;
  report.path = std::move(path);
  report.tier = options.tier;
  report.profile = options.profile;
  report.footer_at = options.footer_at;
  return report;
}

/// Where the footer is lost: searches for what can be found without it.
void look_for_remains(FileCheck& check) {
  if (!file_is_lost(check) || !check.options.with_remains) return;
  if (check.options.tier == Tier::footer) {
    check.outcome.not_run.push_back({"the search for what is still there", "--tier footer", {}, {}, true});
  } else {
    check.outcome.remains = search_remains(check);
    if (check.outcome.remains->searched_to < check.facts.source.size()) {
      check.outcome.not_run.push_back(
          {"the search from byte " + std::to_string(check.outcome.remains->searched_to) + " on",
           check.cancelled()             ? "the check was stopped"
           : check.facts.source.failed() ? "the file could not be read"
                                         : "too much in the file looks like a page and is none",
           {},
           {}});
    }
  }
}

/// Says which row groups --row-groups leaves out.
void leave_out_row_groups(FileCheck& check) {
  if (!check.options.row_groups) return;
  const std::uint64_t count = check.facts.row_groups.size();
  const RowGroups& asked = *check.options.row_groups;
  const auto leave_out = [&](std::uint64_t first, std::uint64_t end) {
    if (first >= end) return;
    std::string what = "pages of row group " + std::to_string(first);
    if (end - first > 1)
      what = "pages of row groups " + std::to_string(first) + " to " + std::to_string(end - 1);
    check.outcome.not_run.push_back({std::move(what), "--row-groups", {}, {}, true});
  };
  if (asked.first >= asked.end) return leave_out(0, count);
  leave_out(0, std::min(asked.first, count));
  leave_out(asked.end, count);
}

void judge_with_footer(FileCheck& check, const Policy& policy, std::vector<FileReport>* reports) {
  const std::uint64_t size = check.facts.source.size();
  const std::uint64_t end = check.options.footer_at.value_or(size);
  if (check.options.footer_at && (end < kMinFileBytes || end > size)) {
    check.outcome.not_run.push_back({"file",
                                     end > size ? "the file ends before the footer that was asked for"
                                                : "no footer fits before the offset that was asked for",
                                     {},
                                     {}});
    return;
  }
  check.facts.frame = read_frame(check.facts.source, end, check.options.limits, check.outcome.findings);
  switch (check.facts.frame.state) {
    case Frame::State::footer:
      break;
    case Frame::State::lost:
      check.outcome.lost.push_back({LostPart::file, {}});
      if (check.outcome.findings.broken()[static_cast<std::size_t>(Rule::file_footer_length)])
        static_cast<void>(blame_footer_length(check, policy.wanted()));
      return;
    case Frame::State::encrypted:
      check.outcome.not_run.push_back({"file", "the footer is encrypted", {}, {}});
      return;
    case Frame::State::limit:
      check.outcome.not_run.push_back({"file", "the footer is larger than the limit", {}, {}});
      return;
    case Frame::State::unreadable:
      return;
  }
  check.outcome.bytes += check.facts.frame.footer.size() + kMagicBytes + kFooterTailBytes;
  if (!begins_with_version(check.facts.frame) && blame_footer_length(check, policy.wanted())) return;
  check_footer(check);
  if (file_is_lost(check) && blame_footer_length(check, policy.wanted())) return;
  if (check.is_rejected_by(check.outcome.findings)) return;
  if (check.options.tier == Tier::footer) {
    check.outcome.not_run.push_back({"pages and values", "--tier footer", {}, {}, true});
  } else {
    if (check.options.tier == Tier::pages)
      check.outcome.not_run.push_back({"values", "--tier pages", {}, {}, true});
    if (check_joined_files(check)) return;
    leave_out_row_groups(check);
    ChunkList here;
    for (std::size_t i = 0; i < check.facts.chunks.size(); ++i) {
      if (check.facts.chunks[i].file == 0 && check.takes(check.facts.chunks[i])) here.add(i);
    }
    check_chunks(check, policy.wanted(), here);
    if (check.is_rejected_by(check.outcome.findings)) return;
    check_named_files(check, policy, reports);
  }
  blame_zero_lengths(check, policy.wanted());
  check_row_groups(check);
  check_sorting(check);
  check_num_rows(check);
  check_index_places(check);
  check_layout(check);
  blame_schema_names(check, policy.wanted());
  drop_echoes(check, policy.wanted());
  if (check.cancelled())
    check.outcome.not_run.push_back({"what had not been reached", "the check was stopped", {}, {}});
}

}  // namespace

void judge(FileCheck& check, const Policy& policy, std::vector<FileReport>* reports) {
  judge_with_footer(check, policy, reports);
  look_for_remains(check);
}

std::optional<SchemaChange> schema_change_of(const FileCheck& check, const Policy& policy) {
  if (!doubts_schema(check)) return std::nullopt;
  // Whether the schema lies does not depend on what the options leave out: a trial without those rules would
  // show nothing where the file breaks them.
  CheckOptions options = check.options;  // outlives the check that refers to it
  std::optional<Policy> everything;
  std::optional<FileCheck> again;
  if (!options.changes.empty()) {
    options.changes.clear();
    options.progress = nullptr;
    everything.emplace(options);
  }
  if (everything && everything->wanted() != policy.wanted())
    judge_with_footer(again.emplace(check.facts.source, options, everything->wanted()), *everything, nullptr);
  const Policy& all = everything ? *everything : policy;
  const SchemaTrial trial = [&](FileCheck& one) { judge_with_footer(one, all, nullptr); };
  const auto change = wrong_schema_element(again ? *again : check, all.wanted(), trial);
  // A lie that nobody wants to be told is left as it stands.
  return change && policy.wanted()[static_cast<std::size_t>(rule_of(*change))] ? change : std::nullopt;
}

void judge_changed(FileCheck& check, const Policy& policy) {
  judge_with_footer(check, policy, nullptr);
  tell_schema_change(check);
  look_for_remains(check);
}

FileReport report_of(FileCheck& check, const Policy& policy, std::string path) {
  FileReport report = blank(std::move(path), check.options);
  fill(report, check, policy);
  if (report.verdict == Verdict::unreadable) {
    report.not_run.push_back(
        {"file", "its bytes could not be read; it may have become shorter meanwhile", {}, {}});
  }
  return report;
}

FileReport check(const Source& source, std::string path, const CheckOptions& options) {
  return std::move(check(source, std::move(path), options, nullptr).front());
}

std::vector<FileReport> check(const Source& source, std::string path, const CheckOptions& options,
                              const Folder* folder) {
  const Policy policy(options);
  FileCheck check(source, options, policy.wanted());
  check.facts.path = path;
  check.facts.folder = folder;
  std::vector<FileReport> reports(1);
  judge(check, policy, &reports);
  const auto trial = [&](FileCheck& one) { judge_with_footer(one, policy, nullptr); };
  if (const std::unique_ptr<Unmangled> unmangled = Unmangled::find(check, policy, trial)) {
    reports.front() = report_of(unmangled->check(), policy, std::move(path));
    unmangled->complete(reports.front());
    return reports;
  }
  const std::optional<SchemaChange> change = schema_change_of(check, policy);
  if (!change || check.facts.source.failed()) {
    reports.front() = report_of(check, policy, std::move(path));
    return reports;
  }
  FileCheck changed(source, options, policy.wanted());
  changed.facts.path = path;
  changed.facts.change = change;
  judge_changed(changed, policy);
  reports.front() = report_of(changed, policy, std::move(path));
  return reports;
}

FileReport unreadable(std::string path, std::string why, const CheckOptions& options) {
  FileReport report = blank(std::move(path), options);
  report.verdict = Verdict::unreadable;
  report.not_run.push_back({"file", std::move(why), {}, {}});
  return report;
}

}  // namespace parqproof
