#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codec/file/bloom_filter.hpp"
#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// bloom-filter/*: judges the bits of the filter of a chunk, and looks up each value. Values in a dictionary
/// are looked up once per entry, and count if values refer to them. No value is looked up if the bits cannot
/// be the result of any values.
class BloomFilterObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void begin_page(const Page& page) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// A value that is not found.
  struct Missed {
    std::uint64_t ordinal = 0;  ///< of the value in its page
    BloomFilter::Bit bit;       ///< the first missing bit
  };

  [[nodiscard]] bool read_bits();
  /// Judges the bits. Returns true if they can be the result of values.
  [[nodiscard]] bool judge_bits() const;
  void report_fill() const;
  [[nodiscard]] bool claims_values() const;
  void judge_empty() const;
  template <typename Take>
  void for_each_missed(const ValueBatch& batch, Take&& take) const;
  /// Makes a finding at the word of the bit, with `times` occurrences.
  void at_word(Rule rule, const BloomFilter::Bit& bit, std::uint64_t times, Contrast what) const;
  void report(const Missed& first, std::string_view from, std::uint64_t times) const;

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  std::vector<std::uint8_t> bits_;
  BloomFilter filter_;
  bool empty_ = false;           // no bit is set
  std::vector<Missed> entries_;  // dictionary entries that are not found
  bool entries_known_ = false;   // the dictionary was read to its end
  std::uint64_t values_ = 0;     // of the page so far
  std::uint64_t times_ = 0;      // values of the page that are not found
  Missed first_;                 // the one with the first word of the filter
};

}  // namespace parqproof
