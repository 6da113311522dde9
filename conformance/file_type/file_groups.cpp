#include "conformance/file_type/file_groups.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "conformance/schema/schema_rules.hpp"
#include "conformance/state/finding_site.hpp"

namespace parqproof {
namespace {

struct FieldType {
  std::string_view name;
  Type type;
  bool is_string = false;
};
/// By FileField.
constexpr std::array<FieldType, kFileFields> kFields = {{
    {"uri", Type::BYTE_ARRAY, true},
    {"offset", Type::INT64},
    {"size", Type::INT64},
    {"content_type", Type::BYTE_ARRAY, true},
    {"checksum", Type::BYTE_ARRAY, true},
    {"inline", Type::BYTE_ARRAY},
}};

using Report = std::function<void(Rule rule, std::uint32_t node, std::string_view field, Contrast what)>;

bool has_annotation(const Node& node) noexcept { return node.logical.kind != LogicalKind::none; }

std::string type_text(const Node& node) {
  if (!node.is_leaf) return "a group";
  std::string text(kTypeEnum.name_of(static_cast<int>(node.type)));
  if (node.logical.kind != LogicalKind::none) (text += ", ") += name_of(node.logical.kind);
  return text;
}

/// file-type/field-type, file-type/field-optional
bool judge_field(const Node& node, std::uint32_t index, const FieldType& expected, const Report& report) {
  if (node.is_leaf && (node.damaged || !node.readable || node.logical.is_misfit || node.logical.is_conflict ||
                       node.logical.is_unknown))
    return false;  // reported by rules of the element
  const bool is_of_type =
      node.is_leaf && node.type == expected.type &&
      (expected.is_string ? node.logical.kind == LogicalKind::STRING : !has_annotation(node));
  if (!is_of_type) {
    const bool is_physical = !node.is_leaf || node.type != expected.type;
    const std::string text = std::string(kTypeEnum.name_of(static_cast<int>(expected.type))) +
                             (expected.is_string ? ", STRING" : "");
    report(Rule::file_type_field_type, index,
           !node.is_leaf                              ? "num_children"
           : is_physical || !has_annotation(node)     ? "type"
           : node.logical.stated == LogicalKind::none ? "converted_type"
                                                      : "logicalType",
           contrast(type_text(node), text));
  }
  if (node.repetition != FieldRepetitionType::OPTIONAL)
    report(Rule::file_type_field_optional, index, "repetition_type",
           contrast(symbol(kFieldRepetitionTypeEnum, node.repetition), "OPTIONAL"));
  return is_of_type && node.repetition == FieldRepetitionType::OPTIONAL;
}

FileGroup group_at(const Schema& schema, std::uint32_t index, const Report& report) {
  const Nodes& nodes = schema.nodes();
  const Node& node = nodes[index];
  FileGroup group;
  group.node = index;
  group.definition = node.max_definition;
  group.first = node.leaf;
  group.last = node.leaf + schema.leaves_below(index);
  for (std::uint32_t child = index + 1; child < node.end; child = nodes[child].end) {
    const std::string_view name = text_of(nodes[child].name);
    const auto field = std::ranges::find(kFields, name, &FieldType::name);
    if (field == kFields.end()) {
      report(Rule::file_type_fields, child, "name",
             contrast(std::string(name), "uri, offset, size, content_type, checksum or inline"));
      continue;
    }
    std::optional<std::size_t>& leaf = group.leaves[static_cast<std::size_t>(field - kFields.begin())];
    if (leaf) continue;  // schema/sibling-names
    if (!judge_field(nodes[child], child, *field, report)) group.is_usable = false;
    leaf = nodes[child].leaf;
  }
  if (!group.leaf(FileField::uri) && !group.leaf(FileField::inline_bytes))
    report(Rule::file_type_resolvable, index, "num_children",
           contrast("neither uri nor inline", "a field uri or inline"));
  return group;
}

/// Returns true if a child is repeated as in the proposal VECTOR, whose annotation has the number of FILE.
bool has_vector(const Nodes& nodes, std::uint32_t group) {
  for (std::uint32_t child = group + 1; child < nodes[group].end; child = nodes[child].end) {
    if (nodes[child].repetition == kVectorRepetition) return true;
  }
  return false;
}

std::vector<FileGroup> find_groups(const Schema& schema, const Report& report) {
  std::vector<FileGroup> groups;
  const Nodes& nodes = schema.nodes();
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].is_leaf && nodes[i].logical.stated == LogicalKind::FILE)
      report(Rule::file_type_group, i, "logicalType", contrast("FILE on a leaf", "a group"));
    if (!nodes[i].is_leaf && nodes[i].logical.kind == LogicalKind::FILE && !has_vector(nodes, i))
      groups.push_back(group_at(schema, i, report));
  }
  return groups;
}

}  // namespace

std::vector<FileGroup> file_groups(const Schema& schema) {
  return find_groups(schema, [](auto&&...) {});
}

void check_file_groups(FileCheck& check) {
  (void)find_groups(check.footer.schema,
                    [&check](Rule rule, std::uint32_t node, std::string_view field, Contrast what) {
                      FindingSite::of_schema_element(check, node).report(rule, field, std::move(what));
                    });
}

}  // namespace parqproof
