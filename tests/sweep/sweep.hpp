#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conformance/check/check.hpp"

namespace support {

/// A file of the corpus that is small enough to be swept.
struct SmallFile {
  std::string path;  ///< from the source tree
  std::vector<std::uint8_t> bytes;
};

/// The files below corpus/ of at most 1 KB, in the order of their paths.
[[nodiscard]] const std::vector<SmallFile>& small_files();

/// Share of the cases, by PARQPROOF_SWEEP: `all`; `few`, for builds in which the program is slow; else
/// a fixed number of each kind, so that the time does not grow with the corpus.
enum class Share : std::uint8_t { few, usual, all };
[[nodiscard]] Share sweep_share();
/// Returns true for Share::few.
[[nodiscard]] bool few_cases();

/// Number of cases of each kind, from `usual`: fewer for Share::few, unlimited for Share::all.
[[nodiscard]] std::size_t cases_per_kind(std::size_t usual);

/// A number that depends only on its arguments.
[[nodiscard]] std::uint64_t fixed_hash(const std::string& text, std::uint64_t number);

/// Changes of one byte: eight flipped bits, 00 and ff.
inline constexpr std::uint64_t kChangesOfAByte = 10;

/// Calls `look` with change `number` (offset times kChangesOfAByte plus kind) applied to `bytes`, and
/// restores them. It does nothing if the byte has that value already.
void with_change(std::vector<std::uint8_t>& bytes, std::uint64_t number, const std::function<void()>& look);

/// Usual number of cases of each kind; all cases take more than an hour of CPU time.
inline constexpr std::size_t kUsualCases = 400;

/// Describes the fault in the bytes of a case; `hash` depends only on the case.
using Look = std::function<std::string(const std::vector<std::uint8_t>& bytes, std::uint64_t hash)>;

/// Calls `look` for files with one changed byte, and fails if it finds a fault. The kind of a case is the
/// kind of structure that the byte belongs to, together with the folder of the corpus, which is that of a
/// group of rules, or of a writer.
void sweep_bytes(std::size_t usual, const Look& look);
/// The same for proper prefixes; the kind of a case is that of the byte after the prefix.
void sweep_prefixes(std::size_t usual, const Look& look);

}  // namespace support
