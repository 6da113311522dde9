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

/// The effect of a broken rule on the file.
enum class Class : std::uint8_t {
  malformed,    ///< a part of the file cannot be decoded
  invalid,      ///< everything can be decoded, but a value is wrong or discouraged
  unsupported,  ///< the program does not support a feature, so it was not checked
  limit,        ///< a limit of this program was reached
};

/// Returns true if findings of the class mean a fault; false if a part of the file could not be checked.
[[nodiscard]] constexpr bool is_judgement(Class klass) noexcept {
  return klass == Class::malformed || klass == Class::invalid;
}

enum class Severity : std::uint8_t {
  error,    ///< the file violates the specification, and a reader may misread or reject it
  warning,  ///< discouraged, deprecated, or known to break readers
  info,     ///< advice
};

/// The basis of a rule.
enum class Ground : std::uint8_t {
  must,        ///< the specification requires it
  implied,     ///< it follows from the structure that the specification defines
  should,      ///< the specification recommends it
  deprecated,  ///< the specification deprecates the opposite
  practice,    ///< the specification is silent; readers and writers agree on it
  ambiguous,   ///< the specification contradicts itself
};

/// The software that has to follow a rule.
enum class Binds : std::uint8_t { writer, reader, both };

/// The smallest depth of reading at which a rule can be checked.
enum class Tier : std::uint8_t {
  footer,  ///< from the footer alone
  pages,   ///< from page headers, page indexes and filter headers too
  values,  ///< from page bodies too
};

/// The structure in which findings of a rule are counted.
enum class Per : std::uint8_t {
  file,   ///< one cause in the file: reported once, with the number of chunks or schema elements
  chunk,  ///< at most once in a column chunk or a part of the footer
  page,   ///< in each page, value or entry
};

/// The reaction of a decoder to a violation.
enum class AtViolation : std::uint8_t {
  stops,      ///< the following bytes cannot be decoded, or no decoder checks the rule
  continues,  ///< the decoder notes the violation (Notes) and continues
};

/// The values of a finding in addition to its place: found, expected, and a detail.
enum class Carries : std::uint8_t {
  nothing,
  found,
  found_expected,
  found_ordinal,           ///< the detail is the ordinal of the wrong value or entry
  found_expected_ordinal,  ///< likewise
  found_expected_detail,   ///< the detail is text, or empty
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
  std::string_view statement;  ///< the requirement in one sentence
  Carries carries;
  std::string_view message;  ///< the fault; {0} found, {1} expected, {2} detail, {0|byte|bytes} (README.md)
  std::string_view harm;     ///< the readers that are affected, and how
  std::string_view fix;      ///< the correction in the writer

  [[nodiscard]] constexpr bool carries_found() const noexcept { return carries != Carries::nothing; }
  [[nodiscard]] constexpr bool carries_expected() const noexcept {
    return carries == Carries::found_expected || carries == Carries::found_expected_ordinal ||
           carries == Carries::found_expected_detail;
  }
  /// Returns true if the detail is the ordinal of a value or an entry.
  [[nodiscard]] constexpr bool carries_ordinal() const noexcept {
    return carries == Carries::found_ordinal || carries == Carries::found_expected_ordinal;
  }
  [[nodiscard]] constexpr bool carries_detail() const noexcept {
    return carries_ordinal() || carries == Carries::found_expected_detail;
  }
};

/// All rows, indexed by the number of the rule.
[[nodiscard]] std::span<const RuleInfo> all_rules() noexcept;

/// The row of a rule.
[[nodiscard]] const RuleInfo& info(Rule rule) noexcept;

/// Returns true if a violation is reported once for the file.
[[nodiscard]] inline bool reported_once(Rule rule) noexcept { return info(rule).per == Per::file; }

/// The scope in which a finding is a duplicate of one of another rule.
enum class SubsumedIn : std::uint8_t {
  field,  ///< at the same field, or a part of it
  owner,  ///< at a field of the same struct
  chunk,  ///< in the same column chunk
  box,    ///< in the same column chunk, if the bounds at fault are those of its values
};

/// One row of subsumed.def.
struct Subsumption {
  Rule rule;
  Rule by;
  SubsumedIn scope;
};
[[nodiscard]] std::span<const Subsumption> subsumptions() noexcept;

/// What a broken rule can be evidence of, beyond its own statement (evidence.def).
enum class Suspicion : std::uint8_t {
  misread_struct,
  filter_offset,
  nonzero_length,
  null_count,
  wrong_schema,
  values_in_doubt,
  values_outside
};
/// Returns the weight of the broken rule as evidence of `what`; 0 if it is none.
[[nodiscard]] unsigned evidence(Rule rule, Suspicion what) noexcept;

/// Returns the rule with this id.
[[nodiscard]] std::optional<Rule> find_rule(std::string_view id) noexcept;

/// Returns true if a pattern of the command line matches the rule: its id, or `area/*` for all rules of an
/// area.
[[nodiscard]] bool matches(std::string_view pattern, Rule rule) noexcept;
/// Returns true if the pattern matches any rule.
[[nodiscard]] bool names_a_rule(std::string_view pattern) noexcept;

[[nodiscard]] std::string_view to_string(Class value) noexcept;
[[nodiscard]] std::string_view to_string(Severity value) noexcept;
[[nodiscard]] std::string_view to_string(Ground value) noexcept;
[[nodiscard]] std::string_view to_string(Binds value) noexcept;
[[nodiscard]] std::string_view to_string(Tier value) noexcept;
[[nodiscard]] std::string_view to_string(Per value) noexcept;
[[nodiscard]] std::string_view to_string(AtViolation value) noexcept;

}  // namespace parqproof
