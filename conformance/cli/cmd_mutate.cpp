#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "codec/encryption/digest.hpp"
#include "codec/write/sink.hpp"
#include "conformance/cli/commands.hpp"
#include "conformance/cli/input/input.hpp"
#include "conformance/cli/options.hpp"
#include "conformance/cli/terminal.hpp"
#include "conformance/fault/apply.hpp"
#include "conformance/fault/fault_index.hpp"

namespace parqproof::cli {
namespace {

using fault::Fault;
using fault::Faulty;
using fault::ListedFault;

struct Mutate {
  std::vector<std::string> files;
  std::string name;
  std::string folder;
  std::uint64_t seed = 0;
  Format format = Format::text;
  bool list = false;
};

void declare(Subcommand& sub, Mutate& mutate) {
  sub.texts("FILE", mutate.files, "FILE...", "IN and OUT; with --list or --all only IN")
      .flag("--list", mutate.list, "print all faults; with IN, and whether IN has what each needs")
      .text("--fault", mutate.name, "NAME", "write a copy of IN with this fault to OUT")
      .text("--all", mutate.folder, "DIR",
            "write one file for each fault that IN can have into the\n"
            "folder DIR, with an index for `scripts/interop readers`")
      .number("--seed", mutate.seed, "N",
              "put the fault at place N of those that are possible in IN,\n"
              "from 0 (default) on, in a circle")
      .format(mutate.format)
      .footer(R"(
A fault breaks exactly the rule that --list names with it. READER says what a
reader does with such a file: accept it, reject it, or either (may); "loses
rows" if it then loses rows without an error where it filters.

OUT appears complete or not at all; IN is never replaced.

Exit code 2: IN lacks what the fault needs, or a file cannot be read or written.

Examples:
  parqproof mutate --list a.parquet
  parqproof mutate --fault max-value-low a.parquet b.parquet
  parqproof mutate --all faults a.parquet && scripts/interop readers --corpus faults)");
}

void write_text(const std::vector<ListedFault>& faults, bool with_file, Out& out) {
  std::size_t name = 4;
  std::size_t rule = 4;
  for (const ListedFault& one : faults) {
    name = std::max(name, one.fault->name.size());
    rule = std::max(rule, info(one.fault->rule).id.size());
  }
  const auto line = [&](std::string_view applies, std::string_view a, std::string_view b, std::string_view c,
                        std::string_view d) {
    if (with_file) out << fmt::format("{:<5} ", applies);
    out << fmt::format("{:<{}}  {:<{}}  {:<10}  {}\n", a, name, b, rule, c, d);
  };
  line("", "NAME", "RULE", "READER", "NEEDS");
  for (const ListedFault& one : faults) {
    line(one.applies ? "yes" : "no", one.fault->name, info(one.fault->rule).id,
         fault::to_string(one.fault->reader), fault::needs_of(*one.fault));
  }
}

int list(const Mutate& mutate, const Source* in) {
  Out out(STDOUT_FILENO);
  const std::vector<ListedFault> faults = fault::list_faults(in, mutate.seed);
  if (mutate.format == Format::json) {
    fault::write_faults_json(faults, in != nullptr, out);
  } else {
    write_text(faults, in != nullptr, out);
  }
  return finish(out, kFine);
}

/// Writes a file with a fault. Returns the reason of a failure, or nothing; `digest` is its SHA-256.
std::string write_file(Faulty& faulty, const std::string& path, const std::string& in, std::string& digest) {
  const std::expected<std::unique_ptr<FileSink>, std::string> file = FileSink::create(path, in);
  if (!file) return file.error();
  Digest sha256(Digest::Algorithm::sha256);
  WriteStatus status;
  const bool written = faulty.write([&](std::span<const std::uint8_t> bytes) {
    sha256.add(bytes);
    status = (*file)->write(bytes);
    return status.has_value();
  });
  if (!written) return status ? in + ": cannot be read" : status.error();
  if (const WriteStatus committed = (*file)->commit(); !committed) return committed.error();
  digest = sha256.hex();
  return {};
}

std::string write_text_file(const std::string& path, const std::string& text) {
  const std::expected<std::unique_ptr<FileSink>, std::string> file = FileSink::create(path);
  if (!file) return file.error();
  WriteStatus status = (*file)->write(bytes_of(text));
  if (status) status = (*file)->commit();
  return status ? std::string() : status.error();
}

int write_one(const Mutate& mutate, const Source& in) {
  const Fault* const wanted = fault::find_fault(mutate.name);
  if (wanted == nullptr)
    return could_not_run("there is no fault '" + mutate.name + "' (parqproof mutate --list)");
  auto faulty = fault::apply(*wanted, in, mutate.seed);
  if (!faulty) return could_not_run(mutate.files[0] + ": " + mutate.name + ": " + faulty.error());
  std::string digest;
  const std::string why = write_file(*faulty, mutate.files[1], mutate.files[0], digest);
  if (!why.empty()) return could_not_run(why);
  Out out(STDOUT_FILENO);
  out << fmt::format("{}: {} in {}\n", mutate.files[1], info(wanted->rule).id, faulty->place);
  return finish(out, kFine);
}

/// Writes the files of --all, and collects their index.
class FaultFolder {
 public:
  FaultFolder(const Mutate& mutate, const Source& in) : mutate_(mutate), in_(in) {}

