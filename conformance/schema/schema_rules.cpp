#include "conformance/schema/schema_rules.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "codec/base/text.hpp"
#include "codec/schema/nested.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;

constexpr std::uint32_t kMaxByteLevel = 255;  // of readers that store levels in one byte

/// Keeps the children whose name may be a duplicate: those whose hash selects the same bit as that of another
/// child, in a table of at least kBitsEach bits a child.
void keep_possible_duplicates(const Nodes& nodes, std::vector<std::uint32_t>& children) {
  constexpr std::size_t kBitsEach = 16;
  const std::size_t bits = std::bit_ceil(kBitsEach * children.size() + 1);
  std::vector<bool> seen(bits);
  std::vector<bool> seen_twice(bits);
  const auto bit_of = [&](std::uint32_t child) {
    const std::uint64_t hash = nodes[child].path_hash;
    return static_cast<std::size_t>(hash ^ hash >> 32) & (bits - 1);
  };
  for (const std::uint32_t child : children) {
    const std::size_t bit = bit_of(child);
    if (seen[bit]) seen_twice[bit] = true;
    seen[bit] = true;
  }
  std::erase_if(children, [&](std::uint32_t child) { return !seen_twice[bit_of(child)]; });
}

FindingSite site(FileCheck& check, std::uint32_t element) {
  return FindingSite::of_schema_element(check, element);
}

void check_root(const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  if (!element.fields.mentions(Id::id_num_children)) {
    subject.report(Rule::schema_root_is_group, "num_children",
                   contrast(kAbsent, "the number of its children"));
  } else if (element.has(Id::id_type)) {
    subject.report(Rule::schema_root_type, "type", contrast(symbol(kTypeEnum, element.type), kAbsent));
  }
  if (element.has(Id::id_repetition_type)) {
    const bool required = element.repetition_type == FieldRepetitionType::REQUIRED;
    subject.report(required ? Rule::schema_root_repetition_required : Rule::schema_root_repetition,
                   "repetition_type",
                   contrast(symbol(kFieldRepetitionTypeEnum, element.repetition_type), kAbsent));
  }
  if (element.fields.mentions(Id::id_converted_type)) {
    subject.report(Rule::schema_root_annotation, "converted_type", contrast("converted_type", kAbsent));
  }
  if (element.fields.mentions(Id::id_logicalType)) {
    subject.report(Rule::schema_root_annotation, "logicalType", contrast("logicalType", kAbsent));
  }
}

void check_below_root(const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  if (!element.fields.mentions(Id::id_repetition_type)) {
    subject.report(Rule::schema_repetition, "repetition_type",
                   contrast(kAbsent, "REQUIRED, OPTIONAL or REPEATED"));
  }
  if (element.has(Id::id_repetition_type) && element.repetition_type == kVectorRepetition)
    subject.report(Rule::edition_undefined, "repetition_type", undefined(Addition::vector));
  if (element.has(Id::id_name) && element.name.empty()) {
    subject.report(Rule::schema_name_empty, "name", contrast("\"\"", "a name"));
  }
  if (text_of(element.name).find('.') != std::string_view::npos) {
    subject.report(Rule::schema_name_dot, "name", contrast(text_of(element.name), "a name without a dot"));
  }
}

/// Returns true for a LIST or MAP, or the entries of a MAP; their missing children have other rules.
bool is_collection(const SchemaSubject& subject) {
  const LogicalKind kind = subject.node.logical.kind;
  if (kind == LogicalKind::LIST || kind == LogicalKind::MAP) return true;
  const Node& parent = subject.check.footer.schema.nodes()[subject.node.parent];
  return parent.logical.kind == LogicalKind::MAP && subject.node.repetition == FieldRepetitionType::REPEATED;
}

