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
      .flag(
          "--values", meta.values,
          "instead: row groups and column chunks as people read them,\nbounds by logical type; those of page "
          "indexes and of\ndictionaries too (text alone)")
      .footer_at(meta.footer_at)
      .footer(R"(
It works up to the first byte that cannot be read, says where that is, and then exits with 1.

Examples:
  parqproof meta a.parquet
  parqproof meta --values a.parquet | less
  parqproof meta --format json a.parquet | jq '.fields[] | select(.name == "created_by")')");
}

int run(const Meta& meta) {
  std::string why;
  if (meta.values && meta.format == Format::json) {
    complain("--values is text alone");
    return kCouldNotRun;
  }
  const FooterInput input = open_input(meta.path, meta.footer_at, why);
  if (input.whole == nullptr) {
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
    case DumpEnd::whole:
      return finish(out, kFine);
    case DumpEnd::stopped:
      return finish(out, kBroken);
    case DumpEnd::encrypted:
      complain(meta.path + ": the footer is encrypted");
      break;
    case DumpEnd::limit:
      complain(meta.path + ": the footer is larger than what is read");
      break;
    case DumpEnd::unreadable:
      complain(meta.path + ": the file could not be read");
      break;
  }
  return finish(out, kCouldNotRun);
}

}  // namespace

void add_meta(CommandLine& line) {
  line.add("meta", "the footer as stored: every field with its name, value and offset", declare, run);
}

}  // namespace parqproof::cli
