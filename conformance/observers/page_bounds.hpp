#pragma once

#include <cstdint>

#include "codec/encoding/min_max.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/observers/dictionary_lookup.hpp"

namespace parqproof {

/// Collects BoundsOfPages: the bounds of one data page after the other. It keeps the dictionary of the
/// chunk for that. Once the memory that it may take is used up, it collects no more.
class PageBoundsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void end_dictionary(const ValueSection& section) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;

 private:
  [[nodiscard]] bool charge(std::uint64_t bytes) noexcept;

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  Order order_ = Order::none;
  std::uint32_t width_ = 0;
  DictionaryLookup dictionary_;
  MinMax values_;  // of the page
};

}  // namespace parqproof
