#include "conformance/cli/terminal.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "conformance/report/escape.hpp"

namespace parqproof::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void interrupt(int /*signal*/) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

void handle_signals() {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  struct sigaction once{};
  once.sa_handler = interrupt;
  once.sa_flags =
      static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a signal also ends waiting for standard input
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (signal == SIGINT || before.sa_handler != SIG_IGN) ::sigaction(signal, &once, nullptr);
  }
}

const std::atomic<bool>& cancelled() noexcept { return interrupted; }

bool fancy(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != 0) return false;
  if (term != nullptr && std::strcmp(term, "dumb") == 0) return false;
  return ::isatty(descriptor) == 1;
}

void complain(std::string_view text) { Out(STDERR_FILENO) << "parqproof: " << printable(text) << "\n"; }

int could_not_run(std::string_view why) {
  complain(why);
  return kCouldNotRun;
}

int finish(Out& out, int code) {
  out.flush();
  return out.error() == 0 ? code : could_not_run("cannot write: " + std::string(std::strerror(out.error())));
}

}  // namespace parqproof::cli
