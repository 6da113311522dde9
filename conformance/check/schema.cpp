#include <algorithm>
#include <string_view>
#include <vector>

#include "conformance/check/footer.hpp"

namespace parqproof {
namespace {

constexpr std::uint32_t kManyLevels = 255;

/// A LIST or MAP group, by either annotation. MAP_KEY_VALUE outside a MAP is an old way to write MAP.
bool is_collection(const Node& node) {
  const ResolvedType& type = node.logical;
  return type.stated == LogicalKind::LIST || type.stated == LogicalKind::MAP ||
         type.is(ConvertedType::LIST) || type.is(ConvertedType::MAP) || type.is(ConvertedType::MAP_KEY_VALUE);
}

class SchemaRules {
 public:
  explicit SchemaRules(Context& context) : context_(context), judge_(context.findings) {}

  void run() {
    tree();
    if (context_.schema.fault() != Schema::Fault::none) return;
    if (context_.schema.depth() > context_.options.limits.schema_depth) {
      too_deep();
      return;
    }
    context_.schema_usable = true;
    sibling_names();
    collections();
  }

  /// The element that the schema ends with so far.
  void check(const SchemaElement& element) {
    using Id = SchemaElement::Id;
    const Node& node = context_.schema.nodes().back();
    const auto i = static_cast<std::uint32_t>(context_.schema.nodes().size() - 1);
    const bool is_root = i == 0;
    const auto leaf = node.is_leaf && !is_root ? static_cast<std::int32_t>(node.leaf) : -1;
    if (is_root) {
      root(element);
    } else {
      if (!element.fields.mentions(Id::id_repetition_type)) {
        fault(Rule::schema_repetition, i, "repetition_type",
              seen("absent", "REQUIRED, OPTIONAL or REPEATED"));
      }
      if (element.has(Id::id_name) && element.name.empty()) {
        fault(Rule::schema_name_empty, i, "name", seen("\"\"", "a name"));
      }
      if (text_of(element.name).find('.') != std::string_view::npos) {
        fault(Rule::schema_name_dot, i, "name", seen(text_of(element.name), "a name without a dot"));
      }
    }
    const bool has_children = element.has(Id::id_num_children);
    if (has_children && element.num_children < 0) {
      fault(Rule::schema_num_children_negative, i, "num_children", seen(element.num_children, "0 or more"));
    } else if (!is_root && node.is_leaf && has_children && element.num_children > 0) {
      fault(Rule::schema_group_or_leaf, i, "num_children", seen("both type and num_children", "one of them"));
    } else if (!is_root && !node.is_leaf && !element.fields.mentions(Id::id_num_children)) {
      fault(Rule::schema_group_or_leaf, i, "", seen("neither type nor num_children", "one of them"));
    } else if (!is_root && node.is_leaf && has_children && element.num_children == 0) {
      fault(Rule::schema_leaf_zero_children, i, "num_children", seen(0, "absent"));
    } else if (!node.is_leaf && has_children && element.num_children == 0) {
      fault(Rule::schema_empty_group, i, "num_children", seen(0, "1 or more"));
    }
    if (node.is_leaf) {
      leaf_rules(element, i, leaf);
    } else if (element.has(Id::id_type_length) && element.type_length != 0) {
      fault(Rule::schema_group_type_length, i, "type_length", seen(element.type_length, "absent"));
    }
    const bool decimal =
        (element.has(Id::id_converted_type) && element.converted_type == ConvertedType::DECIMAL) ||
        (element.has(Id::id_logicalType) && element.logicalType.fields.mentions(LogicalType::id_DECIMAL));
    if (!decimal) {
      if (element.has(Id::id_scale) && element.scale != 0) {
        fault(Rule::schema_scale_precision_context, i, "scale", seen(element.scale, "absent"));
      }
      if (element.has(Id::id_precision) && element.precision != 0) {
        fault(Rule::schema_scale_precision_context, i, "precision", seen(element.precision, "absent"));
      }
    }
    if (element.has(Id::id_field_id) && judge_.wants(Rule::schema_field_id_unique)) {
      const bool fresh = context_.field_ids.insert(element.field_id).second;
      if (element.field_id < 0 || !fresh) {
        fault(Rule::schema_field_id_unique, i, "field_id",
              seen(element.field_id, "0 or more, and no other's"));
      }
    }
    if (node.is_leaf && (node.max_definition > kManyLevels || node.max_repetition > kManyLevels)) {
      fault(Rule::schema_level_limit, i, "",
            seen(std::max(node.max_definition, node.max_repetition), kManyLevels));
    }
  }

 private:
  void fault(Rule rule, std::uint32_t index, std::string_view path, Seen what, std::int32_t leaf = -1) {
    const Node& node = context_.schema.nodes()[index];
    judge_.field(rule, {-1, leaf, -1}, context_.footer_from(node.offset), SchemaElement::kType, path,
                 std::move(what), "schema[" + std::to_string(index) + "]");
  }

  /// limit/schema-depth: levels and paths cost work for each node above a leaf, and a small file can claim
  /// many leaves far down.
  void too_deep() {
    const std::uint64_t limit = context_.options.limits.schema_depth;
    const Nodes& nodes = context_.schema.nodes();
    const auto at = std::ranges::find_if(nodes, [&](const Node& node) { return node.depth > limit; });
    fault(Rule::limit_schema_depth, static_cast<std::uint32_t>(at - nodes.begin()), "",
          seen(context_.schema.depth(), limit));
    context_.not_run.push_back({"row groups", "the schema is nested deeper than the limit", {}, {}});
  }

