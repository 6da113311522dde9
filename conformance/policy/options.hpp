#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/profiles.hpp"

namespace parqproof {

/// What an option switches off or changes.
struct RuleChange {
  std::string pattern;
  std::string severity;     ///< one of kLevels
  bool configured = false;  ///< by a configuration, whose ignores go before it
};

/// How far a check is: bytes of pages that were judged, of those that its chunks claim. Damage can keep
/// `done` below `total`, or take it beyond.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
};

/// Findings that are known and accepted: they are left out of the report, and of the verdict.
struct Ignore {
  std::string pattern;  ///< of rules
  /// Whether the file is meant; created_by as it stands in the footer.
  std::function<bool(const std::string& path, const std::optional<std::string>& created_by)> meant;
};

/// Row groups of a file, counted from 0: from `first` on, up to but without `end`.
struct RowGroups {
  std::uint64_t first = 0;
  std::uint64_t end = UINT64_MAX;

  [[nodiscard]] bool contain(std::uint64_t row_group) const noexcept {
    return row_group >= first && row_group < end;
  }
  friend bool operator==(const RowGroups&, const RowGroups&) = default;
};

/// What to judge, and how deep.
struct CheckOptions {
  Tier tier = Tier::values;
  Profile profile = Profile::strict;
  bool advice = false;              ///< show findings of severity info
  std::vector<std::string> only;    ///< patterns; when given, no other rule is told
  std::vector<RuleChange> changes;  ///< --ignore and --severity, in the order given
  std::vector<Ignore> ignores;      ///< of rules that no option names
  bool fail_on_warning = false;
  std::uint64_t listed = 100;  ///< findings listed per file, 0: all
  Limits limits;
  unsigned jobs = 1;                       ///< threads over column chunks
  std::optional<std::uint64_t> footer_at;  ///< judge with the footer whose tail magic ends here
  std::optional<RowGroups> row_groups;     ///< the pages of these alone
  bool with_remains = true;                ///< where the footer is lost, a search for what is still there
  const std::atomic<bool>* cancelled =
      nullptr;                   ///< set from outside: stop soon, and say what was not reached
  Progress* progress = nullptr;  ///< told how far the check is, for another thread to read
};

}  // namespace parqproof
