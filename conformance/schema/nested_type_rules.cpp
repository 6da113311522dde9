#include <string>
#include <string_view>

#include "codec/base/text.hpp"
#include "codec/schema/nested.hpp"
#include "conformance/schema/schema_rules.hpp"

namespace parqproof {
namespace {

class NestedTypes {
 public:
  explicit NestedTypes(FileCheck& check) : check_(check), nodes_(check.footer.schema.nodes()) {}

  void check() const {
    for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
      if (!is_known(i) || nodes_[i].logical.is_conflict) continue;
      if (is_list(nodes_, i)) {
        list(i);
      } else if (is_map(nodes_, i)) {
        map(i);
      } else {
        annotated_entries(i);
      }
    }
  }

 private:
  /// The rules about a group and its repeated child.
  struct Outside {
    Rule repetition;
    Rule group;
  };

  [[nodiscard]] FindingSite site(std::uint32_t index) const {
    return FindingSite::of_schema_element(check_, index);
  }
  [[nodiscard]] bool is_known(std::uint32_t index) const {
    return nodes_[index].readable && !nodes_[index].damaged;
  }
  [[nodiscard]] bool is_repeated(std::uint32_t index) const {
    return nodes_[index].repetition == FieldRepetitionType::REPEATED;
  }
  [[nodiscard]] FindingValue repetition(std::uint32_t index) const {
    return symbol(kFieldRepetitionTypeEnum, nodes_[index].repetition);
  }
  [[nodiscard]] bool has_name(std::uint32_t index, std::string_view name) const {
    return text_of(nodes_[index].name) == name;
  }
  void name(Rule rule, std::uint32_t index, std::string_view expected) const {
    site(index).report(rule, "name", contrast(text_of(nodes_[index].name), expected));
  }
  /// Reports a node that must not be repeated.
  void repeated(Rule rule, std::uint32_t index) const {
    site(index).report(rule, "repetition_type", contrast("REPEATED", "OPTIONAL or REQUIRED"));
  }
  [[nodiscard]] bool is_element_of_list(std::uint32_t index) const {
    const std::uint32_t parent = nodes_[index].parent;
    return is_list(nodes_, parent) && repeated_child(nodes_, parent) == index;
  }

  /// Judges the key or the value of a MAP.
  [[nodiscard]] bool is_field_of_map(std::uint32_t index) const {
    const std::uint32_t entry = nodes_[index].parent;
    const std::uint32_t map = nodes_[entry].parent;
    return is_map(nodes_, map) && map_entries(nodes_, map) == entry;
  }
  /// Reports a LIST or MAP that must not be repeated.
  [[nodiscard]] bool is_repeated_alone(std::uint32_t index) const {
    return is_repeated(index) && !is_element_of_list(index) && !is_field_of_map(index);
  }

  /// Returns the repeated child of a LIST or MAP; 0 if it is unknown or not the only child.
  [[nodiscard]] std::uint32_t inside(std::uint32_t index, const Outside& rules) const {
    if (is_repeated_alone(index)) repeated(rules.repetition, index);
    const std::uint32_t child = only_child(nodes_, index);
    if (child == 0) {
      site(index).report(rules.group, "num_children", contrast(child_count(nodes_, index), 1));
    } else if (!is_known(child)) {
      return 0;
    } else if (!is_repeated(child)) {
      site(child).report(rules.group, "repetition_type", contrast(repetition(child), "REPEATED"));
      return 0;
    }
    return child;
  }

  void list(std::uint32_t index) const {
    const std::uint32_t child =
        inside(index, {Rule::nested_type_list_outer_repetition, Rule::nested_type_list_group});
    // The legacy shape of a list of lists is reported at the outer list.
    if (child == 0 || (is_repeated(index) && is_element_of_list(index))) return;
    constexpr Rule kShape = Rule::nested_type_list_three_level;
    switch (list_rule(nodes_, index)) {
      case ListRule::none:
        break;
      case ListRule::repeated_leaf:
        site(child).report(kShape, "type", contrast("a leaf", "a group of one field"));
        break;
      case ListRule::several_fields:
        site(child).report(
            kShape, "num_children",
            contrast("a group of " + counted(child_count(nodes_, child), "field"), "a group of one field"));
        break;
      case ListRule::named_group:
        site(child).report(
            kShape, "name",
            contrast("a group named " + std::string(text_of(nodes_[child].name)), "a group named list"));
        break;
      case ListRule::repeated_field:
        repeated_field(only_child(nodes_, child));
        break;
      case ListRule::single_field:
        if (!has_name(child, "list")) {
          name(Rule::nested_type_list_names, child, "list");
        } else if (!has_name(only_child(nodes_, child), "element")) {
          name(Rule::nested_type_list_names, only_child(nodes_, child), "element");
        }
        break;
    }
  }