  void root(const SchemaElement& element) {
    using Id = SchemaElement::Id;
    if (element.fields.mentions(Id::id_type)) {
      fault(Rule::schema_root_is_group, 0, "type", seen("a type", "a group"));
    } else if (!element.fields.mentions(Id::id_num_children)) {
      fault(Rule::schema_root_is_group, 0, "num_children", seen("no num_children", "a group"));
    }
    if (element.has(Id::id_repetition_type)) {
      const bool required = element.repetition_type == FieldRepetitionType::REQUIRED;
      fault(required ? Rule::schema_root_repetition_required : Rule::schema_root_repetition, 0,
            "repetition_type",
            seen(kFieldRepetitionTypeEnum.name_of(static_cast<int>(element.repetition_type)), "absent"));
    }
    if (element.fields.mentions(Id::id_converted_type)) {
      fault(Rule::schema_root_annotation, 0, "converted_type", seen("converted_type", "absent"));
    }
    if (element.fields.mentions(Id::id_logicalType)) {
      fault(Rule::schema_root_annotation, 0, "logicalType", seen("logicalType", "absent"));
    }
  }

  void leaf_rules(const SchemaElement& element, std::uint32_t i, std::int32_t leaf) {
    using Id = SchemaElement::Id;
    if (!element.has(Id::id_type)) return;
    const bool has_length = element.fields.mentions(Id::id_type_length);
    if (element.type == Type::FIXED_LEN_BYTE_ARRAY) {
      if (!has_length || element.type_length < 0) {
        fault(Rule::schema_type_length, i, "type_length",
              seen(has_length ? std::to_string(element.type_length) : "absent", "0 or more"));
      } else if (element.has(Id::id_type_length) && element.type_length == 0) {
        fault(Rule::schema_flba_zero_length, i, "type_length", seen(0, "1 or more"));
      }
    } else if (element.type == Type::INT32 || element.type == Type::INT64) {
      const int bits = element.type == Type::INT32 ? 32 : 64;
      if (element.has(Id::id_type_length) && (element.type_length < 0 || element.type_length > bits)) {
        fault(Rule::schema_type_length_bits, i, "type_length", seen(element.type_length, bits));
      }
    } else if (element.type == Type::INT96) {
      fault(Rule::schema_int96_deprecated, i, "type", seen("INT96", "INT64 with TIMESTAMP"), leaf);
    }
  }

  void tree() {
    const Schema& schema = context_.schema;
    const std::uint32_t at = schema.fault_index();
    switch (schema.fault()) {
      case Schema::Fault::empty:
        judge_.field(Rule::footer_schema_nonempty, {}, context_.frame.footer, FileMetaData::kType, "schema",
                     seen(0, "1 or more"));
        break;
      case Schema::Fault::left_over:
        fault(Rule::schema_tree, at, "",
              seen(std::to_string(schema.nodes().size() - at) + " elements left over", "none"));
        break;
      case Schema::Fault::too_few:
        fault(Rule::schema_tree, at, "num_children",
              seen("fewer elements than num_children asks for", "as many"));
        break;
      // Reported with the element.
      case Schema::Fault::none:
      case Schema::Fault::root_not_group:
      case Schema::Fault::group_or_leaf:
      case Schema::Fault::negative_children:
        break;
    }
  }

  void sibling_names() {
    const Nodes& nodes = context_.schema.nodes();
    std::vector<std::uint32_t> children;
    for (std::uint32_t parent = 0; parent < nodes.size(); ++parent) {
      if (nodes[parent].is_leaf && parent != 0) continue;
      children.clear();
      for (std::uint32_t child = parent + 1; child < nodes[parent].end; child = nodes[child].end) {
        children.push_back(child);
      }
      // By the hash first: names are long, and many begin alike.
      std::ranges::stable_sort(children, [&](std::uint32_t one, std::uint32_t other) {
        const Node& a = nodes[one];
        const Node& b = nodes[other];
        return a.path_hash != b.path_hash ? a.path_hash < b.path_hash : text_of(a.name) < text_of(b.name);
      });
      for (std::size_t k = 1; k < children.size(); ++k) {
        const std::string_view name = text_of(nodes[children[k]].name);
        if (name != text_of(nodes[children[k - 1]].name)) continue;
        fault(Rule::schema_sibling_names, children[k], "name", seen(name, "a name of its own in its group"));
      }
    }
  }

  void collections() {
    const Nodes& nodes = context_.schema.nodes();
    bool annotated = false;
    for (std::size_t i = 1; i < nodes.size() && !annotated; ++i)
      annotated = !nodes[i].is_leaf && is_collection(nodes[i]);
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
      if (nodes[i].repetition != FieldRepetitionType::REPEATED) continue;
      const Node& parent = nodes[nodes[i].parent];
      const bool only_child = nodes[i].parent + 1 == i && parent.end == nodes[i].end;
      if (nodes[i].parent != 0 && is_collection(parent) && only_child) continue;
      fault(annotated ? Rule::schema_mixed_list_styles : Rule::schema_bare_repeated, i, "repetition_type",
            seen("REPEATED", "a LIST or MAP group around it"));
    }
  }

  Context& context_;
  Judge judge_;
};

}  // namespace

void check_schema_element(Context& context, const SchemaElement& element) {
  SchemaRules(context).check(element);
}

void check_schema(Context& context) { SchemaRules(context).run(); }

}  // namespace parqproof
