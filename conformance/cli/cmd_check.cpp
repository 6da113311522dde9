#include <unistd.h>

#include <algorithm>
#include <expected>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "codec/base/composed_source.hpp"
#include "codec/base/text.hpp"
#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/config.hpp"
#include "conformance/cli/input/file_search.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/input/keys_file.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/report_outputs.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/options/check_words.hpp"
#include "conformance/policy/policy.hpp"
#include "conformance/report/baseline.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/rewrite/sibling_step.hpp"
#include "conformance/verdict/cause_groups.hpp"

namespace parqproof::cli {
namespace {

constexpr unsigned kMaxJobs = 1024;
constexpr std::uint64_t kMaxBaselineBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kMaxListBytes = std::uint64_t{1} << 30;

struct Check {
  std::vector<std::string> paths;
  std::string files_from;  ///< path of a list of further paths; empty: none
  CheckOptions options;
  std::vector<Change> reported_changes;  ///< options.changes and --only for the report, in the order given
  std::vector<std::string> globs;        ///< empty: *.parquet
  std::vector<FileOutput> outputs;       ///< in addition to standard output
  std::vector<Verdict> tolerated;        ///< files with these exit with 0
  ReportForm form = ReportForm::text;
  Keys keys;
  std::string baseline;  ///< path; empty: none
  std::string config;    ///< path; empty: the nearest
  bool no_config = false;
  std::optional<Profile> profile;
  std::optional<Edition> edition;
  bool summary = false;  ///< print only the summary
  bool hex = false;      ///< print findings with their bytes
  bool quiet = false;
  const Kernels* kernels = &parqproof::kernels();
};

void add_change(Check& check, const RuleChange& change, const char* option) {
  check.options.changes.push_back(change);
  check.reported_changes.push_back({.by = option, .rule = change.pattern, .severity = change.severity});
}

/// Comma-separated verdicts.
void take_tolerated(const std::string& text, std::vector<Verdict>& tolerated) {
  std::istringstream parts(text + ",");
  for (std::string part; std::getline(parts, part, ',');) {
    const auto verdict = std::ranges::find(kTolerable, part, [](Verdict one) { return to_string(one); });
    if (verdict == kTolerable.end()) refuse("--tolerate: '" + part + "' is neither unsupported nor limit");
    tolerated.push_back(*verdict);
  }
}

std::string joined_editions() {
  std::string out;
  for (const Edition edition : kJudgedEditions) (out += out.empty() ? "" : ", ") += to_string(edition);
  return out;
}

/// Options that select the rules and their severity.
void declare_judgement(Subcommand& sub, Check& check) {
  CheckOptions& options = check.options;
  sub.choice("--tier", options.tier, tiers_by_word(),
             "depth of the check: footer; pages (also page headers,\n"
             "indexes, filter headers); values (default: everything)")
      .choice("--profile", check.profile, {profiles_by_word().begin(), profiles_by_word().end()},
              "strict (default: the current specification); historical\n"
              "(also allows what only old editions define); interop\n"
              "(known, tolerated deviations are advice)")
      .choice("--edition", check.edition, {editions_by_word().begin(), editions_by_word().end()},
              "edition of the format: " + joined_editions() +
                  " (default: " + std::string(to_string(kReleasedEdition)) +
                  ",\nthe newest release); what it does not define yet is\n" + "named, and not judged")
      .flag("--advice", options.advice, "show findings of severity info, and compute the costly ones")
      .repeated(
          "--ignore",
          [&check](const std::string& pattern) {
            add_change(check, ignored_rule("--ignore", pattern), "--ignore");
          },
          "RULE",
          "do not check this rule; area/* means all rules of an area\n(may be repeated, as the next two)")
      .repeated(
          "--only",
          [&check](const std::string& pattern) {
            require_rule("--only", pattern);
            check.options.only.push_back(pattern);
            check.reported_changes.push_back({.by = "--only", .rule = pattern});
          },
          "RULE", "report only this rule")
      .repeated(
          "--severity",
          [&check](const std::string& text) {
            add_change(check, changed_severity("--severity", text), "--severity");
          },
          "RULE=LEVEL", "set the severity of this rule: error, warning, info, off")
      .choice("--fail-on", options.fail_on_warning, {{"error", false}, {"warning", true}},
              "error (default), or warning: exit 1 for a warning too")
      .repeated(
          "--tolerate", [&check](const std::string& text) { take_tolerated(text, check.tolerated); },
          "VERDICTS", "unsupported, limit or unsupported,limit: a file with this\nverdict exits with 0");
}

/// Options that select the form and the destination of the report.
void declare_report(Subcommand& sub, Check& check) {
  sub.number("--limit", check.options.listed, "N",
             "max findings listed for each file, default 100, 0 for all;\n"
             "errors before warnings before advice. The verdict does\n"
             "not depend on it")
      .text("--baseline", check.baseline, "FILE",
            "an earlier report in JSON: findings with the same file,\n"
            "rule, column and field are known, and only new errors\n"
            "exit with 1")
      .flag("--summary", check.summary, "print only the summary over all files")
      .flag("--hex", check.hex, "text: print the bytes of each finding, with annotations")
      .parsed(
          "--format", [&check](const std::string& name) { check.form = report_form("--format", name); },
          "FORMAT",
          "text (default); json; ndjson (an object a line: the head,\n"
          "each file, the summary); lines (a line for each finding);\n"
          "sarif (2.1.0, for code scanning); junit (XML, a test case\n"
          "for each file); github (annotations of a workflow);\n"
          "codequality (JSON, for merge requests of GitLab); markdown\n"
          "(for a comment on a pull request); html (one page that needs\n"
          "no network: overview, byte map, bytes at fault)")
      .repeated(
          "--output", [&check](const std::string& text) { check.outputs.push_back(file_output(text)); },
          "FORMAT=FILE", "also write the report in this form to a file\n(may be repeated)")
      .flag("--quiet", check.quiet, "print nothing; the exit code gives the result");
}

void declare(Subcommand& sub, Check& check) {
  CheckOptions& options = check.options;
  const auto take_jobs = [&options](std::uint64_t number) {
    if (number < 1 || number > kMaxJobs)
      refuse("-j: " + std::to_string(number) + " is out of range; expected 1 to " + std::to_string(kMaxJobs));
    options.jobs = static_cast<unsigned>(number);
  };
  sub.alias("validate").alias("verify");
  sub.texts("FILE", check.paths, "[FILE|DIR|-]...",
            "files; directories, searched for *.parquet; - is standard input", Need::optional);
  sub.text("--files-from", check.files_from, "FILE",
           "a list of further files and directories, one a line, or\neach with a zero byte after it (find "
           "-print0)");
  sub.repeated(
      "--glob", [&check](const std::string& pattern) { check.globs.push_back(pattern); }, "PATTERN",
      "files to select in a directory, default *.parquet (may be\nrepeated); **/ is any folder");
  declare_judgement(sub, check);
  sub.text("--config", check.config, "FILE",
           "configuration of the rules to check; default: the nearest\n"
           ".parqproof.toml in the working directory or above")
      .flag("--no-config", check.no_config, "read no configuration");
  declare_report(sub, check);
  sub.range(
         "--row-groups",
         [&options](std::uint64_t first, std::uint64_t end) { options.row_groups = RowGroups{first, end}; },
         "check only the pages of row groups A to B-1, counted from\n"
         "0; the footer is checked completely")
      .limits(options.limits,
              "max memory for a page and its uncompressed bytes; a footer\n"
              "may take a quarter of this. Larger pages and footers are\n"
              "not checked (default 8G)")
      .number("-j,--jobs", take_jobs, "N",
              "column chunks checked in parallel (default 1); the report\nis the same for every N")
      .footer_at(options.footer_at)
      .keys([&check](const std::string& path) { check.keys = read_keys(path); })
      .choice("--kernels", check.kernels,
              {{"fast", all_kernels().back()}, {"reference", &reference_kernels()}},
              "fast (default) or reference: the decoding loops, for diagnosis")
      .footer(R"(
Files that column chunks name (as in _metadata) are checked too, each with its own report; only regular files below the
folder of the file that names them are opened, and no links.
Exit code: 0 conforming; 1 a rule is broken; 2 something could not be read or checked.

Examples:
  parqproof check part-0001.parquet
  parqproof check --format json --limit 0 out/ > report.json
  parqproof check --summary --output ndjson=report.ndjson out/
  parqproof check --output html=report.html out/
  parqproof check --tier footer --fail-on warning *.parquet
  parqproof check --row-groups 3:4 a.parquet
  parqproof check --ignore 'rle/*' --severity footer/created-by-format=error a.parquet
  curl -s https://example.com/a.parquet | parqproof check -)");
}

/// Report of a file that was not checked because of Ctrl-C.
FileReport not_checked(const std::string& path, const CheckOptions& options) {
  FileReport report = unreadable(path, "the check was stopped", options);
  report.verdict = Verdict::unsupported;
  return report;
}

/// The result for one file to check, which may be unreadable.
struct PathResult {
  std::vector<FileReport> reports;  ///< of the file, and of the files that its column chunks name
  std::unique_ptr<Source> source;   ///< null if it could not be opened
};

PathResult check_path(const std::string& path, CheckOptions options, const Keys& keys, bool hex,
                      ProgressLine& line) {
  std::string why;
  std::unique_ptr<Source> source = cancelled() ? nullptr : open_input(path, keys, why);
  if (cancelled()) return {{not_checked(path, options)}, nullptr};
  if (source != nullptr) {
    options.progress = line.opened(source->size());
    const std::unique_ptr<Folder> folder = path == kStandardInput ? nullptr : Folder::of(path, why);
    std::vector<FileReport> reports = check(*source, path, options, folder.get());
    if (path != kStandardInput) offer_schema_of_sibling(*source, options, reports.front());
    if (hex) add_excerpts(*source, reports.front());
    return {std::move(reports), std::move(source)};
  }
  line.end();
  complain(path + ": " + why);
  return {{unreadable(path, why, options)}, nullptr};
}

/// Passes a report on, with the bytes of its file if they are shown. `source` has the bytes of the file on
/// the command line; files that it names are opened again.
void write_report(const FileReport& report, const Source* source, ReportOutputs& outputs) {
  if (!outputs.shows_bytes() || report.verdict == Verdict::unreadable) return outputs.add(report, nullptr);
  std::string why;
  std::unique_ptr<Source> named;
  if (!report.named_by.empty()) named = open_input(report.path, why);
  const Source* const bytes = report.named_by.empty() ? source : named.get();
  const bool ends_at_footer = bytes != nullptr && report.footer_at && *report.footer_at <= bytes->size();
  if (!ends_at_footer) return outputs.add(report, bytes);
  ComposedSource cut;
  cut.add(*bytes, 0, *report.footer_at);
  outputs.add(report, &cut);
}

/// Opens the requested reports; false after a complaint.
bool open_outputs(const Check& check, const std::vector<FoundFile>& files, ReportOutputs& outputs) {
  for (const FileOutput& output : check.outputs) {
    std::string why;
    if (outputs.to_file(output, files, why)) continue;
    complain("--output: " + output.path + ": " + why);
    return false;
  }
  if (!check.quiet) outputs.to_standard_output(check.form);
  return true;
}

/// Reads the requested baseline; false after a complaint.
bool read_baseline(const std::string& path, std::optional<Baseline>& baseline) {
  if (path.empty()) return true;
  std::string why;
  if (const auto bytes = read_input(path, kMaxBaselineBytes, why))
    baseline = Baseline::read(text_of(*bytes), why);
  if (!baseline) complain("--baseline: " + path + ": " + why);
  return baseline.has_value();
}

/// Adds the paths that --files-from lists.
bool read_paths(const std::string& list, std::vector<std::string>& paths) {
  if (list.empty()) return true;
  std::string why;
  const auto bytes = read_input(list, kMaxListBytes, why);
  if (!bytes) {
    complain("--files-from: " + list + ": " + why);
    return false;
  }
  const std::string_view text = text_of(*bytes);
  const char end = text.contains('\0') ? '\0' : '\n';
  for (const auto line : std::views::split(text, end)) {
    std::string path(line.begin(), line.end());
    if (end == '\n' && path.ends_with('\r')) path.pop_back();
    if (!path.empty()) paths.push_back(std::move(path));
  }
  if (paths.empty()) complain("--files-from: " + list + ": no path");
  return !paths.empty();
}

/// Verdicts that exit with 0: options take precedence over the configuration.
const std::vector<Verdict>& tolerated(const Check& check, const std::optional<Config>& config) noexcept {
  return check.tolerated.empty() && config ? config->tolerated : check.tolerated;
}

/// One run over all files, with its options and totals.
class Run {
 public:
  Run(const Check& check, std::vector<FoundFile> files, std::optional<Config> config)
      : check_(check), files_(std::move(files)), config_(std::move(config)), options_(check.options) {
    options_.cancelled = &cancelled();
    if (check.profile) options_.profile = *check.profile;
    if (check.edition) options_.edition = *check.edition;
    if (config_) configure();
    changes_.insert(changes_.end(), check.reported_changes.begin(), check.reported_changes.end());
  }

  /// Checks all files and writes the reports. Returns the highest exit code of the files and `code`;
  /// kCouldNotRun after Ctrl-C, or if a report could not be written.
  [[nodiscard]] int check_files(const std::optional<Baseline>& baseline, ReportOutputs& outputs, int code) {
    if (baseline) options_.listed = 0;  // the baseline selects what is listed
    RunSummary summary(changes_);
    ProgressLine line(files_, !check_.quiet);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      line.begin(i);
      PathResult result = check_path(files_[i].path, options_, check_.keys, check_.hex, line);
      line.end();
      for (FileReport& report : result.reports) {
        const std::string& folder = files_[i].folder;
        if (!folder.empty() && report.path.starts_with(folder))
          report.relative = report.path.substr(folder.size());
        if (baseline) {
          baseline->compare(report, options_);
          keep_listed_findings(report, check_.options.listed);
        }
        code = std::max(code, exit_code(report, tolerated(check_, config_)));
        omitted_ += report.omitted.total();
        used_.insert(report.ignored.begin(), report.ignored.end());
        summary.add(report);
        write_report(report, result.source.get(), outputs);
      }
      outputs.flush();
    }
    code = outputs.end(summary, code);
    if (!check_.quiet) print_omitted_and_unused();
    return cancelled() ? kCouldNotRun : code;
  }

 private:
  /// The configuration takes precedence over defaults, and options over it.
  void configure() {
    if (!check_.profile && config_->profile) options_.profile = *config_->profile;
    if (!check_.edition && config_->edition) options_.edition = *config_->edition;
    options_.changes.insert(options_.changes.begin(), config_->severities.begin(), config_->severities.end());
    for (const FoundFile& file : files_) {
      if (!file.folder.empty() && (searched_.empty() || searched_.back() != file.folder))
        searched_.push_back(file.folder);
    }
    for (const ConfiguredIgnore& ignore : config_->ignores) {
      const auto meant = [this, &ignore](const std::string& path, const std::optional<std::string>& writer) {
        return is_meant(ignore, *config_, searched_, path, writer);
      };
      options_.ignores.push_back({ignore.rule, meant});
    }
    changes_ = changes_of(*config_, {!check_.profile, !check_.edition, check_.tolerated.empty()});
  }

  /// Prints to stderr how many findings `lines` omits, and which enabled entries of `ignores` never matched.
  void print_omitted_and_unused() const {
    if (omitted_ != 0 && check_.form == ReportForm::lines)
      complain(counted(omitted_, "finding") + (omitted_ == 1 ? " is" : " are") +
               " not listed (--limit 0 lists all)");
    if (!config_ || cancelled()) return;
    const Policy policy(options_);
    for (std::size_t i = 0; i < config_->ignores.size(); ++i) {
      const ConfiguredIgnore& ignore = config_->ignores[i];
      bool enabled = false;
      for (std::size_t rule = 0; rule < all_rules().size(); ++rule)
        enabled |= policy.severity(static_cast<Rule>(rule)) && matches(ignore.rule, static_cast<Rule>(rule));
      if (enabled && !used_.contains(i))
        complain(config_->path + ":" + std::to_string(ignore.line) + ": the entry of 'ignores' for " +
                 ignore.rule + " never matched");
    }
  }

  const Check& check_;
  std::vector<FoundFile> files_;
  std::optional<Config> config_;
  CheckOptions options_;
  std::vector<Change> changes_;
  std::vector<std::string> searched_;  // directories to check
  std::set<std::size_t> used_;         // ordinals of the ignores that matched
  std::uint64_t omitted_ = 0;
};

/// Reads the configuration, if there is one; false after a complaint.
bool find_and_read_config(const Check& check, std::optional<Config>& config) {
  if (check.no_config) return true;
  const std::string path = check.config.empty() ? find_config() : check.config;
  if (path.empty()) return true;
  std::expected<Config, std::string> read = read_config(path);
  if (!read) {
    complain(read.error());
    return false;
  }
  config = std::move(*read);
  return true;
}

int run(const Check& check) {
  use_kernels(*check.kernels);
  if (check.paths.empty() && check.files_from.empty())
    return could_not_run("FILE is required (parqproof --help)");
  if (check.no_config && !check.config.empty())
    return could_not_run("--config and --no-config exclude each other");
  if (check.summary && !has_summary(check.form))
    return could_not_run("--summary: this --format lists findings and has no summary");
  FileSearch search{.globs = check.globs, .hint = !check.quiet};
  if (search.globs.empty()) search.globs.emplace_back("*.parquet");
  std::vector<std::string> paths = check.paths;
  const bool lists_input = check.files_from == kStandardInput;
  if (!read_paths(check.files_from, paths)) return kCouldNotRun;
  if (std::ranges::count(paths, kStandardInput) + (lists_input ? 1 : 0) > 1)
    return could_not_run("standard input can be read only once");
  std::vector<FoundFile> files = expand(paths, search);
  for (const std::string& complaint : search.complaints) complain(complaint);
  for (const std::string& hint : search.hints) complain(hint);
  std::optional<Config> config;
  if (!find_and_read_config(check, config)) return kCouldNotRun;
  std::optional<Baseline> baseline;
  if (!read_baseline(check.baseline, baseline)) return kCouldNotRun;
  ReportOutputs outputs(check.summary ? ReportExtent::summary : ReportExtent::files,
                        tolerated(check, config));
  if (!open_outputs(check, files, outputs)) return kCouldNotRun;
  return Run(check, std::move(files), std::move(config))
      .check_files(baseline, outputs, search.complaints.empty() ? kFine : kCouldNotRun);
}

}  // namespace

void add_check(CommandLine& line) {
  line.add<Check>("check", "check files against the specification, and metadata against data", declare, run);
}

}  // namespace parqproof::cli
