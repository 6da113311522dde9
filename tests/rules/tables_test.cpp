// The table of rules, and the list of the specification's statements that it covers.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/rule.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "tests/witnesses/witness.hpp"

namespace parqproof {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = PARQPROOF_SOURCE_DIR;

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + separator.size());
  }
}

struct Statement {
  std::string id, clause, sentence;
  std::vector<std::string> covered_by;
  std::string reason;
  std::vector<std::string> where;
};

std::vector<std::string> list(const std::string& cell) {
  return cell.empty() ? std::vector<std::string>{} : split(cell, ", ");
}

std::vector<Statement> read_statements() {
  std::ifstream file(kRoot / "codec/rules/statements.tsv");
  std::string line;
  REQUIRE(std::getline(file, line));
  REQUIRE(line == "id\tclause\tsentence\tcovered_by\treason\twhere");
  std::vector<Statement> statements;
  while (std::getline(file, line)) {
    INFO(line);
    const auto cells = split(line, "\t");
    REQUIRE(cells.size() == 6);
    statements.push_back({cells[0], cells[1], cells[2], list(cells[3]), cells[4], list(cells[5])});
  }
  return statements;
}

/// A file that a statement names: `area/name stem` is a witness of that rule (or of the area `legal`),
/// everything else a path under corpus/.
fs::path corpus_file(const std::string& where) {
  const auto parts = split(where, " ");
  if (parts.size() == 2) return kRoot / "corpus/witnesses" / parts[0] / (parts[1] + ".parquet");
  return kRoot / "corpus" / where;
}

bool kebab(std::string_view word) {
  return !word.empty() && word.front() != '-' && word.back() != '-' && !word.contains("--") &&
         std::ranges::all_of(
             word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

bool known_clause(const std::string& clause) {
  static const std::set<std::string> kDocuments = {"README.md",
                                                   "Encodings.md",
                                                   "AlpEncoding.md",
                                                   "Compression.md",
                                                   "LogicalTypes.md",
                                                   "PageIndex.md",
                                                   "BloomFilter.md",
                                                   "CONTRIBUTING.md",
                                                   "Encryption.md",
                                                   "Geospatial.md",
                                                   "VariantEncoding.md",
                                                   "VariantShredding.md",
                                                   "BinaryProtocolExtensions.md",
                                                   "parquet.thrift",
                                                   "thrift-compact-protocol.md",
                                                   "idl.md",
                                                   "geoparquet.md",
                                                   "2013/README.md",
                                                   "2013/Encodings.md"};
  const auto parts = split(clause, "#");
  if (!kDocuments.contains(parts[0])) return false;
  if (parts.size() == 1) return clause == "parquet.thrift";
  return parts.size() == 2 && !parts[1].empty() && !parts[1].contains(' ');
}

/// The clauses of the reader duties in the sidecars of witnesses.
std::set<std::string> clauses_of_readers() {
  std::set<std::string> clauses;
  for (const support::Witness& witness : support::witnesses())
    if (witness.sidecar.contains("reader_clause")) clauses.insert(witness.sidecar.at("reader_clause"));
  return clauses;
}

/// The members of every struct, union and enum of our copy of the definition, by its name.
std::map<std::string, std::set<std::string>> read_definition() {
  std::ifstream file(kRoot / "tests/thrift/parquet.thrift");
  std::map<std::string, std::set<std::string>> members;
  std::set<std::string>* open = nullptr;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word;
    std::string last;
    words >> word;
    if (word == "struct" || word == "union" || word == "enum") {
      words >> last;
      open = &members[last];
    } else if (open != nullptr && words >> last) {
      // `NAME = 1,` in an enum, `1: required type name,` in a struct or union, perhaps with `= default`
      if (last == "=") {
        open->insert(word);
      } else {
        while (words >> word && word != "=") last = word;
        while (last.ends_with(",") || last.ends_with(";")) last.pop_back();
        open->insert(last);
      }
    }
  }
  return members;
}

bool sentence(std::string_view text) {
  return text.size() > 10 && text.ends_with('.') && !text.ends_with("..");
}

}  // namespace

TEST_CASE("the number of a rule is its row in the table", "[unit]") {
  struct Row {
    Rule rule;
    std::string enumerator;
    std::string id;
  };
#define PARQPROOF_RULE(enumerator, rule_id, ...) {Rule::enumerator, #enumerator, rule_id},
  const std::vector<Row> rows{
#include "codec/rules/rules.def"
  };
#undef PARQPROOF_RULE
  REQUIRE(rows.size() == kRuleCount);
  REQUIRE(all_rules().size() == kRuleCount);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    INFO(row.id);
    CHECK(static_cast<std::size_t>(row.rule) == i);
    CHECK(all_rules()[i].id == row.id);
    CHECK(&info(row.rule) == &all_rules()[i]);
    CHECK(find_rule(row.id) == row.rule);
    std::string name = row.id;
    std::ranges::replace(name, '/', '_');
    std::ranges::replace(name, '-', '_');
    CHECK(name == row.enumerator);
  }
}

