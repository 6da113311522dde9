#include "codec/record/entries.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "codec/rules/rule.hpp"

namespace parqproof {

std::optional<EntryCheck::Fault> EntryCheck::add(const Entries& entries) noexcept {
  const bool is_run = entries.repetition.values == nullptr && entries.definition.values == nullptr;
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
  constexpr std::size_t kBlock = 4096;
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
