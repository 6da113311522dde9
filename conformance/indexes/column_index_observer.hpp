#pragma once

#include <cstdint>
#include <optional>

#include "conformance/indexes/column_index_check.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/page_tally.hpp"

namespace parqproof {

/// column-index/*: compares the ColumnIndex of a chunk with the levels and values of each data page.
/// StatisticsObserver tallies the values once for all claims about a page.
class ColumnIndexObserver final : public ChunkObserver, public PageClaims {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

  [[nodiscard]] bool are_about(const Page& page) override;
  void judge(const PageEnd& end, const ValueTally& tally, const Find& find) override;

 private:
  const ChunkScope* scope_ = nullptr;
  ColumnIndexCheck claims_;
};

}  // namespace parqproof
