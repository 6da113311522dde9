#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/rules/finding.hpp"
#include "conformance/result/file_report.hpp"
#include "conformance/rows/damage.hpp"

namespace parqproof {

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

  [[nodiscard]] bool any() const noexcept { return !parts.empty(); }
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
/// "column id, row group 3, page 5, rows 30,000 to 31,023: crc/match at byte 5678 (0x162e)"
[[nodiscard]] std::string left_out_text(const LeftOutPart& part);

}  // namespace parqproof
