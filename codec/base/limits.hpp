#pragma once

#include <algorithm>
#include <cstdint>

namespace parqproof {

/// The ceilings on what a file can make a reader do; each is checked before anything is allocated.
struct Limits {
  std::uint64_t page_bytes = std::uint64_t{1} << 31;    ///< one page, stored or decompressed (--max-page)
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;  ///< a page with its image (--max-memory)
  std::uint64_t work = 1;      ///< times the work that an honest file of the same size may take (--max-work)
  std::uint32_t nesting = 64;  ///< Thrift structs and lists inside each other
  std::uint64_t schema_depth = 1'000;  ///< nodes from the root to a leaf (--max-depth)
  /// The maximum of schema_depth: rows are assembled by functions that call themselves for each level.
  static constexpr std::uint64_t kDeepestSchema = 4'000;

  /// The footer, which is held while all else is read.
  [[nodiscard]] constexpr std::uint64_t footer_bytes() const noexcept { return memory_bytes / 4; }
  /// One row as text.
  [[nodiscard]] constexpr std::uint64_t row_bytes() const noexcept { return memory_bytes / 16; }
  /// One page header: much less than a page.
  [[nodiscard]] constexpr std::uint64_t page_header_bytes() const noexcept {
    return std::max<std::uint64_t>(page_bytes / 128, std::uint64_t{64} << 10);
  }
};

/// A deterministic budget: work units that decoding may spend, earned by bytes read. An honest file spends
/// about one unit a byte or run, so it never meets the ceiling; a file that makes a few bytes cost much does.
class Budget {
 public:
  static constexpr std::uint64_t kBase = 1'000'000;
  static constexpr std::uint64_t kMin = 20'000;
  static constexpr std::uint64_t kPerByte = 64;

  /// `factor`: Limits::work. What is free of charge is divided into as many `shares` as there are budgets.
  explicit Budget(std::uint64_t factor = 1, std::uint64_t shares = 1) noexcept
      : factor_(factor), limit_(std::max(kBase / std::max<std::uint64_t>(shares, 1), kMin) * factor) {}

  void earn(std::uint64_t bytes) noexcept { limit_ += bytes * kPerByte * factor_; }
  /// Whether `units` more may be spent; they are counted either way.
  [[nodiscard]] bool spend(std::uint64_t units) noexcept { return (spent_ += units) <= limit_; }
  [[nodiscard]] std::uint64_t spent() const noexcept { return spent_; }
  [[nodiscard]] std::uint64_t limit() const noexcept { return limit_; }

 private:
  std::uint64_t spent_ = 0;
  std::uint64_t factor_;
  std::uint64_t limit_;
};

}  // namespace parqproof
