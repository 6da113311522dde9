#include <unistd.h>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/explain/rule_list.hpp"

namespace parqproof::cli {
namespace {

/// The form of the list.
struct Rules {
  void (*write)(Out& out) = write_rules_text;
};

void declare(Subcommand& sub, Rules& rules) {
  sub.choice("--format", rules.write,
             {{"text", write_rules_text}, {"json", write_rules_json}, {"md", write_rules_markdown}},
             "text (default), json or md")
      .footer(R"(
Examples:
  parqproof rules
  parqproof rules --format json | jq -r '.[] | select(.severity == "error") | .id')");
}

int run(const Rules& rules) {
  Out out(STDOUT_FILENO);
  rules.write(out);
  return finish(out, kFine);
}

}  // namespace

void add_rules(CommandLine& line) {
  line.add<Rules>("rules", "list all rules: demand, and clause of the specification", declare, run);
}

}  // namespace parqproof::cli
