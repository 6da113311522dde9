#include <unistd.h>

#include <memory>
#include <optional>
#include <string>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/metadata/footer_dump.hpp"
#include "conformance/report/metadata/values_report.hpp"

namespace parqproof::cli {
namespace {

struct Meta {
  std::string path;
  std::optional<std::uint64_t> footer_at;
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
      .footer(R"(
Exit code 1: the footer can be read only up to the offset that is printed.

Examples:
  parqproof meta a.parquet
  parqproof meta --values a.parquet | less
  parqproof meta --format json a.parquet | jq '.fields[] | select(.name == "created_by")')");
}

int run(const Meta& meta) {
  std::string why;
  if (meta.values && meta.format == Format::json) {
    complain("--values excludes --format json");
    return kCouldNotRun;
  }
  const FooterInput input = open_input(meta.path, meta.footer_at, why);
  if (input.file == nullptr) {
    complain(meta.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  DumpEnd end{};
  if (meta.values) {
    end = write_footer_values(input.source(), meta.path, out, why);
    if (end == DumpEnd::stopped) complain(meta.path + ": " + why);
  } else {
    end = meta.format == Format::json ? dump_footer_json(input.source(), meta.path, out)
                                      : dump_footer_text(input.source(), meta.path, out);
  }
  switch (end) {
    case DumpEnd::complete:
      return finish(out, kFine);
    case DumpEnd::stopped:
      return finish(out, kBroken);
    case DumpEnd::encrypted:
      complain(meta.path + ": the footer is encrypted");
      break;
    case DumpEnd::limit:
      complain(meta.path + ": the footer is larger than the limit");
      break;
    case DumpEnd::unreadable:
      complain(meta.path + ": the file could not be read");
      break;
  }
  return finish(out, kCouldNotRun);
}

}  // namespace

void add_meta(CommandLine& line) {
  line.add("meta", "print the footer as stored: every field with its name, value and offset", declare, run);
}

}  // namespace parqproof::cli
