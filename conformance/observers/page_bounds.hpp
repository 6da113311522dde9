#pragma once

#include <cstdint>

#include "codec/encoding/min_max.hpp"
#include "conformance/observers/chunk_observer.hpp"

namespace parqproof {

/// Collects BoundsOfPages, page by page, until their memory is used up. Keeps the dictionary of the chunk.
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
