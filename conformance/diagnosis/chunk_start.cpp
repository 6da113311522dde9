#include <algorithm>
#include <optional>
#include <span>

#include "codec/file/bloom_filter_extent.hpp"
#include "codec/thrift/reader.hpp"
#include "conformance/diagnosis/structure_places.hpp"

namespace parqproof {
namespace {

/// Max page headers read by the searches for the starts of all chunks of a file, shared among its structures.
constexpr std::uint64_t kHeaders = 1'000'000;
constexpr std::uint64_t kMinHeaders = 16;

class StartFinder {
 public:
  StartFinder(const ChunkScope& chunk, const ChunkDiagnosis& places, PageReader& reader, PageWalk& walk)
      : chunk_(chunk),
        places_(places),
        regions_(places.regions()),
        reader_(reader),
        walk_(walk),
        left_(std::max(kMinHeaders, kHeaders / (regions_.all().size() + 1))) {}

  /// Moves the walk to the start of the chunk if the offsets in its metadata are wrong. If they refer to
  /// pages of another chunk, the start is the offset of the expected pages in unreferenced bytes. Otherwise
  /// it is, in this order: the start by the sizes, the offset of the expected pages, another of the stated
  /// offsets, or the end of the previous region, if a page is there. A stated offset is accepted if the
  /// previous region ends there, or if its page ends at the first data page; a bad header there is damage.
  void run() {
    const std::uint64_t start = walk_.extent().start;
    const bool begins = walk_.starts_with_page();
    const bool is_faultless = begins && walk_.page().faults == 0;
    const bool lacks = lacks_dictionary(walk_.page());
    const ColumnMetaData& meta = chunk_.meta();
    const std::uint64_t data = offset_of(meta.data_page_offset);
    const bool ends_at_data = walk_.page().can_be_skipped() && walk_.page().end() == data;
    if (begins && is_in_other_chunk(start)) {
      walk_.discard_header();
      const bool fits = holds_chunk(start);
      const std::optional<std::uint64_t> own = start_by_claims(start);
      if (own && (!fits || *own == end_of_chunk_before())) return begin_at_one_of({*own});
    }
    if (is_faultless && !lacks) return;
    const std::optional<std::uint64_t> found = start_by_sizes(data);
    walk_.discard_header();
    if (found) return begin_at_one_of({*found});
    if (is_faultless || ends_at_data || previous_end(start) == start) return;
    if (const auto other = start_by_claims(start)) return begin_at_one_of({*other});
    if (begins) return;
    const std::uint64_t dictionary =
        meta.has(ColumnMetaData::id_dictionary_page_offset) ? offset_of(meta.dictionary_page_offset) : 0;
    // The start of another region is no candidate.
    const auto own = [&](std::uint64_t offset) { return regions_.starts_at(offset) ? start : offset; };
    begin_at_one_of({own(previous_end(start)), own(previous_end(std::max(data, dictionary))), own(data),
                     own(dictionary)});
  }

 private:
  void begin_at_one_of(std::initializer_list<std::uint64_t> offsets) {
    walk_.begin_at_one_of(offsets, chunk_.claim.compressed);
  }

  static std::uint64_t offset_of(std::int64_t offset) noexcept {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(offset, 0));
  }

  /// Returns the end of the region before `offset`. The length of a Bloom filter is in its header if the
  /// footer does not state it.
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

  /// Returns true if another chunk also refers to the byte at `offset`.
  [[nodiscard]] bool is_in_other_chunk(std::uint64_t offset) const {
    const std::span<const Region> all = regions_.all();
    constexpr std::ptrdiff_t kNear = 4;
    const auto next = std::ranges::upper_bound(all, offset, {}, &Region::offset);
    return std::any_of(next - std::min(kNear, next - all.begin()), next, [&](const Region& other) {
      return other.kind == Region::Kind::column_chunk && other.end() > offset &&
             (other.row_group != chunk_.claim.row_group || other.leaf != chunk_.claim.leaf);
    });
  }

