#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/thrift/list_walk.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/statistics/stated_sizes.hpp"

namespace parqproof {

/// How often each level occurs, in a page and in the chunk, and the histograms that say so.
class LevelCounts {
 public:
  enum class Kind : std::uint8_t { repetition, definition };

  /// `in_chunk`: the histogram of the chunk; null where there is none that can be held against levels.
  void open(const ChunkScope& scope, Kind kind, const thrift::List* in_chunk);
  [[nodiscard]] bool is_wanted() const noexcept { return in_chunk_ != nullptr || pages_.count() != 0; }
  /// The counts follow from LevelSums only for levels up to 1, or 2 from below and above.
  [[nodiscard]] bool needs_levels() const noexcept;

  void begin_page() noexcept;
  void add(const LevelBatch& batch) noexcept;
  /// A page whose levels are known; whether its histogram says the same.
  bool end_page(const ChunkScope& scope, const PageEnd& end);
  /// Makes the findings. `whole`: the levels of all pages were read. Where they were not, the histograms of
  /// the pages are held against that of the chunk if that is `sound`.
  void end_chunk(const ChunkScope& scope, const ChunkEnd& end, bool whole, bool sound);

 private:
  /// The first counter that is wrong, and how many are.
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
  std::vector<std::uint64_t> page_;   // counters of the page at hand
  std::vector<std::uint64_t> chunk_;  // of the pages so far
  Fault fault_;                       // of in_pages_
};

/// size-statistics/*, and what the page index says of sizes: the levels and the bytes of BYTE_ARRAY values
/// are counted where something claims to have counted them.
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
  thrift::IntegerWalk unencoded_;       // of the OffsetIndex, where it is about BYTE_ARRAY values
  std::vector<std::uint32_t> lengths_;  // of the entries of the dictionary
  std::uint64_t page_bytes_ = 0;        // of the values of the page at hand
  std::uint64_t bytes_ = 0;             // of those of the pages so far
  std::uint64_t faulty_page_ = 0;       // the first of which unencoded_ is wrong
  std::uint64_t faulty_pages_ = 0;
  Contrast fault_;
  std::uint64_t pages_with_levels_ = 0;  // that could be read
  std::uint64_t pages_with_bytes_ = 0;
  std::uint64_t doubtful_pages_ = 0;  // whose size is not judged, because their histogram is wrong
  bool has_dictionary_ = false;       // lengths_ are all
  bool page_counted_ = true;          // page_bytes_ are all
};

}  // namespace parqproof
