#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/base/source.hpp"
#include "conformance/fault/fault.hpp"
#include "conformance/policy/profiles.hpp"
#include "conformance/report/out.hpp"

/// The index of files with faults, in the form of corpus/index.json: what a reader must do with each.
namespace parqproof::fault {

/// A file with a fault, and its rows.
struct IndexEntry {
  const Fault* fault = nullptr;
  std::string file;    ///< path from the folder of the index
  std::string sha256;  ///< 64 hex digits
  std::string verdict;
  std::vector<std::string>
      breaks;        ///< ids of the rules of severity error that it breaks, each once, in order
  std::string rows;  ///< path of its rows; empty if they are unknown
};

/// The profile that judges the rule of a fault: historical for rules that only this profile has, else strict.
[[nodiscard]] Profile profile_of(const Fault& fault) noexcept;

/// Checks the file with a fault under profile_of(), and describes it; `rows` stays empty.
[[nodiscard]] IndexEntry entry_of(const Fault& fault, const Source& faulty, std::string file,
                                  std::string sha256);

/// A fault with the reason why a file cannot have it.
struct ListedFault {
  const Fault* fault = nullptr;
  bool applies = true;
  std::string why = {};
};
/// All faults; with a file, and whether it has what each needs at place `seed`.
[[nodiscard]] std::vector<ListedFault> list_faults(const Source* in, std::uint64_t seed);
/// The list as JSON, as `parqproof mutate --list --format json` prints it.
void write_faults_json(const std::vector<ListedFault>& faults, bool with_file, Out& out);

/// Max bytes of rows that an index refers to.
inline constexpr std::size_t kMostRowBytes = std::size_t{512} << 10;

/// The rows of a file as JSON Lines; empty if they cannot all be read, or take more than kMostRowBytes.
[[nodiscard]] std::string rows_of(const Source& file);

/// Returns true if a reader that reads the faulty file returns other rows than from the file without the
/// fault, because the schema or a value differs.
[[nodiscard]] bool changes_rows(const Fault& fault) noexcept;

/// An index of such files. `rows`: the path and the digest of each file of rows.
void write_index(const std::vector<IndexEntry>& entries,
                 const std::vector<std::pair<std::string, std::string>>& rows, Out& out);
/// One entry alone, the sidecar of a file.
void write_sidecar(const IndexEntry& entry, Out& out);

}  // namespace parqproof::fault
