#include "codec/write/variant/variant_schema.hpp"

#include <algorithm>
#include <utility>

#include "codec/schema/annotate.hpp"
#include "codec/variant/faults.hpp"

namespace parqproof {
namespace {

using thrift::set;
using variant::Item;
using variant::Kind;

constexpr std::uint32_t kMostDepth = 10;     // of places that have columns
constexpr std::uint64_t kRareField = 10;     // one in so many objects
constexpr std::size_t kMostFields = 10'000;  // of the objects at one place that are counted
constexpr std::int32_t kUuidBytes = 16;
constexpr std::int32_t kDecimal16Bytes = 16;

SchemaElement element_of(std::string_view name, FieldRepetitionType repetition) {
  SchemaElement out;
  set(out, SchemaElement::id_name, SchemaElement::id_repetition_type);
  out.name = view_of(name);
  out.repetition_type = repetition;
  return out;
}

SchemaElement group_of(std::string_view name, FieldRepetitionType repetition, std::size_t children) {
  SchemaElement out = element_of(name, repetition);
  set(out, SchemaElement::id_num_children);
  out.num_children = static_cast<std::int32_t>(children);
  return out;
}

SchemaElement leaf_of(std::string_view name, FieldRepetitionType repetition, Type type) {
  SchemaElement out = element_of(name, repetition);
  set(out, SchemaElement::id_type);
  out.type = type;
  return out;
}

void annotate_timestamp(SchemaElement& element, bool is_adjusted_to_utc, TimeUnit::Id unit) {
  annotate(element, LogicalType::id_TIMESTAMP);
  if (unit == TimeUnit::id_MICROS)
    annotate(element, LogicalType::id_TIMESTAMP, ConvertedType::TIMESTAMP_MICROS);
  set_unit(element.logicalType.TIMESTAMP, is_adjusted_to_utc, unit);
}

/// The column of a primitive (VariantShredding.md#shredded-value-types).
SchemaElement primitive_of(Kind kind, std::uint8_t scale) {
  const auto typed = [](Type type) { return leaf_of("typed_value", FieldRepetitionType::OPTIONAL, type); };
  const auto fixed = [&typed](std::int32_t length) {
    SchemaElement out = typed(Type::FIXED_LEN_BYTE_ARRAY);
    set(out, SchemaElement::id_type_length);
    out.type_length = length;
    return out;
  };
  SchemaElement out;
  switch (kind) {
    case Kind::boolean_true:
    case Kind::boolean_false:
      return typed(Type::BOOLEAN);
    case Kind::int8:
      annotate_integer(out = typed(Type::INT32), 8, true, ConvertedType::INT_8);
      return out;
    case Kind::int16:
      annotate_integer(out = typed(Type::INT32), 16, true, ConvertedType::INT_16);
      return out;
    case Kind::int32:
      return typed(Type::INT32);
    case Kind::int64:
      return typed(Type::INT64);
    case Kind::real32:
      return typed(Type::FLOAT);
    case Kind::real64:
      return typed(Type::DOUBLE);
    case Kind::decimal4:
      annotate_decimal(out = typed(Type::INT32), digits_of(kind), scale);
      return out;
    case Kind::decimal8:
      annotate_decimal(out = typed(Type::INT64), digits_of(kind), scale);
      return out;
    case Kind::decimal16:
      annotate_decimal(out = fixed(kDecimal16Bytes), digits_of(kind), scale);
      return out;
    case Kind::date:
      annotate(out = typed(Type::INT32), LogicalType::id_DATE, ConvertedType::DATE);
      return out;
    case Kind::time:
      annotate(out = typed(Type::INT64), LogicalType::id_TIME, ConvertedType::TIME_MICROS);
      set_unit(out.logicalType.TIME, false, TimeUnit::id_MICROS);
      return out;
    case Kind::timestamp:
    case Kind::timestamp_ntz:
      annotate_timestamp(out = typed(Type::INT64), kind == Kind::timestamp, TimeUnit::id_MICROS);
      return out;
    case Kind::timestamp_nanos:
    case Kind::timestamp_ntz_nanos:
      annotate_timestamp(out = typed(Type::INT64), kind == Kind::timestamp_nanos, TimeUnit::id_NANOS);
      return out;
    case Kind::string:
      annotate(out = typed(Type::BYTE_ARRAY), LogicalType::id_STRING, ConvertedType::UTF8);
      return out;
    case Kind::uuid:
      annotate(out = fixed(kUuidBytes), LogicalType::id_UUID);
      return out;
    default:
      return typed(Type::BYTE_ARRAY);  // binary
  }
}

void emit_typed(const ShreddedType& type, thrift::ListBuilder<SchemaElement>& out) {
  using enum FieldRepetitionType;
  if (type.kind == Kind::object) {
    out.add(group_of("typed_value", OPTIONAL, type.parts.size()));
  } else if (type.kind == Kind::array) {
    SchemaElement list = group_of("typed_value", OPTIONAL, 1);
    annotate(list, LogicalType::id_LIST, ConvertedType::LIST);
    out.add(list);
    out.add(group_of("list", REPEATED, 1));
  } else {
    out.add(primitive_of(type.kind, type.scale));
  }
  for (const ShreddedType& part : type.parts) {
    const bool is_shredded = part.kind != Kind::null;
    out.add(group_of(part.name, REQUIRED, is_shredded ? 2 : 1));
    out.add(leaf_of("value", OPTIONAL, Type::BYTE_ARRAY));
    if (is_shredded) emit_typed(part, out);
  }
}

}  // namespace

void emit_variant_group(const ShreddedType& type, FieldRepetitionType repetition,
                        thrift::ListBuilder<SchemaElement>& out) {
  using enum FieldRepetitionType;
  const bool is_shredded = type.kind != Kind::null;
  SchemaElement group = group_of(type.name, repetition, is_shredded ? 3 : 2);
  annotate(group, LogicalType::id_VARIANT);
  VariantType& variant = group.logicalType.VARIANT;
  set(variant, VariantType::id_specification_version);
  variant.specification_version = 1;
  out.add(group);
  out.add(leaf_of("metadata", REQUIRED, Type::BYTE_ARRAY));
  out.add(leaf_of("value", is_shredded ? OPTIONAL : REQUIRED, Type::BYTE_ARRAY));
  if (is_shredded) emit_typed(type, out);
}

void VariantSchemaFinder::add(std::span<const std::uint8_t> metadata, std::span<const std::uint8_t> value) {
  variant::NoFaults ignored;
  variant::Metadata names;
  if (!names.read({metadata}, ignored)) return;
  // Values have a byte or more each, unless they overlap: then they are counted only so often.
  items_left_ = value.size();
  count(names, value, 1, top_);
}

VariantSchemaFinder::Tally* VariantSchemaFinder::field_of(Tally& objects, std::string_view name) {
  if (const auto known = objects.fields.find(name); known != objects.fields.end()) return &known->second;
  return objects.fields.size() == kMostFields ? nullptr : &objects.fields[std::string(name)];
}

void VariantSchemaFinder::count(const variant::Metadata& metadata, std::span<const std::uint8_t> value,
                                std::uint32_t depth, Tally& tally) {
  Item item;
  if (items_left_ == 0 || value.empty()) return;
  --items_left_;
  if (read_item(value, item).reason != variant::Unreadable::Reason::none) return;
  ++tally.values;
  TypedValue type{item.kind, 0};
  if (type.kind == Kind::boolean_false) type.kind = Kind::boolean_true;
  if (is_decimal(type.kind)) type.scale = item.data()[0];
  ++tally.types[type];
  if (!is_container(item.kind) || depth == kMostDepth) return;
  if (item.kind == Kind::array && tally.element.empty() && item.count != 0) tally.element.emplace_back();
  for (std::uint32_t i = 0; i < item.count && items_left_ != 0; ++i) {
    const std::uint64_t begin = std::uint64_t{item.values} + item.offset(i);
    if (begin >= value.size()) return;
    if (item.kind == Kind::object && item.id(i) >= metadata.size()) return;
    Tally* const nested =
        item.kind == Kind::array ? &tally.element.front() : field_of(tally, metadata.name(item.id(i)));
    if (nested != nullptr)
      count(metadata, value.subspan(static_cast<std::size_t>(begin)), depth + 1, *nested);
  }
}

/// `columns`: left for typed_value.
ShreddedType VariantSchemaFinder::type_of(std::string_view name, const Tally& tally, std::size_t& columns) {
  ShreddedType found;
  found.name = name;
  // Null has no column: of a place where half of the values are null, the other half can have one.
  const auto most = std::ranges::max_element(
      tally.types, {}, [](const auto& one) { return one.first.kind == Kind::null ? 0 : one.second; });
  if (columns == 0 || most == tally.types.end() || 2 * most->second < tally.values) return found;
  switch (most->first.kind) {
    case Kind::null:
      return found;
    case Kind::array: {
      if (tally.element.empty()) return found;
      --columns;
      found.parts.push_back(type_of("element", tally.element.front(), columns));
      break;
    }
    case Kind::object: {
      std::vector<std::pair<std::string_view, const Tally*>> fields;
      for (const auto& [field, nested] : tally.fields) {
        if (!field.empty() && nested.values * kRareField >= most->second) fields.emplace_back(field, &nested);
      }
      std::ranges::sort(fields, [](const auto& one, const auto& other) {
        return one.second->values != other.second->values ? one.second->values > other.second->values
                                                          : one.first < other.first;
      });
      for (const auto& [field, nested] : fields) {
        if (columns == 0) break;
        --columns;
        found.parts.push_back(type_of(field, *nested, columns));
      }
      std::ranges::sort(found.parts, {}, &ShreddedType::name);
      if (found.parts.empty()) return found;
      break;
    }
    default:
      if (is_decimal(most->first.kind) && most->first.scale > digits_of(most->first.kind)) return found;
      --columns;
  }
  found.kind = most->first.kind;
  found.scale = most->first.scale;
  return found;
}

ShreddedType VariantSchemaFinder::find(std::size_t most_columns) const {
  return type_of({}, top_, most_columns);
}

}  // namespace parqproof
