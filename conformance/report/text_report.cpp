#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/cause_text.hpp"
#include "conformance/report/words/damage_text.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {

namespace {

std::string severities(const SeverityCounts& counts) {
  std::string text = counted(counts.error, "error") + ", " + counted(counts.warning, "warning");
  if (counts.info != 0) text += ", " + counted(counts.info, "info");
  return text;
}

/// A block of lines, the first of which has the title.
template <typename List, typename Write>
void section(Out& out, std::string_view title, const List& list, bool fancy, Write&& write) {
  if (list.empty()) return;
  out << "\n";
  for (const auto& item : list) {
    const std::string line = labelled("", write(item));  // wrapped; the title takes the place of the label
    out << paint(fmt::format("{:<{}}", title, kLabelColumns), kBold, fancy)
        << std::string_view(line).substr(kLabelColumns);
    title = "";
  }
}

/// A change of rules, profile, edition or tolerated verdicts as text.
std::string change_text(const Change& change) {
  std::string text;
  if (!change.profile.empty()) text = "profile " + change.profile;
  if (!change.edition.empty()) text = "edition " + change.edition;
  if (!change.tolerate.empty()) text = "the verdict " + change.tolerate + " is tolerated";
  if (!change.rule.empty())
    text = change.severity.empty() ? "only " + change.rule : change.rule + " = " + change.severity;
  if (!change.paths.empty()) text += ", in " + joined(change.paths);
  if (!change.writers.empty()) text += ", written by " + joined(change.writers);
  text += " (" + change.by + ")";
  if (!change.reason.empty()) text += ": " + change.reason;
  return printable(text);
}

/// Commands to copy: each on one line, however long.
void write_next(Out& out, const std::vector<NextStep>& steps, bool fancy) {
  std::string_view title = "  next";
  for (const NextStep& step : steps) {
    out << paint(fmt::format("{:<{}}", title, kLabelColumns), kBold, fancy) << step.what << ":\n"
        << std::string(kLabelColumns, ' ') << step.command << "\n";
    title = "";
  }
}

/// A finding of the baseline that is no longer found.
std::string vanished_text(const FindingKey& key) {
  std::string text = key.rule;
  if (!key.column.empty()) text += ", column " + printable(key.column);
  if (!key.field.empty()) text += ", field " + printable(key.field);
  return text;
}

/// Comparison with a baseline.
std::string compared_text(const SeverityCounts& fresh, std::uint64_t vanished) {
  return fmt::format("new: {}; no longer found: {}", severities(fresh), grouped(vanished));
}

/// "; 3 causes not shown: 5 errors, 0 warnings (--limit 0 shows all)"; empty if all are shown.
std::string hidden_text(const FileReport& file) {
  std::uint64_t causes = 0;
  SeverityCounts counts;
  for (const Cause& cause : file.causes) {
    if (cause.listed) continue;
    ++causes;
    counts.add(cause.severity(), cause.times);
  }
  if (causes == 0) return {};
  return fmt::format("; {} not shown: {} (--limit 0 shows all)", counted(causes, "cause"),
                     severities(counts));
}

/// One sentence if nothing explains the damage.
std::vector<std::string> tried_texts(const FileReport& file) {
  if (file.tried.empty()) return {};
  const std::vector<std::string> names(file.tried.begin(), file.tried.end());
  return {"no single cause explains these errors; tried: " + joined(names)};
}

/// "12 pages, 3 of them with a checksum".
std::string pages_text(const FileReport& file) {
  std::string text = counted(file.pages, "page");
  if (file.pages == 0 || file.tier == Tier::footer) return text;
  if (file.checksums == 0) return text + " without checksum";
  if (file.checksums == file.pages) return text + " with checksum";
  return text + fmt::format(" ({} with checksum)", grouped(file.checksums));
}

/// The worst files, because they are hard to find among many others.
void write_worst(Out& out, const RunSummary& summary, bool fancy) {
  constexpr std::size_t kColumns = 15;
  const auto conforming = summary.verdicts().find(Verdict::conforming);
  const std::uint64_t not_conforming =
      summary.files() - (conforming == summary.verdicts().end() ? 0 : conforming->second);
  for (const RunSummary::OfFile& file : summary.worst()) {
    out << paint(fmt::format("{:<{}}", to_string(file.verdict), kColumns), colour_of(file.verdict), fancy)
        << printable(file.path);
    if (file.rule) out << ": " << info(*file.rule).id;
    if (file.more_rules != 0) out << " and " << counted(file.more_rules, "more rule");
    out << "\n";
  }
  if (not_conforming > summary.worst().size())
    out << fmt::format("{:{}}and {} more\n", "", kColumns, grouped(not_conforming - summary.worst().size()));
  if (not_conforming != 0) out << "\n";
}

void write_rule(Out& out, const RunSummary::OfRule& rule, bool fancy) {
  out << paint(fmt::format("{:<{}}", to_string(rule.severity), kLabelColumns), colour_of(rule.severity),
               fancy)
      << paint(info(rule.rule).id, kBold, fancy)
      << fmt::format(": {} in {}\n", counted(rule.findings, "finding"), counted(rule.files, "file"));
  if (!rule.writers.empty()) out << labelled("writers", printable(joined(rule.writers, rule.more_writers())));
  const std::string place = place_text(rule.first.finding.place, rule.first.column);
  out << labelled("first", fmt::format("{}: {}{}", printable(rule.path), place.empty() ? "" : place + ", ",
                                       bytes_text(rule.first.finding)));
}

}  // namespace