/// Judges num_children and the choice between group and leaf.
void check_children(const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  const Node& node = subject.node;
  if (!element.has(Id::id_num_children)) {
    if (subject.index != 0 && !node.is_leaf && !element.fields.mentions(Id::id_num_children))
      subject.report(Rule::schema_group_or_leaf, "",
                     contrast("neither type nor num_children", "one of them"));
  } else if (element.num_children < 0) {
    subject.report(Rule::schema_num_children_negative, "num_children",
                   contrast(element.num_children, or_more(0)));
  } else if (!node.is_leaf) {
    if (element.num_children == 0 && !is_collection(subject))
      subject.report(Rule::schema_empty_group, "num_children", contrast(0, or_more(1)));
  } else if (element.num_children > 0) {
    subject.report(Rule::schema_group_or_leaf, "num_children",
                   contrast("both type and num_children", "one of them"));
  } else {
    subject.report(Rule::schema_leaf_zero_children, "num_children", contrast(0, kAbsent));
  }
}

/// Judges type, type_length and the levels of a leaf.
void check_leaf(const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  const Node& node = subject.node;
  if (node.max_definition > kMaxByteLevel || node.max_repetition > kMaxByteLevel) {
    subject.report(Rule::schema_level_limit, "",
                   contrast(std::max(node.max_definition, node.max_repetition), kMaxByteLevel));
  }
  if (!element.has(Id::id_type)) return;
  // A type_length that cannot be read has its own finding.
  const bool has_length = element.fields.mentions(Id::id_type_length);
  if (element.type == Type::FIXED_LEN_BYTE_ARRAY) {
    if (!has_length || element.type_length < 0) {
      subject.report(Rule::schema_type_length, "type_length",
                     contrast(has_length ? FindingValue(element.type_length) : kAbsent, or_more(0)));
    } else if (element.has(Id::id_type_length) && element.type_length == 0) {
      subject.report(Rule::schema_flba_zero_length, "type_length", contrast(0, or_more(1)));
    }
  } else if (element.type == Type::INT32 || element.type == Type::INT64) {
    const int bits = element.type == Type::INT32 ? 32 : 64;
    if (element.has(Id::id_type_length) && (element.type_length < 0 || element.type_length > bits)) {
      subject.report(Rule::schema_type_length_bits, "type_length",
                     contrast("type_length is " + std::to_string(element.type_length), between(0, bits)));
    }
  } else if (element.type == Type::INT96) {
    subject.report(Rule::schema_int96_deprecated, "type", contrast("INT96", "INT64 with TIMESTAMP"),
                   subject.leaf());
  }
}

/// Reports why the list of elements is no tree.
void check_shape(FileCheck& check) {
  const Schema& schema = check.footer.schema;
  const std::uint32_t at = schema.fault_index();
  switch (schema.fault()) {
    case Schema::Fault::empty:
      FindingSite::of_file_metadata(check).report(Rule::footer_schema_nonempty, "schema",
                                                  contrast(0, or_more(1)));
      break;
    case Schema::Fault::left_over:
      site(check, at).report(Rule::schema_tree, "",
                             contrast(counted(schema.nodes().size() - at, "element") + " left over", "none"));
      break;
    case Schema::Fault::too_few:
      site(check, at).report(Rule::schema_tree, "num_children",
                             contrast("fewer elements than num_children asks for", "as many"));
      break;
    // SchemaRules::element() reports these.
    case Schema::Fault::none:
    case Schema::Fault::root_not_group:
    case Schema::Fault::group_or_leaf:
    case Schema::Fault::negative_children:
      break;
  }
}

/// limit/schema-depth. Levels and paths cost work for each ancestor of a leaf, and a small file can state
/// many deeply nested leaves.
void report_depth(FileCheck& check) {
  const std::uint64_t limit = check.options.limits.schema_depth;
  const Nodes& nodes = check.footer.schema.nodes();
  const auto at = std::ranges::find_if(nodes, [&](const Node& node) { return node.depth > limit; });
  site(check, static_cast<std::uint32_t>(at - nodes.begin()))
      .report(Rule::limit_schema_depth, "", contrast(check.footer.schema.depth(), limit));
  check.outcome.not_run.push_back({"row groups", "the schema is nested deeper than the limit", {}, {}});
}

