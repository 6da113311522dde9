#include "codec/write/geospatial_builder.hpp"

#include "codec/format/bounding_box_axes.hpp"

namespace parqproof {
namespace {

class NoFaults final : public geo::Faults {
 public:
  [[nodiscard]] bool count(Rule) override { return false; }
  void describe(geo::Fault) override {}
};

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

std::optional<GeospatialStatistics> GeospatialBuilder::statistics(
    thrift::ListBuilder<std::int32_t>& types) const {
  if (!is_known_ || summary_.types.empty()) return std::nullopt;
  GeospatialStatistics out;
  bool has_edges = false;
  summary_.types.for_each([&](geo::TypeCode type) {
    types.add(static_cast<std::int32_t>(type.code()));
    has_edges = has_edges || !is_point(type.shape);
  });
  thrift::set(out, GeospatialStatistics::id_geospatial_types);
  out.geospatial_types = types.list();
  const bool has_box = !summary_.box[geo::Axis::x].empty() && !summary_.box[geo::Axis::y].empty();
  if (!has_box || (is_geography_ && has_edges)) return out;
  thrift::set(out, GeospatialStatistics::id_bbox);
  for (const AxisFields& fields : kAxisFields) {
    const geo::Interval& interval = summary_.box[fields.axis];
    if (interval.empty()) continue;
    thrift::set(out.bbox, fields.min_id, fields.max_id);
    out.bbox.*fields.min = interval.min;
    out.bbox.*fields.max = interval.max;
  }
  return out;
}

}  // namespace parqproof
