#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/remains_text.hpp"
#include "conformance/report/wording.hpp"

namespace parqproof {

namespace {

constexpr const char* kBold = "1";
constexpr const char* kRed = "1;31";
constexpr const char* kYellow = "1;33";
constexpr const char* kBlue = "1;34";
constexpr const char* kGreen = "1;32";

const char* colour_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return kRed;
    case Severity::warning:
      return kYellow;
    case Severity::info:
      return kBlue;
  }
  return kBold;
}

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::conforming:
      return kGreen;
    case Verdict::unsupported:
    case Verdict::limit:
      return kYellow;
    case Verdict::nonconforming:
    case Verdict::malformed:
    case Verdict::unreadable:
      return kRed;
  }
  return kBold;
}

/// The file format's promises on damage: what still stands beside that which is lost
/// (README.md#error-recovery).
std::string_view promise(std::string_view lost) {
  if (lost == "file") return "the whole file: without its footer no reader finds anything in it";
  if (lost == "column chunk") return "this column chunk; those of the same column in other row groups stand";
  if (lost == "rest of chunk")
    return "the rest of this column chunk from this page on; the pages before it stand";
  if (lost == "page") return "this page alone; the other pages of its column chunk stand";
  return lost;
}

std::string with_place(const std::string& at, const std::string& text) {
  return at.empty() ? text : at + ": " + text;
}

/// Pages of one chunk that are lost one behind the other, told in one line.
struct LostPages {
  const Lost* first;
  std::int32_t last;
};

std::vector<LostPages> folded(const std::vector<Lost>& all) {
  std::vector<LostPages> out;
  for (const Lost& lost : all) {
    const Place& place = lost.place;
    if (!out.empty() && lost.what == "page" && out.back().first->what == "page") {
      Place next = out.back().first->place;
      next.page = out.back().last + 1;
      if (place == next) {
        ++out.back().last;
        continue;
      }
    }
    out.push_back({&lost, place.page});
  }
  return out;
}

std::string lost_text(const LostPages& lost) {
  Place place = lost.first->place;
  const std::string& column = lost.first->column;
  if (lost.last == place.page)
    return with_place(place_text(place, column), printable(promise(lost.first->what)));
  const std::string pages = fmt::format("pages {} to {}", place.page, lost.last);
  place.page = -1;
  return with_place(place_text(place, column) + ", " + pages,
                    "these pages; the others of their column chunk stand");
}

std::string where(const Finding& finding) {
  std::string text = finding.space == Space::file
                         ? fmt::format("byte {}", offset_text(finding.offset))
                         : fmt::format("byte {} of the uncompressed page, whose header is at byte {}",
                                       offset_text(finding.offset), offset_text(finding.page_offset));
  if (finding.length != 0) text += fmt::format(", {}", counted(finding.length, "byte"));
  return text;
}

std::string severities(std::uint64_t errors, std::uint64_t warnings, std::uint64_t infos) {
  std::string text = counted(errors, "error") + ", " + counted(warnings, "warning");
  if (infos != 0) text += fmt::format(", {} of advice", infos);
  return text;
}

std::uint64_t listed(const FileReport& file) {
  std::uint64_t sum = 0;
  for (const ReportedFinding& finding : file.findings) sum += finding.finding.times;
  return sum;
}

std::string paint(std::string_view text, const char* how, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", how, text) : std::string(text);
}

/// A block of lines of which the first bears the title.
template <typename List, typename Write>
void section(Out& out, std::string_view title, const List& list, bool colour, Write&& write) {
  if (list.empty()) return;
  out << "\n";
  for (const auto& item : list) {
    const std::string line = labelled("", write(item));
    out << paint(fmt::format("{:<{}}", title, kLabelColumns), kBold, colour)
        << std::string_view(line).substr(kLabelColumns);
    title = "";
  }
}

}  // namespace

void write_finding(Out& out, const ReportedFinding& reported, bool colour) {
  const Finding& finding = reported.finding;
  const RuleInfo& rule = info(finding.rule);
  const auto line = [&out](std::string_view label, std::string_view text) {
    if (!text.empty()) out << labelled(label, text);
  };
  out << "\n"
      << paint(fmt::format("{:<{}}", to_string(reported.severity), kLabelColumns),
               colour_of(reported.severity), colour)
      << paint(rule.id, kBold, colour) << "\n";
  line("what", printable(text_message(finding)));
  line("in", place_text(finding.place, reported.column));
  line("field", printable(finding.field));
  line("at", where(finding));
  line("found", printable(grouped(finding.found)));
  line("expected", printable(grouped(finding.expected)));
  if (finding.times > 1) {
    line("times", told_once(finding.rule)
                      ? fmt::format("in {} column chunks; the first is shown", finding.times)
                      : fmt::format("{} in this column chunk; the first is shown", finding.times));
  }
  line("clause", rule.clause);
  line("harm", rule.harm);
}

void TextReport::add(const FileReport& file) {
  ++files_;
  errors_ += file.errors;
  warnings_ += file.warnings;
  ++verdicts_[file.verdict];

  const std::string path = printable(file.path);
  const bool details =
      !file.findings.empty() || !file.not_run.empty() || !file.lost.empty() || !file.changes.empty();
  if (files_ > 1) *out_ << "\n";
  if (details) *out_ << paint(path, kBold, colour_) << "\n";
  for (const ReportedFinding& finding : file.findings) write_finding(*out_, finding, colour_);
  section(*out_, "lost", folded(file.lost), colour_, lost_text);
  if (file.remains) section(*out_, "still there", remains_text(*file.remains), colour_, std::identity());
  section(*out_, "not run", file.not_run, colour_, [](const NotRun& skipped) {
    return with_place(place_text(skipped.place, skipped.column),
                      fmt::format("{}: {}", printable(skipped.what), printable(skipped.why)));
  });
  section(*out_, "changed", file.changes, colour_, [](const RuleChange& change) {
    return fmt::format("{} = {}", printable(change.pattern), printable(change.severity));
  });
  if (details) *out_ << "\n";

  *out_ << fmt::format("{}: {}\n", path, paint(to_string(file.verdict), colour_of(file.verdict), colour_));
  std::string findings = severities(file.errors, file.warnings, file.infos);
  if (file.truncated) {
    const std::uint64_t all = file.errors + file.warnings + file.infos;
    findings +=
        fmt::format("; {} of them not listed (--limit 0 lists all)", all - std::min(all, listed(file)));
  }
  *out_ << labelled("findings", findings);
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

void TextReport::end() {
  if (files_ < 2) return;
  std::string text;
  for (const auto& [verdict, count] : verdicts_) text += fmt::format(", {} {}", count, to_string(verdict));
  *out_ << "\n"
        << paint(counted(files_, "file"), kBold, colour_) << ": " << text.substr(2) << "; "
        << severities(errors_, warnings_, 0) << "\n";
}

}  // namespace parqproof
