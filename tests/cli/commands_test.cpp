#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "codec/encoding/table.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/profiles.hpp"
#include "conformance/report/words/rule_text.hpp"
#include "tests/support/process.hpp"

namespace support {
namespace {

using nlohmann::json;

const std::string kFile = PARQPROOF_SOURCE_DIR "/corpus/witnesses/footer/version/fail-a.parquet";
const std::string kBroken = PARQPROOF_SOURCE_DIR "/corpus/witnesses/thrift/list-size/fail-a.parquet";
const std::string kEncrypted = PARQPROOF_SOURCE_DIR "/corpus/witnesses/file/encrypted-footer/fail-a.parquet";

TEST_CASE("--version names the tool and the commit of the specification") {
  const Outcome outcome = parqproof({"--version"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out.starts_with("parqproof " PARQPROOF_VERSION " "));
  CHECK(outcome.out.contains(parqproof::kSpecCommit));
}

TEST_CASE("help of the program and of each subcommand goes to stdout, with examples") {
  CHECK(parqproof({"--help"}).out.contains("Examples:"));
  for (const char* command :
       {"check", "validate", "meta", "layout", "cat", "rules", "explain", "encodings", "decode", "vectors"}) {
    const Outcome outcome = parqproof({command, "--help"});
    CAPTURE(command);
    CHECK(outcome.code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.contains("Examples:"));
  }
}

TEST_CASE("meta and layout exit with 0, with 1 if bytes are unreadable, with 2 if they cannot continue") {
  for (const char* command : {"meta", "layout"}) {
    for (const char* format : {"text", "json"}) {
      for (const auto& [file, code] : {std::pair(kFile, 0), {kBroken, 1}, {kEncrypted, 2}}) {
        const Outcome outcome = parqproof({command, "--format", format, file});
        CAPTURE(command, format, file);
        CHECK(outcome.code == code);
        CHECK_FALSE(outcome.out.empty());
        CHECK((std::string(format) == "text" || json::accept(outcome.out)));
      }
    }
    CHECK(parqproof({command, "/no/such/file"}).code == 2);
    CHECK(parqproof({command}).code == 2);
    CHECK(parqproof({command, kFile, kFile}).code == 2);
    const std::string bytes = source_file("corpus/witnesses/footer/version/fail-a.parquet");
    CHECK(parqproof({command, "-"}, bytes).code == 0);
  }
}

TEST_CASE("layout --hex shows every byte") {
  const Outcome outcome = parqproof({"layout", "--hex", "--format", "json", kFile});
  std::string digits;
  const json layout = json::parse(outcome.out);
  for (const json& segment : layout["segments"]) {
    for (const json& run : segment["runs"]) digits += run["bytes"];
  }
  CHECK(digits.size() == 2 * layout["size"].get<std::size_t>());
  CHECK(parqproof({"layout", "--hex", kFile}).out.contains("50 41 52 31"));
}

TEST_CASE("rules lists the complete table in each format") {
  const json rules = json::parse(parqproof({"rules", "--format", "json"}).out);
  REQUIRE(rules.size() == parqproof::all_rules().size());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const parqproof::RuleInfo& rule = parqproof::all_rules()[i];
    CHECK(rules[i]["id"] == rule.id);
    CHECK(rules[i]["severity"] == to_string(rule.severity));
    CHECK(rules[i]["class"] == to_string(rule.klass));
    CHECK(rules[i]["ground"] == to_string(rule.ground));
    CHECK(rules[i]["binds"] == to_string(rule.binds));
    CHECK(rules[i]["tier"] == to_string(rule.tier));
    CHECK(rules[i]["clause"] == rule.clause);
    CHECK(rules[i]["statement"] == rule.statement);
    CHECK(rules[i]["message"] == parqproof::message_form(rule));
    CHECK(rules[i]["harm"] == rule.harm);
    CHECK(rules[i]["fix"] == rule.fix);
    json changes = json::array();
    for (const parqproof::ProfileRow& row : parqproof::profile_rows()) {
      if (info(row.rule).id != rule.id) continue;
      changes.push_back(
          {{"profile", to_string(row.profile)}, {"change", to_string(row.change)}, {"why", row.why}});
    }
    CHECK(rules[i]["profile"] == changes);
  }
  const std::string text = parqproof({"rules"}).out;
  const std::string markdown = parqproof({"rules", "--format", "md"}).out;
  for (const parqproof::RuleInfo& rule : parqproof::all_rules()) {
    CHECK(text.contains(rule.id));
    CHECK(markdown.contains("| `" + std::string(rule.id) + "` |"));
  }
  std::istringstream rows(markdown);
  std::size_t table = 0;  // the rules first, then the profiles, then the editions
  constexpr std::size_t kCells[] = {8, 4, 2};
  for (std::string row; std::getline(rows, row);) {
    CAPTURE(row);
    if (row.starts_with("Under `--profile strict`")) table = 1;
    if (row.starts_with("Rules that an edition added")) table = 2;
    if (!row.starts_with("|")) continue;
    std::size_t cells = 0;
    for (std::size_t i = 1; i < row.size(); ++i) cells += row[i] == '|' && row[i - 1] != '\\' ? 1 : 0;
    CHECK(cells == kCells[table]);
  }
  for (const parqproof::ProfileRow& row : parqproof::profile_rows()) {
    CHECK(markdown.contains("| " + std::string(to_string(row.profile)) + " | `" +
                            std::string(info(row.rule).id) + "` | " + to_string(row.change) + " | "));
  }
  // A fix without characters that Markdown would interpret.
  const std::string fix(info(parqproof::Rule::footer_version_one).fix);
  CHECK(markdown.contains(" | " + fix + " |\n"));
}

/// The text of a line of output and of those that continue it, with single spaces; `label` as it is indented.
std::string labelled_text(const std::string& output, const std::string& label) {
  std::istringstream lines(output.substr(0, output.find("\n\n")));
  std::string line;
  std::string text;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (!line.starts_with("   ")) inside = line.starts_with("  " + label + " ");
    if (!inside) continue;
    std::istringstream words(text.empty() ? line.substr(label.size() + 2) : line);
    for (std::string word; words >> word;) text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

TEST_CASE("explain prints the clause, the place, the harm and the fix of each rule") {
  for (const parqproof::RuleInfo& rule : parqproof::all_rules()) {
    const Outcome outcome = parqproof({"explain", std::string(rule.id)});
    CAPTURE(rule.id);
    CHECK(outcome.code == 0);
    CHECK(outcome.out.starts_with(std::string(rule.id) + "\n"));
    CHECK(labelled_text(outcome.out, "demands") == rule.statement);
    CHECK(labelled_text(outcome.out, "clause").starts_with(std::string(rule.clause) + " (parquet-format "));
    CHECK(labelled_text(outcome.out, "harm") == rule.harm);
    CHECK(labelled_text(outcome.out, "fix") == rule.fix);
    for (const parqproof::ProfileRow& row : parqproof::profile_rows()) {
      if (info(row.rule).id != rule.id) continue;
      const std::string change = std::string(to_string(row.profile)) + ": " + to_string(row.change);
      CHECK(labelled_text(outcome.out, "profiles").contains(change + ". " + std::string(row.why)));
    }
    CHECK((outcome.out.contains("\nmagic\n") || outcome.out.contains("\ngap\n") ||
           outcome.out.contains("too large to be shown") || outcome.out.contains("has no file")));
  }
  CHECK(parqproof({"explain", "no/such-rule"}).code == 2);
  CHECK(parqproof({"explain"}).code == 2);
}

TEST_CASE("explain checks the smallest file with the options and keys with which it breaks the rule") {
  for (const parqproof::RuleInfo& rule : parqproof::all_rules()) {
    const std::string id(rule.id);
    // Their files need other files, which are not built in.
    if (id.starts_with("summary/") || id == "column-chunk/file-path") continue;
    const std::string text = parqproof({"explain", id}).out;
    CAPTURE(id);
    CHECK(text.contains("\nIts bytes") == text.contains(" " + id + "\n  what "));
  }
}

TEST_CASE("explain marks the wrong bytes in the smallest file that breaks the rule") {
  const std::string text = parqproof({"explain", "page/v2-num-nulls"}).out;
  CHECK(text.contains("page/v2-num-nulls/fail-"));
  CHECK(text.contains("error       page/v2-num-nulls\n"));
  CHECK(text.find("num_nulls: ", text.find("\n>")) < text.find('\n', text.find("\n>") + 1));
  // The bytes of the other file that it is compared with are not available.
  const std::string summary = parqproof({"explain", "summary/chunk-metadata"}).out;
  CHECK(summary.find("num_values: ", summary.find("\n>")) < summary.find('\n', summary.find("\n>") + 1));
}

TEST_CASE("encodings shows the table of encodings") {
  const json table = json::parse(parqproof({"encodings", "--format", "json"}).out);
  REQUIRE(table.size() == parqproof::all_encodings().size());
  const std::string text = parqproof({"encodings"}).out;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const parqproof::EncodingInfo& row = parqproof::all_encodings()[i];
    CHECK(table[i]["name"] == row.name());
    CHECK(table[i]["number"] == static_cast<int>(row.encoding));
    CHECK(table[i]["status"] == to_string(row.status));
    CHECK(table[i]["decode"] == true);
    CHECK(text.contains("\n" + std::string(row.name()) + " "));
  }
  CHECK(table[0]["types"].size() == parqproof::kTypeCount);
}

TEST_CASE("unwritable output is a failure, and a closed pipe is silent") {
  const std::string program = PARQPROOF_BINARY;
  const auto shell = [](const std::string& command) { return std::system(command.c_str()); };
  CHECK(WEXITSTATUS(shell("'" + program + "' rules > /dev/full 2> /dev/null")) == 2);
  CHECK(WEXITSTATUS(shell("'" + program + "' --help > /dev/full 2> /dev/null")) == 2);
  check_closed_pipe("rules --format json");
}

}  // namespace
}  // namespace support
