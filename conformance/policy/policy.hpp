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

/// What a RuleChange can make of a rule.
inline constexpr std::array<std::string_view, 4> kLevels = {"error", "warning", "info", "off"};

/// What the options make of each rule.
class Policy {
 public:
  explicit Policy(const CheckOptions& options);

  /// Nothing where what breaks the rule is not told.
  [[nodiscard]] std::optional<Severity> severity(Rule rule) const noexcept {
    return severities_[static_cast<std::size_t>(rule)];
  }
  /// The rules that are judged: all but those switched off, and those that are advice by the profile only if
  /// advice is asked for. What one rule says may be what another rule is told by, so whatever is not told for
  /// another reason is judged all the same.
  [[nodiscard]] const RuleSet& wanted() const noexcept { return wanted_; }

  /// Takes away the broken rules that options.ignores leave out for this file, and says which of those were
  /// of use.
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
