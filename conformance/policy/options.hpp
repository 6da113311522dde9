#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/base/limits.hpp"
#include "codec/rules/editions.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/policy/profiles.hpp"

namespace parqproof {

/// A change of the severity of rules by an option or the configuration.
struct RuleChange {
  std::string pattern;
  std::string severity;     ///< one of kLevels
  bool configured = false;  ///< from the configuration; its ignores are applied first
};

/// Progress of a check in bytes of pages, out of the total size of the chunks. In a damaged file `done` can
/// end below or above `total`.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
  bool total_is_known = false;  ///< the caller has set it: the check is a part of longer work
};

/// Findings that are known and accepted, and left out of the report and the verdict.
struct Ignore {
  std::string pattern;  ///< of rules
  /// Returns true if it applies to the file; created_by is the value in the footer.
  std::function<bool(const std::string& path, const std::optional<std::string>& created_by)> meant;
};

/// Row groups of a file, from 0: `first` to before `end`.
struct RowGroups {
  std::uint64_t first = 0;
  std::uint64_t end = UINT64_MAX;

  [[nodiscard]] bool contain(std::uint64_t row_group) const noexcept {
    return row_group >= first && row_group < end;
  }
  friend bool operator==(const RowGroups&, const RowGroups&) = default;
};

/// The options of a check.
struct CheckOptions {
  Tier tier = Tier::values;
  Profile profile = Profile::strict;
  Edition edition = kReleasedEdition;
  bool advice = false;              ///< report findings of severity info
  std::vector<std::string> only;    ///< patterns; if any, only these rules are reported
  std::vector<RuleChange> changes;  ///< --ignore and --severity, in the order given
  std::vector<Ignore> ignores;      ///< do not apply to rules that an option names
  bool fail_on_warning = false;
  std::uint64_t listed = 100;  ///< max findings listed per file; 0: all
  Limits limits;
  unsigned jobs = 1;                       ///< threads over column chunks
  std::optional<std::uint64_t> footer_at;  ///< check with the footer whose magic ends here
  std::optional<RowGroups> row_groups;     ///< check only the pages of these
  /// Rows are read by the outcome: pages that other damage may reach into count as damaged, too. With `end`,
  /// pages of which only the judgement is not supported count as intact.
  enum class ForRows : std::uint8_t { no, end, all } for_rows = ForRows::no;
  bool with_remains = true;  ///< search for intact data if the footer is lost
  const std::atomic<bool>* cancelled =
      nullptr;                   ///< set by another thread: stop soon, and report what was not checked
  Progress* progress = nullptr;  ///< updated during the check, for another thread to read
};

}  // namespace parqproof
