#pragma once

#include <cstdint>
#include <vector>

#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/page_tally.hpp"
#include "conformance/statistics/statistics_check.hpp"

namespace parqproof {

/// statistics/*: what the Statistics of a chunk, and those of its page headers, say of its values. It looks
/// at no more than a claim calls for; values in a dictionary are judged once per entry, or once per entry and
/// page.
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

  /// What is known of the page at hand.
  struct AtPage {
    StatisticsCheck claims;    ///< of its header
    bool has_claims = false;   ///< the header makes some
    bool tallied = false;      ///< there are claims about this page, here or elsewhere
    bool with_values = false;  ///< and some are about its values
    bool elsewhere = false;    ///< the page index makes claims about its values, too
    bool outside = false;      ///< it refers to an entry that breaks a bound of the chunk
  };

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  bool has_claims_ = false;  // the chunk has
  StatisticsCheck claims_;   // of the chunk
  ValueTally tally_;
  PageTally page_tally_;
  AtPage page_;
  MinMax entries_;                     // of the dictionary
  std::vector<bool> nan_entries_;      // of the dictionary; empty where none is NaN
  std::vector<bool> outside_entries_;  // of the dictionary, that break a bound; empty where none does
  DictionaryView kept_;                // the dictionary, where one does
  MinMax seen_;                        // the values up to the page before
  StatisticsCheck::Outside outside_;   // for each bound the first value that breaks it
  bool has_indices_ = false;           // there are values that refer to the dictionary
  bool by_use_ = false;                // the values that they refer to are those of used entries
  bool out_of_memory_ = false;         // so bounds are not judged
};

}  // namespace parqproof
