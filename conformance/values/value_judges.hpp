#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A value of a batch that is illegal for the annotation of its column.
struct FaultyValue {
  std::uint64_t i = 0;  ///< in the batch
  Rule rule{};
  std::uint64_t times = 1;  ///< number of equal values from this one on
};

/// Judges the values of one column by its annotation (LogicalTypes.md).
class ValueJudge {
 public:
  virtual ~ValueJudge() = default;

  /// Adds the faulty values of the batch. Batches of dictionary indices are skipped, because the entries are
  /// judged.
  virtual void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) = 0;
  /// Describes the violation by a value, given as its PLAIN bytes.
  [[nodiscard]] virtual Contrast describe(Rule rule, std::span<const std::uint8_t> value) = 0;
  /// Returns true if dictionary entries can violate a rule; otherwise any value does.
  [[nodiscard]] virtual bool judges_entries() const noexcept { return true; }
};

/// Returns the judge for the values of a leaf; null if no selected rule applies. Annotations that do not fit
/// the physical type, have impossible parameters or contradict the other annotation of the leaf are ignored,
/// except for text.
[[nodiscard]] std::unique_ptr<ValueJudge> judge_of_values(const Node& leaf, const Findings& findings);
/// The same for STRING, ENUM, JSON and BSON alone, and for INTEGER, TIME and DECIMAL without a conflict.
[[nodiscard]] std::unique_ptr<ValueJudge> text_judge(const Node& leaf, const Findings& findings);
[[nodiscard]] std::unique_ptr<ValueJudge> number_judge(const Node& leaf, const Findings& findings);

/// Returns the PLAIN bytes of a value of a batch, without the length prefix of a BYTE_ARRAY; empty for a
/// dictionary index.
[[nodiscard]] std::span<const std::uint8_t> bytes_of(const ValueBatch& batch, std::uint64_t i,
                                                     std::uint32_t width) noexcept;

}  // namespace parqproof
