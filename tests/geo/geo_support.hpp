#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "codec/base/append.hpp"
#include "codec/geo/wkb.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Writes WKB from its parts.
struct Wkb {
  bool is_big_endian = false;
  std::vector<std::uint8_t> bytes;

  Wkb& head(std::uint32_t code) {
    bytes.push_back(is_big_endian ? 0 : 1);
    return word(code);
  }
  Wkb& word(std::uint32_t word) {
    append_le(bytes, is_big_endian ? std::byteswap(word) : word, 4);
    return *this;
  }
  Wkb& numbers(std::initializer_list<double> numbers) {
    for (const double number : numbers) {
      const auto bits = std::bit_cast<std::uint64_t>(number);
      append_le(bytes, is_big_endian ? std::byteswap(bits) : bits, 8);
    }
    return *this;
  }
  Wkb& byte(std::uint8_t byte) {
    bytes.push_back(byte);
    return *this;
  }
};

/// A violation: the name of its rule in the area, the offset and the length of the bytes at fault.
using GeoViolation = std::tuple<std::string, std::uint64_t, std::size_t>;

class CollectedGeo final : public geo::Faults {
 public:
  bool count(Rule) override { return true; }
  void describe(geo::Fault fault) override {
    all.emplace_back(std::string(info(fault.rule).id), fault.at.base, fault.at.size());
  }

  std::vector<GeoViolation> all;
};

inline std::vector<GeoViolation> judge_wkb(const std::vector<std::uint8_t>& bytes,
                                           bool is_geography = false) {
  CollectedGeo faults;
  geo::Walker walker(10);
  walker.judge_ranges(is_geography);
  static_cast<void>(walker.walk({bytes}, faults));
  return faults.all;
}

}  // namespace parqproof
