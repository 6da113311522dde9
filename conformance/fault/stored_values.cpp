#include "conformance/fault/stored_values.hpp"

#include <algorithm>

#include "codec/base/append.hpp"
#include "codec/base/bits.hpp"
#include "codec/model/page_levels.hpp"
#include "codec/schema/order.hpp"

namespace parqproof::fault {
namespace {

using model::NodeId;
using model::Segment;
using model::SegmentId;
using model::Tree;

constexpr std::size_t kPrefixBytes = 4;  // the length of a BYTE_ARRAY
constexpr std::string_view kUnencoded = "unencoded_byte_array_data_bytes";

/// All bounds of a chunk and of its pages.
std::vector<Bytes> bounds_of(File& file, model::ChunkId chunk) {
  std::vector<Bytes> bounds;
  const auto add = [&](const Tree& tree, NodeId node) {
    bounds.emplace_back(tree.bytes(node).begin(), tree.bytes(node).end());
  };
  for (const auto& [tree, node] : file.metadata_of(chunk)) {
    for (const char* const name : {"min_value", "max_value", "min", "max"}) {
      if (const auto bound = tree->find("statistics." + std::string(name), node)) add(*tree, *bound);
    }
  }
  for (const SegmentId id : file.model().segments_of(Segment::Kind::column_index, chunk)) {
    const Tree* const index = file.model().tree(id);
    for (const char* const name : {"min_values", "max_values"}) {
      const auto list = index == nullptr ? std::nullopt : index->find(name);
      for (const NodeId bound : list ? index->children(*list) : std::vector<NodeId>()) add(*index, bound);
    }
  }
  return bounds;
}

/// Returns true if both values are on the same side of each bound.
bool keeps(Order order, const std::vector<Bytes>& bounds, const Bytes& before, const Bytes& after) {
  return order == Order::none || std::ranges::all_of(bounds, [&](const Bytes& bound) {
           const Comparison side = compare(order, before, bound);
           return side != Comparison::equal && side == compare(order, after, bound);
         });
}

/// The numbers that count the bytes of the values of a page: of its chunk, and of the offset index.
std::vector<std::pair<Tree*, NodeId>> byte_counts(File& file, const Site& site) {
  std::vector<std::pair<Tree*, NodeId>> counts;
  for (const auto& [tree, node] : file.metadata_of(site.chunk)) {
    if (const auto count = tree->find("size_statistics." + std::string(kUnencoded), node))
      counts.emplace_back(tree, *count);
  }
  std::uint32_t ordinal = 0;  // among the data pages
  for (const std::uint32_t page : file.chunk_of(site).pages) {
    if (page == site.index) break;
    ordinal += file.pages()[page].is_data() ? 1 : 0;
  }
  for (const SegmentId id : file.model().segments_of(Segment::Kind::offset_index, site.chunk)) {
    Tree* const index = file.model().tree(id);
    const auto list = index == nullptr ? std::nullopt : index->find(kUnencoded);
    const auto count = list ? index->element(*list, ordinal) : std::nullopt;
    if (count) counts.emplace_back(index, *count);
  }
  return counts;
}

/// Marks the entries of the dictionary that a data page refers to.
void mark_entries(File& file, const Site& page, std::vector<bool>& used) {
  const Encoding encoding = file.page_of(page).encoding;
  const auto image = file.image_of(page);
  if ((encoding != Encoding::RLE_DICTIONARY && encoding != Encoding::PLAIN_DICTIONARY) || !image ||
      image->values.empty())
    return;
  auto count = static_cast<std::uint64_t>(file.page_of(page).num_values);
  const std::uint32_t max = file.leaf_of(page).max_definition;
  if (max != 0) {
    const auto levels = definition_levels(file, page);
    if (!levels) return;
    count = static_cast<std::uint64_t>(std::ranges::count(*levels, max));
  }
  constexpr unsigned kMostBits = 32;
  const unsigned bit_width = image->values[0];
  if (bit_width > kMostBits) return;
  const auto indices = model::decode_levels(Encoding::RLE, View{image->values}.from(1), bit_width, count);
  if (!indices) return;
  for (const std::uint32_t index : *indices) {
    if (index < used.size()) used[index] = true;
  }
}

/// Which of the first `count` entries of a dictionary page values refer to.
std::vector<bool> used_entries(File& file, const Site& dictionary, std::size_t count) {
  std::vector<bool> used(count);
  for (const std::uint32_t page : file.chunk_of(dictionary).pages) {
    if (file.pages()[page].is_data())
      mark_entries(file, {file.pages()[page].segment, model::kRoot, dictionary.chunk, page}, used);
  }
  return used;
}

}  // namespace

bool has_stored_values(File& file, const Site& site) {
  const PageInfo& page = file.page_of(site);
  const Type type = file.leaf_of(site).type;
  const bool is_plain = page.encoding == Encoding::PLAIN ||
                        (page.is_dictionary() && page.encoding == Encoding::PLAIN_DICTIONARY);
  return is_plain && !file.is_sorted() && (page.is_data() || page.is_dictionary()) && page.num_values > 0 &&
         (type == Type::BYTE_ARRAY || type == Type::INT64) &&
         !file.chunk_of(site).stated.has(ColumnMetaData::id_bloom_filter_offset);
}

bool edit_stored_value(File& file, const Site& site, const EditValue& edit) {
  file.unchanged = true;
  auto image = has_stored_values(file, site) ? file.image_of(site) : std::nullopt;
  if (!image) return false;
  const Node& leaf = file.leaf_of(site);
  const Order order = order_of(leaf);
  const std::vector<Bytes> bounds = bounds_of(file, site.chunk);
  const bool is_prefixed = leaf.type == Type::BYTE_ARRAY;
  Bytes& values = image->values;
  const bool is_dictionary = file.page_of(site).is_dictionary();
  const std::vector<bool> used =
      is_dictionary ? used_entries(file, site, values.size() / kPrefixBytes) : std::vector<bool>();
  std::size_t at = 0;
  std::size_t ordinal = 0;
  const std::size_t head = is_prefixed ? kPrefixBytes : 0;
  while (values.size() - at > head) {
    const std::size_t size = is_prefixed ? load_le<std::uint32_t>(values.data() + at) : sizeof(std::int64_t);
    if (size > values.size() - at - head) return false;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at + head);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const Bytes before(begin, end);
    Bytes after = before;
    const bool is_used = !is_dictionary || (ordinal < used.size() && used[ordinal]);
    ++ordinal;
    if (!is_used || !edit(after) || after == before || !keeps(order, bounds, before, after)) {
      at += head + size;
      continue;
    }
    const auto more = static_cast<std::int64_t>(after.size()) - static_cast<std::int64_t>(size);
    const auto counts = more == 0 ? std::vector<std::pair<Tree*, NodeId>>() : byte_counts(file, site);
    // How often an entry of a dictionary occurs is not known.
    if (!counts.empty() && is_dictionary) return false;
    file.unchanged = false;
    for (const auto& [tree, node] : counts) tree->set_number(node, tree->number(node) + more);
    Bytes stored;
    if (is_prefixed) append_le(stored, after.size(), kPrefixBytes);
    stored.insert(stored.end(), after.begin(), after.end());
    values.erase(values.begin() + static_cast<std::ptrdiff_t>(at), end);
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(at), stored.begin(), stored.end());
    return file.set_image(site, *image);
  }
  return false;
}

