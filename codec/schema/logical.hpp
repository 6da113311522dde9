#pragma once

#include <cstdint>
#include <string_view>

#include "codec/format/enums.hpp"
#include "codec/format/logical_type.hpp"
#include "codec/format/schema_element.hpp"

namespace parqproof {

/// The logical types of LogicalTypes.md. Each has the id of its member in LogicalType; INTERVAL has only a
/// ConvertedType, and the id that LogicalType reserves for it.
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

/// What TIME and TIMESTAMP count: thousandths, millionths or billionths of a second.
enum class SecondUnit : std::uint8_t { none, MILLIS, MICROS, NANOS };

/// Digits that a unit has behind the point of a second: 3, 6, 9; 0 of none.
[[nodiscard]] constexpr unsigned digits_of(SecondUnit unit) noexcept {
  return 3 * static_cast<unsigned>(unit);
}

/// The CRS of a GEOMETRY or GEOGRAPHY whose schema states none (LogicalTypes.md#geospatial-types).
inline constexpr std::string_view kDefaultCrs = "OGC:CRS84";

/// What the values or children of a schema element mean, with the parameters of that, by its LogicalType or
/// else its ConvertedType (LogicalTypes.md#compatibility). Whether the annotation suits the node is in
/// `is_misfit` alone. The CRS, which few have, is in Schema::crs().
struct ResolvedType {
  /// Which annotations there are: a member of LogicalType and a ConvertedType that the specification knows.
  enum class Origin : std::uint8_t { none, logical_type, converted_type, both };

  LogicalKind kind = LogicalKind::none;
  LogicalKind stated = LogicalKind::none;  ///< the member of LogicalType alone
  std::int8_t converted = -1;              ///< number of the ConvertedType; -1: none that is known
  SecondUnit unit = SecondUnit::none;      ///< of TIME, TIMESTAMP; none: one that is not known
  std::int8_t bit_width = 0;               ///< of INTEGER
  std::int8_t specification_version = 0;   ///< of VARIANT; 0: not stated
  std::int8_t algorithm = 0;               ///< of GEOGRAPHY: EdgeInterpolationAlgorithm; -1: not a known one
  bool is_signed : 1 = true;               ///< of INTEGER
  bool is_adjusted_to_utc : 1 = false;     ///< of TIME, TIMESTAMP
  /// LogicalType and converted_type are no pair of LogicalTypes.md. UNKNOWN beside INTERVAL or MAP_KEY_VALUE
  /// does not count: parquet-java wrote that because LogicalType has neither.
  bool is_conflict : 1 = false;
  bool is_unknown : 1 = false;  ///< there is a LogicalType, and no member of it that is known
  bool is_misfit : 1 = false;   ///< the node is not one that may bear the annotation; set by Schema
  std::int32_t scale = 0;       ///< of DECIMAL
  std::int32_t precision = 0;   ///< of DECIMAL; 0: not stated

  [[nodiscard]] bool is(ConvertedType type) const noexcept { return converted == static_cast<int>(type); }
  [[nodiscard]] Origin origin() const noexcept {
    return static_cast<Origin>((stated != LogicalKind::none ? 1 : 0) + (converted >= 0 ? 2 : 0));
  }
};

/// The logical type of a schema element. LogicalType goes before ConvertedType; but UNKNOWN on a leaf says
/// only that there are no values, and gives way; on a group it gives way to MAP_KEY_VALUE.
[[nodiscard]] ResolvedType resolve(const SchemaElement& element) noexcept;

}  // namespace parqproof
