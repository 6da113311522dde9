#include "conformance/explain/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/encryption/file_keys.hpp"
#include "conformance/check/check.hpp"
#include "conformance/explain/rule_list.hpp"
#include "conformance/explain/witnesses.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/options/check_words.hpp"
#include "conformance/options/key_files.hpp"
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
  options.only.emplace_back(rule.id);
  options.tier = tiers_by_word().at(std::string(witness.tier));
  options.profile = profiles_by_word().at(std::string(witness.profile));
  if (!witness.edition.empty()) options.edition = editions_by_word().at(std::string(witness.edition));
  options.advice = witness.advice;
  if (witness.max_page != 0) options.limits.page_bytes = witness.max_page;
  if (witness.max_memory != 0) options.limits.memory_bytes = witness.max_memory;
  return check(source, std::string(witness.file_name.empty() ? witness.name : witness.file_name), options);
}

/// The bytes of the witness, with its keys.
std::unique_ptr<Source> source_of(const Witness& witness) {
  std::unique_ptr<Source> source = std::make_unique<MemorySource>(witness.bytes);
  if (witness.keys.empty()) return source;
  return std::make_unique<encryption::KeyedSource>(std::move(source), keys_of_json(witness.keys, "keys"));
}

/// The options of a check by which the witness breaks its rule, except for the defaults.
void write_options(JsonWriter& json, const Witness& witness) {
  const CheckOptions defaults;
  const auto word = [&](std::string_view name, std::string_view given, auto standard, const auto& words) {
    if (!given.empty() && words.at(std::string(given)) != standard) json.member(name, given);
  };
  json.object("options", [&] {
    if (!witness.file_name.empty()) json.member("name", witness.file_name);
    word("tier", witness.tier, defaults.tier, tiers_by_word());
    word("profile", witness.profile, defaults.profile, profiles_by_word());
    word("edition", witness.edition, defaults.edition, editions_by_word());
    if (witness.advice) json.member("advice", true);
    if (witness.max_page != 0) json.member("max_page", witness.max_page);
    if (witness.max_memory != 0) json.member("max_memory", witness.max_memory);
    if (!witness.keys.empty()) {
      json.key("keys");
      json.raw(witness.keys);
    }
  });
}

void show(const Witness& witness, const RuleInfo& rule, bool fancy, Out& out) {
  out << fmt::format("\nThe smallest file of the corpus that breaks it, {}/{}.parquet, {}:\n", rule.id,
                     witness.name, counted(witness.size, "byte"))
      << labelled("", witness.about);
  if (witness.bytes.empty()) {
    out << "\nThe file is too large to be shown here; `parqproof layout --hex` shows its bytes.\n";
    return;
  }
  const std::unique_ptr<Source> source = source_of(witness);
  const FileReport report = judge(witness, *source, rule);
  std::vector<Mark> marks;
  for (const ReportedFinding& found : report.findings) {
    if (found.finding.space == Space::file) marks.push_back({found.finding.offset, found.finding.length});
    write_finding(out, found, fancy);
  }
  // Some rules depend on other files, and these bytes alone do not break them.
  if (report.findings.empty() && witness.at >= 0)
    marks.push_back({static_cast<std::uint64_t>(witness.at), 1});
  out << (marks.empty() ? "\nIts bytes:\n\n" : "\nIts bytes; `>` marks those at fault:\n\n");
  write_annotated_bytes(*source, read_layout(*source), {.marks = marks}, out);
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
      json.member("size", witness->size);
      write_options(json, *witness);
      if (witness->needs_others) json.member("needs_others", true);
      if (!witness->bytes.empty()) json.member("bytes", hex_of(witness->bytes));
    });
  }
  json.end();
}

}  // namespace parqproof