void check_sibling_names(FileCheck& check) {
  const Nodes& nodes = check.footer.schema.nodes();
  std::vector<std::uint32_t> children;
  for (std::uint32_t parent = 0; parent < nodes.size(); ++parent) {
    if (nodes[parent].is_leaf && parent != 0) continue;
    children.clear();
    for (std::uint32_t child = parent + 1; child < nodes[parent].end; child = nodes[child].end) {
      children.push_back(child);
    }
    keep_possible_duplicates(nodes, children);
    // Hashes first, because names are long and many have a common prefix.
    std::ranges::stable_sort(children, [&](std::uint32_t one, std::uint32_t other) {
      const Node& a = nodes[one];
      const Node& b = nodes[other];
      return a.path_hash != b.path_hash ? a.path_hash < b.path_hash : text_of(a.name) < text_of(b.name);
    });
    for (std::size_t k = 1; k < children.size(); ++k) {
      const std::string_view name = text_of(nodes[children[k]].name);
      if (name != text_of(nodes[children[k - 1]].name)) continue;
      site(check, children[k])
          .report(Rule::schema_sibling_names, "name", contrast(name, "a name of its own in its group"));
    }
  }
}

/// Reports columns whose paths differ only in case, or in dots within names.
void check_similar_paths(FileCheck& check) {
  const Schema& schema = check.footer.schema;
  std::unordered_map<std::string, std::uint32_t> seen;
  for (std::size_t leaf = 0; leaf < schema.leaf_count(); ++leaf) {
    const std::uint32_t index = schema.leaf_index(leaf);
    const std::string path = schema.dotted_path(index);
    const auto [other, fresh] = seen.try_emplace(to_lower(path), index);
    // Equal paths break schema/sibling-names.
    if (fresh || schema.nodes()[index].path_hash == schema.nodes()[other->second].path_hash) continue;
    site(check, index)
        .report(Rule::schema_sibling_names_alike, "name",
                contrast(path, "a path that differs from \"" + schema.dotted_path(other->second) +
                                   "\" in more than case and dots"));
  }
}

/// Reports repeated fields outside of a LIST or MAP group.
void check_repeated_fields(FileCheck& check) {
  const Nodes& nodes = check.footer.schema.nodes();
  bool annotated = false;
  for (std::uint32_t i = 1; i < nodes.size() && !annotated; ++i)
    annotated = is_list(nodes, i) || is_map(nodes, i);
  for (std::uint32_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i].repetition != FieldRepetitionType::REPEATED || is_part_of_collection(nodes, i)) continue;
    site(check, i).report(annotated ? Rule::schema_mixed_list_styles : Rule::schema_bare_repeated,
                          "repetition_type", contrast("REPEATED", "a LIST or MAP group around it"));
  }
}

}  // namespace

void SchemaRules::element(const SchemaElement& element) {
  const Nodes& nodes = check_.footer.schema.nodes();
  const SchemaSubject subject{check_, element, nodes.back(), static_cast<std::uint32_t>(nodes.size() - 1)};
  // An element without a name was truncated; its other missing fields would be duplicate findings.
  const bool misread = element.fields.misread || !element.fields.mentions(Id::id_name);
  misread_ = misread_ || misread;
  if (misread) return;
  if (subject.index == 0) {
    check_root(subject);
  } else {
    check_below_root(subject);
  }
  check_children(subject);
  if (subject.node.is_leaf) {
    check_leaf(subject);
  } else if (element.has(Id::id_type_length) && element.type_length != 0) {
    subject.report(Rule::schema_group_type_length, "type_length", contrast(element.type_length, kAbsent));
  }
  check_decimal(subject);
  if (subject.index != 0) check_annotations(subject);
  if (!element.has(Id::id_field_id) || !check_.outcome.findings.wants(Rule::schema_field_id_unique)) return;
  const bool fresh = field_ids_.insert(element.field_id).second;
  if (element.field_id < 0 || !fresh) {
    subject.report(Rule::schema_field_id_unique, "field_id",
                   contrast(element.field_id, "0 or more, and no other's"));
  }
}

void SchemaRules::tree() const {
  if (!misread_) check_shape(check_);
  if (check_.footer.schema.fault() != Schema::Fault::none) return;
  if (check_.footer.schema.depth() > check_.options.limits.schema_depth) {
    return report_depth(check_);
  }
  check_sibling_names(check_);
  if (check_.outcome.findings.wants(Rule::schema_sibling_names_alike)) check_similar_paths(check_);
  check_nested_types(check_);
  check_repeated_fields(check_);
}

}  // namespace parqproof
