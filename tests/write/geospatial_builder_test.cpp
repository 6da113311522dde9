#include "codec/write/geospatial_builder.hpp"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <initializer_list>
#include <optional>
#include <vector>

#include "codec/geo/emitter.hpp"
#include "codec/thrift/reader.hpp"

namespace parqproof {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// A Point or a LineString with these coordinates.
Bytes geometry(geo::TypeCode type, std::initializer_list<double> coordinates) {
  Bytes stored;
  for (const double one : coordinates) {
    const auto bits = std::bit_cast<std::uint64_t>(one);
    for (unsigned i = 0; i < sizeof(bits); ++i) stored.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
  }
  const std::size_t count = coordinates.size() / type.axes();
  geo::Emitter emitter(false);
  emitter.begin(type, static_cast<std::uint32_t>(count), false);
  emitter.points({stored.data(), count, type.axes(), false});
  return {emitter.bytes().begin(), emitter.bytes().end()};
}

constexpr geo::TypeCode kPoint{geo::Shape::point, false, false};
constexpr geo::TypeCode kPointZ{geo::Shape::point, true, false};
constexpr geo::TypeCode kLine{geo::Shape::line_string, false, false};

struct Built {
  std::optional<GeospatialStatistics> statistics;
  std::vector<std::int64_t> types;

  [[nodiscard]] bool has_box() const { return statistics && statistics->has(GeospatialStatistics::id_bbox); }
};

Built built(bool is_geography, const std::vector<Bytes>& values) {
  GeospatialBuilder builder(is_geography);
  for (const Bytes& value : values) builder.add(value);
  thrift::ListBuilder<std::int32_t> types;
  Built out{builder.statistics(types), {}};
  thrift::for_each_integer(types.list(),
                           [&](std::int64_t type, std::uint32_t) { out.types.push_back(type); });
  return out;
}

TEST_CASE("Geospatial statistics have the extent of the points, and their types in order") {
  const Built one = built(false, {geometry(kPointZ, {1, 2, 3}), geometry(kLine, {5, -7, 0, 4})});
  CHECK(one.types == std::vector<std::int64_t>{2, 1001});
  REQUIRE(one.has_box());
  const BoundingBox& box = one.statistics->bbox;
  CHECK(std::vector{box.xmin, box.xmax, box.ymin, box.ymax, box.zmin, box.zmax} ==
        std::vector<double>{0, 5, -7, 4, 3, 3});
  CHECK(box.has(BoundingBox::id_zmin));
  CHECK_FALSE(box.has(BoundingBox::id_mmin));
}

TEST_CASE("A GEOGRAPHY has a box only if all its values are points") {
  CHECK(built(true, {geometry(kPoint, {1, 2})}).has_box());
  CHECK(built(false, {geometry(kLine, {0, 60, 90, 60})}).has_box());
  const Built line = built(true, {geometry(kPoint, {1, 2}), geometry(kLine, {0, 60, 90, 60})});
  CHECK_FALSE(line.has_box());
  CHECK(line.types == std::vector<std::int64_t>{1, 2});
}

TEST_CASE("Geometries without points have types and no box") {
  const Built empty = built(false, {geometry(kLine, {}), geometry(kPoint, {})});
  CHECK(empty.types == std::vector<std::int64_t>{1, 2});
  CHECK_FALSE(empty.has_box());
}

TEST_CASE("A value that cannot be read leaves no statistics, and so does a chunk of nulls") {
  CHECK_FALSE(built(false, {}).statistics);
  CHECK_FALSE(built(false, {geometry(kPoint, {1, 2}), Bytes{1}, geometry(kPoint, {3, 4})}).statistics);
}

}  // namespace
}  // namespace parqproof
