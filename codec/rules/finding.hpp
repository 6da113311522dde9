#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
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

/// Where in the file's structure something stands; -1 where a part does not apply.
struct Place {
  std::int32_t row_group = -1;  ///< ordinal of the row group
  std::int32_t leaf = -1;       ///< ordinal of the leaf column in the schema
  std::int32_t page = -1;       ///< ordinal of the page in its chunk, dictionary page included

  friend auto operator<=>(const Place&, const Place&) = default;
};

/// A broken rule: which, where, and what was found. `field` is a Thrift path relative to the innermost placed
/// structure.
struct Finding {
  Rule rule{};
  Place place;
  std::uint64_t offset = 0;       ///< first byte at fault
  std::uint64_t length = 0;       ///< bytes at fault
  Space space = Space::file;      ///< what `offset` counts from
  std::uint64_t page_offset = 0;  ///< file offset of the page header, where space is page
  std::uint64_t times = 1;        ///< how often in this chunk; this is the first. reported_once(): in
                                  ///< how many chunks, or elements of the schema
  std::string field;
  FindingValue found;
  FindingValue expected;
  std::string detail;

  /// Position in the file, for the order of a report.
  [[nodiscard]] std::uint64_t file_position() const noexcept {
    return space == Space::page ? page_offset : offset;
  }
};

/// What a finding compares.
struct Contrast {
  FindingValue found;
  FindingValue expected;
  std::string detail;
};

[[nodiscard]] inline Contrast contrast(FindingValue found, FindingValue expected, std::string detail = {}) {
  return {std::move(found), std::move(expected), std::move(detail)};
}

/// A field with its list indices left open: row_groups[3].columns[0] is row_groups[*].columns[*].
[[nodiscard]] std::string general_field(std::string_view field);

/// Which rules are collected; a rule that nobody asked for costs nothing.
using RuleSet = std::bitset<kRuleCount>;

/// Findings that are alike: of one rule, one column and one field.
struct Likeness {
  Rule rule{};
  std::int32_t leaf = -1;
  std::string
      field;  ///< general_field(); "..." stands for those of the rule that are too many to be told apart

  friend auto operator<=>(const Likeness&, const Likeness&) = default;
};

/// The findings of one task. The same rule in the same chunk is kept once, at its first place, with a count;
/// a rule that is reported_once() is kept once for all chunks or elements, with the count of these.
class Findings {
 public:
  static constexpr std::size_t kKept = 10'000;  ///< usually

  /// So many findings of rules that are errors by the table are kept, and as many of the other rules. Of
  /// those beyond, the first of each likeness is kept, and the others are counted; as many likenesses are
  /// told apart.
  explicit Findings(const RuleSet& wanted, std::size_t kept = kKept) : kept_(kept), wanted_(wanted) {}

  [[nodiscard]] bool wants(Rule rule) const noexcept { return wanted_[static_cast<std::size_t>(rule)]; }
  /// Sets which rules are collected from now on, and returns which were.
  RuleSet set_wanted(const RuleSet& wanted) noexcept { return std::exchange(wanted_, wanted); }
  void add(Finding finding);
  /// Counts a finding of a rule that is reported_once() and was told before. False where it was not: then it
  /// is to be added. For whoever goes along the file, so that the finding stands behind the one that is kept.
  [[nodiscard]] bool counts_again(Rule rule, const Place& place, Space space) noexcept;
  /// Takes away those that all() has from `from` on and for which `is_mistaken` is true.
  void take_back(std::size_t from, const std::function<bool(const Finding&)>& is_mistaken);
  /// Appends what another task found.
  void merge(Findings&& other);
  /// Hands over, as findings in a file of their own, those of Space::metadata.
  void hand_over_metadata(Findings& to);
  /// Puts the findings in file order.
  void sort();

  [[nodiscard]] const std::vector<Finding>& all() const noexcept { return list_; }
  /// Whether one at this place is an error by the table.
  [[nodiscard]] bool has_error_at(const Place& place) const;
  /// Rules that were broken, kept or not.
  [[nodiscard]] const RuleSet& broken() const noexcept { return broken_; }
  /// Findings that were counted only, each as often as it occurs.
  [[nodiscard]] const std::map<Likeness, std::uint64_t>& dropped() const noexcept { return dropped_; }

 private:
  [[nodiscard]] bool keep(const Finding& finding);
  [[nodiscard]] std::pair<std::uint64_t*, bool> count_of(Likeness likeness);
  void count_anew();

  std::size_t kept_;
  RuleSet wanted_;
  RuleSet broken_;
  std::vector<Finding> list_;
  std::map<std::tuple<Rule, std::int32_t, std::int32_t, bool>, std::size_t>
      first_;                                  // chunk findings, for folding
  std::size_t errors_ = 0;                     // of list_, by the table
  std::map<Likeness, std::uint64_t> dropped_;  // 0: only the first was found, which is kept
};

}  // namespace parqproof
