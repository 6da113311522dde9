#include "conformance/check/check.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/c/file.hpp"
#include "codec/base/composed_source.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/options/check_words.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/forms.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "conformance/report/words/wording.hpp"
#include "conformance/rewrite/sibling_step.hpp"
#include "conformance/verdict/report_of.hpp"

namespace parqproof::c {

/// A file of a report with the strings that callers get.
struct ReportedFile {
  FileReport report;
  std::string path = {};
  std::string created_by = {};
  std::vector<parqproof_finding> findings = {};
};

/// Keeps strings at their addresses.
class Strings {
 public:
  const char* keep(std::string text) { return strings_.emplace_back(std::move(text)).c_str(); }
  /// Null for an empty text.
  const char* keep_any(std::string text) { return text.empty() ? nullptr : keep(std::move(text)); }

 private:
  std::deque<std::string> strings_;
};

namespace {

constexpr std::uint32_t kMaxThreads = 1024;
constexpr std::array kVerdicts = {Verdict::conforming,    Verdict::unsupported, Verdict::limit,
                                  Verdict::nonconforming, Verdict::malformed,   Verdict::unreadable};
static_assert(static_cast<int>(Verdict::unsupported) == PARQPROOF_UNSUPPORTED_PART &&
              static_cast<int>(Verdict::limit) == PARQPROOF_LIMIT &&
              static_cast<int>(Verdict::nonconforming) == PARQPROOF_NONCONFORMING &&
              static_cast<int>(Verdict::malformed) == PARQPROOF_MALFORMED &&
              static_cast<int>(Verdict::unreadable) == PARQPROOF_UNREADABLE);

parqproof_finding finding_of(const ReportedFinding& reported, Strings& strings) {
  const Finding& finding = reported.finding;
  const RuleInfo& rule = info(finding.rule);
  return {
      .size = sizeof(parqproof_finding),
      .rule = strings.keep(std::string(rule.id)),
      .severity = strings.keep(std::string(to_string(reported.severity))),
      .fault_class = strings.keep(std::string(to_string(reported.klass))),
      .clause = strings.keep(std::string(rule.clause)),
      .clause_url = strings.keep(clause_url(rule)),
      .message = strings.keep(printable(message(finding))),
      .harm = strings.keep(std::string(rule.harm)),
      .fix = strings.keep(std::string(rule.fix)),
      .column = strings.keep_any(printable(reported.column)),
      .field = strings.keep_any(printable(finding.field)),
      .found = finding.found.empty() ? nullptr : strings.keep(printable(plain_text(finding.found))),
      .expected = finding.expected.empty() ? nullptr : strings.keep(printable(plain_text(finding.expected))),
      .offset = finding.offset,
      .length = finding.length,
      .page_offset = finding.space == Space::page ? finding.page_offset : PARQPROOF_NONE,
      .times = finding.times,
      .row_group = finding.place.row_group,
      .leaf = finding.place.leaf,
      .page = finding.place.page};
}

}  // namespace
}  // namespace parqproof::c

using namespace parqproof;  // NOLINT(google-build-using-namespace): C has none

struct parqproof_report {
  std::vector<c::ReportedFile> files;
  std::vector<Change> changes;  ///< by options
  c::Strings strings;

  [[nodiscard]] const c::ReportedFile& file(std::uint64_t index) const {
    if (index >= files.size())
      c::fail(PARQPROOF_INVALID_ARGUMENT, "the report has no file " + std::to_string(index));
    return files[static_cast<std::size_t>(index)];
  }
};

namespace parqproof::c {
namespace {

parqproof_check_options check_defaults() noexcept {
  parqproof_check_options options{};
  options.size = sizeof options;
  options.limit = CheckOptions{}.listed;
  options.end_row_group = PARQPROOF_NONE;
  options.threads = 1;
  options.with_named_files = 1;
  return options;
}

/// Takes the options; `changes` receives what they change of the rules.
CheckOptions check_options_of(const parqproof_check_options& given, std::vector<Change>& changes) {
  CheckOptions options;
  options.tier = value_of_word("tier", word(given.tier, "values"), tiers_by_word());
  options.profile = value_of_word("profile", word(given.profile, "strict"), profiles_by_word());
  if (given.edition != nullptr) options.edition = value_of_word("edition", given.edition, editions_by_word());
  options.listed = given.limit;
  options.advice = given.advice != 0;
  options.fail_on_warning = given.fail_on_warning != 0;
  const auto add = [&](const RuleChange& change, const char* by) {
    options.changes.push_back(change);
    changes.push_back({.by = by, .rule = change.pattern, .severity = change.severity});
  };
  for (const std::string& rule : strings(given.ignore, given.ignore_count, "ignore"))
    add(ignored_rule("ignore", rule), "--ignore");
  for (const std::string& rule : strings(given.only, given.only_count, "only")) {
    require_rule("only", rule);
    options.only.push_back(rule);
    changes.push_back({.by = "--only", .rule = rule});
  }
  for (const std::string& text : strings(given.severity, given.severity_count, "severity"))
    add(changed_severity("severity", text), "--severity");
  if (given.first_row_group != 0 || given.end_row_group != PARQPROOF_NONE)
    options.row_groups = RowGroups{given.first_row_group, given.end_row_group};
  if (given.threads < 1 || given.threads > kMaxThreads)
    fail(PARQPROOF_INVALID_ARGUMENT, "threads is not 1 to " + std::to_string(kMaxThreads));
  options.jobs = given.threads;
  options.limits = limits_of(given.limits);
  return options;
}

/// The reports of the file and of those that it names.
std::vector<FileReport> check_file(const parqproof_file& file, const parqproof_check_options& given,
                                   const CheckOptions& options) {
  const std::unique_ptr<Folder> folder = given.with_named_files != 0 ? file.folder() : nullptr;
  std::vector<FileReport> reports = check(*file.source, file.name, options, folder.get());
  if (!file.path.empty()) offer_schema_of_sibling(*file.source, options, reports.front());
  if (given.excerpts != 0) add_excerpts(*file.source, reports.front());
  return reports;
}

std::unique_ptr<parqproof_report> make_report_of(std::vector<FileReport> reports,
                                                 std::vector<Change> changes) {
  auto report = std::make_unique<parqproof_report>();
  report->changes = std::move(changes);
  for (FileReport& one : reports) {
    ReportedFile& file = report->files.emplace_back(ReportedFile{.report = std::move(one)});
    file.path = printable(file.report.path);
    if (file.report.created_by) file.created_by = printable(*file.report.created_by);
    for (const ReportedFinding& found : file.report.findings)
      file.findings.push_back(finding_of(found, report->strings));
  }
  return report;
}

}  // namespace
}  // namespace parqproof::c

