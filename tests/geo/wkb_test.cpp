// WKB: every rule at its byte, in both byte orders and all dimensions, and extents.
#include "codec/geo/wkb.hpp"

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <limits>

#include "tests/geo/geo_support.hpp"

namespace parqproof {
namespace {

using Violations = std::vector<GeoViolation>;

/// One geometry of each type with a dimension, whose coordinates are 0, 1, ... but for rings.
Wkb sample(geo::TypeCode type, bool is_big_endian) {
  Wkb wkb{is_big_endian, {}};
  double next = 0;
  const auto points = [&](unsigned count) {
    for (unsigned i = 0; i < count * type.axes(); ++i) wkb.numbers({next++});
  };
  const auto ring = [&] {
    wkb.word(4);
    for (const double corner : {0, 1, 2, 0}) {
      for (unsigned axis = 0; axis < type.axes(); ++axis) wkb.numbers({corner});
    }
  };
  const auto part = [&](geo::Shape shape) {
    wkb.head(geo::TypeCode{shape, type.has_z, type.has_m}.code());
    if (shape == geo::Shape::point) points(1);
    if (shape == geo::Shape::line_string) {
      wkb.word(2);
      points(2);
    }
    if (shape == geo::Shape::polygon) {
      wkb.word(2);
      ring();
      ring();
    }
  };
  if (type.shape <= geo::Shape::polygon) {
    part(type.shape);
    return wkb;
  }
  wkb.head(type.code()).word(2);
  for (int i = 0; i < 2; ++i) part(type.is_multi() ? type.part().shape : geo::Shape::point);
  return wkb;
}

Violations one(std::string rule, std::uint64_t at, std::size_t length) {
  return {{std::move(rule), at, length}};
}

}  // namespace

TEST_CASE("geometries of all types, dimensions and byte orders are valid", "[unit]") {
  for (unsigned i = 0; i < geo::TypeCode::kCount; ++i) {
    for (const bool is_big_endian : {false, true}) {
      const geo::TypeCode type = geo::TypeCode::of_index(i);
      CHECK(geo::TypeCode::of(type.code()) == type);
      const Wkb wkb = sample(type, is_big_endian);
      INFO(type.code());
      CHECK(judge_wkb(wkb.bytes).empty());
      CollectedGeo faults;
      geo::Walker walker(10);
      REQUIRE(walker.walk({wkb.bytes}, faults));
      CHECK(walker.type() == type);
      CHECK(walker.box()[geo::Axis::z].empty() != type.has_z);
      CHECK(walker.box()[geo::Axis::m].empty() != type.has_m);
    }
  }
}

TEST_CASE("every prefix of a geometry breaks one rule, and every longer value another", "[unit]") {
  for (unsigned i = 0; i < geo::TypeCode::kCount; ++i) {
    const Wkb wkb = sample(geo::TypeCode::of_index(i), i % 2 == 0);
    for (std::size_t size = 0; size < wkb.bytes.size(); ++size) {
      INFO(geo::TypeCode::of_index(i).code() << " " << size);
      const Violations all =
          judge_wkb({wkb.bytes.begin(), wkb.bytes.begin() + static_cast<std::ptrdiff_t>(size)});
      REQUIRE(all.size() == 1);
      CHECK((std::get<0>(all[0]) == "wkb/truncated" || std::get<0>(all[0]) == "wkb/count"));
    }
    std::vector<std::uint8_t> longer = wkb.bytes;
    longer.insert(longer.end(), 3, 0);
    CHECK(judge_wkb(longer) == one("wkb/trailing-bytes", wkb.bytes.size(), 3));
  }
}

TEST_CASE("faults of WKB are at their bytes", "[unit]") {
  CHECK(judge_wkb(Wkb().byte(2).word(1).numbers({1, 2}).bytes) == one("wkb/byte-order", 0, 1));
  CHECK(judge_wkb(Wkb().head(0).numbers({1, 2}).bytes) == one("wkb/type", 1, 4));
  CHECK(judge_wkb(Wkb().head(4001).numbers({1, 2}).bytes) == one("wkb/type", 1, 4));
  CHECK(judge_wkb(Wkb().head(18).word(0).bytes) == one("wkb/type", 1, 4));
  CHECK(judge_wkb(Wkb().head(17).word(0).bytes) == one("wkb/type-unsupported", 1, 4));
  CHECK(judge_wkb(Wkb().head(1008).word(0).bytes) == one("wkb/type-unsupported", 1, 4));
  CHECK(judge_wkb(Wkb().head(0x80000001).numbers({1, 2, 3}).bytes) == one("wkb/ewkb", 1, 4));
  CHECK(judge_wkb(Wkb().head(0x20000001).word(4326).numbers({1, 2}).bytes) == one("wkb/ewkb", 1, 4));
  CHECK(judge_wkb(Wkb().head(0x80000000).bytes) == one("wkb/type", 1, 4));
  CHECK(judge_wkb(Wkb().head(2).word(1).numbers({1, 2}).bytes) == one("wkb/line-points", 5, 4));
  CHECK(judge_wkb(Wkb().head(3).word(1).word(3).numbers({0, 0, 1, 1, 0, 0}).bytes) ==
        one("wkb/ring-points", 9, 4));
  CHECK(judge_wkb(Wkb().head(3).word(1).word(4).numbers({0, 0, 1, 1, 2, 0, 0, 1}).bytes) ==
        one("wkb/ring-closed", 13 + 48, 16));
  CHECK(judge_wkb(Wkb().head(4).word(1).head(2).word(0).bytes) == one("wkb/part-type", 10, 4));
  CHECK(judge_wkb(Wkb().head(1004).word(1).head(1).numbers({1, 2}).bytes) == one("wkb/dimension", 10, 4));
  CHECK(judge_wkb(Wkb().head(7).word(1).head(2001).numbers({1, 2, 3}).bytes) == one("wkb/dimension", 10, 4));
}

TEST_CASE("empty geometries are valid", "[unit]") {
  for (std::uint32_t shape = 2; shape <= geo::kShapes; ++shape) {
    for (std::uint32_t dimension = 0; dimension <= 3; ++dimension)
      CHECK(judge_wkb(Wkb().head(shape + 1000 * dimension).word(0).bytes).empty());
  }
  CHECK(judge_wkb(Wkb().head(1).numbers({kNaN, kNaN}).bytes, true).empty());
  CHECK(judge_wkb(Wkb().head(3).word(1).word(0).bytes).empty());
}

TEST_CASE("parts may have different byte orders", "[unit]") {
  Wkb wkb;
  wkb.head(4).word(1);
  wkb.is_big_endian = true;
  wkb.head(1).numbers({1, 2});
  CHECK(judge_wkb(wkb.bytes).empty());
}

TEST_CASE("geographies have longitudes and latitudes", "[unit]") {
  const auto line = [](double x, double y) { return Wkb().head(2).word(2).numbers({0, 0, x, y}).bytes; };
  CHECK(judge_wkb(line(180, 90), true).empty());
  CHECK(judge_wkb(line(-180, -90), true).empty());
  CHECK(judge_wkb(line(180.5, 0), true) == one("geo/coordinate-range", 25, 8));
  CHECK(judge_wkb(line(0, -90.5), true) == one("geo/coordinate-range", 33, 8));
  CHECK(judge_wkb(line(std::numeric_limits<double>::infinity(), 0), true).size() == 1);
  CHECK(judge_wkb(line(180.5, 0)).empty());
  CHECK(judge_wkb(line(kNaN, 0), true).empty());
}

TEST_CASE("huge counts take no time and no memory", "[unit]") {
  for (const std::uint32_t count : {0x80000000U, 0xFFFFFFFFU, 3U}) {
    CHECK(judge_wkb(Wkb().head(3).word(1).word(count).numbers({0, 0, 0}).bytes) == one("wkb/count", 9, 4));
    CHECK(judge_wkb(Wkb().head(3).word(count).numbers({}).bytes) == one("wkb/count", 5, 4));
    CHECK(judge_wkb(Wkb().head(7).word(count).numbers({0, 0}).bytes) == one("wkb/count", 5, 4));
    CHECK(judge_wkb(Wkb().head(2).word(count).numbers({0, 0}).bytes) == one("wkb/count", 5, 4));
  }
}

TEST_CASE("collections nested deeper than the limit are not checked", "[unit]") {
  const auto nested = [](unsigned depth) {
    Wkb wkb;
    for (unsigned i = 1; i < depth; ++i) wkb.head(7).word(1);
    return wkb.head(7).word(0).bytes;
  };
  CHECK(judge_wkb(nested(10)).empty());
  CHECK(judge_wkb(nested(11)) == one("wkb/depth", 90, 5));
  CHECK(judge_wkb(nested(1'000'000)) == one("wkb/depth", 90, 5));
}

TEST_CASE("extents skip NaN, and m without z is not z", "[unit]") {
  CollectedGeo faults;
  geo::Walker walker(10);
  const Wkb wkb = Wkb().head(2002).word(3).numbers({1, kNaN, 7, 3, 5, kNaN, 2, 4, -7});
  REQUIRE(walker.walk({wkb.bytes}, faults));
  const geo::Box& box = walker.box();
  CHECK((box[geo::Axis::x].min == 1 && box[geo::Axis::x].max == 3));
  CHECK((box[geo::Axis::y].min == 4 && box[geo::Axis::y].max == 5));
  CHECK(box[geo::Axis::z].empty());
  CHECK((box[geo::Axis::m].min == -7 && box[geo::Axis::m].max == 7));
}

TEST_CASE("a gap finds the first x inside", "[unit]") {
  CollectedGeo faults;
  geo::Walker walker(10);
  geo::Gap gap{-170, 170};
  walker.set_gaps({&gap, 1});
  const auto is_hit = [&](std::initializer_list<double> x) {
    Wkb wkb;
    wkb.head(2).word(static_cast<std::uint32_t>(x.size()));
    for (const double one : x) wkb.numbers({one, 0});
    gap = {-170, 170};
    REQUIRE(walker.walk({wkb.bytes}, faults));
    return gap.is_hit ? gap.hit : kNaN;
  };
  CHECK(std::isnan(is_hit({-170, 170, 180, -180})));
  CHECK(is_hit({-171, -169, 3}) == -169);
  CHECK(is_hit({kNaN, 169}) == 169);
}

}  // namespace parqproof
