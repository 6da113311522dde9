#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>
#include <utility>

#include "codec/base/text.hpp"
#include "codec/schema/annotations.hpp"
#include "conformance/schema/schema_rules.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;

/// The rules for the physical types that annotations allow.
constexpr std::array<std::pair<LogicalKind, Rule>, 14> kCarrierRules{{
    {LogicalKind::STRING, Rule::logical_type_string_type},
    {LogicalKind::ENUM, Rule::logical_type_enum_type},
    {LogicalKind::DECIMAL, Rule::logical_type_decimal_type},
    {LogicalKind::DATE, Rule::logical_type_date_type},
    {LogicalKind::TIME, Rule::logical_type_time_type},
    {LogicalKind::TIMESTAMP, Rule::logical_type_timestamp_type},
    {LogicalKind::INTERVAL, Rule::logical_type_interval_type},
    {LogicalKind::INTEGER, Rule::logical_type_int_type},
    {LogicalKind::JSON, Rule::logical_type_json_type},
    {LogicalKind::BSON, Rule::logical_type_bson_type},
    {LogicalKind::UUID, Rule::logical_type_uuid_type},
    {LogicalKind::FLOAT16, Rule::logical_type_float16_type},
    {LogicalKind::GEOMETRY, Rule::logical_type_geometry_type},
    {LogicalKind::GEOGRAPHY, Rule::logical_type_geography_type},
}};

/// Returns true if the LogicalType is absent, or intact with one member; other cases have their own rules.
bool is_sound(const SchemaElement& element) {
  if (!element.fields.mentions(Id::id_logicalType)) return true;
  const LogicalType& type = element.logicalType;
  const auto is_intact = [](const thrift::Presences& fields) {
    return !fields.misread && fields.faulty == 0;
  };
  if (!element.has(Id::id_logicalType) || !is_intact(type.fields) || std::popcount(type.fields.present) != 1)
    return false;
  if (type.has(LogicalType::id_INTEGER))
    return type.INTEGER.has(IntType::id_bitWidth) && type.INTEGER.has(IntType::id_isSigned);
  const auto clock = [&](const auto& moment) {
    return is_intact(moment.fields) && moment.has(moment.id_unit) && moment.has(moment.id_isAdjustedToUTC) &&
           is_intact(moment.unit.fields) && std::popcount(moment.unit.fields.present) <= 1;
  };
  if (type.has(LogicalType::id_TIME)) return clock(type.TIME);
  if (type.has(LogicalType::id_TIMESTAMP)) return clock(type.TIMESTAMP);
  return true;
}

/// Returns true for signed INTEGER of 32 or 64 bits, which the physical type implies.
bool is_implied(const ResolvedType& type) {
  return type.kind == LogicalKind::INTEGER && type.is_signed && type.bit_width >= 32;
}

std::string_view converted_name(std::int8_t converted) {
  return converted < 0 ? std::string_view("absent") : kConvertedTypeEnum.name_of(converted);
}

/// The rules of one element, in order.
class Annotations {
 public:
  explicit Annotations(const SchemaSubject& subject)
      : subject_(subject),
        element_(subject.element),
        node_(subject.node),
        type_(subject.node.logical),
        row_(annotation_of(type_, node_.is_leaf, node_.type, node_.type_length)) {}

  void check() const {
    if (const std::optional<Addition> addition = later()) return not_judged(*addition);
    if (type_.stated == LogicalKind::VARIANT) version_of_variant();
    if (unknown_beside_converted()) return;
    if (type_.stated == LogicalKind::UNKNOWN && conflict()) return;
    if (wrong_node() || wrong_width() || needless_converted() || wrong_carrier() || conflict()) return;
    missing_converted();
    missing_logical();
  }

 private:
  /// Name of the field whose annotation is used.
  [[nodiscard]] std::string_view field() const {
    return type_.stated == type_.kind ? "logicalType" : "converted_type";
  }

