// Changes of the statistics in ColumnMetaData.
#include <bit>
#include <string>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/schema/order.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/changes.hpp"

namespace parqproof::fault {

using model::NodeId;
using model::Tree;

bool is_signed_integer(const Node& leaf) noexcept {
  return (leaf.type == Type::INT32 || leaf.type == Type::INT64) && order_of(leaf) == Order::signed_int;
}

std::optional<std::int64_t> integer_of(std::span<const std::uint8_t> bound, Type type) noexcept {
  if (type == Type::INT32 && bound.size() == 4) return load_le<std::int32_t>(bound.data());
  if (type == Type::INT64 && bound.size() == 8) return load_le<std::int64_t>(bound.data());
  return std::nullopt;
}

std::vector<std::uint8_t> bound_of(std::int64_t number, Type type) {
  std::vector<std::uint8_t> bytes;
  append_le(bytes, static_cast<std::uint64_t>(number), type == Type::INT32 ? 4 : 8);
  return bytes;
}

namespace {

std::optional<std::vector<std::uint8_t>> bytes_at(const Tree& tree, std::string_view path, NodeId node) {
  const auto found = tree.find(path, node);
  if (!found) return std::nullopt;
  const auto bytes = tree.bytes(*found);
  return std::vector(bytes.begin(), bytes.end());
}

constexpr std::string_view kMin = "statistics.min_value";
constexpr std::string_view kMax = "statistics.max_value";
constexpr std::string_view kYMin = "geospatial_statistics.bbox.ymin";
constexpr std::string_view kYMax = "geospatial_statistics.bbox.ymax";
constexpr std::string_view kTypes = "geospatial_statistics.geospatial_types";

}  // namespace

bool has_signed_bounds(File& file, const Site& site) {
  const Node& leaf = file.leaf_of(site);
  if (!is_signed_integer(leaf)) return false;
  const auto min = bytes_at(file.footer(), kMin, site.node);
  const auto max = bytes_at(file.footer(), kMax, site.node);
  if (!min || !max) return false;
  const auto low = integer_of(*min, leaf.type);
  const auto high = integer_of(*max, leaf.type);
  return low && high && *low < *high;
}

bool has_bounds(File& file, const Site& site) {
  const auto min = bytes_at(file.footer(), kMin, site.node);
  const auto max = bytes_at(file.footer(), kMax, site.node);
  return min && max && *min != *max;
}

bool has_box(File& file, const Site& site) {
  const Tree& tree = file.footer();
  const auto min = tree.number(kYMin, site.node);
  const auto max = tree.number(kYMax, site.node);
  const auto types = tree.find(kTypes, site.node);
  return min && max && types && !tree.children(*types).empty() &&
         std::bit_cast<double>(*min) < std::bit_cast<double>(*max);
}

bool lower_max(File& file, const Site& site, const Change& change) {
  const Type type = file.leaf_of(site).type;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto field = tree->find(change.text, node);
    const auto number = field ? integer_of(tree->bytes(*field), type) : std::nullopt;
    const std::int64_t min = type == Type::INT32 ? INT32_MIN : INT64_MIN;
    const std::int64_t max = type == Type::INT32 ? INT32_MAX : INT64_MAX;
    if (!number || *number == (change.number > 0 ? min : max)) return false;
    tree->set_bytes(*field, bound_of(*number - change.number, type));
  }
  return true;
}

bool swap_bounds(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto min = bytes_at(*tree, kMin, node);
    const auto max = bytes_at(*tree, kMax, node);
    if (!min || !max) return false;
    tree->set_bytes(*tree->find(kMin, node), *max);
    tree->set_bytes(*tree->find(kMax, node), *min);
  }
  return true;
}

bool lengthen_bound(File& file, const Site& site, const Change& change) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    auto bytes = bytes_at(*tree, change.text, node);
    if (!bytes) return false;
    bytes->push_back(0);
    tree->set_bytes(*tree->find(change.text, node), *bytes);
  }
  return true;
}

bool shift_histogram(File& file, const Site& site, const Change& change) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto list = tree->find(change.text, node);
    if (!list) return false;
    const std::vector<NodeId> counts = tree->children(*list);
    if (counts.size() < 2) return false;
    const NodeId from = tree->number(counts[0]) > 0 ? counts[0] : counts[1];
    const NodeId to = from == counts[0] ? counts[1] : counts[0];
    if (tree->number(from) <= 0) return false;
    tree->set_number(from, tree->number(from) - 1);
    tree->set_number(to, tree->number(to) + 1);
  }
  return true;
}

bool remove_max(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    for (const char* const path :
         {"statistics.max_value", "statistics.max", "statistics.is_max_value_exact"}) {
      if (const auto field = tree->find(path, node)) tree->remove(*field);
    }
  }
  return true;
}

bool nan_bound(File& file, const Site& site, const Change& /*change*/) {
  const bool is_float = file.leaf_of(site).type == Type::FLOAT;
  const std::vector<std::uint8_t> nan = is_float ? std::vector<std::uint8_t>{0, 0, 0xC0, 0x7F}
                                                 : std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0xF8, 0x7F};
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto max = tree->find(kMax, node);
    if (!max || tree->find("statistics.nan_count", node)) return false;
    tree->set_bytes(*max, nan);
  }
  return true;
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

bool exact_without_bound(File& file, const Site& site, const Change& /*change*/) {
  if (order_of(file.leaf_of(site)) == Order::none) return false;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (!tree->find("statistics", node) || tree->find(kMax, node)) return false;
    tree->set_number(*tree->make("statistics.is_max_value_exact", node), 1);
  }
  return true;
}

}  // namespace parqproof::fault
