#include "codec/variant/shredding.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "codec/schema/nested.hpp"

namespace parqproof::variant {
namespace {

constexpr std::string_view kMetadata = "metadata";
constexpr std::string_view kValue = "value";
constexpr std::string_view kTypedValue = "typed_value";
constexpr std::string_view kShreddedType = "a type of shredded values";
constexpr std::int32_t kMaxPrecision = 38;

constexpr bool is_required(const Node& node) noexcept {
  return node.repetition == FieldRepetitionType::REQUIRED;
}
constexpr bool is_optional(const Node& node) noexcept {
  return node.repetition == FieldRepetitionType::OPTIONAL;
}

FindingValue repetition_of(const Node& node) { return symbol(kFieldRepetitionTypeEnum, node.repetition); }

/// The type of Variant values that a leaf holds; nullopt if there is none
/// (VariantShredding.md#shredded-value-types).
std::optional<Kind> kind_of(const Node& leaf) noexcept {
  const ResolvedType& type = leaf.logical;
  const bool micros = type.unit == SecondUnit::MICROS;
  const bool nanos = type.unit == SecondUnit::NANOS;
  const auto plain = [&](Kind kind) {
    return type.kind == LogicalKind::none && !type.is_unknown ? std::optional(kind) : std::nullopt;
  };
  switch (leaf.type) {
    case Type::BOOLEAN:
      return plain(Kind::boolean_true);
    case Type::FLOAT:
      return plain(Kind::real32);
    case Type::DOUBLE:
      return plain(Kind::real64);
    case Type::INT32:
      if (type.kind == LogicalKind::DATE) return Kind::date;
      if (type.kind == LogicalKind::DECIMAL) return Kind::decimal4;
      if (type.kind == LogicalKind::INTEGER && type.is_signed)
        return type.bit_width == 8 ? Kind::int8 : type.bit_width == 16 ? Kind::int16 : Kind::int32;
      return plain(Kind::int32);
    case Type::INT64:
      if (type.kind == LogicalKind::DECIMAL) return Kind::decimal8;
      if (type.kind == LogicalKind::INTEGER && type.is_signed) return Kind::int64;
      if (type.kind == LogicalKind::TIME && micros && !type.is_adjusted_to_utc) return Kind::time;
      if (type.kind == LogicalKind::TIMESTAMP && (micros || nanos)) {
        if (type.is_adjusted_to_utc) return micros ? Kind::timestamp : Kind::timestamp_nanos;
        return micros ? Kind::timestamp_ntz : Kind::timestamp_ntz_nanos;
      }
      return plain(Kind::int64);
    case Type::BYTE_ARRAY:
      if (type.kind == LogicalKind::STRING) return Kind::string;
      if (type.kind == LogicalKind::DECIMAL) return Kind::decimal16;
      return plain(Kind::binary);
    case Type::FIXED_LEN_BYTE_ARRAY:
      if (type.kind == LogicalKind::UUID) return Kind::uuid;
      return type.kind == LogicalKind::DECIMAL ? std::optional(Kind::decimal16) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Why a leaf holds no type of Variant values: what it is, and the type nearest to it.
Contrast no_kind(const Node& leaf) {
  const ResolvedType& type = leaf.logical;
  const std::string name(name_of(type.kind));
  const auto moment = [&](bool is_utc, std::string_view unit) {
    return name + (is_utc ? "(true, " : "(false, ") + std::string(unit) + ')';
  };
  const std::string_view unit = name_of(type.unit);
  switch (type.kind) {
    case LogicalKind::TIME:
      return contrast(moment(type.is_adjusted_to_utc, unit), moment(false, "MICROS"));
    case LogicalKind::TIMESTAMP:
      return contrast(moment(type.is_adjusted_to_utc, unit),
                      moment(type.is_adjusted_to_utc, "MICROS or NANOS"));
    case LogicalKind::INTEGER: {
      const std::string width = "INT(" + std::to_string(static_cast<int>(type.bit_width));
      return contrast(width + ", false)", width + ", true)");
    }
    case LogicalKind::none:
      return contrast(symbol(kTypeEnum, leaf.type), kShreddedType);
    default:
      return contrast(name, kShreddedType);
  }
}

class GroupFinder {
 public:
  GroupFinder(const Schema& schema, const SchemaFault& fault)
      : schema_(schema), nodes_(schema.nodes()), fault_(fault) {}

  std::optional<Group> find(std::uint32_t index) {
    const Node& node = nodes_[index];
    Group group;
    group.node = index;
    group.first = node.leaf;
    group.last = node.leaf + schema_.leaves_below(index);
    group.repetition = node.max_repetition;
    const Children found = children(index);
    metadata(index, found, group);
    top_value(index, found);
    for (const std::uint32_t other : found.others) {
      if (is_misnamed(other, found)) continue;
      fault_(Rule::variant_fields, other, "name",
             contrast(text_of(nodes_[other].name), "metadata, value or typed_value"));
    }
    part(index, found, group.top);
    group.fields = fields_;
    return usable_ ? std::optional(std::move(group)) : std::nullopt;
  }

 private:
  struct Children {
    std::uint32_t metadata = 0;
    std::uint32_t value = 0;
    std::uint32_t typed = 0;
    std::vector<std::uint32_t> others;
  };

  [[nodiscard]] Children children(std::uint32_t index) const {
    Children found;
    for (std::uint32_t child = index + 1; child < nodes_[index].end; child = nodes_[child].end) {
      const std::string_view name = text_of(nodes_[child].name);
      std::uint32_t* const known = name == kMetadata     ? &found.metadata
                                   : name == kValue      ? &found.value
                                   : name == kTypedValue ? &found.typed
                                                         : nullptr;
      if (known == nullptr) {
        found.others.push_back(child);
      } else if (*known == 0) {
        *known = child;
      }  // else schema/sibling-names
    }
    return found;
  }

  /// Returns true for a field whose name differs only in case from that of a field that is missing, which is
  /// reported.
  [[nodiscard]] bool is_misnamed(std::uint32_t other, const Children& found) const {
    const std::string name = to_lower(text_of(nodes_[other].name));
    return (found.metadata == 0 && name == kMetadata) || (found.value == 0 && name == kValue);
  }

  void fail(Rule rule, std::uint32_t node, std::string_view field, Contrast what) {
    fault_(rule, node, field, std::move(what));
    usable_ = false;
  }

  /// Judges the type of a `metadata` or `value`.
  bool is_binary(std::uint32_t index, Rule rule) {
    const Node& node = nodes_[index];
    if (!node.is_leaf) {
      fail(rule, index, "num_children", contrast("a group", "BYTE_ARRAY"));
    } else if (node.damaged || !node.readable) {
      usable_ = false;  // reported by rules of the element
    } else if (node.type != Type::BYTE_ARRAY) {
      fail(rule, index, "type", contrast(symbol(kTypeEnum, node.type), "BYTE_ARRAY"));
    } else {
      if (node.logical.kind != LogicalKind::none)
        fault_(rule, index, annotation_field(node), contrast(name_of(node.logical.kind), "no annotation"));
      return true;
    }
    return false;
  }

  /// shredding/shape: a `value` is not optional. A required one can be read.
  void wrong_repetition(std::uint32_t value) {
    const Node& node = nodes_[value];
    fault_(Rule::shredding_shape, value, "repetition_type", contrast(repetition_of(node), "OPTIONAL"));
    usable_ = usable_ && is_required(node);
  }

  void metadata(std::uint32_t index, const Children& found, Group& group) {
    if (found.metadata == 0)
      return fail(Rule::variant_group, index, "num_children",
                  contrast("no field metadata", "a field metadata"));
    if (!is_binary(found.metadata, Rule::variant_group)) return;
    const Node& node = nodes_[found.metadata];
    if (!is_required(node))
      return fail(Rule::variant_group, found.metadata, "repetition_type",
                  contrast(repetition_of(node), "REQUIRED"));
    group.metadata = node.leaf;
    group.metadata_definition = node.max_definition;
  }

  void top_value(std::uint32_t index, const Children& found) {
    if (found.value == 0) {
      const Contrast what = contrast("no field value", "a field value");
      if (found.typed == 0) return fail(Rule::variant_group, index, "num_children", what);
      return fault_(Rule::variant_value_field, index, "num_children", what);
    }
    if (!is_binary(found.value, Rule::variant_group)) return;
    const Node& node = nodes_[found.value];
    if (found.typed == 0 && is_optional(node))
      return fault_(Rule::variant_value_field, found.value, "repetition_type",
                    contrast(repetition_of(node), "REQUIRED"));
    if (found.typed == 0 && !is_required(node))
      return fail(Rule::variant_group, found.value, "repetition_type",
                  contrast(repetition_of(node), "REQUIRED"));
    if (found.typed != 0 && !is_optional(node)) wrong_repetition(found.value);
  }

  /// Reads value and typed_value of a group; `value` has been judged.
  void part(std::uint32_t index, const Children& found, Part& part) {
    part.node = index;
    part.name = text_of(nodes_[index].name);
    if (found.value != 0) {
      part.value = nodes_[found.value].leaf;
      part.value_definition = nodes_[found.value].max_definition;
    }
    if (found.typed == 0) return;
    const Node& typed = nodes_[found.typed];
    part.typed_node = found.typed;
    part.typed_definition = typed.max_definition;
    part.typed_first = typed.leaf;
    part.typed_last = typed.leaf + schema_.leaves_below(found.typed);
    if (!is_optional(typed))
      return fail(Rule::shredding_shape, found.typed, "repetition_type",
                  contrast(repetition_of(typed), "OPTIONAL"));
    if (typed.is_leaf) {
      primitive(found.typed, part);
    } else if (typed.logical.kind == LogicalKind::LIST) {
      array(found.typed, part);
    } else if (typed.logical.is_unknown) {
      usable_ = false;  // thrift/unknown-union-member
    } else if (typed.logical.kind != LogicalKind::none) {
      fail(Rule::shredding_shape, found.typed, annotation_field(typed),
           contrast(name_of(typed.logical.kind), "LIST or no annotation"));
    } else {
      object(found.typed, part);
    }
  }

  [[nodiscard]] static std::string_view annotation_field(const Node& node) {
    return node.logical.stated == LogicalKind::none ? "converted_type" : "logicalType";
  }

  void primitive(std::uint32_t index, Part& part) {
    const Node& node = nodes_[index];
    if (node.damaged || !node.readable || node.logical.is_misfit || node.logical.is_conflict ||
        node.logical.is_unknown) {
      usable_ = false;  // reported by rules of the element
      return;
    }
    const std::optional<Kind> kind = kind_of(node);
    const ResolvedType& type = node.logical;
    if (!kind) {
      fault_(Rule::shredding_type, index, type.kind == LogicalKind::none ? "type" : annotation_field(node),
             no_kind(node));
      usable_ = usable_ && type.kind == LogicalKind::UNKNOWN;  // which has nulls alone
    }
    if (type.kind == LogicalKind::DECIMAL && type.precision > kMaxPrecision) {
      fault_(Rule::shredding_type, index,
             type.stated == LogicalKind::none ? "precision" : "logicalType.DECIMAL.precision",
             contrast("DECIMAL(" + std::to_string(type.precision) + ", " + std::to_string(type.scale) + ')',
                      "a precision of at most " + std::to_string(kMaxPrecision)));
    }
    part.typed = Part::Typed::primitive;
    part.kind = kind.value_or(Kind::null);
    part.precision = type.precision;
    part.scale = static_cast<std::uint8_t>(type.scale);
  }

  /// Reads a field of an object, or the element of an array.
  void nested(std::uint32_t index, bool is_field, Part& nested) {
    const Node& node = nodes_[index];
    if (node.is_leaf)
      return fail(Rule::shredding_shape, index, "type", contrast(symbol(kTypeEnum, node.type), "a group"));
    if (!is_required(node)) {
      fault_(Rule::shredding_shape, index, "repetition_type", contrast(repetition_of(node), "REQUIRED"));
      if (!is_optional(node)) {  // perhaps the elements of a list, whose annotation is missing
        usable_ = false;
        return;
      }
      // A null group has neither value nor typed_value, and is read so.
    }
    if (node.logical.is_unknown) {
      usable_ = false;  // thrift/unknown-union-member
      return;
    }
    if (node.logical.kind != LogicalKind::none)
      return fail(Rule::shredding_shape, index, annotation_field(node),
                  contrast(name_of(node.logical.kind), "no annotation"));
    Children found = children(index);
    if (found.metadata != 0) found.others.insert(found.others.begin(), found.metadata);
    if (!found.others.empty())
      return fail(Rule::shredding_shape, found.others.front(), "name",
                  contrast(text_of(nodes_[found.others.front()].name), "value or typed_value"));
    if (found.value == 0 && found.typed == 0)
      return fail(Rule::shredding_shape, index, "num_children",
                  contrast("neither value nor typed_value", "value or typed_value"));
    if (found.value == 0 && is_field)
      fault_(Rule::variant_value_field, index, "num_children", contrast("no field value", "a field value"));
    if (found.value != 0) {
      if (!is_binary(found.value, Rule::shredding_shape)) return;
      const Node& value = nodes_[found.value];
      if (!is_optional(value) && (is_field || found.typed != 0 || !is_required(value)))
        wrong_repetition(found.value);
    }
    if (is_field) nested.ordinal = fields_++;
    part(index, found, nested);
  }

  void object(std::uint32_t index, Part& part) {
    if (nodes_[index].end == index + 1) return;  // schema/empty-group: no column shows if it is set
    part.typed = Part::Typed::object;
    for (std::uint32_t child = index + 1; child < nodes_[index].end; child = nodes_[child].end) {
      part.parts.emplace_back();
      nested(child, true, part.parts.back());
      part.names.push_back(text_of(nodes_[child].name));
    }
    std::ranges::sort(part.names);
  }

  void array(std::uint32_t index, Part& part) {
    const std::uint32_t repeated = repeated_child(nodes_, index);
    if (repeated == 0) {
      usable_ = false;  // reported by nested-type/*
      return;
    }
    const std::uint32_t element = nodes_[repeated].is_leaf ? 0 : only_child(nodes_, repeated);
    if (element == 0) {
      const bool is_leaf = nodes_[repeated].is_leaf;
      return fail(Rule::shredding_shape, repeated, is_leaf ? "type" : "num_children",
                  contrast(is_leaf ? std::string("a leaf")
                                   : "a group of " + counted(child_count(nodes_, repeated), "field"),
                           "a group of one field"));
    }
    part.typed = Part::Typed::array;
    part.element_definition = nodes_[repeated].max_definition;
    part.element_repetition = nodes_[repeated].max_repetition;
    part.parts.emplace_back();
    nested(element, false, part.parts.back());
  }

  const Schema& schema_;
  const Nodes& nodes_;
  const SchemaFault& fault_;
  bool usable_ = true;
  std::uint32_t fields_ = 0;
};

}  // namespace

std::optional<Group> group_around(const Schema& schema, const Node& leaf) {
  const Nodes& nodes = schema.nodes();
  for (std::uint32_t at = leaf.parent; at != 0; at = nodes[at].parent) {
    if (is_variant(nodes[at])) return find_group(schema, at, [](auto&&...) {});
  }
  return std::nullopt;
}

Role role_of(const Schema& schema, const Node& leaf) {
  const auto is_value = [&](const auto& self, const Part& part) -> bool {
    return part.value == leaf.leaf ||
           std::ranges::any_of(part.parts, [&](const Part& nested) { return self(self, nested); });
  };
  const std::optional<Group> group = group_around(schema, leaf);
  if (!group) return Role::none;
  if (group->metadata == leaf.leaf) return Role::metadata;
  return is_value(is_value, group->top) ? Role::value : Role::none;
}

bool is_variant(const Node& node) noexcept {
  return !node.is_leaf && node.logical.kind == LogicalKind::VARIANT;
}

std::optional<Group> find_group(const Schema& schema, std::uint32_t node, const SchemaFault& fault) {
  return GroupFinder(schema, fault).find(node);
}

}  // namespace parqproof::variant
