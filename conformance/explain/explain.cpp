#include "conformance/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/check/check.hpp"
#include "conformance/explain/rule_list.hpp"
#include "conformance/explain/witnesses.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/report/bytes/layout_report.hpp"
#include "conformance/report/check_report.hpp"
#include "conformance/report/json_writer.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof {
namespace {

/// Prints the changes that the profiles other than strict make to the rule, with reasons.
void show_profiles(Rule rule, Out& out) {
  std::string_view label = "profiles";
  for (const ProfileRow& row : profile_rows()) {
    if (row.rule != rule) continue;
    out << labelled(label, fmt::format("{}: {}. {}", to_string(row.profile), to_string(row.change), row.why));
    label = "";
  }
}

/// Prints the edition that added the rule.
void show_edition(Rule rule, Out& out) {
  for (const EditionRow& row : edition_rows()) {
    if (row.rule == rule) out << labelled("since", fmt::format("edition {}", to_string(row.since)));
  }
}

FileReport judge(const Witness& witness, const Source& source, const RuleInfo& rule) {
  CheckOptions options;
  options.advice = true;
  options.only.emplace_back(rule.id);
  if (witness.profile == "historical") options.profile = Profile::historical;
  if (witness.profile == "interop") options.profile = Profile::interop;
  if (witness.max_page != 0) options.limits.page_bytes = witness.max_page;
  if (witness.max_memory != 0) options.limits.memory_bytes = witness.max_memory;
  return check(source, std::string(witness.name), options);
}

void show(const Witness& witness, const RuleInfo& rule, bool fancy, Out& out) {
  out << fmt::format("\nThe smallest file of the corpus that breaks it, {}/{}.parquet, {}:\n", rule.id,
                     witness.name, counted(witness.size, "byte"))
      << labelled("", witness.about);
  if (witness.bytes.empty()) {
    out << "\nThe file is too large to be shown here; `parqproof layout --hex` shows its bytes.\n";
    return;
  }
  const MemorySource source(witness.bytes);
  const FileReport report = judge(witness, source, rule);
  std::vector<Mark> marks;
  for (const ReportedFinding& found : report.findings) {
    if (found.finding.space == Space::file) marks.push_back({found.finding.offset, found.finding.length});
    write_finding(out, found, fancy);
  }
  // Some rules depend on other files or on the name of the file, and these bytes alone do not break them.
  if (report.findings.empty() && witness.at >= 0)
    marks.push_back({static_cast<std::uint64_t>(witness.at), 1});
  out << (marks.empty() ? "\nIts bytes:\n\n" : "\nIts bytes; `>` marks those at fault:\n\n");
  write_annotated_bytes(source, read_layout(source), {.marks = marks}, out);
}

/// The bytes as lower-case hex.
std::string hex_of(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

}  // namespace

void explain(Rule rule, bool fancy, Out& out) {
  const RuleInfo& row = info(rule);
  out << fmt::format("{}\n", row.id) << labelled("demands", row.statement)
      << labelled("clause", fmt::format("{} (parquet-format {})", row.clause, kSpecCommit.substr(0, 7)))
      << labelled("ground", fmt::format("{}; binds {}", to_string(row.ground),
                                        row.binds == Binds::both ? "writers and readers"
                                                                 : fmt::format("{}s", to_string(row.binds))))
      << labelled("severity", to_string(row.severity)) << labelled("class", to_string(row.klass))
      << labelled("tier", fmt::format("{}: checked in this tier and deeper ones", to_string(row.tier)))
      << labelled("harm", row.harm) << labelled("fix", row.fix);
  show_profiles(rule, out);
  show_edition(rule, out);
  for (const KnownBug& bug : all_known_bugs()) {
    if (bug.rules.has(rule)) out << labelled("known bug", bug.text());
  }
  if (!seen_in(rule).empty()) out << labelled("seen in", seen_in(rule));
  const auto witness = std::ranges::find(witnesses(), row.id, &Witness::rule);
  if (witness == witnesses().end()) {
    out << "\nThe corpus has no file that breaks this rule.\n";
  } else {
    show(*witness, row, fancy, out);
  }
}

void explain_json(Rule rule, Out& out) {
  const RuleInfo& row = info(rule);
  JsonWriter json(out, 1);
  json.begin_object();
  write_rule_members(json, rule);
  json.array("known_bugs", all_known_bugs(), [&](const KnownBug& bug) {
    if (bug.rules.has(rule)) json.string(bug.text());
  });
  const auto witness = std::ranges::find(witnesses(), row.id, &Witness::rule);
  if (witness != witnesses().end()) {
    json.object("witness", [&] {
      json.member("file", fmt::format("{}/{}.parquet", row.id, witness->name));
      json.member("about", witness->about);
      json.member("profile", witness->profile);
      json.member("size", witness->size);
      if (!witness->bytes.empty()) json.member("bytes", hex_of(witness->bytes));
    });
  }
  json.end();
}

}  // namespace parqproof
