#include "conformance/values/value_judges.hpp"

#include "codec/schema/value_text.hpp"

namespace parqproof {
namespace {

/// logical-type/unknown-values: all values are null.
class UnknownJudge final : public ValueJudge {
 public:
  explicit UnknownJudge(const Node& leaf) noexcept : leaf_(leaf) {}

  void judge(const ValueBatch& batch, std::vector<FaultyValue>& faulty) override {
    faulty.push_back({0, Rule::logical_type_unknown_values, batch.count});
  }
  [[nodiscard]] Contrast describe(Rule, std::span<const std::uint8_t> value) override {
    return contrast(value.empty() ? "there" : short_value(value, leaf_), "null");
  }
  [[nodiscard]] bool judges_entries() const noexcept override { return false; }

 private:
  const Node& leaf_;
};

/// UNKNOWN with a ConvertedType replaces or contradicts that type. If the column cannot be null, the schema
/// is wrong, not the values.
bool is_unknown(const Node& leaf) {
  return leaf.logical.stated == LogicalKind::UNKNOWN && leaf.logical.converted < 0 && leaf.max_definition > 0;
}

}  // namespace

std::unique_ptr<ValueJudge> judge_of_values(const Node& leaf, const Findings& findings) {
  switch (leaf.logical.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
    case LogicalKind::JSON:
    case LogicalKind::BSON:
      return text_judge(leaf, findings);
    case LogicalKind::INTEGER:
    case LogicalKind::TIME:
    case LogicalKind::DECIMAL:
      return leaf.logical.is_conflict ? nullptr : number_judge(leaf, findings);
    case LogicalKind::UNKNOWN:
      if (leaf.logical.is_conflict || !is_unknown(leaf) || !findings.wants(Rule::logical_type_unknown_values))
        return nullptr;
      return std::make_unique<UnknownJudge>(leaf);
    default:
      return nullptr;
  }
}

std::span<const std::uint8_t> bytes_of(const ValueBatch& batch, std::uint64_t i,
                                       std::uint32_t width) noexcept {
  switch (batch.form) {
    case ValueBatch::Form::fixed:
      return {batch.fixed + i * width, width};
    case ValueBatch::Form::byte_arrays:
      return {batch.byte_arrays[i].data, batch.byte_arrays[i].size};
    case ValueBatch::Form::booleans:
      return {batch.booleans + i, 1};
    default:
      return {};
  }
}

}  // namespace parqproof
