#pragma once

#include "conformance/check/chunk_observer.hpp"
#include "conformance/check/column_index_claims.hpp"

namespace parqproof {

/// column-index/*: what the ColumnIndex of a chunk says of its data pages, each by its own levels and values.
class ColumnIndexObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(ChunkScope& scope, DictionaryUse& use) override;
  void end_page(const PageEnd& end) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  ChunkScope* scope_ = nullptr;
  ColumnIndexClaims claims_;
};

}  // namespace parqproof
