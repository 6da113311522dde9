#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/page/value_bytes.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/number_table.hpp"

namespace parqproof {

/// Counts the distinct values of one leaf exactly: each is kept once. Counting stops when they take more than
/// `ceiling` bytes of memory.
class DistinctCounter {
 public:
  DistinctCounter() = default;
  DistinctCounter(const Node& leaf, std::uint64_t ceiling) noexcept : leaf_(&leaf), ceiling_(ceiling) {}

  /// Adds values; `dictionary` has the values that indices refer to.
  void add(const ValueBatch& batch, const DictionaryView& dictionary);
  /// Adds a batch of values; indices are ignored.
  void add(const ValueBatch& batch) { add(batch, {}); }
  /// Adds the values of another counter of the same leaf.
  void add(const DistinctCounter& other);

  [[nodiscard]] bool overflown() const noexcept { return overflown_; }
  /// Number of values with different bits.
  [[nodiscard]] std::uint64_t by_bits() const noexcept { return values_.size(); }
  /// Number of values that differ as numbers: 0.0 and -0.0 are one value, NaN is none, and decimals compare
  /// by their numbers.
  [[nodiscard]] std::uint64_t by_value() const;

 private:
  void add(std::span<const std::uint8_t> value);

  const Node* leaf_ = nullptr;
  std::uint64_t ceiling_ = 0;
  std::uint64_t bytes_ = 0;
  DictionaryEntries values_;
  NumberTable numbers_;  // of values_, in order of insertion
  bool overflown_ = false;
};

}  // namespace parqproof