void TextReport::add(const FileReport& file, const Source* /*source*/) {
  if (extent_ == ReportExtent::summary) return;
  const std::string path = printable(file.path);
  const bool has_sections = !file.causes.empty() || !file.not_run.empty() || !file.lost.empty() ||
                            (file.compared && !file.compared->vanished.empty());  // remains only with losses
  if (!first_) out_ << "\n";
  first_ = false;
  if (has_sections) out_ << paint(path, kBold, fancy_) << "\n";
  for (const Cause& cause : file.causes) {
    if (!cause.listed) continue;
    write_cause(out_, cause, fancy_);
    findings_ = true;
  }
  if (file.compared) section(out_, "vanished", file.compared->vanished, fancy_, vanished_text);
  section(out_, "lost", loss_texts(file), fancy_, loss_line);
  if (file.remains) section(out_, "recoverable", remains_text(*file.remains), fancy_, std::identity());
  section(out_, "tried", tried_texts(file), fancy_, std::identity());
  section(out_, "not run", file.not_run, fancy_, [](const NotRun& skipped) { return not_run_text(skipped); });
  if (has_sections) out_ << "\n";

  out_ << fmt::format("{}: {}\n", path, paint(to_string(file.verdict), colour_of(file.verdict), fancy_))
       << labelled("findings", severities(file.counts) + hidden_text(file));
  if (file.compared)
    out_ << labelled("baseline", compared_text(file.compared->fresh, file.compared->vanished.size()));
  if (file.size) {
    const Edition edition = file.basis.edition;
    const std::string_view by = edition == kReleasedEdition ? "" : ", edition ";
    out_ << labelled("checked",
                     fmt::format("{}, {}, {}, {}, {} of {}; tier {}, profile {}{}{}",
                                 counted(file.row_groups, "row group"), counted(file.columns, "column"),
                                 pages_text(file), counted(file.values, "value"), grouped(file.bytes),
                                 counted(*file.size, "byte"), to_string(file.tier),
                                 to_string(file.basis.profile), by, by.empty() ? "" : to_string(edition)));
  }
  if (!file.named_by.empty()) out_ << labelled("named by", printable(file.named_by));
  if (file.created_by) out_ << labelled("writer", printable(*file.created_by));
  write_next(out_, file.next, fancy_);
}

void TextReport::end(const RunSummary& summary) {
  if (summary.files() > 1 || extent_ == ReportExtent::summary) {
    const std::string verdicts = verdicts_text(summary);
    if (!first_) out_ << "\n";
    out_ << paint(counted(summary.files(), "file"), kBold, fancy_) << (verdicts.empty() ? "" : ": ")
         << verdicts << "; " << severities(summary.counts()) << "\n";
    if (summary.fresh()) out_ << labelled("baseline", compared_text(*summary.fresh(), summary.vanished()));
    if (summary.files() > 1) write_worst(out_, summary, fancy_);
    for (const RunSummary::OfRule* rule : summary.rules()) write_rule(out_, *rule, fancy_);
    findings_ = findings_ || !summary.rules().empty();
  }
  section(out_, "changed", summary.changes(), fancy_, change_text);
  if (findings_) out_ << "\n`parqproof explain RULE` gives details of a rule.\n";
}

void LinesReport::add(const FileReport& file, const Source* /*source*/) {
  const std::string path = printable(file.path);
  for (const ReportedFinding& reported : file.findings) {
    const Finding& finding = reported.finding;
    std::string place = place_text(finding.place, reported.column);
    const auto add = [&place](const std::string& part) { place += (place.empty() ? "" : ", ") + part; };
    if (finding.space == Space::page)
      add(fmt::format("at page {} + {}", finding.page_offset, finding.offset));
    if (finding.times > 1) add(fmt::format("{} times", finding.times));
    for (const KnownBug* bug : reported.bugs)
      add(fmt::format("known bug of {}: {}", bug->versions(), bug->issues().front()));
    if (reported.known) add(*reported.known ? "known" : "new");
    out_ << fmt::format("{}:{}: {} {}: {}{}\n", path, finding.file_position(), to_string(reported.severity),
                        info(finding.rule).id, printable(message(finding)),
                        place.empty() ? "" : " [" + place + "]");
  }
}

}  // namespace parqproof
