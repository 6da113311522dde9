#include "conformance/values/value_judges.hpp"

#include <optional>
#include <string>

#include "codec/schema/decimal.hpp"
#include "conformance/values/number_judges.hpp"
#include "conformance/values/text_judges.hpp"

namespace parqproof {
namespace {

std::unique_ptr<ValueJudge> range_judge(Rule rule, const Node& leaf, std::int64_t low, std::int64_t high) {
  return std::make_unique<RangeJudge>(rule, leaf, low, high, between(low, high));
}

/// logical-type/integer-range: 32 and 64 bits need no check, because every value is in range.
std::unique_ptr<ValueJudge> integer_judge(const Node& leaf, const Findings& findings) {
  const int bits = leaf.logical.bit_width;
  if (leaf.type != Type::INT32 || (bits != 8 && bits != 16)) return nullptr;
  if (!findings.wants(Rule::logical_type_integer_range)) return nullptr;
  const bool is_signed = leaf.logical.is_signed;
  const std::int64_t values = std::int64_t{1} << bits;
  return range_judge(Rule::logical_type_integer_range, leaf, is_signed ? -values / 2 : 0,
                     is_signed ? values / 2 - 1 : values - 1);
}

std::unique_ptr<ValueJudge> time_judge(const Node& leaf, const Findings& findings) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  const SecondUnit unit = leaf.logical.unit;
  const Type carrier = unit == SecondUnit::MILLIS ? Type::INT32 : Type::INT64;
  if (unit == SecondUnit::none || leaf.type != carrier || !findings.wants(Rule::logical_type_time_range))
    return nullptr;
  std::int64_t day = kSecondsOfDay;
  for (unsigned i = 0; i < digits_of(unit); ++i) day *= 10;
  return range_judge(Rule::logical_type_time_range, leaf, 0, day - 1);
}

std::unique_ptr<ValueJudge> decimal_judge(const Node& leaf, const Findings& findings) {
  const std::int32_t precision = leaf.logical.precision;
  const std::optional<std::int32_t> most = most_digits(leaf.type, leaf.type_length);
  const bool variable = leaf.type == Type::BYTE_ARRAY;
  if (precision < 1 || !(most || variable) || precision > most.value_or(INT32_MAX)) return nullptr;
  const bool digits = findings.wants(Rule::logical_type_decimal_digits);
  if (leaf.type == Type::INT32 || leaf.type == Type::INT64) {
    if (!digits) return nullptr;
    std::int64_t bound = 1;
    for (std::int32_t i = 0; i < precision; ++i) bound *= 10;
    return std::make_unique<RangeJudge>(Rule::logical_type_decimal_digits, leaf, 1 - bound, bound - 1,
                                        "at most " + std::to_string(precision) + " digits");
  }
  const bool about_bytes = variable && (findings.wants(Rule::logical_type_decimal_bytes_empty) ||
                                        findings.wants(Rule::logical_type_decimal_bytes_minimal));
  if (!digits && !about_bytes) return nullptr;
  return std::make_unique<DecimalBytesJudge>(leaf);
}

/// UNKNOWN with a ConvertedType replaces or contradicts that type. If the column cannot be null, the schema
/// is wrong, not the values.
bool is_unknown(const Node& leaf) {
  return leaf.logical.stated == LogicalKind::UNKNOWN && leaf.logical.converted < 0 && leaf.max_definition > 0;
}

}  // namespace

std::unique_ptr<ValueJudge> judge_of_values(const Node& leaf, const Findings& findings) {
  const bool is_bytes = leaf.type == Type::BYTE_ARRAY;
  const bool json = !leaf.logical.is_conflict && findings.wants(Rule::logical_type_json);
  switch (leaf.logical.kind) {
    case LogicalKind::STRING:
    case LogicalKind::ENUM:
      if (!is_bytes || !findings.wants(Rule::logical_type_utf8)) return nullptr;
      return std::make_unique<TextJudge>(false);
    case LogicalKind::JSON:
      if (!is_bytes || !(json || findings.wants(Rule::logical_type_utf8))) return nullptr;
      return std::make_unique<TextJudge>(json);
    default:
      break;
  }
  if (leaf.logical.is_conflict) return nullptr;
  switch (leaf.logical.kind) {
    case LogicalKind::BSON:
      if (!is_bytes || !findings.wants(Rule::logical_type_bson)) return nullptr;
      return std::make_unique<BsonJudge>();
    case LogicalKind::INTEGER:
      return integer_judge(leaf, findings);
    case LogicalKind::TIME:
      return time_judge(leaf, findings);
    case LogicalKind::DECIMAL:
      return decimal_judge(leaf, findings);
    case LogicalKind::UNKNOWN:
      if (!is_unknown(leaf) || !findings.wants(Rule::logical_type_unknown_values)) return nullptr;
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
