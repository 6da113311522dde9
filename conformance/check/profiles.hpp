#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// What a file is held against.
enum class Profile : std::uint8_t {
  strict,      ///< the specification at kSpecCommit
  historical,  ///< what only old editions define is legal too
  interop,  ///< known deviations of mainstream writers, by which no reader loses or changes data, are advice
};

/// What a profile makes of a rule.
enum class ProfileChange : std::uint8_t {
  not_judged,  ///< the profile does not judge the rule; strict does
  only,        ///< the profile alone judges the rule
  info,        ///< the rule is of severity info
};

/// One row of profiles.def.
struct ProfileRow {
  Profile profile;  ///< historical or interop
  ProfileChange change;
  Rule rule;
  std::string_view why;  ///< one sentence
};

/// All rows, sorted by profile and rule. Strict has none: its severities are those of the rules.
[[nodiscard]] std::span<const ProfileRow> profile_rows() noexcept;

/// The row of a profile and a rule, or null where the profile judges the rule as strict does.
[[nodiscard]] const ProfileRow* profile_row(Profile profile, Rule rule) noexcept;

/// The severity of a rule under a profile, or nothing where the profile does not judge the rule.
[[nodiscard]] std::optional<Severity> severity_under(Profile profile, Rule rule) noexcept;

[[nodiscard]] const char* to_string(Profile profile) noexcept;
[[nodiscard]] const char* to_string(ProfileChange change) noexcept;

}  // namespace parqproof
