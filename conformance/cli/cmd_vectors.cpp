#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codec/kernel/kernels.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/file_search.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/cli/vectors/vectors.hpp"
#include "conformance/report/escape.hpp"
#include "conformance/report/words/wording.hpp"

namespace parqproof::cli {
namespace {

constexpr std::uint64_t kMaxVectorFileBytes = std::uint64_t{256} << 20;

/// Files and directories; empty: the built-in vectors.
using Paths = std::vector<std::string>;

void declare(Subcommand& sub, Paths& paths) {
  sub.texts("FILE", paths, "[FILE|DIR]...",
            "vector files; directories, searched for *.json; none: the\nbuilt-in vectors")
      .footer(R"(
A vector has bytes, the result of decoding them and the expected findings; see corpus/vectors/README.md.
Each is decoded with every set of kernels that this processor can run.

Exit code: 0 all vectors match; 1 one does not; 2 a file could not be read.

Examples:
  parqproof vectors
  parqproof vectors corpus/vectors/alp.json my-vectors/)");
}

/// Runs files of vectors with every set of kernels. Prints differences as they occur, and a row for each file
/// at the end.
class Runner {
 public:
  explicit Runner(Out& out) : out_(out) {
    rows_ = fmt::format(kForm, "vectors", "decoded", "refused", "differ", "file");
  }

  void file(const std::string& name, std::span<const std::uint8_t> text) {
    const auto vectors = read_vectors(text_of(text));
    if (!vectors) return unreadable(name + ": " + vectors.error());
    std::size_t refused = 0;
    std::size_t differ = 0;
    for (const Vector& vector : *vectors) {
      if (!vector.sound) ++refused;
      if (!agrees(name, vector)) ++differ;
    }
    rows_ += fmt::format(kForm, vectors->size(), vectors->size() - refused, refused, differ, printable(name));
    vectors_ += vectors->size();
    differ_ += differ;
  }
  void unreadable(const std::string& complaint) {
    complain(complaint);
    unreadable_ = true;
  }

  int end() {
    std::vector<std::string> names;
    for (const Kernels* const set : all_kernels()) names.emplace_back(set->name);
    out_ << (differ_ == 0 ? "" : "\n") << rows_
         << fmt::format("\n{}, {}; kernels {}\n", counted(vectors_, "vector"),
                        differ_ != 0    ? fmt::format("{} not as they should be", differ_)
                        : vectors_ == 0 ? "nothing was compared"
                                        : "all as they should be",
                        joined(names));
    return finish(out_, unreadable_ || cancelled() ? kCouldNotRun : differ_ == 0 ? kFine : kBroken);
  }

 private:
  static constexpr const char* kForm = "{:>8}{:>9}{:>9}{:>8}  {}\n";

  /// Returns true if the vector has the expected result with all sets of kernels.
  bool agrees(const std::string& file, const Vector& vector) {
    const Kernels& before = kernels();
    bool same = true;
    for (const Kernels* const set : all_kernels()) {
      use_kernels(*set);
      const std::string difference = run_vector(vector);
      if (difference.empty()) continue;
      out_ << fmt::format("{}: {}, kernels {}: {}\n", printable(file), printable(vector.id), set->name,
                          printable(difference));
      same = false;
    }
    use_kernels(before);
    return same;
  }

  Out& out_;
  std::string rows_;
  std::size_t vectors_ = 0;
  std::size_t differ_ = 0;
  bool unreadable_ = false;
};

int run(const Paths& paths) {
  Out out(STDOUT_FILENO);
  Runner runner(out);
  if (paths.empty()) {
    for (const VectorFile& file : built_in_vectors()) runner.file(std::string(file.name), file.text);
  }
  FileSearch search{.globs = {"*.json"}};
  for (const auto& [path, folder] : expand(paths, search)) {
    if (cancelled()) break;
    std::string why;
    const auto text = read_input(path, kMaxVectorFileBytes, why);
    if (text) {
      runner.file(path, *text);
    } else {
      runner.unreadable(fmt::format("{}: {}", path, why));
    }
  }
  for (const std::string& complaint : search.complaints) runner.unreadable(complaint);
  return runner.end();
}

}  // namespace

void add_vectors(CommandLine& line) {
  line.add<Paths>("vectors", "decode golden vectors and compare the results", declare, run);
}

}  // namespace parqproof::cli
