#pragma once

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
  class Search;
  /// Made on first use, because most files are valid.
  struct Layout {
    std::vector<ByteRange> gaps;      ///< bytes that no structure uses, sorted by size
    std::vector<std::uint64_t> ends;  ///< of structures of known length, sorted
  };
  [[nodiscard]] const Layout& layout() const;

  std::uint64_t begin_;
  std::uint64_t end_;
  mutable std::once_flag layout_made_;
  mutable Layout layout_;
};

}  // namespace parqproof
