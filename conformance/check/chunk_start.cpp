#include "conformance/check/chunk_start.hpp"

#include <algorithm>
#include <optional>

#include "codec/file/bloom_filter_extent.hpp"

namespace parqproof {
namespace {

class StartFinder {
 public:
  StartFinder(const ChunkScope& chunk, const RegionMap& regions, PageReader& reader, PageWalk& walk)
      : chunk_(chunk), regions_(regions), reader_(reader), walk_(walk) {}

  /// Where the chunk begins if the offsets in its metadata are wrong: where the sizes say, else at another of
  /// its offsets, or at the end of the region before, if a page stands there. An offset where the region
  /// before ends is believed, and so is one of a page that ends where the first data page begins: a bad
  /// header there is damage.
  void run() {
    const std::uint64_t start = walk_.extent().start;
    const bool begins = walk_.starts_with_page();
    if (begins && !lacks_dictionary(walk_.page())) return;
    const ColumnMetaData& meta = chunk_.meta();
    const std::uint64_t data = offset_of(meta.data_page_offset);
    const bool ends_at_data = walk_.page().can_be_passed() && walk_.page().end() == data;
    const std::optional<std::uint64_t> found = start_by_sizes(data);
    walk_.forget();
    if (found) {
      walk_.begin_at_one_of({*found}, chunk_.claim.compressed);
      return;
    }
    if (begins || ends_at_data || previous_end(start) == start) return;
    const std::uint64_t dictionary =
        meta.has(ColumnMetaData::id_dictionary_page_offset) ? offset_of(meta.dictionary_page_offset) : 0;
    // Where another chunk begins, its pages stand.
    const auto own = [&](std::uint64_t offset) { return regions_.starts_at(offset) ? start : offset; };
    walk_.begin_at_one_of(
        {own(previous_end(start)), own(previous_end(std::max(data, dictionary))), own(data), own(dictionary)},
        chunk_.claim.compressed);
  }

 private:
  static std::uint64_t offset_of(std::int64_t offset) noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
  }

  /// The end of the region before `offset`. A bloom filter whose length the footer does not state has it in
  /// its header.
  std::uint64_t previous_end(std::uint64_t offset) {
    std::uint64_t end = regions_.previous_end(offset, kMagicBytes);
    const Region* const open = regions_.open_before(offset);
    if (open == nullptr || open->offset < end) return end;
    const std::uint64_t length =
        read_bloom_filter_extent(reader_, open->offset, chunk_.context.facts.frame.footer_offset, {})
            .length();
    if (length != 0 && open->offset + length <= offset) end = std::max(end, open->offset + length);
    return end;
  }

  /// Whether a dictionary page stands at `offset` and ends at `end`.
  bool is_dictionary_page(std::uint64_t offset, std::uint64_t end) {
    if (offset < kMagicBytes || offset >= end) return false;
    PageWalk walk(reader_, regions_, {offset, end, end, 0}, {});
    return walk.starts_with_page() && walk.page().is_dictionary() && walk.page().end() == end;
  }

  /// Where the chunk begins by total_compressed_size and the data pages from `data` on: there, or at a
  /// dictionary page that ends there, or where the metadata says. Nothing where the sizes do not tell.
  std::optional<std::uint64_t> start_by_sizes(std::uint64_t data) {
    const std::uint64_t end = walk_.extent().data_end;
    if (data < kMagicBytes || data >= end) return std::nullopt;
    PageWalk walk(reader_, regions_, {data, end, end, chunk_.claim.num_values}, {});
    if (!walk.starts_with_page()) return std::nullopt;
    PageWalk::Step step{};
    do {
      step = walk.next(nullptr);
    } while (step == PageWalk::Step::page && !chunk_.context.cancelled());
    const auto size = static_cast<std::uint64_t>(chunk_.claim.compressed);  // huge if it is negative
    const bool adds_up = step == PageWalk::Step::end && size <= walk.at() && walk.at() - size <= data;
    const std::uint64_t start = adds_up ? walk.at() - size : previous_end(data);
    if (is_dictionary_page(start, data) || (adds_up && (start == data || start == walk_.extent().start)))
      return start;
    return std::nullopt;
  }

  /// Whether indices stand at the page, the first of the chunk, but no dictionary page before them.
  static bool lacks_dictionary(const Page& page) noexcept {
    return page.is_data() && page.has_member() &&
           (page.encoding() == Encoding::PLAIN_DICTIONARY || page.encoding() == Encoding::RLE_DICTIONARY);
  }

  const ChunkScope& chunk_;
  const RegionMap& regions_;
  PageReader& reader_;
  PageWalk& walk_;
};

}  // namespace

void find_start(const ChunkScope& chunk, const RegionMap& regions, PageReader& reader, PageWalk& walk) {
  StartFinder(chunk, regions, reader, walk).run();
}

}  // namespace parqproof
