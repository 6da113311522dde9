#include <fmt/format.h>
#include <unistd.h>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/layout_report.hpp"

namespace parqproof::cli {

int layout_command(const FileCommand& command) {
  std::string why;
  const std::unique_ptr<Source> source = open_input(command.path, why);
  if (source == nullptr) {
    complain(command.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  const Layout layout = read_layout(*source);
  if (command.format == Format::json) {
    write_layout_json(*source, layout, command.path, command.hex, out);
  } else if (command.hex) {
    write_annotated_bytes(*source, layout, {}, out);
  } else {
    write_layout_text(*source, layout, command.path, out);
  }
  if (layout.failed) complain(command.path + ": the file could not be read");
  if (layout.encrypted) complain(command.path + ": some of it is encrypted, and could not be taken apart");
  if (layout.failed || layout.encrypted) return finish(out, kCouldNotRun);
  return finish(out, layout.unread.empty() ? kFine : kBroken);
}

}  // namespace parqproof::cli
