#include <unistd.h>

#include <optional>
#include <string>

#include "codec/rules/rule.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/explain/explain.hpp"
#include "conformance/options/nearest.hpp"

namespace parqproof::cli {
namespace {

void declare(Subcommand& sub, std::string& id) {
  sub.text("RULE", id, "RULE", "the id of a rule", Need::required).footer(R"(
Examples:
  parqproof explain dictionary/index-range)");
}

int run(const std::string& id) {
  const std::optional<Rule> rule = find_rule(id);
  if (!rule) return could_not_run(no_such_rule(id));
  Out out(STDOUT_FILENO);
  explain(*rule, fancy(STDOUT_FILENO), out);
  return finish(out, kFine);
}

}  // namespace

void add_explain(CommandLine& line) {
  line.add<std::string>("explain",
                        "explain one rule: demand, clause, harm, fix, and a small file that breaks it",
                        declare, run);
}

}  // namespace parqproof::cli
