#include "fuzz/invariants.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>

#include "codec/kernel/kernels.hpp"
#include "conformance/report/bytes/annotate.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/ci_reports.hpp"
#include "conformance/report/html/html_report.hpp"
#include "conformance/report/metadata/metadata.hpp"
#include "fuzz/kernels_in_use.hpp"

namespace parqproof::fuzz {
namespace {

RunSummary summary_of(const FileReport& report) {
  RunSummary summary;
  summary.add(report);
  return summary;
}

void write(Report& form, const FileReport& report, const Source* source) {
  form.add(report, form.shows_bytes() ? source : nullptr);
  form.end(summary_of(report));
}

template <typename Form, auto... kArguments>
void print(const Source& source, const FileReport& report, Out& out) {
  Form form(out, kArguments...);
  write(form, report, &source);
}

void print_junit(const Source& source, const FileReport& report, Out& out) {
  JunitReport form(out, {});
  write(form, report, &source);
}

void print_layout(const Source& source, const FileReport& /*report*/, Out& out) {
  const Layout layout = read_layout(source);
  write_layout_text(source, layout, "file", out);
  write_layout_json(source, layout, "file", nullptr, out);
}

void print_footer(const Source& source, const FileReport& /*report*/, Out& out) {
  std::ignore = dump_footer_json(source, "file", out);
}

using Print = void (*)(const Source&, const FileReport&, Out&);
constexpr Print kPrints[] = {
    print<TextReport, false>, print<TextReport, true>, print<HtmlReport>,  print<JsonReport>,
    print<NdjsonReport>,      print<LinesReport>,      print<SarifReport>, print_junit,
    print<GithubReport>,      print<MarkdownReport>,   print_layout,       print_footer};

}  // namespace

std::string json_of(const FileReport& report) {
  std::string text;
  Out out(text);
  JsonReport json(out);
  write(json, report, nullptr);
  out.flush();
  return text;
}

void print_report(const Source& source, const FileReport& report) {
  std::string text;
  Out out(text);
  for (const Print print : kPrints) print(source, report, out);
}

void print_one_form(const Source& source, const FileReport& report, std::size_t chance) {
  std::string text;
  Out out(text);
  kPrints[chance % std::size(kPrints)](source, report, out);
}

std::string contradiction(const FileReport& report, std::uint64_t size) {
  const auto has = [&](Severity severity, Class klass) {
    return std::ranges::any_of(report.findings, [&](const ReportedFinding& one) {
      return one.severity == severity && one.klass == klass;
    });
  };
  if (report.lost.empty() == (report.verdict == Verdict::malformed))
    return std::string("the verdict is ") + to_string(report.verdict) + ", and " +
           (report.lost.empty() ? "nothing" : to_string(report.lost.front().what)) + " is lost";
  if (report.verdict == Verdict::unreadable) return "bytes in memory are not unreadable";
  if (report.truncated()) return {};  // the finding that decides the verdict may not be listed
  const bool malformed = has(Severity::error, Class::malformed);
  const bool invalid = has(Severity::error, Class::invalid);
  const bool limit = has(Severity::warning, Class::limit);
  const bool unsupported =
      has(Severity::warning, Class::unsupported) ||
      std::ranges::any_of(report.not_run, [](const NotRun& one) { return !one.by_choice; });
  const Verdict mildest = malformed     ? Verdict::malformed
                          : invalid     ? Verdict::nonconforming
                          : limit       ? Verdict::limit
                          : unsupported ? Verdict::unsupported
                                        : Verdict::conforming;
  if (report.verdict != mildest) {
    return std::string("the verdict is ") + to_string(report.verdict) + ", the findings give " +
           to_string(mildest);
  }
  std::uint64_t position = 0;
  for (const ReportedFinding& one : report.findings) {
    const Finding& finding = one.finding;
    const std::string rule(info(finding.rule).id);
    const std::uint64_t at = finding.file_position();
    if (at > size || (finding.space == Space::file && finding.length > size - at))
      return rule + " is outside the file";
    if (at < position) return rule + " is out of order";
    if (finding.times == 0) return rule + " occurs zero times";
    position = at;
  }
  return {};
}

std::string map_fault(std::span<const std::uint8_t> bytes) {
  const MemorySource source(bytes);
  const Layout layout = read_layout(source);
  if (layout.failed) return "bytes in memory cannot fail to be read";
  Annotator annotator(source, layout);
  std::uint64_t at = 0;
  for (const Segment& segment : layout.segments) {
    if (segment.offset != at || segment.length == 0) return "no segment begins at " + std::to_string(at);
    std::string fault;
    annotator.annotate(segment, [&](const Run& run) {
      if (run.offset != at) fault = "no run begins at " + std::to_string(at);
      at = run.offset + run.length;
      return fault.empty();
    });
    if (!fault.empty()) return fault;
    if (at != segment.end())
      return "the runs of the segment at " + std::to_string(segment.offset) + " end at " + std::to_string(at);
  }
  return at == bytes.size() ? "" : "the map ends at " + std::to_string(at);
}

WrittenRows rows_of(const Source& source, const RowOptions& options) {
  WrittenRows rows;
  Out out(rows.text);
  ReadingFailure failure;
  rows.outcome = write_rows(source, options, out, failure);
  out.flush();
  const std::string& text = rows.text;
  for (std::size_t at = 0; at < text.size(); ++rows.lines) {
    const std::size_t end = text.find('\n', at);
    if (end == text.npos) {
      rows.fault = "the last line of rows has no end";
      return rows;
    }
    if (!nlohmann::json::accept(text.begin() + static_cast<std::ptrdiff_t>(at),
                                text.begin() + static_cast<std::ptrdiff_t>(end))) {
      rows.fault = "a row is not JSON: " + text.substr(at, end - at);
    }
    at = end + 1;
  }
  const bool has_finding = failure.finding() != nullptr;
  rows.is_limited = rows.outcome.end == RowsEnd::failed && !failure.broken();
  if (rows.outcome.end == RowsEnd::failed && failure.broken() && !has_finding)
    rows.fault = "the rows end without a broken rule";
  if (rows.outcome.end == RowsEnd::complete && has_finding)
    rows.fault = "a rule is broken, and the rows continue";
  return rows;
}

std::string rows_fault(std::span<const std::uint8_t> bytes, RowView view) {
  RowOptions options;
  options.view = view;
  options.limit = kFewRows;
  options.limits = small_limits();
  return rows_of(MemorySource(bytes), options).fault;
}

Limits small_limits() {
  Limits limits;
  limits.page_bytes = std::uint64_t{1} << 20;
  limits.memory_bytes = std::uint64_t{4} << 20;
  return limits;
}

FileReport judged_with(const Kernels& set, const Source& source, Tier tier, Profile profile,
                       const Limits& limits) {
  CheckOptions options;
  options.limits = limits;
  options.listed = 0;
  options.advice = true;
  options.tier = tier;
  options.profile = profile;
  const KernelsInUse in_use(set);
  return check(source, "file", options);
}

std::string whole_file_fault(std::span<const std::uint8_t> bytes) {
  const MemorySource source(bytes);
  const Kernels& fast = *all_kernels()[bytes.size() % all_kernels().size()];
  FileReport report;
  std::string fault;
  for (const Tier tier : {Tier::footer, Tier::pages, Tier::values}) {
    report = judged_with(fast, source, tier);
    fault = contradiction(report, bytes.size());
    if (fault.empty()) continue;
    fault.insert(0, "tier " + std::string(to_string(tier)) + ": ");
    break;
  }
  if (fault.empty() && json_of(judged_with(reference_kernels(), source, Tier::values)) != json_of(report))
    fault = "kernels " + std::string(fast.name) + " give another report than the reference";
  print_report(source, report);
  if (fault.empty()) fault = map_fault(bytes);
  if (fault.empty()) fault = rows_fault(bytes, RowView::logical);
  if (fault.empty()) fault = rows_fault(bytes, RowView::physical);
  return fault;
}

}  // namespace parqproof::fuzz
