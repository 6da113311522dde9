#include "conformance/variant/variant_groups.hpp"

#include <string_view>
#include <utility>

#include "codec/variant/shredding.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

FindingSite site_of(FileCheck& check, std::uint32_t index) {
  return FindingSite::of_schema_element(check, index);
}

/// variant/group: the annotation is on a leaf.
void check_leaves(FileCheck& check) {
  const Nodes& nodes = check.footer.schema.nodes();
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].is_leaf && nodes[i].logical.stated == LogicalKind::VARIANT)
      site_of(check, i).report(Rule::variant_group, "logicalType",
                               contrast("VARIANT on a leaf", "a group of metadata and value"));
  }
}

}  // namespace

std::vector<std::uint32_t> variant_groups(const Schema& schema) {
  std::vector<std::uint32_t> groups;
  const Nodes& nodes = schema.nodes();
  for (std::uint32_t i = 1; i < nodes.size();) {
    const bool is = variant::is_variant(nodes[i]);
    if (is) groups.push_back(i);
    i = is ? nodes[i].end : i + 1;
  }
  return groups;
}

void check_variant_groups(FileCheck& check) {
  check_leaves(check);
  const Schema& schema = check.footer.schema;
  for (const std::uint32_t index : variant_groups(schema)) {
    const auto report = [&](Rule rule, std::uint32_t node, std::string_view field, Contrast what) {
      site_of(check, node).report(rule, field, std::move(what));
    };
    (void)variant::find_group(schema, index, report);
  }
}

}  // namespace parqproof