  /// Returns the stated end of the previous chunk in the footer; 0 if there is none.
  [[nodiscard]] std::uint64_t end_of_chunk_before() const {
    if (&chunk_.claim == chunk_.context.footer.chunks.data()) return 0;
    const ChunkClaim& before = *(&chunk_.claim - 1);
    return before.start + static_cast<std::uint64_t>(std::max<std::int64_t>(before.compressed, 0));
  }

  /// Returns true if a dictionary page is at `offset` and ends at `end`.
  bool is_dictionary_page(std::uint64_t offset, std::uint64_t end) {
    if (offset < kMagicBytes || offset >= end) return false;
    PageWalk walk(reader_, regions_, {offset, offset, end, 0}, {});
    return walk.starts_with_page() && walk.page().is_dictionary() && walk.page().end() == end;
  }

  /// Returns the start of the chunk by total_compressed_size and the data pages from `data` on: `data`, a
  /// dictionary page that ends there, or the stated start. Returns nullopt if the sizes match none of them.
  std::optional<std::uint64_t> start_by_sizes(std::uint64_t data) {
    const std::uint64_t end = walk_.extent().data_end;
    if (data < kMagicBytes || data >= end) return std::nullopt;
    const ChunkExtent claimed = chunk_extent(data, chunk_.claim.compressed, chunk_.claim.num_values, end);
    if (!PageWalk(reader_, regions_, claimed, {}).starts_with_page()) return std::nullopt;
    PageWalk walk(reader_, regions_, {data, end, end, chunk_.claim.num_values}, {});
    PageWalk::Step step = walk.next(nullptr);
    while (step == PageWalk::Step::page && !chunk_.context.cancelled()) step = walk.next(nullptr);
    const auto size = static_cast<std::uint64_t>(chunk_.claim.compressed);  // huge if it is negative
    const bool adds_up = step == PageWalk::Step::end && size <= walk.offset() && walk.offset() - size <= data;
    const std::uint64_t start = adds_up ? walk.offset() - size : previous_end(data);
    if (is_dictionary_page(start, data) || (adds_up && (start == data || start == walk_.extent().start)))
      return start;
    return std::nullopt;
  }

  /// Returns true if the pages at `offset` have the stated size and num_values of the chunk.
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
    return step == PageWalk::Step::end && walk.offset() == offset + size &&
           walk.entries() == claim.num_values;
  }

  /// Returns the end of the struct at `offset`, which may be a copy of the metadata after the previous chunk.
  std::uint64_t after_struct(std::uint64_t offset) {
    constexpr std::uint64_t kMost = 4096;
    const std::uint64_t room = std::min(kMost, walk_.extent().data_end - offset);
    thrift::Reader thrift(reader_.read(offset, room), {}, chunk_.context.options.limits);
    return thrift.pass_over() ? thrift.offset() : offset;
  }

  std::optional<std::uint64_t> start_by_claims(std::uint64_t start) {
    if (chunk_.claim.compressed <= 0) return std::nullopt;
    const Region region = region_of(chunk_.claim, Region::Kind::column_chunk,
                                    static_cast<std::int64_t>(start), chunk_.claim.compressed);
    std::optional<std::uint64_t> found;
    const auto probe = [&](std::uint64_t offset, std::uint64_t) -> std::uint64_t {
      for (const std::uint64_t at : {offset, after_struct(offset)}) {
        if (found == at || !holds_chunk(at)) continue;
        found = at;
        return region.length;
      }
      return 0;
    };
    return places_.find_region(region, probe) ? found : std::nullopt;
  }

  /// Returns true if the first page of the chunk has dictionary indices, but no dictionary page precedes it.
  static bool lacks_dictionary(const Page& page) noexcept {
    return page.is_data() && page.has_member() && is_dictionary_encoding(page.encoding());
  }

  const ChunkScope& chunk_;
  const ChunkDiagnosis& places_;
  const RegionMap& regions_;
  PageReader& reader_;
  PageWalk& walk_;
  std::uint64_t left_;  // headers that may be read
};

}  // namespace

void ChunkDiagnosis::find_start(const ChunkScope& chunk, PageReader& reader, PageWalk& walk) const {
  const std::uint64_t start = walk.extent().start;
  if (!chunk.context.input.is_gone(start, start + 1)) StartFinder(chunk, *this, reader, walk).run();
}

}  // namespace parqproof