  /// Returns the reason of a failure, or nothing.
  [[nodiscard]] std::string run() {
    for (const std::string& path : {mutate_.folder, mutate_.folder + "/rows"}) {
      if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) return path + ": " + std::strerror(errno);
    }
    const std::string rows_path = add_rows(fault::rows_of(in_));
    for (const Fault& one : fault::all_faults()) {
      auto faulty = fault::apply(one, in_, mutate_.seed);
      if (faulty) add(one, *faulty, rows_path);
      if (!why_.empty()) return why_;
    }
    std::string text;
    {
      Out out(text);
      fault::write_index(entries_, rows_, out);
    }
    return write_text_file(mutate_.folder + "/index.json", text);
  }
  [[nodiscard]] std::size_t count() const noexcept { return entries_.size(); }

 private:
  void add(const Fault& one, Faulty& faulty, const std::string& rows_path) {
    const std::string name(one.name);
    const std::string path = mutate_.folder + "/" + name + ".parquet";
    std::string digest;
    why_ = write_file(faulty, path, mutate_.files[0], digest);
    if (!why_.empty()) return;
    const std::unique_ptr<FileSource> file = FileSource::open(path, why_);
    if (file == nullptr) return;
    fault::IndexEntry entry = fault::entry_of(one, *file, name + ".parquet", digest);
    if (one.reader != fault::Reader::reject)
      entry.rows = fault::changes_rows(one) ? add_rows(fault::rows_of(*file)) : rows_path;
    if (!why_.empty()) return;
    std::string text;
    {
      Out out(text);
      fault::write_sidecar(entry, out);
    }
    why_ = write_text_file(mutate_.folder + "/" + name + ".json", text);
    entries_.push_back(std::move(entry));
  }

  /// Writes rows into a file named after its content. Returns its path in the folder, empty without rows.
  std::string add_rows(const std::string& rows) {
    if (rows.empty()) return {};
    Digest sha256(Digest::Algorithm::sha256);
    sha256.add(bytes_of(rows));
    const std::string digest = sha256.hex();
    std::string path = "rows/" + digest.substr(0, 16) + ".jsonl";
    const bool is_known = std::ranges::any_of(rows_, [&](const auto& one) { return one.first == path; });
    if (is_known) return path;
    why_ = write_text_file(mutate_.folder + "/" + path, rows);
    rows_.emplace_back(path, digest);
    return path;
  }

  const Mutate& mutate_;
  const Source& in_;
  std::vector<fault::IndexEntry> entries_;
  std::vector<std::pair<std::string, std::string>> rows_;  // path and digest
  std::string why_;
};

int write_all(const Mutate& mutate, const Source& in) {
  std::string why;
  const auto file = fault::File::open(in, why);
  if (file == nullptr) return could_not_run(mutate.files[0] + ": " + why);
  FaultFolder folder(mutate, in);
  why = folder.run();
  if (!why.empty()) return could_not_run(why);
  Out out(STDOUT_FILENO);
  out << fmt::format("{}: {} of {} faults, with index.json\n", mutate.folder, folder.count(),
                     fault::all_faults().size());
  return finish(out, kFine);
}

int run(const Mutate& mutate) {
  const int ways = (mutate.list ? 1 : 0) + (mutate.name.empty() ? 0 : 1) + (mutate.folder.empty() ? 0 : 1);
  if (ways != 1) return could_not_run("one of --list, --fault and --all is required");
  if (mutate.format == Format::json && !mutate.list) return could_not_run("--format json is only for --list");
  const std::size_t most = mutate.name.empty() ? 1 : 2;
  if (mutate.files.size() > most || (!mutate.list && mutate.files.size() != most))
    return could_not_run(most == 2 ? "--fault needs IN and OUT" : "one file, IN, is expected");
  if (mutate.files.empty()) return list(mutate, nullptr);
  std::string why;
  const std::unique_ptr<Source> in = open_input(mutate.files[0], why);
  if (in == nullptr) return could_not_run(mutate.files[0] + ": " + why);
  if (mutate.list) return list(mutate, in.get());
  return mutate.name.empty() ? write_all(mutate, *in) : write_one(mutate, *in);
}

}  // namespace

void add_mutate(CommandLine& line) {
  line.add<Mutate>("mutate", "write copies of a file with one fault each, to test readers", declare, run);
}

}  // namespace parqproof::cli