TEST_CASE("rule ids are unique, in order, and made of an area and a name", "[unit]") {
  std::string_view previous;
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id);
    CHECK(previous < rule.id);
    previous = rule.id;
    const auto parts = split(rule.id, "/");
    CHECK((parts.size() == 2 && kebab(parts[0]) && kebab(parts[1])));
  }
}

TEST_CASE("an id that is no rule is not found", "[unit]") {
  CHECK_FALSE(find_rule(""));
  CHECK_FALSE(find_rule("file/min-siz"));
  CHECK_FALSE(find_rule("file/min-size2"));
  CHECK_FALSE(find_rule("zzz/zzz"));
}

TEST_CASE("a pattern names one rule, or all rules of an area", "[unit]") {
  CHECK(matches("file/min-size", Rule::file_min_size));
  CHECK(matches("file/*", Rule::file_min_size));
  CHECK_FALSE(matches("file/min", Rule::file_min_size));
  CHECK_FALSE(matches("fil/*", Rule::file_min_size));
  CHECK_FALSE(matches("file/min-*", Rule::file_min_size));
  CHECK_FALSE(matches("page/*", Rule::file_min_size));
  CHECK_FALSE(matches("", Rule::file_min_size));
  CHECK_FALSE(matches("/*", Rule::file_min_size));
}

TEST_CASE("every rule cites a document of the format", "[unit]") {
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id << ": " << rule.clause);
    CHECK(known_clause(std::string(rule.clause)));
  }
}

TEST_CASE("a clause in parquet.thrift names an existing definition", "[unit]") {
  const auto definition = read_definition();
  REQUIRE(definition.size() > 50);
  const auto check = [&](std::string_view clause) {
    INFO(clause);
    if (!clause.starts_with("parquet.thrift#")) return;
    const auto parts = split(split(clause, "#")[1], ".");
    const auto found = definition.find(parts[0]);
    REQUIRE(found != definition.end());
    if (parts.size() > 1) CHECK(found->second.contains(parts[1]));
    CHECK(parts.size() <= 2);
  };
  for (const RuleInfo& rule : all_rules()) check(rule.clause);
  for (const Statement& statement : read_statements()) check(statement.clause);
  for (const std::string& clause : clauses_of_readers()) check(clause);
}

TEST_CASE("every reader duty cites a clause", "[unit]") {
  const std::set<std::string> clauses = clauses_of_readers();
  CHECK(clauses.size() > 20);
  for (const std::string& clause : clauses) {
    INFO(clause);
    CHECK(known_clause(clause));
  }
}

TEST_CASE("every error cites a clause, and unsupported features are no errors", "[unit]") {
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id);
    if (rule.severity == Severity::error)
      CHECK((rule.ground == Ground::must || rule.ground == Ground::implied));
    if (rule.klass == Class::unsupported || rule.klass == Class::limit)
      CHECK(rule.severity == Severity::warning);
    if (rule.klass == Class::malformed) CHECK(rule.severity == Severity::error);
  }
}

TEST_CASE("messages have only the placeholders found, expected and detail", "[unit]") {
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id << ": " << rule.message);
    CHECK(rule.message.size() > 10);
    CHECK_FALSE(rule.message.ends_with('.'));
    // The words for one and for several, as in {0|byte|bytes}, are judged by the compiler.
    const std::string form = message_form(rule);
    std::string_view text = form;
    for (auto at = text.find_first_of("{}"); at != text.npos; at = text.find_first_of("{}")) {
      const std::string_view place = text.substr(at, 3);
      CHECK((place == "{0}" || place == "{1}" || place == "{2}"));
      text.remove_prefix(std::min(at + 3, text.size()));
    }
  }
}

TEST_CASE("statement and harm are sentences, and no two rules share one", "[unit]") {
  std::set<std::string_view> harms;
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id);
    CHECK(sentence(rule.statement));
    CHECK(sentence(rule.harm));
    CHECK(harms.insert(rule.harm).second);
  }
}

