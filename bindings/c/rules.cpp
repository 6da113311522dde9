#include <optional>

#include "bindings/c/calls.hpp"
#include "codec/rules/rule.hpp"
#include "conformance/explain/explain.hpp"
#include "conformance/explain/rule_list.hpp"
#include "conformance/options/nearest.hpp"

using namespace parqproof;  // NOLINT(google-build-using-namespace): C has none

namespace parqproof::c {
namespace {

/// The rule with this id; fails if there is none.
Rule rule_named(const char* id) {
  const std::string name(&required(id, "rule"));
  const std::optional<Rule> rule = find_rule(name);
  if (!rule) fail(PARQPROOF_INVALID_ARGUMENT, no_such_rule(name));
  return *rule;
}

}  // namespace
}  // namespace parqproof::c

uint32_t parqproof_abi_version(void) { return PARQPROOF_ABI_VERSION; }
const char* parqproof_version(void) { return PARQPROOF_VERSION; }
const char* parqproof_spec_commit(void) { return kSpecCommit.data(); }

parqproof_status parqproof_canceller_new(parqproof_canceller** canceller, parqproof_error* error) {
  if (canceller != nullptr) *canceller = nullptr;
  return c::guarded(error, [&] { c::required(canceller, "canceller") = new parqproof_canceller; });
}

void parqproof_canceller_cancel(parqproof_canceller* canceller) {
  if (canceller != nullptr) canceller->cancelled.store(true);
}

void parqproof_canceller_free(parqproof_canceller* canceller) { delete canceller; }

parqproof_status parqproof_rules_json(const parqproof_sink* sink, parqproof_error* error) {
  return c::guarded(error, [&] { c::write_out(sink, write_rules_json); });
}

parqproof_status parqproof_explain_text(const char* rule, const parqproof_sink* sink,
                                        parqproof_error* error) {
  return c::guarded(error, [&] {
    const Rule found = c::rule_named(rule);
    c::write_out(sink, [&](Out& out) { explain(found, false, out); });
  });
}

parqproof_status parqproof_explain_json(const char* rule, const parqproof_sink* sink,
                                        parqproof_error* error) {
  return c::guarded(error, [&] {
    const Rule found = c::rule_named(rule);
    c::write_out(sink, [&](Out& out) { explain_json(found, out); });
  });
}
