#pragma once

#include <array>
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

/// The severity of each rule, or nothing where it is not judged.
using Severities = std::array<std::optional<Severity>, kRuleCount>;
[[nodiscard]] const Severities& severities_under(Profile profile) noexcept;

[[nodiscard]] const char* to_string(Profile profile) noexcept;
[[nodiscard]] const char* to_string(ProfileChange change) noexcept;

}  // namespace parqproof
