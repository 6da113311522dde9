#include "conformance/footer/known_writer_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "conformance/known_writers/bug_evidence.hpp"

namespace parqproof {
namespace {

/// Returns the writer that Spark or Drill names in key_value_metadata, in the form of created_by, or an
/// empty string.
std::string second_writer(const FileCheck& check) {
  std::string spark;
  std::string drill;
  const auto read = [&](const KeyValue& pair, std::uint32_t) {
    const std::string_view key = text_of(pair.key);
    if (key == "org.apache.spark.version") {
      spark = "Spark version " + std::string(text_of(pair.value));
    } else if (key == "org.apache.spark.sql.parquet.row.metadata" && spark.empty()) {
      spark = "Spark";  // before 2.4.6 and 3.0.0 it wrote no version
    } else if (key == "drill.version") {
      drill = "Drill version " + std::string(text_of(pair.value));
    }
  };
  thrift::for_each<KeyValue>(check.footer.meta.key_value_metadata, check.options.limits, read);
  return spark.empty() ? drill : spark;
}

}  // namespace

void check_known_writer(FileCheck& check) {
  ParsedFooter& footer = FooterPhase::of(check);
  if (footer.meta.has(FileMetaData::id_created_by)) footer.bugs.add(text_of(footer.meta.created_by));
  if (footer.meta.has(FileMetaData::id_key_value_metadata)) {
    if (const std::string writer = second_writer(check); !writer.empty()) footer.bugs.add(writer);
  }
  if (!footer.schema_usable) return;
  for (const Rule rule : {Rule::known_writer_int96_zone, Rule::known_writer_changed_values}) {
    if (!check.outcome.findings.wants(rule) || !footer.bugs.has(rule)) continue;
    for (std::size_t i = 0; i < footer.schema.leaf_count(); ++i) {
      const Node& leaf = footer.schema.leaf(i);
      if (!leaf.readable || footer.bugs.of(rule, &leaf).empty()) continue;
      FindingSite::of_schema_element(check, footer.schema.leaf_index(i), static_cast<std::int32_t>(i))
          .report(rule, "type");
    }
  }
}

namespace {

/// Reads what the metadata of the column chunk says.
void add_chunk(const FileCheck& check, const Findings& findings, BugClues& clues) {
  const ParsedFooter& footer = check.footer;
  const Place& place = clues.finding.place;
  if (place.row_group < 0 || place.leaf < 0) return;
  const auto group = static_cast<std::size_t>(place.row_group);
  const auto leaf = static_cast<std::size_t>(place.leaf);
  if (group >= footer.row_groups.size() || leaf >= footer.row_groups[group].chunk_count) return;
  ColumnChunk chunk;
  if (!footer.reread(footer.chunks[footer.row_groups[group].first_chunk + leaf], check.options.limits, chunk))
    return;
  clues.has_dictionary_page_offset = chunk.meta_data.has(ColumnMetaData::id_dictionary_page_offset) &&
                                     chunk.meta_data.dictionary_page_offset > 0;
  clues.has_equal_offsets = clues.has_dictionary_page_offset &&
                            chunk.meta_data.dictionary_page_offset == chunk.meta_data.data_page_offset;
  clues.has_encoding_stats = chunk.meta_data.has(ColumnMetaData::id_encoding_stats);
  clues.has_false_bound =
      clues.finding.rule == Rule::statistics_legacy_order &&
      std::ranges::any_of(findings.all(), [&](const Finding& other) {
        return (other.rule == Rule::statistics_min || other.rule == Rule::statistics_max) &&
               other.place.chunk() == place.chunk();
      });
}

}  // namespace

std::vector<const KnownBug*> bugs_for(const FileCheck& check, const Finding& finding) {
  const ParsedFooter& footer = check.footer;
  const std::int32_t leaf = finding.place.leaf;
  const bool known =
      footer.schema_usable && leaf >= 0 && static_cast<std::size_t>(leaf) < footer.schema.leaf_count();
  const Node* const column = known ? &footer.schema.leaf(static_cast<std::size_t>(leaf)) : nullptr;
  if (footer.bugs.of(finding.rule, column).empty()) return {};
  BugClues clues{.finding = finding};
  add_chunk(check, check.outcome.findings, clues);
  return footer.bugs.of(clues, column);
}

}  // namespace parqproof
