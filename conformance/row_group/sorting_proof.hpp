#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/record/dictionary.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/row_group/sorting_columns.hpp"

namespace parqproof {

/// Proves along the way that the rows are in the order of the first sorting column, so that they need not be
/// read a second time. It makes no finding: where the proof fails, check_sorting() reads the rows and says
/// what is wrong.
class SortingProof final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void end_dictionary(const ValueSection& section) override;
  void levels(const Page& page, const LevelBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// The next value, which is there until the next call.
  void step(std::span<const std::uint8_t> value);
  /// The same, of which a copy is kept.
  void step_across(std::span<const std::uint8_t> value);
  void nulls(std::uint64_t count) noexcept;
  void not_nulls() noexcept;
  void fixed(const ValueBatch& batch);
  template <typename T>
  void numbers(const std::uint8_t* values, std::size_t count);
  void indices(const ValueBatch& batch);
  /// The entry of the dictionary; false where there is none.
  [[nodiscard]] bool entry(std::uint32_t index, std::span<const std::uint8_t>& value);

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  SortKey key_;
  Dictionary dictionary_;
  std::vector<std::uint8_t> previous_;
  bool has_previous_ = false;
  bool has_value_ = false;  // by the levels
  bool has_null_ = false;
  bool failed_ = false;  // the proof
  bool ties_ = false;    // two rows may be equal
};

}  // namespace parqproof