  /// nested-type/list-element-repetition, unless the field is a collection, which must not be repeated at
  /// all.
  void repeated_field(std::uint32_t index) const {
    const bool is_collection = is_list(nodes_, index) || is_map(nodes_, index);
    if (is_collection && is_repeated_alone(index)) return;
    repeated(Rule::nested_type_list_element_repetition, index);
  }

  void map(std::uint32_t index) const {
    if (nodes_[index].logical.is(ConvertedType::MAP_KEY_VALUE))
      site(index).report(Rule::nested_type_map_key_value_legacy, "converted_type",
                         contrast("MAP_KEY_VALUE", "MAP"));
    const std::uint32_t child =
        inside(index, {Rule::nested_type_map_outer_repetition, Rule::nested_type_map_group});
    if (child == 0) return;
    if (nodes_[child].is_leaf) {
      site(child).report(Rule::nested_type_map_group, "type",
                         contrast(symbol(kTypeEnum, nodes_[child].type), "a group"));
    } else if (map_entries(nodes_, index) == 0) {
      site(child).report(Rule::nested_type_map_fields, "num_children",
                         contrast(child_count(nodes_, child), "1 or 2"));
    } else {
      entries(child);
    }
  }

  /// The entries of a MAP are annotated as a collection, which must not be repeated.
  void annotated_entries(std::uint32_t index) const {
    const LogicalKind kind = nodes_[index].logical.kind;
    if (nodes_[index].is_leaf || marks_entries(nodes_[index].logical)) return;
    if (kind == LogicalKind::LIST) repeated(Rule::nested_type_list_outer_repetition, index);
    if (kind == LogicalKind::MAP) repeated(Rule::nested_type_map_outer_repetition, index);
  }

  void entries(std::uint32_t index) const {
    const std::uint32_t key = index + 1;
    const std::uint32_t value = nodes_[key].end < nodes_[index].end ? nodes_[key].end : 0;
    if (!is_known(key) || !is_known(value)) return;
    if (value != 0 && has_name(key, "value") && has_name(value, "key")) {
      name(Rule::nested_type_map_key_first, key, "key");
      return;
    }
    if (nodes_[key].repetition != FieldRepetitionType::REQUIRED)
      site(key).report(Rule::nested_type_map_key_required, "repetition_type",
                       contrast(repetition(key), "REQUIRED"));
    if (value != 0 && is_repeated(value)) repeated(Rule::nested_type_map_value_repetition, value);
    if (!has_name(index, "key_value")) {
      name(Rule::nested_type_map_names, index, "key_value");
    } else if (!has_name(key, "key")) {
      name(Rule::nested_type_map_names, key, "key");
    } else if (value != 0 && !has_name(value, "value")) {
      name(Rule::nested_type_map_names, value, "value");
    }
  }

  FileCheck& check_;
  const Nodes& nodes_;
};

}  // namespace

void check_nested_types(FileCheck& check) { NestedTypes(check).check(); }

bool is_part_of_collection(const Nodes& nodes, std::uint32_t node) {
  const auto is_collection = [&](std::uint32_t i) { return is_list(nodes, i) || is_map(nodes, i); };
  const std::uint32_t parent = nodes[node].parent;
  const ResolvedType& around = nodes[parent].logical;
  if (around.is_misfit || around.is_conflict)
    return true;  // the annotation is reported; LIST may have been meant
  if (is_collection(node) || is_collection(parent)) return true;
  const std::uint32_t above = nodes[parent].parent;
  if (is_map(nodes, above)) return map_entries(nodes, above) == parent;
  return is_list(nodes, above) && repeated_child(nodes, above) == parent && only_child(nodes, parent) == node;
}

}  // namespace parqproof
