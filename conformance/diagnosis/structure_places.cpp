#include "conformance/diagnosis/structure_places.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <span>

#include "codec/file/bloom_filter_extent.hpp"

namespace parqproof {
namespace {

/// Number of structures on each side of the stated place between which gaps are searched.
constexpr std::ptrdiff_t kNear = 4;

/// Number of gaps of the file that are searched, the smallest sufficient ones.
constexpr std::size_t kGaps = 4;

/// Max bytes read by the searches for all structures: kBase, and kTimes the file size, shared among them.
constexpr std::uint64_t kTimes = 16;
constexpr std::uint64_t kBase = std::uint64_t{4} << 20;
constexpr std::uint64_t kMin = 4096;

/// Returns the bytes of [begin, end) between these regions, which are sorted by offset.
template <typename SomeRegions>
std::vector<ByteRange> gaps_between(SomeRegions&& regions, std::uint64_t begin, std::uint64_t end) {
  std::vector<ByteRange> gaps;
  const auto reach = [&](std::uint64_t start) {
    if (start > begin) gaps.push_back({begin, start});
  };
  for (const Region& region : regions) {
    reach(region.offset);
    begin = std::max(begin, region.end());
  }
  reach(end);
  return gaps;
}

}  // namespace

/// The search for one structure. The other structures are assumed to be at their stated places.
class ChunkDiagnosis::Search {
 public:
  Search(const ChunkDiagnosis& places, const Region& region, const Probe& probe)
      : places_(places),
        all_(places.regions().all()),
        region_(region),
        probe_(probe),
        left_(std::max(kMin, (kBase + kTimes * places.end_) / (all_.size() + 1))) {}

  std::optional<Region> run() {
    if (region_.length_known) {
      if (const std::optional<Region> found = other_length()) return found;
      if (region_.length == 0) return std::nullopt;
    }
    return other_offset();
  }

 private:
  [[nodiscard]] bool is_this(const Region& other) const noexcept {
    return other.kind == region_.kind && other.row_group == region_.row_group && other.leaf == region_.leaf;
  }

  /// Returns the size of the valid structure at `offset`; 0 if there is none, or if the work limit is
  /// reached.
  std::uint64_t length_at(std::uint64_t offset, std::uint64_t room) {
    // Only the headers of Bloom filters and pages are read.
    const bool headers =
        region_.kind == Region::Kind::bloom_filter || region_.kind == Region::Kind::column_chunk;
    if (!headers) room = std::min(room, left_);
    const std::uint64_t cost = headers ? std::min(room, kMaxBloomFilterHeader) : room;
    if (cost == 0 || cost > left_) return 0;
    left_ -= cost;
    return probe_(offset, room);
  }

  /// Returns the region with another length if the structure is at its stated offset.
  std::optional<Region> other_length() {
    if (region_.kind == Region::Kind::column_chunk) return std::nullopt;
    const auto same = std::ranges::equal_range(all_, region_.offset, {}, &Region::offset);
    if (!std::ranges::all_of(same, [this](const Region& other) { return is_this(other); }))
      return std::nullopt;
    const auto next =
        std::find_if(same.end(), all_.end(), [this](const Region& other) { return !is_this(other); });
    const std::uint64_t end = next == all_.end() ? places_.end_ : next->offset;
    Region found = region_;
    found.length = length_at(region_.offset, end - region_.offset);
    // Too short a length truncates a struct. Otherwise the structure must end at the next one, which its
    // stated end then does not.
    const bool cut = region_.kind != Region::Kind::bloom_filter && found.length > region_.length;
    const bool is_wrong = cut || found.end() == end;
    if (found.length == 0 || found.length == region_.length || !is_wrong) return std::nullopt;
    return found;
  }

  /// Adds the gaps between the structures around the stated place, without this structure.
  void add_gaps_near() {
    const auto here = std::ranges::lower_bound(all_, region_.offset, {}, &Region::offset);
    const auto first = here - std::min(kNear, here - all_.begin());
    const auto last = here + std::min(kNear + 1, all_.end() - here);
    auto others = std::ranges::subrange(first, last) |
                  std::views::filter([this](const Region& other) { return !is_this(other); });
    gaps_ = gaps_between(others, first == all_.begin() ? places_.begin_ : std::prev(first)->end(),
                         last == all_.end() ? places_.end_ : last->offset);
  }

  /// Adds the smallest sufficient gaps of the file.
  void add_gaps_of_file() {
    const std::vector<ByteRange>& all = places_.layout().gaps;
    auto gap = std::ranges::lower_bound(all, region_.length, {}, &ByteRange::size);
    for (std::size_t i = 0; i < kGaps && gap != all.end(); ++i, ++gap) gaps_.push_back(*gap);
  }

  /// Returns the region with another offset if a structure of the stated length is at one end of a gap. A
  /// structure without a stated length must fill the gap.
  std::optional<Region> other_offset() {
    add_gaps_near();
    if (region_.length_known) add_gaps_of_file();
    std::optional<Region> found;
    for (const ByteRange& gap : gaps_) {
      const std::uint64_t length = region_.length_known ? region_.length : gap.size();
      if (gap.size() < length) continue;
      for (const std::uint64_t offset : {gap.begin, gap.end - length}) {
        if (offset == region_.offset || std::ranges::find(tried_, offset) != tried_.end()) continue;
        tried_.push_back(offset);
        if (length_at(offset, length) != length) continue;
        if (found) return std::nullopt;
        found = region_;
        found->offset = offset;
      }
    }
    return found;
  }

  const ChunkDiagnosis& places_;
  std::span<const Region> all_;
  const Region& region_;
  const Probe& probe_;
  std::vector<ByteRange> gaps_;
  std::vector<std::uint64_t> tried_;
  std::uint64_t left_;  // remaining bytes that may be read
};

const ChunkDiagnosis::Layout& ChunkDiagnosis::layout() const {
  std::call_once(layout_made_, [this] {
    layout_.gaps = gaps_between(regions().all(), begin_, end_);
    std::ranges::sort(layout_.gaps, {}, &ByteRange::size);
    for (const Region& region : regions().all()) {
      if (region.length_known) layout_.ends.push_back(region.end());
    }
    std::ranges::sort(layout_.ends);
  });
  return layout_;
}

std::uint64_t ChunkDiagnosis::previous_end(std::uint64_t offset, std::uint64_t otherwise) const {
  const std::vector<std::uint64_t>& ends = layout().ends;
  const auto at = std::ranges::upper_bound(ends, offset);
  return at == ends.begin() ? otherwise : *std::prev(at);
}

std::optional<Region> ChunkDiagnosis::find_region(const Region& region, const Probe& probe) const {
  return Search(*this, region, probe).run();
}

}  // namespace parqproof
