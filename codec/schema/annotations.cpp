#include "codec/schema/annotations.hpp"

#include <algorithm>

#include "codec/base/text.hpp"

namespace parqproof {
namespace {

using enum ConvertedType;

constexpr std::uint8_t bit(Type type) { return static_cast<std::uint8_t>(1U << static_cast<unsigned>(type)); }
constexpr std::int8_t number(ConvertedType type) { return static_cast<std::int8_t>(type); }

constexpr std::uint8_t kInt32 = bit(Type::INT32);
constexpr std::uint8_t kInt64 = bit(Type::INT64);
constexpr std::uint8_t kBytes = bit(Type::BYTE_ARRAY);
constexpr std::uint8_t kFixed = bit(Type::FIXED_LEN_BYTE_ARRAY);
constexpr std::uint8_t kAny = 0xFF;
constexpr std::uint8_t kGroup = 0;
constexpr std::int8_t kNone = -1;
constexpr std::int8_t k96BitBytes = 12;

constexpr Annotation plain(LogicalKind kind, std::int8_t converted, std::uint8_t carriers,
                           std::int8_t length = 0) {
  return {kind, SecondUnit::none, 0, true, converted, carriers, length};
}
constexpr Annotation moment(LogicalKind kind, SecondUnit unit, std::int8_t converted, std::uint8_t carriers) {
  return {kind, unit, 0, true, converted, carriers};
}
constexpr Annotation timestamp_96(SecondUnit unit) {
  return {LogicalKind::TIMESTAMP, unit, 0, true, kNone, kFixed, k96BitBytes, Addition::timestamp_96};
}
constexpr Annotation integer(std::int8_t bit_width, bool is_signed, ConvertedType converted) {
  const std::uint8_t carrier = bit_width == 64 ? kInt64 : kInt32;
  return {LogicalKind::INTEGER, SecondUnit::none, bit_width, is_signed, number(converted), carrier};
}

constexpr Annotation kAnnotations[] = {
    plain(LogicalKind::STRING, number(UTF8), kBytes),
    plain(LogicalKind::MAP, number(MAP), kGroup),
    plain(LogicalKind::LIST, number(LIST), kGroup),
    plain(LogicalKind::ENUM, number(ENUM), kBytes),
    plain(LogicalKind::DECIMAL, number(DECIMAL), kInt32 | kInt64 | kBytes | kFixed),
    plain(LogicalKind::DATE, number(DATE), kInt32),
    moment(LogicalKind::TIME, SecondUnit::MILLIS, number(TIME_MILLIS), kInt32),
    moment(LogicalKind::TIME, SecondUnit::MICROS, number(TIME_MICROS), kInt64),
    moment(LogicalKind::TIME, SecondUnit::NANOS, kNone, kInt64),
    moment(LogicalKind::TIMESTAMP, SecondUnit::MILLIS, number(TIMESTAMP_MILLIS), kInt64),
    moment(LogicalKind::TIMESTAMP, SecondUnit::MICROS, number(TIMESTAMP_MICROS), kInt64),
    moment(LogicalKind::TIMESTAMP, SecondUnit::NANOS, kNone, kInt64),
    timestamp_96(SecondUnit::MILLIS),
    timestamp_96(SecondUnit::MICROS),
    timestamp_96(SecondUnit::NANOS),
    plain(LogicalKind::INTERVAL, number(INTERVAL), kFixed, 12),
    integer(8, true, INT_8),
    integer(16, true, INT_16),
    integer(32, true, INT_32),
    integer(64, true, INT_64),
    integer(8, false, UINT_8),
    integer(16, false, UINT_16),
    integer(32, false, UINT_32),
    integer(64, false, UINT_64),
    plain(LogicalKind::UNKNOWN, kNone, kAny),
    plain(LogicalKind::JSON, number(JSON), kBytes),
    plain(LogicalKind::BSON, number(BSON), kBytes),
    plain(LogicalKind::UUID, kNone, kFixed, 16),
    plain(LogicalKind::FLOAT16, kNone, kFixed, 2),
    plain(LogicalKind::VARIANT, kNone, kGroup),
    plain(LogicalKind::GEOMETRY, kNone, kBytes),
    plain(LogicalKind::GEOGRAPHY, kNone, kBytes),
    {LogicalKind::FILE, SecondUnit::none, 0, true, kNone, kGroup, 0, Addition::file},
};

bool is_of(const Annotation& row, const ResolvedType& type) {
  return row.kind == type.kind && row.unit == type.unit && row.bit_width == type.bit_width &&
         row.is_signed == type.is_signed;
}

/// Returns false for TIMESTAMP on 12 bytes with a ConvertedType, which is on INT64 alone.
bool allows_converted(const Annotation& row, const ResolvedType& type) {
  return row.addition != Addition::timestamp_96 || type.converted < 0;
}

bool is_defined_in(const Annotation& row, Edition edition) {
  return !row.addition || is_defined(*row.addition, edition);
}

bool suits_row(const Annotation& row, const ResolvedType& type, bool is_leaf, Type carrier,
               std::int32_t length) {
  if (!is_of(row, type) || !allows_converted(row, type)) return false;
  if (row.carriers == kGroup || !is_leaf) return (row.carriers == kGroup) == !is_leaf;
  if (kTypeEnum.name_of(static_cast<int>(carrier)).empty()) return true;
  return (row.carriers >> static_cast<unsigned>(carrier) & 1U) != 0 &&
         (row.length == 0 || row.length == length);
}

}  // namespace

std::span<const Annotation> annotations() noexcept { return kAnnotations; }

const Annotation* annotation_of(const ResolvedType& type) noexcept {
  const auto* const at =
      std::ranges::find_if(kAnnotations, [&](const Annotation& row) { return is_of(row, type); });
  return at == std::end(kAnnotations) ? nullptr : at;
}

const Annotation* annotation_of(const ResolvedType& type, bool is_leaf, Type carrier,
                                std::int32_t length) noexcept {
  const auto* const at = std::ranges::find_if(
      kAnnotations, [&](const Annotation& row) { return suits_row(row, type, is_leaf, carrier, length); });
  return at == std::end(kAnnotations) ? annotation_of(type) : at;
}

const Annotation* annotation_of(ConvertedType type) noexcept {
  const int wanted = static_cast<int>(type == MAP_KEY_VALUE ? MAP : type);
  const auto* const at = std::ranges::find_if(
      kAnnotations, [&](const Annotation& row) { return wanted >= 0 && row.converted == wanted; });
  return at == std::end(kAnnotations) ? nullptr : at;
}

bool suits(const ResolvedType& type, bool is_leaf, Type carrier, std::int32_t length,
           Edition edition) noexcept {
  if (type.kind == LogicalKind::none) return true;
  if (annotation_of(type) == nullptr) return is_leaf && type.kind != LogicalKind::INTEGER;
  return std::ranges::any_of(kAnnotations, [&](const Annotation& row) {
    return is_defined_in(row, edition) && suits_row(row, type, is_leaf, carrier, length);
  });
}

std::optional<Addition> later_addition(const ResolvedType& type, bool is_leaf, Type carrier,
                                       std::int32_t length, Edition edition) noexcept {
  for (const Annotation& row : kAnnotations) {
    if (!is_defined_in(row, edition) && suits_row(row, type, is_leaf, carrier, length)) return row.addition;
  }
  // An edition that has no carrier for the annotation does not define it at all, whatever it is on.
  std::optional<Addition> later;
  for (const Annotation& row : kAnnotations) {
    if (!is_of(row, type)) continue;
    if (is_defined_in(row, edition)) return std::nullopt;
    later = row.addition;
  }
  return later;
}

std::string_view name_of(LogicalKind kind) noexcept {
  if (kind == LogicalKind::none) return {};
  if (kind == LogicalKind::INTERVAL) return "INTERVAL";
  const thrift::Field* const member = LogicalType::kType.find(static_cast<int>(kind));
  return member == nullptr ? std::string_view{} : member->name;
}

std::string carriers_text(const Annotation& annotation) {
  if (annotation.carriers == kGroup) return "a group";
  if (annotation.carriers == kAny) return "a leaf";
  std::string text;
  for (unsigned type = 0; type < 8; ++type) {
    if ((annotation.carriers >> type & 1U) == 0) continue;
    if (!text.empty()) text += ", ";
    text += kTypeEnum.name_of(static_cast<int>(type));
  }
  if (annotation.length != 0) text += " of " + counted(static_cast<std::uint64_t>(annotation.length), "byte");
  return text;
}

std::string carriers_text(const ResolvedType& type, Edition edition) {
  std::string text;
  for (const Annotation& row : kAnnotations) {
    if (!is_of(row, type) || !allows_converted(row, type) || !is_defined_in(row, edition)) continue;
    if (!text.empty()) text += " or ";
    text += carriers_text(row);
  }
  return text;
}

bool has_carrier(const ResolvedType& type, Type carrier, Edition edition) noexcept {
  return std::ranges::any_of(kAnnotations, [&](const Annotation& row) {
    return is_of(row, type) && allows_converted(row, type) && is_defined_in(row, edition) &&
           (row.carriers >> static_cast<unsigned>(carrier) & 1U) != 0;
  });
}

}  // namespace parqproof
