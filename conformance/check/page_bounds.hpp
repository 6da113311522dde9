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

  void add(Order order, std::span<const std::uint8_t> value);
};

/// Collects the bounds of one data page after the other, and keeps the dictionary of the chunk for it. It
/// takes as much memory as it is given, and sees nothing any more when that is used up.
class BoundsObserver {
 public:
  /// `width`: fixed_width() of the type; `room` in bytes.
  BoundsObserver(Order order, std::uint32_t width, std::uint64_t room) noexcept
      : order_(order), width_(width), room_(room) {}

  void dictionary_entry(std::span<const std::uint8_t> value);
  void add(const ValueBatch& batch);
  /// The bounds since the last call. `known`: all values of the page could be read.
  [[nodiscard]] Bounds take(bool known);
  /// The room did not suffice.
  [[nodiscard]] bool overflown() const noexcept { return overflown_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] bool charge(std::uint64_t bytes) noexcept;
  void rank();
  void add_index(std::uint32_t index);

  Order order_;
  std::uint32_t width_;
  std::uint64_t room_;
  DictionaryEntries dictionary_;
  std::vector<std::uint32_t> sorted_;  // indices of entries that compare
  std::vector<std::uint32_t> ranks_;   // by index: its place in sorted_, or kNone
  std::uint32_t lowest_ = kNone;       // ranks that this page uses
  std::uint32_t highest_ = kNone;
  Bounds bounds_;
  bool overflown_ = false;
};

}  // namespace parqproof
