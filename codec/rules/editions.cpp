#include "codec/rules/editions.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "codec/rules/finding.hpp"

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

Contrast undefined(Addition addition) {
  return contrast(info(addition).name, info(info(addition).since).described);
}

std::span<const EditionRow> edition_rows() noexcept { return kRuleRows; }

}  // namespace parqproof
