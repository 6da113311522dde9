#include <optional>
#include <string>

#include "codec/schema/decimal.hpp"
#include "conformance/schema/schema_rules.hpp"

namespace parqproof {
namespace {

using Id = SchemaElement::Id;

/// Returns true if either annotation is DECIMAL.
bool is_decimal(const SchemaElement& element) {
  return (element.has(Id::id_converted_type) && element.converted_type == ConvertedType::DECIMAL) ||
         (element.has(Id::id_logicalType) && element.logicalType.fields.mentions(LogicalType::id_DECIMAL));
}

/// Returns the max precision of an element; nullopt if it has no type.
std::optional<std::int32_t> most_digits(const SchemaElement& element) {
  if (!element.has(Id::id_type)) return std::nullopt;
  return parqproof::most_digits(element.type, element.has(Id::id_type_length) ? element.type_length : 0);
}

/// Scale or precision of a decimal, in the LogicalType and in the element.
struct Number {
  bool stated;
  std::int32_t value;
  std::string_view field;
};

class Decimal {
 public:
  explicit Decimal(const SchemaSubject& subject) : subject_(subject), element_(subject.element) {}

  void check() const {
    if (!logical_ && !element_.fields.mentions(Id::id_precision)) {
      subject_.report(Rule::logical_type_decimal_precision, "precision", contrast(kAbsent, or_more(1)));
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
  /// Judges the numbers of the LogicalType (0) or of the element (1). A number that both state is judged
  /// once. Returns false if one is impossible.
  [[nodiscard]] bool numbers(std::size_t k) const {
    bool sound = true;
    const auto& [stated, precision, field] = precisions_[k];
    const bool known = stated && precision > 0;
    if (stated && (k == 0 || !precisions_[0].stated || precision != precisions_[0].value)) {
      const std::optional<std::int32_t> most = most_digits(element_);
      if (precision <= 0) {
        subject_.report(Rule::logical_type_decimal_precision, field, contrast(precision, or_more(1)));
        sound = false;
      } else if (most && precision > *most) {
        subject_.report(Rule::logical_type_decimal_precision_limit, field,
                        contrast(precision, at_most(*most)));
        sound = false;
      }
    }
    const Number& scale = scales_[k];
    if (!scale.stated || (k == 1 && scales_[0].stated && scale.value == scales_[0].value)) return sound;
    if (scale.value >= 0 && (!known || scale.value <= precision)) return sound;
    subject_.report(Rule::logical_type_decimal_scale, scale.field,
                    contrast(scale.value, known ? between(0, precision) : or_more(0)));
    return false;
  }

  /// logical-type/decimal-element-fields. It is reported at the element, because readers use the LogicalType.
  /// An element without converted_type lacks its numbers for the same reason.
  void repeated(const Number (&number)[2], Id id) const {
    const bool absent = !element_.fields.mentions(id);
    if (absent ? !has_converted_ : !number[1].stated) return;
    const std::int32_t value = absent ? 0 : number[1].value;
    const bool needed = id == Id::id_precision;  // an absent scale means 0
    if (value == number[0].value && !(absent && needed)) return;
    subject_.report(Rule::logical_type_decimal_element_fields, number[1].field,
                    contrast(absent ? FindingValue(kAbsent) : value, number[0].value), subject_.leaf());
  }

  void small() const {
    constexpr std::int32_t kDigitsOfInt32 = 9;
    if (element_.type != Type::INT64 || !element_.has(Id::id_type)) return;
    const Number& precision = precisions_[precisions_[0].stated ? 0 : 1];
    if (!precision.stated || precision.value > kDigitsOfInt32) return;
    subject_.report(Rule::logical_type_decimal_int64_small, precision.field,
                    contrast(precision.value, or_more(10)), subject_.leaf());
  }

  const SchemaSubject& subject_;
  const SchemaElement& element_;
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

void check_decimal(const SchemaSubject& subject) {
  const SchemaElement& element = subject.element;
  if (subject.node.logical.is_conflict) return;  // reported by logical-type/converted-match
  if (is_decimal(element)) {
    if (subject.node.is_leaf) Decimal(subject).check();
    return;
  }
  if (element.has(Id::id_scale) && element.scale != 0)
    subject.report(Rule::schema_scale_precision_context, "scale", contrast(element.scale, kAbsent));
  if (element.has(Id::id_precision) && element.precision != 0)
    subject.report(Rule::schema_scale_precision_context, "precision", contrast(element.precision, kAbsent));
}

}  // namespace parqproof
