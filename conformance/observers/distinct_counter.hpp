#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/encoding/values.hpp"
#include "codec/page/value_bytes.hpp"
#include "codec/schema/schema.hpp"
#include "conformance/observers/number_table.hpp"

namespace parqproof {

/// Counts the different values of one leaf, exactly: each is kept once. It stops where they take more memory
/// than `ceiling` bytes.
class DistinctCounter {
 public:
  DistinctCounter() = default;
  DistinctCounter(const Node& leaf, std::uint64_t ceiling) noexcept : leaf_(&leaf), ceiling_(ceiling) {}

  /// The next values; `dictionary` has those that indices stand for.
  void add(const ValueBatch& batch, const DictionaryView& dictionary);
  /// A batch that has no indices, which are passed over.
  void add(const ValueBatch& batch) { add(batch, {}); }
  /// What was put into another object for the same leaf.
  void add(const DistinctCounter& other);

  [[nodiscard]] bool overflown() const noexcept { return overflown_; }
  /// Values with different bits.
  [[nodiscard]] std::uint64_t by_bits() const noexcept { return values_.size(); }
  /// Values that differ as numbers: zeros are one, NaN is none, and a decimal is what its bytes amount to.
  [[nodiscard]] std::uint64_t by_value() const;

 private:
  void add(std::span<const std::uint8_t> value);

  const Node* leaf_ = nullptr;
  std::uint64_t ceiling_ = 0;
  std::uint64_t bytes_ = 0;
  DictionaryEntries values_;
  NumberTable numbers_;  // of them, by their order
  bool overflown_ = false;
};

}  // namespace parqproof
