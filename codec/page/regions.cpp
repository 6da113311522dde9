#include "codec/page/regions.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parqproof {
namespace {

/// Sort key of regions.
auto place_of(const Region& region) noexcept {
  return std::tuple(region.offset, region.length, region.kind, region.row_group, region.leaf);
}

}  // namespace

RegionMap::RegionMap(Regions regions) : own_(std::move(regions)) {
  // Writers write structures sequentially, so usually nothing has to be sorted.
  if (!std::ranges::is_sorted(own_, {}, place_of)) std::ranges::sort(own_, {}, place_of);
  regions_ = own_;
}

RegionMap RegionMap::over(const Regions& regions) {
  if (!std::ranges::is_sorted(regions, {}, place_of)) return RegionMap(regions);
  RegionMap map;
  map.regions_ = regions;
  return map;
}

std::uint64_t RegionMap::next_start(std::uint64_t offset, std::uint64_t otherwise) const noexcept {
  const auto at = std::ranges::upper_bound(regions_, offset, {}, &Region::offset);
  return at == regions_.end() ? otherwise : at->offset;
}

bool RegionMap::starts_at(std::uint64_t offset) const noexcept {
  const auto at = std::ranges::lower_bound(regions_, offset, {}, &Region::offset);
  return at != regions_.end() && at->offset == offset;
}

const Region* RegionMap::open_before(std::uint64_t offset) const noexcept {
  const auto after = std::ranges::lower_bound(regions_, offset, {}, &Region::offset);
  for (auto at = after; at != regions_.begin();) {
    if (!(--at)->length_known) return &*at;
  }
  return nullptr;
}

}  // namespace parqproof
