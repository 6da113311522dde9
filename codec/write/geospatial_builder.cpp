#include "codec/write/geospatial_builder.hpp"

#include <array>

#include "codec/thrift/emitter.hpp"

namespace parqproof {
namespace {

class NoFaults final : public geo::Faults {
 public:
  [[nodiscard]] bool count(Rule) override { return false; }
  void describe(geo::Fault) override {}
};

struct AxisFields {
  geo::Axis axis;
  BoundingBox::Id min;
  BoundingBox::Id max;
  double BoundingBox::* min_member;
  double BoundingBox::* max_member;
};
constexpr std::array<AxisFields, geo::kAxes> kAxisFields = {{
    {geo::Axis::x, BoundingBox::id_xmin, BoundingBox::id_xmax, &BoundingBox::xmin, &BoundingBox::xmax},
    {geo::Axis::y, BoundingBox::id_ymin, BoundingBox::id_ymax, &BoundingBox::ymin, &BoundingBox::ymax},
    {geo::Axis::z, BoundingBox::id_zmin, BoundingBox::id_zmax, &BoundingBox::zmin, &BoundingBox::zmax},
    {geo::Axis::m, BoundingBox::id_mmin, BoundingBox::id_mmax, &BoundingBox::mmin, &BoundingBox::mmax},
}};

constexpr bool is_point(geo::Shape shape) noexcept {
  return shape == geo::Shape::point || shape == geo::Shape::multi_point;
}

}  // namespace

void GeospatialBuilder::add(std::span<const std::uint8_t> value) {
  if (!is_known_) return;
  NoFaults ignored;
  is_known_ = walker_.walk({value}, ignored);
  if (!is_known_) return;
  summary_.box.add(walker_.box());
  summary_.types.add(walker_.type());
}

void GeospatialBuilder::add(const ValueBatch& byte_arrays) {
  for (std::uint64_t i = 0; i < byte_arrays.count; ++i)
    add({byte_arrays.byte_arrays[i].data, byte_arrays.byte_arrays[i].size});
}

void GeospatialBuilder::with_statistics(const std::function<void(const GeospatialStatistics&)>& use) const {
  if (!is_known_ || summary_.types.empty()) return;
  GeospatialStatistics out;
  thrift::ListBuilder<std::int32_t> types;
  bool has_edges = false;
  for (unsigned i = 0; i < geo::TypeCode::kCount; ++i) {
    const geo::TypeCode type = geo::TypeCode::of_index(i);
    if (!summary_.types.contains(type)) continue;
    types.add(static_cast<std::int32_t>(type.code()));
    has_edges = has_edges || !is_point(type.shape);
  }
  thrift::set(out, GeospatialStatistics::id_geospatial_types);
  out.geospatial_types = types.list();
  const bool has_box = !summary_.box[geo::Axis::x].empty() && !summary_.box[geo::Axis::y].empty();
  if (has_box && !(is_geography_ && has_edges)) {
    thrift::set(out, GeospatialStatistics::id_bbox);
    for (const AxisFields& fields : kAxisFields) {
      const geo::Interval& interval = summary_.box[fields.axis];
      if (interval.empty()) continue;
      thrift::set(out.bbox, fields.min, fields.max);
      out.bbox.*fields.min_member = interval.min;
      out.bbox.*fields.max_member = interval.max;
    }
  }
  use(out);
}

}  // namespace parqproof
