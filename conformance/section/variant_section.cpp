#include "conformance/section/variant_section.hpp"

#include <algorithm>
#include <utility>

#include "codec/variant/judge.hpp"

namespace parqproof {
namespace {

class Collected final : public variant::Faults {
 public:
  [[nodiscard]] bool count(Rule) override { return true; }
  void describe(variant::Fault fault) override {
    Finding finding;
    finding.rule = fault.rule;
    finding.offset = fault.at.base;
    finding.length = fault.at.size();
    finding.found = std::move(fault.found);
    finding.expected = std::move(fault.expected);
    if (fault.subject.empty()) {
      if (!fault.path.empty()) finding.detail = ", at " + fault.path;
    } else {
      if (!fault.path.empty()) finding.detail = "at " + fault.path + ", ";
      finding.detail += fault.subject;
    }
    findings.add(std::move(finding));
  }
  [[nodiscard]] bool wants(Rule) const override { return true; }

  Findings findings{RuleSet().set()};
};

}  // namespace

Findings judge_variant(std::span<const std::uint8_t> bytes, const Limits& limits) {
  Collected collected;
  const View view{bytes};
  // All bytes are metadata if its offsets do not say where it ends.
  const std::size_t size = variant::Metadata::extent(bytes).value_or(bytes.size());
  variant::Metadata metadata;
  const bool is_known = metadata.read(view.part(0, size), collected);
  // Bytes of another metadata would be taken for the value.
  const bool is_sound = std::ranges::none_of(collected.findings.all(), [](const Finding& finding) {
    return info(finding.rule).severity == Severity::error;
  });
  if (is_known && (size < bytes.size() || is_sound)) {
    variant::Judge judge(static_cast<std::uint32_t>(limits.schema_depth));
    judge.judge(metadata, view.from(size), "$", collected);
  }
  collected.findings.sort();
  return std::move(collected.findings);
}

}  // namespace parqproof
