#include "conformance/check/echoes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/base/bits.hpp"
#include "conformance/check/remains.hpp"

namespace parqproof {
namespace {

/// Takes the findings away for which `echo` is true.
template <typename Echo>
void drop(Findings& findings, const RuleSet& wanted, Echo&& echo) {
  Findings kept(wanted);
  for (const Finding& finding : findings.all()) {
    if (!echo(finding)) kept.add(finding);
  }
  findings = std::move(kept);
}

bool is_about_file(Rule rule) {
  return info(rule).id.starts_with("file/") && rule != Rule::file_footer_length;
}

/// One value can break two rules; the second adds nothing where the first is broken.
struct Echo {
  /// Both are about the same field, about fields of the same struct, or about the same chunk.
  enum class Of : std::uint8_t { field, owner, chunk };

  Rule rule;
  Rule cause;
  Of of = Of::field;
};

constexpr auto kEchoes = std::to_array<Echo>({
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
    {Rule::statistics_distinct_count_range, Rule::column_chunk_num_values, Echo::Of::chunk},
    {Rule::statistics_distinct_count_range, Rule::column_chunk_sizes_negative, Echo::Of::chunk},
    {Rule::statistics_distinct_count_range, Rule::statistics_null_count, Echo::Of::chunk},
    {Rule::statistics_min_max_order, Rule::statistics_max_value, Echo::Of::owner},
    {Rule::statistics_min_max_order, Rule::statistics_min_value, Echo::Of::owner},
    {Rule::statistics_nan_count_range, Rule::column_chunk_num_values, Echo::Of::chunk},
    {Rule::statistics_nan_count_range, Rule::column_chunk_sizes_negative, Echo::Of::chunk},
    {Rule::statistics_nan_count_range, Rule::statistics_null_count, Echo::Of::owner},
    {Rule::statistics_null_count_range, Rule::column_chunk_num_values, Echo::Of::chunk},
    {Rule::statistics_null_count_range, Rule::page_num_values, Echo::Of::chunk},
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

/// A finding with the cause of the echo is about the same thing as `finding`.
bool is_echo_of(const Echo& echo, const Finding& finding, const Finding& cause) {
  if (finding.rule != echo.rule || cause.rule != echo.cause || finding.times > cause.times) return false;
  if (echo.of == Echo::Of::chunk) return finding.times == 1;
  if (finding.place != cause.place) return false;
  if (echo.of == Echo::Of::owner) return owner_of(finding.field) == owner_of(cause.field);
  return is_part_of(finding.field, cause.field);
}

/// What a page or a bound with bytes breaks where values take none.
bool shows_bytes(Rule rule) {
  return rule == Rule::page_trailing_bytes || rule == Rule::dictionary_entry_count ||
         rule == Rule::statistics_bound_length || rule == Rule::statistics_bound_shortened;
}

}  // namespace

bool is_part_of(std::string_view field, std::string_view whole) noexcept {
  return field.starts_with(whole) &&
         (field.size() == whole.size() || field[whole.size()] == '[' || field[whole.size()] == '.');
}

bool file_is_lost(const FileCheck& check) {
  return std::ranges::any_of(check.outcome.lost,
                             [](const Lost& lost) { return lost.what == LostPart::file; });
}

bool blame_footer_length(FileCheck& check, const RuleSet& wanted) {
  const std::uint64_t end = check.facts.frame.end - kFooterTailBytes;
  std::array<std::uint8_t, 4> word{};
  const std::optional<std::uint64_t> length = true_footer_length(check, end);
  if (!length || !check.facts.source.read(end, word)) return false;
  if (load_le<std::uint32_t>(word.data()) == *length) return false;
  drop(check.outcome.findings, wanted, [](const Finding& finding) { return !is_about_file(finding.rule); });
  Judge(check.outcome.findings)
      .at(Rule::file_footer_length, {}, end, word.size(),
          contrast(load_le<std::uint32_t>(word.data()), *length));
  check.outcome.not_run.clear();
  check.outcome.lost.assign(1, {LostPart::file, {}});
  check.facts.frame.state = Frame::State::lost;
  return true;
}

bool begins_with_version(const Frame& frame) {
  constexpr std::uint8_t kVersion = 0x15;
  return !frame.footer.empty() && frame.footer.bytes.front() == kVersion;
}

void blame_zero_lengths(FileCheck& check, const RuleSet& wanted) {
  if (!check.facts.schema_usable) return;
  const Schema& schema = check.facts.schema;
  const auto is_zero = [&](std::int32_t leaf) {
    if (leaf < 0 || static_cast<std::size_t>(leaf) >= schema.leaf_count()) return false;
    const Node& node = schema.leaf(static_cast<std::size_t>(leaf));
    return node.type == Type::FIXED_LEN_BYTE_ARRAY && node.type_length == 0;
  };
  std::set<std::int32_t> leaves;
  for (const Finding& finding : check.outcome.findings.all()) {
    if (shows_bytes(finding.rule) && is_zero(finding.place.leaf)) leaves.insert(finding.place.leaf);
  }
  if (leaves.empty()) return;
  std::set<std::string> fields;
  for (const std::int32_t leaf : leaves) {
    const std::uint32_t index = schema.leaf_index(static_cast<std::size_t>(leaf));
    fields.insert("schema[" + std::to_string(index) + "].type_length");
  }
  drop(check.outcome.findings, wanted, [&](const Finding& finding) {
    return (leaves.contains(finding.place.leaf) && info(finding.rule).severity == Severity::error) ||
           (finding.rule == Rule::schema_flba_zero_length && fields.contains(finding.field));
  });
  for (const std::int32_t leaf : leaves) {
    const std::uint32_t index = schema.leaf_index(static_cast<std::size_t>(leaf));
    Judge(check.outcome.findings)
        .field(Rule::schema_type_length, {}, check.facts.footer_from(schema.nodes()[index].offset),
               SchemaElement::kType, "type_length", contrast(0, "as many bytes as its values have"),
               "schema[" + std::to_string(index) + "]");
  }
  std::erase_if(check.outcome.lost, [&](const Lost& lost) { return leaves.contains(lost.place.leaf); });
  for (const ChunkClaim& claim : check.facts.chunks) {
    if (leaves.contains(static_cast<std::int32_t>(claim.leaf)))
      check.outcome.lost.push_back({LostPart::column_chunk, place_of(claim)});
  }
}

void drop_echoes(FileCheck& check, const RuleSet& wanted) {
  Findings& findings = check.outcome.findings;
  const auto is_broken = [&](Rule rule) { return findings.broken()[static_cast<std::size_t>(rule)]; };
  std::vector<Echo> echoes;
  std::ranges::copy_if(kEchoes, std::back_inserter(echoes),
                       [&](const Echo& echo) { return is_broken(echo.rule) && is_broken(echo.cause); });
  if (echoes.empty() || !findings.dropped().empty()) return;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<const Finding*>> causes;  // by chunk
  for (const Finding& finding : findings.all()) {
    if (std::ranges::any_of(echoes, [&](const Echo& echo) { return echo.cause == finding.rule; }))
      causes[{finding.place.row_group, finding.place.leaf}].push_back(&finding);
  }
  drop(findings, wanted, [&](const Finding& finding) {
    const auto at = causes.find({finding.place.row_group, finding.place.leaf});
    if (at == causes.end()) return false;
    return std::ranges::any_of(echoes, [&](const Echo& echo) {
      return std::ranges::any_of(at->second,
                                 [&](const Finding* cause) { return is_echo_of(echo, finding, *cause); });
    });
  });
}

}  // namespace parqproof
