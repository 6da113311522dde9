#include "conformance/check/check.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "conformance/check/footer.hpp"
#include "conformance/check/layout.hpp"
#include "conformance/check/named_files.hpp"
#include "conformance/check/pages.hpp"
#include "conformance/check/policy.hpp"
#include "conformance/check/remains.hpp"
#include "conformance/check/row_groups.hpp"

namespace parqproof {
namespace {

/// Bytes of pages that a chunk claims; without a claim that can be true, all up to the footer.
std::uint64_t claimed_bytes(const Context& context, const ChunkClaim& claim) {
  const std::uint64_t footer = context.facts.frame.footer_offset;
  const std::uint64_t room = footer - std::min(claim.start, footer);
  const auto claimed = static_cast<std::uint64_t>(claim.compressed);  // huge if it is negative
  return std::min(claimed, room);
}

/// limit/work: a few bytes of footer can name the same pages thousands of times. Chunks beyond the ceiling
/// are left out.
void leave_out_what_is_too_much(FileCheck& context, const std::vector<std::size_t>& chunks) {
  bool afforded = true;
  for (const std::size_t index : chunks) {
    ChunkClaim& claim = context.facts.chunks[index];
    if (!claim.judged || claim.no_pages) continue;
    if (afforded && !context.outcome.work.afford(claimed_bytes(context, claim))) {
      afforded = false;
      Judge(context.outcome.findings)
          .field(Rule::limit_work, place_of(claim), context.facts.footer_from(claim.struct_offset),
                 ColumnChunk::kType, "",
                 seen(std::to_string(context.outcome.work.spent()) + " bytes of column chunks",
                      context.outcome.work.ceiling()));
      context.outcome.not_run.push_back({"this column chunk and those behind it",
                                         "the chunks before it claim many times the bytes of the file",
                                         place_of(claim),
                                         {}});
    }
    if (!afforded) claim.judged = false;
  }
}

/// Bytes of pages of the chunks that are judged.
std::uint64_t bytes_of_pages(const Context& context, const std::vector<std::size_t>& chunks) {
  std::uint64_t bytes = 0;
  for (const std::size_t index : chunks) {
    if (context.facts.chunks[index].judged) bytes += claimed_bytes(context, context.facts.chunks[index]);
  }
  return bytes;
}

}  // namespace

/// Outcomes are taken in the order of the chunks, so the report does not depend on the number of threads.
void check_chunks(FileCheck& context, const RuleSet& wanted, const std::vector<std::size_t>& chunks) {
  const RegionMap regions(context.facts.regions);
  leave_out_what_is_too_much(context, chunks);
  const std::size_t count = chunks.size();
  std::vector<std::unique_ptr<ChunkOutcome>> outcomes(count);
  if (context.options.progress != nullptr) context.options.progress->total += bytes_of_pages(context, chunks);
  context.outcome.tallies.resize(context.facts.chunks.size());
  std::atomic<std::size_t> next{0};
  std::mutex taking;
  std::size_t taken = 0;
  const auto take = [&](std::size_t i) {
    std::unique_ptr<ChunkOutcome>& outcome = outcomes[i];
    context.outcome.findings.merge(std::move(outcome->findings));
    std::ranges::move(outcome->not_run, std::back_inserter(context.outcome.not_run));
    std::ranges::move(outcome->lost, std::back_inserter(context.outcome.lost));
    context.outcome.values += outcome->entries;
    context.outcome.bytes += outcome->bytes;
    context.outcome.io_failed |= outcome->io_failed;
    context.outcome.pages += outcome->tally.pages;
    context.outcome.tallies[chunks[i]] = std::move(outcome->tally);
    outcome.reset();
  };
  const auto work = [&] {
    Scratch scratch(context);
    for (std::size_t i = next++; i < count; i = next++) {
      auto outcome = std::make_unique<ChunkOutcome>(wanted);
      const ChunkClaim& claim = context.facts.chunks[chunks[i]];
      if (claim.judged) check_chunk(context, regions, claim, scratch, *outcome);
      const std::scoped_lock lock(taking);
      outcomes[i] = std::move(outcome);
      for (; taken < count && outcomes[taken] != nullptr; ++taken) take(taken);
    }
  };
  std::vector<std::thread> threads;
  const std::size_t jobs = std::clamp<std::size_t>(context.options.jobs, 1, std::max<std::size_t>(count, 1));
  for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
}

namespace {

Verdict verdict_of(const FileCheck& context, const Policy& policy) {
  if (context.outcome.io_failed || context.facts.frame.state == Frame::State::unreadable)
    return Verdict::unreadable;
  Verdict verdict = Verdict::conforming;
  const bool left_out =
      std::ranges::any_of(context.outcome.not_run, [](const NotRun& n) { return !n.by_choice; });
  if (left_out || !context.outcome.lost.empty()) verdict = Verdict::unsupported;
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (!context.outcome.findings.seen()[i]) continue;
    const RuleInfo& row = all_rules()[i];
    if (row.klass == Class::limit) {
      verdict = std::max(verdict, Verdict::limit);
    } else if (row.klass == Class::unsupported) {
      verdict = std::max(verdict, Verdict::unsupported);
    } else if (policy.severity(static_cast<Rule>(i)) == Severity::error) {
      verdict =
          std::max(verdict, row.klass == Class::malformed ? Verdict::malformed : Verdict::nonconforming);
    }
  }
  return verdict;
}

/// Copies what was found into the report: names of columns, severities, and no more than asked for.
void fill(FileReport& report, FileCheck& context, const Policy& policy) {
  const auto column = [&](const Place& place) {
    const bool known = context.facts.schema_usable && place.leaf >= 0 &&
                       static_cast<std::size_t>(place.leaf) < context.facts.schema.leaf_count();
    return known ? context.facts.schema.dotted_path(
                       context.facts.schema.leaf_index(static_cast<std::size_t>(place.leaf)))
                 : std::string();
  };
  report.verdict = verdict_of(context, policy);
  report.size = context.facts.source.size();
  if (context.facts.frame.state == Frame::State::footer && !context.facts.metadata_elsewhere) {
    const FileMetaData& meta = context.facts.meta;
    if (meta.has(FileMetaData::id_created_by)) {
      report.created_by.emplace(reinterpret_cast<const char*>(meta.created_by.data()),
                                meta.created_by.size());
    }
    if (meta.has(FileMetaData::id_num_rows)) report.rows = meta.num_rows;
    report.row_groups = context.facts.row_groups.size();
    report.columns = context.facts.schema_usable ? context.facts.schema.leaf_count() : 0;
  }
  report.pages = context.outcome.pages;
  report.values = context.outcome.values;
  report.bytes = context.outcome.bytes;
  report.not_run = std::move(context.outcome.not_run);
  report.lost = std::move(context.outcome.lost);
  report.remains = std::move(context.outcome.remains);
  for (NotRun& entry : report.not_run) entry.column = column(entry.place);
  for (Lost& entry : report.lost) entry.column = column(entry.place);

  context.outcome.findings.sort();
  report.truncated = context.outcome.findings.dropped() != 0;
  for (const Finding& finding : context.outcome.findings.all()) {
    const Severity severity = policy.severity(finding.rule).value_or(Severity::info);
    const Class klass = info(finding.rule).klass;
    (severity == Severity::error     ? report.errors
     : severity == Severity::warning ? report.warnings
                                     : report.infos) += finding.times;
    const bool judgement = klass == Class::malformed || klass == Class::invalid;
    if (severity == Severity::warning && judgement) report.failed_on_warning = true;
    if (context.options.listed != 0 && report.findings.size() >= context.options.listed) {
      report.truncated = true;
      continue;
    }
    report.findings.push_back({finding, severity, column(finding.place)});
  }
  report.failed_on_warning = report.failed_on_warning && context.options.fail_on_warning;
}

FileReport blank(std::string path, const CheckOptions& options) {
  FileReport report;
  report.path = std::move(path);
  report.tier = options.tier;
  report.profile = options.profile;
  report.changes = options.changes;
  report.footer_at = options.footer_at;
  return report;
}

/// Where the footer is lost: what can still be found without it.
void look_for_remains(FileCheck& context) {
  if (std::ranges::none_of(context.outcome.lost, [](const Lost& lost) { return lost.what == "file"; }))
    return;
  if (context.options.tier == Tier::footer) {
    context.outcome.not_run.push_back({"the search for what is still there", "--tier footer", {}, {}, true});
  } else {
    context.outcome.remains = search_remains(context);
    if (context.outcome.remains->searched_to < context.facts.source.size()) {
      context.outcome.not_run.push_back(
          {"the search from byte " + std::to_string(context.outcome.remains->searched_to) + " on",
           context.cancelled() ? "the check was stopped"
                               : "too much in the file looks like a page and is none",
           {},
           {}});
    }
  }
}

void judge_with_footer(FileCheck& context, const Policy& policy, std::vector<FileReport>* reports) {
  const std::uint64_t size = context.facts.source.size();
  const std::uint64_t end = context.options.footer_at.value_or(size);
  if (context.options.footer_at && (end < kMinFileBytes || end > size)) {
    context.outcome.not_run.push_back({"file",
                                       end > size ? "the file ends before the footer that was asked for"
                                                  : "no footer fits before the offset that was asked for",
                                       {},
                                       {}});
    return;
  }
  context.facts.frame =
      read_frame(context.facts.source, end, context.options.limits, context.outcome.findings);
  switch (context.facts.frame.state) {
    case Frame::State::footer:
      break;
    case Frame::State::lost:
      context.outcome.lost.push_back({"file", {}, {}});
      return;
    case Frame::State::encrypted:
      context.outcome.not_run.push_back({"file", "the footer is encrypted", {}, {}});
      return;
    case Frame::State::limit:
      context.outcome.not_run.push_back({"file", "the footer is larger than the limit", {}, {}});
      return;
    case Frame::State::unreadable:
      return;
  }
  context.outcome.bytes += context.facts.frame.footer.size() + kMagicBytes + kFooterTailBytes;
  check_footer(context);
  if (context.options.tier == Tier::footer) {
    context.outcome.not_run.push_back({"pages and values", "--tier footer", {}, {}, true});
  } else {
    if (context.options.tier == Tier::pages)
      context.outcome.not_run.push_back({"values", "--tier pages", {}, {}, true});
    std::vector<std::size_t> here;
    for (std::size_t i = 0; i < context.facts.chunks.size(); ++i) {
      if (context.facts.chunks[i].file == 0) here.push_back(i);
    }
    check_index_structures(context);
    check_chunks(context, policy.wanted(), here);
    check_named_files(context, policy, reports);
  }
  check_row_groups(context);
  check_num_rows(context);
  check_layout(context);
  if (context.cancelled())
    context.outcome.not_run.push_back({"what had not been reached", "the check was stopped", {}, {}});
}

}  // namespace

void judge(FileCheck& context, const Policy& policy, std::vector<FileReport>* reports) {
  judge_with_footer(context, policy, reports);
  look_for_remains(context);
}

FileReport report_of(FileCheck& context, const Policy& policy, std::string path) {
  FileReport report = blank(std::move(path), context.options);
  fill(report, context, policy);
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
  FileCheck context(source, options, policy.wanted());
  context.facts.path = path;
  context.facts.folder = folder;
  std::vector<FileReport> reports(1);
  judge(context, policy, &reports);
  reports.front() = report_of(context, policy, std::move(path));
  return reports;
}

FileReport unreadable(std::string path, std::string why, const CheckOptions& options) {
  FileReport report = blank(std::move(path), options);
  report.verdict = Verdict::unreadable;
  report.not_run.push_back({"file", std::move(why), {}, {}});
  return report;
}

}  // namespace parqproof
