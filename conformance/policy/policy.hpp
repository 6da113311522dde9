#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/finding.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/options.hpp"

namespace parqproof {

/// The severities of a RuleChange.
inline constexpr std::array<std::string_view, 4> kLevels = {"error", "warning", "info", "off"};

/// The severity of each rule under the options of a check.
class Policy {
 public:
  explicit Policy(const CheckOptions& options);

  /// The severity of findings of the rule, or nullopt if they are not reported.
  [[nodiscard]] std::optional<Severity> severity(Rule rule) const noexcept {
    return severities_[static_cast<std::size_t>(rule)];
  }
  /// The rules that are evaluated: all but those switched off, and without advice those of severity info in
  /// the profile. A suppressed rule is still evaluated if another depends on it.
  [[nodiscard]] const RuleSet& wanted() const noexcept { return wanted_; }

  /// Removes the broken rules that options.ignores accept for this file, and returns the ordinals of the
  /// ignores that were used.
  [[nodiscard]] std::vector<std::size_t> leave_out(const CheckOptions& options, const std::string& path,
                                                   const std::optional<std::string>& created_by,
                                                   const RuleSet& broken);

 private:
  void change(const std::vector<RuleChange>& changes);
  void single_out(const std::vector<std::string>& patterns);

  Severities severities_;
  RuleSet wanted_;
};

}  // namespace parqproof
