#include "conformance/chunk/page_starts.hpp"

#include <algorithm>
#include <functional>

#include "codec/format/page_index.hpp"
#include "codec/page/page_walk.hpp"

namespace parqproof {

PageStarts::PageStarts(View offset_index, std::uint64_t start, std::uint64_t end, std::uint64_t first_data,
                       const Source& source, const Limits& limits)
    : end_(end) {
  read(offset_index, start, limits);
  // The starts of the first pages and of the last page are the evidence, since damage seldom affects all of
  // them; the OffsetIndex is accepted if a page begins at any of them; at most kProbes are tried.
  constexpr std::size_t kProbes = 8;
  PageReader reader(source, limits, 0);
  const RegionMap alone;
  const auto sound = [&](std::uint64_t at) {
    return PageWalk(reader, alone, {at, end, end, 0}, {}).starts_with_page();
  };
  const auto probed = starts_.begin() + static_cast<std::ptrdiff_t>(std::min(starts_.size(), kProbes));
  if (!starts_.empty() && (std::any_of(starts_.begin(), probed, sound) || sound(starts_.back()))) return;
  starts_.clear();
  rows_.clear();
  if (first_data <= start || first_data >= end || !sound(first_data)) return;
  starts_ = {first_data};
  last_end_ = first_data;
}

/// Reads the starts from the OffsetIndex; none if they cannot be those of the pages.
void PageStarts::read(View offset_index, std::uint64_t start, const Limits& limits) {
  // An entry takes at most as many bytes as the smallest page, so a longer OffsetIndex does not belong to
  // these pages.
  constexpr std::uint64_t kTimes = 4;
  constexpr std::uint64_t kBase = 1024;
  if (offset_index.empty() || offset_index.size() > kBase + kTimes * (end_ - start)) return;
  thrift::Reader thrift(offset_index, {}, limits);
  OffsetIndex index;
  if (!thrift.read(index) || !thrift.sound()) return;
  bool plausible = true;
  std::uint64_t reached = start;
  thrift::for_each<PageLocation>(index.page_locations, limits, [&](const PageLocation& page, std::uint32_t) {
    const auto at = static_cast<std::uint64_t>(page.offset);  // huge if it is negative
    const auto size = static_cast<std::uint64_t>(page.compressed_page_size);
    plausible = plausible && at >= reached && at < end_ && page.compressed_page_size >= kSmallestPage &&
                size <= end_ - at;
    reached = at + size;
    if (plausible) {
      starts_.push_back(at);
      rows_.push_back(page.first_row_index);
    }
  });
  last_end_ = reached;
  if (!plausible) starts_.clear();
  const bool ascend = std::ranges::adjacent_find(rows_, std::ranges::greater_equal()) == rows_.end();
  if (!plausible || !ascend || (!rows_.empty() && rows_.front() != 0)) rows_.clear();
}

std::optional<PageStarts::Jump> PageStarts::beyond(const Walk& walk) const {
  if (starts_.empty() || (walk.at >= end_ && !walk.is_previous_size_wrong)) return std::nullopt;
  const bool at_page = !walk.is_previous_size_wrong && std::ranges::binary_search(starts_, walk.at);
  const auto next = std::ranges::upper_bound(starts_, at_page ? walk.at : walk.before);
  if (next == starts_.end() && walk.at >= last_end_ && !walk.is_previous_size_wrong) return std::nullopt;
  Jump jump;
  jump.over_dictionary = next == starts_.begin();
  if (jump.over_dictionary && (walk.first_data || walk.ordinal > 1)) return std::nullopt;
  const auto index = static_cast<std::int32_t>(next - starts_.begin());
  const std::int32_t first = walk.first_data.value_or(jump.over_dictionary ? 1
                                                      : at_page            ? walk.ordinal - index + 1
                                                                           : walk.ordinal - index);
  jump.offset = next == starts_.end() ? end_ : *next;
  jump.ordinal = first + index;
  if (first < 0 || jump.ordinal < walk.ordinal) return std::nullopt;
  jump.first_lost = at_page ? walk.ordinal : std::max(walk.ordinal - 1, 0);
  return jump;
}

std::optional<std::uint64_t> PageStarts::next_after(std::uint64_t at) const {
  if (starts_.empty() || at >= last_end_) return std::nullopt;
  const auto next = std::ranges::upper_bound(starts_, at);
  return next == starts_.end() ? last_end_ : *next;
}

std::optional<RowRange> PageStarts::rows(std::ptrdiff_t index) const {
  const auto at = static_cast<std::size_t>(index);  // huge if it is negative
  if (starts_.empty() || at >= rows_.size()) return std::nullopt;
  return RowRange{rows_[at], at + 1 < rows_.size() ? rows_[at + 1] - 1 : INT64_MAX};
}

std::optional<RowRange> PageStarts::rows_of(const Jump& jump, std::int32_t ordinal) const {
  const auto next = std::ranges::lower_bound(starts_, jump.offset);
  return rows(next - starts_.begin() - (jump.ordinal - ordinal));
}

std::optional<RowRange> PageStarts::rows_at(std::uint64_t offset) const {
  const auto at = std::ranges::lower_bound(starts_, offset);
  return at != starts_.end() && *at == offset ? rows(at - starts_.begin()) : std::nullopt;
}

bool PageStarts::contradicts(std::uint64_t at, std::uint64_t end) const {
  if (starts_.empty() || at >= last_end_) return false;
  const auto next = std::ranges::upper_bound(starts_, at);
  const bool known =
      next == starts_.begin() || *std::prev(next) == at;  // a dictionary page precedes the first start
  return !known || end != *next_after(at);
}

}  // namespace parqproof
