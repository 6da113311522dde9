#pragma once

#include <cstdint>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/page_tally.hpp"
#include "conformance/statistics/statistics_check.hpp"

namespace parqproof {

/// statistics/*: compares the Statistics of a chunk and of its page headers with its values. Values are read
/// only if a claim needs them; values in a dictionary are judged once per entry, or once per entry and page.
class StatisticsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  [[nodiscard]] bool expect_page(const Page& page) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  void mark_nans(const ValueSpec& spec);
  void count_nans(const ValueBatch& batch) noexcept;
  void mark_outside(const ValueSpec& spec);
  void look_for_outside(const ValueBatch& batch) noexcept;
  void end_claimed_page(const PageEnd& end);
  void find_outside(const PageEnd& end);
  void give_up_distinct(const Place& place) const;

  /// State of the current page.
  struct AtPage {
    StatisticsCheck claims;    ///< of its header
    bool has_claims = false;   ///< the header has claims
    bool tallied = false;      ///< the header or the page index has claims about this page
    bool with_values = false;  ///< some claims are about its values
    bool elsewhere = false;    ///< the page index has claims about its values as well
    bool outside = false;      ///< it refers to an entry that breaks a bound of the chunk
  };

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  bool has_claims_ = false;  // the chunk has claims
  StatisticsCheck claims_;   // of the chunk
  ValueTally tally_;
  PageTally page_tally_;
  AtPage page_;
  MinMax entries_;                     // of the dictionary
  std::vector<bool> nan_entries_;      // of the dictionary; empty if none is NaN
  std::vector<bool> outside_entries_;  // of the dictionary, that break a bound; empty if none does
  DictionaryView kept_;                // the dictionary, if an entry breaks a bound
  MinMax seen_;                        // the values before the current page
  StatisticsCheck::Outside outside_;   // for each bound the first value that breaks it
  bool has_indices_ = false;           // there are values that refer to the dictionary
  bool by_use_ = false;                // their values are taken from the used entries at the end
  bool out_of_memory_ = false;         // bounds are not judged
};

}  // namespace parqproof
