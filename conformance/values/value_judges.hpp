#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codec/encoding/values.hpp"
#include "codec/rules/finding.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// A value of a batch that breaks a rule about what the annotation of its column says.
struct FaultyValue {
  std::uint64_t i = 0;  ///< in the batch
  Rule rule{};
  std::uint64_t times = 1;  ///< values from this one on
};

/// Judges the values of one column by its annotation (LogicalTypes.md).
class ValueJudge {
 public:
  virtual ~ValueJudge() = default;

  /// Adds what breaks rules, value by value. Batches of dictionary indices are passed over: the entries are
  /// judged.
  virtual void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) = 0;
  /// What is wrong with a value that breaks the rule, given as its PLAIN bytes.
  [[nodiscard]] virtual Contrast describe(Rule rule, std::span<const std::uint8_t> value) = 0;
  /// Entries of a dictionary can break a rule; else values alone can, whatever they are.
  [[nodiscard]] virtual bool judges_entries() const noexcept { return true; }
};

/// The judge for the values of a leaf; null where no rule that is wanted is about them. An annotation
/// that does not suit its carrier, has impossible parameters, or contradicts the other annotation of the leaf
/// says nothing of values; but text is text all the same.
[[nodiscard]] std::unique_ptr<ValueJudge> judge_of_values(const Node& leaf, const Findings& findings);

/// The PLAIN bytes of a value of a batch, a BYTE_ARRAY without its length word; none of a dictionary index.
[[nodiscard]] std::span<const std::uint8_t> bytes_of(const ValueBatch& batch, std::uint64_t i,
                                                     std::uint32_t width) noexcept;

}  // namespace parqproof
