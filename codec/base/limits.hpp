#pragma once

#include <algorithm>
#include <cstdint>

namespace parqproof {

/// Limits on the resources that a file can make a reader use. Each is checked before memory is allocated.
struct Limits {
  /// Max bytes of one page, stored or decompressed (--max-page).
  std::uint64_t page_bytes = std::uint64_t{1} << 31;
  /// Max bytes of a page with its decompressed image (--max-memory).
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  /// Multiple of the work that a valid file of the same size needs (--max-work).
  std::uint64_t work = 1;
  /// Max depth of nested Thrift structs and lists.
  std::uint32_t nesting = 64;
  /// Max nodes on the path from the root to a leaf (--max-depth).
  std::uint64_t schema_depth = 1'000;
  /// Upper bound of schema_depth: rows are assembled by functions that recurse once for each level.
  static constexpr std::uint64_t kDeepestSchema = 4'000;

  /// Max bytes of the footer, which is kept in memory while all else is read.
  [[nodiscard]] constexpr std::uint64_t footer_bytes() const noexcept { return memory_bytes / 4; }
  /// Max bytes of the text of one row.
  [[nodiscard]] constexpr std::uint64_t row_bytes() const noexcept { return memory_bytes / 16; }
  /// Max bytes of one page header, which is much smaller than a page.
  [[nodiscard]] constexpr std::uint64_t page_header_bytes() const noexcept {
    return std::max<std::uint64_t>(page_bytes / 128, std::uint64_t{64} << 10);
  }
};

/// A deterministic budget of work units: decoding spends them, reading bytes earns them. Valid files spend
/// about one unit a byte or run, far below the limit; a file in which few bytes cause much work exceeds it.
class Budget {
 public:
  static constexpr std::uint64_t kBase = 1'000'000;
  static constexpr std::uint64_t kMin = 20'000;
  static constexpr std::uint64_t kPerByte = 64;

  /// `factor`: Limits::work. `shares`: number of budgets among which the free initial amount is divided.
  explicit Budget(std::uint64_t factor = 1, std::uint64_t shares = 1) noexcept
      : factor_(factor), limit_(std::max(kBase / std::max<std::uint64_t>(shares, 1), kMin) * factor) {}

  void earn(std::uint64_t bytes) noexcept { limit_ += bytes * kPerByte * factor_; }
  /// Spends `units`, even beyond the limit. Returns false if the limit is exceeded.
  [[nodiscard]] bool spend(std::uint64_t units) noexcept { return (spent_ += units) <= limit_; }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

 private:
  std::uint64_t spent_ = 0;
  std::uint64_t factor_;
  std::uint64_t limit_;
};

}  // namespace parqproof
