// Changes of GeospatialStatistics, and of coordinates.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "codec/base/append.hpp"
#include "codec/geo/type_code.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/changes.hpp"
#include "conformance/fault/stored_values.hpp"

namespace parqproof::fault {
namespace {

using model::NodeId;
using model::Tree;

constexpr std::string_view kBox = "geospatial_statistics.bbox";
constexpr std::string_view kXMin = "geospatial_statistics.bbox.xmin";
constexpr std::string_view kXMax = "geospatial_statistics.bbox.xmax";
constexpr std::string_view kYMin = "geospatial_statistics.bbox.ymin";
constexpr std::string_view kYMax = "geospatial_statistics.bbox.ymax";
constexpr std::string_view kTypes = "geospatial_statistics.geospatial_types";

std::string bound_path(char axis, const char* bound) { return std::string(kBox) + '.' + axis + bound; }

std::optional<double> double_at(const Tree& tree, std::string_view path, NodeId node) {
  const auto bits = tree.number(path, node);
  return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
}

void set_double(Tree& tree, NodeId node, double value) {
  tree.set_number(node, std::bit_cast<std::int64_t>(value));
}

/// Returns true if a listed type has this axis, z or m, or if a number in the list is no type.
bool may_have_axis(const Tree& tree, NodeId node, char axis) {
  const auto types = tree.find(kTypes, node);
  return !types || std::ranges::any_of(tree.children(*types), [&](NodeId one) {
    const auto type = geo::TypeCode::of(static_cast<std::uint32_t>(tree.number(one)));
    return !type || (axis == 'z' ? type->has_z : type->has_m);
  });
}

/// The position of the first coordinate, of a Point or of a LineString with points; nullopt for other values.
std::optional<std::size_t> first_coordinate(const Bytes& wkb) {
  constexpr std::size_t kCountAt = 5;
  constexpr std::size_t kCoordinateBytes = 8;
  if (wkb.size() < kCountAt || wkb[0] > 1) return std::nullopt;
  const bool is_little = wkb[0] != 0;
  const unsigned shape = unsigned{is_little ? wkb[1] : wkb[4]} | unsigned{is_little ? wkb[2] : wkb[3]} << 8U;
  const std::size_t at = shape % 1000 == 1 ? kCountAt : kCountAt + 4;
  if (shape % 1000 > 2 || wkb.size() < at + 2 * kCoordinateBytes) return std::nullopt;
  return at;
}

}  // namespace

bool has_box(File& file, const Site& site) {
  const Tree& tree = file.footer();
  const auto min = double_at(tree, kYMin, site.node);
  const auto max = double_at(tree, kYMax, site.node);
  const auto types = tree.find(kTypes, site.node);
  return min && max && types && !tree.children(*types).empty() && *min < *max;
}

bool raise_ymin(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto max = tree->number(kYMax, node);
    const auto min = tree->find(kYMin, node);
    if (!min || !max) return false;
    tree->set_number(*min, *max);
  }
  return true;
}

bool swap_y(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto min = tree->find(kYMin, node);
    const auto max = tree->find(kYMax, node);
    if (!min || !max) return false;
    const std::int64_t lower = tree->number(*min);
    tree->set_number(*min, tree->number(*max));
    tree->set_number(*max, lower);
  }
  return true;
}

bool replace_type(File& file, const Site& site, const Change& /*change*/) {
  constexpr int kUnusual = 3007;  // a GeometryCollection ZM
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto types = tree->find(kTypes, node);
    if (!types || tree->children(*types).empty()) return false;
    tree->set_number(tree->children(*types).front(), kUnusual);
  }
  return true;
}

bool repeat_type(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto types = tree->find(kTypes, node);
    if (!types || tree->children(*types).empty()) return false;
    tree->duplicate(tree->children(*types).front());
  }
  return true;
}

bool add_axis(File& file, const Site& site, const Change& /*change*/) {
  const bool has_z = may_have_axis(file.footer(), site.node, 'z');
  if (has_z && may_have_axis(file.footer(), site.node, 'm')) return false;
  const char axis = has_z ? 'm' : 'z';
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (!tree->find(kBox, node)) return false;
    for (const char* const bound : {"min", "max"}) {
      if (tree->find(bound_path(axis, bound), node)) return false;
      set_double(*tree, *tree->make(bound_path(axis, bound), node), 0);
    }
  }
  return true;
}

bool remove_axis(File& file, const Site& site, const Change& /*change*/) {
  const char axis = file.footer().find(bound_path('z', "min"), site.node) ? 'z' : 'm';
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    for (const char* const bound : {"min", "max"}) {
      const auto field = tree->find(bound_path(axis, bound), node);
      if (!field) return false;
      tree->remove(*field);
    }
  }
  return true;
}

bool widen_y(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto max = double_at(*tree, kYMax, node);
    if (!max || !std::isfinite(*max + 1) || *max + 1 == *max) return false;
    set_double(*tree, *tree->find(kYMax, node), *max + 1);
  }
  return true;
}

bool wrap_x(File& file, const Site& site, const Change& /*change*/) {
  constexpr double kMaxLongitude = 180;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto min = double_at(*tree, kXMin, node);
    const auto max = double_at(*tree, kXMax, node);
    if (!min || !max || !(*min <= *max)) return false;
    // No longitude, and above all values, so that none is between xmax and xmin.
    const double wrapped = std::max(*max, kMaxLongitude) + 1;
    if (!std::isfinite(wrapped) || wrapped == *max) return false;
    set_double(*tree, *tree->find(kXMin, node), wrapped);
  }
  return true;
}

bool coordinate_out_of_range(File& file, const Site& site, const Change& change) {
  const bool is_changed = edit_stored_value(file, site, [&](Bytes& wkb) {
    const auto at = first_coordinate(wkb);
    if (!at) return false;
    Bytes bytes;
    append_le(bytes, std::bit_cast<std::uint64_t>(static_cast<double>(change.number)), 8);
    if (wkb[0] == 0) std::ranges::reverse(bytes);
    std::ranges::copy(bytes, wkb.begin() + static_cast<std::ptrdiff_t>(*at));
    return true;
  });
  if (!is_changed) return false;
  // No box in range contains the coordinate.
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (const auto box = tree->find(kBox, node)) tree->remove(*box);
  }
  return true;
}

}  // namespace parqproof::fault
