#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/report/cause_text.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/remains_text.hpp"
#include "conformance/report/wording.hpp"

namespace parqproof {

namespace {

/// The file format's promises on damage: what still stands beside that which is lost
/// (README.md#error-recovery).
std::string_view promise(LostPart lost) {
  switch (lost) {
    case LostPart::file:
      return "the whole file: without a footer that is true no reader finds anything in it";
    case LostPart::column_chunk:
      return "this column chunk; those of the same column in other row groups stand";
    case LostPart::rest_of_chunk:
      return "the rest of this column chunk from this page on; the pages before it stand";
    case LostPart::page:
      return "this page alone; the other pages of its column chunk stand";
    case LostPart::column_index:
      return "the column index; its column chunk can be read without it";
    case LostPart::offset_index:
      return "the offset index; its column chunk can be read without it";
    case LostPart::bloom_filter:
      return "the bloom filter; its column chunk can be read without it";
  }
  return {};
}

/// Pages of one chunk that are lost one behind the other, told in one line.
struct LostPages {
  const Lost* first;
  const Lost* last;
};

std::vector<LostPages> folded(const std::vector<Lost>& all) {
  std::vector<LostPages> out;
  for (const Lost& lost : all) {
    const Place& place = lost.place;
    if (!out.empty() && lost.what == LostPart::page && out.back().first->what == LostPart::page) {
      Place next = out.back().last->place;
      ++next.page;
      if (place == next) {
        out.back().last = &lost;
        continue;
      }
    }
    out.push_back({&lost, &lost});
  }
  return out;
}

/// The rows of pages one behind the other, where they are known; a dictionary page in front has none.
std::string rows_text(const LostPages& lost) {
  const bool skips = !lost.first->rows && lost.first != lost.last;
  const std::optional<RowRange>& first = (skips ? lost.first + 1 : lost.first)->rows;
  if (!first || !lost.last->rows) return {};
  if (first->first == lost.last->rows->last) return fmt::format(" (row {})", first->first);
  return fmt::format(" (rows {} to {})", first->first, lost.last->rows->last);
}

std::string lost_text(const LostPages& lost) {
  Place place = lost.first->place;
  const std::string& column = lost.first->column;
  if (lost.last == lost.first)
    return with_place(place_text(place, column) + rows_text(lost), std::string(promise(lost.first->what)));
  const std::string pages = fmt::format("pages {} to {}", place.page, lost.last->place.page);
  place.page = -1;
  return with_place(place_text(place, column) + ", " + pages + rows_text(lost),
                    "these pages; the others of their column chunk stand");
}

std::string severities(const SeverityCounts& counts) {
  std::string text = counted(counts.error, "error") + ", " + counted(counts.warning, "warning");
  if (counts.info != 0) text += fmt::format(", {} of advice", counts.info);
  return text;
}

/// A block of lines of which the first bears the title.
template <typename List, typename Write>
void section(Out& out, std::string_view title, const List& list, bool fancy, Write&& write) {
  if (list.empty()) return;
  out << "\n";
  for (const auto& item : list) {
    const std::string line = labelled("", write(item));
    out << paint(fmt::format("{:<{}}", title, kLabelColumns), kBold, fancy)
        << std::string_view(line).substr(kLabelColumns);
    title = "";
  }
}

/// What was switched, in words.
std::string change_text(const Change& change) {
  std::string text;
  if (!change.profile.empty()) text = "profile " + change.profile;
  if (!change.tolerate.empty()) text = "the verdict " + change.tolerate + " is tolerated";
  if (!change.rule.empty())
    text = change.severity.empty() ? "only " + change.rule : change.rule + " = " + change.severity;
  const auto list = [&text](const char* before, const std::vector<std::string>& patterns) {
    for (const std::string& pattern : patterns)
      text += (&pattern == &patterns.front() ? before : ", ") + pattern;
  };
  list(", in ", change.paths);
  list(", written by ", change.writers);
  text += " (" + change.by + ")";
  if (!change.reason.empty()) text += ": " + change.reason;
  return printable(text);
}

/// What a former report has of a file, and the one of today not.
std::string vanished_text(const FindingKey& key) {
  std::string text = key.rule;
  if (!key.column.empty()) text += ", column " + printable(key.column);
  if (!key.field.empty()) text += ", field " + printable(key.field);
  return text;
}

/// What is new against a baseline.
std::string compared_text(const SeverityCounts& fresh, std::uint64_t vanished) {
  return fmt::format("{} new; {} vanished", severities(fresh), vanished);
}

/// What the line of a file says of findings that are not shown.
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

void write_rule(Out& out, const RunSummary::OfRule& rule, bool fancy) {
  out << paint(fmt::format("{:<{}}", to_string(rule.severity), kLabelColumns), colour_of(rule.severity),
               fancy)
      << paint(info(rule.rule).id, kBold, fancy)
      << fmt::format(": {} in {}\n", counted(rule.findings, "finding"), counted(rule.files, "file"));
  std::string writers;
  for (const std::string& writer : rule.writers) writers += (writers.empty() ? "" : ", ") + printable(writer);
  if (rule.more_writers() != 0) writers += fmt::format(" and {} more", rule.more_writers());
  if (!writers.empty()) out << labelled("writers", writers);
  const std::string place = place_text(rule.first.finding.place, rule.first.column);
  out << labelled("first", fmt::format("{}: {}{}", printable(rule.path), place.empty() ? "" : place + ", ",
                                       bytes_text(rule.first.finding)));
}

}  // namespace

void TextReport::add(const FileReport& file, const Source* /*source*/) {
  if (extent_ == ReportExtent::summary) return;
  const std::string path = printable(file.path);
  const bool details = !file.causes.empty() || !file.not_run.empty() || !file.lost.empty() ||
                       (file.compared && !file.compared->vanished.empty());
  if (!first_) *out_ << "\n";
  first_ = false;
  if (details) *out_ << paint(path, kBold, fancy_) << "\n";
  for (const Cause& cause : file.causes) {
    if (!cause.listed) continue;
    write_cause(*out_, cause, fancy_);
    findings_ = true;
  }
  if (file.compared) section(*out_, "vanished", file.compared->vanished, fancy_, vanished_text);
  section(*out_, "lost", folded(file.lost), fancy_, lost_text);
  if (file.remains) section(*out_, "still there", remains_text(*file.remains), fancy_, std::identity());
  section(*out_, "not run", file.not_run, fancy_, [](const NotRun& skipped) {
    return with_place(place_text(skipped.place, skipped.column),
                      fmt::format("{}: {}", printable(skipped.what), printable(skipped.why)));
  });
  if (details) *out_ << "\n";

  *out_ << fmt::format("{}: {}\n", path, paint(to_string(file.verdict), colour_of(file.verdict), fancy_))
        << labelled("findings", severities(file.counts) + hidden_text(file));
  if (file.compared)
    *out_ << labelled("baseline", compared_text(file.compared->fresh, file.compared->vanished.size()));
  if (file.size) {
    *out_ << labelled(
        "checked", fmt::format("{}, {}, {}, {}, {} of {}; tier {}, profile {}",
                               counted(file.row_groups, "row group"), counted(file.columns, "column"),
                               counted(file.pages, "page"), counted(file.values, "value"), file.bytes,
                               counted(*file.size, "byte"), to_string(file.tier), to_string(file.profile)));
  }
  if (!file.named_by.empty()) *out_ << labelled("named by", printable(file.named_by));
  if (file.created_by) *out_ << labelled("writer", printable(*file.created_by));
}

void TextReport::end(const RunSummary& summary) {
  if (summary.files() > 1 || extent_ == ReportExtent::summary) {
    std::string verdicts;
    for (const auto& [verdict, count] : summary.verdicts())
      verdicts += fmt::format("{}{} {}", verdicts.empty() ? "" : ", ", count, to_string(verdict));
    if (!first_) *out_ << "\n";
    *out_ << paint(counted(summary.files(), "file"), kBold, fancy_) << (verdicts.empty() ? "" : ": ")
          << verdicts << "; " << severities(summary.counts()) << "\n";
    if (summary.fresh()) *out_ << labelled("baseline", compared_text(*summary.fresh(), summary.vanished()));
    for (const RunSummary::OfRule* rule : summary.rules()) write_rule(*out_, *rule, fancy_);
    findings_ = findings_ || !summary.rules().empty();
  }
  section(*out_, "changed", summary.changes(), fancy_, change_text);
  if (findings_) *out_ << "\n`parqproof explain RULE` tells more about a rule.\n";
}

}  // namespace parqproof
