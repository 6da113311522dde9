#include "conformance/verdict/subsumption.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace parqproof {
namespace {

/// One value can break two rules; the second finding adds nothing to the first.
struct Duplicate {
  /// Relation between the two findings: the same field, fields of the same struct, or the same chunk.
  enum class Of : std::uint8_t { field, owner, chunk };

  Rule rule;
  Rule cause;
  Of of = Of::field;
};

constexpr auto kDuplicates = std::to_array<Duplicate>({
    {Rule::column_chunk_dictionary_offset_zero, Rule::column_chunk_dictionary_page_offset},
    {Rule::column_chunk_encoding_stats_unique, Rule::column_chunk_encoding_stats},
    {Rule::column_chunk_encodings_duplicate, Rule::column_chunk_encodings},
    {Rule::column_chunk_encodings_duplicate, Rule::column_chunk_encodings_levels},
    {Rule::compression_lz4_deprecated, Rule::column_chunk_codec},
    {Rule::compression_lzo, Rule::column_chunk_codec},
    {Rule::group_var_int_retired, Rule::group_var_int_types},
    {Rule::page_v2_absent_levels, Rule::page_v2_level_lengths},
    {Rule::schema_root_repetition, Rule::thrift_unknown_enum_value},
    {Rule::statistics_boolean_bound, Rule::statistics_max},
    {Rule::statistics_boolean_bound, Rule::statistics_max_value},
    {Rule::statistics_boolean_bound, Rule::statistics_min},
    {Rule::statistics_boolean_bound, Rule::statistics_min_value},
    {Rule::statistics_distinct_count_range, Rule::column_chunk_num_values, Duplicate::Of::chunk},
    {Rule::statistics_distinct_count_range, Rule::column_chunk_sizes_negative, Duplicate::Of::chunk},
    {Rule::statistics_distinct_count_range, Rule::statistics_null_count, Duplicate::Of::chunk},
    {Rule::statistics_min_max_order, Rule::statistics_max_value, Duplicate::Of::owner},
    {Rule::statistics_min_max_order, Rule::statistics_min_value, Duplicate::Of::owner},
    {Rule::statistics_nan_count_range, Rule::column_chunk_num_values, Duplicate::Of::chunk},
    {Rule::statistics_nan_count_range, Rule::column_chunk_sizes_negative, Duplicate::Of::chunk},
    {Rule::statistics_nan_count_range, Rule::statistics_null_count, Duplicate::Of::owner},
    {Rule::statistics_null_count_range, Rule::column_chunk_num_values, Duplicate::Of::chunk},
    {Rule::statistics_null_count_range, Rule::page_num_values, Duplicate::Of::chunk},
    {Rule::statistics_zero_max, Rule::statistics_max},
    {Rule::statistics_zero_max, Rule::statistics_max_value},
    {Rule::statistics_zero_min, Rule::statistics_min},
    {Rule::statistics_zero_min, Rule::statistics_min_value},
    {Rule::thrift_unknown_enum_value, Rule::column_chunk_encoding_stats},
    {Rule::thrift_unknown_enum_value, Rule::column_chunk_encodings},
    {Rule::thrift_unknown_enum_value, Rule::column_chunk_encodings_levels},
    {Rule::thrift_unknown_enum_value, Rule::column_chunk_type},
});

std::string_view owner_of(std::string_view field) { return field.substr(0, field.rfind('.')); }

/// Returns true if `cause` makes `finding` redundant.
bool is_duplicate_of(const Duplicate& duplicate, const Finding& finding, const Finding& cause) {
  if (finding.rule != duplicate.rule || cause.rule != duplicate.cause || finding.times > cause.times)
    return false;
  if (duplicate.of == Duplicate::Of::chunk) return finding.times == 1;
  if (finding.place != cause.place) return false;
  if (duplicate.of == Duplicate::Of::owner) return owner_of(finding.field) == owner_of(cause.field);
  return is_part_of(finding.field, cause.field);
}

}  // namespace

void fold_duplicates(FileCheck& check, const RuleSet& wanted) {
  Findings& findings = check.outcome.findings;
  const auto is_broken = [&](Rule rule) { return findings.broken()[static_cast<std::size_t>(rule)]; };
  std::vector<Duplicate> duplicates;
  std::ranges::copy_if(kDuplicates, std::back_inserter(duplicates), [&](const Duplicate& duplicate) {
    return is_broken(duplicate.rule) && is_broken(duplicate.cause);
  });
  if (duplicates.empty() || !findings.dropped().empty()) return;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<const Finding*>> causes;  // by chunk
  for (const Finding& finding : findings.all()) {
    if (std::ranges::any_of(duplicates,
                            [&](const Duplicate& duplicate) { return duplicate.cause == finding.rule; }))
      causes[{finding.place.row_group, finding.place.leaf}].push_back(&finding);
  }
  drop(findings, wanted, [&](const Finding& finding) {
    const auto at = causes.find({finding.place.row_group, finding.place.leaf});
    if (at == causes.end()) return false;
    return std::ranges::any_of(duplicates, [&](const Duplicate& duplicate) {
      return std::ranges::any_of(
          at->second, [&](const Finding* cause) { return is_duplicate_of(duplicate, finding, *cause); });
    });
  });
}

}  // namespace parqproof