TEST_CASE("a fix is one imperative sentence, and no two rules share one", "[unit]") {
  constexpr std::size_t kLongest = 160;
  std::set<std::string_view> fixes;
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id << ": " << rule.fix);
    CHECK(sentence(rule.fix));
    CHECK(rule.fix.size() <= kLongest);
    CHECK((rule.fix.front() >= 'A' && rule.fix.front() <= 'Z'));
    CHECK_FALSE(rule.fix.contains(". "));
    for (const std::string_view placeholder : {"{", "}", "TODO", "..", "  "}) {
      const bool path = placeholder == ".." && rule.fix.contains("`..`");
      CHECK((path || !rule.fix.contains(placeholder)));
    }
    CHECK(rule.fix != rule.statement);
    CHECK(rule.fix != rule.harm);
    CHECK(fixes.insert(rule.fix).second);
  }
}

TEST_CASE("the enumerators of the table have names on the command line", "[unit]") {
  for (const RuleInfo& rule : all_rules()) {
    for (const std::string_view word : {to_string(rule.klass), to_string(rule.severity),
                                        to_string(rule.ground), to_string(rule.binds), to_string(rule.tier)})
      CHECK(kebab(word));
  }
}

TEST_CASE("every statement of the specification has a rule or a reason", "[unit]") {
  static const std::set<std::string> kReasons = {
      "rule", "merged", "reader", "needs keys", "invisible in a file", "silent text"};
  std::set<std::string> ids;
  for (const Statement& statement : read_statements()) {
    INFO(statement.id);
    CHECK(ids.insert(statement.id).second);
    CHECK(statement.id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == std::string::npos);
    CHECK(known_clause(statement.clause));
    CHECK(sentence(statement.sentence));
    CHECK(kReasons.contains(statement.reason));
    for (const std::string& id : statement.covered_by) {
      INFO(id);
      CHECK(find_rule(id));
    }
    const bool ends_in_rule = statement.reason == "rule" || statement.reason == "merged";
    CHECK(ends_in_rule == !statement.covered_by.empty());
    CHECK((statement.reason == "merged" || statement.reason == "reader") == !statement.where.empty());
  }
}

TEST_CASE("a statement that is merged or for readers names existing files", "[unit]") {
  for (const Statement& statement : read_statements()) {
    for (const std::string& where : statement.where) {
      INFO(statement.id << ": " << where);
      CHECK(fs::is_regular_file(corpus_file(where)));
      if (statement.reason != "merged") continue;
      const auto parts = split(where, " ");
      REQUIRE(parts.size() == 2);
      CHECK(std::ranges::find(statement.covered_by, parts[0]) != statement.covered_by.end());
      CHECK(parts[1].starts_with("fail-"));
    }
  }
}

TEST_CASE("every rule covers a statement, except those that are not about the text", "[unit]") {
  // Limits of this program, bytes that it cannot read, values that have specifications of their own, and
  // bugs of writers that no text forbids.
  static const std::set<std::string_view> kWithoutStatement = {"file/block-order",
                                                               "file/encrypted-column",
                                                               "file/encrypted-footer",
                                                               "file/overwritten",
                                                               "file/text-mode",
                                                               "edition/undefined",
                                                               "file/transfer-framing",
                                                               "geoparquet/bbox",
                                                               "geoparquet/column",
                                                               "geoparquet/crs",
                                                               "geoparquet/edges",
                                                               "geoparquet/encoding",
                                                               "geoparquet/geometry-types",
                                                               "geoparquet/json",
                                                               "geoparquet/primary-column",
                                                               "geoparquet/version",
                                                               "limit/footer-size",
                                                               "limit/memory",
                                                               "limit/page-size",
                                                               "limit/schema-depth",
                                                               "limit/work",
                                                               "known-writer/calendar",
                                                               "known-writer/changed-values",
                                                               "known-writer/date-shift",
                                                               "known-writer/int96-zone",
                                                               "wkb/depth"};
  std::set<std::string> answered;
  for (const Statement& statement : read_statements())
    answered.insert(statement.covered_by.begin(), statement.covered_by.end());
  for (const RuleInfo& rule : all_rules()) {
    INFO(rule.id);
    CHECK(answered.contains(std::string(rule.id)) != kWithoutStatement.contains(rule.id));
  }
}

TEST_CASE("at least 85 percent of the statements that a file can violate have a rule", "[unit]") {
  std::map<std::string, std::size_t> totals;
  for (const Statement& statement : read_statements()) ++totals[statement.reason];
  const std::size_t judged = totals["rule"] + totals["merged"];
  const std::size_t visible = judged + totals["silent text"];
  std::ostringstream line;
  for (const auto& [reason, count] : totals) line << reason << ' ' << count << ", ";
  std::cout << "statements: " << line.str() << judged << " of " << visible
            << " that a file can show are judged (" << 100 * judged / visible << " %)\n";
  CHECK(100 * judged >= 85 * visible);
}

}  // namespace parqproof
