#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/rules/rule.hpp"
#include "codec/schema/schema.hpp"

namespace parqproof {

/// The columns that a bug affects.
enum class BugColumns : std::uint8_t {
  any,
  booleans,
  integers,           ///< INT32, INT64
  unsigned_integers,  ///< unsigned INTEGER
  floating,           ///< FLOAT, DOUBLE, FLOAT16
  int96,
  byte_arrays,     ///< BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY
  strings,         ///< BYTE_ARRAY that is not a DECIMAL
  decimals,        ///< DECIMAL of any physical type
  decimal_bytes,   ///< DECIMAL in BYTE_ARRAY or FIXED_LEN_BYTE_ARRAY
  dates,           ///< DATE
  dates_or_times,  ///< DATE, TIMESTAMP, INT96
  repeated,        ///< below a repeated field
  nested,          ///< below a group
};

/// Returns true if the leaf is one of these columns.
[[nodiscard]] bool is_one_of(const Node& leaf, BugColumns columns) noexcept;

/// A short list of rules.
class RuleList {
 public:
  constexpr RuleList(std::initializer_list<Rule> rules) {
    for (const Rule rule : rules) rules_[size_++] = rule;  // too many rules do not compile
  }
  [[nodiscard]] constexpr std::span<const Rule> all() const noexcept { return {rules_.data(), size_}; }
  [[nodiscard]] bool has(Rule rule) const noexcept;

 private:
  std::array<Rule, 10> rules_{};
  std::size_t size_ = 0;
};

struct BugClues;
/// What the bytes of a published bug look like: a predicate of bug_evidence.hpp.
using BugEvidence = bool (*)(const BugClues& clues);

/// A published bug of a writer: one row of known_bugs.def.
struct KnownBug {
  std::string_view id;        ///< kebab-name
  std::string_view software;  ///< as read_created_by() gives it
  std::string_view first;     ///< first version with the bug; empty: from the start
  std::string_view fixed;     ///< first version without it, after the name of the software if that changed;
                              ///< empty: not fixed yet
  std::string_view threads;   ///< names of public issues, separated by spaces
  BugColumns columns;
  BugEvidence evidence;   ///< what a finding of the bug looks like
  std::string_view what;  ///< a sentence
  RuleList rules;         ///< rules of its findings

  /// Returns true if the version has the bug; an empty one means a release that does
  /// not write its version.
  [[nodiscard]] bool is_in(std::string_view version) const noexcept;
  /// Returns true if what the bug breaks says nothing about the values, so that all rows are intact.
  [[nodiscard]] bool leaves_values_intact() const noexcept;
  /// The software and its versions: "parquet-mr before 1.8.0 (fixed in 1.8.0)".
  [[nodiscard]] std::string versions() const;
  /// versions() with the description of the bug and the names of the issues.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::vector<std::string_view> issues() const;
};

/// All known bugs, in the order of the table.
[[nodiscard]] std::span<const KnownBug> all_known_bugs() noexcept;

/// The writers in corpus/writers whose files break the rule, with their versions: "arrow-rs 60.1.0, ...".
/// Empty if there are none.
[[nodiscard]] std::string_view seen_in(Rule rule) noexcept;

/// The published bugs of the writers of one file.
class WriterBugs {
 public:
  /// Adds the bugs of one writer, given by its created_by.
  void add(std::string_view created_by);

  /// Returns true if one of the bugs has findings of the rule.
  [[nodiscard]] bool has(Rule rule) const noexcept;
  /// The bugs that can cause findings of the rule; `leaf` is the column, null if there is none.
  [[nodiscard]] std::vector<const KnownBug*> of(Rule rule, const Node* leaf) const;
  /// Those of them whose evidence the finding has.
  [[nodiscard]] std::vector<const KnownBug*> of(const BugClues& clues, const Node* leaf) const;

 private:
  std::vector<const KnownBug*> bugs_;
};

}  // namespace parqproof
