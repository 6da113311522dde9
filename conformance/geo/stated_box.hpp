#pragma once

#include "codec/format/bounding_box_axes.hpp"

namespace parqproof {

/// The bounds of an axis.
struct StatedAxis {
  double min = 0;
  double max = 0;
  bool is_mentioned = false;  ///< a bound is there
  bool is_sound = false;      ///< both are there, and neither breaks a rule by itself
  bool wraps = false;         ///< x crosses the antimeridian
};

[[nodiscard]] StatedAxis stated_axis(const BoundingBox& box, const AxisFields& fields) noexcept;

}  // namespace parqproof
