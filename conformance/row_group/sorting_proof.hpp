#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codec/record/dictionary.hpp"
#include "conformance/observers/chunk_observer.hpp"
#include "conformance/row_group/sorting_columns.hpp"

namespace parqproof {

/// Proves during the walk that the rows are sorted by the first sorting column, so that they are not read
/// twice. Reports nothing: if the proof fails, check_sorting() reads the rows and reports the violation.
class SortingProof final : public ChunkObserver {
 public:
  [[nodiscard]] Wants open(const ChunkScope& scope, DictionaryUsage& use) override;
  void end_dictionary(const ValueSection& section) override;
  void levels(const Page& page, const LevelBatch& batch) override;
  void values(const ValueSection& section, const ValueBatch& batch) override;
  void end_chunk(const ChunkEnd& end) override;

 private:
  /// Adds the next value, which must stay valid until the next call.
  void step(std::span<const std::uint8_t> value);
  /// Adds the next value and keeps a copy of it.
  void step_across(std::span<const std::uint8_t> value);
  void nulls(std::uint64_t count) noexcept;
  void not_nulls() noexcept;
  void fixed(const ValueBatch& batch);
  template <typename T>
  void numbers(const std::uint8_t* values, std::size_t count);
  void indices(const ValueBatch& batch);
  /// Gets a dictionary entry; returns false if there is none.
  [[nodiscard]] bool entry(std::uint32_t index, std::span<const std::uint8_t>& value);

  const ChunkScope* scope_ = nullptr;
  DictionaryUsage* use_ = nullptr;
  SortKey key_;
  Dictionary dictionary_;
  std::vector<std::uint8_t> previous_;
  bool has_previous_ = false;
  bool has_value_ = false;  // a value was seen in the levels
  bool has_null_ = false;
  bool failed_ = false;  // the proof failed
  bool ties_ = false;    // adjacent rows may be equal
};

}  // namespace parqproof
