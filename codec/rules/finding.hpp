#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/base/bytes.hpp"
#include "codec/base/result.hpp"
#include "codec/rules/finding_value.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof {

/// A place in the structure of the file; parts that do not apply are -1.
struct Place {
  std::int32_t row_group = -1;  ///< ordinal of the row group
  std::int32_t leaf = -1;       ///< ordinal of the leaf column in the schema
  std::int32_t page = -1;       ///< ordinal of the page in its chunk, including the dictionary page

  /// The column chunk that the place is, or is in.
  [[nodiscard]] Place chunk() const noexcept { return {row_group, leaf, -1}; }

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A broken rule with its place and values. `field` is a Thrift path relative to the innermost structure of
/// `place`.
struct Finding {
  Rule rule{};
  Place place;
  std::uint64_t offset = 0;       ///< of the first wrong byte
  std::uint64_t length = 0;       ///< number of wrong bytes
  Space space = Space::file;      ///< the origin of `offset`
  std::uint64_t page_offset = 0;  ///< file offset of the page header, if space is page
  std::uint64_t times = 1;        ///< occurrences in this chunk, this being the first; for a rule that is
                                  ///< reported_once() the number of chunks, or of schema elements
  std::string field;
  FindingValue found;
  FindingValue expected;
  std::string detail;
  std::optional<Rule> caused_by = {};  ///< rule of the finding of which this one is a consequence

  /// Position in the file, by which reports are sorted.
  [[nodiscard]] std::uint64_t file_position() const noexcept {
    return space == Space::page ? page_offset : offset;
  }
};

/// Returns true if the rule of the finding is an error in the table.
[[nodiscard]] inline bool is_error(const Finding& finding) noexcept {
  return info(finding.rule).severity == Severity::error;
}

/// The found and expected values of a finding.
struct Contrast {
  FindingValue found;
  FindingValue expected;
  std::string detail;
};

[[nodiscard]] inline Contrast contrast(FindingValue found, FindingValue expected, std::string detail = {}) {
  return {std::move(found), std::move(expected), std::move(detail)};
}

/// A field without list indices: row_groups[3].columns[0] becomes row_groups[*].columns[*].
[[nodiscard]] std::string general_field(std::string_view field);

/// The rules whose findings are collected; other rules cost nothing.
using RuleSet = std::bitset<kRuleCount>;

/// The key of similar findings: rule, column and field.
struct Likeness {
  static constexpr std::string_view kOtherFields = "...";

  Rule rule{};
  std::int32_t leaf = -1;  ///< -1: any
  std::string field;       ///< general_field(); kOtherFields if the rule has too many keys

  friend auto operator<=>(const Likeness&, const Likeness&) = default;
};

/// The findings of one task, which only grow until fold(). A rule is kept once a chunk, at its first place,
/// with a count; a rule that is reported_once() is kept once for all chunks or elements, with their number.
/// Consequences of one cause are kept likewise.
class Findings {
 public:
  static constexpr std::size_t kKept = 10'000;  ///< default of `kept`

  /// Keeps `kept` findings of rules that are errors in the table, and as many of other rules. Of further
  /// findings only the first of each likeness is kept, and the others are counted, for at most `kept`
  /// likenesses.
  explicit Findings(const RuleSet& wanted, std::size_t kept = kKept) : kept_(kept), wanted_(wanted) {}

  [[nodiscard]] bool wants(Rule rule) const noexcept { return wanted_[static_cast<std::size_t>(rule)]; }
  /// Sets the rules that are collected from now on, and returns the previous ones.
  RuleSet set_wanted(const RuleSet& wanted) noexcept { return std::exchange(wanted_, wanted); }
  void add(Finding finding);
  /// Counts another finding of a rule that is reported_once(). Returns false if there is none yet; then it
  /// has to be added. The place must be after that of the kept finding.
  [[nodiscard]] bool counts_again(Rule rule, const Place& place, Space space) noexcept;
  /// Makes the findings of all() from ordinal `from` on for which `is_consequence` is true consequences of
  /// `cause`. Further findings of their rules are findings of their own.
  void attribute(Rule cause, std::size_t from, const std::function<bool(const Finding&)>& is_consequence);
  /// Removes all consequences; nothing is added after that.
  void fold();
  /// Appends the findings of another task.
  void merge(Findings&& other);
  /// Moves the findings of Space::metadata to `to`, as findings of a separate file.
  void hand_over_metadata(Findings& to);
  /// Sorts the findings in file order.
  void sort();

  [[nodiscard]] const std::vector<Finding>& all() const noexcept { return list_; }
  /// The findings that are no consequences.
  [[nodiscard]] auto primary() const {
    return list_ | std::views::filter([](const Finding& one) { return !one.caused_by; });
  }
  /// Returns true if a primary finding at this place is an error in the table.
  [[nodiscard]] bool has_error_at(const Place& place) const;
  /// Rules with primary findings, kept or not.
  [[nodiscard]] const RuleSet& broken() const noexcept { return broken_; }
  [[nodiscard]] bool broke(Rule rule) const noexcept { return broken_[static_cast<std::size_t>(rule)]; }
  /// Findings that were only counted, each as often as it occurs.
  [[nodiscard]] const std::map<Likeness, std::uint64_t>& dropped() const noexcept { return dropped_; }

 private:
  [[nodiscard]] bool keep(const Finding& finding);
  [[nodiscard]] std::pair<std::uint64_t*, bool> count_of(Likeness likeness);
  void count(const Finding& kept);
  void recount();

  std::size_t kept_;
  RuleSet wanted_;
  RuleSet broken_;
  std::vector<Finding> list_;
  std::map<std::tuple<Rule, std::int32_t, std::int32_t, bool, std::optional<Rule>>, std::size_t>
      first_;                                  // ordinals of findings that absorb later ones
  std::size_t errors_ = 0;                     // primary ones in list_, by the table
  std::size_t consequences_ = 0;               // in list_
  std::map<Likeness, std::uint64_t> dropped_;  // 0 if only the first, which is kept, was found
};

}  // namespace parqproof
