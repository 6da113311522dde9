#include "codec/rules/rule.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace parqproof {
namespace {

constexpr auto kRules = std::to_array<RuleInfo>({
#define PARQPROOF_RULE(enumerator, id, klass, severity, ground, binds, tier, per, decoder, clause, \
                       statement, carries, message, harm, fix)                                     \
  RuleInfo{id,           Class::klass, Severity::severity, Ground::ground,                         \
           Binds::binds, Tier::tier,   Per::per,           AtViolation::decoder,                   \
           clause,       statement,    Carries::carries,   message,                                \
           harm,         fix},
#include "codec/rules/rules.def"
#undef PARQPROOF_RULE
});

static_assert(kRules.size() == kRuleCount);

constexpr auto kSubsumptions = std::to_array<Subsumption>({
#define PARQPROOF_SUBSUMED(rule, by, scope) {Rule::rule, Rule::by, SubsumedIn::scope},
#include "codec/rules/subsumed.def"
#undef PARQPROOF_SUBSUMED
});

using Weights = std::array<std::uint8_t, kRuleCount>;
constexpr auto kEvidence = [] {
  std::array<Weights, static_cast<std::size_t>(Suspicion::values_outside) + 1> weights{};
#define PARQPROOF_EVIDENCE(rule, of, weight) \
  weights[static_cast<std::size_t>(Suspicion::of)][static_cast<std::size_t>(Rule::rule)] = weight;
#include "codec/rules/evidence.def"
#undef PARQPROOF_EVIDENCE
  return weights;
}();

/// Returns true if each enumerator is the id of its row with `_` for `/` and `-`, and its value is the row
/// number.
consteval bool enumerators_name_their_rows() {
  struct Named {
    Rule rule;
    std::string_view name;
  };
  constexpr auto kNamed = std::to_array<Named>({
#define PARQPROOF_RULE(enumerator, ...) Named{Rule::enumerator, #enumerator},
#include "codec/rules/rules.def"
#undef PARQPROOF_RULE
  });
  const auto same = [](char in_id, char in_name) {
    return (in_id == '/' || in_id == '-' ? '_' : in_id) == in_name;
  };
  for (std::size_t row = 0; row < kRuleCount; ++row) {
    if (static_cast<std::size_t>(kNamed[row].rule) != row ||
        !std::ranges::equal(kRules[row].id, kNamed[row].name, same)) {
      return false;
    }
  }
  return true;
}
static_assert(enumerators_name_their_rows(), "the enumerator of a row is its id with `_` for `/` and `-`");

consteval bool sorted_and_unique() {
  return std::ranges::adjacent_find(
             kRules, [](const RuleInfo& a, const RuleInfo& b) { return a.id >= b.id; }) == kRules.end();
}
static_assert(sorted_and_unique(), "rules.def is sorted by id, without duplicates");

consteval bool errors_have_a_clause() {
  return std::ranges::none_of(kRules, [](const RuleInfo& rule) {
    return rule.severity == Severity::error && rule.ground != Ground::must && rule.ground != Ground::implied;
  });
}
static_assert(errors_have_a_clause(), "only what the specification requires or implies can be an error");

consteval bool unjudged_is_a_warning() {
  return std::ranges::all_of(kRules, [](const RuleInfo& rule) {
    return is_judgement(rule.klass) || rule.severity == Severity::warning;
  });
}
static_assert(unjudged_is_a_warning(), "what cannot be judged is a warning");

consteval bool malformed_is_an_error() {
  return std::ranges::all_of(kRules, [](const RuleInfo& rule) {
    return rule.klass != Class::malformed || rule.severity == Severity::error;
  });
}
static_assert(malformed_is_an_error(), "what cannot be decoded is an error");

consteval bool messages_use_what_is_carried() {
  return std::ranges::all_of(kRules, [](const RuleInfo& rule) {
    const auto uses = [&](std::string_view place) { return rule.message.contains(place); };
    return (rule.carries_found() || !uses("{0")) && (rule.carries_expected() || !uses("{1")) &&
           (rule.carries_detail() || !uses("{2"));
  });
}
static_assert(messages_use_what_is_carried(),
              "a message uses only values that the findings of its rule carry");

/// Returns true if braces have a value, {0}, or the words for one and for several of it, {0|byte|bytes}.
consteval bool is_form(std::string_view message) {
  for (std::size_t begin = message.find('{'); begin != message.npos; begin = message.find('{', begin + 1)) {
    const std::size_t end = message.find('}', begin);
    if (end == message.npos || end < begin + 2) return false;
    const std::string_view part = message.substr(begin + 1, end - begin - 1);
    if (part[0] < '0' || part[0] > '2') return false;
    if (part.size() != 1 && (part[1] != '|' || part[0] == '2' || std::ranges::count(part, '|') != 2))
      return false;
  }
  return true;
}
static_assert(std::ranges::all_of(kRules, is_form, &RuleInfo::message), "the braces of a message are known");

}  // namespace

std::span<const RuleInfo> all_rules() noexcept { return kRules; }

const RuleInfo& info(Rule rule) noexcept { return kRules[static_cast<std::size_t>(rule)]; }

std::optional<Rule> find_rule(std::string_view id) noexcept {
  const auto row = std::ranges::lower_bound(kRules, id, {}, &RuleInfo::id);
  if (row == kRules.end() || row->id != id) return std::nullopt;
  return static_cast<Rule>(row - kRules.begin());
}

bool matches(std::string_view pattern, Rule rule) noexcept {
  const std::string_view id = info(rule).id;
  if (pattern.ends_with("/*")) return id.starts_with(pattern.substr(0, pattern.size() - 1));
  return id == pattern;
}

bool names_a_rule(std::string_view pattern) noexcept {
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    if (matches(pattern, static_cast<Rule>(i))) return true;
  }
  return false;
}

std::string_view to_string(Class value) noexcept {
  switch (value) {
    case Class::malformed:
      return "malformed";
    case Class::invalid:
      return "invalid";
    case Class::unsupported:
      return "unsupported";
    case Class::limit:
      return "limit";
  }
  return {};
}

std::string_view to_string(Severity value) noexcept {
  switch (value) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "info";
  }
  return {};
}

std::string_view to_string(Ground value) noexcept {
  switch (value) {
    case Ground::must:
      return "must";
    case Ground::implied:
      return "implied";
    case Ground::should:
      return "should";
    case Ground::deprecated:
      return "deprecated";
    case Ground::practice:
      return "practice";
    case Ground::ambiguous:
      return "ambiguous";
  }
  return {};
}

std::string_view to_string(Binds value) noexcept {
  switch (value) {
    case Binds::writer:
      return "writer";
    case Binds::reader:
      return "reader";
    case Binds::both:
      return "both";
  }
  return {};
}

std::span<const Subsumption> subsumptions() noexcept { return kSubsumptions; }

unsigned evidence(Rule rule, Suspicion what) noexcept {
  return kEvidence[static_cast<std::size_t>(what)][static_cast<std::size_t>(rule)];
}

std::string_view to_string(Per value) noexcept {
  switch (value) {
    case Per::file:
      return "file";
    case Per::chunk:
      return "chunk";
    case Per::page:
      return "page";
  }
  return {};
}

std::string_view to_string(AtViolation value) noexcept {
  return value == AtViolation::continues ? "continues" : "stops";
}

std::string_view to_string(Tier value) noexcept {
  switch (value) {
    case Tier::footer:
      return "footer";
    case Tier::pages:
      return "pages";
    case Tier::values:
      return "values";
  }
  return {};
}

}  // namespace parqproof
