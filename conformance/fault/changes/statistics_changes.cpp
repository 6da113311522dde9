// Changes of the statistics in ColumnMetaData.
#include <algorithm>
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

namespace {
constexpr std::uint8_t kSign = 0x80;

std::optional<std::vector<std::uint8_t>> other_zero(std::span<const std::uint8_t> bound, std::uint8_t sign) {
  std::vector<std::uint8_t> zero(bound.size());
  if (zero.empty()) return std::nullopt;
  zero.back() = static_cast<std::uint8_t>(sign ^ kSign);
  if (!std::ranges::equal(bound, zero)) return std::nullopt;
  zero.back() = sign;
  return zero;
}
}  // namespace

std::optional<std::vector<std::uint8_t>> positive_zero(std::span<const std::uint8_t> bound) {
  return other_zero(bound, 0);
}
std::optional<std::vector<std::uint8_t>> negative_zero(std::span<const std::uint8_t> bound) {
  return other_zero(bound, kSign);
}

bool is_signed_zero(Order order, std::span<const std::uint8_t> bound) {
  return is_floating(order) && (positive_zero(bound) || negative_zero(bound));
}

std::optional<std::vector<std::uint8_t>> nan_of(std::span<const std::uint8_t> bound) {
  if (bound.size() == 4) return std::vector<std::uint8_t>{0, 0, 0xC0, 0x7F};
  if (bound.size() == 8) return std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0xF8, 0x7F};
  return std::nullopt;
}

std::optional<std::vector<std::uint8_t>> with_ff(std::span<const std::uint8_t> bound) {
  std::vector<std::uint8_t> longer(bound.begin(), bound.end());
  longer.push_back(0xFF);
  return longer;
}

std::optional<std::vector<std::uint8_t>> without_last(std::span<const std::uint8_t> bound) {
  if (bound.size() < 2) return std::nullopt;
  return std::vector<std::uint8_t>(bound.begin(), bound.end() - 1);
}

std::optional<std::vector<std::uint8_t>> with_unused_bit(std::span<const std::uint8_t> bound) {
  if (bound.size() != 1 || bound[0] > 1) return std::nullopt;
  return std::vector<std::uint8_t>{static_cast<std::uint8_t>(bound[0] | 2U)};
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
  return min && max && min->size() == max->size() &&
         file.leaf_of(site).logical.stated != LogicalKind::TIMESTAMP &&
         compare(order_of(file.leaf_of(site)), *min, *max) == Comparison::less;
}

bool lower_max(File& file, const Site& site, const Change& change) {
  const Type type = file.leaf_of(site).type;
  const bool is_max = change.text.contains("max");
  const bool is_inward = (change.number > 0) == is_max;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto field = tree->find(change.text, node);
    const auto number = field ? integer_of(tree->bytes(*field), type) : std::nullopt;
    const std::int64_t min = type == Type::INT32 ? INT32_MIN : INT64_MIN;
    const std::int64_t max = type == Type::INT32 ? INT32_MAX : INT64_MAX;
    if (!number || *number == (change.number > 0 ? min : max)) return false;
    // A bound that is not known to be exact may be one that no value reaches, but no value beyond the other.
    const auto exact =
        tree->number(is_max ? "statistics.is_max_value_exact" : "statistics.is_min_value_exact", node);
    const auto other = tree->find(is_max ? kMin : kMax, node);
    if (is_inward && exact && *exact != 1) return false;
    const bool is_far = is_inward && !exact && other;
    const auto far = is_far ? integer_of(tree->bytes(*other), type) : std::nullopt;
    tree->set_bytes(*field, bound_of(far.value_or(*number - change.number), type));
  }
  return true;
}

bool swap_bounds(File& file, const Site& site, const Change& /*change*/) {
  const Order order = order_of(file.leaf_of(site));
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto min = bytes_at(*tree, kMin, node);
    const auto max = bytes_at(*tree, kMax, node);
    if (!min || !max) return false;
    // A zero has another sign as a min than as a max.
    if (is_signed_zero(order, *min) || is_signed_zero(order, *max)) return false;
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

bool nan_bound(File& file, const Site& site, const Change& change) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const bool is_counted = tree->find("statistics.nan_count", node).has_value();
    const auto max = tree->find(kMax, node);
    const auto nan = max ? nan_of(tree->bytes(*max)) : std::nullopt;
    if (!nan || is_counted != (change.number != 0)) return false;
    tree->set_bytes(*max, *nan);
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

bool change_bound(File& file, const Site& site, const Change& change) {
  const bool is_max = change.path == kMax;
  const char* const exact = is_max ? "statistics.is_max_value_exact" : "statistics.is_min_value_exact";
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto bytes = bytes_at(*tree, change.path, node);
    const auto other = bytes ? change.other(*bytes) : std::nullopt;
    // A bound that is longer or shorter is not exact.
    if (!other || (other->size() != bytes->size() && tree->number(exact, node) == 1)) return false;
    tree->set_bytes(*tree->find(change.path, node), *other);
  }
  return true;
}

bool bounds_of_nulls(File& file, const Site& site, const Change& /*change*/) {
  const std::vector<std::uint8_t> zero(4);
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto nulls = tree->number("statistics.null_count", node);
    if (!file.footer().find("column_orders") || !nulls || *nulls == 0 ||
        nulls != tree->number("num_values", node) || tree->find(kMin, node))
      return false;
    for (const std::string_view bound : {kMin, kMax}) tree->set_bytes(*tree->make(bound, node), zero);
  }
  return true;
}

bool change_copy(File& file, const Site& site, const Change& change) {
  const auto all = file.metadata_of(site.chunk);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const auto field = all[i].first->find(change.text, all[i].second);
    if (!field) continue;
    all[i].first->set_number(*field, all[i].first->number(*field) + change.number);
    return true;
  }
  return false;
}

}  // namespace parqproof::fault
