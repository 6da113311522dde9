// Meaning of schema elements, by LogicalType, ConvertedType or both (LogicalTypes.md).
#include "codec/schema/logical.hpp"

#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <string_view>

#include "codec/schema/annotations.hpp"
#include "codec/schema/order.hpp"
#include "tests/support/leaves.hpp"

namespace {

using namespace parqproof;
using namespace support;
using Origin = ResolvedType::Origin;

SchemaElement integer(std::int8_t bit_width, bool is_signed) {
  SchemaElement element = logical(leaf(Type::INT32), LogicalType::id_INTEGER);
  element.logicalType.INTEGER.bitWidth = bit_width;
  element.logicalType.INTEGER.isSigned = is_signed;
  return element;
}
SchemaElement with_scale(SchemaElement element, std::int32_t scale) {
  element.fields.present |= 1U << SchemaElement::id_scale;
  element.scale = scale;
  return element;
}
SchemaElement with_precision(SchemaElement element, std::int32_t precision) {
  element.fields.present |= 1U << SchemaElement::id_precision;
  element.precision = precision;
  return element;
}
View view_of(std::string_view text, std::uint64_t base) {
  return {{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, base};
}

/// The node of an element that is a leaf below the root.
Node below_root(const SchemaElement& element) {
  SchemaElement root;
  root.fields.present = 1U << SchemaElement::id_num_children;
  root.num_children = 1;
  Schema schema;
  schema.add(root);
  schema.add(element);
  return schema.nodes().back();
}

TEST_CASE("an element without annotations has no logical type") {
  const ResolvedType type = resolve(leaf(Type::INT32));
  CHECK(type.kind == LogicalKind::none);
  CHECK(type.origin() == Origin::none);
  CHECK_FALSE(type.is_conflict);
}

TEST_CASE("each member of LogicalType has the kind of its id") {
  for (int id = LogicalType::id_STRING; id <= LogicalType::id_FILE; ++id) {
    if (id == static_cast<int>(LogicalKind::INTERVAL)) continue;  // reserved
    const ResolvedType type = resolve(logical(leaf(Type::BYTE_ARRAY), static_cast<LogicalType::Id>(id)));
    INFO(id);
    CHECK(static_cast<int>(type.kind) == id);
    CHECK(type.stated == type.kind);
    CHECK(type.origin() == Origin::logical_type);
    CHECK_FALSE(type.is_conflict);
  }
}

TEST_CASE("the parameters of a LogicalType are the stated ones and their defaults") {
  SchemaElement element = decimal(Type::INT32, 2);
  element.logicalType.DECIMAL.precision = 9;
  CHECK(resolve(element).scale == 2);
  CHECK(resolve(element).precision == 9);

  CHECK(resolve(integer(16, false)).bit_width == 16);
  CHECK_FALSE(resolve(integer(16, false)).is_signed);
  CHECK(resolve(integer(8, true)).is_signed);

  for (const LogicalType::Id id : {LogicalType::id_TIME, LogicalType::id_TIMESTAMP}) {
    CHECK(resolve(moment(Type::INT64, id, TimeUnit::id_MILLIS)).unit == SecondUnit::MILLIS);
    CHECK(resolve(moment(Type::INT64, id, TimeUnit::id_MICROS)).unit == SecondUnit::MICROS);
    CHECK(resolve(moment(Type::INT64, id, TimeUnit::id_NANOS)).unit == SecondUnit::NANOS);
    CHECK(resolve(logical(leaf(Type::INT64), id)).unit == SecondUnit::none);  // a unit of a later edition
    CHECK(resolve(moment(Type::INT64, id, TimeUnit::id_NANOS, true)).is_adjusted_to_utc);
    CHECK_FALSE(resolve(moment(Type::INT64, id, TimeUnit::id_NANOS, false)).is_adjusted_to_utc);
  }

  SchemaElement variant = logical(leaf(Type::BYTE_ARRAY), LogicalType::id_VARIANT);
  CHECK(resolve(variant).specification_version == 0);
  variant.logicalType.VARIANT.specification_version = 1;
  CHECK(resolve(variant).specification_version == 1);

  SchemaElement geography = logical(leaf(Type::BYTE_ARRAY), LogicalType::id_GEOGRAPHY);
  CHECK(resolve(geography).algorithm == static_cast<int>(EdgeInterpolationAlgorithm::SPHERICAL));
  geography.logicalType.GEOGRAPHY.algorithm = EdgeInterpolationAlgorithm::KARNEY;
  CHECK(resolve(geography).algorithm == static_cast<int>(EdgeInterpolationAlgorithm::KARNEY));
  geography.logicalType.GEOGRAPHY.algorithm = static_cast<EdgeInterpolationAlgorithm>(256);
  CHECK(resolve(geography).algorithm == -1);

  CHECK(digits_of(SecondUnit::none) == 0);
  CHECK(digits_of(SecondUnit::MILLIS) == 3);
  CHECK(digits_of(SecondUnit::MICROS) == 6);
  CHECK(digits_of(SecondUnit::NANOS) == 9);
}

TEST_CASE("each ConvertedType is the logical type that it corresponds to") {
  struct Row {
    ConvertedType converted;
    LogicalKind kind;
    std::int8_t bit_width = 0;
    bool is_signed = true;
    SecondUnit unit = SecondUnit::none;
  };
  using enum ConvertedType;
  constexpr Row kRows[] = {
      {UTF8, LogicalKind::STRING},
      {MAP, LogicalKind::MAP},
      {MAP_KEY_VALUE, LogicalKind::MAP},
      {LIST, LogicalKind::LIST},
      {ENUM, LogicalKind::ENUM},
      {DECIMAL, LogicalKind::DECIMAL},
      {DATE, LogicalKind::DATE},
      {TIME_MILLIS, LogicalKind::TIME, 0, true, SecondUnit::MILLIS},
      {TIME_MICROS, LogicalKind::TIME, 0, true, SecondUnit::MICROS},
      {TIMESTAMP_MILLIS, LogicalKind::TIMESTAMP, 0, true, SecondUnit::MILLIS},
      {TIMESTAMP_MICROS, LogicalKind::TIMESTAMP, 0, true, SecondUnit::MICROS},
      {UINT_8, LogicalKind::INTEGER, 8, false},
      {UINT_16, LogicalKind::INTEGER, 16, false},
      {UINT_32, LogicalKind::INTEGER, 32, false},
      {UINT_64, LogicalKind::INTEGER, 64, false},
      {INT_8, LogicalKind::INTEGER, 8, true},
      {INT_16, LogicalKind::INTEGER, 16, true},
      {INT_32, LogicalKind::INTEGER, 32, true},
      {INT_64, LogicalKind::INTEGER, 64, true},
      {JSON, LogicalKind::JSON},
      {BSON, LogicalKind::BSON},
      {INTERVAL, LogicalKind::INTERVAL},
  };
  int next = 0;
  for (const Row& row : kRows) {
    INFO(next);
    CHECK(static_cast<int>(row.converted) == next++);
    const ResolvedType type = resolve(converted(leaf(Type::INT32), row.converted));
    CHECK(type.kind == row.kind);
    CHECK(type.stated == LogicalKind::none);
    CHECK(type.is(row.converted));
    CHECK(type.origin() == Origin::converted_type);
    CHECK(type.bit_width == row.bit_width);
    CHECK(type.is_signed == row.is_signed);
    CHECK(type.unit == row.unit);
    CHECK(type.is_adjusted_to_utc == (row.unit != SecondUnit::none));
    CHECK_FALSE(type.is_conflict);
  }
  CHECK(next == static_cast<int>(kConvertedTypeEnum.values.size()));

  const ResolvedType unknown = resolve(converted(leaf(Type::INT32), static_cast<ConvertedType>(256 + 5)));
  CHECK(unknown.kind == LogicalKind::none);
  CHECK(unknown.origin() == Origin::none);

  const SchemaElement old =
      with_precision(with_scale(converted(leaf(Type::INT32), ConvertedType::DECIMAL), 2), 7);
  CHECK(resolve(old).scale == 2);
  CHECK(resolve(old).precision == 7);
}

TEST_CASE("LogicalType takes precedence over ConvertedType, and both are kept") {
  const ResolvedType type = resolve(converted(integer(16, true), ConvertedType::UTF8));
  CHECK(type.kind == LogicalKind::INTEGER);
  CHECK(type.stated == LogicalKind::INTEGER);
  CHECK(type.is(ConvertedType::UTF8));
  CHECK(type.origin() == Origin::both);
  CHECK(type.is_conflict);
  // A member that no edition defines has no meaning.
  SchemaElement later = converted(leaf(Type::INT32), ConvertedType::UINT_8);
  later.fields.present |= 1U << SchemaElement::id_logicalType;
  CHECK(resolve(later).kind == LogicalKind::INTEGER);
  CHECK_FALSE(resolve(later).is_signed);
  CHECK_FALSE(resolve(later).is_conflict);
}

TEST_CASE("a ConvertedType overrides UNKNOWN on a leaf, but its values have no order") {
  const auto unknown_with = [](ConvertedType type) {
    return converted(logical(leaf(Type::BYTE_ARRAY), LogicalType::id_UNKNOWN), type);
  };
  const Node interval = node_of(unknown_with(ConvertedType::INTERVAL));  // as parquet-java writes it
  CHECK(interval.logical.kind == LogicalKind::INTERVAL);
  CHECK(interval.logical.stated == LogicalKind::UNKNOWN);
  CHECK_FALSE(interval.logical.is_conflict);
  CHECK(order_of(interval) == Order::none);
  const Node text = node_of(unknown_with(ConvertedType::UTF8));
  CHECK(text.logical.kind == LogicalKind::STRING);
  CHECK(text.logical.is_conflict);
  CHECK(order_of(text) == Order::none);
  CHECK(resolve(logical(leaf(Type::INT32), LogicalType::id_UNKNOWN)).kind == LogicalKind::UNKNOWN);

  SchemaElement group = unknown_with(ConvertedType::LIST);
  group.fields.present &= ~(1U << SchemaElement::id_type);
  CHECK(resolve(group).kind == LogicalKind::UNKNOWN);
}

TEST_CASE("annotations conflict if their meanings differ") {
  using enum ConvertedType;
  const auto conflict = [](const SchemaElement& element) { return resolve(element).is_conflict; };
  const auto named = [](LogicalType::Id id) { return logical(leaf(Type::BYTE_ARRAY), id); };
  CHECK_FALSE(conflict(converted(named(LogicalType::id_STRING), UTF8)));
  CHECK(conflict(converted(named(LogicalType::id_STRING), ENUM)));
  CHECK(conflict(converted(named(LogicalType::id_UUID), UTF8)));
  CHECK(conflict(converted(named(LogicalType::id_DATE), INTERVAL)));
  CHECK_FALSE(conflict(converted(named(LogicalType::id_MAP), MAP)));
  CHECK_FALSE(conflict(converted(named(LogicalType::id_MAP), MAP_KEY_VALUE)));

  CHECK_FALSE(conflict(converted(integer(16, false), UINT_16)));
  CHECK(conflict(converted(integer(16, false), INT_16)));
  CHECK(conflict(converted(integer(16, false), UINT_8)));

  const auto time = [](TimeUnit::Id unit, bool utc) {
    return moment(Type::INT64, LogicalType::id_TIME, unit, utc);
  };
  CHECK_FALSE(conflict(converted(time(TimeUnit::id_MICROS, true), TIME_MICROS)));
  CHECK_FALSE(conflict(converted(time(TimeUnit::id_MICROS, false), TIME_MICROS)));  // as writers must do
  CHECK(conflict(converted(time(TimeUnit::id_MICROS, true), TIME_MILLIS)));
  CHECK(conflict(converted(time(TimeUnit::id_NANOS, true), TIME_MICROS)));
  CHECK(conflict(converted(time(TimeUnit::id_MICROS, true), TIMESTAMP_MICROS)));
  CHECK_FALSE(conflict(converted(named(LogicalType::id_TIME), TIME_MICROS)));  // a unit that is not known
}

TEST_CASE("the scale and precision of a decimal are those of its LogicalType") {
  SchemaElement number = decimal(Type::INT32, 2);
  number.logicalType.DECIMAL.precision = 9;
  const SchemaElement both = converted(number, ConvertedType::DECIMAL);
  CHECK(resolve(with_scale(both, 3)).scale == 2);
  CHECK(resolve(with_precision(both, 8)).precision == 9);
  CHECK_FALSE(resolve(with_precision(with_scale(both, 3), 8)).is_conflict);  // the annotations are a pair
}

TEST_CASE("each annotation is one row of the table, found by its parts and by its ConvertedType") {
  std::set<std::int8_t> converted_types;
  for (const Annotation& row : annotations()) {
    INFO(name_of(row.kind) << ' ' << static_cast<int>(row.bit_width) << ' ' << static_cast<int>(row.unit));
    ResolvedType type;
    type.kind = row.kind;
    type.unit = row.unit;
    type.bit_width = row.bit_width;
    type.is_signed = row.is_signed;
    CHECK(((annotation_of(type) == &row) != (row.addition == Addition::timestamp_96)));
    CHECK_FALSE(name_of(row.kind).empty());
    CHECK_FALSE(carriers_text(row).empty());
    if (row.converted < 0) continue;
    CHECK(converted_types.insert(row.converted).second);
    CHECK(annotation_of(static_cast<ConvertedType>(row.converted)) == &row);
  }
  // All but MAP_KEY_VALUE, which means MAP.
  CHECK(converted_types.size() + 1 == kConvertedTypeEnum.values.size());
  CHECK(annotation_of(ConvertedType::MAP_KEY_VALUE) == annotation_of(ConvertedType::MAP));
  CHECK(annotation_of(static_cast<ConvertedType>(22)) == nullptr);
  CHECK(annotation_of(static_cast<ConvertedType>(-1)) == nullptr);
  CHECK(annotation_of(ResolvedType{}) == nullptr);
}

TEST_CASE("the nodes that each annotation may be on are those of LogicalTypes.md") {
  struct Row {
    LogicalKind kind;
    std::string_view carriers;
  };
  constexpr Row kRows[] = {{LogicalKind::STRING, "BYTE_ARRAY"},
                           {LogicalKind::MAP, "a group"},
                           {LogicalKind::LIST, "a group"},
                           {LogicalKind::ENUM, "BYTE_ARRAY"},
                           {LogicalKind::DECIMAL, "INT32, INT64, BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY"},
                           {LogicalKind::DATE, "INT32"},
                           {LogicalKind::INTERVAL, "FIXED_LEN_BYTE_ARRAY of 12 bytes"},
                           {LogicalKind::UNKNOWN, "a leaf"},
                           {LogicalKind::JSON, "BYTE_ARRAY"},
                           {LogicalKind::BSON, "BYTE_ARRAY"},
                           {LogicalKind::UUID, "FIXED_LEN_BYTE_ARRAY of 16 bytes"},
                           {LogicalKind::FLOAT16, "FIXED_LEN_BYTE_ARRAY of 2 bytes"},
                           {LogicalKind::VARIANT, "a group"},
                           {LogicalKind::GEOMETRY, "BYTE_ARRAY"},
                           {LogicalKind::GEOGRAPHY, "BYTE_ARRAY"},
                           {LogicalKind::FILE, "a group"}};
  for (const Row& row : kRows) {
    INFO(row.carriers);
    ResolvedType type;
    type.kind = row.kind;
    REQUIRE(annotation_of(type) != nullptr);
    CHECK(carriers_text(*annotation_of(type)) == row.carriers);
    const bool of_groups = row.carriers == "a group";
    CHECK(suits(type, false, Type::BOOLEAN, 0, Edition::next) == of_groups);
    const std::int8_t length = annotation_of(type)->length;
    for (const thrift::EnumValue& physical : kTypeEnum.values) {
      const auto carrier = static_cast<Type>(physical.value);
      const std::string text = ", " + std::string(row.carriers) + ' ';
      const bool named = text.contains(", " + std::string(physical.name) + ',') ||
                         text.contains(", " + std::string(physical.name) + ' ');
      CHECK(suits(type, true, carrier, length, Edition::next) == (named || row.kind == LogicalKind::UNKNOWN));
      if (length != 0) CHECK_FALSE(suits(type, true, carrier, length + 1, Edition::next));
    }
  }
}

TEST_CASE("a leaf with an invalid annotation, or of an unknown type, has no order") {
  CHECK(order_of(below_root(decimal(Type::DOUBLE, 2))) == Order::none);
  CHECK(order_of(below_root(logical(leaf(Type::INT64), LogicalType::id_STRING))) == Order::none);
  CHECK(order_of(below_root(integer(32, false))) == Order::unsigned_int);
  CHECK(order_of(below_root(integer(64, false))) == Order::none);  // on INT32
  CHECK(order_of(below_root(integer(7, false))) == Order::none);
  SchemaElement later = leaf(Type::INT32);
  later.fields.present |= 1U << SchemaElement::id_logicalType;
  CHECK(resolve(later).is_unknown);
  CHECK(order_of(below_root(later)) == Order::none);
  CHECK(order_of(below_root(leaf(Type::INT32))) == Order::signed_int);
}

TEST_CASE("a TIMESTAMP of an unknown unit has the order of 96 bits only if it has 12 bytes") {
  SchemaElement element = logical(leaf(Type::FIXED_LEN_BYTE_ARRAY), LogicalType::id_TIMESTAMP);
  element.fields.present |= 1U << SchemaElement::id_type_length;
  for (const std::int32_t length : {1, 2, 8, 11, 13, 16}) {
    INFO(length);
    element.type_length = length;
    CHECK(order_of(below_root(element)) == Order::none);
  }
  element.type_length = 12;
  CHECK(order_of(below_root(element)) == Order::signed_96);
  CHECK(order_of(below_root(logical(leaf(Type::BYTE_ARRAY), LogicalType::id_TIMESTAMP))) == Order::none);
  CHECK(order_of(below_root(logical(leaf(Type::INT64), LogicalType::id_TIMESTAMP))) == Order::signed_int);
}

TEST_CASE("the CRS of a node is that of its LogicalType") {
  SchemaElement root;
  root.fields.present = 1U << SchemaElement::id_num_children;
  root.num_children = 4;
  SchemaElement geometry = logical(leaf(Type::BYTE_ARRAY), LogicalType::id_GEOMETRY);
  const SchemaElement no_arguments = geometry;
  geometry.logicalType.GEOMETRY.fields.present = 1U << GeometryType::id_crs;
  geometry.logicalType.GEOMETRY.crs = view_of("EPSG:3857", 77);
  SchemaElement geography = logical(leaf(Type::BYTE_ARRAY), LogicalType::id_GEOGRAPHY);
  geography.logicalType.GEOGRAPHY.fields.present = 1U << GeographyType::id_crs;
  geography.logicalType.GEOGRAPHY.crs = view_of("srid:4326", 99);
  Schema schema;
  for (const SchemaElement& element : {root, geometry, no_arguments, leaf(Type::INT32), geography})
    schema.add(element);
  CHECK(text_of(schema.crs(1)) == "EPSG:3857");
  CHECK(schema.crs(1).base == 77);
  CHECK(text_of(schema.crs(4)) == "srid:4326");
  for (const std::uint32_t index : {0U, 2U, 3U}) CHECK(schema.crs(index).empty());
}

TEST_CASE("a node is small") {
  CHECK(sizeof(ResolvedType) == 16);
  CHECK(sizeof(Node) <= 104);
}

}  // namespace
