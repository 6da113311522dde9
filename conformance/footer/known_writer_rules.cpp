#include "conformance/footer/known_writer_rules.hpp"

#include <string>
#include <string_view>

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

std::vector<const KnownBug*> bugs_for(const ParsedFooter& footer, const Finding& finding) {
  const std::int32_t leaf = finding.place.leaf;
  const bool known =
      footer.schema_usable && leaf >= 0 && static_cast<std::size_t>(leaf) < footer.schema.leaf_count();
  return footer.bugs.of(finding.rule, known ? &footer.schema.leaf(static_cast<std::size_t>(leaf)) : nullptr);
}

}  // namespace parqproof
