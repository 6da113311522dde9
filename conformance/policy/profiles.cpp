#include "conformance/policy/profiles.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

namespace parqproof {
namespace {

constexpr auto kRows = std::to_array<ProfileRow>({
#define PARQPROOF_PROFILE(profile, change, enumerator, why) \
  ProfileRow{Profile::profile, ProfileChange::change, Rule::enumerator, why},
#include "conformance/policy/profiles.def"
#undef PARQPROOF_PROFILE
});

Severities table_of(Profile profile) noexcept {
  Severities severities;
  std::ranges::transform(all_rules(), severities.begin(), &RuleInfo::severity);
  for (const ProfileRow& row : kRows) {
    std::optional<Severity>& severity = severities[static_cast<std::size_t>(row.rule)];
    const bool here = row.profile == profile;
    if (here && row.change == ProfileChange::info) severity = Severity::info;
    if (row.change == (here ? ProfileChange::not_judged : ProfileChange::only)) severity.reset();
  }
  return severities;
}

constexpr auto by_profile_and_rule(const ProfileRow& row) { return std::tuple(row.profile, row.rule); }

static_assert(std::ranges::adjacent_find(kRows, std::greater_equal(), by_profile_and_rule) == kRows.end(),
              "profiles.def is sorted by profile and rule, and has no pair twice");
static_assert(std::ranges::none_of(kRows,
                                   [](const ProfileRow& row) {
                                     return row.profile == Profile::strict ||
                                            (row.change == ProfileChange::info) !=
                                                (row.profile == Profile::interop);
                                   }),
              "historical removes or adds rules, interop makes them advice, and strict changes nothing");

}  // namespace

std::span<const ProfileRow> profile_rows() noexcept { return kRows; }

const Severities& severities_under(Profile profile) noexcept {
  static const std::array<Severities, 3> kTables = {table_of(Profile::strict), table_of(Profile::historical),
                                                    table_of(Profile::interop)};
  return kTables[static_cast<std::size_t>(profile)];
}

const char* to_string(Profile profile) noexcept {
  constexpr const char* kNames[] = {"strict", "historical", "interop"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Profile::interop) + 1);
  return kNames[static_cast<std::size_t>(profile)];
}

const char* to_string(ProfileChange change) noexcept {
  constexpr const char* kNames[] = {"not judged", "judged here alone", "info"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(ProfileChange::info) + 1);
  return kNames[static_cast<std::size_t>(change)];
}

}  // namespace parqproof
