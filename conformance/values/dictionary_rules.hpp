#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// dictionary/sorted, dictionary/entries-distinct and dictionary/unused-entries: the entries of a dictionary
/// page are sorted if is_sorted is set, distinct, and all used by values.
class DictionaryRules final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// Judges the entry at `at`, whose first `before` bytes are its length word.
  void entry(const ValueSection& section, std::span<const std::uint8_t> value, std::uint64_t at,
             std::size_t before = 0);

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  Order order_ = Order::none;
  std::vector<std::uint8_t> previous_;
  std::unordered_set<std::string> entries_;
  Place page_;            // of the dictionary
  thrift::Extent count_;  // of its num_values
  bool has_previous_ = false;
  bool unsorted_ = false;  // dictionary/sorted is violated
};

}  // namespace parqproof
