#include "codec/record/entries.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "codec/kernel/kernels.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {
namespace {

constexpr std::size_t kBlock = 4096;

}  // namespace

std::uint64_t Levels::count(std::uint32_t level, std::uint64_t count) const noexcept {
  if (values == nullptr) return level == repeated ? count : 0;
  std::uint64_t equal = 0;
  for (std::uint64_t done = 0; done < count; done += kBlock) {
    std::uint32_t in_block = 0;  // half the width of a count of all, twice as fast
    const std::uint64_t end = std::min<std::uint64_t>(count, done + kBlock);
    for (std::uint64_t i = done; i < end; ++i) in_block += values[i] == level ? 1U : 0U;
    equal += in_block;
  }
  return equal;
}

std::uint32_t Levels::highest(std::uint64_t count) const noexcept {
  return values == nullptr ? repeated : max32(kernels(), values, static_cast<std::size_t>(count));
}

/// Returns true if the entries have no fault, and are not a run.
bool EntryCheck::is_legal(const Entries& entries) const noexcept {
  const Levels& repetition = entries.repetition;
  const Levels& definition = entries.definition;
  if (repetition.highest(entries.count) > max_repetition_ ||
      definition.highest(entries.count) > max_definition_)
    return false;
  if (repetition.values == nullptr && repetition.repeated == 0) return true;
  if (repetition.values == nullptr || definition.values == nullptr || entries.count > UINT32_MAX)
    return false;
  if (!any_ && repetition[0] != 0) return false;
  return kernels()
      .levels
      .tally(repetition.values, definition.values, static_cast<std::size_t>(entries.count), previous_,
             {max_definition_, 0, reached_})
      .legal;
}

std::optional<EntryCheck::Fault> EntryCheck::add(const Entries& entries) noexcept {
  const bool is_run = entries.repetition.values == nullptr && entries.definition.values == nullptr;
  if (!is_run && is_legal(entries)) {
    previous_ = entries.definition[entries.count - 1];
    any_ = true;
    return std::nullopt;
  }
  // Of equal entries, the second has all faults that a later one can have.
  const std::uint64_t count = is_run ? std::min<std::uint64_t>(entries.count, 2) : entries.count;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t repetition = entries.repetition[i];
    const std::uint32_t definition = entries.definition[i];
    // levels/repetition-range, levels/definition-range
    if (repetition > max_repetition_)
      return Fault{Rule::levels_repetition_range, i, repetition, max_repetition_};
    if (definition > max_definition_)
      return Fault{Rule::levels_definition_range, i, definition, max_definition_};
    if (repetition != 0) {
      // page/first-repetition-level, levels/repetition-needs-defined, levels/repetition-after-empty
      if (!any_) return Fault{Rule::page_first_repetition_level, i, repetition, 0};
      const std::uint32_t list = reached_[repetition];
      if (definition < list) return Fault{Rule::levels_repetition_needs_defined, i, definition, list};
      if (previous_ < list) return Fault{Rule::levels_repetition_after_empty, i, previous_, list};
    }
    previous_ = definition;
    any_ = true;
  }
  return std::nullopt;
}

void print_levels(const Entries& entries, AncestorPrints& prints) {
  if (prints.ancestors().empty()) return;
  const Levels& repetition = entries.repetition;
  const Levels& definition = entries.definition;
  if (repetition.values == nullptr && definition.values == nullptr)
    return prints.add(repetition.repeated, definition.repeated, entries.count);
  std::array<std::uint32_t, kBlock> run;  // levels of the kind that is a run
  run.fill(repetition.values == nullptr ? repetition.repeated : definition.repeated);
  for (std::uint64_t done = 0; done < entries.count;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(entries.count - done, kBlock));
    prints.add(repetition.values == nullptr ? run.data() : repetition.values + done,
               definition.values == nullptr ? run.data() : definition.values + done, count);
    done += count;
  }
}

ValueBatch part_of(const ValueBatch& batch, std::uint64_t first, std::uint64_t count,
                   std::uint32_t width) noexcept {
  ValueBatch part = batch;
  part.count = count;
  const auto skipped = static_cast<std::size_t>(first);
  if (part.fixed != nullptr) part.fixed += skipped * width;
  if (part.byte_arrays != nullptr) part.byte_arrays += skipped;
  if (part.stored != nullptr) part.stored += skipped;
  if (part.booleans != nullptr) part.booleans += skipped;
  if (part.indices != nullptr) part.indices += skipped;
  return part;
}

}  // namespace parqproof
