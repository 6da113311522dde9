#pragma once

#include "codec/base/bytes.hpp"
#include "codec/base/limits.hpp"
#include "codec/base/result.hpp"
#include "codec/encoding/values.hpp"
#include "codec/rules/notes.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// Max values of a batch that is not a run.
inline constexpr std::uint32_t kBatchValues = 4096;
/// Values of the largest batch of a section with `count` values.
[[nodiscard]] constexpr std::size_t batch_values(std::uint64_t count) noexcept {
  return static_cast<std::size_t>(count < kBatchValues ? count : kBatchValues);
}

/// Arguments of decoders of values. The caller keeps the references alive while the section is decoded.
struct Section {
  View bytes;
  const ValueSpec& spec;
  const Limits& limits;
  Budget& budget;
  Notes& notes;

  /// Returns the Error of `rule` for all bytes of the section.
  [[nodiscard]] std::unexpected<Error> fail(Rule rule, std::uint64_t found,
                                            std::uint64_t expected) const noexcept {
    return std::unexpected(Error::at(rule, bytes, found, expected));
  }

  /// Returns page/trailing-bytes if bytes remain after the last value.
  [[nodiscard]] static Status fully_used(View rest) noexcept {
    if (rest.empty()) return {};
    return std::unexpected(Error::at(Rule::page_trailing_bytes, rest, rest.size(), 0));
  }

  /// Values that cost one unit of work if they take no bytes of their own.
  static constexpr std::uint64_t kValuesPerUnit = 64;

  /// Returns limit/work if `units` more exceed the budget.
  [[nodiscard]] static Status spend(Budget& budget, View bytes, std::uint64_t units) noexcept {
    if (budget.spend(units)) return {};
    return std::unexpected(Error::at(Rule::limit_work, bytes.part(0, 0), budget.spent(), budget.limit()));
  }

  /// Returns limit/work if the values take no bytes and exceed the budget.
  [[nodiscard]] Status afford_empty_values(std::uint32_t width) const noexcept {
    return width == 0 ? spend(budget, bytes, spec.count / kValuesPerUnit) : Status{};
  }
};

}  // namespace parqproof
