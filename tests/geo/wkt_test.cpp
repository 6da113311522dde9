// WKB as text, and written again in the other byte order.
#include "codec/geo/wkt.hpp"

#include <catch2/catch_test_macros.hpp>

#include "codec/geo/emitter.hpp"
#include "tests/geo/geo_support.hpp"

namespace parqproof {
namespace {

std::string wkt(const Wkb& wkb) {
  std::string text = "<";
  if (!geo::append_wkt(text, wkb.bytes)) {
    CHECK(text == "<");
    return "none";
  }
  // The copy in the other byte order has the same text, and its copy has the same bytes.
  CollectedGeo faults;
  geo::Walker walker(10);
  geo::Emitter big(true);
  geo::Emitter little(false);
  REQUIRE(walker.walk({wkb.bytes}, faults, &big));
  std::string again = "<";
  CHECK(geo::append_wkt(again, big.bytes()));
  CHECK(again == text);
  REQUIRE(walker.walk({big.bytes()}, faults, &little));
  CHECK(std::vector(little.bytes().begin(), little.bytes().end()) == wkb.bytes);
  return text.substr(1);
}

}  // namespace

TEST_CASE("geometries are shown as well-known text", "[unit]") {
  CHECK(wkt(Wkb().head(1).numbers({1, -2.5})) == "POINT (1 -2.5)");
  CHECK(wkt(Wkb().head(1001).numbers({1, 2, 3})) == "POINT Z (1 2 3)");
  CHECK(wkt(Wkb().head(2001).numbers({1, 2, 3})) == "POINT M (1 2 3)");
  CHECK(wkt(Wkb().head(3001).numbers({1, 2, 3, 4})) == "POINT ZM (1 2 3 4)");
  CHECK(wkt(Wkb().head(2).word(2).numbers({0, 0, 1, 1})) == "LINESTRING (0 0, 1 1)");
  CHECK(wkt(Wkb().head(3).word(2).word(4).numbers({0, 0, 1, 1, 2, 0, 0, 0}).word(0)) ==
        "POLYGON ((0 0, 1 1, 2 0, 0 0), EMPTY)");
  CHECK(wkt(Wkb().head(4).word(2).head(1).numbers({1, 2}).head(1).numbers({kNaN, kNaN})) ==
        "MULTIPOINT ((1 2), EMPTY)");
  CHECK(wkt(Wkb().head(6).word(1).head(3).word(1).word(4).numbers({0, 0, 1, 1, 2, 0, 0, 0})) ==
        "MULTIPOLYGON (((0 0, 1 1, 2 0, 0 0)))");
  CHECK(wkt(Wkb().head(7).word(3).head(1).numbers({1, 2}).head(7).word(0).head(2).word(0)) ==
        "GEOMETRYCOLLECTION (POINT (1 2), GEOMETRYCOLLECTION EMPTY, LINESTRING EMPTY)");
}

TEST_CASE("empty geometries and missing coordinates are shown", "[unit]") {
  CHECK(wkt(Wkb().head(1).numbers({kNaN, kNaN})) == "POINT EMPTY");
  CHECK(wkt(Wkb().head(1001).numbers({kNaN, kNaN, kNaN})) == "POINT Z EMPTY");
  CHECK(wkt(Wkb().head(1).numbers({1, kNaN})) == "POINT (1 NaN)");
  CHECK(wkt(Wkb().head(3).word(0)) == "POLYGON EMPTY");
}

TEST_CASE("a value that is no WKB has no text", "[unit]") {
  CHECK(wkt(Wkb()) == "none");
  CHECK(wkt(Wkb().head(1).numbers({1})) == "none");
  CHECK(wkt(Wkb().head(1).numbers({1, 2, 3})) == "none");
  CHECK(wkt(Wkb().head(4).word(1).head(2).word(0)) == "none");
  CHECK(wkt(Wkb().head(1007).word(1).head(1).numbers({1, 2})) == "none");
  CHECK(wkt(Wkb().head(2).word(1).numbers({1, 2})) == "LINESTRING (1 2)");
}

}  // namespace parqproof
