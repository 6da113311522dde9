#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "codec/base/rule_id.hpp"
#include "codec/encoding/values.hpp"
#include "codec/page/ancestor_prints.hpp"
#include "codec/record/dictionary.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// The levels of one kind of consecutive entries.
struct Levels {
  const std::uint32_t* values = nullptr;  ///< one level for each entry; null: all are `repeated`
  std::uint32_t repeated = 0;

  [[nodiscard]] std::uint32_t operator[](std::uint64_t i) const noexcept {
    return values == nullptr ? repeated : values[i];
  }
  /// The levels from entry `i` on.
  [[nodiscard]] Levels from(std::uint64_t i) const noexcept {
    return {values == nullptr ? nullptr : values + i, repeated};
  }
  /// Returns how many of the first `count` levels are `level`.
  [[nodiscard]] std::uint64_t count(std::uint32_t level, std::uint64_t count) const noexcept;
  /// Returns the highest of the first `count` levels, at least one.
  [[nodiscard]] std::uint32_t highest(std::uint64_t count) const noexcept;
};

/// Consecutive entries of one leaf, as a reader gives them and a writer takes them. What it refers to belongs
/// to others.
struct Entries {
  std::uint64_t count = 0;
  Levels repetition;  ///< all 0 if nothing above the leaf is repeated
  Levels definition;
  /// Values of the entries at the max definition level, in any form.
  ValueBatch values;
  const Dictionary* dictionary = nullptr;  ///< of values in the forms indices and index_run
};

/// Checks that entries of a leaf form rows (README.md#nested-encoding): levels in range, an entry that
/// continues a list reaches it, and so does the entry before it.
class EntryCheck {
 public:
  /// `reached`: Schema::repeated_definition_levels() of the leaf.
  EntryCheck(const Node& leaf, std::vector<std::uint32_t> reached)
      : max_repetition_(leaf.max_repetition),
        max_definition_(leaf.max_definition),
        reached_(std::move(reached)) {}

  struct Fault {
    Rule rule{};
    std::uint64_t entry = 0;  ///< index in the entries
    std::uint32_t found = 0;
    std::uint32_t expected = 0;
  };
  /// Checks the next entries of the column.
  [[nodiscard]] std::optional<Fault> add(const Entries& entries) noexcept;

 private:
  [[nodiscard]] bool is_legal(const Entries& entries) const noexcept;

  std::uint32_t max_repetition_;
  std::uint32_t max_definition_;
  std::vector<std::uint32_t> reached_;
  std::uint32_t previous_ = 0;  // definition level of the last entry
  bool any_ = false;
};

/// Takes the levels of entries into the fingerprints of the nodes that other columns share.
void print_levels(const Entries& entries, AncestorPrints& prints);

/// The values of a batch from `first` on, `count` of them. `width`: fixed_width() of the type.
[[nodiscard]] ValueBatch part_of(const ValueBatch& batch, std::uint64_t first, std::uint64_t count,
                                 std::uint32_t width) noexcept;

}  // namespace parqproof
