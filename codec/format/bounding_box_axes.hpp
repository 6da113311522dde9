#pragma once

#include <array>
#include <string_view>

#include "codec/format/statistics.hpp"
#include "codec/geo/box.hpp"

namespace parqproof {

/// The two bounds of an axis in a BoundingBox.
struct AxisFields {
  geo::Axis axis;
  BoundingBox::Id min_id;
  BoundingBox::Id max_id;
  double BoundingBox::* min;
  double BoundingBox::* max;
  std::string_view min_field;
  std::string_view max_field;
};
inline constexpr std::array<AxisFields, geo::kAxes> kAxisFields{{
    {geo::Axis::x, BoundingBox::id_xmin, BoundingBox::id_xmax, &BoundingBox::xmin, &BoundingBox::xmax, "xmin",
     "xmax"},
    {geo::Axis::y, BoundingBox::id_ymin, BoundingBox::id_ymax, &BoundingBox::ymin, &BoundingBox::ymax, "ymin",
     "ymax"},
    {geo::Axis::z, BoundingBox::id_zmin, BoundingBox::id_zmax, &BoundingBox::zmin, &BoundingBox::zmax, "zmin",
     "zmax"},
    {geo::Axis::m, BoundingBox::id_mmin, BoundingBox::id_mmax, &BoundingBox::mmin, &BoundingBox::mmax, "mmin",
     "mmax"},
}};

}  // namespace parqproof