void parqproof_check_options_init(parqproof_check_options* options) { *options = c::check_defaults(); }

const char* parqproof_verdict_name(int32_t verdict) {
  const auto index = static_cast<std::size_t>(verdict);
  return verdict < 0 || index >= c::kVerdicts.size() ? nullptr : to_string(c::kVerdicts[index]);
}

parqproof_status parqproof_check(parqproof_file* file, const parqproof_check_options* options,
                                 parqproof_report** report, parqproof_error* error) {
  if (report != nullptr) *report = nullptr;
  return c::guarded(error, [&] {
    c::required(report, "report");
    c::required(file, "file");
    const parqproof_check_options given = c::taken(options, c::check_defaults(), "options");
    std::vector<Change> changes;
    CheckOptions taken = c::check_options_of(given, changes);
    taken.footer_at = file->footer_at;
    std::vector<FileReport> reports;
    c::run_controlled(given.control, [&](const std::atomic<bool>& cancelled) {
      taken.cancelled = &cancelled;
      reports = c::check_file(*file, given, taken);
    });
    file->require_read();
    *report = c::make_report_of(std::move(reports), std::move(changes)).release();
  });
}

parqproof_status parqproof_report_unreadable(const char* name, const char* cause,
                                             const parqproof_check_options* options,
                                             parqproof_report** report, parqproof_error* error) {
  if (report != nullptr) *report = nullptr;
  return c::guarded(error, [&] {
    c::required(report, "report");
    std::vector<Change> changes;
    const CheckOptions taken =
        c::check_options_of(c::taken(options, c::check_defaults(), "options"), changes);
    std::vector<FileReport> reports;
    reports.push_back(
        unreadable(&c::required(name, "name"), printable(std::string(&c::required(cause, "cause"))), taken));
    *report = c::make_report_of(std::move(reports), std::move(changes)).release();
  });
}

void parqproof_report_free(parqproof_report* report) { delete report; }

uint64_t parqproof_report_files(const parqproof_report* report) {
  return report == nullptr ? 0 : report->files.size();
}

parqproof_status parqproof_report_file(const parqproof_report* report, uint64_t index,
                                       parqproof_file_result* result, parqproof_error* error) {
  return c::guarded(error, [&] {
    const c::ReportedFile& file = c::required(report, "report").file(index);
    const FileReport& of = file.report;
    c::give(result,
            {.size = sizeof(parqproof_file_result),
             .path = file.path.c_str(),
             .created_by = of.created_by ? file.created_by.c_str() : nullptr,
             .verdict = static_cast<std::int32_t>(of.verdict),
             .file_size = of.size.value_or(PARQPROOF_NONE),
             .rows = of.rows && *of.rows >= 0 ? static_cast<std::uint64_t>(*of.rows) : PARQPROOF_NONE,
             .errors = of.counts.error,
             .warnings = of.counts.warning,
             .infos = of.counts.info,
             .findings = file.findings.size(),
             .row_groups = of.rows ? of.row_groups : PARQPROOF_NONE},
            "result");
  });
}

parqproof_status parqproof_report_finding(const parqproof_report* report, uint64_t file, uint64_t index,
                                          parqproof_finding* finding, parqproof_error* error) {
  return c::guarded(error, [&] {
    const std::vector<parqproof_finding>& findings = c::required(report, "report").file(file).findings;
    if (index >= findings.size())
      c::fail(PARQPROOF_INVALID_ARGUMENT, "the file has no finding " + std::to_string(index));
    c::give(finding, findings[static_cast<std::size_t>(index)], "finding");
  });
}

parqproof_status parqproof_report_write(const parqproof_report* report, const char* form,
                                        parqproof_file* file, const parqproof_sink* sink,
                                        parqproof_error* error) {
  return c::guarded(error, [&] {
    c::required(report, "report");
    const std::string name(&c::required(form, "form"));
    const std::optional<ReportForm> found = find_form(name);
    if (!found)
      c::fail(PARQPROOF_INVALID_ARGUMENT, "form: '" + name + "' is not one of " + joined(form_names()));
    RunSummary summary(report->changes);
    const std::vector<Verdict> tolerated;
    c::write_out(sink, [&](Out& out) {
      const FormSettings settings{.tolerated = tolerated};
      const std::unique_ptr<Report> written = make_report(*found, out, settings);
      for (std::size_t i = 0; i < report->files.size(); ++i) {
        const bool has_bytes = i == 0 && file != nullptr && written->shows_bytes();
        written->add(report->files[i].report, has_bytes ? &file->up_to_footer() : nullptr);
        summary.add(report->files[i].report);
      }
      written->end(summary);
    });
    if (file != nullptr) file->require_read();
  });
}
