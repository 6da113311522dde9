#pragma once

#include <cstdint>
#include <vector>

#include "codec/encoding/min_max.hpp"
#include "codec/file/value_bytes.hpp"
#include "conformance/check/chunk_observer.hpp"

namespace parqproof {

/// Collects ChunkScope::bounds: the bounds of one data page after the other. It keeps the dictionary of the
/// chunk for that. Once the memory that it may take is used up, it collects no more.
class PageBoundsObserver final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(ChunkScope& scope, DictionaryUse& use) override;
  void dictionary(const ValueSection& section, const ValueBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_page(const PageEnd& end) override;

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  [[nodiscard]] bool charge(std::uint64_t bytes) noexcept;
  void rank();
  void add_index(std::uint32_t index);

  ChunkScope* scope_ = nullptr;
  Order order_ = Order::none;
  std::uint32_t width_ = 0;
  DictionaryEntries dictionary_;
  std::vector<std::uint32_t> sorted_;  // indices of the entries that compare, by their order
  std::vector<std::uint32_t> ranks_;   // by index: its place in sorted_, or kNone
  std::uint32_t lowest_ = kNone;       // lowest rank among the entries that the page uses
  std::uint32_t highest_ = kNone;
  MinMax values_;  // of the page, but for those that refer to the dictionary
};

}  // namespace parqproof
