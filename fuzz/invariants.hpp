#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/kernel/kernels.hpp"
#include "conformance/check/check.hpp"
#include "conformance/rows/rows.hpp"

/// Invariants for any bytes, checked by fuzzing, by the sweeps over changed files, and by the replay of
/// regressions.
namespace parqproof::fuzz {

/// The report as `check --format json` prints it.
[[nodiscard]] std::string json_of(const FileReport& report);

/// Prints a file in every form, to detect crashes of the printing.
void print_report(const Source& source, const FileReport& report);

/// Prints one form, which `chance` selects.
void print_one_form(const Source& source, const FileReport& report, std::size_t chance);

/// Text about a contradiction in a report on bytes in memory, or nothing: the verdict must match the
/// findings, and these must be inside the file, in file order.
[[nodiscard]] std::string contradiction(const FileReport& report, std::uint64_t size);

/// Text about an error in the byte map, which must cover the bytes exactly once, as the runs of a segment the
/// segment.
[[nodiscard]] std::string map_fault(std::span<const std::uint8_t> bytes);

/// Max rows that a property reads: few bytes can have any number of rows.
inline constexpr std::uint64_t kFewRows = 200;

/// The rows of a file as `cat` writes them, and their end.
struct WrittenRows {
  std::string text;
  std::uint64_t lines = 0;
  RowsOutcome outcome;
  bool is_limited = false;  ///< a limit has ended the rows
  std::string fault;  ///< a line that is not JSON, or a missing reason for the end of the rows; else empty
};
[[nodiscard]] WrittenRows rows_of(const Source& source, const RowOptions& options);

/// Text about an error in the first rows, as stored or by logical type.
[[nodiscard]] std::string rows_fault(std::span<const std::uint8_t> bytes, RowView view);

/// Limits under which any input of a few KB is checked in milliseconds.
[[nodiscard]] Limits small_limits();

/// Report of a file of a few KB with one set of kernels, including advice; everything is listed or counted.
[[nodiscard]] FileReport judged_with(const Kernels& set, const Source& source, Tier tier,
                                     Profile profile = Profile::strict,
                                     const Limits& limits = small_limits());

/// Checks bytes at all tiers, prints all forms, maps the bytes, and reads the rows; returns the first
/// invariant that does not hold. Also compares the reports of the reference kernels and another set, which
/// the size of the input selects.
[[nodiscard]] std::string whole_file_fault(std::span<const std::uint8_t> bytes);

}  // namespace parqproof::fuzz
