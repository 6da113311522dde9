#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/kernel/kernels.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rows/rows.hpp"

/// What holds for any bytes, held by fuzzing, by the sweeps over changed files, and by the replay of
/// regressions.
namespace parqproof::fuzz {

/// The report as `check --format json` prints it.
[[nodiscard]] std::string json_of(const FileReport& report);

/// Prints everything that is printed of a file, for the sake of what printing may run into.
void print_report(const Source& source, const FileReport& report);

/// Prints one form of it, which `chance` chooses.
void print_one_form(const Source& source, const FileReport& report, std::size_t chance);

/// What contradicts itself in a report on bytes in memory, in words; empty where nothing does: the verdict is
/// the one that the findings bear out, and they lie in the file, in its order.
[[nodiscard]] std::string contradiction(const FileReport& report, std::uint64_t size);

/// Where the byte map does not cover the bytes exactly once, or the runs of a segment the segment.
[[nodiscard]] std::string map_fault(std::span<const std::uint8_t> bytes);

/// Rows that a property asks for at most: few bytes can hold any number of rows.
inline constexpr std::uint64_t kFewRows = 200;

/// The rows of a file as `cat` writes them, and how they ended.
struct WrittenRows {
  std::string text;
  std::uint64_t lines = 0;
  RowsOutcome outcome;
  std::string fault;  ///< which line is not JSON, or what is missing in the reason why rows end; else empty
};
[[nodiscard]] WrittenRows rows_of(const Source& source, const RowOptions& options);

/// The fault of the first rows, as stored or by logical type.
[[nodiscard]] std::string rows_fault(std::span<const std::uint8_t> bytes, RowView view);

/// Ceilings under which any input of a few KB is judged in milliseconds.
[[nodiscard]] Limits small_limits();

/// What one set of kernels finds in a file of a few KB: everything is listed or counted, advice too.
[[nodiscard]] FileReport judged_with(const Kernels& set, const Source& source, Tier tier,
                                     Profile profile = Profile::strict,
                                     const Limits& limits = small_limits());

/// Judges bytes at all tiers, prints all that is printed of them, maps them, and reads their rows; the first
/// invariant that does not hold, in words. Also: the reference kernels make the same report as others, which
/// the size of the input chooses.
[[nodiscard]] std::string whole_file_fault(std::span<const std::uint8_t> bytes);

}  // namespace parqproof::fuzz
