#pragma once

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// Values in one batch at most, except where a batch is a run.
inline constexpr std::uint32_t kBatchValues = 4096;
/// Values in the largest batch of a section that has `count`.
[[nodiscard]] constexpr std::size_t batch_values(std::uint64_t count) noexcept {
  return static_cast<std::size_t>(count < kBatchValues ? count : kBatchValues);
}

/// What a decoder of values is opened on; the references outlive the decoder's use of the section.
struct Section {
  View bytes;
  const ValueSpec& spec;
  const Limits& limits;
  Budget& budget;
  Notes& notes;

  /// The Error of `rule` over the whole section.
  [[nodiscard]] std::unexpected<Error> fail(Rule rule, std::uint64_t found,
                                            std::uint64_t expected) const noexcept {
    return std::unexpected(Error::at(rule, bytes, found, expected));
  }

  /// page/trailing-bytes, where bytes are left behind the last value.
  [[nodiscard]] static Status fully_used(View rest) noexcept {
    if (rest.empty()) return {};
    return std::unexpected(Error::at(Rule::page_trailing_bytes, rest, rest.size(), 0));
  }

  /// Values that cost one unit of work where they take no bytes of their own.
  static constexpr std::uint64_t kValuesPerUnit = 64;

  /// limit/work, where `units` more are beyond the budget.
  [[nodiscard]] static Status spend(Budget& budget, View bytes, std::uint64_t units) noexcept {
    if (budget.spend(units)) return {};
    return std::unexpected(Error::at(Rule::limit_work, bytes.part(0, 0), budget.spent(), budget.limit()));
  }

  /// limit/work, where the values take no bytes and are too many.
  [[nodiscard]] Status afford_empty_values(std::uint32_t width) const noexcept {
    return width == 0 ? spend(budget, bytes, spec.count / kValuesPerUnit) : Status{};
  }
};

}  // namespace parqproof
