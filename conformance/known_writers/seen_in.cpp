#include "conformance/known_writers/seen_in.hpp"

#include <algorithm>
#include <functional>

namespace parqproof {
namespace {

struct Seen {
  Rule rule;
  std::string_view writers;
};

constexpr Seen kSeen[] = {
#define PARQPROOF_SEEN_IN(enumerator, writers) Seen{Rule::enumerator, writers},
#include "conformance/known_writers/seen_in.def"
#undef PARQPROOF_SEEN_IN
};

static_assert(std::ranges::adjacent_find(kSeen, std::greater_equal(), &Seen::rule) == std::end(kSeen),
              "seen_in.def is sorted by rule, and has no rule twice");

}  // namespace

std::string_view seen_in(Rule rule) noexcept {
  const auto* const row = std::ranges::lower_bound(kSeen, rule, {}, &Seen::rule);
  return row != std::end(kSeen) && row->rule == rule ? row->writers : std::string_view();
}

}  // namespace parqproof
