#include "conformance/policy/policy.hpp"

#include <algorithm>
#include <string_view>

namespace parqproof {
namespace {

std::optional<Severity> severity_named(std::string_view name) {
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    if (to_string(severity) == name) return severity;
  }
  return std::nullopt;  // off
}

}  // namespace

Policy::Policy(const CheckOptions& options) : severities_(severities_under(options.profile)) {
  for (const EditionRow& row : edition_rows()) {
    if (options.edition < row.since) severities_[static_cast<std::size_t>(row.rule)].reset();
  }
  const Severities usual = severities_;
  change(options.changes);
  for (std::size_t i = 0; i < severities_.size(); ++i) {
    const bool is_advice = usual[i] == Severity::info && severities_[i] == Severity::info;
    wanted_[i] = severities_[i] && (!is_advice || options.advice);
  }
  if (!options.only.empty()) single_out(options.only);
  for (std::optional<Severity>& severity : severities_) {
    if (severity == Severity::info && !options.advice) severity.reset();
  }
}

void Policy::change(const std::vector<RuleChange>& changes) {
  for (const RuleChange& change : changes) {
    for (std::size_t i = 0; i < severities_.size(); ++i) {
      if (matches(change.pattern, static_cast<Rule>(i))) severities_[i] = severity_named(change.severity);
    }
  }
}

/// Removes the rules that match none of the patterns.
void Policy::single_out(const std::vector<std::string>& patterns) {
  for (std::size_t i = 0; i < severities_.size(); ++i) {
    const Rule rule = static_cast<Rule>(i);
    // Limits and unsupported features are always reported, because they leave parts of the file unchecked.
    if (!is_judgement(info(rule).klass)) continue;
    const auto names = [rule](const std::string& pattern) { return matches(pattern, rule); };
    if (std::ranges::none_of(patterns, names)) severities_[i].reset();
  }
}

std::vector<std::size_t> Policy::leave_out(const CheckOptions& options, const std::string& path,
                                           const std::optional<std::string>& created_by,
                                           const RuleSet& broken) {
  const Severities before = severities_;
  std::vector<std::size_t> used;
  for (std::size_t at = 0; at < options.ignores.size(); ++at) {
    const Ignore& ignore = options.ignores[at];
    bool is_used = false;
    for (std::size_t i = 0; i < all_rules().size(); ++i) {
      const Rule rule = static_cast<Rule>(i);
      const auto names = [rule](const RuleChange& change) {
        return !change.configured && matches(change.pattern, rule);
      };
      if (!broken[i] || !before[i] || !matches(ignore.pattern, rule)) continue;
      if (std::ranges::any_of(options.changes, names) || !ignore.meant(path, created_by)) continue;
      severities_[i].reset();
      is_used = true;
    }
    if (is_used) used.push_back(at);
  }
  return used;
}

}  // namespace parqproof
