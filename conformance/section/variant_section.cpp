#include "conformance/section/variant_section.hpp"

#include <utility>

#include "codec/variant/judge.hpp"
#include "conformance/report/variant_json.hpp"

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

/// The bytes of the metadata, which are all of them if its offsets do not say where it ends.
std::size_t metadata_size(std::span<const std::uint8_t> bytes) {
  return variant::Metadata::extent(bytes).value_or(bytes.size());
}

}  // namespace

Findings judge_variant(std::span<const std::uint8_t> bytes, const Limits& limits) {
  Collected collected;
  const View view{bytes};
  const std::size_t size = metadata_size(bytes);
  variant::Metadata metadata;
  const bool is_known = metadata.read(view.part(0, size), collected);
  // Bytes of another metadata would be taken for the value.
  if (is_known && (size < bytes.size() || collected.findings.all().empty())) {
    variant::Judge judge(static_cast<std::uint32_t>(limits.schema_depth));
    judge.judge(metadata, view.from(size), "$", collected);
  }
  collected.findings.sort();
  return std::move(collected.findings);
}

std::optional<std::string> variant_json(std::span<const std::uint8_t> bytes, const Limits& limits) {
  Collected ignored;
  const std::size_t size = metadata_size(bytes);
  variant::Metadata metadata;
  std::string text;
  VariantJson json(VariantForm::tagged, static_cast<std::uint32_t>(limits.schema_depth));
  if (!metadata.read({bytes.first(size)}, ignored) ||
      !json.append(text, metadata, bytes.subspan(size), static_cast<std::size_t>(limits.row_bytes())))
    return std::nullopt;
  return text;
}

}  // namespace parqproof
