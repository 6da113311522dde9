#include "codec/rules/editions.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace parqproof {
namespace {

constexpr auto kRuleRows = std::to_array<EditionRow>({
#define PARQPROOF_RULE_SINCE(edition, enumerator) {Edition::edition, Rule::enumerator},
#include "codec/rules/editions.def"
#undef PARQPROOF_RULE_SINCE
});
static_assert(std::ranges::adjacent_find(kRuleRows, std::greater_equal(), &EditionRow::rule) ==
                  kRuleRows.end(),
              "the rules of editions.def are sorted, and none is there twice");
static_assert(kReleasedEdition < Edition::next);

}  // namespace

std::string_view name_of(Addition addition) noexcept {
  constexpr std::string_view kNames[] = {
#define PARQPROOF_ADDITION(addition, edition, name) name,
#include "codec/rules/editions.def"
#undef PARQPROOF_ADDITION
  };
  return kNames[static_cast<std::size_t>(addition)];
}

std::string_view to_string(Edition edition) noexcept {
  constexpr std::string_view kNames[] = {
#define PARQPROOF_EDITION(edition, name, described) name,
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
      "proposed"};
  return kNames[static_cast<std::size_t>(edition)];
}

std::string_view described(Edition edition) noexcept {
  constexpr std::string_view kTexts[] = {
#define PARQPROOF_EDITION(edition, name, described) described,
#include "codec/rules/editions.def"
#undef PARQPROOF_EDITION
      "a proposal"};
  return kTexts[static_cast<std::size_t>(edition)];
}

std::span<const EditionRow> edition_rows() noexcept { return kRuleRows; }

}  // namespace parqproof
