#include "conformance/diagnosis/chunk_start.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "codec/file/bloom_filter_extent.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

/// Page headers that the search for the starts of all chunks of a file may read: the more structures, the
/// less for each chunk.
constexpr std::uint64_t kHeaders = 1'000'000;
constexpr std::uint64_t kMinHeaders = 16;

class StartFinder {
 public:
  StartFinder(const ChunkScope& chunk, const RegionFinder& places, PageReader& reader, PageWalk& walk)
      : chunk_(chunk),
        places_(places),
        regions_(places.regions()),
        reader_(reader),
        walk_(walk),
        left_(std::max(kMinHeaders, kHeaders / (regions_.all().size() + 1))) {}

  /// Where the chunk begins if the offsets in its metadata are wrong. Where they lead to pages of another
  /// chunk that are not what this one claims: where just the pages stand that it claims, in bytes that no
  /// other structure claims. Else where the sizes say, else where those pages stand, else at another of its
  /// offsets, or at the end of the region before, if a page stands there. An offset where the region before
  /// ends is believed, and so is one of a page that ends where the first data page begins: a bad header there
  /// is damage.
  void run() {
    const std::uint64_t start = walk_.extent().start;
    const bool begins = walk_.starts_with_page();
    const bool is_faultless = begins && walk_.page().faults == 0;
    const bool lacks = lacks_dictionary(walk_.page());
    const ColumnMetaData& meta = chunk_.meta();
    const std::uint64_t data = offset_of(meta.data_page_offset);
    const bool ends_at_data = walk_.page().can_be_passed() && walk_.page().end() == data;
    if (begins && is_in_other_chunk(start)) {
      walk_.forget();
      const bool fits = holds_chunk(start);
      const std::optional<std::uint64_t> own = start_by_claims(start);
      if (own && (!fits || *own == end_of_chunk_before())) {
        walk_.begin_at_one_of({*own}, chunk_.claim.compressed);
        return;
      }
    }
    if (is_faultless && !lacks) return;
    const std::optional<std::uint64_t> found = start_by_sizes(data);
    walk_.forget();
    if (found) {
      walk_.begin_at_one_of({*found}, chunk_.claim.compressed);
      return;
    }
    if (is_faultless || ends_at_data || previous_end(start) == start) return;
    if (const std::optional<std::uint64_t> other = start_by_claims(start)) {
      walk_.begin_at_one_of({*other}, chunk_.claim.compressed);
      return;
    }
    if (begins) return;
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
    std::uint64_t end = places_.previous_end(offset, kMagicBytes);
    const Region* const open = regions_.open_before(offset);
    if (open == nullptr || open->offset < end) return end;
    const std::uint64_t length =
        read_bloom_filter_extent(reader_, open->offset, chunk_.context.footer.frame.footer_offset, {})
            .length();
    if (length != 0 && open->offset + length <= offset) end = std::max(end, open->offset + length);
    return end;
  }

  /// Whether another chunk claims the bytes at `offset`, too.
  [[nodiscard]] bool is_in_other_chunk(std::uint64_t offset) const {
    const std::span<const Region> all = regions_.all();
    constexpr std::ptrdiff_t kNear = 4;
    const auto behind = std::ranges::upper_bound(all, offset, {}, &Region::offset);
    return std::any_of(behind - std::min(kNear, behind - all.begin()), behind, [&](const Region& other) {
      return other.kind == Region::Kind::column_chunk && other.end() > offset &&
             (other.row_group != chunk_.claim.row_group || other.leaf != chunk_.claim.leaf);
    });
  }

  /// Where the pages of the chunk before this one in the footer end, as it claims; 0 where there is none.
  [[nodiscard]] std::uint64_t end_of_chunk_before() const {
    const ChunkClaim& claim = chunk_.claim;
    const ChunkClaim* const first = chunk_.context.footer.chunks.data();
    if (&claim == first) return 0;
    const ChunkClaim& before = *(&claim - 1);
    return before.start + static_cast<std::uint64_t>(std::max<std::int64_t>(before.compressed, 0));
  }

