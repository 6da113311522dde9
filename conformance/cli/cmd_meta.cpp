#include <unistd.h>

#include "conformance/cli/commands.hpp"
#include "conformance/cli/input.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/report/footer_dump.hpp"

namespace parqproof::cli {

int meta_command(const FileCommand& command) {
  std::string why;
  const std::unique_ptr<Source> source = open_input(command.path, why);
  if (source == nullptr) {
    complain(command.path + ": " + why);
    return kCouldNotRun;
  }
  Out out(STDOUT_FILENO);
  const DumpEnd end = command.format == Format::json ? dump_footer_json(*source, command.path, out)
                                                     : dump_footer_text(*source, command.path, out);
  switch (end) {
    case DumpEnd::whole:
      return finish(out, kFine);
    case DumpEnd::stopped:
      return finish(out, kBroken);
    case DumpEnd::encrypted:
      complain(command.path + ": the footer is encrypted");
      break;
    case DumpEnd::limit:
      complain(command.path + ": the footer is larger than what is read");
      break;
    case DumpEnd::unreadable:
      complain(command.path + ": the file could not be read");
      break;
  }
  return finish(out, kCouldNotRun);
}

}  // namespace parqproof::cli
