// The property of WKB: whatever the bytes are, faults are inside them; a value that can be read has text, and
// its copies in both byte orders have the same text and the same extent.
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "codec/geo/emitter.hpp"
#include "codec/geo/wkt.hpp"
#include "codec/rules/rule.hpp"
#include "fuzz/property.hpp"

namespace parqproof::fuzz {
namespace {

using Bytes = std::span<const std::uint8_t>;

class Collected final : public geo::Faults {
 public:
  [[nodiscard]] bool count(Rule rule) override {
    const bool may_be_read = rule == Rule::wkb_ring_closed || rule == Rule::wkb_ring_points ||
                             rule == Rule::wkb_line_points || rule == Rule::geo_coordinate_range;
    is_sound = is_sound && may_be_read;
    return true;
  }
  void describe(geo::Fault fault) override {
    is_inside = is_inside && fault.at.base + fault.at.size() <= size;
    ++described;
  }

  std::size_t size = 0;
  std::size_t described = 0;
  bool is_inside = true;
  bool is_sound = true;
};

bool is_same(const geo::Box& one, const geo::Box& other) {
  for (std::size_t axis = 0; axis < geo::kAxes; ++axis) {
    if (one.axes[axis].min != other.axes[axis].min || one.axes[axis].max != other.axes[axis].max)
      return false;
  }
  return true;
}

/// The copy in a byte order; `box` gets the extent of the value.
std::vector<std::uint8_t> copy_of(Bytes wkb, bool is_big_endian, geo::Box& box) {
  Collected ignored;
  geo::Emitter emitter(is_big_endian);
  geo::Walker walker(1000);
  const bool is_read = walker.walk({wkb}, ignored, &emitter);
  box = walker.box();
  return is_read ? std::vector(emitter.bytes().begin(), emitter.bytes().end()) : std::vector<std::uint8_t>();
}

std::string wkb_fault(Bytes bytes) {
  if (bytes.empty()) return {};
  const bool is_geography = (bytes[0] & 1) != 0;
  const Bytes value = bytes.subspan(1);
  Collected faults;
  faults.size = value.size();
  geo::Walker walker(1000);
  walker.judge_ranges(is_geography);
  geo::Gap gap{-1, 1};
  walker.set_gaps({&gap, 1});
  const bool is_read = walker.walk({value}, faults);
  if (!faults.is_inside) return "a fault is outside of the value";
  if (!is_read && faults.is_sound) return "a walk ends without a fault";
  const geo::Interval& x = walker.box()[geo::Axis::x];
  if (gap.is_hit && !(x.min <= gap.hit && gap.hit <= x.max))
    return "the x in the gap is outside of the extent";
  std::string text;
  const bool has_text = geo::append_wkt(text, value);
  if (has_text != (is_read && faults.is_sound)) return "a value has text exactly if it can be read";
  if (!has_text) return text.empty() ? "" : "a value without text left some";
  geo::Box box;
  const std::vector<std::uint8_t> big = copy_of(value, true, box);
  if (!is_same(box, walker.box())) return "a visitor changes the extent";
  const std::vector<std::uint8_t> little = copy_of(big, false, box);
  if (!is_same(box, walker.box())) return "the copy has another extent";
  if (big.size() != value.size() || little.size() != value.size()) return "a copy has another length";
  std::string again;
  if (!geo::append_wkt(again, little) || again != text) return "the copy has another text";
  return {};
}

}  // namespace

void add_wkb_properties(std::vector<Property>& properties) { properties.push_back({"wkb", wkb_fault}); }

}  // namespace parqproof::fuzz