  /// Whether a dictionary page stands at `offset` and ends at `end`.
  bool is_dictionary_page(std::uint64_t offset, std::uint64_t end) {
    if (offset < kMagicBytes || offset >= end) return false;
    PageWalk walk(reader_, regions_, {offset, offset, end, 0}, {});
    return walk.starts_with_page() && walk.page().is_dictionary() && walk.page().end() == end;
  }

  /// Where the chunk begins by total_compressed_size and the data pages from `data` on: there, or at a
  /// dictionary page that ends there, or where the metadata says. Nothing where the sizes do not tell.
  std::optional<std::uint64_t> start_by_sizes(std::uint64_t data) {
    const std::uint64_t end = walk_.extent().data_end;
    if (data < kMagicBytes || data >= end) return std::nullopt;
    const ChunkExtent claimed = chunk_extent(data, chunk_.claim.compressed, chunk_.claim.num_values, end);
    if (!PageWalk(reader_, regions_, claimed, {}).starts_with_page()) return std::nullopt;
    PageWalk walk(reader_, regions_, {data, end, end, chunk_.claim.num_values}, {});
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

  /// Whether pages stand at `offset` that take the bytes and hold the entries that the chunk claims.
  bool holds_chunk(std::uint64_t offset) {
    const ChunkClaim& claim = chunk_.claim;
    const std::uint64_t data_end = walk_.extent().data_end;
    const auto size = static_cast<std::uint64_t>(claim.compressed);
    if (offset < kMagicBytes || offset >= data_end || size > data_end - offset) return false;
    const RegionMap alone;
    PageWalk walk(reader_, alone, {offset, offset + size, data_end, claim.num_values}, {});
    if (!walk.starts_with_page()) return false;
    PageWalk::Step step = walk.next(nullptr);
    for (; step == PageWalk::Step::page && left_ != 0; step = walk.next(nullptr)) --left_;
    return step == PageWalk::Step::end && walk.at() == offset + size && walk.entries() == claim.num_values;
  }

  /// The end of the struct at `offset`, which may be a copy of metadata behind the chunk before.
  std::uint64_t after_struct(std::uint64_t offset) {
    constexpr std::uint64_t kMost = 4096;
    const std::uint64_t room = std::min(kMost, walk_.extent().data_end - offset);
    thrift::Reader thrift(reader_.read(offset, room), {}, chunk_.context.options.limits);
    return thrift.pass_over() ? thrift.offset() : offset;
  }

  std::optional<std::uint64_t> start_by_claims(std::uint64_t start) {
    if (chunk_.claim.compressed <= 0) return std::nullopt;
    Region region;
    region.offset = start;
    region.length = static_cast<std::uint64_t>(chunk_.claim.compressed);
    region.row_group = chunk_.claim.row_group;
    region.leaf = chunk_.claim.leaf;
    std::optional<std::uint64_t> found;
    const auto probe = [&](std::uint64_t offset, std::uint64_t) -> std::uint64_t {
      for (const std::uint64_t at : {offset, after_struct(offset)}) {
        if (found == at || !holds_chunk(at)) continue;
        found = at;
        return region.length;
      }
      return 0;
    };
    return places_.find(region, probe) ? found : std::nullopt;
  }

  /// Whether indices stand at the page, the first of the chunk, but no dictionary page before them.
  static bool lacks_dictionary(const Page& page) noexcept {
    return page.is_data() && page.has_member() &&
           (page.encoding() == Encoding::PLAIN_DICTIONARY || page.encoding() == Encoding::RLE_DICTIONARY);
  }

  const ChunkScope& chunk_;
  const RegionFinder& places_;
  const RegionMap& regions_;
  PageReader& reader_;
  PageWalk& walk_;
  std::uint64_t left_;  // headers that may be read
};

}  // namespace

void find_start(const ChunkScope& chunk, const RegionFinder& places, PageReader& reader, PageWalk& walk) {
  const std::uint64_t start = walk.extent().start;
  if (!chunk.context.input.is_gone(start, start + 1)) StartFinder(chunk, places, reader, walk).run();
}

}  // namespace parqproof
