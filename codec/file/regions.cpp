#include "codec/file/regions.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace parqproof {
namespace {

/// Writers put things one behind the other, so there is mostly nothing to sort.
template <typename Items, typename Key>
void sort_unless_sorted(Items& items, Key key) {
  if (!std::ranges::is_sorted(items, {}, key)) std::ranges::sort(items, {}, key);
}

}  // namespace

RegionMap::RegionMap(Regions regions) : regions_(std::move(regions)) {
  sort_unless_sorted(
      regions_, [](const Region& r) { return std::tuple(r.offset, r.length, r.kind, r.row_group, r.leaf); });
  ends_.reserve(regions_.size());
  for (const Region& region : regions_) {
    if (region.length_known) ends_.push_back(region.end());
  }
  sort_unless_sorted(ends_, std::identity());
}

std::uint64_t RegionMap::next_start(std::uint64_t offset, std::uint64_t otherwise) const noexcept {
  const auto at = std::ranges::upper_bound(regions_, offset, {}, &Region::offset);
  return at == regions_.end() ? otherwise : at->offset;
}

bool RegionMap::starts_at(std::uint64_t offset) const noexcept {
  const auto at = std::ranges::lower_bound(regions_, offset, {}, &Region::offset);
  return at != regions_.end() && at->offset == offset;
}

std::uint64_t RegionMap::previous_end(std::uint64_t offset, std::uint64_t otherwise) const noexcept {
  const auto at = std::ranges::upper_bound(ends_, offset);
  return at == ends_.begin() ? otherwise : *std::prev(at);
}

const Region* RegionMap::open_before(std::uint64_t offset) const noexcept {
  const auto behind = std::ranges::lower_bound(regions_, offset, {}, &Region::offset);
  for (auto at = behind; at != regions_.begin();) {
    if (!(--at)->length_known) return &*at;
  }
  return nullptr;
}

}  // namespace parqproof
