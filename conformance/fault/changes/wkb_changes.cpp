// Changes of one WKB value.
#include <algorithm>

#include "codec/base/bits.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

constexpr std::size_t kCountAt = 5;  // after the byte order and the type code
constexpr std::size_t kPointBytes = 16;
constexpr std::uint32_t kLineString = 2;
constexpr std::uint32_t kPolygon = 3;

std::uint32_t number_of(const Bytes& wkb, std::size_t at) {
  const std::uint8_t* const bytes = wkb.data() + at;
  if (wkb[0] != 0) return load_le<std::uint32_t>(bytes);
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

void set_number(Bytes& wkb, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i)
    wkb[at + i] = static_cast<std::uint8_t>(number >> 8 * (wkb[0] != 0 ? i : 3 - i));
}

/// Returns true for a geometry of this type whose first count is at least `points`, of points x and y that
/// are all there. `at`: of the count.
bool has_points(const Bytes& wkb, std::uint32_t type, std::size_t at, std::uint32_t points) {
  if (wkb.size() < at + 4 || wkb[0] > 1 || number_of(wkb, 1) != type) return false;
  const std::uint32_t count = number_of(wkb, at);
  return count >= points && count <= (wkb.size() - at - 4) / kPointBytes;
}

}  // namespace

bool wkb_byte_order(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& wkb) {
    if (wkb.empty() || wkb[0] > 1) return false;
    wkb[0] = 2;
    return true;
  });
}

bool wkb_type(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& wkb) {
    if (wkb.size() < kCountAt || wkb[0] > 1) return false;
    // A flag of EWKB is added; a number replaces the type.
    const auto number = static_cast<std::uint32_t>(change.number);
    set_number(wkb, 1, change.text == "flag" ? number_of(wkb, 1) | number : number);
    return true;
  });
}

bool wkb_count(File& file, const Site& site, const Change& change) {
  return edit_stored_value(file, site, [&](Bytes& wkb) {
    if (!has_points(wkb, kLineString, kCountAt, 2)) return false;
    set_number(wkb, kCountAt, static_cast<std::uint32_t>(change.number));
    return true;
  });
}

bool wkb_of_one_point(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& wkb) {
    if (!has_points(wkb, kLineString, kCountAt, 2)) return false;
    set_number(wkb, kCountAt, 1);
    wkb.resize(kCountAt + 4 + kPointBytes);
    return true;
  });
}

bool wkb_open_ring(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::size_t kRingAt = kCountAt + 4;
  return edit_stored_value(file, site, [](Bytes& wkb) {
    if (wkb.size() < kRingAt || !has_points(wkb, kPolygon, kRingAt, 4)) return false;
    const std::size_t last = kRingAt + 4 + (number_of(wkb, kRingAt) - 1) * kPointBytes;
    const auto at = wkb.begin() + static_cast<std::ptrdiff_t>(last);
    std::copy(at - kPointBytes, at, at);
    return true;
  });
}

bool wkb_cut(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::uint32_t kPoint = 1;  // of types with counts, one is too large then
  return edit_stored_value(file, site, [](Bytes& wkb) {
    if (wkb.size() < kCountAt || wkb[0] > 1 || number_of(wkb, 1) % 1000 != kPoint) return false;
    wkb.pop_back();
    return true;
  });
}

bool cut_value(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& value) {
    if (value.size() < 2) return false;
    value.pop_back();
    return true;
  });
}

bool lengthen_value(File& file, const Site& site, const Change& /*change*/) {
  return edit_stored_value(file, site, [](Bytes& value) {
    value.push_back(0);
    return true;
  });
}

bool wkb_ring_of_three(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::uint32_t kPoints = 3;
  constexpr std::size_t kRingAt = kCountAt + 4;
  return edit_stored_value(file, site, [](Bytes& wkb) {
    if (wkb.size() < kRingAt || !has_points(wkb, kPolygon, kRingAt, 4) || number_of(wkb, kCountAt) != 1)
      return false;
    set_number(wkb, kRingAt, kPoints);
    wkb.resize(kRingAt + 4 + kPoints * kPointBytes);
    return true;
  });
}

}  // namespace parqproof::fault
