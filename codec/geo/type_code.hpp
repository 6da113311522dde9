#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace parqproof::geo {

/// The geometry types of ISO WKB, by their codes (Geospatial.md#geospatial-types).
enum class Shape : std::uint8_t {
  point = 1,
  line_string,
  polygon,
  multi_point,
  multi_line_string,
  multi_polygon,
  collection,
};
inline constexpr unsigned kShapes = 7;

/// The type of a geometry and its dimension: the code is that of the type, plus 1000 for z and 2000 for m.
struct TypeCode {
  static constexpr std::uint32_t kZ = 1000;
  static constexpr std::uint32_t kM = 2000;
  static constexpr std::uint32_t kCount = 4 * kShapes;

  Shape shape{};
  bool has_z = false;
  bool has_m = false;

  /// Returns nullopt if the code is not one of the table.
  [[nodiscard]] static constexpr std::optional<TypeCode> of(std::uint32_t code) noexcept {
    const std::uint32_t shape = code % kZ;
    const std::uint32_t dimension = code / kZ;
    if (shape < 1 || shape > kShapes || dimension > 3) return std::nullopt;
    return TypeCode{static_cast<Shape>(shape), (dimension & 1) != 0, (dimension & 2) != 0};
  }
  [[nodiscard]] constexpr std::uint32_t code() const noexcept {
    return static_cast<std::uint32_t>(shape) + (has_z ? kZ : 0) + (has_m ? kM : 0);
  }
  /// Coordinates of a point: 2 to 4.
  [[nodiscard]] constexpr unsigned axes() const noexcept {
    return 2U + static_cast<unsigned>(has_z) + static_cast<unsigned>(has_m);
  }
  /// Returns true for a Multi geometry, whose parts have one type.
  [[nodiscard]] constexpr bool is_multi() const noexcept {
    return shape >= Shape::multi_point && shape <= Shape::multi_polygon;
  }
  /// The type of the parts of a Multi geometry.
  [[nodiscard]] constexpr TypeCode part() const noexcept {
    constexpr unsigned kFromPart = 3;
    return {static_cast<Shape>(static_cast<unsigned>(shape) - kFromPart), has_z, has_m};
  }
  /// A number below kCount.
  [[nodiscard]] constexpr unsigned index() const noexcept {
    return (static_cast<unsigned>(has_z) + 2 * static_cast<unsigned>(has_m)) * kShapes +
           static_cast<unsigned>(shape) - 1;
  }
  [[nodiscard]] static constexpr TypeCode of_index(unsigned index) noexcept {
    const unsigned dimension = index / kShapes;
    return {static_cast<Shape>(index % kShapes + 1), (dimension & 1) != 0, (dimension & 2) != 0};
  }

  friend constexpr bool operator==(const TypeCode&, const TypeCode&) = default;
};

/// Curves, surfaces and triangles, which the table leaves out: 8 to 17 and the same with a dimension.
[[nodiscard]] constexpr bool is_uncommon_type(std::uint32_t code) noexcept {
  constexpr std::uint32_t kTriangle = 17;
  const std::uint32_t shape = code % TypeCode::kZ;
  return shape > kShapes && shape <= kTriangle && code / TypeCode::kZ <= 3;
}

/// The type that a code with flags of EWKB means; nullopt if there are none.
[[nodiscard]] std::optional<TypeCode> type_of_ewkb(std::uint32_t code) noexcept;

/// Point, LineString, ...
[[nodiscard]] std::string_view name_of(Shape shape) noexcept;

}  // namespace parqproof::geo
