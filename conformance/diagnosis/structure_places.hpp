#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "conformance/chunk/doubts.hpp"

namespace parqproof {

/// Searches for a single wrong field of a chunk: where its structures are, and in its pages.
///
/// find_region(): the wrong offset or length if a page index, a Bloom filter or pages are not at their stated
/// place. A length is accepted if the structure at the stated offset is intact with it (the length of
/// pages is judged elsewhere). An offset is accepted if a structure of exactly the stated length is there, in
/// unreferenced bytes next to another structure; not if there is more than one. The total bytes read by
/// `probe` are limited in proportion to the file size.
///
/// find_start(): either the offsets in the metadata are wrong, or a page at them is damaged;
/// total_compressed_size, the pages and the other structures of the file are the evidence.
///
/// is_in_doubt(): two fields of the header contradict each other, or num_values of the only data page differs
/// from that of the chunk.
///
/// of_pages(): gives up after a few unexplained pages.
class ChunkDiagnosis final : public ChunkDoubts {
 public:
  /// Data is in [begin, end).
  ChunkDiagnosis(const RegionMap& regions, std::uint64_t begin, std::uint64_t end)
      : ChunkDoubts(regions), begin_(begin), end_(end) {}

  [[nodiscard]] std::optional<Region> find_region(const Region& region, const Probe& probe) const override;
  void find_start(const ChunkScope& chunk, PageReader& reader, PageWalk& walk) const override;
  [[nodiscard]] bool is_in_doubt(const ChunkScope& chunk, const PageWalk& walk,
                                 const Page& page) const override;
  [[nodiscard]] std::unique_ptr<PageDoubts> of_pages(const ChunkScope& chunk,
                                                     const PageWalk& walk) const override;

  /// Returns the largest end, at most `offset`, of a structure of known length, or `otherwise` if there is
  /// none.
  [[nodiscard]] std::uint64_t previous_end(std::uint64_t offset, std::uint64_t otherwise) const;

 private:
  /// Bytes that no structure uses.
  struct Gap {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] std::uint64_t size() const noexcept { return end - begin; }
  };
  class Search;

  template <typename SomeRegions>
  static std::vector<Gap> gaps_between(SomeRegions&& regions, std::uint64_t begin, std::uint64_t end);
  // The lists are built on first use, because most files are valid.
  [[nodiscard]] const std::vector<Gap>& gaps() const;
  [[nodiscard]] const std::vector<std::uint64_t>& ends() const;

  std::uint64_t begin_;
  std::uint64_t end_;
  mutable std::once_flag gaps_made_;
  mutable std::vector<Gap> gaps_;  // sorted by size
  mutable std::once_flag ends_made_;
  mutable std::vector<std::uint64_t> ends_;  // sorted
};

}  // namespace parqproof
