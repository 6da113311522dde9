// Changes of column indexes, offset indexes and Bloom filters.
#include <algorithm>

#include "codec/schema/order.hpp"
#include "conformance/fault/bounds.hpp"
#include "conformance/fault/changes.hpp"

namespace parqproof::fault {
namespace {

using model::Content;
using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

std::vector<NodeId> list_at(const Tree& tree, std::string_view path) {
  const auto list = tree.find(path);
  return list ? tree.children(*list) : std::vector<NodeId>();
}

/// The ordinal of the first page with values; nullopt if there is none.
std::optional<std::size_t> page_with_values(const Tree& index) {
  const std::vector<NodeId> flags = list_at(index, "null_pages");
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (index.number(flags[i]) != 1) return i;
  }
  return std::nullopt;
}

}  // namespace

bool lower_index_max(File& file, const Site& site, const Change& change) {
  Tree& index = file.tree_of(site);
  const Node& leaf = file.leaf_of(site);
  if (!is_signed_integer(leaf)) return false;
  const std::vector<NodeId> mins = list_at(index, "min_values");
  const std::vector<NodeId> maxes = list_at(index, "max_values");
  // Not the page with the maximum of the chunk, nor a page of one value: their bounds are compared with
  // others.
  std::int64_t highest = INT64_MIN;
  for (const NodeId max : maxes)
    highest = std::max(highest, integer_of(index.bytes(max), leaf.type).value_or(INT64_MIN));
  for (std::size_t i = 0; i < std::min(mins.size(), maxes.size()); ++i) {
    const auto min = integer_of(index.bytes(mins[i]), leaf.type);
    const auto max = integer_of(index.bytes(maxes[i]), leaf.type);
    if (!min || !max || *min + 1 >= *max) continue;
    if (change.number != 0 && (*max == highest || maxes.size() < 2)) continue;
    index.set_bytes(maxes[i], bound_of(*max - 1, leaf.type));
    return true;
  }
  return false;
}

bool swap_index_bounds(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const auto page = page_with_values(index);
  const std::vector<NodeId> mins = list_at(index, "min_values");
  const std::vector<NodeId> maxes = list_at(index, "max_values");
  if (!page || *page >= mins.size() || *page >= maxes.size()) return false;
  const auto copy = [&](NodeId node) {
    return std::vector(index.bytes(node).begin(), index.bytes(node).end());
  };
  const auto min = copy(mins[*page]);
  const auto max = copy(maxes[*page]);
  const Order order = order_of(file.leaf_of(site));
  if (min == max || is_signed_zero(order, min) || is_signed_zero(order, max)) return false;
  index.set_bytes(mins[*page], max);
  index.set_bytes(maxes[*page], min);
  return true;
}

bool index_null_pages(File& file, const Site& site, const Change& change) {
  Tree& index = file.tree_of(site);
  const auto page = page_with_values(index);
  if (!page) return false;
  index.set_number(list_at(index, "null_pages")[*page], change.number);
  return true;
}

bool index_number(File& file, const Site& site, const Change& change) {
  Tree& tree = file.tree_of(site);
  const std::vector<NodeId> numbers = list_at(tree, change.text);
  if (numbers.empty()) return false;
  tree.set_number(numbers.back(), tree.number(numbers.back()) + change.number);
  return true;
}

bool lengthen_index_bound(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const auto page = page_with_values(index);
  const std::vector<NodeId> maxes = list_at(index, "max_values");
  if (!page || *page >= maxes.size()) return false;
  std::vector<std::uint8_t> bytes(index.bytes(maxes[*page]).begin(), index.bytes(maxes[*page]).end());
  bytes.push_back(0);
  index.set_bytes(maxes[*page], bytes);
  return true;
}

