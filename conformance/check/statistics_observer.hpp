#pragma once

#include <cstdint>
#include <vector>

#include "conformance/check/chunk_observer.hpp"
#include "conformance/check/statistics_claims.hpp"

namespace parqproof {

/// statistics/*: what the Statistics of a chunk say of its values. It looks at no more than a claim calls
/// for; values in a dictionary are judged once per entry.
class StatisticsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(ChunkScope& scope, DictionaryUse& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void end_dictionary(const ValueSection& section) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  void mark_nans(const ValueSpec& spec);
  void count_nans(const ValueBatch& batch) noexcept;

  ChunkScope* scope_ = nullptr;
  DictionaryUse* use_ = nullptr;
  StatisticsClaims claims_;
  ValueTally tally_;
  MinMax entries_;                 // of the dictionary
  std::vector<bool> nan_entries_;  // of the dictionary; empty where none is NaN
  bool has_indices_ = false;       // there are values that refer to the dictionary
  bool by_use_ = false;            // the values that they refer to are those of used entries
  bool out_of_memory_ = false;     // so bounds are not judged
};

}  // namespace parqproof