std::optional<std::vector<std::uint32_t>> definition_levels(File& file, const Site& site) {
  const std::uint32_t max = file.leaf_of(site).max_definition;
  const PageInfo& page = file.page_of(site);
  const auto image = file.image_of(site);
  if (!image || image->definition.empty() || max == 0 || page.num_values <= 0) return std::nullopt;
  const auto stated = file.tree_of(site).number("data_page_header.definition_level_encoding");
  const auto encoding = page.is_v1() && stated ? static_cast<Encoding>(*stated) : Encoding::RLE;
  if (encoding != Encoding::RLE && encoding != Encoding::BIT_PACKED) return std::nullopt;
  return model::decode_levels(encoding, View{image->definition}, bit_width_for(max),
                              static_cast<std::uint64_t>(page.num_values));
}

std::optional<std::vector<std::uint32_t>> definition_levels(File& file, std::uint32_t row_group,
                                                            std::uint32_t leaf) {
  std::optional<Site> only;
  for (std::uint32_t i = 0; i < file.pages().size(); ++i) {
    const PageInfo& page = file.pages()[i];
    const Chunk& chunk = file.chunks()[page.chunk];
    if (!page.is_data() || chunk.row_group != row_group || chunk.leaf != leaf) continue;
    if (only) return std::nullopt;
    only = Site{page.segment, model::kRoot, page.chunk, i};
  }
  return only ? definition_levels(file, *only) : std::nullopt;
}

}  // namespace parqproof::fault
