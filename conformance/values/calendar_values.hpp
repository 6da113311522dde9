#pragma once

#include "codec/encoding/min_max.hpp"
#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// known-writer/calendar and known-writer/date-shift: dates and timestamps shifted by a known bug of the
/// writer. Files of other writers are not checked.
class CalendarValues final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  const ChunkScope* scope_ = nullptr;
  MinMax range_;
};

}  // namespace parqproof