  /// The addition of a later edition that the annotation is.
  [[nodiscard]] std::optional<Addition> later() const {
    if (!type_.is_misfit || type_.stated != type_.kind) return std::nullopt;
    return later_addition(type_, node_.is_leaf, node_.type, node_.type_length,
                          subject_.check.options.edition);
  }

  void not_judged(Addition addition) const {
    subject_.report(Rule::edition_undefined, "logicalType", undefined(addition), subject_.leaf());
    FileCheck& check = subject_.check;
    check.outcome.not_run.push_back({"what " + std::string(info(addition).name) + " says of the values",
                                     "it is part of " + std::string(info(info(addition).since).described),
                                     {-1, subject_.leaf(), -1},
                                     check.footer.schema.dotted_path(subject_.index)});
  }

  /// variant/specification-version
  void version_of_variant() const {
    constexpr int kVersion = 1;
    const VariantType& variant = element_.logicalType.VARIANT;
    const bool is_stated = variant.has(VariantType::id_specification_version);
    const int version = variant.specification_version;
    if (is_stated && version == kVersion) return;
    subject_.report(Rule::variant_specification_version, "logicalType.VARIANT.specification_version",
                    contrast(is_stated ? FindingValue(version) : FindingValue(kAbsent), kVersion),
                    subject_.leaf());
  }

  [[nodiscard]] bool unknown_beside_converted() const {
    const bool has_no_logical_type =
        type_.is(ConvertedType::INTERVAL) || type_.is(ConvertedType::MAP_KEY_VALUE);
    if (type_.stated != LogicalKind::UNKNOWN || !has_no_logical_type) return false;
    subject_.report(Rule::logical_type_unknown_beside_converted, "logicalType",
                    contrast("UNKNOWN beside " + std::string(converted_name(type_.converted)), kAbsent),
                    subject_.leaf());
    if (type_.is(ConvertedType::INTERVAL)) (void)(wrong_node() || wrong_carrier());
    return true;
  }

  [[nodiscard]] bool wrong_node() const {
    if (type_.kind == LogicalKind::none) return false;
    const bool of_groups = row_ != nullptr && row_->carriers == 0;
    if (of_groups != node_.is_leaf) return false;
    if (type_.kind == LogicalKind::VARIANT || type_.kind == LogicalKind::FILE) return true;
    const bool marks_entries = type_.stated == LogicalKind::none && type_.is(ConvertedType::MAP_KEY_VALUE);
    const std::string name(marks_entries ? "MAP_KEY_VALUE" : name_of(type_.kind));
    subject_.report(
        Rule::logical_type_leaf_annotation, field(),
        contrast(name + (node_.is_leaf ? " on a leaf" : " on a group"), node_.is_leaf ? "a group" : "a leaf"),
        subject_.leaf());
    return true;
  }

  [[nodiscard]] bool wrong_width() const {
    if (type_.kind != LogicalKind::INTEGER || row_ != nullptr) return false;
    subject_.report(Rule::logical_type_int_width, "logicalType.INTEGER.bitWidth",
                    contrast(static_cast<int>(type_.bit_width), "8, 16, 32 or 64"), subject_.leaf());
    return true;
  }

  /// The logical type suits the carrier, but not with a ConvertedType, whose carriers are others.
  [[nodiscard]] bool needless_converted() const {
    if (!type_.is_misfit || type_.converted < 0 || type_.stated != type_.kind) return false;
    ResolvedType alone = type_;
    alone.converted = -1;
    if (!suits(alone, node_.is_leaf, node_.type, node_.type_length, subject_.check.options.edition))
      return false;
    subject_.report(Rule::logical_type_converted_match, "converted_type",
                    contrast(converted_name(type_.converted), kAbsent), subject_.leaf());
    return true;
  }

