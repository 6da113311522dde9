#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/format/logical_type.hpp"
#include "codec/format/schema_element.hpp"

namespace parqproof {

/// The logical types of LogicalTypes.md, numbered by the id of their member in LogicalType. INTERVAL exists
/// only as a ConvertedType; it has the id that LogicalType reserves for it.
enum class LogicalKind : std::uint8_t {
  none = 0,
  STRING = LogicalType::id_STRING,
  MAP = LogicalType::id_MAP,
  LIST = LogicalType::id_LIST,
  ENUM = LogicalType::id_ENUM,
  DECIMAL = LogicalType::id_DECIMAL,
  DATE = LogicalType::id_DATE,
  TIME = LogicalType::id_TIME,
  TIMESTAMP = LogicalType::id_TIMESTAMP,
  INTERVAL = 9,
  INTEGER = LogicalType::id_INTEGER,
  UNKNOWN = LogicalType::id_UNKNOWN,
  JSON = LogicalType::id_JSON,
  BSON = LogicalType::id_BSON,
  UUID = LogicalType::id_UUID,
  FLOAT16 = LogicalType::id_FLOAT16,
  VARIANT = LogicalType::id_VARIANT,
  GEOMETRY = LogicalType::id_GEOMETRY,
  GEOGRAPHY = LogicalType::id_GEOGRAPHY,
  FILE = LogicalType::id_FILE,
};

/// Unit of TIME and TIMESTAMP: thousandths, millionths or billionths of a second.
enum class SecondUnit : std::uint8_t { none, MILLIS, MICROS, NANOS };
/// The name of a unit; empty for none.
[[nodiscard]] constexpr std::string_view name_of(SecondUnit unit) noexcept {
  constexpr std::string_view kNames[] = {"", "MILLIS", "MICROS", "NANOS"};
  return kNames[static_cast<std::size_t>(unit)];
}

/// Number of decimal places of a second in a unit: 3, 6, 9; 0 for none.
[[nodiscard]] constexpr unsigned digits_of(SecondUnit unit) noexcept {
  return 3 * static_cast<unsigned>(unit);
}

/// CRS of a GEOMETRY or GEOGRAPHY whose schema has none (LogicalTypes.md#geospatial-types).
inline constexpr std::string_view kDefaultCrs = "OGC:CRS84";

/// Meaning of the values or children of a schema element, with its parameters: from its LogicalType, else
/// from its ConvertedType (LogicalTypes.md#compatibility). Set also if the annotation does not suit the node,
/// see `is_misfit`. The CRS, which few nodes have, is in Schema::crs().
struct ResolvedType {
  /// The annotations that are present and known: a member of LogicalType, a ConvertedType.
  enum class Origin : std::uint8_t { none, logical_type, converted_type, both };

  LogicalKind kind = LogicalKind::none;
  LogicalKind stated = LogicalKind::none;  ///< from the member of LogicalType alone
  std::int8_t converted = -1;              ///< number of the ConvertedType; -1: absent or unknown
  SecondUnit unit = SecondUnit::none;      ///< unit of TIME and TIMESTAMP; none: unknown
  std::int8_t bit_width = 0;               ///< bit width of INTEGER
  std::int8_t specification_version = 0;   ///< of VARIANT; 0: absent
  std::int8_t algorithm = 0;               ///< EdgeInterpolationAlgorithm of GEOGRAPHY; -1: unknown
  bool is_signed : 1 = true;               ///< signedness of INTEGER
  bool is_adjusted_to_utc : 1 = false;     ///< of TIME and TIMESTAMP
  /// LogicalType and converted_type contradict each other in LogicalTypes.md. UNKNOWN with INTERVAL or
  /// MAP_KEY_VALUE is no conflict: parquet-java wrote that because LogicalType has neither.
  bool is_conflict : 1 = false;
  bool is_unknown : 1 = false;  ///< LogicalType is present without a known member
  bool is_misfit : 1 = false;   ///< the node may not have the annotation; set by Schema
  std::int32_t scale = 0;       ///< scale of DECIMAL
  std::int32_t precision = 0;   ///< precision of DECIMAL; 0: absent

  [[nodiscard]] bool is(ConvertedType type) const noexcept { return converted == static_cast<int>(type); }
  [[nodiscard]] Origin origin() const noexcept {
    return static_cast<Origin>((stated != LogicalKind::none ? 1 : 0) + (converted >= 0 ? 2 : 0));
  }
};

/// LogicalType takes precedence over ConvertedType, except for UNKNOWN, on a leaf, where it only means that
/// there are no values, and on a group with MAP_KEY_VALUE, and for a member that lacks a required field.
[[nodiscard]] ResolvedType resolve(const SchemaElement& element) noexcept;

}  // namespace parqproof
