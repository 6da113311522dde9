#include "conformance/schema/decimal_rules.hpp"

#include <optional>
#include <string>

#include "codec/schema/decimal.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;

/// By either annotation.
bool is_decimal(const SchemaElement& element) {
  return (element.has(Id::id_converted_type) && element.converted_type == ConvertedType::DECIMAL) ||
         (element.has(Id::id_logicalType) && element.logicalType.fields.mentions(LogicalType::id_DECIMAL));
}

/// The same of an element; nothing where it does not state its type.
std::optional<std::int32_t> most_digits(const SchemaElement& element) {
  if (!element.has(Id::id_type)) return std::nullopt;
  return parqproof::most_digits(element.type, element.has(Id::id_type_length) ? element.type_length : 0);
}

/// A number of a decimal: what the LogicalType says of it, and what the element says.
struct Number {
  bool stated;
  std::int32_t value;
  std::string_view field;
};

class Decimal {
 public:
  Decimal(FileCheck& check, const SchemaSubject& subject)
      : check_(check), element_(subject.element), node_(subject.node), index_(subject.index) {}

  void check() const {
    if (!logical_ && !element_.fields.mentions(Id::id_precision)) {
      site().report(Rule::logical_type_decimal_precision, "precision", contrast("absent", "1 or more"));
    }
    bool sound = true;
    for (std::size_t k = 0; k < 2; ++k) sound = numbers(k) && sound;
    if (!sound) return;
    if (precisions_[0].stated && scales_[0].stated) {
      repeated(precisions_, Id::id_precision);
      repeated(scales_, Id::id_scale);
    }
    small();
  }

 private:
  [[nodiscard]] FindingSite site(std::int32_t leaf = -1) const {
    return FindingSite::of_schema_element(check_, index_, leaf);
  }

  /// The numbers of the LogicalType (0) or of the element (1), each alone; where both state one number, it is
  /// judged once. False where one is impossible.
  [[nodiscard]] bool numbers(std::size_t k) const {
    bool sound = true;
    const auto& [stated, precision, field] = precisions_[k];
    const bool known = stated && precision > 0;
    if (stated && (k == 0 || !precisions_[0].stated || precision != precisions_[0].value)) {
      const std::optional<std::int32_t> most = most_digits(element_);
      if (precision <= 0) {
        site().report(Rule::logical_type_decimal_precision, field, contrast(precision, "1 or more"));
        sound = false;
      } else if (most && precision > *most) {
        site().report(Rule::logical_type_decimal_precision_limit, field,
                      contrast(precision, "at most " + std::to_string(*most)));
        sound = false;
      }
    }
    const Number& scale = scales_[k];
    if (!scale.stated || (k == 1 && scales_[0].stated && scale.value == scales_[0].value)) return sound;
    if (scale.value >= 0 && (!known || scale.value <= precision)) return sound;
    site().report(Rule::logical_type_decimal_scale, scale.field,
                  contrast(scale.value, known ? "0 to " + std::to_string(precision) : "0 or more"));
    return false;
  }

  /// logical-type/decimal-element-fields, at the element: readers follow the LogicalType. An element whose
  /// converted_type is missing lacks its numbers for the same reason.
  void repeated(const Number (&number)[2], Id id) const {
    const bool absent = !element_.fields.mentions(id);
    if (absent ? !has_converted_ : !number[1].stated) return;
    const std::int32_t value = absent ? 0 : number[1].value;
    const bool needed = id == Id::id_precision;  // an absent scale is 0
    if (value == number[0].value && !(absent && needed)) return;
    site(static_cast<std::int32_t>(node_.leaf))
        .report(Rule::logical_type_decimal_element_fields, number[1].field,
                contrast(absent ? "absent" : std::to_string(value), number[0].value));
  }

  void small() const {
    constexpr std::int32_t kDigitsOfInt32 = 9;
    if (element_.type != Type::INT64 || !element_.has(Id::id_type)) return;
    const Number& precision = precisions_[precisions_[0].stated ? 0 : 1];
    if (!precision.stated || precision.value > kDigitsOfInt32) return;
    site(static_cast<std::int32_t>(node_.leaf))
        .report(Rule::logical_type_decimal_int64_small, precision.field,
                contrast(precision.value, "10 or more"));
  }

  FileCheck& check_;
  const SchemaElement& element_;
  const Node& node_;
  std::uint32_t index_;
  bool has_converted_ =
      element_.has(Id::id_converted_type) && element_.converted_type == ConvertedType::DECIMAL;
  bool logical_ = element_.has(Id::id_logicalType) && element_.logicalType.has(LogicalType::id_DECIMAL);
  const DecimalType& type_ = element_.logicalType.DECIMAL;
  Number precisions_[2] = {
      {logical_ && type_.has(DecimalType::id_precision), type_.precision, "logicalType.DECIMAL.precision"},
      {element_.has(Id::id_precision), element_.precision, "precision"}};
  Number scales_[2] = {
      {logical_ && type_.has(DecimalType::id_scale), type_.scale, "logicalType.DECIMAL.scale"},
      {element_.has(Id::id_scale), element_.scale, "scale"}};
};

}  // namespace

void check_decimal(FileCheck& check, const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  if (subject.node.logical.is_conflict) return;  // logical-type/converted-match
  if (is_decimal(element)) {
    if (subject.node.is_leaf) Decimal(check, subject).check();
    return;
  }
  if (element.has(Id::id_scale) && element.scale != 0) {
    FindingSite::of_schema_element(check, subject.index)
        .report(Rule::schema_scale_precision_context, "scale", contrast(element.scale, "absent"));
  }
  if (element.has(Id::id_precision) && element.precision != 0) {
    FindingSite::of_schema_element(check, subject.index)
        .report(Rule::schema_scale_precision_context, "precision", contrast(element.precision, "absent"));
  }
}

}  // namespace parqproof
