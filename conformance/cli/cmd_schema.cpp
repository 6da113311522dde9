#include <unistd.h>

#include <optional>
#include <string>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/input/keys_file.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/metadata/metadata.hpp"

namespace parqproof::cli {
namespace {

struct SchemaTree {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Keys keys;
  Format format = Format::text;
  bool levels = false;
};

void declare(Subcommand& sub, SchemaTree& tree) {
  sub.file(tree.path)
      .format(tree.format)
      .flag("--levels", tree.levels,
            "text: add the max repetition and definition level to each\nnode, the ordinal to a leaf, and "
            "what the fields of a\nVARIANT hold")
      .footer_at(tree.footer_at)
      .keys([&tree](const std::string& path) { tree.keys = read_keys(path); })
      .footer(R"(
Text is the message syntax that parquet-java prints and parses: repetition, type, name, (logical type), = field id.
JSON also has the levels, the paths of the leaves and the offsets of the schema elements.
Exit code 1: the footer cannot be read to its end. The schema is at its beginning, and is shown if it is intact.

Examples:
  parqproof schema a.parquet
  parqproof schema --format json a.parquet | jq '.. | select(.leaf? != null) | {leaf, type, path}' -c)");
}

int run(const SchemaTree& tree) {
  std::string why;
  const FooterInput input = open_input(tree.path, tree.footer_at, tree.keys, why);
  if (input.file == nullptr) return could_not_run(tree.path + ": " + why);
  Out out(STDOUT_FILENO);
  const SchemaDetail detail = tree.levels ? SchemaDetail::levels : SchemaDetail::message;
  const ShownFooter shown = tree.format == Format::json ? write_schema_json(input.source(), tree.path, out)
                                                        : write_schema_text(input.source(), detail, out);
  if (shown.end != DumpEnd::complete) complain(tree.path + ": " + shown.why);
  return finish(out, exit_code(shown));
}

}  // namespace

void add_schema(CommandLine& line) {
  line.add<SchemaTree>("schema", "print the tree of columns, in the message syntax or as JSON", declare, run);
}

}  // namespace parqproof::cli
