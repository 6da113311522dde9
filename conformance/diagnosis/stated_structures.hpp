#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/format/page_index.hpp"
#include "codec/page/page_reader.hpp"
#include "codec/page/regions.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// Returns the structures of the footer, sorted by their stated offsets, without checking that they are
/// there. Encrypted structures and negative offsets are left out.
[[nodiscard]] std::vector<Region> stated_structures(const FileCheck& check);

/// Detects structures at given offsets, independently of the footer.
class StructureProbe {
 public:
  explicit StructureProbe(const FileCheck& check);

  /// A page as stated by its header, with offsets in the current file.
  struct PageBytes {
    std::uint64_t body = 0;
    std::uint64_t end = 0;
    bool has_crc = false;
    bool is_dictionary = false;
    std::int64_t values = 0;  ///< num_values
  };
  /// Returns the page that is `shift` bytes after `offset` if its header is valid. Its body may extend into
  /// the footer.
  [[nodiscard]] std::optional<PageBytes> page(std::uint64_t offset, std::int64_t shift = 0);
  /// Returns true if the structure is `shift` bytes after its stated offset: the first page of a chunk, a
  /// complete index, or the header of a Bloom filter.
  [[nodiscard]] bool is_at(const Region& stated, std::int64_t shift);
  /// Goes from page to page of a chunk as long as `locate(offset, is_at)` is true, which calls `is_at(shift)`
  /// with the shifts at which the page may be. Returns the offset of the first page that is not located; the
  /// end of the chunk if there is none.
  template <typename Locate>
  [[nodiscard]] std::uint64_t end_of_pages(const Region& chunk, Locate&& locate) {
    std::uint64_t at = chunk.offset;
    while (at < chunk.end()) {
      std::uint64_t next = at;
      const bool found = locate(at, [&](std::int64_t by) {
        const std::optional<PageBytes> one = page(at, by);
        if (one) next = one->end - static_cast<std::uint64_t>(by);
        return one && next <= chunk.end();
      });
      if (!found) break;
      at = next;
    }
    return at;
  }
  /// The same if all pages may be at one shift only.
  [[nodiscard]] std::uint64_t end_of_pages_at(const Region& chunk, std::int64_t shift) {
    return end_of_pages(chunk, [&](std::uint64_t, auto&& is_at) { return is_at(shift); });
  }
  /// Calls find_pages_up_to() for the file.
  [[nodiscard]] std::optional<std::uint64_t> pages_up_to(std::uint64_t from, std::uint64_t end);
  /// Returns the first offset in [from, to) of consecutive pages that take exactly `length` bytes.
  [[nodiscard]] std::optional<std::uint64_t> pages_of_length(std::uint64_t from, std::uint64_t to,
                                                             std::uint64_t length);
  /// Returns the page offsets in an OffsetIndex that is `shift` bytes after its stated offset.
  [[nodiscard]] std::vector<std::uint64_t> page_offsets(const Region& offset_index, std::int64_t shift);

  /// Returns the offset in [begin, end) of `count` bytes that repeat the `count` bytes before them, if there
  /// is one such place, and the bytes are not the same few again and again.
  [[nodiscard]] std::optional<std::uint64_t> repeated(std::uint64_t begin, std::uint64_t end,
                                                      std::uint64_t count);

  /// Returns true if the `count` bytes at `offset` repeat those before them.
  [[nodiscard]] bool repeats(std::uint64_t offset, std::uint64_t count) {
    return offset >= count && repeated(offset, offset + count, count) == offset;
  }

  /// Returns true if the work limit is reached; no further page is found then.
  [[nodiscard]] bool exhausted() const noexcept { return probes_ > kMostProbes; }

 private:
  /// Reads a struct of exactly these bytes.
  template <typename Struct>
  [[nodiscard]] bool takes_all(View bytes, std::uint64_t length, Struct& out) const;
  [[nodiscard]] bool has_short_period(std::uint64_t begin, std::uint64_t count);

  static constexpr std::uint64_t kMostProbes = 4'000'000;

  const FileCheck& check_;
  std::uint64_t data_end_;
  PageReader reader_;
  Window window_;
  OffsetIndex offset_index_;  // the last one that is_at() has found
  std::uint64_t probes_ = 0;
};

}  // namespace parqproof