bool other_boundary_order(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const auto order = index.find("boundary_order");
  if (!order || (index.number(*order) != 1 && index.number(*order) != 2)) return false;
  // Pages of equal bounds are in both orders.
  const std::vector<NodeId> flags = list_at(index, "null_pages");
  const Order of_leaf = order_of(file.leaf_of(site));
  const auto differ = [&](const char* list) {
    const std::vector<NodeId> bounds = list_at(index, list);
    std::optional<NodeId> first;
    for (std::size_t i = 0; i < std::min(flags.size(), bounds.size()); ++i) {
      if (index.number(flags[i]) == 1) continue;
      if (first && compare(of_leaf, index.bytes(*first), index.bytes(bounds[i])) != Comparison::equal)
        return true;
      first = first.value_or(bounds[i]);
    }
    return false;
  };
  if (!differ("min_values") && !differ("max_values")) return false;
  index.set_number(*order, 3 - index.number(*order));
  return true;
}

bool location_number(File& file, const Site& site, const Change& change) {
  Tree& index = file.tree_of(site);
  const std::vector<NodeId> locations = list_at(index, "page_locations");
  const auto field = locations.empty() ? std::nullopt : index.find(change.text, locations.back());
  if (!field) return false;
  index.set_number(*field, index.number(*field) + change.number);
  return true;
}

bool remove_location(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const std::vector<NodeId> locations = list_at(index, "page_locations");
  if (locations.size() < 2) return false;
  index.remove(locations.back());
  return true;
}

bool surplus_index_byte(File& file, const Site& site, const Change& /*change*/) {
  model::Model& model = file.model();
  const auto at = std::ranges::find(model.order(), site.segment);
  if (at + 1 == model.order().end()) return false;
  Segment gap{.kind = Segment::Kind::gap};
  gap.body = Content::own({0x55});
  model.insert(std::move(gap), *(at + 1));
  const char* const name = model.segment(site.segment).kind == Segment::Kind::offset_index
                               ? "offset_index_length"
                               : "column_index_length";
  const auto length = file.footer().find(name, file.chunk_of(site).node);
  if (!length) return false;
  model.resolve();
  file.footer().set_number(*length, file.footer().number(*length) + 1);
  return true;
}

bool empty_bitset(File& file, const Site& site, const Change& change) {
  const auto bits = file.model().body(site.segment);
  if (!bits || bits->empty()) return false;
  const auto value = static_cast<std::uint8_t>(change.number);
  file.model().set_body(site.segment, std::vector<std::uint8_t>(bits->size(), value));
  return true;
}

bool shorten_bitset(File& file, const Site& site, const Change& change) {
  auto bits = file.model().body(site.segment);
  if (!bits || bits->size() <= static_cast<std::size_t>(change.number)) return false;
  bits->resize(static_cast<std::size_t>(change.number));
  file.model().set_body(site.segment, std::move(*bits));
  return true;
}

bool remove_bloom_offset(File& file, const Site& site, const Change& /*change*/) {
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    const auto offset = tree->find("bloom_filter_offset", node);
    if (!offset || !tree->find("bloom_filter_length", node)) return false;
    tree->remove(*offset);
  }
  for (const SegmentId id : file.model().segments_of(Segment::Kind::bloom_filter, site.chunk))
    file.model().remove(id);
  return true;
}

bool null_page_zero(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  for (const NodeId flag : list_at(index, "null_pages")) {
    if (index.number(flag) != 2) continue;  // false
    index.set_number(flag, 0);
    return true;
  }
  return false;
}

bool shift_index_histogram(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const std::size_t pages = list_at(index, "null_pages").size();
  std::vector<NodeId> counts = list_at(index, "definition_level_histograms");
  if (pages == 0 || counts.size() < 2 * pages) return false;
  counts.resize(counts.size() / pages);  // of the first page
  const auto from = std::ranges::find_if(counts, [&](NodeId one) { return index.number(one) > 0; });
  if (from == counts.end()) return false;
  const NodeId to = from == counts.begin() ? counts[1] : counts[0];
  index.set_number(*from, index.number(*from) - 1);
  index.set_number(to, index.number(to) + 1);
  return true;
}

