#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/base/bytes.hpp"
#include "codec/rules/finding_value.hpp"
#include "codec/rules/rule.hpp"

namespace parqproof::variant {

/// A violation of a rule in the metadata or a value of a Variant.
struct Fault {
  Rule rule{};
  View at;                   ///< the bytes at fault; empty if something is missing
  std::string_view subject;  ///< what `found` is, in static storage; may be empty
  FindingValue found;
  FindingValue expected;
  std::string path;  ///< of the value: `$.a[3].b`; empty for the metadata
};

/// Receives violations. Each is counted, and described only if the receiver wants that.
class Faults {
 public:
  virtual ~Faults() = default;

  /// Counts a violation; returns true if it has to be described.
  [[nodiscard]] virtual bool count(Rule rule) = 0;
  virtual void describe(Fault fault) = 0;
  /// Adds to the figures of an advice: what the values of the column have, and what they need.
  virtual void add(Rule /*rule*/, std::uint64_t /*found*/, std::uint64_t /*expected*/) {}
  /// Returns true if violations of the rule are counted at all.
  [[nodiscard]] virtual bool wants(Rule rule) const = 0;
};

/// Takes no violations, for readers that go on as far as the bytes can be read.
class NoFaults final : public Faults {
 public:
  [[nodiscard]] bool count(Rule) override { return false; }
  void describe(Fault) override {}
  [[nodiscard]] bool wants(Rule) const override { return false; }
};

}  // namespace parqproof::variant
