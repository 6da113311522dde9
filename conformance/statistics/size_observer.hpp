#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/thrift/list_walk.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/statistics/stated_sizes.hpp"

namespace parqproof {

/// Counts the levels of each page and of the chunk, and compares the counts with the histograms.
class LevelCounts {
 public:
  enum class Kind : std::uint8_t { repetition, definition };

  /// `in_chunk`: the histogram of the chunk; null if there is none that can be compared with levels.
  void open(const ChunkScope& scope, Kind kind, const thrift::List* in_chunk);
  [[nodiscard]] bool is_wanted() const noexcept { return in_chunk_ != nullptr || pages_.count() != 0; }
  /// Returns true if the counts do not follow from LevelSums: it suffices up to max repetition level 1 and
  /// max definition level 2.
  [[nodiscard]] bool needs_levels() const noexcept;

  void begin_page() noexcept;
  void add(const LevelBatch& batch) noexcept;
  /// Ends a page whose levels are known. Returns true if they match its histogram.
  bool end_page(const ChunkScope& scope, const PageEnd& end);
  /// Makes the findings. `all_levels_read`: the levels of all pages were read. `sound`: the histograms of the
  /// pages can be compared with that of the chunk without levels.
  void end_chunk(const ChunkScope& scope, const ChunkEnd& end, bool all_levels_read, bool sound);

 private:
  /// The first wrong counter, and the number of wrong counters.
  struct Fault {
    std::uint64_t at = 0;
    std::uint64_t times = 0;
    Contrast what;

    void note(std::uint64_t counter, std::int64_t found, std::uint64_t expected);
  };

  void fill(const PageEnd& end) noexcept;
  [[nodiscard]] bool judge_list(const ChunkScope& scope, std::uint64_t pages) const;
  void judge_pages(const ChunkScope& scope) const;
  /// The first level at which the counters of the pages do not add up to that of the chunk.
  [[nodiscard]] std::optional<std::size_t> disagrees(std::vector<std::int64_t>& sums) const;
  void judge_sums(const ChunkScope& scope) const;
  void judge_chunk(const ChunkScope& scope) const;

  Kind kind_ = Kind::repetition;
  const thrift::List* in_chunk_ = nullptr;
  const thrift::List* in_pages_ = nullptr;  // of the ColumnIndex
  thrift::IntegerWalk pages_;
  std::vector<std::uint64_t> page_;   // counters of the current page
  std::vector<std::uint64_t> chunk_;  // of the pages so far
  Fault fault_;                       // of in_pages_
};

/// size-statistics/*, and the histograms and sizes in the page index: levels and bytes of BYTE_ARRAY values
/// are counted only if the file states such counts.
class SizeObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void begin_page(const Page& page) override;
  void levels(const Page& page, const LevelBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  void judge_unencoded(const ChunkEnd& end) const;
  [[nodiscard]] bool judge_unencoded_list(std::uint64_t pages) const;

  const ChunkScope* scope_ = nullptr;
  SizeClaims claims_;
  LevelCounts repetition_;
  LevelCounts definition_;
  thrift::IntegerWalk unencoded_;       // of the OffsetIndex, for BYTE_ARRAY values
  std::vector<std::uint32_t> lengths_;  // of the entries of the dictionary
  std::uint64_t page_bytes_ = 0;        // of the values of the current page
  std::uint64_t bytes_ = 0;             // of the values of the pages so far
  std::uint64_t faulty_page_ = 0;       // the first page for which unencoded_ is wrong
  std::uint64_t faulty_pages_ = 0;
  Contrast fault_;
  std::uint64_t pages_with_levels_ = 0;  // pages whose levels could be read
  std::uint64_t pages_with_bytes_ = 0;
  std::uint64_t doubtful_pages_ = 0;  // whose size is not judged, because their histogram is wrong
  bool has_dictionary_ = false;       // lengths_ is complete
  bool page_counted_ = true;          // page_bytes_ is complete
};

}  // namespace parqproof