bool index_null_count(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const std::vector<NodeId> flags = list_at(index, "null_pages");
  const std::vector<NodeId> counts = list_at(index, "null_counts");
  std::size_t ordinal = 0;
  for (const std::uint32_t page : file.chunk_of(site).pages) {
    if (!file.pages()[page].is_data()) continue;
    if (ordinal >= std::min(flags.size(), counts.size())) return false;
    const std::int64_t nulls = index.number(counts[ordinal]);
    if (index.number(flags[ordinal]) != 1 && nulls > 0 && nulls + 1 < file.pages()[page].num_values) {
      index.set_number(counts[ordinal], nulls + 1);
      return true;
    }
    ++ordinal;
  }
  return false;
}

bool clear_block(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::size_t kBlockBytes = 32;
  auto bits = file.model().body(site.segment);
  if (!bits) return false;
  std::vector<std::size_t> used;
  for (std::size_t at = 0; at + kBlockBytes <= bits->size(); at += kBlockBytes) {
    const auto block = std::span(*bits).subspan(at, kBlockBytes);
    if (std::ranges::any_of(block, [](std::uint8_t byte) { return byte != 0; })) used.push_back(at);
  }
  if (used.size() < 2) return false;  // without any bit, the filter is empty
  std::fill_n(bits->begin() + static_cast<std::ptrdiff_t>(used.front()), kBlockBytes, std::uint8_t{0});
  file.model().set_body(site.segment, std::move(*bits));
  return true;
}

bool bounds_of_null_page(File& file, const Site& site, const Change& /*change*/) {
  static constexpr std::uint8_t kBound[] = {0, 0, 0, 0};
  Tree& index = file.tree_of(site);
  const std::vector<NodeId> flags = list_at(index, "null_pages");
  const std::vector<NodeId> mins = list_at(index, "min_values");
  for (std::size_t i = 0; i < std::min(flags.size(), mins.size()); ++i) {
    if (index.number(flags[i]) != 1 || !index.bytes(mins[i]).empty()) continue;
    index.set_bytes(mins[i], kBound);
    return true;
  }
  return false;
}

bool bit_in_empty_block(File& file, const Site& site, const Change& /*change*/) {
  constexpr std::size_t kBlockBytes = 32;
  auto bits = file.model().body(site.segment);
  for (std::size_t at = 0; bits && at + kBlockBytes <= bits->size(); at += kBlockBytes) {
    const auto block = std::span(*bits).subspan(at, kBlockBytes);
    if (std::ranges::any_of(block, [](std::uint8_t byte) { return byte != 0; })) continue;
    block[0] = 1;
    file.model().set_body(site.segment, std::move(*bits));
    return true;
  }
  return false;
}

bool nan_counts_of_pages(File& file, const Site& site, const Change& /*change*/) {
  Tree& index = file.tree_of(site);
  const std::size_t pages = list_at(index, "null_pages").size();
  if (index.find("nan_counts") || pages == 0) return false;
  const NodeId counts = *index.make("nan_counts");
  for (std::size_t i = 0; i < pages; ++i) index.set_number(index.add_element(counts), 0);
  return true;
}

bool change_index_bound(File& file, const Site& site, const Change& change) {
  Tree& index = file.tree_of(site);
  const std::vector<NodeId> flags = list_at(index, "null_pages");
  const std::vector<NodeId> bounds = list_at(index, change.path);
  for (std::size_t i = 0; i < std::min(flags.size(), bounds.size()); ++i) {
    const auto other = index.number(flags[i]) == 1 ? std::nullopt : change.other(index.bytes(bounds[i]));
    if (!other) continue;
    index.set_bytes(bounds[i], *other);
    return true;
  }
  return false;
}

}  // namespace parqproof::fault
