#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"
#include "conformance/values/value_judges.hpp"

namespace parqproof {

/// The values of a column are legal for its annotation: logical-type/utf8, json, bson, integer-range,
/// time-range, decimal-digits, decimal-bytes-empty, decimal-bytes-minimal, unknown-values. ValueJudge has the
/// rules; this class applies them to pages and dictionaries. A dictionary entry counts only if a value refers
/// to it.
class AnnotatedValues final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void begin_page(const Page& page) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// The values of a page that break one rule.
  struct Tally {
    Rule rule{};
    std::uint64_t times = 0;
    std::uint64_t ordinal = 0;  ///< of the first of them in its page
    View at;                    ///< its bytes; empty if it has no bytes of its own
    Contrast what;
  };

  /// Counts a faulty value of a batch whose first value has the ordinal `first`; `place` returns the bytes of
  /// a value.
  template <typename Find>
  void count(const FaultyValue& faulty, const ValueBatch& batch, std::uint64_t first, Find&& place);
  void report(const Place& page, std::uint64_t page_offset);

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  std::unique_ptr<ValueJudge> judge_;  // null if no rule applies
  std::vector<FaultyValue> faulty_;    // of a batch
  std::vector<Tally> tallies_;         // of the page so far, one per rule
  std::uint64_t values_ = 0;           // of the page so far
  bool faulty_entries_ = false;        // the dictionary has faulty entries
  Place dictionary_page_;
  std::uint64_t dictionary_offset_ = 0;
};

}  // namespace parqproof