  [[nodiscard]] bool wrong_carrier() const {
    const auto rule = std::ranges::find(kCarrierRules, type_.kind, &std::pair<LogicalKind, Rule>::first);
    if (!type_.is_misfit || row_ == nullptr || rule == kCarrierRules.end()) return type_.is_misfit;
    const Edition edition = subject_.check.options.edition;
    const bool by_length = has_carrier(type_, node_.type, edition);
    if (by_length && node_.type_length <= 0) return true;  // schema/type-length, schema/flba-zero-length
    FindingValue found = symbol(kTypeEnum, node_.type);
    if (by_length) {
      found = std::string(kTypeEnum.name_of(static_cast<int>(node_.type))) + " of " +
              counted(static_cast<std::uint64_t>(node_.type_length), "byte");
    }
    std::string at(field());
    const bool integer = node_.type == Type::INT32 || node_.type == Type::INT64;
    if (integer && at == "logicalType") {
      if (type_.kind == LogicalKind::INTEGER) at += ".INTEGER.bitWidth";
      if (type_.kind == LogicalKind::TIME) at += ".TIME.unit";
    }
    subject_.report(rule->second, at, contrast(std::move(found), carriers_text(type_, edition)),
                    subject_.leaf());
    return true;
  }

  [[nodiscard]] bool conflict() const {
    if (!type_.is_conflict) return false;
    FindingValue expected = "another";  // for an unknown unit
    if (type_.stated == LogicalKind::UNKNOWN) {
      expected = kAbsent;
    } else if (row_ != nullptr) {
      expected = converted_name(row_->converted);
    }
    subject_.report(Rule::logical_type_converted_match, "converted_type",
                    contrast(converted_name(type_.converted), std::move(expected)), subject_.leaf());
    return true;
  }

  void missing_converted() const {
    if (type_.stated == LogicalKind::none || row_ == nullptr || row_->converted < 0 || is_implied(type_))
      return;
    if (element_.fields.mentions(Id::id_converted_type)) return;
    const bool local = row_->unit != SecondUnit::none && !type_.is_adjusted_to_utc;
    subject_.report(local ? Rule::logical_type_converted_present_local : Rule::logical_type_converted_present,
                    "converted_type", contrast(kAbsent, converted_name(row_->converted)), subject_.leaf());
  }

  void missing_logical() const {
    if (element_.fields.mentions(Id::id_logicalType) || type_.kind == LogicalKind::none) return;
    if (type_.kind == LogicalKind::INTERVAL || type_.is(ConvertedType::MAP_KEY_VALUE) || is_implied(type_))
      return;
    // logical-type/decimal-precision
    if (type_.kind == LogicalKind::DECIMAL && !element_.fields.mentions(Id::id_precision)) return;
    subject_.report(Rule::logical_type_logical_present, "logicalType", contrast(kAbsent, name_of(type_.kind)),
                    subject_.leaf());
  }

  const SchemaSubject& subject_;
  const SchemaElement& element_;
  const Node& node_;
  const ResolvedType& type_;
  const Annotation* row_;
};

}  // namespace

void check_annotations(const SchemaSubject& subject) {
  const thrift::Presences& fields = subject.element.fields;
  if (!fields.mentions(Id::id_logicalType) && !fields.mentions(Id::id_converted_type)) return;
  if (is_sound(subject.element)) Annotations(subject).check();
}

void check_unknown_columns(FileCheck& check) {
  const ParsedFooter& footer = check.footer;
  const bool has_rows = std::ranges::any_of(
      footer.row_groups, [](const RowGroupClaim& group) { return group.has_num_rows && group.num_rows > 0; });
  if (!footer.schema_usable || !has_rows) return;
  for (std::size_t leaf = 0; leaf < footer.schema.leaf_count(); ++leaf) {
    const Node& node = footer.schema.leaf(leaf);
    if (node.logical.kind != LogicalKind::UNKNOWN || node.max_definition != 0 || node.damaged) continue;
    FindingSite::of_schema_element(check, footer.schema.leaf_index(leaf), static_cast<std::int32_t>(leaf))
        .report(Rule::logical_type_unknown_not_required, "logicalType",
                contrast("required on its whole path", "a column that can be null"));
  }
}

}  // namespace parqproof
