// Changes of the schema.
#include <algorithm>
#include <string>

#include "conformance/fault/changes.hpp"

namespace parqproof::fault {
namespace {

using model::NodeId;
using model::Tree;

std::string name_of(const Node& node) { return std::string(text_of(node.name)); }

bool rename(File& file, const Site& site, std::string_view name) {
  return file.rename(file.schema().leaf_index(site.index), name);
}

/// Another leaf of the same group; null if there is none.
const Node* sibling_of(File& file, const Site& site) {
  const Nodes& nodes = file.schema().nodes();
  const Node& leaf = file.schema().leaf(site.index);
  for (const Node& other : nodes) {
    if (other.is_leaf && other.parent == leaf.parent && other.leaf != leaf.leaf && other.depth != 0)
      return &other;
  }
  return nullptr;
}

/// 32 and 64 bit signed integers are the defaults of their types, which need no annotation.
bool is_default_integer(const Tree& footer, const Site& site) {
  return footer.number("logicalType.INTEGER.isSigned", site.node) == 1 &&
         footer.number("logicalType.INTEGER.bitWidth", site.node).value_or(0) >= 32;
}

}  // namespace

bool rename_leaf(File& file, const Site& site, const Change& change) {
  return rename(file, site, change.text);
}

bool rename_as_sibling(File& file, const Site& site, const Change& /*change*/) {
  const Node* const sibling = sibling_of(file, site);
  return sibling != nullptr && rename(file, site, name_of(*sibling));
}

bool rename_like_sibling(File& file, const Site& site, const Change& /*change*/) {
  const Node* const sibling = sibling_of(file, site);
  if (sibling == nullptr) return false;
  std::string name = name_of(*sibling);
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name != name_of(*sibling) && rename(file, site, name);
}

bool annotate(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  if (footer.find("logicalType", site.node) || footer.find("converted_type", site.node)) return false;
  const auto member = footer.make("logicalType." + std::string(change.text), site.node);
  if (!member) return false;
  if (change.number >= 0) footer.set_number(*footer.make("converted_type", site.node), change.number);
  const auto set = [&](const char* path, std::int64_t number) {
    if (const auto field = footer.make(path, *member)) footer.set_number(*field, number);
  };
  if (change.text == "TIME" || change.text == "TIMESTAMP") {
    set("isAdjustedToUTC", 1);
    static_cast<void>(footer.make("unit.MICROS", *member));
  } else if (change.text == "DECIMAL") {
    set("scale", 0);
    set("precision", 4);
    footer.set_number(*footer.make("scale", site.node), 0);
    footer.set_number(*footer.make("precision", site.node), 4);
  } else if (change.text == "INTEGER") {
    set("bitWidth", 16);
    set("isSigned", 1);
  }
  return true;
}

bool same_field_ids(File& file, const Site& site, const Change& /*change*/) {
  const Node* const sibling = sibling_of(file, site);
  if (sibling == nullptr) return false;
  Tree& footer = file.footer();
  const auto elements = footer.find("schema");
  const auto other = footer.element(*elements, file.schema().leaf_index(sibling->leaf));
  for (const NodeId node : {site.node, *other}) footer.set_number(*footer.make("field_id", node), 4711);
  return true;
}

bool annotate_unknown(File& file, const Site& site, const Change& /*change*/) {
  Tree& footer = file.footer();
  if (footer.find("logicalType", site.node) || footer.find("converted_type", site.node)) return false;
  footer.add_field(*footer.make("logicalType", site.node), 99, thrift::Wire::struct_);
  return true;
}

bool decimal_number(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto member = footer.find("logicalType.DECIMAL", site.node);
  if (!member) return false;
  // The limit of FIXED_LEN_BYTE_ARRAY depends on its length; that of INT64 is 18 digits.
  const Type type = file.schema().leaf(site.index).type;
  if (change.number > 18 && type != Type::INT32 && type != Type::INT64) return false;
  for (const NodeId outer : {*member, site.node}) {
    if (const auto field = footer.find(change.text, outer)) footer.set_number(*field, change.number);
  }
  return true;
}

bool other_converted_type(File& file, const Site& site, const Change& /*change*/) {
  Tree& footer = file.footer();
  const auto converted = footer.find("converted_type", site.node);
  const bool is_string = footer.find("logicalType.STRING", site.node).has_value();
  if (!converted || !is_string) return false;
  footer.set_number(*converted, static_cast<std::int64_t>(ConvertedType::ENUM));
  return true;
}

bool remove_converted_type(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto converted = footer.find("converted_type", site.node);
  if (!converted || !footer.find("logicalType", site.node) || footer.find("logicalType.DECIMAL", site.node))
    return false;
  if (is_default_integer(footer, site)) return false;
  // Times that are not adjusted to UTC have a rule of their own.
  bool is_local = false;
  for (const char* const path :
       {"logicalType.TIME.isAdjustedToUTC", "logicalType.TIMESTAMP.isAdjustedToUTC"}) {
    const auto is_adjusted = footer.number(path, site.node);
    is_local = is_local || (is_adjusted && *is_adjusted != 1);
  }
  if (is_local != (change.text == "local")) return false;
  footer.remove(*converted);
  return true;
}

bool remove_logical_type(File& file, const Site& site, const Change& /*change*/) {
  Tree& footer = file.footer();
  const auto logical = footer.find("logicalType", site.node);
  if (!logical || !footer.find("converted_type", site.node)) return false;
  if (is_default_integer(footer, site)) return false;
  footer.remove(*logical);
  return true;
}

bool second_member(File& file, const Site& site, const Change& /*change*/) {
  Tree& footer = file.footer();
  const auto type = footer.find("logicalType", site.node);
  if (!type || footer.node(*type).size != 1 || footer.find("UUID", *type)) return false;
  const bool has_distinct = std::ranges::any_of(file.chunks(), [&](const Chunk& chunk) {
    return chunk.leaf == site.index && chunk.metadata &&
           footer.find("statistics.distinct_count", *chunk.metadata);
  });
  if (has_distinct) return false;  // what values are equal would not be known
  return footer.make("UUID", *type).has_value();
}

bool add_empty_group(File& file, const Site& site, const Change& change) {
  Tree& footer = file.footer();
  const auto children = footer.find("num_children", site.node);
  const auto elements = footer.find("schema");
  if (!children || !elements) return false;
  const bool is_taken = std::ranges::any_of(
      file.schema().nodes(), [&](const Node& node) { return text_of(node.name) == change.text; });
  if (is_taken) return false;
  const NodeId group = footer.add_element(*elements);
  footer.set_number(*footer.make("repetition_type", group),
                    static_cast<std::int64_t>(FieldRepetitionType::OPTIONAL));
  footer.set_bytes(*footer.make("name", group), bytes_of(change.text));
  footer.set_number(*footer.make("num_children", group), 0);
  footer.set_number(*children, footer.number(*children) + 1);
  return true;
}

}  // namespace parqproof::fault
