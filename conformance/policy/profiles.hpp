#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/rules/rule.hpp"

namespace parqproof {

/// The requirements that a file is checked against.
enum class Profile : std::uint8_t {
  strict,      ///< the specification at kSpecCommit
  historical,  ///< also accepts files of older editions
  interop,     ///< known deviations of common writers that cost no reader data are advice
};

/// The effect of a profile on a rule.
enum class ProfileChange : std::uint8_t {
  not_judged,  ///< the profile does not evaluate the rule; strict does
  only,        ///< only this profile evaluates the rule
  info,        ///< the rule is of severity info
};

/// One row of profiles.def.
struct ProfileRow {
  Profile profile;  ///< historical or interop
  ProfileChange change;
  Rule rule;
  std::string_view why;  ///< one sentence
};

/// All rows, sorted by profile and rule. strict has no rows: its severities are those of the rules.
[[nodiscard]] std::span<const ProfileRow> profile_rows() noexcept;

/// The severity of each rule, or nullopt if it is not evaluated.
using Severities = std::array<std::optional<Severity>, kRuleCount>;
[[nodiscard]] const Severities& severities_under(Profile profile) noexcept;

[[nodiscard]] const char* to_string(Profile profile) noexcept;
[[nodiscard]] const char* to_string(ProfileChange change) noexcept;

}  // namespace parqproof
