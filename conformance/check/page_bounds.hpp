#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/file/value_bytes.hpp"
#include "codec/schema/order.hpp"

namespace parqproof {

/// The smallest and the largest of some values; values that compare with nothing are passed over.
struct Bounds {
  std::vector<std::uint8_t> min;
  std::vector<std::uint8_t> max;
  bool any = false;    ///< there was a value
  bool known = false;  ///< all values were seen

  void add(Order order, std::span<const std::uint8_t> value) {
    if (compare(order, value, value) == Comparison::unordered) return;
    if (!any || compare(order, value, min) == Comparison::less) min.assign(value.begin(), value.end());
    if (!any || compare(order, value, max) == Comparison::greater) max.assign(value.begin(), value.end());
    any = true;
  }
};

/// Collects the bounds of one data page after the other, and keeps the dictionary of the chunk for it.
class BoundsObserver {
 public:
  BoundsObserver(Order order, std::uint32_t width) noexcept : order_(order), width_(width) {}

  [[nodiscard]] Order order() const noexcept { return order_; }
  void dictionary_entry(std::span<const std::uint8_t> value) { dictionary_.add(value); }
  void add(const ValueBatch& batch) {
    for_each_value(batch, width_, dictionary_, [this](auto value, auto) { bounds_.add(order_, value); });
  }
  /// The bounds since the last call. `known`: all values of the page could be read.
  [[nodiscard]] Bounds take(bool known) {
    bounds_.known = known;
    return std::exchange(bounds_, {});
  }

 private:
  Order order_;
  std::uint32_t width_;
  DictionaryEntries dictionary_;
  Bounds bounds_;
};

}  // namespace parqproof
