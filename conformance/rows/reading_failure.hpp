#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/record/column_cursor.hpp"
#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {

/// Reason why a part of the file cannot be read.
struct DamageCause {
  std::optional<Finding> finding;
  std::string words;  ///< used if no rule is broken
  std::string file;   ///< the named file that the finding is in; empty: the file itself

  /// Returns true if the input is at fault, not a limit, a missing key, an unsupported feature or the medium.
  [[nodiscard]] bool is_broken() const noexcept;
};

/// Reason why the rows of a file cannot be read further: a finding, or words if no rule is broken.
class ReadingFailure {
 public:
  ReadingFailure() : findings_(RuleSet{}.set()) {}
  ReadingFailure(const ReadingFailure&) = delete;
  ReadingFailure& operator=(const ReadingFailure&) = delete;

  /// Receives the finding that ends the reading.
  [[nodiscard]] Findings& findings() noexcept { return findings_; }
  /// Records that the file cannot be read, or that its rows are in another file.
  void set_message(std::string why) { why_ = std::move(why); }
  /// Records the fault that ended a cursor. `chunk` has the bytes of the footer from the ColumnChunk on.
  void take(const ColumnCursor& cursor, View chunk, const PageFault& fault);
  /// Records a fault of `page` at `place`, or of its column chunk.
  void take(const Place& place, View chunk, const PageFault& fault, const Page& page = {});
  /// Returns the reason and clears it, so that the reading can continue without the lost data.
  [[nodiscard]] DamageCause release();
  /// Replaces the finding by its cause.
  void replace(Finding cause);

  /// The finding that ended the reading, or null.
  [[nodiscard]] const Finding* finding() const noexcept {
    return findings_.all().empty() ? nullptr : &findings_.all().back();
  }
  [[nodiscard]] const std::string& why() const noexcept { return why_; }
  /// Returns true if the input is at fault, as DamageCause::is_broken().
  [[nodiscard]] bool broken() const noexcept;

 private:
  Findings findings_;
  std::string why_;
};

/// Rows that are left out, or lack a value, for one cause.
struct LeftOutPart {
  Place place;                   ///< place of the first page, if known
  std::int32_t last_page = -1;   ///< ordinal of the last page
  std::string column = {};       ///< dotted path
  std::optional<RowRange> rows;  ///< rows of the file; empty if their number is unknown
  DamageCause cause;
};

/// Damage to the requested rows.
struct LeftOut {
  static constexpr std::size_t kMaxParts = 20;  ///< max number of parts; the others are counted

  std::vector<LeftOutPart> parts;  ///< in the order of the rows
  std::uint64_t more = 0;          ///< parts that are not kept
  std::uint64_t requested = 0;     ///< requested rows of the file, as far as they were reached
  std::uint64_t rows = 0;          ///< requested rows that are left out
  std::uint64_t with_null = 0;     ///< requested rows that have null for lost values
  bool is_broken = false;          ///< the input is at fault for at least one part
  /// Written rows whose values contradict the statistics of a page without checksum, and their pages.
  std::uint64_t contradicted_rows = 0;
  std::vector<LeftOutPart> contradicted;
  std::uint64_t more_contradicted = 0;  ///< pages that are not kept

  [[nodiscard]] bool any() const noexcept { return !parts.empty(); }
  void add_contradicted(LeftOutPart part) {
    if (contradicted.size() < kMaxParts) {
      contradicted.push_back(std::move(part));
    } else {
      ++more_contradicted;
    }
  }
  void add(LeftOutPart part) {
    is_broken = is_broken || part.cause.is_broken();
    if (parts.size() < kMaxParts) {
      parts.push_back(std::move(part));
    } else {
      ++more;
    }
  }
};

/// "left out 1,024 of 100,000 rows"
[[nodiscard]] std::string left_out_text(const LeftOut& left_out);
/// "4096 of 100,000 rows may be wrong: their values contradict the statistics, and no checksum covers them"
[[nodiscard]] std::string contradicted_text(const LeftOut& left_out);
/// Calls `line` with the lines that say what is missing or contradicted; `is_part`: one of the places.
void describe(const LeftOut& left_out,
              const std::function<void(const std::string& line, bool is_part)>& line);
/// "column id, row group 3, page 5, rows 30,000 to 31,023: crc/match at byte 5678 (0x162e)"
[[nodiscard]] std::string left_out_text(const LeftOutPart& part);

}  // namespace parqproof
