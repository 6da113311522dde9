#include "codec/page/ancestor_prints.hpp"

#include <algorithm>
#include <bit>

#include "codec/kernel/kernels.hpp"

namespace parqproof {
namespace {

// Returns (((value * base + code) * base + code) ...), `count` times.
std::uint64_t add_run(std::uint64_t value, std::uint64_t base, std::uint64_t code, std::uint64_t count) {
  std::uint64_t power = 1;  // base^n, and the sum of all lower powers
  std::uint64_t sum = 0;
  for (int bit = static_cast<int>(std::bit_width(count)) - 1; bit >= 0; --bit) {
    sum += sum * power;
    power *= power;
    if ((count >> bit & 1) != 0) {
      sum = sum * base + 1;
      power *= base;
    }
  }
  return value * power + code * sum;
}

}  // namespace

void LevelFingerprint::add(std::uint64_t code, std::uint64_t count) noexcept {
  print_.first = add_run(print_.first, LevelPrint::kFirstBase, code, count);
  print_.second = add_run(print_.second, LevelPrint::kSecondBase, code, count);
}

void LevelFingerprint::add(const std::uint32_t* repetition, const std::uint32_t* definition,
                           std::size_t count, const LevelProjection& ancestor) noexcept {
  kernels().levels.print(repetition, definition, count, ancestor, print_);
}

AncestorPrints::AncestorPrints(const Schema& schema, std::size_t leaf) {
  std::size_t below = 1;
  for (std::uint32_t index = schema.leaf(leaf).parent; index != 0; index = schema.nodes()[index].parent) {
    const Node& ancestor = schema.nodes()[index];
    if (schema.leaves_below(index) == below) continue;  // the same leaves share it as the node below it
    below = schema.leaves_below(index);
    ancestors_.push_back(index);
    projections_.push_back({{ancestor.max_repetition, ancestor.max_definition}, {}});
  }
  std::ranges::reverse(ancestors_);
  std::ranges::reverse(projections_);
  if (ancestors_.size() > kMaxShared) {
    ancestors_.resize(kMaxShared);
    projections_.resize(kMaxShared);
  }
}

void AncestorPrints::add(const std::uint32_t* repetition, const std::uint32_t* definition,
                         std::size_t count) noexcept {
  for (Projection& projection : projections_)
    projection.print.add(repetition, definition, count, projection.ancestor);
}

void AncestorPrints::add(std::uint32_t repetition, std::uint32_t definition, std::uint64_t count) noexcept {
  for (Projection& projection : projections_) {
    const LevelProjection& ancestor = projection.ancestor;
    if (repetition <= ancestor.repetition) {
      projection.print.add(LevelFingerprint::code(repetition, std::min(definition, ancestor.definition)),
                           count);
    }
  }
}

std::vector<LevelFingerprint::Value> AncestorPrints::values() const {
  std::vector<LevelFingerprint::Value> values;
  values.reserve(projections_.size());
  for (const Projection& projection : projections_) values.push_back(projection.print.value());
  return values;
}

}  // namespace parqproof
