#include "conformance/diagnosis/zero_length.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace parqproof {

void explain_zero_lengths(FileCheck& check) {
  if (!check.footer.schema_usable) return;
  const Schema& schema = check.footer.schema;
  const auto is_zero = [&](std::int32_t leaf) {
    if (leaf < 0 || static_cast<std::size_t>(leaf) >= schema.leaf_count()) return false;
    const Node& node = schema.leaf(static_cast<std::size_t>(leaf));
    return node.type == Type::FIXED_LEN_BYTE_ARRAY && node.type_length == 0;
  };
  std::set<std::int32_t> leaves;
  for (const Finding& finding : check.outcome.findings.primary()) {
    if (evidence(finding.rule, Suspicion::nonzero_length) != 0 && is_zero(finding.place.leaf))
      leaves.insert(finding.place.leaf);
  }
  if (leaves.empty()) return;
  std::set<std::string> fields;
  for (const std::int32_t leaf : leaves) {
    const std::uint32_t index = schema.leaf_index(static_cast<std::size_t>(leaf));
    fields.insert("schema[" + std::to_string(index) + "].type_length");
  }
  check.outcome.findings.attribute(Rule::schema_type_length, 0, [&](const Finding& finding) {
    return (leaves.contains(finding.place.leaf) && info(finding.rule).severity == Severity::error) ||
           (finding.rule == Rule::schema_flba_zero_length && fields.contains(finding.field));
  });
  for (const std::int32_t leaf : leaves) {
    const std::uint32_t index = schema.leaf_index(static_cast<std::size_t>(leaf));
    FindingSite::of_schema_element(check, index)
        .report(Rule::schema_type_length, "type_length", contrast(0, "as many bytes as its values have"));
  }
  for (const ChunkClaim& claim : check.footer.chunks) {
    if (leaves.contains(static_cast<std::int32_t>(claim.leaf)))
      check.outcome.lost.push_back({LostPart::column_chunk, place_of(claim)});
  }
}

}  // namespace parqproof
