#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/page/page_reader.hpp"
#include "codec/page/regions.hpp"
#include "conformance/state/file_check.hpp"

namespace parqproof {

/// The structures that the footer names, in the order of the offsets that it states, whether or not they can
/// be there. Those that are encrypted, or whose offsets are negative, are left out.
[[nodiscard]] std::vector<Region> stated_structures(const FileCheck& check);

/// Tells what stands at a byte of the file, whatever the footer says.
class StructureProbe {
 public:
  explicit StructureProbe(const FileCheck& check);

  /// A page as its header says; offsets count in the file at hand.
  struct PageBytes {
    std::uint64_t body = 0;
    std::uint64_t end = 0;
    bool has_crc = false;
    bool is_plain = false;  ///< its header says that its values are not compressed
    bool is_dictionary = false;
  };
  /// The page whose header is at `offset`, if a faultless header stands there. Its body may reach into the
  /// footer.
  [[nodiscard]] std::optional<PageBytes> page(std::int64_t offset);
  /// Whether what the footer states stands `shift` bytes behind its stated place: the first page of a chunk,
  /// a whole index, a header of a filter.
  [[nodiscard]] bool stands(const Region& stated, std::int64_t shift);
  /// As find_pages_up_to() tells.
  [[nodiscard]] std::optional<std::uint64_t> pages_up_to(std::uint64_t from, std::uint64_t end);
  /// The first byte of [from, to) from which pages stand one behind the other, up to just `length` bytes
  /// behind it.
  [[nodiscard]] std::optional<std::uint64_t> pages_of_length(std::uint64_t from, std::uint64_t to,
                                                             std::uint64_t length);
  /// The stated offsets of the pages of an OffsetIndex that stands `shift` bytes behind its stated place.
  [[nodiscard]] std::vector<std::uint64_t> page_offsets(const Region& offset_index, std::int64_t shift);

  /// Where bytes of [begin, end) begin, `count` of them, that repeat the `count` bytes in front of them.
  [[nodiscard]] std::optional<std::uint64_t> repeated(std::uint64_t begin, std::uint64_t end,
                                                      std::uint64_t count);

  /// So much was read that the search has to end; then no page is found any more.
  [[nodiscard]] bool exhausted() const noexcept { return probes_ > kMostProbes; }

 private:
  static constexpr std::uint64_t kMostProbes = 4'000'000;

  /// The first byte of [from, to) at which a page header may stand, or `to`.
  [[nodiscard]] std::uint64_t next_candidate(std::uint64_t from, std::uint64_t to);

  const FileCheck& check_;
  std::uint64_t data_end_;
  PageReader reader_;
  Window window_;
  std::uint64_t probes_ = 0;
};

}  // namespace parqproof
