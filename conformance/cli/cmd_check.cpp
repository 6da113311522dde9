#include <unistd.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/check/check.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/progress.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/check_report.hpp"

namespace parqproof::cli {
namespace {

constexpr unsigned kMaxJobs = 1024;

struct Check {
  std::vector<std::string> paths;
  CheckOptions options;
  Format format = Format::text;
  bool quiet = false;
  const Kernels* kernels = &parqproof::kernels();
};

void require_rule(const std::string& option, const std::string& pattern) {
  for (std::size_t i = 0; i < all_rules().size(); ++i) {
    if (matches(pattern, static_cast<Rule>(i))) return;
  }
  refuse(option + ": no rule is called '" + pattern + "'; `parqproof rules` lists them");
}

/// RULE=LEVEL
RuleChange severity_change(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::string level = equals == text.npos ? "" : text.substr(equals + 1);
  if (level != "error" && level != "warning" && level != "info" && level != "off") {
    refuse("--severity: '" + text + "' is not RULE=error, warning, info or off");
  }
  require_rule("--severity", text.substr(0, equals));
  return {text.substr(0, equals), level};
}

/// What is judged, and with which severity.
void declare_judgement(Subcommand& sub, CheckOptions& options) {
  sub.choice("--tier", options.tier,
             {{"footer", Tier::footer}, {"pages", Tier::pages}, {"values", Tier::values}},
             "how deep to look: footer; pages (also page headers,\nindexes, filter headers); values "
             "(default: everything)")
      .choice(
          "--profile", options.profile,
          {{"strict", Profile::strict}, {"historical", Profile::historical}, {"interop", Profile::interop}},
          "strict (default: the current specification); historical\n(what only old editions define is "
          "legal too); interop\n(known, tolerated deviations are advice)")
      .flag("--advice", options.advice, "show findings of severity info, and compute the costly ones")
      .repeated(
          "--ignore",
          [&options](const std::string& pattern) {
            require_rule("--ignore", pattern);
            options.changes.push_back({pattern, "off"});
          },
          "RULE", "do not judge this rule; area/* means all of an area\n(may be repeated, as the next two)")
      .repeated(
          "--only",
          [&options](const std::string& pattern) {
            require_rule("--only", pattern);
            options.only.push_back(pattern);
          },
          "RULE", "judge this rule and no other")
      .repeated(
          "--severity",
          [&options](const std::string& text) { options.changes.push_back(severity_change(text)); },
          "RULE=LEVEL", "judge this rule with another severity: error, warning,\ninfo, off")
      .choice("--fail-on", options.fail_on_warning, {{"error", false}, {"warning", true}},
              "error (default), or warning: exit 1 for a warning too");
}

void declare(Subcommand& sub, Check& check) {
  CheckOptions& options = check.options;
  const auto take_jobs = [&options](std::uint64_t number) {
    if (number < 1 || number > kMaxJobs) refuse("-j: from 1 to " + std::to_string(kMaxJobs));
    options.jobs = static_cast<unsigned>(number);
  };
  sub.alias("validate").alias("verify");
  sub.texts("FILE", check.paths, "[FILE|DIR|-]...",
            "files; directories, searched for *.parquet; - is standard input", Need::required);
  declare_judgement(sub, options);
  sub.number("--limit", options.listed, "N",
             "findings listed for each file, default 100, 0 for all;\nthe verdict is the same")
      .limits(options.limits,
              "a page with its uncompressed form that takes more, or a footer\nof more than a quarter of it, "
              "is not judged (default 8G)")
      .number("-j,--jobs", take_jobs, "N",
              "column chunks judged at the same time (default 1);\nthe report is the same for every N")
      .number(
          "--footer-at", options.footer_at, "OFFSET",
          "judge with the footer whose last byte of magic ends there:\nan earlier footer of a damaged file")
      .flag("--quiet", check.quiet, "print nothing; the exit code tells")
      .choice("--kernels", check.kernels,
              {{"fast", all_kernels().back()}, {"reference", &reference_kernels()}},
              "fast (default) or reference: the loops that decode, for diagnosis")
      .format(check.format)
      .footer(R"(
Files that column chunks name (_metadata does so) are judged too, each with a report of its own; only regular files
below the folder of the file that names them are opened, and no links.
Exit code: 0 conforming; 1 a rule is broken; 2 something could not be read or judged.

Examples:
  parqproof check part-0001.parquet
  parqproof check --format json --limit 0 out/ > report.json
  parqproof check --tier footer --fail-on warning *.parquet
  parqproof check --ignore 'rle/*' --severity footer/created-by-format=error a.parquet
  curl -s https://example.com/a.parquet | parqproof check -)");
}

/// The report of a file that Ctrl-C kept from being read.
FileReport not_reached(const std::string& path, const CheckOptions& options) {
  FileReport report = unreadable(path, "the check was stopped", options);
  report.verdict = Verdict::unsupported;
  return report;
}

/// The report of the file, and those of the files beside it that its column chunks name.
std::vector<FileReport> check_path(const std::string& path, CheckOptions options, ProgressLine& line) {
  if (cancelled()) return {not_reached(path, options)};
  std::string why;
  const std::unique_ptr<Source> source = open_input(path, why);
  if (cancelled()) return {not_reached(path, options)};
  if (source != nullptr) {
    options.progress = line.opened(source->size());
    const std::unique_ptr<Folder> folder = path == kStandardInput ? nullptr : Folder::of(path, why);
    return check(*source, path, options, folder.get());
  }
  line.end();
  complain(path + ": " + why);
  return {unreadable(path, why, options)};
}

int run(const Check& check) {
  use_kernels(*check.kernels);
  CheckOptions options = check.options;
  options.cancelled = &cancelled();
  if (std::ranges::count(check.paths, kStandardInput) > 1) {
    complain("standard input can be read only once");
    return kCouldNotRun;
  }
  std::vector<std::string> complaints;
  const std::vector<std::string> paths = expand(check.paths, complaints);
  for (const std::string& complaint : complaints) complain(complaint);
  int code = complaints.empty() ? kFine : kCouldNotRun;

  Out out(STDOUT_FILENO);
  std::optional<JsonReport> json;
  std::optional<TextReport> text;
  if (!check.quiet && check.format == Format::json) json.emplace(out);
  if (!check.quiet && check.format == Format::text) text.emplace(out, fancy(STDOUT_FILENO));
  ProgressLine line(paths, !check.quiet);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    line.begin(i);
    const std::vector<FileReport> reports = check_path(paths[i], options, line);
    line.end();
    for (const FileReport& report : reports) {
      code = std::max(code, exit_code(report));
      if (json) json->add(report);
      if (text) text->add(report);
    }
    out.flush();
  }
  if (json) json->end();
  if (text) text->end();
  if (cancelled()) code = kCouldNotRun;
  return finish(out, code);
}

}  // namespace

void add_check(CommandLine& line) {
  line.add("check", "judge files: are they legal, and is what they say true?", declare, run);
}

}  // namespace parqproof::cli
