#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "codec/geo/type_code.hpp"

namespace parqproof::geo {

enum class Axis : std::uint8_t { x, y, z, m };
inline constexpr std::size_t kAxes = 4;

/// The min and max of coordinates; NaN is skipped.
struct Interval {
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();

  [[nodiscard]] constexpr bool empty() const noexcept { return min > max; }
  constexpr void add(double value) noexcept {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  constexpr void add(const Interval& other) noexcept {
    if (other.min < min) min = other.min;
    if (other.max > max) max = other.max;
  }
};

/// The extent of geometries on each axis (Geospatial.md#bounding-box).
struct Box {
  std::array<Interval, kAxes> axes;

  [[nodiscard]] constexpr const Interval& operator[](Axis axis) const noexcept {
    return axes[static_cast<std::size_t>(axis)];
  }
  constexpr void add(const Box& other) noexcept {
    for (std::size_t i = 0; i < kAxes; ++i) axes[i].add(other.axes[i]);
  }
};

/// The types of geometries.
class TypeSet {
 public:
  constexpr void add(TypeCode type) noexcept { bits_ |= std::uint32_t{1} << type.index(); }
  constexpr void add(const TypeSet& other) noexcept { bits_ |= other.bits_; }
  [[nodiscard]] constexpr bool contains(TypeCode type) const noexcept {
    return (bits_ >> type.index() & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
  /// Calls `take(type)` for each of them, by dimension, then by shape.
  template <typename Take>
  constexpr void for_each(Take&& take) const {
    for (unsigned i = 0; i < TypeCode::kCount; ++i) {
      if (const TypeCode type = TypeCode::of_index(i); contains(type)) take(type);
    }
  }

 private:
  std::uint32_t bits_ = 0;
};

/// What x must not be if a box wraps around the antimeridian: between its xmax and its xmin.
struct Gap {
  double low = 0;
  double high = 0;
  bool is_hit = false;
  double hit = 0;  ///< the first x inside, if there is one

  constexpr void add(double x) noexcept {
    if (is_hit || !(x > low && x < high)) return;
    is_hit = true;
    hit = x;
  }
};

/// Extent and types of the values of a column.
struct Summary {
  Box box;
  TypeSet types;

  constexpr void add(const Summary& other) noexcept {
    box.add(other.box);
    types.add(other.types);
  }
};

}  // namespace parqproof::geo
