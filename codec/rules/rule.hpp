#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/base/rule_id.hpp"
#include "codec/rules/rule_names.hpp"  // IWYU pragma: export; rule_names.cmake makes it from rules.def

namespace parqproof {

/// The parquet-format commit that every clause refers to, and its date.
inline constexpr std::string_view kSpecCommit = "24102ed5c56e51b610a4897e5f79e76e43732d1d";
inline constexpr std::string_view kSpecDate = "2026-08-19";

/// What a broken rule makes of the file.
enum class Class : std::uint8_t {
  malformed,    ///< a part of the file cannot be decoded
  invalid,      ///< everything can be decoded, but something is said that is not so, or should not be
  unsupported,  ///< nothing is known to be wrong, but it cannot be judged
  limit,        ///< a ceiling of this program was reached
};

/// Whether something is wrong where a rule of this class is broken; else something could not be judged.
[[nodiscard]] constexpr bool is_judgement(Class klass) noexcept {
  return klass == Class::malformed || klass == Class::invalid;
}

enum class Severity : std::uint8_t {
  error,    ///< the specification is broken, and a reader may misread or refuse the file
  warning,  ///< discouraged, deprecated, or known to break readers
  info,     ///< advice
};

/// What a rule rests on.
enum class Ground : std::uint8_t {
  must,        ///< the specification demands it
  implied,     ///< it follows from the structure that the specification defines
  should,      ///< the specification recommends it
  deprecated,  ///< the specification deprecates the opposite
  practice,    ///< the specification is silent; readers and writers agree on it
  ambiguous,   ///< the specification contradicts itself
};

/// Who has to keep a rule.
enum class Binds : std::uint8_t { writer, reader, both };

/// The depth of reading at which a rule can first be judged.
enum class Tier : std::uint8_t {
  footer,  ///< from the footer alone
  pages,   ///< from page headers, page indexes and filter headers too
  values,  ///< from page bodies too
};

/// The structure that can break a rule once: findings of a rule are counted in it.
enum class Per : std::uint8_t {
  file,   ///< one decision for the whole file: reported once, with the count of chunks or schema elements
  chunk,  ///< a column chunk, or a part of the footer, breaks it once at most
  page,   ///< each page, value or entry may break it
};

/// What a decoder does at a violation.
enum class AtViolation : std::uint8_t {
  stops,      ///< what follows cannot be decoded, or no decoder judges the rule
  continues,  ///< it notes the violation (Notes) and decodes on
};

/// What a finding of a rule carries besides its place: what was found, what was expected, and a detail.
enum class Carries : std::uint8_t {
  nothing,
  found,
  found_expected,
  found_ordinal,           ///< the detail is the ordinal of the value or of the entry at fault
  found_expected_ordinal,  ///< likewise
  found_expected_detail,   ///< the detail is words, or empty
};

/// One row of the table.
struct RuleInfo {
  std::string_view id;  ///< `area/kebab-name`, never reused
  Class klass;
  Severity severity;
  Ground ground;
  Binds binds;
  Tier tier;
  Per per;
  AtViolation decoder;
  std::string_view clause;     ///< `Document.md#anchor` or `parquet.thrift#Struct.field`, at kSpecCommit
  std::string_view statement;  ///< the requirement
  Carries carries;
  std::string_view message;  ///< what is wrong; {0} found, {1} expected, {2} detail (README.md)
  std::string_view harm;     ///< what a reader does wrong if the rule is broken
  std::string_view fix;      ///< what the writer's maintainer does: the field, and what it is taken from

  [[nodiscard]] constexpr bool carries_found() const noexcept { return carries != Carries::nothing; }
  [[nodiscard]] constexpr bool carries_expected() const noexcept {
    return carries == Carries::found_expected || carries == Carries::found_expected_ordinal ||
           carries == Carries::found_expected_detail;
  }
  /// Whether the detail is the ordinal of a value or of an entry.
  [[nodiscard]] constexpr bool carries_ordinal() const noexcept {
    return carries == Carries::found_ordinal || carries == Carries::found_expected_ordinal;
  }
  [[nodiscard]] constexpr bool carries_detail() const noexcept {
    return carries_ordinal() || carries == Carries::found_expected_detail;
  }
};

/// All rows; the row of a rule has the rule's number as its index.
[[nodiscard]] std::span<const RuleInfo> all_rules() noexcept;

/// The row of a rule.
[[nodiscard]] const RuleInfo& info(Rule rule) noexcept;

/// Returns true if a violation is reported once for the whole file.
[[nodiscard]] inline bool reported_once(Rule rule) noexcept { return info(rule).per == Per::file; }

/// Where a finding is a duplicate of one of another rule.
enum class SubsumedIn : std::uint8_t {
  field,  ///< at the same field, or a part of it
  owner,  ///< at a field of the same struct
  chunk,  ///< in the same column chunk
};

/// One row of subsumed.def.
struct Subsumption {
  Rule rule;
  Rule by;
  SubsumedIn scope;
};
[[nodiscard]] std::span<const Subsumption> subsumptions() noexcept;

/// The rule with this id.
[[nodiscard]] std::optional<Rule> find_rule(std::string_view id) noexcept;

/// Whether a pattern of the command line names the rule: its id, or `area/*` for all of an area.
[[nodiscard]] bool matches(std::string_view pattern, Rule rule) noexcept;
/// Whether it names any.
[[nodiscard]] bool names_a_rule(std::string_view pattern) noexcept;

[[nodiscard]] std::string_view to_string(Class value) noexcept;
[[nodiscard]] std::string_view to_string(Severity value) noexcept;
[[nodiscard]] std::string_view to_string(Ground value) noexcept;
[[nodiscard]] std::string_view to_string(Binds value) noexcept;
[[nodiscard]] std::string_view to_string(Tier value) noexcept;
[[nodiscard]] std::string_view to_string(Per value) noexcept;
[[nodiscard]] std::string_view to_string(AtViolation value) noexcept;

}  // namespace parqproof
