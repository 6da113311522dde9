#include "conformance/explain/rule_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "codec/rules/editions.hpp"
#include "conformance/known_writers/known_bugs.hpp"
#include "conformance/policy/profiles.hpp"
#include "conformance/report/words/rule_text.hpp"

namespace parqproof {
namespace {

/// Escapes text for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '*' || c == '_' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

void write_rule_members(JsonWriter& json, Rule id) {
  const RuleInfo& rule = info(id);
  json.member("id", rule.id);
  json.member("severity", to_string(rule.severity));
  json.member("class", to_string(rule.klass));
  json.member("ground", to_string(rule.ground));
  json.member("binds", to_string(rule.binds));
  json.member("tier", to_string(rule.tier));
  json.member("per", to_string(rule.per));
  json.member("decoder", to_string(rule.decoder));
  json.array("profile", profile_rows(), [&](const ProfileRow& row) {
    if (row.rule != id) return;
    json.object([&] {
      json.member("profile", to_string(row.profile));
      json.member("change", to_string(row.change));
      json.member("why", row.why);
    });
  });
  for (const EditionRow& row : edition_rows()) {
    if (row.rule == id) json.member("since", to_string(row.since));
  }
  if (const std::string_view writers = seen_in(id); !writers.empty()) json.member("seen_in", writers);
  json.member("clause", rule.clause);
  json.member("statement", rule.statement);
  json.member("message", message_form(rule));
  json.member("harm", rule.harm);
  json.member("fix", rule.fix);
}

void write_rules_json(Out& out) {
  JsonWriter json(out, 1);
  json.begin_array();
  for (std::size_t i = 0; i < kRuleCount; ++i)
    json.object([&] { write_rule_members(json, static_cast<Rule>(i)); });
  json.end();
}

void write_rules_markdown(Out& out) {
  out << "| rule | severity | class | tier | clause | what it demands | what goes wrong otherwise "
         "| what a writer does about it |\n"
         "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const RuleInfo& rule : all_rules()) {
    out << fmt::format("| `{}` | {} | {} | {} | `{}` | {} | {} | {} |\n", rule.id, to_string(rule.severity),
                       to_string(rule.klass), to_string(rule.tier), rule.clause, cell(rule.statement),
                       cell(rule.harm), cell(rule.fix));
  }
  out << "\nUnder `--profile strict` each rule has the severity above. What the other profiles change:\n\n"
         "| profile | rule | change | why |\n"
         "| --- | --- | --- | --- |\n";
  for (const ProfileRow& row : profile_rows()) {
    out << fmt::format("| {} | `{}` | {} | {} |\n", to_string(row.profile), info(row.rule).id,
                       to_string(row.change), cell(row.why));
  }
  out << "\nRules that an edition added; `--edition` leaves those of later editions out:\n\n"
         "| edition | rules |\n"
         "| --- | --- |\n";
  for (std::size_t i = 0; i < std::size(kEditions); ++i) {
    const auto edition = static_cast<Edition>(i);
    std::string rules;
    for (const EditionRow& row : edition_rows()) {
      if (row.since == edition) rules += fmt::format("{}`{}`", rules.empty() ? "" : ", ", info(row.rule).id);
    }
    if (!rules.empty()) out << fmt::format("| {} | {} |\n", to_string(edition), rules);
  }
}

void write_rules_text(Out& out) {
  std::size_t width = 0;
  for (const RuleInfo& rule : all_rules()) width = std::max(width, rule.id.size());
  for (const RuleInfo& rule : all_rules()) {
    out << fmt::format("{:<{}}  {:<7}  {:<11}  {:<6}  {}\n", rule.id, width, to_string(rule.severity),
                       to_string(rule.klass), to_string(rule.tier), rule.statement);
  }
}

}  // namespace parqproof
