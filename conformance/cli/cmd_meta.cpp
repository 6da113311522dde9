#include <unistd.h>

#include <memory>
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

struct Meta {
  std::string path;
  std::optional<std::uint64_t> footer_at;
  Keys keys;
  Format format = Format::text;
  bool values = false;
};

void declare(Subcommand& sub, Meta& meta) {
  sub.file(meta.path)
      .format(meta.format)
      .flag("--values", meta.values,
            "instead print readable row groups and column chunks, with\n"
            "bounds by logical type, and those of page indexes and\n"
            "dictionaries (only as text)")
      .footer_at(meta.footer_at)
      .keys([&meta](const std::string& path) { meta.keys = read_keys(path); })
      .footer(R"(
Exit code 1: the footer can be read only up to the offset that is printed.

Examples:
  parqproof meta a.parquet
  parqproof meta --values a.parquet | less
  parqproof meta --format json a.parquet | jq '.fields[] | select(.name == "created_by")')");
}

int run(const Meta& meta) {
  std::string why;
  if (meta.values && meta.format == Format::json) return could_not_run("--values excludes --format json");
  const FooterInput input = open_input(meta.path, meta.footer_at, meta.keys, why);
  if (input.file == nullptr) return could_not_run(meta.path + ": " + why);
  Out out(STDOUT_FILENO);
  const ShownFooter shown = meta.values ? write_footer_values(input.source(), meta.path, out)
                            : meta.format == Format::json ? dump_footer_json(input.source(), meta.path, out)
                                                          : dump_footer_text(input.source(), meta.path, out);
  const bool is_in_dump = !meta.values && shown.end == DumpEnd::stopped;
  if (shown.end != DumpEnd::complete && !is_in_dump) complain(meta.path + ": " + shown.why);
  return finish(out, exit_code(shown));
}

}  // namespace

void add_meta(CommandLine& line) {
  line.add<Meta>("meta", "print the footer as stored: every field with its name, value and offset", declare,
                 run);
}

}  // namespace parqproof::cli
