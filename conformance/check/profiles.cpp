#include "conformance/check/profiles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

namespace parqproof {
namespace {

constexpr auto kRows = std::to_array<ProfileRow>({
#define PARQPROOF_PROFILE(profile, change, enumerator, why) \
  ProfileRow{Profile::profile, ProfileChange::change, Rule::enumerator, why},
#include "conformance/check/profiles.def"
#undef PARQPROOF_PROFILE
});

constexpr auto by_profile_and_rule(const ProfileRow& row) { return std::tuple(row.profile, row.rule); }

static_assert(std::ranges::adjacent_find(kRows, std::greater_equal(), by_profile_and_rule) == kRows.end(),
              "profiles.def is sorted by profile and rule, and has no pair twice");
static_assert(
    std::ranges::none_of(kRows,
                         [](const ProfileRow& row) {
                           return row.profile == Profile::strict ||
                                  (row.change == ProfileChange::info) != (row.profile == Profile::interop);
                         }),
    "historical leaves rules out or adds them, interop makes them advice, and strict changes nothing");

}  // namespace

std::span<const ProfileRow> profile_rows() noexcept { return kRows; }

const ProfileRow* profile_row(Profile profile, Rule rule) noexcept {
  const auto row = std::ranges::lower_bound(kRows, std::tuple(profile, rule), {}, by_profile_and_rule);
  return row != kRows.end() && row->profile == profile && row->rule == rule ? &*row : nullptr;
}

std::optional<Severity> severity_under(Profile profile, Rule rule) noexcept {
  const ProfileRow* row = profile_row(profile, rule);
  if (row != nullptr && row->change == ProfileChange::not_judged) return std::nullopt;
  if (row != nullptr && row->change == ProfileChange::info) return Severity::info;
  const ProfileRow* old = profile == Profile::historical ? nullptr : profile_row(Profile::historical, rule);
  if (old != nullptr && old->change == ProfileChange::only) return std::nullopt;
  return info(rule).severity;
}

const char* to_string(Profile profile) noexcept {
  switch (profile) {
    case Profile::strict:
      return "strict";
    case Profile::historical:
      return "historical";
    case Profile::interop:
      return "interop";
  }
  return "";
}

const char* to_string(ProfileChange change) noexcept {
  switch (change) {
    case ProfileChange::not_judged:
      return "not judged";
    case ProfileChange::only:
      return "judged here alone";
    case ProfileChange::info:
      return "info";
  }
  return "";
}

}  // namespace parqproof
