#include "conformance/check/policy.hpp"

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
  if (!options.changes.empty() || !options.only.empty()) change(options);
  for (std::size_t i = 0; i < severities_.size(); ++i) {
    const std::optional<Severity> severity = severities_[i];
    wanted_[i] = severity && (*severity != Severity::info || options.advice);
  }
}

/// Applies options.changes and options.only.
void Policy::change(const CheckOptions& options) {
  for (std::size_t i = 0; i < severities_.size(); ++i) {
    const Rule rule = static_cast<Rule>(i);
    for (const RuleChange& change : options.changes) {
      if (matches(change.pattern, rule)) severities_[i] = severity_named(change.severity);
    }
    // A ceiling or a missing feature is always told: it is what keeps the rest of the verdict honest.
    const Class klass = info(rule).klass;
    const bool is_ability = klass == Class::unsupported || klass == Class::limit;
    if (!options.only.empty() && !is_ability &&
        std::ranges::none_of(options.only,
                             [&](const std::string& pattern) { return matches(pattern, rule); })) {
      severities_[i].reset();
    }
  }
}

std::vector<std::size_t> Policy::leave_out(const CheckOptions& options, const std::string& path,
                                           const std::optional<std::string>& created_by,
                                           const RuleSet& broken) {
  std::vector<std::size_t> used;
  for (std::size_t at = 0; at < options.ignores.size(); ++at) {
    const Ignore& ignore = options.ignores[at];
    bool of_use = false;
    for (std::size_t i = 0; i < all_rules().size(); ++i) {
      const Rule rule = static_cast<Rule>(i);
      const auto names = [rule](const RuleChange& change) {
        return !change.configured && matches(change.pattern, rule);
      };
      if (!broken[i] || !wanted_[i] || !matches(ignore.pattern, rule)) continue;
      if (std::ranges::any_of(options.changes, names) || !ignore.meant(path, created_by)) continue;
      severities_[i].reset();
      of_use = true;
    }
    if (of_use) used.push_back(at);
  }
  return used;
}

}  // namespace parqproof
